"""Chapter 3 on the map: what each step of a unit costs, what bars it, where it is stopped, where it may stop."""

from collections.abc import Iterator
from typing import NamedTuple

from gmtool.kernel.hex import Hex, Way, add, cheapest, distance, neighbours
from gmtool.kernel.refusal import Id
from gmtool.systems.rtype import lay
from gmtool.systems.rtype.bars import Bar, barred
from gmtool.systems.rtype.book import Book, move_value
from gmtool.systems.rtype.model import UNFOUND, Board, Unit

ACTIVE, SUBSPACE = "active", "subspace"
IMPOSSIBLE = ("hex-not-beside", "hex-off-map")
"""Bars that no word of the GM's sets aside."""
ENDLESS = 100_000
"""More movement and fuel than any way on a map takes."""


class Left(NamedTuple):
    """What a unit has left for its move: movement, and how many hexes its fuel is enough for (RT-3.1, 3.4, 5.2)."""

    movement: int
    hexes: int


class Walked(NamedTuple):
    """How far a path goes: the hexes stepped into, the movement they cost, whom the last step met, what bars the next.

    ``bad`` is the hex that is barred.
    """

    path: tuple[Hex, ...]
    cost: int
    met: tuple[str, ...]
    bar: Bar | None = None
    bad: Hex | None = None


class Mover:
    """A unit about to move from a hex, with all its hexes and those of its force (RT-3.10).

    ``hidden`` leaves out whom its side cannot know of: a way is planned by what is known, and walked as things are.
    """

    def __init__(self, state: Board, book: Book, id: str, start: Hex, facing: str, hidden: bool = False) -> None:
        self.id, self.start, self.facing = id, start, facing
        self._state, self._book, self._unit = state, book, state.units[id]
        self.below = self._unit.state == SUBSPACE
        assert state.map is not None
        self._ground = lay.ground(state.map)
        self._own = {id, self._unit.attached_to}
        self._offsets = self._formation()
        self._held: dict[Hex, str] = {}
        self._foes: dict[Hex, str] = {}
        self._zones: dict[Hex, set[str]] = {}
        self._meetings: dict[Hex, set[str]] = {}
        for other, unit in lay.on_the_board(state):
            if other not in self._own and not (hidden and self._unknown(other, unit)):
                self._take_in(other, unit)

    def _formation(self) -> tuple[Hex, ...]:
        """Its own hexes around the body, and that of the force it carries."""
        sheet = self._book.sheet(self._unit.sheet)
        own = lay.offsets(lay.shape(sheet), self.facing)
        force = self._unit.attached_to
        if not force or self._book.is_force(self._unit.sheet):
            return own
        return (*own, lay.mount_offset(sheet, self.facing, self._state.units[force].mount))

    def _unknown(self, id: str, unit: Unit) -> bool:
        """Whether its side cannot know where a unit is: in subspace, or hidden and in nobody's sight (RT-5.10, 6.6)."""
        if unit.side == self._unit.side or self._searched(unit):
            return False
        if unit.state == SUBSPACE:
            return True
        unfound = self._state.campaign.config.get("hidden") == UNFOUND
        return unfound and not seen_by(self._state, self._book, self._unit.side, id)

    def _searched(self, unit: Unit) -> bool:
        """Whether its side has a mark on the unit (RT-6.1)."""
        return any(self._state.units[who].side == self._unit.side for who in unit.found_by)

    def _take_in(self, id: str, unit: Unit) -> None:
        """What another unit means for this move; a craft is touched where its force is (RT-1.2, 3.10)."""
        own = lay.covered(self._state, self._book, id)
        self._held.update(dict.fromkeys(own, id))
        if unit.side == self._unit.side:
            return
        if unit.state != SUBSPACE:
            self._foes.update(dict.fromkeys(own, id))
        hexes = lay.with_force(self._state, self._book, id)
        beside = lay.around(hexes)
        touched = any(hex in beside for hex in self.covered(self.start))
        if self._exerts_zone(unit, hexes, touched):
            for hex in beside:
                self._zones.setdefault(hex, set()).add(id)
        if not touched and self._stops(id, unit):
            for hex in beside:
                self._meetings.setdefault(hex, set()).add(id)

    def _exerts_zone(self, unit: Unit, hexes: tuple[Hex, ...], touched: bool) -> bool:
        """Enemies in action do; one in subspace only while it overlaps an obstacle beside the mover (RT-3.15, 5.7)."""
        if unit.state == SUBSPACE:
            return touched and not self.below and any(hex in self._ground.walls for hex in hexes)
        return unit.state == ACTIVE

    def _stops(self, id: str, unit: Unit) -> bool:
        """Whether becoming adjacent stops it: enemies not searched, and any across subspace (RT-3.6, 5.5 to 5.8)."""
        if unit.state not in (ACTIVE, SUBSPACE):
            return False
        if self.below or unit.state == SUBSPACE:
            return True
        if self._book.reading("rt-3.6") == "sight":
            return not seen_by(self._state, self._book, self._unit.side, id)
        return not self._searched(unit)

    # what holds of a hex

    def covered(self, body: Hex) -> tuple[Hex, ...]:
        """All hexes covered with the body on one hex."""
        if self._offsets == ((0, 0),):
            return (body,)
        return tuple([add(body, each) for each in self._offsets])

    def zones(self, body: Hex) -> set[str]:
        """The enemies whose zone of control is touched there (RT-3.5, 3.10)."""
        return set().union(*(self._zones.get(hex, ()) for hex in self.covered(body)))

    def meets(self, body: Hex) -> tuple[str, ...]:
        """The enemies that stop the mover there, as the board lists them."""
        met: set[str] = set().union(*(self._meetings.get(hex, ()) for hex in self.covered(body)))
        return tuple(sorted(met, key=lambda id: self._state.units[id].order))

    def taken(self, body: Hex) -> Bar | None:
        """What keeps the unit from stopping there: another one in any of its hexes (RT-3.3)."""
        for hex in self.covered(body):
            if hex in self._held:
                return barred("hex-taken", "RT-3.3", hex=self.label(hex), other=Id(self._held[hex]))
        return None

    def blocked(self, body: Hex) -> Bar | None:
        """What keeps it from being there at all: the map's edge, a wall, an enemy (RT-1.4, 3.10, 3.11, 5.2)."""
        for hex in self.covered(body):
            if not self._ground.inside(hex):
                return barred("hex-off-map", "RT-3.10")
            if hex in self._ground.walls and not self.below:
                return barred("hex-wall", "RT-1.4", hex=self.label(hex))
            if hex in self._foes:
                return barred("hex-enemy", "RT-3.11", hex=self.label(hex), other=Id(self._foes[hex]))
        return None

    def overlaps(self, body: Hex) -> bool:
        """Whether any of its hexes there is an obstacle (RT-5.7)."""
        return any(hex in self._ground.walls for hex in self.covered(body))

    def label(self, hex: Hex) -> str:
        """A hex as it is written."""
        return self._ground.labels.label(hex)

    # steps

    def cost(self, a: Hex, b: Hex) -> int:
        """The movement a step costs: one more where a hex entered is a reef; in subspace terrain costs nothing."""
        if self.below or not self._ground.reefs:
            return 1
        left = self.covered(a)
        return 1 + any(hex in self._ground.reefs for hex in self.covered(b) if hex not in left)

    def bar(self, a: Hex, b: Hex, first: bool) -> Bar | None:
        """What bars a step: no neighbour, blocked, or from one zone of control into another (RT-3.5)."""
        if distance(a, b) != 1:
            return barred("hex-not-beside", "RT-3.1", hex=self.label(a))
        return self.blocked(b) or self._zone_bar(a, b, first)

    def _zone_bar(self, a: Hex, b: Hex, first: bool) -> Bar | None:
        """By the other readings only one and the same enemy's zones bar, or the start does not count (RT-3.5)."""
        if not self._zones:
            return None
        before, after = self.zones(a), self.zones(b)
        if not before or not after:
            return None
        if first and self._book.reading("rt-3.5-start") == "entered":
            return None
        if self._book.reading("rt-3.5-enemy") == "same":
            after &= before
        if not after:
            return None
        whose = min(after, key=lambda id: self._state.units[id].order)
        return barred("hex-zone", "RT-3.5", hex=self.label(a), other=Id(whose))

    def walk(self, path: tuple[Hex, ...], left: Left, forced: bool = False) -> Walked:
        """The path step by step, until it is over, someone is met, or a step is barred.

        ``forced``: the GM has set the rules aside; what no map can hold bars all the same.
        """
        at, cost = self.start, 0
        for n, hex in enumerate(path):
            bar = self.bar(at, hex, first=n == 0)
            more = 0 if bar else self.cost(at, hex)
            bar = bar or _too_far(cost + more, n + 1, left)
            if bar and not (forced and bar.key not in IMPOSSIBLE):
                return Walked(path[:n], cost, (), bar, hex)
            at, cost = hex, cost + more
            met = self.meets(at)
            if met:
                return Walked(path[: n + 1], cost, met)
        return Walked(path, cost, ())

    def _onward(self, a: Hex) -> Iterator[tuple[Hex, int]]:
        if a != self.start and self.meets(a):
            return
        for b in neighbours(a):
            if self.bar(a, b, first=a == self.start) is None:
                yield b, self.cost(a, b)

    def ways(self, left: Left) -> dict[Hex, tuple[Way, ...]]:
        """Every hex there is a way to, whether the unit may stop there or not."""
        return cheapest(self.start, self._onward, left.movement, left.hexes)


def fuel_each(book: Book, unit: Unit) -> int:
    """The fuel for one hex: 1, in subspace twice that (RT-3.4, 5.2)."""
    return book.figures.subspace_times if unit.state == SUBSPACE else 1


def left_of(book: Book, unit: Unit) -> Left:
    """Movement and fuel that a unit has left in this phase (RT-3.1, 3.4)."""
    fuel = ENDLESS if unit.fuel is None else unit.fuel // fuel_each(book, unit)
    return Left(max(0, move_value(book, unit) - unit.moved), fuel)


def _too_far(cost: int, hexes: int, left: Left) -> Bar | None:
    """More movement or more fuel than there is left (RT-3.1, 3.4)."""
    if cost > left.movement:
        return barred("way-too-long", "RT-3.1", need=cost, left=left.movement)
    if hexes > left.hexes:
        return barred("way-no-fuel", "RT-3.4", need=hexes, left=left.hexes)
    return None


def seen_by(state: Board, book: Book, side: str, id: str) -> bool:
    """Whether a unit lies within the search value of any unit of a side that is in action (RT-6.8, 3.6)."""
    hexes = lay.with_force(state, book, id)
    for other, unit in lay.on_the_board(state):
        # a force that is carried does not search by itself (RT-6.9)
        carried = unit.attached_to and book.is_force(unit.sheet)
        if unit.side != side or unit.state not in (ACTIVE, SUBSPACE) or carried:
            continue
        far = book.sheet(unit.sheet).search
        if lay.free_between(state, lay.with_force(state, book, other), hexes, far) is not None:
            return True
    return False
