"""Chapter 12, ships: launching what is stowed (RT-12.7, 12.20), putting out a captured force (RT-4.10)."""

from typing import Annotated, NamedTuple

from gmtool.kernel.case import Case
from gmtool.kernel.hex import distance
from gmtool.kernel.refusal import Id, Refused
from gmtool.kernel.state import Rows, replace
from gmtool.kernel.system import Chapter
from gmtool.kernel.words import Arg, Flag
from gmtool.systems.rtype import lay
from gmtool.systems.rtype.absent import not_active
from gmtool.systems.rtype.book import Book, move_value
from gmtool.systems.rtype.model import Board, Unit
from gmtool.systems.rtype.rules.r02_turn import CHAPTER as TURN
from gmtool.systems.rtype.rules.r02_turn import acted_now, in_phase
from gmtool.systems.rtype.rules.r03_move import CHAPTER as MOVES
from gmtool.systems.rtype.rules.r03_move import go_on
from gmtool.systems.rtype.rules.r03_walk import CHAPTER as WALKS
from gmtool.systems.rtype.rules.r03_walk import Walk
from gmtool.systems.rtype.rules.r12_ships import ABOARD, CAPTURED, setting_up, together
from gmtool.systems.rtype.words import UNIT
from gmtool.systems.rtype.words_map import TO, WAY

CHAPTER = Chapter("12 launch", needs=(TURN, MOVES, WALKS))
AnyCase = Case[Board, Book]


class Launch(NamedTuple):
    """A stowed unit starts from its ship: over these hexes, to one of them, or without a map so many hexes."""

    unit: Annotated[str, Arg(UNIT)]
    hexes: Annotated[tuple[str, ...], Arg(WAY, many=True)] = ("1",)
    facing: Annotated[str, Flag("--left", "left"), Flag("--right", "right")] = ""


class Launched(NamedTuple):
    """A unit has left its ship; ``state`` is what it is outside."""

    unit: Id
    ship: Id
    state: str
    facing: str | None = None


class PutOut(NamedTuple):
    """A force that nobody controls lies in a hex next to the ship it was in."""

    unit: Id
    at: str


@CHAPTER.rule(Launch)
def launch(case: AnyCase, command: Launch) -> None:
    """From wherever the ship is; it is the craft's move, and free for the ship (RT-7.2, 12.7, 12.20)."""
    unit = case.state.units[command.unit]
    if unit.state != ABOARD or unit.aboard is None:
        raise case.refuse("bad-value", "RT-12.7", key="not-aboard", unit=Id(command.unit))
    if case.book.is_force(unit.sheet) and unit.attached_to:
        craft = Id(unit.attached_to)
        raise case.refuse("bad-value", "RT-12.7", key="launch-its-craft", unit=Id(command.unit), craft=craft)
    setup = setting_up(case.state)
    if not setup:
        _may_launch(case, command.unit, unit)
    # journals from before the map hold a number
    words = command.hexes if isinstance(command.hexes, tuple) else (str(command.hexes),)
    ship = case.state.units[unit.aboard]
    start = None if setup else lay.spot(case.state, ship)
    state = _outside(case, unit)
    for id in together(case, command.unit):
        case.emit(Launched(Id(id), Id(unit.aboard), state, ship.facing), "RT-1.5" if setup else "RT-12.7")
    if setup:
        return
    if start is not None:
        _over_the_map(case, command.unit, unit.aboard, words, command.facing, state)
    elif state == "active":
        _start(case, command.unit, _counted(case, command.unit, words))


def _counted(case: AnyCase, id: str, words: tuple[str, ...]) -> int:
    """The number of hexes where no map says which."""
    if len(words) != 1 or len(words[0]) > 3 or words[0] in {TO, "0"}:
        raise case.refuse("bad-value", "RT-12.7", key="stands-nowhere", unit=Id(id))
    return int(words[0])


def _over_the_map(case: AnyCase, id: str, ship: str, words: tuple[str, ...], facing: str, state: str) -> None:
    """From the ship's body hex; a force that nobody controls is put out next to the ship (RT-4.10, 12.20)."""
    if any(word != TO and len(word) < 4 for word in words) or words[-1] == TO:
        raise Refused("bad-value", key="launch-where", rule="RT-12.7", exit=2, facts={"unit": Id(id)})
    if state == "active":
        case.cite("RT-12.20")
        start = case.state.units[ship].at or ""
        case.follow(Walk(id, words, facing, start=start))
        return
    hex = lay.hex_of(case.state, words[-1])
    bar = lay.no_room(case.state, case.book, (hex,), (id,))
    if bar:
        case.forbid("no-room", bar.rule, key=bar.key, unit=Id(id), **bar.facts)
    if min(distance(hex, each) for each in lay.covered(case.state, case.book, ship)) != 1:
        case.forbid("not-adjacent", "RT-4.10", key="put-out-beside", unit=Id(id), ship=Id(ship), hex=words[-1])
    case.emit(PutOut(Id(id), words[-1]), "RT-4.10")


def _may_launch(case: AnyCase, id: str, unit: Unit) -> None:
    """In its side's phase, the ship in action, the craft not spent and with fuel for the hex (RT-12.7, 12.20)."""
    ship = unit.aboard or ""
    in_phase(case, id, (ABOARD,))
    if case.state.units[ship].state != "active":
        not_active(case, ship, "RT-12.7")
    if acted_now(case, unit):
        case.forbid("already-acted", "RT-12.7", unit=Id(id))
    if unit.fuel == 0:
        case.forbid("no-fuel", "RT-12.20", unit=Id(id))
    if unit.berthed == CAPTURED:
        case.forbid("not-active", "RT-4.10", key="not-ready-yet", unit=Id(id), ship=Id(ship))


def _start(case: AnyCase, id: str, hexes: int) -> None:
    """The move off the ship; it ends nobody's steps, the ship's least of all (RT-2.6, 3.1, 3.4, 12.20)."""
    unit = case.state.units[id]
    value = move_value(case.book, unit)
    if unit.moved + hexes > value:
        left = max(0, value - unit.moved)
        case.forbid("too-far", "RT-3.1", unit=Id(id), hexes=hexes, left=left, value=value)
    case.cite("RT-12.20")
    go_on(case, id, unit, hexes)


def _outside(case: AnyCase, unit: Unit) -> str:
    """What a unit is off the ship: in action, but a force that no craft in action controls is inactive (RT-4.9)."""
    if not case.book.is_force(unit.sheet):
        return "active"
    leader = case.state.units.get(unit.led_by or "")
    return "active" if leader and leader.state == "active" else "inactive"


@CHAPTER.effect(Launched)
def launched(state: Board, event: Launched) -> Rows:
    """On the board again."""
    unit = state.units[event.unit]
    return {("units", event.unit): replace(unit, state=event.state, aboard=None, berthed="", facing=event.facing)}


@CHAPTER.effect(PutOut)
def put_out(state: Board, event: PutOut) -> Rows:
    """Where it lies."""
    return {("units", event.unit): replace(state.units[event.unit], at=event.at)}
