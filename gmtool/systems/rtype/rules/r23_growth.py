"""Chapter 23, growth: skill points that the GM gives, and the levels they buy (RT-23.7)."""

from typing import Annotated, NamedTuple

from gmtool.kernel.case import Case
from gmtool.kernel.fold import LIMIT
from gmtool.kernel.refusal import Id, Word
from gmtool.kernel.state import Rows, replace
from gmtool.kernel.system import Chapter
from gmtool.kernel.words import Arg, number
from gmtool.systems.rtype.book import SKILL_LEVELS, Book
from gmtool.systems.rtype.model import Board
from gmtool.systems.rtype.rules.r07_by_hand import CHANGE
from gmtool.systems.rtype.rules.r23_skills import CHAPTER as SKILLS
from gmtool.systems.rtype.rules.r23_skills import SkillLearned
from gmtool.systems.rtype.words import PILOT, SKILL

CHAPTER = Chapter("23 growth", needs=(SKILLS,))
AnyCase = Case[Board, Book]
RULE = "RT-23.7"


class Points(NamedTuple):
    """The GM gives a pilot skill points, or takes some; how many is the GM's to say (RT-23.7)."""

    pilot: Annotated[str, Arg(PILOT)]
    change: Annotated[str, Arg(CHANGE)]


class SkillBuy(NamedTuple):
    """A pilot buys levels of a skill for skill points."""

    pilot: Annotated[str, Arg(PILOT)]
    skill: Annotated[str, Arg(SKILL)]
    levels: Annotated[int, Arg(number("levels", 1, SKILL_LEVELS))] = 1


class PointsGiven(NamedTuple):
    """A pilot has other skill points by the GM's word."""

    pilot: Id
    before: int
    after: int


class PointsSpent(NamedTuple):
    """A pilot has paid with skill points."""

    pilot: Id
    before: int
    after: int


@CHAPTER.rule(Points)
def points(case: AnyCase, command: Points) -> None:
    """Never below 0; who is to lose more than there is loses all, if the GM forces it (RT-23.7)."""
    id, before = Id(command.pilot), case.state.pilots[command.pilot].points
    change = int(command.change)
    wanted = before + change if command.change[0] in "+-" else change
    if not 0 <= wanted <= LIMIT:
        case.forbid(
            "beyond-limits", RULE, who=id, what=Word("skill-points"), before=before, value=wanted, low=0, high=LIMIT
        )
    after = min(LIMIT, max(0, wanted))
    if after == before:
        raise case.refuse("nothing-to-do", RULE, key="same-already", who=id, what=Word("skill-points"), before=before)
    case.emit(PointsGiven(id, before, after), RULE)


@CHAPTER.rule(SkillBuy)
def skill_buy(case: AnyCase, command: SkillBuy) -> None:
    """One point a level, up to level 10; not for the dead (RT-23.2, 23.7, 26.3)."""
    pilot, id, skill = case.state.pilots[command.pilot], Id(command.pilot), Id(command.skill)
    before = pilot.skills.get(command.skill, 0)
    after = before + command.levels
    if after > SKILL_LEVELS:
        raise case.refuse(
            "beyond-limits", "RT-23.2", who=id, what=skill, before=before, value=after, low=0, high=SKILL_LEVELS
        )
    if pilot.state == "dead":
        case.forbid("pilot-out", "RT-26.3", key="pilot-dead", pilot=id)
    cost = command.levels
    if pilot.points < cost:
        case.forbid("beyond-limits", RULE, key="no-points", pilot=id, skill=skill, left=pilot.points, need=cost)
    if pilot.points:
        case.emit(PointsSpent(id, pilot.points, max(0, pilot.points - cost)), RULE)
    case.emit(SkillLearned(id, skill, before, after), RULE)


@CHAPTER.effect(PointsGiven)
@CHAPTER.effect(PointsSpent)
def points_changed(state: Board, event: PointsGiven | PointsSpent) -> Rows:
    """The skill points there are."""
    return {("pilots", event.pilot): replace(state.pilots[event.pilot], points=event.after)}
