"""What the stamps of lines say about time: how long something took, and whether the clock was set back meanwhile.

The order of things is the journal's alone. A stamp is the time of the table's clock with its offset; a clock may be
wrong, set right in between, or in another zone, so a difference may be unknown and is never told below zero.
"""

from collections.abc import Iterable
from datetime import datetime, timedelta
from itertools import pairwise

SECOND = timedelta(seconds=1)


def seconds(earlier: str, later: str) -> int | None:
    """Whole seconds from one stamp to another, below 0 where the clock was set back between them.

    None where it cannot be said: a stamp without an offset, of a year beyond 9999, or no stamp at all.
    """
    try:
        one, other = datetime.fromisoformat(earlier), datetime.fromisoformat(later)
        return None if one.tzinfo is None or other.tzinfo is None else (other - one) // SECOND
    except (ValueError, OverflowError):
        return None


def set_back(stamps: Iterable[str]) -> bool:
    """Whether any stamp is of an earlier moment than the one before it, whatever the zones."""
    return any((seconds(one, other) or 0) < 0 for one, other in pairwise(stamps))


def minutes(started: str, ended: str | None, changed: bool = False) -> int | None:
    """Whole minutes from start to end; None while it goes on, where the clock was set back, or nothing can be said."""
    took = None if ended is None or changed else seconds(started, ended)
    return None if took is None or took < 0 else took // 60
