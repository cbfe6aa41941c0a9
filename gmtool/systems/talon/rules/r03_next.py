"""Chapters 3, 4 and 9: what comes next in a round, and what a player's turn leaves behind as it ends."""

from typing import Annotated, NamedTuple

from gmtool.kernel.case import Case
from gmtool.kernel.refusal import Id, Word
from gmtool.kernel.state import Rows, replace
from gmtool.kernel.system import Chapter
from gmtool.kernel.words import Arg, Opt, one_of
from gmtool.systems.talon.book import Book
from gmtool.systems.talon.model import (
    IMPULSE,
    POWER,
    REINFORCEMENT,
    RETREAT,
    SETUP,
    STEPS,
    Battle,
    Board,
)  # fmt: skip
from gmtool.systems.talon.rules.r03_time import BeginTurn, battle_on, coming, go_to, must_move, open_steps
from gmtool.systems.talon.rules.r04_initiative import CheckInitiative
from gmtool.systems.talon.rules.r07_forced import slips_off
from gmtool.systems.talon.rules.r09_power import BreakUps, Curves, PowerTurn
from gmtool.systems.talon.rules.r11_retreat import may_jump
from gmtool.systems.talon.rules.r18_pull import PullAll
from gmtool.systems.talon.tables import LETTERS
from gmtool.systems.talon.words import SIDE

CHAPTER = Chapter("3")
AnyCase = Case[Board, Book]


class Next(NamedTuple):
    """The GM passes on: to the next step in which there is something to do, else past the end of the turn or phase."""

    to: Annotated[str, Arg(one_of("to", "step", "turn"))] = "step"
    initiative: Annotated[str, Opt("--initiative", SIDE)] = ""


class ImpulseOver(NamedTuple):
    """Both players have had their turns, and the initiative of the next impulse is known."""


class AfterPower(NamedTuple):
    """The Power Phase and the pull of black holes are through (TL-3.2)."""


class TurnOver(NamedTuple):
    """A player's turn is over."""

    side: Id


class ApLost(NamedTuple):
    """These ships have not spent their AP of the impulse."""

    units: tuple[Id, ...]


class ImpulseBegun(NamedTuple):
    """The next impulse of the round."""

    impulse: str


class RoundBegun(NamedTuple):
    """A round begins with impulse A."""

    round: int


class PhaseBegun(NamedTuple):
    """A side's part of the Reinforcement or Retreat Phase."""

    phase: Word
    side: Id


@CHAPTER.rule(Next)
def next_(case: AnyCase, command: Next) -> None:
    """On by one: a step, a player's turn, an impulse, a player's part of a phase, a round (TL-3.1, 3.2)."""
    battle = battle_on(case)
    if battle.phase == SETUP:
        raise case.refuse("wrong-phase", "TL-3.1", key="still-setup")
    if battle.phase == IMPULSE:
        _in_turn(case, battle, command)
        return
    _too_early(case, battle, command)
    if battle.phase == POWER:
        _after_power_turn(case, battle)
    else:
        _onward(case, (battle.phase, battle.acting or ""))


def _too_early(case: AnyCase, battle: Battle, command: Next) -> None:
    """Who holds the initiative is said as an impulse ends, and at no other time (TL-4.2)."""
    if command.initiative not in ("", battle.initiative):
        raise case.refuse("nothing-to-do", "TL-4.2", key="initiative-later", side=Id(command.initiative))


def _in_turn(case: AnyCase, battle: Battle, command: Next) -> None:
    """Past what the side is asked to do now, to the next step that waits, unless the whole turn is to end (TL-3.2)."""
    side = battle.acting or ""
    ahead = STEPS[STEPS.index(battle.step) :]
    _asked, *later = [step for step in open_steps(case.state, case.book, side) if step in ahead] or [""]
    if command.to == "step" and later:
        _too_early(case, battle, command)
        go_to(case, battle, later[0])
        return
    waiting = [Id(id) for id in must_move(case.state, case.book, side)]
    if waiting and battle.step in ("ap", "move"):
        case.forbid("must-move", "TL-7.1", units=waiting)
    left = tuple([Id(id) for id, ship in case.state.fighting() if ship.side == side and ship.ap])
    if left:
        case.emit(ApLost(left), "TL-6.1")
    case.emit(TurnOver(Id(side)), "TL-3.2")
    if battle.first:
        _too_early(case, battle, command)
        case.follow(BeginTurn(battle.second))
    else:
        case.follow(CheckInitiative(command.initiative))
        case.follow(ImpulseOver())


@CHAPTER.effect(TurnOver)
def turn_over(state: Board, event: TurnOver) -> Rows:
    """Nobody is in the middle of his fire."""
    battle = state.battle
    assert battle is not None
    return {("battle", "now"): replace(battle, firing=None)}


@CHAPTER.effect(ApLost)
def ap_lost(state: Board, event: ApLost) -> Rows:
    """Only a battery stores an AP."""
    return {("ships", str(id)): replace(state.ships[id], ap=0) for id in event.units}


@CHAPTER.rule(ImpulseOver)
def impulse_over(case: AnyCase, command: ImpulseOver) -> None:
    """The next impulse, or after F the Power Phase, the initiative player's part first (TL-3.1, 9.1)."""
    battle = battle_on(case)
    place = LETTERS.index(battle.impulse) + 1
    if place == len(LETTERS):
        case.follow(PowerTurn(battle.initiative))
        return
    case.keep(ImpulseBegun(LETTERS[place]), "TL-3.1")
    case.follow(BeginTurn(battle.initiative))


@CHAPTER.effect(ImpulseBegun)
def impulse_begun(state: Board, event: ImpulseBegun) -> Rows:
    """The marker on the next column of the chart."""
    battle = state.battle
    assert battle is not None
    return {("battle", "now"): replace(battle, phase=IMPULSE, impulse=event.impulse)}


def _after_power_turn(case: AnyCase, battle: Battle) -> None:
    """The curves not yet written; the other player's part, or what ends the phase (TL-5.4.5, 9.1, 18.2)."""
    case.follow(Curves(battle.acting or ""))
    if battle.first:
        case.follow(PowerTurn(battle.second))
        return
    case.follow(BreakUps())
    case.follow(PullAll())
    case.follow(AfterPower())


@CHAPTER.rule(AfterPower)
def after_power(case: AnyCase, command: AfterPower) -> None:
    """The first part of what is left of the round (TL-3.2)."""
    _onward(case, None)


def _onward(case: AnyCase, now: tuple[str, str] | None) -> None:
    """The next part of the Reinforcement and Retreat Phases in which anyone can do anything, else a new round."""
    battle = battle_on(case)
    order = [(phase, side) for phase in (REINFORCEMENT, RETREAT) for side in (battle.initiative, battle.second)]
    for phase, side in order[order.index(now) + 1 if now in order else 0 :]:
        if _has_part(case, phase, side):
            case.emit(PhaseBegun(Word(phase), Id(side)), "TL-3.2")
            case.result(round=battle.round, phase=phase, acting=side)
            return
    case.emit(RoundBegun(battle.round + 1), "TL-9.4")
    slips_off(case)
    if battle.rounds is not None and battle.round >= battle.rounds:
        case.warn("rounds-over", "TL-9.4", rounds=battle.rounds)
    case.follow(BeginTurn(battle.initiative))


def _has_part(case: AnyCase, phase: str, side: str) -> bool:
    """Whether a side has ships still to come, or ships that may jump."""
    if phase == REINFORCEMENT:
        return bool(coming(case.state, side))
    return bool(may_jump(case.state, case.book, side))


@CHAPTER.effect(PhaseBegun)
def phase_begun(state: Board, event: PhaseBegun) -> Rows:
    """The phase, and whose part it is; who comes now is there from the next round on (TL-11.1.3)."""
    battle = state.battle
    assert battle is not None
    rows: Rows = {("battle", "now"): replace(battle, phase=str(event.phase), acting=str(event.side), done=())}
    for id in coming(state, event.side) if event.phase == REINFORCEMENT else ():
        rows["ships", id] = replace(state.ships[id], joined=battle.round + 1)
    return rows


@CHAPTER.effect(RoundBegun)
def round_begun(state: Board, event: RoundBegun) -> Rows:
    """Impulse A of the round."""
    battle = state.battle
    assert battle is not None
    return {("battle", "now"): replace(battle, phase=IMPULSE, round=event.round, impulse=LETTERS[0], done=())}
