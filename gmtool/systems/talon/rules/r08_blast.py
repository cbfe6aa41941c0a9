"""Chapter 8: destruction, and the explosions that follow it one by one (TL-8.6)."""

from collections.abc import Iterator
from itertools import takewhile
from typing import NamedTuple

from gmtool.kernel.case import Case
from gmtool.kernel.hex import distance
from gmtool.kernel.refusal import Id
from gmtool.kernel.state import Rows, replace
from gmtool.kernel.system import Chapter
from gmtool.systems.talon import grid
from gmtool.systems.talon.book import Book
from gmtool.systems.talon.dice import highest
from gmtool.systems.talon.harm import DAMAGE, Blasts, Critical, Destroy, Hurt, Shot
from gmtool.systems.talon.model import DESTROYED, IMPULSE, Battle, Board, Ship
from gmtool.systems.talon.sightlines import arc
from gmtool.systems.talon.tables import ARCS
from gmtool.systems.talon.tally import LOST, befell
from gmtool.systems.talon.targets import aboard, in_hex, missiles_in, pick_fighter, spot, there
from gmtool.systems.talon.words import named

CHAPTER = Chapter("8.6")
AnyCase = Case[Board, Book]


class Destroyed(NamedTuple):
    """A ship, base or squadron is destroyed and off the map; its points are lost to its side."""

    ship: Id
    side: Id
    points: int
    wreck: bool


class LostWithin(NamedTuple):
    """What had docked with a ship is lost with it."""

    ship: Id
    host: Id
    side: Id
    points: int


class MissileLost(NamedTuple):
    """A missile is destroyed."""

    missile: Id


class MissileStray(NamedTuple):
    """A missile's target is gone."""

    missile: Id


class Exploded(NamedTuple):
    """A wreck explodes: ``rating`` on the hexes beside it, more in its own."""

    ship: Id
    rating: int


@CHAPTER.rule(Destroy)
def destroy_it(case: AnyCase, command: Destroy) -> None:
    """Destroyed by a rule, whatever it had left; nothing where it is gone already."""
    destroy(case, command.id, command.rule)


def destroy(case: AnyCase, id: str, rule: str) -> None:
    """Off the map at once, with what docked there; its blast waits for the end of what is under way (TL-8.6.1, A21.4).

    A missile is merely gone (TL-13.6), a squadron has no blast (TL-12.1.2).
    """
    row = there(case.state, id)
    if row is None:
        return
    if id in case.state.missiles:
        case.emit(MissileLost(Id(id)), rule)
        befell(case, LOST, id)
        return
    sheet = case.book.ship_class(row.sheet)
    case.emit(Destroyed(Id(id), Id(row.side), sheet.points, sheet.explosion > 0), rule)
    case.tally("destroyed")
    befell(case, LOST, id)
    for docked, ship in _within(case, id, sheet.kind):
        points = case.book.ship_class(ship.sheet).points
        case.emit(LostWithin(Id(docked), Id(ship.inside or id), Id(ship.side), points), "TL-16.3")
    strays(case, id)
    if sheet.explosion:
        _fuse(case, id)


def _fuse(case: AnyCase, id: str) -> None:
    """Its blast waits until the damage under way is all dealt; by other readings for less or more (A21.5, A21.10)."""
    shots = [n for n, waiting in enumerate(case.queue) if isinstance(waiting, Shot)]
    under_way = takewhile(lambda waiting: isinstance(waiting, DAMAGE), case.queue)
    others = any(_of(each) != id for each in under_way)
    when = case.choice("tl-8.6.3-when") if shots or others else "event"
    if when == "at-once":
        case.follow(Blasts())
    elif any(isinstance(waiting, Blasts) for waiting in case.queue):
        return
    elif when == "volley" and shots:
        behind = case.queue[shots[-1] + 1 :]
        case.later(Blasts(), before=lambda waiting: any(waiting is each for each in behind))
    else:
        case.later(Blasts(), before=lambda waiting: not isinstance(waiting, DAMAGE))


def _of(command: Hurt | Critical | Destroy) -> str:
    return command.id if isinstance(command, Destroy) else command.ship


def _within(case: AnyCase, host: str, kind: str) -> list[tuple[str, Ship]]:
    """What is lost with a host: all that has docked, with a base by the other reading nothing (TL-16.3, A21.23)."""
    inside = aboard(case.state, host)
    return [] if inside and kind == "base" and case.choice("tl-16.3") == "safe" else inside


def strays(case: AnyCase, id: str) -> None:
    """The missiles after something that has left the map fly straight on (TL-13.3)."""
    for missile, row in case.state.in_flight():
        if row.target == id:
            case.emit(MissileStray(Id(missile)), "TL-13.3")


@CHAPTER.rule(Blasts)
def blasts(case: AnyCase, command: Blasts) -> None:
    """The next wreck explodes, then those that are left, wrecks of this blast among them (TL-8.6.2, 8.6.3)."""
    battle = case.state.battle
    if battle is None or not battle.wrecks:
        return
    wreck = _next(case)
    ship = case.state.ships[wreck]
    rating = case.book.ship_class(ship.sheet).explosion
    if ship.at is None:
        case.emit(Exploded(Id(wreck), rating), "TL-8.6.2")
        case.warn("blast-by-hand", "TL-8.6.2", unit=Id(wreck), n=rating, more=rating + case.book.figures.same_hex)
        case.follow(Blasts())
        return
    hurts = [*_same_hex(case, wreck, rating), *_beside(case, wreck, rating)]
    case.emit(Exploded(Id(wreck), rating), "TL-8.6.2")
    for hurt in hurts:
        case.follow(hurt)
    case.follow(Blasts())


def _next(case: AnyCase) -> str:
    """The wreck whose turn it is: the current player's first, each side's in its own order (TL-8.6.3)."""
    battle = case.state.battle
    assert battle is not None
    waiting = list(battle.wrecks)
    if len({case.state.ships[id].side for id in waiting}) > 1:
        if case.choice("tl-8.6.3") == "in-order":
            return waiting[0]
        current = _current(case, battle)
        waiting = [id for id in waiting if case.state.ships[id].side == current] or waiting
    if len(waiting) == 1:
        return waiting[0]
    side = case.state.ships[waiting[0]].side
    order = case.ask_names("blasts", side, "ship", lambda: named(case.state, "ships"), rule="TL-8.6.3")
    return next((id for id in order if id in waiting), waiting[0])


def _current(case: AnyCase, battle: Battle) -> str:
    """Whose turn it is; in the Power Phase and the pull by default the initiative player (A21.5)."""
    if battle.phase == IMPULSE:
        return battle.acting or battle.initiative
    return battle.second if case.choice("tl-8.6.3-power") == "second" else battle.initiative


def _same_hex(case: AnyCase, wreck: str, rating: int) -> Iterator[Hurt]:
    """One more than the rating for everything in the wreck's hex; dice say upon which arc (TL-8.6.2, A21.6)."""
    at = case.state.ships[wreck].at or ""
    points = rating + case.book.figures.same_hex
    for id in in_hex(case.state, at):
        arcs = _arcs(case, id)
        struck = highest(case, f"arc.{id}.{wreck}", id, arcs, "TL-8.6.2") if arcs else ""
        yield Hurt(id, struck, points, "TL-8.6.2", _fighter(case, id, wreck))
    yield from _one_missile(case, wreck, at, points)


def _arcs(case: AnyCase, id: str) -> tuple[str, ...]:
    """The arcs that roll: all four, or by the other reading those with boxes left; of a squadron none (A21.6)."""
    ship = case.state.ships[id]
    if not case.book.ship_class(ship.sheet).shields:
        return ()
    standing = tuple([each for each in ARCS if ship.shields.get(each, 0)])
    if 0 < len(standing) < len(ARCS) and case.choice("tl-8.6.2") == "standing":
        return standing
    return ARCS


def _beside(case: AnyCase, wreck: str, rating: int) -> Iterator[Hurt]:
    """The rating for everything beside the wreck, upon the arc that faces it (TL-8.6.2)."""
    middle = grid.read(case.state.ships[wreck].at or "")
    for id, ship in case.state.on_board():
        if distance(spot(ship), middle) == 1:
            assert ship.facing is not None
            facing = arc(case.choice, spot(ship), ship.facing, middle)
            yield Hurt(id, facing, rating, "TL-8.6.2", _fighter(case, id, wreck))
    for at in dict.fromkeys(row.at for _, row in case.state.in_flight()):
        if distance(grid.read(at), middle) == 1:
            yield from _one_missile(case, wreck, at, rating)


def _fighter(case: AnyCase, id: str, wreck: str) -> str:
    """Of a squadron one fighter, picked by its owner (TL-8.6.4); of a ship nothing."""
    if not case.state.ships[id].fighters:
        return ""
    return pick_fighter(case, f"fighter.{id}.{wreck}", id, id, "TL-8.6.4")


def _one_missile(case: AnyCase, wreck: str, at: str, points: int) -> Iterator[Hurt]:
    """One missile of a hex, picked by its owner (TL-8.6.4)."""
    found = missiles_in(case.state, at)
    if found:
        who = case.state.missiles[found[0]].side
        usual = next((id for id in found if case.state.missiles[id].damaged), found[0])
        key = f"missile.{wreck}.{at}"
        picked = usual if len(found) == 1 else case.ask(key, who, found, usual, rule="TL-8.6.4", shown=Id)
        yield Hurt(picked, "", points, "TL-8.6.4")


@CHAPTER.effect(Destroyed)
def destroyed(state: Board, event: Destroyed) -> Rows:
    """Its points are lost; it waits among the wrecks where it has a blast (TL-17.1)."""
    battle = state.battle
    ship = state.ships[event.ship]
    rows: Rows = {("ships", event.ship): replace(ship, state=DESTROYED, at=ship.at if event.wreck else None)}
    if battle is not None:
        wrecks = (*battle.wrecks, str(event.ship)) if event.wreck else battle.wrecks
        rows["battle", "now"] = replace(_with_lost(battle, event), wrecks=wrecks)
    return rows


def _with_lost(battle: Battle, event: Destroyed | LostWithin) -> Battle:
    """The battle with a ship's points among those its side has lost."""
    return replace(battle, lost=battle.lost.put(event.side, battle.lost.get(event.side, 0) + event.points))


@CHAPTER.effect(LostWithin)
def lost_within(state: Board, event: LostWithin) -> Rows:
    """Its points are lost too; it has no blast of its own."""
    battle = state.battle
    rows: Rows = {("ships", event.ship): replace(state.ships[event.ship], state=DESTROYED)}
    if battle is not None:
        rows["battle", "now"] = _with_lost(battle, event)
    return rows


@CHAPTER.effect(Exploded)
def exploded(state: Board, event: Exploded) -> Rows:
    """One wreck fewer; nothing of it is left on the board."""
    battle = state.battle
    assert battle is not None
    return {
        ("ships", event.ship): replace(state.ships[event.ship], at=None),
        ("battle", "now"): replace(battle, wrecks=tuple(id for id in battle.wrecks if id != event.ship)),
    }


@CHAPTER.effect(MissileLost)
def missile_lost(state: Board, event: MissileLost) -> Rows:
    """Out of the battle; missiles never count for victory (TL-13.6)."""
    return {("missiles", event.missile): replace(state.missiles[event.missile], state=DESTROYED, target=None)}


@CHAPTER.effect(MissileStray)
def missile_stray(state: Board, event: MissileStray) -> Rows:
    """Without a target."""
    return {("missiles", event.missile): replace(state.missiles[event.missile], target=None)}
