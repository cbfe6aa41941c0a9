"""What is marked on a ship, read off its row and its class: shields that are down, the modifier now, criticals."""

from gmtool.systems.talon.book import Book
from gmtool.systems.talon.model import Board, Ship, moment
from gmtool.systems.talon.sightlines import NEBULA, Choice, kinds_at
from gmtool.systems.talon.tables import ShipClass

SHIELDS_DOWN = "shields-down"


def modifier(sheet: ShipClass, ship: Ship) -> int:
    """What the leftmost unmarked hull box adds to Power; of squadrons nothing (TL-5.4.4, 8.4.2, 12.1.2)."""
    return sheet.hull[ship.hull] if sheet.kind != "squadron" and ship.hull < len(sheet.hull) else 0


def shields_out(state: Board, ship: Ship) -> str:
    """Why all shields of a ship are down: a critical, or the nebula it is in; empty where they are not (TL-17.4.1)."""
    if SHIELDS_DOWN in ship.crits:
        return SHIELDS_DOWN
    return NEBULA if ship.at is not None and NEBULA in kinds_at(state, ship.at) else ""


def powerless(ship: Ship, choice: Choice) -> bool:
    """Whether Power Loss keeps the chart's AP from a ship: by the campaign's reading only (TL-9.3)."""
    return "power-loss" in ship.crits and choice("tl-9.3-ap") == "none"


def repairable(state: Board, book: Book, ship: Ship, kind: str) -> bool:
    """Whether a six may take a critical marker off in this turn: one of an earlier impulse, not yet tried (TL-8.7)."""
    battle = state.battle
    if battle is None or kind in ship.tried or ship.crits[kind][:-1] == moment(battle)[:-1]:
        return False
    return any(row.repair and row.effect == kind for row in map(book.critical, range(2, 13)))


def to_repair(state: Board, book: Book, ship: Ship) -> bool:
    """Whether any marker of a ship may still be tried (TL-8.7)."""
    return any(repairable(state, book, ship, kind) for kind in ship.crits)
