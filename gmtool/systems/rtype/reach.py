"""What a unit reaches from where it stands, to be looked at: the hexes within a distance, those its weapons cover."""

from collections.abc import Collection
from typing import NamedTuple

from gmtool.kernel.hex import Hex
from gmtool.systems.rtype import lay
from gmtool.systems.rtype.book import Book
from gmtool.systems.rtype.model import Board
from gmtool.systems.rtype.rules.r08_reach import area_of, origin
from gmtool.systems.rtype.tables import Weapon


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
    if weapon.area is not None:
        return Reach({}, area_of(state, book, id, weapon))
    assert weapon.range is not None
    start = origin(state, book, id, weapon)
    least, most = weapon.range
    return within(state, [] if start is None else [start], most, least)
