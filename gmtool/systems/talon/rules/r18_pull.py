"""Chapter 18.2: once a round black holes pull every ship a hex toward them."""

from typing import NamedTuple

from gmtool.kernel.case import Case
from gmtool.kernel.refusal import Id
from gmtool.kernel.state import Rows, replace
from gmtool.kernel.system import Chapter
from gmtool.kernel.words import Candidate
from gmtool.systems.talon.book import Book
from gmtool.systems.talon.grid import label, read, toward
from gmtool.systems.talon.model import Board
from gmtool.systems.talon.rules.r03_time import battle_on
from gmtool.systems.talon.rules.r07_enter import Entered
from gmtool.systems.talon.rules.r07_forced import forced

CHAPTER = Chapter("18")
AnyCase = Case[Board, Book]


class PullAll(NamedTuple):
    """The black holes pull, one after the other."""


class PullSide(NamedTuple):
    """A hole pulls the ships of a side, in their owner's order."""

    hole: str
    side: str
    several: bool = False


class Pull(NamedTuple):
    """A hole pulls one ship."""

    hole: str
    ship: str


class Pulled(NamedTuple):
    """A ship is pulled into a hex."""

    unit: Id
    hole: Id
    hex: str


@CHAPTER.rule(PullAll)
def pull_all(case: AnyCase, command: PullAll) -> None:
    """Each hole pulls all ships before the next; the initiative player orders several holes (TL-18.2, A21.22)."""
    battle = battle_on(case)
    holes = [id for id, row in case.state.terrain.items() if row.kind == "black-hole"]
    if len(holes) > 1:
        holes = _ordered(case, "holes", battle.initiative, "terrain", holes)
    for hole in holes:
        for side in (battle.initiative, battle.second):
            case.follow(PullSide(hole, side, len(holes) > 1))


@CHAPTER.rule(PullSide)
def pull_side(case: AnyCase, command: PullSide) -> None:
    """The initiative player's ships first, each player's in the order he says, else as they joined (TL-18.2)."""
    ships = [id for id, ship in case.state.on_board() if ship.side == command.side]
    key = f"pull.{command.side}.{command.hole}" if command.several else f"pull.{command.side}"
    for id in _ordered(case, key, command.side, "ships", ships) if len(ships) > 1 else ships:
        case.follow(Pull(command.hole, id))


def _ordered(case: AnyCase, key: str, who: str, table: str, ids: list[str]) -> list[str]:
    """Those named first, in that order, then the others."""

    def candidates() -> list[Candidate]:
        rows = [(id, case.state.row(table, id)) for id in ids]
        return [Candidate(id, (row.name,), getattr(row, "handle", "")) for id, row in rows if row is not None]

    named = case.ask_names(key, who, "ship" if table == "ships" else "terrain", candidates, rule="TL-18.2")
    return [*dict.fromkeys(named), *(id for id in ids if id not in named)]


@CHAPTER.rule(Pull)
def pull(case: AnyCase, command: Pull) -> None:
    """One hex along the line of centres; where it runs along a hexside the owner says into which (TL-18.2).

    Facing, turn counter and slip marker stay, and it is not the ship's move (A21.16).
    """
    ship, hole = case.state.ships[command.ship], case.state.terrain[command.hole]
    if ship.at is None:
        return
    hexes = [label(hex) for hex in toward(read(ship.at), read(hole.at))]
    to = hexes[0]
    if len(hexes) > 1:
        to = case.ask(f"pull-to.{command.ship}", command.ship, hexes, "ask", rule="TL-18.2")
    case.emit(Pulled(Id(command.ship), Id(command.hole), to), "TL-18.2")
    forced(case, command.ship)
    case.follow(Entered(command.ship, ship.at, "pull"))


@CHAPTER.effect(Pulled)
def pulled(state: Board, event: Pulled) -> Rows:
    """Where it is now."""
    return {("ships", event.unit): replace(state.ships[event.unit], at=event.hex)}
