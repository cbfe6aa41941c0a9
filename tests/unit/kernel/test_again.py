"""Dice thrown again because the line says so, and rulings that are judged once more."""

from typing import Any

import pytest

from gmtool.kernel.asks import Given, Missing, again_key, first_key
from gmtool.kernel.case import Settings
from gmtool.kernel.journal import BadLine, decode, encode, own_changes
from gmtool.kernel.laws import Law
from gmtool.kernel.pools import Group
from gmtool.kernel.refusal import Refused
from gmtool.kernel.run import Ruling
from tests.unit.kernel.toy import Heal, Over, hits, ruled


@pytest.fixture(autouse=True)
def pool_of_three(monkeypatch: pytest.MonkeyPatch) -> None:
    """``Heal`` throws three dice against 5, A to C; thrown again they are against 5, raised against 2 from then on."""
    from tests.unit.kernel import toy

    def rule(case: Any, command: Heal) -> None:
        target = 5

        def again(key: str, value: str) -> tuple[Law, bool]:
            nonlocal target
            target = 2 if value == "raise" else target
            return Over(target), False

        groups = [Group(3, Over(5), ("A", "B", "C"))]
        great, good = case.pool("save", "ann", groups, hits, rule="T-6", again=again)
        case.roll("other", "ann", (6,), rule="T-6")
        case.result(great=great, good=good)

    monkeypatch.setitem(toy.CHAPTER.rules, Heal, rule)


def thrown(ruling: Ruling) -> list[tuple[str, int, str]]:
    return [(face.key, face.read, face.result) for face in ruling.faces]


def test_the_key_of_a_further_throw_leads_back_to_the_first() -> None:
    for key in ("check", "attack.lead", "evade.gains-2.A", "escape.9"):
        assert first_key(key) == key
        for turn in (1, 2, 11):
            assert first_key(again_key(key, turn)) == key
    assert [again_key("attack.lead", turn) for turn in (1, 2)] == ["reroll.attack.lead", "reroll.2.attack.lead"]


def test_a_further_throw_counts_and_all_are_told() -> None:
    ruling = ruled(Heal("ann", 1), "1 6 9 3 8 4", said={"reroll.save.A": "yes", "reroll.2.save.A": "yes"})
    assert thrown(ruling) == [
        ("save.A", 1, "bad"), ("save.B", 6, "good"), ("save.C", 9, "great"), ("reroll.save.A", 3, "bad"),
        ("reroll.2.save.A", 8, "good"), ("other.1", 4, "4"),
    ]  # fmt: skip
    assert ruling.result == {"great": 1, "good": 2}
    entries = [entry for entry in ruling.trace if entry["t"] == "dice"]
    assert [(entry["key"], entry.get("again")) for entry in entries] == [
        ("save", True), ("reroll.save", True), ("reroll.2.save", True), ("other", None),
    ]  # fmt: skip
    assert ruling.said == {"reroll.save.A": "yes", "reroll.2.save.A": "yes"}


def test_what_is_bought_with_one_throw_holds_for_those_said_later() -> None:
    """C is raised first, so A falls against 2 too, though it comes first in the pool."""
    said = {"reroll.save.C": "raise", "reroll.save.A": "yes"}
    assert thrown(ruled(Heal("ann", 1), "1 6 1 3 4 1", said=said))[3:5] == [
        ("reroll.save.C", 3, "good"), ("reroll.save.A", 4, "good"),
    ]  # fmt: skip
    said = {"reroll.save.A": "yes", "reroll.save.C": "raise"}
    assert thrown(ruled(Heal("ann", 1), "1 6 1 3 4 1", said=said))[3:5] == [
        ("reroll.save.A", 3, "bad"), ("reroll.save.C", 4, "good"),
    ]  # fmt: skip


def test_no_leaves_it_and_other_words_are_refused() -> None:
    assert len(ruled(Heal("ann", 1), "1 6 9 4", said={"reroll.save.A": "no"}).faces) == 4
    for said in ({"reroll.save.A": "maybe"}, {"reroll.other.1": "yes"}, {"reroll.2.save.A": "yes"}):
        with pytest.raises(Refused) as refused:
            ruled(Heal("ann", 1), "1 6 9 4", said=said)
        assert refused.value.code == "bad-value"


def test_the_key_of_a_die_that_lies_there_means_no_other() -> None:
    """``save.A`` in full is no beginning of ``save.AB``, as it would be if it were typed."""
    given = {f"save.{seat}": Given((1,), False, "entered", None) for seat in "ABC"}
    ruling = ruled(Heal("ann", 1), "6 4", given=given, said={"reroll.save.A": "yes"})
    assert [key for key, *_ in thrown(ruling)] == ["save.A", "save.B", "save.C", "reroll.save.A", "other.1"]
    given["save"] = Given((1,), False, "entered", None)
    with pytest.raises(Refused):
        ruled(Heal("ann", 1), "6 4", given=given, said={"reroll.save": "yes"})


def test_who_threw_and_what_may_be_thrown_again_is_known_while_answers_are_missing() -> None:
    with pytest.raises(Missing) as missing:
        ruled(Heal("ann", 1), "1 6 9")
    assert missing.value.throwers == {f"save.{seat}": ("ann", True) for seat in "ABC"}


def test_declarations_of_an_earlier_judgement_may_go_unheard() -> None:
    said = {"reroll.other.1": "yes", "reroll.save.A": "no"}
    ruling = ruled(Heal("ann", 1), "1 6 9 4", said=said, spare=frozenset({"reroll.other.1"}))
    assert ruling.said == {"reroll.save.A": "no"}


def test_refusals_set_aside_before_give_way_as_often_as_they_did(monkeypatch: pytest.MonkeyPatch) -> None:
    from tests.unit.kernel import toy

    def rule(case: Any, command: Heal) -> None:
        for _ in range(command.n):
            case.forbid("down", "T-1")

    monkeypatch.setitem(toy.CHAPTER.rules, Heal, rule)
    aside = Settings(aside=[("down", "T-1"), ("down", "T-2")])
    assert ruled(Heal("ann", 1), settings=aside).overruled == [{"code": "down", "rule": "T-1"}]
    with pytest.raises(Refused):
        ruled(Heal("ann", 2), settings=aside)


LINE = {
    "format": 1, "seq": 2, "time": "", "kind": "step", "prev": "", "undo": None, "redo": None, "under": None,
    "changes": [{"path": "a.b", "before": {}}, {"path": "a.b", "after": {}}],
}  # fmt: skip


def test_a_line_in_place_of_another_says_where_its_own_changes_begin() -> None:
    assert own_changes(decode(encode(LINE))) == LINE["changes"]
    amended = {**LINE, "amends": {"seq": 1, "taken_back": 1}, "said": {"a": "b"}}
    assert own_changes(decode(encode(amended))) == [{"path": "a.b", "after": {}}]


@pytest.mark.parametrize(
    "more",
    [{"amends": None}, {"amends": {"seq": 1}}, {"amends": {"seq": 1, "taken_back": 3}}, {"said": []},
     {"amends": {"seq": 1, "taken_back": -1}}, {"amends": {"seq": "1", "taken_back": 1}}, {"said": {"a": 1}}],
)  # fmt: skip
def test_one_that_says_it_otherwise_is_no_line(more: dict[str, Any]) -> None:
    with pytest.raises(BadLine) as bad:
        decode(encode({**LINE, **more}))
    assert (bad.value.why, bad.value.detail) == ("shape", next(iter(more)))


def test_a_law_for_all_reads_the_dice_that_lie_there_too(monkeypatch: pytest.MonkeyPatch) -> None:
    """Against 5 the dice 1 3 4 are bad. C thrown again shows 1; a law of 2 for all makes B's 3 good, and A's 1 not."""
    from tests.unit.kernel import toy

    def rule(case: Any, command: Heal) -> None:
        groups = [Group(3, Over(5), ("A", "B", "C"))]
        _, good = case.pool("save", "ann", groups, hits, rule="T-6", again=lambda key, value: (Over(2), True))
        case.result(good=good)

    monkeypatch.setitem(toy.CHAPTER.rules, Heal, rule)
    ruling = ruled(Heal("ann", 1), "1 3 4 / 1", said={"reroll.save.C": "raise"})
    read = {die["key"]: die["class"] for entry in ruling.trace if entry["t"] == "dice" for die in entry["dice"]}
    # C as it lay first is struck, and stays what it was
    assert (read["save.A"], read["save.B"], read["save.C"], read["reroll.save.C"]) == ("bad", "good", "bad", "bad")
    assert ruling.result["good"] == 1
