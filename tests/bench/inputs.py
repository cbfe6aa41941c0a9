"""What any input comes to, in figures: ``python -m tests.bench.inputs [--n 2000]``.

The whole corpus of hostile inputs, every text in every place there is, and so many random lines, all in this process
behind the fence of ``tests.field.inputs``; none of it can write outside a throw-away folder. Nothing fails: what does
not end as a line should is listed.
"""

import argparse
import os
import random
import resource
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from tests.field.inputs import FILES, Ended, Hangs, Input, Place, bring, corpus, judged, places


class Try(NamedTuple):
    """One line to be tried, with what has to be put somewhere before it."""

    name: str
    given: Input | None
    words: tuple[str, ...] = ()
    file: str = ""


def tries(n: int, seed: int) -> Iterator[Try]:
    """The corpus in all its places, then ``n`` random lines."""
    for way in ("line", "script", "shell", "rules"):
        yield from (Try(f"{way} {each.id}", each) for each in corpus(way))
    yield from (Try(f"json {each.id} {file}", each, file=file) for each in corpus("json") for file in FILES)
    texts, spots = corpus("text"), places()
    yield from (Try(f"{each.id}: {' '.join(spot)}", None, (*spot, each.text)) for each in texts for spot in spots)
    chance = random.Random(seed)
    letters = "".join(each.text for each in texts if len(each.text) < 100)
    for number in range(n):
        words = ["".join(chance.choices(letters, k=chance.randrange(20))) for _ in range(chance.randrange(4))]
        yield Try(f"random {number} of seed {seed}", None, (*chance.choice(spots), *words))


class Tally:
    """What has been seen so far."""

    def __init__(self) -> None:
        self.codes: Counter[object] = Counter()
        self.slowest = (0.0, "")
        self.wrong: list[str] = []

    def took(self, place: Place, one: Try) -> None:
        """Try one, and remember how it ended."""
        words, typed = bring(place, one.given, one.file) if one.given else (list(one.words), "")
        try:
            ended: Ended = place.run(words, typed)
            judged(ended, words)
        except (AssertionError, Hangs) as error:
            self.wrong.append(f"{one.name[:80]}: {str(error)[:200]}")
            self.codes["hangs" if isinstance(error, Hangs) else "wrong"] += 1
        else:
            self.codes[ended.code] += 1
            self.slowest = max(self.slowest, (ended.seconds, one.name))
        place.reset()


def main() -> None:
    """Try everything and print the figures."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench.inputs", description=__doc__)
    parser.add_argument("--n", type=int, default=2_000, help="random lines beside the corpus (2000)")
    parser.add_argument("--seed", type=int, default=1, help="what the random lines follow from (1)")
    options = parser.parse_args()
    tally = Tally()
    with TemporaryDirectory(prefix="gmtool-inputs-") as folder:
        os.environ["GMTOOL_CACHE"] = f"{folder}/cache"
        (Path(folder) / "here").mkdir()
        os.chdir(Path(folder) / "here")
        place = Place(Path(folder), Path(folder) / "cache")
        for one in tries(options.n, options.seed):
            tally.took(place, one)
        os.chdir("/")
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / (1 << 20 if sys.platform == "darwin" else 1 << 10)
    print(f"inputs          {sum(tally.codes.values())}")
    print(f"exit codes      {', '.join(f'{code}: {count}' for code, count in sorted(tally.codes.items(), key=str))}")
    print(f"slowest         {tally.slowest[0]:.2f} s  {tally.slowest[1][:100]}")
    print(f"largest memory  {peak:.0f} MiB")
    for line in tally.wrong:
        print(f"not as it should: {line}")


if __name__ == "__main__":
    main()
