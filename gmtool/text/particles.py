"""Korean particles that change with the sound before them.

The house rule is to write sentences without them. Where one cannot, the field names the pair:
``{unit:이/가}``. The last character decides: Hangul by its final consonant, digits as they are read aloud, the
Latin l, m and n as the consonants they nearly always are; other letters and anything else count as open.
"""

import unicodedata
from typing import NamedTuple


class Pair(NamedTuple):
    """A particle after a final consonant, and after an open syllable."""

    closed: str
    open: str


PAIRS = {
    "이/가": Pair("이", "가"),
    "은/는": Pair("은", "는"),
    "을/를": Pair("을", "를"),
    "와/과": Pair("과", "와"),
    "으로/로": Pair("으로", "로"),
}

_CLOSED_DIGITS = "013678"
_L_DIGITS = "178"
_CLOSED_LETTERS = frozenset("lmn")
_FIRST_SYLLABLE = 0xAC00
_LAST_SYLLABLE = 0xD7A3
_FINALS = 28
_FINAL_L = 8


def _ending(text: str) -> tuple[bool, bool]:
    """Whether a text ends in a consonant, and whether that is ㄹ."""
    last = unicodedata.normalize("NFC", text[-3:])[-1:]
    if last and last in _CLOSED_DIGITS:
        return True, last in _L_DIGITS
    if last and _FIRST_SYLLABLE <= ord(last) <= _LAST_SYLLABLE:
        final = (ord(last) - _FIRST_SYLLABLE) % _FINALS
        return final != 0, final == _FINAL_L
    letter = last.lower()
    return letter in _CLOSED_LETTERS, letter == "l"


def with_particle(text: str, pair: str) -> str:
    """The text followed by the fitting one of a pair, such as ``이/가``; an unknown pair adds nothing."""
    forms = PAIRS.get(pair)
    if forms is None:
        return text
    closed, ends_in_l = _ending(text)
    if pair == "으로/로" and ends_in_l:
        closed = False
    return text + (forms.closed if closed else forms.open)
