"""Chapter 2: drawing, what a hand is worth, and when a player is done."""

from typing import Annotated, NamedTuple

from gmtool.kernel.pools import Counts, Group
from gmtool.kernel.refusal import Id
from gmtool.kernel.state import Map, Rows, replace
from gmtool.kernel.system import Chapter
from gmtool.kernel.words import Arg, Opt, number
from tests.games.cards.model import RANKS, Board, Deck, Player
from tests.games.cards.rules.r1_deck import CHAPTER as DECK
from tests.games.cards.rules.r1_deck import PLAYER, AnyCase, law_of

CHAPTER = Chapter("2", needs=(DECK,))
BEST = 21


class Draw(NamedTuple):
    """A player draws cards, one after the other."""

    player: Annotated[str, Arg(PLAYER)]
    cards: Annotated[int, Opt("--cards", number("cards", 1, 5))] = 1


class Stand(NamedTuple):
    """A player has enough."""

    player: Annotated[str, Arg(PLAYER)]


class Drawn(NamedTuple):
    """A card has gone from the deck into a hand."""

    player: Id
    card: str
    left: int


class Bust(NamedTuple):
    """A hand is worth more than 21 whatever its aces count."""

    player: Id
    points: int


class Stood(NamedTuple):
    """A player draws no more."""

    player: Id
    points: int


def card(counts: tuple[Counts, ...]) -> str:
    """The one card drawn."""
    return next(iter(counts[0]))


def worth(hand: Map[int]) -> int:
    """The ranks added up; one ace counts 11 where that is not too much (CD-2.2)."""
    plain = sum((RANKS.index(rank) + 1) * n for rank, n in hand.items())
    return plain + 10 if hand.get("A") and plain + 10 <= BEST else plain


def may_play(case: AnyCase, id: str) -> tuple[Player, Deck]:
    """The player whose turn it is, and the deck (CD-2.1)."""
    deck = case.state.deck
    if deck is None:
        raise case.refuse("wrong-phase", "CD-1.1", key="not-shuffled")
    player = case.state.players[id]
    if player.state != "in":
        raise case.refuse("wrong-phase", "CD-2.1", key="is-done", player=Id(id))
    if case.state.acting() != id:
        acting = case.state.acting()
        case.forbid("wrong-phase", "CD-2.1", key="not-your-turn", player=Id(id), acting=Id(acting or ""))
    return player, deck


@CHAPTER.rule(Draw)
def draw(case: AnyCase, command: Draw) -> None:
    """One card off the deck, then the next, until that is too many (CD-2.1, 2.3)."""
    player, deck = may_play(case, command.player)
    if not any(deck.left.values()):
        raise case.refuse("wrong-phase", "CD-1.2", key="deck-empty")
    held = sum(player.hand.values())
    key = f"card.{command.player}.{held + 1}"
    drawn = case.pool(key, command.player, [Group(1, law_of(deck), ("",))], card, rule="CD-1.2")
    case.emit(Drawn(Id(command.player), drawn, sum(deck.left.values()) - 1), "CD-2.1")
    points = worth(case.state.players[command.player].hand)
    case.result(points=points, bust=points > BEST)
    if points > BEST:
        case.emit(Bust(Id(command.player), points), "CD-2.3")
    elif command.cards > 1:
        case.follow(command._replace(cards=command.cards - 1))


@CHAPTER.effect(Drawn)
def drawn(state: Board, event: Drawn) -> Rows:
    """One card less here, one more there."""
    deck, player = state.deck, state.players[event.player]
    assert deck is not None
    left = deck.left.put(event.card, deck.left[event.card] - 1)
    hand = player.hand.put(event.card, player.hand.get(event.card, 0) + 1)
    return {("deck", "now"): replace(deck, left=left), ("players", event.player): replace(player, hand=hand)}


@CHAPTER.effect(Bust)
def bust(state: Board, event: Bust) -> Rows:
    """The player is out."""
    return {("players", event.player): replace(state.players[event.player], state="bust")}


@CHAPTER.rule(Stand)
def stand(case: AnyCase, command: Stand) -> None:
    """A player may stop at any time (CD-2.4)."""
    player, _ = may_play(case, command.player)
    case.emit(Stood(Id(command.player), worth(player.hand)), "CD-2.4")
    case.result(points=worth(player.hand))


@CHAPTER.effect(Stood)
def stood(state: Board, event: Stood) -> Rows:
    """The player is done."""
    return {("players", event.player): replace(state.players[event.player], state="stood")}
