"""Chapter 9: interception, which sets the damage of a defender's weapon against the damage of missiles."""

from typing import NamedTuple

from gmtool.kernel.case import Case, Part
from gmtool.kernel.refusal import Id
from gmtool.kernel.system import Chapter
from gmtool.systems.rtype.arms import owner
from gmtool.systems.rtype.book import Book
from gmtool.systems.rtype.exchange import Blow, Hits, Intercept, Rolled, Stand, Strike, at_the_end
from gmtool.systems.rtype.model import LEAD, Board, Unit
from gmtool.systems.rtype.rules import r10_damage
from gmtool.systems.rtype.rules.r08_volley import CHAPTER as VOLLEY
from gmtool.systems.rtype.rules.r08_volley import Throw, shown, spend_round, throw_all
from gmtool.systems.rtype.rules.r09_defence import CHAPTER as DEFENCE
from gmtool.systems.rtype.rules.r09_defence import person_parts
from gmtool.systems.rtype.rules.r22_lives import is_raised, law_of, thrown_again
from gmtool.systems.rtype.tables import Weapon

CHAPTER = Chapter("9 interception", needs=(VOLLEY, DEFENCE))
AnyCase = Case[Board, Book]


class InterceptDeclared(NamedTuple):
    """A target shoots at the missiles."""

    unit: Id
    weapon: Id
    rolls: int


class InterceptMissed(NamedTuple):
    """The interception failed: the full damage comes through (RT-9.8)."""

    unit: Id


@CHAPTER.rule(Intercept)
def intercept(case: AnyCase, command: Intercept) -> None:
    """Instead of evading, the target's attack roll with a weapon that intercepts (RT-9.2, 9.8)."""
    blow = command.blow
    weapon_id = blow.way.partition(":")[2]
    firing = owner(case.state, case.book, blow.target, weapon_id)
    unit = case.state.units[firing]
    weapon = case.book.weapon(unit.sheet, weapon_id)
    once = _rolls_once(case, blow, unit)
    seats = (LEAD,) if once else (LEAD, *unit.rc_left)
    parts = _value_parts(case, blow, unit, weapon, command.stand)
    case.emit(InterceptDeclared(Id(firing), shown(unit, weapon), len(seats)), "RT-9.8")
    if firing != blow.target:
        case.cite("RT-4.12")
    spend_round(case, firing, unit, weapon, len(seats), "RT-9.8")
    law = law_of(case, unit, case.figure("intercept", blow.target, parts, rule="RT-9.2"))
    again = thrown_again(case, blow.target, unit, law, is_raised(parts), "intercept")
    throw = Throw(blow.of_target("intercept"), blow.target, seats, once, "RT-9.8")
    # a fumbled interception fails like any other failure (RT-21.7)
    _, rolled = throw_all(case, throw, unit, law, again)
    if rolled is None:
        case.emit(InterceptMissed(Id(blow.target)), "RT-9.8")
    hits = Hits(command.rolled.plain, command.rolled.doubled, 0)
    against = None if rolled is None else (weapon.id, rolled)
    case.later(Strike(blow, hits, None, against), before=at_the_end)


def _rolls_once(case: AnyCase, blow: Blow, unit: Unit) -> bool:
    """An RC squad rolls once or once for each craft that lives; all others once (RT-9.8)."""
    if not unit.rc_left:
        return True
    return case.ask(blow.of_target("defence-once"), blow.target, ("yes", "no"), "no", rule="RT-9.8") == "yes"


def _value_parts(case: AnyCase, blow: Blow, unit: Unit, weapon: Weapon, stand: Stand) -> list[Part]:
    """The weapon's final attack value; the attacker's feint counts (RT-9.2, 22.3)."""
    parts: list[Part] = [("weapon", weapon.hit, "RT-8.3")]
    parts += person_parts(case, blow, unit, stand, "intercept", weapon.kind)
    return [*parts, *([("feint", -blow.feint, "RT-22.3")] if blow.feint else [])]


def shot_down(case: AnyCase, blow: Blow, against: tuple[str, Rolled], damage: int) -> list[Part]:
    """What the interception takes off, at most all there is (RT-9.2, 21.7, 24.3, 24.6)."""
    weapon_id, rolled = against
    firing = owner(case.state, case.book, blow.target, weapon_id)
    weapon = case.book.weapon(case.state.units[firing].sheet, weapon_id)
    each = r10_damage.weapon_damage(case, blow.of_target("intercept-damage"), blow.target, weapon)
    parts: list[Part] = [
        ("hits", each * rolled.plain, "RT-24.6"),
        ("critical-hits", each * rolled.doubled * case.book.figures.intercept_critical_times, "RT-21.7"),
    ]
    whole = case.figure("interception", blow.target, [part for part in parts if part[1]] or parts[:1], rule="RT-24.6")
    return [("intercepted", -min(whole, damage), "RT-9.2")]
