"""More than one generation of what was saved, and the way back to it."""

import json
import shutil
from pathlib import Path

import pytest

from tests.field.table import Table, folder_bytes

FIVE = ["damage alpha 10", "damage beta 20", "note between", "heal alpha 5", "damage beta 5", "fuel alpha 30"]


@pytest.fixture
def played(fight: Table) -> Table:
    """A session with five commands that changed something, and a note."""
    fight.do("session", "start")
    fight.lines(*FIVE)
    return fight


def listed(table: Table) -> list[dict[str, object]]:
    return list(table.do("backup", "list")["result"]["backups"])


def test_p_h7_five_commands_give_more_than_three_generations(played: Table) -> None:
    """Each with its session, the moment of play and the line; the latest first."""
    found = listed(played)
    assert [entry["n"] for entry in found] == list(range(1, len(found) + 1))
    assert [entry["line"] for entry in found[:3]] == ["fuel alpha 30", "damage beta 5", "heal alpha 5"]
    assert {entry["session"] for entry in found[:5]} == {1}
    assert "session 1  turn 1, first phase  fuel alpha 30" in played.show("backup", "list")


@pytest.mark.parametrize("harm", ["empty", "garbage", "null", "half", "gone"])
def test_p_h7_a_damaged_file_is_put_back_by_one_command_and_kept(played: Table, harm: str) -> None:
    before = played.do("status")["result"]
    folder = played.home / "test"
    whole = (folder / "journal.jsonl").read_bytes()
    harmed = {"empty": b"", "garbage": b"\xff\x00" * 99, "null": b"null\n", "half": whole[: len(whole) // 2]}.get(harm)
    for name in ("journal.jsonl", "campaign.json"):
        (folder / name).unlink()
        if harmed is not None:
            (folder / name).write_bytes(harmed)
    done = played.do("backup", "restore", "1")
    assert played.do("status")["result"] == before
    if harmed is not None:
        assert (folder / done["result"]["kept"] / "journal.jsonl").read_bytes() == harmed
    assert played.gm("doctor").code == 0
    played.do("undo")
    assert played.unit("alpha")["fuel"] == 40


def test_p_h7_each_generation_gives_exactly_its_state(played: Table) -> None:
    """The same lines up to there, played alone, are what it must be."""
    found = {entry["line"]: entry["n"] for entry in listed(played)}
    played.do("backup", "restore", str(found["heal alpha 5"]))
    assert (played.unit("alpha")["fuel"], played.unit("alpha")["hp"]["lead"]) == (40, 100)
    alpha = played.unit("alpha")["hp"]
    played.do("undo")  # the healing: of 10 points lost 5 came back
    assert sum(alpha.values()) - sum(played.unit("alpha")["hp"].values()) == 5


def test_p_h7_a_restore_loses_nothing_of_what_came_after(played: Table) -> None:
    """It can be taken back by another one, and play can go on in between."""
    before = played.do("status")["result"]
    played.do("backup", "restore", "--to", str(played.do("history")["result"]["lines"][-3]["seq"]))
    assert played.do("status")["result"] != before
    played.do("damage", "beta", "1")
    again = next(entry for entry in listed(played) if entry["kind"] == "replaced")
    assert again["name"] == "replaced-1"
    played.do("backup", "restore", "replaced-1")
    assert played.do("status")["result"] == before


def test_p_h7_however_often_it_is_put_back_no_line_is_gone(played: Table) -> None:
    """A note between each two restores; every one of them is still on the disk, and can be gone back to by name."""
    for number in range(1, 15):
        played.do("backup", "restore", "#12")
        played.do("note", f"unique-{number}")
    kept = "".join(path.read_text("utf-8") for path in (played.home / "test").rglob("journal.jsonl"))
    assert [n for n in range(1, 15) if f'note unique-{n}"' not in kept] == []
    played.do("backup", "restore", "replaced-2")
    assert played.do("history", "1")["result"]["lines"][0]["line"] == "backup restore replaced-2"
    assert "unique-1" in played.show("history")


def test_p_h7_a_question_that_waits_is_settled_first(played: Table) -> None:
    played.gm("attack", "alpha", "vulcan", "beta", "--dice", "50")
    error = played.refused("backup", "restore", "2", code=1)
    assert error["code"] == "ruling-open"


def test_p_h7_a_state_that_no_line_leads_to_is_not_given_up_unasked(played: Table) -> None:
    """No second copy, and a line in the middle is gone: campaign.json has what the lines no longer give."""
    folder = played.home / "test"
    shutil.rmtree(folder / "backups")
    lines = (folder / "journal.jsonl").read_bytes().splitlines(keepends=True)
    (folder / "journal.jsonl").write_bytes(b"".join([*lines[:-2], b"{}\n", lines[-1]]))
    error = played.refused("backup", "restore", "1", says="doctor --save", code=2)
    assert error["code"] == "needs-yes"
    played.do("backup", "restore", "1", "--yes")


def test_p_h7_what_is_damaged_is_not_sent_away(played: Table, tmp_path: Path) -> None:
    """A zip has no second copy: what could be mended here could not be there."""
    file = played.home / "test" / "journal.jsonl"
    whole = file.read_bytes()
    file.write_bytes(whole.replace(b"note between", b"note Between"))
    played.refused("campaign", "export", str(tmp_path / "out.zip"), code=4)
    assert not (tmp_path / "out.zip").exists()


def test_p_h3_a_chosen_campaign_that_is_gone_is_missed(played: Table) -> None:
    """Lines never go to another one without a word, though it is the only one left."""
    played.do("campaign", "new", "Other", "--system", "rtype")
    played.do("campaign", "use", "test")
    shutil.rmtree(played.home / "test")
    for words in (["status"], ["note", "oops"], ["backup", "list"]):
        played.refused(*words, says="test", code=4)
    played.do("campaign", "use", "other")
    played.do("note", "here")
    played.do("campaign", "new", "Third", "--system", "rtype")
    played.do("campaign", "remove", "third", "--yes")
    assert played.do("status")["result"]["campaign"] == "Other"


def test_p_h7_what_is_no_backup_is_refused_and_changes_nothing(played: Table) -> None:
    played.refused("backup", "restore", "99", says="99", code=2)
    played.refused("backup", "restore", "--to", "999", says="999", code=2)
    played.refused("backup", "restore", says="backup list", code=2)
    played.refused("backup", "restore", "1", "--to", "3", says="backup list", code=2)


def test_p_h7_with_the_copies_damaged_too_the_campaign_is_left_alone(played: Table) -> None:
    folder = played.home / "test"
    for file in (folder / "journal.jsonl", folder / "backups" / "journal.jsonl"):
        file.write_bytes(b"\0" * 64)
    played.refused("backup", "list", code=4)
    played.refused("backup", "restore", "1", code=4)


def test_p_h7_a_damaged_copy_gives_what_the_journal_has(played: Table) -> None:
    before = played.do("status")["result"]
    (played.home / "test" / "backups" / "journal.jsonl").write_bytes(b"\0" * 64)
    played.do("backup", "restore", "1")
    assert played.do("status")["result"] == before


def test_p_h1_the_doctor_saves_what_it_can_beside_and_never_over(played: Table) -> None:
    folder = played.home / "test"
    shutil.rmtree(folder / "backups")
    lines = (folder / "journal.jsonl").read_bytes().splitlines(keepends=True)
    (folder / "journal.jsonl").write_bytes(b"".join([*lines[:-2], b"{}\n", lines[-1]]))
    before = folder_bytes(played.home)
    ran = played.gm("doctor", "--json")
    (told,) = ran.objects
    assert (ran.code, told["result"]["saved"]) == (4, {"lines": len(lines) - 2, "state": len(lines)})
    assert folder_bytes(played.home) == before
    made = played.do("doctor", "--save")["result"]
    assert {name: data for name, data in folder_bytes(played.home).items() if not name.startswith("test-2/")} == before
    played.do("campaign", "use", made["campaign"])
    state = played.state
    kept = json.loads((folder / "campaign.json").read_text())
    assert state["units"].keys() == {row["id"] for row in kept["units"].values()}
    assert (state["units"]["alpha"]["fuel"], state["campaign"]) == (30, "Test (2)")
    played.do("damage", "beta", "1")


@pytest.mark.parametrize("lang", ["en", "ja", "ko"])
def test_p_h7_every_sentence_is_there_in_every_language(played: Table, lang: str) -> None:
    played.do("session", "end")
    for words in (["backup", "list"], ["backup", "restore", "2"], ["backup", "list"]):
        assert "<" not in played.show(*words, "--lang", lang)
    played.refused("doctor", "--save", "--lang", lang, code=1)
    journal = played.home / "test" / "journal.jsonl"
    journal.write_bytes(journal.read_bytes()[:-300])
    assert "<" not in played.show("doctor", "--save", "--lang", lang)
