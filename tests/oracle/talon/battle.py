"""Damage, criticals, explosions, and what meets a ship in a hex: the rules written down once more, plainly."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any

from tests.oracle.talon.plane import ARCS, Hex, arc, far

MARKERS = {3: "shields-down", 4: "helm-down", 11: "power-loss"}


@dataclass
class Ship:
    """A ship, base or squadron."""

    id: str
    sheet: dict[str, Any]
    side: str
    at: Hex | None
    facing: int
    power: int = 0
    speed: int = 0
    turn: int = 0
    state: str = "active"
    shields: dict[str, int] = field(default_factory=dict)
    hull: int = 0
    red: dict[str, int] = field(default_factory=dict)
    yellow: dict[str, int] = field(default_factory=dict)
    fighters: dict[str, int] = field(default_factory=dict)
    lost: set[str] = field(default_factory=set)
    crits: dict[str, str] = field(default_factory=dict)
    markers: dict[str, str] = field(default_factory=dict)
    counter: int = 0
    slip: bool = False
    battery: bool = False
    burners: int = 0
    burned: bool = False
    moved: bool = False
    ap: int = 0
    initiative: str = ""
    turn_plus: int = 0
    power_minus: int = 0
    offline: bool = False
    powered: bool = False
    inside: str = ""
    tried: set[str] = field(default_factory=set)

    @property
    def kind(self) -> str:
        return str(self.sheet.get("kind", "ship"))

    def groups(self) -> dict[str, dict[str, Any]]:
        """The weapon groups left; of a squadron its fighters'."""
        of = self.sheet.get("group", [])
        if self.kind == "squadron":
            return dict.fromkeys(sorted(self.fighters), of[0])
        return {str(n): group for n, group in enumerate(of, 1) if str(n) not in self.lost}

    def full(self, key: str) -> bool:
        group = self.groups().get(key)
        return group is not None and self.red[key] >= group["red"] and self.yellow[key] >= group["yellow"]


@dataclass
class Missile:
    """A missile in flight."""

    id: str
    side: str
    at: Hex
    facing: int
    target: str | None
    state: str = "active"
    damaged: bool = False
    moved: bool = True


@dataclass
class Hurt:
    """Points that come down on something."""

    id: str
    arc: str
    points: int
    fighter: str = ""


class World:
    """Everything on the board, with the dice that it takes in their order."""

    def __init__(self, first: str, second: str, die: Callable[[], int]) -> None:
        self.sides = (first, second)
        self.holder, self.acting = first, first
        self.phase, self.round, self.impulse = "impulse", 1, "A"
        self.ships: dict[str, Ship] = {}
        self.missiles: dict[str, Missile] = {}
        self.terrain: list[tuple[str, Hex]] = []
        self.throw = die
        self.dice: list[int] = []
        self.wrecks: list[tuple[str, Hex]] = []
        self.points = {"lost": {first: 0, second: 0}, "fled": {first: 0, second: 0}}

    def die(self) -> int:
        self.dice.append(self.throw())
        return self.dice[-1]

    def stamp(self) -> str:
        return f"{self.round}{self.impulse}"

    def other(self, side: str) -> str:
        return next(each for each in self.sides if each != side)

    def kinds(self, hex: Hex | None) -> list[str]:
        return [kind for kind, at in self.terrain if at == hex]

    def here(self, id: str | None) -> Ship | Missile | None:
        """What is still on the board."""
        row: Ship | Missile | None = self.ships.get(id or "") or self.missiles.get(id or "")
        return row if row is not None and row.state == "active" and row.at is not None else None

    def flying(self) -> list[Missile]:
        return [missile for missile in self.missiles.values() if missile.state == "active"]

    def standing(self) -> list[Ship]:
        return [ship for ship in self.ships.values() if ship.state == "active" and ship.at is not None]

    # damage

    def event(self, hurts: Iterable[Hurt]) -> None:
        """All the damage of one event, then the explosions one by one."""
        for hurt in list(hurts):
            self._deal(hurt)
        self.settle()

    def _deal(self, hurt: Hurt) -> None:
        row = self.here(hurt.id)
        if row is None or hurt.points <= 0:
            return
        if isinstance(row, Missile):
            if row.damaged or hurt.points >= 3:
                row.state, row.target = "destroyed", None
            else:
                row.damaged = True
        elif row.kind == "squadron":
            self._fighter(row, hurt)
        else:
            self._hull(row, self._through(row, hurt.arc, hurt.points))

    def _fighter(self, ship: Ship, hurt: Hurt) -> None:
        key = hurt.fighter
        if key not in ship.fighters:
            return
        ship.fighters[key] += hurt.points
        if ship.fighters[key] >= len(ship.sheet["hull"]):
            del ship.fighters[key], ship.red[key], ship.yellow[key]
            if not ship.fighters:
                self.destroy(ship)

    def _through(self, ship: Ship, side: str, points: int) -> int:
        """What markers and shield boxes leave over."""
        if "shields-down" in ship.crits or "nebula" in self.kinds(ship.at):
            return points
        if points and side in ship.markers:
            del ship.markers[side]
            points -= 1
        while points and ship.shields[side]:
            ship.shields[side] -= 1
            points -= 1
        return points

    def _hull(self, ship: Ship, points: int) -> None:
        """Box by box; a critical one is rolled for as it is marked."""
        for _ in range(points):
            if ship.state != "active":
                return
            ship.hull += 1
            if ship.hull == len(ship.sheet["hull"]):
                self.destroy(ship)
            elif ship.hull in ship.sheet.get("critical", []):
                self._critical(ship)

    def _critical(self, ship: Ship) -> None:
        total = self.die() + self.die()
        base, now = ship.kind == "base", self.stamp()
        if total == 2:
            self._hull(ship, 3)
        elif total == 12:
            self.destroy(ship)
        elif total in (5, 9):
            self._group(ship)
        elif total == 10:
            ship.offline = True
            self._hull(ship, 1)
        elif total == 6 and not base and ship.turn_plus < 2:
            ship.turn_plus += 1
            ship.crits["turn"] = now
        elif total == 8 and not ship.power_minus:
            ship.power_minus = 1
            ship.crits["power"] = now
        elif total in MARKERS and not (base and total == 4) and MARKERS[total] not in ship.crits:
            ship.crits[MARKERS[total]] = now
            if total == 3:
                ship.markers.clear()

    def _group(self, ship: Ship) -> None:
        left = list(ship.groups())
        if left:
            gone = self.highest(left)
            ship.lost.add(gone)
            ship.red[gone] = ship.yellow[gone] = 0

    def highest(self, seats: list[str]) -> str:
        """One die each, those that tie again."""
        while len(seats) > 1:
            faces = [self.die() for _ in seats]
            seats = [seat for seat, face in zip(seats, faces, strict=True) if face == max(faces)]
        return seats[0]

    def destroy(self, ship: Ship) -> None:
        """Off the map; its explosion waits."""
        assert ship.at is not None
        if ship.sheet["explosion"]:
            self.wrecks.append((ship.id, ship.at))
        self._lost_or_fled(ship, "destroyed", "lost")

    def retreat(self, ship: Ship) -> None:
        self._lost_or_fled(ship, "retreated", "fled")

    def _lost_or_fled(self, ship: Ship, state: str, count: str) -> None:
        """The ship, and what is aboard with it."""
        self.points[count][ship.side] += ship.sheet["points"]
        self._gone(ship, state)
        for other in self.ships.values():
            if other.inside == ship.id and other.state == "docked":
                self._lost_or_fled(other, state, count)

    def dock(self, ship: Ship, host: Ship) -> None:
        """Off the map, without a collision."""
        self._gone(ship, "docked")
        ship.inside, ship.moved, ship.slip = host.id, True, False

    def _gone(self, ship: Ship, state: str) -> None:
        ship.state, ship.at = state, None
        for missile in self.flying():
            if missile.target == ship.id:
                missile.target = None

    def settle(self) -> None:
        """The acting side's wrecks first, each side's as they came."""
        while self.wrecks:
            current = self.acting if self.phase == "impulse" else self.holder
            own = [each for each in self.wrecks if self.ships[each[0]].side == current]
            wreck = (own or self.wrecks)[0]
            self.wrecks.remove(wreck)
            for hurt in self._blast(self.ships[wreck[0]].sheet["explosion"], wreck[1]):
                self._deal(hurt)

    def _blast(self, rating: int, at: Hex) -> list[Hurt]:
        hurts = []
        for ship in [ship for ship in self.standing() if ship.at == at]:
            struck = "" if ship.kind == "squadron" else self.highest(list(ARCS))
            hurts.append(Hurt(ship.id, struck, rating + 1, self.worst(ship)))
        hurts += self._one_missile(at, rating + 1)
        for ship in self.standing():
            assert ship.at is not None
            if far(ship.at, at) == 1:
                struck = "" if ship.kind == "squadron" else arc(ship.at, ship.facing, at)
                hurts.append(Hurt(ship.id, struck, rating, self.worst(ship)))
        for hex in dict.fromkeys(missile.at for missile in self.flying() if far(missile.at, at) == 1):
            hurts += self._one_missile(hex, rating)
        return hurts

    def worst(self, ship: Ship) -> str:
        """The fighter its owner gives up, where nothing is said."""
        return min(ship.fighters, key=lambda key: (-ship.fighters[key], key), default="")

    def freshest(self, ship: Ship) -> str:
        """The fighter a missile's owner strikes, where nothing is said."""
        return min(ship.fighters, key=lambda key: (ship.fighters[key], key), default="")

    def _one_missile(self, at: Hex, points: int) -> list[Hurt]:
        there = [missile for missile in self.flying() if missile.at == at]
        there.sort(key=lambda missile: not missile.damaged)
        return [Hurt(there[0].id, "", points)] if there else []

    # entering a hex

    def enter(self, row: Ship | Missile, came: Hex) -> None:
        """Planet, hole or worm hole; nebula; asteroids; own ships; missiles after it."""
        kinds = self.kinds(row.at)
        if isinstance(row, Missile):
            self._missile_enters(row, came, kinds)
            return
        assert row.at is not None
        if "planet" in kinds or "black-hole" in kinds:
            self.destroy(row)
            self.settle()
            return
        if "worm-hole" in kinds:
            self.retreat(row)
            return
        bow, whole = arc(came, row.facing, row.at), row.kind == "squadron"
        if "nebula" in kinds and not whole:
            row.markers.clear()
        if "asteroid" in kinds and not whole:
            self.event([Hurt(row.id, "front", 1)])
        for other in [ship for ship in self.standing() if ship.at == row.at and ship is not row]:
            self._collide(row, other, bow, came)
        for missile in [each for each in self.flying() if each.at == row.at]:
            if missile.state == "active" and missile.target == row.id and row.state == "active":
                self.strike(missile, row, bow)

    def _missile_enters(self, missile: Missile, came: Hex, kinds: list[str]) -> None:
        if "planet" in kinds or "black-hole" in kinds:
            missile.state, missile.target = "destroyed", None
            return
        target = self.here(missile.target)
        if isinstance(target, Ship) and target.at == missile.at:
            self.strike(missile, target, arc(missile.at, target.facing, came))

    def strike(self, missile: Missile, target: Ship, side: str) -> None:
        """Two points; the counter is gone first."""
        missile.state, missile.target = "destroyed", None
        self.event([Hurt(target.id, side, 2, self.freshest(target))])

    def _collide(self, mover: Ship, other: Ship, bow: str, came: Hex) -> None:
        if mover.side != other.side or "base" in (mover.kind, other.kind):
            return
        if mover.state != "active" or other.state != "active" or mover.at != other.at:
            return
        assert other.at is not None
        self.event([*self._dent(mover, bow), *self._dent(other, arc(other.at, other.facing, came))])

    def _dent(self, ship: Ship, side: str) -> list[Hurt]:
        if ship.kind == "squadron":
            return [Hurt(ship.id, "", 3, key) for key in sorted(ship.fighters)]
        return [Hurt(ship.id, side, 3)]
