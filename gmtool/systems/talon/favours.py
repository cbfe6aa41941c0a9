"""What is good for whoever gives a command: harm done to enemy ships, not to his own."""

from typing import Any

from gmtool.systems.talon.model import Board

IN_ALL = {"hits", "damage", "destroyed", "criticals"}
"""What is told of all ships that are struck, whose ever they are."""


def favours(state: Board, command: Any, key: str) -> int:
    """1 where more is good, -1 where it is bad, 0 where that cannot be said."""
    ship = state.ships.get(getattr(command, "ship", ""))
    if key in IN_ALL:
        return 1 if hasattr(command, "targets") else 0
    if key == "repaired":
        return 1
    struck = state.ships.get(key.partition(".")[2])
    if ship is None or struck is None:
        return 0
    return -1 if struck.side == ship.side else 1
