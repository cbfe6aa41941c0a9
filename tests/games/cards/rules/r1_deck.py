"""Chapter 1: the deck, what can be drawn from it, and who sits at the table."""

from collections.abc import Iterator, Mapping
from typing import Annotated, Any, NamedTuple

from gmtool.kernel.case import Case
from gmtool.kernel.common import fresh_id, slug
from gmtool.kernel.fold import half_width
from gmtool.kernel.laws import Throw
from gmtool.kernel.refusal import Id, Refused
from gmtool.kernel.state import Map, Rows, replace
from gmtool.kernel.system import Chapter
from gmtool.kernel.words import TEXT, Arg, Candidate, Kind, Opt, Scope, number
from tests.games.cards.model import RANKS, Board, Book, Deck, Player

CHAPTER = Chapter("1")
AnyCase = Case[Board, Book]


def _players(scope: Scope) -> list[Candidate]:
    return [Candidate(id, (row.name,)) for id, row in scope.state.players.items()]


PLAYER = Kind("player", candidates=_players)


class CardLaw(NamedTuple):
    """A card off the top: each card left is equally likely. A face is the card's place among those left, from 1."""

    left: tuple[str, ...]

    @property
    def dice(self) -> tuple[int, ...]:
        """As one die with a side for each card left."""
        return (len(self.left),)

    @property
    def lowest(self) -> int:
        """Places count from 1."""
        return 1

    def told(self) -> Mapping[str, Any]:
        """How many cards there were to draw from."""
        return {"key": "cards", "facts": {"n": len(self.left)}, "rules": ["CD-1.2"]}

    def all(self) -> Iterator[Throw]:
        """Every card left."""
        return (self.throw((place,)) for place in range(1, len(self.left) + 1))

    def parse(self, token: str) -> Throw:
        """A card as it is called, ``10`` for the ten; refused when none of it is left (CD-1.2)."""
        rank = {"10": "T"}.get(half_width(token), half_width(token).upper())
        if rank not in self.left:
            facts = {"value": token, "left": list(dict.fromkeys(self.left))}
            raise Refused("bad-dice", key="no-such-card", rule="CD-1.2", exit=2, facts=facts)
        return self.throw((self.left.index(rank) + 1,))

    def throw(self, faces: tuple[int, ...], fixed: bool = False) -> Throw:
        """The card at a place."""
        rank = self.left[faces[0] - 1]
        return Throw(faces, RANKS.index(rank) + 1, rank)


def law_of(deck: Deck) -> CardLaw:
    """What can be drawn from a deck."""
    return CardLaw(tuple(rank for rank in RANKS for _ in range(deck.left.get(rank, 0))))


class SeatTaken(NamedTuple):
    """A player sits down."""

    name: Annotated[str, Arg(TEXT)]


class Shuffle(NamedTuple):
    """All cards go back into the deck, and a new game begins."""

    each: Annotated[int, Opt("--each", number("each", 1, 40))] = 4


class PlayerAdded(NamedTuple):
    """A player has sat down."""

    player: Id
    name: str
    order: int


class Shuffled(NamedTuple):
    """The deck is whole, all hands are empty."""

    each: int
    cards: int


@CHAPTER.rule(SeatTaken)
def seat(case: AnyCase, command: SeatTaken) -> None:
    """Anyone may sit down before the deck is shuffled (CD-1.1)."""
    if case.state.deck is not None:
        raise case.refuse("wrong-phase", "CD-1.1", key="already-dealt")
    claimed, id = fresh_id(case.state, slug(command.name, "player"))
    case.keep(claimed)
    case.emit(PlayerAdded(Id(id), command.name, len(case.state.players) + 1), "CD-1.1")


@CHAPTER.effect(PlayerAdded)
def player_added(state: Board, event: PlayerAdded) -> Rows:
    """The player's row."""
    return {("players", event.player): Player(event.name, event.order)}


@CHAPTER.rule(Shuffle)
def shuffle(case: AnyCase, command: Shuffle) -> None:
    """As many cards of each rank as the table likes, four unless said (CD-1.1)."""
    case.emit(Shuffled(command.each, command.each * len(RANKS)), "CD-1.1")


@CHAPTER.effect(Shuffled)
def shuffled(state: Board, event: Shuffled) -> Rows:
    """The deck and all hands."""
    rows: Rows = {("deck", "now"): Deck(Map(dict.fromkeys(RANKS, event.each)), event.each)}
    for id, player in state.players.items():
        rows["players", id] = replace(player, hand=Map(), state="in")
    return rows
