"""Asks and answers: faces in a row and by name, what is left over, what was settled before, who threw."""

from typing import Any

import pytest

from gmtool.kernel.asks import Answers, Given, Missing
from gmtool.kernel.refusal import Refused
from gmtool.kernel.typed import Token, read_dice
from tests.unit.kernel.toy import Strike, ruled

STRIKE = Strike("ann", "bob")
NAMES = {"bob": ["Bob", "赤い弾", "Red Bob"], "bob-12": ["Bob-12"]}


def names(id: str) -> list[str]:
    return NAMES.get(id, [])


def faces(dice: str, command: Any = STRIKE, **more: Any) -> dict[str, int]:
    return {face.key: face.read for face in ruled(command, dice, names=names, **more).faces}


def refused(dice: str, **more: Any) -> Refused:
    with pytest.raises(Refused) as met:
        ruled(STRIKE, dice, names=names, **more)
    return met.value


def test_a_row_and_named_groups_are_read_apart() -> None:
    assert read_dice("9 5, 7 / parry bob: ３，４／x.A：1") == (
        (Token("9"), Token("5"), Token("7")),
        (("parry bob", (Token("3"), Token("4"))), ("x.A", (Token("1"),))),
    )
    assert read_dice("") == ((), ())
    assert read_dice("1", "rolled")[0] == (Token("1", "rolled"),)


def test_faces_in_a_row_are_taken_in_the_tables_order() -> None:
    assert faces("5 9 8 8") == {"strike.A": 5, "strike.B": 9, "parry.bob.A": 8, "parry.bob.B": 8}


@pytest.mark.parametrize(
    "dice",
    [
        "strike: 5 9 / parry bob: 8 8",
        "parry bob: 8 8 / strike: 5 9",
        "5 9 / parry: 8 8",
        "parry: 8 8 / 5 9",
        "par b: 8 8 / st: 5 9",
        "strike.A: 5 / strike.B: 9 / parry.bob: 8 8",
        "strike B: 9 / strike A: 5 / PARRY ＢＯＢ a: 8 / parry bob b: 8",
        "strike: 5 9 / parry 赤い弾: 8 8",
        "strike: 5 9 / parry red bob: 8 8",
        "strike: 5 9 / parry Red Bob A: 8 / parry red b: 8",
    ],
)
def test_faces_are_named_by_roll_in_any_order_and_by_any_beginning(dice: str) -> None:
    assert faces(dice) == {"strike.A": 5, "strike.B": 9, "parry.bob.A": 8, "parry.bob.B": 8}


def test_a_closer_name_goes_before_a_wider_one() -> None:
    assert faces("strike: 5 9 / parry: 9 8 / parry bob B: 7") == {
        "strike.A": 5, "strike.B": 9, "parry.bob.A": 9, "parry.bob.B": 7,
    }  # fmt: skip


def test_a_number_in_a_name_is_never_cut() -> None:
    from tests.unit.kernel.toy import ring

    state = ring(**{"ann": 9, "bob-12": 9})
    with pytest.raises(Missing) as missing:
        ruled(Strike("ann", "bob-12"), "5 9 / parry bob-1: 8 8", state=state, names=names)
    assert [ask.key for ask in missing.value.asks] == ["parry.bob-12.A", "parry.bob-12.B"]
    assert missing.value.named == (("parry bob-1", (Token("8"), Token("8"))),)


def test_what_a_named_group_has_too_many_is_listed() -> None:
    assert ruled(STRIKE, "strike: 5 9 3 / parry: 8 8 8").not_needed == ["3", "8"]


def test_a_rest_of_the_row_is_refused_with_what_was_needed() -> None:
    met = refused("5 9 8 8 3 4")
    assert (met.code, met.key, met.exit) == ("bad-dice", "dice-rest", 2)
    assert met.facts == {"value": "3 4", "needed": 4}


@pytest.mark.parametrize("label", ["guard", "parry cyd", "strike A A", "strikes"])
def test_a_group_that_names_no_roll_is_refused(label: str) -> None:
    met = refused(f"5 9 8 8 / {label}: 3")
    assert (met.code, met.key, met.facts) == ("bad-dice", "dice-no-such-roll", {"value": label})


def test_an_impossible_face_is_refused() -> None:
    assert refused("5 10").code == "bad-dice"
    assert refused("5 x").exit == 2


def test_the_first_pool_that_lacks_faces_is_asked_for_as_a_whole() -> None:
    with pytest.raises(Missing) as missing:
        ruled(STRIKE, "5")
    assert [ask.json() for ask in missing.value.asks] == [
        {"key": "strike.B", "who": "ann", "kind": "dice", "dice": [10], "options": [], "rule": "T-3", "target": 5}
    ]
    assert [face.key for face in missing.value.dice] == ["strike.A"]


def test_dice_settled_before_stand_and_are_read_by_todays_law() -> None:
    given = {"strike.A": Given((5,), False, "entered", "Ken"), "strike.B": Given((9,), True, "seeded", None)}
    ruling = ruled(STRIKE, "8 8", given=given, by="Mia")
    assert [(face.read, face.result, face.source, face.by, face.fixed) for face in ruling.faces] == [
        (5, "good", "entered", "Ken", False), (9, "great", "seeded", None, True),
        (8, "good", "entered", "Mia", False), (8, "good", "entered", "Mia", False),
    ]  # fmt: skip


def test_a_die_that_cannot_lie_under_todays_law_is_asked_for_again() -> None:
    for stale in ((3, 4), (10,), ()):
        with pytest.raises(Missing) as missing:
            ruled(STRIKE, "5", given={"strike.B": Given(stale, False, "entered", None)})
        assert [ask.key for ask in missing.value.asks] == ["strike.B"]


def test_a_group_for_dice_already_settled_is_not_needed_rather_than_unknown() -> None:
    given = {f"strike.{seat}": Given((5,), False, "entered", None) for seat in "AB"}
    assert ruled(STRIKE, "8 8 / strike: 1", given=given).not_needed == ["1"]


def test_the_tool_throws_what_nobody_gave() -> None:
    asked = []

    def roller(key: str, sides: tuple[int, ...]) -> tuple[tuple[int, ...], str] | None:
        asked.append((key, sides))
        return None if key == "parry.bob.B" else ((8,), "rolled")

    with pytest.raises(Missing) as missing:
        ruled(STRIKE, "5", roller=roller)
    assert asked == [("strike.B", (10,)), ("parry.bob.A", (10,)), ("parry.bob.B", (10,))]
    assert [face.source for face in missing.value.dice] == ["entered", "rolled", "rolled"]


def test_plain_dice_thrown_by_the_tool_count_from_one() -> None:
    ruling = ruled(Strike("ann", "bob", 1), "9 0", roller=lambda key, sides: ((0,) * len(sides), "rolled"))
    assert [face.read for face in ruling.faces] == [9, 0, 1, 1]


def test_who_threw_is_said_for_all_or_for_one() -> None:
    ruling = ruled(STRIKE, "5 9 8 8", by="GM", by_unit={"bob": "Mia"})
    assert [face.by for face in ruling.faces] == ["GM", "GM", "Mia", "Mia"]


@pytest.mark.parametrize("key", ["stance.bob", "stance", "stance.Red Bob", "ST.赤い弾"])
def test_a_declaration_is_found_by_its_key_or_a_beginning(key: str) -> None:
    ruling = ruled(STRIKE, "5 9 8 8", said={key: "low"}, names=names)
    assert ruling.trace[0] == {
        "t": "said", "key": "stance.bob", "who": {"id": "bob"}, "value": "low", "rule": "T-2",
    }  # fmt: skip


def test_the_more_particular_declaration_holds() -> None:
    said = {"stance": "high", "stance.bob": "low"}
    assert ruled(STRIKE, "5 9 8 8", said=said).trace[0]["value"] == "low"


def test_a_declaration_nothing_asks_for_is_refused() -> None:
    met = refused("5 9 8 8", said={"stance.ann": "low"})
    assert (met.code, met.key) == ("bad-value", "said-not-asked")
    assert met.facts == {"key": "stance.ann", "value": "low", "asked": ["stance.bob"]}


@pytest.mark.parametrize(("word", "means"), [("low", "low"), ("L", "low"), ("ｌｏｗ", "low"), ("hi", "high")])
def test_a_declared_word_may_be_begun(word: str, means: str) -> None:
    assert ruled(STRIKE, "5 9 8 8", said={"stance.bob": word}).trace[0]["value"] == means


@pytest.mark.parametrize("word", ["", "sideways", "lower"])
def test_a_word_that_is_no_option_is_refused(word: str) -> None:
    met = refused("5 9 8 8", said={"stance.bob": word})
    assert (met.code, met.key, met.rule) == ("bad-value", "not-an-option", "T-2")


def test_the_answers_are_not_used_up_by_a_run() -> None:
    answers = Answers(*read_dice("5 9 / parry: 8 8"))
    from gmtool.kernel.case import Settings
    from gmtool.kernel.run import judge
    from tests.unit.kernel.toy import game, ring

    runs = [judge(game(), ring(ann=9, bob=9), None, STRIKE, answers, Settings()) for _ in range(2)]
    assert runs[0].faces == runs[1].faces


@pytest.mark.parametrize(("typed", "key"), [("5 / : 3", "dice-no-label"), ("strike:", "dice-no-faces")])
def test_a_group_lacks_neither_its_roll_nor_its_faces(typed: str, key: str) -> None:
    with pytest.raises(Refused) as met:
        read_dice(typed)
    assert (met.value.code, met.value.key) == ("bad-dice", key)
