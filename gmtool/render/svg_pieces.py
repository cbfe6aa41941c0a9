"""The pieces of a drawing on paper: counters with handle and name, pointed where they face.

A piece of one hex is a plate, a light one a disc tied to the one it sits on, a big one a hull round all its hexes. What
faces a side of a flat hex is a hexagon with a prow, or a disc with a point, turned so; its text is upright. Several in
a hex stand around its middle, smaller.
Sides differ by light and dark before they differ by colour; who has not been found is a broken line without a filling.
Lengths are in sides of a hex, placed and scaled by the group they stand in.
"""

from collections.abc import Iterator
from math import cos, pi, radians, sin
from typing import NamedTuple

from gmtool.kernel.drawing import FLAGSHIP, INACTIVE, SPENT, SUBSPACE, UNFOUND, Drawing, Foot, Piece
from gmtool.render.svg_hexes import Field, mm, outline
from gmtool.render.svg_text import breadth, escaped, haloed, sized
from gmtool.render.words import Words

SIDES = 4
"""Looks of sides there are; more sides begin again."""
LEGIBLE = 1.15
"""No text is smaller, in millimetres; what would be is left out, but for handles."""
HANDLE = 1.7
"""The size of handles that would be smaller than that, in millimetres."""
NAME, SMALL = 0.235, 0.15
"""Sizes of the letters of names, in sides of a hex."""

PLATE = "M-.5 -.46H.42L.8 .08L.42 .62H-.5Q-.62 .62 -.62 .5V-.34Q-.62 -.46 -.5 -.46Z"
PROW = "M.6 -.345L.82 0L.6 .345L0 .69L-.6 .345V-.345L0 -.69Z"
BOW = "M.61 -.24L.82 0L.61 .24Z"
NOSE = "M.0 -.17L.24 0L.0 .17Z"
_ICONS = {
    SPENT: "M-.11 0L-.03 .08L.12 -.09",
    SUBSPACE: "M-.16 .02Q-.08 -.12 0 .02T.16 .02",
    INACTIVE: "M-.06 -.09V.09M.06 -.09V.09",
    FLAGSHIP: "M-.08 .1V-.12L.12 -.05L-.08 .02",
}
"""Badges that are drawn; that somebody has been found is what the counter itself says."""


class Share(NamedTuple):
    """The part of a hex that a piece has: how far from the middle it stands, and its size."""

    right: float = 0.0
    down: float = 0.0
    size: float = 1.0


def _shares(shown: Drawing) -> dict[str, Share]:
    """Where each of several pieces of one hex stands, in a ring; of two side by side. One in subspace lies over it."""
    hexes: dict[tuple[int, int], list[str]] = {}
    for piece in shown.pieces:
        if len(piece.feet) == 1 and SUBSPACE not in piece.badges:
            hexes.setdefault(piece.spot, []).append(str(piece.id))
    found = {}
    for here in hexes.values():
        n = len(here)
        size = {1: 1.0, 2: 0.6, 3: 0.55}.get(n, 0.8 * sin(pi / n))
        away = 0.0 if n == 1 else 0.44 if n < 4 else 0.54
        turn = pi if n == 2 else -pi / 2
        for place, id in enumerate(here):
            angle = turn + 2 * pi * place / n
            found[id] = Share(away * cos(angle), away * sin(angle), size)
    return found


def pieces(shown: Drawing, field: Field, words: Words) -> Iterator[str]:
    """Hulls first, then ties, plates and discs, so that nothing covers a handle."""
    big = [piece for piece in shown.pieces if len(piece.feet) > 1]
    for piece in big:
        yield _group(piece, words, _hull(piece, field, words), "")
    places = {str(piece.id): piece for piece in shown.pieces}
    for piece in shown.pieces:
        if piece.on in places:
            yield _tie(field, piece, places[piece.on])
    shares = _shares(shown)
    # what is not in the open is drawn smaller, over whom it shares a hex with
    for piece in sorted(shown.pieces, key=lambda piece: SUBSPACE in piece.badges):
        if len(piece.feet) == 1:
            share = shares.get(str(piece.id), Share())
            smaller = field._replace(side=field.side * share.size)
            yield _group(piece, words, _counter(piece, smaller, words), _shared(field, piece, share))


def _group(piece: Piece, words: Words, inner: str, place: str) -> str:
    """A piece with its whole name for who points at it."""
    look = f"s{piece.rank % SIDES}" + "".join(f" {badge}" for badge in (UNFOUND, SPENT) if badge in piece.badges)
    where = f' transform="{place}"' if place else ""
    name = escaped(f"{piece.handle} {words.name(piece.id)}")
    return f'<g class="{look}"{where}><title>{name}</title>{inner}</g>'


def _at(field: Field, spot: tuple[int, int]) -> str:
    x, y = field.centre(spot)
    return f"translate({mm(x)} {mm(y)}) scale({field.side:.3f})"


def _shared(field: Field, piece: Piece, share: Share) -> str:
    """The place of a piece in its share of a hex."""
    x, y = field.centre(piece.spot)
    x, y = x + share.right * field.side, y + share.down * field.side
    return f"translate({mm(x)} {mm(y)}) scale({field.side * share.size:.3f})"


def _counter(piece: Piece, field: Field, words: Words) -> str:
    """A plate or disc with handle, name and badges."""
    if piece.pointed:
        return _pointed(piece, field, words)
    turn = "" if not piece.facing else ' transform="scale(-1 1)"' if piece.facing == 180 else _turned(piece.facing)
    if piece.light:
        nose = f'<g{turn}><path class="nose" d="{NOSE}" transform="translate(.57 .08)"/></g>'
        shape = f'<circle class="body" cy=".08" r=".54"/>{"" if piece.facing is None else nose}'
    elif piece.facing is None:
        shape = '<rect class="body" x="-.62" y="-.46" width="1.24" height="1.08" rx=".12"/>'
    else:
        shape = f'<path class="body" d="{PLATE}"{turn}/>'
    return shape + _written(piece, field, words, 0.92 if piece.light else 1.08) + _badges(piece, 0.76)


def _pointed(piece: Piece, field: Field, words: Words) -> str:
    """A counter turned to one of the six sides of a flat hex, its text upright in the middle."""
    if piece.light:
        shape = f'<circle class="body" r=".5"/><path class="nose" d="{NOSE}" transform="translate(.5 0)"/>'
        text = _lettered(piece, field, 0.8, Place(0.16, 0.4, 0.7))
    else:
        shape = f'<path class="body" d="{PROW}"/><path class="nose" d="{BOW}"/>'
        text = _lettered(piece, field, 1.0, Place(0.1, 0.36, 0.9), words)
    return f'<g transform="rotate({piece.facing})">{shape}</g>{text}{_badges(piece, 0.62)}'


class Place(NamedTuple):
    """Where handle and name stand, and how broad the name may be."""

    handle: float
    name: float
    room: float


def _turned(degrees: int) -> str:
    return f' transform="rotate({degrees} 0 .08)"'


def _written(piece: Piece, field: Field, words: Words, room: float) -> str:
    """Handle, never shortened but set smaller where it is long, and as much of the name as there is room for."""
    place = Place(0.05 if piece.light else 0.1, 0.33 if piece.light else 0.42, room)
    return _lettered(piece, field, (0.84 if piece.light else 1) * room, place, words)


def _lettered(piece: Piece, field: Field, room: float, place: Place, words: Words | None = None) -> str:
    """The handle in so much room, and below it the name where there is to be one."""
    size = min(0.5, room / breadth(piece.handle, bold=True))
    if size * field.side < LEGIBLE:
        # too fine a sheet: the handle stands above its counter, as big as it has to be
        return haloed("handle out", f'y="-.7" font-size="{HANDLE / field.side:.3f}"', piece.handle)
    name = words.name(piece.id) if words and NAME * field.side >= LEGIBLE else ""
    y = place.handle if name or not words else 0.08 + size * 0.36
    handle = f'<text class="handle" y="{mm(y)}" font-size="{size:.3f}">{escaped(piece.handle)}</text>'
    return handle + (_name(name, field, place.room, place.name) if name else "")


def _name(text: str, field: Field, room: float, y: float) -> str:
    """A name in the room it has: smaller, or shortened where that would be too small."""
    shown, size = sized(text, room, NAME, max(SMALL, LEGIBLE / field.side))
    return f'<text class="name" y="{y}" font-size="{size:.3f}">{escaped(shown)}</text>'


def _badges(piece: Piece, y: float) -> str:
    """The badges that are drawn, side by side below."""
    here = [icon for badge, icon in _ICONS.items() if badge in piece.badges]
    left = -0.17 * (len(here) - 1)
    return "".join(
        f'<g transform="translate({mm(left + 0.34 * n)} {mm(y)})"><circle class="badge" r=".17"/>'
        f'<path class="icon" d="{icon}"/></g>'
        for n, icon in enumerate(here)
    )


def icon(badge: str) -> str:
    """The picture of a badge; nothing for one that is not drawn."""
    return _ICONS.get(badge, "")


def _hull(piece: Piece, field: Field, words: Words) -> str:
    """One outline round all hexes, its parts ringed and named, the front pointed."""
    spots = [foot.spot for foot in piece.feet]
    around = f'<path class="body hull" d="{outline(field, spots, 0.13)}"/>'
    parts = "".join(_part(foot, field, words) for foot in piece.feet if foot.role == "part")
    front = _front(piece, field)
    inner = _written(piece, field, words, 1.2) + _badges(piece, 0.68)
    return f'{around}{parts}{front}<g transform="{_at(field, piece.spot)}">{inner}</g>'


def _part(foot: Foot, field: Field, words: Words) -> str:
    """A ring round the hex of a part, with its name."""
    ring = f'<path class="part" d="{outline(field, [foot.spot], 0.26)}"/>'
    if foot.name is None or NAME * field.side < LEGIBLE:
        return ring
    return f'{ring}<g transform="{_at(field, foot.spot)}">{_name(words.name(foot.name), field, 1.1, 0.15)}</g>'


def _front(piece: Piece, field: Field) -> str:
    """A nose at the foremost hex of the way it faces."""
    if piece.facing is None:
        return ""
    ahead = cos(radians(piece.facing)), sin(radians(piece.facing))
    x0, y0 = field.centre(piece.spot)

    def place(spot: tuple[int, int]) -> tuple[float, float]:
        x, y = field.centre(spot)
        return -abs((x - x0) * ahead[1] - (y - y0) * ahead[0]), (x - x0) * ahead[0] + (y - y0) * ahead[1]

    foremost = max((foot.spot for foot in piece.feet), key=lambda spot: tuple(round(n, 3) for n in place(spot)))
    turn = f" rotate({piece.facing})" if piece.facing else ""
    return f'<path class="nose" d="{NOSE}" transform="{_at(field, foremost)}{turn} translate(.55 0)"/>'


def _tie(field: Field, light: Piece, heavy: Piece) -> str:
    """A bar between a light piece and the one it sits on."""
    nearest = min((foot.spot for foot in heavy.feet), key=lambda spot: _apart(field, spot, light.spot))
    (x1, y1), (x2, y2) = field.centre(nearest), field.centre(light.spot)
    down = 0.08 * field.side
    line = f"M{mm(x1)} {mm(y1 + down)}L{mm(x2)} {mm(y2 + down)}"
    return f'<g class="s{light.rank % SIDES}"><path class="tie" stroke-width="{mm(0.2 * field.side)}" d="{line}"/></g>'


def _apart(field: Field, a: tuple[int, int], b: tuple[int, int]) -> float:
    (x1, y1), (x2, y2) = field.centre(a), field.centre(b)
    return (x1 - x2) ** 2 + (y1 - y2) ** 2
