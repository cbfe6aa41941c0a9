"""The commands that end a move: they wait for all that an enemy does to the mover on its way (RT-3.13, 3.14)."""

from typing import Any, TypeVar

K = TypeVar("K", bound=type[Any])
ENDINGS: set[type[Any]] = set()
"""Their types; each registers itself."""


def ends_a_move(command: K) -> K:
    """Mark a command as one that ends a move."""
    ENDINGS.add(command)
    return command
