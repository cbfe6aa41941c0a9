"""Chapter 8, with what 21 to 23 add to it: what an attacker declares, its attack value, its attack rolls."""

from typing import NamedTuple

from gmtool.kernel.case import Again, Case, Part
from gmtool.kernel.pools import Counts, Group
from gmtool.kernel.refusal import Id
from gmtool.kernel.state import Rows, replace
from gmtool.kernel.system import Chapter
from gmtool.systems.rtype.book import Book
from gmtool.systems.rtype.exchange import Aim, Blow, Rolled
from gmtool.systems.rtype.model import LEAD, Board, Unit
from gmtool.systems.rtype.rules.r20_checks import PercentLaw, result_of, succeeded
from gmtool.systems.rtype.rules.r22_lives import CHAPTER as LIVES
from gmtool.systems.rtype.rules.r22_lives import is_raised, law_of, raise_part, thrown_again
from gmtool.systems.rtype.rules.r23_abilities import ability_part
from gmtool.systems.rtype.rules.r23_skills import CHAPTER as SKILLS
from gmtool.systems.rtype.rules.r23_skills import skill_parts
from gmtool.systems.rtype.tables import Weapon

CHAPTER = Chapter("8 volley", needs=(LIVES, SKILLS))
AnyCase = Case[Board, Book]


class AttackDeclared(NamedTuple):
    """The attack is made: the unit is spent."""

    unit: Id
    target: Id
    weapon: Id
    rolls: int


class CounterFired(NamedTuple):
    """A counter is fired, which is no action (RT-9.3)."""

    unit: Id
    target: Id
    weapon: Id
    rolls: int


class EncounterFired(NamedTuple):
    """An enemy that was run into fires, which is no action (RT-3.7)."""

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


class ChargeFired(NamedTuple):
    """A charge weapon is fired: its charge is gone at once (RT-8.9)."""

    unit: Id
    before: int


class CounterBarred(NamedTuple):
    """A fumble: the unit cannot counter until its next phase."""

    unit: Id


class Volley(NamedTuple):
    """What came of the attack rolls, and the feint that everyone attacked has to meet."""

    rolled: Rolled | None
    feint: int


class Throw(NamedTuple):
    """The rolls with a weapon: the key of their dice, who rolls, the seats, whether one roll stands for all."""

    key: str
    who: str
    seats: tuple[str, ...]
    once: bool
    rule: str


def successes(counts: tuple[Counts, ...]) -> tuple[int, int]:
    """Of several attack rolls: criticals and plain successes."""
    return counts[0].get("critical", 0), counts[0].get("success", 0)


def volley(case: AnyCase, blow: Blow, aim: Aim, free: bool = False) -> Volley:
    """Declarations, attack value, ammunition, attack rolls; ``free`` is no action (RT-8.3, 8.5, 8.12, 9.3, 22.3)."""
    unit = case.state.units[blow.unit]
    weapon = case.book.weapon(unit.sheet, blow.weapon)
    once = _rolls_once(case, blow, unit, aim)
    parts, feint = _attack_parts(case, blow, unit, weapon, aim)
    seats = (LEAD,) if once else (LEAD, *unit.rc_left)
    if blow.kind.endswith("encounter"):
        case.emit(EncounterFired(Id(blow.unit), Id(blow.target), shown(unit, weapon), len(seats)), "RT-3.7")
    elif free:
        case.emit(CounterFired(Id(blow.unit), Id(blow.target), shown(unit, weapon), len(seats)), "RT-9.3")
    else:
        case.emit(AttackDeclared(Id(blow.unit), Id(blow.target), shown(unit, weapon), len(seats)), "RT-8.5")
    if weapon.charge is not None:
        case.emit(ChargeFired(Id(blow.unit), unit.charge), "RT-8.9")
    spend_round(case, blow.unit, unit, weapon, len(seats), "RT-8.8")
    value = case.figure("attack", blow.unit, parts, rule="RT-8.3")
    law = law_of(case, unit, value)
    return Volley(_attack_rolls(case, blow, unit, law, seats, once, parts), feint)


def nothing_yet(case: AnyCase, blow: Blow) -> None:
    """The outcome of a blow that has not struck: whatever ends it early, its figures are there."""
    case.result(**{blow.outcome(what): 0 for what in ("hits", "damage", "craft_lost")})
    case.result(**{blow.outcome("wrecked"): False})


def shown(unit: Unit, weapon: Weapon) -> Id:
    """A weapon as a thing with a name: the sheet's id and its own."""
    return Id(f"{unit.sheet}/{weapon.id}")


def _rolls_once(case: AnyCase, blow: Blow, unit: Unit, aim: Aim) -> bool:
    """An RC squad chooses one roll or one for each craft; all others have one (RT-8.5, 8.13)."""
    squad = case.book.is_squad(unit.sheet)
    if aim.rolls == "each" and not squad:
        raise case.refuse("bad-value", "RT-8.5", key="one-roll-only", unit=Id(blow.unit))
    if not unit.rc_left:
        if squad:
            case.cite("RT-8.13", "RT-21.10")
        return True
    given = {"once": "yes", "each": "no"}.get(aim.rolls)
    return case.ask(blow.key("once"), blow.unit, ("yes", "no"), "no", rule="RT-8.5", given=given) == "yes"


def _attack_parts(case: AnyCase, blow: Blow, unit: Unit, weapon: Weapon, aim: Aim) -> tuple[list[Part], int]:
    """Hit %, ability, skills, a life's raise, feint: the final attack value, and the feint (RT-8.3, 22.1, 22.4)."""
    parts: list[Part] = [("weapon", weapon.hit, "RT-8.3")]
    parts += shooter_parts(case, blow, unit, weapon, aim)
    before = max(sum(n for _, n, _ in parts), 0)
    if aim.feint is not None and aim.feint > before:
        raise case.refuse("bad-value", "RT-22.4", key="feint-too-high", value=aim.feint, most=before)
    given = aim.feint or None
    feint = case.ask_number(blow.key("feint"), blow.unit, 0, before, 0, rule="RT-22.4", given=given)
    return [*parts, *([("feint", -feint, "RT-22.4")] if feint else [])], feint


def shooter_parts(case: AnyCase, blow: Blow, unit: Unit, weapon: Weapon, aim: Aim) -> list[Part]:
    """What the pilot adds: ability, skills that fit the weapon, a life (RT-8.3, 22.1, 23.3)."""
    key = blow.key("skill")
    parts = ability_part(case, blow.key("ability"), blow.unit, unit, aim.ability, "RT-8.3")
    # who has nobody fit at the controls has no ability to add
    pilot = case.state.seat_of(unit) if parts else None
    if pilot is not None or aim.skills:
        ability = parts[0][0] if parts else ""
        parts += skill_parts(case, key, blow.unit, pilot, ability, "attack", weapon.kind, aim.skills)
    return [*parts, *raise_part(case, blow.key("raise"), blow.unit, pilot, aim.raised)]


def spend_round(case: AnyCase, id: str, unit: Unit, weapon: Weapon, rolls: int, rule: str) -> None:
    """One round of ammunition, or one a roll by the other reading (RT-8.8, 9.8)."""
    if weapon.id in unit.ammo:
        left = unit.ammo[weapon.id]
        need = rolls if case.choice("rt-8.8") == "roll" else 1
        if left < need:
            case.forbid("no-ammo", "RT-8.1", weapon=shown(unit, weapon), left=left, need=need, unit=Id(id))
        case.emit(AmmoSpent(Id(id), shown(unit, weapon), left, max(left - need, 0)), rule)


@CHAPTER.effect(AttackDeclared)
def attack_declared(state: Board, event: AttackDeclared) -> Rows:
    """The unit has acted."""
    return {("units", event.unit): replace(state.units[event.unit], acted=True)}


@CHAPTER.effect(AmmoSpent)
def ammo_spent(state: Board, event: AmmoSpent) -> Rows:
    """The weapon's ammunition (the part of its id after the sheet's)."""
    unit = state.units[event.unit]
    return {("units", event.unit): replace(unit, ammo=unit.ammo.put(event.weapon.partition("/")[2], event.after))}


@CHAPTER.effect(ChargeFired)
def charge_fired(state: Board, event: ChargeFired) -> Rows:
    """Stage 0."""
    return {("units", event.unit): replace(state.units[event.unit], charge=0)}


def _attack_rolls(
    case: AnyCase, blow: Blow, unit: Unit, law: PercentLaw, seats: tuple[str, ...], once: bool, parts: list[Part]
) -> Rolled | None:
    """The attack rolls: the evasions they call for, or None for a miss (RT-8.5, 8.6, 8.7)."""
    again = thrown_again(case, blow.unit, unit, law, is_raised(parts), "attack")
    throw = Throw(blow.key("attack"), blow.unit, seats, once, "RT-8.5")
    outcome, rolled = throw_all(case, throw, unit, law, again)
    if outcome == "fumble" and case.book.figures.attack_fumble_bars_counter:
        case.emit(CounterBarred(Id(blow.unit)), "RT-21.5")
    return rolled


def throw_all(case: AnyCase, throw: Throw, unit: Unit, law: PercentLaw, again: Again) -> tuple[str, Rolled | None]:
    """The rolls with a weapon: what one roll for all came to (empty for several), and the hits, or None for none.

    One success of an RC squad counts 1 + its RC craft, one of any other unit five (RT-8.6, 24.2, 24.6).
    """
    group = [Group(len(throw.seats), law, throw.seats)]
    if not throw.once:
        critical, success = case.pool(throw.key, throw.who, group, successes, rule=throw.rule, again=again)
        return "", Rolled(critical, success, True) if critical + success else None
    outcome = case.pool(throw.key, throw.who, group, result_of, rule=throw.rule, again=again)
    if not succeeded(outcome):
        return outcome, None
    n = 1 + len(unit.rc_left) if case.book.is_squad(unit.sheet) else case.book.figures.single_shots
    return outcome, Rolled(n, 0, False) if outcome == "critical" else Rolled(0, n, False)


@CHAPTER.effect(CounterBarred)
def counter_barred(state: Board, event: CounterBarred) -> Rows:
    """No counter until its next phase begins (RT-21.5, 21.10)."""
    return {("units", event.unit): replace(state.units[event.unit], no_counter=True)}
