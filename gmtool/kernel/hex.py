"""Hexes in whole numbers: neighbours, distances, lines, areas, ways round obstacles, cheapest paths.

A hex is ``(q, r)`` in axial coordinates: ``q`` counts along a row of neighbours, ``r`` along the next of the three
directions. What a game calls its hexes and which way they stand is a matter of labels (``Rows``), not of geometry.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from heapq import heappop, heappush
from typing import NamedTuple, TypeAlias

from gmtool.kernel.cached import cached

Hex: TypeAlias = tuple[int, int]
DIRECTIONS: tuple[Hex, ...] = ((1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1))
"""The six steps, each a sixth of a turn on from the one before; the first leads along a row."""


class Rows(NamedTuple):
    """The labels of a sheet whose hexes stand on a point: column then row, two digits each, 0101 at the top left.

    ``shoved`` is the remainder of the written row by 2 in those rows that stand half a hex to the right.
    """

    shoved: int = 0

    def read(self, label: str) -> Hex:
        """The hex of a label of four digits."""
        column, row = int(label[:2]) - 1, int(label[2:])
        return column - self._indent(row), row - 1

    def label(self, hex: Hex) -> str:
        """The label of a hex on the sheet."""
        q, r = hex
        return f"{q + self._indent(r + 1) + 1:02d}{r + 1:02d}"

    def column(self, hex: Hex) -> int:
        """The column of a hex, counted from 1."""
        return hex[0] + self._indent(hex[1] + 1) + 1

    def _indent(self, row: int) -> int:
        """How many whole hexes the axis has drifted to the left by this row; rows count from 1."""
        return (row - 1 + self.shoved) // 2


def add(a: Hex, b: Hex) -> Hex:
    """The hex ``b`` away from ``a``."""
    return a[0] + b[0], a[1] + b[1]


def minus(a: Hex, b: Hex) -> Hex:
    """The way from ``b`` to ``a``."""
    return a[0] - b[0], a[1] - b[1]


@cached(16_384)
def neighbours(hex: Hex) -> tuple[Hex, ...]:
    """The six hexes beside one."""
    q, r = hex
    return (q + 1, r), (q, r + 1), (q - 1, r + 1), (q - 1, r), (q, r - 1), (q + 1, r - 1)


def distance(a: Hex, b: Hex) -> int:
    """How many steps lie between two hexes when nothing is in the way."""
    q, r = a[0] - b[0], a[1] - b[1]
    return max(abs(q), abs(r), abs(q + r))


def mirrored(offset: Hex) -> Hex:
    """An offset for a thing that faces the other way along its row."""
    q, r = offset
    return -q - r, r


def line(a: Hex, b: Hex) -> Iterator[tuple[Hex, ...]]:
    """The straight line between two hexes, step by step, without its ends.

    Where it runs along the edge of two hexes both are given. Of the three cube coordinates one always comes out whole,
    so that no point lies as near to a third hex.
    """
    steps = distance(a, b)
    q, r = b[0] - a[0], b[1] - a[1]
    for n in range(1, steps):
        yield tuple(add(a, near) for near in _nearest(q * n, r * n, steps))


def _nearest(q: int, r: int, by: int) -> tuple[Hex, ...]:
    """The one or two hexes nearest to the point (q / by, r / by)."""
    base = q // by, r // by
    found: list[tuple[int, Hex]] = []
    for step in ((0, 0), (1, 0), (0, 1), (1, 1)):
        hex = add(base, step)
        x, y = q - hex[0] * by, r - hex[1] * by
        found.append((x * x + y * y + (x + y) ** 2, hex))
    least = min(found)[0]
    return tuple(hex for away, hex in found if away == least)


def last_step(a: Hex, b: Hex) -> Hex | None:
    """The direction in which the straight line from ``a`` enters ``b``; None where they are one hex."""
    if a == b:
        return None
    before = [hex for pair in ((a,), *line(a, b)) for hex in pair if distance(hex, b) == 1]
    return minus(b, before[0])


@cached(256)
def ahead(length: int) -> tuple[Hex, ...]:
    """The hexes in front, one behind the other, facing along the row."""
    return tuple((n, 0) for n in range(1, length + 1))


@cached(256)
def fan(length: int) -> tuple[Hex, ...]:
    """A sixth of a turn in front, its edges included: up to ``length`` away, facing along the row."""
    found = []
    for n in range(1, length + 1):
        found += [(n, -side) for side in range(n // 2, 0, -1)]
        found += [(n, 0), *((n - side, side) for side in range(1, n // 2 + 1))]
    return tuple(found)


@cached(256)
def disc(radius: int) -> tuple[Hex, ...]:
    """Every hex up to ``radius`` away, without the one in the middle."""
    around = range(-radius, radius + 1)
    return tuple((q, r) for q in around for r in around if (q or r) and abs(q + r) <= radius)


def spread(starts: Iterable[Hex], free: Callable[[Hex], bool], most: int) -> dict[Hex, int]:
    """How far each hex up to ``most`` steps away is, going round what is not free.

    The starts and the end of a way may be anything: a hex that is not free has a distance, and no way leads through it.
    """
    flood = Flood(starts, free)
    while flood.edge and flood.steps < most:
        flood.further()
    return flood.found


class Flood:
    """How far the hexes around some starts are, round what is not free, as far as anybody has asked."""

    def __init__(self, starts: Iterable[Hex], free: Callable[[Hex], bool]) -> None:
        self.found: dict[Hex, int] = dict.fromkeys(starts, 0)
        self.edge, self.steps, self._free = [*self.found], 0, free
        self._starts = tuple(self.found)

    def further(self) -> None:
        """One step more in all directions."""
        self.steps += 1
        reached = []
        for hex in self.edge:
            for beside in neighbours(hex):
                if beside not in self.found:
                    self.found[beside] = self.steps
                    if self._free(beside):
                        reached.append(beside)
        self.edge = reached

    def steps_to(self, goals: Collection[Hex], most: int) -> int | None:
        """The fewest steps to any of the goals; None beyond ``most``."""
        straight = min(distance(start, goal) for start in self._starts for goal in goals)
        if straight <= 1 or straight > most:
            return straight if straight <= most else None
        while self.edge and self.steps < most and not any(goal in self.found for goal in goals):
            self.further()
        steps = min((self.found[goal] for goal in goals if goal in self.found), default=None)
        return steps if steps is None or steps <= most else None


def steps_between(a: Collection[Hex], b: Collection[Hex], free: Callable[[Hex], bool], most: int) -> int | None:
    """The fewest steps from any hex of ``a`` to any of ``b`` round what is not free; None beyond ``most``."""
    return Flood(a, free).steps_to(b, most)


class Way(NamedTuple):
    """A cheapest way to a hex: what it costs, of how many steps it is, the hex before; None at the start."""

    cost: int
    steps: int
    before: Hex | None


def cheapest(
    start: Hex, onward: Callable[[Hex], Iterable[tuple[Hex, int]]], most: int, longest: int
) -> dict[Hex, tuple[Way, ...]]:
    """The ways to every hex for at most ``most`` in cost and ``longest`` in steps, the cheapest first.

    ``onward`` gives the hexes beside one that can be entered from it, each with its cost. A dearer way is kept where it
    has fewer steps, since it may be the only one for which both suffice. Of equals the first in reading order holds.
    """
    found: dict[Hex, list[Way]] = {}
    waiting: list[tuple[int, int, int, int, Hex | None]] = [(0, 0, start[1], start[0], None)]
    while waiting:
        cost, steps, r, q, before = heappop(waiting)
        ways = found.setdefault((q, r), [])
        if ways and ways[-1].steps <= steps:
            continue
        ways.append(Way(cost, steps, before))
        if steps == longest:
            continue
        for (q2, r2), more in onward((q, r)):
            if cost + more <= most:
                heappush(waiting, (cost + more, steps + 1, r2, q2, (q, r)))
    return {hex: tuple(ways) for hex, ways in found.items()}


def way_to(found: Mapping[Hex, tuple[Way, ...]], goal: Hex) -> list[Hex]:
    """The hexes of the cheapest way to a goal that was found, in order, without the start."""
    path: list[Hex] = []
    way, hex = found[goal][0], goal
    while way.before is not None:
        path.append(hex)
        hex, steps = way.before, way.steps - 1
        way = next(each for each in found[hex] if each.steps == steps)
    return path[::-1]
