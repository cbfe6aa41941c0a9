"""The oracle's exchange of fire: attacks, areas, defences, counters, rams, encounters (RT-3.6 to 3.13, 8, 9, 10.4).

Written from the rulebook alone, like ``rtype``: a shot is declared, rolled, defended against, settled, answered.
"""

from dataclasses import dataclass, field
from typing import NamedTuple

from tests.oracle.board import Fight, Misunderstood, Refused, Table, Unit, Weapon
from tests.oracle.damage import Down, bring_down, escape, living_rc, weapon_damage
from tests.oracle.people import Value, ability_and_skills, law_of, raised_by_life, throw


class Aim(NamedTuple):
    """Who or what is attacked: a unit, or a part of it (RT-8.11)."""

    unit: str
    part: str = ""

    @property
    def key(self) -> str:
        """The word for it in the keys of dice and results."""
        return f"{self.unit}.{self.part}" if self.part else self.unit


@dataclass
class Shot:
    """One attack. ``way``: attack, counter or encounter; ``prefix`` stands before its keys; ``near``: at range 1,
    ``alone``: no other can be in its area.
    """

    unit: str
    weapon: Weapon
    aims: list[Aim]
    way: str = "attack"
    prefix: str = ""
    rolls: str | None = None
    unseen: bool = False
    blocked: bool = False
    near: bool = False
    alone: bool = False
    feint: int = 0
    seats: list[str] = field(default_factory=list)
    classes: list[str] = field(default_factory=list)

    @property
    def area(self) -> bool:
        """RT-8.9: a charge weapon's attack."""
        return self.weapon.kind == "charge"


@dataclass
class Defence:
    """What an aim does against a shot (RT-9), and what comes of it: of each hit, whether it is doubled."""

    aim: Aim
    way: str = "evade"
    weapon: Weapon | None = None
    hits: list[bool] = field(default_factory=list)
    guarded: list[bool] = field(default_factory=list)
    shot_down: int = 0  # what an interception counts, in times of its weapon's damage (RT-24.6)
    taken: bool = False  # something came through


def weapon_of(unit: Unit, id: str) -> Weapon:
    """RT-27.1: the weapon of that id on the unit's sheet."""
    return next(w for w in unit.sheet.weapons if w.id == id)


def usable(unit: Unit, weapon: Weapon) -> bool:
    """RT-8.1, 4.15: ammunition, charge, and for a laser a force attached."""
    if weapon.kind == "laser" and unit.attached is None:
        return False
    return unit.ammo.get(weapon.id, 1) > 0 and (weapon.kind != "charge" or unit.charge >= weapon.charge)


def reaches(weapon: Weapon) -> bool:
    """Range 1, or an area, of which the GM says whom it holds."""
    return weapon.kind == "charge" or weapon.reach[0] <= 1


def seats_of(unit: Unit, once: bool) -> list[str]:
    """RT-8.5, 8.13: the lead and each living RC craft, or the lead alone."""
    return ["lead"] if once or unit.sheet.squad != "rc" else ["lead", *living_rc(unit)]


def wins(klass: str) -> bool:
    """A critical is a success."""
    return klass in ("critical", "success")


# ---- the shot ----------------------------------------------------------------------------------------------------


def shoot(fight: Fight, table: Table, shot: Shot) -> None:
    """RT-8.12: declarations, attack rolls, each aim's defence; damage, escapes, counters."""
    unit = fight.units[shot.unit]
    value = attack_value(fight, table, shot)
    if shot.weapon.ammo is not None:
        unit.ammo[shot.weapon.id] -= 1  # RT-8.8
    if shot.area:
        unit.charge = 0  # RT-8.9: at once
    shot.classes = throw(table, f"{shot.prefix}attack", shot.seats, value, law_of(fight, unit))
    if shot.classes == ["fumble"]:
        unit.no_counter = True  # RT-21.5, 21.10
    defences = [defend(fight, table, shot, aim) for aim in shot.aims]
    settle(fight, table, shot, defences)
    answer(fight, table, shot, defences)


def attack_value(fight: Fight, table: Table, shot: Shot) -> Value:
    """RT-8.3, 8.5, 22.1, 22.3, 22.4, 23.3: the seats, and the attack value with the feint in it."""
    unit, prefix = fight.units[shot.unit], shot.prefix
    several = unit.sheet.squad == "rc" and bool(living_rc(unit))
    if shot.rolls == "each" and not several:
        raise Refused("RT-8.5: it rolls once")
    once = shot.rolls == "once"
    if prefix and several:
        once = table.say("once", f"{prefix}once") == "yes"
    shot.seats = seats_of(unit, once)
    keys = (f"{prefix}ability", f"{prefix}skill")
    value = shot.weapon.hit + ability_and_skills(fight, table, unit, "attack", shot.weapon, keys)
    raised = raised_by_life(fight, table, unit, f"{prefix}raise")
    shot.feint = int(table.say("feint", f"{prefix}feint", value) or 0)
    if shot.feint < 0:
        raise Misunderstood("feint")
    if shot.feint and shot.feint > value + 20 * raised:
        raise Refused("RT-22.4: at most the attack value")
    return Value(value + 20 * raised - shot.feint, raised)


# ---- the defence -------------------------------------------------------------------------------------------------


def coming(fight: Fight, shot: Shot) -> list[tuple[str, bool]]:
    """RT-8.6, 8.7, 21.7, 24.2: the evasions to be rolled: a seat each, and whether that hit does double damage."""
    good = [(seat, klass == "critical") for seat, klass in zip(shot.seats, shot.classes, strict=True) if wins(klass)]
    if len(shot.seats) > 1 or not good:
        return good
    unit = fight.units[shot.unit]
    seats = ["lead", *living_rc(unit)] if unit.sheet.squad == "rc" else ["1", "2", "3", "4", "5"]
    return [(seat, good[0][1]) for seat in seats]


def defend(fight: Fight, table: Table, shot: Shot, aim: Aim) -> Defence:
    """RT-9, 4.21: what the aim declares, and its dice; whoever is inactive takes every hit."""
    unit, defence = fight.units[aim.unit], Defence(aim)
    if unit.state == "inactive":
        defence.hits = [double for _, double in coming(fight, shot)]
        return defence
    said = table.say("defence", f"{shot.prefix}defence.{aim.key}", (fight, shot, aim)) or "evade"
    defence.way, _, name = said.partition(":")
    if defence.way in ("intercept", "counter"):
        fit = [w for w in unit.sheet.weapons if fits(unit, shot, aim, defence.way, w)]
        defence.weapon = weapon_of(unit, name) if name else fit[0] if len(fit) == 1 else None
    allow(fight, shot, defence)
    intercept(fight, table, shot, defence) if defence.way == "intercept" else evade(fight, table, shot, defence)
    return defence


def allow(fight: Fight, shot: Shot, defence: Defence) -> None:
    """RT-3.8, 9.1 to 9.6, 9.12, 9.14: a defence that cannot be is refused."""
    way, aim, unit = defence.way, defence.aim, fight.units[defence.aim.unit]
    if way == "evade":
        return
    if shot.unseen:
        raise Refused("RT-9.1: only evasion")
    if way == "focus" and shot.way != "attack":
        raise Refused("RT-9.3, 3.8: no focus")
    if way == "guard" and (shot.weapon.kind == "ram" or shot.way == "encounter" or not shell_of(fight, aim)):
        raise Refused("RT-9.1, 3.8, 9.5: no guard")
    if way == "intercept" and shot.way != "attack":
        raise Refused("RT-9.3, 3.8: no interception")
    if way == "counter" and (shot.way == "counter" or unit.no_counter or unit.side == fight.units[shot.unit].side):
        raise Refused("RT-9.3, 21.5, 8.17: no counter")
    if way in ("intercept", "counter") and not (defence.weapon and fits(unit, shot, aim, way, defence.weapon)):
        raise Refused("RT-9.14: no such weapon, or not usable")


def fits(unit: Unit, shot: Shot, aim: Aim, way: str, weapon: Weapon) -> bool:
    """RT-9.2, 9.3, 8.10, 9.14: is the weapon one to intercept or counter this shot with, and usable now?"""
    if aim.part or not usable(unit, weapon):
        return False
    if way == "intercept":
        return weapon.intercept and shot.weapon.kind == "missile"
    if shot.area:
        return weapon.kind == "charge"
    return weapon.counter and (reaches(weapon) or not shot.near)


def shell_of(fight: Fight, aim: Aim) -> Unit | None:
    """RT-9.5: the non-destructible force on the craft, if it has one."""
    force = fight.units[aim.unit].attached
    if aim.part or force is None or not fight.units[force].sheet.indestructible:
        return None
    return fight.units[force]


def defence_value(fight: Fight, table: Table, shot: Shot, aim: Aim, base: int, weapon: Weapon | None) -> Value:
    """RT-8.4, 9.2, 22.3, 22.5: evade value or interception's, the attacker's feint in it."""
    unit, prefix = fight.units[aim.unit], shot.prefix
    keys = (f"{prefix}defence-ability.{aim.key}", f"{prefix}defence-skill.{aim.key}")
    value = base + ability_and_skills(fight, table, unit, "intercept" if weapon else "evade", weapon, keys)
    raised = raised_by_life(fight, table, unit, f"{prefix}defence-raise.{aim.key}")
    return Value(value - shot.feint + 20 * raised, raised)


def evade(fight: Fight, table: Table, shot: Shot, defence: Defence) -> None:
    """RT-8.6, 8.7, 9.4, 9.5, 9.10, 21.5, 21.9: evasions, then the guard's rolls at the same value."""
    unit, shots = fight.units[defence.aim.unit], coming(fight, shot)
    if not shots:
        return  # RT-8.12
    focus = 20 if defence.way == "focus" else 0
    value = defence_value(fight, table, shot, defence.aim, unit.sheet.evade + focus, None)
    key, law = f"{shot.prefix}{{}}.{defence.aim.key}", law_of(fight, unit)
    left = not_evaded(shots, throw(table, key.format("evade"), [seat for seat, _ in shots], value, law))
    if defence.way != "guard" or not left:
        defence.hits = [double for _, double in left]
        return
    guards = throw(table, key.format("guard"), [seat for seat, _ in left], value, law)
    for (_, double), klass in zip(left, guards, strict=True):
        (defence.guarded if wins(klass) else defence.hits).append(double)


def not_evaded(shots: list[tuple[str, bool]], classes: list[str]) -> list[tuple[str, bool]]:
    """RT-21.5, 21.7, 21.9: a fumbled evasion doubles its hit; a critical one takes the heaviest remaining hit along."""
    left = [
        (seat, double or klass == "fumble")
        for (seat, double), klass in zip(shots, classes, strict=True)
        if not wins(klass)
    ]
    for _ in range(classes.count("critical")):
        if left:
            heavy = [n for n, (_, double) in enumerate(left) if double]
            left.pop(heavy[-1] if heavy else len(left) - 1)
    return left


def intercept(fight: Fight, table: Table, shot: Shot, defence: Defence) -> None:
    """RT-9.2, 9.8, 21.7, 24.6: the interceptor's rolls; everything hits that is not shot down."""
    unit, weapon = fight.units[defence.aim.unit], defence.weapon
    assert weapon is not None
    defence.hits = [double for _, double in coming(fight, shot)]
    if not defence.hits:
        return  # nothing to shoot at
    if weapon.ammo is not None:
        unit.ammo[weapon.id] -= 1
    several = unit.sheet.squad == "rc" and bool(living_rc(unit))
    once = several and table.say("once", f"{shot.prefix}defence-once") == "yes"
    seats = seats_of(unit, once)
    value = defence_value(fight, table, shot, defence.aim, weapon.hit, weapon)
    classes = throw(table, f"{shot.prefix}intercept.{defence.aim.key}", seats, value, law_of(fight, unit))
    times = sum({"critical": 2, "success": 1}.get(klass, 0) for klass in classes)
    if len(seats) == 1:
        times *= 1 + len(living_rc(unit)) if unit.sheet.squad == "rc" else 5
    defence.shot_down = times


# ---- what comes of it --------------------------------------------------------------------------------------------


def settle(fight: Fight, table: Table, shot: Shot, defences: list[Defence]) -> None:
    """RT-24.4, 24.8, 24.10, 8.20: damage dice once, then the damage of each aim in order, then the escapes."""
    each = 0
    if any(defence.hits or defence.guarded for defence in defences):
        each = weapon_damage(table, f"{shot.prefix}damage", shot.weapon)
    fallen = []
    for defence in defences:
        down = strike(fight, table, shot, defence, each)
        if down.escape:
            fallen.append(down.escape)
    for pilot in fallen:
        escape(table, shot.prefix, fight.pilots[pilot])


def strike(fight: Fight, table: Table, shot: Shot, defence: Defence, each: int) -> Down:
    """RT-10.3, 10.5, 10.7, 10.10, 9.2, 9.9, 24.5, 24.8: the total, and what it does."""
    unit = fight.units[defence.aim.unit]
    total = each * sum(2 if double else 1 for double in defence.hits)
    if shot.blocked:
        total = total * 120 // 100
    if defence.shot_down and defence.weapon:
        key = f"{shot.prefix}intercept-damage.{defence.aim.key}"
        total = max(0, total - defence.shot_down * weapon_damage(table, key, defence.weapon))
    shell = shell_of(fight, defence.aim)
    if defence.guarded and shell:
        total += max(0, each * sum(2 if double else 1 for double in defence.guarded) - shell.hp["lead"])
    defence.taken = total > 0 and not unit.sheet.indestructible  # RT-4.5
    down = Down()
    if defence.taken:
        if not (shot.area and defence.way == "counter"):  # RT-8.10
            unit.charge = 0
        down = bring_down(fight, unit, total, defence.aim.part)
    figures = {"hits": len(defence.hits), "damage": total, "craft_lost": down.lost, "wrecked": not unit.hp["lead"]}
    if defence.taken and defence.aim.part:
        figures["part_lost"] = not unit.hp[defence.aim.part]
    suffix = f".{defence.aim.key}" if shot.area and not shot.alone else ""
    table.result |= {f"{shot.prefix}{name}{suffix}": value for name, value in figures.items()}
    return down


def answer(fight: Fight, table: Table, shot: Shot, defences: list[Defence]) -> None:
    """RT-9.3, 9.11, 9.13, 8.10, 8.17, 8.18: the declared counters, as far as they can still be fired."""
    for defence in [one for one in defences if one.way == "counter"]:
        unit, shooter, weapon = fight.units[defence.aim.unit], fight.units[shot.unit], defence.weapon
        assert weapon is not None
        alive = unit.state == "active" and shooter.state == "active"
        if not alive or unit.no_counter or not usable(unit, weapon):
            if shot.area and defence.taken:
                unit.charge = 0  # RT-8.10: not fired after all
            continue
        prefix = f"{shot.prefix}counter.{unit.id}."
        aims = [Aim(shooter.id)]
        if weapon.kind == "charge":
            named = table.say("area", f"{prefix}area", (fight, unit, shooter))
            aims += [Aim(name) for name in (named or "").split(",") if name]
        shoot(fight, table, Shot(unit.id, weapon, aims, "counter", prefix, near=shot.near))


# ---- the lines ---------------------------------------------------------------------------------------------------


def attack(fight: Fight, table: Table, shot: Shot) -> None:
    """RT-2.5, 8.1, 8.15, 8.16, 8.19, 10.9: what may be shot at; a ram pays first (RT-10.4)."""
    unit, weapon = fight.units[shot.unit], shot.weapon
    for aim in shot.aims:
        target = fight.units[aim.unit]
        own = target.id == unit.id or (target.attached == unit.id)
        if target.state not in ("active", "inactive") or (aim.part and target.hp[aim.part] == 0):
            raise Refused("not there")
        if own or (target.side == unit.side and not shot.area):
            raise Refused("RT-8.16, 8.19")
    if weapon.kind == "subspace-buster" or not usable(unit, weapon) or (shot.blocked and weapon.kind != "ram"):
        raise Refused("RT-8.1, 4.15")
    unit.acted = True
    shot.near = weapon.kind == "ram"
    if weapon.kind == "ram" and not pay_ram(fight, table, shot):
        return
    shoot(fight, table, shot)


def pay_ram(fight: Fight, table: Table, shot: Shot) -> bool:
    """RT-10.4, 10.8: 10 + 5 a level, if the target could shoot at it; is the rammer still there?"""
    unit, target = fight.units[shot.unit], fight.units[shot.aims[0].unit]
    ready = [w for w in target.sheet.weapons if w.intercept and reaches(w) and usable(target, w)]
    if target.state != "active" or not ready or unit.sheet.indestructible:
        return True
    down = bring_down(fight, unit, 10 + 5 * target.sheet.level, whole=True)
    if down.escape:
        escape(table, shot.prefix, fight.pilots[down.escape])
    return not down.wrecked


def encounter(fight: Fight, table: Table, mover: str, enemies: list[tuple[str, str | None]]) -> None:
    """RT-3.6 to 3.9, 3.13: each enemy with a weapon that reaches fires once; then the mover's phase is over."""
    unit, fired = fight.units[mover], False
    for id, name in enemies:
        enemy = fight.units[id]
        if enemy.side == unit.side or enemy.state != "active":
            raise Refused("no enemy in action")
        unit.stopped = True
        if name == "none" or unit.state != "active":
            continue
        fit = [w for w in enemy.sheet.weapons if ambushes(enemy, w)]
        weapon = weapon_of(enemy, name) if name else fit[0] if fit else None
        if weapon is None:
            continue
        if weapon not in fit:
            raise Refused("RT-3.7: it does not reach")
        fired = True
        shoot(fight, table, Shot(id, weapon, [Aim(mover)], "encounter", f"counter.{id}.", near=True))
    unit.acted = unit.acted or fired


def ambushes(enemy: Unit, weapon: Weapon) -> bool:
    """RT-3.7: usable, reaching range 1, no ram."""
    return weapon.kind not in ("ram", "subspace-buster") and reaches(weapon) and usable(enemy, weapon)
