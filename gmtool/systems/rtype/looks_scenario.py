"""Verbs that only show scenarios."""

from collections.abc import Callable, Mapping
from typing import Annotated, Any, NamedTuple

from gmtool.kernel.fold import fold
from gmtool.kernel.view import Block, Cell, Column, Grid, Line, Name, Say, View, Word
from gmtool.kernel.words import Arg, names_of
from gmtool.systems.rtype.book import Book
from gmtool.systems.rtype.model import Board, goal
from gmtool.systems.rtype.words import SCENARIO


class ScenarioList(NamedTuple):
    """The scenarios that can be started."""


class ScenarioShow(NamedTuple):
    """A scenario: its brief, its map, the units of each side."""

    scenario: Annotated[str, Arg(SCENARIO)]


_UNITS = (Column("unit"), Column("pilot"), Column("at"), Column("acted"))


def scenarios(state: Board, book: Book) -> tuple[View, dict[str, Any]]:
    """A line for each scenario."""
    found = {id: book.scenario(id) for id, _ in book.scenario_names()}
    lines = [Line(Say("view.scenario.row", _facts(id, row))) for id, row in found.items()]
    return View(tuple(lines) or (Line(Say("view.scenario.none"), "dim"),)), {"scenarios": list(found)}


def _facts(id: str, row: Mapping[str, Any]) -> dict[str, Any]:
    return {"id": id, "scenario": Name(id), "map": Name(row["map"]), "n": len(row["unit"])}


def scenario(state: Board, book: Book, id: str) -> tuple[View, dict[str, Any]]:
    """What the players are told, and who is there; with a side's eyes its own units only."""
    row = book.scenario(id)
    blocks: list[Block] = [Line(Say("view.scenario.head", _facts(id, row)), "head")]
    if row.get("brief"):
        blocks.append(Line(Say("view.scenario.brief", {"text": Name(f"{id}/brief")})))
    sides = [side for side in row["side"] if not state.eyes or _is_eyes(state, side)]
    for side in sides:
        blocks.append(Line(_side(row, side), "head"))
        rows = [_unit(row, unit) for unit in row["unit"] if unit["side"] == side["id"]]
        blocks.append(Grid(None, _UNITS, tuple(rows)))
    return View(tuple(blocks)), {"scenario": dict(row) if not state.eyes else _told(row, sides)}


def _is_eyes(state: Board, side: Mapping[str, Any]) -> bool:
    """Whether a side of the scenario is the one that looks on: by its name."""
    own = fold(state.sides[state.eyes].name)
    return own in {fold(name) for name in names_of(side["name"])}


def _told(row: Mapping[str, Any], sides: list[Mapping[str, Any]]) -> dict[str, Any]:
    """The scenario without the others' sides, pilots and units."""
    own = {side["id"] for side in sides}
    units = [unit for unit in row["unit"] if unit["side"] in own]
    flying = {unit.get("pilot") for unit in units}
    pilots = [pilot for pilot in row["pilot"] if pilot["id"] in flying]
    return {**row, "side": sides, "pilot": pilots, "unit": units}


def _side(row: Mapping[str, Any], side: Mapping[str, Any]) -> Say:
    """A side and what it wins by, named by where they stand in the scenario."""
    facts: dict[str, Any] = {"side": Name(f"{row['id']}/side/{side['id']}")}
    if not side.get("victory"):
        return Say("view.scenario.side", facts)
    kind, named = goal(next(iter(side["victory"].values())))
    if named and kind == "destroyed":
        unit = next(each for each in row["unit"] if each["id"] == named)
        return Say("view.scenario.side-destroyed", {**facts, "what": _name(row, unit)})
    facts["what"] = Word(kind) if kind and not named else Name(f"{row['id']}/victory/{side['id']}")
    return Say("view.scenario.side-facility" if named else "view.scenario.side-victory", facts)


def _unit(row: Mapping[str, Any], unit: Mapping[str, Any]) -> tuple[Cell, ...]:
    """A unit with its pilot, its hex or ship."""
    ship = next((each for each in row["unit"] if each["id"] == unit.get("aboard")), None)
    where = Say("view.scenario.aboard", {"ship": _name(row, ship)}) if ship else unit.get("at") or ""
    pilot = Name(f"{row['id']}/pilot/{unit['pilot']}") if unit.get("pilot") else None
    note = Say("view.note.flagship") if unit["flagship"] else ""
    return Cell(_name(row, unit)), Cell(pilot), Cell(where), Cell(note)


def _name(row: Mapping[str, Any], unit: Mapping[str, Any]) -> Name | Say:
    """A unit's own name, or its sheet's: numbered as it will be called, the first one without."""
    if unit.get("name"):
        return Name(f"{row['id']}/unit/{unit['id']}")
    alike = [each["id"] for each in row["unit"] if each["sheet"] == unit["sheet"] and not each.get("name")]
    n = alike.index(unit["id"]) + 1
    return Say("view.scenario.numbered", {"name": Name(unit["sheet"]), "n": n}) if n > 1 else Name(unit["sheet"])


LOOKS: dict[type[Any], Callable[..., tuple[View, dict[str, Any]]]] = {
    ScenarioList: lambda state, book, command: scenarios(state, book),
    ScenarioShow: lambda state, book, command: scenario(state, book, command.scenario),
}
