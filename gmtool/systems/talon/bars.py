"""The bars of a ship: which weapons share one, how full it is (TL-5.1, 8.1.1)."""

from collections.abc import Iterator
from typing import NamedTuple

from gmtool.systems.talon.model import Ship
from gmtool.systems.talon.tables import Group, ShipClass


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


def numbered(sheet: ShipClass) -> dict[str, Group]:
    """What has a bar on a whole ship: its groups by number; of a squadron each fighter, all alike (TL-12.1.1)."""
    if sheet.fighters is None:
        return {str(n): group for n, group in enumerate(sheet.groups, 1)}
    return {str(n): sheet.groups[0] for n in range(1, sheet.fighters + 1) if sheet.groups}


def bars(sheet: ShipClass, ship: Ship) -> Iterator[Bar]:
    """The bars of a ship by its groups, of a squadron by its fighters, those that are lost too (TL-5.1, 12.1.1)."""
    for key, group in numbered(sheet).items():
        lost = key in ship.lost or (sheet.fighters is not None and key not in ship.fighters)
        yield Bar(key, group, ship.red.get(key, 0), ship.yellow.get(key, 0), lost)


def kept(sheet: ShipClass, ship: Ship) -> dict[str, Group]:
    """The weapon groups a ship still has, by number; of a squadron those of its fighters, by fighter."""
    return {bar.key: bar.group for bar in bars(sheet, ship) if not bar.lost}
