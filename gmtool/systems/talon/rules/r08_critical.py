"""Chapter 8: what a critical box brings (TL-8.5)."""

from typing import NamedTuple

from gmtool.kernel.case import Case
from gmtool.kernel.refusal import Id, Word
from gmtool.kernel.state import Map, Rows, replace
from gmtool.kernel.system import Chapter
from gmtool.systems.talon.bars import kept
from gmtool.systems.talon.book import Book
from gmtool.systems.talon.dice import highest
from gmtool.systems.talon.harm import DAMAGE, Critical, Hurt
from gmtool.systems.talon.marks import SHIELDS_DOWN
from gmtool.systems.talon.model import ACTIVE, Board, moment
from gmtool.systems.talon.rules.r07_forced import wider
from gmtool.systems.talon.rules.r08_blast import CHAPTER as BLAST
from gmtool.systems.talon.rules.r08_blast import destroy
from gmtool.systems.talon.tables import Critical as Row
from gmtool.systems.talon.tally import befell

CHAPTER = Chapter("8.5", needs=(BLAST,))
AnyCase = Case[Board, Book]
MARKERS = (SHIELDS_DOWN, "helm-down", "power-loss")
"""Results that are a marker and no figure."""
SEAT = "group-"
"""Before a group's number where a die is thrown for it, so that it is told which die is whose."""


class CriticalRolled(NamedTuple):
    """What the table says."""

    ship: Id
    total: int
    critical: Id


class CriticalVoid(NamedTuple):
    """A result that has no effect; it is not rolled again."""

    ship: Id
    why: Word


class CriticalMarked(NamedTuple):
    """A marker is put on the ship."""

    ship: Id
    kind: Word
    when: str


class ThrusterHit(NamedTuple):
    """The ship turns wider from its next turn on."""

    ship: Id
    before: int
    after: int
    when: str


class PowerCut(NamedTuple):
    """The power that is written next will be less; ``power`` is what stands written now."""

    ship: Id
    before: int
    after: int
    when: str
    power: int


class DriveOffline(NamedTuple):
    """The ship may not jump any more."""

    ship: Id


class GroupLost(NamedTuple):
    """A weapon group is destroyed, its bar with it."""

    ship: Id
    group: str
    weapon: Id


@CHAPTER.rule(Critical)
def critical(case: AnyCase, command: Critical) -> None:
    """Two dice on the table, and their result at once; one that can do nothing does nothing (TL-8.4.3, 8.5)."""
    id, ship = command.ship, case.state.ships[command.ship]
    if ship.state != ACTIVE:
        return
    case.cite("TL-8.4.3")
    thrown = case.roll(f"critical.{id}.{command.box}", id, (6, 6), rule="TL-8.5")
    row = case.book.critical(thrown)
    case.emit(CriticalRolled(Id(id), thrown, Id(f"critical/{thrown}")), "TL-8.5")
    case.tally("criticals")
    if case.book.ship_class(ship.sheet).kind == "base" and not row.bases:
        case.emit(CriticalVoid(Id(id), Word("base")), "TL-8.5")
    elif row.effect == "destroyed":
        destroy(case, id, "TL-8.5")
    elif row.effect == "group-lost":
        _group(case, id, command.box)
    elif row.effect in MARKERS:
        _marker(case, id, row.effect)
    else:
        _figure(case, id, row)


def _group(case: AnyCase, id: str, box: int) -> None:
    """One of the groups left, by the highest of a die each (TL-8.5)."""
    ship = case.state.ships[id]
    sheet = case.book.ship_class(ship.sheet)
    left = kept(sheet, ship)
    if not left:
        case.emit(CriticalVoid(Id(id), Word("no-group")), "TL-8.5")
        return
    seats = [f"{SEAT}{key}" for key in left]
    gone = highest(case, f"group.{id}.{box}", id, seats, "TL-8.5").removeprefix(SEAT)
    case.emit(GroupLost(Id(id), gone, Id(sheet.groups[int(gone) - 1].weapon)), "TL-8.5")
    befell(case, "group-lost", id)


def _marker(case: AnyCase, id: str, kind: str) -> None:
    """A marker, unless the ship bears it already."""
    if kind in case.state.ships[id].crits:
        case.emit(CriticalVoid(Id(id), Word("already")), "TL-8.5")
    else:
        case.emit(CriticalMarked(Id(id), Word(kind), _now(case)), "TL-8.5")
        befell(case, kind, id)


def _figure(case: AnyCase, id: str, row: Row) -> None:
    """A figure that gets worse as often as the table allows; hull boxes are marked before the points still to come."""
    ship = case.state.ships[id]
    if row.effect == "turn" and ship.turn_plus < row.most:
        case.emit(ThrusterHit(Id(id), ship.turn_plus, ship.turn_plus + 1, _now(case)), "TL-8.5")
        wider(case, id, 1)
        befell(case, "thruster", id)
    elif row.effect == "power" and ship.power_minus < row.most:
        power = ship.power - 1 if case.choice("tl-8.5-relay") == "at-once" else ship.power
        case.emit(PowerCut(Id(id), ship.power_minus, ship.power_minus + 1, _now(case), power), "TL-8.5")
        befell(case, "relay", id)
    elif row.effect == "ftl-offline" and not ship.offline:
        case.emit(DriveOffline(Id(id)), "TL-8.5")
        befell(case, "ftl-offline", id)
    elif row.effect != "none" and (not row.hull or _again(case, row)):
        case.emit(CriticalVoid(Id(id), Word("already")), "TL-8.5")
        return
    if row.hull and ship.hull < len(case.book.ship_class(ship.sheet).hull):
        _more_hull(case, Hurt(id, "", row.hull, "TL-8.5", bypass="hull"))


def _again(case: AnyCase, row: Row) -> bool:
    """Whether a drive off line that is hit again does nothing more to the hull either; it does by default."""
    return row.effect == "ftl-offline" and case.choice("tl-8.5-offline") == "nothing"


def _more_hull(case: AnyCase, hurt: Hurt) -> None:
    """Before the points that are still to come, or behind them, as the campaign reads it (A21.1)."""
    if any(isinstance(waiting, DAMAGE) for waiting in case.queue[:1]) and case.choice("tl-8.4.3") == "after":
        case.later(hurt, before=lambda waiting: not isinstance(waiting, DAMAGE))
    else:
        case.follow(hurt)


def _now(case: AnyCase) -> str:
    battle = case.state.battle
    return moment(battle) if battle is not None else ""


@CHAPTER.effect(CriticalMarked)
def critical_marked(state: Board, event: CriticalMarked) -> Rows:
    """The marker with when it came; with the shields down all reinforcement is gone (TL-6.2.2)."""
    ship = state.ships[event.ship]
    markers = Map() if event.kind == SHIELDS_DOWN else ship.markers
    return {("ships", event.ship): replace(ship, crits=ship.crits.put(str(event.kind), event.when), markers=markers)}


@CHAPTER.effect(ThrusterHit)
def thruster_hit(state: Board, event: ThrusterHit) -> Rows:
    """One more on the turn radius; a counter that is out stays (A21.17)."""
    ship = state.ships[event.ship]
    return {("ships", event.ship): replace(ship, turn_plus=event.after, crits=ship.crits.put("turn", event.when))}


@CHAPTER.effect(PowerCut)
def power_cut(state: Board, event: PowerCut) -> Rows:
    """One less when power is next written."""
    ship = state.ships[event.ship]
    crits = ship.crits.put("power", event.when)
    return {("ships", event.ship): replace(ship, power_minus=event.after, power=event.power, crits=crits)}


@CHAPTER.effect(DriveOffline)
def drive_offline(state: Board, event: DriveOffline) -> Rows:
    """No jump any more."""
    return {("ships", event.ship): replace(state.ships[event.ship], offline=True)}


@CHAPTER.effect(GroupLost)
def group_lost(state: Board, event: GroupLost) -> Rows:
    """The group is among the lost, its bar empty (A21.9)."""
    ship = state.ships[event.ship]
    red, yellow = ship.red.put(event.group, 0), ship.yellow.put(event.group, 0)
    return {("ships", event.ship): replace(ship, lost=(*ship.lost, event.group), red=red, yellow=yellow)}
