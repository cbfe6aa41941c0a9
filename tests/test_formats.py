"""Every format there ever was: its campaign opens, shows what it showed, goes on, and the original is kept."""

import json
import os
import shutil
import signal
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from gmtool.kernel import journal
from gmtool.store import backups, doctor
from gmtool.store.campaign import open_campaign
from tests.conftest import Ran

FORMATS = Path(__file__).resolve().parent / "formats"
NUMBERS = sorted(int(folder.name) for folder in FORMATS.iterdir() if folder.is_dir())
OLDER = [number for number in NUMBERS if number < journal.FORMAT]
Gm = Callable[..., Ran]

every_format = pytest.mark.parametrize("number", NUMBERS)
every_older = pytest.mark.parametrize("number", OLDER)


def contents(folder: Path) -> dict[str, bytes]:
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file() and path.name != ".lock"
    }


@pytest.fixture
def old(home: Path, number: int) -> Path:
    """The campaign kept in this format, alone in a home."""
    kept = shutil.ignore_patterns("status.json", ".lock", "backups")
    return Path(shutil.copytree(FORMATS / str(number), home / "old", ignore=kept))


def status(gm: Gm) -> dict[str, Any]:
    ran = gm("status", "--json", "--lang", "en")
    assert (ran.code, ran.err) == (0, "")
    return dict(ran.objects[0]["result"])


def test_every_format_up_to_this_one_is_kept() -> None:
    assert list(range(1, journal.FORMAT + 1)) == NUMBERS
    for number in NUMBERS:
        first = (FORMATS / str(number) / "journal.jsonl").read_bytes().splitlines()[0]
        assert json.loads(first)["format"] == number


@every_format
def test_p_j1_it_opens_as_it_was_and_looking_changes_nothing(old: Path, gm: Gm, number: int) -> None:
    """What was kept is the state as that program showed it; fields that came later have their defaults."""
    before = contents(old)
    kept = json.loads((FORMATS / str(number) / "status.json").read_text("utf-8"))
    shown = status(gm)
    assert {key: shown[key] for key in kept if key not in ("units", "pilots")} == {
        key: value for key, value in kept.items() if key not in ("units", "pilots")
    }
    for table in ("units", "pilots"):
        for id, row in kept[table].items():
            assert {key: shown[table][id][key] for key in row} == row
    for words in (["history", "--all"], ["why", "10"], ["doctor"], ["backup", "list"]):
        assert gm(*words).code == 0, words
    assert contents(old) == before


@every_format
def test_p_j1_all_of_it_can_be_taken_back_and_done_again(old: Path, gm: Gm, number: int) -> None:
    assert gm("answer", "--drop").code == 0
    before = status(gm)
    steps = 0
    while gm("undo").code == 0:
        steps += 1
    assert steps > 20
    assert not status(gm)["units"]
    for _ in range(steps):
        assert gm("redo").code == 0
    assert status(gm) == before
    assert gm("doctor").code == 0


@every_format
def test_p_j1_an_open_ruling_of_it_can_be_answered(old: Path, gm: Gm, number: int) -> None:
    """Two dice of four had been said."""
    assert status(gm)["open"]["line"].startswith("attack storm vulcan gains-2")
    assert gm("answer", "--dice", "98 97 / 99 99 / 5").code == 0
    assert status(gm)["open"] is None


@every_older
def test_p_j3_the_first_line_that_writes_keeps_the_original_once(old: Path, gm: Gm, number: int) -> None:
    before = {name: data for name, data in contents(old).items() if name in ("journal.jsonl", "campaign.json")}
    for text in ("one", "two"):
        assert gm("answer", "--drop").code in (0, 1)
        assert gm("note", text).code == 0
        kept = contents(old / "backups" / f"format-{number}")
        assert kept == before
    lines = (old / "journal.jsonl").read_bytes()
    assert lines.startswith(before["journal.jsonl"])  # what was there is never written again
    assert [json.loads(line)["format"] for line in lines.splitlines()[-2:]] == [journal.FORMAT] * 2


@every_older
def test_p_j3_a_kill_in_the_middle_leaves_the_original_or_all_of_the_new(old: Path, gm: Gm, number: int) -> None:
    """Killed at every call that writes: it opens each time, with or without the note, and the copy is whole."""
    if not hasattr(os, "fork"):
        pytest.skip("needs os.fork")
    gm("answer", "--drop")
    original = contents(old)
    whole = {name: original[name] for name in ("journal.jsonl", "campaign.json")}
    end = len(original["journal.jsonl"])
    seen = set[bool]()
    for call in range(60):
        shutil.rmtree(old)
        for name, data in original.items():
            (old / name).parent.mkdir(parents=True, exist_ok=True)
            (old / name).write_bytes(data)
        died = killed_at(call, lambda: gm("note", "here"))
        written = (old / "journal.jsonl").read_bytes()
        kept = old / "backups" / f"format-{number}"
        assert written[:end] == original["journal.jsonl"]
        assert not kept.exists() or contents(kept) == whole
        assert len(written) == end or kept.exists()
        seen.add(len(written) > end)
        assert gm("note", "there").code == 0
        assert contents(kept) == whole
        assert not doctor.check(old)
        if not died:
            break
    assert not died
    assert seen == {True, False}


def killed_at(call: int, run: Callable[[], object]) -> bool:
    """Run in a process of its own that is killed at its n-th call that writes; whether it came so far."""
    pid = os.fork()
    if pid:
        return os.WIFSIGNALED(os.waitpid(pid, 0)[1])
    left = [call]
    for name in ("write", "fsync", "rename", "replace", "mkdir", "link", "ftruncate"):
        setattr(os, name, dying(getattr(os, name), left))
    try:
        run()
    finally:
        os._exit(0)


def dying(real: Callable[..., Any], left: list[int]) -> Callable[..., Any]:
    def call(*args: Any, **kwargs: Any) -> Any:
        left[0] -= 1
        if left[0] < 0:
            os.kill(os.getpid(), signal.SIGKILL)
        return real(*args, **kwargs)

    return call


@every_older
def test_p_j3_where_the_original_cannot_be_kept_nothing_is_written(
    old: Path, gm: Gm, number: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    gm("answer", "--drop")
    before = contents(old)

    def full(*_: Any) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(backups, "write_new", full)
    ran = gm("note", "x", "--json")
    assert (ran.code, ran.objects[0]["error"]["code"]) == (4, "disk")
    assert {name: data for name, data in contents(old).items() if ".tmp/" not in name} == before
    monkeypatch.undo()
    assert open_campaign(old, write=True).head.format == number


def test_the_format_of_this_program_can_be_made_again(home: Path, gm: Gm) -> None:
    """A change of the files that is not in the format's golden campaign would be noticed here."""
    number = journal.FORMAT
    shutil.copytree(FORMATS / str(number), home / "old")
    assert gm("answer", "--drop").code == 0
    assert gm("note", "x").code == 0
    last = json.loads((home / "old" / "journal.jsonl").read_bytes().splitlines()[-1])
    assert (last["format"], next(iter(last)), list(last)[-1]) == (number, "format", "sum")


def test_p_j1_a_row_from_before_a_field_was_there_can_be_played_with(home: Path, gm: Gm) -> None:
    """The rows of the units lose two fields whose defaults they have, as if an older program had written them."""
    shutil.copytree(FORMATS / "1", home / "old", ignore=shutil.ignore_patterns("status.json", "open.json"))
    (home / "old" / "campaign.json").unlink()
    text = (home / "old" / "journal.jsonl").read_text("utf-8").partition('{"format":1,"seq":12,')[0]
    older = text.replace('"no_counter":false,', "").replace('"swap":"swap","stopped":false,', "")
    assert older != text
    lines, prev, ends = [], "", [0]
    for raw in older.splitlines():
        line = json.loads(raw)
        line["prev"] = prev
        for spot in ("undo", "redo", "under", "next"):
            if line.get(spot):
                line[spot][1] = ends[line[spot][0] - 1]
        lines.append(json.dumps(line, ensure_ascii=False, separators=(",", ":")).encode() + b"\n")
        prev = journal.line_hash(lines[-1])
        ends.append(ends[-1] + len(lines[-1]))
    (home / "old" / "journal.jsonl").write_bytes(b"".join(lines))
    assert gm("doctor").code == 0
    before = status(gm)["units"]["storm"]
    assert (before["no_counter"], before["stopped"]) == (False, False)
    for path, value in (("no_counter", "yes"), ("stopped", "yes"), ("stopped", "no"), ("swap", "fixed")):
        assert gm("set", f"units.storm.{path}", value).code == 0
    after = status(gm)["units"]["storm"]
    assert (after["no_counter"], after["stopped"], after["swap"]) == (True, False, "fixed")
    assert gm("undo", "4").code == 0
    assert status(gm)["units"]["storm"] == before
    assert gm("redo", "4").code == 0
    assert status(gm)["units"]["storm"] == after
    assert gm("doctor").code == 0
