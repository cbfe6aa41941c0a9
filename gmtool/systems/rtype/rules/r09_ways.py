"""Chapter 9: which defences a target may declare, and why it may not declare the others (RT-7.3, 8.17, 9, 12.13)."""

from collections.abc import Iterator

from gmtool.kernel.case import Case, said_otherwise
from gmtool.kernel.fold import fold, half_width
from gmtool.kernel.refusal import Id, Refused, Word
from gmtool.kernel.words import begins, find, option
from gmtool.systems.rtype import lay
from gmtool.systems.rtype.arms import arms, owner
from gmtool.systems.rtype.bars import Bar, barred
from gmtool.systems.rtype.book import Book
from gmtool.systems.rtype.exchange import Blow, Stand
from gmtool.systems.rtype.model import Board, Unit
from gmtool.systems.rtype.rules.r06_search import is_searched, strict
from gmtool.systems.rtype.rules.r08_reach import out_of_reach
from gmtool.systems.rtype.tables import Weapon
from gmtool.systems.rtype.words import defending_weapons

EVADE = "evade"
WITH_WEAPON = ("intercept", "counter", "guard-counter")
AnyCase = Case[Board, Book]


def checked(case: AnyCase, blow: Blow, stand: Stand) -> Stand:
    """A declared defence is looked at before the first die: one the target cannot use is refused (RT-9.14)."""
    target = case.state.units[blow.target]
    if target.state == "inactive" or not (stand.way or case.said(blow.of_target("defence"))):
        return stand
    open_to, shut = _ways(case, blow, target)
    _allow(case, blow, target, _declared(case, blow, target, stand.way, open_to, shut), open_to, shut)
    return stand._replace(checked=True)


def way_of(case: AnyCase, blow: Blow, target: Unit, stand: Stand, hit: bool) -> str:
    """The defence declared: evade, focus, guard, ``intercept:WEAPON`` or ``counter:WEAPON``; evade where nothing is.

    One that the target cannot use now is refused (RT-9.14). After a miss there is nothing to defend against, yet a
    counter may follow (RT-8.12): ``hit`` says whether there is.
    """
    key, given = blow.of_target("defence"), ""
    said = case.said(key) or stand.way
    if not said and case.setting(key, EVADE) == EVADE:
        return case.ask(key, blow.target, (EVADE,), EVADE, rule="RT-8.12") if hit else EVADE
    open_to, shut = _ways(case, blow, target)
    if said:
        given = _declared(case, blow, target, stand.way, open_to, shut)
        if given in shut and not stand.checked:
            _allow(case, blow, target, given, open_to, shut)
        open_to += [given] if given not in open_to else []
    elif not hit and not any(counter_weapon(way) for way in open_to):
        return EVADE
    return case.ask(
        key, blow.target, open_to, EVADE, rule="RT-8.12", given=given or None,
        shown=lambda way: _shown_way(case, blow.target, way), read=lambda word: given or word,
    )  # fmt: skip


def _declared(case: AnyCase, blow: Blow, target: Unit, given: str, open_to: list[str], shut: dict[str, Bar]) -> str:
    """The way that the line says, by its option or under the key; two that differ are refused."""
    key = blow.of_target("defence")
    said = case.said(key)
    meant = _meant(case, key, blow.target, said or given, open_to, shut)
    if said and given and _meant(case, key, blow.target, given, open_to, shut) != meant:
        raise said_otherwise(key, said, given, "RT-8.12")
    return meant


def _allow(case: AnyCase, blow: Blow, target: Unit, way: str, open_to: list[str], shut: dict[str, Bar]) -> None:
    """Refuse a way that is barred, with the reason and what is open, unless the GM forces it."""
    if way in shut:
        bar = shut[way]
        facts = {**bar.facts, "unit": Id(blow.target), "open": open_to}
        case.forbid("barred-defence", bar.rule, key=bar.key, hint="barred-defence", **facts)


def _shown_way(case: AnyCase, id: str, way: str) -> Word | tuple[Word, Id]:
    """A way as it is shown: in a word, with the weapon by its name."""
    word, _, weapon = way.partition(":")
    if not weapon:
        return Word(word)
    return Word(word), Id(f"{case.state.units[owner(case.state, case.book, id, weapon)].sheet}/{weapon}")


def counter_weapon(way: str) -> str:
    """The weapon of a declared counter; empty where none is declared."""
    return way.partition("counter:")[2]


def _meant(case: AnyCase, key: str, id: str, said: str, open_to: list[str], shut: dict[str, Bar]) -> str:
    """The way that was said, its weapon by id, number or any name; those open to the target go before the others."""
    way, colon, weapon = half_width(said).partition(":")
    if colon and any(begins(each, fold(way)) for each in WITH_WEAPON if way):
        named = defending_weapons(case.state, case.book, id)
        said = f"{option(way, WITH_WEAPON, key, 'RT-9')}:{find(weapon, 'weapon', named)}"
    try:
        return option(said, open_to, key, "RT-9.14")
    except Refused as unknown:
        try:
            return option(said, [*open_to, *shut], key, "RT-9.14")
        except Refused:
            # what is told is what the target may do, not every weapon it has
            raise unknown from None


def _ways(case: AnyCase, blow: Blow, target: Unit) -> tuple[list[str], dict[str, Bar]]:
    """The ways open to a target, and those barred with the reason."""
    found: list[str] = [EVADE]
    shut: dict[str, Bar] = {}
    for way, bar in _all_ways(case, blow, target):
        if bar is None:
            found.append(way)
        else:
            shut[way] = bar
    return found, shut


def _all_ways(case: AnyCase, blow: Blow, target: Unit) -> Iterator[tuple[str, Bar | None]]:
    """Every way there is for a target besides plain evasion, each with what bars it now."""
    general = _general_bar(case, blow, target)
    answering = blow.kind in {"counter", "area-counter"}
    answered: Bar | None = barred("way-after-counter", "RT-9.3") if answering else None
    met: Bar | None = barred("way-encounter", "RT-3.8") if blow.kind.endswith("encounter") else None
    ram = _weapon(case, blow).kind == "ram"
    yield "focus", general or answered or met
    guard = general or met or (barred("way-ram", "RT-9.1") if ram else None) or _no_guard(case, target)
    yield "guard", guard
    if guard is None and case.choice("rt-9.5") == "dose":
        yield "guard-at-once", None
    both = guard is None and not blow.area and case.choice("rt-9.6") == "with-counter"
    for firing, weapon in arms(case.state, case.book, blow.target):
        yield f"intercept:{weapon.id}", general or answered or met or _no_intercept(case, blow, firing, weapon)
        counter = general or answered or _no_counter(case, blow, target, firing, weapon)
        yield f"counter:{weapon.id}", counter
        if both:
            yield f"guard-counter:{weapon.id}", counter


def _weapon(case: AnyCase, blow: Blow) -> Weapon:
    return case.book.weapon(case.state.units[blow.unit].sheet, blow.weapon)


def _general_bar(case: AnyCase, blow: Blow, target: Unit) -> Bar | None:
    """What leaves plain evasion only: an attacker not searched, nobody at the controls (RT-7.3, 9.1)."""
    if blow.unseen or _unmarked(case, blow, target):
        return barred("way-unseen", "RT-9.1")
    if case.state.seat_of(target) is not None and case.state.pilot_of(target) is None:
        return barred("way-pilot-out", "RT-7.3")
    return None


def _unmarked(case: AnyCase, blow: Blow, target: Unit) -> bool:
    """By the reading that marks stay until the side's next phase, an attacker without one is unseen (RT-6.8).

    By the default one it is the GM's word whether the attacker is in anyone's search value.
    """
    if blow.kind not in {"attack", "area"} or not (strict(case) or lay.placed(case.state, blow.unit)):
        return False
    return case.choice("rt-6.8") == "next-phase" and not is_searched(case.state, target.side, blow.unit)


def _no_guard(case: AnyCase, target: Unit) -> Bar | None:
    """Guarding needs a non-destructible force attached (RT-9.5)."""
    force = case.state.units.get(target.attached_to or "")
    if force is None or not case.book.sheet(force.sheet).indestructible:
        return barred("way-no-force", "RT-9.5")
    return None


def _no_intercept(case: AnyCase, blow: Blow, firing: str, weapon: Weapon) -> Bar | None:
    """Interception needs a missile to shoot at and a weapon fit for it that reaches (RT-4.12, 9.2, 9.12, 12.13)."""
    weapon_id = Id(f"{case.state.units[firing].sheet}/{weapon.id}")
    if _weapon(case, blow).kind != "missile" or blow.area:
        return barred("way-no-missile", "RT-9.2", attack=_shown(case, blow))
    if not weapon.intercept:
        return barred("way-not-fit", "RT-9.2", weapon=weapon_id)
    return _cannot_fire(case, firing, weapon, blow.unit)


def _cannot_fire(case: AnyCase, firing: str, weapon: Weapon, at: str) -> Bar | None:
    """Why a weapon cannot be fired now at all, or not at this unit from where both stand."""
    bar = unusable(case, case.state.units[firing], weapon)
    return bar or out_of_reach(case.state, case.book, firing, weapon, at)


def _no_counter(case: AnyCase, blow: Blow, target: Unit, firing: str, weapon: Weapon) -> Bar | None:
    """A counter needs a weapon fit for it, a charge against a charge; friends do not counter (RT-8.10, 8.17, 9.3)."""
    weapon_id = Id(f"{case.state.units[firing].sheet}/{weapon.id}")
    if blow.area and firing != blow.target:
        return barred("way-force-only", "RT-4.14")
    if case.state.units[blow.unit].side == target.side:
        return barred("way-friend", "RT-8.17")
    if blow.area and weapon.kind != "charge":
        return barred("way-charge-only", "RT-8.10", attack=_shown(case, blow))
    # any charge weapon of the craft will do against a charge weapon (RT-8.10)
    if not weapon.counter and not blow.area:
        return barred("way-not-fit", "RT-9.3", weapon=weapon_id)
    if blow.part and blow.area:
        return barred("way-part", "RT-8.16")
    if (blow.kind == "encounter" or _weapon(case, blow).kind == "ram") and not reaches_1(weapon):
        return barred("way-out-of-range", "RT-9.14", weapon=weapon_id)
    if target.no_counter or case.state.units[firing].no_counter:
        return barred("way-fumbled", "RT-21.5")
    return _cannot_fire(case, firing, weapon, blow.unit)


def unusable(case: AnyCase, target: Unit, weapon: Weapon) -> Bar | None:
    """Why a weapon cannot be fired now at all: no ammunition, no force, no charge, a decoy's (RT-4.15, 8.1, 12.13)."""
    weapon_id = Id(f"{target.sheet}/{weapon.id}")
    if target.decoy_of is not None:
        return barred("way-decoy", "RT-12.13")
    if target.state == "subspace":
        return barred("way-subspace", "RT-5.2")
    if target.ammo.get(weapon.id, 1) < 1:
        return barred("way-no-ammo", "RT-8.1", weapon=weapon_id)
    if weapon.kind == "laser" and target.attached_to is None and case.book.sheet(target.sheet).squad != "force":
        return barred("way-no-laser", "RT-4.15", weapon=weapon_id)
    if weapon.charge is not None and target.charge < weapon.charge:
        return barred("way-not-charged", "RT-8.1", weapon=weapon_id, charge=target.charge, need=weapon.charge)
    return None


def _shown(case: AnyCase, blow: Blow) -> Id:
    return Id(f"{case.state.units[blow.unit].sheet}/{blow.weapon}")


def reaches_1(weapon: Weapon) -> bool:
    """Whether a weapon reaches the hex beside; what an area covers is the GM's word."""
    return weapon.range is None or weapon.range[0] <= 1 <= weapon.range[1]


def can_intercept_at_1(case: AnyCase, target: Unit) -> bool:
    """Whether a unit has a weapon that intercepts at range 1 and can be used now (RT-10.4, 10.8)."""
    if target.state != "active":
        return False
    return any(
        weapon.intercept and weapon.range is not None and reaches_1(weapon)
        and unusable(case, target, weapon) is None
        for weapon in case.book.sheet(target.sheet).weapons
    )  # fmt: skip
