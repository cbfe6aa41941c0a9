"""What must hold of every campaign whatever its game; read from its files, without the program where possible."""

import importlib
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tinydb import TinyDB

LIMIT = 1_000_000
PASSING = {".lock", "open.json"}
MOVING = re.compile("[\x00-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")
"""Characters that move the cursor or turn the direction of writing."""
Tables = dict[str, dict[str, dict[str, Any]]]


class Fault(Exception):
    """What does not hold."""


def held(holds: bool, what: str, *facts: Any) -> None:
    """Raise a fault unless it holds."""
    if not holds:
        raise Fault(" ".join([what, *(shortened(fact) for fact in facts)]))


def shortened(fact: Any) -> str:
    """A fact as it is told."""
    text = fact if isinstance(fact, str) else json.dumps(fact, ensure_ascii=False, default=str)
    return text if len(text) < 600 else f"{text[:600]} …"


def files(folder: Path) -> dict[str, bytes]:
    """Every file of a campaign but the lock, which is of the moment."""
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and path.name != ".lock"
    }


def written(folder: Path) -> list[dict[str, Any]]:
    """The lines of the journal."""
    return [json.loads(line) for line in (folder / "journal.jsonl").read_text(encoding="utf-8").splitlines()]


def folded(lines: list[dict[str, Any]]) -> Tables:
    """The state that the changes of these lines come to, beginning with nothing."""
    tables: Tables = {}
    for line in lines:
        for change in line["changes"]:
            *way, last = change["path"].split(".")
            place: Any = tables
            for step in way:
                place = place.setdefault(step, {}) if place is tables else place[step]
            held(place.get(last) == change.get("before"), "a change does not follow from what stood there", change)
            if "after" in change:
                place[last] = json.loads(json.dumps(change["after"]))
            else:
                del place[last]
    return {name: rows for name, rows in tables.items() if rows}


def as_text(tables: Tables) -> str:
    """A state as text that is equal for equal states."""
    return json.dumps(tables, sort_keys=True, ensure_ascii=False)


def snapshot(folder: Path) -> tuple[int, Tables]:
    """The state that TinyDB reads, and the line it stands at."""
    with TinyDB(folder / "campaign.json", access_mode="r") as db:
        state = db.tables() - {"journal"}
        tables = {name: {row["id"]: dict(row) for row in db.table(name).all()} for name in state}
    (position,) = json.loads((folder / "campaign.json").read_text(encoding="utf-8"))["journal"].values()
    for rows in tables.values():
        for row in rows.values():
            del row["id"]
            row.update({key[1:]: row.pop(key) for key in [*row] if key.lstrip("_") == "id"})
    return position["seq"], tables


def sound(tables: Tables, system: str) -> None:
    """Ids, figures and handles as they may be, then what the game's own checker in this folder says."""
    handles: dict[str, str] = {}
    for table, rows in tables.items():
        for id, row in rows.items():
            held(bool(re.fullmatch(r"[a-z0-9-]+", id)), "an id", f"{table}.{id}")
            for path, value in leaves(row, f"{table}.{id}"):
                fits = isinstance(value, str | bool | None) or (type(value) is int and -LIMIT <= value <= LIMIT)
                held(fits, "a figure", path, value)
                held(not (isinstance(value, str) and MOVING.search(value)), "a text moves what is shown", path, value)
            handle = row.get("handle")
            held(not handle or handle not in handles, "two things have one handle", handle, id, handles.get(handle, ""))
            handles |= {handle: id} if handle else {}
    try:
        own = importlib.import_module(f"tests.courses.{system}")
    except ModuleNotFoundError:
        return
    own.sound(tables)


def leaves(value: Any, path: str) -> Iterator[tuple[str, Any]]:
    """Every value in a row with its path."""
    if isinstance(value, dict | list):
        for key, part in value.items() if isinstance(value, dict) else enumerate(value):
            yield from leaves(part, f"{path}.{key}")
    else:
        yield path, value


def without(tables: Tables, rows: set[tuple[str, str]]) -> Tables:
    """A state without some rows, and without what only marks write."""
    kept = {
        name: {id: row for id, row in table.items() if (name, id) not in rows}
        for name, table in tables.items()
        if name not in ("campaign", "sessions")
    }
    return {name: table for name, table in kept.items() if table}


def of_marks(lines: list[dict[str, Any]]) -> set[tuple[str, str]]:
    """The rows that marks have written, or undo has left for one: those an undo of everything may leave as they are."""
    paths = [change["path"] for line in lines if line["kind"] == "mark" for change in line["changes"]]
    paths += [path for line in lines for path in line.get("kept", ())]
    return {(table, id) for table, id, *_ in (path.split(".") for path in paths)}
