"""Chapters 7, 13 and 17 to 19: what meets a ship or missile in a hex it has come into, in this order (A21.39).

Planet, black hole or worm hole; nebula; asteroid; ships of its own side, one by one; missiles after it, the last three
in another order by another reading. Each is an event of its own, with its blasts before the next.
"""

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from gmtool.kernel.case import Case
from gmtool.kernel.refusal import Id, Word
from gmtool.kernel.state import Map, Rows, replace
from gmtool.kernel.system import Chapter
from gmtool.systems.talon import grid
from gmtool.systems.talon.book import Book
from gmtool.systems.talon.harm import Collide, Entered, Entering, Hurt, Strike
from gmtool.systems.talon.marks import shields_out
from gmtool.systems.talon.model import Board, Missile, Ship
from gmtool.systems.talon.rules.r08_blast import CHAPTER as BLAST
from gmtool.systems.talon.rules.r08_blast import destroy
from gmtool.systems.talon.rules.r11_retreat import away
from gmtool.systems.talon.sightlines import ASTEROID, BLACK_HOLE, NEBULA, PLANET, WORM_HOLE, arc, kinds_at
from gmtool.systems.talon.targets import in_hex, missiles_in, spot, there
from gmtool.systems.talon.words import named

__all__ = ["CHAPTER", "Entered", "enter"]
CHAPTER = Chapter("17", needs=(BLAST,))
AnyCase = Case[Board, Book]
FORCED = ("push", "pull")
"""How a ship comes into a hex by no move of its own (TL-15.1.2, 18.2)."""


class IntoPlanet(NamedTuple):
    """Something flies into a planet, a black hole, or a missile into a worm hole."""

    unit: Id
    at: str
    kind: Word


class IntoWormHole(NamedTuple):
    """A ship leaves the battle through a worm hole."""

    unit: Id


class IntoNebula(NamedTuple):
    """A ship's shields count as down as long as it is here; its reinforcement is gone."""

    ship: Id


class IntoAsteroids(NamedTuple):
    """A ship scrapes asteroids."""

    ship: Id


class Collided(NamedTuple):
    """Two ships of one side meet."""

    mover: Id
    other: Id


@CHAPTER.rule(Entered)
def enter(case: AnyCase, command: Entered) -> None:
    """What meets it there, in order; nothing meets what is gone (A21.39)."""
    id, row = command.id, there(case.state, command.id)
    if row is not None and _off(case, id, row):
        return
    if isinstance(row, Missile):
        _missile(case, id, row, command.came_from)
    elif row is not None and not _ground(case, id, row, command.how):
        _cloud(case, id, row)
        stages = _in_order(case, list(_met(case, id, row, command.how)))
        if stages:
            case.follow(Entering(id, command.came_from, stages))


def _off(case: AnyCase, id: str, row: Ship | Missile) -> bool:
    """Off a map that a campaign has given an end a missile is destroyed; for a ship the map floats (TL-7.5.1, 13.4)."""
    columns, rows = case.book.figures.map_columns, case.book.figures.map_rows
    if not (columns or rows) or row.at is None or grid.inside(row.at, columns, rows):
        return False
    if isinstance(row, Missile):
        destroy(case, id, "TL-13.4")
        return True
    case.warn("off-map", "TL-7.5.1", unit=Id(id), at=row.at)
    return False


def _missile(case: AnyCase, id: str, missile: Missile, came_from: str) -> None:
    """A planet or black hole destroys it; else it detonates where its target is, and nowhere else (TL-13.5, 17.2.1).

    A worm hole does nothing to it, or by the other reading swallows it (TL-19, A21.22).
    """
    if _swallowed(case, id, missile):
        return
    if WORM_HOLE in kinds_at(case.state, missile.at) and case.choice("tl-19-missiles") == "lost":
        case.emit(IntoPlanet(Id(id), missile.at, Word(WORM_HOLE)), "TL-19")
        destroy(case, id, "TL-19")
        return
    target = missile.target and there(case.state, missile.target)
    if isinstance(target, Ship) and target.at == missile.at and missile.target:
        struck = arc(case.choice, spot(target), target.facing or 0, grid.read(came_from))
        case.follow(Strike(missile=id, target=missile.target, arc=struck))


def _swallowed(case: AnyCase, id: str, row: Ship | Missile) -> bool:
    """Whether a planet or black hole has destroyed what came in (TL-17.2.1, 18.1)."""
    for kind, rule in ((PLANET, "TL-17.2.1"), (BLACK_HOLE, "TL-18.1")):
        if kind in kinds_at(case.state, row.at or ""):
            case.emit(IntoPlanet(Id(id), row.at or "", Word(kind)), rule)
            destroy(case, id, rule)
            return True
    return False


def _met(case: AnyCase, id: str, ship: Ship, how: str) -> Iterator[str]:
    """The stages that have anything for a ship; what it is pushed or pulled into as the campaign reads it (A21.21)."""
    at, forced = ship.at or "", how in FORCED
    rocks = ASTEROID in kinds_at(case.state, at) and not ship.fighters
    if rocks and (not forced or case.choice("tl-17.3-forced") == "strikes"):
        yield "rocks"
    if any(id != other and _collide(case, id, other) for other in in_hex(case.state, at)):
        yield "ships"
    missiles = any(case.state.missiles[each].target == id for each in missiles_in(case.state, at))
    if missiles and (not forced or case.choice("tl-13.5-forced") == "detonates"):
        yield "missiles"


def _in_order(case: AnyCase, stages: list[str]) -> tuple[str, ...]:
    """Asteroids, collisions, missiles, or one of the others before the rest (A21.39)."""
    if len(stages) > 1:
        first = case.choice("tl-17.1")
        stages.sort(key=lambda stage: stage != first)
    return tuple(stages)


@CHAPTER.rule(Entering)
def entering(case: AnyCase, command: Entering) -> None:
    """The first of the stages left, then those behind it."""
    if there(case.state, command.id) is None:
        return
    for each in DOES[command.stages[0]](case, command):
        case.follow(each)
    if command.stages[1:]:
        case.follow(command._replace(stages=command.stages[1:]))


def _ground(case: AnyCase, id: str, ship: Ship, how: str) -> bool:
    """Whether planet, black hole or worm hole have taken it: nothing follows then (TL-17.2.1, 18.1, 19).

    Who is pushed or pulled into a worm hole is gone too, or by the other reading stays (A21.21).
    """
    if _swallowed(case, id, ship):
        return True
    if WORM_HOLE not in kinds_at(case.state, ship.at or ""):
        return False
    if how in FORCED and case.choice("tl-19-forced") == "stays":
        return False
    case.emit(IntoWormHole(Id(id)), "TL-19")
    away(case, id, "TL-19")
    return True


def _cloud(case: AnyCase, id: str, ship: Ship) -> None:
    """A nebula takes the shields and the reinforcement; squadrons have neither (TL-17.4.1)."""
    if NEBULA in kinds_at(case.state, ship.at or "") and not ship.fighters:
        case.emit(IntoNebula(Id(id)), "TL-17.4.1")


def _rocks(case: AnyCase, command: Entering) -> list[Any]:
    """Asteroids strike the front shield; by the other reading the side the ship went in with (TL-17.3)."""
    case.emit(IntoAsteroids(Id(command.id)), "TL-17.3")
    struck = bow(case, case.state.ships[command.id], command.came_from)
    if struck != grid.FRONT and case.choice("tl-17.3") == "front":
        struck = grid.FRONT
    return [Hurt(command.id, struck, case.book.figures.asteroid, "TL-17.3")]


def bow(case: AnyCase, ship: Ship, came_from: str) -> str:
    """The arc a ship went in with: that of the hex it is in, seen from the one it came from (TL-7.4)."""
    return arc(case.choice, grid.read(came_from), ship.facing or 0, spot(ship))


def _ships(case: AnyCase, command: Entering) -> list[Any]:
    """A collision with each ship of its side there, in the order the owner names (TL-7.4, A21.7)."""
    ship = case.state.ships[command.id]
    met = [id for id in in_hex(case.state, ship.at or "") if id != command.id and _collide(case, command.id, id)]
    if len(met) > 1:
        order = case.ask_names("collisions", command.id, "ship", lambda: named(case.state, "ships"), rule="TL-7.4")
        met.sort(key=lambda id: order.index(id) if id in order else len(order))
        if case.choice("tl-7.4") == "one":
            met = met[:1]
    return [Collide(command.id, id, command.came_from) for id in met]


def _collide(case: AnyCase, mover: str, other: str) -> bool:
    """Whether two ships collide: of one side, neither a base (TL-7.4, 14)."""
    ships = [case.state.ships[id] for id in (mover, other)]
    kinds = [case.book.ship_class(ship.sheet).kind for ship in ships]
    return ships[0].side == ships[1].side and "base" not in kinds


def _missiles(case: AnyCase, command: Entering) -> list[Any]:
    """The missiles there that are after it, in their owner's order (TL-13.5, A21.37)."""
    ship = case.state.ships[command.id]
    met = [id for id in missiles_in(case.state, ship.at or "") if case.state.missiles[id].target == command.id]
    if len(met) > 1:
        side = case.state.missiles[met[0]].side
        order = case.ask_names("missiles", side, "missile", lambda: named(case.state, "missiles"), rule="TL-13.5")
        met.sort(key=lambda id: order.index(id) if id in order else len(order))
    struck = bow(case, ship, command.came_from) if met else ""
    together = _together(case, ship, struck, met)
    return [Strike(id, command.id, struck, together) for id in met]


def _together(case: AnyCase, ship: Ship, struck: str, met: list[str]) -> bool:
    """Whether all detonate as one, even if the first are the end of their target: a reading that matters only where
    these come through its shield (A21.37).
    """
    points = sum(case.book.weapon(case.state.missiles[id].sheet).damage for id in met[:-1])
    held = 0 if shields_out(case.state, ship) else ship.shields.get(struck, 0) + (struck in ship.markers)
    return points > held and case.choice("tl-13.5-several") == "together"


DOES: dict[str, Callable[[AnyCase, Entering], list[Any]]] = {"rocks": _rocks, "ships": _ships, "missiles": _missiles}
"""What each stage makes follow."""


@CHAPTER.rule(Collide)
def collide(case: AnyCase, command: Collide) -> None:
    """Both take their damage on the arc that faces the other, even if the first dies of it (TL-7.4, A21.7)."""
    mover, other = there(case.state, command.mover), there(case.state, command.other)
    if not isinstance(mover, Ship) or not isinstance(other, Ship) or mover.at != other.at:
        return
    case.emit(Collided(Id(command.mover), Id(command.other)), "TL-7.4")
    facing = arc(case.choice, spot(other), other.facing or 0, grid.read(command.came_from))
    for hurt in [
        *_dented(case, command.mover, bow(case, mover, command.came_from)), *_dented(case, command.other, facing),
    ]:  # fmt: skip
        case.follow(hurt)


def _dented(case: AnyCase, id: str, struck: str) -> list[Hurt]:
    """The damage of a collision: on an arc; of a squadron upon each fighter (TL-7.4)."""
    points, fighters = case.book.figures.collision, sorted(case.state.ships[id].fighters)
    if fighters:
        return [Hurt(id, "", points, "TL-7.4", each) for each in fighters]
    return [Hurt(id, struck, points, "TL-7.4")]


@CHAPTER.effect(IntoNebula)
def into_nebula(state: Board, event: IntoNebula) -> Rows:
    """The boxes stay as they are; the markers are destroyed."""
    return {("ships", event.ship): replace(state.ships[event.ship], markers=Map())}
