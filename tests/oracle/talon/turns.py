"""Turns, impulses and the Power Phase."""

from collections.abc import Callable

from tests.oracle.talon.battle import Missile, Ship, World
from tests.oracle.talon.plane import far, label, onward, step
from tests.oracle.talon.tables import CHART

SLIP = {"slip-left": -1, "slip-right": 1}
TURN = {"left": -1, "right": 1}
Pick = Callable[[str, list[str]], str]


def begin(world: World, side: str) -> None:
    """A player's turn begins."""
    world.acting, world.phase = side, "impulse"
    for ship in world.ships.values():
        if ship.side != side:
            continue
        ship.ap, ship.moved, ship.burned, ship.powered, ship.tried = 0, False, False, False, set()
        for arc, placed in list(ship.markers.items()):
            if placed[-1] == world.impulse and placed != world.stamp():
                del ship.markers[arc]
        if ship.state == "active" and ship.at is not None:
            ship.ap = int(ship.power in CHART[world.impulse])
    for missile in world.missiles.values():
        if missile.side == side:
            missile.moved = False


def due(world: World) -> list[Ship | Missile]:
    """What the acting side still has to move."""
    speeds = CHART[world.impulse]
    ships = [ship for ship in world.standing() if ship.side == world.acting and ship.speed in speeds and not ship.moved]
    return [*ships, *(each for each in world.flying() if each.side == world.acting and not each.moved)]


def go(world: World, ship: Ship, way: str) -> None:
    """One hex, by a legal way."""
    ship.moved = True
    if ship.kind == "base":
        ship.facing = (ship.facing + 1) % 6
        return
    assert ship.at is not None
    came = ship.at
    if way in TURN:
        ship.facing = (ship.facing + TURN[way]) % 6
        ship.counter = ship.turn + ship.turn_plus
    else:
        ship.counter = max(0, ship.counter - 1)
    ship.at = step(came, ship.facing + SLIP.get(way, 0))
    ship.slip = False
    world.enter(ship, came)


def ways(ship: Ship) -> list[str]:
    """The ways a ship may move."""
    if ship.kind == "base":
        return [""]
    if "helm-down" in ship.crits:
        return ["ahead"]
    return ["ahead", *([] if ship.counter else TURN), *(SLIP if ship.slip else [])]


def courses(world: World, missile: Missile) -> list[str]:
    """The ways a missile may fly."""
    target = world.here(missile.target)
    turns = {"ahead": 0, "left": -1, "right": 1}
    if target is None or target.at is None:
        return ["ahead"]
    ahead = {way: step(missile.at, missile.facing + turn) for way, turn in turns.items()}
    nearer = [way for way, hex in ahead.items() if far(hex, target.at) < far(missile.at, target.at)]
    free = [way for way in nearer if "planet" not in world.kinds(ahead[way])]
    return free or nearer or list(turns)


def fly(world: World, missile: Missile, way: str) -> None:
    missile.facing = (missile.facing + {"ahead": 0, "left": -1, "right": 1}[way]) % 6
    came, missile.at, missile.moved = missile.at, step(missile.at, missile.facing), True
    world.enter(missile, came)


def end_turn(world: World) -> None:
    """A player's turn ends, and with the second's the impulse."""
    for ship in world.ships.values():
        if ship.side == world.acting:
            ship.ap = 0
    if world.acting == world.holder:
        begin(world, world.other(world.holder))
        return
    _initiative(world)
    if world.impulse == "F":
        power_turn(world, world.holder)
    else:
        world.impulse = chr(ord(world.impulse) + 1)
        begin(world, world.holder)


def _initiative(world: World) -> None:
    """More Change than Defend: whoever placed them has it; where both did the second player."""
    there = world.standing()
    change = [ship.side for ship in there if ship.initiative == "change"]
    defend = [ship.side for ship in there if ship.initiative == "defend"]
    if len(change) > len(defend):
        world.holder = change[0] if len(set(change)) == 1 else world.other(world.holder)
    for ship in world.ships.values():
        ship.initiative = ""


def power_turn(world: World, side: str) -> None:
    """A player's part of the Power Phase begins: charging."""
    world.phase, world.acting = "power", side
    for ship in world.standing():
        if ship.side != side or "power-loss" in ship.crits:
            continue
        for key, group in ship.groups().items():
            if ship.red[key] < group["red"]:
                ship.red[key] += 1
            else:
                ship.yellow[key] = min(group["yellow"], ship.yellow[key] + group["count"])


def power_at(ship: Ship, speed: int) -> int | None:
    """The power of a row after modifiers."""
    for power, row, _ in ship.sheet["curve"]:
        if row == speed:
            hull = 0 if ship.kind == "squadron" else ship.sheet["hull"][ship.hull]
            return int(power + hull - ship.power_minus)
    return None


def speeds(ship: Ship) -> list[int]:
    found = {speed: power_at(ship, speed) for speed in (ship.speed - 1, ship.speed, ship.speed + 1)}
    return [speed for speed, power in found.items() if power is not None and power >= 0]


def write(ship: Ship, speed: int) -> None:
    power = power_at(ship, speed)
    assert power is not None
    ship.power, ship.speed = power, speed
    ship.turn = next(turn for _, row, turn in ship.sheet["curve"] if row == speed)


def end_power(world: World, written: set[str], pick: Pick) -> None:
    """The rows nobody chose; then the other's part, or what ends the phase."""
    for ship in world.standing():
        if ship.side == world.acting and ship.id not in written and "power-loss" not in ship.crits:
            legal = speeds(ship)
            write(ship, ship.speed if ship.speed in legal or not legal else max(legal))
    if world.acting == world.holder:
        power_turn(world, world.other(world.holder))
        return
    order = (world.holder, world.other(world.holder))
    broken = [ship for side in order for ship in world.standing() if ship.side == side and ship.power < 0]
    for ship in broken:
        world.destroy(ship)
    world.settle()
    _pull(world, order, pick)
    _late(world, [("retreat", side) for side in order])


def _pull(world: World, order: tuple[str, str], pick: Pick) -> None:
    for hole in [hex for kind, hex in world.terrain if kind == "black-hole"]:
        for side in order:
            for ship in [ship for ship in world.standing() if ship.side == side]:
                if ship.state != "active" or ship.at is None:
                    continue
                came, to = ship.at, onward(ship.at, ship.at, hole)
                ship.at = to[0]
                if len(to) > 1:
                    said = pick(f"pull-to.{ship.id}", [label(hex) for hex in to])
                    ship.at = next(hex for hex in to if label(hex) == said)
                world.enter(ship, came)


def may_jump(world: World, side: str) -> list[Ship]:
    """The ships of a side that may jump in the Retreat Phase."""
    return [
        ship for ship in world.standing()
        if ship.side == side and ship.kind not in ("base", "squadron") and world.round >= len(ship.sheet["hull"])
        and not ship.offline and not world.kinds(ship.at)
    ]  # fmt: skip


def _late(world: World, parts: list[tuple[str, str]]) -> None:
    """The first part of the Retreat Phase in which anyone may jump, else a new round."""
    for phase, side in parts:
        if may_jump(world, side):
            world.phase, world.acting = phase, side
            return
    world.round, world.impulse = world.round + 1, "A"
    begin(world, world.holder)


def end_retreat(world: World) -> None:
    _late(world, [("retreat", world.other(world.holder))] if world.acting == world.holder else [])
