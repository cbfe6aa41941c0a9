"""Chapter 25: contamination by the Bydo: invasion checks, coefficients, pilots' checks, and who is lost to it."""

from collections.abc import Mapping
from typing import NamedTuple

from gmtool.kernel.case import Case, Part
from gmtool.kernel.laws import dice_of
from gmtool.kernel.refusal import Id, Word
from gmtool.kernel.state import Rows, replace
from gmtool.kernel.system import Chapter
from gmtool.systems.rtype.book import Book
from gmtool.systems.rtype.model import GRADES, Board, Unit
from gmtool.systems.rtype.rules.r11_survival import Lose, stood
from gmtool.systems.rtype.rules.r13_phase_end import exposed, steps, worst_bydo
from gmtool.systems.rtype.rules.r13_victory import watch
from gmtool.systems.rtype.rules.r20_checks import succeeded
from gmtool.systems.rtype.rules.r22_lives import pilot_check, unit_check

CHAPTER = Chapter("25")
AnyCase = Case[Board, Book]
WORST = GRADES[-1]


class Contamination(NamedTuple):
    """The contamination of a side's units: at the end of its ``phase``, the ``turn``, or ``all`` in one (RT-13.7)."""

    side: str
    when: str


class Invasion(NamedTuple):
    """The invasion checks that are still to be made, and the units that have failed theirs."""

    side: str
    when: str
    waiting: tuple[str, ...]
    failed: tuple[str, ...]


class PilotCheck(NamedTuple):
    """A pilot's check at the grade his craft has now."""

    pilot: str
    unit: str


class Weaken(NamedTuple):
    """A failed check's loss of spirit, ``times`` the dice."""

    pilot: str
    times: int


class TakeOver(NamedTuple):
    """A pilot is lost to the Bydo, and his craft with him."""

    pilot: str
    unit: str


class BydoNear(NamedTuple):
    """A Bydo unit that all must be checked for."""

    bydo: Id
    grade: Word


class CoefficientRisen(NamedTuple):
    """A unit's coefficient has risen, by one step or two."""

    unit: Id
    before: Word
    after: Word


class Reckoned(NamedTuple):
    """What the units were hit by or rammed counts no more at the next check."""

    units: tuple[str, ...]
    hurt: bool
    rammed: bool


class SpiritRolled(NamedTuple):
    """What a failed check costs."""

    pilot: Id
    points: int
    times: int
    loss: int


class PilotTurned(NamedTuple):
    """A pilot is the Bydo's from now on."""

    pilot: Id


class GoneOver(NamedTuple):
    """A craft has gone over to another side."""

    unit: Id
    side: Id


@CHAPTER.rule(Contamination)
def contamination(case: AnyCase, command: Contamination) -> None:
    """Invasion checks while a Bydo of grade A or worse is about, then coefficients, then pilots (RT-25.1, 13.8)."""
    case.cite("RT-25.1")
    waiting = _checked(case, command.side) if command.when != "turn" and worst_bydo(case) else ()
    for bydo in dict.fromkeys(worst_bydo(case, id) for id in waiting):
        case.emit(BydoNear(Id(bydo or ""), Word(case.state.units[bydo or ""].grade)), "RT-25.1")
    _count(case, "risen", 0)
    manned = any(unit.pilot and exposed(case, unit) for _, unit in case.state.of_side(command.side))
    if manned and command.when != "turn":
        _count(case, "pilots_failed", 0)
    case.follow(Invasion(command.side, command.when, waiting, ()))


def _checked(case: AnyCase, side: str) -> tuple[str, ...]:
    """The units that make an invasion check, as the board lists them: all that can still rise and a Bydo is near."""
    units = case.state.of_side(side)
    return tuple([id for id, unit in units if unit.grade != WORST and exposed(case, unit) and worst_bydo(case, id)])


def _count(case: AnyCase, key: str, more: int = 1) -> None:
    case.result(**{key: case.results.get(key, 0) + more})


@CHAPTER.rule(Invasion)
def invasion(case: AnyCase, command: Invasion) -> None:
    """One D99 a unit, by the worst Bydo about: 50, less 10 for each step above B (RT-25.7, 25.11)."""
    side, when, waiting, failed = command
    bydo = worst_bydo(case, waiting[0]) if waiting else None
    if not waiting or bydo is None:
        _coefficients(case, side, when, failed)
        return
    figures, id = case.book.figures, waiting[0]
    above = steps(case.state.units[bydo].grade, "B")
    parts = [("invasion", figures.invasion_target, "RT-25.7"), ("grade", -figures.invasion_step * above, "RT-25.7")]
    outcome = unit_check(case, f"invasion.{id}", id, parts, "invasion", "RT-25.7")
    case.follow(Invasion(side, when, waiting[1:], failed if succeeded(outcome) else (*failed, id)))


def _coefficients(case: AnyCase, side: str, when: str, failed: tuple[str, ...]) -> None:
    """Every unit's rise, each told once; then the pilots whose craft is at C or worse now (RT-25.1, 25.8)."""
    units = [(id, unit) for id, unit in case.state.of_side(side) if exposed(case, unit)]
    ships = _ships(case) if when != "phase" else {}
    for id, unit in units:
        _rise(case, id, unit, _causes(case, unit, when, id in failed, id in ships))
    hurt, rammed = when != "turn", when != "phase"
    spent = tuple([id for id, unit in units if (hurt and unit.hurt_by_bydo) or (rammed and unit.rammed)])
    if spent:
        case.keep(Reckoned(spent, hurt, rammed), "RT-25.7")
    if when != "turn":
        for id, _ in units:
            _follow_pilot(case, id)


def _ships(case: AnyCase) -> Mapping[str, str]:
    """The ships that carry a craft at grade B or worse, each once, however many they carry (RT-12.6, 12.19)."""
    stowed = [(id, unit) for id, unit in case.state.units.items() if unit.state == "stowed" and unit.aboard]
    return {unit.aboard: id for id, unit in stowed if unit.aboard and steps(unit.grade, "C")}


def _causes(case: AnyCase, unit: Unit, when: str, invaded: bool, carrier: bool) -> list[Part]:
    """What raises a unit: hit by a Bydo since the last check, an invasion, a craft it carries, a ram it paid for.

    In one check for all, a hit and a ram count once between them (RT-25.7).
    """
    figures = case.book.figures
    hurt = unit.hurt_by_bydo and when != "turn"
    parts: list[Part] = [("hit-by-bydo", figures.hit_rise, "RT-25.7")] if hurt else []
    if invaded:
        parts.append(("invaded", figures.invasion_rise, "RT-25.7"))
    if carrier:
        parts.append(("carried", figures.carrier_rise, "RT-12.6"))
    if unit.rammed and when != "phase" and not hurt:
        parts.append(("rammed", figures.ram_rise, "RT-25.4"))
    return parts


def _rise(case: AnyCase, id: str, unit: Unit, causes: list[Part]) -> None:
    """So many steps worse, two at most in a check and never beyond S; one event, before and after (RT-25.5, 25.7)."""
    most = min(case.book.figures.rise_most, steps(WORST, unit.grade))
    over = sum(n for _, n, _ in causes) - most
    if over > 0:
        causes = [*causes, ("over", -over, "RT-25.7")]
    rise = sum(n for _, n, _ in causes)
    if rise <= 0:
        return
    if len(causes) > 1:
        case.figure("rise", id, causes, rule=causes[0][2])
    after = GRADES[GRADES.index(unit.grade) + rise]
    case.emit(CoefficientRisen(Id(id), Word(unit.grade), Word(after)), causes[0][2])
    _count(case, "risen")


@CHAPTER.effect(CoefficientRisen)
def coefficient_risen(state: Board, event: CoefficientRisen) -> Rows:
    """The unit's grade."""
    return {("units", event.unit): replace(state.units[event.unit], grade=str(event.after))}


@CHAPTER.effect(Reckoned)
def reckoned(state: Board, event: Reckoned) -> Rows:
    """The marks of what this check has looked at are gone."""
    rows: Rows = {}
    for id in event.units:
        unit = state.units[id]
        hurt, rammed = unit.hurt_by_bydo and not event.hurt, unit.rammed and not event.rammed
        rows["units", id] = replace(unit, hurt_by_bydo=hurt, rammed=rammed)
    return rows


def _follow_pilot(case: AnyCase, id: str) -> None:
    """The check of a living pilot whose craft is at C or worse, whether or not it has just risen (RT-25.8, 25.10)."""
    unit = case.state.units[id]
    if unit.pilot and steps(unit.grade, "D") and case.state.pilots[unit.pilot].state not in {"dead", "bydo"}:
        case.follow(PilotCheck(unit.pilot, id))


@CHAPTER.rule(PilotCheck)
def check_of_a_pilot(case: AnyCase, command: PilotCheck) -> None:
    """D99 under the maximum of the spirit, less 10 for each step above C; at S a failure is the end (RT-25.8)."""
    figures, grade = case.book.figures, case.state.units[command.unit].grade
    spirit = case.state.pilots[command.pilot].spirit_max
    parts = [("spirit", spirit, "RT-25.8"), ("grade", -figures.contamination_step * steps(grade, "C"), "RT-25.8")]
    key = f"contamination.{command.pilot}"
    if succeeded(pilot_check(case, key, command.pilot, parts, "contamination", "RT-25.8")):
        return
    _count(case, "pilots_failed")
    case.follow(Weaken(command.pilot, steps(grade, "D")))
    if grade == WORST:
        case.follow(TakeOver(command.pilot, command.unit))


@CHAPTER.rule(Weaken)
def weaken(case: AnyCase, command: Weaken) -> None:
    """1D10 for each step above D, and what follows when no spirit is left (RT-25.8, 11.3)."""
    dice, flat = dice_of(case.book.figures.contamination_dice)
    points = case.roll(f"spirit.{command.pilot}", command.pilot, dice, rule="RT-25.8") + flat
    loss = points * command.times
    case.emit(SpiritRolled(Id(command.pilot), points, command.times, loss), "RT-25.8")
    case.follow(Lose(command.pilot, 0, loss, rule="RT-25.8"))


@CHAPTER.rule(TakeOver)
def take_over(case: AnyCase, command: TakeOver) -> None:
    """The pilot is the GM's, and his craft goes over to the Bydo's side at once, as it stands (RT-25.8, 25.11)."""
    _count(case, "pilots_turned")
    case.emit(PilotTurned(Id(command.pilot)), "RT-25.8")
    side = _side_of_the_bydo(case, command.unit)
    if side != case.state.units[command.unit].side:
        case.emit(GoneOver(Id(command.unit), Id(side)), "RT-25.11")
        watch(case)


def _side_of_the_bydo(case: AnyCase, id: str) -> str:
    """The only side in the battle that has Bydo units; where none or several have, the other one."""
    own, battle = case.state.units[id].side, case.state.battle
    assert battle is not None
    units = [unit for unit in case.state.units.values() if unit.side in battle.sides]
    bydo = {unit.side for unit in units if case.book.sheet(unit.sheet).bydo}
    return bydo.pop() if len(bydo) == 1 else next(side for side in battle.sides if side != own)


@CHAPTER.effect(PilotTurned)
def pilot_turned(state: Board, event: PilotTurned) -> Rows:
    """Lost to the Bydo, whatever else holds of the pilot."""
    return {("pilots", event.pilot): stood(state.pilots[event.pilot], state="bydo")}


@CHAPTER.effect(GoneOver)
def gone_over(state: Board, event: GoneOver) -> Rows:
    """The side of the craft and of the forces it leads; names and handles stay."""
    units = [(id, unit) for id, unit in state.units.items() if event.unit in (id, unit.led_by)]
    return {("units", id): replace(unit, side=str(event.side)) for id, unit in units}
