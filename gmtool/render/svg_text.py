"""Text in a picture: how broad it comes out, made shorter where it must be, escaped always.

Nobody knows which font a picture will be shown in. Breadths are those of a plain one, a little generous, in sizes of
its letters.
"""

import re

from gmtool.text.width import clusters

_UNFIT = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_ENTITIES = {"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;"}
_BREADTHS = {
    **dict.fromkeys("iljI.,:;'|!", 0.29), **dict.fromkeys("ftr()[]{}-/\" ", 0.37), **dict.fromkeys("mwMW@%", 0.9),
    **dict.fromkeys("ABCDEFGHJKLNOPQRSTUVXYZ&", 0.66),
}  # fmt: skip
_LETTER, _CELL, _BOLD = 0.57, 0.52, 1.07


def escaped(text: str) -> str:
    """Text for a picture: signs that mean something there by name, what no picture may hold by a stand-in."""
    return "".join(_ENTITIES.get(char, char) for char in _UNFIT.sub("\ufffd", text))


def haloed(kind: str, place: str, text: str) -> str:
    """A text upon a rim of its own, to be read on any ground: written twice, which every viewer can show."""
    whole = escaped(text)
    return f'<text class="{kind} rim" {place}>{whole}</text><text class="{kind}" {place}>{whole}</text>'


def breadth(text: str, bold: bool = False) -> float:
    """How broad a text is, in sizes of its letters."""
    found = sum(_BREADTHS.get(text, _LETTER if cells == 1 else cells * _CELL) for text, cells in clusters(text))
    return found * (_BOLD if bold else 1)


def shortened(text: str, room: float, bold: bool = False) -> str:
    """The text in so much room: of a longer one the beginning, and the number at its end, by which it is told."""
    if breadth(text, bold) <= room:
        return text
    number = re.search(r"[^0-9]?[0-9]{1,3}\Z", text)
    tail = number.group() if number else ""
    head = [cluster.text for cluster in clusters(text.removesuffix(tail))]
    while head and breadth("".join(head) + "." + tail, bold) > room:
        head.pop()
    return f"{''.join(head).rstrip()}…{tail}"


def sized(text: str, room: float, size: float, least: float) -> tuple[str, float]:
    """A text and the size of its letters: smaller where it is long, and shortened where that is not enough."""
    fitting = min(size, room / max(breadth(text), 0.1))
    return (text, fitting) if fitting >= least else (shortened(text, room / least), least)
