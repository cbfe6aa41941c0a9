"""What stands on the board where, and who is struck of a squadron."""

from gmtool.kernel.case import Case
from gmtool.kernel.hex import Hex
from gmtool.kernel.refusal import Id
from gmtool.systems.talon import grid
from gmtool.systems.talon.bars import numbered
from gmtool.systems.talon.book import Book
from gmtool.systems.talon.model import ACTIVE, DOCKED, Board, Missile, Ship
from gmtool.systems.talon.tables import Group, ShipClass

AnyCase = Case[Board, Book]


def there(state: Board, id: str) -> Ship | Missile | None:
    """A ship, base or squadron in the battle, or a missile in flight; None once it is gone, or where there is none."""
    ship, missile = state.ships.get(id), state.missiles.get(id)
    if ship is not None:
        return ship if state.fights(ship) else None
    return missile if missile is not None and missile.state == ACTIVE else None


def fighter_there(state: Board, id: str, fighter: str) -> bool:
    """Whether a target is on the board, and where a fighter of it is meant that one too."""
    ship = state.ships.get(id)
    return there(state, id) is not None and (not fighter or (ship is not None and fighter in ship.fighters))


def spot(row: Ship | Missile) -> Hex:
    """The hex of something on the board."""
    assert row.at is not None
    return grid.read(row.at)


def placed(*rows: Ship | Missile) -> bool:
    """Whether all of these stand on the board; else how they lie to each other is said at the table."""
    return all(row.at is not None for row in rows)


def in_hex(state: Board, at: str) -> list[str]:
    """The ships, bases and squadrons in a hex, as they joined."""
    return [id for id, ship in state.on_board() if ship.at == at]


def missiles_in(state: Board, at: str) -> list[str]:
    """The missiles in a hex, as they were launched."""
    return [id for id, row in state.in_flight() if row.at == at]


def aboard(state: Board, host: str) -> list[tuple[str, Ship]]:
    """What has docked with a ship or base, and with those that have: they share its fate (TL-16.3)."""
    inside = [(id, ship) for id, ship in state.ships.items() if ship.state == DOCKED and ship.inside == host]
    return [each for id, ship in inside for each in ((id, ship), *aboard(state, id))]


def group_of(sheet: ShipClass, ship: Ship, key: str) -> Group | None:
    """The weapon group of a number, lost or not: of a squadron that of a fighter it still has (TL-5.1, 12.1.1)."""
    if sheet.kind == "squadron" and key not in ship.fighters:
        return None
    return numbered(sheet).get(key)


def pick_fighter(case: AnyCase, key: str, who: str, squadron: str, rule: str, fresh: bool = False) -> str:
    """The fighter of a squadron that is struck: picked, by default the one hit worst (``fresh``: the least)."""
    marked = case.state.ships[squadron].fighters
    usual = sorted(marked, key=lambda each: (marked[each] if fresh else -marked[each], each))
    if len(usual) == 1:
        return usual[0]
    return case.ask(key, who, sorted(marked), usual[0], rule=rule, shown=lambda each: Id(f"{squadron}/{each}"))
