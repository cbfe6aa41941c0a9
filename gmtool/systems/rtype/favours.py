"""What is good for whoever gives a command: harm done to others, not to his own side, nor by those who fire back."""

from typing import Any

from gmtool.systems.rtype.model import Board

HARM = {"hits", "damage", "craft_lost", "part_lost", "wrecked", "died"}
GAIN = {"success", "restored", "found", "identified", "hauled", "gained"}


def favours(state: Board, command: Any, key: str) -> int:
    """1 where more is good, -1 where it is bad, 0 where that cannot be said."""
    words = key.split(".")
    if "counter" in words:
        return -1
    if words[0] in GAIN:
        return 1
    if words[0] not in HARM or key == "died":  # whichever pilot it is
        return 0
    unit = state.units.get(getattr(command, "unit", ""))
    rows = [row for word in words[1:] if (row := state.units.get(word) or state.pilots.get(word)) is not None]
    return -1 if unit is not None and any(_side(state, row) == unit.side for row in rows) else 1


def _side(state: Board, row: Any) -> str | None:
    """The side of a unit, or of a pilot by his seat."""
    seat = row if hasattr(row, "side") else state.units.get(row.where)
    return None if seat is None else seat.side
