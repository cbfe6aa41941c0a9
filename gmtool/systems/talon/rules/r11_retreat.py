"""Chapters 11 and 7.5: ships that get away, by their drive or off the map."""

from typing import Annotated, NamedTuple

from gmtool.kernel.case import Case
from gmtool.kernel.hex import distance
from gmtool.kernel.refusal import Id, Word
from gmtool.kernel.state import Rows, replace
from gmtool.kernel.system import Chapter
from gmtool.kernel.words import Arg
from gmtool.systems.talon.book import Book
from gmtool.systems.talon.grid import read
from gmtool.systems.talon.model import (
    POWER,
    REINFORCEMENT,
    RETREAT,
    RETREATED,
    SETUP,
    Battle,
    Board,
    Ship,
)
from gmtool.systems.talon.rules.r03_time import battle_on
from gmtool.systems.talon.rules.r08_blast import strays
from gmtool.systems.talon.rules.r09_power import ready_in, runs, spools
from gmtool.systems.talon.targets import aboard
from gmtool.systems.talon.words import SHIP

CHAPTER = Chapter("11")
AnyCase = Case[Board, Book]
LATE = (POWER, REINFORCEMENT, RETREAT)
"""The phases of a round in which a drive that spools in it is ready."""


class Jump(NamedTuple):
    """A ship jumps away with its drive in the Retreat Phase."""

    ship: Annotated[str, Arg(SHIP)]


class Leave(NamedTuple):
    """A ship far from all others is taken off the map, where there is no room left for it."""

    ship: Annotated[str, Arg(SHIP)]


class Retreated(NamedTuple):
    """A ship has got away, with the squadrons aboard it; ``points`` are those of all of them."""

    unit: Id
    points: int


@CHAPTER.rule(Jump)
def jump(case: AnyCase, command: Jump) -> None:
    """With a spooled drive, from an empty hex, in its side's part of the Retreat Phase (TL-11.1.2 to 11.1.4)."""
    id, battle = command.ship, battle_on(case)
    ship = _there(case, id)
    if not spools(case.book.ship_class(ship.sheet)):
        case.forbid("no-function", "TL-11.1.4", key="no-drive", unit=Id(id))
    if battle.phase == SETUP:
        raise case.refuse("wrong-phase", "TL-3.1", key="still-setup")
    if not battle.jumps:
        case.forbid("wrong-phase", "TL-11.1.1", key="no-jumps")
    if battle.phase != RETREAT:
        case.forbid("wrong-phase", "TL-11.1.2", key="no-retreat-phase")
    elif battle.acting != ship.side:
        case.forbid("wrong-phase", "TL-3.2", key="other-turn", unit=Id(id), side=Id(battle.acting or ""))
    _ready(case, id, ship, battle)
    away(case, id, "TL-11.1.2")


def _there(case: AnyCase, id: str) -> Ship:
    """The ship, if it is on the board."""
    ship = case.state.ships[id]
    if not case.state.fights(ship):
        raise case.refuse("not-active", "TL-5.1", unit=Id(id))
    return ship


def _ready(case: AnyCase, id: str, ship: Ship, battle: Battle) -> None:
    """Forbidden: a drive not spooled yet or off line, a hex with terrain (TL-11.1.3, 11.1.4, 8.5)."""
    when = ready_in(ship, len(case.book.ship_class(ship.sheet).hull), case.choice)
    if battle.round < when or (battle.round == when and battle.phase not in LATE):
        case.forbid("not-charged", "TL-11.1.3", key="not-spooled", unit=Id(id), round=when)
    if ship.offline:
        case.forbid("no-function", "TL-8.5", key="drive-offline", unit=Id(id))
    if not runs(ship, case.choice):
        case.forbid("no-function", "TL-11.1.3", key="drive-waits", unit=Id(id))
    terrain = _terrain(case.state, ship)
    if terrain:
        case.forbid("blocked", "TL-11.1.4", key="no-jump-here", unit=Id(id), kind=Word(terrain))


def _terrain(state: Board, ship: Ship) -> str:
    return next((row.kind for row in state.terrain.values() if row.at == ship.at), "")


def may_jump(state: Board, book: Book, side: str) -> list[str]:
    """The ships of a side that may jump in the Retreat Phase of this round (TL-11.1.2 to 11.1.4)."""
    battle = state.battle
    assert battle is not None
    if not battle.jumps:
        return []
    found = [(id, ship, book.ship_class(ship.sheet)) for id, ship in state.fighting() if ship.side == side]
    return [
        id for id, ship, sheet in found
        if spools(sheet) and battle.round >= ready_in(ship, len(sheet.hull), book.reading)
        and not ship.offline and not _terrain(state, ship) and runs(ship, book.reading)
    ]  # fmt: skip


@CHAPTER.rule(Leave)
def leave(case: AnyCase, command: Leave) -> None:
    """Six hexes or more from the nearest other ship, a ship without room counts as retreated (TL-7.5.2)."""
    id = command.ship
    battle_on(case)
    ship = _there(case, id)
    if ship.at is None:
        raise case.refuse("no-map", "TL-7.5.2", key="no-board", unit=Id(id))
    if case.choice("tl-7.5.2") == "off":
        case.forbid("beyond-limits", "TL-7.5.2", key="no-edge", unit=Id(id))
    at, least = read(ship.at or ""), case.book.figures.retreat_distance
    others = [(distance(at, read(row.at)), other) for other, row in case.state.on_board() if other != id and row.at]
    if others and min(others)[0] < least:
        far, near = min(others)
        case.forbid("too-far", "TL-7.5.2", key="not-far-off", unit=Id(id), other=Id(near), hexes=far, least=least)
    away(case, id, "TL-7.5.2")


def away(case: AnyCase, id: str, rule: str) -> None:
    """A ship has retreated, and the fighters aboard with it: the points of all of them (TL-11.1.1, 16.3)."""
    ships = [case.state.ships[id], *(ship for _, ship in aboard(case.state, id))]
    points = sum([case.book.ship_class(ship.sheet).points for ship in ships])
    case.emit(Retreated(Id(id), points), rule)
    strays(case, id)
    case.result(retreated=points)


@CHAPTER.effect(Retreated)
def retreated(state: Board, event: Retreated) -> Rows:
    """Off the board, with whoever is aboard; its points are out of the enemy's reach."""
    ship, battle = state.ships[event.unit], state.battle
    rows: Rows = {("ships", event.unit): replace(ship, state=RETREATED, at=None)}
    for id, other in aboard(state, str(event.unit)):
        rows["ships", id] = replace(other, state=RETREATED)
    if battle is not None:
        fled = battle.fled.put(ship.side, battle.fled.get(ship.side, 0) + event.points)
        rows["battle", "now"] = replace(battle, fled=fled)
    return rows
