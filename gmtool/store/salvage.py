"""What can be saved of a damaged campaign, as a new one beside it; nothing of the damaged one is touched."""

from itertools import count
from pathlib import Path
from typing import NamedTuple

from gmtool.kernel import journal
from gmtool.kernel.changes import Change, Tables, diff
from gmtool.kernel.journal import BadLine
from gmtool.kernel.refusal import Refused
from gmtool.store import snapshot
from gmtool.store.campaign import make_folder
from gmtool.store.files import disk_refusal, now, own_rules
from gmtool.store.names import check_new, display_name
from gmtool.store.reader import BACKUPS, JOURNAL
from gmtool.store.trail import Trail, trail


class Remains(NamedTuple):
    """What is left: the lines that still follow from one another, and the state, where the snapshot stands at a later
    line (``state``, else 0).
    """

    trail: Trail
    state: int
    tables: Tables

    @property
    def anything(self) -> bool:
        """Whether there is anything to save."""
        return bool(self.trail.raws or self.state)


def remains_of(folder: Path) -> Remains:
    """What can still be read of the campaign in this folder: its journal, the second copy of it, its snapshot."""
    found = trail([folder / JOURNAL, folder / BACKUPS / JOURNAL])
    try:
        snap = snapshot.load(folder / snapshot.NAME)
    except (BadLine, Refused):
        snap = None
    if snap and snap[1].seq > found.head.seq and snap[0].get("campaign", {}).get("campaign"):
        return Remains(found, snap[1].seq, snap[0])
    return Remains(found, 0, found.tables)


def save_beside(folder: Path, left: Remains, line: str) -> Path:
    """A new campaign from what is left, in the same home under a name of its own; says where. Refused ``disk``.

    Its last line, a mark, gives it the name, and the state of a snapshot whose lines are lost.
    """
    name = _free_name(folder)
    tables = left.tables
    own = {**tables["campaign"]["campaign"], "name": name}
    wanted = {**tables, "campaign": {**tables["campaign"], "campaign": own}}
    fields = {"time": now(), "line": line, "command": {"verb": "doctor", "args": {"from": folder.name}}}
    last = journal.mark(left.trail.head, {**fields, "changes": _changes(left.trail.tables, wanted)})
    try:
        rules = own_rules(folder)
    except OSError as error:
        raise disk_refusal(error, folder / "rules") from error
    return make_folder(folder.parent, name, b"".join([*left.trail.raws, journal.encode(last)]), rules)


def _free_name(folder: Path) -> str:
    """The campaign's name with a number behind it that no other has."""
    name = display_name(folder)[:60]
    for number in count(2):
        try:
            check_new(folder.parent, f"{name} ({number})")
        except Refused as refused:
            if refused.code != "name-taken":
                raise
            continue
        return f"{name} ({number})"
    raise AssertionError


def _changes(before: Tables, after: Tables) -> list[Change]:
    """What leads from one state to another, row by row."""
    places = {(table, id) for tables in (before, after) for table, rows in tables.items() for id in rows}
    return [
        change
        for table, id in sorted(places)
        for change in diff(table, id, before.get(table, {}).get(id), after.get(table, {}).get(id), "")
    ]
