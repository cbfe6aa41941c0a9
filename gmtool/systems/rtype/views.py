"""What R-TYPE shows: the board, one thing whole, sheets, and what is expected next. No words and no widths here.

Rows that rules read are shown as they stand; nothing is worked out that a rule works out. What is asked for after
every ruling is here at once, the rest when it is looked at.
"""

from gmtool.kernel.view import View
from gmtool.systems.rtype.book import Book
from gmtool.systems.rtype.model import Board
from gmtool.systems.rtype.views_moment import header, next_line, where

__all__ = ["board", "chronicle", "header", "is_own", "known", "next_line", "sheet", "sheets", "sides", "thing", "where"]


def board(state: Board, book: Book) -> View:
    """The whole board: moment, the units side by side with their figures, pilots in trouble, what is due."""
    from gmtool.systems.rtype import views_board

    return views_board.board(state, book)


ASIDES = ("searched", "steps_over")
"""What a report leaves out of a ruling that brought more than that: who found whom, whose steps are over."""

LAWS = {"percent": (10, 10)}
"""The dice that a law reads, for lines of the journal from before they were kept with each throw."""

OPENS = (
    "encounter_fired", "counter_fired", "counter_lapsed", "part_attacked", "struck_in_area",
)  # fmt: skip
"""What begins a line of a panel: somebody fires in turn, or the next one in an area is struck."""


def chronicle(state: Board, book: Book, session: int | None) -> View:
    """What the battles of a session (None: all) came to, and how things stand: the end of a report."""
    from gmtool.systems.rtype import views_chronicle

    return views_chronicle.chronicle(state, book, session)


def thing(state: Board, book: Book, id: str) -> View | None:
    """A unit, pilot, side or place whole; None for an id that is none of these."""
    from gmtool.systems.rtype import views_thing

    return views_thing.thing(state, book, id)


def sheets(book: Book) -> View:
    """All sheets that units can be added from, a line each."""
    from gmtool.systems.rtype import views_sheet

    return views_sheet.sheets(book)


def sheet(book: Book, id: str) -> View:
    """A sheet: its figures, what it can do, what it combines with, its weapons."""
    from gmtool.systems.rtype import views_sheet

    return views_sheet.sheet(book, id)


def sides(state: Board) -> list[str]:
    """Whose eyes the board can be looked at with: the sides."""
    return state.sides_in_order()


def known(state: Board, book: Book, side: str) -> Board:
    """The board as a side may know it (RT-6.6)."""
    from gmtool.systems.rtype import known as projection

    return projection.known(state, book, side)


def is_own(state: Board, id: str) -> bool:
    """Whether a side may know all of a thing."""
    from gmtool.systems.rtype import known as projection

    return projection.is_own(state, id)
