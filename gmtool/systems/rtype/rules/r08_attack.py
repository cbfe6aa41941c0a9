"""Chapter 8, with what 9, 21, 22 and 24 add to it: one attack, from the checks to the damage."""

from dataclasses import dataclass, replace
from typing import Annotated, NamedTuple

from gmtool.kernel.case import Case, Part
from gmtool.kernel.pools import Counts, Group
from gmtool.kernel.refusal import Id, Refused
from gmtool.kernel.state import Rows
from gmtool.kernel.system import Chapter
from gmtool.kernel.words import Arg, Flag, Kind, Opt, Scope, find, number, one_of
from gmtool.systems.rtype.book import Book
from gmtool.systems.rtype.model import LEAD, Board, Unit
from gmtool.systems.rtype.rules import r10_damage
from gmtool.systems.rtype.rules.r02_turn import CHAPTER as TURN
from gmtool.systems.rtype.rules.r02_turn import may_act
from gmtool.systems.rtype.rules.r10_damage import Damage
from gmtool.systems.rtype.rules.r20_checks import PercentLaw, result_of, succeeded
from gmtool.systems.rtype.tables import Weapon
from gmtool.systems.rtype.words import ABILITIES, ABILITY, DEFENCES, UNIT, WEAPON

CHAPTER = Chapter("8", needs=(TURN, r10_damage.CHAPTER))
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


class Attack(NamedTuple):
    """A unit attacks another with a weapon of its sheet."""

    unit: Annotated[str, Arg(UNIT)]
    weapon: Annotated[str, Arg(WEAPON)]
    target: Annotated[str, Arg(UNIT)]
    ability: Annotated[str, Opt("--with", ABILITY)] = ""
    feint: Annotated[int, Opt("--feint", number("feint", 0, 1000))] = 0
    rolls: Annotated[str, Flag("--once", "once"), Flag("--each", "each")] = ""
    defence: Annotated[str, Opt("--defence", DEFENCE)] = ""
    defence_ability: Annotated[str, Opt("--defence-with", ABILITY)] = ""


class AttackDeclared(NamedTuple):
    """The attack is made: the unit is spent."""

    unit: Id
    target: Id
    weapon: Id
    rolls: int


class AmmoSpent(NamedTuple):
    """What the weapon fired is gone."""

    unit: Id
    weapon: Id
    before: int
    after: int


class AttackMissed(NamedTuple):
    """No attack roll succeeded: no evasion, no damage."""

    target: Id


class CounterBarred(NamedTuple):
    """A fumble: the unit cannot counter until its next phase."""

    unit: Id


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
        doubled, plain = (counts[0], counts[1:]) if self.first_doubled else ({}, counts)
        by_critical = doubled.get("failure", 0) + doubled.get("fumble", 0)
        by_fumble = sum(group.get("fumble", 0) for group in plain)
        hits = [sum(group.get("failure", 0) for group in plain), by_critical, by_fumble]
        taken = self.along * sum(group.get("critical", 0) for group in counts)
        for place in sorted(range(3), key=lambda n: -(1, self.by_critical, self.by_fumble)[n]):
            gone = min(hits[place], taken)
            hits[place] -= gone
            taken -= gone
        return hits[0], hits[1], hits[2]


def successes(counts: tuple[Counts, ...]) -> tuple[int, int]:
    """Of several attack rolls: criticals and plain successes."""
    return counts[0].get("critical", 0), counts[0].get("success", 0)


@CHAPTER.rule(Attack)
def attack(case: AnyCase, command: Attack) -> None:
    """Checks, declarations, attack rolls, the defender's evasions, the damage total (RT-8.1 to 8.14, 24.1)."""
    unit, weapon = _allowed(case, command)
    target = case.state.units[command.target]
    once = _rolls_once(case, command, unit)
    parts = _attack_parts(case, command, unit, weapon)
    seats = (LEAD,) if once else (LEAD, *unit.rc_left)
    _declare(case, command, unit, weapon, len(seats))
    value = case.figure("attack", command.unit, parts, rule="RT-8.3")
    law = PercentLaw(value, "swap", temperament_of(case, unit))
    case.result(hits=0, damage=0, craft_lost=0, wrecked=False)
    groups = _attack_rolls(case, command, unit, law, seats, once)
    evade_law = PercentLaw(_evade_value(case, command, target), "swap", temperament_of(case, target))
    if case.choice("rt-10.3") == "attacked":
        r10_damage.lose_charge(case, command.target, "RT-10.3")
    if groups is None:
        case.emit(AttackMissed(Id(command.target)), "RT-8.12")
        return
    hits = _evade(case, command, groups, evade_law)
    _damage(case, command, weapon, hits)


def _allowed(case: AnyCase, command: Attack) -> tuple[Unit, Weapon]:
    """The attacker and its weapon, if the attack may be made; distance and sight are the GM's word (RT-8.1)."""
    unit = may_act(case, command.unit, "RT-2.5")
    weapon = case.book.weapon(unit.sheet, command.weapon)
    target = case.state.units[command.target]
    if command.unit == command.target:
        raise case.refuse("bad-value", "RT-8.19", key="own-target", unit=Id(command.unit))
    if target.side == unit.side:
        case.forbid("friend", "RT-8.19", unit=Id(command.target))
    if target.state != "active":
        case.forbid("not-active", "RT-10.9", unit=Id(command.target))
    if weapon.kind in {"charge", "ram", "subspace-buster"}:
        rule = "RT-8.9" if weapon.kind == "charge" else "RT-10.4"
        raise case.refuse("not-covered", rule, weapon=_shown(unit, weapon))
    if weapon.kind == "laser" and unit.attached_to is None:
        case.forbid("no-force", "RT-4.15", weapon=_shown(unit, weapon), unit=Id(command.unit))
    return unit, weapon


def _shown(unit: Unit, weapon: Weapon) -> Id:
    """A weapon as a thing with a name: the sheet's id and its own."""
    return Id(f"{unit.sheet}/{weapon.id}")


def _rolls_once(case: AnyCase, command: Attack, unit: Unit) -> bool:
    """An RC squad chooses one roll or one for each craft; all others have one (RT-8.5, 8.13)."""
    if not unit.rc_left:
        if command.rolls == "each":
            raise case.refuse("bad-value", "RT-8.5", key="one-roll-only", unit=Id(command.unit))
        return True
    given = {"once": "yes", "each": "no"}.get(command.rolls)
    return case.ask("once", command.unit, ("yes", "no"), "no", rule="RT-8.5", given=given) == "yes"


def temperament_of(case: AnyCase, unit: Unit) -> str:
    """The pilot's temperament; without one the sheet's (RT-21.4)."""
    pilot = case.state.pilot_of(unit)
    return pilot.temperament if pilot else case.book.sheet(unit.sheet).temperament


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


def _attack_parts(case: AnyCase, command: Attack, unit: Unit, weapon: Weapon) -> list[Part]:
    """Hit %, ability, feint: the final attack value (RT-8.3, 22.3, 22.4)."""
    parts: list[Part] = [("weapon", weapon.hit, "RT-8.3")]
    parts += ability_part(case, "ability", command.unit, unit, command.ability, "RT-8.3")
    before = sum(n for _, n, _ in parts)
    if command.feint > max(before, 0):
        raise case.refuse("bad-value", "RT-22.4", key="feint-too-high", value=command.feint, most=max(before, 0))
    if command.feint:
        parts.append(("feint", -command.feint, "RT-22.4"))
    return parts


def _evade_value(case: AnyCase, command: Attack, target: Unit) -> int:
    """Evade %, ability, evade focus, the attacker's feint: the final evade value (RT-8.4, 9.4, 22.3)."""
    id = command.target
    defence = case.ask(f"defence.{id}", id, DEFENCES, "evade", rule="RT-9.4", given=command.defence or None)
    parts: list[Part] = [("craft", case.book.sheet(target.sheet).evade, "RT-8.4")]
    parts += ability_part(case, f"defence-ability.{id}", id, target, command.defence_ability, "RT-8.4")
    if defence == "focus":
        parts.append(("focus", case.book.figures.focus, "RT-9.4"))
    if command.feint:
        parts.append(("feint", -command.feint, "RT-22.4"))
    return case.figure("evade", id, parts, rule="RT-8.4")


def _declare(case: AnyCase, command: Attack, unit: Unit, weapon: Weapon, rolls: int) -> None:
    """The attack is made: one shot an attack, or one a roll by the other reading (RT-8.8)."""
    case.emit(AttackDeclared(Id(command.unit), Id(command.target), _shown(unit, weapon), rolls), "RT-8.5")
    if weapon.id in unit.ammo:
        left = unit.ammo[weapon.id]
        need = rolls if case.choice("rt-8.8") == "roll" else 1
        if left < need:
            case.forbid("no-ammo", "RT-8.1", weapon=_shown(unit, weapon), left=left, need=need, unit=Id(command.unit))
        case.emit(AmmoSpent(Id(command.unit), _shown(unit, weapon), left, max(left - need, 0)), "RT-8.8")


@CHAPTER.effect(AttackDeclared)
def attack_declared(state: Board, event: AttackDeclared) -> Rows:
    """The unit has acted."""
    return {("units", event.unit): replace(state.units[event.unit], acted=True)}


@CHAPTER.effect(AmmoSpent)
def ammo_spent(state: Board, event: AmmoSpent) -> Rows:
    """The weapon's ammunition (the part of its id after the sheet's)."""
    unit = state.units[event.unit]
    return {("units", event.unit): replace(unit, ammo=unit.ammo.put(event.weapon.partition("/")[2], event.after))}


def _attack_rolls(
    case: AnyCase, command: Attack, unit: Unit, law: PercentLaw, seats: tuple[str, ...], once: bool
) -> tuple[tuple[int, int], bool] | None:
    """The attack rolls: ((doubled, plain) evasions to come, whether they answer single rolls), or None for a miss."""
    group = [Group(len(seats), law, seats)]
    if not once:
        critical, success = case.pool("attack", command.unit, group, successes, rule="RT-8.5")
        return ((critical, success), True) if critical + success else None
    outcome = case.pool("attack", command.unit, group, result_of, rule="RT-8.5")
    if outcome == "fumble" and case.book.figures.attack_fumble_bars_counter:
        case.emit(CounterBarred(Id(command.unit)), "RT-21.5")
    if not succeeded(outcome):
        return None
    squad = case.book.sheet(unit.sheet).squad == "rc"
    n = 1 + len(unit.rc_left) if squad else case.book.figures.single_shots
    return ((n, 0) if outcome == "critical" else (0, n)), False


@CHAPTER.effect(CounterBarred)
def counter_barred(state: Board, event: CounterBarred) -> Rows:
    """No counter until its next phase begins (RT-21.5, 21.10)."""
    return {("units", event.unit): replace(state.units[event.unit], no_counter=True)}


def _evade(
    case: AnyCase, command: Attack, rolled: tuple[tuple[int, int], bool], law: PercentLaw
) -> tuple[int, int, int]:
    """The defender's evasions, one for each hit to come (RT-8.6, 8.7): the hits that remain."""
    (doubled, plain), each = rolled
    unit = case.state.units[command.unit]
    figures = case.book.figures
    squad = case.book.sheet(unit.sheet).squad == "rc"
    if each:
        groups = [
            Group(doubled, law, answers=("attack", "critical")),
            Group(plain, law, answers=("attack", "success")),
        ]
    else:
        groups = [Group(doubled or plain, law, (LEAD, *unit.rc_left) if squad else _shots(doubled or plain))]
    times = figures.attack_critical_times, figures.evade_fumble_times
    keep = HitsKept(each or doubled > 0, *times, figures.evade_critical_takes)
    return case.pool(f"evade.{command.target}", command.target, groups, keep, rule="RT-8.6" if squad else "RT-8.7")


def _shots(n: int) -> tuple[str, ...]:
    """The seats of the evasions against a single craft: 1 to 5."""
    return tuple(str(shot) for shot in range(1, n + 1))


def _damage(case: AnyCase, command: Attack, weapon: Weapon, hits: tuple[int, int, int]) -> None:
    """Weapon damage x hits, the doubled ones doubled; what follows is the target's to bear (RT-8.6, 24.1, 24.8)."""
    if not sum(hits):
        case.emit(AllEvaded(Id(command.target)), "RT-8.6")
        return
    figures = case.book.figures
    each = r10_damage.weapon_damage(case, command.unit, weapon)
    case.emit(Struck(Id(command.target), sum(hits), hits[1] + hits[2], each), "RT-24.1")
    parts: list[Part] = [
        ("hits", each * hits[0], "RT-24.1"),
        ("critical-hits", each * hits[1] * figures.attack_critical_times, "RT-21.7"),
        ("fumbled-evasions", each * hits[2] * figures.evade_fumble_times, "RT-21.5"),
    ]
    total = case.figure("damage", command.target, [part for part in parts if part[1]] or parts[:1], rule="RT-24.8")
    case.result(hits=sum(hits), damage=total)
    case.follow(Damage(command.target, total))

