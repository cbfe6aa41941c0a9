"""Chapter 7: what becomes of counters and markers apart from a ship's own move (TL-7.2.2, 7.3.2, A21.16 to A21.19)."""

from typing import NamedTuple

from gmtool.kernel.case import Case
from gmtool.kernel.refusal import Id
from gmtool.kernel.state import Rows, replace
from gmtool.kernel.system import Chapter
from gmtool.systems.talon.book import Book
from gmtool.systems.talon.model import HELD_MOVE, IMPULSE, Board, Ship

CHAPTER = Chapter("7")
AnyCase = Case[Board, Book]


class CounterOut(NamedTuple):
    """How many hexes ahead a ship has to go before it may turn again."""

    unit: Id
    counter: int


class SlipGone(NamedTuple):
    """A slip marker comes off at a move, whether it was used or not."""

    unit: Id


class MoveGone(NamedTuple):
    """A forced move counts as the ship's move of the impulse."""

    unit: Id


def forced(case: AnyCase, id: str) -> None:
    """A push or pull uses up no slip marker and is not the ship's move, but for other readings (A21.16)."""
    ship = case.state.ships.get(id)
    if ship is None:
        return
    if ship.slip and case.choice("tl-7.3.2-forced") == "lost":
        case.emit(SlipGone(Id(id)), "TL-7.3.2")
    if _is_due(case, ship) and case.choice("tl-7.1-forced") == "moved":
        case.emit(MoveGone(Id(id)), "TL-7.1")


def _is_due(case: AnyCase, ship: Ship) -> bool:
    """Whether its own move of this impulse is still to come, with its side's turn (TL-4.1)."""
    battle = case.state.battle
    if battle is None or battle.phase != IMPULSE or not battle.first or ship.side == battle.acting:
        return False
    return HELD_MOVE not in ship.held and ship.speed in case.book.listed(battle.impulse)


def wider(case: AnyCase, id: str, by: int) -> None:
    """A change of turn radius leaves a counter that is out, but for another reading (TL-7.2.2, A21.17)."""
    counter = case.state.ships[id].counter
    if by and counter and case.choice("tl-7.2.2") == "follows":
        case.emit(CounterOut(Id(id), max(0, counter + by)), "TL-7.2.2")


def slips_off(case: AnyCase) -> None:
    """Slip markers stay over the end of a round, but for another reading (TL-7.3.2, A21.18)."""
    slipping = [id for id, ship in case.state.fighting() if ship.slip]
    if slipping and case.choice("tl-7.3.2") == "round":
        for id in slipping:
            case.emit(SlipGone(Id(id)), "TL-7.3.2")


@CHAPTER.effect(CounterOut)
def counter_out(state: Board, event: CounterOut) -> Rows:
    """The number of the turn counter."""
    return {("ships", event.unit): replace(state.ships[event.unit], counter=event.counter)}


@CHAPTER.effect(SlipGone)
def slip_gone(state: Board, event: SlipGone) -> Rows:
    """No marker any more."""
    return {("ships", event.unit): replace(state.ships[event.unit], slip=False)}


@CHAPTER.effect(MoveGone)
def move_gone(state: Board, event: MoveGone) -> Rows:
    """Its side's turn begins with this move made."""
    return {("ships", event.unit): replace(state.ships[event.unit], held=(HELD_MOVE,))}
