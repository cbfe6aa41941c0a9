"""Fire and all that comes of it, written a second time from the rules (TL-8, 12, 13.5, 13.6, 15, 17, 18, A21).

What a player may choose is chosen as the program does where nobody says: the nearest other target, the first of two
hexes, things in the order they joined, the fighter or missile that is hurt most.
"""

from typing import NamedTuple

from tests.oracle.talon.shots import hexes
from tests.oracle.talon.shots.data import ARCS, MISSILE, Group, damage, reaches
from tests.oracle.talon.shots.hexes import Hex
from tests.oracle.talon.shots.world import Missile, Refused, Ship, World


class Blow(NamedTuple):
    """Damage that comes down: on an arc, on a fighter, on a missile."""

    on: str
    points: int
    arc: str = ""
    fighter: str = ""


# ---- who may be fired at -----------------------------------------------------------------------------------------


def thing(world: World, id: str) -> Ship | Missile | None:
    """A ship or missile that is there."""
    found = world.ships.get(id) or world.missiles.get(id)
    return found if found is not None and found.there else None


def group_of(ship: Ship, key: str) -> Group | None:
    """A weapon group by number; of a squadron that of a fighter it has."""
    if ship.squadron:
        return ship.sheet.groups[0] if key in ship.fighters else None
    return ship.sheet.groups[int(key) - 1] if int(key) <= len(ship.sheet.groups) else None


def eligible(world: World, ship: Ship, group: Group, named: str) -> bool:
    """An enemy in another hex, in arc, range and sight (TL-8.2, 13.2, 15.2.2)."""
    id, _, fighter = named.partition("/")
    target = thing(world, id)
    if target is None or (fighter and (not isinstance(target, Ship) or fighter not in target.fighters)):
        return False
    small = isinstance(target, Missile) or target.squadron
    if target.side == ship.side or (group.weapon == "missile" and isinstance(target, Missile)):
        return False
    if group.weapon == "fusion-cannon" and small:
        return False
    return placed(world, ship, group, target.at)


def placed(world: World, ship: Ship, group: Group, hex: Hex) -> bool:
    """Whether a hex lies in arc, range and sight of a group."""
    far = hexes.apart(ship.at, hex)
    if far == 0 or not reaches(group.weapon, far):
        return False
    return hexes.arc(ship.at, ship.facing, hex) in group.arcs and not world.blocked(ship.at, hex)


def choices(world: World, ship: Ship, group: Group) -> list[str]:
    """All there is to fire at, ships before missiles, the nearest first; fighters one by one."""
    met = [each for each in (*world.on_map(), *world.in_flight()) if eligible(world, ship, group, each.id)]
    met.sort(key=lambda each: (isinstance(each, Missile), hexes.apart(ship.at, each.at)))
    found: list[str] = []
    for each in met:
        single = isinstance(each, Ship) and each.squadron and group.weapon != "missile"
        found += [f"{each.id}/{n}" for n in sorted(each.fighters)] if single else [each.id]  # type: ignore[union-attr]
    return found


# ---- a group fires -----------------------------------------------------------------------------------------------


def fire(world: World, firer: str, key: str, targets: list[str]) -> None:
    """A whole group: each weapon at its target, or all at the only one (TL-8.3)."""
    ship = world.ships[firer]
    group = group_of(ship, key)
    if not ship.there or group is None or key in ship.lost or key in ship.empty:
        raise Refused
    named = [_single(world, group, each) for each in targets]
    if len(named) > group.count or not all(eligible(world, ship, group, each) for each in named):
        raise Refused
    named = named * group.count if len(named) == 1 else named
    fired = world.fired
    if firer in fired[:-1]:
        raise Refused  # another has begun since (TL-8.2.1)
    world.fired = [*fired, *([] if firer in fired else [firer])]
    ship.empty.add(key)
    for target in named:
        weapon(world, ship, group, key, target)


def _single(world: World, group: Group, named: str) -> str:
    """Of a squadron the shooter names the fighter, unless there is one only (TL-12.1.3)."""
    ship = world.ships.get(named)
    if ship is None or not ship.fighters or group.weapon in ("missile", "fusion-cannon"):
        return named
    if len(ship.fighters) > 1:
        raise Refused
    return f"{named}/{min(ship.fighters)}"


def weapon(world: World, ship: Ship, group: Group, key: str, named: str) -> None:
    """One weapon of the group (A21.10, 21.11)."""
    if not ship.there or key in ship.lost or group_of(ship, key) is None:
        return
    if not eligible(world, ship, group, named):
        others = choices(world, ship, group)
        if not others:
            return
        named = others[0]
    if group.weapon == "fusion-cannon":
        sweep(world, ship, group)
        return
    id, _, fighter = named.partition("/")
    target = thing(world, id)
    assert target is not None
    far = hexes.apart(ship.at, target.at)
    if group.weapon == "missile":
        launch(world, ship, target, fighter, far)
        return
    points = damage(group.weapon, far, world.die() - world.weighs(ship.at, target.at))
    if not points:
        return
    world.hits += 1
    arc = _facing(target, ship.at)
    if group.weapon == "wave-motion-gun" and isinstance(target, Ship):
        push(world, ship.at, target)
        if not target.there:
            return
    event(world, [Blow(id, points, arc, fighter)])


def _facing(target: Ship | Missile, source: Hex) -> str:
    """The arc of a ship that holds a hex; of fighters and missiles none."""
    if isinstance(target, Missile) or target.squadron:
        return ""
    return hexes.arc(target.at, target.facing, source)


def launch(world: World, ship: Ship, target: Ship | Missile, fighter: str, far: int) -> None:
    """At what is beside the ship a missile detonates at once; else it flies (TL-13.2, 13.5)."""
    assert isinstance(target, Ship)
    if far > 1:
        world.launched = True  # where it is put is not looked at
        return
    world.hits += 1
    struck = fighter or (least(target) if target.squadron else "")
    event(world, [Blow(target.id, MISSILE, _facing(target, ship.at), struck)])


def least(squadron: Ship) -> str:
    """The fighter that is hurt least."""
    return min(squadron.fighters, key=lambda each: (squadron.fighters[each], each))


def worst(squadron: Ship) -> str:
    """The fighter that is hurt most."""
    return min(squadron.fighters, key=lambda each: (-squadron.fighters[each], each))


def sweep(world: World, ship: Ship, group: Group) -> None:
    """A die for each in the cone, friends first; then all the damage (TL-15.2)."""
    cone = [each for each in (*world.on_map(), *world.in_flight()) if each is not ship]
    cone = [each for each in cone if not (isinstance(each, Ship) and each.squadron)]
    cone = [each for each in cone if placed(world, ship, group, each.at)]
    cone.sort(key=lambda each: each.side != ship.side)
    blows = []
    for each in cone:
        roll = world.die() - world.weighs(ship.at, each.at)
        points = damage(group.weapon, hexes.apart(ship.at, each.at), roll)
        if points:
            blows.append(Blow(each.id, points, _facing(each, ship.at)))
    world.hits += len(blows)
    event(world, blows)


# ---- the push of a wave-motion gun -------------------------------------------------------------------------------


def push(world: World, source: Hex, ship: Ship) -> None:
    """One hex along the ray, and whatever it meets there, one thing after the other (TL-15.1, A21.39)."""
    before = ship.at
    ship.at = hexes.behind(source, ship.at)[0]
    kinds = world.kinds(ship.at)
    entry = "" if ship.squadron else hexes.arc(before, ship.facing, ship.at)
    if "planet" in kinds or "black-hole" in kinds:
        destroy(world, ship)
        blasts(world)
        return
    if "nebula" in kinds and not ship.squadron:
        ship.markers.clear()
    if "asteroid" in kinds and not ship.squadron:
        event(world, [Blow(ship.id, 1, "front")])
    others = [each for each in world.on_map() if each.at == ship.at and each is not ship and each.side == ship.side]
    for other in others:
        if ship.there and other.there and "base" not in (ship.sheet.kind, other.sheet.kind):
            blows = [*dented(ship, entry), *dented(other, _facing(other, before))]
            event(world, blows)
    after_it = [each for each in world.in_flight() if each.at == ship.at and each.target == ship.id]
    for missile in after_it:
        if ship.there and missile.there:
            missile.there = False
            world.hits += 1
            struck = least(ship) if ship.squadron else ""
            event(world, [Blow(ship.id, MISSILE, entry, struck)])


def dented(ship: Ship, arc: str) -> list[Blow]:
    """Three for a ship, three for every fighter of a squadron (TL-7.4)."""
    return [Blow(ship.id, 3, "", each) for each in sorted(ship.fighters)] or [Blow(ship.id, 3, arc)]


# ---- damage ------------------------------------------------------------------------------------------------------


def event(world: World, blows: list[Blow]) -> None:
    """All the damage of an event, criticals included; then its wrecks, one by one (TL-8.6.3)."""
    for blow in blows:
        strike(world, blow)
    blasts(world)


def strike(world: World, blow: Blow) -> None:
    """One blow on what is still there (TL-8.4, 12.1.2, 13.6)."""
    target = thing(world, blow.on)
    if target is None:
        return
    if isinstance(target, Missile):
        if target.damaged or blow.points >= 3:
            target.there = False
        else:
            target.damaged = True
    elif target.squadron:
        sting(world, target, blow)
    else:
        points = blow.points
        if not world.shields_down(target):
            points = shielded(world, target, blow.arc, points)
        pierce(world, target, points)


def sting(world: World, squadron: Ship, blow: Blow) -> None:
    """A fighter's hull; the squadron is gone with its last."""
    struck = blow.fighter or worst(squadron)
    if struck not in squadron.fighters:
        return
    taken = min(blow.points, squadron.sheet.hull - squadron.fighters[struck])
    squadron.fighters[struck] += taken
    world.takes(f"{squadron.id}/{struck}", "hull", taken)
    if squadron.fighters[struck] == squadron.sheet.hull:
        del squadron.fighters[struck]
        if not squadron.fighters:
            destroy(world, squadron)


def shielded(world: World, ship: Ship, arc: str, points: int) -> int:
    """What a marker and the boxes of an arc let through (TL-6.2.1, 8.4.1)."""
    if arc in ship.markers:
        ship.markers.discard(arc)
        points -= 1
        world.takes(ship.id, arc, 1)
    taken = min(points, ship.shields[arc])
    ship.shields[arc] -= taken
    world.takes(ship.id, arc, taken)
    return points - taken


def pierce(world: World, ship: Ship, points: int) -> None:
    """Hull boxes from left to right, a critical one rolled for as it is marked (TL-8.4.3)."""
    for _ in range(points):
        if not ship.there:
            return
        ship.hull += 1
        world.takes(ship.id, "hull", 1)
        if ship.hull == ship.sheet.hull:
            destroy(world, ship)
        elif ship.hull in ship.sheet.critical:
            critical(world, ship)


def critical(world: World, ship: Ship) -> None:
    """Two dice on the table (TL-8.5, B4)."""
    roll = world.die() + world.die()
    world.criticals += 1
    base = ship.sheet.kind == "base"
    if roll == 2:
        pierce(world, ship, 3)
    elif roll == 3:
        if "shields-down" not in ship.crits:
            ship.crits.add("shields-down")
            ship.markers.clear()
    elif roll == 4 and not base:
        ship.crits.add("helm-down")
    elif roll in (5, 9):
        left = [str(n) for n, _ in enumerate(ship.sheet.groups, 1) if str(n) not in ship.lost]
        if left:
            ship.lost.add(world.highest(left))
    elif roll == 6 and not base:
        ship.turn_plus = min(2, ship.turn_plus + 1)
    elif roll == 8:
        ship.power_minus = 1
    elif roll == 10:
        ship.offline = True
        pierce(world, ship, 1)
    elif roll == 11:
        ship.crits.add("power-loss")
    elif roll == 12:
        destroy(world, ship)


# ---- destruction -------------------------------------------------------------------------------------------------


def destroy(world: World, ship: Ship) -> None:
    """Off the map at once; its blast waits (TL-8.6.1, A21.4)."""
    ship.there = False
    world.destroyed += 1
    world.lost[ship.side] = world.lost.get(ship.side, 0) + ship.sheet.points
    for missile in world.missiles.values():
        if missile.target == ship.id:
            missile.target = None
    if ship.sheet.blast:
        world.wrecks.append(ship)


def blasts(world: World) -> None:
    """One wreck after the other, the acting side's first, those of the blasts among them (TL-8.6.3, A21.5)."""
    while world.wrecks:
        wreck = next((each for each in world.wrecks if each.side == world.acting), world.wrecks[0])
        world.wrecks.remove(wreck)
        for blow in around(world, wreck):
            strike(world, blow)


def around(world: World, wreck: Ship) -> list[Blow]:
    """One more than the rating in its hex, where dice say which arc; the rating beside it (TL-8.6.2, 8.6.4)."""
    rating = wreck.sheet.blast
    blows = []
    for ship in world.on_map():
        if ship.at == wreck.at:
            arc = "" if ship.squadron else world.highest(list(ARCS))
            blows.append(Blow(ship.id, rating + 1, arc, worst(ship) if ship.squadron else ""))
    blows += one_missile(world, wreck.at, rating + 1)
    for ship in world.on_map():
        if hexes.apart(ship.at, wreck.at) == 1:
            blows.append(Blow(ship.id, rating, _facing(ship, wreck.at), worst(ship) if ship.squadron else ""))
    for hex in dict.fromkeys(missile.at for missile in world.in_flight()):
        if hexes.apart(hex, wreck.at) == 1:
            blows += one_missile(world, hex, rating)
    return blows


def one_missile(world: World, hex: Hex, points: int) -> list[Blow]:
    """One of the missiles of a hex, a damaged one if there is."""
    here = [missile for missile in world.in_flight() if missile.at == hex]
    return [Blow(min(here, key=lambda each: not each.damaged).id, points)] if here else []
