"""Chapter 13: missiles, from the launch to the hit."""

from typing import NamedTuple

from gmtool.kernel.case import Case
from gmtool.kernel.common import fresh_id
from gmtool.kernel.hex import DIRECTIONS, Hex, distance, minus, neighbours
from gmtool.kernel.refusal import Id, Word
from gmtool.kernel.state import Rows, replace
from gmtool.kernel.system import Chapter
from gmtool.systems.talon import grid
from gmtool.systems.talon.aim import Aim
from gmtool.systems.talon.book import Book
from gmtool.systems.talon.dice import highest
from gmtool.systems.talon.harm import Hurt, Shot, Strike, parted
from gmtool.systems.talon.measured import measure
from gmtool.systems.talon.model import DESTROYED, Board, Missile
from gmtool.systems.talon.rules.r03_time import CHAPTER as TIME
from gmtool.systems.talon.rules.r08_damage import CHAPTER as DAMAGE
from gmtool.systems.talon.sightlines import BARS, arc, ground
from gmtool.systems.talon.tables import ARCS
from gmtool.systems.talon.targets import pick_fighter, placed, spot, there

CHAPTER = Chapter("13", needs=(TIME, DAMAGE))
AnyCase = Case[Board, Book]


class Launched(NamedTuple):
    """A missile is on its way to its target."""

    missile: Id
    number: int
    ship: Id
    target: Id
    at: str
    facing: Word
    sheet: str


class LaunchedBeside(NamedTuple):
    """A missile launched at what is beside the ship detonates at once."""

    ship: Id
    target: Id


class MissileStruck(NamedTuple):
    """A missile detonates; its counter is used up."""

    missile: Id
    target: Id


def launch_one(case: AnyCase, aim: Aim, command: Shot) -> None:
    """A counter beside the firer, in its arc, facing its target; at range 1 it detonates at once (TL-13.2, 13.5)."""
    id = parted(command.target)[0]
    row = there(case.state, id)
    assert row is not None
    lies = measure(case, aim, id, command.far, command.shield)
    if lies.range == 1:
        case.emit(LaunchedBeside(Id(aim.id), Id(id)), "TL-13.5")
        case.tally("hits")
        case.follow(_hit(case, aim, id, lies.shield, parted(command.target)[1]))
        return
    if not placed(aim.ship, row):
        raise case.refuse("no-map", "TL-13.2", key="missile-no-board", unit=Id(aim.id), target=Id(id))
    hex = _placed(case, aim, command, spot(row))
    facing = _facing(case, aim, command, hex, spot(row))
    claimed, missile = fresh_id(case.state, "missile", numbered=True)
    case.keep(claimed)
    where = (grid.label(hex), Word(grid.FACINGS[facing]))
    case.emit(Launched(Id(missile), claimed.n, Id(aim.id), Id(id), *where, aim.weapon.id), "TL-13.2")


def _placed(case: AnyCase, aim: Aim, command: Shot, goal: Hex) -> Hex:
    """A hex beside the firer in the group's arcs, the one nearest to the target by default (TL-13.2, A21.38)."""
    start, land = spot(aim.ship), ground(case.state)
    ahead = grid.toward(start, goal)
    free = [
        hex for hex in neighbours(start)
        if arc(case.choice, start, aim.ship.facing or 0, hex) in aim.group.arcs
        and not any(kind in BARS for kind in land.get(hex, ()))
    ]  # fmt: skip
    if not free:
        raise case.refuse("no-room", "TL-13.2", key="no-launch-hex", unit=Id(aim.id))
    free.sort(key=lambda hex: (hex not in ahead, distance(hex, goal), neighbours(start).index(hex)))
    labels = [grid.label(hex) for hex in free]
    key = f"place.{command.weapon}"
    return grid.read(case.ask(key, aim.id, labels, labels[0], rule="TL-13.2")) if len(labels) > 1 else free[0]


def _facing(case: AnyCase, aim: Aim, command: Shot, hex: Hex, goal: Hex) -> int:
    """The hexside through which the line to the target leaves; of two the firer picks (TL-13.2)."""
    words = [grid.FACINGS[DIRECTIONS.index(minus(step, hex))] for step in grid.toward(hex, goal)]
    key = f"facing.{command.weapon}"
    return grid.FACINGS.index(
        case.ask(key, aim.id, words, words[0], rule="TL-13.2", shown=Word) if len(words) > 1 else words[0]
    )


def _hit(case: AnyCase, aim: Aim, target: str, struck: str, fighter: str = "") -> Hurt:
    """The damage of a missile launched beside its target, upon the arc that holds the firer (TL-13.5)."""
    ship = case.state.ships[target]
    if ship.fighters and not fighter:
        fighter = _fighter(case, target, "launch", aim.ship.side)
    return Hurt(target, struck, aim.weapon.damage, "TL-13.5", fighter)


def _fighter(case: AnyCase, target: str, missile: str, owner: str) -> str:
    """The fighter a missile strikes, picked by its owner (TL-13.2)."""
    return pick_fighter(case, f"fighter.{target}.{missile}", owner, target, "TL-13.2", fresh=True)


@CHAPTER.effect(Launched)
def launched(state: Board, event: Launched) -> Rows:
    """A row of its own; it moves first in its owner's next turn (A21.34)."""
    name, facing = f"M{event.number}", grid.FACINGS.index(event.facing)
    taken = {ship.handle for ship in state.ships.values()}
    handle = name.lower() if name.lower() not in taken else str(event.missile)
    side, order = state.ships[event.ship].side, len(state.missiles) + 1
    row = Missile(name, handle, side, order, event.at, facing, str(event.target), event.sheet, moved=True)
    return {("missiles", str(event.missile)): row}


@CHAPTER.rule(Strike)
def strike(case: AnyCase, command: Strike) -> None:
    """Its damage on the arc it came through, on the hull if that shield is down; the counter is gone (TL-13.5)."""
    missile, target = there(case.state, command.missile), there(case.state, command.target)
    if not isinstance(missile, Missile) or target is None or missile.target != command.target:
        return
    case.emit(MissileStruck(Id(command.missile), Id(command.target)), "TL-13.5")
    case.tally("hits")
    ship = case.state.ships[command.target]
    struck, fighter = command.arc, ""
    if ship.fighters:
        struck, fighter = "", _fighter(case, command.target, command.missile, missile.side)
    elif not struck:
        struck = highest(case, f"arc.{command.target}.{command.missile}", command.target, ARCS, "TL-13.7")
    hurt = Hurt(command.target, struck, case.book.weapon(missile.sheet).damage, "TL-13.5", fighter)
    if command.together:
        case.later(hurt, before=lambda waiting: not isinstance(waiting, (Strike, Hurt)))
    else:
        case.follow(hurt)


@CHAPTER.effect(MissileStruck)
def missile_struck(state: Board, event: MissileStruck) -> Rows:
    """Used up."""
    return {("missiles", event.missile): replace(state.missiles[event.missile], state=DESTROYED, target=None)}
