"""Chapter 12, ships: stowing, what stowed craft gain, and what becomes of them when the ship is lost."""

from typing import Annotated, NamedTuple

from gmtool.kernel.case import Case
from gmtool.kernel.hex import distance
from gmtool.kernel.refusal import Id, Refused, Word
from gmtool.kernel.state import Map, Rows, replace
from gmtool.kernel.system import Chapter
from gmtool.kernel.words import Arg
from gmtool.systems.rtype import lay
from gmtool.systems.rtype.absent import not_active
from gmtool.systems.rtype.book import Book
from gmtool.systems.rtype.ending import ends_a_move
from gmtool.systems.rtype.model import GRADES, RC, Board, Unit
from gmtool.systems.rtype.rules.r02_turn import CHAPTER as TURN
from gmtool.systems.rtype.rules.r02_turn import in_phase, may_act
from gmtool.systems.rtype.rules.r10_damage import CHAPTER as DAMAGE
from gmtool.systems.rtype.rules.r10_damage import PilotAdrift
from gmtool.systems.rtype.rules.r12_support import CHAPTER as SUPPORT
from gmtool.systems.rtype.rules.r12_support import hurt_craft, make_whole, replenish
from gmtool.systems.rtype.rules.r26_resources import can_pay, cost_of, pay, unload
from gmtool.systems.rtype.words import CARRIER, UNIT

CHAPTER = Chapter("12 ships", needs=(TURN, DAMAGE, SUPPORT))
AnyCase = Case[Board, Book]
ABOARD = "stowed"
SETUP, NEW, SERVED, CAPTURED = "setup", "unserved", "served", "captured"
"""How long a unit has been aboard: since set-up, not yet served, served once; an enemy's force (RT-12.16, 4.10)."""
WORSE = GRADES[GRADES.index("B") :]
"""Grades that no ship cleans (RT-12.6)."""


class Stow(NamedTuple):
    """A craft or an inactive force is taken aboard a ship; left out where only one of its side has room."""

    unit: Annotated[str, Arg(UNIT)]
    ship: Annotated[str, Arg(CARRIER)] = ""


class Served(NamedTuple):
    """What the newly stowed units of a side gain at the start of its phase (RT-2.7, 12.5)."""

    side: str


class ShipLost(NamedTuple):
    """A ship is gone, and what was aboard with it (RT-12.18)."""

    ship: str


@ends_a_move
class Aboard(NamedTuple):
    """A unit comes aboard, once it is on the ship's body hex; ``spent``: by its action."""

    unit: str
    ship: str
    berthed: str
    rule: str
    spent: bool = False


class SidesChanged(NamedTuple):
    """A captured force is its new side's."""

    unit: str
    side: str


class LeftAlone(NamedTuple):
    """A force is inactive, its craft being stowed."""

    force: Id
    unit: Id


class Stowed(NamedTuple):
    """A unit is aboard a ship."""

    unit: Id
    ship: Id
    berthed: str


class StowingSpent(NamedTuple):
    """Stowing was the craft's action."""

    unit: Id


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
    command = command._replace(ship=command.ship or _only_ship(case, command.unit))
    unit, ship = case.state.units[command.unit], case.state.units[command.ship]
    taken = _can_carry(case, command, unit, ship)
    if setting_up(case.state):
        if unit.state != "active":
            not_active(case, command.unit, "RT-1.5")
        case.follow(Aboard(command.unit, command.ship, SETUP, "RT-1.5"))
    elif case.book.is_force(unit.sheet) and unit.state == "inactive":
        in_phase(case, command.ship)
        _body_beside(case, command)
        rule = "RT-4.10" if taken else "RT-4.9"
        case.follow(Aboard(command.unit, command.ship, CAPTURED if taken else NEW, rule))
    else:
        may_act(case, command.unit, "RT-2.5")
        spent = case.choice("rt-12.14") == "spent"
        _onto(case, command.unit, command.ship)
        case.follow(Aboard(command.unit, command.ship, NEW, "RT-12.5", spent))


def _body_beside(case: AnyCase, command: Stow) -> None:
    """An inactive force is taken in where the ship's body is next to it (RT-4.9)."""
    body, force = lay.target_hex(case.state, case.book, command.ship), lay.covered(case.state, case.book, command.unit)
    if body is not None and force and min(distance(body, hex) for hex in force) > 1:
        steps = min(distance(body, hex) for hex in force)
        case.forbid("not-adjacent", "RT-4.9", unit=Id(command.ship), target=Id(command.unit), steps=steps)


def _onto(case: AnyCase, id: str, ship: str) -> None:
    """On the map the craft moves onto the ship's body hex by the cheapest way, if it is not there (RT-3.3, 12.5)."""
    if not lay.placed(case.state, id, ship) or case.state.units[id].at == case.state.units[ship].at:
        return
    from gmtool.systems.rtype.rules.r03_walk import Walk

    case.follow(Walk(id, ("to", case.state.units[ship].at or ""), onto=True))


@CHAPTER.rule(Aboard)
def go_aboard(case: AnyCase, command: Aboard) -> None:
    """A craft with its attached force is stowed, if nothing has stopped it on its way (RT-12.5, 12.14)."""
    unit, ship = case.state.units[command.unit], case.state.units[command.ship]
    there = unit.at == ship.at or not lay.placed(case.state, command.unit, command.ship) or command.berthed != NEW
    if unit.state not in {"active", "inactive"} or not (there or unit.state == "inactive"):
        return
    for id in together(case, command.unit):
        case.emit(Stowed(Id(id), Id(command.ship), command.berthed), command.rule)
        unload(case, id)
    if command.berthed == CAPTURED:
        case.keep(SidesChanged(command.unit, ship.side), "RT-4.10")
    if command.spent:
        case.keep(StowingSpent(Id(command.unit)), "RT-12.14")
    _left_alone(case, command.unit)
    case.result(aboard=_berths(case, command.ship))


def _left_alone(case: AnyCase, id: str) -> None:
    """A non-destructible force outside is inactive while its craft is stowed (RT-4.5)."""
    for other, row in case.state.units.items():
        if row.led_by == id and row.state == "active" and case.book.sheet(row.sheet).indestructible:
            case.emit(LeftAlone(Id(other), Id(id)), "RT-4.5")


def ships_of(case: AnyCase, side: str) -> list[str]:
    """The ships of a side that are in action, as the board lists them."""
    units = case.state.of_side(side)
    return [id for id, unit in units if unit.state == "active" and case.book.sheet(unit.sheet).capacity]


def _only_ship(case: AnyCase, id: str) -> str:
    """The one ship of a unit's side that has room for it; refused, to be named, where it is not the only one."""
    unit = case.state.units[id]
    ships = [ship for ship in ships_of(case, unit.side) if ship != id]
    room = [ship for ship in ships if _berths(case, ship) < case.book.sheet(case.state.units[ship].sheet).capacity]
    if len(room) == 1:
        return room[0]
    if len(ships) == 1:
        return ships[0]
    key = "which-ship" if ships else "which-ship-none"
    facts = {"unit": Id(id), "side": Id(unit.side), "ships": [case.state.units[ship].handle for ship in room or ships]}
    raise Refused("bad-value", key=key, rule="RT-12.5", exit=2, facts=facts)


def together(case: AnyCase, id: str) -> tuple[str, ...]:
    """A craft with the force attached to it, if there is one."""
    force = case.state.units[id].attached_to
    return (id, force) if force else (id,)


def _berths(case: AnyCase, ship: str) -> int:
    """How many berths are taken: a craft with its attached force counts 1, a force alone too (RT-12.5, 12.18)."""
    carried = [unit for _, unit in aboard(case.state, ship)]
    return sum(1 for unit in carried if not (case.book.is_force(unit.sheet) and unit.attached_to))


def _can_carry(case: AnyCase, command: Stow, unit: Unit, ship: Unit) -> bool:
    """Refused where the ship does not take the unit; whether that is a capture (RT-1.5, 4.10, 12.5)."""
    two = Id(command.unit), Id(command.ship)
    if not case.book.sheet(ship.sheet).capacity:
        ships = [case.state.units[id].handle for id in ships_of(case, unit.side)]
        refusal = case.refuse("bad-value", "RT-12.5", key="no-ship", ship=two[1], unit=unit.handle, ships=ships)
        refusal.hint = "no-ship-others" if ships else "no-ship"
        raise refusal
    if unit.state == ABOARD and unit.aboard:
        raise case.refuse("bad-value", "RT-12.5", key="aboard-already", unit=two[0], ship=Id(unit.aboard))
    capture = ship.side != unit.side and case.book.is_force(unit.sheet) and unit.state == "inactive"
    if ship.side != unit.side and not capture:
        raise case.refuse("bad-value", "RT-12.5", key="no-friend", unit=two[0])
    if case.book.is_force(unit.sheet) and unit.attached_to:
        raise case.refuse("bad-value", "RT-12.5", key="stow-its-craft", unit=two[0], craft=Id(unit.attached_to))
    if unit.decoy_of:
        case.forbid("no-room", "RT-12.10", key="decoy-stays-out", unit=two[0])
    sheet = case.book.sheet(unit.sheet)
    if "uncarriable" in sheet.functions or sheet.squad == "ship":
        case.forbid("no-room", "RT-1.5", key="uncarriable", unit=two[0])
    if ship.state != "active":
        not_active(case, command.ship, "RT-12.5")
    capacity, taken = case.book.sheet(ship.sheet).capacity, _berths(case, command.ship)
    if taken >= capacity:
        case.forbid("no-room", "RT-12.5", ship=two[1], capacity=capacity, taken=taken)
    return capture


@CHAPTER.effect(Stowed)
def stowed(state: Board, event: Stowed) -> Rows:
    """Off the board, aboard."""
    unit = state.units[event.unit]
    row = replace(unit, state=ABOARD, aboard=str(event.ship), berthed=event.berthed, at=None, facing=None)
    return {("units", event.unit): row}


@CHAPTER.effect(SidesChanged)
def sides_changed(state: Board, event: SidesChanged) -> Rows:
    """Its side is that of the ship; nobody leads it."""
    return {("units", event.unit): replace(state.units[event.unit], side=event.side, led_by=None, found_by=Map())}


@CHAPTER.effect(LeftAlone)
def left_alone(state: Board, event: LeftAlone) -> Rows:
    """Inactive where it is; its craft still leads it."""
    return {("units", event.force): replace(state.units[event.force], state="inactive")}


@CHAPTER.effect(StowingSpent)
def stowing_spent(state: Board, event: StowingSpent) -> Rows:
    """The craft has acted."""
    return {("units", event.unit): replace(state.units[event.unit], acted=True)}


@CHAPTER.rule(Served)
def served(case: AnyCase, command: Served) -> None:
    """Whoever was stowed since the last phase, once; those aboard since set-up gain nothing (RT-12.5, 12.16)."""
    for id, unit in case.state.of_side(command.side):
        if unit.state != ABOARD or (case.book.is_force(unit.sheet) and unit.attached_to):
            continue
        if unit.berthed == NEW or (unit.berthed == CAPTURED and case.choice("rt-4.10") == "next-phase"):
            _serve(case, command.side, id)


def _serve(case: AnyCase, side: str, id: str) -> None:
    """A craft and its attached force, for one repair of the craft; not paid: fuel, ammunition, decontamination."""
    cost = cost_of(case, id)
    paid = can_pay(case, side, cost)
    if paid:
        pay(case, side, cost, f"pay.{side}.{id}")
    else:
        case.warn("served-unpaid", "RT-12.16", unit=Id(id), side=Id(side), cost=cost)
        if case.state.units[id].berthed == CAPTURED:
            return  # what is not repaired does not become one's own (RT-4.10)
    for each in together(case, id):
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
