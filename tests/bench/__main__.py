"""The figures of the program, each a ratio to something measured in the same run: ``python -m tests.bench``.

Whatever is compared is measured in turn (A B A B …), and the ratio is the median of the pairs. Nothing fails.
"""

import argparse
import sys
from collections.abc import Iterable
from contextlib import ExitStack
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import NamedTuple

from tests.bench import completing
from tests.bench.measured import ATTACK, ONCE, STUB, UNDO, Home, Shell, per_call

SMALL, BIG = 100, 100_000
IN_SCRIPT = 50
Times = dict[str, list[float]]


class Figure(NamedTuple):
    """A line of the table: how often (or how much of) ``other`` goes into ``one``, and what was aimed at."""

    what: str
    one: str
    other: str
    aim: str


FIGURES = (
    Figure("status, 24 units : stub", "status", "stub", "<= 1.25"),
    Figure("one-shot attack : attack in the shell", "once", "shell", ">= 20, better 100"),
    Figure("one-shot attack and undo : both in a script", "once+undo", "script", ">= 20, better 100"),
    Figure(f"status, {BIG:,} lines : {SMALL}", "status big", "status", "<= 1.5"),
    Figure(f"one-shot attack, {BIG:,} lines : {SMALL}", "once big", "once", "<= 1.2"),
    Figure(f"attack in the shell, {BIG:,} lines : {SMALL}", "shell big", "shell", "<= 1.2"),
    Figure("ruling alone, typed faces : d20 10d100", "ruling", "d20", "<= 1.5"),
    Figure("odds, daredevils, cold : one-shot attack", "odds", "once", "<= 0.035"),
    Figure("units to attack with, 60 there : one-shot attack", "units", "once", "<= 0.03"),
    Figure("targets of a weapon, 60 there : one-shot attack", "targets", "once", "<= 0.03"),
)


class Bench:
    """Everything that is measured, once a round."""

    def __init__(self, home: Home, stack: ExitStack) -> None:
        self.home = home
        self.small, self.big, in_shell, in_big_shell, self.scripted = home.make((SMALL, BIG, SMALL, BIG, SMALL))
        self.shell = stack.enter_context(Shell(home, in_shell))
        self.big_shell = stack.enter_context(Shell(home, in_big_shell))
        self.face = completing.open_face(home, completing.made(home, on_a_map=False))
        self.times: Times = {}
        self.peak = 0.0

    def round(self) -> None:
        """Measure each thing once; what is compared is measured close together."""
        self._kept("stub", self.home.python(*STUB).seconds)
        self._kept("status", self._status(self.small))
        self._kept("status big", self._status(self.big))
        self._once(self.small, "")
        self._once(self.big, " big")
        self._kept("shell", self.shell.attack())
        self._kept("shell big", self.big_shell.attack())
        self._kept("script", self._script())
        self._kept("units", completing.first(self.face, "attack "))
        self._kept("targets", completing.first(self.face, "attack lead vulcan "))
        self._kept("odds", float(self.home.python("-m", "tests.bench.kernel", "cold").out.split()[0]) / 1e6)

    def _kept(self, name: str, seconds: float) -> None:
        self.times.setdefault(name, []).append(seconds)

    def _status(self, campaign: str) -> float:
        ended = self.home.gm(campaign, "status")
        self.peak = max(self.peak, ended.peak)
        return ended.seconds

    def _once(self, campaign: str, which: str) -> None:
        attack, undo = self.home.gm(campaign, *ONCE), self.home.gm(campaign, UNDO)
        if "damage" not in attack.out:
            raise RuntimeError(attack.out)
        self.peak = max(self.peak, attack.peak, undo.peak)
        self._kept(f"once{which}", attack.seconds)
        self._kept(f"once+undo{which}", attack.seconds + undo.seconds)

    def _script(self) -> float:
        """One attack with its undo in a script: what a long script takes more than one with a single pair, by pair."""
        pair = f"{ATTACK}\n{UNDO}\n"
        short, long = (self.home.gm(self.scripted, "run", "-", feed=pair * n).seconds for n in (1, 1 + IN_SCRIPT))
        return (long - short) / IN_SCRIPT

    def calls(self, rounds: int) -> None:
        """What is measured within this process: the rule alone against a well-known roller of dice."""
        import d20

        from tests.bench.kernel import Table

        table = Table()
        for _ in range(rounds * 4):
            self._kept("ruling", per_call(table.ruling, 50))
            self._kept("d20", per_call(lambda: d20.roll("10d100"), 50))


def table(times: Times, peak: float) -> Iterable[str]:
    """The lines of the table."""
    yield f"{'':50}{'A':>12}{'B':>12}{'A : B':>9}   aim"
    for figure in FIGURES:
        one, other = times[figure.one], times[figure.other]
        ratio = median(a / b for a, b in zip(one, other, strict=True))
        yield f"{figure.what:50}{_time(median(one))}{_time(median(other))}{ratio:9.3g}   {figure.aim}"
    yield f"{f'largest memory, {BIG:,} lines':50}{peak:8.1f} MiB{'':21}   < 150 MiB"


def _time(seconds: float) -> str:
    if seconds >= 0.01:
        return f"{seconds * 1e3:9.1f} ms"
    return f"{seconds * 1e3:9.2f} ms" if seconds >= 0.0005 else f"{seconds * 1e6:9.1f} µs"


def main() -> None:
    """Make the campaigns, measure, print."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench", description=__doc__)
    parser.add_argument("--rounds", type=int, default=15, help="how often everything is measured (15)")
    parser.add_argument("--folder", type=Path, help="where the campaigns are made, since the disk counts")
    options = parser.parse_args()
    with TemporaryDirectory(prefix="gmtool-bench-", dir=options.folder) as folder, ExitStack() as stack:
        bench = Bench(Home(Path(folder)), stack)
        for number in range(1, options.rounds + 1):
            print(f"\rround {number} of {options.rounds} ", end="", file=sys.stderr, flush=True)
            bench.round()
        bench.calls(options.rounds)
        print(file=sys.stderr)
        for line in table(bench.times, bench.peak):
            print(line)


if __name__ == "__main__":
    main()
