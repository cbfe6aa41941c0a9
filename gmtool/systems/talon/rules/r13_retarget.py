"""Chapter 13.7: a missile gets a new target."""

from typing import NamedTuple

from gmtool.kernel.case import Case
from gmtool.kernel.system import Chapter
from gmtool.systems.talon.book import Book
from gmtool.systems.talon.model import Board

CHAPTER = Chapter("13")
AnyCase = Case[Board, Book]


class Retarget(NamedTuple):
    """A ship with a launcher spends an AP, or where said its battery's, on a missile's new target."""

    ship: str
    missile: str
    target: str
    battery: bool = False


@CHAPTER.rule(Retarget)
def retarget(case: AnyCase, command: Retarget) -> None:
    """Not yet."""
