"""Chapter 8: a ship fires a weapon group, weapon by weapon (TL-8.1 to 8.3)."""

from dataclasses import dataclass
from typing import Annotated, Any, NamedTuple

from gmtool.kernel.case import Case
from gmtool.kernel.hex import distance
from gmtool.kernel.pools import Counts, total
from gmtool.kernel.refusal import Id, Word
from gmtool.kernel.state import Rows, replace
from gmtool.kernel.system import Chapter
from gmtool.kernel.words import Arg, Opt
from gmtool.systems.talon.aim import Aim, aim_of, can_strike, ruled_by, why_not
from gmtool.systems.talon.book import Book
from gmtool.systems.talon.dice import d6
from gmtool.systems.talon.harm import Hurt, Shot, parted
from gmtool.systems.talon.marks import SHIELDS_DOWN
from gmtool.systems.talon.measured import Measured, measure
from gmtool.systems.talon.model import ACTIVE, Board
from gmtool.systems.talon.rules.r03_time import CHAPTER as TIME
from gmtool.systems.talon.rules.r03_time import battle_on, in_step
from gmtool.systems.talon.rules.r08_critical import CriticalMarked, DriveOffline, GroupLost, PowerCut, ThrusterHit
from gmtool.systems.talon.rules.r08_damage import CHAPTER as DAMAGE
from gmtool.systems.talon.sightlines import BLACK_HOLE
from gmtool.systems.talon.targets import fighter_there, placed, spot, there
from gmtool.systems.talon.words_combat import ARC, GROUP, RANGE, SHIP, SHOT

CHAPTER = Chapter("8", needs=(TIME, DAMAGE))
AnyCase = Case[Board, Book]
HOLD = "hold"
"""Said for a weapon that takes no other target."""


class Fire(NamedTuple):
    """A ship fires a weapon group: all its weapons at one target, or each at its own."""

    ship: Annotated[str, Arg(SHIP)]
    group: Annotated[str, Arg(GROUP)]
    targets: Annotated[tuple[str, ...], Arg(SHOT, many=True)]
    range: Annotated[int, Opt("--range", RANGE)] = 0
    shield: Annotated[str, Opt("--shield", ARC)] = ""

    def overlooks(self, state: Board, event: Any) -> bool:
        """Criticals that no shot of this side asks for again: other markers than shields down, an enemy's group."""
        if isinstance(event, CriticalMarked):
            return event.kind != SHIELDS_DOWN
        if isinstance(event, GroupLost):
            return state.ships[event.ship].side != state.ships[self.ship].side
        return isinstance(event, ThrusterHit | PowerCut | DriveOffline)


class Launch(NamedTuple):
    """A ship launches missiles: ``fire`` with a group of launchers, and with no other."""

    ship: Annotated[str, Arg(SHIP)]
    group: Annotated[str, Arg(GROUP)]
    targets: Annotated[tuple[str, ...], Arg(SHOT, many=True)]
    range: Annotated[int, Opt("--range", RANGE)] = 0
    shield: Annotated[str, Opt("--shield", ARC)] = ""


class GroupFired(NamedTuple):
    """The whole bar of a group is erased; its ship is in the middle of its fire."""

    ship: Id
    group: str
    weapon: Id


class ShotHit(NamedTuple):
    """A weapon hits."""

    ship: Id
    weapon: Id
    target: Id
    range: int
    die: int
    damage: int


class ShotMissed(NamedTuple):
    """A weapon misses."""

    ship: Id
    weapon: Id
    target: Id
    range: int
    die: int


class ShotLapsed(NamedTuple):
    """A weapon does not fire any more."""

    ship: Id
    weapon: int
    why: Word


class ShotTurned(NamedTuple):
    """A weapon fires at another target than it was to."""

    ship: Id
    weapon: int
    target: Id


@CHAPTER.rule(Fire)
def fire(case: AnyCase, command: Fire) -> None:
    """A full bar and a target for each weapon; the bar is erased, then one weapon after the other (TL-8.3)."""
    ship = in_step(case, command.ship, "fire")
    aim = _group(case, command)
    _in_turn(case, command.ship)
    has = ship.red.get(command.group, 0) + ship.yellow.get(command.group, 0)
    of = aim.group.red + aim.group.yellow
    if has < of:
        facts: dict[str, Any] = {"unit": Id(command.ship), "group": command.group, "has": has, "of": of}
        way_out = None if ship.yellow.get(command.group, 0) < aim.group.yellow else "red-open"
        case.forbid("not-charged", "TL-8.1.1", key="bar-not-full", hint=way_out, **facts)
    shots = [_checked(case, aim, command.group, weapon, target) for weapon, target in _shots(case, aim, command)]
    if command.range or command.shield:
        if all(placed(aim.ship, row) for each in shots if (row := there(case.state, parted(each.target)[0]))):
            raise case.refuse("bad-value", "TL-8.3", key="measured", unit=Id(command.ship))
        shots = [each._replace(far=command.range, shield=command.shield) for each in shots]
    case.emit(GroupFired(Id(command.ship), command.group, Id(aim.weapon.id)), "TL-8.1.1")
    for key in ("hits", "damage", "destroyed"):
        case.tally(key, 0)
    for shot in shots:
        case.follow(shot)


@CHAPTER.rule(Launch)
def launch(case: AnyCase, command: Launch) -> None:
    """The fire of a launcher under its own name; refused ``no-function`` for guns (TL-13.2)."""
    aim = aim_of(case.state, case.book, command.ship, command.group)
    if aim is not None and aim.weapon.launch is None:
        facts = {"unit": Id(command.ship), "group": command.group, "weapon": Id(aim.weapon.id)}
        raise case.refuse("no-function", "TL-13.2", key="launches-nothing", **facts)
    case.follow(Fire(*command))


def _group(case: AnyCase, command: Fire) -> Aim:
    """The group, which must not have been destroyed (TL-8.5)."""
    aim = aim_of(case.state, case.book, command.ship, command.group)
    if aim is None:
        raise case.refuse("bad-value", "TL-5.1", key="no-such-group", unit=Id(command.ship), group=command.group)
    if command.group in aim.ship.lost:
        case.forbid("no-function", "TL-8.5", key="group-lost", unit=Id(command.ship), group=command.group)
    return aim


def _in_turn(case: AnyCase, id: str) -> None:
    """One ship finishes all its fire before the next begins (TL-8.2.1)."""
    battle = battle_on(case)
    if battle.firing is not None and battle.firing != id and id in battle.done:
        case.forbid("already-acted", "TL-8.2.1", key="fire-finished", unit=Id(id), other=Id(battle.firing))


def _shots(case: AnyCase, aim: Aim, command: Fire) -> list[tuple[int, str]]:
    """Which weapon of the group fires at what: all at the one named, each at its own, or as they are numbered."""
    paired = [named.partition("=") for named in command.targets if "=" in named]
    bare = [named for named in command.targets if "=" not in named]
    if len(bare) == 1 and not paired:
        return [(weapon, bare[0]) for weapon in range(1, aim.group.count + 1)]
    found = [(int(weapon), target) for weapon, _, target in paired]
    free = [n for n in range(1, aim.group.count + 1) if n not in [weapon for weapon, _ in found]]
    numbers = [weapon for weapon, _ in found]
    if len(bare) > len(free) or len(set(numbers)) < len(numbers):
        facts = {"unit": Id(command.ship), "group": command.group, "n": aim.group.count}
        raise case.refuse("bad-value", "TL-8.2.1", key="too-many-targets", **facts)
    return sorted([*found, *zip(free, bare, strict=False)])


def _checked(case: AnyCase, aim: Aim, key: str, weapon: int, target: str) -> Shot:
    """A shot at a target in arc, range and sight; of a squadron the shooter names the fighter (TL-8.2, 12.1.3)."""
    id, fighter = parted(target)
    ship = case.state.ships.get(id)
    if ship is not None and ship.fighters and not fighter and aim.weapon.launch is None and not aim.weapon.cone:
        if len(ship.fighters) > 1:
            fighters = [Id(f"{id}/{each}") for each in sorted(ship.fighters)]
            raise case.refuse("bad-value", "TL-12.1.3", key="name-the-fighter", target=Id(id), fighters=fighters)
        target = f"{id}/{min(ship.fighters)}"
    bar = why_not(case.state, case.book, case.choice, aim, target)
    if bar is not None:
        case.forbid(bar.code, bar.rule, key=bar.key, **bar.facts)
        _still_has_figures(case, aim, target)
    return Shot(aim.id, key, weapon, target, aim.ship.at or "", forced=bar is not None)


def _is_there(case: AnyCase, target: str) -> bool:
    return fighter_there(case.state, *parted(target))


def _still_has_figures(case: AnyCase, aim: Aim, target: str) -> None:
    """Even by force a weapon fires only at what is there, at a range its table has."""
    row = there(case.state, parted(target)[0])
    if row is not None and not placed(aim.ship, row):
        return
    far = 0 if row is None else distance(spot(aim.ship), spot(row))
    if far == 0 or (far not in aim.weapon.ranges and aim.weapon.launch is None):
        facts = {"unit": Id(aim.id), "target": Id(target), "weapon": Id(aim.weapon.id)}
        raise case.refuse("not-in-range", "TL-8.3", key="no-figures", **facts)


@CHAPTER.effect(GroupFired)
def group_fired(state: Board, event: GroupFired) -> Rows:
    """The bar is empty whether or not every weapon shoots; whoever was firing before has finished (TL-8.1.1, 8.2.1)."""
    id, battle, ship = str(event.ship), state.battle, state.ships[event.ship]
    assert battle is not None
    done = () if battle.firing is None else battle.done
    if battle.firing not in (None, id):
        done = (*done, str(battle.firing))
    red, yellow = ship.red.put(event.group, 0), ship.yellow.put(event.group, 0)
    return {
        ("ships", id): replace(ship, red=red, yellow=yellow),
        ("battle", "now"): replace(battle, firing=id, done=done),
    }


@CHAPTER.rule(Shot)
def shot(case: AnyCase, command: Shot) -> None:
    """One weapon, at its target or another where that is gone; by its kind it rolls, launches or sweeps (TL-8.3)."""
    aim = aim_of(case.state, case.book, command.ship, command.group)
    if _is_lost(case, aim, command):
        return
    assert aim is not None
    if aim.ship.at is None and command.at:
        aim = aim._replace(ship=replace(aim.ship, at=command.at))
    target = _target(case, aim, command)
    if target != command.target:
        command = command._replace(far=0, shield="")
    if not target:
        case.emit(ShotLapsed(Id(command.ship), command.weapon, Word("no-target")), "TL-8.3")
    elif target != command.target and not aim.weapon.cone:
        # a step of its own, so that whoever is asked for the die is told whom it is at
        case.emit(ShotTurned(Id(command.ship), command.weapon, Id(target)), "TL-8.3")
        case.follow(command._replace(target=target, forced=False))
    elif aim.weapon.launch is not None:
        from gmtool.systems.talon.rules.r13_missiles import launch_one

        launch_one(case, aim, command)
    elif aim.weapon.cone:
        from gmtool.systems.talon.rules.r15_guns import sweep

        sweep(case, aim, command)
    else:
        _at(case, aim, command)


def _is_lost(case: AnyCase, aim: Aim | None, command: Shot) -> bool:
    """Whether the firer or the group was lost by what its own shots set off; its other shots lapse (A21.11)."""
    why = lost_by_own_shot(case, command)
    if not why or (aim is not None and case.choice("tl-8.3-firer") == "stand"):
        return False
    case.emit(ShotLapsed(Id(command.ship), command.weapon, Word(why)), "TL-8.3")
    return True


def lost_by_own_shot(case: AnyCase, command: Shot) -> str:
    """What is lost of who fires: ``firer-lost``, ``group-lost`` (of a squadron the fighter), or nothing (A21.11)."""
    ship = case.state.ships[command.ship]
    if ship.state != ACTIVE:
        return "firer-lost"
    gone = aim_of(case.state, case.book, command.ship, command.group) is None or command.group in ship.lost
    return "group-lost" if gone else ""


def _target(case: AnyCase, aim: Aim, command: Shot) -> str:
    """The target named, or once it is out of this group's fire another, the nearest by default (A21.10).

    Nobody is asked for a cone's: it strikes all there is, as long as there is any (A21.12).
    """
    forced = command.forced and _is_there(case, command.target)
    if forced or why_not(case.state, case.book, case.choice, aim, command.target) is None:
        return command.target
    others = can_strike(case.state, case.book, case.choice, aim)
    if not others or case.choice("tl-8.3") == "lapse":
        return ""
    if aim.weapon.cone:
        return others[0]
    options = [*others, HOLD]
    key = f"next.{command.weapon}"
    picked = case.ask(key, command.ship, options, options[0], rule="TL-8.3", shown=_word_or_id)
    return "" if picked == HOLD else picked


def _word_or_id(value: str) -> Word | Id:
    return Word(value) if value == HOLD else Id(value)


def _at(case: AnyCase, aim: Aim, command: Shot) -> None:
    """The die with what lies on the line, the table, the damage on the shield that faces the firer (TL-8.3, 17.5)."""
    lies = measure(case, aim, command.target, command.far, command.shield)
    die, damage = rolled(case, aim, f"fire.{command.weapon}", lies)
    facts, rule = (Id(aim.id), Id(aim.weapon.id), Id(command.target), lies.range, die), ruled_by(aim.weapon)
    if not damage:
        case.emit(ShotMissed(*facts), rule)
        return
    case.emit(ShotHit(*facts, damage), rule)
    case.tally("hits")
    if aim.weapon.push:
        from gmtool.systems.talon.rules.r15_guns import push

        push(case, aim, command, damage, lies.shield)
    else:
        case.follow(blow(command.target, damage, lies.shield))


def blow(target: str, damage: int, shield: str) -> Hurt:
    """The damage of a hit, upon the target's arc that holds the firer (TL-5.3.2, 8.3)."""
    id, fighter = parted(target)
    return Hurt(id, shield, damage, "TL-8.3", fighter)


@dataclass(frozen=True, slots=True)
class Column:
    """The damage of rolls 1 to 6 at a range; a die that comes below 1 misses whatever the weapon (TL-8.3, 17.5)."""

    damage: tuple[int, ...]
    less: int

    def __call__(self, counts: tuple[Counts, ...]) -> int:
        """The damage of one die: only that is kept of it, so odds know no more faces than the table has figures."""
        die = total(counts) - self.less
        return self.damage[min(die, 6) - 1] if die >= 1 else 0


def rolled(case: AnyCase, aim: Aim, key: str, lies: Measured) -> tuple[int, int]:
    """One die less what lies on its line, and its damage; shown as a sum where anything does (TL-17.5, 18.1, A21.14).

    The die is to be told of only: odds have none.
    """
    weighs, each = lies.weighs, case.book.figures.die_modifier
    column = aim.weapon.at(lies.range) or ()
    damage = d6(case, key, aim.id, "TL-8.3", Column(column, each * sum(weighs.values())) if column else none)
    die = sum([int(face.result) for face in case.thrown(key)])
    if weighs:
        rules = {BLACK_HOLE: "TL-18.1"}
        parts = [(kind, -n * each, rules.get(kind, "TL-17.5")) for kind, n in weighs.items()]
        die = case.figure("die", aim.id, [("thrown", die, "TL-8.3"), *parts], rule=parts[0][2])
    return die, damage


def none(counts: tuple[Counts, ...]) -> int:
    """No damage: a range the table has no figures for."""
    return 0
