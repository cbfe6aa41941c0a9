"""Random shots, by the program and by a second writing of the rules with the same dice: the same ends.

``ORACLE_FIGHTS`` plays so many fights, ``ORACLE_SEED`` others.
"""

import os
from random import Random

import pytest

from gmtool.kernel.refusal import Refused as ProgramRefused
from tests.oracle.talon.shots.fights import expected, seen, shot, world
from tests.oracle.talon.shots.fire import fire
from tests.oracle.talon.shots.program import Play, dice
from tests.oracle.talon.shots.world import Refused

FIGHTS = int(os.environ.get("ORACLE_FIGHTS", "400"))
SEED = int(os.environ.get("ORACLE_SEED", "1"))
SHOTS = 4


def told(play: Play, lines: list[str]) -> str:
    """A fight as somebody can look at it."""
    ships = [f"{id}: {row['sheet']} {row['at']} facing {row['facing']}" for id, row in play.tables["ships"].items()]
    terrain = [f"{row['kind']} {row['at']}" for row in play.tables.get("terrain", {}).values()]
    return "\n".join([*ships, *terrain, *lines])


def fought(seed: int) -> tuple[int, int]:
    """One fight of some shots; how many were done, and how many refused."""
    rng = Random(f"talon {seed}")
    made = world(rng)
    play = Play(made)
    beginning = play.copied()
    done = refused = 0
    lines: list[str] = []
    for n in range(SHOTS):
        planned = shot(rng, made)
        lines.append(f"fire {planned.ship} {planned.group} {' '.join(planned.targets)}")
        if made.launched or not made.ships[planned.ship].there or made.ships[planned.ship].side != made.acting:
            break
        made.die = dice((seed, n))
        try:
            fire(made, *planned)
        except Refused:
            with pytest.raises(ProgramRefused):
                play.do("fire", planned.words(), dice((seed, n)))
            refused += 1
            continue
        try:
            play.do("fire", planned.words(), dice((seed, n)))
        except ProgramRefused as why:
            pytest.fail(f"seed {seed}: refused {why.code} {why.key} {why.facts}\n{told(beginning, lines)}")
        got = seen(play.tables)
        assert got == expected(made), f"seed {seed}\n{told(beginning, lines)}"
        done += 1
    return done, refused


@pytest.mark.parametrize("block", range(4))
def test_random_shots_end_as_the_oracle_says(block: int) -> None:
    counted = [fought(SEED + n) for n in range(block, FIGHTS, 4)]
    done, refused = (sum(each) for each in zip(*counted, strict=True))
    assert done > len(counted), "too few shots were fired"
    assert refused > 0, "nothing was refused"
