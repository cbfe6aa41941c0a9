"""Chapter 13.4: missiles move."""

from typing import NamedTuple

from gmtool.kernel.case import Case
from gmtool.kernel.system import Chapter
from gmtool.systems.talon.book import Book
from gmtool.systems.talon.model import Board

CHAPTER = Chapter("13")
AnyCase = Case[Board, Book]


class MissileMove(NamedTuple):
    """A missile moves its hex: ``way`` as a ship's (ahead, left, right), empty where nobody says."""

    missile: str
    way: str


@CHAPTER.rule(MissileMove)
def missile_move(case: AnyCase, command: MissileMove) -> None:
    """Not yet."""
