"""Chapter 8.6: destruction."""

from typing import NamedTuple

from gmtool.kernel.case import Case
from gmtool.kernel.refusal import Id
from gmtool.kernel.state import Rows, replace
from gmtool.kernel.system import Chapter
from gmtool.systems.talon.book import Book
from gmtool.systems.talon.model import DESTROYED, Board

CHAPTER = Chapter("8")
AnyCase = Case[Board, Book]


class Destroy(NamedTuple):
    """A ship is destroyed at once."""

    id: str
    rule: str


class Destroyed(NamedTuple):
    """A ship is gone."""

    unit: Id


@CHAPTER.rule(Destroy)
def destroy(case: AnyCase, command: Destroy) -> None:
    """It leaves the board."""
    case.emit(Destroyed(Id(command.id)), command.rule)


@CHAPTER.effect(Destroyed)
def destroyed(state: Board, event: Destroyed) -> Rows:
    """The ship is off the board."""
    return {("ships", event.unit): replace(state.ships[event.unit], state=DESTROYED, at=None)}
