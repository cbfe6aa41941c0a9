"""Whether a state that came from elsewhere holds together: sheets of the right form, ties to things that are there.

What gmtool itself writes does; this is for files that somebody else has made, looked at when they are taken in and
when something in them could not be ruled upon.
"""

import json
from collections.abc import Iterator, Mapping
from typing import Any

from gmtool.kernel.state import BadRow
from gmtool.systems.rtype.model import Board
from gmtool.systems.rtype.tables import Sheet

KNOWN = "data-known"


def check(state: Board, data: Mapping[str, Any]) -> None:
    """Raises BadRow with the first place that does not hold what it should."""
    for id in state.ids("sheets"):
        _sheet(id, state.row("sheets", id))
    there: dict[str, set[str]] = {table: set(state.ids(table)) for table in ("units", "pilots", "sides")}
    there["sheets"] = {*state.ids("sheets"), *data["craft"]}
    for path, table, other in _ties(state):
        if other is not None and other not in there[table]:
            raise BadRow(path, KNOWN)


def _sheet(id: str, row: Any) -> None:
    from pydantic import TypeAdapter, ValidationError

    try:
        TypeAdapter(Sheet).validate_json(json.dumps(row), by_alias=False, by_name=True)
    except ValidationError as error:
        path = ".".join(map(str, error.errors()[0]["loc"]))
        raise BadRow(f"sheets.{id}.{path}", "data-sheet") from None


def _ties(state: Board) -> Iterator[tuple[str, str, str | None]]:
    """Each tie of a row to another: where it stands, the table it leads to, the id."""
    for id, unit in state.units.items():
        path = f"units.{id}"
        yield from ((f"{path}.sheet", "sheets", unit.sheet), (f"{path}.side", "sides", unit.side))
        yield f"{path}.pilot", "pilots", unit.pilot
        for tie in ("attached_to", "aboard", "decoy_of", "led_by"):
            yield f"{path}.{tie}", "units", getattr(unit, tie)
        yield from ((f"{path}.found_by.{other}", "units", other) for other in unit.found_by)
    yield from _tallied(state)
    if state.battle:
        battle = state.battle
        sides = [*battle.sides, *battle.order, *battle.totals, *battle.victory, *battle.flagships, *battle.met]
        yield from (("battle.now", "sides", side) for side in (*sides, battle.acting, battle.winner))
        yield from (("battle.now", "units", unit) for unit in (*battle.flagships.values(), battle.current))


def _tallied(state: Board) -> Iterator[tuple[str, str, str | None]]:
    """What a battle has counted so far, of whom (RT-26.2); what is booked is only shown, by id if it must be."""
    for id, flight in state.table("flights").items():
        yield f"flights.{id}", "pilots", id
        yield from ((f"flights.{id}.units", "units", unit) for unit in flight.units)
    for id, fall in state.table("falls").items():
        yield from ((f"falls.{id}", "units", id), (f"falls.{id}.unit", "units", fall.unit))
        yield f"falls.{id}.pilot", "pilots", fall.pilot or None
