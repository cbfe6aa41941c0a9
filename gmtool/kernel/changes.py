"""Changes: how one state becomes the next, as plain JSON.

State is ``tables[table][id] = row``. A change is ``{"path", "before", "after", "rule"}``: a missing ``before`` means
made, a missing ``after`` removed. Paths are ``table.id`` for a whole row and ``table.id.key…`` within it. Applying
checks what stands there first, so a change that does not belong to a state cannot quietly spoil it.

A table without rows does not exist.
"""

import re
from collections.abc import Iterable, Iterator
from typing import Any

Change = dict[str, Any]
Row = dict[str, Any]
Tables = dict[str, dict[str, Row]]

_ID = re.compile(r"[a-z0-9-]+")
_TABLE = re.compile(r"[a-z][a-z0-9_]*")
_ABSENT: Any = object()


class ChangeError(Exception):
    """A change does not fit the state; nothing was applied.

    ``why`` is one of ``differs`` (another value stands there), ``exists``, ``missing``, ``nowhere`` (the place does
    not exist) and ``bad-path`` (no path a state can have).
    """

    def __init__(self, path: str, why: str) -> None:
        super().__init__(f"{path}: {why}")
        self.path = path
        self.why = why


def apply(tables: Tables, changes: Iterable[Change]) -> None:
    """Apply the changes in order, in place. Raises ChangeError, with the tables as they were before the call."""
    done: list[Change] = []
    try:
        for change in changes:
            _apply_one(tables, change)
            done.append(change)
    except ChangeError:
        for change in reverse(done):
            _apply_one(tables, change)
        raise


def reverse(changes: Iterable[Change]) -> list[Change]:
    """The changes that take these back: last one first, before and after swapped."""
    return [_swapped(change) for change in reversed(list(changes))]


def fitting(tables: Tables, changes: Iterable[Change]) -> list[Change]:
    """Those of the changes that can be applied one after the other; the tables are left as they are.

    An undo uses it: where a later mark (a setting, say) has written over a figure, the mark stays.
    """
    fit: list[Change] = []
    for change in changes:
        try:
            _apply_one(tables, change)
        except ChangeError:
            continue
        fit.append(change)
    for change in reverse(fit):
        _apply_one(tables, change)
    return fit


def rooted(tables: Tables, changes: Iterable[Change]) -> list[Change]:
    """The changes as they can be applied to rows written before a field of theirs was there.

    Rules see the field's default. The first change of it makes the field; so undone, the row is again as it was.
    """
    found: list[Change] = []
    made: dict[str, Change] = {}
    fresh: set[tuple[str, str]] = set()
    for change in changes:
        table, id, *keys = change["path"].split(".")
        old = tables.get(table, {}).get(id)
        path = f"{table}.{id}.{keys[0]}" if keys else ""
        if not keys:
            fresh.add((table, id))
        if not keys or (table, id) in fresh or old is None or keys[0] in old:
            found.append(change)
        elif path in made:
            made[path]["after"] = _within(made[path]["after"], keys[1:], change.get("after"))
        else:
            after = _within({}, keys[1:], change.get("after"))
            made[path] = {"path": path, "after": after, "rule": change.get("rule", "")}
            found.append(made[path])
    return found


def _within(value: Any, keys: list[str], after: Any) -> Any:
    """The value with one place below it changed."""
    if not keys:
        return after
    return {**value, keys[0]: _within(value.get(keys[0], {}), keys[1:], after)}


def diff(table: str, id: str, before: Row | None, after: Row | None, rule: str) -> list[Change]:
    """What leads from one row to another: one change for each leaf, keys in order; None is a row that is not there.

    Dicts are descended into unless a key could not be part of a path (a dot in it, or empty); then the dict is one
    leaf. A key that is new or gone is one change, whatever it holds.
    """
    path = f"{table}.{id}"
    if before is None and after is None:
        return []
    if before is None:
        return [{"path": path, "after": copied(after), "rule": rule}]
    if after is None:
        return [{"path": path, "before": copied(before), "rule": rule}]
    found: list[Change] = []
    _compare(path, before, after, rule, found)
    return found


def beyond(changes: Iterable[Change], limit: int) -> tuple[str, int] | None:
    """The path of the first figure that is further from 0 than the limit after these changes, and the figure."""
    for change in changes:
        for path, value in _leaves(change.get("after"), change["path"]):
            if type(value) is int and not -limit <= value <= limit:
                return path, value
    return None


def _leaves(value: Any, path: str) -> Iterator[tuple[str, Any]]:
    if isinstance(value, dict | list):
        for key, part in value.items() if isinstance(value, dict) else enumerate(value):
            yield from _leaves(part, f"{path}.{key}")
    else:
        yield path, value


def same(one: Any, other: Any) -> bool:
    """Equality as JSON sees it: unlike Python's, ``true`` is not 1."""
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(same(value, other[key]) for key, value in one.items())
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(same, one, other))
    return type(one) is type(other) and bool(one == other)


def copied(value: Any) -> Any:
    """A copy that shares no dict or list with the original; kinds of dicts and lists become plain ones."""
    if isinstance(value, dict):
        return {key: copied(part) for key, part in value.items()}
    if isinstance(value, list):
        return [copied(part) for part in value]
    return value


def _swapped(change: Change) -> Change:
    swapped: Change = {"path": change["path"]}
    if "after" in change:
        swapped["before"] = change["after"]
    if "before" in change:
        swapped["after"] = change["before"]
    if "rule" in change:
        swapped["rule"] = change["rule"]
    return swapped


def _apply_one(tables: Tables, change: Change) -> None:
    path: str = change["path"]
    parts = path.split(".")
    makes = "before" not in change
    holder = _holder(tables, path, parts, makes)
    _check_before(path, holder.get(parts[-1], _ABSENT), change.get("before", _ABSENT))
    if "after" in change:
        if len(parts) == 2 and not isinstance(change["after"], dict):
            raise ChangeError(path, "bad-path")
        holder[parts[-1]] = copied(change["after"])
        if len(parts) == 2:
            tables[parts[0]] = holder
    else:
        holder.pop(parts[-1], None)
        if len(parts) == 2 and not holder:
            tables.pop(parts[0], None)


def _holder(tables: Tables, path: str, parts: list[str], makes: bool) -> dict[str, Any]:
    """The dict whose last key the path names; a table that does not exist yet is a new dict, not yet in its place."""
    if len(parts) < 2 or "" in parts:
        raise ChangeError(path, "bad-path")
    if makes and len(parts) == 2 and not (_TABLE.fullmatch(parts[0]) and _ID.fullmatch(parts[1])):
        raise ChangeError(path, "bad-path")
    if makes and len(parts) == 2 and parts[0] not in tables:
        return {}
    node: Any = tables
    for part in parts[:-1]:
        node = node.get(part, _ABSENT)
        if not isinstance(node, dict):
            raise ChangeError(path, "nowhere")
    holder: dict[str, Any] = node
    return holder


def _check_before(path: str, stored: Any, before: Any) -> None:
    if before is _ABSENT:
        if stored is not _ABSENT:
            raise ChangeError(path, "exists")
    elif stored is _ABSENT:
        raise ChangeError(path, "missing")
    elif not same(stored, before):
        raise ChangeError(path, "differs")


def _compare(path: str, before: Any, after: Any, rule: str, found: list[Change]) -> None:
    if isinstance(before, dict) and isinstance(after, dict) and _walkable(before) and _walkable(after):
        for key in sorted(before.keys() | after.keys()):
            place = f"{path}.{key}"
            if key not in before:
                found.append({"path": place, "after": copied(after[key]), "rule": rule})
            elif key not in after:
                found.append({"path": place, "before": copied(before[key]), "rule": rule})
            else:
                _compare(place, before[key], after[key], rule, found)
    elif not same(before, after):
        found.append({"path": path, "before": copied(before), "after": copied(after), "rule": rule})


def _walkable(value: dict[str, Any]) -> bool:
    return all(key and "." not in key for key in value)
