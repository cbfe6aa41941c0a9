"""The bars of a ship: which weapons share one, how full it is (TL-5.1, 8.1.1)."""

from gmtool.systems.talon.model import Ship
from gmtool.systems.talon.tables import Group, ShipClass


def bars(ship: Ship, sheet: ShipClass) -> dict[str, Group]:
    """The weapon groups a ship still has, by number; of a squadron those of its fighters, by fighter (TL-12.1.1)."""
    if sheet.kind == "squadron":
        return {fighter: sheet.groups[0] for fighter in sorted(ship.fighters) if sheet.groups}
    return {str(n): group for n, group in enumerate(sheet.groups, 1) if str(n) not in ship.lost}


def full(ship: Ship, bar: str, group: Group) -> bool:
    """Whether a whole bar is charged, so that its group may fire (TL-8.1.1)."""
    return ship.red.get(bar, 0) >= group.red and ship.yellow.get(bar, 0) >= group.yellow
