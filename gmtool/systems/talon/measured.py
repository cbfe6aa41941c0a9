"""How firer and target lie to each other: measured on the board, or said at the table where there is none (TL-8.3)."""

from collections.abc import Mapping
from typing import NamedTuple

from gmtool.kernel.case import Case
from gmtool.kernel.hex import Hex, distance
from gmtool.systems.talon.aim import Aim
from gmtool.systems.talon.book import Book
from gmtool.systems.talon.harm import parted
from gmtool.systems.talon.model import Board, Missile, Ship
from gmtool.systems.talon.sightlines import Choice, arc, ground, toll
from gmtool.systems.talon.tables import ARCS
from gmtool.systems.talon.targets import placed, spot, there

AnyCase = Case[Board, Book]
MOST = 9
"""So many counters of terrain can be said to lie on a line."""


class Measured(NamedTuple):
    """Range in hexes, the shield that faces the firer (of a missile or squadron none), what weighs on the die."""

    range: int
    shield: str
    weighs: Mapping[str, int]


def weighs(choice: Choice, state: Board, start: Hex, row: Ship | Missile) -> Mapping[str, int]:
    """What weighs on the die of a shot; at missiles nothing does by another reading (TL-17.5, 18.1, A21.14)."""
    found = toll(choice, ground(state), start, spot(row))
    return {} if found and isinstance(row, Missile) and choice("tl-17.5-missile") == "none" else found


def measure(case: AnyCase, aim: Aim, target: str, far: int = 0, shield: str = "") -> Measured:
    """Where both stand on the board all of it is measured; else ``far`` and ``shield`` are what the line says, and
    what it does not say is asked for: nobody but the table knows it (TL-5.3.2, 8.3, 17.5).
    """
    id = parted(target)[0]
    row = there(case.state, id)
    assert row is not None
    ship = case.state.ships.get(id)
    bare = ship is None or bool(ship.fighters)
    if placed(aim.ship, row):
        start, goal = spot(aim.ship), spot(row)
        facing = "" if bare else arc(case.choice, goal, row.facing or 0, start)
        return Measured(distance(start, goal), facing, weighs(case.choice, case.state, start, row))
    options = [str(each) for each in aim.weapon.ranges]
    said = case.ask(f"range.{id}", id, options, "ask", rule="TL-8.3", given=str(far) if far else None)
    struck = "" if bare else case.ask(f"shield.{id}", id, ARCS, "ask", rule="TL-8.3", given=shield or None)
    counters = case.ask_number(f"terrain.{id}", id, 0, MOST, 0, rule="TL-17.5")
    return Measured(int(said), struck, {"terrain": counters} if counters else {})
