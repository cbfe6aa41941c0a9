"""Battles (chapters 1, 2 and 13): start, park, resume, and the end with what becomes of those adrift."""

from collections.abc import Mapping
from typing import Annotated, Any, NamedTuple

from gmtool.kernel.case import Case
from gmtool.kernel.common import fresh_id, slug
from gmtool.kernel.refusal import Id, Refused, Word
from gmtool.kernel.state import Map, Raw, Rows, decode, encode, replace
from gmtool.kernel.system import Chapter
from gmtool.kernel.words import TEXT, Arg, Flag, Opt, typed
from gmtool.systems.rtype.book import Book
from gmtool.systems.rtype.model import FATES, GONE, Battle, Board, Unit, unspent
from gmtool.systems.rtype.rules import r01_seats, r26_careers
from gmtool.systems.rtype.rules.r01_away import CHAPTER as AWAY
from gmtool.systems.rtype.rules.r01_away import map_away, map_back, map_kept, tell
from gmtool.systems.rtype.rules.r02_turn import CHAPTER as TURN
from gmtool.systems.rtype.rules.r02_turn import battle_on
from gmtool.systems.rtype.rules.r13_victory import CHAPTER as VICTORY
from gmtool.systems.rtype.rules.r13_victory import Watch, agree
from gmtool.systems.rtype.tally import lost
from gmtool.systems.rtype.words import PARKED, PILOT_FATE, SIDE, SIDE_CONDITION, UNIT

CHAPTER = Chapter("1", needs=(TURN, VICTORY, AWAY, r01_seats.CHAPTER))
AnyCase = Case[Board, Book]
KEPT = (
    "acted", "moved", "stopped", "ambushed", "charge", "may_move", "no_counter", "found_by", "decoy_made", "form",
    "hurt_by_bydo", "rammed", "replacements", "berthed", "at", "facing", "since",
)  # fmt: skip
"""What of a unit belongs to its battle and waits with it; all else is the campaign's."""
OF_A_BATTLE = ("subspace", "inactive")
"""What a unit is only as long as its battle is on (``_between_battles``)."""


class BattleStart(NamedTuple):
    """A battle between two sides begins with turn 1."""

    name: Annotated[str, Arg(TEXT)] = ""
    sides: Annotated[tuple[str, ...], Opt("--side", SIDE, many=True)] = ()
    victory: Annotated[tuple[str, ...], Opt("--victory", SIDE_CONDITION, many=True)] = ()
    flagships: Annotated[tuple[str, ...], Opt("--flagship", UNIT, many=True)] = ()


class BattlePark(NamedTuple):
    """The battle is laid aside as it stands, to be taken up again."""


class BattleResume(NamedTuple):
    """A parked battle goes on where it stood; left out where only one is parked."""

    name: Annotated[str, Arg(PARKED)] = ""


class BattleEnd(NamedTuple):
    """The battle is over; the GM ends it, and says what became of the pilots adrift (RT-13.9, 11.7)."""

    fates: Annotated[tuple[str, ...], Opt("--fate", PILOT_FATE, many=True)] = ()
    leave_open: Annotated[bool, Flag("--leave-open")] = False


class BattleStarted(NamedTuple):
    """Turn 1 begins; nobody has acted, no charge is kept."""

    name: str
    sides: tuple[str, ...]


class Readied(NamedTuple):
    """The units of a battle begin it unspent; how many RC craft each can have replaced in it (RT-12.3)."""

    replacements: Map[int]


class FateDecided(NamedTuple):
    """What became of a pilot who was adrift."""

    pilot: Id
    fate: Word


class BattleEnded(NamedTuple):
    """The battle is over."""

    turn: int
    minutes: int


class SideLeft(NamedTuple):
    """The units of a side that come home."""

    side: Id
    units: tuple[Id, ...]


class SideLost(NamedTuple):
    """The units that a side has lost in this battle."""

    side: Id
    units: tuple[Id, ...]


class PilotStands(NamedTuple):
    """A pilot who came out of the battle otherwise than he went in."""

    pilot: Id
    state: Word
    where: str


class BattleParked(NamedTuple):
    """The battle is laid aside."""

    name: str
    turn: int


class Shelved(NamedTuple):
    """The battle and its units' figures are kept under an id."""

    battle: str
    row: Raw


class BattleResumed(NamedTuple):
    """A parked battle goes on."""

    name: str
    turn: int


class Unshelved(NamedTuple):
    """The battle and its units' figures are back."""

    battle: str


# start


@CHAPTER.rule(BattleStart)
def battle_start(case: AnyCase, command: BattleStart) -> None:
    """Two sides with units meet; an open battle must be ended or parked first (RT-2.1, 13.4)."""
    _none_open(case)
    sides = _sides(case, command.sides)
    case.emit(BattleStarted(command.name or case.state.campaign.name, sides), "RT-2.1")
    units = [(id, unit) for side in sides for id, unit in case.state.of_side(side)]
    stock = {id: case.book.sheet(unit.sheet).replacements for id, unit in units if case.book.is_squad(unit.sheet)}
    case.keep(Readied(Map({id: stock.get(id, 0) for id, _ in units})), "RT-12.3")
    r26_careers.begun(case, units)
    agree(case, command.victory, command.flagships)


def _none_open(case: AnyCase) -> None:
    """Refused while a battle is on: it is kept as it is."""
    battle = case.state.battle
    if battle and battle.phase != "over":
        raise case.refuse("wrong-phase", "RT-2.1", key="battle-open", name=battle.name, turn=battle.turn)


def _sides(case: AnyCase, named: tuple[str, ...]) -> tuple[str, ...]:
    """The two sides that fight, as they are asked: those named, or the two there are with units in action."""
    there = [side for side in case.state.sides_in_order() if _in_action(case.state, side)]
    for side in named:
        if side not in there:
            raise case.refuse("wrong-phase", "RT-2.1", key="no-units", side=Id(side))
    sides = [side for side in there if side in named] if named else there
    if len(there) > 2 and not named:
        raise case.refuse("wrong-phase", "RT-2.1", key="which-sides", sides=[Id(side) for side in there])
    if len(sides) != 2:
        raise case.refuse("wrong-phase", "RT-2.1", key="two-sides", n=len(sides))
    return tuple(sides)


def _in_action(state: Board, side: str) -> tuple[Id, ...]:
    """The units of a side that are neither wrecked nor lost; decoys are none (RT-12.10)."""
    units = state.of_side(side)
    return tuple([Id(id) for id, unit in units if unit.state not in GONE and unit.decoy_of is None])


@CHAPTER.effect(BattleStarted)
def battle_started(state: Board, event: BattleStarted) -> Rows:
    """A fresh battle row, with those who were out before it began."""
    units = [id for id, unit in state.units.items() if unit.state in GONE]
    pilots = [id for id in state.pilots if _marked(state, id)]
    battle = Battle(event.name, 1, "initiative", event.sides, gone=(*units, *pilots))
    return {("battle", "now"): battle}


@CHAPTER.effect(Readied)
def readied(state: Board, event: Readied) -> Rows:
    """Unspent, uncharged, unfound; what is stowed has been so since set-up (RT-1.5, 12.16)."""
    rows: Rows = {}
    for id, stock in event.replacements.items():
        unit = state.units[id]
        rows["units", id] = replace(
            unspent(unit), charge=0, found_by=Map(), since=Map(), decoy_made=False, form="", hurt_by_bydo=False,
            rammed=False, replacements=stock, berthed="setup" if unit.state == "stowed" else "",
        )  # fmt: skip
    return rows


# end


@CHAPTER.rule(BattleEnd)
def battle_end(case: AnyCase, command: BattleEnd) -> None:
    """A battle never ends by itself: the GM ends it, once, and decides on those adrift (RT-11.7, 13.9)."""
    battle = battle_on(case)
    _fates(case, command)
    r01_seats.clear_the_dead(case)
    case.settle("choose-order", "RT-13.9")
    minutes, lay = battle.turn * case.book.figures.turn_minutes, case.state.map
    case.emit(BattleEnded(battle.turn, minutes), "RT-13.9")
    case.cite("RT-2.1")
    case.result(turns=battle.turn, minutes=minutes)
    _came_home(case, battle)
    tell(case, lay)
    r26_careers.book(case, battle, {side: lost(case.state, battle, side) for side in battle.sides})


def _fates(case: AnyCase, command: BattleEnd) -> None:
    """What became of each pilot adrift: said, or asked for, or left open (RT-11.7).

    Who was adrift before this battle began, left open or of a parked one, is not asked for, but may be said.
    """
    given = dict(fate.partition("=")[::2] for fate in command.fates)
    adrift = [id for id in case.state.pilots if _adrift(case.state, id)]
    for pilot in given:
        if pilot not in adrift:
            raise case.refuse("bad-value", "RT-11.7", key="not-adrift", pilot=Id(pilot))
    for pilot in adrift:
        left = command.leave_open or pilot in battle_on(case).gone
        options, usual = ((*FATES, "open"), "open") if left else (FATES, "ask")
        fate = case.ask(f"fate.{pilot}", pilot, options, usual, rule="RT-11.7", given=given.get(pilot), quiet=left)
        if fate != "open":
            case.emit(FateDecided(Id(pilot), Word(fate)), "RT-11.7")
            case.settle(f"fate-{pilot}", "RT-5.3")


def _adrift(state: Board, id: str) -> bool:
    """Whether what became of a pilot is still to be said: out of a wreck, or lost in subspace (RT-11.7, 5.3)."""
    pilot = state.pilots[id]
    return pilot.state != "dead" and (pilot.where == "adrift" or state.row("due", f"fate-{id}") is not None)


@CHAPTER.effect(FateDecided)
def fate_decided(state: Board, event: FateDecided) -> Rows:
    """Recovered he can be seated again; missing or captured he cannot."""
    return {("pilots", event.pilot): replace(state.pilots[event.pilot], where=str(event.fate))}


@CHAPTER.effect(BattleEnded)
def battle_ended(state: Board, event: BattleEnded) -> Rows:
    """The phase is over; nobody acts; no decoy outlives its battle; the map is put away."""
    battle = state.battle
    assert battle is not None
    over = replace(battle, phase="over", acting=None, current=None)
    return {("battle", "now"): over, **_between_battles(state)}


def _between_battles(state: Board) -> Rows:
    """No map; what a battle alone can leave behind is over: decoys, being in subspace, a force asleep (RT-26.2)."""
    rows = map_away(state)
    for id, unit in state.units.items():
        after = _between(state, unit)
        if after != unit.state:
            rows["units", id] = replace(rows.get(("units", id)) or unit, state=after)
    return rows


def _between(state: Board, unit: Unit) -> str:
    """The state of a unit that no battle is on for; a force that nobody controls waits for somebody (RT-4.9)."""
    if unit.state in GONE:
        return unit.state
    leader = state.units.get(unit.led_by or "")
    awake = leader is not None and leader.state in ("active", "subspace")
    if unit.decoy_of is not None:
        return "lost"
    return "active" if unit.state == "subspace" or (unit.state == "inactive" and awake) else unit.state


def _came_home(case: AnyCase, battle: Battle) -> None:
    """Each side's units that are left and that were lost, and the pilots it has changed."""
    for side in battle.sides:
        if home := _in_action(case.state, side):
            case.emit(SideLeft(Id(side), home), "RT-13.9")
        if gone := lost(case.state, battle, side):
            case.emit(SideLost(Id(side), gone), "RT-13.9")
    for id, pilot in case.state.pilots.items():
        if id not in battle.gone and _marked(case.state, id):
            where = Id(pilot.where) if pilot.where in case.state.units else Word(pilot.where)
            case.emit(PilotStands(Id(id), Word(pilot.state), where), "RT-11.7")


def _marked(state: Board, id: str) -> bool:
    """Whether a pilot is not whole, or neither in a seat nor ashore."""
    pilot = state.pilots[id]
    return pilot.state != "ready" or (pilot.where != "ashore" and pilot.where not in state.units)


# park and resume


@CHAPTER.rule(BattlePark)
def battle_park(case: AnyCase, command: BattlePark) -> None:
    """The battle waits under its name; hit points, fuel and ammunition stay the campaign's (RT-26.2)."""
    battle = battle_on(case)
    claimed, id = fresh_id(case.state, slug(battle.name, "battle"))
    case.keep(claimed)
    case.settle("choose-order", "RT-13.9")
    units = {id: unit for side in battle.sides for id, unit in case.state.of_side(side) if unit.state not in GONE}
    figures = {id: {field: encode(getattr(unit, field)) for field in (*KEPT, "state")} for id, unit in units.items()}
    out = {id: pilot.where for id, pilot in case.state.pilots.items()}
    case.emit(BattleParked(battle.name, battle.turn), "RT-13.9")
    kept, lay = {**map_kept(case.state), **r26_careers.shelved(case.state)}, case.state.map
    case.keep(Shelved(id, Raw(battle=encode(battle), units=figures, pilots=out, **kept)), "RT-13.9")
    tell(case, lay)
    r26_careers.put_by(case)
    case.result(battle=id)


@CHAPTER.effect(Shelved)
def shelved(state: Board, event: Shelved) -> Rows:
    """No battle is on, no map lies on the table; this one is among the parked."""
    return {**_between_battles(state), ("battle", "now"): None, ("parked", event.battle): event.row}


@CHAPTER.rule(BattleResume)
def battle_resume(case: AnyCase, command: BattleResume) -> None:
    """The same turn, phase and order, and each unit as spent as it was, if it is still in action."""
    _none_open(case)
    id = command.name or _only_parked(case)
    parked: Any = case.state.row("parked", id)
    battle = decode(Battle, parked["battle"], f"parked.{id}.battle")
    case.emit(BattleResumed(battle.name, battle.turn), "RT-13.9")
    case.keep(Unshelved(id), "RT-13.9")
    r26_careers.taken_up(case, parked)
    if battle.phase == "initiative" and battle.winner:
        line = f"first {typed(case.state.sides[battle.winner].name)}"
        case.due("choose-order", "choose-order", battle.winner, line, rule="RT-2.2")
    case.later(Watch())


def _only_parked(case: AnyCase) -> str:
    """The battle that is parked; refused, to be named, where it is not the only one."""
    parked = list(case.state.ids("parked"))
    if len(parked) == 1:
        return parked[0]
    rows: Any = [case.state.row("parked", id) for id in parked]
    names = [typed(row["battle"]["name"]) for row in rows]
    key = "which-battle" if parked else "no-battle-parked"
    raise Refused("bad-value", key=key, rule="RT-13.9", exit=2, facts={"names": names})


@CHAPTER.effect(Unshelved)
def unshelved(state: Board, event: Unshelved) -> Rows:
    """The battle's row, its map, its units' figures of then; who has gone since stays gone, and is no loss of it."""
    parked: Any = state.row("parked", event.battle)
    battle = decode(Battle, parked["battle"], f"parked.{event.battle}.battle")
    rows: Rows = {**map_away(state), **map_back(parked, event.battle), ("parked", event.battle): None}
    for id, figures in parked["units"].items():
        unit = state.units.get(id)
        if unit is not None and not _gone_since(unit, figures):
            then = {**figures, "state": _state_again(unit, figures)}
            rows["units", id] = decode(Unit, {**encode(unit), **then}, f"units.{id}")
    current = battle.current if ("units", battle.current) in rows else None
    gone = (*battle.gone, *_out_since(state, parked))
    return {("battle", "now"): replace(battle, current=current, gone=gone), **rows}


def _gone_since(unit: Unit, figures: Mapping[str, Any]) -> bool:
    """Whether a unit has gone while its battle was put by; a decoy, which was there only for it, has not."""
    return unit.state in GONE and not (unit.decoy_of is not None and figures.get("state", unit.state) not in GONE)


def _state_again(unit: Unit, figures: Mapping[str, Any]) -> str:
    """What a unit was in its battle and in no other: a decoy in action, in subspace, asleep (RT-5.1, 4.5, 12.10)."""
    then: str = figures.get("state", unit.state)
    return then if unit.decoy_of is not None or (unit.state == "active" and then in OF_A_BATTLE) else unit.state


def _out_since(state: Board, parked: Mapping[str, Any]) -> list[str]:
    """The units that have gone since a battle was put by, and the pilots who are out since then (RT-11.7)."""
    units = [(id, state.units.get(id), figures) for id, figures in parked["units"].items()]
    gone = [id for id, unit, figures in units if unit is not None and _gone_since(unit, figures)]
    return gone + [
        id for id, where in parked.get("pilots", {}).items()
        if id in state.pilots and state.pilots[id].where != where and _marked(state, id)
    ]  # fmt: skip
