"""A second, plain R-TYPE fight to hold against gmtool's: written from the rulebook alone.

``board`` holds what there is, ``d99`` the check, ``odds`` the chances. Nothing of gmtool is imported, and nothing is
clever: a fight is a few dataclasses, a command is a function that changes them or raises ``Refused``, ``Misunderstood``
or ``NeedsAnswer``. Who calls works on a copy (:func:`attempt`), so that a refused command has changed nothing. Every
function names the rule it follows.
"""

import copy
from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

from tests.oracle.board import (
    RC,
    Die,
    Faces,
    Fight,
    Misunderstood,
    Refused,
    Ruling,
    Sheet,
    Unit,
    Weapon,
)
from tests.oracle.d99 import read_d99

PLAIN_KINDS = ("gun", "missile", "melee")  # the kinds of weapon this oracle fires


def check(target: int, temperament: str, mode: str, faces: Faces) -> Ruling:
    """RT-20, 21: a check outside any other ruling."""
    die = Die("check", *read_d99(faces.take("d99"), target, temperament, mode))
    return Ruling([die], {"success": die.klass in ("critical", "success")})


# ---- set-up ------------------------------------------------------------------------------------------------------


def add_unit(fight: Fight, id: str, sheet: Sheet, side: str, pilot: str | None) -> None:
    """RT-27.1, 24.9: only an RC squad has A to D; forces and ships count as single craft."""
    craft = ("lead", *RC) if sheet.squad == "rc" else ("lead",)
    hp = dict.fromkeys(craft, sheet.hp)
    ammo = {w.id: w.ammo for w in sheet.weapons if w.ammo is not None}
    fight.units[id] = Unit(id, sheet, side, pilot, hp, sheet.fuel, ammo)
    if pilot:
        fight.pilots[pilot].where = id


def battle_start(fight: Fight) -> Ruling:
    """RT-2.1: turn 1, initiative first."""
    if fight.phase not in ("setup", "over"):
        raise Refused("a battle is on")
    fight.phase, fight.turn = "initiative", 1
    return Ruling()


def battle_end(fight: Fight) -> Ruling:
    """RT-13.9: the GM ends it, whenever."""
    if fight.phase in ("setup", "over"):
        raise Refused("no battle")
    fight.phase, fight.acting = "over", None
    return Ruling()


# ---- 2: turn and initiative --------------------------------------------------------------------------------------


def initiative(fight: Fight, faces: Faces) -> Ruling:
    """RT-2.2 to 2.4: 2D6 a side; a tie is the players', or is rolled again where one side's players don't stand alone.

    Players roll first, then the others, each as they were made.
    """
    if fight.phase != "initiative" or fight.winner is not None:
        raise Refused("not the time for the initiative")
    ruling = Ruling()
    sides = sorted(fight.sides, key=lambda side: not fight.sides[side])
    while fight.winner is None:
        totals = {}
        for side in sides:
            rolled = [int(faces.take("d6")), int(faces.take("d6"))]
            if any(n < 1 or n > 6 for n in rolled):
                raise Misunderstood(str(rolled))
            ruling.dice += [Die("initiative", n, str(n)) for n in rolled]
            totals[side] = sum(rolled)
        one, other = sides
        if totals[one] != totals[other]:
            fight.winner = one if totals[one] > totals[other] else other
        elif fight.sides[one] != fight.sides[other]:
            fight.winner = one if fight.sides[one] else other
    ruling.result = {"winner": fight.winner}
    return ruling


def first(fight: Fight, side: str) -> Ruling:
    """RT-2.2: which side goes first, as the winner chose."""
    if fight.phase != "initiative" or fight.winner is None:
        raise Refused("nobody has won the initiative")
    other = next(s for s in fight.sides if s != side)
    fight.order = [side, other]
    fight.phase = "first"
    begin_phase(fight, side)
    return Ruling()


def begin_phase(fight: Fight, side: str) -> None:
    """RT-13.9: acted is cleared as the side's own phase begins; so is the move; RT-21.5: and the bar to counter."""
    fight.acting = side
    for unit in fight.units.values():
        if unit.side == side:
            unit.acted, unit.moved, unit.no_counter = False, 0, False


def end_phase(fight: Fight, force: bool = False) -> Ruling:
    """RT-13.2, 13.3, 13.6, 13.8: a charge stage each, without limit, then the other side, then a new turn."""
    if fight.phase not in ("first", "second"):
        raise Refused("no phase to end")
    if fight.escapes and not force:  # RT-13.8: not without the GM's word
        raise Refused("something is due")
    for unit in fight.units.values():
        if unit.side == fight.acting and unit.state == "active":  # RT-10.9: a wreck is off the board
            unit.charge += 1
    if fight.phase == "first":
        fight.phase = "second"
        begin_phase(fight, fight.order[1])
    else:
        fight.phase, fight.acting, fight.winner, fight.order = "initiative", None, None, []
        fight.turn += 1
    return Ruling()


def settle_escape(fight: Fight, pilot: str) -> Ruling:
    """RT-11.2: the GM has settled what was due."""
    fight.escapes.remove(pilot)
    return Ruling()


# ---- 2.5, 3: what a unit may do ----------------------------------------------------------------------------------


def may_act(fight: Fight, unit: Unit, force: bool = False) -> None:
    """RT-2.1, 2.5, 10.9: in action, in its own side's phase, and not after its action."""
    if fight.phase in ("setup", "over"):
        raise Refused("no battle")
    if unit.state != "active":
        raise Refused("not active")
    if force:
        return
    if fight.phase == "initiative" or fight.acting != unit.side:
        raise Refused("not its phase")
    if unit.acted:
        raise Refused("already acted")


def move(fight: Fight, id: str, hexes: int) -> Ruling:
    """RT-3.1, 3.4: up to the move value in a phase, one fuel a hex; the move stops where the fuel ends (D55)."""
    if hexes < 0:
        raise Misunderstood(str(hexes))
    unit = fight.units[id]
    may_act(fight, unit)
    if hexes > unit.sheet.move - unit.moved:
        raise Refused("too far")
    gone = hexes
    if unit.fuel is not None:
        if unit.fuel == 0:
            raise Refused("no fuel")
        gone = min(hexes, unit.fuel)
        unit.fuel -= gone
    unit.moved += gone
    return Ruling([], {"hexes": gone, "fuel": unit.fuel})


def pass_unit(fight: Fight, id: str) -> Ruling:
    """RT-2.7: it leaves out its steps."""
    unit = fight.units[id]
    may_act(fight, unit)
    unit.acted = True
    return Ruling()


# ---- 8, 9, 21: an attack -----------------------------------------------------------------------------------------


@dataclass
class Order:
    """An attack as it is declared: RT-8.5 (``rolls``), 8.3 and 8.4 (abilities), 22.4 (feint), 9.4 (defence)."""

    unit: str
    weapon: str
    target: str
    rolls: str | None = None  # once | each; left out: each craft rolls for itself
    ability: str | None = None
    feint: int = 0
    defence: str = "evade"
    defence_ability: str | None = None


class Hit(NamedTuple):
    """One hit; it does double damage at most once (RT-21.7)."""

    doubled: bool


def weapon_of(unit: Unit, id: str) -> Weapon:
    """RT-27.1: the weapon of that id on the unit's sheet."""
    return next(w for w in unit.sheet.weapons if w.id == id)


def living_rc(unit: Unit) -> list[str]:
    """The RC craft that are left, in the order A to D."""
    return [one for one in RC if unit.hp.get(one, 0) > 0]


def ability_of(fight: Fight, unit: Unit, said: str | None) -> int:
    """RT-8.3, 8.4, 8.14: agility or intelligence, the better unless said; RT-25.2: without a pilot nothing."""
    if unit.pilot is None:
        if said is not None:
            raise Refused("no pilot, no ability")
        return 0
    pilot = fight.pilots[unit.pilot]
    if said is not None:
        return int(getattr(pilot, said))
    return max(pilot.agility, pilot.intelligence)


def temperament_of(fight: Fight, unit: Unit) -> str:
    """RT-21.4: the pilot's; without one what the sheet says, placid if it says nothing."""
    return fight.pilots[unit.pilot].temperament if unit.pilot else unit.sheet.temperament


def values_of(fight: Fight, order: Order) -> tuple[int, int]:
    """RT-8.3, 8.4, 9.4, 22.3: the attack value and the evade value, feint and focus in them."""
    unit, target = fight.units[order.unit], fight.units[order.target]
    value = weapon_of(unit, order.weapon).hit + ability_of(fight, unit, order.ability)
    dodge = target.sheet.evade + ability_of(fight, target, order.defence_ability)
    dodge += 20 if order.defence == "focus" else 0
    return value - order.feint, dodge - order.feint


def attack_seats(unit: Unit, rolls: str | None) -> list[str]:
    """RT-8.5: who rolls. One roll, or the lead and each living RC craft; single craft always one (also RT-8.13)."""
    if unit.sheet.squad != "rc" or not living_rc(unit):
        if rolls == "each":
            raise Refused("it rolls once")
        return ["lead"]
    return ["lead"] if rolls == "once" else ["lead", *living_rc(unit)]


def evasions(unit: Unit, seats: list[str], classes: list[str]) -> list[bool]:
    """RT-8.6, 8.7, 24.2: one entry per evasion roll: does the attack roll that it answers do double (RT-21.5, 21.7)?"""
    good = [klass for klass in classes if klass in ("critical", "success")]
    if not good:
        return []  # RT-8.12: no evasion rolls
    if len(seats) > 1:
        return [klass == "critical" for klass in good]  # one each, in the order lead, A to D
    doubled = good[0] == "critical"
    if unit.sheet.squad != "rc":
        return [doubled] * 5
    return [doubled] * (1 + len(living_rc(unit)))


def hits_of(doubles: list[bool], classes: list[str]) -> list[Hit]:
    """RT-8.6, 21.5, 21.7, 21.9: failed evasions hit; each critical one takes the heaviest remaining hit along."""
    hits = [
        Hit(double or klass == "fumble")
        for double, klass in zip(doubles, classes, strict=True)
        if klass in ("failure", "fumble")
    ]
    for _ in range(classes.count("critical")):
        if hits:
            heavy = [n for n, hit in enumerate(hits) if hit.doubled]
            hits.pop(heavy[-1] if heavy else len(hits) - 1)
    return hits


def total_damage(each: int, hits: list[Hit]) -> int:
    """RT-24.1, 24.8: weapon damage for every hit, twice for a doubled one."""
    return sum(each * (2 if hit.doubled else 1) for hit in hits)


def weapon_damage(weapon: Weapon, faces: Faces, dice: list[Die]) -> int:
    """RT-24.4, 24.10: rolled once an attack, after the evasions; a d10 showing 0 counts 10."""
    if isinstance(weapon.damage, int):
        return weapon.damage
    count, sides, plus = weapon.damage
    total = plus
    for _ in range(count):
        shown = int(faces.take(f"d{sides}"))
        if shown == 0 and sides == 10:
            shown = 10
        if not 1 <= shown <= sides:
            raise Misunderstood(str(shown))
        dice.append(Die("damage", shown, str(shown)))
        total += shown
    return total


def apply_damage(fight: Fight, unit: Unit, total: int) -> tuple[int, bool]:
    """RT-10.1, 10.2, 10.3, 10.7, 10.10, 11.1, 11.2, 24.7: craft lost, and whether the unit is wrecked."""
    if total <= 0:
        return 0, False  # RT-10.7: damage 0 is no hit, the charge stays
    unit.charge = 0  # RT-10.3; 10.10: also when nothing is left after the division
    left = total if unit.sheet.squad == "rc" else total // 5
    lost = 0
    for one in (*living_rc(unit), "lead"):
        taken = min(left, unit.hp[one])
        excess = left - unit.hp[one]
        unit.hp[one] -= taken
        left -= taken
        lost += unit.hp[one] == 0
    if unit.hp["lead"] > 0:
        return lost, False
    unit.state = "wrecked"  # RT-11.1, 11.5
    if unit.pilot:
        pilot = fight.pilots[unit.pilot]
        pilot.where = "adrift"  # RT-11.7
        if excess >= 50:  # RT-11.2, 24.7: what reaches the lead beyond its hit points
            fight.escapes.append(pilot.id)
    return lost, True


def attack(fight: Fight, order: Order, faces: Faces) -> Ruling:
    """RT-8.12: checks, declarations, attack rolls, evasions, damage."""
    unit, target = fight.units[order.unit], fight.units[order.target]
    may_act(fight, unit)
    if order.feint < 0:
        raise Misunderstood("feint")
    if target.side == unit.side or target.state != "active":
        raise Refused("no target")  # RT-8.19, 10.9
    weapon = weapon_of(unit, order.weapon)
    if weapon.kind not in PLAIN_KINDS:
        raise Refused("no force, or not ruled on")  # RT-4.15: no laser without a force
    if unit.ammo.get(weapon.id, 1) < 1:
        raise Refused("no ammunition")  # RT-8.1
    seats = attack_seats(unit, order.rolls)
    value, dodge = values_of(fight, order)
    if order.feint and value < 0:
        raise Refused("feint too high")  # RT-22.4: at most the attack value
    unit.acted = True
    if weapon.ammo is not None:
        unit.ammo[weapon.id] -= 1  # RT-8.8
    return exchange(fight, unit, weapon, target, seats, value, dodge, faces)


def exchange(
    fight: Fight, unit: Unit, weapon: Weapon, target: Unit, seats: list[str], value: int, dodge: int, faces: Faces
) -> Ruling:
    """RT-8.12: the dice of an attack that may be made, and what they do."""
    own, theirs = temperament_of(fight, unit), temperament_of(fight, target)
    attacks = [Die("attack", *read_d99(faces.take("d99"), value, own)) for _ in seats]
    if len(seats) == 1 and attacks[0].klass == "fumble":
        unit.no_counter = True  # RT-21.5, 21.10
    doubles = evasions(unit, seats, [die.klass for die in attacks])
    dodges = [Die("evade", *read_d99(faces.take("evasion"), dodge, theirs)) for _ in doubles]
    hits = hits_of(doubles, [die.klass for die in dodges])
    dice = attacks + dodges
    total = total_damage(weapon_damage(weapon, faces, dice), hits) if hits else 0
    lost, wrecked = apply_damage(fight, target, total)
    return Ruling(dice, {"hits": len(hits), "damage": total, "craft_lost": lost, "wrecked": wrecked})


# ---- one command, done or not ------------------------------------------------------------------------------------


def attempt(fight: Fight, command: Callable[[Fight], Ruling], faces: Faces | None = None) -> tuple[Fight, Ruling]:
    """The fight after the command, and its ruling; the fight given stays as it is, whatever comes of it."""
    after = copy.deepcopy(fight)
    ruling = command(after)
    if faces is not None:
        faces.end()
    return after, ruling
