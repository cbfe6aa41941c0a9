"""What an exchange comes to, as rulings give it and ``odds`` foretells it: in all, and of each that is struck."""

from gmtool.kernel.case import Case
from gmtool.systems.talon.book import Book
from gmtool.systems.talon.model import Board

AnyCase = Case[Board, Book]
HULL, LOST = "hull", "lost"


def boxes(case: AnyCase, n: int, what: str, id: str) -> None:
    """Boxes of an arc's shield or of the hull; a reinforcement marker is a box of its arc (TL-6.2.1)."""
    case.tally("damage", n)
    case.tally(f"{what}.{id}", n)


def befell(case: AnyCase, what: str, id: str) -> None:
    """Something happened to a ship."""
    case.mark(f"{what}.{id}")
