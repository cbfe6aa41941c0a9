"""What a ruling is judged on: the state as it stands, or as it stood before the ruling that it is put in place of."""

from typing import Any, NamedTuple

from gmtool.kernel.changes import Change, Tables, apply, copied, fitting, reverse
from gmtool.kernel.journal import own_changes
from gmtool.kernel.refusal import Refused
from gmtool.kernel.state import State
from gmtool.referee.desk import PINNED, Desk

Line = dict[str, Any]


class Ground(NamedTuple):
    """The state to judge on with its book, and the changes that lead there from the state as it stands.

    ``amends`` is the number of the line that is put aside, if one is.
    """

    state: State
    book: Any
    taken_back: list[Change]
    amends: int | None = None

    @property
    def thrown(self) -> int:
        """For how many rulings the tool had thrown by then."""
        row = self.state.row("campaign", "campaign")
        return 0 if row is None else row.thrown


def ground(desk: Desk, amends: int | None) -> Ground:
    """The state as it stands; with ``amends``, as it stood before the latest ruling, which has this number."""
    if amends is None:
        return Ground(desk.state, desk.book, [])
    line = latest(desk)
    assert line["seq"] == amends  # an open ruling counts only while the journal stands where it was begun
    tables, back = _without(desk.campaign.tables, reverse(own_changes(line)))
    state = desk.system.state(tables)
    pinned = any(change["path"].partition(".")[0] in PINNED for change in back)
    return Ground(state, desk.system.book(state, desk.data) if pinned else desk.book, back, amends)


def latest(desk: Desk) -> Line:
    """The latest ruling that stands, as it was first written; Refused where there is none."""
    line = next(desk.campaign.undoable(), None)
    found = desk.campaign.find(line.get("redoes") or line["seq"]) if line else None
    if found is None:
        raise Refused("nothing-to-amend")
    return found


def _without(tables: Tables, back: list[Change]) -> tuple[Tables, list[Change]]:
    """The tables with a ruling taken back, and the changes that do it; the tables given stay as they are.

    What a later mark has written over stays, as with an undo.
    """
    fresh: Tables = {**tables}
    for table, id, *_ in (change["path"].split(".", 2) for change in back):
        if table not in tables:
            continue
        if fresh[table] is tables[table]:
            fresh[table] = {**tables[table]}
        if id in tables[table]:
            fresh[table][id] = copied(tables[table][id])
    fit = fitting(fresh, back)
    apply(fresh, fit)
    return fresh, fit
