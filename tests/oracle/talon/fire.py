"""Firing, launching, the big guns: what a weapon may be fired at and what comes of it."""

from collections.abc import Callable
from typing import Any

from tests.oracle.talon.battle import Hurt, Missile, Ship, World
from tests.oracle.talon.plane import ARCS, STEPS, WORDS, Hex, arc, crossed, edges, far, label, onward, step
from tests.oracle.talon.tables import WEAPONS

Pick = Callable[[str, list[str]], str]
"""Says one of several options under a key."""


def barred(world: World, a: Hex, b: Hex) -> bool:
    return any(kind in ("planet", "black-hole") for hex in crossed(a, b) for kind in world.kinds(hex))


def cloudy(world: World, hex: Hex) -> int:
    return len([kind for kind in world.kinds(hex) if kind in ("asteroid", "nebula")])


def modifier(world: World, a: Hex, b: Hex) -> int:
    """What clouds and black holes take off the die."""
    clouds = [cloudy(world, hex) for hex in (a, *crossed(a, b), b)]
    sides = [min(cloudy(world, hex) for hex in pair) for pair in edges(a, b)]
    holes = [hex for kind, hex in world.terrain if kind == "black-hole"]
    return sum(clouds) + sum(sides) + sum(far(b, hole) < far(a, hole) for hole in holes)


def bears(world: World, ship: Ship, group: dict[str, Any], at: Hex) -> bool:
    """Whether a hex lies in arc, range and sight."""
    assert ship.at is not None
    away = far(ship.at, at)
    return (
        away > 0
        and away in WEAPONS[group["weapon"]]
        and arc(ship.at, ship.facing, at) in group["arcs"]
        and not barred(world, ship.at, at)
    )


def targets(world: World, ship: Ship, key: str) -> list[str]:
    """What a group may be fired at, the nearest first, ships before missiles."""
    group = ship.groups()[key]
    weapon, here = group["weapon"], ship.at
    assert here is not None
    found = []
    for place, enemy in enumerate(world.ships.values()):
        if world.here(enemy.id) is None or enemy.side == ship.side or enemy.at is None:
            continue
        if not bears(world, ship, group, enemy.at) or (weapon == "fusion-cannon" and enemy.kind == "squadron"):
            continue
        names = [enemy.id]
        if enemy.kind == "squadron" and weapon != "missile":
            names = [f"{enemy.id}/{fighter}" for fighter in sorted(enemy.fighters)]
        found += [(far(here, enemy.at), place, name) for name in names]
    shots = [name for *_, name in sorted(found)]
    if weapon in ("missile", "fusion-cannon"):
        return shots
    small = [
        (far(here, missile.at), place, missile.id) for place, missile in enumerate(world.missiles.values())
        if missile.state == "active" and missile.side != ship.side and bears(world, ship, group, missile.at)
    ]  # fmt: skip
    return [*shots, *(name for *_, name in sorted(small))]


def fire(world: World, ship: Ship, key: str, aims: list[str], pick: Pick) -> None:
    """One weapon after the other; the bar is empty whatever they do."""
    ship.red[key] = ship.yellow[key] = 0
    for weapon, aim in enumerate(aims, 1):
        if ship.state != "active" or key not in ship.groups():
            return
        group, open_ = ship.groups()[key], targets(world, ship, key)
        if not open_:
            continue
        if group["weapon"] == "fusion-cannon":
            _sweep(world, ship, group)
            continue
        target = aim if aim in open_ else open_[0]
        if group["weapon"] == "missile":
            _launch(world, ship, group, target, weapon, pick)
        else:
            _shoot(world, ship, group, target, weapon, pick)


def _row(world: World, target: str) -> Ship | Missile:
    row = world.here(target.partition("/")[0])
    assert row is not None
    return row


def _side(ship: Ship, row: Ship | Missile) -> str:
    assert ship.at is not None
    assert row.at is not None
    return "" if isinstance(row, Missile) or row.kind == "squadron" else arc(row.at, row.facing, ship.at)


def _rolled(world: World, ship: Ship, group: dict[str, Any], row: Ship | Missile) -> int:
    assert ship.at is not None
    assert row.at is not None
    die = world.die() - modifier(world, ship.at, row.at)
    return WEAPONS[group["weapon"]][far(ship.at, row.at)][die - 1] if die > 0 else 0


def _shoot(world: World, ship: Ship, group: dict[str, Any], target: str, weapon: int, pick: Pick) -> None:
    row, fighter = _row(world, target), target.partition("/")[2]
    points = _rolled(world, ship, group, row)
    if not points:
        return
    hurt = Hurt(row.id, _side(ship, row), points, fighter)
    if group["weapon"] == "wave-motion-gun" and isinstance(row, Ship):
        assert ship.at is not None
        assert row.at is not None
        came, ways = row.at, onward(row.at, ship.at, row.at)
        row.at = ways[0]
        if len(ways) > 1:
            said = pick(f"push.{weapon}", [label(way) for way in ways])
            row.at = next(way for way in ways if label(way) == said)
        world.enter(row, came)
        if row.state != "active":
            return
    world.event([hurt])


def _sweep(world: World, ship: Ship, group: dict[str, Any]) -> None:
    """A die for each ship and missile in the cone, own ones first; then all the damage."""
    rows: list[Ship | Missile] = [row for row in world.standing() if row.kind != "squadron" and row is not ship]
    rows += world.flying()
    rows = [row for row in rows if row.at is not None and bears(world, ship, group, row.at)]
    rows.sort(key=lambda row: row.side != ship.side)
    world.event([Hurt(row.id, _side(ship, row), _rolled(world, ship, group, row)) for row in rows])


def places(world: World, ship: Ship, group: dict[str, Any]) -> list[Hex]:
    """The hexes beside a ship where its launcher can put a missile."""
    assert ship.at is not None
    beside = [step(ship.at, facing) for facing in range(6)]
    return [
        hex for hex in beside
        if arc(ship.at, ship.facing, hex) in group["arcs"] and not {"planet", "black-hole"} & set(world.kinds(hex))
    ]  # fmt: skip


def _launch(world: World, ship: Ship, group: dict[str, Any], target: str, weapon: int, pick: Pick) -> None:
    row = _row(world, target)
    assert ship.at is not None
    assert isinstance(row, Ship)
    assert row.at is not None
    if far(ship.at, row.at) == 1:
        world.event([Hurt(row.id, _side(ship, row), 2, world.freshest(row))])
        return
    free = places(world, ship, group)
    at = free[0]
    if len(free) > 1:
        said = pick(f"place.{weapon}", [label(hex) for hex in free])
        at = next(hex for hex in free if label(hex) == said)
    facings = [STEPS.index((hex[0] - at[0], hex[1] - at[1])) for hex in onward(at, at, row.at)]
    facing = facings[0]
    if len(facings) > 1:
        facing = WORDS.index(pick(f"facing.{weapon}", [WORDS[each] for each in facings]))
    id = f"missile-{len(world.missiles) + 1}"
    world.missiles[id] = Missile(id, ship.side, at, facing, row.id)


def retarget(world: World, missile: Missile, target: Ship) -> None:
    """A new target; one in the missile's own hex is struck where the dice say."""
    missile.target = target.id
    if target.at == missile.at:
        world.strike(missile, target, "" if target.kind == "squadron" else world.highest(list(ARCS)))


def launchers_bear(ship: Ship, target: Ship) -> bool:
    """Whether a launcher has a ship in its arc and range; what lies between does not matter."""
    assert ship.at is not None
    assert target.at is not None
    away = far(ship.at, target.at)
    return 0 < away <= 4 and any(
        group["weapon"] == "missile" and arc(ship.at, ship.facing, target.at) in group["arcs"]
        for group in ship.groups().values()
    )
