"""Chapter 11, by the hour: the unconscious recover their spirit, the dying lose life (RT-11.3, 11.4)."""

from typing import Annotated, NamedTuple

from gmtool.kernel.case import Case
from gmtool.kernel.laws import dice_of
from gmtool.kernel.refusal import Id
from gmtool.kernel.state import Rows
from gmtool.kernel.system import Chapter
from gmtool.kernel.words import Arg, number
from gmtool.systems.rtype.book import Book
from gmtool.systems.rtype.model import Board
from gmtool.systems.rtype.rules import r11_survival
from gmtool.systems.rtype.rules.r11_survival import fallen, is_bleeding, stood
from gmtool.systems.rtype.words import PILOT

CHAPTER = Chapter("11 hours", needs=(r11_survival.CHAPTER,))
AnyCase = Case[Board, Book]


class Hours(NamedTuple):
    """Hours pass, for all pilots or those named."""

    hours: Annotated[int, Arg(number("hours", 1, 240))]
    pilots: Annotated[tuple[str, ...], Arg(PILOT, many=True)] = ()


class Hour(NamedTuple):
    """An hour of ``hours`` goes on with the first pilot who waits; where nobody waits any more the next one begins."""

    hour: int
    hours: int
    waiting: tuple[str, ...]
    pilots: tuple[str, ...]


class HoursPassed(NamedTuple):
    """So many hours have passed."""

    hours: int


class SpiritRegained(NamedTuple):
    """An unconscious pilot has recovered spirit in an hour."""

    hour: int
    pilot: Id
    before: int
    after: int


class Bled(NamedTuple):
    """A pilot who is not treated has lost life in an hour."""

    hour: int
    pilot: Id
    before: int
    after: int


class Woke(NamedTuple):
    """A pilot's spirit is whole again, and he is awake."""

    pilot: Id


@CHAPTER.rule(Hours)
def hours_(case: AnyCase, command: Hours) -> None:
    """Hour by hour, in each the pilots as the board lists them, if anything changes for them (RT-11.3, 11.4)."""
    pilots = tuple(id for id in case.state.pilots if not command.pilots or id in command.pilots)
    waiting = _in_need(case, pilots)
    if not waiting:
        raise case.refuse("nothing-to-do", "RT-11.3", key="hours-nothing", pilots=[Id(id) for id in command.pilots])
    case.emit(HoursPassed(command.hours), "")
    if any(case.state.pilots[id].unconscious for id in waiting):
        case.result(awake=False)
    case.follow(Hour(0, command.hours, (), pilots))


def _in_need(case: AnyCase, pilots: tuple[str, ...]) -> tuple[str, ...]:
    """Those of the pilots for whom an hour changes anything."""
    rows = case.state.pilots
    return tuple(id for id in pilots if rows[id].state != "dead" and (rows[id].unconscious or is_bleeding(rows[id])))


@CHAPTER.rule(Hour)
def hour_(case: AnyCase, command: Hour) -> None:
    """Recovery, then the loss of life with its check; it ends when nobody is in need any more (RT-11.3, 11.4)."""
    hour, waiting = command.hour, command.waiting
    if not waiting:
        hour, waiting = hour + 1, _in_need(case, command.pilots)
    if not waiting or hour > command.hours:
        return
    id, *rest = waiting
    if case.state.pilots[id].unconscious:
        _recover(case, id, hour)
    if is_bleeding(case.state.pilots[id]):
        _bleed(case, id, hour)
    case.follow(Hour(hour, command.hours, tuple(rest), command.pilots))


def _recover(case: AnyCase, id: str, hour: int) -> None:
    """Spirit comes back, at most to its maximum; there the pilot wakes (RT-11.3)."""
    pilot = case.state.pilots[id]
    dice, flat = dice_of(case.book.figures.recovery_dice)
    gain = case.roll(f"recovery.{id}.{hour}", id, dice, rule="RT-11.3") + flat
    after = min(pilot.spirit_max, pilot.spirit + gain)
    case.emit(SpiritRegained(hour, Id(id), pilot.spirit, after), "RT-11.3")
    if after == pilot.spirit_max:
        case.emit(Woke(Id(id)), "RT-11.3")
        case.result(awake=True)


def _bleed(case: AnyCase, id: str, hour: int) -> None:
    """Life goes, and the pilot rolls for it (RT-11.4)."""
    pilot = case.state.pilots[id]
    dice, flat = dice_of(case.book.figures.bleeding_dice)
    loss = case.roll(f"bleeding.{id}.{hour}", id, dice, rule="RT-11.4") + flat
    case.emit(Bled(hour, Id(id), pilot.life, pilot.life - loss), "RT-11.4")
    fallen(case, id, f"death.{id}.{hour}")


@CHAPTER.effect(SpiritRegained)
def spirit_regained(state: Board, event: SpiritRegained) -> Rows:
    """The spirit there is again."""
    return {("pilots", event.pilot): stood(state.pilots[event.pilot], spirit=event.after)}


@CHAPTER.effect(Bled)
def bled(state: Board, event: Bled) -> Rows:
    """The life that is left."""
    return {("pilots", event.pilot): stood(state.pilots[event.pilot], life=event.after)}


@CHAPTER.effect(Woke)
def woke(state: Board, event: Woke) -> Rows:
    """Conscious again."""
    return {("pilots", event.pilot): stood(state.pilots[event.pilot], out=False)}
