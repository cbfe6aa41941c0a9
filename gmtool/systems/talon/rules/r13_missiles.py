"""Chapter 13: missiles, from the launch to the hit."""

from typing import NamedTuple

from gmtool.kernel.case import Case
from gmtool.kernel.common import fresh_id
from gmtool.kernel.hex import DIRECTIONS, Hex, distance, minus, neighbours
from gmtool.kernel.refusal import Id, Word
from gmtool.kernel.state import Rows, replace
from gmtool.kernel.system import Chapter
from gmtool.systems.talon import grid
from gmtool.systems.talon.aim import Aim, aim_of, ranges
from gmtool.systems.talon.book import Book
from gmtool.systems.talon.dice import highest
from gmtool.systems.talon.harm import Entered, Fly, Hurt, Retarget, Shot, Strike, parted
from gmtool.systems.talon.model import DESTROYED, STEPS, Board, Missile
from gmtool.systems.talon.rules.r03_time import CHAPTER as TIME
from gmtool.systems.talon.rules.r03_time import battle_on, go_to, turn_of
from gmtool.systems.talon.rules.r08_damage import CHAPTER as DAMAGE
from gmtool.systems.talon.sightlines import BARS, PLANET, arc, ground
from gmtool.systems.talon.tables import ARCS
from gmtool.systems.talon.targets import keys_of, pick_fighter, spot, there

CHAPTER = Chapter("13", needs=(TIME, DAMAGE))
AnyCase = Case[Board, Book]
WAYS = {"ahead": 0, "left": -1, "right": 1}
"""A missile's ways, each with the sixths by which it turns first (TL-13.4)."""


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


class MissileMoved(NamedTuple):
    """A missile has made its move."""

    missile: Id
    before: str
    after: str
    facing: Word


class MissileStruck(NamedTuple):
    """A missile detonates; its counter is used up."""

    missile: Id
    target: Id


class Retargeted(NamedTuple):
    """A missile has a new target."""

    missile: Id
    ship: Id
    target: Id


def launch(case: AnyCase, aim: Aim, command: Shot) -> None:
    """A counter beside the firer, in its arc, facing its target; at range 1 it detonates at once (TL-13.2, 13.5)."""
    id = parted(command.target)[0]
    row = there(case.state, id)
    assert row is not None
    if distance(spot(aim.ship), spot(row)) == 1:
        case.emit(LaunchedBeside(Id(aim.id), Id(id)), "TL-13.5")
        case.result(hits=case.results.get("hits", 0) + 1)
        case.follow(_hit(case, id, aim.weapon.id, spot(aim.ship), parted(command.target)[1]))
        return
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


def _hit(case: AnyCase, target: str, weapon: str, source: Hex, fighter: str = "") -> Hurt:
    """The damage of a missile that comes from a hex, upon the arc that holds it (TL-13.5)."""
    ship = case.state.ships[target]
    struck = "" if ship.fighters else arc(case.choice, spot(ship), ship.facing or 0, source)
    if ship.fighters and not fighter:
        fighter = _fighter(case, target, "launch")
    return Hurt(target, struck, case.book.weapon(weapon).damage, "TL-13.5", fighter)


def _fighter(case: AnyCase, target: str, missile: str) -> str:
    """The fighter a missile strikes, by its owner (TL-13.2)."""
    return pick_fighter(case, f"fighter.{target}.{missile}", target, target, "TL-13.2", fresh=True)


@CHAPTER.effect(Launched)
def launched(state: Board, event: Launched) -> Rows:
    """A row of its own; it moves first in its owner's next turn (A21.34)."""
    name, facing = f"M{event.number}", grid.FACINGS.index(event.facing)
    side, order = state.ships[event.ship].side, len(state.missiles) + 1
    row = Missile(name, name.lower(), side, order, event.at, facing, str(event.target), event.sheet, moved=True)
    return {("missiles", str(event.missile)): row}


@CHAPTER.rule(Fly)
def fly(case: AnyCase, command: Fly) -> None:
    """One hex, turning at most one side first: nearer to the target if it can, straight on without one (TL-13.4)."""
    id, missile = command.missile, there(case.state, command.missile)
    if not isinstance(missile, Missile):
        raise case.refuse("not-active", "TL-13.4", key="missile-gone", unit=Id(id))
    _due(case, id, missile)
    facing = (missile.facing + WAYS[command.way]) % 6
    _may_go(case, id, missile, facing)
    at = grid.label(grid.ahead(spot(missile), facing))
    case.emit(MissileMoved(Id(id), missile.at, at, Word(grid.FACINGS[facing])), "TL-13.4")
    case.follow(Entered(id, missile.at, "straight" if command.way == "ahead" else "turn"))


def _due(case: AnyCase, id: str, missile: Missile) -> None:
    """In the movement step of its owner's turn, once an impulse (TL-3.2, 13.4)."""
    battle = battle_on(case)
    turn_of(case, battle, missile.side, id)
    now, wanted = STEPS.index(battle.step), STEPS.index("move")
    if now > wanted:
        case.forbid("step-over", "TL-3.2", unit=Id(id), step=Word("move"), now=Word(battle.step))
    elif now < wanted:
        go_to(case, battle, "move")
    if missile.moved:
        case.forbid("has-moved", "TL-13.4", key="missile-moved", unit=Id(id))


def ways(state: Board, missile: Missile) -> list[int]:
    """The facings in which a missile may go (TL-13.4, A21.36).

    Any that bring it nearer to its target, into a planet only if there is no other; where none does, all three;
    straight on without a target.
    """
    target = missile.target and there(state, missile.target)
    if not target:
        return [missile.facing]
    nearer = list(grid.nearer(spot(missile), missile.facing, spot(target)))
    land = ground(state)
    open_ = [each for each in nearer if PLANET not in land.get(grid.ahead(spot(missile), each), ())]
    return open_ or nearer or [(missile.facing + turn) % 6 for turn in WAYS.values()]


def _may_go(case: AnyCase, id: str, missile: Missile, facing: int) -> None:
    allowed = ways(case.state, missile)
    if facing in allowed:
        return
    said = [Word(name) for name, turn in WAYS.items() if (missile.facing + turn) % 6 in allowed]
    key = "missile-nearer" if missile.target else "missile-straight"
    case.forbid("beyond-limits", "TL-13.4" if missile.target else "TL-13.3", key=key, unit=Id(id), ways=said)


@CHAPTER.effect(MissileMoved)
def missile_moved(state: Board, event: MissileMoved) -> Rows:
    """Its hex and facing."""
    missile = state.missiles[event.missile]
    facing = grid.FACINGS.index(event.facing)
    return {("missiles", event.missile): replace(missile, at=event.after, facing=facing, moved=True)}


@CHAPTER.rule(Strike)
def strike(case: AnyCase, command: Strike) -> None:
    """Its damage on the arc it came through, on the hull if that shield is down; the counter is gone (TL-13.5)."""
    missile, target = there(case.state, command.missile), there(case.state, command.target)
    if not isinstance(missile, Missile) or target is None or missile.target != command.target:
        return
    case.emit(MissileStruck(Id(command.missile), Id(command.target)), "TL-13.5")
    case.result(hits=case.results.get("hits", 0) + 1)
    ship = case.state.ships[command.target]
    struck, fighter = command.arc, ""
    if ship.fighters:
        struck, fighter = "", _fighter(case, command.target, command.missile)
    elif not struck:
        struck = highest(case, f"arc.{command.target}.{command.missile}", command.target, ARCS, "TL-13.7")
    case.follow(Hurt(command.target, struck, case.book.weapon(missile.sheet).damage, "TL-13.5", fighter))


@CHAPTER.effect(MissileStruck)
def missile_struck(state: Board, event: MissileStruck) -> Rows:
    """Used up."""
    return {("missiles", event.missile): replace(state.missiles[event.missile], state=DESTROYED, target=None)}


@CHAPTER.rule(Retarget)
def retarget(case: AnyCase, command: Retarget) -> None:
    """A new target in arc and range of a launcher that is not destroyed, charged or not (TL-13.7, A21.33).

    Refused where the missile is gone; forbidden: ``friend`` for another side's missile or an own target,
    ``no-function`` without a launcher, ``not-in-range``.
    """
    ship, missile = case.state.ships[command.ship], there(case.state, command.missile)
    facts = {"unit": Id(command.ship), "missile": Id(command.missile), "target": Id(command.target)}
    if not isinstance(missile, Missile):
        raise case.refuse("not-active", "TL-13.7", key="missile-gone", unit=Id(command.missile))
    target = there(case.state, command.target)
    if target is None or isinstance(target, Missile):
        raise case.refuse("not-active", "TL-13.7", key="target-gone", **facts)
    if missile.side != ship.side:
        case.forbid("friend", "TL-13.7", key="other-missile", **facts)
    if target.side == ship.side:
        case.forbid("friend", "TL-8.2.2", key="own-target", **facts)
    _launcher(case, command, spot(target))
    case.emit(Retargeted(Id(command.missile), Id(command.ship), Id(command.target)), "TL-13.7")
    if target.at == missile.at:
        case.follow(Strike(command.missile, command.target, ""))


def _launcher(case: AnyCase, command: Retarget, goal: Hex) -> None:
    """A launcher of the ship has the target in its arc and range; what lies on the line does not matter."""
    ship = case.state.ships[command.ship]
    aims = [
        aim for key in keys_of(case.book.ship_class(ship.sheet), ship)
        if (aim := aim_of(case.state, case.book, command.ship, key)) and aim.weapon.launch is not None
    ]  # fmt: skip
    start = spot(ship)
    if not aims:
        case.forbid("no-function", "TL-13.7", key="no-launcher", unit=Id(command.ship))
        return
    far = distance(start, goal)
    seen = "" if far == 0 else arc(case.choice, start, ship.facing or 0, goal)
    if not any(far in ranges(aim.weapon) and seen in aim.group.arcs for aim in aims):
        facts = {"unit": Id(command.ship), "target": Id(command.target)}
        case.forbid("not-in-range", "TL-13.7", key="not-for-launcher", **facts)


@CHAPTER.effect(Retargeted)
def retargeted(state: Board, event: Retargeted) -> Rows:
    """The number noted on another ship."""
    return {("missiles", event.missile): replace(state.missiles[event.missile], target=str(event.target))}
