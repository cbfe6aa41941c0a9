"""Styled lines: pieces of text with a style each, laid out by cells, before anything becomes a colour.

A line is a list of `Span`; a block is a list of lines. Data is only ever carried, never read: no markup,
no emoji codes, no highlighting.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from typing import NamedTuple, TypeAlias

from gmtool.text.width import cells


class Span(NamedTuple):
    """A piece of text in one style (``""``, ``dim``, ``good``, ``warn``, ``bad`` or ``head``)."""

    text: str
    style: str = ""


Styled: TypeAlias = list[Span]
"""One line of the screen."""

GAP = "   "
"""Between two fields of a line."""

# What Japanese text may be broken between: kana and kanji one by one, but words in katakana with their number whole.
_OPENING = "（「『【〔"
_CLOSING = "、。，．」』）】〕：；／！？ー々・ぁぃぅぇぉっゃゅょ"
_KATAKANA = r"\u30a1-\u30ff\uff66-\uff9f"
_OTHERS = r"\u3005-\u30a0\u3400-\u9fff\uf900-\ufaff"


@cache
def _pieces() -> re.Pattern[str]:
    word = f"[{_KATAKANA}]+[0-9]*|[{_OTHERS}]|[^\\s{_KATAKANA}{_OTHERS}{_OPENING}]+"
    return re.compile(f"\\s+|[{_OPENING}]*(?:{word})[{_CLOSING}]*|[{_OPENING}]+")


def _split(words: str) -> list[str]:
    """The pieces a text may be broken between, blanks among them."""
    return re.findall(r"\s+|\S+", words) if words.isascii() else _pieces().findall(words)


class Room(NamedTuple):
    """The room there is: lines break at ``width`` cells; only where ``cut`` holds may anything be left out."""

    width: int = 80
    cut: bool = False


PAGE = Room()
"""The room of a pipe or a text: 80 cells, nothing left out."""


def plain(line: Iterable[Span]) -> str:
    """The line without its styles."""
    return "".join(span.text for span in line)


def cells_of(line: Iterable[Span]) -> int:
    """How many cells the line takes."""
    return cells(plain(line))


def styled(words: str, style: str = "") -> Styled:
    """A line of one piece; no line at all of nothing."""
    return [Span(words, style)] if words else []


def ends(left: Styled, right: Styled, room: Room) -> list[Styled]:
    """``left`` and, at the right edge, ``right``: on one line if both fit, else on two."""
    free = room.width - cells_of(left) - cells_of(right)
    if left and right and free >= len(GAP):
        return [[*left, Span(" " * free), *right]]
    below = wrap(plain(right), room, 2, style=right[0].style) if right else []
    return ([left] if left else []) + below


def flow(
    fields: Iterable[Styled], room: Room, indent: int = 0, hang: int | None = None, gap: str = GAP
) -> list[Styled]:
    """Fields one after the other, going on in the next line (``hang`` cells in) where one does not fit.

    A line never breaks inside a field; a single piece that is wider than the room is wrapped at its blanks.
    """
    further = indent if hang is None else hang
    lines: list[Styled] = []
    line: Styled = []
    taken = 0
    for field in filter(None, fields):
        wide = cells_of(field)
        if line and taken + len(gap) + wide <= room.width:
            line += [Span(gap), *field]
            taken += len(gap) + wide
            continue
        lines += [line] if line else []
        start = further if lines else indent
        line, taken = [Span(" " * start), *field], start + wide
        if len(field) == 1 and taken > room.width:
            *full, line = wrap(field[0].text, room, start, further, field[0].style)
            lines += full
            taken = cells_of(line)
    return [*lines, line] if line else lines


def wrap(words: str, room: Room, indent: int = 0, hang: int | None = None, style: str = "") -> list[Styled]:
    """Running text, broken at blanks and between kana and kanji, never before a closing sign; Hangul at blanks only.

    A piece that is wider than the room stands on a line of its own, whole.
    """
    if indent + cells(words) <= room.width:
        return [[Span(" " * indent), Span(words.rstrip(), style)]]
    further = indent if hang is None else hang
    lines: list[str] = []
    line, width = "", indent
    for piece in _split(words):
        wide = cells(piece)
        if line.strip() and width + wide > room.width and not piece.isspace():
            lines.append(line.rstrip())
            line, width = "", further
        if line or not piece.isspace():
            line, width = line + piece, width + wide
    lines.append(line.rstrip())
    starts = [indent, *[further] * (len(lines) - 1)]
    return [[Span(" " * start), Span(part, style)] for start, part in zip(starts, lines, strict=True) if part]


def columns(rows: Sequence[Sequence[Styled]]) -> list[int]:
    """The width of each column over all rows, in cells."""
    count = max((len(row) for row in rows), default=0)
    return [max((cells_of(row[n]) for row in rows if n < len(row)), default=0) for n in range(count)]


def padded(field: Styled, width: int, right: bool = False) -> Styled:
    """The field filled up with blanks to ``width`` cells, on its left if it stands at the right."""
    blank = [Span(" " * (width - cells_of(field)))] if width > cells_of(field) else []
    return [*blank, *field] if right else [*field, *blank]


def joined(parts: Iterable[Styled], between: str = "  ") -> Styled:
    """Parts of one field in a row."""
    return [span for part in _between(filter(None, parts), between) for span in part]


def _between(parts: Iterable[Styled], between: str) -> Iterator[Styled]:
    for number, part in enumerate(parts):
        if number:
            yield [Span(between)]
        yield part
