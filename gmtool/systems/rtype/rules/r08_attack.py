"""Chapter 8, with what 21 and 22 add to it: one attack, from the checks to the attack rolls."""

from typing import Annotated, NamedTuple

from gmtool.kernel.case import Case, Part
from gmtool.kernel.pools import Counts, Group
from gmtool.kernel.refusal import Id
from gmtool.kernel.state import Rows, replace
from gmtool.kernel.system import Chapter
from gmtool.kernel.words import Arg, Flag, Opt, number
from gmtool.systems.rtype.book import Book
from gmtool.systems.rtype.model import LEAD, Board, Unit
from gmtool.systems.rtype.rules import r10_damage
from gmtool.systems.rtype.rules.r02_turn import CHAPTER as TURN
from gmtool.systems.rtype.rules.r02_turn import may_act
from gmtool.systems.rtype.rules.r09_defence import CHAPTER as DEFENCE_CHAPTER
from gmtool.systems.rtype.rules.r09_defence import DEFENCE, Evasion, Rolled, ability_part, evasion_keys, law_of
from gmtool.systems.rtype.rules.r20_checks import PercentLaw, result_of, succeeded
from gmtool.systems.rtype.tables import Weapon
from gmtool.systems.rtype.words import ABILITY, UNIT, WEAPON

CHAPTER = Chapter("8", needs=(TURN, DEFENCE_CHAPTER))
AnyCase = Case[Board, Book]


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


def successes(counts: tuple[Counts, ...]) -> tuple[int, int]:
    """Of several attack rolls: criticals and plain successes."""
    return counts[0].get("critical", 0), counts[0].get("success", 0)


@CHAPTER.rule(Attack)
def attack(case: AnyCase, command: Attack) -> None:
    """Checks, declarations, attack rolls; the defender's part follows if one succeeds (RT-8.1, 8.5, 8.12)."""
    unit, weapon = _allowed(case, command)
    once = _rolls_once(case, command, unit)
    parts = _attack_parts(case, command, unit, weapon)
    seats = (LEAD,) if once else (LEAD, *unit.rc_left)
    _declare(case, command, unit, weapon, len(seats))
    value = case.figure("attack", command.unit, parts, rule="RT-8.3")
    law = law_of(case, unit, value)
    case.result(hits=0, damage=0, craft_lost=0, wrecked=False)
    rolled = _attack_rolls(case, command, unit, law, seats, once)
    if case.choice("rt-10.3") == "attacked":
        r10_damage.lose_charge(case, command.target, "RT-10.3")
    if rolled is None:
        case.emit(AttackMissed(Id(command.target)), "RT-8.12")
        case.unneeded(*evasion_keys(command.target))
        return
    case.follow(Evasion(
        command.unit, command.target, command.weapon, command.feint, command.defence, command.defence_ability, rolled
    ))  # fmt: skip


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
    if command.defence_ability and target.pilot is None:
        raise case.refuse("bad-value", "RT-25.2", key="no-pilot", unit=Id(command.target))
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
    squad = case.book.is_squad(unit.sheet)
    if command.rolls == "each" and not squad:
        raise case.refuse("bad-value", "RT-8.5", key="one-roll-only", unit=Id(command.unit))
    if not unit.rc_left:
        if squad:
            case.cite("RT-8.13", "RT-21.10")
        return True
    given = {"once": "yes", "each": "no"}.get(command.rolls)
    return case.ask("once", command.unit, ("yes", "no"), "no", rule="RT-8.5", given=given) == "yes"


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
) -> Rolled | None:
    """The attack rolls: the evasions they call for, or None for a miss (RT-8.5, 8.6, 8.7)."""
    group = [Group(len(seats), law, seats)]
    if not once:
        critical, success = case.pool("attack", command.unit, group, successes, rule="RT-8.5")
        return Rolled(critical, success, True) if critical + success else None
    outcome = case.pool("attack", command.unit, group, result_of, rule="RT-8.5")
    if outcome == "fumble" and case.book.figures.attack_fumble_bars_counter:
        case.emit(CounterBarred(Id(command.unit)), "RT-21.5")
    if not succeeded(outcome):
        return None
    squad = case.book.is_squad(unit.sheet)
    n = 1 + len(unit.rc_left) if squad else case.book.figures.single_shots
    return Rolled(n, 0, False) if outcome == "critical" else Rolled(0, n, False)


@CHAPTER.effect(CounterBarred)
def counter_barred(state: Board, event: CounterBarred) -> Rows:
    """No counter until its next phase begins (RT-21.5, 21.10)."""
    return {("units", event.unit): replace(state.units[event.unit], no_counter=True)}
