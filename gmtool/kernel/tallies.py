"""Tallies: figures of an outcome that count up and are read by no rule, so ends of odds need not differ for their sake.

Instead each end has, for each tally, in how many of the ways that lead there it came to what.
"""

from collections.abc import Iterable, Mapping
from fractions import Fraction
from math import lcm
from typing import Any, NamedTuple

Weight = tuple[int, int]


class Settled(NamedTuple):
    """The key of a result that nothing will change any more: all its values have their ways, where it was told."""

    key: str


Key = str | Settled
Tallies = Mapping[Key, Mapping[Any, int]]
"""Of each tally the ways to come to each value but 0, or to yes (True alone); counted like the weight of their end."""
Chances = Mapping[Any, Fraction]


def plus(a: Weight, b: Weight) -> Weight:
    """The sum of two weights as a numerator and a denominator, whole numbers, not reduced."""
    if a[1] == b[1]:
        return a[0] + b[0], a[1]
    of = lcm(a[1], b[1])
    return a[0] * (of // a[1]) + b[0] * (of // b[1]), of


def further(tallies: Tallies, start: Weight, weight: Weight, tallied: Mapping[str, int]) -> Tallies:
    """The tallies at the end of a run of this weight: those at its start, and what it has tallied itself."""
    times = weight[0] // start[0]  # a run multiplies the weight it starts with
    if times == 1 and not tallied:
        return tallies
    found: dict[Key, Mapping[Any, int]] = {**tallies} if times == 1 else _scaled(tallies, times)
    for key, more in tallied.items():
        ways = found.get(key, {})
        if more is True:
            found[key] = {True: weight[0]}
        elif more:
            none = weight[0] - sum(ways.values())
            found[key] = {value + more: n for value, n in {0: none, **ways}.items() if n}
        else:
            found[key] = ways
    return found


def _scaled(tallies: Tallies, times: int) -> dict[Key, Mapping[Any, int]]:
    return {key: {value: n * times for value, n in ways.items()} for key, ways in tallies.items()}


def either(one: tuple[Tallies, Weight], other: tuple[Tallies, Weight]) -> Tallies:
    """The tallies of two ends that are one."""
    of = lcm(one[1][1], other[1][1])
    found: dict[Key, Mapping[Any, int]] = {}
    (first, a), (second, b) = [(tallies, of // weight[1]) for tallies, weight in (one, other)]
    for key in {**first, **second}:
        ways = {value: n * a for value, n in first.get(key, {}).items()}
        for value, n in second.get(key, {}).items():
            ways[value] = ways.get(value, 0) + n * b
        found[key] = ways
    return found


def chances_of(ends: Iterable[tuple[Tallies, Weight]]) -> dict[Key, Chances]:
    """The chances of each value but 0 (or of yes) over all ends."""
    found: dict[Key, dict[Any, Fraction]] = {}
    for tallies, (_, of) in ends:
        for key, ways in tallies.items():
            chances = found.setdefault(key, {})
            for value, n in ways.items():
                chances[value] = chances.get(value, Fraction(0)) + Fraction(n, of)
    return {**found}
