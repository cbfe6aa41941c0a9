"""Every die of a session as a table for other programs: CSV by RFC 4180, safe to be opened in a spreadsheet."""

import csv
import io
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from gmtool.text.clean import printable

_FORMULA = "=+-@\uff1d\uff0b\uff0d\uff20"
"""What makes a spreadsheet read a cell as something to be worked out; the full-width signs do in Japanese ones."""


class Rolled(NamedTuple):
    """One throw. ``who`` is the name of the unit or side it was for, ``id`` its id.

    ``sides`` and ``faces`` hold one number for each die that was read together; ``repeated`` marks a throw that an
    earlier line holds as well.
    """

    seq: int
    time: str
    session: int | None
    battle: str
    turn: str
    phase: str
    line: str
    by: str
    key: str
    id: str
    who: str
    sides: Sequence[int]
    faces: Sequence[int]
    read: int | None
    result: str
    source: str
    undone: bool
    amended: int | None
    repeated: bool


HEADS = (
    "seq", "time", "session", "battle", "turn", "phase", "line", "by", "key", "who_id", "who", "sides", "faces", "read",
    "class", "source", "undone", "amended_by", "repeated",
)  # fmt: skip


def rolls(throws: Iterable[Rolled]) -> str:
    """The table with its heads, which are the same in every language; one throw a row."""
    text = io.StringIO()
    table = csv.writer(text, lineterminator="\r\n")
    table.writerow(HEADS)
    table.writerows([_cell(value) for value in throw] for throw in throws)
    return text.getvalue()


def _cell(value: object) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int):
        return str(value)
    if isinstance(value, str):
        return _text(value)
    return " ".join(map(str, value)) if isinstance(value, Sequence) else _text(str(value))


def _text(text: str) -> str:
    """Text that stays text: with an apostrophe before what a spreadsheet would work out."""
    clean = printable(text)
    return f"'{clean}" if clean.lstrip().startswith(tuple(_FORMULA)) else clean
