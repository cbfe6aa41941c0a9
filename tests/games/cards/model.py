"""The state of a game of Cards: the deck, the players' open hands, whose turn it is."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, cast

from gmtool.kernel.common import KINDS
from gmtool.kernel.state import Map, State, Table

RANKS = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "T")
"""An ace, 2 to 9 and a ten."""


@dataclass(frozen=True, slots=True)
class Deck:
    """How many cards of each rank are left, and how many of each a full deck has."""

    left: Map[int]
    each: int


@dataclass(frozen=True, slots=True)
class Player:
    """A player; ``hand`` counts the cards of each rank, ``state`` is in, stood or bust."""

    name: str
    order: int
    hand: Map[int] = Map()
    state: str = "in"


class Board(State):
    """The state as the rules read it."""

    kinds = {**KINDS, "deck": Deck, "players": Player}

    @property
    def deck(self) -> Deck | None:
        """The deck; None before it was shuffled."""
        return cast("Deck | None", self.row("deck", "now"))

    @property
    def players(self) -> Table[Player]:
        """The players by id."""
        return self.table("players")

    def in_order(self) -> list[str]:
        """The players as they sit."""
        return sorted(self.players, key=lambda id: self.players[id].order)

    def acting(self) -> str | None:
        """The first in order who neither stood nor has too many; None when all are done."""
        return next((id for id in self.in_order() if self.players[id].state == "in"), None)


class Book:
    """Cards has no data beyond its rules."""

    def __init__(self, state: State, data: Mapping[str, Any]) -> None:
        self.data = data


def name_of(state: State, book: Book, id: str) -> str | None:
    """The name of a player."""
    row = state.row("players", id)
    return None if row is None else str(row.name)
