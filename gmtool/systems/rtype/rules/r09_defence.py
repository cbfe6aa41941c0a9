"""Chapter 9 with what 8, 21 and 24 say of it: a target's declaration, its evasions, what strikes it, what follows."""

from dataclasses import dataclass
from typing import Any, NamedTuple

from gmtool.kernel.cached import cached
from gmtool.kernel.case import Case, Part
from gmtool.kernel.pools import Counts, Group
from gmtool.kernel.refusal import Id
from gmtool.kernel.system import Chapter
from gmtool.systems.rtype.arms import owner
from gmtool.systems.rtype.book import Book
from gmtool.systems.rtype.exchange import (
    Blow,
    Counter,
    Defend,
    Evade,
    Guard,
    Hits,
    Intercept,
    KnockBack,
    Rolled,
    Stand,
    Strike,
    after_counters,
    at_the_end,
)
from gmtool.systems.rtype.model import LEAD, Board, Unit
from gmtool.systems.rtype.rules import r10_damage
from gmtool.systems.rtype.rules.r09_ways import counter_weapon, way_of
from gmtool.systems.rtype.rules.r10_damage import Damage
from gmtool.systems.rtype.rules.r22_lives import CHAPTER as LIVES
from gmtool.systems.rtype.rules.r22_lives import is_raised, law_of, raise_part, thrown_again
from gmtool.systems.rtype.rules.r23_abilities import ability_part
from gmtool.systems.rtype.rules.r23_skills import CHAPTER as SKILLS
from gmtool.systems.rtype.rules.r23_skills import skill_parts

CHAPTER = Chapter("9", needs=(r10_damage.CHAPTER, LIVES, SKILLS))
AnyCase = Case[Board, Book]


class TakenAlong(NamedTuple):
    """Critical evasions took further hits along."""

    target: Id
    hits: int


class AttackMissed(NamedTuple):
    """No attack roll succeeded: no evasion, no damage."""

    target: Id


class PartAttacked(NamedTuple):
    """What follows is upon a part with hit points of its own."""

    part: Id


class AllEvaded(NamedTuple):
    """Every hit was evaded."""

    target: Id


class NothingThrough(NamedTuple):
    """Interception or guard took it all: not hit (RT-10.7)."""

    target: Id


class Struck(NamedTuple):
    """What got through: hits, how many of them count double, and the damage of one."""

    target: Id
    hits: int
    doubled: int
    weapon: int


class StruckInArea(NamedTuple):
    """The same, where several are struck by one attack."""

    target: Id
    hits: int
    doubled: int
    weapon: int


@dataclass(frozen=True, slots=True)
class HitsKept:
    """What is kept of evasions: the hits that are left, as ``Hits`` has them.

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


@cached(64)
def _heaviest(by_critical: int, by_fumble: int) -> tuple[int, ...]:
    """The places of plain, doubled and fumbled hits, the heaviest first; among equals as they stand."""
    weight = (1, by_critical, by_fumble)
    return tuple(sorted(range(3), key=lambda n: -weight[n]))


def defence_keys(blow: Blow) -> tuple[str, ...]:
    """The asks of a target's defence: declarations and dice."""
    words = ("defence", "defence-ability", "defence-skill", "defence-raise", "evade", "intercept", "guard")
    return tuple([blow.of_target(word) for word in words])


@CHAPTER.rule(Defend)
def defend(case: AnyCase, command: Defend) -> None:
    """The target's declaration, made in knowledge of the attack rolls, and what comes of it (RT-8.12, 9)."""
    target = case.state.units[command.blow.target]
    if command.blow.part:
        case.emit(PartAttacked(Id(f"{command.blow.target}/{command.blow.part}")), "RT-8.16")
    if target.state == "inactive":
        _helpless(case, command)
        return
    blow = command.blow._replace(way=way_of(case, command.blow, target, command.stand, command.rolled is not None))
    if blow.area and not counter_weapon(blow.way):
        lose_charge_at_once(case, blow.target)
    if command.rolled is None:
        case.emit(AttackMissed(Id(blow.target)), "RT-8.12")
        case.unneeded(*defence_keys(blow))
        answer(case, blow, hit=False)
    elif blow.way.startswith("intercept:"):
        case.follow(Intercept(blow, command.rolled, command.stand))
    else:
        _evasion(case, blow, command.rolled, command.stand)


def lose_charge_at_once(case: AnyCase, target: str) -> None:
    """By the other reading the charge is gone when a unit is merely attacked (RT-10.3)."""
    if case.choice("rt-10.3") == "attacked":
        r10_damage.lose_charge(case, target, "RT-10.3")


def _helpless(case: AnyCase, command: Defend) -> None:
    """Who is inactive evades nothing: every roll it would have had is a hit (RT-4.21)."""
    rolled = command.rolled
    case.unneeded(*defence_keys(command.blow))
    if rolled is None:
        case.emit(AttackMissed(Id(command.blow.target)), "RT-8.12")
        return
    case.cite("RT-4.21")
    case.later(Strike(command.blow, Hits(rolled.plain, rolled.doubled, 0)), before=at_the_end)


def _evasion(case: AnyCase, blow: Blow, rolled: Rolled, stand: Stand) -> None:
    """Evade value, and one evasion for each hit to come (RT-8.4, 8.6, 8.7)."""
    unit, target = case.state.units[blow.unit], case.state.units[blow.target]
    parts = _evade_parts(case, blow, target, stand)
    value = case.figure("evade", blow.target, parts, rule="RT-8.4")
    law = law_of(case, target, value)
    squad = case.book.is_squad(unit.sheet)
    doubled, plain, each = rolled
    _count_evasions(case, blow, unit, squad, rolled)
    groups: tuple[Group, ...]
    if each:
        answering = (blow.key("attack"), "critical"), (blow.key("attack"), "success")
        groups = Group(doubled, law, answers=answering[0]), Group(plain, law, answers=answering[1])
    else:
        shots = tuple(str(shot) for shot in range(1, doubled + plain + 1))
        groups = (Group(doubled + plain, law, (LEAD, *unit.rc_left) if squad else shots),)
    figures = case.book.figures
    times = figures.attack_critical_times, figures.evade_fumble_times
    keep = HitsKept(each or doubled > 0, *times, figures.evade_critical_takes)
    raised = is_raised(parts)
    if blow.way == "guard-at-once":
        # the dose system: the evasions are left out, the guard has everything (RT-9.5)
        case.follow(Guard(blow, Hits(plain, doubled, 0), law, raised))
        return
    case.follow(Evade(blow, groups, keep, law, raised, "RT-8.6" if squad else "RT-8.7"))


def _evade_parts(case: AnyCase, blow: Blow, target: Unit, stand: Stand) -> list[Part]:
    """Evade %, ability, skills, a life's raise, evade focus, the attacker's feint (RT-8.4, 9.4, 22.1, 22.3)."""
    parts: list[Part] = [("craft", case.book.sheet(target.sheet).evade, "RT-8.4")]
    parts += person_parts(case, blow, target, stand, "evade")
    if blow.way == "focus":
        parts.append(("focus", case.book.figures.focus, "RT-9.4"))
    if blow.feint:
        parts.append(("feint", -blow.feint, "RT-22.4"))
    return parts


def person_parts(case: AnyCase, blow: Blow, target: Unit, stand: Stand, check: str, kind: str = "") -> list[Part]:
    """What the pilot of a target adds to evasion or interception: ability, skills, a life (RT-8.4, 9.8, 22.5)."""
    id = blow.target
    parts = ability_part(case, blow.of_target("defence-ability"), id, target, stand.ability, "RT-8.4")
    pilot = case.state.seat_of(target) if parts else None
    if pilot is not None or stand.skills:
        key = blow.of_target("defence-skill")
        ability = parts[0][0] if parts else ""
        parts += skill_parts(case, key, id, pilot, ability, check, kind, stand.skills)
    return [*parts, *raise_part(case, blow.of_target("defence-raise"), id, pilot, stand.raised)]


def _count_evasions(case: AnyCase, blow: Blow, unit: Unit, squad: bool, rolled: Rolled) -> None:
    """How many evasions a single roll calls for: 1 + RC craft, or those against a single craft (RT-8.6, 24.2)."""
    if rolled.doubled:
        case.cite("RT-21.7")
    if rolled.each:
        return
    crew: list[Part] = [("lead", 1, "RT-8.6"), ("rc-craft", len(unit.rc_left), "RT-8.6")]
    alone: list[Part] = [("single", rolled.doubled + rolled.plain, "RT-24.2")]
    case.figure("evasions", blow.target, crew if squad else alone, rule="RT-8.6")


@CHAPTER.rule(Evade)
def evade(case: AnyCase, command: Evade) -> None:
    """The evasions, and what of the hits they leave (RT-8.6, 21.5, 21.9)."""
    blow = command.blow
    key = blow.of_target("evade")
    target = case.state.units[blow.target]
    again = thrown_again(case, blow.target, target, command.law, command.raised, "evade")
    hits = Hits(*case.pool(key, blow.target, command.groups, command.keep, rule=command.rule, again=again))
    along = sum([face.result in {"failure", "fumble"} for face in case.thrown(key)]) - sum(hits)
    if along > 0:
        case.emit(TakenAlong(Id(blow.target), along), "RT-21.9")
        case.cite("RT-21.5")
    if not sum(hits):
        case.emit(AllEvaded(Id(blow.target)), command.rule)
        answer(case, blow, hit=False)
    elif blow.way.startswith("guard"):
        case.follow(Guard(blow, hits, command.law, command.raised))
    else:
        case.later(Strike(blow, hits), before=at_the_end)


@CHAPTER.rule(Strike)
def strike(case: AnyCase, command: Strike) -> None:
    """Weapon damage x hits, the doubled ones doubled; what follows is the target's to bear (RT-8.6, 24.1, 24.8)."""
    blow, hits = command.blow, command.hits
    unit = case.state.units[blow.unit]
    weapon = case.book.weapon(unit.sheet, blow.weapon)
    each = r10_damage.weapon_damage(case, blow.key("damage"), blow.unit, weapon, shared=blow.area)
    if sum(hits):
        _struck(case, blow, sum(hits), hits.by_critical + hits.by_fumble, each)
    parts = parts_of(case, each, hits)
    if blow.blocked:
        parts += _blocked(case, parts)
    if command.guarded is not None:
        parts += guard_excess(case, blow, each, command.guarded)
    if command.against is not None:
        from gmtool.systems.rtype.rules.r09_intercept import shot_down

        parts += shot_down(case, blow, command.against, sum(n for _, n, _ in parts))
    total = case.figure("damage", blow.struck, [part for part in parts if part[1]] or parts[:1], rule="RT-24.8")
    case.result(**{blow.outcome("hits"): sum(hits), blow.outcome("damage"): total})
    land(case, blow, total)


def _struck(case: AnyCase, blow: Blow, hits: int, doubled: int, each: int) -> None:
    """Told with the target's name where several are struck by one attack."""
    if blow.several:
        case.emit(StruckInArea(Id(blow.struck), hits, doubled, each), "RT-24.1")
    else:
        case.emit(Struck(Id(blow.target), hits, doubled, each), "RT-24.1")


def parts_of(case: AnyCase, each: int, hits: Hits) -> list[Part]:
    """Damage of one hit x hits, by their kinds (RT-21.5, 21.7, 24.1)."""
    figures = case.book.figures
    return [
        ("hits", each * hits.plain, "RT-24.1"),
        ("critical-hits", each * hits.by_critical * figures.attack_critical_times, "RT-21.7"),
        ("fumbled-evasions", each * hits.by_fumble * figures.evade_fumble_times, "RT-21.5"),
    ]


def _blocked(case: AnyCase, parts: list[Part]) -> list[Part]:
    """What a ram gains where its target cannot be pushed back, rounded down (RT-10.5, 24.3)."""
    total = sum(n for _, n, _ in parts)
    return [("blocked", total * case.book.figures.knock_back_percent // 100 - total, "RT-10.5")]


def guard_excess(case: AnyCase, blow: Blow, each: int, guarded: Hits) -> list[Part]:
    """What the force lets through of the hits it took: beyond its hit points (RT-9.5, 9.9, 24.5)."""
    from gmtool.systems.rtype.rules.r09_guard import excess

    return excess(case, blow, sum(n for _, n, _ in parts_of(case, each, guarded)))


def land(case: AnyCase, blow: Blow, total: int) -> None:
    """The total comes down, or nothing got through; then what the target had declared (RT-9.3, 10.7)."""
    if not total:
        case.emit(NothingThrough(Id(blow.target)), "RT-10.7")
        answer(case, blow, hit=False)
        return
    friend = case.state.units[blow.unit].side == case.state.units[blow.target].side
    spared = _charge_counter(case, blow) or (friend and case.choice("rt-10.7") == "enemies")
    case.follow(Damage(blow.target, total, blow.unit, blow.part, blow.prefix, blow.several, spared))
    if case.book.weapon(case.state.units[blow.unit].sheet, blow.weapon).kind == "ram" and not blow.blocked:
        case.follow(KnockBack(blow))
    answer(case, blow, hit=True)


def _charge_counter(case: AnyCase, blow: Blow) -> bool:
    """Whether the target answers with its own charge, which the hit then leaves it for this shot (RT-8.10)."""
    weapon = counter_weapon(blow.way)
    if not blow.area or not weapon:
        return False
    return case.book.weapon(case.state.units[blow.target].sheet, weapon).kind == "charge"


def answer(case: AnyCase, blow: Blow, hit: bool) -> None:
    """The declared counter waits for its turn: after all damage and all escapes (RT-8.12, 9.3)."""
    weapon = counter_weapon(blow.way)
    if not weapon:
        return
    spared = hit and _charge_counter(case, blow)
    firing = owner(case.state, case.book, blow.target, weapon)
    prefix = f"{blow.prefix}counter.{firing}."
    counter = Counter(firing, weapon, blow.unit, prefix, hit, spared, blow.rank)
    case.later(counter, before=lambda waiting: _comes_after(waiting, blow.rank))


def _comes_after(waiting: Any, rank: int) -> bool:
    """Whether a counter of this rank comes first: the order is their side's to choose (RT-3.13, 8.17)."""
    return after_counters(waiting) or (isinstance(waiting, Counter) and waiting.rank > rank)
