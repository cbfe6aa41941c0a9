"""Whether faces are spread as those of an even die would be: the exact multinomial test, and what it could ever see.

The measure is Pearson's: the squares of how far each face's count lies from its share, over that share. For few rolls
the chance that an even die is at least so uneven is worked out exactly, from every way the rolls can fall on the faces;
for many, where that takes too long, it is the chi-square distribution's, which is then very close.

Where several tests are made at once some will look odd by chance alone: ``corrected`` is Holm's step-down correction.
"""

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from functools import cache
from math import ceil, erfc, exp, factorial, lgamma, log, prod, sqrt
from typing import NamedTuple

LEVEL = 0.05
"""How seldom, in reports on even dice, anything is to be called unusual: one in twenty."""
POWER = 0.8
"""How often a die whose one face comes twice as often as it should is to be found."""
MOST_WAYS, MOST_ROLLS = 20_000, 200
"""Ways to fall (their order left aside) that are gone through one by one, and rolls: a third of a second at most."""


class Evenness(NamedTuple):
    """What a test came to: rolls, faces, the measure, the chance of so much from an even die, how that was found.

    ``method`` is ``exact`` or ``chi-square``.
    """

    rolls: int
    faces: int
    measure: float
    chance: float
    method: str


class DiceSet(NamedTuple):
    """Dice of one kind thrown by one person: ``by`` is None where no name was said, and where ``everyone`` is meant.

    ``place``: ``tens`` or ``ones`` of two dice that are read together. ``counts`` are those of ``labels``, faces or
    ranges of faces. ``tested`` is None where nothing can be; ``chance`` is that of the test among all tests made;
    ``least``: rolls from which on anything could stand out; ``telling``: from which a face that comes twice as often
    as it should would; ``verdict``: ``unusual``, ``even`` or ``few``.
    """

    sides: int
    place: str
    by: str | None
    everyone: bool
    counts: tuple[int, ...]
    labels: tuple[str, ...]
    tested: Evenness | None = None
    chance: float = 1.0
    least: int = 0
    telling: int = 0
    verdict: str = "few"

    @property
    def rolls(self) -> int:
        """How many faces were counted."""
        return sum(self.counts)

    @property
    def is_test(self) -> bool:
        """Whether anything could stand out even if this were the only set; a smaller one is no test."""
        return self.rolls >= least_rolls(len(self.counts))

    @property
    def able(self) -> bool:
        """Whether there are rolls enough for anything to stand out."""
        return self.rolls >= self.least


class Fairness(NamedTuple):
    """The table's dice, the tool's beside them for comparison, and how many dice were of no kind that is known."""

    table: tuple[DiceSet, ...]
    tool: tuple[DiceSet, ...]
    unknown: int

    @property
    def tests(self) -> int:
        """How many tests the chances are corrected for."""
        return sum(each.is_test for each in self.table)


def evenness(counts: Sequence[int]) -> Evenness:
    """Test the counts of each face, those that never came included; two faces at least, one roll at least."""
    rolls, faces = sum(counts), len(counts)
    if rolls < 1 or faces < 2:
        raise ValueError(f"{rolls} rolls on {faces} faces")
    squares = sum(n * n for n in counts)
    measure = float(Fraction(faces * squares, rolls) - rolls)
    if rolls <= MOST_ROLLS and ways(rolls, faces) <= MOST_WAYS:
        return Evenness(rolls, faces, measure, float(exact(rolls, faces, squares)), "exact")
    return Evenness(rolls, faces, measure, chi_square(measure, faces - 1), "chi-square")


def exact(rolls: int, faces: int, squares: int) -> Fraction:
    """The chance that the squares of an even die's counts add up to this or more."""
    whole = factorial(rolls) * factorial(faces)
    falls = 0
    for parts in partitions(rolls, faces):
        if sum(n * n for n in parts) >= squares:
            same = [parts.count(n) for n in set(parts)] + [faces - len(parts)]
            falls += whole // (prod(map(factorial, parts)) * prod(map(factorial, same)))
    return Fraction(falls, faces**rolls)


def partitions(total: int, parts: int, most: int | None = None) -> Iterator[list[int]]:
    """Every way to write ``total`` as at most ``parts`` numbers from 1 to ``most``, the greatest first."""
    if total == 0:
        yield []
        return
    for first in range(min(total, most or total), ceil(total / parts) - 1 if parts else total, -1):
        for rest in partitions(total - first, parts - 1, first):
            yield [first, *rest]


@cache
def ways(total: int, parts: int) -> int:
    """How many there are; a number beyond ``MOST_WAYS`` may be any beyond it."""
    counted = [1] + [0] * total
    for part in range(1, parts + 1):  # numbers up to ``parts`` are as many as at most so many numbers
        for n in range(part, total + 1):
            counted[n] = min(counted[n] + counted[n - part], MOST_WAYS + 1)
    return counted[total]


def chi_square(measure: float, degrees: int) -> float:
    """The chance that a chi-square value of so many degrees of freedom is this or more, by its finite sum."""
    half = measure / 2
    if half <= 0:
        return 1.0
    if degrees % 2 == 0:
        return min(1.0, sum(exp(n * log(half) - half - lgamma(n + 1)) for n in range(degrees // 2)))
    tail = sum(exp((n + 0.5) * log(half) - half - lgamma(n + 1.5)) for n in range((degrees - 1) // 2))
    return min(1.0, erfc(sqrt(half)) + tail)


def corrected(chances: Sequence[float]) -> list[float]:
    """Each chance as it counts where all of these are tested at once (Holm): never less than it was, at most 1."""
    order = sorted(range(len(chances)), key=lambda place: chances[place])
    found, least = [1.0] * len(chances), 0.0
    for rank, place in enumerate(order):
        least = max(least, min(1.0, chances[place] * (len(chances) - rank)))
        found[place] = least
    return found


def least_rolls(faces: int, tests: int = 1) -> int:
    """From how many rolls on the same face every time would stand out among so many tests; below nothing ever can."""
    rolls = 1
    while Fraction(faces, faces**rolls) * tests > Fraction(LEVEL):
        rolls += 1
    return rolls


@cache
def telling_rolls(faces: int, tests: int = 1) -> int:
    """From how many rolls on a face that comes twice as often as it should is found four times in five.

    By the noncentral chi-square distribution, whose shift for so many rolls is rolls / (faces - 1). For two faces,
    where twice as often would be always, the same shift is one face at three in four: see ``_shift``.
    """
    degrees = faces - 1
    bound = _reached(lambda value: chi_square(value, degrees) <= LEVEL / tests)
    shift = _reached(lambda value: _shifted(bound, degrees, value) >= POWER)
    return ceil(shift / _shift(faces))


def _shift(faces: int) -> float:
    """What each roll adds to the measure where one face comes twice as often as it should, or three times in four."""
    share = 0.75 if faces == 2 else 2 / faces
    rest = (1 - share) / (faces - 1)
    return faces * ((share - 1 / faces) ** 2 + (faces - 1) * (rest - 1 / faces) ** 2)


def _shifted(bound: float, degrees: int, shift: float) -> float:
    """The chance of reaching the bound when the distribution is shifted: a mixture of unshifted ones."""
    chance = exp(-shift / 2)
    total = 0.0
    for n in range(int(shift) + 60):
        total += chance * chi_square(bound, degrees + 2 * n)
        chance *= shift / 2 / (n + 1)
    return total


def _reached(holds: Callable[[float], bool]) -> float:
    """From where on something holds that does not hold near 0 and, once it does, goes on to."""
    high = 1.0
    while not holds(high):
        high *= 2
    low = 0.0
    for _ in range(30):
        middle = (low + high) / 2
        low, high = (low, middle) if holds(middle) else (middle, high)
    return high
