"""Chapter 10 on the map: where a ram brings the rammer, whether its target can give way, where both end (RT-10.5)."""

from typing import NamedTuple

from gmtool.kernel.hex import Hex, add, last_step, minus
from gmtool.systems.rtype import lay
from gmtool.systems.rtype.book import Book
from gmtool.systems.rtype.model import Board


class Push(NamedTuple):
    """A blow upon a target: the hex beside it that it comes from, and the step it drives the target."""

    beside: Hex
    step: Hex


def push(state: Board, book: Book, id: str, target: str, part: str = "") -> Push | None:
    """Straight away from the blow; None where the two do not both stand on the map."""
    start, goal = lay.spot(state, state.units[id]), lay.target_hex(state, book, target, part)
    step = last_step(start, goal) if start is not None and goal is not None else None
    return None if step is None or goal is None else Push(minus(goal, step), step)


def pushed(state: Board, book: Book, target: str) -> str:
    """The unit that a blow upon a target moves: of an attached force the craft it sits on, which goes with it."""
    unit = state.units[target]
    return unit.attached_to if unit.attached_to and book.is_force(unit.sheet) else target


def cannot_give_way(state: Board, book: Book, id: str, target: str, part: str = "") -> bool:
    """Whether an obstacle, a unit or the map's edge is in the way of any of the target's hexes (RT-10.5, 10.6)."""
    driven = push(state, book, id, target, part)
    return driven is not None and not _free(state, book, pushed(state, book, target), driven.step, id)


def can_follow(state: Board, book: Book, id: str, step: Hex) -> bool:
    """Whether the rammer has room one hex further on."""
    return _free(state, book, id, step, id)


def _free(state: Board, book: Book, id: str, step: Hex, besides: str) -> bool:
    """Whether a unit and its force can be one step further on; ``besides``: a unit that is behind it."""
    assert state.map is not None
    ground, own = lay.ground(state.map), {id, state.units[id].attached_to, besides}
    held = {hex for other, _ in lay.on_the_board(state) if other not in own for hex in lay.covered(state, book, other)}
    return all(ground.free(hex) and hex not in held for hex in _shifted(state, book, id, step))


def _shifted(state: Board, book: Book, id: str, step: Hex) -> list[Hex]:
    return [add(hex, step) for hex in lay.with_force(state, book, id)]


def beyond(state: Board, id: str, step: Hex) -> str:
    """The hex one step on from where a unit stands, as it is written."""
    at = lay.spot(state, state.units[id])
    assert at is not None
    return lay.label(state, add(at, step))
