"""Set-up on a map (RT-1): which map lies on the table, who stands where, and the hexes a side may deploy in."""

from functools import partial
from typing import Annotated, NamedTuple

from gmtool.kernel.case import Case
from gmtool.kernel.hex import Hex, add
from gmtool.kernel.refusal import Id, Word
from gmtool.kernel.state import Map, Rows, replace
from gmtool.kernel.system import Chapter
from gmtool.kernel.words import Arg
from gmtool.systems.rtype import lay
from gmtool.systems.rtype.absent import refused
from gmtool.systems.rtype.book import Book, title
from gmtool.systems.rtype.model import BattleMap, Board, Unit
from gmtool.systems.rtype.rules.r01_away import CHAPTER as AWAY
from gmtool.systems.rtype.rules.r01_away import MapTaken, map_away
from gmtool.systems.rtype.rules.r12_ships import setting_up
from gmtool.systems.rtype.rules.r12_works import CHAPTER as WORKS
from gmtool.systems.rtype.rules.r12_works import add_place
from gmtool.systems.rtype.words import CHART, FACING, SIDE, UNIT
from gmtool.systems.rtype.words_map import BLOCKS, HEX_OR_OFF, NONE, OFF

CHAPTER = Chapter("1 map", needs=(AWAY, WORKS))
AnyCase = Case[Board, Book]


class MapUse(NamedTuple):
    """A map is laid on the table."""

    map: Annotated[str, Arg(CHART)] = ""


class MapClear(NamedTuple):
    """The map is taken off the table: positions are the GM's word again."""


class Deploy(NamedTuple):
    """A unit is put on a hex, facing left or right, or taken off the map."""

    unit: Annotated[str, Arg(UNIT)]
    hex: Annotated[str, Arg(HEX_OR_OFF)]
    facing: Annotated[str, Arg(FACING)] = ""


class Sortie(NamedTuple):
    """The hexes in which a side may deploy, or ``none``: anywhere."""

    side: Annotated[str, Arg(SIDE)]
    hexes: Annotated[tuple[str, ...], Arg(BLOCKS, many=True)]


class MapLaid(NamedTuple):
    """A map lies on the table."""

    name: str
    columns: int
    rows: int
    row: BattleMap


class Deployed(NamedTuple):
    """A unit stands on a hex, its attached force beside it."""

    unit: Id
    at: str
    facing: Word
    beside: Map[str]


class TakenOff(NamedTuple):
    """A unit stands on no hex."""

    unit: Id


class SortieSet(NamedTuple):
    """A side may deploy in these hexes only."""

    side: Id
    n: int
    hexes: str


class SortieFree(NamedTuple):
    """A side may deploy anywhere."""

    side: Id


@CHAPTER.rule(MapUse)
def map_use(case: AnyCase, command: MapUse) -> None:
    """In place of the one before: nobody stands anywhere yet (RT-1.1, 1.7)."""
    row = case.book.map(command.map)
    lang = case.state.campaign.lang or "en"
    if case.state.map is not None:
        case.emit(MapTaken(), "RT-1.7")
    players = [side for side in case.state.sides_in_order() if case.state.sides[side].players] if row.sortie else []
    # before there is a players' side the hexes wait for one
    sortie = Map({side: " ".join(row.sortie) for side in (players or ([""] if row.sortie else []))})
    laid = BattleMap(title(row.name, lang), row.columns, row.rows, row.shoved, Map(row.terrain), sortie)
    case.emit(MapLaid(laid.name, laid.columns, laid.rows, laid), "RT-1.7")
    for place in row.places(lang):
        add_place(case, place)


@CHAPTER.effect(MapLaid)
def map_laid(state: Board, event: MapLaid) -> Rows:
    """The map's row; where anybody was noted to be before counts no more."""
    return {**map_away(state), ("map", "now"): event.row}


@CHAPTER.rule(MapClear)
def map_clear(case: AnyCase, command: MapClear) -> None:
    """The map, every position, and the places that came with it."""
    if case.state.map is None:
        raise case.refuse("nothing-to-do", "", key="no-map-to-clear")
    case.emit(MapTaken(), "RT-1.7")


@CHAPTER.rule(Deploy)
def deploy(case: AnyCase, command: Deploy) -> None:
    """In set-up, or whoever stands nowhere yet; into free hexes, of a side bound to some into those (RT-1.1, 1.2)."""
    unit = case.state.units[command.unit]
    if command.hex == OFF:
        _take_off(case, command.unit, unit)
        return
    _can_deploy(case, command.unit, unit)
    facing = command.facing or unit.facing or usual_facing(case.state, unit.side)
    body = lay.ground(_map(case)).labels.read(command.hex)
    own, force = formation(case, command.unit, body, facing)
    _room(case, command.unit, unit, (*own, *force.values()))
    beside = Map({id: lay.label(case.state, hex) for id, hex in force.items()})
    case.emit(Deployed(Id(command.unit), command.hex, Word(facing), beside), "RT-1.1")


def _map(case: AnyCase) -> BattleMap:
    found = case.state.map
    assert found is not None
    return found


def usual_facing(state: Board, side: str) -> str:
    """Players come from the left and face right, the others face them, unless it is said otherwise (RT-1.7)."""
    return lay.RIGHT if state.sides[side].players else lay.LEFT


def formation(case: AnyCase, id: str, body: Hex, facing: str) -> tuple[tuple[Hex, ...], dict[str, Hex]]:
    """The hexes a unit would cover on a body hex, and that of the force attached to it (RT-1.2, 4.3)."""
    unit = case.state.units[id]
    sheet = case.book.sheet(unit.sheet)
    own = tuple([add(body, each) for each in lay.offsets(lay.shape(sheet), facing)])
    if not unit.attached_to or case.book.is_force(unit.sheet):
        return own, {}
    mount = case.state.units[unit.attached_to].mount
    return own, {unit.attached_to: add(body, lay.mount_offset(sheet, facing, mount))}


def _can_deploy(case: AnyCase, id: str, unit: Unit) -> None:
    """Refused for what is carried or gone; in a battle for who stands somewhere already, unless the GM forces it."""
    if unit.attached_to and case.book.is_force(unit.sheet):
        raise case.refuse("bad-value", "RT-4.1", key="carried", unit=Id(id), by=Id(unit.attached_to))
    if unit.state in lay.OUT_OF_ALL:
        raise refused(case, id, "RT-1.5", "deploy-out")
    if unit.at is not None and not setting_up(case.state):
        case.forbid("wrong-phase", "RT-1.1", key="deploy-setup", unit=Id(id), hex=unit.at)


def _room(case: AnyCase, id: str, unit: Unit, hexes: tuple[Hex, ...]) -> None:
    """Every hex on the map, no wall, nobody else's, within the side's sortie hexes (RT-1.1, 1.2, 3.3)."""
    bar = lay.no_room(case.state, case.book, hexes, (id, unit.attached_to))
    if bar and bar.key == "room-off-map":
        raise case.refuse("no-room", bar.rule, key=bar.key, unit=Id(id))
    if bar:
        case.forbid("no-room", bar.rule, key=bar.key, unit=Id(id), **bar.facts)
    bound = _map(case).sortie.get(unit.side, "").split()
    outside = [label for label in map(partial(lay.label, case.state), hexes) if bound and label not in bound]
    if outside:
        case.forbid("no-room", "RT-1.1", key="deploy-sortie", unit=Id(id), hex=outside[0], side=Id(unit.side))


@CHAPTER.effect(Deployed)
def deployed(state: Board, event: Deployed) -> Rows:
    """Where it stands and faces, its attached force with it."""
    facing = str(event.facing)
    rows: Rows = {("units", event.unit): replace(state.units[event.unit], at=event.at, facing=facing)}
    for id, at in event.beside.items():
        rows["units", id] = replace(state.units[id], at=at, facing=facing)
    return rows


def _take_off(case: AnyCase, id: str, unit: Unit) -> None:
    """Off the map: in set-up, or what is in subspace, which nobody may see (RT-5.10); else the GM has to force it."""
    if unit.at is None:
        raise case.refuse("nothing-to-do", "", key="not-on-map", unit=Id(id))
    if not setting_up(case.state) and unit.state != "subspace":
        case.forbid("wrong-phase", "RT-5.10", key="off-in-battle", unit=Id(id))
    case.emit(TakenOff(Id(id)), "RT-5.10")


@CHAPTER.effect(TakenOff)
def taken_off(state: Board, event: TakenOff) -> Rows:
    """It stands nowhere, nor does the force it carries."""
    unit = state.units[event.unit]
    rows: Rows = {("units", event.unit): replace(unit, at=None)}
    if unit.attached_to:
        rows["units", unit.attached_to] = replace(state.units[unit.attached_to], at=None)
    return rows


@CHAPTER.rule(Sortie)
def sortie(case: AnyCase, command: Sortie) -> None:
    """The GM may give a side the hexes in which every hex of its craft must lie (RT-1.1)."""
    if case.state.map is None:
        raise case.refuse("no-map", "RT-1.1")
    if NONE in command.hexes and len(command.hexes) > 1:
        raise case.refuse("bad-value", "RT-1.1", key="sortie-none-alone")
    if NONE in command.hexes:
        case.emit(SortieFree(Id(command.side)), "RT-1.1")
        return
    hexes = dict.fromkeys(hex for block in command.hexes for hex in block.split())
    case.emit(SortieSet(Id(command.side), len(hexes), " ".join(hexes)), "RT-1.1")


@CHAPTER.effect(SortieSet)
def sortie_set(state: Board, event: SortieSet) -> Rows:
    """The side's sortie hexes."""
    found = state.map
    assert found is not None
    return {("map", "now"): replace(found, sortie=found.sortie.put(str(event.side), event.hexes))}


@CHAPTER.effect(SortieFree)
def sortie_free(state: Board, event: SortieFree) -> Rows:
    """None any more."""
    found = state.map
    assert found is not None
    return {("map", "now"): replace(found, sortie=found.sortie.without(event.side))}
