"""One thing whole: a ship, base or squadron as its record card, a missile, a side, terrain."""

from typing import Any

from gmtool.kernel.view import Block, Cell, Column, Fields, Grid, Line, Name, Say, View, Word
from gmtool.systems.talon.bars import Bar, bars
from gmtool.systems.talon.book import Book
from gmtool.systems.talon.marks import shields_out
from gmtool.systems.talon.model import ACTIVE, Board, Ship
from gmtool.systems.talon.tables import ARCS, Group, ShipClass
from gmtool.systems.talon.views_board import (
    FULL,
    LOST,
    bar,
    facing,
    fighters,
    legend,
    missile,
    shield,
    ships,
    unusual,
)  # fmt: skip
from gmtool.systems.talon.views_moment import due_now, spooled

_GROUPS = (Column("number", "right"), Column("weapon"), Column("count", "right"), Column("arcs"), Column("red"),
           Column("yellow"), Column("bar"))  # fmt: skip
OPEN, MARKED = ".", "x"
"""A box of the hull that is open, and one that is marked; a critical one is in brackets."""


def thing(state: Board, book: Book, id: str) -> View | None:
    """A ship, missile, side or terrain whole; None for an id that is none of these."""
    for table, shown in (("ships", ship), ("missiles", missile_card), ("sides", side), ("terrain", terrain)):
        if state.row(table, id) is not None:
            return shown(state, book, id)
    return None


def side(state: Board, book: Book, id: str) -> View:
    """A side: its ships as on the board."""
    return View((ships(state, book, [id]), *legend(state, book, [id])))


def ship(state: Board, book: Book, id: str) -> View:
    """A ship's record: position, curve, shields, hull box by box, groups, what is marked on it (TL-5.1)."""
    row = state.ships[id]
    sheet = book.ship_class(row.sheet)
    facts = {"unit": Name(id), "handle": row.handle, "sheet": Name(row.sheet), "side": Name(row.side)}
    blocks: list[Block] = [Line(Say("view.card.head", facts), "head"), Fields(tuple(_standing(state, book, id, row)))]
    blocks += [curve(sheet, row), *_protected(state, sheet, row), groups(sheet, row)]
    blocks += [Fields(tuple(_fitted(state, sheet, row)))]
    says = unusual(row) + _tied(state, id, row)
    return View((*blocks, *((Fields(tuple(says), "warn" if row.crits else ""),) if says else ())))


def _standing(state: Board, book: Book, id: str, row: Ship) -> list[Say]:
    """Where it is and faces, what it has written, its counter, what it has to do now."""
    says = [] if row.state == ACTIVE else [Say("view.card.state", {"state": Word(row.state)})]
    if row.at:
        says.append(Say("view.card.at", {"hex": row.at, "facing": facing(row.facing)}))
    says.append(Say("view.card.written", {"power": row.power, "speed": row.speed, "turn": row.turn}))
    if row.counter:
        says.append(Say("view.card.counter", {"n": row.counter}))
    power, move = due_now(state, book).get(id, (False, False))
    says += [Say("view.card.ap")] if power else []
    says += [Say("view.card.move")] if move else []
    return says


def curve(sheet: ShipClass, row: Ship) -> Grid:
    """The power curve as it is printed, the row of its speed marked (TL-5.4)."""
    rows = [
        (Cell(FULL if speed == row.speed else ""), Cell(power), Cell(speed), Cell(turn))
        for power, speed, turn in sheet.curve
    ]
    columns = (Column(""), Column("power", "right"), Column("speed", "right"), Column("turn", "right"))
    return Grid(None, columns, tuple(rows))


def _protected(state: Board, sheet: ShipClass, row: Ship) -> list[Block]:
    """Shields with all their boxes, when markers come off, the hull; of a squadron each fighter."""
    if sheet.fighters is not None:
        return [Line(Say("view.card.fighters", {"fighters": fighters(sheet, row)}))]
    most = sheet.shields or {}
    columns = (Column("shields"), *(Column(f"{arc}", "right") for arc in ARCS))
    left = tuple(shield(state, sheet, row, arc) for arc in ARCS)
    rows = [
        (Cell(Say("view.card.left")), *left),
        (Cell(Say("view.card.all")), *(Cell(most.get(arc, 0)) for arc in ARCS)),
    ]
    if row.markers:
        since = (Cell(row.markers.get(arc, "")) for arc in ARCS)
        rows.append((Cell(Say("view.card.marked")), *since))
    blocks: list[Block] = [Grid(None, columns, tuple(rows)), hull(sheet, row)]
    return [*blocks, *([Line(Say("view.card.down"), "bad")] if shields_out(state, row) else ())]


def hull(sheet: ShipClass, row: Ship) -> Grid:
    """The hull from left to right: the modifier of each box, critical ones in brackets, which are marked (TL-8.4)."""
    numbers = range(1, len(sheet.hull) + 1)
    columns = (Column("hull"), *(Column("", "right", close=True) for _ in numbers))
    printed = (Cell(f"({add})" if n in sheet.critical else str(add)) for n, add in enumerate(sheet.hull, 1))
    marked = (Cell(MARKED if n <= row.hull else OPEN, "bad" if n <= row.hull else "dim") for n in numbers)
    return Grid(None, columns, ((Cell(Say("view.card.power")), *printed), (Cell(Say("view.card.marks")), *marked)))


def groups(sheet: ShipClass, row: Ship) -> Grid:
    """The weapon groups with their arcs and bars (TL-5.1, 8.1.1)."""
    return Grid(Say("view.card.groups"), _GROUPS, tuple(_group(shown) for shown in bars(sheet, row)))


def _group(shown: Bar) -> tuple[Cell, ...]:
    group = shown.group
    boxes = (_of(shown, shown.red, group.red), _of(shown, shown.yellow, group.yellow))
    return Cell(shown.key), Cell(Name(group.weapon)), Cell(group.count), arcs_of(group), *boxes, bar(shown)


def arcs_of(group: Group) -> Cell:
    """The arcs of a group."""
    return Cell(Say("view.card.arcs", {"arcs": [Say(f"column.arc-{arc}") for arc in group.arcs]}))


def _of(shown: Bar, charged: int, all: int) -> Cell:
    return Cell(LOST if shown.lost else f"{charged}/{all}" if all else "")


def _fitted(state: Board, sheet: ShipClass, row: Ship) -> list[Say]:
    """Battery, afterburners, drive, explosion, points."""
    says = [Say(f"view.card.battery-{'full' if row.battery else 'empty'}")] if sheet.battery else []
    if sheet.afterburners:
        facts = {"left": sheet.afterburners - row.burners, "all": sheet.afterburners}
        says.append(Say("view.card.burners", facts))
    if sheet.kind not in ("base", "squadron") and not row.offline:
        n = len(sheet.hull)
        says.append(Say("view.card.spooled" if spooled(state, n) else "view.card.spools", {"n": n}))
    return [*says, Say("view.card.explosion", {"n": sheet.explosion}), Say("view.card.points", {"n": sheet.points})]


def _tied(state: Board, id: str, row: Ship) -> list[Say]:
    """Where it is docked, who is docked with it, the missiles that are after it."""
    says = [Say("view.card.inside", {"other": Name(row.inside)})] if row.inside else []
    docked = [Name(other) for other, each in state.ships.items() if each.inside == id]
    says += [Say("view.card.docked", {"units": docked})] if docked else []
    after = [each.handle for _, each in state.in_flight() if each.target == id]
    return says + ([Say("view.card.hunted", {"missiles": " ".join(after)})] if after else [])


def missile_card(state: Board, book: Book, id: str) -> View:
    """A missile."""
    row = state.missiles[id]
    says: dict[str, Any] = {"unit": Name(id), "handle": row.handle, "sheet": Name(row.sheet), "side": Name(row.side)}
    return View((Line(Say("view.card.head", says), "head"), Line(missile(id, row))))


def terrain(state: Board, book: Book, id: str) -> View:
    """A counter of terrain."""
    row = state.terrain[id]
    return View((Line(Say("view.terrain", {"kind": Say(f"terrain.{row.kind}"), "hexes": row.at}), "head"),))
