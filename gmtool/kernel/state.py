"""State: tables of rows, read lazily from JSON and overlaid by what a running ruling has changed.

A row is a frozen dataclass whose fields are ``int``, ``str``, ``bool``, ``X | None``, ``Map`` or ``tuple[str, ...]``,
so that rows can be compared and hashed (the odds driver merges equal states) and written as plain JSON.
"""

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import fields, is_dataclass
from operator import attrgetter
from types import UnionType
from typing import Any, Generic, NamedTuple, Self, TypeVar, get_args, get_origin

from gmtool.kernel.cached import cached
from gmtool.kernel.refusal import Refused, Word

T = TypeVar("T")
V = TypeVar("V")
R = TypeVar("R")
Rows = dict[tuple[str, str], Any]


class Map(dict[str, V]):
    """A small map inside a row, never changed in place; hashable."""

    __slots__ = ("_hash",)

    def __hash__(self) -> int:  # type: ignore[override]
        # the odds driver hashes the same rows over and over
        try:
            return self._hash
        except AttributeError:
            self._hash: int = hash(frozenset(self.items()))
            return self._hash

    def put(self, key: str, value: V) -> "Map[V]":
        """The same map with one entry replaced or added."""
        changed = Map(self)
        changed[key] = value
        return changed

    def without(self, key: str) -> "Map[V]":
        """The same map without an entry, where there is one."""
        return Map({each: value for each, value in self.items() if each != key})


class Raw(dict[str, Any]):
    """A row kept as plain JSON, such as a pinned sheet; never changed in place."""

    __slots__ = ("_hash",)

    def __hash__(self) -> int:  # type: ignore[override]
        try:
            return self._hash
        except AttributeError:
            self._hash: int = hash(json.dumps(self, sort_keys=True))
            return self._hash


EXPECTED = {int: "data-number", str: "data-text", bool: "data-yes-or-no"}
"""The catalogue words for what a field should hold."""


class BadRow(ValueError):
    """A stored row is not of its shape; ``path`` is where, ``expected`` what should stand there."""

    def __init__(self, path: str, expected: str) -> None:
        super().__init__(f"{path}: expected {expected}")
        self.path, self.expected = path, expected

    def refusal(self, code: str = "bad-value", exit: int = 1) -> Refused:
        """Of the line that would have written the row; with another code of what has it already."""
        facts = {"at": self.path, "expected": Word(self.expected)}
        return Refused(code, key="bad-row", exit=exit, facts=facts)


class Shape(NamedTuple):
    """The fields of a kind of rows by name, and what reads them all at once."""

    sorted: tuple[str, ...]
    values: Callable[[Any], tuple[Any, ...]]


@cached(256)
def shape(kind: type[Any]) -> Shape | None:
    """The shape of a dataclass; None for a row kept as plain JSON."""
    if not is_dataclass(kind):
        return None
    names = tuple(sorted(field.name for field in fields(kind)))
    if len(names) < 2:
        # attrgetter hands out a single value bare
        return Shape(names, lambda row: tuple(getattr(row, name) for name in names))
    return Shape(names, attrgetter(*names))


def encode(row: Any) -> Any:
    """The JSON of a row or a value in one: maps as objects, tuples as lists."""
    if is_dataclass(row):
        return {field.name: _plain(getattr(row, field.name)) for field in fields(row)}
    return _plain(row)


def _plain(value: Any) -> Any:
    if isinstance(value, Map):
        return {key: _plain(part) for key, part in value.items()}
    if isinstance(value, dict):
        return dict(value)
    if isinstance(value, tuple):
        return [_plain(part) for part in value]
    # an id or a term is text once it is stored
    return str(value) if isinstance(value, str) else value


def replace(row: R, **fields: Any) -> R:
    """A row with some fields changed; TypeError for no such field.

    What ``dataclasses.replace`` does in half its time, and in a sixth for a dataclass without slots.
    """
    kind = type(row)
    setters = _setters(kind)
    if not fields.keys() <= setters.keys():
        raise TypeError(f"{kind.__name__} has no field {min(fields.keys() - setters.keys())}")
    new = object.__new__(kind)
    if hasattr(row, "__dict__"):
        new.__dict__.update(row.__dict__, **fields)
    else:
        for name, setter in setters.items():
            setter(new, fields[name] if name in fields else getattr(row, name))
    return new


@cached(256)
def _setters(kind: type[Any]) -> dict[str, Callable[[Any, Any], None]]:
    """The fields of a frozen dataclass, each with what writes it; without slots nothing does."""
    slots = ((field.name, getattr(kind, field.name, None)) for field in fields(kind))
    return {name: getattr(slot, "__set__", _closed) for name, slot in slots}


def _closed(row: Any, value: Any) -> None:
    raise TypeError("rows are never changed in place")


def decode(kind: type[T], data: Any, path: str = "") -> T:
    """A row of ``kind`` from its JSON; fields left out take their defaults. Raises BadRow with the path."""
    if kind is Raw:
        if not isinstance(data, dict):
            raise BadRow(path, "data-table")
        return Raw(data)  # type: ignore[return-value]
    if not isinstance(data, dict):
        raise BadRow(path, "data-table")
    known = {field.name: field.type for field in fields(kind)}  # type: ignore[arg-type]
    for key in data:
        if key not in known:
            raise BadRow(f"{path}.{key}", "data-no-field")
    try:
        return kind(**{key: _value(known[key], value, f"{path}.{key}") for key, value in data.items()})
    except TypeError:
        raise BadRow(path, "data-all-fields") from None


def _value(kind: Any, data: Any, path: str) -> Any:
    """One field's value of the annotated kind."""
    origin = get_origin(kind)
    if origin is UnionType:
        if data is None:
            return None
        return _value(next(k for k in get_args(kind) if k is not type(None)), data, path)
    if origin is tuple:
        if not isinstance(data, list) or not all(isinstance(item, str) for item in data):
            raise BadRow(path, "data-list")
        return tuple(data)
    if origin is Map:
        return _map(get_args(kind)[0], data, path)
    # bool is an int to Python; True must not pass for a figure
    if type(data) is not kind:
        raise BadRow(path, EXPECTED[kind])
    return data


def _map(kind: Any, data: Any, path: str) -> "Map[Any]":
    if not isinstance(data, dict):
        raise BadRow(path, "data-table")
    return Map({key: _value(kind, value, f"{path}.{key}") for key, value in data.items()})


class Table(Mapping[str, T], Generic[T]):
    """One table of a state, read row by row when asked for; iterates in the order of the ids.

    It looks into the state's own dicts rather than at the state, so that neither keeps the other alive.
    """

    __slots__ = ("_base", "_decoded", "_kind", "_name", "_over")

    def __init__(self, name: str, kind: type[Any], base: Mapping[str, Any], decoded: Rows, over: Rows) -> None:
        self._name, self._kind = name, kind
        self._base, self._decoded, self._over = base, decoded, over

    def __getitem__(self, id: str) -> T:
        # the rules read rows at every turn: what ``get`` does, without the call
        place = (self._name, id)
        row: T | None = self._over[place] if place in self._over else self._decoded.get(place) or self._read(place)
        if row is None:
            raise KeyError(id)
        return row

    def get(self, id: str, default: Any = None) -> Any:
        """The row, or the default where there is none."""
        place = (self._name, id)
        row = self._over[place] if place in self._over else self._decoded.get(place) or self._read(place)
        return default if row is None else row

    def _read(self, place: tuple[str, str]) -> Any:
        """The row out of the JSON beneath; remembered."""
        data = self._base.get(place[1])
        if data is None:
            return None
        row = self._decoded[place] = decode(self._kind, data, f"{place[0]}.{place[1]}")
        return row

    def __contains__(self, id: Any) -> bool:
        place = (self._name, id)
        return self._over[place] is not None if place in self._over else id in self._base

    def ids(self) -> list[str]:
        """The ids, sorted."""
        ids = set(self._base)
        for (name, id), row in self._over.items():
            if name == self._name:
                (ids.discard if row is None else ids.add)(id)
        return sorted(ids)

    def __iter__(self) -> Iterator[str]:
        return iter(self.ids())

    def __len__(self) -> int:
        return len(self.ids())


class State:
    """The state of a campaign: JSON tables beneath, decoded rows remembered, a ruling's changes on top."""

    kinds: Mapping[str, type[Any]] = {}

    def __init__(self, tables: Mapping[str, Mapping[str, Any]]) -> None:
        self._tables = tables
        self._decoded: Rows = {}
        self.over: Rows = {}
        self._made: dict[str, Table[Any]] = {}

    def fork(self) -> Self:
        """An independent state that starts from this one; costs no more than the overlay."""
        copy = object.__new__(type(self))
        copy._tables, copy._decoded, copy.over, copy._made = self._tables, self._decoded, dict(self.over), {}
        return copy

    def table(self, name: str) -> "Table[Any]":
        """A table by name; an unknown one is empty."""
        made = self._made.get(name)
        if made is None:
            base = self._tables.get(name, {})
            made = self._made[name] = Table(name, self.kinds.get(name, Raw), base, self._decoded, self.over)
        return made

    def row(self, table: str, id: str) -> Any | None:
        """The row, or None where there is none."""
        return self.table(table).get(id)

    def behind(self, id: str) -> str:
        """The id of who rolls for a thing whose row does not name him; empty where there is none."""
        return ""

    def ids(self, table: str) -> list[str]:
        """The ids of a table, sorted."""
        return self.table(table).ids()

    def put(self, rows: Mapping[tuple[str, str], Any]) -> None:
        """Lay rows over the state; None takes a row away."""
        self.over.update(rows)

    def key(self) -> frozenset[tuple[tuple[str, str], Any]]:
        """What distinguishes this state from others of the same beginning; hashable."""
        return frozenset(self.over.items())

    def settle(self, places: Mapping[tuple[str, str], Any]) -> None:
        """The rows at these places are in the JSON beneath now (or were changed there): forget what was decoded."""
        for place in places:
            self._decoded.pop(place, None)
            self.over.pop(place, None)
        # a table's first row may have come, or its last gone
        self._made.clear()
