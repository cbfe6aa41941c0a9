"""Faces as they are typed: in a row, named by roll, or not there yet."""

import re
from typing import NamedTuple

from gmtool.kernel.fold import half_width
from gmtool.kernel.refusal import Refused

_FACE = re.compile(r"(?:=?\d+|[_?-]{1,2})[,、､]*|[,、､/]")


class Token(NamedTuple):
    """A face as it was typed, or as the tool rolled it for an ask."""

    text: str
    source: str = "entered"


Row = tuple[Token, ...]
Named = tuple[tuple[str, Row], ...]
GAPS = frozenset({"_", "__", "?", "??", "-"})
"""What stands in a row for a die that cannot be read yet, since it fell off the table: it is asked for on its own."""
COMMAS = str.maketrans(",\u3001\uff64", "   ")
"""Commas are for the eye, the Japanese ones too."""


def read_dice(text: str, source: str = "entered") -> tuple[Row, Named]:
    """``"attack: 92 15 / evade gains: 33"`` -> (faces in a row, faces named by roll); full width is read as half."""
    loose: list[Token] = []
    named: list[tuple[str, Row]] = []
    for part in half_width(text).split("/"):
        label, colon, rest = part.rpartition(":")
        tokens = tuple(Token(word, source) for word in rest.translate(COMMAS).split())
        if colon and tokens and label.strip() and not any(map(str.isdigit, rest)):
            # a declaration typed where faces are asked ("counter:flak") is no group of dice
            loose.append(Token(part.strip(), source))
        elif colon:
            if not label.strip() or not tokens:
                key = "dice-no-faces" if label.strip() else "dice-no-label"
                raise Refused("bad-dice", key=key, exit=2, facts={"value": part.strip()})
            named.append((label.strip(), tokens))
        else:
            loose.extend(tokens)
    return tuple(loose), tuple(named)


def is_face(word: str) -> bool:
    """Whether a word can be nothing but a face, a die that is not there yet, or what parts them."""
    return _FACE.fullmatch(half_width(word)) is not None
