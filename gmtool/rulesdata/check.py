"""Checking one rules file: its entries against the shapes a game declares, every fault made a refusal.

A shape is a frozen dataclass that pydantic can read. It may have ``faults()`` for what takes more than one value and
``links()`` for the entries it names. pydantic is imported here, when files are compiled, and nowhere at run time.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, fields
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, TypeAlias, get_args, get_origin
from zlib import crc32

from gmtool.kernel.refusal import Refused
from gmtool.rulesdata.faults import SENTENCES, as_written, nearest, refused
from gmtool.rulesdata.lines import line_of

if TYPE_CHECKING:
    from pydantic_core import ErrorDetails

FORMAT = 1
MANY = 1_000
"""When a file has so many faults, no more are looked for."""
Shapes = Mapping[str, type[Any]]
Path: TypeAlias = tuple[str | int, ...]


class Document(NamedTuple):
    """A rules file that has been read: the name messages use, its text, its data.

    ``whole``: tables that stand once in a file, with the file's lists that are theirs.
    """

    file: str
    text: str
    raw: Mapping[str, Any]
    whole: Mapping[str, Sequence[str]] = {}

    @property
    def tables(self) -> dict[str, Any]:
        """The data as lists of entries: what stands once is a list of one, called like the file unless it says more."""
        tables = dict(self.raw)
        for table, parts in self.whole.items():
            if isinstance(self.raw.get(table), dict):
                own = {part: tables.pop(part) for part in parts if part in tables}
                tables[table] = [{"id": self._id(table), "name": self._stem, **self.raw[table], **own}]
        return tables

    @property
    def _stem(self) -> str:
        """The file's name without its ending."""
        return self.file.rpartition("/")[2].removesuffix(".toml")

    def _id(self, table: str) -> str:
        """The file's name as an id; one that has no letter of an id gets a number that is always the same."""
        plain = re.sub(r"[^a-z0-9]+", "-", self._stem.lower()).strip("-")[:40].strip("-")
        return plain or f"{table}-{crc32(self._stem.encode()):08x}"

    def written(self, path: Path) -> Path:
        """Where in the file a path of ``tables`` stands."""
        table, *rest = path
        if not rest or not isinstance(self.raw.get(str(table)), dict):
            return path
        inner = tuple(rest[1:])
        return inner if inner and inner[0] in self.whole.get(str(table), ()) else (table, *inner)


class Problem(NamedTuple):
    """One thing wrong: where in the file, the sentence's key and its facts."""

    path: Path
    key: str
    facts: Mapping[str, Any]


def validate(document: Document, shapes: Shapes) -> dict[str, list[Any]]:
    """The entries of a file by table, as instances of their shapes; else Refused, naming the first problem."""
    _check_format(document)
    tables: dict[str, list[Any]] = {}
    problems: list[Problem] = []
    for table, entries in document.tables.items():
        if table == "format":
            continue
        if table not in shapes:
            head = next((head for head, parts in document.whole.items() if table in parts), None)
            known = ["format", *shapes]
            problems.append(Problem((head,), "data-missing-key", {}) if head else _unknown((table,), known))
        elif not isinstance(entries, list):
            problems.append(Problem((table,), "data-wrong-kind", {"expected": "data-tables", "found": entries}))
        else:
            tables[table] = list(_entries(table, entries, shapes[table], problems))
    problems += _doubles(document.tables)
    if problems:
        raise refuse(document, problems)
    return tables


def as_json(entry: Any) -> dict[str, Any]:
    """An entry as plain data, its defaults written out; what it has not got is left away."""
    return asdict(entry, dict_factory=lambda items: {key: value for key, value in items if value is not None})


def refuse(document: Document, problems: Sequence[Problem]) -> Refused:
    """The refusal for the first problem; ``more`` counts the others.

    A misspelt key comes before everything else: it is often why another one seems to be missing.
    """
    first = min(problems, key=lambda problem: not problem.key.startswith("data-unknown-key"))
    path = document.written(first.path)
    place = {"key": dotted(document.raw, path), "line": line_of(document.text, path)}
    facts = {key: _fact(document, key, value) for key, value in first.facts.items()}
    key = first.key
    if key == "data-unknown-key":
        facts["near"] = nearest(facts["word"], facts["known"])
        key = key if facts["near"] else "data-unknown-key-far"
    elif f"{key}-near" in SENTENCES:
        near = nearest(str(first.facts["found"]), facts["known"])
        key, facts["near"] = (f"{key}-near", near) if near else (key, near)
    allowed = SENTENCES[key]
    every = {**place, **facts, "more": len(problems) - 1}
    return refused(key, document.file, **{name: fact for name, fact in every.items() if name in allowed})


def dotted(raw: Any, path: Path) -> str:
    """A path in dots, entries of a list by their id where they have one, else counted from 1."""
    words: list[str] = []
    for step in path:
        try:
            raw = raw[step]
        except (KeyError, IndexError, TypeError):
            raw = None
        named = isinstance(raw, dict) and isinstance(raw.get("id"), str)
        words.append(step if isinstance(step, str) else raw["id"] if named else str(step + 1))
    return ".".join(words)


def _fact(document: Document, key: str, value: Any) -> Any:
    if key == "first" and isinstance(value, tuple):
        return f"{document.file}:{line_of(document.text, document.written(value))}"
    return as_written(value) if key in ("found", "value") else value


def _check_format(document: Document) -> None:
    found = document.raw.get("format")
    if found is None:
        raise refuse(document, [Problem(("format",), "data-missing-key", {})])
    if type(found) is not int or found != FORMAT:
        raise refuse(document, [Problem(("format",), "data-format", {"found": found, "format": FORMAT})])


def _entries(table: str, entries: Sequence[Any], shape: type[Any], problems: list[Problem]) -> Iterator[Any]:
    """The entries that fit; what is wrong with the others goes to ``problems``."""
    from pydantic import TypeAdapter, ValidationError

    adapter: TypeAdapter[Any] = TypeAdapter(shape)
    for place, raw in enumerate(entries):
        if len(problems) >= MANY:
            return
        try:
            entry = adapter.validate_python(raw)
        except ValidationError as error:
            details = error.errors(include_url=False)
            problems += (_problem((table, place), shape, detail) for detail in details[:MANY])
            continue
        problems += (Problem((table, place, *path), key, facts) for path, key, facts in _faults(entry))
        yield entry


def _faults(entry: Any) -> Iterable[tuple[Path, str, Mapping[str, Any]]]:
    faults: Iterable[tuple[Path, str, Mapping[str, Any]]] = entry.faults() if hasattr(entry, "faults") else ()
    return faults


def _problem(start: Path, shape: type[Any], detail: "ErrorDetails") -> Problem:
    """What pydantic found, in our words."""
    inner = _real_path(detail["loc"])
    path: Path = (*start, *inner)
    kind, context, found = detail["type"], detail.get("ctx", {}), detail["input"]
    if kind in ("unexpected_keyword_argument", "extra_forbidden"):
        return _unknown(path, _keys_at(shape, inner[:-1]))
    if kind == "missing" and isinstance(path[-1], str):
        return Problem(path, "data-missing-key", {})
    if kind in ("missing", "too_long"):
        pair = path[:-1] if kind == "missing" else path
        return Problem(pair, "data-wrong-kind", _wrong("data-pair", found))
    if kind == "data-out-of-range" and type(found) is int:
        limits = {"value": found, "low": context["low"], "high": context["high"]}
        return Problem(path, kind, limits)
    if kind == "literal_error":
        return Problem(path, "data-not-one-of", {"found": found, "known": _choices(shape, inner)})
    return Problem(path, "data-wrong-kind", _wrong(context.get("word") or _EXPECTED.get(kind, kind), found))


_EXPECTED = {"tuple_type": "data-list", "dataclass_type": "data-table", "dict_type": "data-table"}


def _wrong(expected: str, found: Any) -> dict[str, Any]:
    return {"expected": expected, "found": found}


def _unknown(path: Path, known: Sequence[str]) -> Problem:
    return Problem(path, "data-unknown-key", {"word": str(path[-1]), "known": list(known)})


def _real_path(loc: Sequence[str | int]) -> Path:
    """The path pydantic gives without the names of the branches it tried (``?yes``), which stand in no file."""
    return tuple(step for step in loc if step not in ("?yes", "?no"))


def _keys_at(shape: type[Any], path: Path) -> list[str]:
    """The keys that may stand at a path: those of the dataclass there, or of the mark that lists its ``keys``."""
    hint = _hint_at(shape, path)
    inner = _within(hint, lambda part: hasattr(part, "__dataclass_fields__"))
    if inner is not None:
        return list(_fields(inner))
    marked = _within(hint, lambda part: hasattr(part, "keys") and isinstance(part.keys, tuple))
    return list(marked.keys) if marked is not None else []


def _choices(shape: type[Any], path: Path) -> list[str]:
    """The words allowed at a path."""
    literal = _within(_hint_at(shape, path), _is_literal)
    return [str(word) for word in get_args(literal)]


def _is_literal(part: object) -> bool:
    return get_origin(part) == Literal


def _hint_at(shape: Any, path: Path) -> Any:
    for step in path:
        if isinstance(step, str):
            owner = _within(shape, lambda part: hasattr(part, "__dataclass_fields__"))
            shape = _fields(owner).get(step) if owner is not None else None
    return shape


def _fields(shape: Any) -> dict[str, Any]:
    """The types of a shape's fields by the keys they have in files."""
    written = getattr(shape, "__pydantic_config__", {}).get("alias_generator", str)
    return {written(field.name): field.type for field in fields(shape)}


def _within(hint: Any, wanted: Any) -> Any:
    """The first part of a type, marks included, that is wanted; None if there is none."""
    if wanted(hint):
        return hint
    parts = (*get_args(hint), *getattr(hint, "__metadata__", ()))
    return next((found for part in parts if (found := _within(part, wanted)) is not None), None)


def _doubles(value: Any, path: Path = ()) -> Iterator[Problem]:
    """Ids given twice within one list of tables, at any depth."""
    steps: Iterable[tuple[str | int, Any]] = ()
    if isinstance(value, Mapping):
        steps = value.items()
    elif isinstance(value, list):
        steps = enumerate(value)
        yield from _double_ids(value, path)
    for step, inner in steps:
        yield from _doubles(inner, (*path, step))


def _double_ids(entries: Sequence[Any], path: Path) -> Iterator[Problem]:
    seen: dict[str, int] = {}
    for place, entry in enumerate(entries):
        id = entry.get("id") if isinstance(entry, Mapping) else None
        if not isinstance(id, str):
            continue
        if id in seen:
            yield Problem((*path, place, "id"), "data-duplicate-id", {"id": id, "first": (*path, seen[id], "id")})
        seen.setdefault(id, place)
