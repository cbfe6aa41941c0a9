"""Random fights for the oracle: set-ups, commands, faces, and what the oracle expects of each line.

A plan is made from a seed without a look at gmtool: the oracle alone says what each line should do. Playing it through
gmtool and comparing is the test's work.
"""

import random
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

from tests.oracle import rtype
from tests.oracle.board import Faces, Fight, Misunderstood, Pilot, Refused, Ruling, Sheet, Unit, Weapon
from tests.oracle.rtype import Order

CRAFT = Path(__file__).resolve().parents[2] / "rules_data" / "rtype" / "craft.toml"
SHIPPED = ("kestrel", "cross", "anvil", "arrow", "lantern", "gains", "husk", "spore", "lamprey")
TEMPERAMENTS = ("placid", "daredevil", "all-or-nothing")
DAMAGES: list[int | tuple[int, int, int]] = [0, 1, 3, 4, 7, 24, 30, 30, 50, 50, 100, 120, 400, (2, 10, 25), (1, 10, 0)]
DAMAGES += [(3, 6, 2)]
FULL_WIDTH = str.maketrans("0123456789", "０１２３４５６７８９")

Command = Callable[[Fight, Faces], Ruling]


class Step(NamedTuple):
    """One line and what has to come of it: the exit code, the dice as read, the figures, the state afterwards."""

    line: str
    code: int
    ruling: Ruling | None
    state: dict[str, Any]


class Plan(NamedTuple):
    """A whole fight: the sheets' file, the lines that set it up, the lines that are compared."""

    sheets: str
    setup: list[str]
    steps: list[Step]


class Thrown(Faces):
    """Faces made up as they are asked for, so that an attack of any length can be typed in one line."""

    def __init__(self, rng: random.Random, plain: bool = False) -> None:
        super().__init__([])
        self.rng, self.plain = rng, plain

    def take(self, kind: str) -> str:
        self.texts.append(face(self.rng, kind, self.plain))
        return super().take(kind)


def face(rng: random.Random, kind: str, plain: bool = False) -> str:
    """A face as typed; hits, doubles and fixed readings come more often than from real dice."""
    if kind == "d6":
        return str(rng.randint(1, 6))
    if kind == "d10":
        return str(rng.randint(0, 10))
    how = rng.random()
    often, seldom = ((5, 9), (0, 4)) if kind == "evasion" else ((0, 4), (5, 9))
    low, high = often if how < 0.4 else seldom if how < 0.55 else (0, 9)
    pair = f"{rng.randint(low, high)}{rng.randint(low, high)}"
    if how > 0.9:
        pair = pair[0] * 2
    return pair if plain or rng.random() > 0.12 else "=" + pair


# ---- set-up ------------------------------------------------------------------------------------------------------


def shipped_sheets() -> dict[str, Sheet]:
    """The figures of the sheets that come with gmtool, read from the same file a GM reads."""
    rows = tomllib.loads(CRAFT.read_text(encoding="utf-8"))["craft"]
    return {row["id"]: _shipped(row) for row in rows if row["id"] in SHIPPED}


def _shipped(row: dict[str, Any]) -> Sheet:
    weapons = []
    for one in row["weapon"]:
        damage = one["damage"]
        if isinstance(damage, str):
            count, rest = damage.split("D")
            sides, plus = rest.split("+")
            damage = (int(count), int(sides), int(plus))
        weapons.append(Weapon(one["id"], one["kind"], one["hit"], damage, one.get("ammo")))
    temperament = row.get("temperament", "placid")
    fuel = row.get("fuel")
    return Sheet(row["id"], row["squad"], row["hp"], row["move"], row["evade"], fuel, temperament, weapons)


def own_sheet(rng: random.Random, id: str) -> Sheet:
    """A sheet of odd figures: near misses of every limit that a rule has."""
    weapons = []
    for n in range(rng.randint(1, 3)):
        damage = rng.choice(DAMAGES)
        kind = rng.choice(["gun", "gun", "missile", "missile", "melee", "laser" if n else "gun"])
        hit, ammo = rng.choice([0, 15, 40, 40, 60, 80, 97]), rng.choice([None, 1, 2, 3, 6])
        weapons.append(Weapon(f"w-{n}", kind, hit, damage, ammo))
    return Sheet(
        id,
        squad=rng.choice(["rc", "rc", "rc", "single", "single", "ship"]),
        hp=rng.choice([1, 7, 10, 20, 50, 50, 100, 100, 300]),
        move=rng.randint(0, 7),
        evade=rng.choice([-20, 0, 10, 20, 20, 35, 60, 97]),
        fuel=rng.choice([None, 1, 2, 5, 10, 40]),
        temperament=rng.choice(TEMPERAMENTS),
        weapons=weapons,
    )


def as_toml(sheet: Sheet) -> str:
    """The sheet as a GM writes it into the campaign's rules folder."""
    lines = ["[[craft]]", f'id = "{sheet.id}"', f'name = "{sheet.id}"', 'origin = "own"', f'squad = "{sheet.squad}"']
    lines += [f"level = 1\ncost = 100\nmove = {sheet.move}\nsearch = 3\nhp = {sheet.hp}\nevade = {sheet.evade}"]
    lines += [f'temperament = "{sheet.temperament}"'] + ([] if sheet.fuel is None else [f"fuel = {sheet.fuel}"])
    for one in sheet.weapons:
        lines += ["[[craft.weapon]]", f'id = "{one.id}"', f'name = "{one.id}"', 'path = "direct"']
        lines += [f'kind = "{one.kind}"', "range = [1, 4]", f"hit = {one.hit}"]
        lines += [f"damage = {damage_text(one.damage)}"] + ([] if one.ammo is None else [f"ammo = {one.ammo}"])
    return "\n".join(lines) + "\n"


def damage_text(damage: int | tuple[int, int, int]) -> str:
    """A number, or the expression in quotes."""
    if isinstance(damage, int):
        return str(damage)
    count, sides, plus = damage
    return f'"{count}D{sides}' + (f'+{plus}"' if plus else '"')


def pilot_line(pilot: Pilot) -> str:
    """The line that adds the pilot; the abilities that no rule of the oracle reads are any figures."""
    return (
        f"pilot add {pilot.id} --body 20 --agility {pilot.agility} --intelligence {pilot.intelligence} "
        f"--diplomacy 5 --life 50 --spirit 30 --temperament {pilot.temperament}"
    )


def set_up(rng: random.Random) -> tuple[Fight, str, list[str]]:
    """Two sides, some pilots, two to four units a side; the sheets' file and the lines that make them."""
    known = shipped_sheets()
    own = [own_sheet(rng, f"odd-{n}") for n in range(3)]
    fight = Fight({side: rng.random() < 0.5 for side in ("red", "blue")})
    lines = [f"side add {side}" + (" --players" if players else "") for side, players in fight.sides.items()]
    made = 0
    for side in fight.sides:
        for _ in range(rng.randint(2, 4)):
            made += 1
            sheet = known[rng.choice(SHIPPED)] if rng.random() < 0.35 else rng.choice(own)
            pilot = None
            if rng.random() < 0.6:
                pilot = f"p{made}"
                agility, intelligence = rng.choice([0, 5, 15, 30, 45]), rng.choice([0, 5, 15, 30, 45])
                temperament = rng.choice(TEMPERAMENTS)
                fight.pilots[pilot] = Pilot(pilot, agility, intelligence, temperament)
                lines.append(pilot_line(fight.pilots[pilot]))
            rtype.add_unit(fight, f"u{made}", sheet, side, pilot)
            lines.append(f"unit add {sheet.id} u{made} --side {side}" + (f" --pilot {pilot}" if pilot else ""))
    rtype.battle_start(fight)
    return fight, "format = 1\n" + "".join(map(as_toml, own)), [*lines, "battle start"]


# ---- the state as it is compared ---------------------------------------------------------------------------------


def state_of(fight: Fight) -> dict[str, Any]:
    """What is compared after every command. Whether a wreck has acted means nothing, so it is left out."""
    units = {
        id: {
            "hp": dict(unit.hp),
            "fuel": unit.fuel,
            "charge": unit.charge,
            "ammo": dict(unit.ammo),
            "state": unit.state,
            **({"acted": unit.acted, "no_counter": unit.no_counter} if unit.state == "active" else {}),
        }
        for id, unit in fight.units.items()
    }
    where = {id: pilot.where for id, pilot in fight.pilots.items()}
    return {
        "units": units,
        "where": where,
        "phase": fight.phase,
        "turn": fight.turn,
        "acting": fight.acting,
        "escapes": sorted(fight.escapes),
    }


# ---- one fight ---------------------------------------------------------------------------------------------------


class Planner:
    """Makes one fight line by line; holds the oracle's fight and its past, as undo needs it."""

    def __init__(self, seed: int, length: int) -> None:
        self.rng = random.Random(seed)
        self.fight, self.sheets, self.setup = set_up(self.rng)
        self.past: list[Fight] = []
        self.future: list[Fight] = []
        self.steps: list[Step] = []
        while len(self.steps) < length:
            self.add_step(last=length - len(self.steps) < 4)

    def expect(self, line: str, code: int, ruling: Ruling | None = None) -> None:
        self.steps.append(Step(line, code, ruling, state_of(self.fight)))

    def done(self, line: str, after: Fight, ruling: Ruling) -> None:
        self.past.append(self.fight)
        self.future.clear()
        self.fight = after
        self.expect(line, 0, ruling)

    def add_step(self, last: bool) -> None:
        rng = self.rng
        what = rng.random()
        if what < 0.07 and self.past:
            self.undo()
        elif (self.future and what < 0.45) or what < 0.08:
            self.redo()
        elif last and rng.random() < 0.2:
            self.plain("battle end", lambda fight, faces: rtype.battle_end(fight))
        elif what < 0.2:
            self.check()
        else:
            self.play()

    def undo(self) -> None:
        steps = min(len(self.past), self.rng.choice([1, 1, 1, 2, 3, 5]))
        for _ in range(steps):
            self.future.append(self.fight)
            self.fight = self.past.pop()
        self.expect("undo" if steps == 1 else f"undo {steps}", 0)

    def redo(self) -> None:
        if not self.future:
            return self.expect("redo", 1)
        steps = min(len(self.future), self.rng.choice([1, 1, 2, 5]))
        for _ in range(steps):
            self.past.append(self.fight)
            self.fight = self.future.pop()
        return self.expect("redo" if steps == 1 else f"redo {steps}", 0)

    def play(self) -> None:
        """A line that fits where the battle stands, or, one time in six, any line at all."""
        rng, fight = self.rng, self.fight
        if rng.random() < 0.16:
            return rng.choice([self.initiative, self.first, self.end_phase, self.move, self.pass_unit, self.attack])()
        if fight.phase == "initiative":
            return self.initiative() if fight.winner is None else self.first()
        if fight.escapes and rng.random() < 0.4:
            return self.settle()
        ready = [u for u in fight.units.values() if u.side == fight.acting and u.state == "active" and not u.acted]
        if not ready or rng.random() < 0.08:
            return self.end_phase()
        how = rng.random()
        if how < 0.75:
            return self.attack(rng.choice(ready).id)
        return self.move(rng.choice(ready).id) if how < 0.93 else self.pass_unit(rng.choice(ready).id)

    # ---- the lines

    def plain(self, line: str, command: Command) -> None:
        """A line without dice."""
        try:
            after, ruling = rtype.attempt(self.fight, lambda fight: command(fight, Faces([])))
        except Refused:
            return self.expect(line, 1)
        except Misunderstood:
            return self.expect(line, 2)
        return self.done(line, after, ruling)

    def settle(self) -> None:
        pilot = self.rng.choice(self.fight.escapes)
        self.plain(f"set due.escape-{pilot} done", lambda fight, faces: rtype.settle_escape(fight, pilot))

    def first(self) -> None:
        side = self.rng.choice(["red", "blue"])
        self.plain(f"first {side}", lambda fight, faces: rtype.first(fight, side))

    def end_phase(self) -> None:
        force = bool(self.fight.escapes) and self.fight.phase in ("first", "second") and self.rng.random() < 0.5
        line = "end phase --force" if force else "end phase"
        self.plain(line, lambda fight, faces: rtype.end_phase(fight, force))

    def any_unit(self) -> str:
        return self.rng.choice(list(self.fight.units))

    def move(self, unit: str | None = None) -> None:
        unit = unit or self.any_unit()
        hexes = self.rng.choice([1, 1, 2, 2, 3, 4, 5, 6, 8])
        self.plain(f"move {unit} {hexes}", lambda fight, faces: rtype.move(fight, unit, hexes))

    def pass_unit(self, unit: str | None = None) -> None:
        unit = unit or self.any_unit()
        self.plain(f"pass {unit}", lambda fight, faces: rtype.pass_unit(fight, unit))

    def initiative(self) -> None:
        self.rolled("initiative", rtype.initiative, [])

    def check(self) -> None:
        rng = self.rng
        target, mode = rng.choice([-20, -1, 0, 7, 30, 44, 60, 85, 99, 130]), rng.choice(["swap", "fixed", "reverse"])
        temperament = rng.choice(TEMPERAMENTS)
        option = f"--temperament {temperament}"
        if self.fight.pilots and rng.random() < 0.5:
            pilot = rng.choice(list(self.fight.pilots.values()))
            temperament, option = pilot.temperament, f"--as {pilot.id}"
        line = f"check {target} --mode {mode} {option}"
        self.rolled(
            line, lambda fight, faces: rtype.check(target, temperament, mode, faces), ["check"], plain=mode != "swap"
        )

    def attack(self, unit: str | None = None) -> None:
        """An attack: mostly on an enemy in action with a weapon it has shots for; sometimes on anyone."""
        rng, fight = self.rng, self.fight
        shooter = fight.units[unit or self.any_unit()]
        foes = [u.id for u in fight.units.values() if u.side != shooter.side and u.state == "active"]
        target = rng.choice(foes) if foes and rng.random() < 0.92 else self.any_unit()
        usable = [w.kind in rtype.PLAIN_KINDS and shooter.ammo.get(w.id, 1) > 0 for w in shooter.sheet.weapons]
        weapons = [n for n, fit in enumerate(usable) if fit]
        number = rng.choice(weapons) if weapons and rng.random() < 0.92 else rng.randrange(len(shooter.sheet.weapons))
        weapon = shooter.sheet.weapons[number].id
        order = Order(shooter.id, weapon, target)
        words = [shooter.id, weapon if rng.random() < 0.6 else str(number + 1), target]
        words += self.options(order, shooter, fight.units[target])
        names = ["attack", f"evade {target}", "damage"]
        line = "attack " + " ".join(words)
        self.rolled(line, lambda fight, faces: rtype.attack(fight, order, faces), names)

    def options(self, order: Order, shooter: Unit, target: Unit) -> list[str]:
        """The options of an attack, put into the order; abilities mostly where there is a pilot."""
        rng, words = self.rng, []
        order.rolls = rng.choice([None, None, None, "once", "each"])
        if order.rolls == "each" and shooter.sheet.squad != "rc" and rng.random() < 0.8:
            order.rolls = None
        if rng.random() < (0.3 if shooter.pilot else 0.04):
            order.ability = rng.choice(["agility", "intelligence"])
        if target.pilot and rng.random() < 0.3:
            order.defence_ability = rng.choice(["agility", "intelligence"])
        if rng.random() < 0.3:
            said = order.ability if shooter.pilot else None
            value = rtype.weapon_of(shooter, order.weapon).hit + rtype.ability_of(self.fight, shooter, said)
            order.feint = rng.choice([1, 5, 10, 20, 30, value, value + 1])
        if rng.random() < 0.35:
            order.defence = "focus"
        words += [f"--{order.rolls}"] if order.rolls else []
        words += ["--with", order.ability] if order.ability else []
        words += ["--feint", str(order.feint)] if order.feint else []
        words += ["--defence", order.defence] if order.defence == "focus" or rng.random() < 0.1 else []
        return words + (["--defence-with", order.defence_ability] if order.defence_ability else [])

    # ---- dice

    def rolled(self, line: str, command: Command, names: list[str], plain: bool = False) -> None:
        """A line with dice: with the faces it needs, or with some missing, left over or impossible."""
        thrown = Thrown(self.rng, plain)
        try:
            after, ruling = rtype.attempt(self.fight, lambda fight: command(fight, thrown))
        except Refused:
            texts = [face(self.rng, "d99") for _ in range(self.rng.randint(0, 6))]
            return self.expect(f'{line} --dice "{" ".join(texts)}"' if texts else line, 1)
        texts, how = thrown.texts, self.rng.random()
        if how < 0.04:
            return self.expect(f'{line} --dice "{self.written([*texts, "55"])}"', 2)
        if how < 0.08:
            bad = list(texts)
            bad[self.rng.randrange(len(bad))] = self.rng.choice(["123", "=1", "-4", "x7"])
            return self.expect(f'{line} --dice "{" ".join(bad)}"', 2)
        if how < 0.2:
            return self.in_parts(line, texts, after, ruling)
        typed = self.written(texts)
        if names and how < 0.4:
            typed = self.named(texts, ruling, names)
        return self.done(f'{line} --dice "{typed}"', after, ruling)

    def in_parts(self, line: str, texts: list[str], after: Fight, ruling: Ruling) -> None:
        """Some faces are missing: the ruling stays open, nothing else can be done, then it is answered or dropped."""
        given = self.rng.randrange(len(texts))
        self.expect(f'{line} --dice "{" ".join(texts[:given])}"' if given else line, 1)
        if self.rng.random() < 0.3:
            self.expect(self.rng.choice([f"pass {self.any_unit()}", "undo", "redo", "end phase", "battle end"]), 1)
        if self.rng.random() < 0.3:
            return self.expect("answer --drop", 0)
        more = self.rng.randrange(given, len(texts))
        if more > given:
            self.expect(f'answer --dice "{" ".join(texts[given:more])}"', 1)
        return self.done(f'answer --dice "{self.written(texts[more:])}"', after, ruling)

    def written(self, texts: list[str]) -> str:
        """The faces in a row; / and , are for the eye, and full-width digits count too."""
        joined = "".join(text + self.rng.choice([" ", " ", " / ", ", "]) for text in texts)
        joined = joined.rstrip(" /,")
        return joined.translate(FULL_WIDTH) if self.rng.random() < 0.05 else joined

    def named(self, texts: list[str], ruling: Ruling, names: list[str]) -> str:
        """The faces by roll, sometimes with more than are needed."""
        groups = []
        for name in names:
            own = [text for text, die in zip(texts, ruling.dice, strict=True) if die.roll == name.split()[0]]
            if own:
                extra = ["5" if name == "damage" else "55"] if self.rng.random() < 0.2 else []
                groups.append(f"{name}: {' '.join(own + extra)}")
        return " / ".join(groups)


def planned(seed: int, length: int = 25) -> Plan:
    """The fight of that seed."""
    planner = Planner(seed, length)
    return Plan(planner.sheets, planner.setup, planner.steps)
