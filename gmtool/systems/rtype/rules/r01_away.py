"""Set-up on a map: the map put away at the end of a battle, and kept with one that is parked."""

from typing import Any, NamedTuple

from gmtool.kernel.case import Case
from gmtool.kernel.state import Rows, decode, encode, replace
from gmtool.kernel.system import Chapter
from gmtool.systems.rtype.book import Book
from gmtool.systems.rtype.model import BattleMap, Board, Place

CHAPTER = Chapter("1 map away")


class MapTaken(NamedTuple):
    """No map lies on the table, nobody stands on a hex; the places that came with it are gone."""


def tell(case: Case[Board, Book], lay: BattleMap | None) -> None:
    """That the map which lay there is put away, with whatever ended its battle (RT-1.7)."""
    if lay is not None:
        case.emit(MapTaken(), "RT-1.7")


@CHAPTER.effect(MapTaken)
def map_taken(state: Board, event: MapTaken) -> Rows:
    """Nobody stands anywhere."""
    return map_away(state)


def map_away(state: Board) -> Rows:
    """No map, none of its places, nobody on a hex."""
    rows: Rows = {("map", "now"): None} if state.map else {}
    rows |= {("places", id): None for id, place in state.places.items() if place.hexes}
    standing = [(id, unit) for id, unit in state.units.items() if unit.at is not None]
    return rows | {("units", id): replace(unit, at=None, facing=None) for id, unit in standing}


def map_kept(state: Board) -> dict[str, Any]:
    """The map of the battle and the places on it, where there is one; they wait with it."""
    if state.map is None:
        return {}
    places = {id: encode(place) for id, place in state.places.items() if place.hexes}
    return {"map": encode(state.map), "places": places}


def map_back(parked: Any, id: str) -> Rows:
    """The map that lay on the table then, and its places."""
    if "map" not in parked:
        return {}
    rows: Rows = {("map", "now"): decode(BattleMap, parked["map"], f"parked.{id}.map")}
    found = parked.get("places", {}).items()
    return rows | {("places", place): decode(Place, row, f"parked.{id}.places.{place}") for place, row in found}
