"""The oracle's odds: every run of classes that an exchange can take, with its exact chance; or so many thrown."""

import pickle
import random
from dataclasses import replace
from fractions import Fraction
from math import prod
from typing import Any

from tests.oracle import exchange
from tests.oracle.answers import WILD, MadeUp
from tests.oracle.board import RC, Fight, Table
from tests.oracle.d99 import chances, read_d99
from tests.oracle.exchange import Aim, Shot
from tests.oracle.fights import with_said
from tests.oracle.worlds import as_toml, combine, force_sheet, join, own_sheet

Odds = dict[str, dict[Any, Fraction]]
FACES = [f"{n:02}" for n in range(100)]


class Every(Table):
    """Answers one way through an exchange: ``way`` says which class each roll takes; new rolls take their first."""

    def __init__(self, way: list[int], said: dict[str, str]) -> None:
        super().__init__()
        self.way, self.said = way, said
        self.open: list[int] = []
        self.chance = Fraction(1)

    def d99(self, key: str, target: int, temperament: str, mode: str) -> str:
        table = [(klass, chance) for klass, chance in chances(target, temperament, mode).items() if chance]
        return str(self._taken(table))

    def die(self, key: str, sides: int) -> int:
        return int(self._taken([(n, Fraction(1, sides)) for n in range(1, sides + 1)]))

    def _taken(self, table: list[tuple[Any, Fraction]]) -> Any:
        if len(self.open) == len(self.way):
            self.way.append(0)
        taken, chance = table[self.way[len(self.open)]]
        self.open.append(len(table))
        self.chance *= chance
        return taken

    def say(self, kind: str, key: str, about: Any = None) -> str | None:
        return self.said.get(key)


def every_end(fight: Fight, shot: Shot, said: dict[str, str], most: int) -> Odds | None:
    """The exact chances of every figure of the result; None where there are more ends than ``most``.

    A counter that is not fired leaves its figures out: so much of the chance is missing there.
    """
    odds: Odds = {}
    way: list[int] = []
    stored = pickle.dumps((_involved(fight, shot), shot))
    for _ in range(most):
        table = Every(way, said)
        attack(*pickle.loads(stored), table)
        if prod(table.open) > 4 * most:
            return None  # as many as that one way has forks: hopeless
        for name, value in table.result.items():
            of = odds.setdefault(name, {})
            of[value] = of.get(value, Fraction(0)) + table.chance
        while way and way[-1] + 1 == table.open[len(way) - 1]:
            way.pop()
        if not way:
            return odds
        way[-1] += 1
    return None


def _involved(fight: Fight, shot: Shot) -> Fight:
    """The fight without those who take no part, so that a copy of it costs less."""
    ids = {shot.unit, *(aim.unit for aim in shot.aims)}
    ids |= {unit.attached for id, unit in fight.units.items() if id in ids and unit.attached}
    units = {id: unit for id, unit in fight.units.items() if id in ids}
    return replace(
        fight, units=units, pilots={unit.pilot: fight.pilots[unit.pilot] for unit in units.values() if unit.pilot}
    )


class Thrown(Table):
    """An exchange with dice thrown by ``rng``."""

    def __init__(self, rng: random.Random) -> None:
        super().__init__()
        self.rng = rng

    def d99(self, key: str, target: int, temperament: str, mode: str) -> str:
        return read_d99(self.rng.choice(FACES), target, temperament, mode)[1]

    def die(self, key: str, sides: int) -> int:
        return self.rng.randint(1, sides)

    def say(self, kind: str, key: str, about: Any = None) -> str | None:
        return None


def simulated(fight: Fight, shot: Shot, times: int, rng: random.Random) -> dict[str, dict[int, int]]:
    """How often each number of hits and each damage came of so many attacks."""
    counts: dict[str, dict[int, int]] = {"hits": {}, "damage": {}}
    stored = pickle.dumps((fight, shot))
    for _ in range(times):
        table = Thrown(rng)
        attack(*pickle.loads(stored), table)
        for name, of in counts.items():
            of[table.result[name]] = of.get(table.result[name], 0) + 1
    return counts


def attack(fight: Fight, shot: Shot, table: Table) -> None:
    """The exchange once through."""
    exchange.attack(fight, table, shot)


# ---- small exchanges ---------------------------------------------------------------------------------------------


class Plain(MadeUp):
    """Declarations that the rules allow and nothing thrown again: odds are of one plan."""

    def say(self, kind: str, key: str, about: Any = None) -> str | None:
        return None if kind in ("reroll", "area") else super().say(kind, key, about)

    def chance(self, often: float) -> bool:
        return often != WILD and super().chance(often)


def small_world(rng: random.Random) -> tuple[Fight, str, list[str]]:
    """Three craft a side, squads with at most two RC craft left; the first side acts."""
    own = [own_sheet(rng, f"odd-{n}") for n in range(3)]
    for sheet in own:
        sheet.forces = ("orb",)
        sheet.squad, sheet.temperament = (
            rng.choice(["rc", "rc", "rc", "single"]),
            rng.choice(["placid", "placid", "daredevil"]),
        )
    for weapon in [weapon for sheet in own for weapon in sheet.weapons]:
        weapon.ammo = None
        weapon.damage = rng.choice([0, 3, 7, 30, 49, 120])
        weapon.intercept, weapon.counter = weapon.kind == "gun", weapon.kind in ("gun", "missile", "charge")
    force = force_sheet(rng, "orb", indestructible=True)
    fight, lines = Fight({"red": True, "blue": False}), ["side add red --players", "side add blue"]
    for n in range(6):
        lines += join(rng, fight, n, own[n % 3], "red" if n < 3 else "blue")
        unit = fight.units[f"u{n}"]
        if rng.random() < 0.6:
            lines += combine(fight, unit.id, force)
        if unit.pilot and rng.random() < 0.6:
            fight.pilots[unit.pilot].temperament = "placid"
            lines.append(f"set pilots.{unit.pilot}.temperament placid")
        unit.charge = 3
        for craft in RC[: rng.choice([3, 3, 4, 4])] if unit.sheet.squad == "rc" else []:
            unit.hp[craft] = 0
            lines.append(f"set units.{unit.id}.hp.{craft} 0")
    fight.phase, fight.acting = "first", "red"
    begin = ["battle start", "initiative --dice '6 6 1 1'", "first red"]
    begin += [f"charge {unit.id} 3" for unit in fight.units.values() if unit.sheet.squad != "force"]
    return fight, "format = 1\n" + "".join(map(as_toml, [*own, force])), [*lines, *begin]


def small_order(rng: random.Random, fight: Fight) -> tuple[str, Shot, dict[str, str], int]:
    """An attack or a charge weapon fired by the first side, declarations for one way through it, and its dice."""
    unit = fight.units[rng.choice(["u0", "u1", "u2"])]
    weapon = rng.choice([w for w in unit.sheet.weapons if exchange.usable(unit, w)])
    area = weapon.kind == "charge"
    targets = rng.sample(["u1", "u2", "u3", "u4", "u5"], 2) if area else [rng.choice(["u3", "u4", "u5"])]
    shot = Shot(unit.id, weapon, [Aim(id) for id in targets if id != unit.id])
    table = Plain(rng, fight)
    attack(*pickle.loads(pickle.dumps((fight, shot))), table)
    verb = "fire" if area else "attack"
    line = " ".join([verb, unit.id, weapon.id, *(aim.unit for aim in shot.aims)])
    return with_said(rng, line, table.said), shot, table.said, len(table.dice)
