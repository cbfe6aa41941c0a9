"""Chapters 3 and 4: whose turn it is in which impulse, the steps of a turn, who has AP and who must move."""

from typing import NamedTuple

from gmtool.kernel.case import Case
from gmtool.kernel.refusal import Id, Word
from gmtool.kernel.state import Rows, replace
from gmtool.kernel.system import Chapter
from gmtool.systems.talon.book import Book
from gmtool.systems.talon.model import ACTIVE, IMPULSE, OVER, SETUP, STEPS, Battle, Board, Ship

CHAPTER = Chapter("3")
AnyCase = Case[Board, Book]


class StepBegun(NamedTuple):
    """A side goes on to a later step of its turn."""

    side: Id
    step: Word


def battle_on(case: AnyCase) -> Battle:
    """The battle that is on. Refused ``wrong-phase`` where there is none."""
    battle = case.state.battle
    if battle is None or battle.phase == OVER:
        raise case.refuse("wrong-phase", "TL-3.1", key="no-battle")
    return battle


def in_step(case: AnyCase, id: str, step: str) -> Ship:
    """A ship that is to do something in a step of its side's turn; a later step begins by it (TL-3.2).

    Forbidden: ``not-active``, ``wrong-phase`` in another phase or the other side's turn, ``step-over`` once the step
    has gone by; ``must-move`` where a step after movement would leave a ship that still has to move.
    """
    battle = battle_on(case)
    ship = case.state.ships[id]
    if ship.state != ACTIVE or ship.at is None:
        raise case.refuse("not-active", "TL-5.1", unit=Id(id))
    turn_of(case, battle, ship.side, id)
    now = STEPS.index(battle.step)
    wanted = STEPS.index(step)
    if wanted < now:
        case.forbid("step-over", "TL-3.2", unit=Id(id), step=Word(step), now=Word(battle.step))
    elif wanted > now:
        go_to(case, battle, step)
    return ship


def turn_of(case: AnyCase, battle: Battle, side: str, id: str) -> None:
    """Forbidden unless an impulse runs and it is this side's turn in it (TL-3.2, 4.1)."""
    if battle.phase == SETUP:
        raise case.refuse("wrong-phase", "TL-3.1", key="still-setup")
    if battle.phase != IMPULSE:
        case.forbid("wrong-phase", "TL-3.1", key="no-impulse", phase=Word(battle.phase))
    elif battle.acting != side:
        case.forbid("wrong-phase", "TL-3.2", key="other-turn", unit=Id(id), side=Id(battle.acting or ""))


def go_to(case: AnyCase, battle: Battle, step: str) -> None:
    """On to a later step; past movement only when nobody has to move any more (TL-3.2, 7.1)."""
    side = battle.acting or ""
    if STEPS.index(step) > STEPS.index("move"):
        waiting = [Id(id) for id in must_move(case.state, case.book, side)]
        if waiting:
            case.forbid("must-move", "TL-7.1", units=waiting)
    case.emit(StepBegun(Id(side), Word(step)), "TL-3.2")


@CHAPTER.effect(StepBegun)
def step_begun(state: Board, event: StepBegun) -> Rows:
    """The step; nobody is in the middle of his fire."""
    battle = state.battle
    assert battle is not None
    return {("battle", "now"): replace(battle, step=str(event.step), firing=None)}


def must_move(state: Board, book: Book, side: str) -> list[str]:
    """The ships, bases and missiles of a side that still have to move or turn in this impulse (TL-4.1, 7.1, 13.4)."""
    battle = state.battle
    assert battle is not None
    listed = book.listed(battle.impulse)
    ships = [id for id, ship in state.on_board() if ship.side == side and not ship.moved and ship.speed in listed]
    return [*ships, *(id for id, missile in state.in_flight() if missile.side == side and not missile.moved)]
