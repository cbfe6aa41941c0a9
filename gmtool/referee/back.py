"""Undo and redo: any depth, across sessions, to the byte; a line is one step, whatever it caused."""

from collections.abc import Callable
from typing import Any, NamedTuple

from gmtool.referee.desk import Desk
from gmtool.referee.opened import refuse_if_open

Line = dict[str, Any]


class Back(NamedTuple):
    """What was taken back or done again: the lines as they were first done, last one first, and the changes made."""

    lines: list[Line]
    changes: list[dict[str, Any]]
    seq: int


def undo(desk: Desk, n: int, **fields: Any) -> Back:
    """Take back the last ``n`` steps; Refused (nothing-to-undo) when there are fewer."""
    return _move(desk, desk.campaign.undo, n, fields)


def redo(desk: Desk, n: int, **fields: Any) -> Back:
    """Do again the last ``n`` steps taken back; Refused (nothing-to-redo) when there are fewer."""
    return _move(desk, desk.campaign.redo, n, fields)


def preview(desk: Desk, n: int) -> list[Line]:
    """The lines an undo of ``n`` steps would take back, last one first; fewer where there are fewer."""
    from itertools import islice

    return list(islice(desk.campaign.undoable(), n))


def _move(desk: Desk, move: Callable[..., list[Line]], n: int, fields: dict[str, Any]) -> Back:
    with desk.campaign.writing():
        refuse_if_open(desk)
        lines = move(n, **fields)
        changes = [change for line in desk.campaign.latest for change in line["changes"]]
        return Back(lines, changes, desk.campaign.head.seq)
