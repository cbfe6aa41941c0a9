"""Many hands at one campaign, and hands that let go: stopped, killed, their lock deleted."""

import io
import json
import os
import signal
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, TextIO

import pytest

from gmtool.kernel.refusal import Refused
from gmtool.store import doctor
from gmtool.store.campaign import open_campaign
from tests.trust.hands import Child, gm, made, needs_fork, stand
from tests.trust.kills import as_script, in_shell, one_by_one

pytestmark = needs_fork
HELD = b"held\n"


@pytest.fixture
def home(tmp_path: Path) -> Path:
    return made(tmp_path)


def lines_of(home: Path) -> list[dict[str, Any]]:
    return [json.loads(raw) for raw in (home / "test" / "journal.jsonl").read_bytes().splitlines()]


def note(text: str) -> dict[str, Any]:
    return {"kind": "mark", "line": f"note {text}", "command": {"verb": "note", "args": {}}, "changes": []}


def holder(home: Path, then: Callable[[], object]) -> Child:
    """A process in the middle of a line: it has the lock, says so, does what is said, and writes."""

    def work(out: TextIO) -> None:
        campaign = open_campaign(home / "test", write=True)
        with campaign.writing():
            out.write("held\n")
            out.flush()
            then()
            campaign.append([note("of the holder")])

    child = Child(work)
    assert child.line() == HELD
    return child


def stop() -> None:
    os.kill(os.getpid(), signal.SIGSTOP)


def sleep() -> None:
    time.sleep(60)


def test_four_processes_of_a_hundred_lines_each_lose_none(home: Path) -> None:
    scripts = [[f"note {hand} writes {n}" for n in range(100)] for hand in "ABCD"]
    writers = [Child(lambda out, script=script: as_script(home, script, out)) for script in scripts]
    told = [json.loads(line) for writer in writers for line in writer.end()[1]]
    assert len(told) == 400
    assert all(each["ok"] for each in told)
    lines = lines_of(home)
    assert {each["seq"]: each["command"] for each in told} == {line["seq"]: line["line"] for line in lines[-400:]}
    for hand, script in zip("ABCD", scripts, strict=True):
        assert [line["line"] for line in lines if line["line"].startswith(f"note {hand} ")] == script
    assert doctor.check(home / "test") == []


def test_a_shell_and_lines_of_their_own_at_once_lose_none(home: Path) -> None:
    child = Child(lambda out: in_shell(home, [f"note shell {n}" for n in range(150)], out))
    ours = [gm(home, "unit", "add", "kestrel", f"K{n}", "--side", "Players").told[0]["seq"] for n in range(25)]
    code, told = child.end()
    seqs = [json.loads(line)["seq"] for line in told]
    assert (code, len(seqs)) == (0, 150)
    assert len({*ours, *seqs}) == 175
    lines = {line["seq"]: line["line"] for line in lines_of(home)}
    assert [lines[seq] for seq in ours] == [f"unit add kestrel K{n} --side Players" for n in range(25)]
    assert [lines[seq] for seq in seqs] == [f"note shell {n}" for n in range(150)]
    assert doctor.check(home / "test") == []


def test_readers_see_the_state_before_or_after_and_no_false_alarm(home: Path) -> None:
    """Twenty units come and go, and with them a snapshot that grows and shrinks; none of it is ever seen half done."""
    child = Child(lambda out: one_by_one(home, ["unit add gains --side Bydo --count 20", "undo"] * 40, io.StringIO()))
    seen, alarms = set[int](), list[Any]()
    while not _ended(child):
        ran = gm(home, "status")
        assert ran.code == 0, ran
        seen.add(len(ran.told[0]["result"]["units"]))
        alarms += ran.told[0].get("warnings", [])
    assert child.end()[0] == 0
    assert seen == {3, 23}
    assert alarms == []


def test_a_line_written_while_a_reader_opens_makes_no_snapshot_foreign(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Between a reader's look at the journal and its look at the snapshot another process writes both."""
    from gmtool.store import snapshot

    real, script = snapshot.load, ["note two", "note one"]

    def late(path: Path) -> Any:
        if script:
            line = script.pop()
            Child(lambda out: one_by_one(home, [line], out)).end()
        return real(path)

    monkeypatch.setattr(snapshot, "load", late)
    while script:
        campaign = open_campaign(home / "test", write=False)
        assert campaign.notices == []
        assert campaign.head.seq == lines_of(home)[-1]["seq"]


def _ended(child: Child) -> bool:
    pid, status = os.waitpid(child.pid, os.WNOHANG)
    if pid:
        child.status = os.waitstatus_to_exitcode(status)
    return pid != 0


@pytest.mark.parametrize(
    "content", [b"", b"garbage\xff", b"[1]", b'{"pid": 1}', b'{"pid":999999,"host":"gone","since":"x"}']
)
def test_a_lock_file_that_nobody_holds_is_no_lock(home: Path, content: bytes) -> None:
    """Left by a process that is gone, on this computer or another, or by nobody."""
    (home / "test" / ".lock").write_bytes(content)
    began = time.monotonic()
    assert gm(home, "note", "x").code == 0
    assert time.monotonic() - began < 4


def test_a_holder_that_is_stopped_is_named_and_goes_on_without_loss(home: Path) -> None:
    child = holder(home, stop)
    os.waitpid(child.pid, os.WUNTRACED)
    began = time.monotonic()
    ran = gm(home, "note", "of the other")
    assert 4.5 < time.monotonic() - began < 30
    error = ran.told[0]["error"]
    assert (ran.code, error["code"], error["facts"]["pid"], error["facts"]["host"]) == (
        4, "locked", child.pid, os.uname().nodename,
    )  # fmt: skip
    assert all(str(error["facts"][key]) in error["message"] for key in ("pid", "host", "since"))
    assert error["hint"]
    assert gm(home, "status").code == 0
    child.signal(signal.SIGCONT)
    assert child.end()[0] == 0
    assert gm(home, "note", "of the other").code == 0
    assert [line["line"] for line in lines_of(home)[-2:]] == ["note of the holder", "note of the other"]
    assert doctor.check(home / "test") == []


@pytest.mark.parametrize(
    ("content", "host"), [(b"\x00garbage", None), (b'{"pid":7,"host":"attic","since":"then"}', "attic")]
)
def test_a_lock_that_is_held_is_held_whatever_its_file_says(home: Path, content: bytes, host: str | None) -> None:
    """Another computer's holder stands in the file with its host; what cannot be read names nobody."""
    child = holder(home, sleep)
    (home / "test" / ".lock").write_bytes(content)
    campaign = open_campaign(home / "test", write=True)
    with pytest.raises(Refused) as caught, campaign.writing(0.2):
        pass
    assert (caught.value.code, caught.value.exit, caught.value.facts["host"]) == ("locked", 4, host)
    child.kill()
    assert gm(home, "note", "x").code == 0


def test_those_who_wait_for_a_holder_that_is_killed_go_on_at_once(home: Path) -> None:
    before = stand(home / "test").seq
    child = holder(home, sleep)
    waiting = [Child(lambda out, n=n: one_by_one(home, [f"note waited {n}"], out)) for n in range(3)]
    time.sleep(0.3)
    child.kill()
    told = [json.loads(line) for each in waiting for line in each.end()[1]]
    assert sorted(each["seq"] for each in told) == [before + 1, before + 2, before + 3]
    assert doctor.check(home / "test") == []


def test_a_lock_file_deleted_while_it_is_held_costs_no_line_that_was_reported(home: Path) -> None:
    read, write = os.pipe()
    child = holder(home, lambda: os.read(read, 1))
    (home / "test" / ".lock").unlink()
    reported = gm(home, "note", "of the other").told[0]
    os.write(write, b"x")
    child.end()
    kept = [line["line"] for line in lines_of(home) if line["seq"] == reported.get("seq")]
    assert not reported["ok"] or kept == ["note of the other"]
    assert doctor.check(home / "test") == []
