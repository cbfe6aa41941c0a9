"""A drawing as a picture on one A4 page: SVG with nothing in it but shapes and text, in millimetres.

The page stands or lies, whichever lets the hexes be bigger. From top to bottom: the title with what belongs to it, the
map, what its signs mean and who is who. Terrain differs by its pattern, sides by light and dark, so that it reads in
grey. All text of the campaign is escaped.
"""

from collections.abc import Iterator
from typing import NamedTuple

from gmtool.kernel.drawing import Drawing, Ground
from gmtool.render.svg_hexes import Field, Point, grid, high, mm, outline, wide
from gmtool.render.svg_legend import Legend, legend
from gmtool.render.svg_pieces import LEGIBLE, SIDES, pieces
from gmtool.render.svg_style import FONTS, more, patterns, signs, style
from gmtool.render.svg_text import breadth, escaped, haloed, shortened, sized
from gmtool.render.words import Words

START = '<svg xmlns="http://www.w3.org/2000/svg" data-by="gmtool"'
"""How a picture of ours begins, so that it is known again."""
SHORT, LONG, MARGIN, HEAD, GAP = 210.0, 297.0, 10.0, 15.0, 4.0
"""A4, its margin, the room of the title, and that between map and legend, in millimetres."""
TITLE, MOMENT = 7.0, 3.4
UP = 270
"""The facing of what looks to the top of the page."""


class Page(NamedTuple):
    """The paper as it lies, with the sheet on it and the legend below."""

    width: float
    height: float
    field: Field
    legend: Legend


def svg(shown: Drawing, words: Words) -> str:
    """The picture as a text."""
    pages = [_page(shown, words, *size) for size in ((LONG, SHORT), (SHORT, LONG))]
    page = max(pages, key=lambda page: page.field.side)
    field, side = page.field, page.field.side
    lang = words.catalogue.lang
    size = f'width="{mm(page.width)}mm" height="{mm(page.height)}mm" viewBox="0 0 {mm(page.width)} {mm(page.height)}"'
    title = escaped(words.said(shown.heads[0])) if shown.heads else ""
    kinds = [ground.texture for ground in shown.grounds]
    looks, defs = style(side) + more(kinds, len(shown.areas)), patterns(side) + signs(kinds)
    parts = (
        f'{START} {size} lang="{lang}" font-family="{FONTS.get(lang, FONTS["en"])}">',
        f"<title>{title}</title>", f"<style>{looks}</style>", f"<defs>{defs}</defs>",
        f'<rect width="{mm(page.width)}" height="{mm(page.height)}" fill="#fff"/>',
        *_title(shown, page, words), *_sheet(shown, field), *_labels(shown, field), *_sites(shown, field, words),
        *pieces(shown, field, words), *_asked(shown, field), page.legend.drawn, "</svg>\n",
    )  # fmt: skip
    return "\n".join(part for part in parts if part)


def _page(shown: Drawing, words: Words, width: float, height: float) -> Page:
    """A page with its hexes as big as they can be, the sheet in the middle of what is left."""
    room = width - 2 * MARGIN
    below = legend(shown, words, room)
    free = height - 2 * MARGIN - HEAD - GAP - below.height
    side = min(room / wide(shown.sheet), free / high(shown.sheet), 14.0)
    left = (width - wide(shown.sheet) * side) / 2
    top = MARGIN + HEAD + (free - high(shown.sheet) * side) / 2
    field = Field(shown.sheet, left, top, side)
    return Page(width, height, field, below.at(MARGIN, height - MARGIN - below.height))


def _title(shown: Drawing, page: Page, words: Words) -> Iterator[str]:
    """What it is called, and at the right what belongs to it; on a line below where both do not fit."""
    first, *rest = [words.said(say) for say in shown.heads] or [""]
    room = page.width - 2 * MARGIN
    name = shortened(first, room / TITLE, bold=True)
    yield f'<text class="title" x="{mm(MARGIN)}" y="{mm(MARGIN + 5.6)}" font-size="{mm(TITLE)}">{escaped(name)}</text>'
    more = shortened(" · ".join(rest), room / MOMENT)
    beside = breadth(name, bold=True) * TITLE + breadth(more) * MOMENT + 8 < room
    if more:
        x, y, anchor = (page.width - MARGIN, 5.6, "end") if beside else (MARGIN, 10.6, "start")
        yield (
            f'<text class="moment" x="{mm(x)}" y="{mm(MARGIN + y)}" font-size="{MOMENT}" style="text-anchor:{anchor}">'
            f"{escaped(more)}</text>"
        )
    line = MARGIN + (8.6 if beside or not more else 12.4)
    yield f'<path class="rule" d="M{mm(MARGIN)} {mm(line)}H{mm(page.width - MARGIN)}"/>'


# the sheet


def _sheet(shown: Drawing, field: Field) -> Iterator[str]:
    """Paper, terrain, the lines between the hexes, the edge, the zones of the sides."""
    sheet = shown.sheet
    all = [(column, row) for row in sheet.row_numbers() for column in sheet.column_numbers()]
    edge = outline(field, all)
    yield f'<path class="paper" d="{edge}"/>'
    yield from (_ground(ground, field) for ground in shown.grounds)
    yield grid(field)
    for ground in shown.grounds:
        yield f'<path class="bound {ground.texture}" d="{outline(field, ground.spots)}"/>'
    if not sheet.endless:
        yield f'<path class="edge" d="{edge}"/>'
    for n, area in enumerate(shown.areas):
        yield f'<path class="a{n}" d="{outline(field, area.spots, 0.05)}"/>'
    for zone in shown.zones:
        yield f'<g class="s{zone.rank % SIDES}"><path class="zone" d="{outline(field, zone.spots, 0.09)}"/></g>'


def _ground(ground: Ground, field: Field) -> str:
    """A tint, and over it the pattern that tells it from others in grey."""
    path = outline(field, ground.spots)
    pattern = f'<path fill="url(#{ground.texture})" d="{path}"/>' if ground.texture in ("solid", "rough") else ""
    signs = "".join(_sign(ground, field.centre(spot), field.side) for spot in sorted(ground.spots))
    return f'<path class="{ground.texture}-tint" d="{path}"/>{pattern}{signs}'


def _sign(ground: Ground, centre: Point, side: float) -> str:
    """The sign of terrain that has one in each of its hexes, places among it apart."""
    if ground.texture in ("solid", "rough", "site", "store"):
        return ""
    x, y = centre
    return f'<use href="#{ground.texture}-sign" transform="translate({mm(x)} {mm(y)}) scale({side:.3f})"/>'


def _labels(shown: Drawing, field: Field) -> Iterator[str]:
    """The label of each hex at its top; on a sheet too fine for that columns and rows are numbered along the edge."""
    sheet, size = shown.sheet, 0.2 * field.side
    if size >= LEGIBLE:
        lift = 0.64 * field.side
        # a counter's prow would cover the label
        upward = {piece.spot for piece in shown.pieces if piece.facing == UP}
        spots = [(column, row) for row in sheet.row_numbers() for column in sheet.column_numbers()]
        grounds = {spot: ground.texture for ground in shown.grounds for spot in ground.spots}
        texts = []
        for spot in spots:
            x, y = field.centre(spot)
            lifted = y + lift + 0.14 * field.side if spot in upward else y - lift
            place = f'x="{mm(x)}" y="{mm(lifted)}"'
            label, kind = sheet.label(spot), grounds.get(spot)
            texts.append(haloed(f"on-{kind}", place, label) if kind else f"<text {place}>{escaped(label)}</text>")
        yield f'<g class="label" font-size="{mm(size)}">{"".join(texts)}</g>'
        return
    columns = [number for number in sheet.column_numbers() if number % 5 == 0]
    rows = [number for number in sheet.row_numbers() if number % 5 == 0]
    top = [(field.centre((number, sheet.first[1]))[0], field.top - 0.8, number) for number in columns]
    left = [(field.left - 1.6, field.centre((sheet.first[0], number))[1] + 0.6, number) for number in rows]
    texts = [f'<text x="{mm(x)}" y="{mm(y)}">{number:02d}</text>' for x, y, number in (*top, *left)]
    yield f'<g class="label" font-size="1.6">{"".join(texts)}</g>'


def _sites(shown: Drawing, field: Field, words: Words) -> Iterator[str]:
    """Places by their sign and name; a piece may stand upon them, the legend has them all."""
    signs = {spot: ground.texture for ground in shown.grounds for spot in ground.spots}
    taken = {foot.spot for piece in shown.pieces for foot in piece.feet}
    for site in shown.sites:
        name, size = sized(words.name(site.id), 1.4, 0.2, max(0.16, LEGIBLE / field.side))
        named = next((spot for spot in site.spots if spot not in taken), None)
        for spot in site.spots:
            x, y = field.centre(spot)
            sign = f'<use href="#{signs[spot]}-sign"/>' if signs.get(spot) in ("site", "store") else ""
            text = f'<text class="name" y=".6" font-size="{size:.3f}">{escaped(name)}</text>'
            text = text if spot == named and 0.2 * field.side >= LEGIBLE else ""
            sign = f'<g transform="translate(0 .78) scale(.42)">{sign}</g>' if spot in taken else sign
            yield f'<g class="place" transform="translate({mm(x)} {mm(y)}) scale({field.side:.3f})">{sign}{text}</g>'


def _asked(shown: Drawing, field: Field) -> Iterator[str]:
    """An area, the way, and the numbers: beside the handle where somebody stands."""
    if shown.lit:
        yield f'<path class="lit" d="{outline(field, shown.lit, 0.04)}"/>'
    if len(shown.path) > 1:
        points = "L".join(f"{mm(x)} {mm(y)}" for x, y in map(field.centre, shown.path))
        yield f'<path class="path" stroke-width="{mm(0.12 * field.side)}" d="M{points}"/>'
    taken = {foot.spot for piece in shown.pieces for foot in piece.feet}
    glyphs = {spot: area.glyph for area in shown.areas for spot in area.spots}
    for spot, glyph in glyphs.items():
        if spot not in shown.numbers:
            x, y = field.centre(spot)
            yield haloed("number", f'x="{mm(x)}" y="{mm(y)}" font-size="{mm(0.3 * field.side)}"', glyph)
    for spot, number in shown.numbers.items():
        x, y = field.centre(spot)
        size, right, down = (0.24, 0.58, -0.3) if spot in taken else (0.46, 0.0, 0.24)
        x, y = x + right * field.side, y + down * field.side
        text = f"{glyphs.get(spot, '')}{number}"
        yield haloed("number", f'x="{mm(x)}" y="{mm(y)}" font-size="{mm(size * field.side)}"', text)
