"""Chapter 2: initiative, the beginning of a phase, who may act now and whose steps are over, passing."""

from typing import Annotated, NamedTuple

from gmtool.kernel.case import Case, Part
from gmtool.kernel.laws import dice_of
from gmtool.kernel.refusal import Id, Word
from gmtool.kernel.state import Map, Rows, replace
from gmtool.kernel.system import Chapter
from gmtool.kernel.words import Arg, Opt, typed
from gmtool.systems.rtype.absent import not_active
from gmtool.systems.rtype.book import Book
from gmtool.systems.rtype.model import GONE, Battle, Board, Unit, unspent
from gmtool.systems.rtype.words import SIDE, SIDE_BONUS, SIDE_TOTAL, UNIT

CHAPTER = Chapter("2")
AnyCase = Case[Board, Book]
HELD = {"subspace": "RT-5.2", "stowed": "RT-12.18", "inactive": "RT-4.7"}
"""The rules by which a unit in such a state does not act."""
TAKING_STEPS = ("active", "subspace")


class Initiative(NamedTuple):
    """Both sides roll for the turn, or the table says the totals of both, bonuses in them."""

    totals: Annotated[tuple[str, ...], Arg(SIDE_TOTAL, many=True)] = ()
    bonus: Annotated[tuple[str, ...], Opt("--bonus", SIDE_BONUS, many=True)] = ()


class InitiativeThrow(NamedTuple):
    """One throw of both sides; a further one after a tie. ``bonus``: a side's of this turn, where it is another."""

    throw: int
    bonus: Map[int] = Map()


class First(NamedTuple):
    """The winner of the initiative has chosen who goes first."""

    side: Annotated[str, Arg(SIDE)]


class Pass(NamedTuple):
    """A unit does nothing more in this phase."""

    unit: Annotated[str, Arg(UNIT)]


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


class Passed(NamedTuple):
    """A unit has passed."""

    unit: Id


class StepsBegun(NamedTuple):
    """A unit has moved or searched: it is taking its steps."""

    unit: str


class StepsOver(NamedTuple):
    """Another unit of the side takes its steps, so those of the one before are over."""

    unit: Id


class MarksEnded(NamedTuple):
    """What was searched no longer is: all of it, or what the units of one side had found."""

    side: str


def battle_on(case: AnyCase) -> Battle:
    """The battle that is on; refused where there is none."""
    battle = case.state.battle
    if battle is None or battle.phase == "over":
        raise case.refuse("wrong-phase", "RT-2.1", key="no-battle")
    return battle


def may_act(case: AnyCase, id: str, rule: str, states: tuple[str, ...] = ("active",)) -> Unit:
    """The unit, if it may act now: its side's phase, in the battle (in one of ``states``), not spent (RT-2.5).

    With it the steps of the unit before it are over, if they were not (RT-2.6).
    """
    unit = in_phase(case, id, states)
    if acted_now(case, unit) and unit.steps_over:
        case.forbid("already-acted", "RT-2.6", key="steps-over", unit=Id(id))
    elif acted_now(case, unit):
        acted_already(case, id, unit, rule)
    steps(case, id)
    return unit


def acted_now(case: AnyCase, unit: Unit) -> bool:
    """The unit has acted in the phase that is on; what it did in its side's last one bars nothing (RT-2.5)."""
    battle = case.state.battle
    return unit.acted and battle is not None and battle.acting == unit.side


def acted_already(case: AnyCase, id: str, unit: Unit, rule: str) -> None:
    """Refused: the unit has acted; what a decoy may do begins with its side's next phase (RT-2.5, 12.23)."""
    if unit.decoy_of and not unit.moved and case.choice("rt-12.23") == "next-phase":
        case.forbid("already-acted", "RT-12.23", key="decoy-waits", unit=Id(id))
    else:
        case.forbid("already-acted", rule, unit=Id(id))


def in_phase(case: AnyCase, id: str, states: tuple[str, ...] = ("active",)) -> Unit:
    """The unit, if it is its side's phase and it is in the battle, spent or not (RT-2.5, 7.2, 7.3)."""
    battle = battle_on(case)
    unit = case.state.units[id]
    if unit.state not in states:
        not_active(case, id, HELD.get(unit.state, "RT-10.9"))
    if battle.phase not in {"first", "second"}:
        case.forbid("wrong-phase", "RT-2.4", key="no-phase-yet", turn=battle.turn)
    elif unit.side != battle.acting:
        case.forbid("wrong-phase", "RT-2.5", key="not-your-phase", unit=Id(id), side=Id(battle.acting or ""))
    seat = case.state.seat_of(unit)
    if seat and case.state.pilot_of(unit) is None:
        case.forbid("pilot-out", "RT-7.3", pilot=Id(seat), unit=Id(id))
    return unit


def steps(case: AnyCase, id: str) -> None:
    """A unit takes a step: who of its side had begun and not acted has ended its own (RT-2.6).

    Forces take theirs apart from all others. A ship's free stowing and launching is no step: it does not come here.
    """
    battle = case.state.battle
    before = battle.current if battle else None
    if before is None or before == id:
        return
    unit, other = case.state.units[id], case.state.units[before]
    if other.acted or other.state not in TAKING_STEPS or other.side != unit.side or case.book.is_force(unit.sheet):
        return
    if case.choice("rt-2.6") == "in-one-go":
        case.emit(StepsOver(Id(before)), "RT-2.6")


def begin_steps(case: AnyCase, id: str) -> None:
    """A unit has taken a step that is not its action: what another one does next will end its steps (RT-2.6)."""
    battle = case.state.battle
    if battle and battle.current != id and not case.book.is_force(case.state.units[id].sheet):
        case.keep(StepsBegun(id), "RT-2.6")


@CHAPTER.effect(StepsBegun)
def steps_begun(state: Board, event: StepsBegun) -> Rows:
    """The unit that is taking its steps."""
    battle = state.battle
    assert battle is not None
    return {("battle", "now"): replace(battle, current=event.unit)}


@CHAPTER.effect(StepsOver)
def steps_over(state: Board, event: StepsOver) -> Rows:
    """It is spent, and nobody is taking steps."""
    battle = state.battle
    assert battle is not None
    unit = replace(state.units[event.unit], acted=True, steps_over=True)
    return {("units", event.unit): unit, ("battle", "now"): replace(battle, current=None)}


@CHAPTER.rule(Initiative)
def initiative(case: AnyCase, command: Initiative) -> None:
    """Each side rolls 2D6, once a turn, or the table says both totals (RT-2.2, 2.4)."""
    battle = battle_on(case)
    if battle.phase != "initiative" or battle.winner:
        case.forbid("wrong-phase", "RT-2.4", key="initiative-done", turn=battle.turn)
    bonus = _by_side(case, command.bonus)
    if not command.totals:
        case.follow(InitiativeThrow(1, bonus))
        return
    totals = _by_side(case, command.totals)
    if bonus:
        raise case.refuse("bad-value", "RT-23.6", key="bonus-in-total", sides=[Id(side) for side in bonus])
    if missing := [Id(side) for side in battle.sides if side not in totals]:
        raise case.refuse("bad-value", "RT-2.2", key="totals-of-both", sides=missing)
    for side in _in_order(case, battle):
        case.emit(InitiativeRolled(Id(side), totals[side]), "RT-2.2")
    if not _decided(case, totals):
        raise case.refuse("bad-value", "RT-2.3", key="tie-again", total=max(totals.values()))


def _by_side(case: AnyCase, pairs: tuple[str, ...]) -> Map[int]:
    """Figures named as ``side=n``, each for a side of the battle, none twice."""
    battle = battle_on(case)
    found = Map({side: int(n) for side, _, n in [pair.partition("=") for pair in pairs]})
    for side in found:
        if side not in battle.sides:
            raise case.refuse("wrong-phase", "RT-2.1", key="not-in-battle", side=Id(side))
        if [pair.partition("=")[0] for pair in pairs].count(side) > 1:
            raise case.refuse("bad-value", "RT-2.2", key="side-twice", side=Id(side))
    return found


def _in_order(case: AnyCase, battle: Battle) -> list[str]:
    """The sides of the battle as they are asked."""
    return [side for side in case.state.sides_in_order() if side in battle.sides]


@CHAPTER.rule(InitiativeThrow)
def initiative_throw(case: AnyCase, command: InitiativeThrow) -> None:
    """The higher total chooses. Equal: the players' side wins, else both roll again (RT-2.2, 2.3)."""
    totals = Map({side: _total(case, side, command) for side in _in_order(case, battle_on(case))})
    if not _decided(case, totals):
        case.emit(InitiativeTied(max(totals.values())), "RT-2.3")
        case.follow(InitiativeThrow(command.throw + 1, command.bonus))


def _decided(case: AnyCase, totals: Map[int]) -> bool:
    """The winner, who chooses; False for a tie that no side of players settles alone (RT-2.2, 2.3)."""
    players = [side for side in totals if case.state.sides[side].players]
    best = [side for side, total in totals.items() if total == max(totals.values())]
    if len(best) > 1 and len(players) != 1:
        return False
    winner = best[0] if len(best) == 1 else players[0]
    case.emit(InitiativeWon(Id(winner), totals, len(best) > 1), "RT-2.3" if len(best) > 1 else "RT-2.2")
    case.result(winner=winner)
    command_line = f"first {typed(case.state.sides[winner].name)}"
    case.due("choose-order", "choose-order", winner, command_line, rule="RT-2.2")
    return True


def _total(case: AnyCase, side: str, command: InitiativeThrow) -> int:
    """2D6 and the bonus of the side's representative; totals are compared with it (RT-2.2, 2.3, 23.6)."""
    key = f"initiative.{side}" if command.throw == 1 else f"initiative.{side}.again{command.throw}"
    dice, flat = dice_of(case.book.figures.initiative_dice)
    total = case.roll(key, side, dice, rule="RT-2.2") + flat
    if bonus := _bonus(case, side, command):
        total = case.figure("initiative", side, [("dice", total, "RT-2.2"), *bonus], rule="RT-2.2")
    case.emit(InitiativeRolled(Id(side), total), "RT-2.2")
    return total


def _bonus(case: AnyCase, side: str, command: InitiativeThrow) -> list[Part]:
    """The representative's bonus, as said or as the side has it; where there is none, the best skill of command."""
    bonus = command.bonus.get(side, case.state.sides[side].bonus)
    if bonus:
        return [("bonus", bonus, "RT-23.6")]
    if side in command.bonus:
        return []
    # what skills need is loaded for an initiative only, not for every step
    from gmtool.systems.rtype.rules.r23_skills import command_parts

    return command_parts(case, side)


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
    begin(case, "first", (command.side, other))


def begin(case: AnyCase, phase: str, order: tuple[str, ...]) -> None:
    """The phase of the side whose turn it is in the order."""
    side = order[0] if phase == "first" else order[1]
    case.emit(PhaseBegun(Id(side), Word(phase), order), "RT-2.7")
    _open(case, side)


def _open(case: AnyCase, side: str) -> None:
    """What comes first in a phase: subspace fuel, what stowed craft gain, self-repair of Bydo units (RT-2.7)."""
    # most phases open without any of them: their chapters are not even imported
    units = [unit for _, unit in case.state.of_side(side)]
    if any(unit.state == "subspace" for unit in units):
        from gmtool.systems.rtype.rules.r05_subspace import SubspaceFuel

        case.follow(SubspaceFuel(side))
    if any(unit.state == "stowed" for unit in units):
        from gmtool.systems.rtype.rules.r12_ships import Served

        case.follow(Served(side))
    if any(_repairs_itself(case, unit) for unit in units):
        from gmtool.systems.rtype.rules.r12_support import SelfRepair

        case.follow(SelfRepair(side))


def end_marks(case: AnyCase, side: str) -> None:
    """Marks end with the phase; by the other reading those of a side stand until its own next phase (RT-6.8)."""
    if any(unit.found_by for unit in case.state.units.values()):
        until_next = case.choice("rt-6.8") == "next-phase"
        case.keep(MarksEnded(side if until_next else ""), "RT-6.8")


@CHAPTER.effect(MarksEnded)
def marks_ended(state: Board, event: MarksEnded) -> Rows:
    """The marks that are left; without a side, none."""
    rows: Rows = {}
    for id, unit in state.units.items():
        kept = Map({who: how for who, how in unit.found_by.items() if event.side not in ("", state.units[who].side)})
        if kept != unit.found_by:
            rows["units", id] = replace(unit, found_by=kept, since=Map({who: unit.since.get(who, "") for who in kept}))
    return rows


def _repairs_itself(case: AnyCase, unit: Unit) -> bool:
    """Whether a Bydo unit may have something to repair at the start of its phase (RT-2.7, 25.2)."""
    sheet = case.book.sheet(unit.sheet)
    return sheet.bydo and unit.state not in GONE and any(points < sheet.hp for points in unit.hp.values())


@CHAPTER.effect(PhaseBegun)
def phase_begun(state: Board, event: PhaseBegun) -> Rows:
    """The side's units are unspent again, and may counter again; nobody has begun his steps (RT-13.9, 21.5, 2.6)."""
    battle = state.battle
    assert battle is not None
    now = replace(
        battle, phase=str(event.phase), acting=str(event.side), order=event.order, current=None, identified=Map()
    )
    rows: Rows = {("battle", "now"): now}
    for id, unit in state.of_side(event.side):
        rows["units", id] = unspent(unit)
    return rows


@CHAPTER.rule(Pass)
def pass_(case: AnyCase, command: Pass) -> None:
    """A craft may leave out any step or pass (RT-2.7)."""
    may_act(case, command.unit, "RT-2.5", ("active", "subspace"))
    case.emit(Passed(Id(command.unit)), "RT-2.7")


@CHAPTER.effect(Passed)
def passed(state: Board, event: Passed) -> Rows:
    """The unit is spent."""
    return {("units", event.unit): replace(state.units[event.unit], acted=True)}
