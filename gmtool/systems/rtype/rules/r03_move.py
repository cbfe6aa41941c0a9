"""Chapter 3 as far as it needs no map: a move of so many hexes, and the fuel for it."""

from typing import Annotated, NamedTuple

from gmtool.kernel.case import Case
from gmtool.kernel.refusal import Id
from gmtool.kernel.state import Rows, replace
from gmtool.kernel.system import Chapter
from gmtool.kernel.words import Arg, number
from gmtool.systems.rtype.book import Book
from gmtool.systems.rtype.model import Board, Unit
from gmtool.systems.rtype.rules.r02_turn import CHAPTER as TURN
from gmtool.systems.rtype.rules.r02_turn import TAKING_STEPS, begin_steps, in_phase, steps
from gmtool.systems.rtype.rules.r05_subspace import CHAPTER as SUBSPACE_CHAPTER
from gmtool.systems.rtype.rules.r05_subspace import SUBSPACE, SubspaceEmpty
from gmtool.systems.rtype.words import UNIT

CHAPTER = Chapter("3", needs=(TURN, SUBSPACE_CHAPTER))
AnyCase = Case[Board, Book]


class Move(NamedTuple):
    """A unit moves a number of hexes on the table's sheet."""

    unit: Annotated[str, Arg(UNIT)]
    hexes: Annotated[int, Arg(number("hexes", 0, 200))]


class Moved(NamedTuple):
    """A unit has moved on its fuel."""

    unit: Id
    hexes: int
    fuel: int


class MovedFree(NamedTuple):
    """A unit that needs no fuel has moved."""

    unit: Id
    hexes: int


@CHAPTER.rule(Move)
def move(case: AnyCase, command: Move) -> None:
    """Up to the move value in all, one fuel for each hex; it stops where the fuel ends (RT-3.1, 3.4).

    In subspace twice as far for twice the fuel (RT-5.2).
    """
    unit = _may_move(case, command)
    _in_reach(case, command, unit)
    each = case.book.figures.subspace_times if unit.state == SUBSPACE else 1
    if unit.fuel is not None and command.hexes and unit.fuel < each:
        _short_of_fuel(case, command.unit, unit.fuel, each)
    possible = command.hexes if unit.fuel is None else min(command.hexes, unit.fuel // each)
    fuel = None if unit.fuel is None else unit.fuel - possible * each
    if unit.state == SUBSPACE:
        case.cite("RT-5.2")
    if fuel is None:
        case.emit(MovedFree(Id(command.unit), possible), "RT-3.1")
    else:
        case.emit(Moved(Id(command.unit), possible, fuel), "RT-3.4")
    if possible < command.hexes:
        case.warn("fuel-out", "RT-3.4", unit=Id(command.unit), short=command.hexes - possible)
    if possible:
        begin_steps(case, command.unit)
    case.result(hexes=possible, fuel=fuel)
    if unit.state == SUBSPACE and fuel == 0:
        case.follow(SubspaceEmpty(command.unit))


def _short_of_fuel(case: AnyCase, id: str, fuel: int, each: int) -> None:
    """Refused: no fuel at all, or not enough for a hex of subspace (RT-3.4, 5.2)."""
    if fuel:
        case.forbid("no-fuel", "RT-5.2", key="fuel-short", unit=Id(id), fuel=fuel, need=each)
    else:
        case.forbid("no-fuel", "RT-3.4", unit=Id(id))


def _may_move(case: AnyCase, command: Move) -> Unit:
    """The unit, if it may move now: no move after an action or a search, none for what is carried (RT-2.5, 4.1).

    Who made a decoy before moving has acted and may still move (RT-12.10).
    """
    unit = in_phase(case, command.unit, TAKING_STEPS)
    if unit.attached_to and case.book.is_force(unit.sheet):
        raise case.refuse("bad-value", "RT-4.1", key="carried", unit=Id(command.unit), by=Id(unit.attached_to))
    if unit.may_move:
        case.cite("RT-12.10")
    elif unit.acted:
        case.forbid("already-acted", "RT-2.5", unit=Id(command.unit))
    if unit.stopped and command.hexes:
        case.forbid("too-far", "RT-2.5", key="moves-no-more", unit=Id(command.unit))
    steps(case, command.unit)
    return unit


def _in_reach(case: AnyCase, command: Move, unit: Unit) -> None:
    """Refused beyond the move value, which holds for the phase, not for each line (RT-3.1)."""
    value = move_value(case, unit)
    if unit.moved + command.hexes > value:
        left = max(0, value - unit.moved)
        case.forbid("too-far", "RT-3.1", unit=Id(command.unit), hexes=command.hexes, left=left, value=value)


def move_value(case: AnyCase, unit: Unit) -> int:
    """The sheet's move value; in subspace twice that (RT-5.2)."""
    value = case.book.sheet(unit.sheet).move
    return value * case.book.figures.subspace_times if unit.state == SUBSPACE else value


@CHAPTER.effect(MovedFree)
def moved_free(state: Board, event: MovedFree) -> Rows:
    """The hexes of this phase."""
    unit = state.units[event.unit]
    return {("units", event.unit): replace(unit, moved=unit.moved + event.hexes)}


@CHAPTER.effect(Moved)
def moved(state: Board, event: Moved) -> Rows:
    """Fuel and the hexes of this phase."""
    unit = state.units[event.unit]
    return {("units", event.unit): replace(unit, fuel=event.fuel, moved=unit.moved + event.hexes)}
