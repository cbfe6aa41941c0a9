"""Completion with 60 units on the board against a one-shot attack: ``python -m tests.bench.completing``.

In turn: a process that does one attack, then, in a shell that stays open and at a position that is new each time (an
attack has been undone), each text is completed at once, and again after the shell has rehearsed what can be typed,
which it does between the keys. The chapters have been imported before, by a first rehearsal. With ``--map`` everybody
stands on a map of 60 by 40 hexes. Nothing fails.
"""

import argparse
import gc
import io
import time
from collections.abc import Iterable
from pathlib import Path
from random import Random
from statistics import median
from tempfile import TemporaryDirectory

from gmtool.cli import main as program
from gmtool.cli.completing import complete, rehearsal
from gmtool.cli.dispatch import execute
from gmtool.cli.face import Face
from gmtool.cli.reader import Globals, read_line
from tests.bench.board import FACES, lines, sheet
from tests.bench.measured import Home

UNITS = 60
TEXTS = (
    "", "at", "attack ", "attack lead ", "attack lead vulcan ", "attack lead vulcan gains-1 --", "move ", "move scout ",
    "search ", "end ", "status ", "config ",
)  # fmt: skip
ATTACK = f'attack lead vulcan gains-1 --dice "{FACES}"'
AIM = 0.03


def flat() -> Iterable[str]:
    """The same two sides without a map."""
    yield from ("side add Players --players", "side add Bydo", "unit add kestrel Lead --side players")
    yield from ("unit add slipstream Scout --side players", f"unit add gains --side bydo --count {UNITS // 2}")
    yield f"unit add kestrel --side players --count {UNITS // 2 - 2}"
    yield from ("battle start", 'initiative --dice "6 6 1 1"', "first players")


def made(home: Home, on_a_map: bool) -> str:
    """The campaign; its name."""
    home.python("-m", "gmtool", "campaign", "new", "Wide", "--system", "rtype")
    text, free = sheet(Random(7))
    if on_a_map:
        (home.path / "wide" / "rules").mkdir(exist_ok=True)
        (home.path / "wide" / "rules" / "wide.toml").write_text(text, encoding="utf-8")
    home.gm("wide", "run", "-", feed="\n".join(lines(UNITS, free) if on_a_map else flat()))
    return "wide"


def open_face(home: Home, name: str) -> Face:
    """A shell's face, its chapters imported."""
    face = program.make_face(io.StringIO(), io.StringIO(), io.StringIO(), home.env)
    face.defaults, face.deferred = Globals(campaign=name), True
    face.options = face.defaults
    gc.set_threshold(program.GARBAGE)  # as the program does
    _rehearse(face)
    return face


def measured(home: Home, name: str, rounds: int) -> tuple[list[float], dict[str, list[tuple[float, float]]]]:
    """The seconds of each one-shot attack, and of each text completed at once and after a rehearsal."""
    face = open_face(home, name)
    once: list[float] = []
    times: dict[str, list[tuple[float, float]]] = {text: [] for text in TEXTS}
    for _ in range(rounds):
        once.append(home.gm(name, *read_line(ATTACK).words, "--dice", FACES).seconds)
        home.gm(name, "undo")
        for text in TEXTS:
            times[text].append((first(face, text), rehearsed(face, text)))
    return once, times


def first(face: Face, text: str) -> float:
    """The seconds of a completion at a position that is new."""
    for line in (ATTACK, "undo"):
        execute(face, read_line(line))
    return _seconds(face, text)


def rehearsed(face: Face, text: str) -> float:
    """The seconds of a completion once all has been tried that is typed most."""
    _rehearse(face)
    return _seconds(face, text)


def _rehearse(face: Face) -> None:
    for _ in rehearsal(face):
        pass


def _seconds(face: Face, text: str) -> float:
    start = time.perf_counter()
    complete(face, text)
    return time.perf_counter() - start


def ratios(once: list[float], times: dict[str, list[tuple[float, float]]]) -> dict[str, tuple[float, float, float]]:
    """For each text the seconds at once, and both times as parts of the attack measured beside them."""
    return {
        text: (
            median(first for first, _ in pairs),
            median(pair[0] / one for pair, one in zip(pairs, once, strict=True)),
            median(pair[1] / one for pair, one in zip(pairs, once, strict=True)),
        )
        for text, pairs in times.items()
    }


def main() -> None:
    """Make the campaign, measure, print."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench.completing", description=__doc__)
    parser.add_argument("--rounds", type=int, default=15, help="how often everything is measured (15)")
    parser.add_argument("--map", action="store_true", help="on a map of 60 by 40 hexes")
    options = parser.parse_args()
    with TemporaryDirectory(prefix="gmtool-bench-") as folder:
        home = Home(Path(folder))
        once, times = measured(home, made(home, options.map), options.rounds)
    print(f"one-shot attack, {UNITS} units: {median(once) * 1e3:.0f} ms; aim for a completion: <= {AIM:.0%} of it")
    for text, (seconds, first, again) in ratios(once, times).items():
        print(f"{text!r:34}{seconds * 1e3:8.2f} ms{first:8.1%} at once{again:8.1%} rehearsed")


if __name__ == "__main__":
    main()
