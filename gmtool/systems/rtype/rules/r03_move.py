"""Chapter 3: a move over the map, or where none lies on the table one of so many hexes, and the fuel for it."""

from typing import Annotated, NamedTuple

from gmtool.kernel.case import Case
from gmtool.kernel.refusal import Id, Refused
from gmtool.kernel.state import Rows, replace
from gmtool.kernel.system import Chapter
from gmtool.kernel.words import Arg, Flag
from gmtool.systems.rtype.absent import refused
from gmtool.systems.rtype.book import Book, move_value
from gmtool.systems.rtype.lay import OUT_OF_ALL
from gmtool.systems.rtype.model import Board, Unit
from gmtool.systems.rtype.rules.r02_turn import CHAPTER as TURN
from gmtool.systems.rtype.rules.r02_turn import (
    HELD,
    TAKING_STEPS,
    acted_already,
    acted_now,
    begin_steps,
    in_phase,
    steps,
)
from gmtool.systems.rtype.rules.r03_ways import fuel_each
from gmtool.systems.rtype.rules.r05_subspace import CHAPTER as SUBSPACE_CHAPTER
from gmtool.systems.rtype.rules.r05_subspace import SUBSPACE, SubspaceEmpty
from gmtool.systems.rtype.words import UNIT
from gmtool.systems.rtype.words_map import TO, WAY

CHAPTER = Chapter("3", needs=(TURN, SUBSPACE_CHAPTER))
AnyCase = Case[Board, Book]


class Move(NamedTuple):
    """A unit moves: over these hexes, to one of them, or where there is no map so many hexes.

    ``facing`` is how it faces at the end; ``on``: the move goes on with another line, nothing is searched yet.
    """

    unit: Annotated[str, Arg(UNIT)]
    hexes: Annotated[tuple[str, ...], Arg(WAY, many=True)]
    facing: Annotated[str, Flag("--left", "left"), Flag("--right", "right")] = ""
    on: Annotated[bool, Flag("--on")] = False


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
    """Over the map where the unit stands on it, else so many hexes by the GM's word (RT-3.1)."""
    # journals from before the map hold a number
    words = (str(command.hexes),) if isinstance(command.hexes, int | str) else command.hexes
    if case.state.units[command.unit].at is not None:
        from gmtool.systems.rtype.rules.r03_walk import Walk

        case.follow(Walk(command.unit, words, command.facing, command.on))
        return
    unit = may_move(case, command.unit, False)
    number = words[0] if len(words) == 1 and len(words[0]) < 4 and words[0] != TO else ""
    if number:
        _count(case, command.unit, unit, int(number))
    else:
        raise refused_out(case, command.unit) or case.refuse(
            "bad-value", "RT-3.1", key="stands-nowhere", unit=Id(command.unit)
        )


def refused_out(case: AnyCase, id: str) -> Refused | None:
    """Why a unit stands nowhere, where it is carried or gone (RT-10.9, 12.18)."""
    state = case.state.units[id].state
    return refused(case, id, HELD.get(state, "RT-10.9")) if state in OUT_OF_ALL else None


def go_on(case: AnyCase, id: str, unit: Unit, hexes: int, each: int = 1) -> tuple[int, int | None]:
    """So many hexes, or as far as the fuel is enough at ``each`` a hex: how far, and what fuel is left (RT-3.4)."""
    possible = hexes if unit.fuel is None else min(hexes, unit.fuel // each)
    fuel = None if unit.fuel is None else unit.fuel - possible * each
    if fuel is None:
        case.emit(MovedFree(Id(id), possible), "RT-3.1")
    else:
        case.emit(Moved(Id(id), possible, fuel), "RT-3.4")
    if possible < hexes:
        case.warn("fuel-out", "RT-3.4", unit=Id(id), short=hexes - possible)
    case.result(hexes=possible, fuel=fuel)
    return possible, fuel


def _count(case: AnyCase, id: str, unit: Unit, hexes: int) -> None:
    """Up to the move value in all, one fuel for each hex; it stops where the fuel ends (RT-3.1, 3.4).

    In subspace twice as far for twice the fuel (RT-5.2).
    """
    if hexes:
        _not_stopped(case, id, unit)
    _in_reach(case, id, unit, hexes)
    each = fuel_each(case.book, unit)
    if unit.fuel is not None and hexes and unit.fuel < each:
        _short_of_fuel(case, id, unit.fuel, each)
    if unit.state == SUBSPACE:
        case.cite("RT-5.2")
    possible, fuel = go_on(case, id, unit, hexes, each)
    if possible:
        begin_steps(case, id)
    if unit.state == SUBSPACE and fuel == 0:
        case.follow(SubspaceEmpty(id))


def _short_of_fuel(case: AnyCase, id: str, fuel: int, each: int) -> None:
    """Refused: no fuel at all, or not enough for a hex of subspace (RT-3.4, 5.2)."""
    if fuel:
        case.forbid("no-fuel", "RT-5.2", key="fuel-short", unit=Id(id), fuel=fuel, need=each)
    else:
        case.forbid("no-fuel", "RT-3.4", unit=Id(id))


def may_move(case: AnyCase, id: str, steps_on: bool = True) -> Unit:
    """The unit, if it may move now: no move after an action or a search, none for what is carried (RT-2.5, 4.1).

    Who made a decoy before moving has acted and may still move (RT-12.10).
    """
    unit = in_phase(case, id, TAKING_STEPS)
    if unit.attached_to and case.book.is_force(unit.sheet):
        raise case.refuse("bad-value", "RT-4.1", key="carried", unit=Id(id), by=Id(unit.attached_to))
    if unit.may_move:
        case.cite("RT-12.10")
    elif acted_now(case, unit):
        acted_already(case, id, unit, "RT-2.5")
    if steps_on:
        _not_stopped(case, id, unit)
    steps(case, id)
    return unit


def _not_stopped(case: AnyCase, id: str, unit: Unit) -> None:
    """Refused where the unit's move is over (RT-2.5)."""
    if unit.stopped:
        case.forbid("too-far", "RT-2.5", key="moves-no-more", unit=Id(id))


def _in_reach(case: AnyCase, id: str, unit: Unit, hexes: int) -> None:
    """Refused beyond the move value, which holds for the phase, not for each line (RT-3.1)."""
    value = move_value(case.book, unit)
    if unit.moved + hexes > value:
        left = max(0, value - unit.moved)
        case.forbid("too-far", "RT-3.1", unit=Id(id), hexes=hexes, left=left, value=value)


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
