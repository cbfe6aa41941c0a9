"""Chapters 3 and 4: whose turn it is in which impulse, the steps of a turn, who has AP and who must move."""

from typing import NamedTuple

from gmtool.kernel.case import Case
from gmtool.kernel.refusal import Id, Word
from gmtool.kernel.state import Rows, replace
from gmtool.kernel.system import Chapter
from gmtool.systems.talon.bearing import may_fire
from gmtool.systems.talon.book import Book
from gmtool.systems.talon.marks import powerless, to_repair
from gmtool.systems.talon.model import ACTIVE, HELD_MOVE, IMPULSE, OVER, SETUP, STEPS, Battle, Board, Ship
from gmtool.systems.talon.tables import ARCS

CHAPTER = Chapter("3")
AnyCase = Case[Board, Book]


class BeginTurn(NamedTuple):
    """A player's turn begins: the initiative player's, or after it the other's (TL-3.2)."""

    side: str


class TurnBegun(NamedTuple):
    """A player's turn in an impulse."""

    side: Id
    round: int
    impulse: str


class MarkerExpired(NamedTuple):
    """A shield reinforcement has lasted its round."""

    unit: Id
    arc: Word


class ApGiven(NamedTuple):
    """The ships to which the chart gives an AP in this impulse."""

    units: tuple[Id, ...]


class MovesDue(NamedTuple):
    """The ships and missiles that must move in this turn."""

    units: tuple[Id, ...]


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
    if not case.state.fights(ship):
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
    if STEPS.index(step) > STEPS.index("move") >= STEPS.index(battle.step):
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
    ships = [id for id, ship in state.fighting() if ship.side == side and not ship.moved and ship.speed in listed]
    return [*ships, *(id for id, missile in state.in_flight() if missile.side == side and not missile.moved)]


def with_ap(state: Board, side: str) -> list[str]:
    """The ships of a side that still have the AP of their turn (TL-4.1)."""
    return [id for id, ship in state.fighting() if ship.side == side and ship.ap > 0]


def coming(state: Board, side: str) -> list[str]:
    """The ships of a side that are not on the board yet (TL-3.2)."""
    return [id for id, ship in state.of_side(side) if _comes(state, ship)]


def _comes(state: Board, ship: Ship) -> bool:
    return ship.state == ACTIVE and ship.inside is None and not state.fights(ship)


def battery_ready(state: Board, book: Book, ship: Ship) -> bool:
    """Whether a battery is charged in an impulse in which the chart gives its ship nothing (TL-10.1.2)."""
    battle = state.battle
    assert battle is not None
    return ship.battery and book.ship_class(ship.sheet).battery and ship.power not in book.listed(battle.impulse)


def waits(state: Board, book: Book, side: str) -> dict[str, list[str]]:
    """By the steps of a turn, in their order, for which ships and missiles of a side something waits: who has an AP,
    must move, has an enemy to fire at or a marker to repair. What a side merely may do, an afterburner, makes no step
    (TL-3.2).
    """
    return {
        "ap": with_ap(state, side),
        "move": must_move(state, book, side),
        "fire": may_fire(state, book, side),
        "repair": [id for id, ship in state.fighting() if ship.side == side and to_repair(state, book, ship)],
    }


def open_steps(state: Board, book: Book, side: str) -> list[str]:
    """The steps of a turn in which something of a side waits."""
    return [step for step, waiting in waits(state, book, side).items() if waiting]


@CHAPTER.rule(BeginTurn)
def begin_turn(case: AnyCase, command: BeginTurn) -> None:
    """Own reinforcements of this impulse come off; then who has an AP and who must move (TL-3.2, 4.1, 6.2.3)."""
    battle, side = battle_on(case), command.side
    case.emit(TurnBegun(Id(side), battle.round, battle.impulse), "TL-3.2")
    _expire(case, battle, side)
    _power(case, battle, side)
    moving = must_move(case.state, case.book, side)
    if moving:
        case.emit(MovesDue(tuple([Id(id) for id in moving])), "TL-4.1")
    case.result(round=battle.round, impulse=battle.impulse, acting=side)


def _power(case: AnyCase, battle: Battle, side: str) -> None:
    """An AP for each ship whose power stands in the impulse; a house's chart may list it there twice (TL-4.1)."""
    listed = case.book.listed(battle.impulse)
    due = [(id, ship) for id, ship in case.state.fighting() if ship.side == side and ship.power in listed]
    own = [(Id(id), listed.count(ship.power)) for id, ship in due if not powerless(ship, case.choice)]
    for n in range(max([times for _, times in own], default=0)):
        case.emit(ApGiven(tuple([id for id, times in own if times > n])), "TL-4.1")


def _expire(case: AnyCase, battle: Battle, side: str) -> None:
    """Reinforcements of this impulse in an earlier round; the other side's too as the campaign reads it (A21.26)."""
    now = f"{battle.round}{battle.impulse}"
    for whose in (side, *(other for other in battle.sides if other != side)):
        over = [
            (id, arc) for id, ship in case.state.of_side(whose) if ship.markers for arc in ARCS
            if now != (placed := ship.markers.get(arc, "")) and placed.endswith(battle.impulse)
        ]  # fmt: skip
        if over and (whose == side or case.choice("tl-6.2.3") == "impulse"):
            for id, arc in over:
                case.emit(MarkerExpired(Id(id), Word(arc)), "TL-6.2.3")


@CHAPTER.effect(TurnBegun)
def turn_begun(state: Board, event: TurnBegun) -> Rows:
    """The side acts; none of its ships or missiles has done anything yet in this impulse."""
    battle = state.battle
    assert battle is not None
    now = replace(battle, phase=IMPULSE, acting=str(event.side), step=STEPS[0], firing=None)
    rows: Rows = {("battle", "now"): now}
    for id, ship in state.of_side(event.side):
        moved = HELD_MOVE in ship.held
        rows["ships", id] = replace(ship, ap=0, moved=moved, burned=False, tried=(), powered=False, held=())
    for id, missile in state.in_flight():
        if missile.side == event.side:
            rows["missiles", id] = replace(missile, moved=False)
    return rows


@CHAPTER.effect(MarkerExpired)
def marker_expired(state: Board, event: MarkerExpired) -> Rows:
    """The marker is off."""
    ship = state.ships[event.unit]
    return {("ships", event.unit): replace(ship, markers=ship.markers.without(event.arc))}


@CHAPTER.effect(ApGiven)
def ap_given(state: Board, event: ApGiven) -> Rows:
    """One AP each (TL-5.1)."""
    return {("ships", id): replace(state.ships[id], ap=state.ships[id].ap + 1) for id in event.units}
