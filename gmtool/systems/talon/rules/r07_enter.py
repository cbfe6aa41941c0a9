"""Chapter 7.4 and what else a ship meets in the hex it has come into."""

from typing import NamedTuple

from gmtool.kernel.case import Case
from gmtool.kernel.system import Chapter
from gmtool.systems.talon.book import Book
from gmtool.systems.talon.model import Board

CHAPTER = Chapter("7")
AnyCase = Case[Board, Book]


class Entered(NamedTuple):
    """A ship has come into a hex: from which (its label), and how: straight, turn, slip, push or pull."""

    id: str
    came_from: str
    how: str


@CHAPTER.rule(Entered)
def entered(case: AnyCase, command: Entered) -> None:
    """Nothing meets it yet."""
