"""Odds of a ruling of which some dice lie: against every fall of the others, played out."""

from fractions import Fraction
from typing import Any

import pytest

from gmtool.kernel.asks import Answers, Given, Missing
from gmtool.kernel.case import Case, Settings
from gmtool.kernel.laws import Die
from gmtool.kernel.pools import Group
from gmtool.kernel.refusal import Refused
from gmtool.kernel.run import judge
from gmtool.kernel.state import State
from gmtool.kernel.summary import Outlook
from gmtool.kernel.underway import underway
from tests.unit.kernel import toy
from tests.unit.kernel.toy import Heal, Over, Strike, game, hits, ring, through

Ends = dict[tuple[Any, ...], Fraction]


def lying(**faces: int) -> dict[str, Given]:
    """Dice that lie, by their keys with ``__`` for the dot."""
    return {key.replace("__", "."): Given((face,), False, "entered", None) for key, face in faces.items()}


def told_apart(view: Outlook) -> Ends:
    found: Ends = {}
    for results, state, chance in view.ends:
        key = (*sorted(results.items()), *sorted(state.over.items()))
        found[key] = found.get(key, Fraction(0)) + chance
    return found


def foretold(command: Any, given: dict[str, Given], said: dict[str, str] | None = None, **more: Any) -> Ends:
    answers = Answers(said=said or {}, given=given)
    return told_apart(underway(game(), ring(ann=9, bob=9), None, command, answers, Settings(), **more))


def played(command: Any, given: dict[str, Given], said: dict[str, str] | None = None) -> Ends:
    """Every fall of the dice that are asked for, each judged as the table would have it."""
    state: State = ring(ann=9, bob=9)
    waiting, ends = [(given, Fraction(1))], Ends()
    while waiting:
        lies, chance = waiting.pop()
        try:
            ruling = judge(game(), state, None, command, Answers(said=said or {}, given=lies), Settings())
        except Missing as missing:
            key, sides = missing.asks[0].key, missing.asks[0].dice[0]
            low = missing.laws[0].lowest
            waiting += [
                ({**lies, key: Given((face,), False, "", None)}, chance / sides) for face in range(low, low + sides)
            ]
            continue
        end = (*sorted(ruling.result.items()), *sorted(ruling.state.over.items()))
        ends[end] = ends.get(end, Fraction(0)) + chance
    return ends


@pytest.mark.parametrize(
    "given",
    [
        {},
        {"strike__A": 9},
        {"strike__B": 5},
        {"strike__A": 9, "strike__B": 6},
        {"strike__A": 9, "strike__B": 6, "parry__bob__A": 8},
        {"strike__A": 9, "strike__B": 0, "parry__bob__A": 1, "extra__1": 2},
        {"strike__A": 9, "strike__B": 6, "parry__bob__A": 1, "parry__bob__B": 7, "extra__1": 4, "extra__2": 6},
        {"strike__A": 1, "strike__B": 0},
    ],
)
def test_what_is_open_falls_as_it_would_at_the_table(given: dict[str, int]) -> None:
    command, dice = Strike("ann", "bob", 2), lying(**given)
    assert foretold(command, dice) == played(command, dice)


@pytest.mark.parametrize("given", [{"parry__bob__A": 8}, {"strike__A": 9, "parry__bob__B": 2, "extra__2": 1}])
def test_dice_that_lie_beyond_one_that_is_open_keep_their_place(given: dict[str, int]) -> None:
    """As after an attack die is thrown again: an evasion counts only where its own attack roll has come through."""
    command, dice = Strike("ann", "bob", 2), lying(**given)
    assert foretold(command, dice) == played(command, dice)


def test_one_open_die_is_foretold_by_hand() -> None:
    """A great strike lies and is not parried; the other is good with 5 to 8, and parried with 7, 8 or 9."""
    chances: dict[int, Fraction] = {}
    dice = lying(strike__A=9, parry__bob__A=0)
    for end, chance in foretold(Strike("ann", "bob", 2), dice).items():
        damage = dict(end[:2])["damage"]
        chances[damage] = chances.get(damage, Fraction(0)) + chance
    # B misses at 0 to 4; great at 9: two if not parried; good at 5 to 8: one if not parried
    assert chances == {
        2: Fraction(1, 2) + Fraction(4, 10) * Fraction(3, 10) + Fraction(1, 10) * Fraction(3, 10),
        3: Fraction(4, 10) * Fraction(7, 10),
        4: Fraction(1, 10) * Fraction(7, 10),
    }


def again(case: Case[Any, Any], command: Heal) -> None:
    """Two strikes that may be thrown again; a raise makes them good from 3 on, those that lie too."""

    def law(key: str, value: str) -> tuple[Over, bool]:
        return (Over(3), True) if value == "raise" else (Over(5), False)

    great, good = case.pool("strike", "ann", [Group(2, Over(5), ("A", "B"))], hits, rule="", again=law)
    groups = [
        Group(great, Over(7), answers=("strike", "great")),
        Group(good, Over(7), answers=("strike", "good")),
    ]
    left = case.pool("parry", "bob", groups, through, rule="") if great + good else 0
    case.result(great=great, good=good, left=left)


@pytest.mark.parametrize("value", ["no", "yes", "raise"])
@pytest.mark.parametrize(
    "given",
    [
        {"strike__A": 4, "strike__B": 6},
        {"strike__A": 4, "strike__B": 6, "parry__B": 2},
        {"strike__A": 4, "strike__B": 3, "reroll__strike__A": 7},
        {"strike__A": 4},
    ],
)
def test_a_die_that_is_thrown_again(value: str, given: dict[str, int], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(toy.CHAPTER.rules, Heal, again)
    said, dice = {"reroll.strike.A": value}, lying(**given)
    assert foretold(Heal("bob", 1), dice, said) == played(Heal("bob", 1), dice, said)


def several(case: Case[Any, Any], command: Heal) -> None:
    case.result(sum=case.roll("sum", "", (6,) * 12, rule=""))


def test_a_long_sum_of_which_some_lies_is_added_up_not_laid_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(toy.CHAPTER.rules, Heal, several)
    ends = foretold(Heal("bob", 1), lying(**{f"sum__{n}": 2 for n in range(1, 11)}))
    assert ends == {(("sum", 20 + n),): Fraction(6 - abs(n - 7), 36) for n in range(2, 13)}


def top(counts: Any) -> tuple[int, ...]:
    faces = [int(*each) for each in counts]
    return tuple(place for place, face in enumerate(faces) if face == max(faces))


def best(case: Case[Any, Any], command: Heal) -> None:
    """The highest of one die each; those that tie throw again."""
    seats, turn = ["A", "B", "C"], 1
    if (one := case.evenly(seats)) is not None:
        seats = [one]
    while len(seats) > 1:
        groups = [Group(1, Die(6), (seat,)) for seat in seats]
        seats, turn = [seats[place] for place in case.pool(f"best{turn}", "", groups, top, rule="")], turn + 1
    case.result(best=seats[0])


def test_what_dice_decide_is_even_only_until_one_lies(monkeypatch: pytest.MonkeyPatch) -> None:
    """A's six is beaten by nobody: it wins but for the ties; a five more often loses."""
    monkeypatch.setitem(toy.CHAPTER.rules, Heal, best)
    even = foretold(Heal("bob", 1), {})
    assert even == {(("best", seat),): Fraction(1, 3) for seat in "ABC"}
    ends = foretold(Heal("bob", 1), lying(best1__A=6))
    # alone at the top, or among two or three that are then even
    expected = Fraction(25, 36) + Fraction(10, 36) / 2 + Fraction(1, 36) / 3
    assert float(ends[(("best", "A"),)]) == pytest.approx(float(expected), abs=1e-6)


def test_a_walk_that_grows_too_long_is_given_up() -> None:
    with pytest.raises(Refused) as refused:
        foretold(Strike("ann", "bob", 8), {}, limit=5)
    assert refused.value.code == "no-odds"


def test_what_is_said_for_later_is_no_fault_yet() -> None:
    """An open ruling may hold declarations for what the dice have not come to."""
    assert foretold(Strike("ann", "bob", 1), {}, {"stance.ann": "low"})
