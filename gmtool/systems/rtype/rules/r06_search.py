"""Chapter 6: who has been searched by whom, on the map or as the GM says, and who may be attacked so."""

from typing import Annotated, NamedTuple

from gmtool.kernel.case import Case
from gmtool.kernel.refusal import Id, Word
from gmtool.kernel.state import Rows, replace
from gmtool.kernel.system import Chapter
from gmtool.kernel.words import Arg
from gmtool.systems.rtype import lay
from gmtool.systems.rtype.absent import not_active
from gmtool.systems.rtype.book import Book
from gmtool.systems.rtype.model import Board, Unit
from gmtool.systems.rtype.rules.r02_turn import CHAPTER as TURN
from gmtool.systems.rtype.rules.r02_turn import TAKING_STEPS, begin_steps, in_phase, may_act
from gmtool.systems.rtype.words import UNIT

CHAPTER = Chapter("6", needs=(TURN,))
AnyCase = Case[Board, Book]
STRICT = "strict"
OWN = "own-move"
"""The mark of a unit whose own move has found an enemy for the first time."""
AGAIN = ("again", "stood-again")
"""Marks on an enemy that a friend had searched before."""
STOOD = ("stood", "stood-again")
"""Marks of a unit that had not moved."""
CONTACT = "contact"
"""The mark of whoever has run into a unit that no search finds."""
FOUND = ("active", "inactive")
UNFOUND = {"subspace": "RT-5.9", "stowed": "RT-12.18"}


class Search(NamedTuple):
    """A unit has searched, and found the enemies named: those within its search value, by the GM's word."""

    unit: Annotated[str, Arg(UNIT)]
    found: Annotated[tuple[str, ...], Arg(UNIT, many=True)] = ()


class SearchAround(NamedTuple):
    """A unit on the map searches: every enemy within its search value is found."""

    unit: str


class Searched(NamedTuple):
    """An enemy is searched for the unit's whole side, for this phase."""

    unit: Id
    target: Id
    how: Word


class SearchedNobody(NamedTuple):
    """A unit has searched and found nobody."""

    unit: Id


class SearchEnded(NamedTuple):
    """A unit has searched: its move is behind it."""

    unit: str


@CHAPTER.rule(Search)
def search(case: AnyCase, command: Search) -> None:
    """After its move a unit searches, for its whole side and this phase (RT-6.1, 6.9)."""
    if case.state.units[command.unit].ambushed:
        # spent by an encounter, it still searches from where it stands (RT-3.14)
        unit = in_phase(case, command.unit, TAKING_STEPS)
        case.cite("RT-3.14")
    else:
        unit = may_act(case, command.unit, "RT-2.5", TAKING_STEPS)
    if unit.attached_to and case.book.is_force(unit.sheet):
        raise case.refuse("bad-value", "RT-6.9", key="carried", unit=Id(command.unit), by=Id(unit.attached_to))
    if not unit.moved and case.choice("rt-6.7") == "no-search":
        case.forbid("wrong-phase", "RT-6.7", key="search-needs-move", unit=Id(command.unit))
    found = dict.fromkeys(command.found or _around(case, command.unit, unit))
    if not found:
        case.emit(SearchedNobody(Id(command.unit)), "RT-6.1")
    _take_note(case, command.unit, unit, list(found))


@CHAPTER.rule(SearchAround)
def search_around(case: AnyCase, command: SearchAround) -> None:
    """At the end of a move, by itself; who finds nobody says nothing (RT-6.1)."""
    unit = case.state.units[command.unit]
    _take_note(case, command.unit, unit, _around(case, command.unit, unit))


def _around(case: AnyCase, id: str, unit: Unit) -> list[str]:
    """The enemies any hex of which is within the search value of any hex of the unit or its force (RT-1.3, 1.6)."""
    return lay.foes_within(case.state, case.book, id, case.book.sheet(unit.sheet).search, FOUND)


def _take_note(case: AnyCase, id: str, unit: Unit, targets: list[str]) -> None:
    """Whom a unit has found is marked, and its move is over."""
    for target in targets:
        _find(case, id, unit, target)
    case.keep(SearchEnded(id), "RT-2.5")
    begin_steps(case, id)
    if targets and "recon" in case.book.sheet(unit.sheet).functions:
        case.warn("recon", "RT-6.5", unit=Id(id), found=[Id(target) for target in targets])
    case.result(found=len(targets))


def _find(case: AnyCase, id: str, unit: Unit, enemy: str) -> None:
    """One enemy, with how it was found: that decides who may attack it (RT-6.3, 6.7)."""
    target = case.state.units[enemy]
    if target.side == unit.side:
        raise case.refuse("bad-value", "RT-6.1", key="no-enemy", unit=Id(enemy))
    if target.state not in FOUND:
        not_active(case, enemy, UNFOUND.get(target.state, "RT-10.9"))
    friends = [who for who in target.found_by if who != id and case.state.units[who].side == unit.side]
    moved, stood = ("again", "stood-again") if friends else (OWN, "stood")
    how = moved if unit.moved else stood
    case.emit(Searched(Id(id), Id(enemy), Word(target.found_by.get(id, how))), "RT-6.1")


@CHAPTER.effect(Searched)
def searched(state: Board, event: Searched) -> Rows:
    """The mark on the enemy."""
    return marked(state, str(event.unit), str(event.target), str(event.how))


def marked(state: Board, unit: str, target: str, how: str) -> Rows:
    """A unit has found a target in this way; since when is kept as long as the mark is (RT-6.1)."""
    row, battle = state.units[target], state.battle
    now = f"{battle.turn} {battle.phase}" if battle else ""
    since = row.since if unit in row.since else row.since.put(unit, now)
    return {("units", target): replace(row, found_by=row.found_by.put(unit, how), since=since)}


@CHAPTER.effect(SearchEnded)
def search_ended(state: Board, event: SearchEnded) -> Rows:
    """No move after the search (RT-2.5)."""
    return {("units", event.unit): replace(state.units[event.unit], stopped=True, ambushed=False)}


def strict(case: AnyCase) -> bool:
    """Whether the campaign keeps the marks of searches strictly (RT-6.2)."""
    return case.state.campaign.config.get("search") == STRICT


def is_searched(state: Board, side: str, target: str) -> bool:
    """Whether a unit of this side has searched the target (RT-6.1)."""
    return any(state.units[who].side == side for who in state.units[target].found_by)


def must_be_searched(case: AnyCase, id: str, target: str) -> None:
    """Refused where marks are kept strictly: an attack on whom nobody of the side has searched, or on whom this
    unit's own move has found first (RT-6.2, 6.3, 6.9). To be called for chosen attacks only.
    """
    if not strict(case) and not lay.placed(case.state, id, target):
        return
    unit, enemy = case.state.units[id], case.state.units[target]
    if not is_searched(case.state, unit.side, target):
        hint = "not-searched-map" if unit.at else None
        case.forbid("not-searched", "RT-6.2", hint=hint, unit=Id(target), side=Id(unit.side))
    elif _own_find(case, unit, enemy.found_by.get(id, "")):
        case.forbid("not-searched", "RT-6.3", key="own-find", unit=Id(id), target=Id(target))


def _own_find(case: AnyCase, unit: Unit, how: str) -> bool:
    """Whether a mark bars the unit that made it (RT-6.3, 6.7); shooters and legends are exempt (RT-6.4)."""
    barred = case.choice("rt-6.7") == "barred" if how in STOOD else how in (OWN, *AGAIN)
    if barred and how in AGAIN:
        barred = case.choice("rt-6.3") == "own-search"
    if barred and _exempt(case, unit):
        case.cite("RT-6.4")
        return False
    return barred


def _exempt(case: AnyCase, unit: Unit) -> bool:
    """A shooter-side single craft, or a legend craft (RT-6.4)."""
    sheet = case.book.sheet(unit.sheet)
    return "legend" in sheet.functions or ("shooter" in sheet.functions and sheet.squad == "single")
