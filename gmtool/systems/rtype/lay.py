"""Where everything stands: the hexes of units on the map, what is between them, who is next to whom (RT-1, 8.2).

Nothing here decides a rule's outcome. Where no map lies on the table, or a unit stands on none of its hexes, the answer
is None or empty, and what depends on it is the GM's word.
"""

from collections.abc import Collection, Iterator
from typing import NamedTuple

from gmtool.kernel.cached import cached
from gmtool.kernel.hex import Flood, Hex, Rows, add, distance, line, mirrored, neighbours, spread
from gmtool.kernel.refusal import Id
from gmtool.systems.rtype.bars import Bar, barred
from gmtool.systems.rtype.book import Book
from gmtool.systems.rtype.model import BattleMap, Board, Unit
from gmtool.systems.rtype.tables import Sheet

RIGHT, LEFT = "right", "left"
FAR = 1_000
"""No distance on a map of 99 by 99 hexes is as long, whatever it goes round."""
OUT_OF_ALL = ("stowed", "wrecked", "lost")
"""States of units that stand on no hex."""


class Ground(NamedTuple):
    """What a map makes of its hexes: labels, walls and reefs."""

    columns: int
    rows: int
    labels: Rows
    walls: frozenset[Hex]
    reefs: frozenset[Hex]

    def inside(self, hex: Hex) -> bool:
        """Whether a hex lies on the sheet."""
        return 0 <= hex[1] < self.rows and 1 <= self.labels.column(hex) <= self.columns

    def free(self, hex: Hex) -> bool:
        """Whether a way may lead through: on the sheet and no wall (RT-1.4)."""
        return hex not in self.walls and self.inside(hex)


@cached(16)
def ground(map: BattleMap) -> Ground:
    """The ground of a map."""
    labels = Rows(0 if map.shoved == "even" else 1)
    kinds: dict[str, set[Hex]] = {"wall": set(), "reef": set()}
    for label, kind in map.terrain.items():
        kinds.setdefault(kind, set()).add(labels.read(label))
    return Ground(map.columns, map.rows, labels, frozenset(kinds["wall"]), frozenset(kinds["reef"]))


def spot(state: Board, unit: Unit) -> Hex | None:
    """The body hex of a unit; None where it stands on none, or on what by hand was set to be no hex of this map."""
    map, at = state.map, unit.at
    if map is None or at is None or len(at) != 4 or not at.isdecimal():
        return None
    hex = ground(map).labels.read(at)
    return hex if ground(map).inside(hex) else None


def placed(state: Board, *ids: str) -> bool:
    """Whether all of these stand on the map, so that the tool can measure between them."""
    return state.map is not None and all(state.units[id].at is not None for id in ids)


@cached(512)
def offsets(sheet_hexes: tuple[Hex, ...], facing: str) -> tuple[Hex, ...]:
    """The hexes of a sheet as they lie around the body, for a facing (RT-3.2)."""
    return sheet_hexes if facing != LEFT else tuple(map(mirrored, sheet_hexes))


def shape(sheet: Sheet) -> tuple[Hex, ...]:
    """All hexes a unit of a sheet covers, facing right: the body, dummy hexes, parts (RT-1.2, 1.3)."""
    return (*sheet.hexes, *(part.hex for part in sheet.parts if part.hex not in sheet.hexes))


def covered(state: Board, book: Book, id: str) -> tuple[Hex, ...]:
    """The hexes a unit covers, its body first; none where it stands on none. An attached force is a unit of its own."""
    unit = state.units[id]
    at = spot(state, unit)
    if at is None:
        return ()
    return tuple([add(at, each) for each in offsets(shape(book.sheet(unit.sheet)), unit.facing or RIGHT)])


def with_force(state: Board, book: Book, id: str) -> tuple[Hex, ...]:
    """The hexes a unit covers and that of the force attached to it (RT-1.2); of an attached force its own."""
    unit = state.units[id]
    own = covered(state, book, id)
    if not own or not unit.attached_to or book.is_force(unit.sheet):
        return own
    return own + covered(state, book, unit.attached_to)


def target_hex(state: Board, book: Book, id: str, part: str = "") -> Hex | None:
    """The hex of a unit that can be attacked: its body's, or a part's (RT-1.3, 1.6)."""
    unit = state.units[id]
    at = spot(state, unit)
    if at is None or not part:
        return at
    hexes = [each.hex for each in book.sheet(unit.sheet).parts if each.id == part]
    return add(at, offsets(tuple(hexes), unit.facing or RIGHT)[0])


def mount_offset(sheet: Sheet, facing: str, mount: str) -> Hex:
    """Where a force sits on a craft: the first hex beside its own in the body's row, in front or behind (RT-4.3)."""
    own = set(offsets(shape(sheet), facing))
    ahead = 1 if (facing != LEFT) == (mount != "back") else -1
    hex = (ahead, 0)
    while hex in own:
        hex = (hex[0] + ahead, 0)
    return hex


def free_between(state: Board, a: Collection[Hex], b: Collection[Hex], most: int) -> int | None:
    """The steps from one set of hexes to another round the walls of the map, None beyond ``most`` (RT-1.4, 1.7)."""
    assert state.map is not None
    lies = ground(state.map)
    if not lies.walls:
        steps = min(distance(one, other) for one in a for other in b)
        return steps if steps <= most else None
    return _flood(lies, tuple(a)).steps_to(b, most)


@cached(64)
def _flood(lies: Ground, starts: tuple[Hex, ...]) -> Flood:
    """How far everything is from some hexes of a map, which stays so: whoever fires at one measures to others soon."""
    return Flood(starts, lies.free)


def apart(state: Board, book: Book, id: str, other: str, most: int = FAR) -> int | None:
    """The steps between any hexes of two units; None where there is no way, or either stands on none (RT-1.6)."""
    a, b = with_force(state, book, id), with_force(state, book, other)
    return free_between(state, a, b, most) if a and b else None


def beside(state: Board, book: Book, id: str, other: str) -> bool:
    """Whether any hex of the one lies next to any hex of the other, or upon it."""
    a, b = covered(state, book, id), covered(state, book, other)
    return any(distance(one, two) <= 1 for one in a for two in b)


def reached_from(state: Board, hexes: Collection[Hex], most: int) -> dict[Hex, int]:
    """How far each hex up to ``most`` away is, round the walls."""
    assert state.map is not None
    return spread(hexes, ground(state.map).free, most)


def clear_line(state: Board, a: Hex, b: Hex) -> Hex | None:
    """The first wall between two hexes in the straight line, or None: of two hexes along an edge one may be free."""
    assert state.map is not None
    walls = ground(state.map).walls
    return next((pair[0] for pair in line(a, b) if all(hex in walls for hex in pair)), None) if walls else None


def on_the_board(state: Board) -> Iterator[tuple[str, Unit]]:
    """The units that stand on hexes of the map."""
    if state.map is not None:
        yield from ((id, unit) for id, unit in state.units.items() if unit.at and unit.state not in OUT_OF_ALL)


def foes_within(state: Board, book: Book, id: str, far: int, states: Collection[str]) -> list[str]:
    """Enemies in one of these states so near to any hex of a unit or its force, as the board lists them (RT-1.6)."""
    hexes, side = with_force(state, book, id), state.units[id].side
    if not hexes:
        return []
    near = reached_from(state, hexes, far)
    foes = [(unit.order, other) for other, unit in on_the_board(state) if unit.side != side and unit.state in states]
    return [other for _, other in sorted(foes) if any(hex in near for hex in with_force(state, book, other))]


def occupants(state: Board, book: Book) -> dict[Hex, str]:
    """Who stands on each hex in normal space, subspace apart."""
    units = [id for id, unit in on_the_board(state) if unit.state != "subspace"]
    return {hex: id for id in units for hex in covered(state, book, id)}


def no_room(state: Board, book: Book, hexes: Collection[Hex], besides: Collection[str | None] = ()) -> Bar | None:
    """What keeps a unit from standing on these hexes: the map's edge, a wall, another unit (RT-1.1, 1.2, 3.3)."""
    assert state.map is not None
    lies = ground(state.map)
    others = {hex: id for id, _ in on_the_board(state) if id not in besides for hex in covered(state, book, id)}
    for hex in hexes:
        if not lies.inside(hex):
            return barred("room-off-map", "RT-1.1")
        if hex in lies.walls:
            return barred("room-wall", "RT-1.4", hex=lies.labels.label(hex))
        if hex in others:
            return barred("room-taken", "RT-3.3", hex=lies.labels.label(hex), other=Id(others[hex]))
    return None


def around(hexes: Collection[Hex]) -> set[Hex]:
    """These hexes and all beside them."""
    return {*hexes, *(near for hex in hexes for near in neighbours(hex))}


def hex_of(state: Board, label: str) -> Hex:
    """The hex that is written so on the sheet."""
    assert state.map is not None
    return ground(state.map).labels.read(label)


def label(state: Board, hex: Hex) -> str:
    """A hex as it is written on the sheet."""
    assert state.map is not None
    return ground(state.map).labels.label(hex)
