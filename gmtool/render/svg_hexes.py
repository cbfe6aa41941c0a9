"""The hexes of a drawing on paper: where each lies, the outline of several, how far a line is drawn in from it.

Lengths are millimetres. Corners are told apart in whole numbers, so that edges of neighbours are the same edge.
"""

from collections.abc import Collection, Iterable
from math import sqrt
from typing import NamedTuple, TypeAlias

from gmtool.kernel.drawing import Sheet, Spot

Corner: TypeAlias = tuple[int, int]
Point: TypeAlias = tuple[float, float]
HALF = sqrt(3) / 2
_CORNERS: tuple[Corner, ...] = ((0, -2), (1, -1), (1, 1), (0, 2), (-1, 1), (-1, -1))
_FLAT: tuple[Corner, ...] = ((-1, -1), (1, -1), (2, 0), (1, 1), (-1, 1), (-2, 0))
"""Clockwise as the others; where hexes are flat, the longer unit of the two counts up and down."""


class Field(NamedTuple):
    """A sheet laid on paper: its top left corner, and the side of a hex."""

    sheet: Sheet
    left: float
    top: float
    side: float

    @property
    def width(self) -> float:
        """From the left edge of the sheet to the right one."""
        return wide(self.sheet) * self.side

    @property
    def height(self) -> float:
        """From its top to its bottom."""
        return high(self.sheet) * self.side

    def centre(self, spot: Spot) -> Point:
        """The middle of a hex."""
        return self.point(_middle(self.sheet, spot))

    def point(self, corner: Corner) -> Point:
        """A corner on paper."""
        x, y = corner
        if self.sheet.flat:
            return self.left + (x / 2 + 1) * self.side, self.top + (y + 1) * HALF * self.side
        return self.left + (x + 1) * HALF * self.side, self.top + (y / 2 + 1) * self.side


def wide(sheet: Sheet) -> float:
    """The width of a sheet in sides of a hex."""
    if sheet.flat:
        return 1.5 * sheet.columns + 0.5
    return (2 * sheet.columns + (1 if sheet.rows > 1 else 0)) * HALF


def high(sheet: Sheet) -> float:
    """Its height in sides of a hex."""
    if sheet.flat:
        return (2 * sheet.rows + (1 if sheet.columns > 1 else 0)) * HALF
    return 1.5 * sheet.rows + 0.5


def _middle(sheet: Sheet, spot: Spot) -> Corner:
    column, row = spot[0] - sheet.first[0], spot[1] - sheet.first[1]
    if sheet.flat:
        return 3 * column, 2 * row + (1 if sheet.is_low(spot[0]) else 0)
    return 2 * column + (1 if sheet.is_shoved(spot[1]) else 0), 3 * row


def outline(field: Field, spots: Collection[Spot], inset: float = 0.0) -> str:
    """The path round hexes, drawn in by ``inset`` sides: what lies side by side has one line around it."""
    return " ".join(closed(_drawn_in(field, loop, inset * field.side)) for loop in _loops(field.sheet, spots))


def closed(points: Iterable[Point]) -> str:
    """A closed path through points."""
    return "M" + "L".join(f"{mm(x)} {mm(y)}" for x, y in points) + "Z"


def mm(length: float) -> str:
    """A length as short as it can be written to a hundredth of a millimetre."""
    text = f"{length:.2f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text


def _loops(sheet: Sheet, spots: Collection[Spot]) -> list[list[Corner]]:
    """The corners along each edge of a set of hexes, clockwise; an edge between two of them is none."""
    both: set[tuple[Corner, Corner]] = set()
    around = _FLAT if sheet.flat else _CORNERS
    for spot in sorted(spots):
        x, y = _middle(sheet, spot)
        corners = [(x + right, y + down) for right, down in around]
        both |= set(zip(corners, [*corners[1:], corners[0]], strict=True))
    edges: dict[Corner, Corner] = {start: end for start, end in sorted(both) if (end, start) not in both}
    loops = []
    while edges:
        start = next(iter(edges))
        loop, at = [start], edges.pop(start)
        while at != start:
            loop.append(at)
            at = edges.pop(at)
        loops.append(loop)
    return loops


def _drawn_in(field: Field, loop: list[Corner], inset: float) -> list[Point]:
    """The loop moved inwards: each corner along the middle of the angle there, which is 120 degrees inside or out."""
    points = [field.point(corner) for corner in loop]
    if not inset:
        return points
    normals = [_normal(a, b) for a, b in zip(points, [*points[1:], points[0]], strict=True)]
    moved = []
    for point, before, after in zip(points, [normals[-1], *normals[:-1]], normals, strict=True):
        share = inset / (1 + before[0] * after[0] + before[1] * after[1])
        moved.append((point[0] + share * (before[0] + after[0]), point[1] + share * (before[1] + after[1])))
    return moved


def _normal(a: Point, b: Point) -> Point:
    """To the right of the way from one point to another, of length 1: inwards, where the way is clockwise."""
    x, y = b[0] - a[0], b[1] - a[1]
    length = sqrt(x * x + y * y)
    return -y / length, x / length


def grid(field: Field) -> str:
    """The lines between the hexes: one row of them drawn once and used for every row, however big the sheet."""
    if field.sheet.flat:
        return _columns(field)
    sheet, side = field.sheet, field.side
    half, step = HALF * side, f"{mm(HALF * side)} {mm(side / 2)}"
    up = f"{mm(half)} {mm(-side / 2)}"
    peaks = f"M0 {mm(side / 2)}" + f"l{up}l{step}" * sheet.columns
    feet = f"M0 {mm(side * 1.5)}" + f"l{step}l{up}" * sheet.columns
    walls = "".join(f"M{mm(n * 2 * half)} {mm(side / 2)}v{mm(side)}" for n in range(sheet.columns + 1))
    uses = []
    for row in sheet.row_numbers():
        x, y = field.centre((sheet.first[0], row))
        uses.append(f'<use href="#row" x="{mm(x - half)}" y="{mm(y - side)}"/>')
    return f'<defs><path id="row" d="{peaks}{feet}{walls}"/></defs><g class="grid">{"".join(uses)}</g>'


def _columns(field: Field) -> str:
    """The same of a flat sheet, where a column is drawn once."""
    sheet, side = field.sheet, field.side
    half = HALF * side
    right, left = f"{mm(side / 2)} {mm(half)}", f"{mm(-side / 2)} {mm(half)}"
    sides = (
        f"M{mm(side / 2)} 0"
        + f"l{left}l{right}" * sheet.rows
        + f"M{mm(side * 1.5)} 0"
        + f"l{right}l{left}" * sheet.rows
    )
    walls = "".join(f"M{mm(side / 2)} {mm(n * 2 * half)}h{mm(side)}" for n in range(sheet.rows + 1))
    uses = []
    for column in sheet.column_numbers():
        x, y = field.centre((column, sheet.first[1]))
        uses.append(f'<use href="#column" x="{mm(x - side)}" y="{mm(y - half)}"/>')
    return f'<defs><path id="column" d="{sides}{walls}"/></defs><g class="grid">{"".join(uses)}</g>'
