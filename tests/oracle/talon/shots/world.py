"""What stands where in a fight, and its dice; all of it may be changed in place."""

from collections.abc import Callable
from dataclasses import dataclass, field, replace

from tests.oracle.talon.shots import hexes
from tests.oracle.talon.shots.data import CLASSES, Class
from tests.oracle.talon.shots.hexes import Hex


class Refused(Exception):
    """The rules forbid it."""


@dataclass
class Ship:
    """A ship, base or squadron; ``hull`` are boxes marked, ``fighters`` those of each fighter left."""

    id: str
    side: str
    sheet: Class
    at: Hex
    facing: int
    shields: dict[str, int]
    hull: int = 0
    markers: set[str] = field(default_factory=set)
    crits: set[str] = field(default_factory=set)
    turn_plus: int = 0
    power_minus: int = 0
    offline: bool = False
    lost: set[str] = field(default_factory=set)
    empty: set[str] = field(default_factory=set)
    fighters: dict[str, int] = field(default_factory=dict)
    there: bool = True

    @property
    def squadron(self) -> bool:
        """Whether it is fighters."""
        return self.sheet.kind == "squadron"


@dataclass
class Missile:
    """A missile in flight, whole or damaged, after a ship."""

    id: str
    side: str
    at: Hex
    target: str | None
    damaged: bool = False
    there: bool = True


@dataclass
class World:
    """Ships in the order they joined, missiles in that of their launch, terrain by hex, wrecks that wait, points lost.

    ``die`` throws one die of six; ``fired`` are the ships that have, one after the other.
    """

    acting: str
    die: Callable[[], int]
    ships: dict[str, Ship] = field(default_factory=dict)
    missiles: dict[str, Missile] = field(default_factory=dict)
    terrain: dict[Hex, list[str]] = field(default_factory=dict)
    wrecks: list[Ship] = field(default_factory=list)
    lost: dict[str, int] = field(default_factory=dict)
    fired: list[str] = field(default_factory=list)
    launched: bool = False
    taken: dict[str, int] = field(default_factory=dict)
    hits: int = 0
    damage: int = 0
    destroyed: int = 0
    criticals: int = 0

    def takes(self, id: str, what: str, boxes: int) -> None:
        """Boxes of an arc or of the hull are gone."""
        self.damage += boxes
        if boxes:
            self.taken[f"{what}.{id}"] = self.taken.get(f"{what}.{id}", 0) + boxes

    def copied(self, die: Callable[[], int]) -> "World":
        """The same with dice of its own."""
        other = replace(self, die=die, wrecks=[], lost={**self.lost}, fired=[*self.fired], taken={**self.taken})
        other.ships = {id: _own(ship) for id, ship in self.ships.items()}
        other.missiles = {id: replace(missile) for id, missile in self.missiles.items()}
        return other

    def on_map(self) -> list[Ship]:
        """The ships that are there."""
        return [ship for ship in self.ships.values() if ship.there]

    def in_flight(self) -> list[Missile]:
        """The missiles that are there."""
        return [missile for missile in self.missiles.values() if missile.there]

    def kinds(self, hex: Hex) -> list[str]:
        """The counters of terrain in a hex."""
        return self.terrain.get(hex, [])

    def shields_down(self, ship: Ship) -> bool:
        """By a critical, or in a nebula (TL-8.5, 17.4.1)."""
        return "shields-down" in ship.crits or "nebula" in self.kinds(ship.at)

    def blocked(self, a: Hex, b: Hex) -> bool:
        """Whether a planet or black hole lies across a line (TL-17.2.2, 18.1)."""
        through, _ = hexes.line(a, b)
        return any(kind in ("planet", "black-hole") for hex in through for kind in self.kinds(hex))

    def weighs(self, a: Hex, b: Hex) -> int:
        """What a die loses to what lies on its line (TL-17.5, 18.1, A21.14)."""
        through, along = hexes.line(a, b)
        dust = {hex: sum(kind in ("asteroid", "nebula") for kind in kinds) for hex, kinds in self.terrain.items()}
        found = sum(dust.get(hex, 0) for hex in (a, *through, b))
        found += sum(min(dust.get(one, 0), dust.get(other, 0)) for one, other in along)
        holes = [hex for hex, kinds in self.terrain.items() for kind in kinds if kind == "black-hole"]
        return found + sum(hexes.apart(b, hole) < hexes.apart(a, hole) for hole in holes)

    def highest(self, seats: list[str]) -> str:
        """Who throws the highest; those that tie throw again."""
        while len(seats) > 1:
            thrown = [self.die() for _ in seats]
            seats = [seat for seat, roll in zip(seats, thrown, strict=True) if roll == max(thrown)]
        return seats[0]


def _own(ship: Ship) -> Ship:
    sets = {name: {*getattr(ship, name)} for name in ("markers", "crits", "lost", "empty")}
    return replace(ship, shields={**ship.shields}, fighters={**ship.fighters}, **sets)


def fresh(id: str, side: str, sheet: str, at: Hex, facing: int) -> Ship:
    """A ship as it begins."""
    known = CLASSES[sheet]
    fighters = {"1": 0, "2": 0, "3": 0} if known.kind == "squadron" else {}
    return Ship(id, side, known, at, facing, dict(known.shields), fighters=fighters)
