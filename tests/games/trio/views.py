"""What Trio shows: the players with their points, and whose turn it is."""

from typing import Any

from gmtool.kernel.view import Cell, Column, Grid, Line, Name, Say, View, Word
from tests.games.trio.model import Board, Book

_PLAYERS = (Column("order", "right"), Column("player"), Column("points", "right"))


def header(state: Board) -> dict[str, Any]:
    """Turn, phase and acting player as scripts read them."""
    now = state.round
    if now is None:
        return {"turn": 0, "phase": "setup", "acting": None}
    return {"turn": now.turn, "phase": now.phase, "acting": now.acting}


def where(state: Board) -> Say | None:
    """The moment of play; nothing before it starts."""
    now = state.round
    return Say("view.where", {"turn": now.turn, "phase": Word(now.phase)}) if now else None


def next_line(state: Board, book: Book | None = None) -> Say | None:
    """What is expected next."""
    now = state.round
    if now is None:
        return Say("view.next.begin") if len(state.players) == 3 else None
    return Say("view.next.throw", {"player": Name(now.acting)}) if now.acting else None


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
    acting = state.round is not None and state.round.acting == id
    return Cell(player.order), Cell(Name(id), "head" if acting else ""), Cell(player.points)
