"""Exact odds of a line of ``roll``: of sums, of how many dice of a pool meet the target, of what is chosen.

Dice that are thrown again may go on for ever, so their counts have no highest one. Each chance told is exact; the list
ends where what lies beyond is less than ``BEYOND``, and what that is, is told too.
"""

from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from itertools import pairwise
from math import comb
from typing import NamedTuple, TypeVar

from gmtool.kernel.expr.odds import MAX_STEPS, chance, distribution
from gmtool.kernel.expr.throwing import Choice, Pool, Throwing, faces_that_meet
from gmtool.kernel.expr.tree import Compare, DicePart, printable, refuse

Number = TypeVar("Number", int, Fraction)

BEYOND = Fraction(1, 10**6)
MOST_TERMS = 256
MOST_BITS = 10_000_000
"""Bits of all fractions that may be worked with: that many take a second at most."""


class Spread(NamedTuple):
    """The chances of each value, the mean of numbers, and the chance of what lies beyond the last."""

    chances: dict[int | str, Fraction]
    mean: Fraction | None = None
    beyond: Fraction = Fraction(0)


class Outlook(NamedTuple):
    """The odds of one throw: ``success`` where it has a target, ``spread`` of what it comes to.

    ``times``: of several throws, how many of them succeed.
    """

    success: Fraction | None
    spread: Spread
    times: Spread | None = None


def outlook(throwing: Throwing) -> Outlook:
    """Refused ``roll-odds-open`` where nothing is counted, ``roll-odds-too-big`` where it takes too long."""
    form = throwing.form
    if isinstance(form, Choice):
        options = Counter(form.options)
        return Outlook(None, Spread({each: Fraction(n, len(form.options)) for each, n in options.items()}))
    if isinstance(form, Pool):
        return Outlook(None, _pool(form))
    ways = distribution(form)
    whole = sum(ways.values())
    mean = Fraction(sum(total * n for total, n in ways.items()), whole)
    spread = Spread({total: Fraction(n, whole) for total, n in ways.items()}, mean)
    met = chance(form)
    success = None if met is None else Fraction(*met)
    times = (
        _counted([success] * throwing.times, throwing.canonical) if success is not None and throwing.repeated else None
    )
    return Outlook(success, spread, times)


def _pool(pool: Pool) -> Spread:
    """How many dice of a pool meet the target."""
    if pool.compare is None or pool.target is None:
        raise refuse("roll-odds-open", text=printable(pool.canonical))
    if pool.again and pool.kind == "r":
        return _thrown_again(pool, pool.again, pool.compare, pool.target)
    each = [_meets(pool, part, pool.compare, pool.target) for part in pool.dice for _ in range(part.count)]
    return _counted(each, pool.canonical)


def _meets(pool: Pool, part: DicePart, compare: Compare, target: int) -> Fraction:
    """The chance of one die, with what is thrown for it."""
    if pool.again is None:
        return Fraction(faces_that_meet(part.sides, compare, target), part.sides)
    return _sum_meets(pool, part.sides, pool.again[1], compare, target - pool.plus)


def _counted(each: Sequence[Fraction], text: str) -> Spread:
    """How many of independent things come true; their chances may differ."""
    chances = [Fraction(1)]
    bits = max((chance_.denominator.bit_length() for chance_ in each), default=0) * len(each) ** 2
    if bits > MOST_BITS:
        raise refuse("roll-odds-too-big", text=printable(text), value=bits, limit=MOST_BITS)
    for chance_, n in Counter(each).items():
        ways = [comb(n, k) * chance_**k * (1 - chance_) ** (n - k) for k in range(n + 1)]
        _spend(len(chances) * len(ways) * 8 if len(chances) > 1 else 0, text)
        chances = _product(chances, ways, len(chances) + n)
    return Spread(dict(enumerate(chances)), sum(each, Fraction(0)))


def _product(left: Sequence[Number], right: Sequence[Number], terms: int) -> list[Number]:
    """The first terms of the product of two polynomials."""
    found = [left[0] * 0] * terms
    for n, one in enumerate(left):
        for m, other in enumerate(right[: terms - n] if one else ()):
            found[n + m] += one * other
    return found


def _spend(steps: int, text: str) -> None:
    if steps > MAX_STEPS:
        raise refuse("roll-odds-too-big", text=printable(text), value=steps, limit=MAX_STEPS)


# sums of dice that are thrown again


def _sum_meets(pool: Pool, sides: int, again: int, compare: Compare, target: int) -> Fraction:
    """The chance that a die, with what is thrown for it as long as it shows ``again`` or more, meets the target."""
    target = max(target, 0)
    _spend(target * max(sides - again + 2, 1) * (target // 40 + 1), pool.canonical)  # the numbers grow with the sum
    below, at = _sums(sides, again, target)
    return {"<": below, "<=": below + at, "=": at, ">=": 1 - below, ">": 1 - below - at, "!=": 1 - at}[compare]


def _sums(sides: int, again: int, target: int) -> tuple[Fraction, Fraction]:
    """The chances of sums below a target and of the target: the last face is below ``again``, each before it is not.

    In whole numbers over a power of the sides for each point of the sum, since no sum takes more throws than points.
    """
    powers = [sides**n for n in range(min(sides, target) + 1)]
    ways, whole, below = [0], 1, 0
    for total in range(1, target + 1):
        below = (below + ways[-1]) * sides
        last = whole if total <= sides and total < again else 0
        before = (ways[total - face] * powers[face - 1] for face in range(again, min(sides, total) + 1))
        ways.append(last + sum(before))
        whole *= sides
    return Fraction(below, whole), Fraction(ways[-1], whole)


# counts of dice that are thrown again


def _thrown_again(pool: Pool, again: tuple[Compare, int], compare: Compare, target: int) -> Spread:
    """How many dice meet the target when each that meets ``again`` brings another one.

    Of a die with S sides let a be the faces that end it, b those that bring another; of each some miss (0) and some
    meet (1) the target. The chances of its counts are the coefficients of (a0 + a1 z) / (S - b0 - b1 z).
    """
    faces = [_classes(part.sides, again, compare, target) for part in pool.dice]
    mean = sum(
        (Fraction(part.count * (a1 + b1), a0 + a1) for part, (a0, a1, _, b1) in zip(pool.dice, faces, strict=True)),
        Fraction(0),
    )
    terms = 16
    while terms <= MOST_TERMS:
        chances = [Fraction(1)]
        for part, each in zip(pool.dice, faces, strict=True):
            _spend(terms * terms * part.count.bit_length() * 2, pool.canonical)
            chances = _product(chances, _power(part, each, terms), terms)
        if (found := _until(chances, mean)) is not None:
            return found
        terms *= 2
    raise refuse("roll-odds-too-big", text=printable(pool.canonical), value=terms, limit=MOST_TERMS)


def _until(chances: Sequence[Fraction], mean: Fraction) -> Spread | None:
    """The chances up to where less than ``BEYOND`` is left; None where there are too few of them."""
    left = Fraction(1)
    for n, each in enumerate(chances):
        left -= each
        if left < BEYOND:
            return Spread(dict(enumerate(chances[: n + 1])), mean, left)
    return None


def _classes(sides: int, again: tuple[Compare, int], compare: Compare, target: int) -> tuple[int, int, int, int]:
    """How many faces end it and miss, end it and meet, bring another and miss, bring another and meet."""
    edges = sorted({1, sides + 1, *(edge for t in (again[1], target) for edge in (t, t + 1) if 1 <= edge <= sides)})
    counts = [0, 0, 0, 0]
    for low, high in pairwise(edges):  # between two edges all faces are alike
        more, hit = faces_that_meet(low, *again), faces_that_meet(low, compare, target)
        more -= faces_that_meet(low - 1, *again)
        hit -= faces_that_meet(low - 1, compare, target)
        counts[2 * more + hit] += high - low
    return counts[0], counts[1], counts[2], counts[3]


def _power(part: DicePart, classes: tuple[int, int, int, int], terms: int) -> list[Fraction]:
    """The first chances of the counts of all dice of a part, in whole numbers over powers of S - b0."""
    a0, a1, b0, b1 = classes
    under = part.sides - b0
    one = [a0, a1 * under + b1 * a0]
    while len(one) < terms:
        one.append(one[-1] * b1)
    whole = [1, *([0] * (terms - 1))]
    count, square = part.count, one[:terms]
    while count:
        if count % 2:
            whole = _product(whole, square, terms)
        square, count = _product(square, square, terms), count // 2
    return [Fraction(n, under ** (part.count + k)) for k, n in enumerate(whole)]
