"""Chapters 3 and 5 on the map: whom a mover runs into, in normal space or across subspace (RT-3.6, 5.5 to 5.8)."""

from typing import NamedTuple

from gmtool.kernel.case import Case
from gmtool.kernel.hex import distance
from gmtool.kernel.refusal import Id, Word
from gmtool.kernel.state import Rows, replace
from gmtool.kernel.system import Chapter
from gmtool.systems.rtype import lay
from gmtool.systems.rtype.book import Book
from gmtool.systems.rtype.model import Board
from gmtool.systems.rtype.rules.r05_subspace import CHAPTER as SUBSPACE_CHAPTER
from gmtool.systems.rtype.rules.r05_subspace import SUBSPACE, moved_between
from gmtool.systems.rtype.rules.r06_search import CONTACT, marked
from gmtool.systems.rtype.rules.r09_counter import CHAPTER as COUNTERS
from gmtool.systems.rtype.rules.r09_counter import NOT_FIRING, Encountered, fit_for_encounter
from gmtool.systems.rtype.words import candidates_of

CHAPTER = Chapter("3 meeting", needs=(SUBSPACE_CHAPTER, COUNTERS))
AnyCase = Case[Board, Book]


class Meeting(NamedTuple):
    """A mover has become adjacent to enemies that stop it; ``below``: it was in subspace."""

    mover: str
    met: tuple[str, ...]
    below: bool


class Halted(NamedTuple):
    """A mover stops where it is; it may still act."""

    unit: Id


class Surfaced(NamedTuple):
    """A unit is thrown back into normal space by an enemy next to it; the mover has no more to do in this phase."""

    unit: Id
    spent: bool


class Contact(NamedTuple):
    """A unit knows where another one is, both being where no search finds it."""

    unit: Id
    target: Id


@CHAPTER.rule(Meeting)
def meeting(case: AnyCase, command: Meeting) -> None:
    """It stops at once, whatever movement is left (RT-3.6)."""
    case.cite("RT-3.6")
    if any(not _bodies_touch(case, command.mover, id) for id in command.met):
        case.cite("RT-3.10")
    deep = [id for id in command.met if case.state.units[id].state == SUBSPACE]
    if command.below:
        _from_below(case, command.mover, [id for id in command.met if id not in deep], deep)
    else:
        _in_the_open(case, command.mover, command.met, deep)


def _bodies_touch(case: AnyCase, id: str, other: str) -> bool:
    a, b = (lay.spot(case.state, case.state.units[each]) for each in (id, other))
    return a is not None and b is not None and distance(a, b) == 1


def _from_below(case: AnyCase, mover: str, above: list[str], deep: list[str]) -> None:
    """In subspace: back to normal space beside an enemy there, its phase over; beside one in subspace only a stop.

    Beside both it does not return: what 5.8 says holds whatever the circumstances.
    """
    if above and not deep and not _overlaps(case, mover):
        case.emit(Surfaced(Id(mover), spent=True), "RT-5.5")
        return
    rule = "RT-5.8" if deep else "RT-5.7"
    case.emit(Halted(Id(mover)), rule)
    _know_each_other(case, mover, [*above, *deep], rule)
    case.cite("RT-5.14")


def _in_the_open(case: AnyCase, mover: str, met: tuple[str, ...], deep: list[str]) -> None:
    """In normal space: enemies that were not searched fire, and so may those it has thrown out of subspace."""
    stuck = [id for id in deep if _overlaps(case, _whole(case, id))]
    for id in dict.fromkeys(_whole(case, id) for id in deep if id not in stuck):
        case.emit(Surfaced(Id(id), spent=False), "RT-5.6")
    _know_each_other(case, mover, stuck, "RT-5.7")
    firing = [id for id in met if id not in stuck]
    if firing:
        case.choice("rt-3.6")
        words = tuple([_with_what(case, mover, id) for id in _in_order(case, firing)])
        case.follow(Encountered(mover, words, walked=True))
    else:
        case.emit(Halted(Id(mover)), "RT-5.7")


def _whole(case: AnyCase, id: str) -> str:
    """The unit that is thrown back as one: of an attached force the craft it sits on (RT-5.4)."""
    unit = case.state.units[id]
    return unit.attached_to if unit.attached_to and case.book.is_force(unit.sheet) else id


def _overlaps(case: AnyCase, id: str) -> bool:
    """Whether any hex of a unit or of its force is an obstacle (RT-5.7)."""
    map = case.state.map
    hexes = lay.with_force(case.state, case.book, id)
    return map is not None and any(hex in lay.ground(map).walls for hex in hexes)


def _know_each_other(case: AnyCase, mover: str, others: list[str], rule: str) -> None:
    for id in others:
        case.emit(Contact(Id(mover), Id(id)), rule)
        case.emit(Contact(Id(id), Id(mover)), rule)


def _in_order(case: AnyCase, firing: list[str]) -> list[str]:
    """Their side chooses the order; as the board lists them where it does not (RT-3.13)."""
    if len(firing) < 2:
        return firing
    named = case.ask_names("encounters", firing[0], "unit", lambda: candidates_of(case.state, "units"), rule="RT-3.13")
    return [*(id for id in named if id in firing), *(id for id in firing if id not in named)]


def _with_what(case: AnyCase, mover: str, enemy: str) -> str:
    """The weapon an enemy fires, or none: its side's choice among those that can, unless said the sheet's first."""
    weapons = fit_for_encounter(case, enemy, mover)
    options = (*weapons, NOT_FIRING)
    sheet = case.state.units[enemy].sheet
    chosen = case.ask(
        f"encounter.{enemy}", enemy, options, options[0], rule="RT-3.13", quiet=len(options) == 1,
        shown=lambda word: Word(word) if word == NOT_FIRING else Id(f"{sheet}/{word}"),
    )  # fmt: skip
    return f"{enemy}={chosen}"


@CHAPTER.effect(Halted)
def halted(state: Board, event: Halted) -> Rows:
    """No more movement in this phase."""
    return {("units", event.unit): replace(state.units[event.unit], stopped=True)}


@CHAPTER.effect(Surfaced)
def surfaced(state: Board, event: Surfaced) -> Rows:
    """Unit and force are in normal space; of a mover that came with its force the phase of both is over (RT-5.5)."""
    rows = moved_between(state, event.unit, "active")
    if event.spent:
        return {key: replace(row, acted=True, stopped=True) for key, row in rows.items()}
    return rows


@CHAPTER.effect(Contact)
def contact(state: Board, event: Contact) -> Rows:
    """A mark like a search's, until the phase ends."""
    return marked(state, str(event.unit), str(event.target), CONTACT)
