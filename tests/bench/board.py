"""The map in the shell against an attack there, by the number of units: ``python -m tests.bench.board``.

A map of 60 by 40 hexes, one in eight a wall, one in eight a reef. Each line is undone before the next; what is compared
is measured in turn. Nothing fails.
"""

import argparse
import time
from collections.abc import Iterator
from pathlib import Path
from random import Random
from statistics import median
from tempfile import TemporaryDirectory

from tests.bench.measured import Home, Shell

COLUMNS, ROWS, SIZES = 60, 40, (10, 60, 200)
FACES = "92 15 07 99 61 / evade: 33 60 88 55"
LINES = {
    "attack": f'attack lead vulcan gains-1 --dice "{FACES}"',
    "reach": "reach scout",
    "move to": "move scout to {goal}",
    "search": "search scout",
    "phase end": "end phase --rest",
}
SHOWN = ("reach",)


def sheet(random: Random) -> tuple[str, list[str]]:
    """The map as a rules file, and its free hexes in random order; the middle of it is open."""
    labels = [f"{column:02d}{row:02d}" for column in range(1, COLUMNS + 1) for row in range(1, ROWS + 1)]
    random.shuffle(labels)
    open_ = {f"{column:02d}{row:02d}" for column in range(24, 37) for row in range(14, 27)}
    eighth = len(labels) // 8
    walls = [label for label in labels[:eighth] if label not in open_]
    reefs = [label for label in labels[eighth : 2 * eighth] if label not in open_]
    text = f'format = 1\n[map]\nid = "wide"\ncolumns = {COLUMNS}\nrows = {ROWS}\n'
    for kind, hexes in (("wall", walls), ("reef", reefs)):
        text += f'[[terrain]]\nkind = "{kind}"\nhexes = {hexes}\n'.replace("'", '"')
    return text, [label for label in labels[2 * eighth :] if label not in open_]


def lines(units: int, free: list[str]) -> Iterator[str]:
    """Two sides on the map: the squad that attacks and the scout in the open middle, the others strewn about."""
    yield from ("side add Players --players", "side add Bydo", "map use wide")
    yield from ("unit add kestrel Lead --side players", "unit add slipstream Scout --side players")
    yield f"unit add gains --side bydo --count {min(40, units // 2 - 1)}"
    for n in range(units // 2 - 1 - 40, 0, -40):
        yield f"unit add gains --side bydo --count {min(40, n)}"
    for n in range(units // 2 - 1, 0, -40):
        yield f"unit add kestrel --side players --count {min(40, n)}"
    yield from ("deploy lead 3020", "deploy gains-1 3120", "deploy scout 2819")
    names = [*(f"gains-{n}" for n in range(2, units // 2)), *(f"kestrel-{n}" for n in range(1, units // 2))]
    yield from (f"deploy {name} {hex}" for name, hex in zip(names, free, strict=False))
    yield from ("battle start", 'initiative --dice "6 6 1 1"', "first players", "search lead")


def seconds(shell: Shell, line: str, shown: bool) -> float:
    """The time from a line typed to its answer; what it did is undone."""
    start = time.perf_counter()
    told = shell.typed(line)
    took = time.perf_counter() - start
    if not shown and "undone" not in shell.typed("undo"):
        raise RuntimeError(told)
    return took


def measured(home: Home, units: int, rounds: int) -> dict[str, float]:
    """The median seconds of each line."""
    text, free = sheet(Random(7))
    home.python("-m", "gmtool", "campaign", "new", f"Wide {units}", "--system", "rtype")
    name = f"wide-{units}"
    (home.path / name / "rules").mkdir(exist_ok=True)
    (home.path / name / "rules" / "wide.toml").write_text(text, encoding="utf-8")
    home.gm(name, "run", "-", feed="\n".join(lines(units, free)))
    times: dict[str, list[float]] = {what: [] for what in LINES}
    with Shell(home, name) as shell:
        for _ in range(rounds):
            for what, line in LINES.items():
                times[what].append(seconds(shell, line.format(goal="3324"), what in SHOWN))
    return {what: median(found) for what, found in times.items()}


def main() -> None:
    """Make the campaigns, measure, print."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench.board", description=__doc__)
    parser.add_argument("--rounds", type=int, default=15, help="how often everything is measured (15)")
    options = parser.parse_args()
    with TemporaryDirectory(prefix="gmtool-bench-") as folder:
        home = Home(Path(folder))
        print(f"{'in the shell, : attack':24}" + "".join(f"{units:>7} units{'':10}" for units in SIZES))
        found = [measured(home, units, options.rounds) for units in SIZES]
        for what in LINES:
            cells = [f"{each[what] * 1e3:8.1f} ms {each[what] / each['attack']:6.2f} x   " for each in found]
            print(f"{what:24}{''.join(cells)}")


if __name__ == "__main__":
    main()
