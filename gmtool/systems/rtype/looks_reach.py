"""The verb that shows where a unit could go, drawn on the map (RT-3)."""

from collections.abc import Callable
from typing import Annotated, Any, NamedTuple

from gmtool.kernel.drawing import Drawing
from gmtool.kernel.hex import Hex
from gmtool.kernel.refusal import Id, Refused
from gmtool.kernel.view import Fields, Line, Name, Say, View
from gmtool.kernel.words import Arg, Opt
from gmtool.systems.rtype import lay, views_map
from gmtool.systems.rtype.absent import what_it_is
from gmtool.systems.rtype.book import Book
from gmtool.systems.rtype.model import GONE, Board, Unit
from gmtool.systems.rtype.reach import Reach as Reached
from gmtool.systems.rtype.rules.r03_ways import Left, Mover, left_of
from gmtool.systems.rtype.words import UNIT
from gmtool.systems.rtype.words_map import HEX


class Reach(NamedTuple):
    """Where a unit could end its move now."""

    unit: Annotated[str, Arg(UNIT)]
    at: Annotated[str, Opt("--at", HEX)] = ""


class Reachable(NamedTuple):
    """A hex in which a unit could stop: movement, hexes of the way, and the enemies that would stop it there."""

    hex: str
    movement: int
    hexes: int
    met: tuple[str, ...]


def reachable(state: Board, book: Book, id: str) -> tuple[Left, list[Reachable]]:
    """The hexes a unit may stop in, by what its side knows, in reading order (RT-3.1 to 3.6, 3.10, 3.11).

    Aboard a ship it starts from that one's body (RT-12.20).
    """
    unit = state.units[id]
    start = from_where(state, unit)
    if start is None and unit.state in GONE:
        facts = what_it_is(state, id)
        raise Refused("not-active", key="not-active-now", rule="RT-10.9", hint="wreck-by-hand", facts=facts)
    if start is None:
        raise Refused("bad-value", key="stands-nowhere", rule="RT-3.1", facts={"unit": Id(id)})
    left = Left(0, 0) if unit.stopped or (unit.acted and not unit.may_move) else left_of(book, unit)
    mover = Mover(state, book, id, start, unit.facing or lay.RIGHT, hidden=True)
    found = {hex: ways[0] for hex, ways in mover.ways(left).items() if hex != start and mover.taken(hex) is None}
    order = sorted(found, key=lambda hex: (hex[1], hex[0]))
    return left, [Reachable(mover.label(hex), found[hex].cost, found[hex].steps, mover.meets(hex)) for hex in order]


def from_where(state: Board, unit: Unit) -> Hex | None:
    """The hex a unit's move begins in: its own, or that of the ship it is aboard (RT-12.20)."""
    ship = state.units.get(unit.aboard or "")
    return lay.spot(state, ship if isinstance(ship, Unit) else unit)


def reach(state: Board, book: Book, command: Reach) -> tuple[View, dict[str, Any]]:
    """The map with the movement to each hex it could stop in; where it would run into an enemy is said below."""
    id = command.unit
    if not isinstance(state.units[id], Unit):
        raise Refused("not-covered", key="reach-of-others", exit=2, facts={"unit": Id(id)})
    left, found = reachable(state, book, id)
    stops = [each for each in found if each.met]
    says = [Say("view.reach.met", {"hex": each.hex, "enemies": [Name(who) for who in each.met]}) for each in stops]
    head, seen = Line(_head(id, left, found), "head"), Fields(tuple(says), "warn")
    rows = {each.hex: {"movement": each.movement, "hexes": each.hexes, "met": list(each.met)} for each in found}
    middle = lay.hex_of(state, command.at) if command.at else from_where(state, state.units[id])
    view = View((_drawn(state, book, middle, found), head, *([seen] if says else ())))
    return view, {"unit": id, "left": left.movement, "reach": rows}


def _drawn(state: Board, book: Book, middle: Hex | None, found: list[Reachable]) -> Drawing:
    """The map around the unit, or what is looked at, with what each hex costs."""
    costs = {lay.hex_of(state, each.hex): each.movement for each in found}
    return views_map.drawing(state, book, views_map.Asked(middle, Reached(costs), "movement"))


def _head(id: str, left: Left, found: list[Reachable]) -> Say:
    return Say("view.reach.head", {"unit": Name(id), "left": left.movement, "n": len(found)})


DRAWS: dict[type[Any], Callable[..., tuple[View, dict[str, Any]]]] = {Reach: reach}
