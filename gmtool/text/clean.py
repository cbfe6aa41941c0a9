"""Making data fit to be seen.

Names, notes and whatever else people or files bring may hold characters that move the cursor, turn the
direction of writing or cannot be seen at all. On the way out they are shown by number (``<U+001B>``); on the
way in, in names and notes, they are refused.

Refusals (all exit 2, code ``bad-value``):
- ``control-character``: what (word), value, character (``U+001B``)
- ``name-length``: value (shortened), cells, limit
- ``name-marks``: value (shortened), length, limit
- ``name-empty``: limit
- ``note-length``, ``reason-length``: length, limit
"""

import re
import unicodedata

from gmtool.kernel.refusal import Refused, Word
from gmtool.text.width import cells, fit

NAME_CELLS = 80
NAME_CHARACTERS = 500
"""So many for a name of 80 cells: enough for families of emoji, not for stacks of marks."""
NOTE_CHARACTERS = 2000

_SHOWN_VALUE = 40
_SUSPECT = re.compile(
    "[\x00-\x1f\x7f-\x9f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb"
    "\ud800-\udfff\U000e0000-\U000e007f]"
)
_JOINERS = "\u200c\u200d"
_EMOJI_EXTRAS = "\ufe0f\U0001f3fb\U0001f3fc\U0001f3fd\U0001f3fe\U0001f3ff"
# The flags of England, Scotland and Wales: a black flag, the letters of the region, the end.
_REGION_FLAG = re.compile("\U0001f3f4[\U000e0030-\U000e0039\U000e0061-\U000e007a]{3,6}\U000e007f")
# Letters that are drawn as nothing.
_EMPTY_LETTERS = "\u115f\u1160\u2800\u3164\uffa0"
_VIRAMA = 9


def _is_picture(char: str) -> bool:
    return unicodedata.category(char) in ("So", "Sm", "Sk", "Cn")


def _joins_rightly(text: str, at: int) -> bool:
    """Whether a joiner stands where writing needs it: inside an emoji, or in Indic and Arabic words."""
    if at + 1 >= len(text):
        return False
    before = at - 1
    while text[at] == "\u200d" and before >= 0 and text[before] in _EMOJI_EXTRAS:
        before -= 1
    if before >= 0 and text[at] == "\u200d" and _is_picture(text[before]) and _is_picture(text[at + 1]):
        return True
    last = text[at - 1] if at else " "
    return unicodedata.combining(last) == _VIRAMA or unicodedata.bidirectional(last) == "AL"


def _hidden(text: str) -> list[int]:
    """The places of the characters that must not reach a screen."""
    flags = {at for match in _REGION_FLAG.finditer(text) for at in range(match.start() + 1, match.end())}
    return [
        match.start()
        for match in _SUSPECT.finditer(text)
        if match.start() not in flags and not (match.group() in _JOINERS and _joins_rightly(text, match.start()))
    ]


def number_of(char: str) -> str:
    """A character by its number, as ``U+001B``."""
    return f"U+{ord(char):04X}"


def printable(text: str) -> str:
    """The text with every control, direction mark, lone surrogate or invisible character shown as ``<U+001B>``."""
    if text.isprintable():
        return text
    places = set(_hidden(text))
    if not places:
        return text
    return "".join(f"<{number_of(char)}>" if at in places else char for at, char in enumerate(text))


def refuse_controls(text: str, what: str) -> str:
    """The text itself, or a refusal that shows the first character that cannot stand in a ``what`` (name, note)."""
    for at in [] if text.isprintable() else _hidden(text):
        shown = fit(printable(text), _SHOWN_VALUE)
        facts = {"what": Word(what), "value": shown, "character": number_of(text[at])}
        raise Refused("bad-value", key="control-character", exit=2, facts=facts)
    return text


def name_limits(text: str) -> str:
    """A name as it will be kept, blanks at its ends removed: 1 to 80 cells, something to see, no controls."""
    refuse_controls(text, "name")
    name = text.strip()
    if not name.strip(_EMPTY_LETTERS + " "):
        raise Refused("bad-value", key="name-empty", exit=2, facts={"limit": NAME_CELLS})
    if cells(name) > NAME_CELLS:
        facts = {"value": fit(name, _SHOWN_VALUE), "cells": cells(name), "limit": NAME_CELLS}
        raise Refused("bad-value", key="name-length", exit=2, facts=facts)
    if len(name) > NAME_CHARACTERS:
        facts = {"value": fit(name[:_SHOWN_VALUE], _SHOWN_VALUE), "length": len(name), "limit": NAME_CHARACTERS}
        raise Refused("bad-value", key="name-marks", exit=2, facts=facts)
    return name


def note_limits(text: str) -> str:
    """A note as it will be kept: up to 2,000 characters, no controls."""
    refuse_controls(text, "note")
    if not text.strip(_EMPTY_LETTERS + " "):
        raise Refused("usage", key="missing-word", exit=2, facts={"argument": [Word("text")], "n": 1})
    if len(text) > NOTE_CHARACTERS:
        raise Refused("bad-value", key="note-length", exit=2, facts={"length": len(text), "limit": NOTE_CHARACTERS})
    return text


def reason_limits(text: str) -> str:
    """A reason as it will be kept: up to 2,000 characters, no controls."""
    refuse_controls(text, "reason")
    if len(text) > NOTE_CHARACTERS:
        raise Refused("bad-value", key="reason-length", exit=2, facts={"length": len(text), "limit": NOTE_CHARACTERS})
    return text
