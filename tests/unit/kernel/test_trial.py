"""Trying lines: what is refused whatever comes is seen without trying all of it, and nothing is kept."""

from collections.abc import Callable
from typing import Annotated, Any, NamedTuple

import pytest

from gmtool.kernel.blank import BLANK, LOOKS, Depends
from gmtool.kernel.case import Case, Settings
from gmtool.kernel.refusal import Id
from gmtool.kernel.system import Chapter, System
from gmtool.kernel.trial import Trials
from gmtool.kernel.words import Arg, Candidate, Flag, Kind, one_of
from tests.unit.kernel.toy import Ring, game, ring

CHAPTER = Chapter("trial")
FIGHTER = Kind("fighter", candidates=lambda scope: [Candidate(id, (row.name,)) for id, row in _fighters(scope)])
WHERE = one_of("where", "head", "foot")


def _fighters(scope: Any) -> Any:
    return scope.state.table("fighters").items()


class Push(NamedTuple):
    """A fighter who is up pushes another one; the foot needs a run-up."""

    who: Annotated[str, Arg(FIGHTER)]
    whom: Annotated[str, Arg(FIGHTER)]
    where: Annotated[str, Arg(WHERE)] = "foot"
    run: Annotated[bool, Flag("--run")] = False


class Count(NamedTuple):
    """Several fighters, at least two of them."""

    fighters: Annotated[tuple[str, ...], Arg(FIGHTER, many=True)]


@CHAPTER.rule(Push)
def push(case: Case[Ring, Any], command: Push) -> None:
    fighters = case.state.table("fighters")
    if fighters[command.who].hp == 0:
        case.forbid("down", "T-1", unit=Id(command.who))
    if fighters[command.whom].hp == 0 or command.who == command.whom:
        case.forbid("down", "T-2", unit=Id(command.whom))
    if command.where == "foot" and not command.run:
        case.forbid("no-run-up", "T-3")


@CHAPTER.rule(Count)
def count(case: Case[Ring, Any], command: Count) -> None:
    if len(command.fighters) < 2:
        refusal = case.refuse("bad-value", "T-4")
        refusal.exit = 2
        raise refusal


def trials(force: bool = False, **hp: int) -> Trials:
    system: System = game()
    system.include(CHAPTER)
    commands: dict[str, type[Any]] = {"push": Push, "count": Count}
    tried = Trials(system, ring(**hp), None, Settings(force=force))
    tried._commands |= commands
    return tried


def words(tried: Trials, verb: str, given: dict[str, Any]) -> list[str]:
    slot = tried.slots(verb, given)[0]
    return [word.id for word in tried.words(verb, given, slot, lambda word: True)]


@pytest.mark.parametrize(
    "look",
    [
        bool, str, hash, len, iter, int, float, abs, lambda it: it == "a", ["a"].index, lambda it: it != "a",
        lambda it: it in {"a"}, lambda it: it in ("a",), lambda it: "a" in it, lambda it: f"{it}", lambda it: it[0],
        lambda it: it.partition("/"), lambda it: it + 1, lambda it: 1 + it, lambda it: it < 1, lambda it: {}[it],
    ],
)  # fmt: skip
def test_a_blank_word_cannot_be_looked_into(look: Callable[[Any], Any]) -> None:
    with pytest.raises(Depends):
        look(BLANK)


def test_a_blank_word_can_be_handed_on() -> None:
    assert Push(BLANK, "bob").who is BLANK  # type: ignore[arg-type]
    assert len(set(LOOKS)) == len(LOOKS)


def test_who_is_refused_whatever_comes_is_seen_in_one_trial() -> None:
    tried = trials(ann=9, bob=9, cyd=0)
    found = tried.verdict("push", {"who": "cyd"}, blank=True)
    assert found.refused is not None
    assert found.refused.rule == "T-1"
    assert not tried.goes_on("push", {"who": "cyd"})
    assert tried.spent == 1


def test_a_word_is_offered_where_a_line_with_it_is_not_refused() -> None:
    tried = trials(ann=9, bob=9, cyd=0)
    assert words(tried, "push", {}) == ["ann", "bob"]
    assert words(tried, "push", {"who": "ann"}) == ["bob"]
    assert words(tried, "push", {"who": "ann", "whom": "bob"}) == ["head"]  # the foot would need --run
    assert words(tried, "push", {"who": "ann", "whom": "bob", "run": True}) == ["head", "foot"]


def test_nobody_is_offered_where_nobody_is_left() -> None:
    assert words(trials(ann=9, bob=0), "push", {}) == []
    assert not trials(ann=9, bob=0).goes_on("push", {})


def test_with_force_what_gives_way_to_it_is_offered() -> None:
    assert words(trials(force=True, ann=9, bob=0), "push", {}) == ["ann", "bob"]


def test_a_line_that_means_nothing_yet_goes_on_with_a_further_word_of_several() -> None:
    tried = trials(ann=9, bob=9, cyd=9)
    assert words(tried, "count", {}) == ["ann", "bob", "cyd"]
    assert words(tried, "count", {"fighters": ("ann",)}) == ["bob", "cyd"]
    assert tried.verdict("count", {"fighters": ("ann",)}).refused is not None


def test_a_line_is_tried_once() -> None:
    tried = trials(ann=9, bob=9)
    assert words(tried, "push", {}) == ["ann", "bob"]
    spent = tried.spent
    assert words(tried, "push", {}) == ["ann", "bob"]
    assert tried.spent == spent


def test_trying_changes_nothing() -> None:
    tried = trials(ann=9, bob=9)
    before = tried.state.key()
    words(tried, "push", {})
    assert tried.state.key() == before


def test_when_it_is_enough_a_beginning_is_believed_and_not_remembered() -> None:
    tried = trials(ann=9, bob=0)
    tried.enough = lambda: True
    assert words(tried, "push", {}) == ["ann"]  # bob is refused whatever comes; of ann nothing was found out
    tried.enough = lambda: False
    assert words(tried, "push", {}) == []
