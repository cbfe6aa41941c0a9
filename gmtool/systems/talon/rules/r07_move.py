"""Chapters 7, 10.2 and 14: a ship moves one hex, by its speed or an afterburner; a base turns."""

from typing import Annotated, NamedTuple

from gmtool.kernel.case import Case
from gmtool.kernel.refusal import Id, Word
from gmtool.kernel.state import Rows, replace
from gmtool.kernel.system import Chapter
from gmtool.kernel.words import Arg
from gmtool.systems.talon.book import Book
from gmtool.systems.talon.grid import FACINGS, ahead, label, read
from gmtool.systems.talon.model import HELD_TURN, Board, Ship
from gmtool.systems.talon.rules.r03_time import battle_on, in_step
from gmtool.systems.talon.rules.r07_enter import Entered
from gmtool.systems.talon.rules.r07_forced import CHAPTER as FORCED
from gmtool.systems.talon.rules.r07_forced import CounterOut, SlipGone
from gmtool.systems.talon.words import SHIP
from gmtool.systems.talon.words_engine import (  # fmt: skip
    AHEAD,
    BURNER_WAY,
    CLOCKWISE,
    LEFT,
    MOVER,
    RIGHT,
    SLIP_LEFT,
    SLIP_RIGHT,
    WAY,
)

CHAPTER = Chapter("7", needs=(FORCED,))
AnyCase = Case[Board, Book]
ASIDE = {LEFT: -1, RIGHT: 1, SLIP_LEFT: -1, SLIP_RIGHT: 1}
"""To which hand a way leads: the facing less or more one."""
HELM_DOWN = "helm-down"
TURNS, SLIPS = (LEFT, RIGHT), (SLIP_LEFT, SLIP_RIGHT)


class Go(NamedTuple):
    """A ship makes the move its speed calls for; a base turns clockwise, also when no way is said."""

    ship: Annotated[str, Arg(MOVER)]
    way: Annotated[str, Arg(WAY)] = ""


class Afterburner(NamedTuple):
    """A ship that is not due to move uses an afterburner to do so."""

    ship: Annotated[str, Arg(SHIP)]
    way: Annotated[str, Arg(BURNER_WAY)]


class Moved(NamedTuple):
    """A ship has moved a hex."""

    unit: Id
    way: Word
    hex: str
    facing: Word
    counter: int


class Steered(NamedTuple):
    """A ship has moved in a battle without a board."""

    unit: Id
    way: Word
    counter: int


class Rotated(NamedTuple):
    """A base has turned by one hexside."""

    unit: Id
    facing: Word


class Burned(NamedTuple):
    """A box of afterburners is marked off."""

    unit: Id
    left: int


@CHAPTER.rule(Go)
def go(case: AnyCase, command: Go) -> None:
    """A ship whose speed is listed moves, once in an impulse (TL-4.1, 7.1, 14)."""
    id = command.ship
    if id in case.state.missiles:
        from gmtool.systems.talon.rules.r13_move import MissileMove

        case.follow(MissileMove(id, command.way))
        return
    ship = in_step(case, id, "move")
    impulse = battle_on(case).impulse
    if ship.moved:
        case.forbid("has-moved", "TL-5.1", unit=Id(id))
    elif ship.speed not in case.book.listed(impulse):
        key = "not-due" if ship.burners < case.book.ship_class(ship.sheet).afterburners else "not-due-at-all"
        when = list(case.book.impulses_of(ship.speed)) or ["-"]
        case.forbid("too-far", "TL-4.1", key=key, unit=Id(id), speed=ship.speed, impulse=impulse, when=when)
    if case.book.ship_class(ship.sheet).kind == "base":
        _rotate(case, id, ship, command.way)
        return
    _may(case, id, ship, command.way)
    step(case, id, command.way)


def _rotate(case: AnyCase, id: str, ship: Ship, way: str) -> None:
    """One hexside clockwise; a base goes nowhere (TL-14)."""
    if way not in ("", CLOCKWISE):
        raise case.refuse("no-function", "TL-14", key="base-stays", unit=Id(id))
    if ship.at is None:
        case.emit(Steered(Id(id), Word(CLOCKWISE), 0), "TL-14")
        return
    case.emit(Rotated(Id(id), Word(FACINGS[((ship.facing or 0) + 1) % 6])), "TL-14")


@CHAPTER.rule(Afterburner)
def afterburner(case: AnyCase, command: Afterburner) -> None:
    """A move more, by the usual rules, one in an impulse and none where the ship is due to move (TL-10.2)."""
    id = command.ship
    ship = in_step(case, id, "move")
    most, impulse = case.book.ship_class(ship.sheet).afterburners, battle_on(case).impulse
    if ship.burned:
        case.forbid("once-only", "TL-10.2.3", key="burned-already", unit=Id(id))
    elif ship.speed in case.book.listed(impulse):
        case.forbid("has-moved", "TL-10.2.2", key="due-anyway", unit=Id(id), speed=ship.speed, impulse=impulse)
    if ship.burners >= most:
        key = "no-afterburner" if most else "no-afterburners"
        raise case.refuse("no-fuel", "TL-10.2.1", key=key, unit=Id(id), of=most)
    _may(case, id, ship, command.way, burner=True)
    case.emit(Burned(Id(id), most - ship.burners - 1), "TL-10.2.2")
    step(case, id, command.way, burner=True)


def _may(case: AnyCase, id: str, ship: Ship, way: str, burner: bool = False) -> None:
    """Straight, or a turn without a turn counter, or a slip with a slip marker; straight only with the helm down."""
    if way in ("", CLOCKWISE):
        raise case.refuse("bad-value", "TL-7.1", key="which-way", unit=Id(id))
    if way != AHEAD and is_bound(case, ship, burner):
        case.forbid("beyond-limits", "TL-8.5", key="helm-down", unit=Id(id))
    if way in TURNS and ship.counter:
        case.forbid("beyond-limits", "TL-7.2.2", key="counter-out", unit=Id(id), counter=ship.counter)
    elif way in TURNS and HELD_TURN in ship.held:
        case.forbid("beyond-limits", "TL-6.1", key="counter-just-off", unit=Id(id))
    if way in SLIPS and not ship.slip:
        case.forbid("beyond-limits", "TL-7.3.2", key="no-slip-marker", unit=Id(id))


def is_bound(case: AnyCase, ship: Ship, burner: bool) -> bool:
    """Whether the helm is down; it binds an afterburner move too, but for another reading (TL-8.5, A21.20)."""
    return HELM_DOWN in ship.crits and (not burner or case.choice("tl-10.2.2-helm") == "bound")


def step(case: AnyCase, id: str, way: str, burner: bool = False) -> None:
    """The hex itself, counters and markers with it, and then whatever meets the ship there (TL-7.1 to 7.3).

    A turn leaves the counter of the turn radius behind; any other move takes one off it.
    """
    ship = case.state.ships[id]
    counter = ship.radius if way in TURNS else max(0, ship.counter - 1)
    rule = "TL-7.2.1" if way in TURNS else "TL-7.3.1" if way in SLIPS else "TL-7.1"
    if ship.at is None:
        case.emit(Steered(Id(id), Word(f"turn-{way}" if way in TURNS else way), counter), rule)
        _counters(case, id, ship, counter, way, burner)
        case.result(counter=counter)
        return
    assert ship.facing is not None
    side = (ship.facing + ASIDE.get(way, 0)) % 6
    facing = side if way in TURNS else ship.facing
    to = label(ahead(read(ship.at), side))
    case.emit(Moved(Id(id), Word(f"turn-{way}" if way in TURNS else way), to, Word(FACINGS[facing]), counter), rule)
    _counters(case, id, ship, counter, way, burner)
    case.result(at=to, facing=FACINGS[facing], counter=counter)
    case.follow(Entered(id, ship.at, "turn" if way in TURNS else "slip" if way in SLIPS else "straight"))


def _counters(case: AnyCase, id: str, ship: Ship, counter: int, way: str, burner: bool) -> None:
    """The turn counter as the move leaves it; a slip marker comes off, used or not (TL-7.2.2, 7.3.2)."""
    if counter != ship.counter:
        case.emit(CounterOut(Id(id), counter), "TL-7.2.2")
    if ship.slip and (way in SLIPS or not _keeps_slip(case, ship, burner)):
        case.emit(SlipGone(Id(id)), "TL-7.3.2")


def _keeps_slip(case: AnyCase, ship: Ship, burner: bool) -> bool:
    """A slip marker comes off though it was not used, but for other readings (A21.18, A21.20)."""
    if HELM_DOWN in ship.crits and case.choice("tl-7.3.2-helm") == "stays":
        return True
    return burner and case.choice("tl-7.3.2-burner") == "stays"


@CHAPTER.effect(Steered)
def steered(state: Board, event: Steered) -> Rows:
    """It has had its move of the impulse; where it stands is the table's to know."""
    return {("ships", event.unit): replace(state.ships[event.unit], moved=True)}


@CHAPTER.effect(Moved)
def moved(state: Board, event: Moved) -> Rows:
    """Where it stands and how it faces; it has had its move of the impulse."""
    ship = state.ships[event.unit]
    facing = FACINGS.index(event.facing)
    return {("ships", event.unit): replace(ship, at=event.hex, facing=facing, moved=True)}


@CHAPTER.effect(Rotated)
def rotated(state: Board, event: Rotated) -> Rows:
    """The new facing; it has had its turn of the impulse."""
    facing = FACINGS.index(event.facing)
    return {("ships", event.unit): replace(state.ships[event.unit], facing=facing, moved=True)}


@CHAPTER.effect(Burned)
def burned(state: Board, event: Burned) -> Rows:
    """One box less for the scenario, and none more in this impulse."""
    ship = state.ships[event.unit]
    return {("ships", event.unit): replace(ship, burners=ship.burners + 1, burned=True)}
