"""Chapter 21: a side gives up, and what of its ships counts as lost by it (TL-11.1.1)."""

from typing import Annotated, NamedTuple

from gmtool.kernel.case import Case
from gmtool.kernel.hex import distance
from gmtool.kernel.refusal import Id
from gmtool.kernel.state import Rows, replace
from gmtool.kernel.system import Chapter
from gmtool.kernel.words import Arg
from gmtool.systems.talon import sightlines
from gmtool.systems.talon.bars import kept
from gmtool.systems.talon.book import Book
from gmtool.systems.talon.grid import read
from gmtool.systems.talon.model import DESTROYED, SETUP, Board, Ship
from gmtool.systems.talon.rules import r03_time, r20_victory, r21_battle
from gmtool.systems.talon.tables import Group
from gmtool.systems.talon.targets import aboard
from gmtool.systems.talon.words import SIDE

CHAPTER = Chapter("21 concede", needs=(r21_battle.CHAPTER,))
AnyCase = Case[Board, Book]


class Concede(NamedTuple):
    """A side gives up, and the battle is over."""

    side: Annotated[str, Arg(SIDE)]


class Conceded(NamedTuple):
    """A side has given up; ``points`` are those of its ships that count as lost by it."""

    side: Id
    winner: Id
    ships: tuple[Id, ...]
    points: int


@CHAPTER.rule(Concede)
def concede(case: AnyCase, command: Concede) -> None:
    """The other side has won; ships in reach of an enemy weapon are lost, charged or not, whatever the terrain."""
    battle = r03_time.battle_on(case)
    if battle.phase == SETUP:
        raise case.refuse("wrong-phase", "TL-3.1", key="still-setup")
    if command.side not in battle.sides:
        raise case.refuse("bad-value", "TL-11.1.1", key="side-not-fighting", side=Id(command.side))
    gone = [id for id, ship in case.state.fighting() if ship.side == command.side and _is_lost(case, ship)]
    lost = [each for id in gone for each in (id, *(docked for docked, _ in aboard(case.state, id)))]
    points = sum(case.book.ship_class(case.state.ships[id].sheet).points for id in lost)
    winner = next(side for side in battle.sides if side != command.side)
    case.emit(Conceded(Id(command.side), Id(winner), tuple(map(Id, lost)), points), "TL-11.1.1")
    case.follow(r20_victory.Outcome())
    case.follow(r21_battle.BattleClose())


def _is_lost(case: AnyCase, ship: Ship) -> bool:
    """Whether a ship of the side that gives up counts as lost (the book's words are cut off)."""
    reading = case.choice("tl-11.1.1")
    if reading != "in-reach":
        return reading == "all"
    enemies = [row for _, row in case.state.on_board() if row.side != ship.side] if ship.at else []
    return any(_reaches(case, enemy, ship) for enemy in enemies)


def _reaches(case: AnyCase, enemy: Ship, ship: Ship) -> bool:
    """Whether any group that an enemy still has bears on a ship: in its arc, in its range."""
    here, there = read(enemy.at or ""), read(ship.at or "")
    far = distance(here, there)
    if not far:
        return False
    arc = sightlines.arc(case.choice, here, enemy.facing or 0, there)
    groups = kept(case.book.ship_class(enemy.sheet), enemy).values()
    return any(arc in group.arcs and _in_range(case.book, group, far) for group in groups)


def _in_range(book: Book, group: Group, far: int) -> bool:
    weapon = book.weapon(group.weapon)
    if weapon.launch is not None:
        return weapon.launch[0] <= far <= weapon.launch[1]
    return weapon.at(far) is not None


@CHAPTER.effect(Conceded)
def conceded(state: Board, event: Conceded) -> Rows:
    """Those ships are gone, their points lost; the winner is known."""
    battle = state.battle
    assert battle is not None
    lost = battle.lost.put(event.side, battle.lost.get(event.side, 0) + event.points)
    rows: Rows = {("ships", id): replace(state.ships[id], state=DESTROYED, at=None) for id in event.ships}
    return rows | {("battle", "now"): replace(battle, lost=lost, winner=str(event.winner))}
