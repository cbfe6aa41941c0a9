"""Chapter 15: the big guns, the wave-motion gun that pushes and the fusion cannon that sweeps its arc."""

from typing import NamedTuple

from gmtool.kernel.case import Case
from gmtool.kernel.refusal import Id, Word
from gmtool.kernel.state import Rows, replace
from gmtool.kernel.system import Chapter
from gmtool.systems.talon import grid
from gmtool.systems.talon.aim import Aim, can_strike, in_cone, why_not
from gmtool.systems.talon.book import Book
from gmtool.systems.talon.harm import Entered, Hurt, Impact, Shot, parted
from gmtool.systems.talon.marks import shields_out
from gmtool.systems.talon.measured import measure
from gmtool.systems.talon.model import Board
from gmtool.systems.talon.rules.r07_forced import forced
from gmtool.systems.talon.rules.r08_damage import ShieldsOut
from gmtool.systems.talon.rules.r08_fire import (
    CHAPTER as FIRE,
)
from gmtool.systems.talon.rules.r08_fire import (
    ShotHit,
    ShotLapsed,
    ShotMissed,
    blow,
    lost_by_own_shot,
    rolled,
)
from gmtool.systems.talon.sightlines import NEBULA, WORM_HOLE, arc, kinds_at
from gmtool.systems.talon.tally import HULL
from gmtool.systems.talon.targets import placed, spot, there
from gmtool.systems.talon.words import named

CHAPTER = Chapter("15", needs=(FIRE,))
AnyCase = Case[Board, Book]


class Pushed(NamedTuple):
    """A ship is pushed one hex."""

    ship: Id
    before: str
    after: str


class ImpactLapsed(NamedTuple):
    """The target is gone by the push; the damage of the hit lapses."""

    target: Id


def push(case: AnyCase, aim: Aim, command: Shot, damage: int, shield: str) -> None:
    """A hit moves its target one hex along the ray, with all that comes of it, before the damage (TL-15.1.2, 15.1.3).

    A missile is merely hit (A21.13); a squadron goes whole. Without a board the counter is pushed at the table.
    """
    id = parted(command.target)[0]
    ship = case.state.ships.get(id)
    if ship is not None and not placed(aim.ship, ship):
        case.warn("push-by-hand", "TL-15.1.2", unit=Id(id))
    if ship is None or not placed(aim.ship, ship) or _stays(case, id):
        case.follow(blow(command.target, damage, shield))
        return
    hexes = [grid.label(hex) for hex in grid.onward(spot(aim.ship), spot(ship))]
    to = hexes[0]
    if len(hexes) > 1:
        to = case.ask(f"push.{command.weapon}", aim.id, hexes, hexes[0], rule="TL-15.1.2")
    before = ship.at or ""
    case.emit(Pushed(Id(id), before, to), "TL-15.1.2")
    forced(case, id)
    clouded = NEBULA in kinds_at(case.state, before) and not ship.fighters
    follows = [Entered(id, before, "push"), Impact(command, shield, damage, left_nebula=clouded)]
    for each in reversed(follows) if _is_first(case, to) else follows:
        case.follow(each)


def _is_first(case: AnyCase, to: str) -> bool:
    """Whether the damage comes before a worm hole takes the ship: by another reading only (A21.13)."""
    return WORM_HOLE in kinds_at(case.state, to) and case.choice("tl-15.1.3-worm") == "first"


def _stays(case: AnyCase, id: str) -> bool:
    """Whether this is a base or squadron, and those are not pushed in this campaign (A21.13)."""
    kind = case.book.ship_class(case.state.ships[id].sheet).kind
    if kind == "squadron":
        return case.choice("tl-15.1.2-squadron") == "stays"
    return kind == "base" and case.choice("tl-15.1.2") == "stays"


@CHAPTER.rule(Impact)
def impact(case: AnyCase, command: Impact) -> None:
    """The damage, if the target is still there; the arc as it was at the hit (TL-15.1.3)."""
    id, fighter = parted(command.shot.target)
    row = there(case.state, id)
    if row is None:
        case.emit(ImpactLapsed(Id(id)), "TL-15.1.3")
        return
    lost = lost_by_own_shot(case, command.shot)
    if lost and case.choice("tl-15.1.3-firer") == "lapses":
        case.emit(ShotLapsed(Id(command.shot.ship), command.shot.weapon, Word(lost)), "TL-15.1.3")
        return
    struck = command.arc
    firer = grid.read(command.shot.at)
    if struck and spot(row) != firer:
        after = arc(case.choice, spot(row), row.facing or 0, firer)
        if after != struck and case.choice("tl-15.1.3") == "after":
            struck = after
    case.cite("TL-15.1.3")
    case.follow(Hurt(id, struck, command.points, "TL-15.1.3", fighter, _past_shields(case, command, id)))


def _past_shields(case: AnyCase, command: Impact, id: str) -> str:
    """Pushed out of a nebula a ship has its shields back, but for another reading (A21.13)."""
    if not command.left_nebula or shields_out(case.state, case.state.ships[id]):
        return ""
    if case.choice("tl-15.1.3-nebula") == "back":
        return ""
    case.emit(ShieldsOut(Id(id), Word(NEBULA)), "TL-15.1.3")
    return HULL


@CHAPTER.effect(Pushed)
def pushed(state: Board, event: Pushed) -> Rows:
    """It stands one hex further on, facing as before; turn counter and slip marker stay (A21.16)."""
    return {("ships", event.ship): replace(state.ships[event.ship], at=event.after)}


def sweep(case: AnyCase, aim: Aim, command: Shot) -> None:
    """A die for each that is in the cone, friend or foe; then all the damage (TL-15.2.1, 15.2.2, A21.12)."""
    if not command.forced and not _has_target(case, aim, command.target):
        case.emit(ShotLapsed(Id(aim.id), command.weapon, Word("no-target")), "TL-15.2.2")
        return
    blows = []
    for target in _order(case, aim, command):
        said = (command.far, command.shield) if target == command.target else (0, "")
        lies = measure(case, aim, target, *said)
        die, damage = rolled(case, aim, f"fire.{command.weapon}.{target}", lies)
        facts = (Id(aim.id), Id(aim.weapon.id), Id(target), lies.range, die)
        case.emit(ShotHit(*facts, damage) if damage else ShotMissed(*facts), "TL-15.2.1")
        blows += [blow(target, damage, lies.shield)] if damage else []
    case.tally("hits", len(blows))
    together = _is_together(case)
    for each in blows:
        if together:
            case.later(each, before=lambda waiting: not isinstance(waiting, Shot | Hurt))
        else:
            case.follow(each)


def _is_together(case: AnyCase) -> bool:
    """Whether the damage waits for the other cannons of the group, as it does by another reading only (A21.12)."""
    after = case.queue[0] if case.queue else None
    return isinstance(after, Hurt) or (isinstance(after, Shot) and case.choice("tl-15.2.1") == "together")


def _has_target(case: AnyCase, aim: Aim, target: str) -> bool:
    """Whether the one named is still before it; only without it is anything else looked for (A21.12)."""
    named_one = why_not(case.state, case.book, case.choice, aim, target) is None
    return named_one or bool(can_strike(case.state, case.book, case.choice, aim))


def _order(case: AnyCase, aim: Aim, command: Shot) -> list[str]:
    """The firer's side takes its own losses first; each side in the order it names, else as they joined (TL-15.2.2).

    Without a board whoever else is in the cone is named with the line.
    """
    struck = in_cone(case.state, case.book, case.choice, aim)
    if aim.ship.at is None:
        more = case.ask_names("cone", aim.id, "target", lambda: named(case.state, "ships"), rule="TL-15.2.1")
        struck = [command.target, *(id for id in more if id != command.target)]
    first = case.ask_names("losses", aim.id, "target", lambda: named(case.state, "ships", "missiles"), rule="TL-15.2.2")
    sides = {id: row.side != aim.ship.side for id in struck if (row := there(case.state, id)) is not None}
    return sorted(sides, key=lambda id: (sides[id], first.index(id) if id in first else len(first)))
