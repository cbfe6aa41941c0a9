"""Random battles: a board, and lines for it that the rules allow, each played by the oracle as it is written."""

import random
from collections.abc import Iterator
from typing import Any, NamedTuple

from tests.oracle.talon import fire, turns
from tests.oracle.talon.battle import Missile, Ship, World
from tests.oracle.talon.plane import ARCS, WORDS, far, label, step
from tests.oracle.talon.tables import CHART, classes

NAMES = {
    "red": ["Ash", "Bee", "Cob", "Dun", "Elk", "Fen", "Gum"],
    "blue": ["Hob", "Ivy", "Jay", "Kit", "Lux", "Mad", "Nub"],
}
REPAIRED = ("shields-down", "helm-down", "power-loss")


class Line(NamedTuple):
    """A line, with what the oracle has after it."""

    text: str
    state: dict[str, Any]


class Fight:
    """A battle from a seed."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.said: list[str] = []
        self.written: set[str] = set()
        self.fired: list[str] = []
        self.world = World("red", "blue", lambda: self.random.randint(1, 6))
        self.setup: list[str] = []
        self._board()

    def pick(self, key: str, options: list[str]) -> str:
        choice = self.random.choice(options)
        self.said.append(f"{key}={choice}")
        return choice

    # the board

    def _board(self) -> None:
        rnd, world = self.random, self.world
        wide = rnd.choice([4, 5, 7])
        hexes = [(q, r) for q in range(10, 10 + wide) for r in range(2, 3 + wide)]
        rnd.shuffle(hexes)
        self.wear = rnd.choice([0.3, 0.7, 1.0])
        for kind in rnd.sample(
            ["planet", "asteroid", "asteroid", "nebula", "nebula", "black-hole", "worm-hole"], rnd.randint(0, 5)
        ):
            hex = hexes.pop()
            world.terrain.append((kind, hex))
        if world.terrain and rnd.random() < 0.3:
            clouds = {"asteroid": "nebula", "nebula": "asteroid"}
            world.terrain += [(clouds[kind], hex) for kind, hex in world.terrain[:1] if kind in clouds]
        self.setup += ["side add red --race terran", "side add blue --race talon"]
        sheets, mixed = classes(), rnd.random() < 0.5
        for side in world.sides:
            race = {"red": "terran", "blue": "talon"}[side]
            own = [id for id in sheets if mixed or id.startswith(race)]
            for name in NAMES[side][: rnd.randint(3, 6)]:
                self._ship(name, sheets[rnd.choice(own)], side, hexes.pop())
        self.setup += [f"terrain add {kind} {label(hex)} --force" for kind, hex in world.terrain]
        self.setup += ["battle start Oracle --initiative red --force"]
        turns.begin(world, "red")
        for ship in world.ships.values():
            self._worn(ship)

    def _ship(self, name: str, sheet: dict[str, Any], side: str, at: tuple[int, int]) -> None:
        power, speed, turn = next(row for row in sheet["curve"] if row[1] == sheet["start"])
        ship = Ship(name.lower(), sheet, side, at, self.random.randint(0, 5), power, speed, turn)
        ship.shields = dict(sheet.get("shields", {}))
        ship.fighters = {str(n): 0 for n in range(1, sheet.get("fighters", 0) + 1)}
        for key, group in ship.groups().items():
            ship.red[key], ship.yellow[key] = group["red"], group["yellow"]
        self.world.ships[ship.id] = ship
        self.setup.append(f"ship add {sheet['id']} {name} --side {side} --at {label(at)} --facing {WORDS[ship.facing]}")

    def _worn(self, ship: Ship) -> None:
        """Shields and hull hurt already, so that things happen."""
        rnd, set_ = self.random, f"set ships.{ship.id}"
        for arc in ship.shields if rnd.random() < self.wear else ():
            ship.shields[arc] = rnd.randint(0, min(ship.shields[arc], 9 if self.wear < 1 else 2))
            self.setup.append(f"{set_}.shields.{arc} {ship.shields[arc]}")
        if rnd.random() < self.wear and ship.kind != "squadron":
            ship.hull = rnd.randint(0, len(ship.sheet["hull"]) - 1)
            self.setup.append(f"{set_}.hull {ship.hull}")
        if ship.sheet.get("battery") and rnd.random() < 0.5:
            ship.battery = True
            self.setup.append(f"{set_}.battery yes")

    # the lines

    def lines(self, most: int) -> Iterator[Line]:
        for _ in range(most):
            if len({ship.side for ship in self.world.standing()}) < 2:
                return
            self.said, self.world.dice = [], []
            text = self._next()
            dice = f' --dice "{" ".join(map(str, self.world.dice))}"' if self.world.dice else ""
            said = "".join(f" --say {each}" for each in self.said)
            yield Line(text + dice + said, seen(self.world))

    def _next(self) -> str:
        world = self.world
        if world.phase == "power":
            return self._power()
        if world.phase == "retreat":
            return self._retreat()
        for step_ in (self._spend, self._move, self._burn, self._fire, self._repair):
            text = step_()
            if text:
                return text
        self.stage = 0
        self.fired = []
        turns.end_turn(world)
        self.written = set()
        return "next turn"

    stage = 0

    def _own(self) -> list[Ship]:
        return [ship for ship in self.world.standing() if ship.side == self.world.acting]

    def _spend(self) -> str:
        if self.stage > 0:
            return ""
        rnd = self.random
        for ship in self._own():
            cell = ship.battery and ship.power not in CHART[self.world.impulse]
            if (ship.ap or cell) and rnd.random() < 0.8:
                uses = self._uses(ship, cell and not ship.ap)
                if uses:
                    return self._bought(ship, rnd.choice(uses), cell and not ship.ap)
        self.stage = 1
        return ""

    def _uses(self, ship: Ship, cell: bool) -> list[list[str]]:
        """What an AP of a ship may buy."""
        world, found = self.world, []
        moves = ship.kind not in ("base",)
        if moves and not ship.slip:
            found.append(["slip"])
        if moves and ship.counter:
            found.append(["turn"])
        groups = ship.groups()
        found += [["charge", key] for key, group in groups.items() if ship.yellow[key] < group["yellow"]]
        if ship.sheet.get("battery") and not ship.battery and not cell:
            found.append(["battery"])
        if ship.shields and "shields-down" not in ship.crits and "nebula" not in world.kinds(ship.at):
            for arc in ARCS:
                others = [each for each in ship.markers if each != arc]
                if len(others) < 2 and ship.markers.get(arc) != world.stamp():
                    found.append(["reinforce", arc])
        if not ship.initiative:
            found += [["change"], ["defend"]]
        found += self._retargets(ship) + self._sends(ship)
        return found

    def _retargets(self, ship: Ship) -> list[list[str]]:
        enemies = [each for each in self.world.standing() if each.side != ship.side]
        own = [missile for missile in self.world.flying() if missile.side == ship.side]
        return [
            ["retarget", missile.id, enemy.id] for missile in own for enemy in enemies
            if missile.target != enemy.id and fire.launchers_bear(ship, enemy)
        ]  # fmt: skip

    def _sends(self, ship: Ship) -> list[list[str]]:
        world, found = self.world, []
        if ship.kind not in ("carrier", "base"):
            return []
        for wing in self._own():
            assert ship.at is not None
            assert wing.at is not None
            clouds = [kind for hex in (ship.at, wing.at) for kind in world.kinds(hex) if kind in ("asteroid", "nebula")]
            between = [
                kind for hex in fire.crossed(ship.at, wing.at) for kind in world.kinds(hex) if kind != "worm-hole"
            ]
            if wing.kind != "squadron" or wing.powered or far(ship.at, wing.at) > 6 or clouds or between:
                continue
            found += [["power", wing.id, "slip"]] if not wing.slip else []
            found += [["power", wing.id, "turn"]] if wing.counter else []
            found += [
                ["power", wing.id, "charge", key]
                for key, group in wing.groups().items()
                if wing.yellow[key] < group["yellow"]
            ]
        return found

    def _bought(self, ship: Ship, use: list[str], cell: bool) -> str:
        if cell:
            ship.battery = False
        else:
            ship.ap = 0
        world, what = self.world, use[0]
        if what == "power":
            wing = world.ships[use[1]]
            wing.powered = True
            _buy(world, wing, use[2:])
        elif what == "retarget":
            target = world.ships[use[2]]
            fire.retarget(world, world.missiles[use[1]], target)
        else:
            _buy(world, ship, use)
        return f"{'battery' if cell else 'ap'} {ship.id} {' '.join(use)}"

    def _move(self) -> str:
        if self.stage > 1:
            return ""
        due = turns.due(self.world)
        if not due:
            self.stage = 2
            return ""
        row = self.random.choice(due)
        if isinstance(row, Missile):
            way = self.random.choice(turns.courses(self.world, row))
            turns.fly(self.world, row, way)
        else:
            hosts = self._hosts(row)
            if hosts and self.random.random() < 0.5:
                host = self.random.choice(hosts)
                self.world.dock(row, host)
                return f"dock {row.id} {host.id}"
            way = self.random.choice(turns.ways(row))
            turns.go(self.world, row, way)
        return f"go {row.id} {way}".strip()

    def _hosts(self, ship: Ship) -> list[Ship]:
        """The bases and carriers that a ship may dock with on its move."""
        if ship.kind == "base" or (ship.kind == "transport" and ship.speed != 1):
            return []
        assert ship.at is not None
        sides = {"ahead": 0, "left": -1, "right": 1, "slip-left": -1, "slip-right": 1}
        reached = [step(ship.at, ship.facing + sides[way]) for way in turns.ways(ship)]
        takes = ("base", "carrier") if ship.kind == "squadron" else ("base",)
        return [host for host in self._own() if host.at in reached and host.kind in takes]

    def _burn(self) -> str:
        if self.stage > 2:
            return ""
        for ship in self._own():
            left = ship.sheet.get("afterburners", 0) - ship.burners
            if (
                left > 0
                and not ship.burned
                and ship.speed not in CHART[self.world.impulse]
                and self.random.random() < 0.15
            ):
                way = self.random.choice(turns.ways(ship))
                ship.burners += 1
                ship.burned = True
                turns.go(self.world, ship, way)
                return f"afterburner {ship.id} {way}"
        self.stage = 3
        return ""

    def _fire(self) -> str:
        """Ship by ship: one that another has followed does not fire again."""
        if self.stage > 3:
            return ""
        order = sorted(self._own(), key=lambda ship: ship.id != (self.fired or [""])[-1])
        for ship in order:
            if ship.id in self.fired[:-1]:
                continue
            for key in ship.groups():
                open_ = fire.targets(self.world, ship, key) if ship.full(key) else []
                if open_ and self.random.random() < 0.8 and self._room(ship, key, open_):
                    if ship.id not in self.fired:
                        self.fired.append(ship.id)
                    group = ship.groups()[key]
                    aims = [self.random.choice(open_) for _ in range(group["count"])]
                    fire.fire(self.world, ship, key, aims, self.pick)
                    return f"fire {ship.id} {key} {' '.join(f'{n}={aim}' for n, aim in enumerate(aims, 1))}"
        self.stage = 4
        return ""

    def _room(self, ship: Ship, key: str, open_: list[str]) -> bool:
        """Whether a launcher has a hex for its missiles, if any target is not beside it."""
        group = ship.groups()[key]
        return group["weapon"] != "missile" or bool(fire.places(self.world, ship, group))

    def _repair(self) -> str:
        for ship in self._own():
            for kind in REPAIRED:
                if kind in ship.crits and kind not in ship.tried and ship.crits[kind] != self.world.stamp():
                    ship.tried.add(kind)
                    if self.world.die() == 6:
                        del ship.crits[kind]
                    return f"repair {ship.id} {kind}"
        return ""

    def _power(self) -> str:
        for ship in self._own():
            legal = turns.speeds(ship)
            if ship.id not in self.written and legal and "power-loss" not in ship.crits and self.random.random() < 0.5:
                self.written.add(ship.id)
                speed = self.random.choice(legal)
                turns.write(ship, speed)
                return f"curve {ship.id} {speed}"
        turns.end_power(self.world, self.written, self.pick)
        return "next"

    def _retreat(self) -> str:
        for ship in turns.may_jump(self.world, self.world.acting):
            if self.random.random() < 0.3:
                self.world.retreat(ship)
                return f"jump {ship.id}"
        turns.end_retreat(self.world)
        return "next"


def _buy(world: World, ship: Ship, use: list[str]) -> None:
    """What an AP does to the ship it is spent on."""
    if use[0] == "slip":
        ship.slip = True
    elif use[0] == "turn":
        ship.counter -= 1
    elif use[0] == "charge":
        ship.yellow[use[1]] += 1
    elif use[0] == "battery":
        ship.battery = True
    elif use[0] == "reinforce":
        ship.markers[use[1]] = world.stamp()
    else:
        ship.initiative = use[0]


def seen(world: World) -> dict[str, Any]:
    """The state as it is compared."""
    ships = {
        ship.id: {
            "state": ship.state, "at": label(ship.at) if ship.at else None, "power": ship.power, "speed": ship.speed,
            "turn": ship.turn, "shields": dict(ship.shields), "hull": ship.hull, "red": dict(ship.red),
            "yellow": dict(ship.yellow), "lost": sorted(ship.lost), "fighters": dict(ship.fighters),
            "counter": ship.counter, "slip": ship.slip, "battery": ship.battery, "burners": ship.burners,
            "markers": dict(ship.markers), "initiative": ship.initiative, "crits": dict(ship.crits),
            "turn_plus": ship.turn_plus, "power_minus": ship.power_minus, "offline": ship.offline,
        }
        | ({"facing": ship.facing, "ap": ship.ap} if ship.at else {})
        for ship in world.ships.values()
    }  # fmt: skip
    missiles = {
        each.id: {
            "state": each.state,
            "damaged": each.damaged,
            "target": each.target,
            "at": label(each.at),
            "facing": each.facing,
        }
        for each in world.missiles.values()
    }
    battle = {
        "phase": world.phase, "round": world.round, "impulse": world.impulse, "acting": world.acting,
        "initiative": world.holder,
        **{kind: {side: n for side, n in points.items() if n} for kind, points in world.points.items()},
    }  # fmt: skip
    return {"ships": ships, "missiles": missiles, "battle": battle}
