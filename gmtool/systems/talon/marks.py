"""What is marked on a ship, read off its row and its class: bars, arcs that are down, the modifier now."""

from collections.abc import Iterator
from typing import NamedTuple

from gmtool.systems.talon.book import Book
from gmtool.systems.talon.model import Board, Ship, moment
from gmtool.systems.talon.sightlines import Choice
from gmtool.systems.talon.tables import Group, ShipClass

NEBULA = "nebula"


class Bar(NamedTuple):
    """The bar of a group, or of a fighter: its number, what it is of, the boxes charged; lost with its group."""

    key: str
    group: Group
    red: int
    yellow: int
    lost: bool

    @property
    def charged(self) -> int:
        """The boxes that are charged."""
        return self.red + self.yellow

    @property
    def total(self) -> int:
        """All its boxes."""
        return self.group.red + self.group.yellow

    @property
    def full(self) -> bool:
        """Whether the group may fire (TL-8.1.1)."""
        return not self.lost and self.charged >= self.total


def bars(sheet: ShipClass, ship: Ship) -> Iterator[Bar]:
    """The bars of a ship by its groups, of a squadron by its fighters, those that are lost too (TL-5.1, 12.1.1)."""
    groups = list(enumerate(sheet.groups, 1))
    if sheet.fighters is not None:
        groups = [(n, sheet.groups[0]) for n in range(1, sheet.fighters + 1) if sheet.groups]
    for n, group in groups:
        key = str(n)
        lost = key in ship.lost or (sheet.fighters is not None and key not in ship.fighters)
        yield Bar(key, group, ship.red.get(key, 0), ship.yellow.get(key, 0), lost)


def modifier(sheet: ShipClass, ship: Ship) -> int:
    """What the leftmost unmarked hull box adds to Power (TL-5.4.4, 8.4.2)."""
    return sheet.hull[ship.hull] if ship.hull < len(sheet.hull) else 0


def is_down(state: Board, ship: Ship) -> bool:
    """Whether all arcs count as down: by a critical, or in a nebula (TL-8.5, 17.4.1)."""
    veiled = any(terrain.kind == NEBULA and terrain.at == ship.at for terrain in state.terrain.values())
    return "shields-down" in ship.crits or (ship.at is not None and veiled)


def powerless(ship: Ship, choice: Choice) -> bool:
    """Whether Power Loss keeps the chart's AP from a ship: by the campaign's reading only (TL-9.3)."""
    return "power-loss" in ship.crits and choice("tl-9.3-ap") == "none"


def repairable(state: Board, book: Book, ship: Ship, kind: str) -> bool:
    """Whether a six may take a critical marker off in this turn: one of an earlier impulse, not yet tried (TL-8.7)."""
    battle = state.battle
    if battle is None or kind in ship.tried or ship.crits[kind][:-1] == moment(battle)[:-1]:
        return False
    return any(row.repair and row.effect == kind for row in map(book.critical, range(2, 13)))
