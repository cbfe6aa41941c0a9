"""A ruling whose answers are missing stays open: nothing has changed, others are refused, it can be gone on with."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import Ran

GM = Callable[..., Ran]
START = (
    "campaign new Test --system rtype",
    "side add Players --players",
    "side add Bydo",
    "pilot add Ren --body 20 --agility 30 --intelligence 15 --diplomacy 15 --life 50 --spirit 30",
    "unit add kestrel Arrow --side Players --pilot Ren",
    "unit add gains --side Bydo --count 2",
    "battle start",
    'initiative --dice "6 6 1 1"',
    "first players",
)


@pytest.fixture
def fight(gm: GM) -> GM:
    """A battle in which Arrow (vulcan 40 + agility 30 = 70) may attack Gains-1 (evade 20)."""
    ran = gm("run", "-", input="\n".join(START))
    assert ran.code == 0, ran.err
    return gm


def state(gm: GM) -> dict[str, Any]:
    result: dict[str, Any] = gm("status", "--json").objects[0]["result"]
    return result


def journal(home: Path) -> bytes:
    return (home / "test" / "journal.jsonl").read_bytes()


def test_a_line_without_faces_asks_for_all_of_its_first_pool_and_writes_nothing(fight: GM, home: Path) -> None:
    before = journal(home)
    ran = fight("attack", "arrow", "vulcan", "gains-1", "--json")
    (answer,) = ran.objects
    assert (ran.code, answer["ok"], answer["error"]["code"]) == (1, False, "needs-answer")
    assert [ask["key"] for ask in answer["asks"]] == [f"attack.{seat}" for seat in ("lead", "A", "B", "C", "D")]
    assert answer["asks"][0] == {
        "key": "attack.lead", "who": "arrow", "kind": "dice", "dice": [10, 10], "options": [], "rule": "RT-8.5",
        "target": 70,
    }  # fmt: skip
    assert journal(home) == before


def test_answers_given_one_after_the_other_are_one_line_and_one_step(fight: GM) -> None:
    fight("attack", "arrow", "vulcan", "gains-1")
    second = fight("answer", "--dice", "92 15", "--json")
    assert [ask["key"] for ask in second.objects[0]["asks"]] == ["attack.B", "attack.C", "attack.D"]
    third = fight("answer", "07 99 61", "--json")  # 29, 15, 07, 99 fails, 16: four successes
    evasions = [f"evade.gains-1.{seat}" for seat in ("lead", "A", "B", "D")]
    assert [ask["key"] for ask in third.objects[0]["asks"]] == evasions
    done = fight("answer", "33 60 88 55", "--json").objects[0]  # 33 hit, 06 evaded, 88 hit, 55 hit
    assert done["result"] == {"hits": 3, "damage": 90, "craft_lost": 0, "wrecked": False}
    assert state(fight)["units"]["gains-1"]["hp"]["A"] == 10
    assert fight("undo").code == 0
    assert state(fight)["units"]["gains-1"]["hp"]["A"] == 100
    assert state(fight)["open"] is None


def test_while_it_is_open_other_changes_are_refused_and_notes_are_not(fight: GM) -> None:
    fight("attack", "arrow", "vulcan", "gains-1")
    for line in (("pass", "arrow"), ("undo",), ("set", "units.arrow.fuel", "3"), ("config", "dice-mode", "auto")):
        ran = fight(*line, "--json")
        assert (ran.code, ran.objects[0]["error"]["code"]) == (1, "ruling-open"), line
    assert fight("note", "who rolled that?").code == 0
    assert state(fight)["open"]["asks"][0]["key"] == "attack.lead"
    assert fight("answer", "--drop").code == 0
    assert fight("pass", "arrow").code == 0


def test_a_wrong_face_leaves_the_question_as_it_was(fight: GM) -> None:
    fight("attack", "arrow", "vulcan", "gains-1", "--dice", "92")
    before = state(fight)["open"]
    for faces in ("7", "100", "xx", "=9"):
        assert fight("answer", faces).code == 2, faces
    assert state(fight)["open"] == before


def test_a_ruling_that_got_done_before_a_kill_is_not_open_any_more(fight: GM, home: Path) -> None:
    """The line was on disk, the file of the open ruling not yet gone: the line stands, the question does not."""
    fight("attack", "arrow", "vulcan", "gains-1", "--once")
    left = (home / "test" / "open.json").read_bytes()
    assert fight("answer", "99").code == 0
    (home / "test" / "open.json").write_bytes(left)
    assert state(fight)["open"] is None
    assert fight("answer", "11").code == 1
    assert fight("undo").code == 0


def test_a_default_can_be_made_a_question(fight: GM) -> None:
    fight("config", "declare.defence", "ask")
    ran = fight("attack", "arrow", "vulcan", "gains-1", "--dice", "11 22 33 44 55", "--json")
    (ask,) = ran.objects[0]["asks"]
    assert (ask["key"], ask["kind"]) == ("defence.gains-1", "declaration")
    assert ask["options"] == ["evade", "focus", "counter:flak"]
    ran = fight("answer", "foc", "--json")
    assert len(ran.objects[0]["asks"]) == 5
    done = fight("answer", "40 41 04 99 00", "--json").objects[0]  # evade 20 + focus 20: 04, 14, 04, miss, 00
    assert done["result"]["hits"] == 1


def test_words_said_by_name_reach_the_unit_they_name(fight: GM) -> None:
    done = fight(
        "attack", "r1", "1", "b1", "--say", "defence.Gains-1=focus", "--by", "r1=Ken", "--dice", "99 99 99 99 11 / 41",
        "--json",
    ).objects[0]  # fmt: skip
    assert done["dice"][0]["by"] == "Ken"
    assert done["dice"][-1]["by"] is None
    assert done["result"]["hits"] == 0  # 41 is read as 14, under 20 + 20


def test_what_was_said_and_not_asked_is_refused(fight: GM) -> None:
    ran = fight("pass", "arrow", "--say", "colour=red", "--json")
    assert (ran.code, ran.objects[0]["error"]["code"]) == (2, "bad-value")
    assert state(fight)["units"]["arrow"]["acted"] is False


def test_one_process_that_began_before_the_first_unit_sees_it(gm: GM) -> None:
    """Tables that did not exist when the campaign was opened are there for the lines that follow."""
    ran = gm("run", "-", "--json", input="\n".join([*START, "status"]))
    assert sorted(ran.objects[-1]["result"]["units"]) == ["arrow", "gains-1", "gains-2"]
    assert "Arrow" in ran.objects[-1]["text"]


def test_a_roll_that_no_game_has_is_told_at_once(fight: GM) -> None:
    for dice in ("foo: 00 00 / evade: 99", ": 92", "attack:", "r1: 11"):
        ran = fight("attack", "arrow", "vulcan", "gains-1", "--dice", dice, "--json")
        assert (ran.code, ran.objects[0]["error"]["code"]) == (2, "bad-dice"), dice
    assert state(fight)["open"] is None


def test_commas_of_every_keyboard_part_faces(fight: GM) -> None:
    done = fight("attack", "arrow", "vulcan", "gains-1", "--once", "--dice", "９９、，, ", "--json").objects[0]
    assert done["dice"][0]["read"] == 99


def test_what_contradicts_itself_is_refused(fight: GM) -> None:
    for words in (
        ("--once", "--each"),
        ("--once", "--say", "once=no"),
        ("--defence", "focus", "--say", "defence.gains-1=evade", "--dice", "11 11 11 11 11"),
    ):
        ran = fight("attack", "arrow", "vulcan", "gains-1", *words, "--json")
        assert (ran.code, ran.objects[0]["error"]["code"] in {"usage", "bad-value"}) == (2, True), words
    assert state(fight)["open"] is None
