"""Pools: several dice thrown together, of which a rule sees only what it keeps.

``keep`` gets one mapping class -> count for each group, so the order of dice cannot matter where the rules do not
say so; and the exact distribution of what it keeps needs counts only, never the single faces.
"""

from collections.abc import Callable, Hashable, Mapping
from itertools import product
from math import comb, prod
from typing import Any, NamedTuple, TypeVar

from gmtool.kernel.cached import cached
from gmtool.kernel.laws import Law, weights
from gmtool.kernel.refusal import Refused

# Combinations weighed before a question is refused; so many take a second or two.
ROWS = 1_000_000

K = TypeVar("K", bound=Hashable)
Counts = Mapping[str, int]
Keep = Callable[[tuple[Counts, ...]], K]
Dice = tuple[int, type[Any], Law]


class Group(NamedTuple):
    """``n`` dice read by one law.

    Either their ``seats`` are named, or they answer the dice of an earlier pool that came to a class
    (``answers=("attack", "success")``): then each takes the seat of the die it answers.
    """

    n: int
    law: Law
    seats: tuple[str, ...] = ()
    answers: tuple[str, str] | None = None


class Spread(NamedTuple):
    """An exact distribution: ``chances`` are (value, weight), the weights adding up to ``total``."""

    chances: tuple[tuple[Hashable, int], ...]
    total: int


@cached(1024, typed=True)
def counted(law: Law, n: int) -> tuple[tuple[dict[str, int], int], ...]:
    """All counts per class that ``n`` dice of a law can show, each with its weight (of faces ** n)."""
    classes, _ = weights(law)
    rows: list[tuple[dict[str, int], int, int]] = [({}, 1, n)]
    for index, (name, weight) in enumerate(classes):
        last = index == len(classes) - 1
        rows = [
            ({**counts, name: k} if k else counts, ways * comb(left, k) * weight**k, left - k)
            for counts, ways, left in rows
            for k in ((left,) if last else range(left + 1))
        ]
    return tuple((counts, ways) for counts, ways, _ in rows)


def spread(groups: tuple[Group, ...], keep: Keep[Hashable]) -> Spread:
    """The exact distribution of what ``keep`` keeps of these groups. Refused ``no-odds`` beyond ``ROWS`` rows."""
    # seats do not matter; types do, since NamedTuples of two types can be equal
    return _spread(tuple((group.n, type(group.law), group.law) for group in groups), type(keep), keep)


@cached(4096)
def _spread(dice: tuple[Dice, ...], kind: type[Any], keep: Keep[Hashable]) -> Spread:
    falls = 1
    for n, _, law in dice:
        falls *= weights(law)[1] ** n
    chances = _sums(dice).items() if keep is total else _kept(dice, keep).items()
    return Spread(tuple(chances), falls)


def _kept(dice: tuple[Dice, ...], keep: Keep[Hashable]) -> dict[Hashable, int]:
    """What is kept of every combination of counts."""
    rows: int = prod([comb(n + len(weights(law)[0]) - 1, n) for n, _, law in dice])
    _bound(rows)
    chances: dict[Hashable, int] = {}
    found = [counted(law, n) for n, _, law in dice]
    ways = map(prod, product(*[[weight for _, weight in group] for group in found]))
    for counts, weight in zip(product(*[[counts for counts, _ in group] for group in found]), ways, strict=True):
        value = keep(counts)
        chances[value] = chances.get(value, 0) + weight
    return chances


def _sums(dice: tuple[Dice, ...]) -> dict[int, int]:
    """The sums of plain dice, die by die."""
    sums = {0: 1}
    steps = 0
    for n, _, law in dice:
        faces = [(int(face), weight) for face, weight in weights(law)[0]]
        for _ in range(n):
            steps += len(sums) * len(faces)
            _bound(steps)
            more: dict[int, int] = {}
            for value, ways in sums.items():
                for face, weight in faces:
                    more[value + face] = more.get(value + face, 0) + ways * weight
            sums = more
    return sums


def _bound(rows: int) -> None:
    if rows > ROWS:
        raise Refused("no-odds", key="odds-too-many", facts={"limit": ROWS})


def total(counts: tuple[Counts, ...]) -> int:
    """The sum of plain dice: what most rolls keep."""
    return sum(int(face) * n for group in counts for face, n in group.items())
