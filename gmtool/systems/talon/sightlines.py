"""Lines of fire: in which arc a hex lies, what bars a line, what the dice lose to what lies on it (TL-8.3, 17, 18).

``choice`` says how an ambiguous rule is read, and is asked only where the readings differ: a case's own in rulings,
the book's where something is merely looked at.
"""

from collections.abc import Callable, Iterator, Mapping

from gmtool.kernel.hex import Hex, add, distance
from gmtool.kernel.sight import from_middle, sight
from gmtool.systems.talon import grid
from gmtool.systems.talon.model import Board

Choice = Callable[[str], str]
Ground = Mapping[Hex, tuple[str, ...]]
PLANET, ASTEROID, NEBULA, BLACK_HOLE, WORM_HOLE = "planet", "asteroid", "nebula", "black-hole", "worm-hole"
BARS = (PLANET, BLACK_HOLE)
"""Terrain that a line does not pass (TL-17.2.2, 18.1)."""
BARRING = frozenset(BARS)
CLOUDS = (ASTEROID, NEBULA)
"""Terrain that takes its toll of the die (TL-17.5)."""


def ground(state: Board) -> Ground:
    """The kinds of terrain by hex, one for each counter."""
    found: dict[Hex, tuple[str, ...]] = {}
    for row in state.terrain.values():
        hex = grid.read(row.at)
        found[hex] = (*found.get(hex, ()), row.kind)
    return found


def kinds_at(state: Board, at: str) -> tuple[str, ...]:
    """The kinds of terrain in one hex."""
    return tuple([row.kind for row in state.terrain.values() if row.at == at])


def arc(choice: Choice, hex: Hex, facing: int, other: Hex) -> str:
    """The arc of another hex seen from a counter; what lies on an edge is read as the campaign does (TL-5.3.1)."""
    usual, sides = grid.arc_of(hex, facing, other), grid.arc_of(hex, facing, other, sides=True)
    return usual if usual == sides or choice("tl-5.3.1") == "front-rear" else sides


def bar(choice: Choice, land: Ground, a: Hex, b: Hex) -> Hex | None:
    """The first hex that bars the line between two others; None where it is open.

    A line along the edge of a planet passes; along the edge of two of them by the book too (TL-17.2.2).
    """
    q, r = a
    line = from_middle((b[0] - q, b[1] - r))
    for dq, dr in line.through:
        kinds = land.get((q + dq, r + dr))
        if kinds is not None and not BARRING.isdisjoint(kinds):
            return q + dq, r + dr
    for one, other in [(add(a, each), add(a, beside)) for each, beside in line.along]:
        if _bars(land, one) and _bars(land, other) and choice("tl-17.2.2") == "blocked":
            return one
    return None


def _bars(land: Ground, hex: Hex) -> bool:
    return not BARRING.isdisjoint(land.get(hex, ()))


def toll(choice: Choice, land: Ground, a: Hex, b: Hex) -> dict[str, int]:
    """How many counters weigh on the die of a shot from one hex at another, by kind (TL-17.5, 18.1).

    Each counter in a hex whose inside the line crosses, those of its ends included; of two hexes along whose edge it
    runs the fewer of their counters (``edge``); each black hole that the target is nearer to than the firer.
    """
    line = sight(a, b)
    found: dict[str, int] = {}
    for hex in (a, *line.through, b):
        kinds = land.get(hex)
        if kinds is not None:
            for kind in kinds if len(kinds) == 1 else _clouds(choice, kinds):
                if kind in CLOUDS:
                    found[kind] = found.get(kind, 0) + 1
    edge = sum(_edge(choice, land, one, other) for one, other in line.along)
    holes = sum(distance(b, hole) < distance(a, hole) for hole in _holes(land))
    if holes > 1 and choice("tl-18.1") == "once":
        holes = 1
    return {**found, **({"edge": edge} if edge else {}), **({BLACK_HOLE: holes} if holes else {})}


def _clouds(choice: Choice, kinds: tuple[str, ...]) -> tuple[str, ...]:
    """The counters of a hex that take their toll: each of them, by another reading one (A21.14)."""
    clouds = tuple([kind for kind in kinds if kind in CLOUDS])
    return clouds[:1] if len(clouds) > 1 and choice("tl-17.5-hex") == "hexes" else clouds


def _edge(choice: Choice, land: Ground, one: Hex, other: Hex) -> int:
    """What the counters on both sides of an edge come to; those on one side alone nothing by default."""
    if one not in land and other not in land:
        return 0
    fewer, more = sorted([len(_clouds(choice, land.get(hex, ()))) for hex in (one, other)])
    if fewer == more:
        return fewer
    if fewer:
        return more if choice("tl-17.5-edge") == "more" else fewer
    return more if choice("tl-17.5") == "counts" else 0


def _holes(land: Ground) -> Iterator[Hex]:
    """The black holes, one for each counter."""
    return (hex for hex, kinds in land.items() for kind in kinds if kind == BLACK_HOLE)
