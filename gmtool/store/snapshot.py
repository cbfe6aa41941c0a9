"""The snapshot ``campaign.json``: the whole state as TinyDB tables, and the journal position it stands at.

Every row is a document with its id in it, numbered in the order of the ids (a row's own key ``id`` is called ``_id``
there); the table ``journal``, a name no table of a state has, holds one document with the position. The snapshot is a
copy for quick opening and for people's queries, never the truth: digests of the state and of the position stand with
them, so that a file changed by hand is noticed and the journal is read instead.
"""

import json
from hashlib import blake2b
from pathlib import Path
from typing import Any

from gmtool.kernel.changes import Tables
from gmtool.kernel.journal import SUMMED, BadLine, Head, check_format, parse_json
from gmtool.rulesdata.plain import read_plain
from gmtool.store.files import disk_refusal

NAME = "campaign.json"
Documents = dict[str, dict[str, dict[str, Any]]]


def pack(tables: Tables, head: Head) -> Documents:
    """The state as TinyDB documents; equal states give equal bytes."""
    documents: Documents = {table: _documents(tables[table]) for table in sorted(tables)}
    position = {
        "format": head.format, "seq": head.seq, "offset": head.end, "hash": head.hash, "undo": head.undo,
        "redo": head.redo, "state": digest(documents),
    }  # fmt: skip
    return {**documents, "journal": {"1": {**position, "sum": digest(position)}}}


def unpack(data: Any) -> tuple[Tables, Head]:
    """The state and its position. BadLine: ``shape`` names the first thing that is wrong, ``edited``, ``newer``."""
    documents = _checked(data)
    position = documents.pop("journal")["1"]
    told = position.pop("sum", None)
    as_written = told == digest(position) or (told is None and position["format"] < SUMMED)
    if position["state"] != digest(documents) or not as_written:
        raise BadLine("edited")
    tables = {table: {row.pop("id"): _row(row) for row in rows.values()} for table, rows in documents.items()}
    return tables, Head(*(position[key] for key in ("seq", "offset", "hash", "undo", "redo", "format")))


def load(path: Path) -> tuple[Tables, Head] | None:
    """The snapshot's state and position, None when there is none. BadLine, Refused ``disk``."""
    try:
        raw = read_plain(path)
    except FileNotFoundError:
        return None
    except OSError as error:
        raise disk_refusal(error, path) from error
    return unpack(parse_json(raw))


def serialise(documents: Any) -> bytes:
    """The file's bytes: compact JSON, keys in order. ValueError or TypeError for what JSON or UTF-8 cannot hold."""
    text = json.dumps(documents, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    return text.encode("utf-8")


def _documents(rows: dict[str, dict[str, Any]]) -> dict[str, dict[str, Any]]:
    return {str(number): {"id": id, **_ordered(_document(rows[id]))} for number, id in enumerate(sorted(rows), 1)}


def _document(row: dict[str, Any]) -> dict[str, Any]:
    """The row with room for its id: ``id`` becomes ``_id``, should there be ``_id`` too, that ``__id``, and so on."""
    return {f"_{key}" if key.lstrip("_") == "id" else key: value for key, value in row.items()}


def _row(document: dict[str, Any]) -> dict[str, Any]:
    """What :func:`_document` was made from."""
    return {key[1:] if key.lstrip("_") == "id" else key: value for key, value in document.items()}


def _ordered(value: Any) -> Any:
    if type(value) is dict:
        return {key: _ordered(value[key]) for key in sorted(value)}
    return [_ordered(part) for part in value] if type(value) is list else value


def digest(document: Any) -> str:
    """What tells whether a document is as it was written."""
    return blake2b(serialise(document), digest_size=16).hexdigest()


def _checked(data: Any) -> Documents:
    if type(data) is not dict:
        raise BadLine("shape", "top level")
    for table, rows in data.items():
        if type(rows) is not dict:
            raise BadLine("shape", table)
        for number, row in rows.items():
            if type(row) is not dict or (table != "journal" and type(row.get("id")) is not str):
                raise BadLine("shape", f"{table}.{number}")
    position = data.get("journal", {}).get("1", {})
    check_format(position)
    for key, wanted in (("seq", int), ("offset", int), ("hash", str), ("state", str)):
        if type(position.get(key)) is not wanted:
            raise BadLine("shape", f"journal.1.{key}")
    for key in ("undo", "redo"):
        if key not in position:
            raise BadLine("shape", f"journal.1.{key}")
    return data
