"""The verb that shows the places of the table's sheet: resources and facilities (RT-12.8, 12.9)."""

from collections.abc import Callable
from typing import Any, NamedTuple

from gmtool.kernel.state import encode
from gmtool.kernel.view import Block, Fields, Line, Name, Say, View, Word
from gmtool.systems.rtype.model import Board
from gmtool.systems.rtype.views_board import place_figures


class PlaceList(NamedTuple):
    """All places: what lies there, or how far each side has occupied it."""


def places(state: Board) -> tuple[View, dict[str, Any]]:
    """A line for each place, and the rows for scripts."""
    blocks: list[Block] = [
        Fields((Say("view.place", {"place": Name(id), "kind": Word(place.kind)}), *place_figures(state, place)))
        for id, place in state.places.items()
    ]
    shown = blocks or [Line(Say("view.no-places"), "dim")]
    return View(tuple(shown)), {"places": {id: encode(place) for id, place in state.places.items()}}


LOOKS: dict[type[Any], Callable[..., tuple[View, dict[str, Any]]]] = {
    PlaceList: lambda state, book, command: places(state),
}
