"""Random courses of commands over every game: ``python -m tests.bench.courses --n 200``.

Prints how many lines were typed and what became of them, the verbs that were never done, and what did not hold, as a
course that ``--again FILE`` plays once more (``-``: from standard input).
"""

import argparse
import sys
from collections import Counter
from pathlib import Path
from tempfile import TemporaryDirectory

from gmtool.referee.desk import Registry
from tests.courses.course import WAYS, Played, played, shortest
from tests.courses.ways import GAMES


def main() -> int:
    """Play, count, print; the exit code is 1 where something did not hold."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench.courses", description=__doc__)
    parser.add_argument("--n", type=int, default=60, help="courses of each game (60)")
    parser.add_argument("--length", type=int, default=100, help="lines of each by chance (100)")
    parser.add_argument("--seed", type=int, default=1, help="the first seed (1)")
    parser.add_argument("--game", help="only this game")
    parser.add_argument("--again", metavar="FILE", help="a course that was printed")
    options = parser.parse_args()
    with TemporaryDirectory(prefix="gmtool-courses-") as name:
        if options.again:
            return again(options.again, Path(name))
        faults = [
            found
            for game in Registry(GAMES).found
            if options.game in (None, game)
            for found in courses(game, options.seed, options.n, options.length, Path(name))
        ]
    return 1 if faults else 0


def courses(game: str, seed: int, n: int, length: int, folder: Path) -> list[Played]:
    """So many courses of a game, told; those in which something did not hold."""
    system = Registry(GAMES).system(game)
    ends, done, faults = Counter[str](), Counter[str](), list[Played]()
    for number in range(seed, seed + n):
        print(f"\r{game} {number - seed + 1} of {n} ", end="", file=sys.stderr, flush=True)
        course = played(game, WAYS[number % 3 == 0], number, length, folder)
        ends, done = ends + course.ends, done + course.done
        if course.fault:
            faults.append(course)
            print(f"\n{shortest(course, folder).script()}\n", flush=True)
    verbs = [*system.verbs, *system.looks]
    never = [verb for verb in verbs if not done[verb]]
    print(f"\r{game}: {n} courses, {ends.total()} lines: {', '.join(f'{count} {end}' for end, count in ends.items())}")
    print(f"  verbs done: {len(verbs) - len(never)} of {len(verbs)}; never: {', '.join(never) or '-'}")
    print(f"  faults: {len(faults)}", flush=True)
    return faults


def again(file: str, folder: Path) -> int:
    """A course that was printed, played once more."""
    head, *lines = (sys.stdin.read() if file == "-" else Path(file).read_text(encoding="utf-8")).splitlines()
    game, way, seed, *opening = head.removeprefix("# ").split()
    lines = [line for line in lines if not line.startswith("# ")]
    course = played(game, way, int(seed), lines, folder, "".join(opening))
    print(course.fault or "all holds")
    return 1 if course.fault else 0


if __name__ == "__main__":
    sys.exit(main())
