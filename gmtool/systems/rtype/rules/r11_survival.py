"""Chapter 11: escapes from wrecks, losses of life and spirit, and what comes at 0: dying and fainting."""

from typing import Annotated, Any, NamedTuple

from gmtool.kernel.case import Case, Part
from gmtool.kernel.refusal import Id, Word
from gmtool.kernel.state import Rows, replace
from gmtool.kernel.system import Chapter
from gmtool.kernel.words import Arg
from gmtool.systems.rtype.book import Book
from gmtool.systems.rtype.model import Board, Pilot
from gmtool.systems.rtype.rules import r22_lives
from gmtool.systems.rtype.rules.r20_checks import succeeded
from gmtool.systems.rtype.rules.r22_lives import pilot_check
from gmtool.systems.rtype.words import ABILITIES, PILOT

CHAPTER = Chapter("11", needs=(r22_lives.CHAPTER,))
AnyCase = Case[Board, Book]


class Escape(NamedTuple):
    """A pilot has to roll for his escape from a wreck; ``prefix`` begins the key of his dice (RT-11.2)."""

    pilot: str
    unit: str
    prefix: str = ""


class Lose(NamedTuple):
    """A pilot loses life and spirit by a rule, with what follows where one comes to 0 (RT-11.3, 11.4)."""

    pilot: str
    life: int
    spirit: int
    prefix: str = ""
    rule: str = "RT-11.2"


class Survive(NamedTuple):
    """The life of a pilot has fallen to 0 or below: he rolls for it; ``key`` is the key of his dice (RT-11.4)."""

    pilot: str
    key: str


class EscapeDue(NamedTuple):
    """An escape that was left open is rolled for now (RT-11.2)."""

    pilot: Annotated[str, Arg(PILOT)]


class Treat(NamedTuple):
    """A pilot is properly treated and loses no more life by the hour (RT-11.6)."""

    pilot: Annotated[str, Arg(PILOT)]


class Escaped(NamedTuple):
    """A pilot came out of a wreck alive."""

    pilot: Id


class Died(NamedTuple):
    """A pilot is dead; ``fate`` is the check that failed."""

    pilot: Id
    fate: Word


class LifeLost(NamedTuple):
    """A pilot lost life."""

    pilot: Id
    before: int
    after: int


class SpiritLost(NamedTuple):
    """A pilot lost spirit."""

    pilot: Id
    before: int
    after: int


class Fainted(NamedTuple):
    """A pilot without any spirit left is unconscious."""

    pilot: Id


class WasTreated(NamedTuple):
    """A pilot loses no more life by the hour."""

    pilot: Id


def is_bleeding(pilot: Pilot) -> bool:
    """Whether a pilot loses life by the hour (RT-11.4, 11.6)."""
    return pilot.state != "dead" and pilot.life <= 0 and not pilot.treated


def standing(pilot: Pilot) -> str:
    """The worst that holds of a pilot: dead bydo dying unconscious ready; dead and Bydo stay until taken back."""
    if pilot.state in {"dead", "bydo"}:
        return pilot.state
    return "dying" if is_bleeding(pilot) else "unconscious" if pilot.out else "ready"


def stood(pilot: Pilot, **changes: Any) -> Pilot:
    """A pilot with these fields changed, and the state that then holds."""
    changed = replace(pilot, **{"out": pilot.unconscious, **changes})
    return replace(changed, state=standing(changed))


@CHAPTER.rule(Escape)
def escape(case: AnyCase, command: Escape) -> None:
    """Half of agility or intelligence: dead at once, or out with 20 life and spirit less (RT-11.2, 11.7)."""
    if case.state.pilots[command.pilot].state == "dead":
        return
    key = f"{command.prefix}escape.{command.pilot}"
    outcome = pilot_check(case, key, command.pilot, _half(case, command.pilot), "escape", "RT-11.2")
    if not succeeded(outcome):
        _die(case, command.pilot, "escape", "RT-11.2", command.prefix)
        return
    case.emit(Escaped(Id(command.pilot)), "RT-11.7")
    loss = case.book.figures.escape_loss
    case.follow(Lose(command.pilot, loss, loss, command.prefix))


def _half(case: AnyCase, id: str) -> list[Part]:
    """Half of the pilot's agility or intelligence, of the better one unless said, rounded down (RT-11.7, 20.7)."""
    pilot = case.state.pilots[id]
    better = "intelligence" if pilot.intelligence > pilot.agility else "agility"
    ability = case.ask(f"escape-ability.{id}", id, ABILITIES, better, rule="RT-11.7")
    return [(f"half-{ability}", getattr(pilot, ability) // 2, "RT-20.7")]


def _die(case: AnyCase, pilot: str, fate: str, rule: str, prefix: str) -> None:
    case.emit(Died(Id(pilot), Word(fate)), rule)
    case.mark("died")
    case.mark(f"{prefix}died.{pilot}")
    _out_of_control(case, pilot)


@CHAPTER.rule(EscapeDue)
def escape_due(case: AnyCase, command: EscapeDue) -> None:
    """Settles an escape that stands in the list of what is due (RT-11.2)."""
    due = f"escape-{command.pilot}"
    if case.state.row("due", due) is None:
        raise case.refuse("nothing-to-do", "RT-11.2", key="no-escape-due", pilot=Id(command.pilot))
    case.settle(due, "RT-11.2")
    case.follow(Escape(command.pilot, ""))


@CHAPTER.effect(Escaped)
def escaped(state: Board, event: Escaped) -> Rows:
    """Adrift until the battle ends or a friend stows him (RT-11.7)."""
    return {("pilots", event.pilot): replace(state.pilots[event.pilot], where="adrift")}


@CHAPTER.effect(Died)
def died(state: Board, event: Died) -> Rows:
    """Dead, and by which check; the row stays (RT-26.3)."""
    return {("pilots", event.pilot): replace(state.pilots[event.pilot], state="dead", fate=str(event.fate))}


@CHAPTER.rule(Lose)
def lose(case: AnyCase, command: Lose) -> None:
    """Spirit ends at 0, life goes on below it; the dead lose nothing (RT-11.3, 11.4, 11.6)."""
    pilot = case.state.pilots[command.pilot]
    if pilot.state == "dead":
        return
    if command.life:
        case.emit(LifeLost(Id(command.pilot), pilot.life, pilot.life - command.life), command.rule)
    if command.spirit and pilot.spirit:
        after = max(0, pilot.spirit - command.spirit)
        case.emit(SpiritLost(Id(command.pilot), pilot.spirit, after), command.rule)
        if command.spirit > pilot.spirit:
            case.cite("RT-11.6")
    faint(case, command.pilot)
    if command.life:
        fallen(case, command.pilot, f"{command.prefix}death.{command.pilot}")


def faint(case: AnyCase, id: str) -> None:
    """A pilot whose spirit is 0 is unconscious, if he was not (RT-11.3)."""
    pilot = case.state.pilots[id]
    if pilot.spirit == 0 and pilot.state != "dead" and not pilot.unconscious:
        case.emit(Fainted(Id(id)), "RT-11.3")
        _out_of_control(case, id)


def _out_of_control(case: AnyCase, pilot: str) -> None:
    """The forces that a pilot's craft leads are without control, as he is dead or unconscious (RT-4.24)."""
    seat = case.state.units.get(case.state.pilots[pilot].where)
    if seat is not None and any(row.led_by == case.state.pilots[pilot].where for row in case.state.units.values()):
        from gmtool.systems.rtype.rules.r04_force import ControlLost

        case.follow(ControlLost(case.state.pilots[pilot].where))


def fallen(case: AnyCase, id: str, key: str) -> None:
    """The life of a pilot has fallen: at 0 or below he rolls for it, each time (RT-11.4, 11.6)."""
    if case.state.pilots[id].life <= 0:
        case.follow(Survive(id, key))


@CHAPTER.rule(Survive)
def survive(case: AnyCase, command: Survive) -> None:
    """Body less the points below zero, or he is dead (RT-11.4)."""
    pilot = case.state.pilots[command.pilot]
    parts: list[Part] = [("body", pilot.body, "RT-11.4")]
    if pilot.life < 0:
        parts.append(("below-zero", pilot.life, "RT-11.4"))
    outcome = pilot_check(case, command.key, command.pilot, parts, "death", "RT-11.4")
    if not succeeded(outcome):
        _die(case, command.pilot, "life", "RT-11.4", command.key.partition("death.")[0])


@CHAPTER.effect(LifeLost)
def life_lost(state: Board, event: LifeLost) -> Rows:
    """The life that is left; at 0 or below a treatment no longer counts (RT-11.6)."""
    return {("pilots", event.pilot): stood(state.pilots[event.pilot], life=event.after, treated=False)}


@CHAPTER.effect(SpiritLost)
def spirit_lost(state: Board, event: SpiritLost) -> Rows:
    """The spirit that is left."""
    return {("pilots", event.pilot): replace(state.pilots[event.pilot], spirit=event.after)}


@CHAPTER.effect(Fainted)
def fainted(state: Board, event: Fainted) -> Rows:
    """Unconscious until the spirit is whole again."""
    return {("pilots", event.pilot): stood(state.pilots[event.pilot], out=True)}


@CHAPTER.rule(Treat)
def treat(case: AnyCase, command: Treat) -> None:
    """Ends the hourly loss; life returns as the GM says (RT-11.6)."""
    pilot = case.state.pilots[command.pilot]
    if pilot.state == "dead":
        raise case.refuse("pilot-out", "RT-11.6", key="pilot-dead", pilot=Id(command.pilot))
    if not is_bleeding(pilot):
        key = "treated-already" if pilot.treated else "nothing-to-treat"
        raise case.refuse("nothing-to-do", "RT-11.6", key=key, pilot=Id(command.pilot), life=pilot.life)
    case.emit(WasTreated(Id(command.pilot)), "RT-11.6")


@CHAPTER.effect(WasTreated)
def was_treated(state: Board, event: WasTreated) -> Rows:
    """Treated until life falls again."""
    return {("pilots", event.pilot): stood(state.pilots[event.pilot], treated=True)}
