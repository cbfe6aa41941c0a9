"""Odds against as many attacks thrown by the same rule, and forecasts in a shell: ``python -m tests.bench.odds``.

Two full squads led by daredevils. 200,000 attacks are judged with random faces (``--attacks``), which takes minutes;
their hits, damage and craft lost must lie within the error of so many of what the odds say. The forecast is measured
in a process of its own, first the very first one, then on states it has not seen, with and without a counter.
"""

import argparse
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Mapping
from random import Random
from statistics import median
from typing import Any

from gmtool.kernel.asks import Answers, Missing, Token
from gmtool.kernel.run import judge
from gmtool.kernel.summary import summary
from gmtool.kernel.underway import underway
from tests.bench.kernel import Table
from tests.bench.measured import ROOT

FIGURES = ("hits", "damage", "craft_lost")
ROUNDS = 9
ATTACKS = 200_000
SIGMAS = 5
DEFENCES = {"": "evade", "with a counter": "counter:flak"}


def thrown(table: Table, times: int, seed: int) -> dict[str, Counter[int]]:
    """How often each figure came of so many attacks, each judged by the rule with random faces."""
    choices = Random(seed).choices
    digits = [Token(f"{face:02}") for face in range(100)]
    found: dict[str, Counter[int]] = {key: Counter() for key in FIGURES}
    setting = table.system, table.state, table.book, table.command
    for _ in range(times):
        faces: tuple[Token, ...] = tuple(choices(digits, k=5))
        while True:
            try:
                result = judge(*setting, Answers(faces), table.settings).result
                break
            except Missing as missing:
                faces = (*faces, *choices(digits, k=len(missing.asks)))
        for key in FIGURES:
            found[key][result[key]] += 1
    return found


def apart(odds: Mapping[str, Any], found: Mapping[str, Counter[int]], times: int) -> list[str]:
    """Where attacks that were thrown differ from the odds by more than chance explains."""
    wrong = []
    for key, counts in found.items():
        chances = odds[key]["chances"]
        for value in {*map(int, chances), *counts}:
            chance = chances.get(str(value), 0.0)
            error = SIGMAS * (chance * (1 - chance) / times) ** 0.5 + 1 / times
            if abs(counts[value] / times - chance) > error:
                wrong.append(f"{key} {value}: odds {chance:.5f}, thrown {counts[value] / times:.5f}")
    return wrong


def foretold(table: Table, defence: str) -> Any:
    """The odds as a forecast works them out."""
    command = table.command._replace(defence="" if defence == "evade" else defence)
    return underway(table.system, table.state, table.book, command, Answers(), table.settings)


def fresh(defence: str) -> None:
    """Print the milliseconds of the first forecast of this process, and of later ones on states not seen before."""
    table = Table()
    times = []
    for points in range(10, 10 + ROUNDS):
        for craft in "ABCD":
            table.tables["units"]["gains"]["hp"][craft] = 3 * points
        table.state = table.system.state(table.tables)
        start = time.perf_counter()
        foretold(table, defence)
        times.append((time.perf_counter() - start) * 1e3)
    print(times[0], median(times[1:]))


def _milliseconds(argv: list[str]) -> tuple[float, str]:
    start = time.perf_counter()
    done = subprocess.run([sys.executable, *argv], capture_output=True, text=True, check=True, cwd=ROOT)
    return (time.perf_counter() - start) * 1e3, done.stdout


def main() -> None:
    """Print the figures; differences beyond the error are named."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench.odds", description=__doc__)
    parser.add_argument("--attacks", type=int, default=ATTACKS, help=f"how many are thrown ({ATTACKS:,})")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--fresh", choices=DEFENCES.values(), help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.fresh:
        fresh(options.fresh)
        return
    for what, defence in DEFENCES.items():
        runs = [_milliseconds(["-m", "tests.bench.odds", "--fresh", defence])[1].split() for _ in range(ROUNDS)]
        starts = [_milliseconds(["-m", "gmtool", "systems"])[0] for _ in range(ROUNDS)]
        first, later = (median(float(run[n]) for run in runs) for n in (0, 1))
        once = median(starts)
        print(
            f"forecast {what:15} first {first:6.1f} ms, new states {later:6.1f} ms, a one-shot {once:6.1f} ms", end=""
        )
        print(f"  {first / once:6.1%} {later / once:6.1%}")
    table = Table()
    foretold(table, "evade")
    start = time.perf_counter()
    odds = summary(foretold(table, "evade"))
    exact = time.perf_counter() - start
    start = time.perf_counter()
    found = thrown(table, options.attacks, options.seed)
    seconds = time.perf_counter() - start
    print(f"{options.attacks:,} attacks thrown {seconds:8.1f} s, odds {exact * 1e3:6.1f} ms: {seconds / exact:,.0f} x")
    print(*(apart(odds, found, options.attacks) or ["all within the error"]), sep="\n")


if __name__ == "__main__":
    main()
