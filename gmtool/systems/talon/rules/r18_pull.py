"""Chapter 18.2: once a round black holes pull every ship a hex toward them."""

from typing import NamedTuple

from gmtool.kernel.case import Case
from gmtool.kernel.hex import distance
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
from gmtool.systems.talon.targets import there

CHAPTER = Chapter("18")
AnyCase = Case[Board, Book]


class PullAll(NamedTuple):
    """The black holes pull, one after the other."""


class PullSide(NamedTuple):
    """A hole pulls the ships of a side, in their owner's order; not those ``besides`` that another one pulls."""

    hole: str
    side: str
    several: bool = False
    besides: tuple[str, ...] = ()


class Pull(NamedTuple):
    """A hole pulls one ship, or a missile."""

    hole: str
    unit: str


class Pulled(NamedTuple):
    """A ship or missile is pulled into a hex."""

    unit: Id
    hole: Id
    hex: str


@CHAPTER.rule(PullAll)
def pull_all(case: AnyCase, command: PullAll) -> None:
    """Each hole pulls all ships before the next; the initiative player orders several holes (TL-18.2, A21.22).

    By other readings they pull as they were laid, or a ship is pulled by the nearest alone.
    """
    battle = battle_on(case)
    holes = [id for id, row in case.state.terrain.items() if row.kind == "black-hole"]
    several = len(holes) > 1
    reading = case.choice("tl-18.2-several") if several else ""
    if reading == "initiative":
        holes = _ordered(case, "holes", battle.initiative, "terrain", holes)
    nearest = _nearest(case.state, holes) if reading == "nearest" else {}
    for hole in holes:
        besides = tuple([id for id, other in nearest.items() if other != hole])
        for side in (battle.initiative, battle.second):
            case.follow(PullSide(hole, side, several, besides))


def _nearest(state: Board, holes: list[str]) -> dict[str, str]:
    """The hole nearest to each ship and missile, of those as near the one laid first."""
    at = {hole: read(state.terrain[hole].at) for hole in holes}
    ships = [(id, read(ship.at or "")) for id, ship in state.on_board()]
    missiles = [(id, read(row.at)) for id, row in state.in_flight()]
    return {id: min(holes, key=lambda hole: distance(at[hole], hex)) for id, hex in (*ships, *missiles)}


@CHAPTER.rule(PullSide)
def pull_side(case: AnyCase, command: PullSide) -> None:
    """The initiative player's ships first, each player's in the order he says, else as they joined (TL-18.2)."""
    ships = [id for id, ship in case.state.on_board() if ship.side == command.side and id not in command.besides]
    if any(case.state.ships[id].fighters for id in ships) and case.choice("tl-18.2-squadrons") == "stay":
        ships = [id for id in ships if not case.state.ships[id].fighters]
    key = f"pull.{command.side}.{command.hole}" if command.several else f"pull.{command.side}"
    ships = _ordered(case, key, command.side, "ships", ships) if len(ships) > 1 else ships
    for id in [*ships, *_missiles(case, command)]:
        case.follow(Pull(command.hole, id))


def _missiles(case: AnyCase, command: PullSide) -> list[str]:
    """Missiles stay, or by the other reading are pulled after their side's ships, as they were launched (A21.22)."""
    found = [id for id, row in case.state.in_flight() if row.side == command.side and id not in command.besides]
    return found if found and case.choice("tl-18.2-missiles") == "pulled" else []


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

    From every distance, unless the campaign has a figure for it; from beside the hole into it, or by the other reading
    no further. Facing, turn counter and slip marker stay, and it is not the ship's move (A21.16, A21.22).
    """
    id, row, hole = command.unit, there(case.state, command.unit), read(case.state.terrain[command.hole].at)
    if row is None or row.at is None or distance(read(row.at), hole) > case.book.figures.pull_range:
        return
    if distance(read(row.at), hole) == 1 and case.choice("tl-18.2-beside") == "stays":
        return
    hexes = [label(hex) for hex in toward(read(row.at), hole)]
    to = hexes[0]
    if len(hexes) > 1:
        to = case.ask(f"pull-to.{id}", id, hexes, "ask", rule="TL-18.2")
    case.emit(Pulled(Id(id), Id(command.hole), to), "TL-18.2")
    if id in case.state.ships:
        forced(case, id)
    case.follow(Entered(id, row.at, "pull"))


@CHAPTER.effect(Pulled)
def pulled(state: Board, event: Pulled) -> Rows:
    """Where it is now."""
    id = str(event.unit)
    if id in state.missiles:
        return {("missiles", id): replace(state.missiles[id], at=event.hex)}
    return {("ships", id): replace(state.ships[id], at=event.hex)}
