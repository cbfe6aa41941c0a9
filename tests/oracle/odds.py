"""The oracle's odds of an attack: every run of classes listed, or so many attacks thrown."""

import copy
import itertools
import random
from collections.abc import Iterator
from fractions import Fraction

from tests.oracle.board import Faces, Fight
from tests.oracle.d99 import chances, read_d99
from tests.oracle.rtype import (
    Order,
    apply_damage,
    attack_seats,
    evasions,
    hits_of,
    temperament_of,
    total_damage,
    values_of,
    weapon_damage,
    weapon_of,
)


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
