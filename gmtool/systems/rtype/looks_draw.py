"""Verbs that draw the map: on the screen, and as a picture for paper."""

from collections.abc import Callable
from typing import Annotated, Any, NamedTuple

from gmtool.kernel.drawing import Drawing
from gmtool.kernel.hex import Hex
from gmtool.kernel.refusal import Id, Refused
from gmtool.kernel.view import Fields, View
from gmtool.kernel.words import WORD, Arg, Kind, Opt, Scope, find, number
from gmtool.systems.rtype import lay, views_map
from gmtool.systems.rtype.book import Book
from gmtool.systems.rtype.known import Seen
from gmtool.systems.rtype.model import Board
from gmtool.systems.rtype.reach import of_weapon, within
from gmtool.systems.rtype.words import UNIT, weapons_of
from gmtool.systems.rtype.words_map import HEX

Data = dict[str, Any]


def _weapon(word: str, scope: Scope) -> str:
    """A weapon of the unit named before; of a unit that a side does not know whole nothing is told."""
    unit = scope.state.units.get(scope.given.get("unit", ""))
    if unit is None:
        raise Refused("usage", key="map-whose-weapon", exit=2, facts={"value": word})
    if isinstance(unit, Seen):
        raise Refused("not-covered", key="map-not-known", exit=2, facts={"unit": Id(scope.given["unit"])})
    return find(word, "weapon", weapons_of(scope.book.sheet(unit.sheet)))


OWN_WEAPON = Kind("weapon", _weapon)
DISTANCE = number("distance", 1, 198)


class MapShow(NamedTuple):
    """The map on the table, around a unit or hex, with what lies within a distance or a weapon's reach."""

    unit: Annotated[str, Arg(UNIT)] = ""
    range: Annotated[int | None, Opt("--range", DISTANCE)] = None
    weapon: Annotated[str, Opt("--weapon", OWN_WEAPON)] = ""
    at: Annotated[str, Opt("--at", HEX)] = ""


class MapSvg(NamedTuple):
    """The same as a picture in a file."""

    file: Annotated[str, Arg(WORD)]
    unit: Annotated[str, Arg(UNIT)] = ""
    range: Annotated[int | None, Opt("--range", DISTANCE)] = None
    weapon: Annotated[str, Opt("--weapon", OWN_WEAPON)] = ""
    at: Annotated[str, Opt("--at", HEX)] = ""


def draw(state: Board, book: Book, command: MapShow | MapSvg) -> tuple[View, Data]:
    """The drawing with what is to be said below it, and the same as data. Refused: no-map, not-on-map."""
    if state.map is None:
        raise Refused("no-map")
    shown = views_map.drawing(state, book, _asked(state, book, command))
    says = (*views_map.near(shown, command.unit), *views_map.notes(state, shown))
    return View((shown, Fields(says)) if says else (shown,)), data(state, shown)


def _asked(state: Board, book: Book, command: MapShow | MapSvg) -> views_map.Asked:
    """What is looked at, and what is reached from there: from all hexes of a unit, or from one hex (RT-1.6)."""
    centre = _centre(state, command)
    if command.weapon:
        sheet = state.units[command.unit].sheet
        reach = of_weapon(state, book, command.unit, book.weapon(sheet, command.weapon))
        return views_map.Asked(centre, reach, "area" if reach.area else "range")
    if command.range is None:
        return views_map.Asked(centre)
    if centre is None:
        raise Refused("usage", key="map-range-of", exit=2)
    hexes = lay.with_force(state, book, command.unit) if command.unit else (centre,)
    return views_map.Asked(centre, within(state, hexes, command.range), "distance")


def _centre(state: Board, command: MapShow | MapSvg) -> Hex | None:
    assert state.map is not None
    if not command.unit:
        return lay.ground(state.map).labels.read(command.at) if command.at else None
    if command.at:
        raise Refused("usage", key="map-unit-or-hex", exit=2, facts={"unit": Id(command.unit), "hex": command.at})
    unit = state.units[command.unit]
    hex = lay.spot(state, unit)
    if hex is None or unit.state in lay.OUT_OF_ALL:
        key = "nowhere-known" if state.eyes else "not-on-map"
        raise Refused("bad-value", key=key, facts={"unit": Id(command.unit)})
    return hex


def data(state: Board, shown: Drawing) -> Data:
    """The map for scripts: what there is on each hex that holds anything, and what is reached."""
    map, label = state.map, shown.sheet.label
    assert map is not None
    hexes: dict[str, Data] = {hex: {"terrain": kind} for hex, kind in map.terrain.items()}
    for site in shown.sites:
        for spot in site.spots:
            hexes.setdefault(label(spot), {})["place"] = site.id
    for piece in shown.pieces:
        for foot in piece.feet:
            part = {"part": foot.name.rpartition("/")[2]} if foot.name else {}
            there = {"unit": piece.id, "role": foot.role, **part}
            hexes.setdefault(label(foot.spot), {}).setdefault("pieces", []).append(there)
    told: Data = {"map": {"name": map.name, "columns": map.columns, "rows": map.rows, "shoved": map.shoved}}
    told["sortie"] = {side: spots.split() for side, spots in map.sortie.items() if side}
    told["hexes"] = dict(sorted(hexes.items()))
    told["distances"] = {label(spot): n for spot, n in sorted(shown.numbers.items())}
    told["area"] = sorted(map_label for map_label in (label(spot) for spot in shown.lit))
    return told


DRAWS: dict[type[Any], Callable[..., tuple[View, Data]]] = {MapShow: draw, MapSvg: draw}
