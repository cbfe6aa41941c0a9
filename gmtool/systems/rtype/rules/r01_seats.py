"""Set-up: who sits where. A pilot has one seat, a unit one pilot (RT-25.2: a Bydo unit may have one too)."""

from typing import Annotated, NamedTuple

from gmtool.kernel.case import Case
from gmtool.kernel.refusal import Id, Word
from gmtool.kernel.state import Rows, replace
from gmtool.kernel.system import Chapter
from gmtool.kernel.words import Arg, Flag
from gmtool.systems.rtype.absent import refused
from gmtool.systems.rtype.book import Book
from gmtool.systems.rtype.model import Board
from gmtool.systems.rtype.rules.r26_careers import boarded, stepped_out
from gmtool.systems.rtype.words import PILOT, UNIT

CHAPTER = Chapter("1 seats")
AnyCase = Case[Board, Book]
AWAY = ("adrift", "missing", "captured")


class SeatPilot(NamedTuple):
    """A pilot takes the seat of a unit; ``move``: though he sits in another one."""

    unit: Annotated[str, Arg(UNIT)]
    pilot: Annotated[str, Arg(PILOT)]
    move: Annotated[bool, Flag("--move")] = False


class Unseat(NamedTuple):
    """The pilot of a unit leaves it."""

    unit: Annotated[str, Arg(UNIT)]


class Seated(NamedTuple):
    """A pilot has taken a seat."""

    unit: Id
    pilot: Id


class LeftSeat(NamedTuple):
    """A pilot has left a unit."""

    unit: Id
    pilot: Id


def may_sit(case: AnyCase, id: str, move: bool = False) -> None:
    """Refused for the dead and for who has a seat already; the GM may force it for who is away or the Bydo's."""
    pilot = case.state.pilots[id]
    if pilot.state == "dead":
        raise case.refuse("pilot-out", "RT-26.3", key="pilot-dead", pilot=Id(id))
    if pilot.where in case.state.units and not move:
        raise case.refuse("seat-taken", "", pilot=Id(id), where=Id(pilot.where))
    if pilot.where in AWAY or pilot.state == "bydo":
        why = Word(pilot.where if pilot.where in AWAY else pilot.state)
        case.forbid("seat-taken", "RT-11.5", key="pilot-away", pilot=Id(id), why=why)


@CHAPTER.rule(SeatPilot)
def seat(case: AnyCase, command: SeatPilot) -> None:
    """A seat is free when nobody or a dead pilot is in it."""
    unit = case.state.units[command.unit]
    if unit.state in {"wrecked", "lost"}:
        raise refused(case, command.unit, "RT-11.5", "wreck-by-hand")
    may_sit(case, command.pilot, command.move and unit.pilot != command.pilot)
    if unit.pilot and case.state.pilots[unit.pilot].state != "dead":
        raise case.refuse("seat-taken", "", key="seat-full", unit=Id(command.unit), pilot=Id(unit.pilot))
    if unit.pilot:
        leave(case, command.unit)
    where = case.state.pilots[command.pilot].where
    if where in case.state.units:
        stepped_out(case, command.pilot, where)
        leave(case, where)
    case.emit(Seated(Id(command.unit), Id(command.pilot)), "")
    boarded(case, command.pilot, command.unit)


@CHAPTER.rule(Unseat)
def unseat(case: AnyCase, command: Unseat) -> None:
    """He is ashore then."""
    pilot = case.state.units[command.unit].pilot
    if not pilot:
        raise case.refuse("nothing-to-do", "", key="seat-empty", unit=Id(command.unit))
    stepped_out(case, pilot, command.unit)
    leave(case, command.unit)


def leave(case: AnyCase, unit: str) -> None:
    """The seat of a unit that has a pilot is empty from now on."""
    pilot = case.state.units[unit].pilot
    assert pilot is not None
    case.emit(LeftSeat(Id(unit), Id(pilot)), "")


def clear_the_dead(case: AnyCase) -> None:
    """A death empties the seat once the battle is over; until then it can still be put right."""
    for id, unit in case.state.units.items():
        if unit.pilot and case.state.pilots[unit.pilot].state == "dead":
            leave(case, id)


@CHAPTER.effect(Seated)
def seated(state: Board, event: Seated) -> Rows:
    """Both know of each other."""
    return {
        ("units", event.unit): replace(state.units[event.unit], pilot=str(event.pilot)),
        ("pilots", event.pilot): replace(state.pilots[event.pilot], where=str(event.unit)),
    }


@CHAPTER.effect(LeftSeat)
def left_seat(state: Board, event: LeftSeat) -> Rows:
    """The seat is empty; the pilot is ashore if this was where he sat."""
    pilot = state.pilots[event.pilot]
    where = "ashore" if pilot.where == event.unit else pilot.where
    return {
        ("units", event.unit): replace(state.units[event.unit], pilot=None),
        ("pilots", event.pilot): replace(pilot, where=where),
    }
