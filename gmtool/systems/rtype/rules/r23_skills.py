"""Chapter 23: skills, which add to checks of their ability, and what a pilot's level of one is."""

from collections.abc import Iterable
from typing import Annotated, NamedTuple

from gmtool.kernel.case import Case, Part
from gmtool.kernel.fold import half_width, numeral
from gmtool.kernel.refusal import Id, Refused, Word
from gmtool.kernel.state import Map, Rows, replace
from gmtool.kernel.system import Chapter
from gmtool.kernel.words import Arg, Candidate, Kind, Scope, find, names_of
from gmtool.systems.rtype.book import SKILL_LEVELS, Book
from gmtool.systems.rtype.model import Board, Pilot
from gmtool.systems.rtype.rules import r11_survival
from gmtool.systems.rtype.rules.r11_survival import Lose
from gmtool.systems.rtype.tables import Skill
from gmtool.systems.rtype.words import PILOT, SKILL

CHAPTER = Chapter("23", needs=(r11_survival.CHAPTER,))
AnyCase = Case[Board, Book]

SHOOTING = ("gun", "missile", "laser", "charge", "subspace-buster")
MELEE = ("melee", "ram")


def _pair(word: str, scope: Scope) -> str:
    """``NAME=LEVEL``: the skill's id and a level from 1 to 10, as ``id=level``."""
    name, sign, level = half_width(word).rpartition("=")
    if not sign:
        raise Refused("bad-value", key="skill-form", rule="RT-23.2", exit=2, facts={"value": word})
    return f"{find(name, SKILL.name, _named(scope.book))}={numeral(level, 1, SKILL_LEVELS)}"


def _named(book: Book) -> list[Candidate]:
    return [Candidate(skill.id, names_of(skill.name)) for skill in book.skills()]


def _level(word: str, scope: Scope) -> str:
    value = numeral(word, -SKILL_LEVELS, SKILL_LEVELS)
    return f"{value:+d}" if half_width(word).strip()[:1] in {"+", "-"} else str(value)


SKILL_LEVEL = Kind("skill", _pair)


class SkillSet(NamedTuple):
    """A pilot's level of a skill is changed or set; 0 takes the skill away (RT-23.7)."""

    pilot: Annotated[str, Arg(PILOT)]
    skill: Annotated[str, Arg(SKILL)]
    level: Annotated[str, Arg(Kind("level", _level))]


class SkillLearned(NamedTuple):
    """A pilot has another level of a skill."""

    pilot: Id
    skill: Id
    before: int
    after: int


class SkillPaid(NamedTuple):
    """A pilot has spent spirit on a skill."""

    pilot: Id
    skill: Id
    before: int
    after: int


def levels(pairs: Iterable[str]) -> Map[int]:
    """The skills of a pilot's sheet as the line gives them, ``id=level`` each; of one named twice the last."""
    split = (pair.split("=") for pair in pairs)
    return Map({skill: int(level) for skill, level in split})


@CHAPTER.rule(SkillSet)
def skill_set(case: AnyCase, command: SkillSet) -> None:
    """From 0 to 10; what a level costs is the GM's (RT-23.2, 23.7)."""
    before = case.state.pilots[command.pilot].skills.get(command.skill, 0)
    after = before + int(command.level) if command.level[0] in "+-" else int(command.level)
    who, what = Id(command.pilot), Id(command.skill)
    if not 0 <= after <= SKILL_LEVELS:
        raise case.refuse(
            "beyond-limits", "RT-23.2", who=who, what=what, before=before, value=after, low=0, high=SKILL_LEVELS
        )
    if after == before:
        raise case.refuse("nothing-to-do", "RT-23.7", key="same-already", who=who, what=what, before=before)
    case.emit(SkillLearned(who, what, before, after), "RT-23.7")


@CHAPTER.effect(SkillLearned)
def skill_learned(state: Board, event: SkillLearned) -> Rows:
    """The level; a skill of level 0 is none."""
    pilot = state.pilots[event.pilot]
    put = {**pilot.skills, str(event.skill): event.after}
    return {("pilots", event.pilot): replace(pilot, skills=Map({id: level for id, level in put.items() if level}))}


def bonus(book: Book, skill: Skill, level: int) -> int:
    """What a level of a skill adds (RT-23.4)."""
    return level * (book.figures.skill_per_level if skill.bonus is None else skill.bonus)


def skill_parts(
    case: AnyCase, key: str, who: str, pilot_id: str | None, ability: str, check: str, weapon_kind: str = "",
    given: tuple[str, ...] = (),
) -> list[Part]:  # fmt: skip
    """What the skills add to a check made with ``ability``: those declared, and those that always count (RT-23.3).

    They are asked for under ``key``, or ``given`` by the line. ``check`` is one of the words a skill's ``checks``
    may have; ``weapon_kind`` the kind of the weapon that is used, if one is. The cost is paid at once. Parts are
    called ``skill:ID``.
    """
    if not given and case.said(key) is None and (pilot_id is None or not case.state.pilots[pilot_id].skills):
        return []
    named = case.ask_names(key, who, SKILL.name, lambda: _named(case.book), rule="RT-23.3", given=given)
    if pilot_id is None:
        if named:
            raise case.refuse("skill-unfit", "RT-23.2", key="skill-without-pilot", unit=Id(who))
        return []
    pilot = case.state.pilots[pilot_id]
    timings: dict[str, Skill] = {}
    counted: dict[str, Skill] = {}
    for id in named:
        skill = _held(case, pilot_id, pilot, id)
        _must_fit(case, skill, ability, check, weapon_kind)
        other = timings.setdefault(skill.timing, skill)
        if other.id != id and not skill.always and not other.always:
            case.forbid("skill-unfit", "RT-23.3", key="skill-same-timing", skill=Id(id), other=Id(other.id))
        counted[id] = skill
    for skill in _always(case, pilot, ability, check, weapon_kind):
        counted[skill.id] = skill
    for id in named:
        _pay(case, pilot_id, counted[id])
    return [(f"skill:{id}", bonus(case.book, skill, pilot.skills[id]), "RT-23.4") for id, skill in counted.items()]


def _held(case: AnyCase, id: str, pilot: Pilot, skill_id: str) -> Skill:
    """A skill the pilot has, or a refusal that names those he has."""
    skill = case.book.skill(skill_id)
    if skill is None or skill_id not in pilot.skills:
        held = [Id(each) for each in pilot.skills]
        raise case.refuse("skill-unfit", "RT-23.2", key="skill-not-held", pilot=Id(id), skill=Id(skill_id), held=held)
    return skill


def _must_fit(case: AnyCase, skill: Skill, ability: str, check: str, weapon_kind: str) -> None:
    """Refused, unless forced: another ability than the one used, another check, another kind of weapon."""
    id = Id(skill.id)
    if skill.ability != ability:
        needs, used = Word(skill.ability), Word(ability)
        case.forbid("skill-unfit", "RT-8.3", key="skill-other-ability", skill=id, needs=needs, ability=used)
    if not _for_check(skill, check):
        checks = [Word(f"check-{each}") for each in skill.checks]
        case.forbid("skill-unfit", "RT-23.2", key="skill-other-check", skill=id, checks=checks)
    if not _for_weapon(skill, weapon_kind):
        case.forbid("skill-unfit", "RT-23.2", key="skill-other-weapon", skill=id, weapons=Word(skill.weapons))


def _for_check(skill: Skill, check: str) -> bool:
    return bool({check, "any"}.intersection(skill.checks))


def _for_weapon(skill: Skill, kind: str) -> bool:
    """Whether a skill serves with a kind of weapon; one for any weapon serves without one too (RT-23.2)."""
    return skill.weapons == "any" or kind in (SHOOTING if skill.weapons == "shooting" else MELEE)


def _always(case: AnyCase, pilot: Pilot, ability: str, check: str, weapon_kind: str) -> list[Skill]:
    """The skills of the pilot that come on top without being declared (RT-23.3)."""
    held = [skill for id in pilot.skills if (skill := case.book.skill(id)) and skill.always]
    return [s for s in held if s.ability == ability and _for_check(s, check) and _for_weapon(s, weapon_kind)]


def _pay(case: AnyCase, id: str, skill: Skill) -> None:
    """The cost in spirit; who has none left then faints when the exchange is over (RT-23.3, 11.3)."""
    cost = case.book.figures.skill_cost if skill.cost is None else skill.cost
    left = case.state.pilots[id].spirit
    if not cost:
        return
    if left < cost:
        case.forbid("beyond-limits", "RT-23.3", key="no-spirit", pilot=Id(id), skill=Id(skill.id), left=left, need=cost)
    case.emit(SkillPaid(Id(id), Id(skill.id), left, max(0, left - cost)), "RT-23.3")
    if left <= cost:
        case.later(Lose(id, 0, 0))


@CHAPTER.effect(SkillPaid)
def skill_paid(state: Board, event: SkillPaid) -> Rows:
    """The spirit that is left."""
    return {("pilots", event.pilot): replace(state.pilots[event.pilot], spirit=event.after)}


def command_parts(case: AnyCase, side: str) -> list[Part]:
    """The highest skill for initiative among the pilots at the controls of a side; only that one counts (RT-23.5)."""
    found: list[Part] = []
    for _, unit in case.state.of_side(side):
        pilot = case.state.pilot_of(unit) if unit.state == "active" else None
        for id, level in pilot.skills.items() if pilot else ():
            skill = case.book.skill(id)
            if skill and "initiative" in skill.checks:
                found.append((f"skill:{id}", bonus(case.book, skill, level), "RT-23.5"))
    return [max(found, key=lambda part: part[1])] if found else []
