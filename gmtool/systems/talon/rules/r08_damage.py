"""Chapter 8: damage, box by box: reinforcement, shields, hull, and the critical boxes in between (TL-8.4)."""

from typing import NamedTuple

from gmtool.kernel.case import Case
from gmtool.kernel.refusal import Id, Word
from gmtool.kernel.state import Rows, replace
from gmtool.kernel.system import Chapter
from gmtool.systems.talon.book import Book
from gmtool.systems.talon.harm import Critical, Destroy, Hurt
from gmtool.systems.talon.marks import shields_out
from gmtool.systems.talon.model import Board, Ship
from gmtool.systems.talon.rules.r08_blast import CHAPTER as BLAST
from gmtool.systems.talon.rules.r08_blast import destroy
from gmtool.systems.talon.tally import HULL, LOST, befell, boxes
from gmtool.systems.talon.targets import pick_fighter, there

__all__ = ["CHAPTER", "Destroy", "Hurt", "harm"]
CHAPTER = Chapter("8.4", needs=(BLAST,))
AnyCase = Case[Board, Book]


class MarkerSpent(NamedTuple):
    """A reinforcement marker takes a point and is gone."""

    ship: Id
    arc: Word


class ShieldHit(NamedTuple):
    """Boxes of a shield are gone."""

    ship: Id
    arc: Word
    before: int
    after: int


class ShieldsOut(NamedTuple):
    """The shields count as down; the damage goes to the hull."""

    ship: Id
    why: Word


class HullHit(NamedTuple):
    """Hull boxes are marked, of so many."""

    ship: Id
    before: int
    after: int
    of: int


class FighterHit(NamedTuple):
    """Hull boxes of a fighter are marked, of so many."""

    ship: Id
    fighter: Id
    before: int
    after: int
    of: int


class FighterLost(NamedTuple):
    """A fighter of a squadron is gone, its bar with it."""

    ship: Id
    fighter: Id
    left: int


class MissileDamaged(NamedTuple):
    """A missile is turned over: it dies to any further damage."""

    missile: Id


@CHAPTER.rule(Hurt)
def harm(case: AnyCase, command: Hurt) -> None:
    """Markers, shield, hull from left to right; points left over when it dies lapse (TL-8.4.1, A21.1)."""
    row = there(case.state, command.ship)
    if row is None or command.points <= 0:
        return
    if command.ship in case.state.missiles:
        _missile(case, command)
    elif case.state.ships[command.ship].fighters:
        _squadron(case, command)
    else:
        left = command.points if command.bypass else _shields(case, command)
        if left:
            _hull(case, command, left)


def _shields(case: AnyCase, command: Hurt) -> int:
    """What comes through marker and shield of an arc; the marker takes its point first by default (TL-6.2.1)."""
    ship, left = case.state.ships[command.ship], command.points
    out = shields_out(case.state, ship)
    if out:
        case.emit(ShieldsOut(Id(command.ship), Word(out)), "TL-17.4.1" if out == "nebula" else "TL-8.5")
        return left
    has = ship.shields.get(command.arc, 0)
    marked = command.arc in ship.markers and (has > 0 or case.choice("tl-6.2.1-bare") == "takes")
    if marked and (left > has or case.choice("tl-6.2.1") == "marker-first"):
        case.emit(MarkerSpent(Id(command.ship), Word(command.arc)), "TL-6.2.1")
        boxes(case, 1, command.arc, command.ship)
        left -= 1
    taken = min(left, has)
    if taken:
        case.emit(ShieldHit(Id(command.ship), Word(command.arc), has, has - taken), "TL-8.4.1")
        boxes(case, taken, command.arc, command.ship)
    return left - taken


def _hull(case: AnyCase, command: Hurt, points: int) -> None:
    """Boxes up to the next critical one; that is rolled for before the rest is marked (TL-8.4.3)."""
    ship = case.state.ships[command.ship]
    sheet = case.book.ship_class(ship.sheet)
    of = len(sheet.hull)
    stops = [box for box in sheet.critical if box > ship.hull]
    after = min(ship.hull + points, of, *stops)
    case.emit(HullHit(Id(command.ship), ship.hull, after, of), "TL-8.4.1")
    boxes(case, after - ship.hull, HULL, command.ship)
    if after == of:
        _dies(case, command, after in stops)
        return
    if after in stops and _is_rolled(case, command):
        case.follow(Critical(command.ship, after))
    left = points - (after - ship.hull)
    if left:
        case.follow(Hurt(command.ship, command.arc, left, command.rule, bypass=HULL))


def _dies(case: AnyCase, command: Hurt, is_critical: bool) -> None:
    """The last box: destroyed, without a roll where it is a critical one, but for another reading (A21.2)."""
    if is_critical and case.choice("tl-8.6.1") == "roll":
        case.follow(Critical(command.ship, case.state.ships[command.ship].hull))
        case.follow(Destroy(command.ship, "TL-8.6.1"))
    else:
        destroy(case, command.ship, "TL-8.6.1")


def _is_rolled(case: AnyCase, command: Hurt) -> bool:
    """Whether a critical box is rolled for: one that a critical itself has marked by the usual reading only (A21.1)."""
    return command.rule != "TL-8.5" or case.choice("tl-8.4.3-inner") == "again"


def _squadron(case: AnyCase, command: Hurt) -> None:
    """One fighter's hull; the squadron dies with its last (TL-12.1.2)."""
    id, ship = command.ship, case.state.ships[command.ship]
    key = f"fighter.{id}"
    fighter = command.fighter or pick_fighter(case, key, id, id, "TL-12.1.2")
    if fighter not in ship.fighters:
        return
    of, before = len(case.book.ship_class(ship.sheet).hull), ship.fighters[fighter]
    after = min(of, before + command.points)
    name = Id(f"{id}/{fighter}")
    case.emit(FighterHit(Id(id), name, before, after, of), "TL-12.1.2")
    boxes(case, after - before, HULL, name)
    if after == of:
        befell(case, LOST, name)
        case.emit(FighterLost(Id(id), name, len(ship.fighters) - 1), "TL-12.1.2")
        if not case.state.ships[id].fighters:
            destroy(case, id, "TL-8.6.1")


def _missile(case: AnyCase, command: Hurt) -> None:
    """Three at once destroy it, less damages it; a damaged one dies to anything (TL-13.6)."""
    missile = case.state.missiles[command.ship]
    if missile.damaged or command.points >= case.book.figures.missile_toughness:
        destroy(case, command.ship, "TL-13.6")
    else:
        case.emit(MissileDamaged(Id(command.ship)), "TL-13.6")
        befell(case, "damaged", command.ship)


def _ship(state: Board, id: str) -> Ship:
    return state.ships[id]


@CHAPTER.effect(MarkerSpent)
def marker_spent(state: Board, event: MarkerSpent) -> Rows:
    """The marker comes off."""
    ship = _ship(state, event.ship)
    return {("ships", event.ship): replace(ship, markers=ship.markers.without(event.arc))}


@CHAPTER.effect(ShieldHit)
def shield_hit(state: Board, event: ShieldHit) -> Rows:
    """The boxes left."""
    ship = _ship(state, event.ship)
    return {("ships", event.ship): replace(ship, shields=ship.shields.put(str(event.arc), event.after))}


@CHAPTER.effect(HullHit)
def hull_hit(state: Board, event: HullHit) -> Rows:
    """The boxes marked."""
    return {("ships", event.ship): replace(_ship(state, event.ship), hull=event.after)}


@CHAPTER.effect(FighterHit)
def fighter_hit(state: Board, event: FighterHit) -> Rows:
    """The boxes of this fighter marked."""
    ship = _ship(state, event.ship)
    return {("ships", event.ship): replace(ship, fighters=ship.fighters.put(_number(event.fighter), event.after))}


@CHAPTER.effect(FighterLost)
def fighter_lost(state: Board, event: FighterLost) -> Rows:
    """The fighter and its bar are gone (A21.30)."""
    ship, gone = _ship(state, event.ship), _number(event.fighter)
    fighters, red, yellow = (marks.without(gone) for marks in (ship.fighters, ship.red, ship.yellow))
    left = replace(ship, fighters=fighters, red=red, yellow=yellow)
    return {("ships", event.ship): left}


def _number(fighter: str) -> str:
    return fighter.partition("/")[2]


@CHAPTER.effect(MissileDamaged)
def missile_damaged(state: Board, event: MissileDamaged) -> Rows:
    """Turned over."""
    return {("missiles", event.missile): replace(state.missiles[event.missile], damaged=True)}
