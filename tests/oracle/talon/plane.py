"""Hexes as points of a plane, with angles and clipped lines: another way to the arcs, lines and steps of the game."""

from math import atan2, cos, degrees, hypot, radians, sin, sqrt

Hex = tuple[int, int]
STEPS: tuple[Hex, ...] = ((1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1))
WORDS = ("se", "s", "sw", "nw", "n", "ne")
ARCS = ("front", "right", "rear", "left")
TINY = 1e-9


def label(hex: Hex) -> str:
    """As printed on the board, or with a point where that has grown."""
    column = hex[0] + 1
    row = hex[1] + hex[0] // 2 + 1
    small = 1 <= column <= 99 and 1 <= row <= 99
    return f"{column:02d}{row:02d}" if small else f"{column}.{row}"


def centre(hex: Hex) -> tuple[float, float]:
    """Neighbours are 1 apart."""
    return hex[0] + hex[1] / 2, hex[1] * sqrt(3) / 2


def step(hex: Hex, facing: int) -> Hex:
    return hex[0] + STEPS[facing % 6][0], hex[1] + STEPS[facing % 6][1]


def far(a: Hex, b: Hex) -> int:
    q, r = b[0] - a[0], b[1] - a[1]
    return max(abs(q), abs(r), abs(q + r))


def bearing(a: Hex, b: Hex) -> float:
    (x1, y1), (x2, y2) = centre(a), centre(b)
    return degrees(atan2(y2 - y1, x2 - x1))


def arc(a: Hex, facing: int, b: Hex) -> str:
    """Within 30 degrees of bow or stern, the edges included, is front or rear."""
    off = (bearing(a, b) - 60 * facing + 180) % 360 - 180
    if abs(off) <= 30 + 1e-6:
        return "front"
    if abs(off) >= 150 - 1e-6:
        return "rear"
    return "right" if off > 0 else "left"


def _inside(a: Hex, b: Hex, hex: Hex, apothem: float) -> float:
    """How much of the line lies in a hex of this size."""
    (x1, y1), (x2, y2), (cx, cy) = centre(a), centre(b), centre(hex)
    low, high = 0.0, 1.0
    for side in range(6):
        nx, ny = cos(radians(60 * side)), sin(radians(60 * side))
        start = nx * (x1 - cx) + ny * (y1 - cy) - apothem
        end = nx * (x2 - cx) + ny * (y2 - cy) - apothem
        if start > 0 and end > 0:
            return 0.0
        if start > 0:
            low = max(low, start / (start - end))
        elif end > 0:
            high = min(high, start / (start - end))
    return max(0.0, high - low) * hypot(x2 - x1, y2 - y1)


def crossed(a: Hex, b: Hex) -> list[Hex]:
    """The hexes between two whose inside the line of centres crosses."""
    reach = far(a, b)
    return [
        hex
        for q in range(-reach, reach + 1)
        for r in range(-reach, reach + 1)
        if (hex := (a[0] + q, a[1] + r)) not in (a, b) and _inside(a, b, hex, 0.5 - 1e-6) > 1e-4
    ]


def edges(a: Hex, b: Hex) -> list[tuple[Hex, Hex]]:
    """The pairs of hexes between which the line runs."""
    reach, found = far(a, b), []
    inner = {*crossed(a, b), a, b}
    around = [(a[0] + q, a[1] + r) for q in range(-reach, reach + 1) for r in range(-reach, reach + 1)]
    (x1, y1), (x2, y2) = centre(a), centre(b)
    length = hypot(x2 - x1, y2 - y1)
    for hex in around:
        for facing in range(3):
            other = step(hex, facing)
            if hex in inner or other in inner:
                continue
            (xa, ya), (xb, yb) = centre(hex), centre(other)
            mx, my = (xa + xb) / 2, (ya + yb) / 2
            along = ((mx - x1) * (x2 - x1) + (my - y1) * (y2 - y1)) / length
            off = abs((mx - x1) * (y2 - y1) - (my - y1) * (x2 - x1)) / length
            square = abs((xb - xa) * (x2 - x1) + (yb - ya) * (y2 - y1)) / length
            if off < 1e-6 and square < 1e-6 and 0 < along < length:
                found.append((hex, other))
    return found


def onward(start: Hex, from_: Hex, to: Hex) -> list[Hex]:
    """The hexes beside ``start`` that lie most in the direction from one hex to another."""
    way = bearing(from_, to)
    turns = [abs((60 * facing - way + 180) % 360 - 180) for facing in range(6)]
    return [step(start, facing) for facing in range(6) if turns[facing] < min(turns) + 1e-6]
