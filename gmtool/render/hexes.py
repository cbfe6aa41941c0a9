"""A drawing in a terminal: a row of the sheet a line, half a hex further where it is shoved, and a legend below.

Of a flat sheet a row takes two lines, the second for the columns that stand lower. Only plain signs stand in the map,
and each says what it says without colour. A piece is its handle with a sign for how it stands, on the side it faces:
``r1>`` and ``<b2``, ``r1^>`` where it faces up to the right. What is too wide for the room is shown around what is
looked at; in a pipe it follows in parts. No line is wider than the room.
"""

from collections.abc import Iterable, Iterator, Mapping
from math import cos, radians, sin
from typing import NamedTuple

from gmtool.kernel.drawing import SPENT, SUBSPACE, UNFOUND, Drawing, Foot, Ground, Piece, Spot, standing, terrain
from gmtool.render.lines import Room, Span, Styled, flow, styled
from gmtool.render.words import Words
from gmtool.text.width import cells, fit

OPEN, LIT, PATH, ZONES = ".", "*", "o", ",;'"
SIGNS = {"craft": "<>", "light": "()", UNFOUND: "{}", f"light-{UNFOUND}": "[]", SUBSPACE: "~~"}
"""What stands before a piece that faces left, and behind one that faces right."""
ARROWS = "^ ^> v> v <v <^"
"""What stands at a piece that faces one of the six sides of a flat hex."""
FEET = {"dummy": "=", "part": "+"}
SEVERAL = "&"
"""What stands on a flat sheet behind one piece of several in a hex."""
NARROW = 4
"""Cells of a hex: a sign, a handle of two and a sign."""
MARGIN = 3
TALL = 40
"""A sheet of more rows is shown around what is looked at."""
NAME = 24
LOOKS = 3
"""Sides there are colours for; more begin again."""


class Part(NamedTuple):
    """The columns and rows that are shown at once."""

    columns: range
    rows: range


class Sheet(NamedTuple):
    """A drawing ready to be put down: what stands on each hex, how far columns stand apart, the room at the left."""

    shown: Drawing
    pieces: dict[Spot, list[tuple[Piece, Foot]]]
    grounds: dict[Spot, Ground]
    areas: dict[Spot, str]
    wide: int
    margin: int = MARGIN

    @property
    def cell(self) -> int:
        """The cells of a hex: on a flat sheet its neighbours stand on another line."""
        return 2 * self.wide if self.shown.sheet.flat else self.wide


def drawing(shown: Drawing, words: Words, room: Room) -> list[Styled]:
    """Title, map, legend, and who is who."""
    lines = flow([styled(words.said(say), "head") for say in shown.heads], room, 0, 2)
    pieces, grounds = standing(shown), terrain(shown)
    areas = {spot: area.glyph for area in shown.areas for spot in area.spots}
    wide = (_pitch if shown.sheet.flat else _wide)(shown, pieces, grounds, room)
    sheet = Sheet(shown, pieces, grounds, areas, wide, _margin(shown))
    parts = list(_parts(sheet, room))
    for part in parts:
        lines += [[], *_map(sheet, part)]
    lines += [[], *flow(_legend(sheet, parts, words), room, 0, 2), *_who(sheet, words, room)]
    return lines + _left_out(shown, parts, words, room)


def _wide(
    shown: Drawing, pieces: Mapping[Spot, list[tuple[Piece, Foot]]], grounds: Mapping[Spot, Ground], room: Room
) -> int:
    """The cells of a hex, an even number: as few as the handles allow, each with the sign of what it stands on.

    That sign gives way where only without it the whole sheet has room; what is under a piece is then said below.
    """
    bare = _even(max((len(_token(*here[0])) for here in pieces.values()), default=0))
    full = _even(max((len(_token(*here[0])) + (spot in grounds) for spot, here in pieces.items()), default=0))
    columns = len(shown.sheet.column_numbers())
    return bare if _many(room, full) < columns <= _many(room, bare) else full


def _pitch(
    shown: Drawing, pieces: Mapping[Spot, list[tuple[Piece, Foot]]], grounds: Mapping[Spot, Ground], room: Room
) -> int:
    """How far the columns of a flat sheet stand apart: a hex has twice that, a blank before and behind included."""
    wide = [
        (not _faces_left(*here[0])) + len(_token(*here[0])) + (len(here) > 1) + (spot in grounds) + 1
        for spot, here in pieces.items()
    ]
    return max(NARROW, (max(wide, default=0) + 1) // 2)


def _even(cells: int) -> int:
    return max(NARROW, cells + cells % 2)


def _margin(shown: Drawing) -> int:
    """The cells of the numbers of rows."""
    rows = shown.sheet.row_numbers()
    return max(MARGIN, *(len(f"{row:02d}") + 1 for row in (rows.start, rows.stop - 1)))


def _many(room: Room, wide: int) -> int:
    """How many columns there is room for."""
    return max((room.width - MARGIN - wide // 2) // wide, 1)


def _fitting(sheet: Sheet, room: Room) -> int:
    """The same of a sheet that is laid out; the last column of a flat one takes the room of two."""
    if sheet.shown.sheet.flat:
        return max((room.width - sheet.margin) // sheet.wide - 1, 1)
    return _many(room, sheet.wide)


# which part of the sheet


def _parts(sheet: Sheet, room: Room) -> Iterator[Part]:
    """The whole sheet where there is room; else the part looked at, or one part after the other in a pipe."""
    grid = sheet.shown.sheet
    columns, rows = grid.column_numbers(), grid.row_numbers()
    many, tall = _fitting(sheet, room), TALL // 2 if grid.flat else TALL
    if room.cut or sheet.shown.chosen:
        column, row = _looked_at(sheet.shown)
        yield Part(_around(columns, column, many), _around(rows, row, tall))
        return
    for start in range(columns.start, columns.stop, many):
        yield Part(range(start, min(start + many, columns.stop)), rows)


def _around(all: range, middle: int, many: int) -> range:
    """So many of a row of numbers, with this one in the middle as far as there are others on both sides."""
    start = min(max(middle - many // 2, all.start), max(all.stop - many, all.start))
    return range(start, min(start + many, all.stop))


def _looked_at(shown: Drawing) -> Spot:
    """The spot in the middle: the one that was asked for, else that of the pieces."""
    if shown.centre is not None:
        return shown.centre
    spots = [piece.spot for piece in shown.pieces] or [shown.sheet.first]
    return sum(spot[0] for spot in spots) // len(spots), sum(spot[1] for spot in spots) // len(spots)


def _left_out(shown: Drawing, parts: list[Part], words: Words, room: Room) -> list[Styled]:
    """Which part of the sheet it was, where it was not the whole."""
    grid = shown.sheet
    columns, rows = parts[0]
    if len(parts) > 1 or (len(columns), len(rows)) == (grid.columns, grid.rows):
        return []
    facts = {"first": columns.start, "last": columns.stop - 1, "top": rows.start, "bottom": rows.stop - 1}
    whole = {**facts, "columns": grid.columns, "rows": grid.rows}
    part = words.say("drawing.window", facts) if grid.endless else words.say("drawing.part", whole)
    told = [part, words.say("drawing.others")]
    if grid.endless:
        told += [words.say("drawing.beyond", {"units": beyond}) for beyond in (_beyond(shown, parts[0]),) if beyond]
    return flow([styled(text, "dim") for text in told], room, 0, 2)


def _beyond(shown: Drawing, part: Part) -> list[str]:
    """The handles of pieces outside of a part, with where they stand."""
    away = [piece for piece in shown.pieces if piece.spot[0] not in part.columns or piece.spot[1] not in part.rows]
    return [f"{piece.handle} {shown.sheet.label(piece.spot)}" for piece in away]


# the map


def _map(sheet: Sheet, part: Part) -> Iterator[Styled]:
    heads = "".join(f"{column:02d}".ljust(sheet.wide) for column in part.columns)
    yield [Span(" " * (sheet.margin + 1)), Span(heads, "dim")]
    if sheet.shown.sheet.flat:
        yield from (_joined(line) for row in part.rows for line in _two_lines(sheet, part, row))
        return
    for row in part.rows:
        indent = sheet.wide // 2 if sheet.shown.sheet.is_shoved(row) else 0
        hexes = [span for column in part.columns for span in _hex(sheet, (column, row))]
        yield _joined([Span(f"{row:02d}".ljust(sheet.margin), "dim"), Span(" " * indent), *hexes])


def _two_lines(sheet: Sheet, part: Part, row: int) -> Iterator[list[Span]]:
    """A row of a flat sheet: its number with the columns that stand higher, below it the others."""
    for low in (False, True):
        columns = [column for column in part.columns if sheet.shown.sheet.is_low(column) == low]
        label = "" if low else f"{row:02d}"
        if columns or label:
            indent = (columns[0] - part.columns.start) * sheet.wide if columns else 0
            hexes = [span for column in columns for span in _hex(sheet, (column, row))]
            yield [Span(label.ljust(sheet.margin), "dim"), Span(" " * indent), *hexes]


def _joined(spans: Iterable[Span]) -> Styled:
    """Neighbours in the same style as one piece; blanks take any."""
    line: Styled = []
    for span in spans:
        if line and (line[-1].style == span.style or not span.text.strip()):
            line[-1] = Span(line[-1].text + span.text, line[-1].style)
        elif span.text:
            line.append(span)
    return line


def _hex(sheet: Sheet, spot: Spot) -> Iterator[Span]:
    """The cells of a hex: the piece on it, else number, area, way or terrain; beside a piece what it stands on."""
    glyph, style = _ground(sheet, spot)
    here = sheet.pieces.get(spot)
    if not here:
        yield Span(_bare(sheet, spot, glyph).ljust(sheet.cell), style)
        return
    piece, foot = here[0]
    token = _token(piece, foot)
    beside = "" if glyph == OPEN or glyph in ZONES else glyph
    if sheet.shown.sheet.flat:
        yield from _on_flat(sheet, here, token, beside)
        return
    look = f"{'spent' if SPENT in piece.badges else 'side'}-{piece.rank % LOOKS}"
    before = 0 if _faces_left(piece, foot) or len(token) == sheet.wide else 1
    yield from (Span((beside or " ") * before, "dim"), Span(token, look))
    rest = sheet.wide - before - len(token)
    yield Span(("" if before else beside).ljust(rest) if rest else "", "dim")


def _on_flat(sheet: Sheet, here: list[tuple[Piece, Foot]], token: str, beside: str) -> Iterator[Span]:
    """A piece, a sign where there are others with it, then what it stands on."""
    piece, foot = here[0]
    before = 0 if _faces_left(piece, foot) else 1
    more = SEVERAL if len(here) > 1 else ""
    yield Span(" " * before)
    yield Span(token, f"{'spent' if SPENT in piece.badges else 'side'}-{piece.rank % LOOKS}")
    yield Span(f"{more}{beside}".ljust(sheet.cell - before - len(token)), "dim")


def _token(piece: Piece, foot: Foot) -> str:
    """A piece in a hex: its handle, and a sign for what the hex is to it, or where it faces."""
    if foot.role != "body":
        return piece.handle + FEET[foot.role]
    left, right = tuple(SIGNS[_kind(piece)])
    if piece.facing is None:
        return piece.handle
    if piece.pointed:
        before, behind = arrow(piece.facing)
        pointed = f"{before}{piece.handle}{behind}"
        return pointed if _kind(piece) == "craft" else f"{left}{pointed}{right}"
    return left + piece.handle if _faces_left(piece, foot) else piece.handle + right


def arrow(degrees: int) -> tuple[str, str]:
    """The signs before and behind a handle that faces so: ``<^`` stands before it, ``v>`` behind, ``^`` too."""
    x, y = round(cos(radians(degrees)), 3), round(sin(radians(degrees)), 3)
    upright = "^" if y < 0 else "v" if y > 0 else ""
    return (f"<{upright}", "") if x < 0 else ("", f"{upright}>" if x > 0 else upright)


def _faces_left(piece: Piece, foot: Foot) -> bool:
    """Whether the sign stands before the handle, which then begins where the sign of a hex would."""
    return foot.role == "body" and piece.facing is not None and 90 < piece.facing < 270


def _kind(piece: Piece) -> str:
    """How a piece stands, by its signs."""
    if SUBSPACE in piece.badges:
        return SUBSPACE
    unfound = UNFOUND in piece.badges
    if piece.light:
        return f"light-{UNFOUND}" if unfound else "light"
    return UNFOUND if unfound else "craft"


def _ground(sheet: Sheet, spot: Spot) -> tuple[str, str]:
    """The sign of a hex without a piece, and its style."""
    ground = sheet.grounds.get(spot)
    if ground is not None:
        return ground.glyph, "dim" if ground.texture == "solid" else ""
    zone = next((zone for zone in sheet.shown.zones if spot in zone.spots), None)
    return (ZONES[zone.rank % len(ZONES)], "dim") if zone else (OPEN, "dim")


def _bare(sheet: Sheet, spot: Spot, glyph: str) -> str:
    """A hex without a piece: terrain one cell before the number or the sign that it has besides."""
    shown = sheet.shown
    number = shown.numbers.get(spot)
    sign = str(number) if number is not None else LIT if spot in shown.lit else PATH if spot in shown.path else ""
    sign = f"{sheet.areas[spot]}{sign}" if spot in sheet.areas else sign
    beside = " " if not sign or glyph == OPEN or glyph in ZONES else glyph
    return f"{beside}{sign or glyph}"


# below the map


def _legend(sheet: Sheet, parts: list[Part], words: Words) -> Iterator[Styled]:
    """What the signs mean that stand in the map, and no others."""
    seen = {(column, row) for part in parts for row in part.rows for column in part.columns}
    bare = [spot for spot in seen if spot not in sheet.pieces]
    for glyph, what in (*_grounds(sheet, bare, words), *_marks(sheet, bare, words), *_pieces(sheet, seen, words)):
        yield styled(words.say("drawing.key", {"glyph": glyph, "what": what}))


def _grounds(sheet: Sheet, bare: list[Spot], words: Words) -> Iterator[tuple[str, str]]:
    glyphs = {_ground(sheet, spot)[0] for spot in bare}
    glyphs |= {ground.glyph for spot, ground in sheet.grounds.items() if spot in sheet.pieces}
    if OPEN in glyphs:
        yield OPEN, words.term("sign", "open")
    shown = [(ground.glyph, words.term("terrain", ground.kind)) for ground in sheet.shown.grounds]
    shown += [(ZONES[zone.rank % len(ZONES)], words.said(zone.what)) for zone in sheet.shown.zones]
    yield from ((glyph, word) for glyph, word in shown if glyph in glyphs)


def _marks(sheet: Sheet, bare: list[Spot], words: Words) -> Iterator[tuple[str, str]]:
    shown = sheet.shown
    numbers = [shown.numbers[spot] for spot in bare if spot in shown.numbers]
    if numbers:
        low, high = min(numbers), max(numbers)
        yield (f"{low}" if low == high else f"{low}-{high}"), words.term("sign", shown.meaning)
    if any(spot in shown.lit for spot in bare):
        yield LIT, words.term("sign", shown.meaning)
    yield from ((area.glyph, words.said(area.what)) for area in shown.areas if not area.spots.isdisjoint(bare))
    if any(spot in shown.path for spot in bare):
        yield PATH, words.term("sign", "path")


def _pieces(sheet: Sheet, seen: set[Spot], words: Words) -> Iterator[tuple[str, str]]:
    """The signs at the pieces."""
    shown = [(piece, foot) for spot, here in sheet.pieces.items() if spot in seen for piece, foot in here[:1]]
    facing = [piece for piece, foot in shown if foot.role == "body" and piece.facing is not None]
    bodies = {_kind(piece) for piece in facing if _kind(piece) != "craft" or not piece.pointed}
    if any(piece.pointed for piece in facing):
        yield ARROWS, words.term("sign", "facing")
    if sheet.shown.sheet.flat and any(len(here) > 1 for spot, here in sheet.pieces.items() if spot in seen):
        yield SEVERAL, words.term("sign", "several")
    for kind, signs in SIGNS.items():
        if kind in bodies:
            word = words.term("sign", "facing" if kind == "craft" else kind)
            yield (signs[0] if kind == SUBSPACE else " ".join(signs)), word
    for role, sign in FEET.items():
        if any(foot.role == role for _, foot in shown):
            yield sign, words.term("sign", role)


def _who(sheet: Sheet, words: Words, room: Room) -> list[Styled]:
    """The pieces of each side by handle and name, and whose hex holds more than one piece."""
    lines: list[Styled] = []
    for rank, side in enumerate(sheet.shown.sides):
        own = [piece for piece in sheet.shown.pieces if piece.rank == rank]
        fields = [[Span(piece.handle, f"side-{rank % LOOKS}"), Span(f" {_name(piece, words, room)}")] for piece in own]
        lines += flow([styled(_short(words.name(side), room), "head"), *fields], room, 0, 2) if own else []
    sites = [
        words.say("drawing.site", {"hex": " ".join(map(sheet.shown.sheet.label, site.spots)), "site": site.id})
        for site in sheet.shown.sites
    ]
    lines += flow([styled(site) for site in sites], room, 0, 2)
    for ground in sheet.shown.grounds:
        if under := dict.fromkeys(_upon(sheet, ground)):
            facts = {"terrain": words.term("terrain", ground.kind), "units": list(under)}
            lines += flow([styled(words.say("drawing.under", facts), "dim")], room, 0, 2)
    for spot, here in sheet.pieces.items():
        if len(here) > 1:
            facts = {"hex": sheet.shown.sheet.label(spot), "units": [piece.handle for piece, _ in here]}
            lines += flow([styled(words.say("drawing.several", facts), "dim")], room, 0, 2)
    return lines


def _upon(sheet: Sheet, ground: Ground) -> Iterator[str]:
    """The handles of pieces that leave no cell for the sign of what they stand on."""
    for spot, here in sheet.pieces.items():
        if spot in ground.spots and len(_token(*here[0])) == sheet.wide:
            yield here[0][0].handle


def _name(piece: Piece, words: Words, room: Room) -> str:
    return _short(words.name(piece.id), room)


def _short(name: str, room: Room) -> str:
    """A name whole in a pipe, and in a terminal where it is not too long."""
    return fit(name, NAME) if room.cut and cells(name) > NAME else name
