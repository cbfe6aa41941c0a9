"""Random fights for the oracle: commands, faces, declarations, and what the oracle expects of each line.

A plan is made from a seed without a look at gmtool: the oracle alone says what each line should do. Playing it through
gmtool and comparing is the test's work.
"""

import random
from collections.abc import Callable
from typing import Any, NamedTuple

from tests.oracle import exchange, rtype
from tests.oracle.answers import MadeUp, face
from tests.oracle.board import RC, Fight, Misunderstood, Refused, Table, Unit
from tests.oracle.exchange import Aim, Shot, ambushes, living_rc, usable
from tests.oracle.worlds import TEMPERAMENTS, set_up

FULL_WIDTH = str.maketrans("0123456789", "０１２３４５６７８９")
REFUSED = -1  # whatever the code: 1 or 2

Command = Callable[[Fight, Table], None]


class Step(NamedTuple):
    """One line and what has to come of it: the exit code, the dice and figures, the state afterwards."""

    line: str
    code: int
    table: Table | None
    state: dict[str, Any]


class Plan(NamedTuple):
    """A whole fight: the sheets' file, the lines that set it up, the lines that are compared."""

    sheets: str
    setup: list[str]
    steps: list[Step]


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
            "attached_to": unit.attached,
            "pilot": unit.pilot,
            **(
                {name: getattr(unit, name) for name in ("acted", "no_counter", "stopped")}
                if unit.state == "active"
                else {}
            ),
        }
        for id, unit in fight.units.items()
    }
    keys = ("where", "life", "spirit", "state")
    pilots = {id: {k: getattr(p, k) for k in keys} | {"lives": p.lives} for id, p in fight.pilots.items()}
    return {
        "units": units,
        "pilots": pilots,
        "phase": fight.phase,
        "turn": fight.turn,
        "acting": fight.acting,
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

    def expect(self, line: str, code: int, table: Table | None = None) -> None:
        self.steps.append(Step(line, code, table, state_of(self.fight)))

    def done(self, line: str, after: Fight, table: Table | None) -> None:
        self.past.append(self.fight)
        self.future.clear()
        self.fight = after
        self.expect(line, 0, table)

    def add_step(self, last: bool) -> None:
        rng = self.rng
        what = rng.random()
        if what < 0.07 and self.past:
            self.undo()
        elif (self.future and what < 0.45) or what < 0.08:
            self.redo()
        elif last and rng.random() < 0.2 and not any(p.where == "adrift" for p in self.fight.pilots.values()):
            self.plain("battle end", rtype.battle_end)
        elif what < 0.14:
            self.check()
        elif what < 0.3 and self.fight.acting:
            self.by_hand()
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
        """A line that fits where the battle stands, or, one time in eight, any line at all."""
        rng, fight = self.rng, self.fight
        if rng.random() < 0.12:
            lines = [
                self.initiative,
                self.first,
                self.end_phase,
                self.move,
                self.pass_unit,
                self.attack,
                self.encounter,
            ]
            return rng.choice(lines)()
        if fight.phase == "initiative":
            return self.initiative() if fight.winner is None else self.first()
        ready = [u for u in self.craft() if u.side == fight.acting and u.state == "active" and not u.acted]
        if not ready or rng.random() < 0.04:
            return self.end_phase()
        how, unit = rng.random(), rng.choice(ready).id
        if how < 0.7:
            return self.attack(unit)
        if how < 0.85:
            return self.encounter(unit)
        return self.move(unit) if how < 0.96 else self.pass_unit(unit)

    # ---- the lines

    def craft(self) -> list[Unit]:
        """All units but forces, which no line of a plan moves by themselves."""
        return [unit for unit in self.fight.units.values() if unit.sheet.squad != "force"]

    def plain(self, line: str, command: Callable[[Fight], None], table: Table | None = None) -> None:
        """A line without dice."""
        try:
            after = rtype.attempt(self.fight, command)
        except (Refused, Misunderstood):
            return self.expect(line, REFUSED)
        return self.done(line, after, table)

    def first(self) -> None:
        side = self.rng.choice(["red", "blue"])
        self.plain(f"first {side}", lambda fight: rtype.first(fight, side))

    def end_phase(self) -> None:
        self.plain("end phase", rtype.end_phase)

    def any_unit(self) -> str:
        return self.rng.choice(self.craft()).id

    def move(self, unit: str | None = None) -> None:
        unit, table = unit or self.any_unit(), Table()
        hexes = self.rng.choice([1, 1, 2, 2, 3, 4, 5, 6, 8])
        self.plain(f"move {unit} {hexes}", lambda fight: rtype.move(fight, table, unit, hexes), table)

    def pass_unit(self, unit: str | None = None) -> None:
        unit = unit or self.any_unit()
        self.plain(f"pass {unit}", lambda fight: rtype.pass_unit(fight, unit))

    def by_hand(self) -> None:
        """The GM sets something, so that all that there can be comes about soon enough."""
        rng, fight = self.rng, self.fight
        unit = rng.choice([u for u in fight.units.values() if u.state == "active"] or [fight.units["u1"]])
        craft = rng.choice(list(unit.hp))
        low = 0 if craft in RC or craft in unit.sheet.parts else 1
        most = unit.sheet.parts.get(craft, unit.sheet.hp)
        points = min(most, rng.choice([low, 1, 10, most]))
        ways = [("acted", False), ("charge", rng.choice([0, 1, 2, 3])), ("no_counter", rng.random() < 0.5)]
        ways += [("hp", points), ("hp", points), ("charge", 3), ("acted", False), ("stopped", False)]
        shots = rng.choice(list(unit.ammo) or [""])
        if shots:
            ways.append(("ammo", rng.randint(0, next(w.ammo or 0 for w in unit.sheet.weapons if w.id == shots))))
        name, value = rng.choice(ways)
        key = craft if name == "hp" else shots if name == "ammo" else None
        old = getattr(unit, name) if key is None else getattr(unit, name)[key]
        if unit.state != "active" or old == value or (name == "acted" and fight.current == unit.id):
            return  # nothing would change; or the rules don't say whether its steps begin anew
        word = {True: "yes", False: "no"}.get(value, str(value)) if isinstance(value, bool) else str(value)
        path = name if key is None else f"{name}.{key}"
        self.plain(f"set units.{unit.id}.{path} {word}", lambda fight: put(fight, unit.id, name, key, value))

    def initiative(self) -> None:
        self.rolled("initiative", rtype.initiative)

    def check(self) -> None:
        rng = self.rng
        target, mode = rng.choice([-20, -1, 0, 7, 30, 44, 60, 85, 99, 130]), rng.choice(["swap", "fixed", "reverse"])
        temperament = rng.choice(TEMPERAMENTS)
        option = f"--temperament {temperament}"
        if self.fight.pilots and rng.random() < 0.5:
            pilot = rng.choice(list(self.fight.pilots.values()))
            temperament, option = pilot.temperament, f"--as {pilot.id}"
        line = f"check {target} --mode {mode} {option}"
        self.rolled(line, lambda fight, table: rtype.check(target, temperament, mode, table))

    def attack(self, unit: str | None = None) -> None:
        """An attack or a charge weapon fired: mostly on enemies with a weapon that is ready; sometimes on anyone."""
        rng, fight = self.rng, self.fight
        shooter = fight.units[unit or self.any_unit()]
        weapons = [w for w in shooter.sheet.weapons if usable(shooter, w)]
        weapon = rng.choice(weapons if weapons and rng.random() < 0.95 else shooter.sheet.weapons)
        foes = [u for u in fight.units.values() if u.side != shooter.side and u.state in ("active", "inactive")]
        everyone = [
            u for u in fight.units.values() if u.state == "active" and u.id not in (shooter.id, shooter.attached)
        ]
        if rng.random() < 0.03 or not foes:
            foes = everyone = list(fight.units.values())
        area = weapon.kind == "charge"
        units = rng.sample(everyone, min(len(everyone), rng.randint(1, 3))) if area else [rng.choice(foes)]
        aims = [aim for u in units for aim in self.hexes(u, area)]
        shot = Shot(shooter.id, weapon, aims)
        shot.unseen, shot.blocked = (
            rng.random() < 0.08,
            rng.random() < (0.4 if weapon.kind == "ram" else 0.01) and not area,
        )
        shot.rolls = rng.choice([None, None, None, "once", "each" if living_rc(shooter) else "once"])
        verb = "fire" if area and (len(aims) > 1 or rng.random() < 0.7) else "attack"
        shot.alone = verb == "attack"
        targets = " ".join(f"{aim.unit}/{aim.part}" if aim.part else aim.unit for aim in aims)
        options = [f"--{shot.rolls}"] if shot.rolls else []
        options += [f"--{name}" for name in ("unseen", "blocked") if getattr(shot, name)]
        line = " ".join([verb, shooter.id, weapon.id, targets, *options])
        self.rolled(line, lambda fight, table: declared(fight, table, shot))

    def hexes(self, unit: Unit, area: bool) -> list[Aim]:
        """The body, or a part; in an area both, where no pilot's declaration for one could be meant for the other."""
        parts = [Aim(unit.id, part) for part in unit.sheet.parts if unit.hp[part] > 0]
        aims = [Aim(unit.id), *parts]
        return (
            aims
            if area and not unit.pilot and self.rng.random() < 0.8
            else [self.rng.choice([Aim(unit.id), self.rng.choice(aims)])]
        )

    def encounter(self, unit: str | None = None) -> None:
        """A unit runs into one or two enemies; a weapon that cannot fire is named only where there is one."""
        rng, fight = self.rng, self.fight
        mover = fight.units[unit or self.any_unit()]
        foes = [u for u in self.craft() if u.side != mover.side and u.state == "active"]
        if not foes or mover.stopped or mover.moved >= mover.sheet.move or mover.fuel == 0:
            return
        met = []
        for enemy in rng.sample(foes, min(len(foes), rng.choice([1, 1, 2]))):
            fit = [w.id for w in enemy.sheet.weapons if ambushes(enemy, w)]
            met.append((enemy.id, rng.choice([None, "none", *fit, *fit, *fit])))
        if len(met) == 1 and rng.random() < 0.1:
            met = [(met[0][0], rng.choice(fight.units[met[0][0]].sheet.weapons).id)]
        words = " ".join(f"{id}={name}" if name else id for id, name in met)
        self.rolled(f"encounter {mover.id} {words}", lambda fight, table: run_into(fight, table, mover.id, met))

    # ---- dice

    def rolled(self, line: str, command: Command) -> None:
        """A line with dice: with the faces it needs, or with some missing, left over or impossible."""
        rng, table = self.rng, MadeUp(self.rng, self.fight)
        try:
            after = rtype.attempt(self.fight, lambda fight: command(fight, table))
        except (Refused, Misunderstood):
            texts = [*table.texts, *(face(rng, "d99") for _ in range(rng.randint(3, 9)))]
            return self.expect(f'{with_said(rng, line, table.said)} --dice "{" ".join(texts)}"', REFUSED)
        line, texts, how = with_said(rng, line, table.said), table.texts, rng.random()
        if not texts:
            return self.done(line, after, table)
        if how < 0.03:
            return self.expect(f'{line} --dice "{self.written([*texts, "55"])}"', 2)
        if how < 0.06:
            bad = list(texts)
            bad[rng.randrange(len(bad))] = rng.choice(["123", "=1", "-4", "x7"])
            return self.expect(f'{line} --dice "{" ".join(bad)}"', 2)
        if how < 0.15:
            return self.in_parts(line, texts, after, table)
        typed = self.written(texts)
        if how < 0.4:
            typed = self.named(texts, table) or typed
        return self.done(f'{line} --dice "{typed}"', after, table)

    def in_parts(self, line: str, texts: list[str], after: Fight, table: Table) -> None:
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
        return self.done(f'answer --dice "{self.written(texts[more:])}"', after, table)

    def written(self, texts: list[str]) -> str:
        """The faces in a row; / and , are for the eye, and full-width digits count too."""
        joined = "".join(text + self.rng.choice([" ", " ", " / ", ", "]) for text in texts)
        joined = joined.rstrip(" /,")
        return joined.translate(FULL_WIDTH) if self.rng.random() < 0.05 else joined

    def named(self, texts: list[str], table: Table) -> str:
        """The faces by roll, where each roll has a plain name; sometimes with more than are needed."""
        groups: dict[str, list[str]] = {}
        for text, die in zip(texts, table.dice, strict=True):
            head, *rest = die.key.split(".")
            if head not in ("attack", "evade", "damage", "guard", "check") or len(rest) > 2:
                return ""
            groups.setdefault(f"{head} {rest[0]}" if head in ("evade", "guard") else head, []).append(text)
        for name, own in groups.items():
            if self.rng.random() < 0.2:
                own.append("5" if name == "damage" else "55")
        return " / ".join(f"{name}: {' '.join(own)}" for name, own in groups.items())


def put(fight: Fight, id: str, name: str, key: str | None, value: Any) -> None:
    """A figure set by hand."""
    unit = fight.units[id]
    if key is None:
        setattr(unit, name, value)
    else:
        getattr(unit, name)[key] = value


def declared(fight: Fight, table: Table, shot: Shot) -> None:
    """The attack of that shot, which stays as it is for another try."""
    rtype.may_act(fight, fight.units[shot.unit])
    exchange.attack(fight, table, shot)


def run_into(fight: Fight, table: Table, mover: str, met: list[tuple[str, str | None]]) -> None:
    """The encounter, in the mover's own steps."""
    rtype.may_act(fight, fight.units[mover])
    exchange.encounter(fight, table, mover, met)


OPTIONS = {"ability": "--with", "skill": "--skill", "feint": "--feint"}
"""Declarations that have an option of their own; the others are said with ``--say``."""


def with_said(rng: random.Random, line: str, said: dict[str, str]) -> str:
    """The line with its declarations, by the long option where there is one, or as KEY=VALUE."""
    verb = line.split()[0]
    words = []
    for key, value in said.items():
        head, _, rest = key.partition(".")
        parts = "/" in line and head.startswith("defence")  # an option for a unit is for its parts too
        if verb == "encounter" or rng.random() < 0.3 or "," in value or parts:
            words.append(f"--say {key}={value}")
        elif key in OPTIONS:
            words.append(f"{OPTIONS[key]} {value}")
        elif key == "raise":
            words.append("--raise")
        elif head in ("defence", "defence-ability", "defence-skill") and "." not in rest:
            name = head.replace("ability", "with")
            words.append(f"--{name} {value}" if verb == "attack" else f"--{name} {rest}={value}")
        elif head == "defence-raise" and "." not in rest:
            words.append("--defence-raise" + (f" {rest}" if verb == "fire" else ""))
        else:
            words.append(f"--say {key}={value}")
    return " ".join([line, *words])


def planned(seed: int, length: int = 25) -> Plan:
    """The fight of that seed."""
    planner = Planner(seed, length)
    return Plan(planner.sheets, planner.setup, planner.steps)
