"""Hexes written a second time, in doubled columns: two to the right is the next hex, one across and one down the hex
below. A sheet's rows with an even number stand half a hex to the right, so that there the column counts one more.

What stands on the sheet is here too: pieces, the ground, and how far it is round walls (RT-1.2 to 1.7).
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

Hex = tuple[int, int]
AROUND: tuple[Hex, ...] = ((2, 0), (1, -1), (-1, -1), (-2, 0), (-1, 1), (1, 1))


def read(label: str) -> Hex:
    """``0304`` is column 3, row 4."""
    column, row = int(label[:2]), int(label[2:])
    return 2 * column + (row % 2 == 0), row


def written(hex: Hex) -> str:
    return f"{hex[0] // 2:02d}{hex[1]:02d}"


def by(hex: Hex, step: Hex) -> Hex:
    return hex[0] + step[0], hex[1] + step[1]


def beside(hex: Hex) -> list[Hex]:
    return [by(hex, step) for step in AROUND]


def apart(one: Hex, other: Hex) -> int:
    """How many hexes as the crow flies: a step down goes half a hex across for nothing."""
    across, down = abs(one[0] - other[0]), abs(one[1] - other[1])
    return down + max(0, (across - down) // 2)


def offset(pair: Iterable[int], facing: str) -> Hex:
    """An offset of a sheet, [1, 0] to the right and [0, 1] down to the right; mirrored for who faces left."""
    q, r = pair
    across = 2 * q + r
    return (across if facing == "right" else -across), r


def line(one: Hex, other: Hex) -> list[list[Hex]]:
    """At each inner step of the straight line the hex nearest to it, or the two that are equally near (RT-8.2)."""
    far = apart(one, other)
    steps = []
    for n in range(1, far):
        # everything times ``far``; a row is sqrt 3 times as high as a half hex is wide
        x, y = (one[0] * (far - n) + other[0] * n, one[1] * (far - n) + other[1] * n)
        near: dict[int, list[Hex]] = {}
        for row in range(y // far - 1, y // far + 3):
            for half in range(x // far - 2, x // far + 4):
                if (half + row) % 2:
                    near.setdefault((half * far - x) ** 2 + 3 * (row * far - y) ** 2, []).append((half, row))
        steps.append(near[min(near)])
    return steps


def shape(area: Mapping[str, Any], at: Hex, facing: str) -> set[Hex]:
    """The hexes of an area weapon that fires from a hex."""
    if area.get("offsets") is not None:
        return {by(at, offset(pair, facing)) for pair in area["offsets"]}
    long, found = area["length"], set()
    for row in range(-long, long + 1):
        for half in range(-2 * long, 2 * long + 1):
            hex = by(at, (half if facing == "right" else -half, row))
            if (half + row) % 2 or apart(at, hex) > long:
                continue
            # the edges of the sixth of a turn run 30 degrees up and down: row * sqrt 3 = half / sqrt 3
            inside = {"line": row == 0 and half > 0, "cone": half > 0 and 3 * abs(row) <= half, "burst": True}
            if inside[area["shape"]]:
                found.add(hex)
    return found


@dataclass
class Piece:
    """A unit on the sheet. ``sheet`` is its data as a GM writes it; ``marks``: who has searched it (RT-6.1)."""

    id: str
    side: str
    sheet: dict[str, Any]
    at: Hex
    facing: str = "right"
    state: str = "active"
    fuel: int | None = None
    spent: int = 0
    acted: bool = False
    force: str = ""
    mount: str = ""
    carried_by: str = ""
    led_by: str = ""
    marks: dict[str, str] = field(default_factory=dict)

    def here(self, at: Hex | None = None, facing: str = "") -> list[Hex]:
        """Its hexes, dummy hexes and parts too, body first; as if it stood at ``at`` or faced otherwise."""
        pairs = [*self.sheet.get("hexes", [[0, 0]]), *(part["hex"] for part in self.sheet.get("parts", []))]
        return list(dict.fromkeys(by(at or self.at, offset(pair, facing or self.facing)) for pair in pairs))

    def targets(self) -> dict[str, Hex]:
        """Where it can be hurt: its body and the parts with hit points of their own (RT-1.3)."""
        parts = {part["id"]: by(self.at, offset(part["hex"], self.facing)) for part in self.sheet.get("parts", [])}
        return {"": self.at, **parts}


@dataclass
class Ground:
    """The sheet with what stands on it."""

    columns: int
    rows: int
    walls: set[Hex]
    reefs: set[Hex]
    pieces: dict[str, Piece] = field(default_factory=dict)
    readings: dict[str, str] = field(default_factory=dict)

    def on(self, hex: Hex) -> bool:
        return 1 <= hex[0] // 2 <= self.columns and 1 <= hex[1] <= self.rows

    def free(self, hex: Hex) -> bool:
        """Whether it lets anything through, whoever stands there."""
        return self.on(hex) and hex not in self.walls

    def standing(self) -> list[Piece]:
        return [piece for piece in self.pieces.values() if piece.state in ("active", "inactive", "subspace")]

    def carried(self, piece: Piece) -> Piece | None:
        return self.pieces[piece.force] if piece.force else None

    def seat(self, piece: Piece, at: Hex | None = None, facing: str = "") -> Hex:
        """Where the force on a craft sits: directly beside it, in front or behind (RT-4.3)."""
        right = ((facing or piece.facing) == "right") == (piece.mount == "front")
        return by(at or piece.at, (2, 0) if right else (-2, 0))

    def covered(self, piece: Piece, at: Hex | None = None, facing: str = "") -> list[Hex]:
        """The hexes that a unit covers, with the force it carries (RT-1.2)."""
        seat = [self.seat(piece, at, facing)] if piece.force else []
        return [*piece.here(at, facing), *seat]

    def others(self, piece: Piece) -> list[Piece]:
        """Everything that stands there besides the unit and what moves with it."""
        return [one for one in self.standing() if one.id not in (piece.id, piece.force)]

    def far(self, sources: Iterable[Hex]) -> dict[Hex, int]:
        """How many hexes to each hex, round what is impassable; what no path reaches is left out (RT-1.4, 1.7)."""
        found = dict.fromkeys(sources, 0)
        edge = list(found)
        while edge:
            after = []
            for hex in edge:
                for next in beside(hex):
                    if next not in found and self.free(next):
                        found[next] = found[hex] + 1
                        after.append(next)
            edge = after
        return found
