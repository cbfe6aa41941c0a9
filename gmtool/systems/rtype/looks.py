"""Verbs that only show R-TYPE's data."""

from collections.abc import Callable
from dataclasses import asdict
from typing import Annotated, Any, NamedTuple

from gmtool.kernel.state import encode
from gmtool.kernel.view import Line, Say, View, Word
from gmtool.kernel.words import Arg
from gmtool.systems.rtype import views, views_sheet
from gmtool.systems.rtype.model import Board
from gmtool.systems.rtype.words import SHEET


class BattleList(NamedTuple):
    """The battle that is on, and those that are parked."""


class SheetList(NamedTuple):
    """All sheets a unit can be added from."""


class SheetShow(NamedTuple):
    """One sheet whole."""

    sheet: Annotated[str, Arg(SHEET)]


class SkillList(NamedTuple):
    """All skills a pilot can have."""


def _battles(state: Board) -> list[dict[str, Any]]:
    """Each battle under way with its id (the open one has none yet), turn, phase, and whether it is parked."""
    now = state.battle
    on = [(None, encode(now))] if now is not None and now.phase != "over" else []
    rows = [*on, *((id, row["battle"]) for id, row in state.table("parked").items())]
    return [
        {"id": id, "name": row["name"], "turn": row["turn"], "phase": row["phase"], "parked": id is not None}
        for id, row in rows
    ]


def _battle_list(state: Board) -> View:
    """A line for each battle under way; of a parked one the line that takes it up again."""
    lines = []
    for battle in _battles(state):
        facts = {"name": battle["name"], "turn": battle["turn"], "phase": Word(battle["phase"])}
        if battle["parked"]:
            lines.append(Line(Say("view.battle.parked", {**facts, "command": f"battle resume {battle['id']}"})))
        else:
            lines.append(Line(Say("view.battle.open", facts), "head"))
    return View(tuple(lines) or (Line(Say("view.battle.none"), "dim"),))


LOOKS: dict[type[Any], Callable[..., tuple[View, dict[str, Any]]]] = {
    BattleList: lambda state, book, command: (_battle_list(state), {"battles": _battles(state)}),
    SheetList: lambda state, book, command: (views.sheets(book), {"sheets": book.sheet_ids()}),
    SkillList: lambda state, book, command: (
        views_sheet.skills(book),
        {"skills": [asdict(skill) for skill in book.skills()]},
    ),
    SheetShow: lambda state, book, command: (views.sheet(book, command.sheet), {"sheet": book.json(command.sheet)}),
}
