"""Chapter 16: docking with a base or carrier, landing on a planet (TL-16)."""

from typing import Annotated, NamedTuple

from gmtool.kernel.case import Case
from gmtool.kernel.refusal import Id
from gmtool.kernel.state import Rows, replace
from gmtool.kernel.system import Chapter
from gmtool.kernel.words import Arg, Flag
from gmtool.systems.talon import grid
from gmtool.systems.talon.book import Book
from gmtool.systems.talon.model import DOCKED, HELD_TURN, Board, Ship
from gmtool.systems.talon.rules.r03_time import CHAPTER as TIME
from gmtool.systems.talon.rules.r03_time import battle_on, in_step
from gmtool.systems.talon.rules.r07_move import is_bound
from gmtool.systems.talon.rules.r08_blast import CHAPTER as BLAST
from gmtool.systems.talon.rules.r08_blast import strays
from gmtool.systems.talon.sightlines import PLANET
from gmtool.systems.talon.targets import spot
from gmtool.systems.talon.words_combat import PLACE, SHIP

CHAPTER = Chapter("16", needs=(TIME, BLAST))
AnyCase = Case[Board, Book]
SLOW = 1
"""The one speed at which a transport docks or lands (TL-16.2)."""


class Dock(NamedTuple):
    """A ship or squadron docks with a base or carrier of its side, as its move."""

    ship: Annotated[str, Arg(SHIP)]
    host: Annotated[str, Arg(SHIP)]
    burner: Annotated[bool, Flag("--afterburner")] = False


class Land(NamedTuple):
    """A transport lands on a planet, as its move."""

    ship: Annotated[str, Arg(SHIP)]
    planet: Annotated[str, Arg(PLACE)]
    burner: Annotated[bool, Flag("--afterburner")] = False


class Docked(NamedTuple):
    """A ship is off the map, docked or landed."""

    ship: Id
    host: Id
    burner: bool


@CHAPTER.rule(Dock)
def dock(case: AnyCase, command: Dock) -> None:
    """Into the host's hex by a legal move, and off the map; nothing collides (TL-16.1, 16.2).

    Forbidden: ``friend`` with another side's host, ``no-function`` where it takes no such unit.
    """
    ship, host = _moves(case, command.ship, command.burner), case.state.ships[command.host]
    kind, takes = (case.book.ship_class(each.sheet).kind for each in (ship, host))
    facts = {"unit": Id(command.ship), "host": Id(command.host)}
    if kind == "base":
        raise case.refuse("no-function", "TL-14", key="base-stays", unit=Id(command.ship))
    if command.ship == command.host or not case.state.fights(host):
        raise case.refuse("not-active", "TL-16.1", key="no-host", **facts)
    if host.side != ship.side:
        case.forbid("friend", "TL-16.1", key="other-host", **facts)
    if takes not in ("base", "carrier"):
        case.forbid("no-function", "TL-16.1", key="no-dock", **facts)
    elif takes == "carrier" and kind != "squadron":
        case.forbid("no-function", "TL-16.3", key="too-big", **facts)
    _slow(case, command.ship, ship, kind)
    _reaches(case, command.ship, ship, host.at, command.burner)
    if (kind, takes) != ("squadron", "carrier"):
        case.warn("docking-by-scenario", "TL-16.1", unit=Id(command.ship))
    _off(case, command.ship, command.host, command.burner)


@CHAPTER.rule(Land)
def land(case: AnyCase, command: Land) -> None:
    """A transport at speed 1 into the planet's hex, and off the map (TL-16.1, 16.2, 17.2.1)."""
    ship, planet = _moves(case, command.ship, command.burner), case.state.terrain[command.planet]
    kind = case.book.ship_class(ship.sheet).kind
    facts = {"unit": Id(command.ship), "host": Id(command.planet)}
    if planet.kind != PLANET:
        raise case.refuse("bad-value", "TL-16.1", key="no-planet", **facts)
    if kind != "transport":
        case.forbid("no-function", "TL-16.1", key="no-lander", **facts)
    _slow(case, command.ship, ship, kind)
    _reaches(case, command.ship, ship, planet.at, command.burner)
    case.warn("landing-by-scenario", "TL-16.1", unit=Id(command.ship))
    _off(case, command.ship, command.planet, command.burner)


def _moves(case: AnyCase, id: str, burner: bool) -> Ship:
    """A ship that has a move to make, or an afterburner for one; or as the campaign reads it (A21.23)."""
    ship, battle = in_step(case, id, "move"), battle_on(case)
    due = ship.speed in case.book.listed(battle.impulse)
    if burner:
        left = case.book.ship_class(ship.sheet).afterburners - ship.burners
        if due or ship.burned or left < 1:
            case.forbid("beyond-limits", "TL-10.2.2", key="no-burner-to-dock", unit=Id(id))
        elif case.choice("tl-16.2") == "due":
            case.forbid("has-moved", "TL-16.2", key="no-move-to-dock", unit=Id(id))
    elif ship.moved or (not due and case.choice("tl-16.2") != "any"):
        case.forbid("has-moved", "TL-16.2", key="no-move-to-dock", unit=Id(id))
    return ship


def _slow(case: AnyCase, id: str, ship: Ship, kind: str) -> None:
    """Transports dock and land at speed 1 only (TL-16.2)."""
    if kind == "transport" and ship.speed != SLOW:
        case.forbid("beyond-limits", "TL-16.2", key="too-fast", unit=Id(id), speed=ship.speed, n=SLOW)


def _reaches(case: AnyCase, id: str, ship: Ship, goal: str | None, burner: bool) -> None:
    """The hex is one its move can take it to: ahead, by a turn or by a slip it may make (TL-7.1, 16.2)."""
    if ship.at is None or goal is None:
        return
    turns = ship.counter == 0 and HELD_TURN not in ship.held
    steered = (turns or ship.slip) and not is_bound(case, ship, burner)
    ways = (0, -1, 1) if steered else (0,)
    facing = ship.facing or 0
    if grid.read(goal) not in [grid.ahead(spot(ship), facing + way) for way in ways]:
        case.forbid("not-adjacent", "TL-16.2", key="not-in-its-way", unit=Id(id), at=goal)


def _off(case: AnyCase, id: str, host: str, burner: bool) -> None:
    case.emit(Docked(Id(id), Id(host), burner), "TL-16.2")
    strays(case, id)


@CHAPTER.effect(Docked)
def docked(state: Board, event: Docked) -> Rows:
    """Off the map, with its host; its move is made."""
    ship = state.ships[event.ship]
    spent = {"burners": ship.burners + 1, "burned": True} if event.burner else {"moved": True}
    return {("ships", event.ship): replace(ship, state=DOCKED, inside=str(event.host), at=None, slip=False, **spent)}
