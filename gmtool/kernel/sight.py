"""The straight line between two hexes, exactly: whose inside it crosses, along which edges it runs.

In whole numbers only. What a line does depends on the offset of its ends alone, so each is worked out once.
"""

from fractions import Fraction
from typing import NamedTuple

from gmtool.kernel.cached import cached
from gmtool.kernel.hex import DIRECTIONS, Hex, add, distance, minus, neighbours


class Sight(NamedTuple):
    """The hexes between the ends whose inside a line crosses, and the pairs of hexes along whose edge it runs."""

    through: tuple[Hex, ...]
    along: tuple[tuple[Hex, Hex], ...]


def sight(a: Hex, b: Hex) -> Sight:
    """What lies on the line from one hex to another, from near to far; its ends are left out."""
    found = from_middle(minus(b, a))
    if a == (0, 0):
        return found
    return Sight(
        tuple([add(a, hex) for hex in found.through]),
        tuple([(add(a, one), add(a, other)) for one, other in found.along]),
    )


@cached(16_384)
def from_middle(b: Hex) -> Sight:
    """The line from (0, 0); whoever looks along many lines adds the start to what it crosses himself."""
    far = distance((0, 0), b)
    steps = {_nearest(b, n, far) for n in range(far + 1)} if far else set()
    near = sorted({hex for step in steps for hex in (step, *neighbours(step)) if _may_touch(hex, b, far)})
    inside = {hex: _span(hex, b, 1) for hex in near}
    through = sorted((span[0], hex) for hex, span in inside.items() if span is not None)
    edges = {hex: span for hex in near if inside[hex] is None and (span := _span(hex, b, 0)) is not None}
    pairs = {
        (span[0], min(hex, other), max(hex, other))
        for hex, span in edges.items()
        for other in (add(hex, step) for step in DIRECTIONS)
        if edges.get(other) == span
    }
    return Sight(tuple([hex for _, hex in through]), tuple([(one, other) for _, one, other in sorted(pairs)]))


def _nearest(b: Hex, n: int, of: int) -> Hex:
    """The hex that holds the point after ``n`` of as many equal steps as the line is long.

    What the line touches is one of these or beside one: it is half a step from one of the points at most, and no point
    of a hex is farther than two thirds from its centre.
    """
    parts = (b[0] * n, b[1] * n, -(b[0] + b[1]) * n)
    q, r, s = ((2 * part + of) // (2 * of) for part in parts)
    off = [abs(each * of - part) for each, part in zip((q, r, s), parts, strict=True)]
    if off[0] == max(off):
        return -r - s, r
    return (q, -q - s) if off[1] == max(off) else (q, r)


def _may_touch(hex: Hex, b: Hex, far: int) -> bool:
    return hex not in ((0, 0), b) and distance((0, 0), hex) + distance(hex, b) <= far + 1


def _span(hex: Hex, b: Hex, open_: int) -> tuple[Fraction, Fraction] | None:
    """From where to where, in parts of the line, it lies in a hex: in its inside, or (``open_`` 0) on its edge too.

    The inside of a hex about c is where each two of its three coordinates differ from those of c by less than 1 from
    each other. None where that is no stretch of the line at all.
    """
    low, high = Fraction(0), Fraction(1)
    for slope, shift in zip(_differences(b), _differences(hex), strict=True):
        if slope == 0:
            if abs(shift) >= 1 + (1 - open_):
                return None
            continue
        ends = sorted((Fraction(shift - 1, slope), Fraction(shift + 1, slope)))
        low, high = max(low, ends[0]), min(high, ends[1])
    return (low, high) if low < high else None


def _differences(hex: Hex) -> tuple[int, int, int]:
    """How much each of a hex's three cube coordinates exceeds the next."""
    x, z = hex
    y = -x - z
    return x - y, y - z, z - x
