"""Chapter 20: what a battle came to: points lost and destroyed, who has won, and how clearly (B6, TL-11.1.1)."""

from fractions import Fraction
from typing import NamedTuple

from gmtool.kernel.case import Case
from gmtool.kernel.refusal import Id, Word
from gmtool.kernel.state import Rows, replace
from gmtool.kernel.system import Chapter
from gmtool.systems.talon.book import Book
from gmtool.systems.talon.model import Board
from gmtool.systems.talon.rules.r03_time import battle_on

CHAPTER = Chapter("20")
AnyCase = Case[Board, Book]
DEGREES = ("minor", "great", "crushing")
"""From the least to the highest."""


class Outcome(NamedTuple):
    """A battle is counted: what each side destroyed, the winner, the degree."""


class Account(NamedTuple):
    """What a battle stands at. ``lost``, ``destroyed`` and ``fled`` are points by side.

    ``ratio`` is what the winner destroyed for each point lost, None where it lost nothing; ``degree`` is empty where
    nobody won, or where no points went on either side; ``capped``: it would be higher, but the scenario caps it.
    """

    lost: dict[str, int]
    destroyed: dict[str, int]
    fled: dict[str, int]
    winner: str | None = None
    ratio: Fraction | None = None
    degree: str = ""
    capped: bool = False


class SideCounted(NamedTuple):
    """The points of a side: of enemy ships destroyed, of own ships lost, of those that got away."""

    side: Id
    destroyed: int
    lost: int
    fled: int


class VictoryWon(NamedTuple):
    """A side has won; ``ratio`` to two places, "-" where it lost nothing at all; ``points`` for the campaign."""

    side: Id
    degree: Word
    ratio: str
    points: int


class NobodyWon(NamedTuple):
    """Both sides stand, or neither, and have destroyed as much."""


def outcome(state: Board, book: Book) -> Account:
    """The battle as it stands: the last side on the board has won, else who destroyed more (B6).

    The degree is the ratio of the points destroyed to those lost, against the figures ``great`` and ``crushing``
    (hundredths), and no higher than the scenario allows.
    """
    battle = state.battle
    assert battle is not None
    lost = {side: battle.lost.get(side, 0) for side in battle.sides}
    destroyed = {side: sum([n for other, n in lost.items() if other != side]) for side in battle.sides}
    fled = {side: battle.fled.get(side, 0) for side in battle.sides}
    bare = Account(lost, destroyed, fled)
    winner = battle.winner or _winner(state, destroyed)
    if winner is None or not (lost[winner] or destroyed[winner]):
        return bare._replace(winner=winner)
    ratio = Fraction(destroyed[winner], lost[winner]) if lost[winner] else None
    earned, most = _degree(book, ratio), DEGREES.index(battle.most)
    return bare._replace(winner=winner, ratio=ratio, degree=DEGREES[min(earned, most)], capped=earned > most)


def _winner(state: Board, destroyed: dict[str, int]) -> str | None:
    """The only side with a ship left on the board, else the one that destroyed more; None where that is equal."""
    left = {ship.side for _, ship in state.fighting() if ship.side in destroyed}
    if len(left) == 1:
        return left.pop()
    most = [side for side, n in destroyed.items() if n == max(destroyed.values())]
    return most[0] if len(most) == 1 else None


def _degree(book: Book, ratio: Fraction | None) -> int:
    """The place of a ratio among the degrees; without any loss the highest."""
    if ratio is None:
        return len(DEGREES) - 1
    return sum([ratio * 100 >= least for least in (book.figures.great, book.figures.crushing)])


@CHAPTER.rule(Outcome)
def count(case: AnyCase, command: Outcome) -> None:
    """Each side's points, then the victory, which brings the winner points of the campaign by its degree (B6)."""
    battle_on(case)
    account = outcome(case.state, case.book)
    for side, destroyed in account.destroyed.items():
        case.emit(SideCounted(Id(side), destroyed, account.lost[side], account.fled[side]), "TL-11.1.1")
    if account.winner is None:
        case.emit(NobodyWon(), "TL-11.1.1")
    else:
        ratio = _written(account.ratio)
        points = int(getattr(case.book.figures, f"lifetime_{account.degree}")) if account.degree else 0
        case.emit(VictoryWon(Id(account.winner), Word(account.degree or "no-degree"), ratio, points), "TL-11.1.1")
        if account.capped:
            case.warn("degree-capped", "TL-11.1.1", degree=Word(account.degree))
    case.result(winner=account.winner, degree=account.degree or None, ratio=_written(account.ratio))


def _written(ratio: Fraction | None) -> str:
    """A ratio to two places, cut off; a dash where there is none."""
    return "-" if ratio is None else f"{int(ratio)}.{int(ratio * 100) % 100:02d}"


@CHAPTER.effect(VictoryWon)
def victory_won(state: Board, event: VictoryWon) -> Rows:
    """The winner of the battle, and his points of the campaign."""
    battle, side = state.battle, state.sides[event.side]
    assert battle is not None
    return {
        ("battle", "now"): replace(battle, winner=str(event.side)),
        ("sides", event.side): replace(side, lifetime=side.lifetime + event.points),
    }
