"""The oracle's damage and what comes of it: cascade, wrecks, escapes, death (RT-10, 11, 24)."""

from typing import NamedTuple

from tests.oracle.board import RC, Fight, Misunderstood, Pilot, Table, Unit, Weapon
from tests.oracle.people import Law, Value, throw


class Down(NamedTuple):
    """What a blow did: craft lost, is the unit wrecked, and the pilot whose escape has to be rolled for."""

    lost: int = 0
    wrecked: bool = False
    escape: str | None = None


def weapon_damage(table: Table, key: str, weapon: Weapon) -> int:
    """RT-24.4, 24.10: a number, or dice rolled once an attack."""
    if isinstance(weapon.damage, int):
        return weapon.damage
    count, sides, plus = weapon.damage
    return plus + sum(table.die(f"{key}.{n}", sides) for n in range(1, count + 1))


def shown(face: str, sides: int) -> int:
    """A typed face of a plain die; a d10 showing 0 counts 10."""
    number = 10 if sides == 10 and int(face) == 0 else int(face)
    if not 1 <= number <= sides:
        raise Misunderstood(face)
    return number


def living_rc(unit: Unit) -> list[str]:
    """The RC craft that are left, in the order A to D."""
    return [one for one in RC if unit.hp.get(one, 0) > 0]


def bring_down(fight: Fight, unit: Unit, total: int, part: str = "", whole: bool = False) -> Down:
    """RT-10.1, 10.2, 11.1, 11.2, 24.7: ``whole`` damage is not divided (a ram's payment, RT-10.8)."""
    left = total if whole or unit.sheet.squad == "rc" else total // 5
    if part:
        unit.hp[part] -= min(left, unit.hp[part])
        return Down()
    lost = excess = 0
    for one in (*living_rc(unit), "lead"):
        taken = min(left, unit.hp[one])
        excess = left - unit.hp[one]
        unit.hp[one] -= taken
        left -= taken
        lost += unit.hp[one] == 0
    if unit.hp["lead"] > 0:
        return Down(lost)
    pilot = wreck(fight, unit)
    return Down(lost, True, pilot if excess >= 50 else None)


def wreck(fight: Fight, unit: Unit) -> str | None:
    """RT-4.9, 4.18, 10.9, 11.1, 11.5, 11.7: off the board; the pilot is adrift, a force left inactive where it is."""
    unit.state = "wrecked"
    if unit.attached:
        other = fight.units[unit.attached]
        unit.attached = other.attached = None
        if other.sheet.squad == "force":
            other.state = "inactive"
    pilot, unit.pilot = unit.pilot, None
    if pilot:
        fight.pilots[pilot].where = "adrift"
    return pilot


def escape(table: Table, prefix: str, pilot: Pilot) -> None:
    """RT-11.2 to 11.4, 11.6, 20.7: half the better ability; then -20 and -20, and what follows at 0."""
    law = Law(pilot.temperament, pilot.swap, pilot)
    half = Value(max(pilot.agility, pilot.intelligence) // 2)
    if throw(table, f"{prefix}escape.{pilot.id}", [""], half, law)[0] in ("failure", "fumble"):
        pilot.state = "dead"
        return
    pilot.life -= 20
    pilot.spirit = max(0, pilot.spirit - 20)
    if pilot.spirit == 0:
        pilot.state = "unconscious"
    if pilot.life <= 0:
        lives = throw(table, f"{prefix}death.{pilot.id}", [""], Value(pilot.body + pilot.life), law)
        pilot.state = "dying" if lives[0] in ("critical", "success") else "dead"
