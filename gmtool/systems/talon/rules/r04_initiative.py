"""Chapter 4: markers to change or defend the initiative, and who holds it from the next impulse on."""

from typing import NamedTuple

from gmtool.kernel.case import Case
from gmtool.kernel.refusal import Id
from gmtool.kernel.state import Rows, replace
from gmtool.kernel.system import Chapter
from gmtool.kernel.words import Candidate, find
from gmtool.systems.talon.book import Book
from gmtool.systems.talon.model import CHANGE, DEFEND, Battle, Board
from gmtool.systems.talon.rules.r03_time import battle_on

CHAPTER = Chapter("4")
AnyCase = Case[Board, Book]


class CheckInitiative(NamedTuple):
    """The end of an impulse: are there more markers to change the initiative than to defend it?

    ``named``: whom the line lets hold it; empty where it says nothing.
    """

    named: str = ""


class InitiativeCounted(NamedTuple):
    """The markers of both sides."""

    change: int
    defend: int


class InitiativeKept(NamedTuple):
    """The holder stays."""

    side: Id


class InitiativeChanged(NamedTuple):
    """The marker is turned over."""

    side: Id


class InitiativeMarkersOff(NamedTuple):
    """All markers come off before the next impulse."""


@CHAPTER.rule(CheckInitiative)
def check_initiative(case: AnyCase, command: CheckInitiative) -> None:
    """More Change than Defend: whoever placed the Change markers says who holds it (TL-4.2)."""
    battle = battle_on(case)
    change, defend = _placed(case, battle, CHANGE), _placed(case, battle, DEFEND)
    if not change and not defend:
        _none(case, battle, command.named)
        return
    case.emit(InitiativeCounted(len(change), len(defend)), "TL-4.2")
    holder = battle.initiative
    if len(change) > len(defend):
        holder = _chosen(case, battle, _chooser(case, battle, change), command.named)
    else:
        _kept(case, battle, command.named, len(change), len(defend))
    kind = InitiativeKept if holder == battle.initiative else InitiativeChanged
    case.emit(kind(Id(holder)), "TL-4.2")
    case.keep(InitiativeMarkersOff(), "TL-4.2")
    case.result(change=len(change), defend=len(defend), initiative=holder)


def _kept(case: AnyCase, battle: Battle, named: str, change: int, defend: int) -> None:
    """Without more Change than Defend the holder stays, and nobody else can be named (TL-4.2)."""
    case.unneeded("initiative")
    if named not in ("", battle.initiative):
        facts = {"side": Id(named), "change": change, "defend": defend}
        raise case.refuse("nothing-to-do", "TL-4.2", key="initiative-defended", **facts)


def _none(case: AnyCase, battle: Battle, named: str) -> None:
    """Without a marker on any ship nothing is counted, and nobody can be named (TL-4.2)."""
    case.unneeded("initiative")
    if named not in ("", battle.initiative):
        raise case.refuse("nothing-to-do", "TL-4.2", key="no-initiative-markers", side=Id(named))
    if any(ship.initiative for ship in case.state.ships.values()):
        case.keep(InitiativeMarkersOff(), "TL-4.2")


def _placed(case: AnyCase, battle: Battle, marker: str) -> list[str]:
    """The side of each marker of a kind; that of a ship that is gone by the campaign's reading only (TL-4.2)."""
    bearers = [ship for ship in case.state.ships.values() if ship.initiative == marker and ship.side in battle.sides]
    gone = [ship for ship in bearers if not case.state.fights(ship)]
    if gone and case.choice("tl-4.2-gone") == "lost":
        bearers = [ship for ship in bearers if ship not in gone]
    return [ship.side for ship in bearers]


def _chooser(case: AnyCase, battle: Battle, change: list[str]) -> str:
    """The side that placed the Change markers; where both did, by the campaign's reading (TL-4.2)."""
    sides = set(change)
    if len(sides) == 1:
        return sides.pop()
    reading, more = case.choice("tl-4.2"), change.count(battle.initiative) > change.count(battle.second)
    return battle.initiative if reading == "initiative" or (reading == "more" and more) else battle.second


def _chosen(case: AnyCase, battle: Battle, chooser: str, named: str) -> str:
    """The holder the winner names; himself where he names nobody (TL-4.2)."""
    sides = [Candidate(id, (case.state.sides[id].name,)) for id in battle.sides]
    options = (chooser, *(side for side in battle.sides if side != chooser))
    return case.ask(
        "initiative", chooser, options, chooser, rule="TL-4.2", given=named or None, shown=Id,
        read=lambda word: find(word, "side", sides), quiet=True,
    )  # fmt: skip


@CHAPTER.effect(InitiativeChanged)
def initiative_changed(state: Board, event: InitiativeChanged) -> Rows:
    """The new holder goes first from the next impulse on."""
    battle = state.battle
    assert battle is not None
    return {("battle", "now"): replace(battle, initiative=str(event.side))}


@CHAPTER.effect(InitiativeMarkersOff)
def initiative_markers_off(state: Board, event: InitiativeMarkersOff) -> Rows:
    """No ship bears one."""
    return {("ships", id): replace(ship, initiative="") for id, ship in state.ships.items() if ship.initiative}
