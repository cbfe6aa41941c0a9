"""Below the map on paper: what is on it, sign and word, and the pieces of each side by handle and name."""

from collections.abc import Iterator
from typing import NamedTuple

from gmtool.kernel.drawing import FOUND, UNFOUND, Drawing, Piece
from gmtool.render.svg_hexes import mm
from gmtool.render.svg_pieces import BOW, NOSE, PLATE, PROW, SIDES, icon
from gmtool.render.svg_text import breadth, escaped, shortened
from gmtool.render.words import Words

SIZES = (2.8, 2.4, 2.0, 1.6, 1.3)
"""Sizes of letters to be tried, until the legend takes no more than its share of the page."""
MOST = 46.0
NAME = 13.0
"""The room of a name, in sizes of its letters."""
HEX = "M0 -1L.866 -.5V.5L0 1L-.866 .5V-.5Z"


class Key(NamedTuple):
    """A sign and what stands behind it. The sign is drawn in a square of one unit around 0."""

    sign: str
    text: str
    strong: str = ""


class Legend(NamedTuple):
    """What is drawn, and how high it is."""

    drawn: str
    height: float

    def at(self, left: float, top: float) -> "Legend":
        """The same in its place."""
        return Legend(f'<g transform="translate({mm(left)} {mm(top)})">{self.drawn}</g>', self.height)


def legend(shown: Drawing, words: Words, width: float) -> Legend:
    """Lines as wide as this: terrain and signs, then a block for each side; smaller letters where there are many."""
    blocks = [list(_signs(shown, words)), *(_side(shown, rank, words) for rank in range(len(shown.sides)))]
    blocks = [block for block in blocks if block]
    for size in SIZES:
        lines = [line for block in blocks for line in _lines(block, size, width)]
        if len(lines) * size * 1.75 <= MOST:
            break
    drawn = "".join(_line(line, size, (n + 0.8) * size * 1.75) for n, line in enumerate(lines))
    return Legend(drawn, len(lines) * size * 1.75)


def _lines(keys: list[Key], size: float, width: float) -> Iterator[list[tuple[float, Key]]]:
    """Keys side by side as far as they fit, each with where it begins."""
    line: list[tuple[float, Key]] = []
    at = 0.0
    for key in keys:
        taken = _width(key, size)
        if line and at + taken > width:
            yield line
            line, at = [], 3 * size
        line.append((at, key))
        at += taken + 1.5 * size
    if line:
        yield line


def _width(key: Key, size: float) -> float:
    strong = breadth(f"{key.strong} ", bold=True) if key.strong else 0.0
    return size * ((1.9 if key.sign else 0) + strong + breadth(key.text))


def _line(keys: list[tuple[float, Key]], size: float, y: float) -> str:
    found = []
    for x, key in keys:
        scale = size * 0.62
        sign = f'<g transform="translate({mm(x + scale)} {mm(y - size * 0.36)}) scale({scale:.3f})">{key.sign}</g>'
        start = x + (1.9 * size if key.sign else 0)
        strong = f'<tspan font-weight="700">{escaped(key.strong)}</tspan> ' if key.strong else ""
        text = f'<text class="key" x="{mm(start)}" y="{mm(y)}" font-size="{size}">{strong}{escaped(key.text)}</text>'
        found.append((sign if key.sign else "") + text)
    return "".join(found)


def _signs(shown: Drawing, words: Words) -> Iterator[Key]:
    """What is on the map: terrain, zones, how pieces are drawn, what is asked; then the places."""
    for ground in shown.grounds:
        over = f'<path d="{HEX}" fill="url(#key-{ground.texture})"/>' if ground.texture in ("solid", "rough") else ""
        over += f'<use href="#{ground.texture}-sign"/>' if not over else ""
        sign = f'<path class="{ground.texture}-tint" d="{HEX}"/>{over}'
        yield Key(sign, words.term("terrain", ground.kind))
    for zone in shown.zones:
        line = f'<path class="zone" style="stroke-width:.2;stroke-dasharray:.6 .4" d="{HEX}"/>'
        yield Key(f'<g class="s{zone.rank % SIDES}">{line}</g>', words.said(zone.what))
    yield from (Key(sign, words.term("sign", word)) for sign, word in _looks(shown))
    for n, area in enumerate(shown.areas):
        glyph = f'<text y=".4" font-size="1.1">{escaped(area.glyph)}</text>'
        yield Key(f'<path class="a{n}" style="stroke-width:.1" d="{HEX}"/>{glyph}', words.said(area.what))
    yield from (Key(sign, words.term("sign", shown.meaning)) for sign in _asked(shown))
    for site in shown.sites:
        hexes = " ".join(map(shown.sheet.label, site.spots))
        yield Key("", words.name(site.id), hexes)


def _looks(shown: Drawing) -> Iterator[tuple[str, str]]:
    """How pieces are drawn, in the look of a side that has such."""
    plain = [piece for piece in shown.pieces if not piece.light and piece.facing is not None and len(piece.feet) == 1]
    for word, piece in (("facing", plain[:1]), (UNFOUND, _with(shown, UNFOUND)), (FOUND, _with(shown, FOUND))):
        if piece:
            look = f"s{piece[0].rank % SIDES}" + (f" {UNFOUND}" if word == UNFOUND else "")
            yield f'<g class="{look}">{_plate(shown)}</g>', word
    for disc in [piece for piece in shown.pieces if piece.light][:1]:
        round = f'<circle class="body" cy=".08" r=".54"/><path class="nose" d="{NOSE}" transform="translate(.57 .08)"/>'
        yield f'<g class="s{disc.rank % SIDES}" transform="scale(1.3)">{round}</g>', "light"
    for hull in [piece for piece in shown.pieces if any(foot.role == "part" for foot in piece.feet)][:1]:
        look = "stroke-width:.12;stroke-dasharray:.3 .2"
        ring = f'<path class="part" style="{look}" d="{HEX}" transform="scale(.75)"/>'
        yield f'<g class="s{hull.rank % SIDES}"><path class="body" d="{HEX}"/>{ring}</g>', "part"
    for badge in sorted({badge for piece in shown.pieces for badge in piece.badges if icon(badge)}):
        rank = _with(shown, badge)[0].rank
        badge_sign = f'<circle class="badge" r=".17"/><path class="icon" d="{icon(badge)}"/>'
        yield f'<g class="s{rank % SIDES}" transform="scale(3.6)">{badge_sign}</g>', badge


def _plate(shown: Drawing) -> str:
    """A counter as they are on this sheet."""
    if shown.sheet.flat:
        return (
            f'<g transform="rotate(-30) scale(1.3)"><path class="body" d="{PROW}"/><path class="nose" d="{BOW}"/></g>'
        )
    return f'<path class="body" d="{PLATE}" transform="scale(1.35)"/>'


def _with(shown: Drawing, badge: str) -> list[Piece]:
    return [piece for piece in shown.pieces if badge in piece.badges]


def _asked(shown: Drawing) -> Iterator[str]:
    """The signs of what was asked for."""
    if shown.lit:
        yield f'<path class="lit" d="{HEX}" style="fill:url(#key-lit);stroke-width:.1"/>'
    if shown.numbers:
        yield f'<text class="number" y=".5" font-size="1.5">{max(shown.numbers.values())}</text>'


def _side(shown: Drawing, rank: int, words: Words) -> list[Key]:
    """A side by its colour and name, and its pieces."""
    own = [piece for piece in shown.pieces if piece.rank == rank]
    if not own:
        return []
    plate = f'<g class="s{rank % SIDES}">{_plate(shown)}</g>'
    head = Key(plate, "", shortened(words.name(shown.sides[rank]), NAME, bold=True))
    return [head, *(Key("", shortened(words.name(piece.id), NAME), piece.handle) for piece in own)]
