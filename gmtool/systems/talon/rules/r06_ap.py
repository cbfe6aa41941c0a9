"""Chapters 6 and 10: what one Available Power buys, and the battery that gives one."""

from typing import Annotated, Any, NamedTuple

from gmtool.kernel.case import Case
from gmtool.kernel.refusal import Id, Word
from gmtool.kernel.state import Rows, replace
from gmtool.kernel.system import Chapter
from gmtool.kernel.words import Arg, Opt
from gmtool.systems.talon.bars import kept
from gmtool.systems.talon.book import Book
from gmtool.systems.talon.marks import powerless
from gmtool.systems.talon.model import CHANGE, DEFEND, HELD_TURN, Board, Ship
from gmtool.systems.talon.rules.r03_time import battle_on, in_step
from gmtool.systems.talon.words import ARC, SHIP
from gmtool.systems.talon.words_engine import FIGHTER, HOW, USE, WHAT

CHAPTER = Chapter("6")
AnyCase = Case[Board, Book]
NEEDS = {"charge": "group", "reinforce": "arc", "power": "squadron", "retarget": "missile"}
"""The uses that need another word, and what it names."""


class Ap(NamedTuple):
    """A ship spends its AP: ``what`` on, ``how`` and for which ``fighter``, as the use has it."""

    ship: Annotated[str, Arg(SHIP)]
    use: Annotated[str, Arg(USE)]
    what: Annotated[str, Arg(WHAT)] = ""
    how: Annotated[str, Arg(HOW)] = ""
    fighter: Annotated[str, Arg(FIGHTER)] = ""
    off: Annotated[str, Opt("--off", ARC)] = ""


class Battery(NamedTuple):
    """The same, paid by the ship's battery."""

    ship: Annotated[str, Arg(SHIP)]
    use: Annotated[str, Arg(USE)]
    what: Annotated[str, Arg(WHAT)] = ""
    how: Annotated[str, Arg(HOW)] = ""
    fighter: Annotated[str, Arg(FIGHTER)] = ""
    off: Annotated[str, Opt("--off", ARC)] = ""


class ApSpent(NamedTuple):
    """A ship's AP of this impulse is spent."""

    unit: Id


class BatteryUsed(NamedTuple):
    """A battery has given its AP and is empty."""

    unit: Id


class SlipReady(NamedTuple):
    """A ship or squadron bears a slip marker."""

    unit: Id


class TurnPulled(NamedTuple):
    """A turn counter is pulled in by one."""

    unit: Id
    before: int
    after: int
    held: bool = False


class BarCharged(NamedTuple):
    """Boxes of a bar are charged."""

    unit: Id
    group: str
    colour: Word
    before: int
    after: int
    of: int


class BatteryCharged(NamedTuple):
    """A battery is full again."""

    unit: Id


class InitiativePlaced(NamedTuple):
    """A ship bears a marker to change or to defend the initiative."""

    unit: Id
    marker: Word


@CHAPTER.rule(Ap)
def ap(case: AnyCase, command: Ap) -> None:
    """One AP, one use (TL-6.1)."""
    _buy(case, command, False)


@CHAPTER.rule(Battery)
def battery(case: AnyCase, command: Battery) -> None:
    """The battery's AP buys whatever another does (TL-10.1.1)."""
    if command.use == "battery":
        raise case.refuse("nothing-to-do", "TL-10.1.3", key="battery-for-itself", unit=Id(command.ship))
    _buy(case, command, True)


def spend_ap(case: AnyCase, id: str, step: str = "ap", battery: bool = False) -> Ship:
    """Pay with a ship's AP, or where said with its battery; the ship as it is afterwards (TL-4.1, 6.1, 10.1).

    Forbidden: ``no-ap`` without one; ``not-charged`` with an empty battery; ``no-ap`` where the chart gives the ship an
    AP in this impulse, so that its battery must wait. Refused ``no-function`` where the class has no battery.
    """
    ship = in_step(case, id, step)
    if not battery:
        if not ship.ap:
            _no_ap(case, id, ship)
        case.emit(ApSpent(Id(id)), "TL-6.1")
        return case.state.ships[id]
    if not case.book.ship_class(ship.sheet).battery:
        raise case.refuse("no-function", "TL-10.1.1", key="no-battery", unit=Id(id))
    impulse = battle_on(case).impulse
    if ship.power in case.book.listed(impulse):
        case.forbid("no-ap", "TL-10.1.2", key="battery-waits", unit=Id(id), power=ship.power, impulse=impulse)
    if not ship.battery:
        case.forbid("not-charged", "TL-10.1.1", key="battery-empty", unit=Id(id))
    case.emit(BatteryUsed(Id(id)), "TL-10.1.1")
    return case.state.ships[id]


def _no_ap(case: AnyCase, id: str, ship: Ship) -> None:
    """Either the chart gives it none, or it is spent."""
    impulse = battle_on(case).impulse
    if ship.power in case.book.listed(impulse) and powerless(ship, case.choice):
        case.forbid("no-ap", "TL-9.3", key="power-loss-ap", unit=Id(id))
    elif ship.power in case.book.listed(impulse):
        case.forbid("no-ap", "TL-5.1", key="ap-spent", unit=Id(id), impulse=impulse)
    else:
        when = list(case.book.impulses_of(ship.power))
        facts: dict[str, Any] = {"unit": Id(id), "impulse": impulse, "power": ship.power}
        if when:
            key = "no-ap" if ship.battery else "no-ap-at-all"
            case.forbid("no-ap", "TL-4.1", key=key, when=when, **facts)
        else:
            key = "no-power" if ship.battery else "no-power-at-all"
            case.forbid("no-ap", "TL-4.1", key=key, **facts)


def _buy(case: AnyCase, command: Ap | Battery, battery: bool) -> None:
    """The words fit the use; then it is paid for, and done if it can be: a refusal leaves everything as it was."""
    if command.use in NEEDS and not command.what:
        raise case.refuse("bad-value", "TL-6.1", key="ap-for-what", use=command.use, what=Word(NEEDS[command.use]))
    if command.off and command.use != "reinforce":
        raise case.refuse("bad-value", "TL-6.2.3", key="off-for-what", arc=Word(command.off))
    if command.use == "power":
        from gmtool.systems.talon.rules.r12_send import SendPower

        case.follow(SendPower(command.ship, command.what, command.how, command.fighter, battery))
    elif command.use == "reinforce":
        from gmtool.systems.talon.rules.r06_reinforce import Reinforce

        case.follow(Reinforce(command.ship, command.what, command.off, battery))
    elif command.use == "retarget":
        from gmtool.systems.talon.rules.r13_retarget import Retarget

        case.follow(Retarget(command.ship, command.what, command.how, battery))
    else:
        _on_itself(case, command, battery)


def _on_itself(case: AnyCase, command: Ap | Battery, battery: bool) -> None:
    """Slip, turn, a bar, the battery, the initiative (TL-6.1)."""
    id = command.ship
    spend_ap(case, id, battery=battery)
    if command.use == "slip":
        may_slip(case, id)
        case.emit(SlipReady(Id(id)), "TL-7.3.2")
    elif command.use == "turn":
        before = may_pull(case, id)
        case.emit(TurnPulled(Id(id), before, before - 1, is_held(case, id, before)), "TL-6.1")
    elif command.use == "charge":
        case.emit(may_charge(case, id, command.what), "TL-8.1.2")
    elif command.use == "battery":
        _may_fill(case, id)
        case.emit(BatteryCharged(Id(id)), "TL-10.1.3")
    else:
        _may_mark(case, id)
        case.emit(InitiativePlaced(Id(id), Word({"change": CHANGE, "defend": DEFEND}[command.use])), "TL-4.2")


def may_slip(case: AnyCase, id: str) -> None:
    """Refused for a base, and for who bears a slip marker already (TL-7.3.2, 14, A21.18)."""
    ship = case.state.ships[id]
    _is_no_base(case, id, ship)
    if ship.slip:
        raise case.refuse("nothing-to-do", "TL-7.3.2", key="slip-already", unit=Id(id))


def may_pull(case: AnyCase, id: str) -> int:
    """The turn counter there is to pull in; refused without one (TL-6.1, 7.2.2)."""
    ship = case.state.ships[id]
    _is_no_base(case, id, ship)
    if not ship.counter:
        raise case.refuse("nothing-to-do", "TL-7.2.2", key="no-counter", unit=Id(id))
    return ship.counter


def is_held(case: AnyCase, id: str, before: int) -> bool:
    """Whether a ship whose counter comes off may turn from the next impulse on only: by another reading (A21.19)."""
    ship = case.state.ships[id]
    due = ship.speed in case.book.listed(battle_on(case).impulse)
    moves = due or ship.burners < case.book.ship_class(ship.sheet).afterburners
    return before == 1 and moves and case.choice("tl-6.1-turn") == "next"


def may_charge(case: AnyCase, id: str, bar: str) -> BarCharged:
    """One yellow box more of a bar, red ones open or not; refused where all are charged (TL-8.1.2)."""
    ship = case.state.ships[id]
    group = kept(case.book.ship_class(ship.sheet), ship).get(bar)
    if group is None:
        raise case.refuse("no-function", "TL-8.5", key="group-gone", unit=Id(id), group=bar)
    before = ship.yellow.get(bar, 0)
    if before >= group.yellow:
        key = "yellow-full" if group.yellow else "no-yellow"
        raise case.refuse("nothing-to-do", "TL-8.1.2", key=key, unit=Id(id), group=bar, of=group.yellow)
    return BarCharged(Id(id), bar, Word("yellow"), before, before + 1, group.yellow)


def _may_fill(case: AnyCase, id: str) -> None:
    """Only an empty battery is charged (TL-10.1.3)."""
    ship = case.state.ships[id]
    if not case.book.ship_class(ship.sheet).battery:
        raise case.refuse("no-function", "TL-10.1.1", key="no-battery", unit=Id(id))
    if ship.battery:
        raise case.refuse("nothing-to-do", "TL-10.1.3", key="battery-full", unit=Id(id))


def _may_mark(case: AnyCase, id: str) -> None:
    """A ship bears one marker for the initiative, as it has one AP (TL-4.2, 5.1)."""
    if case.state.ships[id].initiative:
        case.forbid("once-only", "TL-4.2", key="marked-already", unit=Id(id))


def _is_no_base(case: AnyCase, id: str, ship: Ship) -> None:
    if case.book.ship_class(ship.sheet).kind == "base":
        raise case.refuse("no-function", "TL-14", key="base-stays", unit=Id(id))


@CHAPTER.effect(ApSpent)
def ap_spent(state: Board, event: ApSpent) -> Rows:
    """One less."""
    ship = state.ships[event.unit]
    return {("ships", event.unit): replace(ship, ap=max(0, ship.ap - 1))}


@CHAPTER.effect(BatteryUsed)
def battery_used(state: Board, event: BatteryUsed) -> Rows:
    """The battery is empty."""
    return {("ships", event.unit): replace(state.ships[event.unit], battery=False)}


@CHAPTER.effect(SlipReady)
def slip_ready(state: Board, event: SlipReady) -> Rows:
    """The marker lies on the ship until its next own move."""
    return {("ships", event.unit): replace(state.ships[event.unit], slip=True)}


@CHAPTER.effect(TurnPulled)
def turn_pulled(state: Board, event: TurnPulled) -> Rows:
    """One less; at 0 the ship may turn on its next move."""
    ship = state.ships[event.unit]
    return {("ships", event.unit): replace(ship, counter=event.after, held=(HELD_TURN,) if event.held else ship.held)}


@CHAPTER.effect(BarCharged)
def bar_charged(state: Board, event: BarCharged) -> Rows:
    """The boxes of one colour of one bar."""
    ship = state.ships[event.unit]
    if event.colour == "red":
        return {("ships", event.unit): replace(ship, red=ship.red.put(event.group, event.after))}
    return {("ships", event.unit): replace(ship, yellow=ship.yellow.put(event.group, event.after))}


@CHAPTER.effect(BatteryCharged)
def battery_charged(state: Board, event: BatteryCharged) -> Rows:
    """The battery is full."""
    return {("ships", event.unit): replace(state.ships[event.unit], battery=True)}


@CHAPTER.effect(InitiativePlaced)
def initiative_placed(state: Board, event: InitiativePlaced) -> Rows:
    """The marker counts at the impulse's end."""
    return {("ships", event.unit): replace(state.ships[event.unit], initiative=str(event.marker))}
