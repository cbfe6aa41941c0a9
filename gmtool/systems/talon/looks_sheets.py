"""Verbs that only show classes: all of them a line each, one whole with its weapons' tables."""

from collections.abc import Callable
from typing import Annotated, Any, NamedTuple

from gmtool.kernel.view import Block, Cell, Column, Grid, Line, Name, Say, View, Word
from gmtool.kernel.words import Arg
from gmtool.systems.talon.book import Book
from gmtool.systems.talon.model import Board
from gmtool.systems.talon.tables import ARCS, Group, ShipClass, Weapon
from gmtool.systems.talon.words import CLASS, RACE

MISS = "-"


class SheetList(NamedTuple):
    """All classes that ships can be added from, or those of a race."""

    race: Annotated[str, Arg(RACE)] = ""


class SheetShow(NamedTuple):
    """A class whole: curve, shields, hull, groups, and what its weapons do."""

    sheet: Annotated[str, Arg(CLASS)]


_CLASSES = (
    Column("sheet-id"),
    Column("sheet-name"),
    Column("sheet-row"),
    Column("sheet-shields"),
    Column("sheet-hull", "right"),
    Column("sheet-weapons", "right", drop=2),
    Column("sheet-battery", "right", drop=3),
    Column("sheet-burners", "right", drop=3),
    Column("sheet-explosion", "right", drop=4),
    Column("sheet-points", "right", drop=1),
)
_CURVE = (
    Column("sheet-power", "right"),
    Column("sheet-speed", "right"),
    Column("sheet-turn", "right"),
    Column("sheet-ap-in"),
    Column("sheet-moves-in"),
    Column("sheet-note"),
)
_GROUPS = (
    Column("sheet-group", "right"),
    Column("sheet-weapon"),
    Column("sheet-count", "right"),
    Column("sheet-arcs"),
    Column("sheet-red", "right"),
    Column("sheet-yellow", "right"),
)
_ROLLS = (
    Column("sheet-range", "right"),
    *(Column(f"sheet-roll{roll}", "right") for roll in range(1, 7)),
)


def classes(book: Book, race: str = "") -> tuple[View, dict[str, Any]]:
    """A line for each class, in the order of the files: its start, shields, hull boxes, weapons, points."""
    found = [each for each in map(book.ship_class, book.class_ids()) if not race or each.race == race]
    return View((Grid(None, _CLASSES, tuple(map(_class_row, found))),)), {"sheets": [each.id for each in found]}


def _class_row(sheet: ShipClass) -> tuple[Cell, ...]:
    row = sheet.row(sheet.start) or ()
    shields = "/".join(str(sheet.shields.get(arc, 0)) for arc in ARCS) if sheet.shields else None
    return (
        Cell(sheet.id),
        Cell(Name(sheet.id)),
        Cell("-".join(map(str, row))),
        Cell(shields),
        Cell(len(sheet.hull)),
        Cell(sum(group.count for group in sheet.groups)),
        Cell(1 if sheet.battery else ""),
        Cell(sheet.afterburners or ""),
        Cell(sheet.explosion),
        Cell(sheet.points),
    )


def sheet(book: Book, id: str) -> View:
    """A class: its rows with the impulses they act in, shields and hull, groups with their bars, its weapons."""
    row = book.ship_class(id)
    facts = {"sheet": Name(id), "code": row.code, "race": Word(row.race), "kind": Word(row.kind)}
    blocks: list[Block] = [Line(Say("view.class.head", facts), "head"), _figures(row)]
    blocks.append(Grid(Say("view.class.curve"), _CURVE, tuple(_curve_row(book, row, each) for each in row.curve)))
    if row.shields:
        columns = tuple(Column(f"sheet-{arc}", "right") for arc in ARCS)
        boxes = tuple(Cell(row.shields.get(arc, 0)) for arc in ARCS)
        blocks.append(Grid(Say("view.class.shields"), columns, (boxes,)))
    blocks.append(Line(Say("view.class.hull", {"boxes": hull(row), "n": len(row.hull)})))
    if row.critical:
        blocks.append(Line(Say("view.class.critical")))
    if row.groups:
        groups = tuple(_group_row(n, group) for n, group in enumerate(row.groups, 1))
        blocks.append(Grid(Say("view.class.groups"), _GROUPS, groups))
    for weapon in dict.fromkeys(group.weapon for group in row.groups):
        blocks += _weapon(book.weapon(weapon))
    if row.names:
        blocks.append(Line(Say("view.class.names", {"names": list(row.names)})))
    return View((*blocks, Line(Say("view.class.source", {"source": Name(f"{id}/source")}), "dim")))


def _figures(row: ShipClass) -> Grid:
    """The figures that a class has one of each: those it has not are left out."""
    figures: list[tuple[str, int]] = [("sheet-points", row.points), ("sheet-explosion", row.explosion)]
    if row.battery:
        figures.append(("sheet-battery", 1))
    if row.afterburners:
        figures.append(("sheet-burners", row.afterburners))
    if row.fighters:
        figures.append(("sheet-fighters", row.fighters))
    return Grid(None, tuple(Column(key, "right") for key, _ in figures), (tuple(Cell(n) for _, n in figures),))


def _curve_row(book: Book, sheet: ShipClass, row: tuple[int, int, int]) -> tuple[Cell, ...]:
    """A row with the impulses in which it gives an AP and in which it moves (TL-4.1)."""
    power, speed, turn = row
    note = Say("view.class.start") if speed == sheet.start else ""
    acts = (" ".join(book.impulses_of(n)) for n in (power, speed))
    return Cell(power), Cell(speed), Cell(turn), *(Cell(letters or None) for letters in acts), Cell(note)


def hull(sheet: ShipClass) -> str:
    """The modifiers of the boxes from left to right, ``*`` behind a critical one."""
    boxes = enumerate(sheet.hull, 1)
    return "  ".join(f"{modifier}{'*' if n in sheet.critical else ''}" for n, modifier in boxes)


def _group_row(n: int, group: Group) -> tuple[Cell, ...]:
    arcs = Say("view.class.arcs", {"arcs": [Word(arc) for arc in group.arcs]})
    return Cell(n), Cell(Name(group.weapon)), Cell(group.count), Cell(arcs), Cell(group.red), Cell(group.yellow)


def _weapon(weapon: Weapon) -> list[Block]:
    """The damage of each roll by range, or how a missile is launched; what a hit does besides."""
    facts: dict[str, Any] = {"weapon": Name(weapon.id), "damage": weapon.damage, "speed": weapon.speed}
    if weapon.launch:
        near, far = weapon.launch
        return [Line(Say("view.class.missile", {**facts, "range": f"{near}-{far}"}), "head")]
    key = "view.class.push" if weapon.push else "view.class.cone" if weapon.cone else "view.class.weapon"
    rows = [(Cell(int(far)), *(Cell(n or MISS) for n in rolls)) for far, rolls in sorted((weapon.rolls or {}).items())]
    return [Grid(Say(key, facts), _ROLLS, tuple(rows))]


def _shown(state: Board, book: Book, id: str) -> tuple[View, dict[str, Any]]:
    pinned = state.row("sheets", id)
    return sheet(book, id), {"sheet": dict(pinned) if pinned is not None else book.json(id)}


LOOKS: dict[type[Any], Callable[..., tuple[View, dict[str, Any]]]] = {
    SheetList: lambda state, book, command: classes(book, command.race),
    SheetShow: lambda state, book, command: _shown(state, book, command.sheet),
}
