"""Chapter 6.2: shield reinforcements, placed for an AP and taken off at will."""

from typing import Annotated, NamedTuple

from gmtool.kernel.case import Case
from gmtool.kernel.refusal import Id, Word
from gmtool.kernel.state import Rows, replace
from gmtool.kernel.system import Chapter
from gmtool.kernel.words import Arg, Flag, Opt
from gmtool.systems.talon.book import Book
from gmtool.systems.talon.model import Board, Ship
from gmtool.systems.talon.rules.r03_time import battle_on
from gmtool.systems.talon.rules.r06_ap import spend_ap
from gmtool.systems.talon.tables import ARCS
from gmtool.systems.talon.words import ARC, SHIP

CHAPTER = Chapter("6")
AnyCase = Case[Board, Book]


class Reinforce(NamedTuple):
    """A ship reinforces an arc, after taking the marker of another one off where it is said: ``ap`` in short."""

    ship: Annotated[str, Arg(SHIP)]
    arc: Annotated[str, Arg(ARC)]
    off: Annotated[str, Opt("--off", ARC)] = ""
    battery: Annotated[bool, Flag("--battery")] = False


class ReinforceOff(NamedTuple):
    """An owner takes a reinforcement off at will (TL-6.2.3)."""

    ship: Annotated[str, Arg(SHIP)]
    arc: Annotated[str, Arg(ARC)]


class Reinforced(NamedTuple):
    """An arc is reinforced; ``placed`` is the round and impulse on the marker."""

    unit: Id
    arc: Word
    placed: str


class MarkerTakenOff(NamedTuple):
    """A reinforcement comes off by its owner's will."""

    unit: Id
    arc: Word


@CHAPTER.rule(Reinforce)
def reinforce(case: AnyCase, command: Reinforce) -> None:
    """One marker an arc and two a ship, none where a critical or a nebula holds the shields down (TL-6.2.2)."""
    battle, id = battle_on(case), command.ship
    spend_ap(case, id, battery=command.battery)
    placed = f"{battle.round}{battle.impulse}"
    ship = case.state.ships[id]
    _may(case, id, ship, command.arc, placed)
    if command.off and command.off not in ship.markers:
        raise case.refuse("nothing-to-do", "TL-6.2.3", key="not-reinforced", unit=Id(id), arc=Word(command.off))
    stays = [arc for arc in ship.markers if arc not in (command.off, command.arc)]
    most = case.book.figures.reinforcements
    if len(stays) >= most:
        arcs = [Word(arc) for arc in ARCS if arc in ship.markers]
        case.forbid("beyond-limits", "TL-6.2.2", key="reinforced-enough", unit=Id(id), most=most, arcs=arcs)
    for arc in ARCS:
        if arc in ship.markers and arc in (command.off, command.arc):
            case.emit(MarkerTakenOff(Id(id), Word(arc)), "TL-6.2.3")
    case.emit(Reinforced(Id(id), Word(command.arc), placed), "TL-6.2.1")


def _may(case: AnyCase, id: str, ship: Ship, arc: str, placed: str) -> None:
    """A ship with shields that are not held down, and a marker that would not be there already.

    Inside a nebula none, or by the other reading one that counts once the ship has left it (A21.28).
    """
    if arc not in ship.shields:
        raise case.refuse("no-function", "TL-6.2.1", key="no-shields", unit=Id(id))
    if "shields-down" in ship.crits:
        case.forbid("barred-defence", "TL-6.2.2", key="shields-down", unit=Id(id))
    veiled = any(row.kind == "nebula" and row.at == ship.at for row in case.state.terrain.values())
    if veiled and case.choice("tl-17.4.1") == "barred":
        case.forbid("barred-defence", "TL-17.4.1", key="in-nebula", unit=Id(id))
    if ship.markers.get(arc) == placed:
        raise case.refuse("nothing-to-do", "TL-6.2.2", key="reinforced-already", unit=Id(id), arc=Word(arc))


@CHAPTER.rule(ReinforceOff)
def reinforce_off(case: AnyCase, command: ReinforceOff) -> None:
    """Before it expires the owner may take one off at any time (TL-6.2.3)."""
    ship = case.state.ships[command.ship]
    if command.arc not in ship.markers:
        facts = {"unit": Id(command.ship), "arc": Word(command.arc)}
        raise case.refuse("nothing-to-do", "TL-6.2.3", key="not-reinforced", **facts)
    case.emit(MarkerTakenOff(Id(command.ship), Word(command.arc)), "TL-6.2.3")


@CHAPTER.effect(Reinforced)
def reinforced(state: Board, event: Reinforced) -> Rows:
    """The marker with its letter."""
    ship = state.ships[event.unit]
    return {("ships", event.unit): replace(ship, markers=ship.markers.put(str(event.arc), event.placed))}


@CHAPTER.effect(MarkerTakenOff)
def marker_taken_off(state: Board, event: MarkerTakenOff) -> Rows:
    """The arc has none any more."""
    ship = state.ships[event.unit]
    return {("ships", event.unit): replace(ship, markers=ship.markers.without(event.arc))}
