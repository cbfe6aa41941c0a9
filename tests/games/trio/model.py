"""The state of a game of Trio: three players with their points, and whose turn it is."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, cast

from gmtool.kernel.common import KINDS
from gmtool.kernel.state import State, Table


@dataclass(frozen=True, slots=True)
class Player:
    """A player at the table; ``order`` counts from 1, each of the ``chips`` throws a die again."""

    name: str
    order: int
    points: int = 0
    chips: int = 3


@dataclass(frozen=True, slots=True)
class Round:
    """Where play stands: ``phase`` is playing or over."""

    turn: int
    acting: str | None
    phase: str = "playing"
    winner: str | None = None


class Board(State):
    """The state as the rules read it."""

    kinds = {**KINDS, "players": Player, "round": Round}

    @property
    def players(self) -> Table[Player]:
        """The players by id."""
        return self.table("players")

    @property
    def round(self) -> Round | None:
        """Where play stands; None before it starts."""
        return cast("Round | None", self.row("round", "now"))

    def in_order(self) -> list[str]:
        """The players as they sit."""
        return sorted(self.players, key=lambda id: self.players[id].order)


class Book:
    """Trio has no data beyond its rules."""

    def __init__(self, state: State, data: Mapping[str, Any]) -> None:
        self.data = data


def name_of(state: State, book: Book, id: str) -> str | None:
    """The name of a player."""
    row = state.row("players", id)
    return None if row is None else str(row.name)
