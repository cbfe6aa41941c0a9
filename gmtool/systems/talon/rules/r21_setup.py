"""Chapter 21: setting up: sides, ships with what they begin with, terrain, who stands where."""

from collections.abc import Iterator
from itertools import count
from typing import Annotated, Any, NamedTuple

from gmtool.kernel.case import Case
from gmtool.kernel.common import free_letter, fresh_id, next_handle, slug
from gmtool.kernel.fold import fold
from gmtool.kernel.hex import distance
from gmtool.kernel.refusal import Id, Word
from gmtool.kernel.state import Map, Raw, Rows, replace
from gmtool.kernel.system import Chapter
from gmtool.kernel.words import TEXT, Arg, Opt, number
from gmtool.systems.talon.bars import numbered
from gmtool.systems.talon.book import Book, title
from gmtool.systems.talon.grid import FACINGS, read
from gmtool.systems.talon.model import ACTIVE, OVER, REINFORCEMENT, SETUP, Board, Ship, Side, Terrain
from gmtool.systems.talon.tables import ShipClass
from gmtool.systems.talon.words import CLASS, FACING, HEX, HEX_OR_OFF, OFF, RACE, SHIP, SIDE, TERRAIN, TERRAIN_NAMES

CHAPTER = Chapter("21")
FAR = 30
"""Whoever is put so many hexes from everybody is said to be: the board has no end that would catch a slip."""
AnyCase = Case[Board, Book]
LETTERS = {"terran": "t", "talon": "x"}
"""What the handles of a race's ships begin with, if it is free; others take the first letter of the side's name."""
SOLID = {"planet": "TL-17.2.1", "black-hole": "TL-18.1", "worm-hole": "TL-19"}
"""Terrain that no ship can stand in, with the rule by which it is gone (TL-17 to 19)."""


class SideAdd(NamedTuple):
    """A side joins, with ships of a race."""

    name: Annotated[str, Arg(TEXT)]
    race: Annotated[str, Opt("--race", RACE)]
    points: Annotated[int, Opt("--points", number("points", 1, 99999))] = 0


class ShipAdd(NamedTuple):
    """Ships, bases or squadrons of a class join a side; the class is kept in the campaign."""

    side: Annotated[str, Opt("--side", SIDE)]
    sheet: Annotated[str, Arg(CLASS)]
    name: Annotated[str, Arg(TEXT)] = ""
    how_many: Annotated[int, Opt("--count", number("count", 1, 40))] = 1
    at: Annotated[str, Opt("--at", HEX)] = ""
    facing: Annotated[str, Opt("--facing", FACING)] = ""


class TerrainAdd(NamedTuple):
    """Terrain is laid on hexes."""

    kind: Annotated[str, Arg(TERRAIN)]
    hexes: Annotated[tuple[str, ...], Arg(HEX, many=True)]
    name: Annotated[str, Opt("--name", TEXT)] = ""


class Deploy(NamedTuple):
    """A ship is put on a hex, or taken off the board (``off``)."""

    ship: Annotated[str, Arg(SHIP)]
    hex: Annotated[str, Arg(HEX_OR_OFF)]
    facing: Annotated[str, Arg(FACING)] = ""


class SideAdded(NamedTuple):
    """A side has joined."""

    side: Id
    name: str
    race: Word
    letter: str
    order: int
    budget: int = 0


class SheetPinned(NamedTuple):
    """A class's data is kept in the campaign from now on, whatever the files say later."""

    sheet: str
    data: Raw


class ShipAdded(NamedTuple):
    """A ship has joined a side, or comes to a new battle as it left the yard."""

    ship: Id
    side: Id
    sheet: Id
    row: Ship


class TerrainAdded(NamedTuple):
    """Terrain lies on a hex."""

    terrain: Id
    name: str
    kind: Word
    at: str


class Deployed(NamedTuple):
    """A ship stands on a hex."""

    ship: Id
    at: str
    facing: Word


class TakenOff(NamedTuple):
    """A ship stands on no hex."""

    ship: Id


@CHAPTER.rule(SideAdd)
def side_add(case: AnyCase, command: SideAdd) -> None:
    """A side gets a letter for its ships' handles: its race's, or the next one free."""
    case.name_free("sides", command.name)
    first = LETTERS.get(command.race) or slug(command.name, "s")[0]
    letter = free_letter(case.state, first)
    claimed, id = fresh_id(case.state, slug(command.name, "side"))
    case.keep(claimed)
    order = len(case.state.sides) + 1
    case.emit(SideAdded(Id(id), command.name, Word(command.race), letter, order, command.points), "TL-5.1")


@CHAPTER.effect(SideAdded)
def side_added(state: Board, event: SideAdded) -> Rows:
    """The side's row."""
    row = Side(event.name, str(event.race), event.order, event.letter, budget=event.budget)
    return {("sides", event.side): row}


@CHAPTER.rule(ShipAdd)
def ship_add(case: AnyCase, command: ShipAdd) -> None:
    """One ship, or several; each with its starting row, full shields and bars, an empty battery (TL-5.4.1, 8.1.3)."""
    if command.at and command.how_many > 1:
        raise case.refuse("bad-value", "TL-7.4", key="one-hex-each", n=command.how_many)
    pin(case, command.sheet)
    _within_budget(case, command)
    added = [add_one(case, command) for _ in range(command.how_many)]
    case.cite("TL-8.1.3", "TL-10.1.4")
    if command.at:
        case.follow(Deploy(added[0], command.at, command.facing))


def _within_budget(case: AnyCase, command: ShipAdd) -> None:
    """Forbidden beyond the points the table has agreed on for a side; no rule of the book."""
    side = case.state.sides[command.side]
    more = case.book.ship_class(command.sheet).points * command.how_many
    spent = sum(case.book.ship_class(ship.sheet).points for _, ship in case.state.of_side(command.side))
    if side.budget and spent + more > side.budget:
        facts: dict[str, Any] = {"side": Id(command.side), "more": more, "spent": spent, "most": side.budget}
        case.forbid("beyond-limits", "TL-5.1", key="over-budget", **facts)


def pin(case: AnyCase, sheet: str) -> None:
    """The class stays in the campaign as it is now."""
    if case.state.row("sheets", sheet) is None:
        case.keep(SheetPinned(sheet, Raw(case.book.json(sheet))), "TL-5.1")


def add_one(case: AnyCase, command: ShipAdd, hull: int = 0, speed: int | None = None) -> str:
    """A ship under the name it is given, with a number where several are; else under the next one of its class.

    ``hull`` and ``speed`` as in ``new_ship``.
    """
    sheet = case.book.ship_class(command.sheet)
    if command.name and command.how_many == 1:
        case.name_free("ships", command.name)
        name = command.name
    else:
        name = next(name for name in _names(sheet, command.name) if not _taken(case, name))
    claimed, id = fresh_id(case.state, slug(name, sheet.id), numbered=not slug(name, ""))
    case.keep(claimed)
    battle = case.state.battle
    joined = battle.round if battle and battle.phase not in (SETUP, OVER) else 1
    handle = next_handle(case.state, "ships", command.side, name)
    order = max((ship.order for ship in case.state.ships.values()), default=0) + 1
    row = new_ship(sheet, name, handle, command.side, order, joined, hull, speed)
    case.emit(ShipAdded(Id(id), Id(command.side), Id(sheet.id), row), "TL-5.4.1")
    return id


def _names(sheet: ShipClass, name: str) -> Iterator[str]:
    """The names of the class and after them its code with a number; of a name that is given the name with one."""
    if not name:
        yield from sheet.names
    yield from (f"{name or sheet.code}-{n}" for n in count(1))


def _taken(case: AnyCase, name: str) -> bool:
    """Whether a ship has that name, or goes by it."""
    wanted = fold(name)
    return any(wanted in (fold(ship.name), id, ship.handle) for id, ship in case.state.ships.items())


def new_ship(
    sheet: ShipClass, name: str, handle: str, side: str, order: int, joined: int = 1, hull: int = 0,
    speed: int | None = None,
) -> Ship:  # fmt: skip
    """A ship as it begins (TL-5.4.1, 8.1.3, 10.1.4); ``hull`` boxes marked and another ``speed`` if a scenario says so.

    What is marked already takes no power yet: that is the next Power Phase's (TL-5.4.4).
    """
    row = sheet.row(sheet.start if speed is None else speed)
    assert row is not None
    power, speed, turn = row
    fighters = [str(n) for n in range(1, (sheet.fighters or 0) + 1)]
    bars = numbered(sheet)
    return Ship(
        name, handle, sheet.id, side, order, ACTIVE, power, speed, turn,
        shields=Map({str(arc): boxes for arc, boxes in (sheet.shields or {}).items()}),
        red=Map({bar: group.red for bar, group in bars.items()}),
        yellow=Map({bar: group.yellow for bar, group in bars.items()}),
        hull=hull, fighters=Map(dict.fromkeys(fighters, 0)), joined=joined,
    )  # fmt: skip


@CHAPTER.effect(SheetPinned)
def sheet_pinned(state: Board, event: SheetPinned) -> Rows:
    """The class's data as a row of the campaign."""
    return {("sheets", event.sheet): event.data}


@CHAPTER.effect(ShipAdded)
def ship_added(state: Board, event: ShipAdded) -> Rows:
    """The ship's row, and its side's last handle."""
    side = state.sides[event.side]
    given = max(side.given, int(event.row.handle.removeprefix(side.letter)))
    return {("ships", event.ship): event.row, ("sides", event.side): replace(side, given=given)}


@CHAPTER.rule(TerrainAdd)
def terrain_add(case: AnyCase, command: TerrainAdd) -> None:
    """A counter on each hex; asteroids and nebula may share one, nothing else does (TL-17.1, 18.1)."""
    numbered = len(set(command.hexes)) > 1
    if command.name and not numbered:
        case.name_free("terrain", command.name)
    for at in dict.fromkeys(command.hexes):
        _free_for(case, command.kind, at)
        name = command.name or title(TERRAIN_NAMES[command.kind], case.state.campaign.lang or "en")
        claimed, id = fresh_id(case.state, slug(command.name, command.kind), numbered or not command.name)
        case.keep(claimed)
        shown = f"{name}-{claimed.n}" if numbered or not command.name else name
        case.emit(TerrainAdded(Id(id), shown, Word(command.kind), at), "TL-17.1")


def _free_for(case: AnyCase, kind: str, at: str) -> None:
    """Refused where the same terrain lies there already; forbidden what would swallow, or be too near to, a ship."""
    there = [(id, row) for id, row in case.state.terrain.items() if row.at == at]
    for id, row in there:
        if row.kind == kind:
            raise case.refuse("bad-setup", "TL-17.1", key="terrain-there", hex=at, terrain=Id(id))
        if kind in SOLID or row.kind in SOLID:
            case.forbid("bad-setup", "TL-17.1", key="terrain-shared", hex=at, terrain=Id(id))
    if kind not in SOLID:
        return
    clear = case.book.figures.hole_clear if kind == "black-hole" else 0
    for id, ship in case.state.on_board():
        if distance(read(ship.at or ""), read(at)) <= clear:
            key = "terrain-near-ship" if clear else "terrain-on-ship"
            case.forbid("bad-setup", SOLID[kind], key=key, hex=at, ship=Id(id), clear=clear)


@CHAPTER.effect(TerrainAdded)
def terrain_added(state: Board, event: TerrainAdded) -> Rows:
    """The counter's row."""
    return {("terrain", event.terrain): Terrain(event.name, str(event.kind), event.at)}


@CHAPTER.rule(Deploy)
def deploy(case: AnyCase, command: Deploy) -> None:
    """Anywhere in the set-up, but not on another of its side, near a black hole or into a planet (TL-7.4, 18.1)."""
    ship, id = case.state.ships[command.ship], Id(command.ship)
    if ship.state != ACTIVE:
        raise case.refuse("not-active", "TL-8.6.1", key="deploy-gone", ship=id, state=Word(ship.state))
    _is_time(case, command.ship, ship)
    if command.hex == OFF:
        case.emit(TakenOff(id), "TL-7.4")
        return
    if not command.facing and ship.facing is None:
        raise case.refuse("bad-value", "TL-7.1", key="which-facing", ship=id, options=list(FACINGS))
    _may_stand(case, command.ship, command.hex)
    facing = command.facing or FACINGS[ship.facing or 0]
    case.emit(Deployed(id, command.hex, Word(facing)), "TL-7.4")
    others = [read(other.at) for at, other in case.state.on_board() if at != id and other.at]
    nearest = min((distance(read(command.hex), at) for at in others), default=0)
    if nearest > FAR:
        case.warn("far-away", "TL-7.4", unit=id, hex=command.hex, n=nearest)


def _is_time(case: AnyCase, id: str, ship: Ship) -> None:
    """In the set-up; later only who comes in this Reinforcement Phase, in its side's part of it (TL-3.1, 3.2)."""
    battle = case.state.battle
    if battle is None or battle.phase in (SETUP, OVER):
        return
    if battle.phase != REINFORCEMENT or (ship.at is not None and ship.joined <= battle.round):
        case.forbid("wrong-phase", "TL-3.1", key="deploy-in-setup", ship=Id(id))
    elif battle.acting != ship.side:
        case.forbid("wrong-phase", "TL-3.2", key="other-turn", unit=Id(id), side=Id(battle.acting or ""))


def _may_stand(case: AnyCase, id: str, hex: str) -> None:
    """Forbidden: a hex with another of its side (bases too), what swallows it, and the hexes about a black hole."""
    side = case.state.ships[id].side
    for other, ship in case.state.on_board():
        if other != id and ship.at == hex and ship.side == side:
            case.forbid("bad-setup", "TL-7.4", key="hex-shared", ship=Id(id), other=Id(other), hex=hex)
    for place, terrain in case.state.terrain.items():
        far = distance(read(terrain.at), read(hex))
        if terrain.kind == "black-hole" and far <= case.book.figures.hole_clear:
            clear = case.book.figures.hole_clear
            case.forbid("bad-setup", "TL-18.1", key="hole-near", ship=Id(id), terrain=Id(place), n=far, clear=clear)
        elif terrain.kind in SOLID and far == 0:
            case.forbid("bad-setup", SOLID[terrain.kind], key="hex-solid", ship=Id(id), terrain=Id(place), hex=hex)


@CHAPTER.effect(Deployed)
def deployed(state: Board, event: Deployed) -> Rows:
    """Where the ship stands, and what it faces."""
    ship = state.ships[event.ship]
    return {("ships", event.ship): replace(ship, at=event.at, facing=FACINGS.index(str(event.facing)))}


@CHAPTER.effect(TakenOff)
def taken_off(state: Board, event: TakenOff) -> Rows:
    """The ship stands nowhere."""
    return {("ships", event.ship): replace(state.ships[event.ship], at=None, facing=None)}
