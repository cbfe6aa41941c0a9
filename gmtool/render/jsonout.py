"""JSON answers: one object, one line, readable by any JSON reader whatever names hold."""

import json
import re
from typing import Any

# Lone surrogates cannot be encoded; the others end a line or start a code for some reader or terminal.
_UNSAFE = re.compile("[\x7f-\x9f\u2028\u2029\ud800-\udfff]")


def dumps(obj: Any, *, ascii_only: bool = False) -> str:
    """``obj`` as one line of JSON without its line end; ``ascii_only`` escapes everything beyond ASCII.

    Raises ``ValueError`` for a number that is not finite: such a number is a fault of ours.
    """
    return escaped(json.dumps(obj, ensure_ascii=ascii_only, allow_nan=False))


def escaped(text: str) -> str:
    """JSON with the characters escaped that only some readers can take; they stand in its strings alone."""
    return _UNSAFE.sub(lambda found: f"\\u{ord(found[0]):04x}", text)
