"""The GM's own hand in R-TYPE: damage, healing, and figures changed by so many or set, with all that follows.

A figure is changed by a number with a sign and set by one without. It goes neither below 0 (life does) nor above what
the sheet allows; ``--force`` stops it at the limit and says what was not possible.
"""

from collections.abc import Mapping
from typing import Annotated, Any, NamedTuple

from gmtool.kernel.case import Case
from gmtool.kernel.fold import half_width, numeral
from gmtool.kernel.refusal import Id, Word
from gmtool.kernel.state import Rows, replace
from gmtool.kernel.system import Chapter
from gmtool.kernel.words import Arg, Kind, Opt, Scope, number, option
from gmtool.systems.rtype.absent import refused
from gmtool.systems.rtype.book import Book, craft_points
from gmtool.systems.rtype.model import CRAFT, GRADES, LEAD, RC, Board, Unit
from gmtool.systems.rtype.rules import r10_damage, r11_survival
from gmtool.systems.rtype.rules.r10_damage import CraftDamaged, Damage, PartDamaged
from gmtool.systems.rtype.rules.r11_survival import faint, fallen, stood
from gmtool.systems.rtype.words import PILOT, TARGET, UNIT, WEAPON, craft_of, one_part

CHAPTER = Chapter("by hand", needs=(r10_damage.CHAPTER, r11_survival.CHAPTER))
AnyCase = Case[Board, Book]


def _signed(word: str, scope: Scope) -> str:
    """``+3`` and ``-3`` keep their sign: they are changes; ``12`` is a value."""
    value = numeral(word)
    return f"{value:+d}" if half_width(word).strip()[:1] in {"+", "-"} else str(value)


def _grade(word: str, scope: Scope) -> str:
    """A grade, or so many steps up or down."""
    return _signed(word, scope) if half_width(word).strip()[:1] in {"+", "-"} else option(word, GRADES, "grade")


CHANGE = Kind("change", _signed)
STEPS = Kind("grade", _grade)
PIECE = craft_of("unit")
POINTS = number("points", 1, 100_000)


class DamageByHand(NamedTuple):
    """Damage as the rules spread it, also upon ``UNIT/PART``, or straight to one craft or part."""

    unit: Annotated[str, Arg(TARGET)]
    points: Annotated[int, Arg(POINTS)]
    flat: Annotated[str, Opt("--flat", PIECE)] = ""


class Heal(NamedTuple):
    """Hit points come back to one craft, or a part, which ``UNIT/PART`` names too."""

    unit: Annotated[str, Arg(TARGET)]
    points: Annotated[int, Arg(POINTS)]
    craft: Annotated[str, Opt("--craft", PIECE)] = ""


class Fuel(NamedTuple):
    """A unit's fuel is changed or set."""

    unit: Annotated[str, Arg(UNIT)]
    change: Annotated[str, Arg(CHANGE)]


class Charge(NamedTuple):
    """A unit's charge stage is changed or set."""

    unit: Annotated[str, Arg(UNIT)]
    change: Annotated[str, Arg(CHANGE)]


class Ammo(NamedTuple):
    """The ammunition of a weapon is changed or set."""

    unit: Annotated[str, Arg(UNIT)]
    weapon: Annotated[str, Arg(WEAPON)]
    change: Annotated[str, Arg(CHANGE)]


class GradeByHand(NamedTuple):
    """A unit's Bydo grade is set, or changed by so many steps."""

    unit: Annotated[str, Arg(UNIT)]
    grade: Annotated[str, Arg(STEPS)]


class Life(NamedTuple):
    """A pilot's life is changed or set."""

    pilot: Annotated[str, Arg(PILOT)]
    change: Annotated[str, Arg(CHANGE)]


class Spirit(NamedTuple):
    """A pilot's spirit is changed or set."""

    pilot: Annotated[str, Arg(PILOT)]
    change: Annotated[str, Arg(CHANGE)]


class Lives(NamedTuple):
    """The lives a pilot has left are changed or set."""

    pilot: Annotated[str, Arg(PILOT)]
    change: Annotated[str, Arg(CHANGE)]


class Adjusted(NamedTuple):
    """A figure at a path has another value by the GM's word."""

    who: Id
    what: Word | Id
    before: int | Word
    after: int | Word
    path: str


class Healed(NamedTuple):
    """A craft or part has hit points again."""

    unit: Id
    craft: Word
    before: int
    after: int


class LifeSet(NamedTuple):
    """A pilot's life is another by the GM's word."""

    pilot: Id
    before: int
    after: int


class SpiritSet(NamedTuple):
    """A pilot's spirit is another by the GM's word."""

    pilot: Id
    before: int
    after: int


class CameTo(NamedTuple):
    """A pilot whose spirit is whole again is awake."""

    pilot: Id


class DeathRevoked(NamedTuple):
    """A pilot whose life was entered wrongly is not dead after all."""

    pilot: Id


class Unused(NamedTuple):
    """So much of a change was not possible."""

    rest: int


@CHAPTER.rule(DamageByHand)
def damage_by_hand(case: AnyCase, command: DamageByHand) -> None:
    """The cascade or the fifth, or straight to one craft; charge, wreck and escape follow as from any hit."""
    id, _, part = command.unit.partition("/")
    unit, craft = _there(case, id), command.flat or part
    one_part("--flat", part, command.flat)
    before = unit.hp[craft or LEAD]
    if craft and not before:
        raise case.refuse("nothing-to-do", "", key="craft-gone", unit=Id(id), craft=Word(craft))
    if not command.flat:
        case.follow(Damage(id, command.points, part=part))
        return
    after = max(0, before - command.points)
    if craft in CRAFT:
        case.emit(CraftDamaged(Id(id), Word(craft), before, after), "")
    else:
        case.emit(PartDamaged(Id(id), Id(f"{id}/{craft}"), before, after), "")
    over = command.points - (before - after)
    r10_damage.lose_charge(case, id, "RT-10.3")
    if craft == LEAD and not after:
        r10_damage.wreck(case, id, over)
    elif over:
        case.emit(Unused(over), "")


def _there(case: AnyCase, id: str) -> Unit:
    """A unit that is not out of the battle for good (RT-10.9, 11.5)."""
    unit = case.state.units[id]
    if unit.state in {"wrecked", "lost"}:
        raise refused(case, id, "RT-11.5", "wreck-by-hand")
    return unit


@CHAPTER.rule(Heal)
def heal(case: AnyCase, command: Heal) -> None:
    """Up to the maximum; unless one is named the lead, then the first living RC craft that is hurt."""
    id, _, part = command.unit.partition("/")
    one_part("--craft", part, command.craft)
    unit = _there(case, id)
    most = craft_points(case.book.sheet(unit.sheet))
    hurt = [craft for craft in (LEAD, *RC, *unit.hp) if 0 < unit.hp.get(craft, 0) < most.get(craft, 0)]
    craft = command.craft or part or next(iter(hurt), LEAD)
    before = unit.hp[craft]
    after = min(most[craft], before + command.points)
    if after <= before:
        facts = {"unit": Id(id), "craft": Word(craft), "value": before, "high": most[craft]}
        raise case.refuse("nothing-to-do", "", key="nothing-to-heal", **facts)
    if craft in CRAFT:
        case.emit(Healed(Id(id), Word(craft), before, after), "")
    else:
        case.emit(PartDamaged(Id(id), Id(f"{id}/{craft}"), before, after), "")
    _rest(case, command.points - (after - before))


def _rest(case: AnyCase, rest: int) -> None:
    if rest:
        case.emit(Unused(rest), "")


@CHAPTER.effect(Healed)
def healed(state: Board, event: Healed) -> Rows:
    """The craft's hit points."""
    unit = state.units[event.unit]
    return {("units", event.unit): replace(unit, hp=unit.hp.put(str(event.craft), event.after))}


@CHAPTER.rule(Fuel)
def fuel(case: AnyCase, command: Fuel) -> None:
    """Between 0 and the sheet's fuel; a unit that needs none has none to change (RT-4.23)."""
    if _there(case, command.unit).fuel is None:
        raise case.refuse("bad-value", "RT-4.23", key="needs-no-fuel", unit=Id(command.unit))
    _adjust(case, command.unit, "units", "fuel", Word("fuel"), command.change)


@CHAPTER.rule(Charge)
def charge(case: AnyCase, command: Charge) -> None:
    """From 0 up, without an upper limit (RT-13.6)."""
    _there(case, command.unit)
    _adjust(case, command.unit, "units", "charge", Word("charge-stage"), command.change)


@CHAPTER.rule(Ammo)
def ammo(case: AnyCase, command: Ammo) -> None:
    """Between 0 and the sheet's ammunition of the weapon; one without a limit has none to change."""
    unit = _there(case, command.unit)
    weapon = Id(f"{unit.sheet}/{command.weapon}")
    if command.weapon not in unit.ammo:
        raise case.refuse("bad-value", "RT-8.1", key="unlimited-ammo", weapon=weapon)
    _adjust(case, command.unit, "units", f"ammo.{command.weapon}", weapon, command.change)


@CHAPTER.rule(GradeByHand)
def grade(case: AnyCase, command: GradeByHand) -> None:
    """One of clean E D C B A S; ``+1`` is a step worse (RT-25.5)."""
    unit = _there(case, command.unit)
    place = GRADES.index(unit.grade)
    wanted = place + int(command.grade) if command.grade[0] in "+-" else GRADES.index(command.grade)
    after = _within(case, command.unit, Word("grade"), place, wanted, (0, len(GRADES) - 1), GRADES)
    path = f"units.{command.unit}.grade"
    case.emit(Adjusted(Id(command.unit), Word("grade"), Word(unit.grade), Word(GRADES[after]), path), "")
    _rest(case, abs(wanted - after))


@CHAPTER.rule(Lives)
def lives(case: AnyCase, command: Lives) -> None:
    """Between 0 and the pilot's maximum (RT-22.2)."""
    _adjust(case, command.pilot, "pilots", "lives.now", Word("lives"), command.change)


def _adjust(case: AnyCase, id: str, table: str, keys: str, what: Word | Id, change: str) -> None:
    """A figure changed or set within its limits, and told."""
    field, _, key = keys.partition(".")
    held = getattr(case.state.row(table, id), field)
    before = held[key] if key else held
    wanted = _wanted(before, change)
    after = _within(case, id, what, before, wanted, case.limits(table, id, keys))
    case.emit(Adjusted(Id(id), what, before, after, f"{table}.{id}.{keys}"), "")
    _rest(case, abs(wanted - after))


def _wanted(before: int, change: str) -> int:
    return before + int(change) if change[0] in "+-" else int(change)


def _within(
    case: AnyCase, id: str, what: Word | Id, before: int, wanted: int, limits: tuple[int, int],
    words: tuple[str, ...] = (),
) -> int:  # fmt: skip
    """What comes of a change: refused beyond the limits, stopped there if the GM forces it; refused if nothing does."""
    low, high = limits
    if not low <= wanted <= high:
        case.forbid(
            "beyond-limits", "", key="steps-beyond" if words else "beyond-limits", who=Id(id), what=what,
            value=wanted - before if words else wanted, before=_shown(before, words),
            low=_shown(low, words), high=_shown(high, words),
        )  # fmt: skip
    after = min(high, max(low, wanted))
    if after == before:
        now = _shown(before, words)
        raise case.refuse("nothing-to-do", "", key="same-already", who=Id(id), what=what, before=now)
    return after


def _shown(value: int, words: tuple[str, ...]) -> int | Word:
    return Word(words[value]) if words else value


@CHAPTER.effect(Adjusted)
def adjusted(state: Board, event: Adjusted) -> Rows:
    """The figure at the path."""
    table, id, field, *key = event.path.split(".")
    row: Any = state.row(table, id)
    after = event.after if isinstance(event.after, int) else str(event.after)
    value: Mapping[str, Any] | int | str = getattr(row, field).put(key[0], after) if key else after
    return {(table, id): replace(row, **{field: value})}


@CHAPTER.rule(Life)
def life(case: AnyCase, command: Life) -> None:
    """At 0 or below a loss calls for the roll; a correction above 0 takes back a death by it (RT-11.4, 11.6)."""
    id = command.pilot
    pilot = case.state.pilots[id]
    wanted = _wanted(pilot.life, command.change)
    after = _within(case, id, Word("life"), pilot.life, wanted, case.limits("pilots", id, "life"))
    case.emit(LifeSet(Id(id), pilot.life, after), "")
    _rest(case, wanted - after)
    if after > 0 and pilot.state == "dead" and pilot.fate == "life":
        case.emit(DeathRevoked(Id(id)), "")
        faint(case, id)
    if after < pilot.life and pilot.state != "dead":
        fallen(case, id, f"death.{id}")


@CHAPTER.rule(Spirit)
def spirit(case: AnyCase, command: Spirit) -> None:
    """At 0 the pilot faints, at the maximum he is awake (RT-11.3)."""
    id = command.pilot
    pilot = case.state.pilots[id]
    wanted = _wanted(pilot.spirit, command.change)
    after = _within(case, id, Word("spirit"), pilot.spirit, wanted, case.limits("pilots", id, "spirit"))
    case.emit(SpiritSet(Id(id), pilot.spirit, after), "")
    _rest(case, abs(wanted - after))
    if after == pilot.spirit_max and case.state.pilots[id].unconscious:
        case.emit(CameTo(Id(id)), "RT-11.3")
    faint(case, id)


@CHAPTER.effect(LifeSet)
def life_set(state: Board, event: LifeSet) -> Rows:
    """The life there is; a treatment counts until it falls again or is above 0 (RT-11.6)."""
    pilot = state.pilots[event.pilot]
    treated = pilot.treated and pilot.life < event.after <= 0
    return {("pilots", event.pilot): stood(pilot, life=event.after, treated=treated)}


@CHAPTER.effect(SpiritSet)
def spirit_set(state: Board, event: SpiritSet) -> Rows:
    """The spirit there is."""
    return {("pilots", event.pilot): stood(state.pilots[event.pilot], spirit=event.after)}


@CHAPTER.effect(CameTo)
def came_to(state: Board, event: CameTo) -> Rows:
    """Conscious again."""
    return {("pilots", event.pilot): stood(state.pilots[event.pilot], out=False)}


@CHAPTER.effect(DeathRevoked)
def death_revoked(state: Board, event: DeathRevoked) -> Rows:
    """As the other figures say; what he was before he died holds again."""
    pilot = state.pilots[event.pilot]
    return {("pilots", event.pilot): stood(replace(pilot, state="unconscious" if pilot.out else "ready", fate=""))}
