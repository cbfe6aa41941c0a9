"""What shots come to over all falls of their dice, or over many throws; by the oracle alone."""

from collections.abc import Iterator
from fractions import Fraction
from random import Random

from tests.oracle.talon.shots.fights import Shot
from tests.oracle.talon.shots.fire import fire
from tests.oracle.talon.shots.world import Refused, World

Chances = dict[str, dict[int, float]]
"""Of each figure the chance of each value but 0."""


class _Deeper(Exception):
    """A further die is wanted."""


def figures(made: World) -> Iterator[tuple[str, int]]:
    """The figures of an end that are not 0."""
    found = {"hits": made.hits, "damage": made.damage, "destroyed": made.destroyed, "criticals": made.criticals}
    found |= made.taken
    found |= {f"lost.{ship.id}": 1 for ship in made.ships.values() if not ship.there}
    return ((key, n) for key, n in found.items() if n)


def shoot(made: World, shots: list[Shot]) -> None:
    """One shot after the other; the later ones lapse where they cannot be done."""
    for n, shot in enumerate(shots):
        try:
            fire(made, *shot)
        except Refused:
            if n == 0:
                raise


def every_fall(made: World, shots: list[Shot], most: int, deep: int = 14) -> tuple[Chances, Fraction] | None:
    """All falls of the dice, and the chance of those longer than ``deep``; None where there are too many."""
    found: dict[str, dict[int, Fraction]] = {}
    cut, falls = Fraction(0), 0
    waiting: list[tuple[int, ...]] = [()]
    while waiting:
        fall = waiting.pop()
        rest = iter(fall)

        def die(rest: Iterator[int] = rest) -> int:
            face = next(rest, 0)
            if not face:
                raise _Deeper
            return face

        end: World | None = made.copied(die)
        try:
            shoot(end, shots)
        except _Deeper:
            if len(fall) < deep:
                waiting += [(*fall, face) for face in range(1, 7)]
                continue
            end, cut = None, cut + Fraction(1, 6 ** len(fall))
        falls += 1
        if falls > most:
            return None
        if end is None:
            continue
        for key, n in figures(end):
            ways = found.setdefault(key, {})
            ways[n] = ways.get(n, Fraction(0)) + Fraction(1, 6 ** len(fall))
    return {key: {n: float(way) for n, way in ways.items()} for key, ways in found.items()}, cut


def thrown(made: World, shots: list[Shot], times: int, seed: int) -> Chances:
    """How often what came in so many throws."""
    rng = Random(seed)
    counted: dict[str, dict[int, int]] = {}
    for _ in range(times):
        end = made.copied(lambda: rng.randint(1, 6))
        shoot(end, shots)
        for key, n in figures(end):
            ways = counted.setdefault(key, {})
            ways[n] = ways.get(n, 0) + 1
    return {key: {n: way / times for n, way in ways.items()} for key, ways in counted.items()}
