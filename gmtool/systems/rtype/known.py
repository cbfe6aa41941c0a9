"""The board as one side may know it: its own rows whole, of the others what lies open on the table (RT-6.6).

What a side may not know is not in the rows at all, so that no view of them can show it.
"""

from dataclasses import dataclass

from gmtool.kernel.common import Campaign
from gmtool.kernel.state import Map, Rows, replace
from gmtool.systems.rtype import lay
from gmtool.systems.rtype.book import Book
from gmtool.systems.rtype.careers import Fought, last_flown
from gmtool.systems.rtype.facedown import turned_over
from gmtool.systems.rtype.model import (
    CRAFT,
    FACE_DOWN,
    FIGURES,
    GONE,
    OPEN,
    RC,
    UNFOUND,
    Battle,
    Board,
    Pilot,
    Place,
    Side,
    Unit,
)
from gmtool.systems.rtype.rules.r03_ways import seen_by
from gmtool.systems.rtype.rules.r06_search import FOUND

_ON_THE_TABLE = (
    "sides", "pilots", "units", "battle", "places", "parked", "due", "sheets", "flights", "falls", "fought", "careers",
    "map",
)  # fmt: skip


@dataclass(frozen=True)
class Seen:
    """Another side's unit as it lies on the table.

    ``craft``: of an RC squad which of its craft still fly. ``found_by``: by whom of the side that looks.
    """

    name: str
    handle: str
    sheet: str
    side: str
    order: int
    state: str
    craft: Map[bool]
    acted: bool
    at: str | None
    facing: str | None
    attached_to: str | None
    aboard: str | None
    found_by: Map[str]


@dataclass(frozen=True)
class Other:
    """Another side: what it is called and who leads it."""

    name: str
    players: bool
    letter: str
    order: int


def known(state: Board, book: Book, side: str) -> Board:
    """The board as a side may know it, by the campaign's setting ``hidden``; nothing of the whole one is beneath it.

    ``figures`` hides what stands on the sheets of the others, ``unfound`` whom nobody has found too, ``face-down`` what
    the GM's are that nobody has found, ``open`` nothing.
    """
    hidden = state.campaign.config.get("hidden", FIGURES)
    if hidden == FACE_DOWN:
        state = turned_over(state, _face_down(state, book, side))
    shown = Board({})
    shown.eyes, shown.unfound = side, hidden == UNFOUND
    shown.put({("campaign", "campaign"): _campaign(state)})
    if hidden == OPEN:
        shown.put({(table, id): row for table in _ON_THE_TABLE for id, row in state.table(table).items()})
        return shown
    ids = _visible(state, book, side, shown.unfound)
    pilots = {id: pilot for id, pilot in state.pilots.items() if side_of(state, id, pilot) == side}
    shown.put({("pilots", id): pilot for id, pilot in pilots.items()})
    shown.put({("sides", id): row if id == side else _other(row) for id, row in state.sides.items()})
    shown.put(_units(state, side, ids, {*ids, *pilots}))
    shown.put({("map", id): row for id, row in state.table("map").items()})  # the sheet lies before everybody
    shown.put({("places", id): _place(place, side) for id, place in state.places.items()})
    shown.put({("sheets", id): state.row("sheets", id) for id in {state.units[id].sheet for id in ids}})
    for table in ("flights", "careers"):
        shown.put({(table, id): row for id, row in state.table(table).items() if id in pilots})
    shown.put({("fought", id): _fought(row) for id, row in state.table("fought").items()})
    own = {side, *pilots, *(id for id in ids if state.units[id].side == side)}
    shown.put({("due", id): due for id, due in state.table("due").items() if due.who in own})
    if state.battle:
        shown.put({("battle", "now"): _battle(state.battle, side, {*ids, *pilots})})
    return shown


def is_own(state: Board, id: str) -> bool:
    """Whether a unit, pilot or side is one that the board's side knows whole."""
    return isinstance(state.row("units", id) or state.row("sides", id), Unit | Side) or id in state.pilots


def _campaign(state: Board) -> Campaign:
    """What a campaign is called, its language and evening; nothing that feeds dice, no setting."""
    row = state.campaign
    return Campaign(row.name, row.system, row.lang, session=row.session)


def _visible(state: Board, book: Book, side: str, unfound: bool) -> list[str]:
    """The units a side sees, as the board lists them: with hidden positions those that one of its own has found.

    On the map whoever is within the search value of one of its own now is seen too, and lost again beyond it (RT-6.6).
    """
    ids = sorted(state.units, key=lambda id: state.units[id].order)
    return [id for id in ids if not unfound or state.units[id].side == side or _is_seen(state, book, side, id)]


def _is_seen(state: Board, book: Book, side: str, id: str) -> bool:
    unit = state.units[id]
    if _finders(state, unit, side):
        return True
    return unit.state in FOUND and lay.placed(state, id) and seen_by(state, book, side, id)


def _face_down(state: Board, book: Book, side: str) -> set[str]:
    """The GM's units, in action, that the side has neither found nor identified (RT-6.6)."""
    told = state.battle.known_to if state.battle else Map[str]()
    others = {id for id, unit in state.units.items() if unit.side != side and not state.sides[unit.side].players}
    open_ = {id for id in others if side in told.get(id, "").split() or state.units[id].state in GONE}
    return {id for id in others - open_ if not _is_seen(state, book, side, id)}


def _finders(state: Board, unit: Unit, side: str) -> Map[str]:
    """The marks of a side's own units on a unit (RT-6.1)."""
    own = {id for id in unit.found_by if id in state.units and state.units[id].side == side}
    return Map({id: how for id, how in unit.found_by.items() if id in own})


def side_of(state: Board, id: str, pilot: Pilot) -> str | None:
    """Whose a pilot is: by the unit he is in, has the seat of, or flew last; else the players' if one leads him."""
    unit = state.row("units", pilot.where)
    if unit is not None:
        return str(unit.side)
    seats = {unit.side for unit in state.units.values() if not isinstance(unit, Seen) and unit.pilot == id}
    flown = state.row("units", last_flown(state, id))
    if not seats and flown is not None:
        return str(flown.side)
    led = {side for side, row in state.sides.items() if row.players} if pilot.player and not seats else seats
    return led.pop() if len(led) == 1 else None


def _other(row: Side) -> Other:
    return Other(row.name, row.players, row.letter, row.order)


def _units(state: Board, side: str, ids: list[str], there: set[str]) -> Rows:
    """The units, counted anew, so that the order tells of none that is not there."""
    rows: Rows = {}
    for order, id in enumerate(ids, 1):
        unit = state.units[id]
        rows["units", id] = (
            _own(state, unit, order, there) if unit.side == side else _seen(state, unit, order, side, there)
        )
    return rows


def _own(state: Board, unit: Unit, order: int, there: set[str]) -> Unit:
    """The side's own unit whole, but for what would name who is not there."""
    ties = {tie: _there(getattr(unit, tie), there) for tie in ("pilot", "attached_to", "aboard", "decoy_of")}
    leader = state.row("units", unit.led_by or "")
    led_by = unit.led_by if leader is not None and leader.side == unit.side else None
    found_by = Map({id: how for id, how in unit.found_by.items() if id in there})
    since = Map({id: when for id, when in unit.since.items() if id in there})
    return replace(unit, order=order, found_by=found_by, since=since, led_by=led_by, **ties)


def _seen(state: Board, unit: Unit, order: int, side: str, there: set[str]) -> Seen:
    """Another side's unit; where it is in subspace, only who has found it there knows (RT-5.10)."""
    found = _finders(state, unit, side)
    placed = unit.state != "subspace" or bool(found)
    squad = any(craft in unit.hp for craft in RC)
    return Seen(
        unit.name, unit.handle, unit.sheet, unit.side, order, unit.state,
        Map({craft: unit.hp[craft] > 0 for craft in CRAFT if craft in unit.hp} if squad else {}), unit.acted,
        unit.at if placed else None, unit.facing if placed else None, _there(unit.attached_to, there),
        _there(unit.aboard, there), found,
    )  # fmt: skip


def _fought(battle: Fought) -> Fought:
    """That a battle was fought, and when; who lost what by whom is not everybody's to know."""
    return replace(battle, lost=Map(), felled=Map())


def _there(id: str | None, there: set[str]) -> str | None:
    return id if id in there else None


def _place(place: Place, side: str) -> Place:
    """What lies on the table's sheet, and how far the side itself is with it."""
    return replace(place, progress=Map({id: n for id, n in place.progress.items() if id == side}))


def _battle(battle: Battle, side: str, there: set[str]) -> Battle:
    """The moment of play; of the others' conditions and flagships those that are met (RT-13.4)."""
    told = {side, *battle.met}
    return Battle(
        battle.name, battle.turn, battle.phase, battle.sides, battle.acting, battle.winner,
        current=_there(battle.current, there),
        victory=Map({id: what for id, what in battle.victory.items() if id in told}),
        flagships=Map({id: ship for id, ship in battle.flagships.items() if id in told and ship in there}),
        met=battle.met,
        gone=tuple(id for id in battle.gone if id in there),
    )  # fmt: skip
