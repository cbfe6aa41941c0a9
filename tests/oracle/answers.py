"""Answers made up for a random fight: faces as they are asked for, and declarations, mostly such as the rules allow."""

import random
from typing import Any

from tests.oracle.board import Die, Fight, Misunderstood, Pilot, Refused, Table, Unit, Weapon
from tests.oracle.d99 import read_d99
from tests.oracle.damage import shown
from tests.oracle.exchange import Aim, Defence, Shot, allow, fits
from tests.oracle.people import Value, fit, skills

WILD = 0.02  # how often a declaration is made without asking whether it may be


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


class MadeUp(Table):
    """Answers for one line; ``texts`` are the faces as typed, ``said`` the declarations, both in the order asked."""

    def __init__(self, rng: random.Random, fight: Fight) -> None:
        super().__init__()
        self.rng, self.fight = rng, fight
        self.texts: list[str] = []
        self.said: dict[str, str] = {}

    def d99(self, key: str, target: int, temperament: str, mode: str) -> str:
        kind = "evasion" if "evade" in key or "guard" in key else "d99"
        self.texts.append(face(self.rng, kind, plain=mode != "swap"))
        read, klass = read_d99(self.texts[-1], target, temperament, mode)
        self.dice.append(Die(key, read, klass))
        return klass

    def reread(self, key: str, target: int, temperament: str, mode: str) -> str:
        n = next(n for n, die in enumerate(self.dice) if die.key == key)
        self.dice[n] = Die(key, *read_d99(self.texts[n], target, temperament, mode))
        return self.dice[n].klass

    def die(self, key: str, sides: int) -> int:
        self.texts.append(face(self.rng, f"d{sides}"))
        number = shown(self.texts[-1], sides)
        self.dice.append(Die(key, number, str(number)))
        return number

    def say(self, kind: str, key: str, about: Any = None) -> str | None:
        value = getattr(self, f"_{kind}")(about)
        if kind == "reroll" and value == "raise" and "guard" in key:
            value = "yes"  # whether it would raise the evasions too is left open
        if value:
            self.said[key] = value
        return value or None

    def chance(self, often: float) -> bool:
        """True so often."""
        return self.rng.random() < often

    # ---- what is declared, kind by kind

    def _once(self, about: None) -> str:
        return "yes" if self.chance(0.3) else ""

    def _ability(self, about: tuple[Pilot | None, str, Weapon | None]) -> str:
        """Always said where skills hang on it, since the rules leave open which of two is then the better."""
        pilot = about[0]
        often = 0 if pilot is None else 1 if pilot.skills else 0.2
        return self.rng.choice(["agility", "intelligence"]) if self.chance(often) else ""

    def _skill(self, about: tuple[Any, ...]) -> str:
        if about[0] is None or self.chance(0.4):
            return ""
        if self.chance(WILD):
            return self.rng.choice(list(skills()))
        pilot, check, weapon, ability = about
        mine = [name for name in pilot.skills if fit(pilot, name, check, weapon, ability)]
        mine = [name for name in mine if not skills()[name].get("always") and self.chance(0.7)]
        return ",".join(name for name in mine if pilot.spirit > skills()[name].get("cost", 0) + 2)

    def _raise(self, pilot: Pilot | None) -> str:
        often = 0.1 if pilot and pilot.lives else WILD
        return "yes" if self.chance(often) else ""

    def _feint(self, value: int) -> str:
        if self.chance(WILD):
            return str(max(1, value + 21))
        fair = [n for n in (1, 5, 10, 20, value) if 0 < n <= value]
        return str(self.rng.choice(fair)) if fair and self.chance(0.25) else ""

    def _reroll(self, about: tuple[Pilot, Value, str]) -> str:
        pilot, value, klass = about
        if not self.chance(0.12 if klass in ("failure", "fumble") else 0.02):
            return ""
        fair = [] if pilot.lives < 1 else ["yes"] if pilot.lives < 2 or value.raised else ["yes", "raise"]
        if fair:
            return self.rng.choice(fair)
        return "yes" if self.chance(WILD) else ""

    def _area(self, about: tuple[Fight, Unit, Unit]) -> str:
        fight, unit, shooter = about
        near = [u.id for u in fight.units.values() if u.state == "active" and u.id != shooter.id]
        near = [id for id in near if id not in (unit.id, unit.attached)]
        return self.rng.choice(near) if near and self.chance(0.2) else ""

    def _defence(self, about: tuple[Fight, Shot, Aim]) -> str:
        fight, shot, aim = about
        unit = fight.units[aim.unit]
        if self.chance(0.4):
            return "evade" if aim.part else ""  # said, since what is said for its unit is else meant for it too
        ways = ["focus"] if aim.part else ["focus", "guard"]  # whether a force guards its craft's parts is left open
        if unit.sheet.squad != "force" and not aim.part:  # there another's weapons answer, or its craft's (RT-4.12)
            weapons = [w for w in unit.sheet.weapons if certain(shot, w)]
            ways += [f"{way}:{w.id}" for w in weapons for way in ("counter", "intercept")]
            ways += [way for way in ("counter", "intercept") if len(weapons) == len(unit.sheet.weapons)]
        ways = [way for way in ways if self.chance(WILD) or possible(fight, shot, aim, way)]
        return self.rng.choice(ways) if ways else "evade" if aim.part else ""


def certain(shot: Shot, weapon: Weapon) -> bool:
    """Without a map a weapon may or may not reach: only where there can be no two opinions."""
    if weapon.kind == "charge" or shot.area:
        return True
    if shot.near:
        return weapon.reach[0] == 1
    (low, high), (short, far) = shot.weapon.reach, weapon.reach
    return (short <= low and high <= far) or (short <= high and low <= far and low < high)


def possible(fight: Fight, shot: Shot, aim: Aim, said: str) -> bool:
    """May that be declared?"""
    unit = fight.units[aim.unit]
    way, _, name = said.partition(":")
    fitting = [w for w in unit.sheet.weapons if fits(unit, shot, aim, way, w) and name in ("", w.id)]
    try:
        allow(fight, shot, Defence(aim, way, fitting[0] if len(fitting) == 1 else None))
    except (Refused, Misunderstood):
        return False
    return True
