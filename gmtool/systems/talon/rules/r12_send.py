"""Chapter 12.2: the power that carriers and bases send to their fighters."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from gmtool.kernel.case import Case
from gmtool.kernel.hex import distance
from gmtool.kernel.refusal import Id, Word
from gmtool.kernel.sight import sight
from gmtool.kernel.state import Rows, replace
from gmtool.kernel.system import Chapter
from gmtool.systems.talon.bars import kept
from gmtool.systems.talon.book import Book
from gmtool.systems.talon.grid import label, read
from gmtool.systems.talon.model import Board
from gmtool.systems.talon.rules.r06_ap import SlipReady, TurnPulled, is_held, may_charge, may_pull, may_slip, spend_ap
from gmtool.systems.talon.sightlines import Choice

CHAPTER = Chapter("12")
AnyCase = Case[Board, Book]
STOPS_WITHIN = ("asteroid", "nebula")
"""Terrain that stops power in whose hex either of the two stands (TL-12.2.3, 17.5)."""
STOPS_BETWEEN = ("planet", "black-hole", *STOPS_WITHIN)
"""Terrain that stops power whose line goes through it (TL-12.2.3, 17.2.2, 17.5, 18.1)."""


class SendPower(NamedTuple):
    """A carrier or base spends an AP on a squadron: on a slip, its turn counter, or a box of one fighter's bar."""

    ship: str
    squadron: str
    how: str
    fighter: str = ""
    battery: bool = False


class PowerSent(NamedTuple):
    """Power has reached a squadron; it takes no more in this impulse."""

    unit: Id
    target: Id


@CHAPTER.rule(SendPower)
def send_power(case: AnyCase, command: SendPower) -> None:
    """One AP a squadron and impulse, within six hexes and with nothing in between (TL-12.2.2, 12.2.3)."""
    id, target = command.ship, command.squadron
    _pair(case, id, target)
    if not command.how:
        raise case.refuse("bad-value", "TL-12.2.2", key="power-for-what", unit=Id(target))
    spend_ap(case, id, battery=command.battery)
    if case.state.ships[target].powered:
        case.forbid("once-only", "TL-12.2.3", key="powered-already", unit=Id(target))
    _reaches(case, id, target)
    events, rule = _use(case, target, command.how, command.fighter)
    case.emit(PowerSent(Id(id), Id(target)), "TL-12.2.2")
    for event in events:
        case.emit(event, rule)


def _pair(case: AnyCase, id: str, target: str) -> None:
    """A carrier or base, and a squadron of its own side in flight (TL-12.2.1, 12.2.2)."""
    ship, squadron = case.state.ships[id], case.state.ships[target]
    if case.book.ship_class(ship.sheet).kind not in ("carrier", "base"):
        raise case.refuse("no-function", "TL-12.2.2", key="sends-no-power", unit=Id(id))
    if case.book.ship_class(squadron.sheet).kind != "squadron":
        raise case.refuse("bad-value", "TL-12.2.2", key="no-squadron", unit=Id(target))
    if not case.state.fights(squadron):
        raise case.refuse("not-active", "TL-12.2.2", unit=Id(target))
    if squadron.side != ship.side:
        case.forbid("friend", "TL-12.2.2", key="not-own", unit=Id(target), side=Id(ship.side))


def _reaches(case: AnyCase, id: str, target: str) -> None:
    """Forbidden beyond the range, and where terrain stops the power (TL-12.2.3, 17.5)."""
    at, to = case.state.ships[id].at, case.state.ships[target].at
    if at is None or to is None:
        return
    far, most = distance(read(at), read(to)), case.book.figures.send_range
    if far > most:
        case.forbid("not-in-range", "TL-12.2.3", key="power-too-far", unit=Id(target), hexes=far, most=most)
    stop = stopped(case.state, case.choice, at, to)
    if stop is not None:
        where, kind = stop
        case.forbid("blocked", "TL-12.2.3", key="power-stopped", unit=Id(target), hex=where, kind=Word(kind))


def stopped(state: Board, choice: Choice, at: str, to: str) -> tuple[str, str] | None:
    """The hex and terrain that stop power between two hexes (TL-17.5, A21.31).

    A line along a hexside passes, between two such hexes as the campaign reads it of planets (TL-17.2.2); what lies in
    the sender's own hex stops it, or by the other reading does not.
    """
    lies: Mapping[str, str] = {row.at: row.kind for row in state.terrain.values() if row.kind in STOPS_BETWEEN}
    line = sight(read(at), read(to))
    for hex in (to, *map(label, line.through)):
        if hex in lies and (hex != to or lies[hex] in STOPS_WITHIN):
            return hex, lies[hex]
    for one, other in line.along:
        if label(one) in lies and label(other) in lies and choice("tl-17.2.2") == "blocked":
            return label(one), lies[label(one)]
    if lies.get(at) in STOPS_WITHIN and (at == to or choice("tl-12.2.3") == "blocked"):
        return at, lies[at]
    return None


def _use(case: AnyCase, target: str, how: str, fighter: str) -> tuple[Sequence[NamedTuple], str]:
    """What comes of it, and by which rule; refused where nothing would (TL-12.2.2)."""
    if how == "slip":
        may_slip(case, target)
        return [SlipReady(Id(target))], "TL-7.3.2"
    if how == "turn":
        before = may_pull(case, target)
        return [TurnPulled(Id(target), before, before - 1, is_held(case, target, before))], "TL-12.2.2"
    return _charged(case, target, fighter), "TL-12.2.2"


def _charged(case: AnyCase, target: str, fighter: str) -> Sequence[NamedTuple]:
    """A box of one fighter's bar; by the other reading one of each that has any open (A21.30)."""
    squadron = case.state.ships[target]
    groups = kept(case.book.ship_class(squadron.sheet), squadron)
    open_ = [key for key, group in groups.items() if squadron.yellow.get(key, 0) < group.yellow]
    if open_ and open_ != [fighter] and case.choice("tl-12.2.2") == "squadron":
        return [may_charge(case, target, key) for key in open_]
    if not fighter:
        raise case.refuse("bad-value", "TL-12.2.2", key="which-fighter", unit=Id(target))
    return [may_charge(case, target, fighter)]


@CHAPTER.effect(PowerSent)
def power_sent(state: Board, event: PowerSent) -> Rows:
    """The squadron has had its power of this impulse."""
    return {("ships", event.target): replace(state.ships[event.target], powered=True)}
