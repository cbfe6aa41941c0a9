"""Chapter 21: a scenario is set up, a battle begins and ends, the board is cleared."""

from collections.abc import Mapping
from typing import Annotated, Any, NamedTuple

from gmtool.kernel.case import Case
from gmtool.kernel.fold import fold
from gmtool.kernel.refusal import Id, Word
from gmtool.kernel.state import Map, Rows, replace
from gmtool.kernel.system import Chapter
from gmtool.kernel.words import TEXT, Arg, Candidate, Opt, find
from gmtool.systems.talon.book import Book, title
from gmtool.systems.talon.model import IMPULSE, OVER, SETUP, Battle, Board, Ship
from gmtool.systems.talon.rules import r03_time, r20_victory, r21_setup
from gmtool.systems.talon.rules.r21_setup import Deploy, ShipAdd, ShipAdded, SideAdd, TerrainAdd
from gmtool.systems.talon.words import SCENARIO, SIDE

CHAPTER = Chapter("21 battle", needs=(r21_setup.CHAPTER, r03_time.CHAPTER, r20_victory.CHAPTER))
AnyCase = Case[Board, Book]
BY_CUSTOM = "talon"
"""The race that has the initiative at the start where nobody says otherwise: custom, not the book's rule."""
HOMES = ("carrier", "base")


class ScenarioStart(NamedTuple):
    """A scenario is set up; its ships can be deployed elsewhere until the battle starts."""

    scenario: Annotated[str, Arg(SCENARIO)]


class BattleStart(NamedTuple):
    """The battle begins with impulse A of round 1."""

    name: Annotated[str, Arg(TEXT)] = ""
    initiative: Annotated[str, Opt("--initiative", SIDE)] = ""


class BattleEnd(NamedTuple):
    """The battle is over: it is counted, and nobody acts any more."""


class BoardClear(NamedTuple):
    """All counters and all terrain are taken off the board."""


class BattleClose(NamedTuple):
    """What is left of ending a battle when it has been counted."""


class ScenarioSet(NamedTuple):
    """A scenario is set up."""

    scenario: Id
    name: str
    sides: tuple[Id, ...]
    initiative: Id
    most: Word
    rounds: int | None


class BattleStarted(NamedTuple):
    """Round 1 begins."""

    name: str
    sides: tuple[Id, ...]
    initiative: Id
    board: bool


class BattleEnded(NamedTuple):
    """The battle is over."""

    name: str
    round: int


class BoardCleared(NamedTuple):
    """The board is empty."""


class PutAway(NamedTuple):
    """Ships of the battle before go back into the box."""

    ships: tuple[Id, ...]
    names: tuple[str, ...]


@CHAPTER.rule(ScenarioStart)
def scenario_start(case: AnyCase, command: ScenarioStart) -> None:
    """Sides and ships the campaign has under the same name are its own, fresh from the yard.

    What lies on the board is cleared away, and so are the other ships of the battle before.
    """
    battle = case.state.battle
    if battle and battle.phase != OVER:
        raise case.refuse("wrong-phase", "TL-3.1", key="battle-open", name=battle.name, round=battle.round)
    row, lang = case.book.scenario(command.scenario), case.state.campaign.lang or "en"
    if case.state.on_board() or case.state.terrain or case.state.missiles:
        case.emit(BoardCleared(), "TL-3.1")
    _put_away(case, {fold(title(each["name"], lang)) for each in row["ship"]})
    sides = {each["id"]: _side(case, each, lang) for each in row["side"]}
    for each in row["terrain"]:
        name = title(each["name"], lang) if each.get("name") else ""
        r21_setup.terrain_add(case, TerrainAdd(each["kind"], tuple(each["hexes"]), name))
    for each in row["ship"]:
        id = _ship(case, each, sides[each["side"]], lang)
        if each.get("at"):
            r21_setup.deploy(case, Deploy(id, each["at"], each.get("facing") or "n"))
    first = next(sides[each["id"]] for each in row["side"] if each["initiative"])
    of = tuple(Id(side) for side in sides.values())
    name = title(row["name"], lang)
    case.emit(
        ScenarioSet(Id(command.scenario), name, of, Id(first), Word(row["most"]), row.get("rounds")),
        "TL-4.2",
    )
    case.cite("TL-8.1.3", "TL-10.1.4")


def _put_away(case: AnyCase, names: set[str]) -> None:
    """Ships that were in the battle before, but are not in the scenario by name, are no more part of the campaign."""
    fought = case.state.battle.sides if case.state.battle else ()
    ships = case.state.ships.items()
    gone = {id: ship.name for id, ship in ships if ship.side in fought and fold(ship.name) not in names}
    if gone:
        case.emit(PutAway(tuple(map(Id, gone)), tuple(gone.values())), "TL-3.1")


@CHAPTER.effect(PutAway)
def put_away(state: Board, event: PutAway) -> Rows:
    """Their rows are gone, and handles are given anew after those of the ships that are left."""
    rows: Rows = {("ships", id): None for id in event.ships}
    for id, side in state.sides.items():
        left = [ship for at, ship in state.ships.items() if ship.side == id and at not in event.ships]
        given = max((int(ship.handle.removeprefix(side.letter)) for ship in left), default=0)
        rows["sides", id] = replace(side, given=given)
    return rows


def _side(case: AnyCase, row: Mapping[str, Any], lang: str) -> str:
    """The campaign's side of that name and race, or a new one."""
    name = title(row["name"], lang)
    known = _known(case, "sides", name)
    if known is None or case.state.sides[known].race != row["race"]:
        r21_setup.side_add(case, SideAdd(name, row["race"]))
        known = _known(case, "sides", name)
    assert known is not None
    return known


def _known(case: AnyCase, table: str, name: str) -> str | None:
    return next((id for id, row in case.state.table(table).items() if fold(row.name) == fold(name)), None)


def _ship(case: AnyCase, row: Mapping[str, Any], side: str, lang: str) -> str:
    """A ship of the scenario: the side's own of that name and class, else a new one, under another name if need be."""
    name, sheet = title(row["name"], lang), row["sheet"]
    _can_be(case, name, row)
    known = _known(case, "ships", name)
    ship = case.state.ships[known] if known else None
    if known is not None and ship is not None and (ship.side, ship.sheet) == (side, sheet):
        _refit(case, known, row["hull"], row.get("speed"))
        return known
    r21_setup.pin(case, sheet)
    return r21_setup.add_one(case, ShipAdd(side, sheet, "" if known else name), row["hull"], row.get("speed"))


def _can_be(case: AnyCase, name: str, row: Mapping[str, Any]) -> None:
    """Refused where the scenario wants a row that the class has not, or no box left."""
    sheet = case.book.ship_class(row["sheet"])
    speed = sheet.start if row.get("speed") is None else row["speed"]
    if sheet.row(speed) is None or row["hull"] >= len(sheet.hull):
        facts = {"hull": row["hull"], "speed": speed, "boxes": len(sheet.hull)}
        speeds = [each for _, each, _ in sheet.curve]
        raise case.refuse(
            "bad-value", "TL-5.4.1", key="scenario-ship", name=name, sheet=Id(sheet.id), speeds=speeds, **facts
        )


def _refit(case: AnyCase, id: str, hull: int, speed: int | None) -> None:
    """The ship as it begins, with boxes marked and another row if the scenario says so."""
    ship = case.state.ships[id]
    sheet = case.book.ship_class(ship.sheet)
    row = r21_setup.new_ship(sheet, ship.name, ship.handle, ship.side, ship.order, 1, hull, speed)
    case.emit(ShipAdded(Id(id), Id(ship.side), Id(ship.sheet), row), "TL-5.4.1")


@CHAPTER.effect(ScenarioSet)
def scenario_set(state: Board, event: ScenarioSet) -> Rows:
    """The battle that is being set up."""
    sides = tuple(str(side) for side in event.sides)
    battle = Battle(event.name, sides, str(event.initiative), most=str(event.most), rounds=event.rounds)
    return {("battle", "now"): battle}


@CHAPTER.rule(BattleStart)
def battle_start(case: AnyCase, command: BattleStart) -> None:
    """Impulse A opens round 1, without a Power Phase before it; the two sides on the board fight (TL-3.1, 4.2)."""
    battle = case.state.battle
    if battle and battle.phase not in (SETUP, OVER):
        raise case.refuse("wrong-phase", "TL-3.1", key="battle-open", name=battle.name, round=battle.round)
    sides = _fighting(case)
    first = _first(case, sides, command.initiative)
    for side in sides:
        _squadrons(case, side)
    waiting = [Id(id) for side in sides for id, ship in case.state.of_side(side) if _waits(ship)]
    board = bool(case.state.on_board())
    if not board:
        case.warn("no-board", "TL-3.1")
    elif waiting:
        case.warn("not-deployed", "TL-3.2", units=waiting)
    name = command.name or (battle.name if battle and battle.phase == SETUP else case.state.campaign.name)
    case.emit(BattleStarted(name, tuple([Id(side) for side in sides]), Id(first), board), "TL-3.1")
    case.follow(r03_time.BeginTurn(first))


def _first(case: AnyCase, sides: tuple[str, ...], said: str) -> str:
    """Who has the initiative: as the line says, or the scenario, or by custom; told where nobody said it (TL-4.2)."""
    if said and said not in sides:
        raise case.refuse("bad-value", "TL-4.2", key="side-not-fighting", side=Id(said))
    battle = case.state.battle
    set_up = battle.initiative if battle and battle.phase == SETUP else ""
    usual = set_up if set_up in sides else _by_custom(case, sides)
    known = [Candidate(side, (case.state.sides[side].name,)) for side in sides]
    return said or case.ask(
        "begins", "", sides, usual, rule="TL-4.2", shown=Id, quiet=usual == set_up,
        read=lambda word: find(word, "side", known),
    )  # fmt: skip


def _waits(ship: Any) -> bool:
    return ship.state == "active" and ship.at is None and ship.inside is None


def _fighting(case: AnyCase) -> tuple[str, ...]:
    """The two sides with ships on the board, in the order they joined; refused where it is not two."""
    there = {ship.side for _, ship in _there(case)}
    sides = sorted(there, key=lambda side: case.state.sides[side].order)
    if len(sides) != 2:
        raise case.refuse("wrong-phase", "TL-3.1", key="sides-on-board", n=len(sides), sides=[Id(id) for id in sides])
    return tuple(sides)


def _there(case: AnyCase) -> list[tuple[str, Ship]]:
    """The ships that will fight: those on the board, or where nobody is on it all there are (TL-5.1)."""
    free = [(id, ship) for id, ship in case.state.ships.items() if _waits(ship)]
    return case.state.on_board() or free


def _by_custom(case: AnyCase, sides: tuple[str, ...]) -> str:
    """The side of the race that begins by custom; the second where both or neither are of it."""
    own = [side for side in sides if case.state.sides[side].race == BY_CUSTOM]
    return own[0] if len(own) == 1 else sides[1]


def _squadrons(case: AnyCase, side: str) -> None:
    """Fighters need a carrier or base of their side, and each of these has so many squadrons (TL-12.1.1, 12.2.1)."""
    kinds = [case.book.ship_class(ship.sheet).kind for _, ship in _there(case) if ship.side == side]
    squadrons, homes = kinds.count("squadron"), sum(kind in HOMES for kind in kinds)
    if squadrons and not homes:
        case.forbid("bad-setup", "TL-12.1.1", key="no-carrier", side=Id(side))
    elif squadrons > homes * case.book.figures.squadrons:
        most = homes * case.book.figures.squadrons
        case.forbid("bad-setup", "TL-12.2.1", key="many-squadrons", side=Id(side), n=squadrons, most=most)


@CHAPTER.effect(BattleStarted)
def battle_started(state: Board, event: BattleStarted) -> Rows:
    """Round 1, impulse A; what a scenario has set stays. Markers of the battle before come off (TL-4.2, 6.2.3)."""
    now, sides = state.battle, tuple(str(side) for side in event.sides)
    battle = now if now and now.phase == SETUP else Battle(event.name, sides, "")
    begun = replace(
        battle, name=event.name, sides=sides, initiative=str(event.initiative), phase=IMPULSE,
        acting=str(event.initiative), board=event.board,
    )  # fmt: skip
    marked = [(id, ship) for id, ship in state.ships.items() if ship.initiative or ship.markers]
    return {
        ("battle", "now"): begun, **{("ships", id): replace(ship, initiative="", markers=Map()) for id, ship in marked},
    }  # fmt: skip


@CHAPTER.rule(BattleEnd)
def battle_end(case: AnyCase, command: BattleEnd) -> None:
    """The GM ends it: points and victory are counted, unless it never began (B6, TL-11.1.1)."""
    battle = r03_time.battle_on(case)
    if battle.phase != SETUP:
        case.follow(r20_victory.Outcome())
    case.follow(BattleClose())


@CHAPTER.rule(BattleClose)
def battle_close(case: AnyCase, command: BattleClose) -> None:
    """Over in the round it stands at; the board stays as it is, to be looked at."""
    battle = r03_time.battle_on(case)
    case.emit(BattleEnded(battle.name, battle.round), "TL-3.1")
    case.result(rounds=battle.round)


@CHAPTER.effect(BattleEnded)
def battle_ended(state: Board, event: BattleEnded) -> Rows:
    """Nobody acts any more."""
    battle = state.battle
    assert battle is not None
    return {("battle", "now"): replace(battle, phase=OVER, acting=None, firing=None)}


@CHAPTER.rule(BoardClear)
def board_clear(case: AnyCase, command: BoardClear) -> None:
    """Only while no battle is fought."""
    battle = case.state.battle
    if battle and battle.phase not in (SETUP, OVER):
        case.forbid("wrong-phase", "TL-3.1", key="clear-in-battle", name=battle.name)
    case.emit(BoardCleared(), "TL-3.1")


@CHAPTER.effect(BoardCleared)
def board_cleared(state: Board, event: BoardCleared) -> Rows:
    """Ships stand nowhere, missiles and terrain are gone."""
    rows: Rows = {("ships", id): replace(ship, at=None, facing=None) for id, ship in state.ships.items() if ship.at}
    rows |= {("missiles", id): None for id in state.missiles}
    return rows | {("terrain", id): None for id in state.terrain}
