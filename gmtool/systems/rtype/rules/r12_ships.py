"""Chapter 12, ships: stowing, launching, what stowed craft gain, and what becomes of them when the ship is lost."""

from typing import Annotated, NamedTuple

from gmtool.kernel.case import Case
from gmtool.kernel.refusal import Id, Word
from gmtool.kernel.state import Rows, replace
from gmtool.kernel.system import Chapter
from gmtool.kernel.words import Arg, number
from gmtool.systems.rtype.book import Book
from gmtool.systems.rtype.model import GRADES, RC, Board, Unit
from gmtool.systems.rtype.rules.r02_turn import CHAPTER as TURN
from gmtool.systems.rtype.rules.r02_turn import in_phase, may_act
from gmtool.systems.rtype.rules.r03_move import CHAPTER as MOVES
from gmtool.systems.rtype.rules.r03_move import Moved, MovedFree, move_value
from gmtool.systems.rtype.rules.r10_damage import CHAPTER as DAMAGE
from gmtool.systems.rtype.rules.r10_damage import PilotAdrift
from gmtool.systems.rtype.rules.r12_support import CHAPTER as SUPPORT
from gmtool.systems.rtype.rules.r12_support import hurt_craft, make_whole, replenish
from gmtool.systems.rtype.rules.r26_resources import can_pay, cost_of, pay, unload
from gmtool.systems.rtype.words import UNIT

CHAPTER = Chapter("12 ships", needs=(TURN, MOVES, DAMAGE, SUPPORT))
AnyCase = Case[Board, Book]
ABOARD = "stowed"
SETUP, NEW, SERVED = "setup", "unserved", "served"
"""How long a unit has been aboard: since set-up, not yet served, served once (RT-12.16)."""
WORSE = GRADES[GRADES.index("B") :]
"""Grades that no ship cleans (RT-12.6)."""


class Stow(NamedTuple):
    """A craft or an inactive force is taken aboard a ship."""

    unit: Annotated[str, Arg(UNIT)]
    ship: Annotated[str, Arg(UNIT)]


class Launch(NamedTuple):
    """A stowed unit starts from its ship and moves so many hexes."""

    unit: Annotated[str, Arg(UNIT)]
    hexes: Annotated[int, Arg(number("hexes", 1, 200))] = 1


class Served(NamedTuple):
    """What the newly stowed units of a side gain at the start of its phase (RT-2.7, 12.5)."""

    side: str


class ShipLost(NamedTuple):
    """A ship is gone, and what was aboard with it (RT-12.18)."""

    ship: str


class Stowed(NamedTuple):
    """A unit is aboard a ship."""

    unit: Id
    ship: Id
    berthed: str


class StowingSpent(NamedTuple):
    """Stowing was the craft's action."""

    unit: Id


class Launched(NamedTuple):
    """A unit has left its ship; ``state`` is what it is outside."""

    unit: Id
    ship: Id
    state: str


class ServedAboard(NamedTuple):
    """A stowed unit has had what its ship gives, once for this stay."""

    unit: Id


class Decontaminated(NamedTuple):
    """A unit's coefficient has fallen by one grade."""

    unit: Id
    before: Word
    after: Word


class LostAboard(NamedTuple):
    """A stowed unit is lost with its ship."""

    unit: Id
    ship: Id


def setting_up(state: Board) -> bool:
    """Whether stowing is set-up: no battle is on, or its first initiative is still to be rolled (RT-1.5)."""
    battle = state.battle
    return battle is None or battle.phase in {"setup", "over"} or (battle.turn == 1 and battle.phase == "initiative")


def aboard(state: Board, ship: str) -> list[tuple[str, Unit]]:
    """The units that a ship carries, as the board lists them."""
    carried = [(id, unit) for id, unit in state.units.items() if unit.aboard == ship and unit.state == ABOARD]
    return sorted(carried, key=lambda entry: entry[1].order)


@CHAPTER.rule(Stow)
def stow(case: AnyCase, command: Stow) -> None:
    """In set-up free; else the craft's action, the ship's never; an inactive force costs nobody's (RT-12.5, 12.14)."""
    unit, ship = case.state.units[command.unit], case.state.units[command.ship]
    _can_carry(case, command, unit, ship)
    setup = setting_up(case.state)
    rule, spent = "RT-1.5", False
    if not setup and case.book.is_force(unit.sheet) and unit.state == "inactive":
        rule = "RT-4.9"
        in_phase(case, command.ship)
    elif not setup:
        rule, spent = "RT-12.5", case.choice("rt-12.14") == "spent"
        may_act(case, command.unit, "RT-2.5")
    elif unit.state != "active":
        case.forbid("not-active", "RT-1.5", unit=Id(command.unit))
    for id in _together(case, command.unit):
        case.emit(Stowed(Id(id), Id(command.ship), SETUP if setup else NEW), rule)
        unload(case, id)
    if spent:
        case.keep(StowingSpent(Id(command.unit)), "RT-12.14")
    case.result(aboard=_berths(case, command.ship))


def _together(case: AnyCase, id: str) -> tuple[str, ...]:
    """A craft with the force attached to it, if there is one."""
    force = case.state.units[id].attached_to
    return (id, force) if force else (id,)


def _berths(case: AnyCase, ship: str) -> int:
    """How many berths are taken: a craft with its attached force counts 1, a force alone too (RT-12.5, 12.18)."""
    carried = [unit for _, unit in aboard(case.state, ship)]
    return sum(1 for unit in carried if not (case.book.is_force(unit.sheet) and unit.attached_to))


def _can_carry(case: AnyCase, command: Stow, unit: Unit, ship: Unit) -> None:
    """Whether the ship takes the unit; that it stands on the ship's body hex is the GM's word (RT-1.5, 12.5)."""
    two = Id(command.unit), Id(command.ship)
    if not case.book.sheet(ship.sheet).capacity:
        raise case.refuse("bad-value", "RT-12.5", key="no-ship", ship=two[1])
    if unit.state == ABOARD and unit.aboard:
        raise case.refuse("bad-value", "RT-12.5", key="aboard-already", unit=two[0], ship=Id(unit.aboard))
    if ship.side != unit.side:
        key = "foreign-force-aboard" if case.book.is_force(unit.sheet) and unit.state == "inactive" else "no-friend"
        raise case.refuse("bad-value", "RT-4.10" if key != "no-friend" else "RT-12.5", key=key, unit=two[0])
    if case.book.is_force(unit.sheet) and unit.attached_to:
        raise case.refuse("bad-value", "RT-12.5", key="stow-its-craft", unit=two[0], craft=Id(unit.attached_to))
    if unit.decoy_of:
        case.forbid("no-room", "RT-12.10", key="decoy-stays-out", unit=two[0])
    sheet = case.book.sheet(unit.sheet)
    if "uncarriable" in sheet.functions or sheet.squad == "ship":
        case.forbid("no-room", "RT-1.5", key="uncarriable", unit=two[0])
    if ship.state != "active":
        case.forbid("not-active", "RT-12.5", unit=two[1])
    capacity, taken = case.book.sheet(ship.sheet).capacity, _berths(case, command.ship)
    if taken >= capacity:
        case.forbid("no-room", "RT-12.5", ship=two[1], capacity=capacity, taken=taken)


@CHAPTER.effect(Stowed)
def stowed(state: Board, event: Stowed) -> Rows:
    """Off the board, aboard."""
    unit = state.units[event.unit]
    row = replace(unit, state=ABOARD, aboard=str(event.ship), berthed=event.berthed, at=None)
    return {("units", event.unit): row}


@CHAPTER.effect(StowingSpent)
def stowing_spent(state: Board, event: StowingSpent) -> Rows:
    """The craft has acted."""
    return {("units", event.unit): replace(state.units[event.unit], acted=True)}


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
    state = _outside(case, unit)
    for id in _together(case, command.unit):
        case.emit(Launched(Id(id), Id(unit.aboard), state), "RT-1.5" if setup else "RT-12.7")
    if not setup and state == "active":
        _start(case, command.unit, command.hexes)


def _may_launch(case: AnyCase, id: str, unit: Unit) -> None:
    """In its side's phase, the ship in action, the craft not spent and with fuel for the hex (RT-12.7, 12.20)."""
    ship = unit.aboard or ""
    in_phase(case, id, (ABOARD,))
    if case.state.units[ship].state != "active":
        case.forbid("not-active", "RT-12.7", unit=Id(ship))
    if unit.acted:
        case.forbid("already-acted", "RT-12.7", unit=Id(id))
    if unit.fuel == 0:
        case.forbid("no-fuel", "RT-12.20", unit=Id(id))


def _start(case: AnyCase, id: str, hexes: int) -> None:
    """The move off the ship; it ends nobody's steps, the ship's least of all (RT-2.6, 3.1, 3.4, 12.20)."""
    unit = case.state.units[id]
    value = move_value(case, unit)
    if unit.moved + hexes > value:
        left = max(0, value - unit.moved)
        case.forbid("too-far", "RT-3.1", unit=Id(id), hexes=hexes, left=left, value=value)
    possible = hexes if unit.fuel is None else min(hexes, unit.fuel)
    fuel = None if unit.fuel is None else unit.fuel - possible
    case.cite("RT-12.20")
    if fuel is None:
        case.emit(MovedFree(Id(id), possible), "RT-3.1")
    else:
        case.emit(Moved(Id(id), possible, fuel), "RT-3.4")
    if possible < hexes:
        case.warn("fuel-out", "RT-3.4", unit=Id(id), short=hexes - possible)
    case.result(hexes=possible, fuel=fuel)


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
    return {("units", event.unit): replace(unit, state=event.state, aboard=None, berthed="")}


@CHAPTER.rule(Served)
def served(case: AnyCase, command: Served) -> None:
    """Whoever was stowed since the last phase, once; those aboard since set-up gain nothing (RT-12.5, 12.16)."""
    for id, unit in case.state.of_side(command.side):
        if unit.state == ABOARD and unit.berthed == NEW and not (case.book.is_force(unit.sheet) and unit.attached_to):
            _serve(case, command.side, id)


def _serve(case: AnyCase, side: str, id: str) -> None:
    """A craft and its attached force, for one repair of the craft; not paid: fuel, ammunition, decontamination."""
    cost = cost_of(case, id)
    paid = can_pay(case, side, cost)
    if paid:
        pay(case, side, cost, f"pay.{side}.{id}")
    else:
        case.warn("served-unpaid", "RT-12.16", unit=Id(id), side=Id(side), cost=cost)
    for each in _together(case, id):
        case.emit(ServedAboard(Id(each)), "RT-12.16")
        replenish(case, each, "RT-12.5")
        if paid:
            _restore(case, each)
        _decontaminate(case, each)


def _restore(case: AnyCase, id: str) -> None:
    """Lost RC craft while replacements last, then all hit points (RT-12.5, 12.16)."""
    unit = case.state.units[id]
    lost = [craft for craft in RC if unit.hp.get(craft) == 0]
    for craft in [*lost[: unit.replacements], *hurt_craft(case, unit)]:
        make_whole(case, id, craft, "RT-12.5")


def _decontaminate(case: AnyCase, id: str) -> None:
    """One grade better, not beyond the sheet's own; at B or worse none, the ship suffers instead (RT-12.6, 25.3)."""
    unit = case.state.units[id]
    grade = GRADES.index(unit.grade)
    if unit.grade in WORSE:
        case.cite("RT-12.6")
    elif grade > GRADES.index(case.book.sheet(unit.sheet).grade):
        case.emit(Decontaminated(Id(id), Word(unit.grade), Word(GRADES[grade - 1])), "RT-12.5")


@CHAPTER.effect(ServedAboard)
def served_aboard(state: Board, event: ServedAboard) -> Rows:
    """It has had what this stay gives."""
    return {("units", event.unit): replace(state.units[event.unit], berthed=SERVED)}


@CHAPTER.effect(Decontaminated)
def decontaminated(state: Board, event: Decontaminated) -> Rows:
    """The unit's grade."""
    return {("units", event.unit): replace(state.units[event.unit], grade=str(event.after))}


@CHAPTER.rule(ShipLost)
def ship_lost(case: AnyCase, command: ShipLost) -> None:
    """All that was aboard is lost; the pilots escape without a roll (RT-11.1, 12.18)."""
    for id, unit in aboard(case.state, command.ship):
        case.emit(LostAboard(Id(id), Id(command.ship)), "RT-12.18")
        if unit.pilot:
            case.emit(PilotAdrift(Id(unit.pilot), Id(id)), "RT-11.1")
        if any(row.led_by == id for row in case.state.units.values()):
            from gmtool.systems.rtype.rules.r04_force import ForceLeft

            case.follow(ForceLeft(id))


@CHAPTER.effect(LostAboard)
def lost_aboard(state: Board, event: LostAboard) -> Rows:
    """Gone with the ship."""
    unit = state.units[event.unit]
    return {("units", event.unit): replace(unit, state="lost", aboard=None, berthed="")}
