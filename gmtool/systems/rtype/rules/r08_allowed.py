"""Chapter 8: who may fire a weapon now, and what of a target stands against it, with or without a map."""

from gmtool.kernel.case import Case
from gmtool.kernel.refusal import Id
from gmtool.systems.rtype import lay
from gmtool.systems.rtype.book import Book
from gmtool.systems.rtype.model import Board, Unit
from gmtool.systems.rtype.rules.r02_turn import may_act
from gmtool.systems.rtype.rules.r03_ways import seen_by
from gmtool.systems.rtype.rules.r08_volley import shown
from gmtool.systems.rtype.tables import Weapon

AnyCase = Case[Board, Book]


def allowed(case: AnyCase, id: str, weapon_id: str) -> tuple[Unit, Weapon]:
    """The attacker and its weapon, if it may fire that now; its charge and its force looked at (RT-4.15, 8.1)."""
    unit = may_act(case, id, "RT-2.5")
    weapon = case.book.weapon(unit.sheet, weapon_id)
    if unit.decoy_of is not None:
        case.forbid("no-function", "RT-12.13", key="decoy-no-attack", unit=Id(id))
    if weapon.kind == "laser" and unit.attached_to is None and not case.book.is_force(unit.sheet):
        case.forbid("no-force", "RT-4.15", weapon=shown(unit, weapon), unit=Id(id))
    if weapon.charge is not None and unit.charge < weapon.charge:
        has, need = unit.charge, weapon.charge
        case.forbid("not-charged", "RT-8.1", unit=Id(id), weapon=shown(unit, weapon), charge=has, need=need)
    return unit, weapon


def unseen_by(case: AnyCase, attacker: str, side: str) -> bool:
    """On the map an attacker is searched within the search value of any unit of the defender's side (RT-6.8, 9.1).

    By the other reading marks stay, and what has none is unseen: that is looked at with the defence.
    """
    if not lay.placed(case.state, attacker) or case.state.units[attacker].side == side:
        return False
    if case.choice("rt-6.8") != "phase":
        return False
    if seen_by(case.state, case.book, side, attacker):
        return False
    case.cite("RT-6.8", "RT-9.1")
    return True


def part_is_there(case: AnyCase, target: Unit, id: str, part: str) -> None:
    """A part that is shot to pieces is no target any more (RT-8.11)."""
    if part and not target.hp.get(part, 0):
        case.forbid("not-active", "RT-8.11", key="part-gone", unit=Id(id), part=part)
