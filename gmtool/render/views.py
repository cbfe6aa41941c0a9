"""Views of a game drawn as lines: tables whose columns line up in cells, and sentences.

In a pipe nothing is left out. In a terminal that is too narrow, names are shortened a little and columns move closer
together, then columns are left out and named, then names are shortened more; if even that is not enough, each row
becomes a block. Numbers and sentences are never cut.
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from gmtool.kernel.view import Cell, Column, Fields, Grid, Line, Name, Say, View
from gmtool.render.lines import PAGE, Room, Span, Styled, flow, joined, padded, styled, wrap
from gmtool.render.words import Words
from gmtool.text.catalogue import Catalogue, Names
from gmtool.text.width import cells, fit, pad

GAP = 2
_SHORT, _SHORTEST, _WHOLE = 16, 8, 1_000_000


class Piece(NamedTuple):
    """A cell in words: the column it begins at, the column it ends before, whether it is a name."""

    start: int
    end: int
    text: str
    style: str
    name: bool


class Table(NamedTuple):
    """A grid in words: a heading for each column, the pieces of each row."""

    columns: tuple[Column, ...]
    heads: list[str]
    rows: list[list[Piece]]

    @property
    def names(self) -> set[int]:
        """The columns that hold names."""
        return {piece.start for row in self.rows for piece in row if piece.name and piece.end == piece.start + 1}


class Layout(NamedTuple):
    """The columns that stay, each with the blanks before it and its width."""

    kept: list[int]
    gaps: dict[int, int]
    widths: dict[int, int]

    @property
    def width(self) -> int:
        """The cells of a line."""
        return sum(self.gaps.values()) + sum(self.widths.values())


def view(shown: View, catalogue: Catalogue, names: Names, room: Room = PAGE) -> list[Styled]:
    """All blocks of a view from top to bottom."""
    words = Words(catalogue, names)
    lines: list[Styled] = []
    for block in shown.blocks:
        if isinstance(block, Grid):
            lines += grid(block, words, room)
        elif isinstance(block, Fields):
            lines += flow([styled(words.said(say), block.style) for say in block.says], room, 0, 2)
        elif not isinstance(block, Line):
            from gmtool.render.hexes import drawing

            lines += drawing(block, words, room)
        else:
            lines += wrap(words.said(block.say), room, block.indent, block.indent + 2, block.style)
    return lines


def grid(shown: Grid, words: Words, room: Room) -> list[Styled]:
    """A grid under its title; a grid without rows says so."""
    title = wrap(words.said(shown.title), room, style="head") if shown.title else []
    if not shown.rows:
        return [*title, *wrap(words.say("view.empty"), room, 2, style="dim")]
    table = _table(shown, words)
    layout = _layout(table, room)
    if room.cut and layout.width > room.width:
        return [*title, *_blocks(table, room)]
    left_out = [table.heads[n] or table.columns[n].key for n in _filled(table) if n not in layout.kept]
    note = wrap(words.say("view.left-out", {"columns": left_out}), room, 0, 2, "dim") if left_out else []
    return [*title, *_lines(table, layout, room), *note]


def _table(shown: Grid, words: Words) -> Table:
    heads = [words.say(f"column.{column.key}") if column.key else "" for column in shown.columns]
    single = [[cell for row in shown.rows for cell in _at(row, n)] for n in range(len(shown.columns))]
    columns = tuple(_aligned(column, single[n]) for n, column in enumerate(shown.columns))
    return Table(columns, heads, [list(_pieces(row, words)) for row in shown.rows])


def _pieces(row: Sequence[Cell], words: Words) -> Iterator[Piece]:
    start = 0
    for cell in row:
        yield Piece(start, start + cell.span, cell_text(cell, words), cell.style, isinstance(cell.text, Name))
        start += cell.span


def _at(row: Sequence[Cell], column: int) -> Iterator[Cell]:
    """The cell of a row that takes this column alone, if there is one."""
    start = 0
    for cell in row:
        if start == column and cell.span == 1:
            yield cell
        start += cell.span


def _aligned(column: Column, cells: Sequence[Cell]) -> Column:
    """A column of nothing but whole numbers stands at the right whatever it says."""
    numbers = [cell.text for cell in cells if cell.text is not None]
    return column._replace(align="right") if numbers and all(type(text) is int for text in numbers) else column


def cell_text(cell: Cell, words: Words) -> str:
    """The text of a cell; nothing to show is ``-``."""
    if cell.text is None:
        return "-"
    if isinstance(cell.text, Say):
        return words.said(cell.text)
    return words.fact(cell.text)


# which columns, and how wide


def _layout(table: Table, room: Room) -> Layout:
    """All columns where there is room for them; else those with the highest ``drop`` go until the rest fits."""
    names, wide, own = table.names, _filled(table), [column.least for column in table.columns]
    whole = _laid(table, wide, GAP, names, [_WHOLE] * len(own))
    if not room.cut or whole.width <= room.width:
        return whole
    short = [max(least, _SHORT) for least in own]
    going = sorted((n for n in wide if table.columns[n].drop), key=lambda n: (table.columns[n].drop, n))
    while True:
        for gap, least in ((GAP, short), (1, short), (1, own)):
            if _laid(table, wide, gap, names, least).width <= room.width:
                return _given(table, wide, gap, names, room)
        if not going:
            return _given(table, wide, 1, names, room)
        wide = [n for n in wide if n != going[-1]]
        going.pop()


def _filled(table: Table) -> list[int]:
    """The columns that have a heading or anything in them."""
    used = {piece.start for row in table.rows for piece in row if piece.text and piece.end == piece.start + 1}
    return [n for n in range(len(table.columns)) if table.heads[n] or n in used]


def _laid(table: Table, kept: list[int], gap: int, names: set[int], least: Sequence[int]) -> Layout:
    """The columns with the width they need if names may be shortened to the ``least`` cells of each column."""
    gaps = {n: (1 if table.columns[n].close else gap) if n != kept[0] else 0 for n in kept}
    widths = {n: cells(table.heads[n]) for n in kept}
    for piece in (piece for row in table.rows for piece in row):
        if piece.end == piece.start + 1 and piece.start in widths:
            wide = cells(piece.text)
            wide = min(wide, least[piece.start]) if piece.start in names else wide
            widths[piece.start] = max(widths[piece.start], wide)
    _widen(table, widths, gaps)
    return Layout(kept, gaps, widths)


def _widen(table: Table, widths: dict[int, int], gaps: dict[int, int]) -> None:
    """Pieces over several columns, but for those that reach the end, widen the last of theirs where they must."""
    for piece in (piece for row in table.rows for piece in row):
        if piece.end == piece.start + 1 or piece.end == len(table.columns):
            continue
        over = [n for n in widths if piece.start <= n < piece.end]
        if over:
            widths[over[-1]] += max(0, cells(piece.text) - _over(over, widths, gaps))


def _over(columns: Sequence[int], widths: dict[int, int], gaps: dict[int, int]) -> int:
    """The cells that a piece over these columns has."""
    return sum(widths[n] for n in columns) + sum(gaps[n] for n in columns[1:])


def _given(table: Table, kept: list[int], gap: int, names: set[int], room: Room) -> Layout:
    """The columns of a table that is too wide: the widest names give way first."""
    layout = _laid(table, kept, gap, names, [_WHOLE] * len(table.columns))
    floor = _laid(table, kept, gap, names, [min(_SHORTEST, column.least) for column in table.columns]).widths
    widths = layout.widths
    for _ in range(layout.width - room.width):
        giving = [n for n in kept if n in names and widths[n] > floor[n]]
        if giving:
            widths[max(giving, key=widths.__getitem__)] -= 1
    return layout


# lines


def _lines(table: Table, layout: Layout, room: Room) -> list[Styled]:
    """The heading, if any column has one, and the rows; every line takes the same number of cells."""
    short = {n: _shortened(table, n, layout.widths[n]) for n in layout.kept}
    lines: list[Styled] = []
    if any(table.heads):
        heads = [Piece(n, n + 1, head, "head", False) for n, head in enumerate(table.heads)]
        lines += _line(heads, table, layout, room)
    for row in table.rows:
        shown = [piece._replace(text=short.get(piece.start, {}).get(piece.text, piece.text)) for piece in row]
        lines += _line(shown, table, layout, room)
    return lines


def _shortened(table: Table, column: int, width: int) -> dict[str, str]:
    """The texts of a column in ``width`` cells; different ones that came out the same are numbered."""
    pieces = [piece for row in table.rows for piece in row if (piece.start, piece.end) == (column, column + 1)]
    short = {piece.text: fit(piece.text, width) for piece in pieces}
    taken: dict[str, int] = {}
    for text, shown in short.items():
        taken[shown] = number = taken.get(shown, 0) + 1
        if number > 1:
            mark = f"#{number}"
            short[text] = fit(text, width - len(mark)) + mark
    return short


def _line(row: Sequence[Piece], table: Table, layout: Layout, room: Room) -> list[Styled]:
    """One row: more than one line only where a piece that reaches the end is too long for one."""
    line: Styled = []
    below: list[Styled] = []
    taken = 0
    for piece in row:
        over = [n for n in layout.kept if piece.start <= n < piece.end]
        if not over:
            continue
        start = taken + layout.gaps[over[0]]
        width = _over(over, layout.widths, layout.gaps)
        text = piece.text
        if piece.end > piece.start + 1 and piece.end == len(table.columns):
            first, *below = wrap(text, room, start, start + 2, piece.style) or [[Span("")]]
            text = first[-1].text
        align = table.columns[piece.start].align if piece.end == piece.start + 1 else "left"
        line += [Span(" " * layout.gaps[over[0]]), Span(pad(text, width, align), piece.style)]
        taken = start + width
    return [[span for span in line if span.text], *(padded(rest, layout.width) for rest in below)]


def _blocks(table: Table, room: Room) -> list[Styled]:
    """Each row as a heading and its other fields with their labels: nothing is left out."""
    lines: list[Styled] = []
    for first, *others in table.rows:
        lines += wrap(first.text, room, 0, 2, "head") if first.text else []
        fields = [
            joined([styled(table.heads[piece.start], "dim"), styled(piece.text, piece.style)], " ")
            for piece in others
            if piece.text
        ]
        lines += flow(fields, room, 2, 2)
    return lines
