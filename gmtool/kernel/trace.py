"""The trace: what a ruling consists of, in order, as language-free JSON; kept in the journal, shown by ``why``."""

import re
from collections.abc import Sequence
from typing import Any, NamedTuple, get_args

from gmtool.kernel.asks import Face
from gmtool.kernel.cached import cached
from gmtool.kernel.laws import Law
from gmtool.kernel.refusal import Id, Word
from gmtool.kernel.state import encode


class Figured(NamedTuple):
    """A figure in its parts, as a rule worked it out; becomes an entry when the ruling is kept."""

    key: str
    who: str
    total: int
    parts: Sequence[tuple[str, int, str]]
    rule: str

    def entry(self) -> dict[str, Any]:
        """The figure as a trace entry."""
        parts = [{"key": name, "n": n, "rule": cited, **_thing(name)} for name, n, cited in self.parts]
        shown = {"t": "figure", "key": self.key, "who": {"id": self.who}, "total": self.total}
        return {**shown, "parts": parts, "rule": self.rule}


def _thing(part: str) -> dict[str, Any]:
    """Of a part called ``kind:id`` the thing that it is, which has a name of its own."""
    _, colon, id = part.partition(":")
    return {"name": {"id": id}} if colon else {}


class Thrown(NamedTuple):
    """The dice of a pool, the law that read them, and whether they may be thrown again."""

    key: str
    who: str
    rule: str
    faces: list[Face]
    law: Law
    again: bool = False

    def entry(self) -> dict[str, Any]:
        """The dice as a trace entry."""
        dice = [face.json() for face in self.faces]
        shown = {"t": "dice", "key": self.key, "who": {"id": self.who}, "rule": self.rule}
        entry = {**shown, "dice": dice, "law": self.law.told()}
        return {**entry, "again": True} if self.again else entry


class Happened(NamedTuple):
    """An event and the rule it happened by."""

    event: Any
    rule: str

    def entry(self) -> dict[str, Any]:
        """The event as a trace entry."""
        return event_entry(self.event, self.rule)


class Told(NamedTuple):
    """Anything else, ready as an entry."""

    line: dict[str, Any]

    def entry(self) -> dict[str, Any]:
        """The entry."""
        return self.line


Piece = Figured | Thrown | Happened | Told


def fact(value: Any) -> Any:
    """A value as a fact: ids and words marked as such, sequences item by item, rows as JSON, the rest as it is."""
    kind = type(value)
    if kind is int or kind is str or kind is bool or value is None:
        return value
    if kind is Id:
        return {"id": str(value)}
    if kind is Word:
        return {"word": str(value)}
    if isinstance(value, tuple | list):
        return [fact(item) for item in value]
    return encode(value)


@cached(512)
def snake(name: str) -> str:
    """``CraftLost`` -> ``craft_lost``: the key of an event's sentence."""
    return re.sub(r"(?<!^)(?=[A-Z])", "_", name).lower()


@cached(512)
def _plan(kind: type[Any]) -> tuple[str, tuple[tuple[str, str], ...]]:
    """An event type's key, and its fields, each with the mark its plain text gets: ``id``, ``word`` or none."""
    marked = ((name, _kinds(hint)) for name, hint in kind.__annotations__.items())
    fields = tuple((name, "id" if Id in kinds else "word" if Word in kinds else "") for name, kinds in marked)
    return snake(kind.__name__), fields


def _kinds(hint: Any) -> set[Any]:
    """All kinds an annotation is made of: ``tuple[Id, ...] | None`` holds Id."""
    return {hint}.union(*map(_kinds, get_args(hint)))


def event_entry(event: Any, rule: str) -> dict[str, Any]:
    """An event as a trace entry; fields annotated Id or Word are marked as such."""
    key, fields = _plan(type(event))
    facts: dict[str, Any] = {}
    for (name, mark), value in zip(fields, event, strict=True):
        kind = type(value)
        if kind is int or (kind is str and not mark):
            facts[name] = value
        elif kind is Id or (kind is str and mark == "id"):
            facts[name] = {"id": str(value)}
        else:
            facts[name] = _marked(mark, value)
    return {"t": "event", "type": key, "rule": rule, "facts": facts}


def _marked(mark: str, value: Any) -> Any:
    if mark:
        if type(value) is str:
            return {mark: value}
        if isinstance(value, tuple | list):
            return [_marked(mark, item) for item in value]
    return fact(value)


def ids_in(entry: Any) -> set[str]:
    """All ids that a piece of trace names."""
    found: set[str] = set()
    _collect(entry, found)
    return found


def _collect(entry: Any, found: set[str]) -> None:
    if isinstance(entry, list):
        for item in entry:
            _collect(item, found)
    elif isinstance(entry, dict):
        if len(entry) == 1 and isinstance(entry.get("id"), str):
            found.add(entry["id"])
        elif "t" in entry and isinstance(entry.get("facts"), dict):
            # an event may have a single field called "id", which is not the mark of one
            _collect([*entry["facts"].values(), entry.get("who")], found)
        else:
            _collect([*entry.values()], found)
