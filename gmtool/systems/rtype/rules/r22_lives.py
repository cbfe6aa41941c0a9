"""Chapter 22: lives, which raise a target by 20 or throw a die again."""

from collections.abc import Sequence
from typing import NamedTuple

from gmtool.kernel.case import Again, Case, Part
from gmtool.kernel.pools import Group
from gmtool.kernel.refusal import Id
from gmtool.kernel.state import Rows, replace
from gmtool.kernel.system import Chapter
from gmtool.systems.rtype.book import Book
from gmtool.systems.rtype.model import Board, Unit
from gmtool.systems.rtype.rules.r20_checks import PercentLaw, result_of

CHAPTER = Chapter("22")
AnyCase = Case[Board, Book]


class LifeSpent(NamedTuple):
    """A pilot has spent lives."""

    pilot: Id
    before: int
    after: int


def spend(case: AnyCase, pilot: str | None, who: str, rule: str) -> None:
    """One use of a pilot's lives; refused without a pilot, or with none left (RT-22.2, 22.6)."""
    if pilot is None:
        raise case.refuse("bad-value", "RT-22.6", key="no-lives-without-pilot", unit=Id(who))
    lives, cost = case.state.pilots[pilot].lives, case.book.figures.life_cost
    left = lives.get("now", 0)
    if left < cost:
        case.forbid("no-lives", "RT-22.2", pilot=Id(pilot), left=left, need=cost)
    case.emit(LifeSpent(Id(pilot), left, max(0, left - cost)), rule)


@CHAPTER.effect(LifeSpent)
def life_spent(state: Board, event: LifeSpent) -> Rows:
    """The lives that are left; the maximum stays."""
    pilot = state.pilots[event.pilot]
    return {("pilots", event.pilot): replace(pilot, lives=pilot.lives.put("now", event.after))}


def law_of(case: AnyCase, unit: Unit, target: int) -> PercentLaw:
    """How a unit's dice are read: by the pilot's temperament, without one by the sheet's (RT-21.4).

    Where a state of the unit or its pilot bars swapping or reverses it, that holds (RT-20.3).
    """
    pilot = case.state.pilot_of(unit)
    temperament = pilot.temperament if pilot else case.book.sheet(unit.sheet).temperament
    if pilot is None:
        case.cite("RT-7.3" if case.state.seat_of(unit) else "RT-21.4")
    mode = pilot.swap if pilot and unit.swap == "swap" else unit.swap
    return PercentLaw(target, mode, temperament)


def hand(case: AnyCase, unit: Unit) -> str | None:
    """The pilot who adds to a unit's checks and spends lives for them; a force's is its craft's (RT-4.11, 22.6)."""
    return case.state.seat_of(unit) if case.state.pilot_of(unit) else None


def unit_check(case: AnyCase, key: str, id: str, parts: Sequence[Part], figure: str, rule: str) -> str:
    """One D99 of a unit against the sum of ``parts``, with its pilot's lives: critical success failure fumble."""
    unit = case.state.units[id]
    pilot = hand(case, unit)
    whole = [*parts, *raise_part(case, f"raise.{key}", id, pilot, False)]
    law = law_of(case, unit, case.figure(figure, id, whole, rule=rule))
    again = thrown_again(case, id, unit, law, is_raised(whole), figure)
    return case.pool(key, id, [Group(1, law, ("",))], result_of, rule=rule, again=again)


def pilot_check(case: AnyCase, key: str, id: str, parts: Sequence[Part], figure: str, rule: str) -> str:
    """One D99 of a pilot, in the seat or not, with the pilot's lives: critical success failure fumble (RT-22.5)."""
    pilot = case.state.pilots[id]
    whole = [*parts, *raise_part(case, f"raise.{key}", id, id, False)]
    law = PercentLaw(case.figure(figure, id, whole, rule=rule), pilot.swap, pilot.temperament)
    again = thrown_again(case, id, id, law, is_raised(whole), figure)
    return case.pool(key, id, [Group(1, law, ("",))], result_of, rule=rule, again=again)


def raise_part(case: AnyCase, key: str, who: str, pilot: str | None, given: bool) -> list[Part]:
    """What a life adds to the target of all rolls of a check, if one is spent on it beforehand (RT-22.1, 22.5)."""
    said = case.ask(key, who, ("yes", "no"), "no", rule="RT-22.1", given="yes" if given else None, quiet=True)
    if said == "no":
        return []
    spend(case, pilot, who, "RT-22.1")
    return [("raise", case.book.figures.life_raise, "RT-22.1")]


def is_raised(parts: Sequence[Part]) -> bool:
    """Whether a life's raise is among the parts of a target."""
    return any(name == "raise" for name, _, _ in parts)


def thrown_again(
    case: AnyCase, who: str, thrower: Unit | str | None, law: PercentLaw, raised: bool, figure: str
) -> Again:
    """What further throws of a check's dice are read by: each costs a life, a raise another one (RT-22.1, 22.5).

    A raise, once bought, is not bought twice (RT-22.2) and holds for all rolls of the check, those that lie already
    among them; by the other reading only from then on. ``thrower`` is the unit or the pilot's id, ``figure`` what the
    target is shown as.
    """

    def again(key: str, value: str) -> tuple[PercentLaw, bool]:
        nonlocal raised, law
        pilot = hand(case, thrower) if isinstance(thrower, Unit) else thrower
        bought = value == "raise"
        if bought and raised:
            raise case.refuse("bad-value", "RT-22.2", key="raised-already", unit=Id(who))
        if bought:
            raised = True
            parts: list[Part] = [("target", law.target, "RT-22.1")]
            parts.append(("raise", case.book.figures.life_raise, "RT-22.1"))
            law = law._replace(target=case.figure(figure, who, parts, rule="RT-22.1"))
            spend(case, pilot, who, "RT-22.1")
        spend(case, pilot, who, "RT-22.1")
        return law, bought and case.choice("rt-22.1") == "all-rolls"

    return again
