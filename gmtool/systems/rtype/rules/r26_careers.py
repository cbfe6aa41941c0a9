"""Chapter 26, careers: what a battle counts of its pilots, put by with it, booked once when it ends (RT-26.2)."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from gmtool.kernel.case import Case
from gmtool.kernel.refusal import Id
from gmtool.kernel.state import Map, Raw, Rows, decode, encode, replace
from gmtool.kernel.system import Chapter
from gmtool.systems.rtype.book import Book
from gmtool.systems.rtype.careers import TALLIES, Career, Fall, Flight, Fought, career_of
from gmtool.systems.rtype.model import GONE, Battle, Board, Pilot, Unit
from gmtool.systems.rtype.tally import by_hand, standing

CHAPTER = Chapter("26 careers")
AnyCase = Case[Board, Book]
RULE = "RT-26.2"


class TookOff(NamedTuple):
    """The battle begins for these pilots, each in his unit."""

    crew: Map[str]


class Boarded(NamedTuple):
    """A pilot takes a seat while the battle is on."""

    pilot: Id
    unit: Id


class SteppedOut(NamedTuple):
    """A pilot leaves a seat of his own accord while the battle is on."""

    pilot: Id
    unit: Id


class Felled(NamedTuple):
    """A unit is wrecked by another; by nobody where ``unit`` is empty, whatever was said before."""

    victim: Id
    unit: Id
    pilot: Id = Id("")
    friend: bool = False


class TalliesShelved(NamedTuple):
    """What was counted goes with the battle that is put by."""


class TalliesBack(NamedTuple):
    """What was counted is back with its battle."""

    rows: Raw


class KillsCredited(NamedTuple):
    """What a pilot, or a unit without one, has wrecked in the battle that is over."""

    who: Id
    units: tuple[Id, ...]


class FriendsHit(NamedTuple):
    """What somebody has wrecked of his own side: no kill, but told."""

    who: Id
    units: tuple[Id, ...]


class Booked(NamedTuple):
    """The battle is entered in the careers of its pilots."""

    number: int
    name: str
    session: int
    turns: int
    lost: Map[tuple[str, ...]]


# while the battle is on


def begun(case: AnyCase, units: Sequence[tuple[str, Unit]]) -> None:
    """Who sits in a unit of the battle as it begins."""
    crew = {unit.pilot: id for id, unit in units if unit.pilot and unit.state not in GONE}
    if crew:
        case.keep(TookOff(Map(crew)), RULE)


def boarded(case: AnyCase, pilot: str, unit: str) -> None:
    """A seat is taken; it counts as flown where that happens in a battle of the unit's side."""
    if _is_fighting(case.state, unit):
        case.keep(Boarded(Id(pilot), Id(unit)), RULE)


def stepped_out(case: AnyCase, pilot: str, unit: str) -> None:
    """A seat is left: what becomes of the unit is no more this pilot's loss."""
    if _is_fighting(case.state, unit) and case.state.row("flights", pilot) is not None:
        case.keep(SteppedOut(Id(pilot), Id(unit)), RULE)


def _is_fighting(state: Board, unit: str) -> bool:
    battle = state.battle
    return battle is not None and battle.phase != "over" and state.units[unit].side in battle.sides


def felled(case: AnyCase, victim: str, by: str) -> None:
    """Who has wrecked a unit: by whatever weapon, counter, ram or blast; a wreck by hand is nobody's."""
    battle = case.state.battle
    if battle is None or battle.phase == "over":
        return
    if by:
        unit, pilot = _hand_of(case.state, by)
        friend = case.state.units[unit].side == case.state.units[victim].side
        case.keep(Felled(Id(victim), Id(unit), Id(pilot), friend), RULE)
    elif case.state.row("falls", victim) is not None:
        case.keep(Felled(Id(victim), Id("")), RULE)


def _hand_of(state: Board, id: str) -> tuple[str, str]:
    """Whose doing it is: of a decoy its maker's; the pilot is whoever is at the controls and awake (RT-4.11, 7.3)."""
    id = state.units[id].decoy_of or id
    unit = state.units[id]
    if state.pilot_of(unit) is not None:
        return id, state.seat_of(unit) or ""
    # his own blast may have thrown the pilot out of the maker before it came to this one
    flights = state.table("flights").items() if unit.state in GONE else ()
    return id, next((p for p, flight in flights if flight.units[-1:] == (id,) and id not in flight.left), "")


@CHAPTER.effect(TookOff)
def took_off(state: Board, event: TookOff) -> Rows:
    """A flight for each, from what he has of life and lives."""
    return {("flights", pilot): _flight(state.pilots[pilot], unit) for pilot, unit in event.crew.items()}


def _flight(pilot: Pilot, unit: str) -> Flight:
    return Flight((unit,), pilot.life, pilot.lives.get("now", 0))


@CHAPTER.effect(Boarded)
def has_boarded(state: Board, event: Boarded) -> Rows:
    """The unit is the last one he flies."""
    unit, flight = str(event.unit), state.row("flights", event.pilot)
    if flight is None:
        return {("flights", event.pilot): _flight(state.pilots[event.pilot], unit)}
    units = (*(each for each in flight.units if each != unit), unit)
    left = tuple(each for each in flight.left if each != unit)
    return {("flights", event.pilot): replace(flight, units=units, left=left)}


@CHAPTER.effect(SteppedOut)
def has_stepped_out(state: Board, event: SteppedOut) -> Rows:
    """Flown, but not his to lose any more."""
    flight: Flight = state.table("flights")[event.pilot]
    return {("flights", event.pilot): replace(flight, left=(*flight.left, str(event.unit)))}


@CHAPTER.effect(Felled)
def was_felled(state: Board, event: Felled) -> Rows:
    """The latest that is said of a unit holds."""
    fall = Fall(str(event.unit), str(event.pilot), event.friend)
    return {("falls", event.victim): fall if event.unit else None}


# put by and taken up


def shelved(state: Board) -> dict[str, Any]:
    """What was counted, for the row of a battle that is put by: of each pilot what it has cost him so far."""
    flights = {id: encode(_turned(state.pilots[id], flight)) for id, flight in state.table("flights").items()}
    return {"flights": flights, "falls": {id: encode(fall) for id, fall in standing(state).items()}}


def _turned(pilot: Pilot, flight: Flight) -> Flight:
    """From what he began with to what it has cost, and back: what comes between two parts of a battle is none of it."""
    return replace(flight, life=flight.life - pilot.life, lives=flight.lives - pilot.lives.get("now", 0))


def _turned_back(pilot: Pilot, flight: Flight) -> Flight:
    return replace(flight, life=flight.life + pilot.life, lives=flight.lives + pilot.lives.get("now", 0))


def put_by(case: AnyCase) -> None:
    """Nothing is counted any more until the next battle begins or this one goes on."""
    if case.state.ids("flights") or case.state.ids("falls"):
        case.keep(TalliesShelved(), RULE)


def taken_up(case: AnyCase, parked: Mapping[str, Any]) -> None:
    """What was counted goes on; a battle put by before anything was counted has nothing."""
    rows = {table: parked.get(table) or {} for table in TALLIES}
    if any(rows.values()):
        case.keep(TalliesBack(Raw(rows)), RULE)


@CHAPTER.effect(TalliesShelved)
def tallies_shelved(state: Board, event: TalliesShelved) -> Rows:
    """The tables are empty."""
    return {(table, id): None for table in TALLIES for id in state.ids(table)}


@CHAPTER.effect(TalliesBack)
def tallies_back(state: Board, event: TalliesBack) -> Rows:
    """From what a battle had cost a pilot, and what he has now, what he would have without it."""
    flights, falls = event.rows["flights"], event.rows["falls"]
    rows: Rows = {("falls", id): decode(Fall, row, f"falls.{id}") for id, row in falls.items()}
    for id, row in flights.items():
        if id in state.pilots:
            rows["flights", id] = _turned_back(state.pilots[id], decode(Flight, row, f"flights.{id}"))
    return rows


# the end


def book(case: AnyCase, battle: Battle, lost: Mapping[str, tuple[Id, ...]]) -> None:
    """Kills are told and all is booked: of what is a wreck now, of what life and lives are gone now (RT-26.2)."""
    falls = standing(case.state)
    for who, units in by_hand(falls, friends=False).items():
        case.emit(KillsCredited(Id(who), units), RULE)
    for who, units in by_hand(falls, friends=True).items():
        case.emit(FriendsHit(Id(who), units), RULE)
    number = len(case.state.table("fought")) + 1
    gone = Map({side: tuple(map(str, ids)) for side, ids in lost.items() if ids})
    case.keep(Booked(number, battle.name, _session(case.state), battle.turn, gone), RULE)


def _session(state: Board) -> int:
    """The session that is on; 0 between two of them."""
    number = state.campaign.session
    row = state.row("sessions", f"session-{number}")
    return number if row is not None and row.ended is None else 0


@CHAPTER.effect(Booked)
def booked(state: Board, event: Booked) -> Rows:
    """A row for the battle, a line in each career; what was counted is gone with the battle."""
    falls, crew = standing(state), _crew(state)
    by_unit = Map({id: fall.unit for id, fall in falls.items()})
    row = Fought(event.number, event.name, event.session, event.turns, event.lost, by_unit)
    rows: Rows = {("fought", f"battle-{event.number}"): row}
    for id, flight in crew.items():
        rows["careers", id] = _entered(state, id, flight, falls, str(event.number))
    return {**rows, **tallies_shelved(state, TalliesShelved())}


def _crew(state: Board) -> dict[str, Flight]:
    """Who was in the battle: who has flown, or has wrecked something.

    Left out is who stayed aboard a ship since set-up. Who sits in a unit of a battle that began before flights were
    counted was in it too.
    """
    crew: dict[str, Flight] = dict(state.table("flights").items())
    sides = state.battle.sides if state.battle else ()
    seated = {unit.pilot: id for id, unit in state.units.items() if unit.pilot and unit.side in sides}
    killers = {fall.pilot: fall.unit for fall in state.table("falls").values() if fall.pilot}
    for id, unit in {**killers, **seated}.items():
        crew.setdefault(id, _flight(state.pilots[id], unit))
    return {id: flight for id, flight in sorted(crew.items()) if any(_has_flown(state, unit) for unit in flight.units)}


def _has_flown(state: Board, unit: str) -> bool:
    """Whether a unit was in action: not one that was stowed in set-up and is so still (RT-12.16)."""
    row = state.units[unit]
    return not (row.state == "stowed" and row.berthed == "setup")


def _entered(state: Board, id: str, flight: Flight, falls: Mapping[str, Fall], n: str) -> Any:
    """The career with one battle more; nothing is entered where there is nothing to say."""
    pilot, career = state.pilots[id], career_of(state, id)
    entries: dict[str, Any] = {
        "flown": tuple(unit for unit in flight.units if _has_flown(state, unit)),
        "kills": tuple(unit for unit, fall in falls.items() if fall.pilot == id and not fall.friend),
        "friends": tuple(unit for unit, fall in falls.items() if fall.pilot == id and fall.friend),
        "lost": tuple(unit for unit in flight.units if unit not in flight.left and _has_gone(state, unit)),
        "wounds": max(0, flight.life - pilot.life), "lives": max(0, flight.lives - pilot.lives.get("now", 0)),
        "state": "" if pilot.state == "ready" or pilot.state in _died_before(career) else pilot.state,
        "where": "" if pilot.where == "ashore" or pilot.where in state.units or _out_before(state, id) else pilot.where,
    }  # fmt: skip
    return replace(career, **{key: getattr(career, key).put(n, value) for key, value in entries.items() if value})


def _has_gone(state: Board, unit: str) -> bool:
    """Whether a unit was lost in this battle, not before it or in another one while this one was put by."""
    return state.units[unit].state in GONE and not (state.battle and unit in state.battle.gone)


def _out_before(state: Board, id: str) -> bool:
    """Whether a pilot was out before this battle, or is since another one that was fought while it was put by."""
    return state.battle is not None and id in state.battle.gone


def _died_before(career: Career) -> tuple[str, ...]:
    """Who died in a battle while another one was put by did not die in that one too."""
    return ("dead",) if "dead" in career.state.values() else ()
