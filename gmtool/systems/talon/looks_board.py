"""Verbs that draw the board: on the screen, and as a picture for paper."""

from collections.abc import Callable
from typing import Annotated, Any, NamedTuple

from gmtool.kernel.drawing import Drawing
from gmtool.kernel.refusal import Id, Refused
from gmtool.kernel.view import Fields, View
from gmtool.kernel.words import WORD, Arg, Opt, number
from gmtool.systems.talon import grid, views_draw
from gmtool.systems.talon.book import Book
from gmtool.systems.talon.model import Board, Ship
from gmtool.systems.talon.words import HEX, SHIP, SHIP_OR_HEX

Data = dict[str, Any]
DISTANCE = number("distance", 1, 30)
LEAST = 4
"""How far arcs are drawn where nobody says; farther where a weapon of the ship reaches farther."""


class BoardShow(NamedTuple):
    """The board with everyone on it, around a ship or hex, with the arcs of a ship, with distances."""

    ship: Annotated[str, Arg(SHIP_OR_HEX)] = ""
    at: Annotated[str, Opt("--at", HEX)] = ""
    arcs: Annotated[str, Opt("--arcs", SHIP)] = ""
    range: Annotated[int | None, Opt("--range", DISTANCE)] = None


class BoardSvg(NamedTuple):
    """The same as a picture in a file."""

    file: Annotated[str, Arg(WORD)]
    ship: Annotated[str, Arg(SHIP_OR_HEX)] = ""
    at: Annotated[str, Opt("--at", HEX)] = ""
    arcs: Annotated[str, Opt("--arcs", SHIP)] = ""
    range: Annotated[int | None, Opt("--range", DISTANCE)] = None


def draw(state: Board, book: Book, command: BoardShow | BoardSvg) -> tuple[View, Data]:
    """The drawing with what is to be said below it, and the same as data."""
    shown = views_draw.drawing(state, book, _asked(state, book, command))
    ship = command.ship if command.ship in state.ships else ""
    says = (*views_draw.near(state, shown, command.arcs or ship), *views_draw.notes(state, book, shown))
    return View((shown, Fields(says)) if says else (shown,)), data(state, shown)


def _asked(state: Board, book: Book, command: BoardShow | BoardSvg) -> views_draw.Asked:
    """What is looked at; one middle only. Refused: usage, bad-value for a ship that is not on the board."""
    named = [name for name in (command.arcs, command.ship, command.at) if name]
    if len(set(named)) > 1:
        raise Refused("usage", key="board-one-middle", exit=2, facts={"found": named})
    if not named:
        if command.range is not None:
            raise Refused("usage", key="board-range-of", exit=2)
        return views_draw.Asked()
    id = command.arcs or command.ship
    centre = grid.read(placed(state, id).at or "" if id in state.ships else id or command.at)
    if command.arcs:
        return views_draw.Asked(centre, id, command.range or reach(book, state.ships[id]))
    return views_draw.Asked(centre, "", command.range or 0)


def placed(state: Board, id: str) -> Ship:
    """A ship that stands on the board and faces somewhere. Refused: bad-value."""
    ship = state.ships[id]
    if ship.at is None or ship.facing is None or id not in dict(state.on_board()):
        raise Refused("bad-value", key="not-on-board", rule="TL-7.1", facts={"unit": Id(id)})
    return ship


def reach(book: Book, ship: Ship) -> int:
    """How far the weapons of a ship reach, 4 hexes at least."""
    weapons = [book.weapon(group.weapon) for group in book.ship_class(ship.sheet).groups]
    return max([LEAST, *(far for weapon in weapons for far in weapon.ranges)])


def data(state: Board, shown: Drawing) -> Data:
    """The board for scripts: who stands on each hex that holds anything, its terrain, and what is asked."""
    label = shown.sheet.label
    hexes: dict[str, Data] = {}
    for row in state.terrain.values():
        hexes.setdefault(row.at, {}).setdefault("terrain", []).append(row.kind)
    for id, each in views_draw.standing(state):
        faces = None if each.facing is None else grid.FACINGS[each.facing]
        there = {"unit": id, "handle": each.handle, "facing": faces}
        hexes.setdefault(each.at or "", {}).setdefault("pieces", []).append(there)
    told: Data = {"hexes": dict(sorted(hexes.items()))}
    told["distances"] = {label(spot): n for spot, n in sorted(shown.numbers.items())}
    told["arcs"] = {area.glyph: sorted(label(spot) for spot in area.spots) for area in shown.areas}
    return told


DRAWS: dict[type[Any], Callable[..., tuple[View, Data]]] = {BoardShow: draw, BoardSvg: draw}
