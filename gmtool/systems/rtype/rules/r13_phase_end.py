"""Chapter 13: the end of a phase and of a turn: who has not acted, contamination, charge, whose turn it is."""

from typing import Annotated, NamedTuple

from gmtool.kernel.case import Case
from gmtool.kernel.refusal import Id
from gmtool.kernel.state import Map, Rows, replace
from gmtool.kernel.system import Chapter
from gmtool.kernel.words import Flag
from gmtool.systems.rtype import lay
from gmtool.systems.rtype.book import Book
from gmtool.systems.rtype.model import GRADES, Battle, Board, Unit
from gmtool.systems.rtype.rules.r02_turn import CHAPTER as TURN
from gmtool.systems.rtype.rules.r02_turn import Passed, battle_on, begin, end_marks

CHAPTER = Chapter("13", needs=[TURN])
AnyCase = Case[Board, Book]
PRESENT = ("active", "inactive", "subspace")


class EndPhase(NamedTuple):
    """The acting side's phase ends, whether or not all its units have acted."""

    rest: Annotated[bool, Flag("--rest")] = False


class Close(NamedTuple):
    """What is left of the end of a phase once contamination is through: charge, then the next phase or turn."""


class NextTurn(NamedTuple):
    """A new turn, once the end of the old one is through."""


class Charged(NamedTuple):
    """A unit has gained a charge stage."""

    unit: Id
    before: int
    after: int


class TurnBegun(NamedTuple):
    """A new turn, with a new initiative to roll."""

    turn: int


@CHAPTER.rule(EndPhase)
def end_phase(case: AnyCase, command: EndPhase) -> None:
    """Contamination first, then charge, then the other side's phase or a new turn (RT-13.1 to 13.3, 13.8)."""
    battle = battle_on(case)
    if battle.phase not in {"first", "second"}:
        raise case.refuse("wrong-phase", "RT-13.1", key="no-phase-yet", turn=battle.turn)
    open_things = case.state.ids("due")
    if open_things:
        case.forbid("due-open", "RT-13.8", n=len(open_things), due=open_things)
    side = battle.acting or ""
    waiting = [Id(id) for id, unit in case.state.of_side(side) if unit.state == "active" and not unit.acted]
    if command.rest:
        for id in waiting:
            case.emit(Passed(id), "RT-2.7")
    elif waiting:
        case.warn("not-acted", "RT-13.1", units=waiting)
    if _threatened(case, side) and case.choice("rt-13.7") == "phase":
        _contaminate(case, (side,), "phase")
    case.follow(Close())


@CHAPTER.rule(Close)
def close(case: AnyCase, command: Close) -> None:
    """The side's craft gain a stage; then the other side's phase, or the end of the turn (RT-13.2, 13.3)."""
    battle = battle_on(case)
    _charge(case, battle.acting or "")
    end_marks(case, next(side for side in battle.sides if side != battle.acting))
    if battle.phase == "first":
        begin(case, "second", battle.order)
        return
    _end_of_turn(case, battle)
    case.follow(NextTurn())


def _charge(case: AnyCase, side: str) -> None:
    """One stage more for each of the side's craft that is neither stowed nor in subspace; no limit (RT-13.2, 13.6)."""
    for id, unit in case.state.of_side(side):
        if unit.state in {"active", "inactive"}:
            case.emit(Charged(Id(id), unit.charge, unit.charge + case.book.figures.charge_gain), "RT-13.2")


@CHAPTER.effect(Charged)
def charged(state: Board, event: Charged) -> Rows:
    """The unit's charge stage."""
    return {("units", event.unit): replace(state.units[event.unit], charge=event.after)}


def _end_of_turn(case: AnyCase, battle: Battle) -> None:
    """Ships with contaminated craft aboard, units that rammed; by the other reading all else (RT-13.7, 25.6)."""
    rising = any(_rises(case, unit) for unit in case.state.units.values() if unit.side in battle.sides)
    late = any(_threatened(case, side) for side in battle.order)
    if (rising or late) and case.choice("rt-13.7") == "turn":
        _contaminate(case, battle.order, "all")
    elif rising:
        _contaminate(case, battle.order, "turn")


def _contaminate(case: AnyCase, sides: tuple[str, ...], when: str) -> None:
    # most phases end without: their chapter is not even imported
    from gmtool.systems.rtype.rules.r25_contamination import Contamination

    for side in sides:
        case.follow(Contamination(side, when))


@CHAPTER.rule(NextTurn)
def next_turn(case: AnyCase, command: NextTurn) -> None:
    """After both phases a new turn begins (RT-13.3)."""
    case.emit(TurnBegun(battle_on(case).turn + 1), "RT-13.3")


@CHAPTER.effect(TurnBegun)
def turn_begun(state: Board, event: TurnBegun) -> Rows:
    """The initiative of the turn before no longer counts (RT-2.4)."""
    battle = state.battle
    assert battle is not None
    fresh = replace(battle, turn=event.turn, phase="initiative", acting=None, current=None)
    return {("battle", "now"): replace(fresh, winner=None, order=(), totals=Map())}


# who is checked for contamination


def steps(grade: str, over: str) -> int:
    """How many steps a grade is worse than another; none where it is not (RT-25.5)."""
    return max(0, GRADES.index(grade) - GRADES.index(over))


def exposed(case: AnyCase, unit: Unit) -> bool:
    """Whether a unit is checked: in the battle, not stowed, no decoy and no Bydo (RT-25.2, 25.10)."""
    return unit.state in PRESENT and unit.decoy_of is None and not case.book.sheet(unit.sheet).bydo


def worst_bydo(case: AnyCase, near: str = "") -> str | None:
    """The Bydo unit of the worst grade in action, if it is A or worse; the first listed of equals (RT-25.7, 25.11).

    ``near`` a unit that stands on the map: of those within 3 hexes of it only.
    """
    sides = battle_on(case).sides
    found = [
        (GRADES.index(unit.grade), -unit.order, id)
        for id, unit in case.state.units.items()
        if unit.grade in {"A", "S"} and unit.state == "active" and unit.side in sides
        if case.book.sheet(unit.sheet).bydo and (not near or _within_reach(case, near, id))
    ]
    return max(found)[2] if found else None


def _within_reach(case: AnyCase, id: str, bydo: str) -> bool:
    """Whether a Bydo threatens a unit: within 3 hexes on the map, anywhere without one (RT-25.7)."""
    if case.state.map is None:
        return True
    return lay.apart(case.state, case.book, id, bydo, case.book.figures.invasion_reach) is not None


def _threatened(case: AnyCase, side: str) -> bool:
    """Whether the end of its phase has anything to check on a side (RT-25.7, 25.8)."""
    about = worst_bydo(case) is not None
    return any(
        exposed(case, unit)
        and (unit.hurt_by_bydo or (unit.pilot and steps(unit.grade, "D")) or (about and worst_bydo(case, id)))
        for id, unit in case.state.of_side(side)
    )


def _rises(case: AnyCase, unit: Unit) -> bool:
    """Whether a unit brings a rise at the end of the turn: it paid for a ram, or rides in a ship (RT-25.4, 12.6)."""
    if unit.rammed and exposed(case, unit):
        return True
    return unit.state == "stowed" and unit.aboard is not None and steps(unit.grade, "C") > 0
