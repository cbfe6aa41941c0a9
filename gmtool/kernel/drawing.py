"""Drawings: a sheet of hexes and what stands on it, without words, widths or colours.

A game makes one of its state; how it is drawn, in a terminal or on paper, is not decided here. A spot is a hex by the
column and row it has on the sheet. The catalogue has a word for each kind of terrain (``terrain.<kind>``) and for
what pieces and hexes are marked with (``sign.<mark>``).
"""

from collections.abc import Mapping
from typing import Literal, NamedTuple, TypeAlias

from gmtool.kernel.refusal import Id as Name
from gmtool.kernel.view import Say

Spot: TypeAlias = tuple[int, int]
Texture: TypeAlias = Literal["solid", "rough", "site", "store", "globe", "rocks", "cloud", "pit", "gate"]
"""How terrain is told apart without colour.

Nothing passes, it is slow, a building, something to be fetched; a heavenly body, rubble, what veils, what swallows, a
way out.
"""
Role: TypeAlias = Literal["body", "dummy", "part"]
"""What a piece's hex is to it: the one it is aimed at, one that only is in the way, one with points of its own."""
RIGHT, LEFT = 0, 180
UNFOUND, FOUND, SPENT, SUBSPACE, INACTIVE, FLAGSHIP = (
    "unfound", "found", "spent", "subspace", "inactive", "flagship",
)  # fmt: skip
"""The badges that have a sign of their own; any other is listed by its word only."""


class Sheet(NamedTuple):
    """The grid: how many columns and rows from the ``first`` spot on.

    Hexes stand on a point, and the rows whose number leaves ``shoved`` by 2 stand half a hex to the right. Where they
    are ``flat`` it is the columns that stand half a hex lower. ``labels`` are those of a grid that is not labelled by
    column and row, two digits each. An ``endless`` one has no edge: what is drawn of it is a window.
    """

    columns: int
    rows: int
    shoved: int = 0
    flat: bool = False
    first: Spot = (1, 1)
    labels: Mapping[Spot, str] = {}
    endless: bool = False

    def label(self, spot: Spot) -> str:
        """A spot as it is written on the sheet."""
        return self.labels.get(spot) or f"{spot[0]:02d}{spot[1]:02d}"

    def column_numbers(self) -> range:
        """The columns from left to right."""
        return range(self.first[0], self.first[0] + self.columns)

    def row_numbers(self) -> range:
        """The rows from top to bottom."""
        return range(self.first[1], self.first[1] + self.rows)

    def is_shoved(self, row: int) -> bool:
        """Whether a row stands half a hex to the right."""
        return not self.flat and row % 2 == self.shoved

    def is_low(self, column: int) -> bool:
        """Whether a column stands half a hex lower."""
        return self.flat and column % 2 == self.shoved


class Ground(NamedTuple):
    """All hexes of one kind of terrain; ``glyph`` is its sign where there is room for one only."""

    kind: str
    glyph: str
    texture: Texture
    spots: frozenset[Spot]


class Site(NamedTuple):
    """A place on the sheet that has a name."""

    id: Name
    spots: tuple[Spot, ...]


class Zone(NamedTuple):
    """Hexes that are a side's, and what for."""

    rank: int
    what: Say
    spots: frozenset[Spot]


class Area(NamedTuple):
    """Hexes that are told apart from others by a sign: ``glyph`` stands in each, before its number if it has one."""

    glyph: str
    what: Say
    spots: frozenset[Spot]


class Foot(NamedTuple):
    """One hex that a piece covers; a part has a name."""

    spot: Spot
    role: Role = "body"
    name: Name | None = None


class Piece(NamedTuple):
    """A thing on the sheet: its handle is never shortened, its name may be.

    ``rank`` counts the sides from 0. The first foot is the body. ``facing`` is in degrees clockwise from the right,
    one of the six sides of a hex; None where it faces nowhere. A ``light`` piece belongs to another, ``on`` which it
    may sit (the id).
    """

    id: Name
    handle: str
    rank: int
    feet: tuple[Foot, ...]
    facing: int | None = None
    light: bool = False
    on: str = ""
    badges: frozenset[str] = frozenset()

    @property
    def spot(self) -> Spot:
        """Where its body is."""
        return self.feet[0].spot

    @property
    def pointed(self) -> bool:
        """Whether it faces a side of a flat hex, which right and left alone do not tell."""
        return self.facing is not None and self.facing % 60 == 30


class Drawing(NamedTuple):
    """What is drawn. ``heads``: the title, then what belongs to it. ``sides`` by rank.

    ``numbers`` stand in hexes (distances), ``lit`` are hexes that stand out (an area), both named by
    ``sign.<meaning>``; ``areas`` are several at once, each with its own sign. ``path`` leads from hex to hex.
    ``centre`` is looked at where not all can be shown; ``chosen`` says that somebody has asked for it.
    """

    heads: tuple[Say, ...]
    sheet: Sheet
    sides: tuple[Name, ...] = ()
    grounds: tuple[Ground, ...] = ()
    sites: tuple[Site, ...] = ()
    zones: tuple[Zone, ...] = ()
    pieces: tuple[Piece, ...] = ()
    numbers: Mapping[Spot, int] = {}
    lit: frozenset[Spot] = frozenset()
    meaning: str = ""
    path: tuple[Spot, ...] = ()
    centre: Spot | None = None
    chosen: bool = False
    areas: tuple[Area, ...] = ()


def standing(drawing: Drawing) -> dict[Spot, list[tuple[Piece, Foot]]]:
    """The pieces on each hex that has any, those that are there in the open first."""
    found: dict[Spot, list[tuple[Piece, Foot]]] = {}
    for piece in sorted(drawing.pieces, key=lambda piece: SUBSPACE in piece.badges):
        for foot in piece.feet:
            found.setdefault(foot.spot, []).append((piece, foot))
    return found


def terrain(drawing: Drawing) -> dict[Spot, Ground]:
    """The ground of each hex that is not open."""
    return {spot: ground for ground in drawing.grounds for spot in ground.spots}
