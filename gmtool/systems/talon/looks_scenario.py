"""Verbs that only show scenarios."""

from collections.abc import Callable, Mapping
from typing import Annotated, Any, NamedTuple

from gmtool.kernel.view import Block, Cell, Column, Grid, Line, Name, Say, View, Word
from gmtool.kernel.words import Arg
from gmtool.systems.talon.book import Book
from gmtool.systems.talon.words import SCENARIO, short


class ScenarioList(NamedTuple):
    """The scenarios that can be started."""


class ScenarioShow(NamedTuple):
    """A scenario: what it is about, the ships of each side and where they begin."""

    scenario: Annotated[str, Arg(SCENARIO)]


_SHIPS = (
    Column("scenario-ship"),
    Column("scenario-class"),
    Column("scenario-at"),
    Column("scenario-facing"),
    Column("scenario-area", drop=1),
    Column("scenario-hull", "right"),
    Column("scenario-points", "right", drop=2),
)


def scenarios(book: Book) -> tuple[View, dict[str, Any]]:
    """A line for each scenario."""
    found = {id: book.scenario(id) for id, _ in book.scenario_names()}
    lines = [Line(Say("view.scenario.row", _facts(id, row))) for id, row in found.items()]
    return View(tuple(lines) or (Line(Say("view.scenario.none"), "dim"),)), {"scenarios": list(found)}


def _facts(id: str, row: Mapping[str, Any]) -> dict[str, Any]:
    return {"id": short(id), "scenario": Name(id), "n": len(row["ship"])}


def scenario(book: Book, id: str) -> tuple[View, dict[str, Any]]:
    """What it is about, each side with its ships and points, its terrain, where all that is known from."""
    row = book.scenario(id)
    blocks: list[Block] = [Line(Say("view.scenario.head", _facts(id, row)), "head")]
    if row.get("brief"):
        blocks.append(Line(Say("view.scenario.brief", {"text": Name(f"{id}/brief")})))
    for side in row["side"]:
        blocks.append(Line(_side(book, row, side), "head"))
        rows = [_ship(book, row, n, ship) for n, ship in enumerate(row["ship"]) if ship["side"] == side["id"]]
        blocks.append(Grid(None, _SHIPS, tuple(rows)))
    for terrain in row["terrain"]:
        facts = {"kind": Word(terrain["kind"]), "hexes": list(terrain["hexes"])}
        blocks.append(Line(Say("view.scenario.terrain", facts)))
    return View((*blocks, *_end(row))), {"scenario": dict(row)}


def _side(book: Book, row: Mapping[str, Any], side: Mapping[str, Any]) -> Say:
    """A side, its points, and whether it begins with the initiative."""
    points = sum(book.ship_class(ship["sheet"]).points for ship in row["ship"] if ship["side"] == side["id"])
    key = "view.scenario.side-first" if side["initiative"] else "view.scenario.side"
    return Say(key, {"side": Name(f"{row['id']}/side/{side['id']}"), "race": Word(side["race"]), "points": points})


def _end(row: Mapping[str, Any]) -> list[Block]:
    """The last round, and the highest degree of victory, where the scenario has such."""
    lines: list[Block] = []
    if row.get("rounds"):
        lines.append(Line(Say("view.scenario.rounds", {"n": row["rounds"]})))
    if row["most"] != "crushing":
        lines.append(Line(Say("view.scenario.most", {"degree": Word(row["most"])})))
    return lines


def _ship(book: Book, row: Mapping[str, Any], n: int, ship: Mapping[str, Any]) -> tuple[Cell, ...]:
    name = ship["name"] if isinstance(ship["name"], str) else dict(ship["name"])
    sheet = book.ship_class(ship["sheet"])
    return (
        Cell(name if isinstance(name, str) else next(iter(name.values()))),
        Cell(Name(ship["sheet"])),
        Cell(ship.get("at")),
        Cell(Word(ship["facing"]) if ship.get("facing") else None),
        Cell(Name(f"{row['id']}/area/{n}") if ship.get("area") else ""),
        Cell(f"{ship['hull']}/{len(sheet.hull)}" if ship["hull"] else ""),
        Cell(sheet.points),
    )


LOOKS: dict[type[Any], Callable[..., tuple[View, dict[str, Any]]]] = {
    ScenarioList: lambda state, book, command: scenarios(book),
    ScenarioShow: lambda state, book, command: scenario(book, command.scenario),
}
