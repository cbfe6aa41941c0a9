"""Chapter 10: rams, what they cost the rammer, and the knock-back."""

from typing import NamedTuple

from gmtool.kernel.case import Case, Part
from gmtool.kernel.hex import distance
from gmtool.kernel.refusal import Id
from gmtool.kernel.state import Rows, replace
from gmtool.kernel.system import Chapter
from gmtool.systems.rtype import lay
from gmtool.systems.rtype.book import Book
from gmtool.systems.rtype.exchange import Beside, Blow, KnockBack
from gmtool.systems.rtype.model import GONE, LEAD, Board, Unit
from gmtool.systems.rtype.rules import r04_force, r10_damage
from gmtool.systems.rtype.rules.r04_follow import CHAPTER as FOLLOWING
from gmtool.systems.rtype.rules.r04_follow import Lagging, carry
from gmtool.systems.rtype.rules.r04_force import ForceDetached
from gmtool.systems.rtype.rules.r09_ways import can_intercept_at_1
from gmtool.systems.rtype.rules.r10_knock import Push, beyond, can_follow, push, pushed

CHAPTER = Chapter("10 ram", needs=(r04_force.CHAPTER, FOLLOWING, r10_damage.CHAPTER))
AnyCase = Case[Board, Book]


class RamPaid(NamedTuple):
    """A ram's payment was due: the coefficient may rise for it at the end of the turn."""

    unit: Id


class NothingPaid(NamedTuple):
    """A ram costs nothing: the target has no weapon to intercept with at range 1."""

    unit: Id
    target: Id


class ShotDown(NamedTuple):
    """The rammer is shot down before contact."""

    unit: Id


class KnockedBack(NamedTuple):
    """The target is pushed back one hex, and the rammer follows; where there is no map by the GM's hand."""

    unit: Id
    target: Id


class Driven(NamedTuple):
    """The target, or the craft it sits on, is pushed back into a hex, and the rammer follows into another."""

    unit: Id
    driven: Id
    to: str
    follows: str


class DrivenAlone(NamedTuple):
    """The same where the rammer has no room to follow: it stays."""

    unit: Id
    driven: Id
    to: str


class Closed(NamedTuple):
    """A rammer is in the hex beside its target."""

    unit: Id
    at: str


def pay(case: AnyCase, blow: Blow) -> bool:
    """What a ram pays before contact, hit or miss; whether the rammer lives to strike (RT-10.4, 10.8).

    Nothing where the target has no weapon to shoot at it with, nothing for a non-destructible force; but the payment
    that was due still counts for the coefficient (RT-25.4).
    """
    unit, target = case.state.units[blow.unit], case.state.units[blow.target]
    if case.book.is_force(unit.sheet) and unit.attached_to:
        case.emit(ForceDetached(Id(unit.attached_to), Id(blow.unit), ""), "RT-10.6")
        case.cite("RT-4.17")
        _close_in(case, blow)
        case.later(Lagging(blow.unit))
        unit = case.state.units[blow.unit]
    else:
        _close_in(case, blow)
    if not can_intercept_at_1(case, target):
        case.emit(NothingPaid(Id(blow.unit), Id(blow.target)), "RT-10.8")
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


def _close_in(case: AnyCase, blow: Blow) -> None:
    """A shot force, as any rammer from afar, ends in the hex next to its target (RT-4.17).

    Where somebody else is in that hex it is seen after the blow where there is room.
    """
    driven = push(case.state, case.book, blow.unit, blow.target, blow.part)
    if driven is None or lay.spot(case.state, case.state.units[blow.unit]) == driven.beside:
        return
    if driven.beside not in lay.occupants(case.state, case.book):
        case.emit(Closed(Id(blow.unit), lay.label(case.state, driven.beside)), "RT-4.17")
        return
    hexes = " ".join(lay.label(case.state, hex) for hex in lay.covered(case.state, case.book, blow.target))
    case.later(Beside(blow.unit, blow.target, hexes))


@CHAPTER.rule(Beside)
def beside(case: AnyCase, command: Beside) -> None:
    """The free hex nearest to where it came from, next to the target or to where that was (RT-4.17)."""
    unit = case.state.units[command.unit]
    start = lay.spot(case.state, unit)
    if start is None or unit.state in GONE:
        return
    target = lay.covered(case.state, case.book, command.target)
    target = target or tuple([lay.hex_of(case.state, label) for label in command.hexes.split()])
    if lay.around(target).isdisjoint({start}):
        free = [hex for hex in lay.around(target) if lay.no_room(case.state, case.book, [hex]) is None]
        if free:
            best = min(free, key=lambda hex: (distance(start, hex), hex[1], hex[0]))
            case.emit(Closed(Id(command.unit), lay.label(case.state, best)), "RT-4.17")


@CHAPTER.effect(Closed)
def closed(state: Board, event: Closed) -> Rows:
    """Where the rammer stands."""
    return {("units", event.unit): replace(state.units[event.unit], at=event.at)}


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
    if case.state.units[blow.target].state not in {"active", "inactive"}:
        return
    driven = push(case.state, case.book, blow.unit, blow.target, blow.part)
    if driven is None:
        case.emit(KnockedBack(Id(blow.unit), Id(blow.target)), "RT-10.5")
        return
    moved = pushed(case.state, case.book, blow.target)
    to = beyond(case.state, moved, driven.step)
    follows = _following(case, blow.unit, moved, to, driven)
    if follows:
        case.emit(Driven(Id(blow.unit), Id(moved), to, follows), "RT-10.5")
    else:
        case.emit(DrivenAlone(Id(blow.unit), Id(moved), to), "RT-10.5")
    for id in (moved, blow.unit):
        carry(case, id)
        case.follow(Lagging(id, driven=True))


def _following(case: AnyCase, id: str, moved: str, to: str, blow: Push) -> str:
    """The hex in which the rammer follows, one on from beside the target; empty where it has no room there."""
    gone = case.state.fork()
    rows: Rows = {("units", moved): replace(gone.units[moved], at=to)}
    force = gone.units[moved].attached_to
    if force:
        rows["units", force] = replace(gone.units[force], at=beyond(case.state, force, blow.step))
    rows["units", id] = replace(gone.units[id], at=lay.label(case.state, blow.beside))
    gone.put(rows)
    return beyond(gone, id, blow.step) if can_follow(gone, case.book, id, blow.step) else ""


@CHAPTER.effect(Driven)
@CHAPTER.effect(DrivenAlone)
def driven_back(state: Board, event: Driven | DrivenAlone) -> Rows:
    """Where both stand now."""
    rows: Rows = {("units", event.driven): replace(state.units[event.driven], at=event.to)}
    if isinstance(event, Driven):
        rows["units", event.unit] = replace(state.units[event.unit], at=event.follows)
    return rows
