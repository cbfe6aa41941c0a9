"""Chapter 13.4: missiles move."""

from typing import NamedTuple

from gmtool.kernel.case import Case
from gmtool.kernel.hex import Hex, distance
from gmtool.kernel.refusal import Id, Word
from gmtool.kernel.state import Rows, replace
from gmtool.kernel.system import Chapter
from gmtool.systems.talon import grid
from gmtool.systems.talon.book import Book
from gmtool.systems.talon.harm import Entered
from gmtool.systems.talon.model import STEPS, Board, Missile
from gmtool.systems.talon.rules.r03_time import CHAPTER as TIME
from gmtool.systems.talon.rules.r03_time import battle_on, go_to, turn_of
from gmtool.systems.talon.sightlines import PLANET, Choice, ground
from gmtool.systems.talon.targets import spot, there

CHAPTER = Chapter("13", needs=(TIME,))
AnyCase = Case[Board, Book]
WAYS = {"ahead": 0, "left": -1, "right": 1}
"""A missile's ways, each with the sixths by which it turns first (TL-13.4)."""


class MissileMove(NamedTuple):
    """A missile moves its hex: ``way`` as a ship's (ahead, left, right), empty where nobody says."""

    missile: str
    way: str


class MissileMoved(NamedTuple):
    """A missile has made its move."""

    missile: Id
    before: str
    after: str
    facing: Word


@CHAPTER.rule(MissileMove)
def fly(case: AnyCase, command: MissileMove) -> None:
    """One hex, turning at most one side first: nearer to the target if it can, straight on without one (TL-13.4)."""
    id, missile = command.missile, there(case.state, command.missile)
    if not isinstance(missile, Missile):
        raise case.refuse("not-active", "TL-13.4", key="missile-gone", unit=Id(id))
    _due(case, id, missile)
    facing = _facing(case, command, missile)
    _may_go(case, id, missile, facing)
    at = grid.label(grid.ahead(spot(missile), facing))
    case.emit(MissileMoved(Id(id), missile.at, at, Word(grid.FACINGS[facing])), "TL-13.4")
    case.follow(Entered(id, missile.at, "straight" if facing == missile.facing else "turn"))


def _facing(case: AnyCase, command: MissileMove, missile: Missile) -> int:
    """The facing a way leads to; where nobody says, the only one there is (TL-13.4)."""
    if command.way in WAYS:
        return (missile.facing + WAYS[command.way]) % 6
    allowed = ways(case.state, missile, case.choice)
    if command.way or len(allowed) > 1:
        said = [Word(way) for way in ways_said(missile, allowed)]
        raise case.refuse("bad-value", "TL-13.4", key="missile-which-way", unit=Id(command.missile), ways=said)
    return allowed[0]


def ways_said(missile: Missile, facings: list[int]) -> list[str]:
    """The ways that lead to some facings."""
    return [name for name, turn in WAYS.items() if (missile.facing + turn) % 6 in facings]


def _due(case: AnyCase, id: str, missile: Missile) -> None:
    """In the movement step of its owner's turn, once an impulse (TL-3.2, 13.4)."""
    battle = battle_on(case)
    turn_of(case, battle, missile.side, id)
    now, wanted = STEPS.index(battle.step), STEPS.index("move")
    if now > wanted:
        case.forbid("step-over", "TL-3.2", unit=Id(id), step=Word("move"), now=Word(battle.step))
    elif now < wanted:
        go_to(case, battle, "move")
    if missile.moved:
        case.forbid("has-moved", "TL-13.4", key="missile-moved", unit=Id(id))


def ways(state: Board, missile: Missile, choice: Choice) -> list[int]:
    """The facings in which a missile may go (TL-13.4, A21.36).

    Any that bring it nearer to its target, into a planet only if there is no other; where none does, all three, or as
    the campaign reads it; straight on without a target.
    """
    target = missile.target and there(state, missile.target)
    if not target:
        return [missile.facing]
    nearer = list(grid.nearer(spot(missile), missile.facing, spot(target)))
    land = ground(state)
    open_ = [each for each in nearer if PLANET not in land.get(grid.ahead(spot(missile), each), ())]
    return open_ or nearer or _away(missile, spot(target), choice)


def _away(missile: Missile, goal: Hex, choice: Choice) -> list[int]:
    """Where no hex is nearer: any of the three, the one ahead, or those that lead it least far off (A21.36)."""
    reading = choice("tl-13.4")
    if reading == "ahead":
        return [missile.facing]
    every = [(missile.facing + turn) % 6 for turn in WAYS.values()]
    far = {each: distance(grid.ahead(spot(missile), each), goal) for each in every}
    return [each for each in every if reading == "any" or far[each] == min(far.values())]


def _may_go(case: AnyCase, id: str, missile: Missile, facing: int) -> None:
    allowed = ways(case.state, missile, case.choice)
    if facing in allowed:
        return
    said = [Word(way) for way in ways_said(missile, allowed)]
    key = "missile-nearer" if missile.target else "missile-straight"
    case.forbid("beyond-limits", "TL-13.4" if missile.target else "TL-13.3", key=key, unit=Id(id), ways=said)


@CHAPTER.effect(MissileMoved)
def missile_moved(state: Board, event: MissileMoved) -> Rows:
    """Its hex and facing."""
    missile = state.missiles[event.missile]
    facing = grid.FACINGS.index(event.facing)
    return {("missiles", event.missile): replace(missile, at=event.after, facing=facing, moved=True)}
