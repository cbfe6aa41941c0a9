"""Chapter 8: repairing what a critical has put out of order (TL-8.7)."""

from dataclasses import dataclass
from typing import Annotated, NamedTuple

from gmtool.kernel.case import Case
from gmtool.kernel.pools import Counts, total
from gmtool.kernel.refusal import Id
from gmtool.kernel.state import Rows, replace
from gmtool.kernel.system import Chapter
from gmtool.kernel.words import Arg
from gmtool.systems.talon.book import Book
from gmtool.systems.talon.dice import d6
from gmtool.systems.talon.model import Board, Ship
from gmtool.systems.talon.rules.r03_time import CHAPTER as TIME
from gmtool.systems.talon.rules.r03_time import battle_on, in_step
from gmtool.systems.talon.words_combat import MARKER, SHIP

CHAPTER = Chapter("8.7", needs=(TIME,))
AnyCase = Case[Board, Book]


class Repair(NamedTuple):
    """A ship tries to repair one of its critical markers."""

    ship: Annotated[str, Arg(SHIP)]
    marker: Annotated[str, Arg(MARKER)]


class Repaired(NamedTuple):
    """The marker comes off."""

    ship: Id
    kind: str
    critical: Id


class StillBroken(NamedTuple):
    """The try has failed."""

    ship: Id
    kind: str
    critical: Id


@CHAPTER.rule(Repair)
def repair(case: AnyCase, command: Repair) -> None:
    """A six removes the marker; once a marker in an impulse, and never in the one in which it came (TL-8.7).

    Forbidden: ``no-function`` for a marker without the repair icon, ``already-acted`` for a second try or too early.
    """
    id, kind = command.ship, command.marker
    ship = in_step(case, id, "repair")
    total, icon = _on_table(case, kind)
    facts = {"unit": Id(id), "critical": Id(f"critical/{total}")}
    if kind not in ship.crits:
        raise case.refuse("bad-value", "TL-8.7", key="no-such-marker", **facts)
    battle = battle_on(case)
    if not icon:
        case.forbid("no-function", "TL-8.7", key="never-repaired", **facts)
    if ship.crits[kind][:-1] == f"{battle.round}{battle.impulse}":
        case.forbid("already-acted", "TL-8.7", key="came-now", **facts)
    if kind in ship.tried:
        case.forbid("already-acted", "TL-8.7", key="tried-already", **facts)
    repaired = bool(d6(case, f"repair.{id}.{kind}", id, "TL-8.7", AtLeast(case.book.figures.repair)))
    case.result(repaired=repaired)
    case.emit((Repaired if repaired else StillBroken)(Id(id), kind, facts["critical"]), "TL-8.7")


@dataclass(frozen=True, slots=True)
class AtLeast:
    """Whether a die shows so much (1) or less (0)."""

    n: int

    def __call__(self, counts: tuple[Counts, ...]) -> int:
        """Only that is kept of the die."""
        return int(total(counts) >= self.n)


def _on_table(case: AnyCase, kind: str) -> tuple[int, bool]:
    """The result of the table that brings a marker, and whether it bears the repair icon (TL-8.5)."""
    rows = {total: case.book.critical(total) for total in range(2, 13)}
    found = [total for total, row in rows.items() if row.effect == kind]
    icons = [total for total in found if rows[total].repair]
    return (icons or found or [7])[0], bool(icons)


@CHAPTER.effect(Repaired)
def repaired(state: Board, event: Repaired) -> Rows:
    """As it was before; shields stand again with the boxes they had (A21.27)."""
    ship = state.ships[event.ship]
    turn = ship.turn_plus - 1 if event.kind == "turn" else ship.turn_plus
    power = ship.power_minus - 1 if event.kind == "power" else ship.power_minus
    gone = not {"turn": turn, "power": power}.get(event.kind, 0)
    left = ship.crits.without(event.kind) if gone else ship.crits
    after = replace(_tried(ship, event.kind), crits=left, turn_plus=turn, power_minus=power)
    return {("ships", event.ship): after}


@CHAPTER.effect(StillBroken)
def still_broken(state: Board, event: StillBroken) -> Rows:
    """Tried in this impulse."""
    return {("ships", event.ship): _tried(state.ships[event.ship], event.kind)}


def _tried(ship: Ship, kind: str) -> Ship:
    return replace(ship, tried=(*ship.tried, kind))
