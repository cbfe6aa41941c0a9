"""The board: flat-topped hexes labelled by column and row, without an end; arcs, facings, steps along a ray.

Whole numbers only. A hex is axial as everywhere; facing 0 looks along (1, 0), which on this board is down to the right.
"""

import re

from gmtool.kernel.cached import cached
from gmtool.kernel.hex import DIRECTIONS, Hex, add, distance, minus

FACINGS = ("se", "s", "sw", "nw", "n", "ne")
"""The hexsides by the facing's number, clockwise."""
FRONT, RIGHT, REAR, LEFT = "front", "right", "rear", "left"
LABEL = re.compile(r"([0-9]{2})([0-9]{2})|(-?[0-9]{1,3})\.(-?[0-9]{1,3})")


def read(label: str) -> Hex:
    """The hex of a label: ``0105``, or ``-3.12`` where the board has grown over its first sheet (TL-7.5.1)."""
    found = LABEL.fullmatch(label)
    assert found is not None
    column, row = (int(part) for part in (found[1] or found[3], found[2] or found[4]))
    q = column - 1
    return q, row - 1 - q // 2


def label(hex: Hex) -> str:
    """The label of a hex: even columns stand half a hex lower."""
    q, r = hex
    column, row = q + 1, r + q // 2 + 1
    return f"{column:02d}{row:02d}" if 1 <= column <= 99 and 1 <= row <= 99 else f"{column}.{row}"


def inside(label: str, columns: int, rows: int) -> bool:
    """Whether a label is one of a sheet of so many columns and rows; 0 of either is no end (TL-7.5.1)."""
    found = LABEL.fullmatch(label)
    assert found is not None
    column, row = (int(part) for part in (found[1] or found[3], found[2] or found[4]))
    return not (columns and not 1 <= column <= columns) and not (rows and not 1 <= row <= rows)


def ahead(hex: Hex, facing: int) -> Hex:
    """The hex before a counter that faces so."""
    return add(hex, DIRECTIONS[facing % 6])


def arc_of(hex: Hex, facing: int, other: Hex, sides: bool = False) -> str:
    """The arc of another hex seen from a counter: each hex lies in one (TL-5.3.1, 5.3.2).

    Within 30 degrees of the bow is front, of the stern rear, the edges included; by the other reading (``sides``) the
    edges belong to right and left. The two must be different hexes.
    """
    return _arc(other[0] - hex[0], other[1] - hex[1], facing, sides)


@cached(16_384)
def _arc(q: int, r: int, facing: int, sides: bool) -> str:
    """The arc of an offset: what a ship sees depends on nothing else."""
    d, a, b = _sector((q, r))
    k = (d - facing) % 6
    edge = a == b
    if k in (1, 4):
        return RIGHT if k == 1 else LEFT
    if edge and sides:
        return RIGHT if k in (0, 2) else LEFT
    if k == 0:
        return FRONT if b <= a else RIGHT
    if k == 5:
        return FRONT if a <= b else LEFT
    if k == 2:
        return REAR if b >= a else RIGHT
    return REAR if b <= a else LEFT


def _sector(offset: Hex) -> tuple[int, int, int]:
    """An offset as ``a`` steps in direction ``i`` and ``b`` in the next: a > 0, b >= 0."""
    q, r = offset
    for i in range(6):
        (q1, r1), (q2, r2) = DIRECTIONS[i], DIRECTIONS[(i + 1) % 6]
        by = q1 * r2 - q2 * r1
        a, b = (q * r2 - q2 * r) * by, (q1 * r - q * r1) * by
        if a > 0 and b >= 0:
            return i, a, b
    raise ValueError("a counter has no arc of its own hex")


def onward(start: Hex, target: Hex) -> tuple[Hex, ...]:
    """The hex behind a target on the ray from the start, or both where the ray runs along a hexside (TL-15.1.2)."""
    return tuple(add(target, step) for step in _along(minus(target, start)))


def toward(hex: Hex, goal: Hex) -> tuple[Hex, ...]:
    """The hex beside one on the line to a goal, or both where the line runs along a hexside (TL-18.2)."""
    return tuple(add(hex, step) for step in _along(minus(goal, hex)))


def _along(ray: Hex) -> tuple[Hex, ...]:
    """The one or two steps that lead farthest along a ray: by twice the dot product."""
    q, r = ray
    by = {step: 2 * q * step[0] + 2 * r * step[1] + q * step[1] + r * step[0] for step in DIRECTIONS}
    return tuple(step for step in DIRECTIONS if by[step] == max(by.values()))


def nearer(hex: Hex, facing: int, goal: Hex) -> tuple[int, ...]:
    """The facings, straight or one side to either hand, in which a missile comes nearer to its goal (TL-13.4)."""
    now = distance(hex, goal)
    return tuple(each % 6 for each in (facing, facing - 1, facing + 1) if distance(ahead(hex, each), goal) < now)
