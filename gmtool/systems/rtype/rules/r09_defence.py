"""Chapter 9 as far as evasion goes, with what 8, 21 and 24 say of it: the defender's part, hits, damage total."""

from dataclasses import dataclass
from typing import NamedTuple

from gmtool.kernel.cached import cached
from gmtool.kernel.case import Case, Part
from gmtool.kernel.pools import Counts, Group
from gmtool.kernel.refusal import Id, Refused
from gmtool.kernel.system import Chapter
from gmtool.kernel.words import Kind, Scope, find, one_of
from gmtool.systems.rtype.book import Book
from gmtool.systems.rtype.model import LEAD, Board, Unit
from gmtool.systems.rtype.rules import r10_damage
from gmtool.systems.rtype.rules.r10_damage import Damage
from gmtool.systems.rtype.rules.r20_checks import PercentLaw
from gmtool.systems.rtype.words import ABILITIES, DEFENCES, UNIT

CHAPTER = Chapter("9", needs=(r10_damage.CHAPTER,))
AnyCase = Case[Board, Book]


def _defence(word: str, scope: Scope) -> str:
    """``focus``, or ``gains=focus`` naming the target."""
    name, equals, value = word.rpartition("=")
    if equals:
        target = scope.given.get("target", "")
        met = find(name, "unit", UNIT.candidates(scope) if UNIT.candidates else ())
        if met != target:
            raise Refused("bad-value", key="not-a-target", exit=2, facts={"value": Id(met), "target": Id(target)})
    option: str = _DEFENCE.read(value, scope) if _DEFENCE.read else value
    return option


_DEFENCE = one_of("defence", *DEFENCES)
DEFENCE = Kind("defence", _defence)


class Rolled(NamedTuple):
    """What the attack rolls call for: evasions against doubled and against plain hits; ``each`` answers one roll."""

    doubled: int
    plain: int
    each: bool


class Evasion(NamedTuple):
    """The target of a successful attack evades."""

    unit: str
    target: str
    weapon: str
    feint: int
    defence: str
    ability: str
    rolled: Rolled


class Strike(NamedTuple):
    """What was not evaded strikes: plain hits, hits doubled by the attack, hits doubled by the evasion."""

    unit: str
    target: str
    weapon: str
    hits: tuple[int, int, int]


class TakenAlong(NamedTuple):
    """Critical evasions took further hits along."""

    target: Id
    hits: int


class AllEvaded(NamedTuple):
    """Every hit was evaded."""

    target: Id


class Struck(NamedTuple):
    """What got through: hits, how many of them count double, and the damage of one."""

    target: Id
    hits: int
    doubled: int
    weapon: int


@dataclass(frozen=True, slots=True)
class HitsKept:
    """What is kept of evasions: (plain hits, doubled by a critical attack, doubled by a fumbled evasion).

    The groups are those that answer critical attack rolls (if ``first_doubled``), then the others. Each critical
    evasion takes ``along`` further hits with it, the heaviest first (RT-21.5, 21.7, 21.9).
    """

    first_doubled: bool
    by_critical: int
    by_fumble: int
    along: int

    def __call__(self, counts: tuple[Counts, ...]) -> tuple[int, int, int]:
        """The hits that remain of the counts per class."""
        doubled, others = (counts[0], counts[1:]) if self.first_doubled else ({}, counts)
        taken = doubled.get("critical", 0)
        by_critical = doubled.get("failure", 0) + doubled.get("fumble", 0)
        plain = by_fumble = 0
        for group in others:
            plain += group.get("failure", 0)
            by_fumble += group.get("fumble", 0)
            taken += group.get("critical", 0)
        if not taken:
            return plain, by_critical, by_fumble
        return self._without(plain, by_critical, by_fumble, taken * self.along)

    def _without(self, plain: int, by_critical: int, by_fumble: int, taken: int) -> tuple[int, int, int]:
        """The hits without those that critical evasions took along."""
        hits = [plain, by_critical, by_fumble]
        for place in _heaviest(self.by_critical, self.by_fumble):
            gone = min(hits[place], taken)
            hits[place] -= gone
            taken -= gone
        return hits[0], hits[1], hits[2]


class Evade(NamedTuple):
    """A target's evasions, ready to be thrown: a joint of their own, since odds run what comes before them once."""

    unit: str
    target: str
    weapon: str
    groups: tuple[Group, ...]
    keep: HitsKept
    rule: str


@cached(64)
def _heaviest(by_critical: int, by_fumble: int) -> tuple[int, ...]:
    """The places of plain, doubled and fumbled hits, the heaviest first; among equals as they stand."""
    weight = (1, by_critical, by_fumble)
    return tuple(sorted(range(3), key=lambda n: -weight[n]))


def evasion_keys(target: str) -> tuple[str, ...]:
    """The asks of a target's evasion: declarations and dice."""
    return f"defence.{target}", f"defence-ability.{target}", f"evade.{target}"


def law_of(case: AnyCase, unit: Unit, target: int) -> PercentLaw:
    """How a unit's dice are read: by the pilot's temperament, without one by the sheet's (RT-21.4).

    Where a state of the unit or its pilot bars swapping or reverses it, that holds (RT-20.3).
    """
    pilot = case.state.pilot_of(unit)
    temperament = pilot.temperament if pilot else case.book.sheet(unit.sheet).temperament
    if pilot is None:
        case.cite("RT-7.3" if unit.pilot else "RT-21.4")
    mode = pilot.swap if pilot and unit.swap == "swap" else unit.swap
    return PercentLaw(target, mode, temperament)


def ability_part(case: AnyCase, key: str, id: str, unit: Unit, given: str, rule: str) -> list[Part]:
    """The pilot's agility or intelligence, the better one unless said; nothing without a pilot (RT-8.14, 25.2)."""
    pilot = case.state.pilot_of(unit)
    if pilot is None:
        if given:
            raise case.refuse("bad-value", "RT-25.2", key="no-pilot", unit=Id(id))
        return []
    better = "intelligence" if pilot.intelligence > pilot.agility else "agility"
    ability = case.ask(key, id, ABILITIES, better, rule=rule, given=given or None)
    return [(ability, getattr(pilot, ability), rule)]


@CHAPTER.rule(Evasion)
def evasion(case: AnyCase, command: Evasion) -> None:
    """Declaration, evade value, one evasion for each hit to come (RT-8.4, 8.6, 8.7, 8.12)."""
    unit, target = case.state.units[command.unit], case.state.units[command.target]
    law = law_of(case, target, _evade_value(case, command, target))
    squad = case.book.is_squad(unit.sheet)
    doubled, plain, each = command.rolled
    _count_evasions(case, command, unit, squad)
    groups: tuple[Group, ...]
    if each:
        answering = ("attack", "critical"), ("attack", "success")
        groups = Group(doubled, law, answers=answering[0]), Group(plain, law, answers=answering[1])
    else:
        shots = tuple(str(shot) for shot in range(1, doubled + plain + 1))
        groups = (Group(doubled + plain, law, (LEAD, *unit.rc_left) if squad else shots),)
    figures = case.book.figures
    times = figures.attack_critical_times, figures.evade_fumble_times
    keep = HitsKept(each or doubled > 0, *times, figures.evade_critical_takes)
    rule = "RT-8.6" if squad else "RT-8.7"
    case.follow(Evade(command.unit, command.target, command.weapon, groups, keep, rule))


@CHAPTER.rule(Evade)
def evade(case: AnyCase, command: Evade) -> None:
    """The evasions, and what of the hits they leave (RT-8.6, 21.5, 21.9)."""
    key = f"evade.{command.target}"
    hits = case.pool(key, command.target, command.groups, command.keep, rule=command.rule)
    along = sum([face.result in {"failure", "fumble"} for face in case.thrown(key)]) - sum(hits)
    if along > 0:
        case.emit(TakenAlong(Id(command.target), along), "RT-21.5")
        case.cite("RT-21.9")
    case.follow(Strike(command.unit, command.target, command.weapon, hits))


def _evade_value(case: AnyCase, command: Evasion, target: Unit) -> int:
    """Evade %, ability, evade focus, the attacker's feint: the final evade value (RT-8.4, 9.4, 22.3)."""
    id = command.target
    # who has nobody at the controls cannot focus (RT-7.3)
    out = target.pilot is not None and case.state.pilot_of(target) is None
    options = ("evade",) if out else DEFENCES
    defence = case.ask(f"defence.{id}", id, options, "evade", rule="RT-8.12", given=command.defence or None)
    parts: list[Part] = [("craft", case.book.sheet(target.sheet).evade, "RT-8.4")]
    parts += ability_part(case, f"defence-ability.{id}", id, target, command.ability, "RT-8.4")
    if defence == "focus":
        parts.append(("focus", case.book.figures.focus, "RT-9.4"))
    if command.feint:
        parts.append(("feint", -command.feint, "RT-22.4"))
    return case.figure("evade", id, parts, rule="RT-8.4")


def _count_evasions(case: AnyCase, command: Evasion, unit: Unit, squad: bool) -> None:
    """How many evasions a single roll calls for: 1 + RC craft, or those against a single craft (RT-8.6, 24.2)."""
    doubled, plain, each = command.rolled
    if doubled:
        case.cite("RT-21.7")
    if each:
        return
    crew: list[Part] = [("lead", 1, "RT-8.6"), ("rc-craft", len(unit.rc_left), "RT-8.6")]
    case.figure("evasions", command.target, crew if squad else [("single", doubled + plain, "RT-24.2")], rule="RT-8.6")


@CHAPTER.rule(Strike)
def strike(case: AnyCase, command: Strike) -> None:
    """Weapon damage x hits, the doubled ones doubled; what follows is the target's to bear (RT-8.6, 24.1, 24.8)."""
    hits, target = command.hits, command.target
    unit = case.state.units[command.unit]
    if not sum(hits):
        squad = case.book.is_squad(unit.sheet)
        case.emit(AllEvaded(Id(target)), "RT-8.6" if squad else "RT-8.7")
        return
    figures = case.book.figures
    weapon = case.book.weapon(unit.sheet, command.weapon)
    each = r10_damage.weapon_damage(case, command.unit, weapon)
    case.emit(Struck(Id(target), sum(hits), hits[1] + hits[2], each), "RT-24.1")
    parts: list[Part] = [
        ("hits", each * hits[0], "RT-24.1"),
        ("critical-hits", each * hits[1] * figures.attack_critical_times, "RT-21.7"),
        ("fumbled-evasions", each * hits[2] * figures.evade_fumble_times, "RT-21.5"),
    ]
    total = case.figure("damage", target, [part for part in parts if part[1]] or parts[:1], rule="RT-24.8")
    case.result(hits=sum(hits), damage=total)
    case.follow(Damage(target, total))
