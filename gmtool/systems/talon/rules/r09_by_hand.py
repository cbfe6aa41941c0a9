"""The GM's own hand in Talon: the boxes of a bar, markers of criticals (``set`` does the rest)."""

from typing import Annotated, NamedTuple

from gmtool.kernel.case import Case
from gmtool.kernel.refusal import Id, Word
from gmtool.kernel.state import Rows, replace
from gmtool.kernel.system import Chapter
from gmtool.kernel.words import Arg, Flag
from gmtool.systems.talon.bars import kept
from gmtool.systems.talon.book import Book
from gmtool.systems.talon.harm import Hurt, parted
from gmtool.systems.talon.model import Board, moment
from gmtool.systems.talon.rules.r03_time import battle_on
from gmtool.systems.talon.rules.r06_ap import BarCharged
from gmtool.systems.talon.rules.r08_damage import CHAPTER as DAMAGE
from gmtool.systems.talon.targets import there
from gmtool.systems.talon.words import SHIP
from gmtool.systems.talon.words_combat import POINTS, STRUCK, TARGET
from gmtool.systems.talon.words_engine import BOXES, COLOUR, CRIT, GROUP

CHAPTER = Chapter("by hand", needs=(DAMAGE,))
AnyCase = Case[Board, Book]
HULL = "hull"


class ChargeByHand(NamedTuple):
    """So many boxes of one colour of a bar are charged, by the GM's word."""

    ship: Annotated[str, Arg(SHIP)]
    group: Annotated[str, Arg(GROUP)]
    colour: Annotated[str, Arg(COLOUR)]
    boxes: Annotated[int, Arg(BOXES)]


class MarkByHand(NamedTuple):
    """The marker of a critical is put on a ship, or taken off, by the GM's word."""

    ship: Annotated[str, Arg(SHIP)]
    marker: Annotated[str, Arg(CRIT)]
    off: Annotated[bool, Flag("--off")] = False


class DamageByHand(NamedTuple):
    """Damage by the GM's word, upon a shield of a ship or past it; of a squadron one fighter is named."""

    target: Annotated[str, Arg(TARGET)]
    points: Annotated[int, Arg(POINTS)]
    where: Annotated[str, Arg(STRUCK)] = ""


class DamageSaid(NamedTuple):
    """So much damage, by the GM's word."""

    unit: Id
    points: int
    where: Word


class MarkPut(NamedTuple):
    """A ship bears the marker of a critical; ``when`` it came."""

    unit: Id
    marker: Word
    when: str


class MarkTaken(NamedTuple):
    """The marker is off."""

    unit: Id
    marker: Word


@CHAPTER.rule(ChargeByHand)
def charge_by_hand(case: AnyCase, command: ChargeByHand) -> None:
    """No more boxes than the bar has, none of a group that is destroyed (TL-8.1.2, 8.5)."""
    ship = case.state.ships[command.ship]
    group = kept(case.book.ship_class(ship.sheet), ship).get(command.group)
    if group is None:
        raise case.refuse("no-function", "TL-8.5", key="group-gone", unit=Id(command.ship), group=command.group)
    most = group.red if command.colour == "red" else group.yellow
    now = (ship.red if command.colour == "red" else ship.yellow).get(command.group, 0)
    unit = Id(command.ship)
    if command.boxes > most:
        facts = {"unit": unit, "group": command.group, "colour": Word(command.colour), "of": most}
        raise case.refuse("bad-value", "TL-8.1.2", key="bar-has-less", **facts)
    if command.boxes == now:
        raise case.refuse("nothing-to-do", "TL-8.1.2", key="charged-so", unit=unit, group=command.group, n=now)
    case.emit(BarCharged(unit, command.group, Word(command.colour), now, command.boxes, most), "TL-8.1.2")


@CHAPTER.rule(DamageByHand)
def damage_by_hand(case: AnyCase, command: DamageByHand) -> None:
    """Through shield and hull as any other, with criticals and blasts; ``hull`` goes past the shield (TL-8.4)."""
    id, fighter = parted(command.target)
    battle_on(case)
    if there(case.state, id) is None:
        raise case.refuse("not-active", "TL-5.1", unit=Id(id))
    ship = case.state.ships.get(id)
    shielded = ship is not None and not ship.fighters
    if shielded and not command.where:
        raise case.refuse("bad-value", "TL-8.4.1", key="which-shield", unit=Id(id))
    where = command.where if shielded else ""
    case.emit(DamageSaid(Id(command.target), command.points, Word(where or HULL)), "TL-8.4.1")
    bypass = HULL if where == HULL else ""
    case.follow(Hurt(id, "" if bypass else where, command.points, "TL-8.4.1", fighter, bypass))


@CHAPTER.effect(DamageSaid)
def damage_said(state: Board, event: DamageSaid) -> Rows:
    """What comes of it follows."""
    return {}


@CHAPTER.rule(MarkByHand)
def mark_by_hand(case: AnyCase, command: MarkByHand) -> None:
    """Nothing but the marker: figures it goes with (``turn_plus``, ``power_minus``) are set apart (TL-8.5)."""
    unit, marker = Id(command.ship), Word(command.marker)
    borne = command.marker in case.state.ships[command.ship].crits
    if borne != command.off:
        key = "marker-there" if borne else "marker-missing"
        raise case.refuse("nothing-to-do", "TL-8.5", key=key, unit=unit, marker=marker)
    if command.off:
        case.emit(MarkTaken(unit, marker), "TL-8.5")
    else:
        case.emit(MarkPut(unit, marker, moment(battle_on(case))), "TL-8.5")


@CHAPTER.effect(MarkPut)
def mark_put(state: Board, event: MarkPut) -> Rows:
    """The marker, and when it came."""
    ship = state.ships[event.unit]
    return {("ships", event.unit): replace(ship, crits=ship.crits.put(str(event.marker), event.when))}


@CHAPTER.effect(MarkTaken)
def mark_taken(state: Board, event: MarkTaken) -> Rows:
    """None of that kind."""
    ship = state.ships[event.unit]
    return {("ships", event.unit): replace(ship, crits=ship.crits.without(event.marker))}
