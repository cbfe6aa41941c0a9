"""Dice thrown by the tool: unforeseeable, yet the same roll asked again after an undo gives the same faces.

Each face is drawn from a keyed hash of how many rulings stand for which the tool threw and the ask's key, under a
secret the campaign got when it was made (or its seed, which makes a whole campaign repeatable). So a roll that is taken
back and asked again falls as before, whatever was set, noted or tried meanwhile; only another throw in between has its
own turn. ``fresh`` draws anew.
"""

import hashlib
import hmac
import secrets

from gmtool.kernel.asks import Roller
from gmtool.referee.desk import Desk


def roller(desk: Desk, turn: int, *, fresh: bool = False, keys: frozenset[str] | None = None) -> Roller:
    """What throws dice for this campaign in this turn of the tool's; with ``keys`` only these asks are thrown for.

    Rulings count up from 0, free rolls down from -1.
    """
    row = desk.row
    source = "rolled" if row.seed is None else "seeded"
    secret = secrets.token_bytes(16) if fresh else (row.secret if row.seed is None else f"seed {row.seed}").encode()
    if fresh:
        source = "rolled"

    def roll(key: str, sides: tuple[int, ...]) -> tuple[tuple[int, ...], str] | None:
        if keys is not None and key not in keys:
            return None
        return tuple(_draw(secret, f"{turn} {key} {place}", n) for place, n in enumerate(sides)), source

    return roll


def _draw(secret: bytes, message: str, sides: int) -> int:
    """An even draw from 0 to ``sides`` - 1: what the hash gives beyond the last whole multiple is drawn again."""
    times = 0
    limit = (1 << 64) // sides * sides
    while True:
        digest = hmac.digest(secret, f"{message} {times}".encode(), hashlib.sha256)
        value = int.from_bytes(digest[:8], "big")
        if value < limit:
            return value % sides
        times += 1
