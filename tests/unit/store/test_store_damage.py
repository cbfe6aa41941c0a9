"""Files that are torn, damaged, foreign, newer, read-only; disks that are full; processes that are killed."""

import contextlib
import errno
import json
import os
import random
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from gmtool.kernel.refusal import Refused
from gmtool.store import doctor, files
from gmtool.store.campaign import Campaign, open_campaign
from gmtool.store.lock import Lock
from tests.unit.store.conftest import figure, plain, step, summed

Go = Callable[[int], None]
ROOT = Path(__file__).resolve().parents[3]
RAISE = """
import sys
from pathlib import Path
from gmtool.store.campaign import open_campaign
from tests.unit.store.conftest import figure, step
for _ in range(int(sys.argv[2])):
    campaign = open_campaign(Path(sys.argv[1]), write=True)
    with campaign.writing():
        campaign.append([step(figure(campaign))])
        print(figure(campaign), flush=True)
        campaign.save_snapshot()
"""
HOLD = """
import sys, time
from pathlib import Path
from gmtool.store.lock import Lock
lock = Lock(Path(sys.argv[1]))
lock.acquire()
print("held", flush=True)
time.sleep(60)
"""


def journal_of(campaign: Campaign) -> Path:
    return campaign.path / "journal.jsonl"


def contents(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def start(campaign: Campaign, times: int) -> "subprocess.Popen[str]":
    command = [sys.executable, "-c", RAISE, str(campaign.path), str(times)]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    return subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True)


def test_a_torn_last_line_is_cut_off_kept_and_told_wherever_it_is_torn(campaign: Campaign, go: Go) -> None:
    go(2)
    whole = journal_of(campaign).read_bytes()
    last = whole[:-1].rfind(b"\n") + 1
    for end in range(last + 1, len(whole)):
        journal_of(campaign).write_bytes(whole[:end])
        torn = open_campaign(campaign.path, write=True)
        assert (figure(torn), torn.notices) == (1, [{"code": "snapshot-missing"}])
        assert journal_of(campaign).read_bytes() == whole[:end]
        with torn.writing():
            torn.append([step(1)])
        notice = torn.notices[-1]
        assert (notice["code"], notice["bytes"]) == ("torn-tail", end - last)
        assert (campaign.path / notice["file"]).read_bytes() == whole[last:end]
        assert figure(open_campaign(campaign.path, write=False)) == 2
        assert [found["code"] for found in doctor.check(campaign.path)] == ["snapshot-missing"]


def test_half_of_an_undo_of_several_steps_counts_as_none(campaign: Campaign, go: Go) -> None:
    go(3)
    before = len(journal_of(campaign).read_bytes())
    with campaign.writing():
        campaign.undo(3)
    whole = journal_of(campaign).read_bytes()
    for end in range(before, len(whole), 40):
        journal_of(campaign).write_bytes(whole[:end])
        assert figure(open_campaign(campaign.path, write=False)) == 3
    assert [found["code"] for found in doctor.check(campaign.path)] == ["torn-tail", "snapshot-missing"]
    again = open_campaign(campaign.path, write=True)
    with again.writing():
        again.undo(1)
    assert figure(open_campaign(campaign.path, write=False)) == 2


@pytest.mark.parametrize("failing", ["write", "part", "fsync"])
def test_a_full_disk_changes_nothing_on_disk_or_in_memory(
    campaign: Campaign, go: Go, monkeypatch: pytest.MonkeyPatch, failing: str
) -> None:
    go(2)
    before = journal_of(campaign).read_bytes()
    real, calls = os.write, list[int]()

    def no_space(*_: Any) -> int:
        raise OSError(errno.ENOSPC, "No space left on device")

    def part(handle: int, data: Any) -> int:
        calls.append(handle)
        return real(handle, data[:10]) if len(calls) == 1 else no_space()

    with campaign.writing():
        name, fake = {"write": ("write", no_space), "part": ("write", part), "fsync": ("fsync", no_space)}[failing]
        monkeypatch.setattr(os, name, fake)
        with pytest.raises(Refused) as caught:
            campaign.append([step(2)])
        assert not campaign.save_snapshot()
        monkeypatch.undo()
        assert (caught.value.code, caught.value.exit, caught.value.facts["problem"]) == ("disk", 4, "full")
        assert journal_of(campaign).read_bytes() == before
        assert figure(campaign) == 2
        campaign.append([step(2)])
    assert figure(open_campaign(campaign.path, write=False)) == 3
    assert not list(campaign.path.glob("*.tmp"))


def test_a_scanner_that_holds_the_snapshot_for_a_moment_is_waited_for(
    campaign: Campaign, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Access denied, then a sharing violation, then it works; if it never does, the old file stays as it was."""
    real, answers = os.replace, [5, 32]

    def held(source: Any, target: Any) -> None:
        if answers:
            error = PermissionError(errno.EACCES, "held")
            error.winerror = answers.pop(0)  # type: ignore[attr-defined]
            raise error
        real(source, target)

    monkeypatch.setattr(os, "replace", held)
    monkeypatch.setattr(files, "RETRY_SECONDS", 0.1)
    assert campaign.save_snapshot()
    before = (campaign.path / "campaign.json").read_bytes()
    answers.extend([5] * 1000)
    with campaign.writing():
        campaign.append([step(0)])
        assert not campaign.save_snapshot()
    assert (campaign.path / "campaign.json").read_bytes() == before
    assert not list(campaign.path.glob("*.tmp"))
    assert figure(open_campaign(campaign.path, write=False)) == 1


def test_file_and_folder_are_flushed_before_anything_is_reported(
    campaign: Campaign, monkeypatch: pytest.MonkeyPatch
) -> None:
    flushed = list[bool]()
    real = os.fsync

    def noted(handle: int) -> None:
        flushed.append(os.path.isdir(f"/proc/self/fd/{handle}"))
        real(handle)

    monkeypatch.setattr(os, "fsync", noted)
    with campaign.writing():
        campaign.append([step(0), step(1)])
        assert flushed == [False]
        campaign.save_snapshot()
    assert flushed == [False, False, True]


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        (b"", "empty"),
        (b"\xef\xbb\xbf", "empty"),
        (b'{"format":1,"seq":1,', "empty"),
        (b"null\n", "shape"),
        (b"[1,2]\n", "shape"),
        (b'"x"\n', "shape"),
        (b"{}\n", "shape"),
        (b'{"units": 3}\n', "shape"),
        (b"PK\x03\x04\n", "json"),
        (b"\x00" * 30 + b"\n", "json"),
    ],
)
def test_a_journal_that_is_none_is_refused_and_left_alone(tmp_path: Path, content: bytes, problem: str) -> None:
    (tmp_path / "journal.jsonl").write_bytes(content)
    for write in (False, True):
        with pytest.raises(Refused) as caught:
            open_campaign(tmp_path, write=write)
        assert (caught.value.code, caught.value.exit) == ("unreadable", 4)
        assert (caught.value.facts["problem"], caught.value.facts["at"]) == (problem, 1)
    assert contents(tmp_path) == {"journal.jsonl": content}


def test_a_missing_campaign_is_not_created(tmp_path: Path) -> None:
    with pytest.raises(Refused) as caught:
        open_campaign(tmp_path / "x", write=True)
    assert (caught.value.code, caught.value.exit) == ("no-campaign", 4)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("left", ["campaign.json", "rules"])
def test_a_campaign_without_its_journal_is_unreadable_not_gone(campaign: Campaign, left: str) -> None:
    campaign.save_snapshot()
    (campaign.path / "rules").mkdir()
    journal_of(campaign).unlink()
    if left == "rules":
        (campaign.path / "campaign.json").unlink()
    with pytest.raises(Refused) as caught:
        open_campaign(campaign.path, write=True)
    assert (caught.value.code, caught.value.exit, caught.value.facts["problem"]) == ("unreadable", 4, "no-journal")
    assert doctor.check(campaign.path) == [{"code": "no-journal", "file": "journal.jsonl", "at": 0, "detail": ""}]
    assert not journal_of(campaign).exists()


def test_changed_line_ends_are_told_once_and_refused(campaign: Campaign, go: Go) -> None:
    """What git's autocrlf does: every newline becomes two bytes. Turned back, all is as it was."""
    go(5)
    whole = journal_of(campaign).read_bytes()
    changed = whole.replace(b"\n", b"\r\n")
    journal_of(campaign).write_bytes(changed)
    with pytest.raises(Refused) as caught:
        open_campaign(campaign.path, write=True)
    assert (caught.value.code, caught.value.facts["problem"]) == ("unreadable", "crlf")
    assert [found["code"] for found in doctor.check(campaign.path)] == ["crlf"]
    assert journal_of(campaign).read_bytes() == changed
    journal_of(campaign).write_bytes(changed.replace(b"\r\n", b"\n"))
    assert figure(open_campaign(campaign.path, write=False)) == 5


def test_one_changed_line_end_is_named_where_it_is(campaign: Campaign, go: Go) -> None:
    go(3)
    lines = journal_of(campaign).read_bytes().splitlines()
    journal_of(campaign).write_bytes(b"\n".join(lines[:2]) + b"\n" + lines[2] + b"\r\n" + lines[3] + b"\n")
    with pytest.raises(Refused) as caught:
        open_campaign(campaign.path, write=False)
    assert (caught.value.facts["problem"], caught.value.facts["at"]) == ("crlf", 3)
    assert {"code": "crlf", "at": 3}.items() <= doctor.check(campaign.path)[0].items()


@pytest.mark.parametrize("file", ["journal.jsonl", "campaign.json"])
def test_a_newer_format_is_refused_with_both_numbers(campaign: Campaign, go: Go, file: str) -> None:
    go(1)
    campaign.save_snapshot()
    path = campaign.path / file
    path.write_bytes(path.read_bytes().replace(b'"format":2', b'"format":99'))
    if file == "journal.jsonl":
        (campaign.path / "campaign.json").unlink()
    before = contents(campaign.path)
    with pytest.raises(Refused) as caught:
        open_campaign(campaign.path, write=True)
    assert caught.value.code == "newer"
    assert caught.value.facts == {"file": str(path), "format": 99, "known": 2}
    assert contents(campaign.path) == before


def test_a_byte_order_mark_in_front_makes_no_difference(campaign: Campaign, go: Go) -> None:
    """Pointers and the snapshot count without it; in the middle of the file it is refused."""
    go(3)
    campaign.save_snapshot()
    for file in ("journal.jsonl", "campaign.json"):
        (campaign.path / file).write_bytes(b"\xef\xbb\xbf" + (campaign.path / file).read_bytes())
    again = open_campaign(campaign.path, write=True)
    assert (again.notices, plain(again)) == ([], plain(campaign))
    with again.writing():
        again.undo(2)
    assert figure(open_campaign(campaign.path, write=False)) == 1
    assert again.find(4) == campaign.find(4)
    assert doctor.check(campaign.path) == []


@pytest.mark.parametrize(
    ("old", "new", "problem", "at"),
    [
        (b'"after":1', b'"after":7', "chain", 3),
        (b'"seq":3', b'"seq":4', "sequence", 3),
        (b'"seq":3', b'"seq": ', "json", 3),
        (b'"before":1', b'"before":5', "differs", 3),
        (b'"before":1', b'"before":NaN', "number", 3),
        (b'{"format":2,"seq":3', b'\xef\xbb\xbf{"format":2,"seq":3', "bom", 3),
    ],
)
def test_a_damaged_line_is_named(campaign: Campaign, go: Go, old: bytes, new: bytes, problem: str, at: int) -> None:
    """Line 2 raises 0 to 1, line 3 raises 1 to 2."""
    go(2)
    raw = journal_of(campaign).read_bytes()
    journal_of(campaign).write_bytes(summed(raw.replace(old, new)))
    with pytest.raises(Refused) as caught:
        open_campaign(campaign.path, write=False)
    assert (caught.value.facts["problem"], caught.value.facts["at"]) == (problem, at)
    assert {"code": problem, "at": at}.items() <= doctor.check(campaign.path)[0].items()


@pytest.mark.parametrize(
    ("content", "code"),
    [
        (None, "snapshot-missing"),
        (b"", "snapshot-damaged"),
        (b"null", "snapshot-damaged"),
        (b"[]", "snapshot-damaged"),
        (b'{"units": 3}', "snapshot-damaged"),
        (b'{"units": {"1": {"id": "a"}}}', "snapshot-damaged"),
        (b'{"journal": {"1": {"format": 1}}}', "snapshot-damaged"),
        (b'{"journal": {"1": {"format": 1, "seq": NaN}}}', "snapshot-damaged"),
    ],
)
def test_without_a_good_snapshot_the_journal_is_read(
    campaign: Campaign, go: Go, content: bytes | None, code: str
) -> None:
    """A damaged one is kept in backups when the next is written."""
    go(3)
    file = campaign.path / "campaign.json"
    if content is not None:
        file.write_bytes(content)
    again = open_campaign(campaign.path, write=True)
    assert [notice["code"] for notice in again.notices] == [code]
    assert plain(again) == plain(campaign)
    assert again.save_snapshot()
    assert open_campaign(campaign.path, write=False).notices == []
    kept = [path.read_bytes() for path in campaign.path.glob("backups/spoilt-*")]
    assert kept == ([] if content is None else [content])


def test_a_snapshot_changed_by_hand_is_noticed(campaign: Campaign, go: Go) -> None:
    go(1)
    campaign.save_snapshot()
    file = campaign.path / "campaign.json"
    file.write_bytes(file.read_bytes().replace(b'"n":1', b'"n":9'))
    again = open_campaign(campaign.path, write=False)
    assert (figure(again), again.notices[0]["code"]) == (1, "snapshot-edited")
    assert [found["code"] for found in doctor.check(campaign.path)] == ["snapshot-edited"]


def test_a_snapshot_ahead_of_a_journal_cut_short_is_kept(campaign: Campaign, go: Go) -> None:
    """Six lines and a snapshot at the sixth; the journal ends in the middle of its fourth."""
    go(5)
    campaign.save_snapshot()
    good = (campaign.path / "campaign.json").read_bytes()
    lines = journal_of(campaign).read_bytes().splitlines(keepends=True)
    journal_of(campaign).write_bytes(b"".join(lines[:3]) + lines[3][:50])
    again = open_campaign(campaign.path, write=True)
    ahead = {"code": "snapshot-ahead", "snapshot": 6, "journal": 3, "file": "backups/spoilt-1.json"}
    assert (figure(again), again.notices) == (2, [ahead])
    assert [found["code"] for found in doctor.check(campaign.path)] == ["torn-tail", "snapshot-ahead"]
    with again.writing():
        again.append([step(2, "another way")])
    assert doctor.check(campaign.path) == [
        {"code": "snapshot-ahead", "file": "campaign.json", "at": 6, "detail": "4"},
        {"code": "copy-differs", "file": "backups/journal.jsonl", "at": 0, "detail": ""},
    ]
    assert again.save_snapshot()
    assert [(notice["code"], notice["file"]) for notice in again.notices[-2:]] == [
        ("snapshot-kept", "backups/spoilt-1.json"), ("copy-kept", "backups/aside-1"),
    ]  # fmt: skip
    assert (campaign.path / "backups" / "spoilt-1.json").read_bytes() == good
    assert doctor.check(campaign.path) == []


def test_a_snapshot_of_another_journal_is_not_used_but_kept(campaign: Campaign, go: Go) -> None:
    """The journal was put back from a copy, the snapshot was not, and a line that is not its own was added."""
    go(1)
    short = journal_of(campaign).read_bytes()
    go(1)
    campaign.save_snapshot()
    journal_of(campaign).write_bytes(short)
    again = open_campaign(campaign.path, write=True)
    with again.writing():
        again.append([step(1, "another line of another length")])
    third = open_campaign(campaign.path, write=True)
    assert (figure(third), third.notices) == (2, [{"code": "snapshot-foreign"}])
    assert [found["code"] for found in doctor.check(campaign.path)] == ["snapshot-foreign", "copy-differs"]
    assert third.save_snapshot()
    assert (campaign.path / "backups" / "spoilt-1.json").is_file()


def test_a_journal_put_back_under_an_open_campaign_is_read_anew(campaign: Campaign, go: Go) -> None:
    go(1)
    short = journal_of(campaign).read_bytes()
    go(2)
    journal_of(campaign).write_bytes(short)
    with campaign.writing():
        assert figure(campaign) == 1
        campaign.append([step(1)])
    assert "journal-replaced" in [notice["code"] for notice in campaign.notices]
    assert figure(open_campaign(campaign.path, write=False)) == 2


def test_opening_reads_only_the_tail(campaign: Campaign, go: Go, monkeypatch: pytest.MonkeyPatch) -> None:
    go(30)
    campaign.save_snapshot()
    go(2)
    from gmtool.kernel import journal

    decoded = list[int]()
    real = journal.decode

    def counted(raw: bytes) -> Any:
        decoded.append(len(raw))
        return real(raw)

    monkeypatch.setattr(journal, "decode", counted)
    assert figure(open_campaign(campaign.path, write=False)) == 32
    assert len(decoded) == 2


def test_a_read_only_campaign_can_be_looked_at(campaign: Campaign, go: Go, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever runs the tests may be allowed everything, so the system's answer is put in its mouth."""
    go(1)
    monkeypatch.setattr(os, "access", lambda *_: False)
    before = contents(campaign.path)
    assert figure(open_campaign(campaign.path, write=False)) == 1
    with pytest.raises(Refused) as caught:
        open_campaign(campaign.path, write=True)
    assert caught.value.facts == {"problem": "read-only", "file": str(campaign.path / "journal.jsonl")}
    assert contents(campaign.path) == before


def test_the_holder_of_the_lock_is_named_and_leaves_it_when_killed(campaign: Campaign) -> None:
    command = [sys.executable, "-c", HOLD, str(campaign.path)]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    with subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True) as holder:
        assert holder.stdout
        assert holder.stdout.readline() == "held\n"
        with pytest.raises(Refused) as caught, campaign.writing(0.2):
            pass
        assert (caught.value.code, caught.value.exit, caught.value.facts["pid"]) == ("locked", 4, holder.pid)
        assert set(caught.value.facts) == {"pid", "host", "since", "seconds"}
        holder.kill()
        holder.wait()
        with campaign.writing(1):
            campaign.append([step(0)])


def test_a_lock_file_deleted_meanwhile_does_not_let_two_in(campaign: Campaign) -> None:
    first, second = Lock(campaign.path), Lock(campaign.path)
    first.acquire()
    with pytest.raises(Refused, match="locked"):
        second.acquire(0)
    first.release()
    (campaign.path / ".lock").unlink()
    second.acquire(0)
    second.release()


def test_two_processes_write_without_losing_a_line(campaign: Campaign) -> None:
    with contextlib.ExitStack() as both:
        for process in [both.enter_context(start(campaign, 50)) for _ in range(2)]:
            process.communicate(timeout=60)
            assert process.returncode == 0
    assert campaign.refresh() == 100
    assert figure(campaign) == 100
    assert doctor.check(campaign.path) == []


def test_a_process_killed_at_any_moment_loses_nothing_it_reported(campaign: Campaign) -> None:
    chance = random.Random(7)
    for _ in range(20):
        with start(campaign, 1000) as process:
            assert process.stdout
            said = process.stdout.readline()
            time.sleep(chance.random() * 0.02)
            process.kill()
            said += process.stdout.read()
        reported = int(said.split()[-1]) if said.endswith("\n") else int(said.split()[-2])
        again = open_campaign(campaign.path, write=True)
        assert figure(again) in (reported, reported + 1)
        assert not {found["code"] for found in doctor.check(campaign.path)} - {"torn-tail", "snapshot-missing"}
    with again.writing():
        again.append([step(figure(again))])
        assert again.save_snapshot()
    assert [path.name for path in campaign.path.iterdir() if path.suffix == ".tmp"] == []


def test_a_folder_for_a_new_campaign_that_cannot_be_made_leaves_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from gmtool.store.campaign import create

    def no_space(*_: Any) -> int:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "write", no_space)
    with pytest.raises(Refused) as caught:
        create(tmp_path, "Test", "none", [])
    assert caught.value.facts["problem"] == "full"
    assert list(tmp_path.iterdir()) == []


def test_the_doctor_finds_a_state_and_pointers_that_do_not_follow(campaign: Campaign, go: Go) -> None:
    """Line 3 is the last one, so its hash is named nowhere: only the pointers and the snapshot can tell."""
    go(2)
    campaign.save_snapshot()
    lines = [json.loads(line) for line in journal_of(campaign).read_bytes().splitlines()]
    lines[2]["undo"] = [2, 0]
    text = "".join(json.dumps(line, ensure_ascii=False, separators=(",", ":")) + "\n" for line in lines)
    journal_of(campaign).write_bytes(summed(text.encode()))
    assert [found["code"] for found in doctor.check(campaign.path)] == ["pointers", "snapshot-foreign"]
