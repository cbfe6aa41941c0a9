"""Widths in terminal cells.

The one documented choice: a character of ambiguous width (circled numbers, dashes, stars) counts one cell.
Combining marks and joiners count nothing, wide characters and emoji two, half-width katakana one. What a
reader sees as one character is one cluster: an emoji joined by ZWJ, with a skin tone or a flag, is never
counted twice and never cut in half.
"""

import unicodedata
from collections.abc import Iterator
from functools import lru_cache
from itertools import pairwise
from typing import Literal, NamedTuple

_ZWJ = "\u200d"
_EMOJI_STYLE = "\ufe0f"
_ROOMY_GAP = ".."
_TIGHT_GAP = "~"


class Cluster(NamedTuple):
    """What is seen as one character, and the cells it takes."""

    text: str
    cells: int


def _is_skin_tone(char: str) -> bool:
    return "\U0001f3fb" <= char <= "\U0001f3ff"


def _is_flag_letter(char: str) -> bool:
    return "\U0001f1e6" <= char <= "\U0001f1ff"


def _is_zero(char: str) -> bool:
    """Marks, invisible characters, and the later parts of a Hangul syllable written as separate letters."""
    if "\u1160" <= char <= "\u11ff" or "\ud7b0" <= char <= "\ud7ff":
        return True
    return char != "\u00ad" and unicodedata.category(char) in ("Mn", "Me", "Cf", "Cc", "Zl", "Zp", "Cs")


def _char_cells(char: str) -> int:
    if _is_zero(char):
        return 0
    if unicodedata.east_asian_width(char) in "WF":
        return 2
    # Pictures newer than this interpreter's tables are unknown to it, and wide to every terminal.
    newer = "\U0001f900" <= char <= "\U0001faff" and unicodedata.category(char) == "Cn"
    return 2 if newer else 1


def _takes_emoji_style(char: str) -> bool:
    return char in "#*\u203c\u2049\u2139" or unicodedata.category(char) in ("So", "Sm", "Nd")


def _joins(text: str, start: int, at: int) -> bool:
    """Whether the character at a place continues the cluster that begins at ``start``."""
    last, char = text[at - 1], text[at]
    if last == _ZWJ:
        return unicodedata.category(char) in ("So", "Sm", "Sk", "Cn")
    if _is_skin_tone(char):
        return unicodedata.category(text[start]) in ("So", "Cn")
    if _is_flag_letter(char):
        return at - start == 1 and _is_flag_letter(last)
    return _is_zero(char)


def _measured(text: str) -> Cluster:
    first = _char_cells(text[0])
    if len(text) == 1:
        return Cluster(text, first)
    if _is_flag_letter(text[0]) and _is_flag_letter(text[1]):
        return Cluster(text, 2)
    if _EMOJI_STYLE in text and _takes_emoji_style(text[0]):
        return Cluster(text, 2)
    return Cluster(text, first)


def clusters(text: str) -> list[Cluster]:
    """A text as what is seen: characters with their marks, emoji whole, each with its cells."""
    starts = [at for at, whole in enumerate(_starts(text)) if whole]
    return [_measured(text[start:end]) for start, end in pairwise([*starts, len(text)])]


def _starts(text: str) -> Iterator[bool]:
    """For each character whether a cluster begins there."""
    start = 0
    for at in range(len(text)):
        begins = at == 0 or not _joins(text, start, at)
        start = at if begins else start
        yield begins


@lru_cache(maxsize=8192)
def _cells(text: str) -> int:
    return sum(cluster.cells for cluster in clusters(text))


def cells(text: str) -> int:
    """How many terminal cells a text takes; control characters take none."""
    if text.isascii() and text.isprintable():
        return len(text)
    return _cells(text)


def _head(parts: list[Cluster], room: int) -> str:
    taken = ""
    for part in parts:
        if part.cells > room:
            break
        taken += part.text
        room -= part.cells
    return taken


def _tail(parts: list[Cluster], room: int) -> str:
    return "".join(reversed([part.text for part in _taken_back(parts, room)]))


def _taken_back(parts: list[Cluster], room: int) -> list[Cluster]:
    taken: list[Cluster] = []
    for part in reversed(parts):
        if part.cells > room:
            break
        taken.append(part)
        room -= part.cells
    return taken


def fit(text: str, n: int) -> str:
    """The text in at most ``n`` cells.

    What is too long loses its middle: two names that differ only at an end stay apart. The gap shows as two
    dots (``~`` where room is short). The tail gets the odd cell, since numbers stand there.
    """
    if cells(text) <= n:
        return text
    parts = clusters(text)
    if n < 3:
        return _head(parts, n)
    gap = _ROOMY_GAP if n >= 8 else _TIGHT_GAP
    room = n - len(gap)
    head = _head(parts, room // 2)
    return head + gap + _tail(parts, room - cells(head))


def pad(text: str, n: int, align: Literal["left", "right"] = "left") -> str:
    """The text with blanks to fill ``n`` cells; a longer one is left as it is."""
    blanks = " " * (n - cells(text))
    return text + blanks if align == "left" else blanks + text
