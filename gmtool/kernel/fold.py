"""Reading what people type: names compared without case, width or Unicode form; whole numbers, strictly.

Full-width forms count as their half-width ones; the long-vowel mark of Japanese is never a minus, and other digits
(raised, circled, of other scripts) are refused with the character shown.

Refusals (all exit 2): ``not-a-number`` {value, character}, ``number-range`` {value, low, high}.
"""

import unicodedata

from gmtool.kernel.refusal import Refused

LIMIT = 1_000_000
_HALF = {code: code - 0xFEE0 for code in range(0xFF01, 0xFF5F)} | {0x3000: 0x20, 0x2212: 0x2D}


def half_width(text: str) -> str:
    """Full-width ASCII, the full-width blank and the minus sign as their ASCII forms; all else as it is."""
    return text if text.isascii() else text.translate(_HALF)


def fold(name: str) -> str:
    """The form in which names are compared: NFKC, case folded, blanks single."""
    if name.isascii():
        return " ".join(name.lower().split())
    return " ".join(unicodedata.normalize("NFKC", name).casefold().split())


def numeral(text: str, low: int = -LIMIT, high: int = LIMIT) -> int:
    """A whole number as typed; raises Refused for anything else and for figures out of range."""
    plain = half_width(text).strip()
    digits = plain[1:] if plain[:1] in {"+", "-"} else plain
    if not (digits.isascii() and digits.isdigit()):
        strange = next((c for c in digits if not (c.isascii() and c.isdigit())), "")
        raise Refused("bad-value", key="not-a-number", exit=2, facts={"value": text, "character": strange})
    value = int(plain) if len(digits) <= 12 else None
    if value is None or not low <= value <= high:
        raise Refused("bad-value", key="number-range", exit=2, facts={"value": text, "low": low, "high": high})
    return value
