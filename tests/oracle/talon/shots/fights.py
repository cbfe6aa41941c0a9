"""Random fights for the oracle and for the program: the same ships, missiles and terrain, in the shape of each."""

from collections.abc import Iterator
from random import Random
from typing import Any, NamedTuple

from tests.oracle.talon.shots import hexes
from tests.oracle.talon.shots.data import ARCS, CLASSES
from tests.oracle.talon.shots.hexes import Hex
from tests.oracle.talon.shots.world import Missile, Ship, World, fresh

SIDES = {"terra": "terran", "horde": "talon"}
MIDDLE = hexes.read("1010")
TERRAIN = ("nebula", "asteroid", "planet", "black-hole")
Tables = dict[str, dict[str, Any]]


class Shot(NamedTuple):
    """A line to be fired: who, which group, at what."""

    ship: str
    group: str
    targets: list[str]

    def words(self) -> dict[str, Any]:
        """As the program reads it."""
        return {"ship": self.ship, "group": self.group, "targets": self.targets}


def around(rng: Random, far: int) -> Hex:
    """A hex not too far from the middle."""
    while True:
        hex = MIDDLE[0] + rng.randint(-far, far), MIDDLE[1] + rng.randint(-far, far)
        if hexes.apart(hex, MIDDLE) <= far:
            return hex


def world(rng: Random, most: int = 8) -> World:
    """Ships of all classes close together, whole or hurt; some missiles; now and then terrain."""
    made = World(rng.choice([*SIDES]), lambda: rng.randint(1, 6))
    far = rng.choice((1, 2, 2, 3))
    for n in range(rng.randint(2, most)):
        race = [*SIDES.values()][n] if n < 2 else rng.choice([*SIDES.values()])
        id = rng.choice([id for id in CLASSES if id.startswith(f"{race}-")])
        side = next(side for side in SIDES if SIDES[side] == race)
        made.ships[f"s{n}"] = hurt(rng, fresh(f"s{n}", side, id, around(rng, far), rng.randrange(6)))
    for n in range(rng.choice((0, 0, 1, 3))):
        target = rng.choice([*made.ships.values()])
        side = next(side for side in SIDES if side != target.side)
        after = rng.choice((target.id, None))
        made.missiles[f"rocket{n}"] = Missile(f"rocket{n}", side, around(rng, far), after, rng.random() < 0.4)
    for _ in range(rng.choice((0, 0, 2, 5))):
        hex, kind = around(rng, far + 1), rng.choices(TERRAIN, (4, 4, 2, 1))[0]
        solid = kind in ("planet", "black-hole")
        if not (solid and any(each.at == hex for each in (*made.ships.values(), *made.missiles.values()))):
            made.terrain.setdefault(hex, []).append(kind)
    return made


def hurt(rng: Random, ship: Ship) -> Ship:
    """Boxes gone, markers on, groups lost or empty."""
    if rng.random() < 0.6:
        ship.hull = rng.randrange(ship.sheet.hull) if not ship.squadron else 0
        ship.shields = {arc: rng.randint(0, boxes) for arc, boxes in ship.sheet.shields.items()}
    if ship.squadron:
        ship.fighters = {n: rng.randrange(2) for n in sorted(rng.sample("123", rng.randint(1, 3)))}
        ship.empty = {n for n in ship.fighters if rng.random() < 0.1}
        return ship
    ship.markers = {arc for arc in ARCS if rng.random() < 0.15}
    ship.crits = {"shields-down"} if rng.random() < 0.1 else set()
    if ship.crits:
        ship.markers = set()
    groups = [str(n) for n, _ in enumerate(ship.sheet.groups, 1)]
    ship.lost = {n for n in groups if rng.random() < 0.05}
    ship.empty = {n for n in groups if rng.random() < 0.05}
    return ship


def shot(rng: Random, made: World) -> Shot:
    """Something for a ship of the acting side to fire; mostly what can be, as likely as not at several targets."""
    from tests.oracle.talon.shots.fire import choices, group_of

    tries = list(_groups(made))
    rng.shuffle(tries)
    for ship, key in tries:
        group = group_of(ship, key)
        assert group is not None
        found = choices(made, ship, group)
        if found and rng.random() < 0.95:
            n = rng.randint(1, group.count)
            return Shot(ship.id, key, [rng.choice(found[:3]) for _ in range(n)])
    ship, key = rng.choice(tries) if tries else (next(iter(made.ships.values())), "1")
    return Shot(ship.id, key, [rng.choice([*made.ships, *made.missiles])])


def _groups(made: World) -> Iterator[tuple[Ship, str]]:
    """The groups of the acting side."""
    for ship in made.on_map():
        if ship.side == made.acting:
            keys = [*ship.fighters] if ship.squadron else [str(n) for n, _ in enumerate(ship.sheet.groups, 1)]
            yield from ((ship, key) for key in keys)


# ---- the same for the program ------------------------------------------------------------------------------------


def laid(tables: Tables, made: World) -> None:
    """Write a world over the rows of a campaign that has its sides and ships."""
    for ship in made.ships.values():
        row = tables["ships"][ship.id]
        row.update(at=hexes.written(ship.at), facing=ship.facing, shields=shields(ship), hull=ship.hull)
        row.update(markers=dict.fromkeys(sorted(ship.markers), "1A"), crits=dict.fromkeys(sorted(ship.crits), "1A1"))
        row.update(lost=sorted(ship.lost), fighters=dict(ship.fighters))
        keys = [*ship.fighters] if ship.squadron else [*row["red"]]
        row["red"], row["yellow"] = ({key: row[colour].get(key, 0) for key in keys} for colour in ("red", "yellow"))
        for key in ship.empty:
            row["red"][key] = row["yellow"][key] = 0
    for n, missile in enumerate(made.missiles.values(), 1):
        tables.setdefault("missiles", {})[missile.id] = {
            "name": missile.id.upper(), "handle": missile.id, "side": missile.side, "order": n, "facing": 0,
            "at": hexes.written(missile.at), "target": missile.target, "sheet": "missile", "state": "active",
            "damaged": missile.damaged, "moved": True,
        }  # fmt: skip
    counters = [(hex, kind) for hex, kinds in made.terrain.items() for kind in kinds]
    for n, (hex, kind) in enumerate(counters, 1):
        tables.setdefault("terrain", {})[f"t{n}"] = {"name": f"T{n}", "kind": kind, "at": hexes.written(hex)}
    tables["battle"]["now"].update(acting=made.acting, initiative=made.acting, step="fire", phase="impulse")


def shields(ship: Ship) -> dict[str, int]:
    """The boxes left, of what has shields."""
    return {} if ship.squadron else dict(ship.shields)


def seen(tables: Tables) -> dict[str, Any]:
    """What a campaign's rows say of ships, missiles and points, in words of the oracle."""
    ships = {
        id: {
            "there": row["state"] == "active", "at": row["at"], "shields": row["shields"], "hull": row["hull"],
            "markers": sorted(row["markers"]), "lost": sorted(row["lost"]), "fighters": row["fighters"],
            "crits": sorted({*row["crits"]} - {"turn", "power"}), "turn_plus": row["turn_plus"],
            "power_minus": row["power_minus"], "offline": row["offline"],
        }
        for id, row in tables["ships"].items() if row["state"] == "active"
    }  # fmt: skip
    missiles = {
        id: (row["damaged"], row["target"])
        for id, row in tables.get("missiles", {}).items() if row["state"] == "active" and id.startswith("rocket")
    }  # fmt: skip
    return {"ships": ships, "missiles": missiles, "lost": {**tables["battle"]["now"]["lost"]}}


def expected(made: World) -> dict[str, Any]:
    """The same of the oracle's world."""
    ships = {
        ship.id: {
            "there": True, "at": hexes.written(ship.at), "shields": shields(ship), "hull": ship.hull,
            "markers": sorted(ship.markers), "lost": sorted(ship.lost), "fighters": ship.fighters,
            "crits": sorted(ship.crits), "turn_plus": ship.turn_plus, "power_minus": ship.power_minus,
            "offline": ship.offline,
        }
        for ship in made.on_map()
    }  # fmt: skip
    missiles = {missile.id: (missile.damaged, missile.target) for missile in made.in_flight()}
    return {"ships": ships, "missiles": missiles, "lost": made.lost}
