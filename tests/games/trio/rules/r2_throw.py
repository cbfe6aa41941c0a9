"""Chapter 2: the throw, and what of it counts."""

from typing import Annotated, NamedTuple

from gmtool.kernel.case import Again
from gmtool.kernel.laws import Die
from gmtool.kernel.pools import Counts, Group
from gmtool.kernel.refusal import Id, Word
from gmtool.kernel.state import Rows, replace
from gmtool.kernel.system import Chapter
from gmtool.kernel.words import Arg, Opt, one_of
from tests.games.trio.model import Board
from tests.games.trio.rules.r1_table import CHAPTER as TABLE
from tests.games.trio.rules.r1_table import GOAL, PLAYER, AnyCase, pass_on

CHAPTER = Chapter("2", needs=(TABLE,))
STYLES = ("steady", "bold")


class Throw(NamedTuple):
    """A player throws three dice; ``again`` counts the throws a triple has given."""

    player: Annotated[str, Arg(PLAYER)]
    style: Annotated[str, Opt("--style", one_of("style", *STYLES))] = ""
    again: int = 0


class ChipSpent(NamedTuple):
    """A chip has thrown a die again."""

    player: Id
    left: int


class Scored(NamedTuple):
    """A throw has counted."""

    player: Id
    style: Word
    points: int
    total: int


def steady(counts: tuple[Counts, ...]) -> tuple[int, bool]:
    """The sum of the best two dice, and whether all three are the same (TR-2.2)."""
    dice = sorted(int(face) for face, n in counts[0].items() for _ in range(n))
    return sum(dice[1:]), len(counts[0]) == 1


def bold(counts: tuple[Counts, ...]) -> tuple[int, bool]:
    """Twice the sum of the dice that show the same, and whether all three do (TR-2.3)."""
    return sum(2 * n * int(face) for face, n in counts[0].items() if n > 1), len(counts[0]) == 1


KEEP = {"steady": steady, "bold": bold}


@CHAPTER.rule(Throw)
def throw(case: AnyCase, command: Throw) -> None:
    """The style is said before the dice fall; three of a kind throw again (TR-2.1 to 2.4)."""
    now = case.state.round
    if now is None or now.phase == "over":
        raise case.refuse("wrong-phase", "TR-1.2", key="no-round")
    if now.acting != command.player:
        case.forbid(
            "wrong-phase", "TR-1.3", key="not-your-turn", player=Id(command.player), acting=Id(now.acting or "")
        )
    key = f"throw.{command.player}" if not command.again else f"throw.{command.player}.again{command.again}"
    given = command.style or None
    style = case.ask(f"style.{command.player}", command.player, STYLES, "steady", rule="TR-2.1", given=given)
    dice = [Group(3, Die(6), ("1", "2", "3"))]
    cited = "TR-2.2" if style == "steady" else "TR-2.3"
    again = chips_of(case, command.player)
    points, triple = case.pool(key, command.player, dice, KEEP[style], rule=cited, again=again)
    total = case.state.players[command.player].points + points
    case.emit(Scored(Id(command.player), Word(style), points, total), cited)
    case.result(points=total, won=total >= GOAL)
    if triple and total < GOAL:
        case.follow(command._replace(again=command.again + 1))
    else:
        pass_on(case, command.player)


def chips_of(case: AnyCase, player: str) -> Again:
    """A chip, two for a raise, lets one die fall again; a raised one has eight sides (TR-2.5)."""

    def again(key: str, value: str) -> tuple[Die, bool]:
        left = case.state.players[player].chips - (2 if value == "raise" else 1)
        if left < 0:
            case.forbid("wrong-phase", "TR-2.5", key="no-chips", player=Id(player))
        case.emit(ChipSpent(Id(player), left), "TR-2.5")
        return Die(8 if value == "raise" else 6), False

    return again


@CHAPTER.effect(ChipSpent)
def chip_spent(state: Board, event: ChipSpent) -> Rows:
    """The player's chips."""
    return {("players", event.player): replace(state.players[event.player], chips=event.left)}


@CHAPTER.effect(Scored)
def scored(state: Board, event: Scored) -> Rows:
    """The player's points."""
    return {("players", event.player): replace(state.players[event.player], points=event.total)}
