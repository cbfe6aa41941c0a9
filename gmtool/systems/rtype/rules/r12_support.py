"""Chapter 12, support: supply, repair, and the repair of Bydo units by themselves (RT-25.2)."""

from collections.abc import Sequence
from typing import Annotated, NamedTuple

from gmtool.kernel.case import Case, Part
from gmtool.kernel.refusal import Id, Word
from gmtool.kernel.state import Rows, replace
from gmtool.kernel.system import Chapter
from gmtool.kernel.words import Arg, Opt
from gmtool.systems.rtype import lay
from gmtool.systems.rtype.absent import not_active
from gmtool.systems.rtype.book import Book, craft_points
from gmtool.systems.rtype.model import LEAD, RC, Board, Unit
from gmtool.systems.rtype.rules.r07_functions import may_work
from gmtool.systems.rtype.rules.r26_resources import CHAPTER as RESOURCES
from gmtool.systems.rtype.rules.r26_resources import GONE, PAYMENT, cost_of, pay
from gmtool.systems.rtype.words import TARGET, UNIT, craft_of, one_part

CHAPTER = Chapter("12", needs=(RESOURCES,))
AnyCase = Case[Board, Book]


class Supply(NamedTuple):
    """A unit with the function fills up a friend's fuel and ammunition."""

    unit: Annotated[str, Arg(UNIT)]
    target: Annotated[str, Arg(UNIT)]


class Repair(NamedTuple):
    """A unit with the function repairs a friend; ``craft`` is the RC craft, the lead or the part, ``pay`` what pays."""

    unit: Annotated[str, Arg(UNIT)]
    target: Annotated[str, Arg(TARGET)]
    craft: Annotated[str, Opt("--craft", craft_of("target"))] = ""
    pay: Annotated[tuple[str, ...], Opt("--pay", PAYMENT, many=True)] = ()


class SelfRepair(NamedTuple):
    """The Bydo units of a side repair themselves at the start of its phase (RT-2.7, 25.2)."""

    side: str


class RepairsItself(NamedTuple):
    """A Bydo unit counts as repaired."""

    unit: Id


class Supporting(NamedTuple):
    """The unit's action is spent on supply or repair."""

    unit: Id


class Refuelled(NamedTuple):
    """A unit's fuel is at its maximum."""

    unit: Id
    before: int
    after: int


class Reloaded(NamedTuple):
    """A weapon's ammunition is at its maximum."""

    unit: Id
    weapon: Id
    before: int
    after: int


class CraftReturned(NamedTuple):
    """A lost RC craft is back, and a replacement is used."""

    unit: Id
    craft: Word
    after: int
    before_left: int
    left: int


class CraftRepaired(NamedTuple):
    """A craft of a squad has hit points again."""

    unit: Id
    craft: Word
    before: int
    after: int


class Repaired(NamedTuple):
    """A single craft has hit points again."""

    target: Id
    before: int
    after: int


class PartRepaired(NamedTuple):
    """A part of a unit has hit points again."""

    target: Id
    part: Id
    before: int
    after: int


@CHAPTER.rule(Supply)
def supply(case: AnyCase, command: Supply) -> None:
    """Fuel and ammunition to the maximum (RT-12.1)."""
    unit = may_work(case, command.unit, "supply")
    _can_be_cared_for(case, command.unit, unit, command.target, "supply", "RT-12.1")
    case.keep(Supporting(Id(command.unit)), "RT-7.1")
    if not replenish(case, command.target, "RT-12.1"):
        case.warn("lacked-nothing", "RT-12.1", unit=Id(command.target))
    case.result(fuel=case.state.units[command.target].fuel)


def replenish(case: AnyCase, id: str, rule: str) -> bool:
    """A unit's fuel and ammunition to its sheet's maximum; whether it lacked any (RT-12.1, 12.5)."""
    unit = case.state.units[id]
    sheet = case.book.sheet(unit.sheet)
    lacked = False
    if unit.fuel is not None and sheet.fuel is not None and unit.fuel < sheet.fuel:
        case.emit(Refuelled(Id(id), unit.fuel, sheet.fuel), rule)
        lacked = True
    for weapon in sheet.weapons:
        left = unit.ammo.get(weapon.id, 0)
        if weapon.ammo is not None and left < weapon.ammo:
            case.emit(Reloaded(Id(id), Id(f"{sheet.id}/{weapon.id}"), left, weapon.ammo), rule)
            lacked = True
    return lacked


@CHAPTER.rule(Repair)
def repair(case: AnyCase, command: Repair) -> None:
    """The side pays, then one repair is done; with nothing to repair it is an action all the same (RT-12.2 to 12.4)."""
    unit = may_work(case, command.unit, "repair")
    target, _, part = command.target.partition("/")
    one_part("--craft", part, command.craft)
    _can_be_cared_for(case, command.unit, unit, target, "repair", "RT-12.2")
    pay(case, unit.side, cost_of(case, target), f"pay.{unit.side}", command.pay)
    case.keep(Supporting(Id(command.unit)), "RT-7.1")
    restored = mend(case, target, command.craft or part)
    if not restored:
        case.warn("lacked-nothing", "RT-12.2", unit=Id(target))
    case.result(restored=restored)


def _can_be_cared_for(case: AnyCase, id: str, unit: Unit, target: str, what: str, rule: str) -> None:
    """Refused unless the target is a friend in action next to the unit (RT-12.21)."""
    other = case.state.units[target]
    if id == target:
        key = "own-repair" if what == "repair" else "own-supply"
        raise case.refuse("bad-value", "RT-12.21", key=key, unit=Id(id))
    if other.side != unit.side:
        raise case.refuse("bad-value", rule, key="no-friend", unit=Id(target))
    if other.state not in {"active", "inactive"}:
        not_active(case, target, "RT-12.21")
    if lay.placed(case.state, id, target) and not lay.beside(case.state, case.book, id, target):
        steps = lay.apart(case.state, case.book, id, target)
        case.forbid("not-adjacent", "RT-12.21", unit=Id(id), target=Id(target), steps=steps or "-")


def mend(case: AnyCase, id: str, given: str = "", quiet: bool = False) -> int:
    """One repair by the squad form of the sheet; the hit points it gave back (RT-12.3, 12.4, 12.15)."""
    unit = case.state.units[id]
    if case.book.is_squad(unit.sheet):
        return _mend_squad(case, id, unit, given, quiet)
    return _mend_single(case, id, unit, given, quiet)


def _mend_squad(case: AnyCase, id: str, unit: Unit, given: str, quiet: bool) -> int:
    """One lost RC craft returns while replacements last; else one damaged craft is made whole (RT-12.3, 12.15)."""
    lost = [craft for craft in RC if not unit.hp.get(craft)]
    if lost and unit.replacements:
        return make_whole(case, id, _picked(case, id, lost, lost[0], given, quiet), "RT-12.3")
    hurt = sorted(hurt_craft(case, unit), key=lambda craft: unit.hp[craft])
    if lost and (given in lost or not hurt) and not quiet:
        case.forbid("no-replacements", "RT-12.3", unit=Id(id))
        return make_whole(case, id, given or lost[0], "RT-12.3")
    if not hurt:
        return 0
    return make_whole(case, id, _picked(case, id, hurt, hurt[0], given, quiet), "RT-12.15" if lost else "RT-12.3")


def hurt_craft(case: AnyCase, unit: Unit) -> list[str]:
    """The living craft and the parts below their maximum, those first that damage reaches first (RT-10.1)."""
    sheet = case.book.sheet(unit.sheet)
    most = craft_points(sheet)
    order = [*unit.rc_left, LEAD, *(part.id for part in sheet.parts)]
    return [craft for craft in order if unit.hp.get(craft, most[craft]) < most[craft]]


def _picked(case: AnyCase, id: str, options: Sequence[str], default: str, given: str, quiet: bool) -> str:
    """Which of the craft that a repair can go to: the side's choice (RT-12.15)."""
    if given and given not in options:
        words = tuple([Word(craft) for craft in options])
        case.forbid("wrong-craft", "RT-12.3", unit=Id(id), craft=Word(given), options=words)
        return given
    quiet = quiet or len(options) == 1
    return case.ask(f"repair.{id}", id, tuple(options), default, rule="RT-12.15", given=given or None, quiet=quiet)


def make_whole(case: AnyCase, id: str, craft: str, rule: str) -> int:
    """A craft to its full hit points; a lost RC craft is another one, and a replacement is used (RT-12.3, 12.15)."""
    unit = case.state.units[id]
    before, after = unit.hp[craft], craft_points(case.book.sheet(unit.sheet))[craft]
    if before >= after:
        return 0
    if craft in RC and not before:
        left = max(0, unit.replacements - 1)
        case.emit(CraftReturned(Id(id), Word(craft), after, unit.replacements, left), rule)
    else:
        _give(case, id, craft, before, after, rule)
    return after - before


def _give(case: AnyCase, id: str, craft: str, before: int, after: int, rule: str) -> None:
    """Hit points to a craft of a squad, to the body of any other unit, or to a part."""
    sheet = case.state.units[id].sheet
    if case.book.is_squad(sheet):
        case.emit(CraftRepaired(Id(id), Word(craft), before, after), rule)
    elif craft == LEAD:
        case.emit(Repaired(Id(id), before, after), rule)
    else:
        case.emit(PartRepaired(Id(id), Id(f"{sheet}/{craft}"), before, after), rule)


def _mend_single(case: AnyCase, id: str, unit: Unit, given: str, quiet: bool) -> int:
    """A share of the maximum of the body or of one part, up to the maximum (RT-12.4, 24.3).

    Not said: what gains most by it, the body among equals.
    """
    hurt = hurt_craft(case, unit)
    best = max(hurt, key=lambda craft: sum(n for _, n, _ in _share(case, unit, craft)), default=LEAD)
    options = tuple(dict.fromkeys([best, *hurt, *([given] if given else [])]))
    ask = len(options) > 1
    craft = _picked(case, id, options, best, given, quiet) if ask else best
    before = unit.hp[craft]
    restored = case.figure("repair", id, _share(case, unit, craft), rule="RT-12.4")
    if restored:
        _give(case, id, craft, before, before + restored, "RT-12.4")
    return restored


def _share(case: AnyCase, unit: Unit, craft: str) -> list[Part]:
    """The share of the maximum, and what of it goes beyond the maximum and is taken off again (RT-12.4)."""
    maximum = craft_points(case.book.sheet(unit.sheet))[craft]
    # RT-24.3: divisions round down
    share = maximum * case.book.figures.repair_percent // 100
    over = share - max(0, maximum - unit.hp[craft])
    parts: list[Part] = [("share", share, "RT-12.4")]
    return [*parts, ("over", -over, "RT-12.4")] if over > 0 else parts


@CHAPTER.rule(SelfRepair)
def self_repair(case: AnyCase, command: SelfRepair) -> None:
    """Each Bydo unit that lacks something counts as repaired once, free, decoys too (RT-12.26, 25.2)."""
    hurt = [id for id, unit in case.state.of_side(command.side) if _mends_itself(case, unit)]
    if hurt:
        case.cite("RT-25.2", "RT-12.26")
    for id in hurt:
        case.emit(RepairsItself(Id(id)), "RT-25.2")
        mend(case, id, quiet=True)


def _mends_itself(case: AnyCase, unit: Unit) -> bool:
    """Whether a unit is a Bydo that is left and that a repair would give something."""
    if not case.book.sheet(unit.sheet).bydo or unit.state in GONE:
        return False
    lost = case.book.is_squad(unit.sheet) and len(unit.rc_left) < len(RC)
    return bool(hurt_craft(case, unit)) or (lost and unit.replacements > 0)


@CHAPTER.effect(Supporting)
def supporting(state: Board, event: Supporting) -> Rows:
    """The unit has acted (RT-7.1)."""
    return {("units", event.unit): replace(state.units[event.unit], acted=True)}


@CHAPTER.effect(Refuelled)
def refuelled(state: Board, event: Refuelled) -> Rows:
    """The unit's fuel."""
    return {("units", event.unit): replace(state.units[event.unit], fuel=event.after)}


@CHAPTER.effect(Reloaded)
def reloaded(state: Board, event: Reloaded) -> Rows:
    """The weapon's ammunition (the part of its id after the sheet's)."""
    unit = state.units[event.unit]
    return {("units", event.unit): replace(unit, ammo=unit.ammo.put(event.weapon.partition("/")[2], event.after))}


@CHAPTER.effect(CraftReturned)
def craft_returned(state: Board, event: CraftReturned) -> Rows:
    """The craft's hit points, and the replacements that are left."""
    unit = state.units[event.unit]
    hp = unit.hp.put(str(event.craft), event.after)
    return {("units", event.unit): replace(unit, hp=hp, replacements=event.left)}


@CHAPTER.effect(CraftRepaired)
def craft_repaired(state: Board, event: CraftRepaired) -> Rows:
    """The craft's hit points."""
    unit = state.units[event.unit]
    return {("units", event.unit): replace(unit, hp=unit.hp.put(str(event.craft), event.after))}


@CHAPTER.effect(Repaired)
def repaired(state: Board, event: Repaired) -> Rows:
    """The body's hit points."""
    target = state.units[event.target]
    return {("units", event.target): replace(target, hp=target.hp.put(LEAD, event.after))}


@CHAPTER.effect(PartRepaired)
def part_repaired(state: Board, event: PartRepaired) -> Rows:
    """The part's hit points (its id is what follows the sheet's)."""
    target = state.units[event.target]
    hp = target.hp.put(event.part.partition("/")[2], event.after)
    return {("units", event.target): replace(target, hp=hp)}
