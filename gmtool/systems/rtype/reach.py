"""What a unit reaches from where it stands: the hexes within a distance, those its weapons cover (RT-1.4, 1.6, 4.13).

For looking only. The rules of search and fire decide for themselves.
"""

from collections.abc import Collection
from typing import NamedTuple

from gmtool.kernel.hex import Hex, add, ahead, disc, fan
from gmtool.systems.rtype import lay
from gmtool.systems.rtype.book import Book
from gmtool.systems.rtype.model import Board
from gmtool.systems.rtype.tables import Area, Weapon

LONGEST = 198
"""No two hexes of a map of 99 by 99 are further apart."""


class Reach(NamedTuple):
    """Hexes of the map with their distance, or those of an area."""

    distances: dict[Hex, int]
    area: frozenset[Hex] = frozenset()


def within(state: Board, hexes: Collection[Hex], most: int, least: int = 1) -> Reach:
    """The hexes of the map so far away round the walls, but for the walls themselves."""
    assert state.map is not None
    free = lay.ground(state.map).free
    found = lay.reached_from(state, hexes, most)
    return Reach({hex: steps for hex, steps in found.items() if least <= steps and free(hex)})


def of_weapon(state: Board, book: Book, id: str, weapon: Weapon) -> Reach:
    """The hexes in a weapon's range, or those of its area."""
    if weapon.range is not None:
        least, most = weapon.range
        return within(state, [_muzzle(state, book, id, weapon.kind == "laser")], most, least)
    assert weapon.area is not None
    return Reach({}, area_of(state, book, id, weapon.area))


def area_of(state: Board, book: Book, id: str, area: Area) -> frozenset[Hex]:
    """The hexes of the map in an area in front of a unit, mirrored where it faces left."""
    assert state.map is not None
    unit = state.units[id]
    force = state.units.get(unit.attached_to or "")
    origin = _muzzle(state, book, id, force is not None and force.mount != "back")
    offsets = lay.offsets(tuple(_offsets(area)), unit.facing or lay.RIGHT)
    inside = lay.ground(state.map).inside
    return frozenset(hex for each in offsets if inside(hex := add(origin, each)))


def _offsets(area: Area) -> Collection[Hex]:
    """The hexes of an area around the one it is counted from, facing right."""
    if area.offsets is not None:
        return area.offsets
    shapes = {"line": ahead, "cone": fan, "burst": disc}
    return shapes[area.shape or "line"](min(area.length or 0, LONGEST))


def _muzzle(state: Board, book: Book, id: str, through_force: bool) -> Hex:
    """The hex a weapon is counted from: the body's, or that of the force attached (RT-1.6, 4.13, 4.16)."""
    unit = state.units[id]
    force = state.units.get(unit.attached_to or "") if through_force and not book.is_force(unit.sheet) else None
    hex = lay.spot(state, force) if force is not None else None
    hex = hex or lay.spot(state, unit)
    assert hex is not None
    return hex
