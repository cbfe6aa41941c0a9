"""The oracle's people: abilities, skills, lives, and how dice are thrown and thrown again (RT-8.3, 20 to 23)."""

import tomllib
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from tests.oracle.board import Fight, Pilot, Refused, Table, Unit, Weapon

SKILLS = Path(__file__).resolve().parents[2] / "rules_data" / "rtype" / "skills.toml"


class Law(NamedTuple):
    """Who throws and how the dice are read: temperament, mode (RT-20.3), and whose lives throw them again."""

    temperament: str
    mode: str
    pilot: Pilot | None


@dataclass
class Value:
    """A final target value, and whether a life has raised it (RT-22.1: from then on, for the whole check)."""

    number: int
    raised: bool = False


@cache
def skills() -> dict[str, dict[str, Any]]:
    """RT-23.4: the skills as the GM's file has them."""
    rows = tomllib.loads(SKILLS.read_text(encoding="utf-8"))["skills"]
    return {row["id"]: row for row in rows}


def pilot_of(fight: Fight, unit: Unit) -> Pilot | None:
    """RT-4.11, 22.6: the unit's pilot; a force's is that of the craft that leads it."""
    id = fight.units[unit.led_by].pilot if unit.led_by and not unit.pilot else unit.pilot
    return fight.pilots[id] if id else None


def law_of(fight: Fight, unit: Unit) -> Law:
    """RT-21.4: the pilot's temperament; without one what the sheet says."""
    pilot = pilot_of(fight, unit)
    return Law(unit.sheet.temperament, "swap", None) if pilot is None else Law(pilot.temperament, pilot.swap, pilot)


def best_ability(pilot: Pilot) -> str:
    """The higher one, unless said (RT-8.3); which of two equal ones matters to skills only."""
    return "agility" if pilot.agility >= pilot.intelligence else "intelligence"


def ability_and_skills(
    fight: Fight, table: Table, unit: Unit, check: str, weapon: Weapon | None, keys: tuple[str, str]
) -> int:
    """RT-8.3, 8.4, 23.2 to 23.4: what the pilot adds to a value: one ability, and skills of that same ability."""
    pilot = pilot_of(fight, unit)
    about = (pilot, check, weapon)
    said = table.say("ability", keys[0], about)
    if pilot is None:
        if said or table.say("skill", keys[1], about):
            raise Refused("no pilot, no ability (RT-25.2)")
        return 0
    ability = said or best_ability(pilot)
    names = [name for name in (table.say("skill", keys[1], (*about, ability)) or "").split(",") if name]
    for name in names:
        pay(pilot, name, check, weapon, ability)
    timings = [skills()[name].get("timing") for name in names]
    if len(set(timings)) < len(timings):
        raise Refused("RT-23.3: one skill at one timing")
    names += [id for id, row in skills().items() if row.get("always") and fit(pilot, id, check, weapon, ability)]
    return int(getattr(pilot, ability)) + sum(skills()[name].get("bonus", 5) * pilot.skills[name] for name in names)


def fit(pilot: Pilot, name: str, check: str, weapon: Weapon | None, ability: str) -> bool:
    """RT-23.2: the pilot has it, and it serves this check, this ability, this weapon."""
    row = skills()[name]
    kind = weapon.kind if weapon else ""
    meant = row.get("weapons", "any")
    serves = {"any": True, "melee": kind == "melee", "shooting": kind not in ("melee", "ram")}[meant]
    return name in pilot.skills and row["ability"] == ability and check in row["checks"] and serves


def pay(pilot: Pilot, name: str, check: str, weapon: Weapon | None, ability: str) -> None:
    """RT-23.3: its cost in spirit, if it fits and there is enough."""
    cost = skills()[name].get("cost", 0)
    if not fit(pilot, name, check, weapon, ability) or pilot.spirit < cost:
        raise Refused("RT-23.2, 23.3")
    pilot.spirit -= cost


def raised_by_life(fight: Fight, table: Table, unit: Unit, key: str) -> bool:
    """RT-22.1, 22.2, 22.6: a life for +20 on all rolls of a check, if the pilot has one to spend."""
    pilot = pilot_of(fight, unit)
    if table.say("raise", key, pilot) != "yes":
        return False
    if pilot is None:
        raise Refused("RT-22.6: nobody to spend a life")
    spend(pilot, 1)
    return True


def spend(pilot: Pilot, lives: int) -> None:
    """RT-22.2: not more than there are."""
    if pilot.lives < lives:
        raise Refused("RT-22.2: no lives left")
    pilot.lives -= lives


def throw(table: Table, key: str, seats: list[str], value: Value, law: Law) -> list[str]:
    """RT-22.1, 22.5: one check a seat, all at one value; then those that a life throws again, each once at most."""
    asked = [f"{key}.{seat}" if seat else key for seat in seats]
    classes = [table.d99(one, value.number, law.temperament, law.mode) for one in asked]
    again_thrown: list[str] = []
    for n, one in enumerate(asked):
        again = table.say("reroll", f"reroll.{one}", (law.pilot, value, classes[n])) if law.pilot else None
        if again is None or law.pilot is None:
            continue
        if again == "raise":
            if value.raised:
                raise Refused("RT-22.2: raises don't stack")
            spend(law.pilot, 1)
            value.raised, value.number = True, value.number + 20
            for m, other in enumerate(asked):  # it holds for all that stand, also for those that lie already
                if m != n:
                    standing = f"reroll.{other}" if other in again_thrown else other
                    classes[m] = table.reread(standing, value.number, law.temperament, law.mode)
        spend(law.pilot, 1)
        again_thrown.append(one)
        classes[n] = table.d99(f"reroll.{one}", value.number, law.temperament, law.mode)
    return classes
