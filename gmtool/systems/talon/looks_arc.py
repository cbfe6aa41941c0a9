"""The verb that looks from a ship to a target: range, arcs, the line and what lies on it, the groups that bear."""

from collections.abc import Callable, Iterator
from typing import Annotated, Any, NamedTuple

from gmtool.kernel.fold import half_width
from gmtool.kernel.hex import Hex, distance
from gmtool.kernel.refusal import Id, Refused
from gmtool.kernel.sight import Sight, sight
from gmtool.kernel.view import Block, Cell, Column, Fields, Grid, Line, Name, Say, View
from gmtool.kernel.words import Arg, Kind, Scope, find
from gmtool.systems.talon import grid, sightlines
from gmtool.systems.talon.bars import Bar, bars
from gmtool.systems.talon.book import Book
from gmtool.systems.talon.looks_board import placed
from gmtool.systems.talon.model import Board, Ship
from gmtool.systems.talon.views_board import bar as bar_cell
from gmtool.systems.talon.views_board import shield
from gmtool.systems.talon.views_thing import arcs_of
from gmtool.systems.talon.words import HEX, SHIP, named

_COLUMNS = (Column("number", "right"), Column("weapon"), Column("arcs"), Column("bar"), Column("remark"))


def _aimed(word: str, scope: Scope) -> str:
    """A ship or missile, or a hex of the board."""
    if half_width(word)[:1] in "-0123456789" and HEX.read is not None:
        return str(HEX.read(word, scope))
    return find(word, "target", named(scope.state, "ships", "missiles"))


AIMED = Kind("target", _aimed)


class Arc(NamedTuple):
    """What lies between a ship and a target."""

    ship: Annotated[str, Arg(SHIP)]
    target: Annotated[str, Arg(AIMED)]


class Between(NamedTuple):
    """A look from a ship: the two hexes, the range, the target's arc; from the target the arc the ship is in."""

    here: Hex
    there: Hex
    range: int
    arc: str
    facing: str
    line: Sight
    barred: Hex | None
    toll: dict[str, int]


def between(state: Board, book: Book, id: str, target: str) -> Between:
    """Range, arcs and line (TL-5.3, 8.3, 17, 18). Refused: bad-value where either is not on the board, or one hex."""
    ship = placed(state, id)
    here = grid.read(ship.at or "")
    there, facing = _place(state, target)
    if here == there:
        raise Refused("bad-value", key="same-hex", rule="TL-8.2.2", facts={"unit": Id(id), "target": Id(target)})
    land = sightlines.ground(state)
    return Between(
        here, there, distance(here, there), sightlines.arc(book.reading, here, ship.facing or 0, there),
        "" if facing is None else sightlines.arc(book.reading, there, facing, here), sight(here, there),
        sightlines.bar(book.reading, land, here, there), sightlines.toll(book.reading, land, here, there),
    )  # fmt: skip


def _place(state: Board, target: str) -> tuple[Hex, int | None]:
    """Where a target is, and how it faces if it has arcs; missiles and hexes have none."""
    if target in state.ships:
        ship = placed(state, target)
        return grid.read(ship.at or ""), ship.facing
    if target in state.missiles:
        return grid.read(state.missiles[target].at), None
    return grid.read(target), None


def arc(state: Board, book: Book, command: Arc) -> tuple[View, dict[str, Any]]:
    """What the referee needs for a shot: nothing is decided here."""
    id, target = command.ship, command.target
    seen = between(state, book, id, target)
    facts: dict[str, Any] = {"unit": Name(id), "target": Name(target), "n": seen.range}
    blocks: list[Block] = [
        Line(Say("view.look.head", facts), "head"),
        Fields(tuple(_arcs(state, book, target, seen))),
    ]
    blocks += [Fields(tuple(_line(state, seen)), "bad" if seen.barred else "")]
    ship = state.ships[id]
    aimed = state.ships.get(target) or state.missiles.get(target)
    own = aimed is not None and aimed.side == ship.side
    rows = [_group(book, seen, each, own) for each in bars(book.ship_class(ship.sheet), ship)]
    return View((*blocks, *((Grid(None, _COLUMNS, tuple(rows)),) if rows else ()))), _json(state, book, ship, seen)


def _arcs(state: Board, book: Book, target: str, seen: Between) -> Iterator[Say]:
    """The arc of fire; the shield that faces, with what it has left."""
    yield Say("view.look.arc", {"target": Name(target), "arc": Say(f"view.arc.{seen.arc}")})
    row = state.ships.get(target)
    if row is None or not seen.facing:
        return
    sheet = book.ship_class(row.sheet)
    facts: dict[str, Any] = {"target": Name(target), "arc": Say(f"view.arc.{seen.facing}")}
    if sheet.shields is None:
        yield Say("view.look.no-shield", facts)
    else:
        boxes = str(shield(state, sheet, row, seen.facing).text)  # type: ignore[arg-type]
        yield Say("view.look.shield", {**facts, "boxes": boxes})


def _line(state: Board, seen: Between) -> Iterator[Say]:
    """The hexes the line crosses, those it runs between; whether it is barred, and what the die loses."""
    if seen.line.through:
        yield Say("view.look.through", {"hexes": " ".join(map(grid.label, seen.line.through))})
    pairs = [f"{grid.label(one)}|{grid.label(other)}" for one, other in seen.line.along]
    if pairs:
        yield Say("view.look.along", {"hexes": " ".join(pairs)})
    if seen.barred is not None:
        yield Say("view.look.barred", {"hex": grid.label(seen.barred), "kinds": _kinds(state, seen.barred)})
        return
    yield Say("view.look.open")
    weight = sum(seen.toll.values())
    if weight:
        yield Say(
            "view.look.toll",
            {"n": weight, "kinds": [Say(f"view.toll.{kind}", {"n": n}) for kind, n in seen.toll.items()]},
        )


def _kinds(state: Board, hex: Hex) -> list[Say]:
    return [Say(f"terrain.{kind}") for kind in sightlines.kinds_at(state, grid.label(hex))]


def _group(book: Book, seen: Between, shown: Bar, own: bool) -> tuple[Cell, ...]:
    """A group and what keeps it from firing, if anything does."""
    group = shown.group
    against = {
        "lost": shown.lost,
        "own": own,
        "arc": seen.arc not in group.arcs,
        "range": seen.range not in book.weapon(group.weapon).ranges,
        "line": seen.barred is not None,
        "bar": not shown.full,
    }
    why = next((key for key, holds in against.items() if holds), "")
    remark = Cell(Say(f"view.look.not-{why}"), "dim") if why else Cell(Say("view.look.bears"), "good")
    return Cell(shown.key), Cell(Name(group.weapon)), arcs_of(group), bar_cell(shown), remark


def _json(state: Board, book: Book, ship: Ship, seen: Between) -> dict[str, Any]:
    """The same for scripts."""
    bearing = [
        each.key for each in bars(book.ship_class(ship.sheet), ship)
        if not each.lost and seen.arc in each.group.arcs and seen.range in book.weapon(each.group.weapon).ranges
    ]  # fmt: skip
    return {
        "range": seen.range, "arc": seen.arc, "facing": seen.facing or None,
        "through": [grid.label(hex) for hex in seen.line.through],
        "along": [[grid.label(one), grid.label(other)] for one, other in seen.line.along],
        "barred": None if seen.barred is None else grid.label(seen.barred), "toll": seen.toll, "bearing": bearing,
    }  # fmt: skip


LOOKS: dict[type[Any], Callable[..., tuple[View, dict[str, Any]]]] = {Arc: arc}
