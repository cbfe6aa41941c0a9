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
_STOPS = "、。，．」』）】〕：；／！？"
_KATAKANA = r"\u30a1-\u30ff\uff66-\uff9f"
_OTHERS = r"\u3005-\u30a0\u3400-\u9fff\uf900-\ufaff"


@cache
def _pieces() -> re.Pattern[str]:
    word = f"[{_KATAKANA}]+[0-9]*|[{_OTHERS}]|[^\\s{_KATAKANA}{_OTHERS}{_OPENING}{_STOPS}]+"
    return re.compile(f"\\s+|[{_OPENING}]*(?:{word})[{_CLOSING}]*|[{_OPENING}]+|[{_CLOSING}]+")


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

    A line never breaks inside a field, unless the field alone is wider than the room: it is wrapped as text is.
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
        if taken > room.width:
            *full, line = _wrapped(field, room, start, further)
            lines += full
            taken = cells_of(line)
    return [*lines, line] if line else lines


def _wrapped(field: Styled, room: Room, indent: int, hang: int) -> list[Styled]:
    """A field broken as running text is, each piece in its own style; whole where breaking it would not do."""
    text, lines, at = plain(field), [], 0
    broken = wrap(text, room, indent, hang)
    if len(field) > 1 and any(cells_of(line) > room.width for line in broken):
        return [[Span(" " * indent), *field]]
    for start, part in broken:
        at = text.index(part.text, at)
        lines.append([start, *_cut(field, at, at + len(part.text))])
        at += len(part.text)
    return lines


def _cut(field: Styled, start: int, end: int) -> Styled:
    """What stands in a field between two places."""
    found, at = [], 0
    for text, style in field:
        piece = text[max(start - at, 0) : max(end - at, 0)]
        found += [Span(piece, style)] if piece else []
        at += len(text)
    return found


def trimmed(line: Styled) -> Styled:
    """The line without the blanks at its end."""
    kept = list(line)
    while kept and not kept[-1].text.strip(" "):
        kept.pop()
    return [*kept[:-1], kept[-1]._replace(text=kept[-1].text.rstrip(" "))] if kept else []


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
