"""Chapters 3, 8 and 9: counters, charge counters and the counters of an encounter."""

from typing import Annotated, NamedTuple

from gmtool.kernel.case import Case
from gmtool.kernel.refusal import Id, Word
from gmtool.kernel.state import Rows, replace
from gmtool.kernel.system import Chapter
from gmtool.kernel.words import Arg, Kind, Scope, find
from gmtool.systems.rtype import lay
from gmtool.systems.rtype.absent import not_active
from gmtool.systems.rtype.bars import Bar, barred
from gmtool.systems.rtype.book import Book
from gmtool.systems.rtype.exchange import Aim, Blow, Counter, Defend, Encounter, EncounterOver
from gmtool.systems.rtype.model import Board, Unit
from gmtool.systems.rtype.rules.r02_turn import CHAPTER as TURN
from gmtool.systems.rtype.rules.r02_turn import begin_steps, may_act
from gmtool.systems.rtype.rules.r08_fire import in_the_area
from gmtool.systems.rtype.rules.r08_reach import in_area, out_of_reach
from gmtool.systems.rtype.rules.r08_volley import CHAPTER as VOLLEY
from gmtool.systems.rtype.rules.r08_volley import nothing_yet, shown, volley
from gmtool.systems.rtype.rules.r09_defence import CHAPTER as DEFENCE
from gmtool.systems.rtype.rules.r09_defence import defence_keys
from gmtool.systems.rtype.rules.r09_ways import reaches_1, unusable
from gmtool.systems.rtype.rules.r10_damage import lose_charge
from gmtool.systems.rtype.tables import Weapon
from gmtool.systems.rtype.words import UNIT, candidates_of, weapons_of

CHAPTER = Chapter("9 counter", needs=(TURN, VOLLEY, DEFENCE))
AnyCase = Case[Board, Book]
NOT_FIRING = "none"
AIMED = ("once", "ability", "skill", "feint", "raise", "area", "attack")
"""The asks of whoever fires a counter."""
PHASE_OVER, MOVE_OVER = "phase-over", "move-over"


class CounterLapsed(NamedTuple):
    """A declared counter is not fired, for a reason."""

    unit: Id
    reason: Word


class EncounterDeclined(NamedTuple):
    """An enemy that was run into does not fire."""

    unit: Id


class EncounterEnded(NamedTuple):
    """The mover's phase is over (RT-3.9), or only its move."""

    unit: Id
    over: Word


@CHAPTER.rule(Counter)
def counter(case: AnyCase, command: Counter) -> None:
    """The counter is fired if it still can be; not met, it lapses and the ruling says why (RT-9.11, 9.13)."""
    reason = _lapse(case, command)
    if reason:
        case.emit(CounterLapsed(Id(command.unit), Word(reason)), "RT-9.13")
        if command.spared or case.choice("rt-10.3") == "attacked":
            lose_charge(case, command.unit, "RT-8.10")
        blow = Blow(command.unit, command.weapon, command.against, prefix=command.prefix)
        case.unneeded(*map(blow.key, AIMED), *defence_keys(blow))
        return
    case.calls(command.prefix, "counter")
    unit = case.state.units[command.unit]
    weapon = case.book.weapon(unit.sheet, command.weapon)
    if weapon.kind == "charge":
        _area(case, command.unit, weapon, command.against, command.prefix, "area-counter")
    else:
        _shot(case, command.unit, weapon, command.against, command.prefix, "counter")


def _lapse(case: AnyCase, command: Counter) -> str:
    """Why a declared counter cannot be fired any more; empty where it can (RT-8.10, 8.17, 9.13)."""
    unit, against = case.state.units[command.unit], case.state.units[command.against]
    if unit.state != "active":
        return "lapse-gone"
    if against.state not in {"active", "inactive", "subspace"}:
        return "lapse-target-gone"
    if unit.no_counter:
        return "lapse-fumbled"
    weapon = case.book.weapon(unit.sheet, command.weapon)
    if weapon.charge is not None and case.choice("rt-8.10") == "hit" and not command.was_hit:
        return "lapse-not-hit"
    bar = unusable(case, unit, weapon)
    bar = bar or out_of_reach(case.state, case.book, command.unit, weapon, command.against)
    return f"lapse-{bar.key.removeprefix('way-')}" if bar else ""


def _shot(case: AnyCase, id: str, weapon: Weapon, target: str, prefix: str, kind: str) -> None:
    """One attack of its own, which costs no action (RT-9.3, 9.11)."""
    blow = Blow(id, weapon.id, target, kind=kind, prefix=prefix)
    nothing_yet(case, blow)
    rolled, feint = volley(case, blow, Aim(), free=True)
    case.follow(Defend(blow._replace(feint=feint), rolled))


def _area(case: AnyCase, id: str, weapon: Weapon, target: str, prefix: str, kind: str) -> None:
    """A charge fired back is an area too: on the map everyone in it is attacked, else whom the GM names (RT-8.18)."""
    others = case.ask_names(f"{prefix}area", id, "unit", lambda: candidates_of(case.state, "units"), rule="RT-8.18")
    here = in_area(case.state, case.book, id, weapon)
    targets = tuple(dict.fromkeys((target, *others, *here)))
    in_the_area(case, id, targets)
    blow = Blow(id, weapon.id, target, kind=kind, prefix=prefix)
    upon_all = [blow._replace(target=each.partition("/")[0], part=each.partition("/")[2]) for each in targets]
    for upon in upon_all:
        nothing_yet(case, upon)
    rolled, feint = volley(case, blow, Aim(), free=True)
    for upon in upon_all:
        case.follow(Defend(upon._replace(feint=feint), rolled))


def _enemy(word: str, scope: Scope) -> str:
    """``ENEMY``, ``ENEMY=WEAPON`` or ``ENEMY=none``: who was run into, and with what it fires."""
    name, equals, weapon = word.rpartition("=")
    id = find(name if equals else word, "unit", candidates_of(scope.state, "units"))
    if not equals:
        return id
    if weapon == NOT_FIRING:
        return f"{id}={NOT_FIRING}"
    return f"{id}={find(weapon, 'weapon', weapons_of(scope.book.sheet(scope.state.units[id].sheet)))}"


ENEMY = Kind("unit", _enemy, offers=UNIT.candidates)


class Encountered(NamedTuple):
    """A mover has run into enemies that were not searched; ``walked``: on the map, in a move that was legal."""

    mover: Annotated[str, Arg(UNIT)]
    enemies: Annotated[tuple[str, ...], Arg(ENEMY, many=True)]
    walked: bool = False


@CHAPTER.rule(Encountered)
def encountered(case: AnyCase, command: Encountered) -> None:
    """Every enemy run into fires at once, each settled in full before the next (RT-3.6, 3.7, 3.13)."""
    mover = case.state.units[command.mover] if command.walked else may_act(case, command.mover, "RT-3.6")
    fired = False
    met = [word.partition("=")[0] for word in command.enemies]
    for word in command.enemies:
        id, _, weapon_id = word.partition("=")
        if met.count(id) > 1:
            raise case.refuse("bad-value", "RT-3.9", key="named-twice", value=Id(id))
        _is_enemy(case, command.mover, mover, id)
        _is_touched(case, command.mover, id)
        weapon = None if weapon_id == NOT_FIRING else _reaching(case, id, weapon_id, command.mover)
        if weapon is None:
            case.emit(EncounterDeclined(Id(id)), "RT-3.13")
            continue
        fired = True
        case.follow(Encounter(id, weapon.id, command.mover))
    case.follow(EncounterOver(command.mover, fired))


def _is_enemy(case: AnyCase, mover_id: str, mover: Unit, id: str) -> None:
    enemy = case.state.units[id]
    if enemy.side == mover.side:
        raise case.refuse("bad-value", "RT-3.6", key="no-enemy", unit=Id(id))
    if enemy.state != "active":
        not_active(case, id, "RT-3.15")


def _is_touched(case: AnyCase, mover: str, id: str) -> None:
    """On the map the two lie next to each other, with all their hexes and their forces (RT-3.6, 3.10)."""
    if lay.placed(case.state, mover, id) and (steps := lay.apart(case.state, case.book, mover, id)) != 1:
        case.forbid("not-adjacent", "RT-3.6", unit=Id(mover), target=Id(id), steps=steps or "-")


def _reaching(case: AnyCase, id: str, weapon_id: str, mover: str) -> Weapon | None:
    """The weapon an enemy fires at the mover next to it: the one named, else the first that can (RT-3.7)."""
    enemy = case.state.units[id]
    if not weapon_id:
        fit = fit_for_encounter(case, id, mover)
        return case.book.weapon(enemy.sheet, fit[0]) if fit else None
    weapon = case.book.weapon(enemy.sheet, weapon_id)
    bar = _bar(case, id, enemy, weapon, mover)
    if bar:
        case.forbid("barred-defence", bar.rule, key=bar.key, unit=Id(id), **bar.facts)
    return weapon


def fit_for_encounter(case: AnyCase, id: str, mover: str) -> list[str]:
    """The weapons with which an enemy can fire at the mover next to it, in the order of its sheet (RT-3.7)."""
    enemy = case.state.units[id]
    weapons = case.book.sheet(enemy.sheet).weapons
    return [weapon.id for weapon in weapons if _bar(case, id, enemy, weapon, mover) is None]


def _bar(case: AnyCase, id: str, enemy: Unit, weapon: Weapon, mover: str) -> Bar | None:
    """Why a weapon cannot fire at the hex beside: a ram, out of range or area, or not usable now (RT-3.7)."""
    if weapon.kind in {"ram", "subspace-buster"}:
        return barred("way-encounter-ram", "RT-3.7", weapon=shown(enemy, weapon))
    if not reaches_1(weapon):
        return barred("way-out-of-range", "RT-3.7", weapon=shown(enemy, weapon))
    return unusable(case, enemy, weapon) or (
        out_of_reach(case.state, case.book, id, weapon, mover) if weapon.area is not None else None
    )


@CHAPTER.rule(Encounter)
def encounter(case: AnyCase, command: Encounter) -> None:
    """One enemy fires, without an action; once the mover is wrecked the rest do not (RT-3.7, 3.13)."""
    enemy, mover = case.state.units[command.unit], case.state.units[command.mover]
    prefix = f"counter.{command.unit}."
    if mover.state != "active" or enemy.state != "active":
        reason = "lapse-gone" if mover.state == "active" else "lapse-target-gone"
        case.emit(CounterLapsed(Id(command.unit), Word(reason)), "RT-3.13")
        return
    weapon = case.book.weapon(enemy.sheet, command.weapon)
    case.cite("RT-3.8", "RT-9.7")
    case.calls(prefix, "encounter")
    if weapon.kind == "charge":
        _area(case, command.unit, weapon, command.mover, prefix, "area-encounter")
    else:
        _shot(case, command.unit, weapon, command.mover, prefix, "encounter")


@CHAPTER.rule(EncounterOver)
def encounter_over(case: AnyCase, command: EncounterOver) -> None:
    """Who received a counter has ended its phase; where none was fired only the move is over (RT-3.9, 3.14)."""
    if case.state.units[command.mover].state != "active":
        return
    over = command.fired or case.choice("rt-3.9") == "phase"
    case.emit(EncounterEnded(Id(command.mover), Word(PHASE_OVER if over else MOVE_OVER)), "RT-3.9")
    if not over:
        begin_steps(case, command.mover)


@CHAPTER.effect(EncounterEnded)
def encounter_ended(state: Board, event: EncounterEnded) -> Rows:
    """Stopped where it is; spent if it was fired at, but for a search (RT-3.14)."""
    unit = state.units[event.unit]
    acted = unit.acted or event.over == PHASE_OVER
    return {("units", event.unit): replace(unit, stopped=True, acted=acted, ambushed=True)}
