"""Chapters 7, 13 and 17 to 19: what meets a ship or missile in a hex it has come into, in this order (A21.39).

Planet, black hole or worm hole; nebula; asteroid; ships of its own side, one by one; missiles after it. Each is an
event of its own, with its blasts before the next.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

from gmtool.kernel.case import Case
from gmtool.kernel.refusal import Id, Word
from gmtool.kernel.state import Map, Rows, replace
from gmtool.kernel.system import Chapter
from gmtool.systems.talon import grid
from gmtool.systems.talon.book import Book
from gmtool.systems.talon.harm import Collide, Entered, Entering, Hurt, Strike
from gmtool.systems.talon.model import Board, Missile, Ship
from gmtool.systems.talon.rules.r08_blast import CHAPTER as BLAST
from gmtool.systems.talon.rules.r08_blast import destroy
from gmtool.systems.talon.rules.r11_retreat import away
from gmtool.systems.talon.sightlines import ASTEROID, BLACK_HOLE, NEBULA, PLANET, WORM_HOLE, arc, kinds_at
from gmtool.systems.talon.targets import in_hex, missiles_in, spot, there
from gmtool.systems.talon.words_combat import named

__all__ = ["CHAPTER", "Entered", "enter"]
CHAPTER = Chapter("17", needs=(BLAST,))
AnyCase = Case[Board, Book]


class IntoPlanet(NamedTuple):
    """Something flies into a planet or a black hole."""

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
    row = there(case.state, command.id)
    if isinstance(row, Missile):
        _missile(case, command.id, row, command.came_from)
    elif row is not None:
        case.follow(Entering(command.id, command.came_from, STAGES[0]))


def _missile(case: AnyCase, id: str, missile: Missile, came_from: str) -> None:
    """A planet or black hole destroys it; else it detonates where its target is, and nowhere else (TL-13.5, 17.2.1)."""
    if _swallowed(case, id, missile):
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


@CHAPTER.rule(Entering)
def entering(case: AnyCase, command: Entering) -> None:
    """The first of the stages left that has anything for the ship, then those behind it."""
    if there(case.state, command.id) is None:
        return
    for place in range(list(STAGES).index(command.stage), len(STAGES)):
        follows = DOES[STAGES[place]](case, command)
        if there(case.state, command.id) is None:
            return
        for each in follows:
            case.follow(each)
        if follows:
            for later in STAGES[place + 1 : place + 2]:
                case.follow(command._replace(stage=later))
            return


def _ground(case: AnyCase, command: Entering) -> list[Any]:
    """Planet, black hole, worm hole: the counter is gone, nothing follows (TL-17.2.1, 18.1, 19)."""
    id, ship = command.id, case.state.ships[command.id]
    if not _swallowed(case, id, ship) and WORM_HOLE in kinds_at(case.state, ship.at or ""):
        case.emit(IntoWormHole(Id(id)), "TL-19")
        away(case, id, "TL-19")
    return []


def _cloud(case: AnyCase, command: Entering) -> list[Any]:
    """A nebula takes the shields and the reinforcement; squadrons have neither (TL-17.4.1)."""
    ship = case.state.ships[command.id]
    if NEBULA in kinds_at(case.state, ship.at or "") and not ship.fighters:
        case.emit(IntoNebula(Id(command.id)), "TL-17.4.1")
    return []


def _rocks(case: AnyCase, command: Entering) -> list[Any]:
    """Asteroids strike the front shield; by the other reading the side the ship went in with (TL-17.3)."""
    ship = case.state.ships[command.id]
    if ASTEROID not in kinds_at(case.state, ship.at or "") or ship.fighters:
        return []
    case.emit(IntoAsteroids(Id(command.id)), "TL-17.3")
    struck = bow(case, ship, command.came_from)
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
    return [Strike(id, command.id, bow(case, ship, command.came_from)) for id in met]


DOES: dict[str, Callable[[AnyCase, Entering], list[Any]]] = {
    "ground": _ground, "cloud": _cloud, "rocks": _rocks, "ships": _ships, "missiles": _missiles,
}  # fmt: skip
STAGES = tuple(DOES)
"""What meets a ship, in order, and what each stage makes follow."""


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
