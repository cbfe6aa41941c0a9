"""Putting a game's checked files together: one table of entries by id, a campaign's own replacing the shipped."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from gmtool.kernel.refusal import Refused
from gmtool.rulesdata.check import Document, Problem, Shapes, as_json, refuse, validate
from gmtool.rulesdata.lines import line_of

Tables = dict[str, dict[str, dict[str, Any]]]


class Source(NamedTuple):
    """Where an entry came from: its file, its table and its place there."""

    document: Document
    table: str
    place: int
    entry: Any


def build(layers: Sequence[Sequence[Document]], shapes: Shapes) -> Tables:
    """Table -> id -> entry as JSON, in the order of the files; a later layer replaces ids of an earlier one.

    Refused: anything wrong within a file, an id in two files of one layer, a link to an entry there is not.
    """
    merged: dict[str, dict[str, Source]] = {table: {} for table in shapes}
    for layer in layers:
        for table, found in _layer(layer, shapes).items():
            merged[table] |= found
    for entries in merged.values():
        for source in entries.values():
            _check_links(source, merged)
    return {table: {id: as_json(source.entry) for id, source in entries.items()} for table, entries in merged.items()}


def _layer(documents: Sequence[Document], shapes: Shapes) -> dict[str, dict[str, Source]]:
    found: dict[str, dict[str, Source]] = {table: {} for table in shapes}
    for document in documents:
        for table, entries in validate(document, shapes).items():
            for place, entry in enumerate(entries):
                source = Source(document, table, place, entry)
                if entry.id in found[table]:
                    raise _double(source, found[table][entry.id])
                found[table][entry.id] = source
    return found


def _double(source: Source, first: Source) -> Refused:
    line = line_of(first.document.text, (first.table, first.place, "id"))
    facts = {"id": source.entry.id, "first": f"{first.document.file}:{line}"}
    return refuse(source.document, [Problem((source.table, source.place, "id"), "data-duplicate-id", facts)])


def _check_links(source: Source, merged: Mapping[str, Mapping[str, Source]]) -> None:
    """Every entry that is named must be there, in whichever file."""
    if not hasattr(source.entry, "links"):
        return
    problems = [
        Problem((source.table, source.place, *path), "data-unknown-id", {"found": id, "known": list(merged[table])})
        for path, table, id in source.entry.links()
        if id not in merged[table]
    ]
    if problems:
        raise refuse(source.document, problems)
