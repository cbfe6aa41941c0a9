"""The verb that says in which impulses a ship has AP and moves, at each speed it may choose (TL-4.1, 5.4)."""

from collections.abc import Callable
from typing import Annotated, Any, NamedTuple

from gmtool.kernel.refusal import Refused
from gmtool.kernel.view import Cell, Column, Grid, Line, Name, Say, View
from gmtool.kernel.words import Arg
from gmtool.systems.talon.book import Book
from gmtool.systems.talon.marks import modifier, powerless
from gmtool.systems.talon.model import ACTIVE, OVER, POWER, Board, Ship
from gmtool.systems.talon.tables import LETTERS, ShipClass
from gmtool.systems.talon.words import SHIP

NOW = "*"
"""The sign of the row that is written."""
_COLUMNS = (
    Column("handle"), Column("unit", least=5, close=True), Column("curve"), *(Column(letter) for letter in LETTERS),
    Column("remark"),
)  # fmt: skip


class Schedule(NamedTuple):
    """The impulses with AP and with a move, of a ship or of all ships of the side whose turn it is."""

    ship: Annotated[str, Arg(SHIP)] = ""


class Row(NamedTuple):
    """A row of a curve as it would be written: what it is called for, its figures, whether it may be chosen."""

    kind: str
    power: int
    speed: int
    turn: int
    legal: bool


def rows_of(book: Book, ship: Ship) -> list[Row]:
    """The row as written, then those that may be written in the next Power Phase, the fastest first (TL-5.4.3, 9.3).

    Hull and critical modifiers are counted. Under Power Loss nothing is written anew. A speed that leaves power below 0
    may not be chosen (TL-5.4.4).
    """
    found = [Row("written", ship.power, ship.speed, ship.turn, True)]
    if "power-loss" in ship.crits:
        return found
    sheet = book.ship_class(ship.sheet)
    return [*found, *(_next(sheet, ship, row) for row in sheet.curve if abs(row[1] - ship.speed) <= 1)]


def _next(sheet: ShipClass, ship: Ship, row: tuple[int, int, int]) -> Row:
    power, speed, turn = row
    power += modifier(sheet, ship) - ship.power_minus
    turn = 0 if sheet.kind == "base" else turn + ship.turn_plus
    return Row("next", power, speed, turn, power >= 0)


def schedule(state: Board, book: Book, command: Schedule) -> tuple[View, dict[str, Any]]:
    """A ship's rows, or the rows as written of all ships of the side whose turn it is; of both before a battle."""
    ids = [command.ship] if command.ship else _whose(state)
    if not ids:
        raise Refused("bad-value", key="no-ships", rule="TL-4.1")
    told = {id: [row for row in rows_of(book, state.ships[id]) if command.ship or row.kind == "written"] for id in ids}
    cells = [_cells(state, book, id, row) for id, rows in told.items() for row in rows]
    says = [Say("view.schedule.key", {"sign": NOW})] if command.ship else []
    grid = Grid(_title(state, command), _COLUMNS, tuple(cells))
    found = {id: [_json(book, row) for row in rows] for id, rows in told.items()}
    return View((grid, *(Line(say, "dim") for say in says))), {"schedule": found}


def _title(state: Board, command: Schedule) -> Say | None:
    battle = state.battle
    if command.ship or battle is None or battle.acting is None:
        return None
    return Say("view.schedule.head", {"side": Name(battle.acting), "round": battle.round, "impulse": battle.impulse})


def _whose(state: Board) -> list[str]:
    """The ships of the acting side; where none acts, all."""
    battle = state.battle
    acting = battle.acting if battle is not None and battle.phase != OVER else None
    sides = [acting] if acting else sorted(state.sides, key=lambda side: state.sides[side].order)
    return [id for side in sides for id, ship in state.of_side(side) if ship.state == ACTIVE]


def _cells(state: Board, book: Book, id: str, row: Row) -> tuple[Cell, ...]:
    """A row from A to F: ``A`` where it has AP, ``M`` where it moves."""
    ship, battle = state.ships[id], state.battle
    here = battle.impulse if battle is not None and battle.phase not in (POWER, OVER) and row.kind == "written" else ""
    written = row.kind == "written"
    curve = f"{row.power}-{row.speed}-{row.turn}{NOW if written else ''}"
    head = (Cell(ship.handle), Cell(Name(id))) if written else (Cell(""), Cell(""))
    gives = not powerless(ship, book.reading)
    marks = (Cell(_mark(book, row, letter, gives), "head" if letter == here else "") for letter in LETTERS)
    remark = Say("view.schedule.not-legal") if not row.legal else ""
    return *head, Cell(curve, "" if row.legal else "dim"), *marks, Cell(remark, "bad")


def _mark(book: Book, row: Row, letter: str, gives: bool) -> str:
    """What a row has in an impulse; ``gives``: power brings an AP there."""
    listed = book.listed(letter)
    mark = f"{'A' * listed.count(row.power) if gives else ''}{'M' if row.speed in listed else ''}"
    return mark if row.legal and mark else "."


def _json(book: Book, row: Row) -> dict[str, Any]:
    """A row for scripts."""
    told = {"kind": row.kind, "power": row.power, "speed": row.speed, "turn": row.turn, "legal": row.legal}
    return {**told, "ap": book.impulses_of(row.power) if row.legal else "", "moves": book.impulses_of(row.speed)}


LOOKS: dict[type[Any], Callable[..., tuple[View, dict[str, Any]]]] = {Schedule: schedule}
