"""What each side of a battle wins by, and when that is met (RT-13.4, 13.5)."""

from typing import Annotated, NamedTuple

from gmtool.kernel.case import Case
from gmtool.kernel.refusal import Id, Word
from gmtool.kernel.state import Rows, replace
from gmtool.kernel.system import Chapter
from gmtool.kernel.words import Arg, Opt
from gmtool.systems.rtype.absent import not_active
from gmtool.systems.rtype.book import Book
from gmtool.systems.rtype.model import CONDITIONS, GONE, Battle, Board, Unit, goal
from gmtool.systems.rtype.rules.r02_turn import CHAPTER as TURN
from gmtool.systems.rtype.rules.r02_turn import battle_on
from gmtool.systems.rtype.words import CONDITION, SIDE, UNIT

CHAPTER = Chapter("13", needs=(TURN,))
AnyCase = Case[Board, Book]


class Victory(NamedTuple):
    """What a side wins by, set or changed while the battle is on (RT-13.4)."""

    side: Annotated[str, Arg(SIDE)]
    condition: Annotated[str, Arg(CONDITION)]
    flagships: Annotated[tuple[str, ...], Opt("--flagship", UNIT, many=True)] = ()


class Watch(NamedTuple):
    """Has a side's condition been met by now? To be asked once an attack, a blast or an occupation is settled."""


class VictoryAgreed(NamedTuple):
    """A side has a condition to win by: one of the book's, or a text of the GM's own."""

    side: Id
    condition: str


class FacilityAgreed(NamedTuple):
    """A side wins by occupying one facility."""

    side: Id
    place: Id


class TargetAgreed(NamedTuple):
    """A side wins once one unit is destroyed."""

    side: Id
    unit: Id


class VictoryDropped(NamedTuple):
    """A side has no condition any more."""

    side: Id


class FlagshipNamed(NamedTuple):
    """A side has named its flagship."""

    side: Id
    unit: Id


class VictoryMet(NamedTuple):
    """A side's condition is met; the battle goes on until the GM ends it."""

    side: Id
    condition: str


class TargetDestroyed(NamedTuple):
    """A side's condition is met: the unit that had to be destroyed is."""

    side: Id
    unit: Id


class FacilityHeld(NamedTuple):
    """A side's condition is met: the facility it had to occupy is occupied."""

    side: Id
    place: Id


@CHAPTER.rule(Victory)
def victory(case: AnyCase, command: Victory) -> None:
    """A condition set or changed in the course of a battle; none takes it away (RT-13.4)."""
    battle = battle_on(case)
    if command.condition == "none":
        if command.side not in battle.victory:
            raise case.refuse("bad-value", "RT-13.4", key="no-condition", side=Id(command.side))
        case.emit(VictoryDropped(Id(command.side)), "RT-13.4")
        return
    agree(case, (f"{command.side}={command.condition}",), command.flagships)


def agree(case: AnyCase, conditions: tuple[str, ...], flagships: tuple[str, ...]) -> None:
    """Flagships and conditions, each side's once; the conditions are watched from now on (RT-13.4)."""
    _flagships(case, flagships)
    named = [condition.partition("=")[::2] for condition in conditions]
    for side, condition in named:
        _fights(case, side)
        if [other for other, _ in named].count(side) > 1:
            raise case.refuse("bad-value", "RT-13.4", key="condition-twice", side=Id(side))
        _agree_one(case, side, condition)
    battle = battle_on(case)
    if any(condition == "flagship" for _, condition in named) and len(battle.flagships) < len(battle.sides):
        missing = [Id(side) for side in battle.sides if side not in battle.flagships]
        raise case.refuse("bad-value", "RT-13.4", key="flagships-needed", sides=missing)
    watch(case)


def _agree_one(case: AnyCase, side: str, condition: str) -> None:
    kind, named = goal(condition)
    if named and kind == "facility":
        case.emit(FacilityAgreed(Id(side), Id(named)), "RT-13.4")
    elif named:
        if case.state.units[named].state in GONE:
            not_active(case, named, "RT-13.4")
        case.emit(TargetAgreed(Id(side), Id(named)), "RT-13.4")
    else:
        case.emit(VictoryAgreed(Id(side), _shown(condition)), "RT-13.4")


def _shown(condition: str) -> str:
    """One of the book's conditions as a term; the GM's own words as they are."""
    return Word(condition) if condition in CONDITIONS else condition


def _flagships(case: AnyCase, flagships: tuple[str, ...]) -> None:
    """Each side names one ship; any unit will do for the GM, who is told when it is no ship (RT-13.4)."""
    sides = [case.state.units[id].side for id in flagships]
    for id, side in zip(flagships, sides, strict=True):
        unit = case.state.units[id]
        _fights(case, side)
        if sides.count(side) > 1:
            raise case.refuse("bad-value", "RT-13.4", key="one-flagship", side=Id(side))
        if unit.state in GONE:
            not_active(case, id, "RT-13.4")
        if case.book.sheet(unit.sheet).squad != "ship":
            case.warn("flagship-no-ship", "RT-13.4", unit=Id(id))
        case.emit(FlagshipNamed(Id(side), Id(id)), "RT-13.4")


def _fights(case: AnyCase, side: str) -> None:
    """Refused for a side that is not in the battle."""
    if side not in battle_on(case).sides:
        raise case.refuse("wrong-phase", "RT-2.1", key="not-in-battle", side=Id(side))


@CHAPTER.effect(VictoryAgreed)
def victory_agreed(state: Board, event: VictoryAgreed) -> Rows:
    """The condition stands on the battle; a new one has not been met."""
    return _with_condition(state, str(event.side), str(event.condition))


@CHAPTER.effect(FacilityAgreed)
def facility_agreed(state: Board, event: FacilityAgreed) -> Rows:
    """The same with the facility's id."""
    return _with_condition(state, str(event.side), f"facility:{event.place}")


@CHAPTER.effect(TargetAgreed)
def target_agreed(state: Board, event: TargetAgreed) -> Rows:
    """The same with the unit's id."""
    return _with_condition(state, str(event.side), f"destroyed:{event.unit}")


def _with_condition(state: Board, side: str, condition: str) -> Rows:
    battle = _battle(state)
    met = tuple([other for other in battle.met if other != side])
    return {("battle", "now"): replace(battle, victory=battle.victory.put(side, condition), met=met)}


@CHAPTER.effect(VictoryDropped)
def victory_dropped(state: Board, event: VictoryDropped) -> Rows:
    """The side's condition is gone."""
    battle = _battle(state)
    met = tuple([side for side in battle.met if side != event.side])
    return {("battle", "now"): replace(battle, victory=battle.victory.without(event.side), met=met)}


@CHAPTER.effect(FlagshipNamed)
def flagship_named(state: Board, event: FlagshipNamed) -> Rows:
    """The side's flagship."""
    battle = _battle(state)
    return {("battle", "now"): replace(battle, flagships=battle.flagships.put(str(event.side), str(event.unit)))}


def _battle(state: Board) -> Battle:
    battle = state.battle
    assert battle is not None
    return battle


def watch(case: AnyCase) -> None:
    """Look at the conditions when this exchange is settled; nothing at all where no condition is set (RT-13.5)."""
    battle = case.state.battle
    if battle is not None and len(battle.met) < len(battle.victory):
        case.later(Watch())


@CHAPTER.rule(Watch)
def watched(case: AnyCase, command: Watch) -> None:
    """Each condition that is met by now is announced, once; both at once are the GM's to judge (RT-13.4, 13.5)."""
    battle = case.state.battle
    if battle is None or battle.phase == "over":
        return
    waiting = [(side, battle.victory.get(side, "")) for side in battle.sides if side not in battle.met]
    met = [(side, condition) for side, condition in waiting if _is_met(case.state, battle, side, condition)]
    for side, condition in met:
        kind, named = goal(condition)
        if named and kind == "facility":
            case.emit(FacilityHeld(Id(side), Id(named)), "RT-13.4")
        elif named:
            case.emit(TargetDestroyed(Id(side), Id(named)), "RT-13.4")
        else:
            case.emit(VictoryMet(Id(side), _shown(condition)), "RT-13.4")
        case.cite("RT-13.5")
    if len(met) > 1:
        case.warn("both-win", "RT-13.5")


def _is_met(state: Board, battle: Battle, side: str, condition: str) -> bool:
    """Whether a side's condition holds; the GM's own never does by itself."""
    enemy = next(other for other in battle.sides if other != side)
    kind, named = goal(condition)
    if kind == "destroyed" and named:
        # a unit that is taken out of the campaign is left to the GM
        return named in state.units and state.units[named].state in GONE
    if kind == "destroyed":
        return not any(_fighting(state, unit) for _, unit in state.of_side(enemy))
    if kind == "flagship":
        return state.units[battle.flagships[enemy]].state in GONE
    if kind == "facility":
        # a facility goes with the map it lies on
        places = [row for id, row in state.places.items() if named in ("", id)]
        return any(each.kind == "facility" and each.progress.get(side, 0) >= 100 for each in places)
    return False


def _fighting(state: Board, unit: Unit) -> bool:
    """Whether a unit must still be destroyed: no wreck, no decoy, no force that nobody controls (RT-4.9, 13.4)."""
    if unit.state in GONE or unit.decoy_of is not None:
        return False
    carrier = state.units.get(unit.attached_to or "")
    return unit.state != "inactive" and (carrier is None or carrier.state not in GONE)


@CHAPTER.effect(VictoryMet)
@CHAPTER.effect(FacilityHeld)
@CHAPTER.effect(TargetDestroyed)
def victory_met(state: Board, event: VictoryMet | FacilityHeld | TargetDestroyed) -> Rows:
    """The side is among those whose condition is met."""
    battle = _battle(state)
    return {("battle", "now"): replace(battle, met=(*battle.met, str(event.side)))}
