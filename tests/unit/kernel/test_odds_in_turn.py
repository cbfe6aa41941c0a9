"""Odds of several commands one after the other, and of tallies: against plain play of every fall."""

from fractions import Fraction
from typing import Any, NamedTuple

import pytest

from gmtool.kernel.asks import Answers, Token
from gmtool.kernel.case import Case, Settings
from gmtool.kernel.laws import Die
from gmtool.kernel.odds import Outlook, outlook
from gmtool.kernel.pools import Group, total
from gmtool.kernel.refusal import Refused
from gmtool.kernel.run import judge
from gmtool.kernel.state import Map, Rows, State, replace
from gmtool.kernel.summary import summary
from gmtool.kernel.system import Chapter
from gmtool.kernel.tallies import either, further
from tests.unit.kernel.toy import Strike, game, ring

CHAPTER = Chapter("turns")
Chances = dict[Any, Fraction]


class Prod(NamedTuple):
    """A die: that many points, marked as mean from 5 on; nobody down can be prodded, and a bruise is seen by none."""

    whom: str
    blind: bool = True

    def overlooks(self, state: State, event: Any) -> bool:
        """No prod asks for bruises."""
        return self.blind and isinstance(event, Bruised)


class Bruised(NamedTuple):
    """A part of a fighter is blue."""

    whom: str
    part: str


class Prodded(NamedTuple):
    """So many points are gone."""

    whom: str
    n: int


@CHAPTER.rule(Prod)
def prod(case: Case[Any, Any], command: Prod) -> None:
    """Counted by tallies alone."""
    hp = case.state.table("fighters")[command.whom].hp
    if hp == 0:
        case.forbid("down", "T-1")
    n = case.pool("prod", command.whom, [Group(1, Die(4), ("",))], total, rule="T-1")
    case.tally("points", min(n, hp))
    if n > 3:
        case.mark("mean")
    case.emit(Bruised(command.whom, case.evenly("ab") or "a"), "T-1")
    case.emit(Prodded(command.whom, min(n, hp)), "T-1")


@CHAPTER.effect(Prodded)
def prodded(state: State, event: Prodded) -> Rows:
    """Down to nothing."""
    row = state.table("fighters")[event.whom]
    return {("fighters", event.whom): replace(row, hp=row.hp - event.n)}


@CHAPTER.effect(Bruised)
def bruised(state: State, event: Bruised) -> Rows:
    """One more on this part."""
    row = state.table("fighters")[event.whom]
    return {("fighters", event.whom): replace(row, parts=Map({**row.parts, event.part: 1}))}


def foretold(state: State, *commands: Any, force: bool = False) -> Outlook:
    system = game()
    system.include(CHAPTER)
    return outlook(system, state, None, commands[0], Answers(), Settings(force=force), then=commands[1:])


def played(state: State, commands: tuple[Any, ...]) -> dict[tuple[int, bool], Fraction]:
    """Points and meanness over all falls; a command that cannot be done any more is left out."""
    system = game()
    system.include(CHAPTER)
    found: dict[tuple[int, bool], Fraction] = {}

    def go_on(at: State, left: tuple[Any, ...], points: int, mean: bool, chance: Fraction) -> None:
        if not left:
            found[points, mean] = found.get((points, mean), Fraction(0)) + chance
            return
        for face in range(1, 5):
            try:
                ruling = judge(system, at, None, left[0], Answers((Token(str(face)),)), Settings())
            except Refused:
                go_on(at, left[1:], points, mean, chance)
                return
            more = ruling.result["points"]
            go_on(ruling.state, left[1:], points + more, mean or "mean" in ruling.result, chance / 4)

    go_on(state, commands, 0, False, Fraction(1))
    return found


@pytest.mark.parametrize("hp", [2, 5, 30])
@pytest.mark.parametrize("n", [1, 2, 3])
@pytest.mark.parametrize("blind", [True, False])
def test_tallies_are_those_of_every_fall(hp: int, n: int, blind: bool) -> None:
    state = ring(ann=9, bob=hp)
    commands = (Prod("bob", blind),) * n
    view, expected = foretold(state, *commands), played(state, commands)
    points: Chances = {}
    for (value, _), chance in expected.items():
        points[value] = points.get(value, Fraction(0)) + chance
    assert dict(view.tallies["points"]) == points
    assert view.tallies["mean"] == {True: sum(chance for (_, mean), chance in expected.items() if mean)}
    assert sum(chance for _, _, chance in view.ends) == 1
    told = summary(view)
    assert told["mean"] == float(view.tallies["mean"][True])
    assert sum(told["points"]["chances"].values()) == pytest.approx(1)


def test_what_is_overlooked_parts_no_ends() -> None:
    blind, seeing = (foretold(ring(ann=9, bob=30), *(Prod("bob", each),) * 3) for each in (True, False))
    assert blind.tallies == seeing.tallies
    assert len(blind.ends) < len(seeing.ends)
    assert blind.runs < seeing.runs


def test_a_command_lapses_where_it_cannot_be_done() -> None:
    view = foretold(ring(ann=9, bob=3), Prod("bob"), Prod("bob"), Prod("bob"))
    # down after one at 3 or 4; after two unless both show 1
    assert view.lapsed == (Fraction(1, 2), Fraction(15, 16))
    sure = foretold(ring(ann=9, bob=1), Prod("bob"), Prod("bob"))
    assert sure.lapsed == (1,)
    assert sure.tallies["points"] == {1: 1}


def test_what_cannot_be_done_at_all_is_refused() -> None:
    with pytest.raises(Refused, match="down"):
        foretold(ring(ann=9, bob=9, cid=0), Prod("bob"), Prod("cid"))
    assert foretold(ring(ann=9, bob=0), Prod("bob"), Prod("bob"), force=True).lapsed == (0,)


def test_results_that_a_game_counts_up_are_added() -> None:
    system = game()
    object.__setattr__(system, "sums", ("damage",))
    both = (Strike("ann", "bob", 1), Strike("ann", "bob", 1))
    view = outlook(system, ring(ann=9, bob=90), None, both[0], Answers(), Settings(), then=both[1:])
    one = outlook(system, ring(ann=9, bob=90), None, both[0], Answers(), Settings())
    single: Chances = {}
    for results, _, chance in one.ends:
        single[results["damage"]] = single.get(results["damage"], Fraction(0)) + chance
    expected: Chances = {}
    for a, x in single.items():
        for b, y in single.items():
            expected[a + b] = expected.get(a + b, Fraction(0)) + x * y
    got: Chances = {}
    for results, _, chance in view.ends:
        got[results["damage"]] = got.get(results["damage"], Fraction(0)) + chance
    assert got == expected


def test_one_of_several_is_as_likely_as_the_others() -> None:
    """The dice that would decide it are not followed, however often they would tie."""
    view = foretold(ring(ann=9, bob=30), Prod("bob", blind=False))
    parts: Chances = {}
    for _, state, chance in view.ends:
        key = tuple(state.table("fighters")["bob"].parts)
        parts[key] = parts.get(key, Fraction(0)) + chance
    assert parts == {("a",): Fraction(1, 2), ("b",): Fraction(1, 2)}


def test_tallies_of_ends_that_are_one_are_weighed() -> None:
    first = further({}, (1, 1), (2, 6), {"n": 3, "yes": True})
    assert first == {"n": {3: 2}, "yes": {True: 2}}
    again = further(first, (2, 6), (4, 24), {"n": 1})
    assert again == {"n": {4: 4}, "yes": {True: 4}}
    merged = either((again, (4, 24)), ({"n": {4: 1}}, (2, 8)))
    assert merged == {"n": {4: 7}, "yes": {True: 4}}
