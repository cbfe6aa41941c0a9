"""Figures of the kernel: one ruling with typed faces, and odds of squad against squad. Not a test: nothing fails.

``python -m tests.bench.kernel`` prints medians with the ratio to ``d20.roll("10d100")`` measured in the same process,
and the odds twice: in a fresh process after its imports (cold), and again in the same one (warm).
"""

import subprocess
import sys
import time
from collections.abc import Callable
from statistics import median
from typing import Any

from gmtool.kernel.asks import Answers
from gmtool.kernel.case import Settings
from gmtool.kernel.changes import apply
from gmtool.kernel.odds import outlook
from gmtool.kernel.run import judge
from gmtool.kernel.system import load_system
from gmtool.kernel.typed import read_dice
from gmtool.kernel.words import Scope, read_words

SETUP: tuple[tuple[str, str, dict[str, Any]], ...] = (
    ("side add", "", {"name": "Players", "players": True}),
    ("side add", "", {"name": "Bydo"}),
    ("unit add", "", {"sheet": "kestrel", "side": "players", "name": "Arrow", "pilot": "ren"}),
    ("unit add", "", {"sheet": "gains", "side": "bydo", "name": "Gains", "pilot": "sel"}),
    ("battle start", "", {}),
    ("initiative", "3 4 2 2", {}),
    ("first", "", {"side": "players"}),
)
PILOT = {"body": "20", "agility": "30", "intelligence": "15", "diplomacy": "15", "life": "50", "spirit": "30"}
FACES = "92 15 07 68 61 / 33 60 88 55 74"


class Table:
    """A battle of two RC squads led by daredevils, players to act."""

    def __init__(self) -> None:
        from gmtool.rulesdata.compile import load
        from gmtool.systems.rtype import tables as shapes

        self.system = load_system("gmtool.systems.rtype")
        self.data = load("rtype", shapes)
        defaults = {id: (entry["default"], entry["rule"]) for id, entry in self.data["interpretations"].items()}
        self.settings = Settings(defaults=defaults)
        self.tables: dict[str, Any] = {"campaign": {"campaign": {"name": "bench", "system": "rtype"}}}
        pilots = [("pilot add", "", {"name": name, "temperament": "daredevil", **PILOT}) for name in ("Ren", "Sel")]
        for verb, dice, words in (*pilots, *SETUP):
            self.do(verb, dice, words)
        # so that damage runs through several craft
        for craft in "ABCD":
            self.tables["units"]["gains"]["hp"][craft] = 40
        self.state = self.system.state(self.tables)
        self.book = self.system.book(self.state, self.data)
        self.command = self.read("attack", {"unit": "arrow", "weapon": "vulcan", "target": "gains"})
        self.answers = Answers(*read_dice(FACES))

    def read(self, verb: str, words: dict[str, Any]) -> Any:
        """A command from its words."""
        state = self.system.state(self.tables)
        command = self.system.command(verb)
        return read_words(command, words, Scope(state, self.system.book(state, self.data), {}))

    def do(self, verb: str, dice: str, words: dict[str, Any]) -> None:
        """Judge a command and keep its changes."""
        state = self.system.state(self.tables)
        command, answers = self.read(verb, words), Answers(*read_dice(dice))
        book = self.system.book(state, self.data)
        apply(self.tables, judge(self.system, state, book, command, answers, self.settings).changes)

    def ruling(self) -> Any:
        """One attack with typed faces: attack, evasion, damage, cascade."""
        return judge(self.system, self.state, self.book, self.command, self.answers, self.settings)

    def odds(self) -> Any:
        """The exact outlook of that attack."""
        return outlook(self.system, self.state, self.book, self.command, Answers(), self.settings)


def timed(run: Callable[[], object], rounds: int, calls: int = 1) -> float:
    """The median time of one call in microseconds."""
    found = []
    for _ in range(rounds):
        start = time.perf_counter()
        for _ in range(calls):
            run()
        found.append((time.perf_counter() - start) / calls)
    return median(found) * 1e6


def cold() -> None:
    """The first odds of this process, once everything is imported: time in microseconds, and runs of rules."""
    table = Table()
    start = time.perf_counter()
    runs = table.odds().runs
    print((time.perf_counter() - start) * 1e6, runs)


def main() -> None:
    """Print the figures."""
    import d20

    table = Table()
    # the two take turns, so that a busy machine slows both
    pairs = [(timed(table.ruling, 1, 50), timed(lambda: d20.roll("10d100"), 1, 50)) for _ in range(60)]
    ruling, reference = (median(times) for times in zip(*pairs, strict=True))
    print(f"d20 10d100        {reference:8.1f} µs")
    print(f"ruling, typed     {ruling:8.1f} µs  {ruling / reference:.2f} x d20")
    fresh = [_fresh() for _ in range(9)]
    print(f"odds, cold        {median(time for time, _ in fresh) / 1000:8.2f} ms  {fresh[0][1]} runs")
    print(f"odds, warm        {timed(table.odds, 30) / 1000:8.2f} ms")


def _fresh() -> tuple[float, int]:
    done = subprocess.run([sys.executable, "-m", __spec__.name, "cold"], capture_output=True, text=True, check=True)
    elapsed, runs = done.stdout.split()
    return float(elapsed), int(runs)


if __name__ == "__main__":
    cold() if sys.argv[1:] == ["cold"] else main()
