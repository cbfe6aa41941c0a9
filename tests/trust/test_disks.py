"""Disks that are really full, can only be read, or are forbidden: nothing is lost, and afterwards work goes on."""

import functools
import os
from pathlib import Path
from typing import Any

import pytest

from gmtool.store import doctor
from tests.trust.hands import gm, linux, made, stand, strays
from tests.trust.rooms import Room, in_room, powerless, shell

resource = pytest.importorskip("resource")
pytestmark = linux
MANY = ("unit", "add", "gains", "--side", "Bydo", "--count", "20")
LOOKS = (["status"], ["history"], ["why"], ["campaign", "list"], ["doctor"], ["undo", "--preview"], ["config"])


@pytest.fixture
def home(tmp_path: Path) -> Path:
    return made(tmp_path)


def problem(told: dict[str, Any]) -> Any:
    """What was the matter with the disk; the line was refused and says what would help."""
    assert not told["ok"]
    assert told["error"]["code"] == "disk"
    assert told["error"]["hint"]
    return told["error"]["facts"]["problem"]


def everything(home: Path) -> dict[str, bytes]:
    return {str(path): path.read_bytes() for path in home.rglob("*") if path.is_file() and path.name != ".lock"}


def test_a_full_disk_refuses_the_line_and_works_again_with_room(home: Path) -> None:
    def body(room: Room, home: Path) -> None:
        room.fill()
        before = everything(home)
        ran = gm(home, *MANY)
        assert (ran.code, problem(ran.told[0])) == (4, "full")
        assert everything(home) == before
        assert not strays(home)
        assert gm(home, "status").code == 0
        room.free()
        assert gm(home, *MANY).code == 0
        assert doctor.check(home / "test") == []

    in_room(home, 1 << 19, body)


def test_small_lines_on_a_disk_that_fills_up_are_kept_or_refused_one_by_one(home: Path) -> None:
    def body(room: Room, home: Path) -> None:
        room.fill()
        first, codes = stand(home / "test").seq, []
        for number in range(12):
            ran = gm(home, "note", f"{number} " + "of the bridge " * 40)
            codes.append(ran.code)
            if ran.code == 0:  # there was room in the last block of the journal, and none for the snapshot
                assert [each["code"] for each in ran.told[0]["warnings"]] == ["snapshot-behind"]
            else:
                assert problem(ran.told[0]) == "full"
            assert stand(home / "test").seq == first + codes.count(0)
        assert codes[-1] == 4
        room.free()
        assert gm(home, "note", "room").code == 0
        assert doctor.check(home / "test") == []

    in_room(home, 1 << 19, body)


def test_a_shell_on_a_disk_that_is_full_for_a_while_goes_on(home: Path) -> None:
    def body(room: Room, home: Path) -> None:
        line = " ".join(MANY)
        told = shell(home, "set units.arrow.fuel 9", room.fill, line, "status", room.free, line, "undo", line)
        assert [each["ok"] for each in told] == [True, False, True, True, True, True]
        assert problem(told[1]) == "full"
        assert told[2]["result"]["units"]["arrow"]["fuel"] == 9
        assert doctor.check(home / "test") == []

    in_room(home, 1 << 20, body)


def test_a_file_that_may_not_grow_is_a_full_disk(home: Path) -> None:
    def body() -> None:
        before = everything(home)
        limit = (home / "test" / "journal.jsonl").stat().st_size + 300
        resource.setrlimit(resource.RLIMIT_FSIZE, (limit, resource.RLIM_INFINITY))
        ran = gm(home, *MANY)
        assert (ran.code, problem(ran.told[0])) == (4, "full")
        assert everything(home) == before
        resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
        assert gm(home, *MANY).code == 0
        assert doctor.check(home / "test") == []

    powerless(body)


def looked_at(home: Path) -> None:
    """Everything that only looks works and leaves no trace; what changes is refused with the path."""
    before = {path: path.stat().st_mtime_ns for path in home.rglob("*")}
    for words in LOOKS:
        ran = gm(home, *words)
        assert (ran.code, ran.err) == (0, ""), ran
    for words in (["note", "x"], list(MANY), ["undo"], ["session", "start"], ["attack", "arrow", "vulcan", "gains-1"],
                  ["config", "lang", "ja"], ["campaign", "rename", "test", "B"]):  # fmt: skip
        ran = gm(home, *words)
        assert ran.code == 4, ran
        assert problem(ran.told[0]) == "read-only"
        assert str(home / "test") in ran.told[0]["error"]["message"]
    for words in (["campaign", "new", "B", "--system", "rtype"], ["campaign", "remove", "test", "--yes"]):
        ran = gm(home, *words)
        assert (ran.code, ran.told[0]["error"]["code"]) == (4, "disk"), ran
    assert {path: path.stat().st_mtime_ns for path in home.rglob("*")} == before
    told = shell(home, "status", "note x", "status")
    assert [each["ok"] for each in told] == [True, False, True]


@pytest.mark.parametrize("behind", [False, True], ids=["up to date", "snapshot behind"])
def test_a_disk_that_can_only_be_read_can_be_looked_at(home: Path, behind: bool) -> None:
    def body(room: Room, home: Path) -> None:
        if behind:
            (home / "test" / "campaign.json").unlink()
        room.only_read()
        looked_at(home)
        room.only_read(False)
        assert gm(home, "note", "x").code == 0
        assert doctor.check(home / "test") == []

    in_room(home, 1 << 20, body)


def test_a_folder_that_can_only_be_read_can_be_looked_at(home: Path) -> None:
    def body() -> None:
        places = [home, *home.rglob("*")]
        for path in places:
            path.chmod(0o555 if path.is_dir() else 0o444)
        looked_at(home)
        for path in places:
            path.chmod(0o755 if path.is_dir() else 0o644)
        assert gm(home, "note", "x").code == 0

    powerless(body)


@pytest.mark.parametrize(("what", "mode"), [("test", 0), ("test", 0o555), ("test/journal.jsonl", 0), (".", 0),
                                            ("test/journal.jsonl", 0o444), ("test/campaign.json", 0)])  # fmt: skip
def test_rights_lost_while_a_shell_is_open_are_told_and_it_goes_on(home: Path, what: str, mode: int) -> None:
    """Of a snapshot that cannot be read an open shell knows nothing; of all others the line says what is wrong."""

    def body() -> None:
        path, known = home / what, what != "test/campaign.json"
        usual = path.stat().st_mode
        told = shell(home, "set units.arrow.fuel 9", functools.partial(os.chmod, path, mode), "set units.arrow.fuel 8",
                     functools.partial(os.chmod, path, usual), "set units.arrow.fuel 7")  # fmt: skip
        assert [each["ok"] for each in told] == [True, not known, True]
        if known:
            assert problem(told[1]) in ("permission", "read-only")
        assert '"fuel": 7' in stand(home / "test").state
        assert doctor.check(home / "test") == []

    powerless(body)


def test_a_snapshot_that_cannot_be_read_does_not_matter(home: Path) -> None:
    """Whatever the matter with it: here a folder stands in its place."""
    (home / "test" / "campaign.json").unlink()
    (home / "test" / "campaign.json").mkdir()
    assert gm(home, "status").code == 0
    assert gm(home, "note", "x").code == 0
