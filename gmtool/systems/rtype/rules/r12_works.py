"""Chapter 12, the works: hauling resources and occupying facilities (RT-12.8, 12.9), changing form (RT-12.12)."""

from typing import Annotated, NamedTuple

from gmtool.kernel.case import Case, Part
from gmtool.kernel.fold import numeral
from gmtool.kernel.hex import distance
from gmtool.kernel.refusal import Id, Refused, Word
from gmtool.kernel.state import Rows, replace
from gmtool.kernel.system import Chapter
from gmtool.kernel.words import TEXT, Arg, Flag, Kind, Opt, Scope, option
from gmtool.systems.rtype import lay
from gmtool.systems.rtype.book import Book
from gmtool.systems.rtype.model import LEAD, RESOURCES, Board, Place, Unit
from gmtool.systems.rtype.rules.r01_setup import claim
from gmtool.systems.rtype.rules.r07_functions import may_work
from gmtool.systems.rtype.rules.r13_victory import CHAPTER as VICTORY
from gmtool.systems.rtype.rules.r13_victory import watch
from gmtool.systems.rtype.words import PLACE, UNIT

CHAPTER = Chapter("12", needs=(VICTORY,))
AnyCase = Case[Board, Book]
DONE = 100
ACCELERATED = "accelerated"


def _deposit(word: str, scope: Scope) -> tuple[str, int]:
    """``KIND=N``: a resource, by any unambiguous beginning, and how much of it there is."""
    kind, equals, amount = word.partition("=")
    if not equals:
        facts = {"value": word, "kinds": list(RESOURCES)}
        raise Refused("bad-value", key="no-deposit", rule="RT-12.9", exit=2, facts=facts)
    return option(kind, RESOURCES, "resource", "RT-12.9"), numeral(amount, 0)


class PlaceAdd(NamedTuple):
    """The GM puts a facility or a resource on the table's sheet."""

    name: Annotated[str, Arg(TEXT)]
    facility: Annotated[bool, Flag("--facility")] = False
    resource: Annotated[tuple[str, int] | None, Opt("--resource", Kind("resource", _deposit))] = None


class Haul(NamedTuple):
    """A worker collects what lies at a place; left out where only one is meant."""

    unit: Annotated[str, Arg(UNIT)]
    place: Annotated[str, Arg(PLACE)] = ""


class Occupy(NamedTuple):
    """A unit occupies a facility; left out where only one is meant."""

    unit: Annotated[str, Arg(UNIT)]
    place: Annotated[str, Arg(PLACE)] = ""


class Accelerate(NamedTuple):
    """A unit takes its accelerated form."""

    unit: Annotated[str, Arg(UNIT)]


class Decelerate(NamedTuple):
    """A unit goes back to its ordinary form."""

    unit: Annotated[str, Arg(UNIT)]


class FacilityAdded(NamedTuple):
    """There is a facility."""

    place: Id
    row: Place


class ResourceAdded(NamedTuple):
    """There is something to haul."""

    place: Id
    resource: Word
    amount: int
    row: Place


class Hauled(NamedTuple):
    """A unit holds more of a resource, the place has less of it."""

    unit: Id
    place: Id
    resource: Word
    before: int
    after: int
    left: int


class OccupationAdvanced(NamedTuple):
    """A side is so far with a facility, in %."""

    unit: Id
    place: Id
    side: Id
    before: int
    after: int


class Occupied(NamedTuple):
    """A facility is in a side's hands."""

    place: Id
    side: Id


class Accelerated(NamedTuple):
    """A unit has changed to its accelerated form."""

    unit: Id


class Decelerated(NamedTuple):
    """A unit has changed back."""

    unit: Id


@CHAPTER.rule(PlaceAdd)
def place_add(case: AnyCase, command: PlaceAdd) -> None:
    """The GM sets each resource's kind and total beforehand; facilities begin at 0 % for every side (RT-12.8, 12.9)."""
    if command.facility == (command.resource is not None):
        raise case.refuse("bad-value", "RT-12.9", key="one-kind-of-place", name=command.name)
    case.name_free("places", command.name)
    resource, amount = command.resource or ("", 0)
    add_place(case, Place(command.name, "resource" if resource else "facility", resource, amount))


def add_place(case: AnyCase, row: Place) -> None:
    """A place under an id of its own, by the GM's word or with the map it lies on (RT-12.8, 12.9)."""
    id = Id(claim(case, row.name, "place"))
    if row.kind == "facility":
        case.emit(FacilityAdded(id, row), "RT-12.8")
    else:
        case.emit(ResourceAdded(id, Word(row.resource), row.amount, row), "RT-12.9")


@CHAPTER.effect(FacilityAdded)
@CHAPTER.effect(ResourceAdded)
def place_added(state: Board, event: FacilityAdded | ResourceAdded) -> Rows:
    """The place's row."""
    return {("places", event.place): event.row}


def _place(case: AnyCase, unit: str, named: str, kind: str, rule: str) -> tuple[Id, Place]:
    """The place, if it is of the kind and, on the map, the unit is there: on a facility, next to a resource."""
    id = Id(named or _only(case, unit, kind, rule))
    place = case.state.places[id]
    if place.kind != kind:
        raise case.refuse("bad-value", rule, key="no-facility" if kind == "facility" else "no-resource", place=id)
    if not _is_at(case, unit, place):
        key = "not-on-facility" if kind == "facility" else "not-next-to-resource"
        case.forbid("not-adjacent", rule, key=key, unit=Id(unit), place=id, hexes=list(place.hexes))
    return id, place


def _is_at(case: AnyCase, unit: str, place: Place) -> bool:
    """Whether a unit is where a place can be worked at; where the map does not say, it is the GM's word."""
    hexes = lay.covered(case.state, case.book, unit)
    spots = [lay.hex_of(case.state, label) for label in place.hexes] if hexes else []
    near = min((distance(hex, spot) for hex in hexes for spot in spots), default=0)
    return near <= (0 if place.kind == "facility" else 1)


def _only(case: AnyCase, unit: str, kind: str, rule: str) -> str:
    """The one place of a kind at which a unit is; refused, to be named, where it is not the only one."""
    known = [id for id, place in case.state.places.items() if place.kind == kind]
    here = [id for id in known if _is_at(case, unit, case.state.places[id])]
    if len(here) == 1:
        return here[0]
    if len(known) == 1:
        return known[0]
    key = "which-place" if known else "which-place-none"
    facts = {"unit": Id(unit), "places": [Id(id) for id in here or known]}
    raise Refused("bad-value", key=key, rule=rule, exit=2, facts=facts)


@CHAPTER.rule(Haul)
def haul(case: AnyCase, command: Haul) -> None:
    """30 of the resource, never more than the place still has or the store still takes (RT-12.9, 12.25)."""
    unit = may_work(case, command.unit, "haul")
    id, place = _place(case, command.unit, command.place, "resource", "RT-12.9")
    held, most = unit.hold.get(place.resource, 0), case.book.sheet(unit.sheet).hold
    if not place.amount:
        raise case.refuse("bad-value", "RT-12.25", key="place-empty", place=id)
    if held >= most:
        facts = {"unit": Id(command.unit), "resource": Word(place.resource), "most": most}
        raise case.refuse("bad-value", "RT-12.25", key="hold-full", **facts)
    taken = case.figure("haul", command.unit, _load(case, place.amount, most - held), rule="RT-12.9")
    case.emit(Hauled(
        Id(command.unit), id, Word(place.resource), held, held + taken, place.amount - taken
    ), "RT-12.9")  # fmt: skip
    case.cite("RT-26.1")
    case.result(hauled=taken)


def _load(case: AnyCase, amount: int, room: int) -> list[Part]:
    """One load, without what the place no longer has or the store no longer takes (RT-12.25)."""
    load = case.book.figures.haul_load
    short = max(0, load - min(amount, room))
    parts: list[Part] = [("load", load, "RT-12.9")]
    return [*parts, ("no-room" if room <= amount else "not-there", -short, "RT-12.25")] if short else parts


@CHAPTER.effect(Hauled)
def hauled(state: Board, event: Hauled) -> Rows:
    """The unit's store and what is left at the place; the unit has acted (RT-7.1)."""
    unit, place = state.units[event.unit], state.places[event.place]
    return {
        ("units", event.unit): replace(unit, acted=True, hold=unit.hold.put(str(event.resource), event.after)),
        ("places", event.place): replace(place, amount=event.left),
    }


@CHAPTER.rule(Occupy)
def occupy(case: AnyCase, command: Occupy) -> None:
    """75 less the damage the unit has taken, in %, kept for each side and facility; 100 is done (RT-12.8, 12.22)."""
    unit = may_work(case, command.unit, "occupy")
    id, place = _place(case, command.unit, command.place, "facility", "RT-12.8")
    before = place.progress.get(unit.side, 0)
    if before >= DONE:
        raise case.refuse("bad-value", "RT-12.22", key="occupied-already", place=id, side=Id(unit.side))
    gain = case.figure("occupy", command.unit, _gain(case, unit, before), rule="RT-12.8")
    case.emit(OccupationAdvanced(Id(command.unit), id, Id(unit.side), before, before + gain), "RT-12.22")
    case.result(gained=gain, progress=before + gain)
    if before + gain >= DONE:
        case.emit(Occupied(id, Id(unit.side)), "RT-12.8")
        watch(case)


def _gain(case: AnyCase, unit: Unit, before: int) -> list[Part]:
    """What one action adds, in %: never below 0, never beyond 100; of an RC squad the lead's damage only (RT-12.22)."""
    base = case.book.figures.occupy_percent
    damage = case.book.sheet(unit.sheet).hp - unit.hp[LEAD]
    parts: list[Part] = [("occupation", base, "RT-12.8")]
    if damage:
        squad = case.book.is_squad(unit.sheet)
        parts.append(("damage-taken", -damage, "RT-12.8" if squad else "RT-12.22"))
    bounded = min(max(0, base - damage), DONE - before)
    if damage > base:
        parts.append(("not-below-0", damage - base, "RT-12.22"))
    elif bounded < base - damage:
        parts.append(("above-100", bounded - (base - damage), "RT-12.22"))
    return parts


@CHAPTER.effect(OccupationAdvanced)
def occupation_advanced(state: Board, event: OccupationAdvanced) -> Rows:
    """How far the side is; the unit has acted (RT-7.1)."""
    unit, place = state.units[event.unit], state.places[event.place]
    return {
        ("units", event.unit): replace(unit, acted=True),
        ("places", event.place): replace(place, progress=place.progress.put(str(event.side), event.after)),
    }


@CHAPTER.rule(Accelerate)
def accelerate(case: AnyCase, command: Accelerate) -> None:
    """An action: before moving it ends the phase without a move; what the form changes is the GM's (RT-12.12)."""
    unit = may_work(case, command.unit, "accelerate")
    if unit.form == ACCELERATED:
        raise case.refuse("bad-value", "RT-12.12", key="accelerated-already", unit=Id(command.unit))
    case.emit(Accelerated(Id(command.unit)), "RT-12.12")
    case.warn("form-by-hand", "RT-12.12", unit=Id(command.unit))


@CHAPTER.rule(Decelerate)
def decelerate(case: AnyCase, command: Decelerate) -> None:
    """The same, back to the ordinary form (RT-12.12)."""
    unit = may_work(case, command.unit, "accelerate")
    if unit.form != ACCELERATED:
        raise case.refuse("bad-value", "RT-12.12", key="not-accelerated", unit=Id(command.unit))
    case.emit(Decelerated(Id(command.unit)), "RT-12.12")
    case.warn("form-by-hand", "RT-12.12", unit=Id(command.unit))


@CHAPTER.effect(Accelerated)
@CHAPTER.effect(Decelerated)
def form_changed(state: Board, event: Accelerated | Decelerated) -> Rows:
    """The form; the unit has acted."""
    form = ACCELERATED if isinstance(event, Accelerated) else ""
    return {("units", event.unit): replace(state.units[event.unit], acted=True, form=form)}
