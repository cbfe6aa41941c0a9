"""Verbs that only show maps."""

from collections.abc import Callable
from typing import Any, NamedTuple

from gmtool.kernel.view import Line, Name, Say, View
from gmtool.systems.rtype.book import Book
from gmtool.systems.rtype.model import Board


class MapList(NamedTuple):
    """The maps that can be laid on the table."""


def maps(state: Board, book: Book) -> tuple[View, dict[str, Any]]:
    """A line for each map with its size."""
    found = {id: book.map(id) for id, _ in book.map_names()}
    lines = [
        Line(Say("view.map.row", {"id": id, "map": Name(id), "columns": map.columns, "rows": map.rows}))
        for id, map in found.items()
    ]
    rows = {id: {"columns": map.columns, "rows": map.rows, "terrain": map.terrain} for id, map in found.items()}
    return View(tuple(lines) or (Line(Say("view.map.none"), "dim"),)), {"maps": rows}


LOOKS: dict[type[Any], Callable[..., tuple[View, dict[str, Any]]]] = {
    MapList: lambda state, book, command: maps(state, book),
}
