"""Chapters 2, 3 and 13 as far as they need no map: initiative, phases, moving, passing, the end of a phase."""

from typing import Annotated, NamedTuple

from gmtool.kernel.case import Case
from gmtool.kernel.laws import dice_of
from gmtool.kernel.refusal import Id, Word
from gmtool.kernel.state import Map, Rows, replace
from gmtool.kernel.system import Chapter
from gmtool.kernel.words import Arg, number, typed
from gmtool.systems.rtype.book import Book
from gmtool.systems.rtype.model import Battle, Board, Unit
from gmtool.systems.rtype.words import SIDE, UNIT

CHAPTER = Chapter("2")
AnyCase = Case[Board, Book]


class Initiative(NamedTuple):
    """Both sides roll for the turn."""


class InitiativeThrow(NamedTuple):
    """One throw of both sides; a further one after a tie between sides of one kind."""

    throw: int


class First(NamedTuple):
    """The winner of the initiative has chosen who goes first."""

    side: Annotated[str, Arg(SIDE)]


class Move(NamedTuple):
    """A unit moves a number of hexes on the table's sheet."""

    unit: Annotated[str, Arg(UNIT)]
    hexes: Annotated[int, Arg(number("hexes", 0, 200))]


class Pass(NamedTuple):
    """A unit does nothing more in this phase."""

    unit: Annotated[str, Arg(UNIT)]


class EndPhase(NamedTuple):
    """The acting side's phase ends, whether or not all its units have acted."""


class InitiativeTied(NamedTuple):
    """Equal totals that the rules settle by rolling again."""

    total: int


class InitiativeRolled(NamedTuple):
    """A side's total."""

    side: Id
    total: int


class InitiativeWon(NamedTuple):
    """A side has won the initiative and chooses."""

    side: Id
    totals: Map[int]
    tied: bool


class PhaseBegun(NamedTuple):
    """A side's phase begins."""

    side: Id
    phase: Word
    order: tuple[str, ...]


class Moved(NamedTuple):
    """A unit has moved on its fuel."""

    unit: Id
    hexes: int
    fuel: int


class MovedFree(NamedTuple):
    """A unit that needs no fuel has moved."""

    unit: Id
    hexes: int


class Passed(NamedTuple):
    """A unit has passed."""

    unit: Id


class Charged(NamedTuple):
    """A unit has gained a charge stage."""

    unit: Id
    before: int
    after: int


class TurnBegun(NamedTuple):
    """A new turn, with a new initiative to roll."""

    turn: int


def battle_on(case: AnyCase) -> Battle:
    """The battle that is on; refused where there is none."""
    battle = case.state.battle
    if battle is None or battle.phase == "over":
        raise case.refuse("wrong-phase", "RT-2.1", key="no-battle")
    return battle


def may_act(case: AnyCase, id: str, rule: str) -> Unit:
    """The unit, if it may act now: its side's phase, in the battle, not spent (RT-2.5)."""
    battle = battle_on(case)
    unit = case.state.units[id]
    if unit.state != "active":
        case.forbid("not-active", "RT-10.9", unit=Id(id))
    if battle.phase not in {"first", "second"}:
        case.forbid("wrong-phase", "RT-2.4", key="no-phase-yet", turn=battle.turn)
    elif unit.side != battle.acting:
        case.forbid("wrong-phase", "RT-2.5", key="not-your-phase", unit=Id(id), side=Id(battle.acting or ""))
    if unit.acted:
        case.forbid("already-acted", rule, unit=Id(id))
    if unit.pilot and case.state.pilot_of(unit) is None:
        case.forbid("pilot-out", "RT-7.3", pilot=Id(unit.pilot), unit=Id(id))
    return unit


@CHAPTER.rule(Initiative)
def initiative(case: AnyCase, command: Initiative) -> None:
    """Each side rolls 2D6, once a turn (RT-2.2, 2.4)."""
    battle = battle_on(case)
    if battle.phase != "initiative" or battle.winner:
        case.forbid("wrong-phase", "RT-2.4", key="initiative-done", turn=battle.turn)
    case.follow(InitiativeThrow(1))


@CHAPTER.rule(InitiativeThrow)
def initiative_throw(case: AnyCase, command: InitiativeThrow) -> None:
    """The higher total chooses. Equal: the players' side wins, else both roll again (RT-2.2, 2.3)."""
    battle = battle_on(case)
    sides = [side for side in case.state.sides_in_order() if side in battle.sides]
    players = [side for side in sides if case.state.sides[side].players]
    totals = {side: _total(case, side, command.throw) for side in sides}
    high = max(totals.values())
    best = [side for side in sides if totals[side] == high]
    if len(best) > 1 and len(players) != 1:
        case.emit(InitiativeTied(high), "RT-2.3")
        case.follow(InitiativeThrow(command.throw + 1))
        return
    winner = best[0] if len(best) == 1 else players[0]
    case.emit(InitiativeWon(Id(winner), Map(totals), len(best) > 1), "RT-2.3" if len(best) > 1 else "RT-2.2")
    case.result(winner=winner)
    command_line = f"first {typed(case.state.sides[winner].name)}"
    case.due("choose-order", "choose-order", winner, command_line, rule="RT-2.2")


def _total(case: AnyCase, side: str, throw: int) -> int:
    key = f"initiative.{side}" if throw == 1 else f"initiative.{side}.again{throw}"
    dice, flat = dice_of(case.book.figures.initiative_dice)
    total = case.roll(key, side, dice, rule="RT-2.2") + flat
    case.emit(InitiativeRolled(Id(side), total), "RT-2.2")
    return total


@CHAPTER.effect(InitiativeWon)
def initiative_won(state: Board, event: InitiativeWon) -> Rows:
    """The winner and the totals stand on the battle."""
    battle = state.battle
    assert battle is not None
    return {("battle", "now"): replace(battle, winner=str(event.side), totals=event.totals)}


@CHAPTER.rule(First)
def first(case: AnyCase, command: First) -> None:
    """The named side has the first phase of the turn, the other the second (RT-2.1, 2.2)."""
    battle = battle_on(case)
    if battle.phase != "initiative":
        case.forbid("wrong-phase", "RT-2.1", key="order-stands", turn=battle.turn)
    if not battle.winner:
        case.forbid("wrong-phase", "RT-2.4", key="no-initiative", turn=battle.turn)
    if command.side not in battle.sides:
        raise case.refuse("wrong-phase", "RT-2.1", key="not-in-battle", side=Id(command.side))
    case.settle("choose-order", "RT-2.2")
    case.cite("RT-2.1", "RT-2.2")
    other = next(side for side in battle.sides if side != command.side)
    _begin(case, "first", (command.side, other))


def _begin(case: AnyCase, phase: str, order: tuple[str, ...]) -> None:
    """The phase of the side whose turn it is in the order."""
    side = order[0] if phase == "first" else order[1]
    hurt = [Id(id) for id, unit in case.state.of_side(side) if _repairs_itself(case, unit)]
    if hurt:
        case.warn("self-repair-by-hand", "RT-25.2", units=hurt)
    case.emit(PhaseBegun(Id(side), Word(phase), order), "RT-2.7")


def _repairs_itself(case: AnyCase, unit: Unit) -> bool:
    """Whether a Bydo unit has anything to repair at the start of its phase (RT-2.7, 25.2)."""
    sheet = case.book.sheet(unit.sheet)
    return sheet.bydo and unit.state == "active" and any(points < sheet.hp for points in unit.hp.values())


@CHAPTER.effect(PhaseBegun)
def phase_begun(state: Board, event: PhaseBegun) -> Rows:
    """The side's units are unspent again, and may counter again (RT-13.9, 21.5)."""
    battle = state.battle
    assert battle is not None
    rows: Rows = {("battle", "now"): replace(battle, phase=str(event.phase), acting=str(event.side), order=event.order)}
    for id, unit in state.of_side(event.side):
        rows["units", id] = replace(unit, acted=False, moved=0, no_counter=False)
    return rows


@CHAPTER.rule(Move)
def move(case: AnyCase, command: Move) -> None:
    """Up to the move value in all, one fuel for each hex; it stops where the fuel ends (RT-3.1, 3.4)."""
    unit = may_act(case, command.unit, "RT-2.5")
    value = case.book.sheet(unit.sheet).move
    if unit.moved + command.hexes > value:
        left = max(0, value - unit.moved)
        case.forbid("too-far", "RT-3.1", unit=Id(command.unit), hexes=command.hexes, left=left, value=value)
    if unit.fuel == 0 and command.hexes:
        case.forbid("no-fuel", "RT-3.4", unit=Id(command.unit))
    possible = command.hexes if unit.fuel is None else min(command.hexes, unit.fuel)
    fuel = None if unit.fuel is None else unit.fuel - possible
    if fuel is None:
        case.emit(MovedFree(Id(command.unit), possible), "RT-3.1")
    else:
        case.emit(Moved(Id(command.unit), possible, fuel), "RT-3.4")
    if possible < command.hexes:
        case.warn("fuel-out", "RT-3.4", unit=Id(command.unit), short=command.hexes - possible)
    case.result(hexes=possible, fuel=fuel)


@CHAPTER.effect(MovedFree)
def moved_free(state: Board, event: MovedFree) -> Rows:
    """The hexes of this phase."""
    unit = state.units[event.unit]
    return {("units", event.unit): replace(unit, moved=unit.moved + event.hexes)}


@CHAPTER.effect(Moved)
def moved(state: Board, event: Moved) -> Rows:
    """Fuel and the hexes of this phase."""
    unit = state.units[event.unit]
    return {("units", event.unit): replace(unit, fuel=event.fuel, moved=unit.moved + event.hexes)}


@CHAPTER.rule(Pass)
def pass_(case: AnyCase, command: Pass) -> None:
    """A craft may leave out any step or pass (RT-2.7)."""
    may_act(case, command.unit, "RT-2.5")
    case.emit(Passed(Id(command.unit)), "RT-2.7")


@CHAPTER.effect(Passed)
def passed(state: Board, event: Passed) -> Rows:
    """The unit is spent."""
    return {("units", event.unit): replace(state.units[event.unit], acted=True)}


@CHAPTER.rule(EndPhase)
def end_phase(case: AnyCase, command: EndPhase) -> None:
    """The side's craft gain a charge stage, then the other side's phase or a new turn (RT-13.1 to 13.3)."""
    battle = battle_on(case)
    if battle.phase not in {"first", "second"}:
        raise case.refuse("wrong-phase", "RT-13.1", key="no-phase-yet", turn=battle.turn)
    open_things = case.state.ids("due")
    if open_things:
        case.forbid("due-open", "RT-13.8", n=len(open_things), due=open_things)
    waiting = [id for id, unit in case.state.of_side(battle.acting or "") if unit.state == "active" and not unit.acted]
    if waiting:
        case.warn("not-acted", "RT-13.1", units=[Id(id) for id in waiting])
    case.warn("contamination-by-hand", "RT-13.1")
    _charge(case, battle.acting or "")
    if battle.phase == "first":
        _begin(case, "second", battle.order)
    else:
        case.emit(TurnBegun(battle.turn + 1), "RT-13.3")


def _charge(case: AnyCase, side: str) -> None:
    """One stage more for each of the side's craft that is neither stowed nor in subspace; no limit (RT-13.2, 13.6)."""
    for id, unit in case.state.of_side(side):
        if unit.state in {"active", "inactive"}:
            case.emit(Charged(Id(id), unit.charge, unit.charge + case.book.figures.charge_gain), "RT-13.2")


@CHAPTER.effect(Charged)
def charged(state: Board, event: Charged) -> Rows:
    """The unit's charge stage."""
    return {("units", event.unit): replace(state.units[event.unit], charge=event.after)}


@CHAPTER.effect(TurnBegun)
def turn_begun(state: Board, event: TurnBegun) -> Rows:
    """The initiative of the turn before no longer counts (RT-2.4)."""
    battle = state.battle
    assert battle is not None
    fresh = replace(battle, turn=event.turn, phase="initiative", acting=None, winner=None, order=(), totals=Map())
    return {("battle", "now"): fresh}
