"""Talon against the attack of ``tests.bench``, and arcs and lines against distances: ``python -m tests.bench.talon``.

Thirty ships stand close together, with terrain about. Each line is undone before the next; what is compared is measured
in turn. Nothing fails.
"""

import argparse
import time
from collections.abc import Callable, Iterator
from itertools import permutations
from pathlib import Path
from random import Random
from statistics import median
from tempfile import TemporaryDirectory

from tests.bench.measured import ATTACK, Home, Shell

SHIPS = 30
UNITS = 40
CLASSES = {"Terra": ("terran-ca", "terran-bb", "terran-dd"), "Horde": ("talon-ca", "talon-bb", "talon-ff")}
LINES = {
    "a shot": (('fire terran-ca-1 2 talon-ca-1 --dice "6"', "odds fire terran-ca-1 2 talon-ca-1"), "< 1.5"),
    "next": (("next",), "< 2"),
}


def setup() -> Iterator[str]:
    """Two fleets, the first two ships bow to bow; asteroids and nebulae strewn between."""
    random = Random(5)
    yield from ("side add Terra --race terran", "side add Horde --race talon")
    free = [f"{column:02d}{row:02d}" for column in range(10, 22) for row in range(10, 22)]
    random.shuffle(free)
    places = {"Terra": "1510", "Horde": "1507"}
    for side, classes in CLASSES.items():
        for n in range(SHIPS // 2):
            at = places[side] if n == 0 else free.pop()
            facing = ("n" if side == "Terra" else "s") if n == 0 else random.choice(("n", "ne", "se", "s", "sw", "nw"))
            sheet = classes[n % len(classes)]
            yield f"ship add {sheet} {sheet}-{n // len(classes) + 1} --side {side} --at {at} --facing {facing}"
    yield f"terrain add asteroid {' '.join(free[:8])}"
    yield f"terrain add nebula {' '.join(free[8:14])}"
    yield "battle start Bench --initiative Terra"


def seconds(shell: Shell, line: str) -> float:
    """The time from a line typed to its answer; what it did is undone."""
    start = time.perf_counter()
    told = shell.typed(line)
    took = time.perf_counter() - start
    if not line.startswith("odds") and "undone" not in shell.typed("undo"):
        raise RuntimeError(told)
    return took


def in_shells(rounds: int, folder: Path) -> None:
    """Print the lines of this game beside the attack of the other, each in a shell of its own."""
    home = Home(folder)
    (other,) = home.make((100,))
    home.python("-m", "gmtool", "campaign", "new", "Fleets", "--system", "talon")
    home.gm("fleets", "run", "-", feed="\n".join(setup()))
    with Shell(home, other) as reference, Shell(home, "fleets") as shell:
        for what, (lines, aim) in LINES.items():
            for line in lines:
                seconds(shell, line), seconds(reference, ATTACK)
                pairs = [(seconds(shell, line), seconds(reference, ATTACK)) for _ in range(rounds)]
                name = "its odds" if line.startswith("odds") else what
                told(f"{name}, {SHIPS} ships : attack", pairs, "" if line.startswith("odds") else aim)


def in_sight(rounds: int) -> None:
    """Print arcs and lines of fire for all pairs of units beside their plain distances."""
    from gmtool.kernel.hex import distance
    from gmtool.systems.talon import grid, sightlines

    random = Random(3)
    hexes = random.sample([(q, r) for q in range(14) for r in range(14)], UNITS + 20)
    units, rest = hexes[:UNITS], hexes[UNITS:]
    land = {hex: (random.choice(("asteroid", "nebula", "planet")),) for hex in rest}
    pairs = list(permutations(units, 2))

    def apart() -> None:
        for one, other in pairs:
            distance(one, other)

    def bearing() -> None:
        for one, other in pairs:
            grid.arc_of(one, 0, other)
            sightlines.bar(_default, land, one, other)

    timed = [(_taken(bearing), _taken(apart)) for _ in range(rounds + 1)][1:]
    told(f"arcs and lines, {UNITS} units : distances", timed, "<= 20")


def _default(id: str) -> str:
    return "open"


def _taken(run: Callable[[], None]) -> float:
    start = time.perf_counter()
    run()
    return time.perf_counter() - start


def told(what: str, pairs: list[tuple[float, float]], aim: str) -> None:
    """A line of the table: both medians, and the median of the ratios pair by pair."""
    one, other = (median(each) * 1e3 for each in zip(*pairs, strict=True))
    ratio = median(a / b for a, b in pairs)
    print(f"{what:44}{one:9.2f} ms{other:9.2f} ms{ratio:8.2f} x   {aim}", flush=True)


def main() -> None:
    """Make the campaigns, measure, print."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench.talon", description=__doc__)
    parser.add_argument("--rounds", type=int, default=25, help="how often everything is measured (25)")
    options = parser.parse_args()
    with TemporaryDirectory(prefix="gmtool-bench-") as folder:
        in_shells(options.rounds, Path(folder))
    in_sight(options.rounds)


if __name__ == "__main__":
    main()
