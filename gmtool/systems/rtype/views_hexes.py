"""The board's column of hexes, where a map lies on the table."""

from collections.abc import Sequence

from gmtool.kernel.view import Cell, Column, Grid
from gmtool.systems.rtype.model import Board

Row = tuple[Cell, ...]
_AT = 2
"""Behind handle and name."""


def with_hexes(state: Board, columns: Sequence[Column], rows: Sequence[Row]) -> Grid:
    """The table with the hex of each unit in a narrow column; the last cell of rows of others spans it."""
    return Grid(
        None, (*columns[:_AT], Column("at", close=True), *columns[_AT:]), tuple(_with_hex(state, row) for row in rows)
    )


def _with_hex(state: Board, row: Row) -> Row:
    if len(row) <= _AT:
        return *row[:-1], row[-1]._replace(span=row[-1].span + 1)
    return *row[:_AT], Cell(state.units[str(row[1].text)].at or ""), *row[_AT:]
