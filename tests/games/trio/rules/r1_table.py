"""Chapter 1: who plays, in which order, and when it is over."""

from typing import Annotated, NamedTuple

from gmtool.kernel.case import Case
from gmtool.kernel.common import fresh_id, slug
from gmtool.kernel.refusal import Id
from gmtool.kernel.state import Rows, replace
from gmtool.kernel.system import Chapter
from gmtool.kernel.words import TEXT, Arg, Candidate, Kind, Scope
from tests.games.trio.model import Board, Book, Player, Round

CHAPTER = Chapter("1")
AnyCase = Case[Board, Book]


def _players(scope: Scope) -> list[Candidate]:
    return [Candidate(id, (row.name,)) for id, row in scope.state.players.items()]


PLAYER = Kind("player", candidates=_players)
SEATS = 3
GOAL = 30


class PlayerAdd(NamedTuple):
    """A player sits down."""

    name: Annotated[str, Arg(TEXT)]


class Begin(NamedTuple):
    """The first player's turn begins."""


class PlayerAdded(NamedTuple):
    """A player has sat down."""

    player: Id
    name: str
    order: int


class TurnBegun(NamedTuple):
    """It is a player's turn."""

    player: Id
    turn: int


class Won(NamedTuple):
    """A player has the points."""

    player: Id
    points: int


@CHAPTER.rule(PlayerAdd)
def player_add(case: AnyCase, command: PlayerAdd) -> None:
    """Three players, before play begins (TR-1.1)."""
    if case.state.round is not None or len(case.state.players) == SEATS:
        raise case.refuse("wrong-phase", "TR-1.1", key="table-full", n=len(case.state.players))
    claimed, id = fresh_id(case.state, slug(command.name, "player"))
    case.keep(claimed)
    case.emit(PlayerAdded(Id(id), command.name, len(case.state.players) + 1), "TR-1.1")


@CHAPTER.effect(PlayerAdded)
def player_added(state: Board, event: PlayerAdded) -> Rows:
    """The player's row."""
    return {("players", event.player): Player(event.name, event.order)}


@CHAPTER.rule(Begin)
def begin(case: AnyCase, command: Begin) -> None:
    """All three are there; the first to sit down begins (TR-1.2)."""
    if case.state.round is not None or len(case.state.players) != SEATS:
        raise case.refuse("wrong-phase", "TR-1.2", key="not-ready", n=len(case.state.players))
    case.emit(TurnBegun(Id(case.state.in_order()[0]), 1), "TR-1.2")


def pass_on(case: AnyCase, player: str) -> None:
    """The next to the left, and a new turn when all have had theirs (TR-1.3); or the end (TR-1.4)."""
    if case.state.players[player].points >= GOAL:
        case.emit(Won(Id(player), case.state.players[player].points), "TR-1.4")
        return
    order = case.state.in_order()
    place = (order.index(player) + 1) % len(order)
    turn = case.state.round.turn if case.state.round else 1
    case.emit(TurnBegun(Id(order[place]), turn + (place == 0)), "TR-1.3")


@CHAPTER.effect(TurnBegun)
def turn_begun(state: Board, event: TurnBegun) -> Rows:
    """Whose turn it is."""
    return {("round", "now"): Round(event.turn, str(event.player))}


@CHAPTER.effect(Won)
def won(state: Board, event: Won) -> Rows:
    """Play is over."""
    assert state.round is not None
    return {("round", "now"): replace(state.round, acting=None, phase="over", winner=str(event.player))}
