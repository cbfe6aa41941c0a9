"""The dice of Talon: one six-sided die read as it lies, and the highest of several that decide among equals."""

from collections.abc import Callable, Sequence

from gmtool.kernel.case import Case
from gmtool.kernel.laws import Die
from gmtool.kernel.pools import Counts, Group, total
from gmtool.systems.talon.book import Book
from gmtool.systems.talon.model import Board

AnyCase = Case[Board, Book]
SIX = Die(6)


def d6(
    case: AnyCase, key: str, who: str, rule: str, keep: Callable[[tuple[Counts, ...]], int] = total
) -> int:  # fmt: skip
    """One die, asked for under its key alone, and what is kept of it."""
    return case.pool(key, who, [Group(1, SIX, ("",))], keep, rule=rule)


def highest(case: AnyCase, key: str, who: str, seats: Sequence[str], rule: str) -> str:
    """The seat with the highest of one die each; those that tie throw again; a single seat needs no die."""
    if len(seats) > 1 and (one := case.evenly(seats)) is not None:
        return one
    left, turn = list(seats), 1
    while len(left) > 1:
        pool = key if turn == 1 else f"{key}.{turn}"
        top = case.pool(pool, who, [Group(1, SIX, (seat,)) for seat in left], _top, rule=rule)
        left, turn = [left[place] for place in top], turn + 1
    return left[0]


def _top(counts: tuple[Counts, ...]) -> tuple[int, ...]:
    """The places of those that show the most."""
    faces = [int(next(iter(each))) for each in counts]
    return tuple([place for place, face in enumerate(faces) if face == max(faces)])
