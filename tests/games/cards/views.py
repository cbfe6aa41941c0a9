"""What Cards shows: the hands with their worth, and how many cards are left."""

from typing import Any

from gmtool.kernel.view import Cell, Column, Grid, Line, Name, Say, View, Word
from tests.games.cards.model import RANKS, Board, Book
from tests.games.cards.rules.r2_hands import worth

_PLAYERS = (Column("player"), Column("hand"), Column("points", "right"), Column("state", drop=1))


def header(state: Board) -> dict[str, Any]:
    """Phase and acting player as scripts read them; a game of cards is one turn long."""
    if state.deck is None:
        return {"turn": 0, "phase": "setup", "acting": None}
    acting = state.acting()
    return {"turn": 1, "phase": "drawing" if acting else "over", "acting": acting}


def where(state: Board) -> Say | None:
    """How many cards are left; nothing before the deck is shuffled."""
    deck = state.deck
    return Say("view.where", {"n": sum(deck.left.values())}) if deck else None


def next_line(state: Board, book: Book | None = None) -> Say | None:
    """What is expected next."""
    if state.deck is None:
        return Say("view.next.shuffle") if len(state.players) else None
    acting = state.acting()
    return Say("view.next.draw", {"player": Name(acting)}) if acting else None


def board(state: Board, book: Book) -> View:
    """All players in order."""
    rows = tuple(_row(state, id) for id in state.in_order())
    expected = next_line(state)
    return View((Grid(where(state), _PLAYERS, rows), *((Line(expected),) if expected else ())))


def thing(state: Board, book: Book, id: str) -> View | None:
    """One player."""
    return View((Grid(None, _PLAYERS, (_row(state, id),)),)) if id in state.players else None


def _row(state: Board, id: str) -> tuple[Cell, ...]:
    player = state.players[id]
    hand = " ".join(rank for rank in RANKS for _ in range(player.hand.get(rank, 0)))
    return Cell(Name(id)), Cell(hand or None), Cell(worth(player.hand)), Cell(Word(player.state))
