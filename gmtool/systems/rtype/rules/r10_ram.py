"""Chapter 10: rams, what they cost the rammer, and the knock-back."""

from typing import NamedTuple

from gmtool.kernel.case import Case, Part
from gmtool.kernel.refusal import Id
from gmtool.kernel.state import Rows, replace
from gmtool.kernel.system import Chapter
from gmtool.systems.rtype.book import Book
from gmtool.systems.rtype.exchange import Blow, KnockBack
from gmtool.systems.rtype.model import LEAD, Board, Unit
from gmtool.systems.rtype.rules import r04_force, r10_damage
from gmtool.systems.rtype.rules.r04_force import ForceDetached
from gmtool.systems.rtype.rules.r09_ways import can_intercept_at_1

CHAPTER = Chapter("10 ram", needs=(r04_force.CHAPTER, r10_damage.CHAPTER))
AnyCase = Case[Board, Book]


class RamPaid(NamedTuple):
    """A ram's payment was due: the coefficient may rise for it at the end of the turn."""

    unit: Id


class ShotDown(NamedTuple):
    """The rammer is shot down before contact."""

    unit: Id


class KnockedBack(NamedTuple):
    """The target is pushed back one hex, and the rammer follows."""

    unit: Id
    target: Id


def pay(case: AnyCase, blow: Blow) -> bool:
    """What a ram pays before contact, hit or miss; whether the rammer lives to strike (RT-10.4, 10.8).

    Nothing where the target has no weapon to shoot at it with, nothing for a non-destructible force; but the payment
    that was due still counts for the coefficient (RT-25.4).
    """
    unit, target = case.state.units[blow.unit], case.state.units[blow.target]
    if case.book.is_force(unit.sheet) and unit.attached_to:
        case.emit(ForceDetached(Id(unit.attached_to), Id(blow.unit), ""), "RT-10.6")
        unit = case.state.units[blow.unit]
    if not can_intercept_at_1(case, target):
        case.cite("RT-10.8")
        return True
    if case.book.sheet(target.sheet).bydo and not case.book.sheet(unit.sheet).bydo:
        case.emit(RamPaid(Id(blow.unit)), "RT-25.4")
    if case.book.sheet(unit.sheet).indestructible:
        case.cite("RT-10.4")
        return True
    price = case.figure("ram", blow.unit, _price(case, target), rule="RT-10.4")
    # undivided: a single craft pays all of it
    left = r10_damage.cascade(case, blow.unit, price, "RT-10.8")
    if case.state.units[blow.unit].hp[LEAD]:
        return True
    case.emit(ShotDown(Id(blow.unit)), "RT-10.4")
    r10_damage.wreck(case, blow.unit, left, by=blow.target)
    return False


def _price(case: AnyCase, target: Unit) -> list[Part]:
    figures, level = case.book.figures, case.book.sheet(target.sheet).level
    return [("ram-base", figures.ram_base, "RT-10.4"), ("ram-level", figures.ram_per_level * level, "RT-10.4")]


@CHAPTER.effect(RamPaid)
def ram_paid(state: Board, event: RamPaid) -> Rows:
    """Marked until the end of the turn."""
    return {("units", event.unit): replace(state.units[event.unit], rammed=True)}


@CHAPTER.rule(KnockBack)
def knock_back(case: AnyCase, command: KnockBack) -> None:
    """A target that was hit and is not wrecked moves one hex, the rammer follows (RT-10.5, 10.6)."""
    blow = command.blow
    if case.state.units[blow.target].state in {"active", "inactive"}:
        case.emit(KnockedBack(Id(blow.unit), Id(blow.target)), "RT-10.5")
