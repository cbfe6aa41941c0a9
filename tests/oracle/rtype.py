"""A second, plain R-TYPE fight to hold against gmtool's: written from the rulebook's ledger alone.

Nothing of gmtool is imported here, and nothing is clever: a fight is a few dataclasses, a command is a function that
changes them or raises :class:`Refused`, :class:`Misunderstood` or :class:`NeedsAnswer`. Who calls works on a copy
(:func:`attempt`), so that a refused command has changed nothing. Every function names the rule it follows.
"""

import copy
import itertools
import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cache
from typing import Any, NamedTuple

RC = ("A", "B", "C", "D")  # RT-10.1: the order in which damage runs
PLAIN_KINDS = ("gun", "missile", "melee")  # the kinds of weapon this oracle fires


class Refused(Exception):
    """The rules or the state forbid it: exit code 1, nothing has changed."""


class Misunderstood(Exception):
    """Impossible faces or figures: exit code 2, nothing has changed."""


class NeedsAnswer(Exception):
    """Faces are missing: exit code 1, and the ruling stays open."""


# ---- what there is ---------------------------------------------------------------------------------------------


@dataclass
class Weapon:
    """RT-27.1. ``damage`` is a number, or (dice, sides, plus) for an expression such as 2D10+25 (RT-24.4)."""

    id: str
    kind: str
    hit: int
    damage: int | tuple[int, int, int]
    ammo: int | None = None


@dataclass
class Sheet:
    """RT-27.1: the columns of a sheet that a fight without a map needs; ``fuel`` None: it needs none."""

    id: str
    squad: str
    hp: int
    move: int
    evade: int
    fuel: int | None
    temperament: str
    weapons: list[Weapon]


@dataclass
class Pilot:
    """RT-23.1; ``where`` is a unit's id, or ``ashore``, or ``adrift``."""

    id: str
    agility: int
    intelligence: int
    temperament: str
    where: str = "ashore"


@dataclass
class Unit:
    """A craft on the board: an RC squad has ``lead`` and ``A`` to ``D``, anything else ``lead`` only."""

    id: str
    sheet: Sheet
    side: str
    pilot: str | None
    hp: dict[str, int]
    fuel: int | None
    ammo: dict[str, int]
    charge: int = 0
    acted: bool = False
    moved: int = 0
    no_counter: bool = False
    state: str = "active"


@dataclass
class Fight:
    """Both sides (id -> are they players), the pilots, the units as they joined, and where the battle stands."""

    sides: dict[str, bool]
    pilots: dict[str, Pilot] = field(default_factory=dict)
    units: dict[str, Unit] = field(default_factory=dict)
    phase: str = "setup"
    turn: int = 0
    acting: str | None = None
    order: list[str] = field(default_factory=list)
    winner: str | None = None
    escapes: list[str] = field(default_factory=list)  # pilots whose escape the GM has still to settle (RT-11.2)


class Die(NamedTuple):
    """One die as it was read: which roll it belongs to, the value it counts as, and the class of that."""

    roll: str
    read: int
    klass: str


@dataclass
class Ruling:
    """What a command gave: the dice in the order of the table, and its figures."""

    dice: list[Die] = field(default_factory=list)
    result: dict[str, Any] = field(default_factory=dict)


class Faces:
    """The faces typed for one command, in order: ``92``, ``=92``, ``07`` for a D99, ``4`` or ``10`` for a die."""

    def __init__(self, texts: list[str]) -> None:
        self.texts = texts
        self.used = 0

    def take(self, kind: str) -> str:
        """The next face, for a ``d99``, ``d10`` or ``d6``."""
        if self.used == len(self.texts):
            raise NeedsAnswer(kind)
        self.used += 1
        return self.texts[self.used - 1]

    def end(self) -> None:
        """Faces left over are refused."""
        if self.used < len(self.texts):
            raise Misunderstood(f"too many faces: {self.texts[self.used :]}")


# ---- 20, 21: the percentile check ------------------------------------------------------------------------------


def classify(number: int, target: int, temperament: str, swap: bool) -> str:
    """The class of a D99 that reads ``number``; with ``swap`` either order could have been taken (RT-20.2)."""
    success = number <= target  # RT-20.1, 20.4: no clamp
    tens, ones = divmod(number, 10)
    if temperament == "daredevil":
        if number == 0:  # RT-21.2: whatever the target
            return "critical"
        if number == 99:
            return "fumble"
        if tens == ones:
            return "critical" if success else "fumble"
    if temperament == "all-or-nothing":
        lower = min(number, ones * 10 + tens)
        if (lower >= 70) if swap else (number >= 90):  # RT-21.3; 21.6: a fumble even where it would be critical too
            return "fumble"
        if target >= 0 and number <= target // 5:  # RT-21.3; 21.6: below 0 there is no critical
            return "critical"
    return "success" if success else "failure"  # RT-21.1: placid has no more than these


BEST_FIRST = ("critical", "success", "failure", "fumble")  # RT-20.6


@cache
def read_d99(face: str, target: int, temperament: str, mode: str = "swap") -> tuple[int, str]:
    """How a typed D99 is read and its class; ``mode`` as in RT-20.3; ``=`` before it: as it stands."""
    if len(face) == 1 or (face[0] == "=" and len(face) != 3) or (face[0] != "=" and len(face) != 2):
        raise Misunderstood(face)
    if face[0] == "=":
        number = int(face[1:])
        return number, classify(number, target, temperament, mode == "swap")
    first, second = int(face[0]), int(face[1])
    orders = [first * 10 + second, second * 10 + first]
    if mode == "fixed":
        orders = orders[:1]
    if mode == "reverse":
        orders = [max(orders)]
    readings = [(n, classify(n, target, temperament, mode == "swap")) for n in orders]
    return min(readings, key=lambda r: (BEST_FIRST.index(r[1]), r[0]))


def check(target: int, temperament: str, mode: str, faces: Faces) -> Ruling:
    """RT-20, 21: a check outside any other ruling."""
    die = Die("check", *read_d99(faces.take("d99"), target, temperament, mode))
    return Ruling([die], {"success": die.klass in ("critical", "success")})


def chances(target: int, temperament: str, mode: str = "swap") -> dict[str, Fraction]:
    """RT-20.5: the exact chance of every class, counted over the 100 faces."""
    found = dict.fromkeys(BEST_FIRST, Fraction(0))
    for n in range(100):
        found[read_d99(f"{n:02}", target, temperament, mode)[1]] += Fraction(1, 100)
    return found


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
        shown = int(faces.take("d10"))
        if shown > sides:
            raise Misunderstood(str(shown))
        shown = shown or sides
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
    dodges = [Die("evade", *read_d99(faces.take("d99"), dodge, theirs)) for _ in doubles]
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


# ---- odds --------------------------------------------------------------------------------------------------------


def _rolled(table: dict[str, Fraction], times: int) -> Iterator[tuple[tuple[str, ...], Fraction]]:
    """Every run of classes that so many rolls can give, with its chance."""
    for classes in itertools.product([k for k, chance in table.items() if chance], repeat=times):
        weight = Fraction(1)
        for klass in classes:
            weight *= table[klass]
        yield classes, weight


def simulated(fight: Fight, order: Order, times: int, rng: random.Random) -> dict[str, dict[int, int]]:
    """How often each outcome came of so many attacks with dice thrown by ``rng``."""
    unit, target = fight.units[order.unit], fight.units[order.target]
    (value, dodge), weapon = values_of(fight, order), weapon_of(unit, order.weapon)
    own, theirs = temperament_of(fight, unit), temperament_of(fight, target)
    seats, faces = attack_seats(unit, order.rolls), [f"{n:02}" for n in range(100)]
    counts: dict[str, dict[int, int]] = {"hits": {}, "damage": {}}
    for _ in range(times):
        doubles = evasions(unit, seats, [read_d99(rng.choice(faces), value, own)[1] for _ in seats])
        hits = hits_of(doubles, [read_d99(rng.choice(faces), dodge, theirs)[1] for _ in doubles])
        thrown = Faces([str(rng.randrange(10)) for _ in range(0 if isinstance(weapon.damage, int) else 2)])
        total = total_damage(weapon_damage(weapon, thrown, []), hits)
        for name, got in (("hits", len(hits)), ("damage", total)):
            counts[name][got] = counts[name].get(got, 0) + 1
    return counts


def attack_odds(fight: Fight, order: Order) -> dict[str, dict[int, Fraction]]:
    """The exact chances of each outcome of an attack, by plain enumeration over the classes of every roll."""
    unit, target = fight.units[order.unit], fight.units[order.target]
    (value, dodge), weapon = values_of(fight, order), weapon_of(unit, order.weapon)
    shoot, evade = chances(value, temperament_of(fight, unit)), chances(dodge, temperament_of(fight, target))
    seats = attack_seats(unit, order.rolls)
    odds: dict[str, dict[int, Fraction]] = {"hits": {}, "damage": {}, "craft_lost": {}, "wrecked": {}}
    ends: dict[int, tuple[int, bool]] = {}
    for attacks, chance in _rolled(shoot, len(seats)):
        doubles = evasions(unit, seats, list(attacks))
        for dodges, further in _rolled(evade, len(doubles)):
            hits = hits_of(doubles, list(dodges))
            total = total_damage(int(weapon.damage), hits)  # type: ignore[arg-type]
            if total not in ends:
                ends[total] = apply_damage(copy.deepcopy(fight), copy.deepcopy(target), total)
            lost, wrecked = ends[total]
            for name, got in (("hits", len(hits)), ("damage", total), ("craft_lost", lost), ("wrecked", int(wrecked))):
                odds[name][got] = odds[name].get(got, Fraction(0)) + chance * further
    return odds
