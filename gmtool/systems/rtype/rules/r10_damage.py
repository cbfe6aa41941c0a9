"""Chapters 10 and 11 as far as they need no map: damage, lost charge, wrecks, and the pilots who leave them."""

from typing import NamedTuple

from gmtool.kernel.case import Case
from gmtool.kernel.laws import dice_of
from gmtool.kernel.refusal import Id, Word
from gmtool.kernel.state import Rows, replace
from gmtool.kernel.system import Chapter
from gmtool.systems.rtype.book import Book
from gmtool.systems.rtype.exchange import after_escapes
from gmtool.systems.rtype.model import LEAD, RC, Board, Unit
from gmtool.systems.rtype.rules.r11_survival import CHAPTER as SURVIVAL
from gmtool.systems.rtype.rules.r11_survival import Escape
from gmtool.systems.rtype.rules.r26_careers import felled
from gmtool.systems.rtype.tables import Weapon

CHAPTER = Chapter("10", needs=(SURVIVAL,))
AnyCase = Case[Board, Book]


class Damage(NamedTuple):
    """A total of damage comes down on a unit, or on a part of it; ``by`` is the unit it came from, if one did.

    ``prefix`` and ``named`` make the keys of the outcome (``named``: with the unit, where several are hit), ``spared``
    leaves the charge for a charge counter (RT-8.10).
    """

    unit: str
    total: int
    by: str = ""
    part: str = ""
    prefix: str = ""
    named: bool = False
    spared: bool = False

    def keeps(self, key: str) -> bool:
        """Of an outcome it brings what is lost; hits and damage are told by then."""
        return key.rpartition(".")[2] not in {"hits", "damage"} or self.named


class CraftDamaged(NamedTuple):
    """A craft of a unit loses hit points."""

    unit: Id
    craft: Word
    before: int
    after: int


class PartDamaged(NamedTuple):
    """A part with hit points of its own loses some."""

    unit: Id
    part: Id
    before: int
    after: int


class Divided(NamedTuple):
    """A single craft takes a part of the damage, rounded down."""

    unit: Id
    total: int
    by: int
    loss: int


class Unharmed(NamedTuple):
    """A non-destructible force takes no damage from anything."""

    unit: Id


class Beyond(NamedTuple):
    """Damage beyond what the lead had left."""

    unit: Id
    excess: int


class ChargeLost(NamedTuple):
    """A unit that was hit loses its charge."""

    unit: Id
    before: int


class Wrecked(NamedTuple):
    """The lead is gone, and the unit with it."""

    unit: Id


class PilotAdrift(NamedTuple):
    """A pilot has left the wreck without a roll."""

    pilot: Id
    unit: Id


class MustEscape(NamedTuple):
    """A pilot's escape from the wreck is not sure."""

    pilot: Id
    unit: Id


class HurtByBydo(NamedTuple):
    """A craft has lost hit points to a Bydo unit: its coefficient will rise."""

    unit: Id


def weapon_damage(case: AnyCase, key: str, who: str, weapon: Weapon, shared: bool = False) -> int:
    """The damage of one hit: the sheet's number, or its dice thrown once for the attack (RT-24.4, 24.10).

    ``shared``: the other targets of an area are struck by the same throw.
    """
    if isinstance(weapon.damage, int):
        return weapon.damage
    kept = f"{key}_dice"
    if shared and kept in case.results:
        before: int = case.results[kept]
        return before
    dice, flat = dice_of(weapon.damage)
    case.cite("RT-24.10")
    thrown = max(0, case.roll(key, who, dice, rule="RT-24.4") + flat)
    if shared:
        case.result(**{kept: thrown})
    return thrown


@CHAPTER.rule(Damage)
def damage(case: AnyCase, command: Damage) -> None:
    """An RC squad takes it craft by craft, A to D, then the lead; a single craft takes a fifth (RT-10.1, 10.2)."""
    unit = case.state.units[command.unit]
    if case.book.sheet(unit.sheet).indestructible:
        case.emit(Unharmed(Id(command.unit)), "RT-4.5")
        return
    left = bear(case, command)
    if command.total and not command.spared:
        lose_charge(case, command.unit, "RT-10.3")
    now = case.state.units[command.unit]
    gone = not now.hp[LEAD]
    if command.part:
        case.result(**{_outcome(command, "part_lost"): not now.hp[command.part]})
    case.result(**{_outcome(command, "craft_lost"): _lost(unit, now), _outcome(command, "wrecked"): gone})
    if unit.hp[LEAD] and not now.hp[LEAD]:
        wreck(case, command.unit, left, command.prefix, command.by)


def bear(case: AnyCase, command: Damage) -> int:
    """The hit points that go; what is left of the damage beyond the last of them."""
    unit = case.state.units[command.unit]
    squad = case.book.is_squad(unit.sheet)
    left = command.total if squad and not command.part else _divided(case, command)
    left = cascade(case, command.unit, left, "RT-10.1" if squad else "RT-10.2", command.part)
    _contaminate(case, command, unit)
    return left


def cascade(case: AnyCase, id: str, left: int, rule: str, part: str = "") -> int:
    """An RC squad's craft from A to D and then the lead, or a part alone, lose the points; what is left beyond them."""
    points = case.state.units[id].hp
    for craft in [part] if part else (*RC, LEAD):
        before = points.get(craft, 0)
        if not before or not left:
            continue
        after = max(0, before - left)
        left -= before - after
        if part:
            case.emit(PartDamaged(Id(id), Id(f"{id}/{part}"), before, after), "RT-8.11")
        else:
            case.emit(CraftDamaged(Id(id), Word(craft), before, after), rule)
    return left


def _contaminate(case: AnyCase, command: Damage, before: Unit) -> None:
    """A craft that loses hit points to a Bydo unit will rise at its next check; Bydo are immune (RT-25.2, 25.7)."""
    source = case.state.units.get(command.by)
    if source is None or before.hurt_by_bydo or case.state.units[command.unit].hp == before.hp:
        return
    if case.book.sheet(source.sheet).bydo and not case.book.sheet(before.sheet).bydo:
        case.emit(HurtByBydo(Id(command.unit)), "RT-25.7")


@CHAPTER.effect(HurtByBydo)
def hurt_by_bydo(state: Board, event: HurtByBydo) -> Rows:
    """Marked until the next check."""
    return {("units", event.unit): replace(state.units[event.unit], hurt_by_bydo=True)}


def _outcome(command: Damage, what: str) -> str:
    seat = f".{command.unit}.{command.part}" if command.part else f".{command.unit}"
    return f"{command.prefix}{what}{seat if command.named else ''}"


def _divided(case: AnyCase, command: Damage) -> int:
    """What of the damage a single craft takes (RT-10.2); nothing at all still is a hit (RT-10.10)."""
    by = case.book.figures.single_divisor
    loss = command.total // by
    case.emit(Divided(Id(command.unit), command.total, by, loss), "RT-10.2")
    case.cite("RT-24.3", *(["RT-10.10"] if command.total and not loss else []))
    return loss


def _lost(before: Unit, after: Unit) -> int:
    """The craft that are lost; a part is none."""
    return sum(1 for craft in (LEAD, *RC) if before.hp.get(craft) and not after.hp[craft])


@CHAPTER.effect(CraftDamaged)
def craft_damaged(state: Board, event: CraftDamaged) -> Rows:
    """The craft's hit points."""
    unit = state.units[event.unit]
    return {("units", event.unit): replace(unit, hp=unit.hp.put(str(event.craft), event.after))}


@CHAPTER.effect(PartDamaged)
def part_damaged(state: Board, event: PartDamaged) -> Rows:
    """The part's hit points."""
    unit = state.units[event.unit]
    return {("units", event.unit): replace(unit, hp=unit.hp.put(event.part.partition("/")[2], event.after))}


def lose_charge(case: AnyCase, id: str, rule: str) -> None:
    """A unit that was hit has no charge left, though only an RC craft was hurt (RT-10.3, 10.10)."""
    if case.state.units[id].charge:
        case.emit(ChargeLost(Id(id), case.state.units[id].charge), rule)


@CHAPTER.effect(ChargeLost)
def charge_lost(state: Board, event: ChargeLost) -> Rows:
    """Stage 0."""
    return {("units", event.unit): replace(state.units[event.unit], charge=0)}


def wreck(case: AnyCase, id: str, excess: int, prefix: str = "", by: str = "") -> None:
    """The unit is out; its pilot escapes, or must roll when 50 or more went beyond the lead (RT-11.1, 11.2, 11.5).

    ``by`` is the unit whose doing it is, if it is one's.
    """
    unit = case.state.units[id]
    if excess:
        case.emit(Beyond(Id(id), excess), "RT-24.7")
    case.emit(Wrecked(Id(id)), "RT-11.1")
    case.cite("RT-10.9")
    felled(case, id, by)
    if unit.pilot and excess < case.book.figures.escape_excess:
        case.emit(PilotAdrift(Id(unit.pilot), Id(id)), "RT-11.1")
    elif unit.pilot:
        case.emit(MustEscape(Id(unit.pilot), Id(id)), "RT-11.2")
        # the dice of all who must roll come after all damage (RT-8.20)
        case.later(Escape(unit.pilot, id, prefix), before=after_escapes)
    _left_behind(case, id, unit)


def _left_behind(case: AnyCase, id: str, unit: Unit) -> None:
    """What a wreck takes along or leaves, and whether a condition of victory is met by it."""
    if unit.attached_to or any(other.led_by == id for other in case.state.units.values()):
        from gmtool.systems.rtype.rules.r04_force import ForceLeft

        case.follow(ForceLeft(id))
    if case.book.sheet(unit.sheet).capacity:
        from gmtool.systems.rtype.rules.r12_ships import ShipLost

        case.follow(ShipLost(id))
    battle = case.state.battle
    if battle and battle.victory:
        from gmtool.systems.rtype.rules.r13_victory import watch

        watch(case)


@CHAPTER.effect(Wrecked)
def wrecked(state: Board, event: Wrecked) -> Rows:
    """It leaves the board at once (RT-10.9); its RC craft go with it (RT-11.5)."""
    unit = state.units[event.unit]
    return {("units", event.unit): replace(unit, state="wrecked", at=None)}


@CHAPTER.effect(PilotAdrift)
@CHAPTER.effect(MustEscape)
def out_of_the_wreck(state: Board, event: PilotAdrift | MustEscape) -> Rows:
    """The seat is empty, the pilot out of the battle, adrift until it ends or a friend stows him (RT-11.5, 11.7)."""
    return {
        ("units", event.unit): replace(state.units[event.unit], pilot=None),
        ("pilots", event.pilot): replace(state.pilots[event.pilot], where="adrift"),
    }
