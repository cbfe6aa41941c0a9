"""Chapter 7.5: the map floats: everything on it is shifted alike; terrain out of everyone's way can go."""

from typing import Annotated, NamedTuple

from gmtool.kernel.case import Case
from gmtool.kernel.hex import DIRECTIONS, Hex, distance
from gmtool.kernel.refusal import Id, Word
from gmtool.kernel.state import Rows, replace
from gmtool.kernel.system import Chapter
from gmtool.kernel.words import Arg, number, one_of
from gmtool.systems.talon.book import Book
from gmtool.systems.talon.grid import FACINGS, label, read
from gmtool.systems.talon.model import OVER, SETUP, Board
from gmtool.systems.talon.words_combat import PLACE

CHAPTER = Chapter("7")
AnyCase = Case[Board, Book]
FARTHEST = 200
"""Labels have three digits: what would lie beyond them cannot be written."""


class MapShift(NamedTuple):
    """All counters and all terrain are shifted alike."""

    toward: Annotated[str, Arg(one_of("toward", *FACINGS))]
    hexes: Annotated[int, Arg(number("hexes", 1, 99))]


class TerrainOff(NamedTuple):
    """A counter of terrain is taken off, to make room."""

    terrain: Annotated[str, Arg(PLACE)]


class MapShifted(NamedTuple):
    """Everything lies so many hexes further over."""

    toward: Word
    hexes: int


class TerrainGone(NamedTuple):
    """Terrain is off the board."""

    terrain: Id
    at: str


@CHAPTER.rule(MapShift)
def map_shift(case: AnyCase, command: MapShift) -> None:
    """At any time, by agreement or for want of room: nothing moves relative to anything else (TL-7.5.1, 7.5.3)."""
    rows = [row for table in ("ships", "missiles", "terrain") for row in case.state.table(table).values()]
    places = [read(row.at) for row in rows if row.at]
    if not places:
        raise case.refuse("nothing-to-do", "TL-7.5.1", key="nothing-on-map")
    by = _by(command.toward, command.hexes)
    if any(abs(part) > FARTHEST for hex in places for part in _moved(hex, by)):
        raise case.refuse("bad-value", "TL-7.5.1", key="map-too-far")
    case.emit(MapShifted(Word(command.toward), command.hexes), "TL-7.5.1")


def _by(toward: str, hexes: int) -> Hex:
    q, r = DIRECTIONS[FACINGS.index(toward)]
    return q * hexes, r * hexes


def _moved(hex: Hex, by: Hex) -> Hex:
    return hex[0] + by[0], hex[1] + by[1]


@CHAPTER.effect(MapShifted)
def map_shifted(state: Board, event: MapShifted) -> Rows:
    """Ships, missiles and terrain, each as far."""
    by = _by(str(event.toward), event.hexes)
    return {
        (table, id): replace(row, at=label(_moved(read(row.at), by)))
        for table in ("ships", "missiles", "terrain")
        for id, row in state.table(table).items()
        if row.at
    }


@CHAPTER.rule(TerrainOff)
def terrain_off(case: AnyCase, command: TerrainOff) -> None:
    """Terrain six hexes or more from every ship may go to make room; by force, or with no battle on, any (TL-7.5.3)."""
    terrain, least = case.state.terrain[command.terrain], case.book.figures.retreat_distance
    at = read(terrain.at)
    near = [(distance(at, read(ship.at)), id) for id, ship in case.state.on_board() if ship.at]
    battle = case.state.battle
    fought = battle is not None and battle.phase not in (SETUP, OVER)
    if fought and near and min(near)[0] < least:
        far, id = min(near)
        unit = Id(command.terrain)
        case.forbid("too-far", "TL-7.5.3", key="not-far-off", unit=unit, other=Id(id), hexes=far, least=least)
    case.emit(TerrainGone(Id(command.terrain), terrain.at), "TL-7.5.3")


@CHAPTER.effect(TerrainGone)
def terrain_gone(state: Board, event: TerrainGone) -> Rows:
    """The counter is off the board."""
    return {("terrain", str(event.terrain)): None}
