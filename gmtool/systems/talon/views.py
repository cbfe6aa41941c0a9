"""What Talon shows: the board, one thing whole, the moment of play and what is expected next. No words, no widths.

Rows that rules read are shown as they stand; nothing is worked out that a rule works out. All lies open on the table,
so there is no view of one side alone.
"""

from gmtool.kernel.view import View
from gmtool.systems.talon.book import Book
from gmtool.systems.talon.model import Board
from gmtool.systems.talon.views_moment import header, next_line, where

ASIDES = ("step_begun", "moves_due", "ap_spent")
"""Events that a report leaves out where there is anything else to tell."""
__all__ = ["ASIDES", "board", "chronicle", "header", "next_line", "thing", "where"]


def board(state: Board, book: Book) -> View:
    """The whole board: moment, ships side by side with their figures, missiles, terrain, what is expected."""
    from gmtool.systems.talon import views_board

    return views_board.board(state, book)


def chronicle(state: Board, book: Book, session: int | None) -> View:
    """How things stand: the end of a report."""
    from gmtool.systems.talon import views_board

    return views_board.chronicle(state, book)


def thing(state: Board, book: Book, id: str) -> View | None:
    """A ship, base or squadron as its record, a side, missile or terrain; None for an id that is none of these."""
    from gmtool.systems.talon import views_thing

    return views_thing.thing(state, book, id)
