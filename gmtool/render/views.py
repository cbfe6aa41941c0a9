"""Views of a game drawn as lines: tables whose columns line up in cells, and sentences.

In a pipe nothing is left out. In a terminal that is too narrow, names are shortened a little, then columns are
left out and named, then names are shortened more; if even that is not enough, each row becomes a block. Numbers
and sentences are never cut.
"""

from collections.abc import Sequence
from typing import NamedTuple

from gmtool.kernel.view import Cell, Column, Grid, Name, Say, View
from gmtool.render.lines import PAGE, Room, Span, Styled, flow, joined, styled, wrap
from gmtool.render.words import Words
from gmtool.text.catalogue import Catalogue, Names
from gmtool.text.width import cells, fit, pad

GAP = "  "
_SHORT, _SHORTEST = 16, 8


class Table(NamedTuple):
    """A grid in words: a heading for each column, the text of each cell, and which columns hold names."""

    columns: tuple[Column, ...]
    heads: list[str]
    texts: list[list[str]]
    styles: Sequence[Sequence[str]]
    names: list[bool]


def view(shown: View, catalogue: Catalogue, names: Names, room: Room = PAGE) -> list[Styled]:
    """All blocks of a view from top to bottom."""
    words = Words(catalogue, names)
    lines: list[Styled] = []
    for block in shown.blocks:
        if isinstance(block, Grid):
            lines += grid(block, words, room)
        else:
            lines += wrap(words.said(block.say), room, block.indent, block.indent + 2, block.style)
    return lines


def grid(shown: Grid, words: Words, room: Room) -> list[Styled]:
    """A grid under its title; a grid without rows says so."""
    title = wrap(words.said(shown.title), room, style="head") if shown.title else []
    if not shown.rows:
        return [*title, *wrap(words.say("view.empty"), room, 2, style="dim")]
    table = _table(shown, words)
    kept = _kept(table, room)
    least = _width(table, kept, _SHORTEST)
    if room.cut and least > room.width:
        return [*title, *_blocks(table, room)]
    left_out = [table.heads[n] or table.columns[n].key for n in range(len(table.columns)) if n not in kept]
    note = wrap(words.say("view.left-out", {"columns": left_out}), room, 0, 2, "dim") if left_out else []
    return [*title, *_rows(table, kept, room), *note]


def _table(shown: Grid, words: Words) -> Table:
    heads = [words.say(f"column.{column.key}") if column.key else "" for column in shown.columns]
    texts = [[cell_text(cell, words) for cell in row] for row in shown.rows]
    styles = [[cell.style for cell in row] for row in shown.rows]
    names = [any(isinstance(row[n].text, Name) for row in shown.rows) for n in range(len(shown.columns))]
    columns = tuple(_aligned(column, [row[n] for row in shown.rows]) for n, column in enumerate(shown.columns))
    return Table(columns, heads, texts, styles, names)


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


def _least(table: Table, column: int, short: int) -> int:
    """The width a column needs if its names may be shortened to ``short`` cells."""
    widest = max(cells(row[column]) for row in table.texts)
    return max(cells(table.heads[column]), min(widest, short) if table.names[column] else widest)


def _width(table: Table, kept: Sequence[int], short: int) -> int:
    return sum(_least(table, n, short) for n in kept) + len(GAP) * (len(kept) - 1)


def _kept(table: Table, room: Room) -> list[int]:
    """The columns that stay: in a terminal those with the highest ``drop`` go until the rest fits."""
    kept = list(range(len(table.columns)))
    going = sorted((n for n in kept if table.columns[n].drop), key=lambda n: (table.columns[n].drop, n))
    while room.cut and going and _width(table, kept, _SHORT) > room.width:
        kept.remove(going.pop())
    return kept


def _rows(table: Table, kept: Sequence[int], room: Room) -> list[Styled]:
    """The heading, if any column has one, and the rows; every line takes the same number of cells."""
    widths = _widths(table, kept, room)
    texts = {n: _shortened([row[n] for row in table.texts], widths[n]) for n in kept}
    lines = [[(table.heads[n], "head") for n in kept]] if any(table.heads) else []
    lines += [[(texts[n][r], style[n]) for n in kept] for r, style in enumerate(table.styles)]
    return [
        joined(
            [
                [Span(pad(text, widths[n], table.columns[n].align), style)]
                for n, (text, style) in zip(kept, line, strict=True)
            ],
            GAP,
        )
        for line in lines
    ]


def _widths(table: Table, kept: Sequence[int], room: Room) -> dict[int, int]:
    """The width of each column; the widest names give way first."""
    widths = {n: _least(table, n, room.width + 1_000_000) for n in kept}
    over = sum(widths.values()) + len(GAP) * (len(kept) - 1) - room.width if room.cut else 0
    for _ in range(over):
        giving = [n for n in kept if table.names[n] and widths[n] > _least(table, n, _SHORTEST)]
        if giving:
            widths[max(giving, key=widths.__getitem__)] -= 1
    return widths


def _shortened(texts: Sequence[str], width: int) -> list[str]:
    """Texts in ``width`` cells; different ones that came out the same are numbered."""
    short = {text: fit(text, width) for text in texts}
    taken: dict[str, int] = {}
    for text, shown in short.items():
        taken[shown] = number = taken.get(shown, 0) + 1
        if number > 1:
            mark = f"#{number}"
            short[text] = fit(text, width - len(mark)) + mark
    return [short[text] for text in texts]


def _blocks(table: Table, room: Room) -> list[Styled]:
    """Each row as a heading and its other fields with their labels: nothing is left out."""
    lines: list[Styled] = []
    for texts, styles in zip(table.texts, table.styles, strict=True):
        lines += wrap(texts[0], room, 0, 2, "head")
        fields = [
            joined([styled(head, "dim"), styled(text, style)], " ")
            for head, text, style in zip(table.heads[1:], texts[1:], styles[1:], strict=True)
            if text
        ]
        lines += flow(fields, room, 2, 2)
    return lines
