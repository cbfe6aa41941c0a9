"""Where things lie, written a second time: flat hexes in the plane, corners and lines in whole numbers and fractions.

The plane is squeezed so that a hex about its centre has the corners (2, 0), (1, 1), (-1, 1) … and all that counts here,
what crosses what, stays as it is.
"""

from fractions import Fraction
from functools import cache

Hex = tuple[int, int]
AROUND: tuple[Hex, ...] = ((1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1))
"""The hexes beside one, clockwise; a counter that faces 0 looks at the first."""
CORNERS = ((2, 0), (1, 1), (-1, 1), (-2, 0), (-1, -1), (1, -1))


def read(label: str) -> Hex:
    """``0304`` is column 3, row 4; every second column stands half a hex lower."""
    column, row = int(label[:2]), int(label[2:])
    return column - 1, row - 1 - (column - 1) // 2


def written(hex: Hex) -> str:
    return f"{hex[0] + 1:02d}{hex[1] + hex[0] // 2 + 1:02d}"


def by(hex: Hex, step: Hex) -> Hex:
    return hex[0] + step[0], hex[1] + step[1]


def apart(one: Hex, other: Hex) -> int:
    """How many hexes as the crow flies."""
    q, r = other[0] - one[0], other[1] - one[1]
    return max(abs(q), abs(r), abs(q + r))


@cache
def arc(hex: Hex, facing: int, other: Hex) -> str:
    """The arc another hex lies in: within 30 degrees of the bow or the stern, the edge included, else a side.

    The cosine of the bearing squared is compared with 3/4, the side is the sign of the cross product.
    """
    (a, b), (q, r) = AROUND[facing], (other[0] - hex[0], other[1] - hex[1])
    twice_dot, cross = 2 * a * q + 2 * b * r + a * r + b * q, a * r - b * q
    if twice_dot**2 >= 3 * (q * q + q * r + r * r):
        return "front" if twice_dot > 0 else "rear"
    return "right" if cross > 0 else "left"


def _plane(hex: Hex) -> tuple[int, int]:
    return 3 * hex[0], 2 * hex[1] + hex[0]


def _span(a: Hex, b: Hex, hex: Hex) -> tuple[Fraction, Fraction, bool] | None:
    """The part of the line from a to b within a hex, and whether it runs along a side; None where none has length."""
    (x0, y0), (x1, y1), (cx, cy) = _plane(a), _plane(b), _plane(hex)
    dx, dy = x1 - x0, y1 - y0
    low, high, border = Fraction(0), Fraction(1), False
    for (px, py), (qx, qy) in zip(CORNERS, (*CORNERS[1:], CORNERS[0]), strict=True):
        # inside is to the left of a side: the corners go round one way
        ex, ey = qx - px, qy - py
        start, rate = ex * (y0 - cy - py) - ey * (x0 - cx - px), ex * dy - ey * dx
        if rate == 0:
            if start < 0:
                return None
            border |= start == 0
        elif rate > 0:
            low = max(low, Fraction(-start, rate))
        else:
            high = min(high, Fraction(-start, rate))
    return (low, high, border) if low < high else None


@cache
def line(a: Hex, b: Hex) -> tuple[list[Hex], list[tuple[Hex, Hex]]]:
    """The hexes between two others whose inside a line crosses, and the pairs between which it runs."""
    reach = range(-1, apart(a, b) + 2)
    near = {(a[0] + q, a[1] + r) for q in range(-reach[-1], reach[-1] + 1) for r in range(-reach[-1], reach[-1] + 1)}
    spans = {hex: span for hex in near if (span := _span(a, b, hex)) is not None}
    through = sorted((span[0], hex) for hex, span in spans.items() if not span[2] and hex not in (a, b))
    edges: dict[tuple[Fraction, Fraction], list[Hex]] = {}
    for hex, (low, high, border) in spans.items():
        if border:
            edges.setdefault((low, high), []).append(hex)
    return [hex for _, hex in through], [(pair[0], pair[1]) for pair in edges.values()]


@cache
def behind(start: Hex, target: Hex) -> list[Hex]:
    """The hexes beside a target into which the ray from the start goes on, in the order of the directions."""
    far = target[0] + 9 * (target[0] - start[0]), target[1] + 9 * (target[1] - start[1])
    found = []
    for step in AROUND:
        span = _span(target, far, by(target, step))
        if span is not None:
            found.append((span[0], by(target, step)))
    first = min(low for low, _ in found)
    return [hex for low, hex in found if low == first]
