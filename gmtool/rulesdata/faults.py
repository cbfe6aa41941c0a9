"""The ways a rules file can be wrong: one refusal code, ``rules-file``, and a sentence key for each way."""

from collections.abc import Mapping, Sequence
from typing import Any

from gmtool.kernel.refusal import Refused, Word

SENTENCES: Mapping[str, frozenset[str]] = {
    "data-no-folder": frozenset({"file"}),
    "data-unreadable": frozenset({"file", "problem"}),
    "data-too-big": frozenset({"file", "limit"}),
    "data-not-utf8": frozenset({"file", "byte", "line"}),
    "data-syntax": frozenset({"file", "problem", "line"}),
    "data-duplicate-key": frozenset({"file", "key", "line", "first"}),
    "data-format": frozenset({"file", "key", "found", "format", "line"}),
    "data-unknown-key": frozenset({"file", "key", "word", "near", "line", "more"}),
    "data-unknown-key-far": frozenset({"file", "key", "word", "known", "line", "more"}),
    "data-missing-key": frozenset({"file", "key", "line", "more"}),
    "data-wrong-kind": frozenset({"file", "key", "expected", "found", "line", "more"}),
    "data-out-of-range": frozenset({"file", "key", "value", "low", "high", "line", "more"}),
    "data-not-one-of": frozenset({"file", "key", "found", "known", "line", "more"}),
    "data-not-one-of-near": frozenset({"file", "key", "found", "near", "known", "line", "more"}),
    "data-unknown-id": frozenset({"file", "key", "found", "known", "line", "more"}),
    "data-unknown-id-near": frozenset({"file", "key", "found", "near", "line", "more"}),
    "data-duplicate-id": frozenset({"file", "key", "id", "first", "line", "more"}),
    "data-both": frozenset({"file", "key", "one", "other", "line", "more"}),
    "data-neither": frozenset({"file", "key", "one", "other", "line", "more"}),
    "data-not-with": frozenset({"file", "key", "other", "line", "more"}),
    "data-twice": frozenset({"file", "key", "found", "line", "more"}),
    "data-wrong-order": frozenset({"file", "key", "found", "line", "more"}),
    "data-empty": frozenset({"file", "key", "line", "more"}),
    "data-too-few": frozenset({"file", "key", "least", "line", "more"}),
    "data-too-long": frozenset({"file", "key", "cells", "high", "line", "more"}),
    "data-off-the-map": frozenset({"file", "key", "found", "columns", "rows", "line", "more"}),
    "data-reserved": frozenset({"file", "key", "found", "line", "more"}),
}
"""Every sentence (``refusal.<key>``) with the facts it can use.

``file`` folder and file; ``key`` dotted, entries by their id (``craft.kestrel.fuel``); ``line`` counted from 1, 0 if
unknown; ``more`` how many further problems the file has; ``expected`` a word of ``EXPECTED``; ``known`` a list of
what is allowed there; ``near`` the one most likely meant; ``found`` and ``value`` as written in the file; ``problem``
the system's or the parser's own words. ``first`` is where a double key or id stands first: the line of a key; file and
line of an id, ``rules/own.toml:12``.
"""

EXPECTED = frozenset(
    {
        "data-number",
        "data-text",
        "data-yes-or-no",
        "data-list",
        "data-tables",
        "data-table",
        "data-pair",
        "data-hex",
        "data-id",
        "data-name",
        "data-rule",
        "data-dice",
        "data-damage",
        "data-figure",
    }
)
"""The words (``word.<value>``) for what was expected in place of something of the wrong kind."""

_SHOWN = 60


def refused(sentence: str, file: str, /, **facts: Any) -> Refused:
    """The refusal for a sentence of ``SENTENCES``; ``expected`` is made a word of the catalogue."""
    if "expected" in facts:
        facts["expected"] = Word(facts["expected"])
    return Refused("rules-file", key=sentence, exit=3, facts={"file": file, **facts})


def as_written(value: object) -> str:
    """A value much as it stands in a TOML file, cut where it gets long."""
    if isinstance(value, bool):
        text = "true" if value else "false"
    elif isinstance(value, int) and value.bit_length() > 128:
        text = hex(value)  # Python refuses to write very long numbers in decimal
    elif isinstance(value, str):
        text = f'"{value}"'
    elif isinstance(value, Mapping):
        text = "{ " + ", ".join(f"{key} = {as_written(item)}" for key, item in value.items()) + " }"
    elif isinstance(value, list | tuple):
        text = "[" + ", ".join(map(as_written, value)) + "]"
    else:
        text = str(value)
    return text if len(text) <= _SHOWN else text[: _SHOWN - 3] + "..."


def nearest(word: str, known: Sequence[str]) -> str:
    """The known word most likely meant, or nothing."""
    from difflib import get_close_matches

    close = get_close_matches(word.lower(), known, 1, 0.6)
    return close[0] if close else ""
