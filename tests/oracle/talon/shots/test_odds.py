"""Odds of shots against the oracle: all falls of the dice where they are few, many throws where they are not.

``ORACLE_THROWS`` throws so often (200,000 take a few minutes), ``ORACLE_SEED`` begins elsewhere.
"""

import os
import time
from math import sqrt
from random import Random

import pytest

from gmtool.kernel.odds import Outlook
from gmtool.kernel.refusal import Refused as ProgramRefused
from tests.oracle.talon.shots.chances import Chances, every_fall, thrown
from tests.oracle.talon.shots.fights import Shot, shot, world
from tests.oracle.talon.shots.program import Play
from tests.oracle.talon.shots.world import Refused, World

SEED = int(os.environ.get("ORACLE_SEED", "1"))
THROWS = int(os.environ.get("ORACLE_THROWS", "2000"))
FALLS = 400
EXACT = 25
FAST = 1.0
CHAINS = (39, 89, 205, 217, 262, 438, 464, 558)
"""Seeds of small fights in which wrecks take others with them."""
KEYS = ("hits", "damage", "destroyed", "criticals", "front", "right", "rear", "left", "hull", "lost")


def foretold(view: Outlook) -> Chances:
    """The tallies of an outlook that the oracle has too, its missiles left out."""
    kept = {}
    for key, ways in view.tallies.items():
        what, _, id = key.partition(".")
        if what in KEYS and not id.startswith(("rocket", "missile")) and not (what == "lost" and "/" in id):
            kept[key] = {int(n): float(way) for n, way in ways.items() if way}
    return {key: ways for key, ways in kept.items() if ways}


def apart(one: Chances, other: Chances, allowed: float) -> list[str]:
    """Where two differ by more than is allowed."""
    values = {(key, n) for each in (one, other) for key, ways in each.items() for n in ways}
    pairs = [(key, n, one.get(key, {}).get(n, 0.0), other.get(key, {}).get(n, 0.0)) for key, n in sorted(values)]
    return [f"{key} {n}: {a} {b}" for key, n, a, b in pairs if abs(a - b) > allowed]


def several(rng: Random, made: World, most: int) -> list[Shot]:
    """Different groups of one ship, or of several, none launched."""
    found: dict[tuple[str, str], Shot] = {}
    for _ in range(most):
        each = shot(rng, made)
        ship = made.ships[each.ship]
        if ship.squadron or each.group in ship.lost:
            continue
        if ship.sheet.groups[int(each.group) - 1].weapon != "missile":
            found.setdefault((each.ship, each.group), each)
    return sorted(found.values(), key=lambda each: each.ship)


def test_odds_are_those_of_every_fall() -> None:
    compared, seed = 0, SEED
    while compared < EXACT:
        seed += 1
        rng = Random(f"odds {seed}")
        made = world(rng, 4)
        shots = several(rng, made, rng.choice((1, 1, 2)))
        try:
            falls = every_fall(made, shots, FALLS) if shots else None
        except Refused:
            with pytest.raises(ProgramRefused):
                Play(made).outlook(*shots)
            continue
        if falls is None or not falls[0]:
            continue
        expected, cut = falls
        view = Play(made).outlook(*shots)
        assert view.unsettled == 0
        assert not (wrong := apart(expected, foretold(view), float(cut) + 1e-12)), (seed, shots, wrong)
        compared += 1


@pytest.mark.parametrize("seed", CHAINS)
def test_odds_are_those_of_many_throws(seed: int) -> None:
    """Several groups at once, wrecks that take others with them; a chance may be five standard deviations off."""
    rng = Random(f"turns {seed}")
    made = world(rng, 4)
    shots = several(rng, made, 3)
    view = Play(made).outlook(*shots)
    assert max(view.tallies["destroyed"]) > 1, "two at least may be destroyed"
    simulated = thrown(made, shots, THROWS, seed)
    assert not (wrong := apart(simulated, foretold(view), 2.5 / sqrt(THROWS))), (shots, wrong)


def test_a_volley_is_foretold_at_once() -> None:
    """Three groups at a cruiser beside another: four weapons and what blows up, well within a second."""
    rng, took = Random(7), []
    while len(took) < 12:
        made = world(rng, 5)
        shots = several(rng, made, 3)
        if len(shots) < 2:
            continue
        play = Play(made)
        start = time.perf_counter()
        try:
            play.outlook(*shots)
        except ProgramRefused:
            continue
        took.append(time.perf_counter() - start)
    assert sorted(took)[len(took) // 2] < FAST
