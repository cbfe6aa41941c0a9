"""Chapters 9 and 5.4: the Power Phase: charging, new curves, ships that break up for want of power."""

from collections.abc import Callable
from typing import Annotated, NamedTuple

from gmtool.kernel.case import Case
from gmtool.kernel.refusal import Id, Word
from gmtool.kernel.state import Rows, replace
from gmtool.kernel.system import Chapter
from gmtool.kernel.words import Arg
from gmtool.systems.talon.bars import kept
from gmtool.systems.talon.book import Book
from gmtool.systems.talon.marks import modifier
from gmtool.systems.talon.model import POWER, SETUP, Board, Ship
from gmtool.systems.talon.rules.r03_time import battle_on
from gmtool.systems.talon.rules.r06_ap import BarCharged
from gmtool.systems.talon.rules.r07_forced import wider
from gmtool.systems.talon.rules.r08_damage import Destroy
from gmtool.systems.talon.tables import Group, ShipClass
from gmtool.systems.talon.words import SHIP
from gmtool.systems.talon.words_engine import SPEED

CHAPTER = Chapter("9")
AnyCase = Case[Board, Book]
POWER_LOSS = "power-loss"
Part = tuple[str, int, str]


class PowerTurn(NamedTuple):
    """A player's part of the Power Phase begins: all his ships are charged."""

    side: str


class Curves(NamedTuple):
    """A player's part of the Power Phase ends: the curves of his ships are written."""

    side: str


class BreakUps(NamedTuple):
    """The end of the Power Phase: which ships have power below 0?"""


class BreakUpsAgain(NamedTuple):
    """The blasts of those that broke up are through: is any other ship's power below 0 by now?"""


class Curve(NamedTuple):
    """A ship takes the row of another speed, or of the same."""

    ship: Annotated[str, Arg(SHIP)]
    speed: Annotated[int, Arg(SPEED)]


class PowerBegun(NamedTuple):
    """A player's part of the Power Phase."""

    side: Id
    round: int


class NotCharged(NamedTuple):
    """A ship with Power Loss is neither charged nor may it change its speed."""

    unit: Id


class DriveSpooled(NamedTuple):
    """From this Power Phase on a ship may jump."""

    unit: Id


class CurveWritten(NamedTuple):
    """The row of a ship as it is written: power after all modifiers, speed, turn radius."""

    unit: Id
    power: int
    speed: int
    turn: int


class CurveChosen(NamedTuple):
    """A ship has had its change of speed in this phase."""

    unit: str


class BreaksUp(NamedTuple):
    """A ship with power below 0 breaks up."""

    unit: Id
    power: int


@CHAPTER.rule(PowerTurn)
def power_turn(case: AnyCase, command: PowerTurn) -> None:
    """Every bar of every ship: one red box, or where none is open as many yellow ones as it has weapons (TL-9.2)."""
    battle = battle_on(case)
    case.emit(PowerBegun(Id(command.side), battle.round), "TL-9.1")
    for id, ship in case.state.fighting():
        if ship.side != command.side:
            continue
        sheet = case.book.ship_class(ship.sheet)
        due = spools(sheet) and not ship.offline and battle.round == ready_in(ship, len(sheet.hull), case.choice)
        if due and runs(ship, case.choice):
            case.emit(DriveSpooled(Id(id)), "TL-11.1.3")
        if POWER_LOSS in ship.crits:
            case.emit(NotCharged(Id(id)), "TL-9.3")
            continue
        for bar, group in kept(sheet, ship).items():
            _charge(case, id, ship, bar, group)
    case.result(round=battle.round, phase=POWER, acting=command.side)


def spools(sheet: ShipClass) -> bool:
    """Whether a class has a drive to jump with: no base, no squadron (TL-11.1.4, 12.1.2)."""
    return sheet.kind not in ("base", "squadron")


def ready_in(ship: Ship, hull: int, choice: Callable[[str], str]) -> int:
    """The round in whose Power Phase a drive is spooled: that of the ship's number of hull boxes (TL-11.1.3).

    For a ship that joined later by the other reading so many rounds after it did.
    """
    if ship.joined == 1 or choice("tl-11.1.3") == "battle":
        return hull
    return hull + ship.joined - 1


def runs(ship: Ship, choice: Callable[[str], str]) -> bool:
    """Whether a drive works: under Power Loss too, unless the campaign reads it otherwise (A21.32)."""
    return POWER_LOSS not in ship.crits or choice("tl-11.1.3-loss") == "runs"


def _charge(case: AnyCase, id: str, ship: Ship, bar: str, group: Group) -> None:
    """Red before yellow (TL-9.2.1, 9.2.2)."""
    red, yellow = ship.red.get(bar, 0), ship.yellow.get(bar, 0)
    if red < group.red:
        case.emit(BarCharged(Id(id), bar, Word("red"), red, red + 1, group.red), "TL-9.2.2")
    elif yellow < group.yellow:
        after = min(group.yellow, yellow + group.count)
        case.emit(BarCharged(Id(id), bar, Word("yellow"), yellow, after, group.yellow), "TL-9.2.1")


@CHAPTER.effect(PowerBegun)
def power_begun(state: Board, event: PowerBegun) -> Rows:
    """The phase, and whose part it is."""
    battle = state.battle
    assert battle is not None
    done = battle.done if battle.phase == POWER else ()
    return {("battle", "now"): replace(battle, phase=POWER, acting=str(event.side), done=done, firing=None)}


# curves


def modifiers(ship: Ship, sheet: ShipClass) -> list[Part]:
    """What hull and criticals add to the power of a row; squadrons have none (TL-5.4.4, 8.4.2, 8.5)."""
    parts: list[Part] = []
    if hull := modifier(sheet, ship):
        parts.append(("hull", hull, "TL-8.4.2"))
    if ship.power_minus:
        parts.append(("critical", -ship.power_minus, "TL-8.5"))
    return parts


def power_at(ship: Ship, sheet: ShipClass, speed: int) -> int | None:
    """The power of the row of a speed after modifiers; None where the class has no such row."""
    row = sheet.row(speed)
    return None if row is None else row[0] + sum([n for _, n, _ in modifiers(ship, sheet)])


def speeds(ship: Ship, sheet: ShipClass) -> list[int]:
    """The speeds a ship may take in a Power Phase: within one of its own, power not below 0 (TL-5.4.3, 5.4.4)."""
    near = (ship.speed - 1, ship.speed, ship.speed + 1)
    return [speed for speed in near if (power := power_at(ship, sheet, speed)) is not None and power >= 0]


@CHAPTER.rule(Curve)
def curve(case: AnyCase, command: Curve) -> None:
    """Once in its owner's part of the Power Phase a ship changes its speed by one or keeps it (TL-5.4.3, 9.3)."""
    id, battle = command.ship, battle_on(case)
    ship = case.state.ships[id]
    sheet = case.book.ship_class(ship.sheet)
    if not case.state.fights(ship):
        raise case.refuse("not-active", "TL-5.1", unit=Id(id))
    if battle.phase == SETUP:
        raise case.refuse("wrong-phase", "TL-3.1", key="still-setup")
    if battle.phase != POWER:
        case.forbid("wrong-phase", "TL-9.1", key="no-power-phase")
    elif battle.acting != ship.side:
        case.forbid("wrong-phase", "TL-9.1", key="other-turn", unit=Id(id), side=Id(battle.acting or ""))
    if id in battle.done:
        case.forbid("once-only", "TL-5.4.3", key="curve-written", unit=Id(id))
    if sheet.row(command.speed) is None:
        rows = sorted([speed for _, speed, _ in sheet.curve])
        raise case.refuse("bad-value", "TL-5.4.1", key="no-such-row", unit=Id(id), speed=command.speed, speeds=rows)
    _allowed(case, id, ship, sheet, command.speed)
    _write(case, id, command.speed, "TL-5.4.2")
    case.keep(CurveChosen(id), "TL-5.4.3")


def _allowed(case: AnyCase, id: str, ship: Ship, sheet: ShipClass, speed: int) -> None:
    """Forbidden: another speed under Power Loss, one too far off, one with power below 0 (TL-5.4.3, 5.4.4, 9.3)."""
    if POWER_LOSS in ship.crits:
        case.forbid("beyond-limits", "TL-9.3", key="power-loss", unit=Id(id))
    if abs(speed - ship.speed) > 1:
        now, legal = ship.speed, speeds(ship, sheet)
        case.forbid("beyond-limits", "TL-5.4.3", key="speed-too-far", unit=Id(id), speed=speed, now=now, speeds=legal)
    power = power_at(ship, sheet, speed)
    if power is not None and power < 0:
        legal = speeds(ship, sheet)
        case.forbid("beyond-limits", "TL-5.4.4", key="power-below", unit=Id(id), speed=speed, power=power, speeds=legal)


def _write(case: AnyCase, id: str, speed: int, rule: str) -> None:
    """The row of a speed, its power after modifiers; nothing where the class has no such row (TL-5.4.2, 5.4.4)."""
    ship = case.state.ships[id]
    sheet = case.book.ship_class(ship.sheet)
    row = sheet.row(speed)
    if row is None:
        return
    changes = modifiers(ship, sheet)
    power = case.figure("power", id, [("row", row[0], "TL-5.4.1"), *changes], rule="TL-5.4.4") if changes else row[0]
    case.emit(CurveWritten(Id(id), power, speed, row[2]), rule)
    wider(case, id, row[2] - ship.turn)
    case.result(power=power, speed=speed, turn=row[2])


@CHAPTER.rule(Curves)
def curves(case: AnyCase, command: Curves) -> None:
    """Who chose nothing keeps its speed; where that would leave it below 0 it goes to one that does not (TL-5.4.4).

    With no such speed it keeps its own, the negative power is written, and it breaks up at the end of the phase.
    """
    done = battle_on(case).done
    for id, ship in case.state.fighting():
        sheet = case.book.ship_class(ship.sheet)
        if ship.side != command.side or id in done or POWER_LOSS in ship.crits:
            continue
        legal = speeds(ship, sheet)
        speed = ship.speed if ship.speed in legal or not legal else max(legal)
        row = sheet.row(speed)
        if row is not None and (power_at(ship, sheet, speed), *row[1:]) != (ship.power, ship.speed, ship.turn):
            _write(case, id, speed, "TL-5.4.4")


@CHAPTER.effect(CurveWritten)
def curve_written(state: Board, event: CurveWritten) -> Rows:
    """The row as written; a turn counter that is out stays (TL-9.3)."""
    ship = state.ships[event.unit]
    return {("ships", event.unit): replace(ship, power=event.power, speed=event.speed, turn=event.turn)}


@CHAPTER.effect(CurveChosen)
def curve_chosen(state: Board, event: CurveChosen) -> Rows:
    """It is among those that have had theirs."""
    battle = state.battle
    assert battle is not None
    return {("battle", "now"): replace(battle, done=tuple(dict.fromkeys([*battle.done, event.unit])))}


# breaking up


@CHAPTER.rule(BreakUps)
def break_ups(case: AnyCase, command: BreakUps) -> None:
    """Once, after both players' parts: power below 0 destroys a ship; exactly 0 does not (TL-5.4.5).

    The initiative player's ships come first, as the current player's do where several blow up at once (A21.5).
    """
    found = [(id, _tested(case, ship)) for id, ship in _by_side(case)]
    broken = [(id, power) for id, power in found if power < 0]
    for id, power in broken:
        _breaks_up(case, id, power)
    if broken:
        case.follow(BreakUpsAgain())


def _by_side(case: AnyCase) -> list[tuple[str, Ship]]:
    """The ships in the battle, the initiative player's first."""
    battle = battle_on(case)
    return [
        each for side in (battle.initiative, battle.second) for each in case.state.fighting() if each[1].side == side
    ]


def _breaks_up(case: AnyCase, id: str, power: int) -> None:
    case.emit(BreaksUp(Id(id), power), "TL-5.4.5")
    case.follow(Destroy(id, "TL-5.4.5"))


@CHAPTER.rule(BreakUpsAgain)
def break_ups_again(case: AnyCase, command: BreakUpsAgain) -> None:
    """What the blasts have pushed down its hull is tested in the next Power Phase, by the other reading now (A21.8)."""
    hurt = []
    for id, ship in _by_side(case):
        power = power_at(ship, case.book.ship_class(ship.sheet), ship.speed)
        if power is not None and power < 0 <= ship.power and POWER_LOSS not in ship.crits:
            hurt.append((id, power))
    if hurt and case.choice("tl-5.4.5") == "again":
        for id, power in hurt:
            _breaks_up(case, id, power)
        case.follow(BreakUpsAgain())


def _tested(case: AnyCase, ship: Ship) -> int:
    """The power written; under Power Loss by the other reading with what hull and criticals would take now (TL-9.3)."""
    if POWER_LOSS not in ship.crits:
        return ship.power
    sheet = case.book.ship_class(ship.sheet)
    now = power_at(ship, sheet, ship.speed)
    if now is None or now >= 0 or ship.power < 0:
        return ship.power
    return now if case.choice("tl-9.3") == "modified" else ship.power
