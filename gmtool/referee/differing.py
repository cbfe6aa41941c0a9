"""What of a campaign differs from the game as it comes: sheets it has pinned, data of its own, readings it chose."""

from collections.abc import Sequence
from typing import NamedTuple

from gmtool.kernel.asks import Answers
from gmtool.kernel.changes import Change, diff
from gmtool.kernel.run import Ruling, judge
from gmtool.kernel.upgrade import Upgrade, keyed, outdated
from gmtool.referee.desk import Desk, load_game_data

UNSAID = ("source", "origin")
"""Keys that say whose an entry is, which is said of all of them."""


class Own(NamedTuple):
    """An entry of the campaign's own data: its table and id, what differs from the game's, whether that has none."""

    table: str
    id: str
    changes: list[Change]
    new: bool


class Chosen(NamedTuple):
    """A reading that was chosen and is not the default."""

    id: str
    default: str
    value: str


class Differences(NamedTuple):
    """All that differs: ``sheets`` by id, and those ``gone`` from the files, which stay as they were pinned."""

    sheets: dict[str, list[Change]]
    gone: list[str]
    own: list[Own]
    chosen: list[Chosen]

    def __bool__(self) -> bool:
        return any(self)


def differences(desk: Desk) -> Differences:
    """What differs, in the order of the campaign's sheets and the game's files."""
    pinned = desk.state.ids("sheets")
    gone = [id for id in pinned if desk.book.filed(id) is None]
    return Differences(sheets_that_differ(desk), gone, _own(desk), _chosen(desk))


def sheets_that_differ(desk: Desk) -> dict[str, list[Change]]:
    """The pinned sheets that the files have otherwise now, each with what would change."""
    return outdated(desk.state, desk.book) if desk.state.ids("sheets") else {}


def _own(desk: Desk) -> list[Own]:
    """The entries of the campaign's own rules folder that are not as the game has them."""
    shipped = load_game_data(desk.system, None)
    found = []
    for table, rows in desk.data.items():
        for id, row in rows.items():
            before = shipped.get(table, {}).get(id)
            changes = diff(table, id, keyed(before or {}), keyed(row), "") if before != row else []
            told = [change for change in changes if change["path"].split(".")[2:3] not in [[key] for key in UNSAID]]
            if told:
                found.append(Own(table, id, told, before is None))
    return found


def _chosen(desk: Desk) -> list[Chosen]:
    readings = desk.data.get("interpretations", {})
    return [
        Chosen(id, readings[id]["default"], value)
        for id, value in desk.row.choices.items()
        if id in readings and value != readings[id]["default"]
    ]


def preview(desk: Desk, sheets: Sequence[str]) -> Ruling:
    """What taking over these sheets (all, where none is named) would do, figures above a maximum kept; not kept."""
    command = Upgrade(tuple(sheets), "keep")
    desk.system.command("rules upgrade")
    return judge(desk.system, desk.state, desk.book, command, Answers(), desk.settings())
