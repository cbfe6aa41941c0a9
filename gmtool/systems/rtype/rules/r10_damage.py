"""Chapters 10 and 11 as far as they need no map: damage, lost charge, wrecks, and the pilots who leave them."""

from typing import NamedTuple

from gmtool.kernel.case import Case
from gmtool.kernel.laws import dice_of
from gmtool.kernel.refusal import Id, Word
from gmtool.kernel.state import Rows, replace
from gmtool.kernel.system import Chapter
from gmtool.systems.rtype.book import Book
from gmtool.systems.rtype.model import LEAD, RC, Board, Unit
from gmtool.systems.rtype.tables import Weapon

CHAPTER = Chapter("10")
AnyCase = Case[Board, Book]


class Damage(NamedTuple):
    """A total of damage comes down on a unit."""

    unit: str
    total: int


class CraftDamaged(NamedTuple):
    """A craft of a unit loses hit points."""

    unit: Id
    craft: Word
    before: int
    after: int


class Divided(NamedTuple):
    """A single craft takes a part of the damage, rounded down."""

    unit: Id
    total: int
    by: int
    loss: int


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


def weapon_damage(case: AnyCase, who: str, weapon: Weapon) -> int:
    """The damage of one hit: the sheet's number, or its dice thrown once for the attack (RT-24.4, 24.10)."""
    if isinstance(weapon.damage, int):
        return weapon.damage
    dice, flat = dice_of(weapon.damage)
    case.cite("RT-24.10")
    return max(0, case.roll("damage", who, dice, rule="RT-24.4") + flat)


@CHAPTER.rule(Damage)
def damage(case: AnyCase, command: Damage) -> None:
    """An RC squad takes it craft by craft, A to D, then the lead; a single craft takes a fifth (RT-10.1, 10.2)."""
    unit = case.state.units[command.unit]
    squad = case.book.is_squad(unit.sheet)
    rule = "RT-10.1" if squad else "RT-10.2"
    left = command.total if squad else _divided(case, command)
    for craft in (*RC, LEAD):
        before = unit.hp.get(craft, 0)
        if not before or not left:
            continue
        after = max(0, before - left)
        left -= before - after
        case.emit(CraftDamaged(Id(command.unit), Word(craft), before, after), rule)
    if command.total:
        lose_charge(case, command.unit, "RT-10.3")
    now = case.state.units[command.unit]
    case.result(craft_lost=_lost(unit, now), wrecked=not now.hp[LEAD])
    if unit.hp[LEAD] and not now.hp[LEAD]:
        _wreck(case, command.unit, now, left)


def _divided(case: AnyCase, command: Damage) -> int:
    """What of the damage a single craft takes (RT-10.2); nothing at all still is a hit (RT-10.10)."""
    by = case.book.figures.single_divisor
    loss = command.total // by
    case.emit(Divided(Id(command.unit), command.total, by, loss), "RT-10.2")
    case.cite("RT-24.3", *(["RT-10.10"] if command.total and not loss else []))
    return loss


def _lost(before: Unit, after: Unit) -> int:
    return sum(1 for craft, points in before.hp.items() if points and not after.hp[craft])


@CHAPTER.effect(CraftDamaged)
def craft_damaged(state: Board, event: CraftDamaged) -> Rows:
    """The craft's hit points."""
    unit = state.units[event.unit]
    return {("units", event.unit): replace(unit, hp=unit.hp.put(str(event.craft), event.after))}


def lose_charge(case: AnyCase, id: str, rule: str) -> None:
    """A unit that was hit has no charge left, though only an RC craft was hurt (RT-10.3, 10.10)."""
    if case.state.units[id].charge:
        case.emit(ChargeLost(Id(id), case.state.units[id].charge), rule)


@CHAPTER.effect(ChargeLost)
def charge_lost(state: Board, event: ChargeLost) -> Rows:
    """Stage 0."""
    return {("units", event.unit): replace(state.units[event.unit], charge=0)}


def _wreck(case: AnyCase, id: str, unit: Unit, excess: int) -> None:
    """The unit is out; its pilot escapes, or must roll when 50 or more went beyond the lead (RT-11.1, 11.2, 11.5)."""
    if excess:
        case.emit(Beyond(Id(id), excess), "RT-24.7")
    case.emit(Wrecked(Id(id)), "RT-11.1")
    case.cite("RT-10.9")
    if unit.pilot is None:
        return
    if excess < case.book.figures.escape_excess:
        case.emit(PilotAdrift(Id(unit.pilot), Id(id)), "RT-11.1")
        return
    case.emit(MustEscape(Id(unit.pilot), Id(id)), "RT-11.2")
    due = f"escape-{unit.pilot}"
    case.due(due, "escape", unit.pilot, f"set due.{due} done", rule="RT-11.2")


@CHAPTER.effect(Wrecked)
def wrecked(state: Board, event: Wrecked) -> Rows:
    """It leaves the board at once (RT-10.9); its RC craft go with it (RT-11.5)."""
    unit = state.units[event.unit]
    return {("units", event.unit): replace(unit, state="wrecked", at=None)}


@CHAPTER.effect(PilotAdrift)
@CHAPTER.effect(MustEscape)
def out_of_the_wreck(state: Board, event: PilotAdrift | MustEscape) -> Rows:
    """The seat is empty, the pilot out of the battle, adrift unless a roll says otherwise (RT-11.5, 11.7)."""
    return {
        ("units", event.unit): replace(state.units[event.unit], pilot=None),
        ("pilots", event.pilot): replace(state.pilots[event.pilot], where="adrift"),
    }
