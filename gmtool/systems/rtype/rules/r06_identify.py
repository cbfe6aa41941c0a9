"""Chapter 6, the option of units lying face down: pilots identify what the GM has put there (RT-6.6)."""

from typing import Annotated, NamedTuple

from gmtool.kernel.case import Case, Part
from gmtool.kernel.refusal import Id
from gmtool.kernel.state import Rows, replace
from gmtool.kernel.system import Chapter
from gmtool.kernel.words import Arg, Opt
from gmtool.systems.rtype.absent import not_active
from gmtool.systems.rtype.book import Book
from gmtool.systems.rtype.model import GONE, OUT, Board
from gmtool.systems.rtype.rules.r02_turn import CHAPTER as TURN
from gmtool.systems.rtype.rules.r02_turn import battle_on
from gmtool.systems.rtype.rules.r20_checks import succeeded
from gmtool.systems.rtype.rules.r22_lives import CHAPTER as LIVES
from gmtool.systems.rtype.rules.r22_lives import pilot_check
from gmtool.systems.rtype.rules.r23_skills import CHAPTER as SKILLS
from gmtool.systems.rtype.rules.r23_skills import skill_parts
from gmtool.systems.rtype.words import PILOT, SKILL, UNIT

CHAPTER = Chapter("6 identify", needs=(TURN, LIVES, SKILLS))
AnyCase = Case[Board, Book]
OF_FIGHTERS, OF_BYDO = "all-technics", "knowledge-bydo"


class Identify(NamedTuple):
    """A pilot tries to identify units that lie face down, before the initiative of the turn."""

    pilot: Annotated[str, Arg(PILOT)]
    targets: Annotated[tuple[str, ...], Arg(UNIT, many=True)]
    skill: Annotated[str, Opt("--with", SKILL)] = ""


class Glance(NamedTuple):
    """The check for one of the units."""

    pilot: str
    target: str
    skill: str


class Looked(NamedTuple):
    """A pilot has used up one of the units that he may try in this turn."""

    pilot: str


class Identified(NamedTuple):
    """What a unit is has become known."""

    pilot: Id
    target: Id
    sheet: Id


class NotIdentified(NamedTuple):
    """It has not."""

    pilot: Id
    target: Id


@CHAPTER.rule(Identify)
def identify(case: AnyCase, command: Identify) -> None:
    """At the start of the turn, before the initiative; on as many units a turn as the skill's level (RT-6.6)."""
    battle, pilot = battle_on(case), case.state.pilots[command.pilot]
    if battle.phase != "initiative" or battle.winner:
        case.forbid("wrong-phase", "RT-6.6", key="identify-first", turn=battle.turn)
    seat = case.state.units.get(pilot.where)
    if seat is None or pilot.state in OUT:
        raise case.refuse("pilot-out", "RT-6.6", key="identify-seat", pilot=Id(command.pilot))
    targets = tuple(dict.fromkeys(command.targets))
    tried = battle.identified.get(command.pilot, 0)
    for n, target in enumerate(targets, 1):
        unit = case.state.units[target]
        if unit.side == seat.side:
            raise case.refuse("bad-value", "RT-6.6", key="no-enemy", unit=Id(target))
        if unit.state in GONE:
            not_active(case, target, "RT-10.9")
        skill = command.skill or (OF_BYDO if case.book.sheet(unit.sheet).bydo else OF_FIGHTERS)
        most, who = pilot.skills.get(skill, 0), Id(command.pilot)
        if most and tried + n > most:
            case.forbid(
                "beyond-limits", "RT-6.6", key="identify-too-many", pilot=who, skill=Id(skill), level=most, tried=tried
            )
        case.follow(Glance(command.pilot, target, skill))
    case.result(identified=0)


@CHAPTER.rule(Glance)
def glance(case: AnyCase, command: Glance) -> None:
    """One D99 against the value of the skill less ten times the unit's development level, in % (RT-6.6)."""
    skill = case.book.skill(command.skill)
    ability = skill.ability if skill else ""
    key, who = f"identify.{command.target}", command.pilot
    parts = skill_parts(case, f"skill.{key}", who, who, ability, "identify", given=(command.skill,))
    unit = case.state.units[command.target]
    hidden: Part = ("level", -case.book.figures.identify_step * case.book.sheet(unit.sheet).level, "RT-6.6")
    outcome = pilot_check(case, key, who, [*parts, hidden], "identify", "RT-6.6")
    case.keep(Looked(who), "RT-6.6")
    if succeeded(outcome):
        case.emit(Identified(Id(who), Id(command.target), Id(unit.sheet)), "RT-6.6")
        case.result(identified=case.results["identified"] + 1)
    else:
        case.emit(NotIdentified(Id(who), Id(command.target)), "RT-6.6")


@CHAPTER.effect(Looked)
def looked(state: Board, event: Looked) -> Rows:
    """One unit more that the pilot has tried in this turn."""
    battle = state.battle
    assert battle is not None
    tried = battle.identified.get(event.pilot, 0) + 1
    return {("battle", "now"): replace(battle, identified=battle.identified.put(event.pilot, tried))}


@CHAPTER.effect(Identified)
def identified(state: Board, event: Identified) -> Rows:
    """The pilot's side knows what the unit is, as long as the battle lasts."""
    battle, seat = state.battle, state.units.get(state.pilots[event.pilot].where)
    assert battle is not None
    assert seat is not None
    before = battle.known_to.get(str(event.target), "").split()
    told = " ".join(dict.fromkeys((*before, seat.side)))
    return {("battle", "now"): replace(battle, known_to=battle.known_to.put(str(event.target), told))}
