"""A campaign's folder that changes from outside while it is open: copied over, renamed, taken away, littered."""

import functools
import os
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import pytest

from gmtool.kernel.refusal import Refused
from gmtool.store import doctor
from gmtool.store.campaign import open_campaign
from tests.trust.hands import copied, gm, made, stand
from tests.trust.rooms import shell

NOTE = {"kind": "mark", "line": "note late", "command": {"verb": "note", "args": {}}, "changes": []}


@pytest.fixture
def home(tmp_path: Path) -> Path:
    return made(tmp_path)


def put(home: Path, data: bytes) -> None:
    """As a synchronising program does: written beside, then moved in."""
    (home / "test" / "journal.download").write_bytes(data)
    os.replace(home / "test" / "journal.download", home / "test" / "journal.jsonl")


def written_over(home: Path, data: bytes) -> None:
    """As a copy does: into the file that is there."""
    (home / "test" / "journal.jsonl").write_bytes(data)


def journal(home: Path) -> bytes:
    return (home / "test" / "journal.jsonl").read_bytes()


def warned(told: dict[str, Any]) -> set[str]:
    return {each["code"] for each in told.get("warnings", [])}


ways = pytest.mark.parametrize("way", [put, written_over])


def grown(home: Path, folder: Path, *lines: str) -> bytes:
    """The journal of a copy that was played on elsewhere."""
    other = copied(home, folder / "elsewhere" / "home")
    for line in lines:
        assert gm(other, *line.split()).code == 0
    return journal(other)


@ways
def test_an_older_copy_put_in_place_is_read_anew_and_told(home: Path, way: Callable[..., None]) -> None:
    older = journal(home)
    assert gm(home, "set", "units.arrow.fuel", "9").code == 0
    put_back = functools.partial(way, home, older)
    told = shell(home, "set units.arrow.fuel 8", put_back, "status", "set units.arrow.fuel 5")
    assert [each["ok"] for each in told] == [True, True, True]
    assert told[1]["result"]["units"]["arrow"]["fuel"] == 40
    assert "journal-replaced" in warned(told[1])
    assert journal(home).startswith(older)
    assert stand(home / "test").seq == older.count(b"\n") + 1
    assert doctor.check(home / "test") == []


@ways
def test_a_longer_copy_of_the_same_campaign_is_gone_on_with(
    home: Path, tmp_path: Path, way: Callable[..., None]
) -> None:
    longer = grown(home, tmp_path, "set units.arrow.fuel 9", "note elsewhere")
    told = shell(home, "status", functools.partial(way, home, longer), "status", "note here")
    assert [each["ok"] for each in told] == [True, True, True]
    assert told[1]["result"]["units"]["arrow"]["fuel"] == 9
    assert journal(home).startswith(longer)
    assert stand(home / "test").seq == longer.count(b"\n") + 1
    assert doctor.check(home / "test") == []


@ways
def test_another_copy_of_the_same_length_is_noticed(home: Path, tmp_path: Path, way: Callable[..., None]) -> None:
    """Both were played on by one line as long as the other's; nothing of the one that is there now is lost."""
    other = grown(home, tmp_path, "set units.arrow.fuel 7")
    assert gm(home, "set", "units.arrow.fuel", "9").code == 0
    assert len(journal(home)) == len(other)
    told = shell(home, "note before", functools.partial(way, home, other), "status", "note after")
    assert told[1]["result"]["units"]["arrow"]["fuel"] == 7
    assert journal(home).startswith(other)
    assert stand(home / "test").seq == other.count(b"\n") + 1
    assert doctor.check(home / "test") == []


@ways
def test_the_journal_of_another_campaign_is_read_anew_and_told(
    home: Path, tmp_path: Path, way: Callable[..., None]
) -> None:
    other = made(tmp_path / "other", ("campaign new Second --system rtype", "side add Bydo"))
    theirs = (other / "second" / "journal.jsonl").read_bytes()
    told = shell(home, "note before", functools.partial(way, home, theirs), "status", "note after")
    assert [each["ok"] for each in told] == [True, True, True]
    assert "journal-replaced" in warned(told[1])
    assert set(told[1]["result"]["sides"]) == {"bydo"}
    assert journal(home).startswith(theirs)
    assert doctor.check(home / "test") == []


@pytest.mark.parametrize("kind", ["longer", "as long", "older"])
def test_a_journal_replaced_while_a_line_is_judged_is_not_written_upon(home: Path, tmp_path: Path, kind: str) -> None:
    """The lock is held, the journal has been read; then another one lies there."""
    fuel = {"longer": ["set units.arrow.fuel 9"] * 3, "as long": ["set units.arrow.fuel 9"], "older": []}[kind]
    other = grown(home, tmp_path, *(f"{line[:-1]}{n}" for n, line in enumerate(fuel, 3)))
    assert gm(home, "set", "units.arrow.fuel", "9").code == 0
    campaign = open_campaign(home / "test", write=True)
    with campaign.writing():
        put(home, other)
        with pytest.raises(Refused) as caught:
            campaign.append([NOTE])
    assert caught.value.exit == 4
    assert journal(home) == other


LITTER = ("journal (conflicted copy).jsonl", "campaign (1).json", ".lock (conflict)", "campaign.json.tmp",
          "open.json.tmp", "journal.jsonl~", ".DS_Store", "backups (1)")  # fmt: skip


def test_what_a_synchronising_program_leaves_about_does_not_matter(home: Path, tmp_path: Path) -> None:
    before = stand(home / "test")
    for name in LITTER:
        (home / "test" / name).write_bytes(b"half of it")
    (home / "test (conflicted copy)").mkdir()
    assert stand(home / "test") == before
    assert doctor.check(home / "test") == []
    for line in ("note x", "attack arrow vulcan gains-1", "answer --drop", "campaign list", "doctor"):
        assert gm(home, *line.split()).code in (0, 1), line
    assert not (home / "test" / "campaign.json.tmp").exists()
    assert [each["slug"] for each in gm(home, "campaign", "list").told[0]["result"]["campaigns"]] == ["test"]
    assert gm(home, "campaign", "export", str(tmp_path / "x.zip")).code == 0
    with ZipFile(tmp_path / "x.zip") as archive:
        assert not {*LITTER} & {*archive.namelist()}


def test_a_folder_renamed_while_a_shell_is_open_is_missed_and_found_again(home: Path) -> None:
    there, away = home / "test", home / "elsewhere"
    told = shell(home, "note one", functools.partial(there.rename, away), "note two", "status", "undo",
                 functools.partial(away.rename, there), "note three")  # fmt: skip
    assert [each["ok"] for each in told] == [True, False, False, False, True]
    assert {each["error"]["code"] for each in told[1:4]} == {"no-campaign"}
    assert all(str(there) in each["error"]["message"] for each in told[1:4])
    assert [line.name for line in home.iterdir() if line.is_dir()] == ["test"]
    assert told[4]["seq"] == told[0]["seq"] + 1
    assert doctor.check(there) == []


def test_a_folder_removed_while_a_shell_is_open_is_not_made_again(home: Path) -> None:
    told = shell(home, "note one", functools.partial(shutil.rmtree, home / "test"), "note two", "undo", "status")
    assert [each["ok"] for each in told] == [True, False, False, False]
    assert {each["error"]["code"] for each in told[1:]} == {"no-campaign"}
    assert not (home / "test").exists()


def test_a_journal_that_is_gone_for_a_while_is_told_and_gone_on_with(home: Path) -> None:
    file, away = home / "test" / "journal.jsonl", home / "journal.away"
    told = shell(home, "note one", functools.partial(file.rename, away), "note two", "status",
                 functools.partial(away.rename, file), "note three")  # fmt: skip
    assert [each["ok"] for each in told] == [True, False, False, True]
    assert {each["error"]["code"] for each in told[1:3]} == {"unreadable"}
    assert doctor.check(home / "test") == []
