"""Which ships have anything to fire at: a full group, an enemy in arc, range and sight; cheaper than aiming each."""

from collections.abc import Iterator

from gmtool.kernel.hex import Hex, distance
from gmtool.systems.talon import grid, sightlines
from gmtool.systems.talon.bars import Bar, bars
from gmtool.systems.talon.book import Book
from gmtool.systems.talon.model import Board, Ship


def may_fire(state: Board, book: Book, side: str) -> list[str]:
    """The ships of a side of which a full group bears on an enemy ship or missile (TL-8.1.1, 8.2.2)."""
    if state.battle is not None and not state.battle.board:
        return _ready(state, book, side)
    land, enemies = sightlines.ground(state), list(_enemies(state, side))
    found = []
    for id, ship in state.on_board():
        full = [bar for bar in bars(book.ship_class(ship.sheet), ship) if bar.full]
        if ship.side == side and any(_bears(book, land, ship, full, hex, big) for hex, big in enemies):
            found.append(id)
    return found


def _ready(state: Board, book: Book, side: str) -> list[str]:
    """Without a board: who has a full group, while there is an enemy; ranges and arcs are the table's word."""
    rows = state.fighting()
    if all(ship.side == side for _, ship in rows):
        return []
    return [
        id
        for id, ship in rows
        if ship.side == side and any(bar.full for bar in bars(book.ship_class(ship.sheet), ship))
    ]


def _enemies(state: Board, side: str) -> Iterator[tuple[Hex, bool]]:
    """Where enemies are, each with whether it is a ship: launchers fire at nothing else (TL-13.2)."""
    yield from ((grid.read(ship.at), True) for _, ship in state.on_board() if ship.side != side and ship.at)
    yield from ((grid.read(row.at), False) for _, row in state.in_flight() if row.side != side)


def _bears(book: Book, land: sightlines.Ground, ship: Ship, full: list[Bar], there: Hex, big: bool) -> bool:
    """Whether one of these groups has a hex in arc, range and sight."""
    here = grid.read(ship.at or "")
    away = distance(here, there)
    if not away or ship.facing is None:
        return False
    weapons = [(each.group, book.weapon(each.group.weapon)) for each in full]
    near = [group for group, of in weapons if away in of.ranges and (big or of.launch is None)]
    arc = sightlines.arc(book.reading, here, ship.facing, there) if near else ""
    if not any(arc in group.arcs for group in near):
        return False
    return sightlines.bar(book.reading, land, here, there) is None
