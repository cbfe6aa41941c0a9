"""Set-up (chapters 1, 23 and 27): sides, pilots and units."""

from typing import Annotated, NamedTuple

from gmtool.kernel.case import Case
from gmtool.kernel.common import free_letter, fresh_id, next_handle, slug
from gmtool.kernel.fold import fold
from gmtool.kernel.refusal import Id
from gmtool.kernel.state import Map, Raw, Rows, replace
from gmtool.kernel.system import Chapter
from gmtool.kernel.words import TEXT, Arg, Flag, Opt, number
from gmtool.systems.rtype.book import Book, title
from gmtool.systems.rtype.model import LEAD, RC, RESOURCES, Board, Pilot, Side, Unit
from gmtool.systems.rtype.rules import r01_seats
from gmtool.systems.rtype.rules.r01_seats import may_sit
from gmtool.systems.rtype.rules.r23_skills import SKILL_LEVEL, levels
from gmtool.systems.rtype.rules.r26_careers import boarded
from gmtool.systems.rtype.rules.r26_resources import AMOUNT, Resources
from gmtool.systems.rtype.tables import Sheet
from gmtool.systems.rtype.words import PILOT, SHEET, SIDE, TEMPERAMENT
from gmtool.systems.rtype.words_map import HEX

CHAPTER = Chapter("1", needs=(r01_seats.CHAPTER,))
PERCENT = number("percent", 0, 200, "%")
POINTS = number("points", 0, 1_000)
AnyCase = Case[Board, Book]


class SideAdd(NamedTuple):
    """A side joins; ``players`` says that players lead it, ``bonus`` what its representative adds (RT-23.6).

    ``resources`` are those it begins with (RT-26.1).
    """

    name: Annotated[str, Arg(TEXT)]
    players: Annotated[bool, Flag("--players")] = False
    bonus: Annotated[int, Opt("--bonus", number("bonus", -100, 100))] = 0
    resources: Annotated[tuple[str, ...], Opt("--resource", AMOUNT, many=True)] = ()


class PilotAdd(NamedTuple):
    """A pilot with the abilities of his sheet (RT-23.1)."""

    name: Annotated[str, Arg(TEXT)]
    body: Annotated[int, Opt("--body", PERCENT)]
    agility: Annotated[int, Opt("--agility", PERCENT)]
    intelligence: Annotated[int, Opt("--intelligence", PERCENT)]
    diplomacy: Annotated[int, Opt("--diplomacy", PERCENT)]
    life: Annotated[int, Opt("--life", POINTS)]
    spirit: Annotated[int, Opt("--spirit", POINTS)]
    temperament: Annotated[str, Opt("--temperament", TEMPERAMENT)] = "placid"
    player: Annotated[str, Opt("--player", TEXT)] = ""
    lives: Annotated[int | None, Opt("--lives", number("lives", 0, 100))] = None
    skills: Annotated[tuple[str, ...], Opt("--skill", SKILL_LEVEL, many=True)] = ()


class UnitAdd(NamedTuple):
    """Units of a sheet join a side, on hexes of the map where those are named; the sheet is pinned (RT-27, 1.1)."""

    sheet: Annotated[str, Arg(SHEET)]
    side: Annotated[str, Opt("--side", SIDE)]
    name: Annotated[str, Arg(TEXT)] = ""
    how_many: Annotated[int, Opt("--count", number("count", 1, 40))] = 1
    pilot: Annotated[str, Opt("--pilot", PILOT)] = ""
    at: Annotated[tuple[str, ...], Opt("--at", HEX, many=True)] = ()


class SideAdded(NamedTuple):
    """A side has joined."""

    side: Id
    name: str
    players: bool
    letter: str
    order: int
    bonus: int = 0


class PilotAdded(NamedTuple):
    """A pilot has joined."""

    pilot: Id
    row: Pilot


class SheetPinned(NamedTuple):
    """A sheet's data is kept in the campaign from now on, whatever the files say later."""

    sheet: str
    data: Raw


class UnitAdded(NamedTuple):
    """A unit has joined a side; its pilot, if any, takes the seat."""

    unit: Id
    side: Id
    row: Unit


def claim(case: AnyCase, name: str, fallback: str) -> str:
    """A new id made from a name, never given to anything else before or after."""
    claimed, id = fresh_id(case.state, slug(name, fallback))
    case.keep(claimed)
    return id


@CHAPTER.rule(SideAdd)
def side_add(case: AnyCase, command: SideAdd) -> None:
    """A side gets a letter for its units' handles: r for players, b for the others, or the next one free."""
    case.name_free("sides", command.name)
    first = "r" if command.players else "b"
    letter = free_letter(case.state, first)
    id = claim(case, command.name, "side")
    order = len(case.state.sides) + 1
    case.emit(SideAdded(Id(id), command.name, command.players, letter, order, command.bonus), "RT-2.2")
    if command.resources:
        case.follow(Resources(id, command.resources))
    if command.players and case.state.map and (hexes := case.state.map.sortie.get("")):
        from gmtool.systems.rtype.rules.r01_map import Sortie

        case.follow(Sortie(id, (hexes,)))


@CHAPTER.effect(SideAdded)
def side_added(state: Board, event: SideAdded) -> Rows:
    """The side's row."""
    return {("sides", event.side): Side(event.name, event.players, event.letter, event.order, bonus=event.bonus)}


@CHAPTER.rule(PilotAdd)
def pilot_add(case: AnyCase, command: PilotAdd) -> None:
    """Life and spirit stand on the sheet, at their maximum; lives are 3 of 3 unless it says otherwise (RT-22.2)."""
    case.name_free("pilots", command.name)
    lives = case.book.figures.lives if command.lives is None else command.lives
    row = Pilot(
        command.name, command.player or None, command.body, command.agility, command.intelligence,
        command.diplomacy, command.life, command.spirit, command.life, command.spirit, command.temperament,
        Map(now=lives, max=lives), levels(command.skills),
    )  # fmt: skip
    case.emit(PilotAdded(Id(claim(case, command.name, "pilot")), row), "RT-23.1")


@CHAPTER.effect(PilotAdded)
def pilot_added(state: Board, event: PilotAdded) -> Rows:
    """The pilot's row."""
    return {("pilots", event.pilot): event.row}


@CHAPTER.rule(UnitAdd)
def unit_add(case: AnyCase, command: UnitAdd) -> None:
    """One unit, or several numbered ones; each with the sheet's figures at their maximum."""
    if command.pilot and command.how_many > 1:
        raise case.refuse("bad-value", "", key="one-seat", pilot=Id(command.pilot), n=command.how_many)
    if command.pilot:
        may_sit(case, command.pilot)
    if case.state.row("sheets", command.sheet) is None:
        case.keep(SheetPinned(command.sheet, Raw(case.book.json(command.sheet))), "RT-27.2")
    if len(command.at) > command.how_many:
        raise case.refuse("bad-value", "RT-1.1", key="more-hexes", n=command.how_many, hexes=len(command.at))
    added = [_add_one(case, command) for _ in range(command.how_many)]
    for id, hex in zip(added, command.at, strict=False):
        from gmtool.systems.rtype.rules.r01_map import Deploy

        case.follow(Deploy(id, hex))


def _add_one(case: AnyCase, command: UnitAdd) -> str:
    """A unit named by the GM keeps that name; one that is not takes the sheet's, numbered from the second on."""
    sheet = case.book.sheet(command.sheet)
    name = command.name or title(sheet.name, case.state.campaign.lang or "en")
    base = slug(name, command.sheet)
    spoken = bool(slug(name, ""))
    # a name without ASCII takes the sheet's id for a base, always numbered: the sheet keeps its own for itself
    plain = command.how_many == 1 and (bool(command.name) or case.state.row("ids", base) is None)
    if plain:
        case.name_free("units", name)
    claimed, id = fresh_id(case.state, base, numbered=not plain or not spoken)
    case.keep(claimed)
    name = name if plain else numbered(case, name, claimed.n)
    handle = next_handle(case.state, "units", command.side, name)
    row = new_unit(sheet, name, handle, command.side, len(case.state.units) + 1)
    row = replace(row, pilot=command.pilot or None)
    case.emit(UnitAdded(Id(id), Id(command.side), row), "RT-27.1")
    if command.pilot:
        boarded(case, command.pilot, id)
    return id


def numbered(case: AnyCase, name: str, n: int) -> str:
    """Gains-1, Gains-2 …: the id's number, or the next one that no unit's name has."""
    taken = {fold(unit.name) for unit in case.state.units.values()}
    while fold(f"{name}-{n}") in taken:
        n += 1
    return f"{name}-{n}"


def new_unit(sheet: Sheet, name: str, handle: str, side: str, order: int) -> Unit:
    """A unit fresh from its sheet, all whole: an RC squad has its lead and four RC craft, a part points of its own."""
    craft = (LEAD, *RC) if sheet.squad == "rc" else (LEAD,)
    ammo = {weapon.id: weapon.ammo for weapon in sheet.weapons if weapon.ammo is not None}
    hp = Map({**dict.fromkeys(craft, sheet.hp), **{part.id: part.hp for part in sheet.parts}})
    return Unit(
        name, handle, sheet.id, side, order, None, hp, sheet.fuel, sheet.grade, Map(ammo),
        replacements=sheet.replacements if sheet.squad == "rc" else 0,
        hold=Map(dict.fromkeys(RESOURCES, 0)) if "haul" in sheet.functions else Map(),
    )  # fmt: skip


@CHAPTER.effect(SheetPinned)
def sheet_pinned(state: Board, event: SheetPinned) -> Rows:
    """The sheet's data as a row of the campaign."""
    return {("sheets", event.sheet): event.data}


@CHAPTER.effect(UnitAdded)
def unit_added(state: Board, event: UnitAdded) -> Rows:
    """The unit's row, its side's last handle, the pilot in his seat."""
    side = state.sides[event.side]
    given = int(event.row.handle.removeprefix(side.letter))
    rows: Rows = {
        ("units", event.unit): event.row,
        ("sides", event.side): replace(side, given=given),
    }
    if event.row.pilot:
        rows["pilots", event.row.pilot] = replace(state.pilots[event.row.pilot], where=str(event.unit))
    return rows
