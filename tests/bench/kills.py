"""Kill the program again and again and count what is lost: ``python -m tests.bench.kills [--n 1000]``."""

import argparse
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.trust.hands import made
from tests.trust.kills import Kill, lives, table


def main() -> int:
    """Kill, look, print; 1 when anything was lost."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench.kills", description=__doc__)
    parser.add_argument("--n", type=int, default=1000, help="how many kills (1000)")
    parser.add_argument("--seed", type=int, default=1, help="the first seed (1)")
    parser.add_argument("--folder", type=Path, help="where the campaigns are made, since the disk counts")
    options = parser.parse_args()
    found: list[Kill] = []
    with TemporaryDirectory(prefix="gmtool-kills-", dir=options.folder) as folder:
        for kill in lives(made(Path(folder) / "base"), Path(folder), options.n, options.seed):
            found.append(kill)
            print(f"\r{len(found)} of {options.n} ", end="", file=sys.stderr, flush=True)
    print(file=sys.stderr)
    print(*table(found), sep="\n")
    return int(any(kill.lost or kill.shut for kill in found))


if __name__ == "__main__":
    sys.exit(main())
