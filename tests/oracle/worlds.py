"""The worlds that the oracle's random fights take place in: sheets, pilots, sides, forces on some of their craft."""

import random
import tomllib
from pathlib import Path
from typing import Any

from tests.oracle import rtype
from tests.oracle.board import Fight, Pilot, Sheet, Weapon
from tests.oracle.people import skills

DATA = Path(__file__).resolve().parents[2] / "rules_data" / "rtype"
TEMPERAMENTS = ("placid", "daredevil", "all-or-nothing")
DAMAGES: list[int | tuple[int, int, int]] = [0, 1, 3, 4, 7, 24, 30, 30, 50, 50, 100, 120, 400, (2, 10, 25), (1, 10, 0)]
DAMAGES += [(3, 6, 2)]


def shipped_sheets() -> dict[str, Sheet]:
    """The figures of the craft that come with gmtool, read from the files a GM reads; Bydo and forces left out."""
    rows = [row for file in sorted(DATA.glob("craft*.toml")) for row in tomllib.loads(file.read_text("utf-8"))["craft"]]
    plain = [row for row in rows if row["squad"] != "force" and not row.get("bydo") and row.get("weapon")]
    return {row["id"]: _shipped(row) for row in plain}


def _shipped(row: dict[str, Any]) -> Sheet:
    weapons = []
    for one in row["weapon"]:
        reach = tuple(one.get("range", (1, 9)))
        flags = (one.get("intercept", False), one.get("counter", False))
        damage = _damage(one["damage"])
        weapons.append(
            Weapon(one["id"], one["kind"], one["hit"], damage, one.get("ammo"), one.get("charge", 0), reach, *flags)
        )
    parts = {part["id"]: part["hp"] for part in row.get("parts", ())}
    figures = (row["hp"], row["move"], row["evade"], row.get("fuel"), row.get("temperament", "placid"))
    return Sheet(row["id"], row["squad"], *figures, weapons, row.get("level", 1), parts)


def _damage(damage: Any) -> int | tuple[int, int, int]:
    if isinstance(damage, int):
        return damage
    count, rest = damage.split("D")
    sides, _, plus = rest.partition("+")
    return int(count), int(sides), int(plus or 0)


def own_sheet(rng: random.Random, id: str) -> Sheet:
    """A sheet of odd figures: near misses of every limit that a rule has, and a weapon of nearly every kind."""
    kinds = ["gun", "missile", rng.choice(["gun", "melee", "laser"]), "charge", rng.choice(["ram", "missile"])]
    return Sheet(
        id,
        squad=rng.choice(["rc", "rc", "rc", "single", "single", "ship"]),
        hp=rng.choice([1, 7, 10, 20, 50, 50, 100, 100, 300]),
        move=rng.randint(0, 7),
        evade=rng.choice([-20, 0, 10, 20, 20, 35, 60, 97]),
        fuel=rng.choice([None, 1, 2, 5, 10, 40]),
        temperament=rng.choice(TEMPERAMENTS),
        weapons=[own_weapon(rng, f"w-{n}", kind) for n, kind in enumerate(kinds)],
        level=rng.choice([1, 1, 2, 3, 5, 9]),
        forces=("orb", "pod"),
    )


def own_weapon(rng: random.Random, id: str, kind: str) -> Weapon:
    """Most of them intercept or counter; one gun in a while does not reach the next hex."""
    hit, ammo = rng.choice([0, 15, 40, 40, 60, 80, 97]), rng.choice([None, None, 1, 2, 3, 6])
    shoots = kind in ("gun", "laser", "melee")
    weapon = Weapon(id, kind, hit, rng.choice(DAMAGES), ammo if kind != "charge" else None)
    weapon.charge = rng.choice([1, 1, 2, 3]) if kind == "charge" else 0
    weapon.intercept, weapon.counter = shoots and rng.random() < 0.7, kind != "ram" and rng.random() < 0.6
    weapon.reach = (2, 4) if kind == "gun" and rng.random() < 0.2 else (1, 4)
    return weapon


def with_part(rng: random.Random, sheet: Sheet) -> Sheet:
    """Some large ones have a part with hit points of its own (RT-8.11)."""
    if sheet.squad != "rc" and rng.random() < 0.5:
        sheet.parts = {"turret": rng.choice([1, 8, 40, 80])}
    return sheet


def force_sheet(rng: random.Random, id: str, indestructible: bool) -> Sheet:
    """A force that craft of the odd sheets combine with."""
    evade = rng.choice([0, 20, 60])
    return Sheet(
        id, "force", rng.choice([1, 30, 50, 80, 150]), 4, evade, None, "placid", [], indestructible=indestructible
    )


def as_toml(sheet: Sheet) -> str:
    """The sheet as a GM writes it into the campaign's rules folder."""
    lines = ["[[craft]]", f'id = "{sheet.id}"', f'name = "{sheet.id}"', 'origin = "own"', f'squad = "{sheet.squad}"']
    lines += [
        f"level = {sheet.level}\ncost = 100\nmove = {sheet.move}\nsearch = 3\nhp = {sheet.hp}\nevade = {sheet.evade}"
    ]
    lines += [f'temperament = "{sheet.temperament}"'] + ([] if sheet.fuel is None else [f"fuel = {sheet.fuel}"])
    lines += [f"forces = {list(sheet.forces)}".replace("'", '"')] if sheet.forces else []
    lines += ["indestructible = true"] if sheet.indestructible else []
    parts = [f'{{ id = "{id}", name = "{id}", hex = [1, 0], hp = {hp} }}' for id, hp in sheet.parts.items()]
    lines += ["hexes = [[0, 0]]", f"parts = [{', '.join(parts)}]"] if parts else []
    return "\n".join([*lines, *(line for one in sheet.weapons for line in weapon_lines(one))]) + "\n"


def weapon_lines(one: Weapon) -> list[str]:
    """One weapon of a sheet."""
    lines = ["[[craft.weapon]]", f'id = "{one.id}"', f'name = "{one.id}"', 'path = "direct"', f'kind = "{one.kind}"']
    charge = one.kind == "charge"
    lines += ['area = { shape = "line", length = 6 }'] if charge else [f"range = {list(one.reach)}"]
    lines += [f"hit = {one.hit}", f"damage = {damage_text(one.damage)}"]
    lines += [f"charge = {one.charge}"] if charge else []
    lines += [] if one.ammo is None else [f"ammo = {one.ammo}"]
    lines += ["intercept = true"] if one.intercept else []
    return lines + (["counter = true"] if one.counter else [])


def damage_text(damage: int | tuple[int, int, int]) -> str:
    """A number, or the expression in quotes."""
    if isinstance(damage, int):
        return str(damage)
    count, sides, plus = damage
    return f'"{count}D{sides}' + (f'+{plus}"' if plus else '"')


def own_pilot(rng: random.Random, id: str) -> Pilot:
    """A pilot with or without skills, with few lives, at times nearly dead."""
    pilot = Pilot(id, rng.choice([0, 5, 15, 30, 45]), rng.choice([0, 5, 15, 30, 45]), rng.choice(TEMPERAMENTS))
    pilot.body, pilot.life, pilot.spirit = (
        rng.choice([5, 20, 45]),
        rng.choice([10, 15, 20, 50]),
        rng.choice([15, 20, 40]),
    )
    pilot.lives = rng.choice([0, 1, 3, 3])
    if rng.random() < 0.4:
        fighting = [id for id, row in skills().items() if {"attack", "evade", "intercept"} & set(row["checks"])]
        pilot.skills = {name: rng.randint(1, 4) for name in rng.sample(fighting, rng.randint(1, 4))}
    return pilot


def pilot_line(pilot: Pilot) -> str:
    """The line that adds the pilot."""
    known = "".join(f" --skill {name}={level}" for name, level in pilot.skills.items())
    return (
        f"pilot add {pilot.id} --body {pilot.body} --agility {pilot.agility} --intelligence {pilot.intelligence} "
        f"--diplomacy 5 --life {pilot.life} --spirit {pilot.spirit} --temperament {pilot.temperament} "
        f"--lives {pilot.lives}{known}"
    )


def set_up(rng: random.Random) -> tuple[Fight, str, list[str]]:
    """Two sides, some pilots, two to four units a side; the sheets' file and the lines that make them."""
    known = shipped_sheets()
    own = [with_part(rng, own_sheet(rng, f"odd-{n}")) for n in range(3)]
    forces = [force_sheet(rng, "orb", True), force_sheet(rng, "pod", False)]
    fight = Fight({side: rng.random() < 0.5 for side in ("red", "blue")})
    lines = [f"side add {side}" + (" --players" if players else "") for side, players in fight.sides.items()]
    made = 0
    for side in fight.sides:
        for _ in range(rng.randint(2, 4)):
            made += 1
            sheet = known[rng.choice(list(known))] if rng.random() < 0.2 else rng.choice(own)
            lines += join(rng, fight, made, sheet, side)
            if sheet in own and rng.random() < 0.4:
                lines += combine(fight, f"u{made}", rng.choice(forces))
    rtype.battle_start(fight)
    return fight, "format = 1\n" + "".join(map(as_toml, [*own, *forces])), [*lines, "battle start"]


def join(rng: random.Random, fight: Fight, n: int, sheet: Sheet, side: str) -> list[str]:
    """A unit joins, with a pilot or without."""
    pilot, lines = None, []
    if rng.random() < 0.6:
        pilot = f"p{n}"
        fight.pilots[pilot] = own_pilot(rng, pilot)
        lines.append(pilot_line(fight.pilots[pilot]))
        if rng.random() < 0.15:
            fight.pilots[pilot].swap = rng.choice(["fixed", "reverse"])
            lines.append(f"set pilots.{pilot}.swap {fight.pilots[pilot].swap}")
    rtype.add_unit(fight, f"u{n}", sheet, side, pilot)
    return [*lines, f"unit add {sheet.id} u{n} --side {side}" + (f" --pilot {pilot}" if pilot else "")]


def combine(fight: Fight, craft: str, sheet: Sheet) -> list[str]:
    """A force joins and sits on the craft (RT-4.3)."""
    force = craft.replace("u", "f")
    rtype.add_unit(fight, force, sheet, fight.units[craft].side, None)
    rtype.attach(fight, craft, force)
    return [f"unit add {sheet.id} {force} --side {fight.units[craft].side}", f"attach {craft} {force}"]
