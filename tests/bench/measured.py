"""The campaigns that are measured, and how: whole processes, lines typed into an open shell, calls in this process."""

import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from statistics import median
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[2]
STUB = [str(Path(__file__).with_name("stub.py")), "show", "--name", "Board", "--lines", "24"]
ATTACK = 'attack arrow vulcan gains-1 --dice "92 15 07 99 61 / evade: 33 60 88 55"'
UNDO = "undo"
ONCE = ["attack", "arrow", "vulcan", "gains-1", "--dice", "92 15 07 99 61 / evade: 33 60 88 55"]
SETUP = """\
side add Players --players
side add Bydo
pilot add Ren --body 20 --agility 30 --intelligence 15 --diplomacy 15 --life 50 --spirit 30 --temperament daredevil
unit add kestrel Arrow --side Players --pilot Ren
unit add gains --side Bydo --count 23
battle start Bench
initiative --dice "3 4 2 2"
first players
"""


class Ended(NamedTuple):
    """A process that has ended: seconds from start to end, its largest memory in MiB, what it printed."""

    seconds: float
    peak: float
    out: str


class Home:
    """A home of its own with its own cache, so that nothing of the person's is read or written."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / "home"
        self.path.mkdir()
        ours = {"GMTOOL_HOME": self.path, "GMTOOL_CACHE": folder / "cache", "PYTHONPATH": ROOT, "COLUMNS": 80}
        kept = {name: value for name, value in os.environ.items() if not name.startswith(("GMTOOL_", "PYTHON"))}
        self.env = {**kept, **{name: str(value) for name, value in ours.items()}}

    def python(self, *argv: str, feed: str = "") -> Ended:
        """Run Python to its end; RuntimeError with what it said if it failed."""
        start = time.perf_counter()
        process = subprocess.Popen(
            [sys.executable, *argv], env=self.env, encoding="utf-8", cwd=self.path,
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
        )  # fmt: skip
        assert process.stdin
        assert process.stdout
        with process.stdin as given, process.stdout as told:
            given.write(feed)
            given.close()
            out = told.read()
        _, status, usage = os.wait4(process.pid, 0)
        seconds = time.perf_counter() - start
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode:
            raise RuntimeError(f"{' '.join(argv)}: {out}")
        return Ended(seconds, usage.ru_maxrss / 1024, out)

    def gm(self, campaign: str, *argv: str, feed: str = "") -> Ended:
        """One line as a process of its own."""
        return self.python("-m", "gmtool", "--campaign", campaign, *argv, feed=feed)

    def make(self, sizes: Sequence[int]) -> list[str]:
        """A campaign of 24 units in a battle for each number of journal lines; their names."""
        self.python("-m", "gmtool", "campaign", "new", "Bench", "--system", "rtype")
        self.gm("bench", "run", "-", feed=SETUP)
        self.gm("bench", *ONCE)
        self.gm("bench", UNDO)
        filled: dict[int, Path] = {}
        names = []
        for number, size in enumerate(sizes, 1):
            names.append(f"bench-{number}-{size}")
            shutil.copytree(filled.get(size, self.path / "bench"), self.path / names[-1])
            if size not in filled:
                filled[size] = self.path / names[-1]
                self.python("-m", "tests.bench.filler", str(filled[size]), str(size))
        return names


class Shell:
    """``gmtool table`` at the other end of two pipes."""

    def __init__(self, home: Home, campaign: str) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-m", "gmtool", "--campaign", campaign, "table"], env=home.env, cwd=home.path,
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
        )  # fmt: skip
        self._heard()

    def __enter__(self) -> "Shell":
        return self

    def __exit__(self, *_: object) -> None:
        self._process.communicate()

    def typed(self, line: str) -> str:
        """Type a line and wait for its answer, which the shell writes in one piece."""
        assert self._process.stdin
        self._process.stdin.write(f"{line}\n".encode())
        self._process.stdin.flush()
        return self._heard()

    def _heard(self) -> str:
        assert self._process.stdout
        heard = b""
        while not heard.endswith(b"\n"):
            piece = os.read(self._process.stdout.fileno(), 1 << 16)
            if not piece:
                raise RuntimeError("the shell has ended")
            heard += piece
        return heard.decode()

    def attack(self, times: int = 20) -> float:
        """The median seconds from an attack typed to its ruling shown; each is undone before the next."""
        found = []
        for _ in range(times):
            start = time.perf_counter()
            told = self.typed(ATTACK)
            found.append(time.perf_counter() - start)
            if "damage" not in told or "undone" not in self.typed(UNDO):
                raise RuntimeError(told)
        return median(found)


def per_call(run: Callable[[], object], calls: int) -> float:
    """The seconds of one call, over as many."""
    start = time.perf_counter()
    for _ in range(calls):
        run()
    return (time.perf_counter() - start) / calls
