"""Undo and redo: any depth, across sessions, to the byte; a line is one step, whatever it caused."""

from collections.abc import Callable
from itertools import islice
from typing import Any, NamedTuple

from gmtool.kernel.changes import diff
from gmtool.kernel.fold import fold, half_width
from gmtool.kernel.journal import original
from gmtool.kernel.refusal import Refused
from gmtool.kernel.state import encode
from gmtool.kernel.words import Candidate, find
from gmtool.referee.desk import Desk
from gmtool.referee.opened import refuse_if_open
from gmtool.text.clean import name_limits

Line = dict[str, Any]
STANDING = 5
"""So many of the steps that stand are named where a line is none of them."""


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


def undo_to(desk: Desk, word: str, **fields: Any) -> Back:
    """Take back every step after the line that a number, or the name of a checkpoint, means; that line stays.

    Refused as :func:`steps_after` says.
    """
    with desk.campaign.writing():
        refuse_if_open(desk)
        return undo(desk, steps_after(desk, word), **fields)


def preview_to(desk: Desk, word: str) -> list[Line]:
    """The lines that :func:`undo_to` would take back, last one first; refused as that is."""
    count = steps_after(desk, word)
    lines = preview(desk, count)
    if len(lines) < count:
        raise Refused("nothing-to-undo", key="branch-undo", facts={"left": len(lines), "wanted": count})
    return lines


def preview(desk: Desk, n: int) -> list[Line]:
    """The lines an undo of ``n`` steps would take back as they were first done, last one first; at most those there
    are, in a what-if at most its own.
    """
    branch = desk.campaign.branch
    steps = [line for line in islice(desk.campaign.undoable(), n) if branch is None or line["seq"] > branch.seq]
    return [desk.campaign.find(original(line)) or line for line in steps]


def steps_after(desk: Desk, word: str) -> int:
    """How many steps stand that were done after a line: of this number, or the mark of the checkpoint so called.

    Refused: ``unknown-name`` (no such line; no such checkpoint, with those there are), ``nothing-to-undo`` where
    nothing was done since (undo-to-here), or where the line lies in what was taken back (undo-to-undone).
    """
    line = _line_meant(desk, word)
    spot = line["undo"]
    at = desk.campaign.find(spot[0]) if spot else None
    wanted = original(at) if at else 0
    count = 0
    for step in desk.campaign.undoable():
        if original(step) == wanted or step["seq"] < wanted:
            break
        count += 1
    else:
        step = {"seq": 0}
    if original(step) != wanted:
        raise Refused("nothing-to-undo", key="undo-to-undone", facts={"seq": line["seq"], "stands": _standing(desk)})
    if not count:
        raise Refused("nothing-to-undo", key="undo-to-here", facts={"seq": line["seq"]})
    return count


def _line_meant(desk: Desk, word: str) -> Line:
    plain = half_width(word).strip().removeprefix("#")
    seq = int(plain) if plain.isdecimal() else _checkpoint(desk, word)
    line = desk.campaign.find(seq)
    if line is None:
        facts = {"value": plain, "last": desk.campaign.head.seq, "stands": _standing(desk)}
        raise Refused("unknown-name", key="undo-to-no-line", exit=2, facts=facts)
    return line


def _checkpoint(desk: Desk, word: str) -> int:
    """The line of the checkpoint that a name, or an unambiguous beginning of it, means."""
    places = {row.name: row.seq for row in desk.state.table("checkpoints").values()}
    if not places:
        raise Refused("unknown-name", key="no-checkpoints", exit=2, facts={"value": word})
    seq: int = places[find(word, "checkpoint", [Candidate(name) for name in places])]
    return seq


def _standing(desk: Desk) -> list[str]:
    """The latest steps that stand, by number."""
    return [f"#{original(line)}" for line in islice(desk.campaign.undoable(), STANDING)]


def checkpoint(desk: Desk, name: str, line: str) -> int:
    """Mark this place by a name, for ``undo --to``; its line. One of the same name moves here.

    Refused ``bad-value`` for what no name can be, a number among it.
    """
    name = name_limits(name)
    if half_width(name).removeprefix("#").isdecimal():
        raise Refused("bad-value", key="checkpoint-number", exit=2, facts={"value": name})
    with desk.campaign.writing():
        rows = desk.state.table("checkpoints")
        same = next((id for id, row in rows.items() if fold(row.name) == fold(name)), None)
        seq = desk.campaign.head.seq + 1
        before = encode(rows[same]) if same else None
        changes = diff("checkpoints", same or f"checkpoint-{seq}", before, {"name": name, "seq": seq}, "")
        command = {"verb": "checkpoint", "args": {"name": name}}
        return desk.campaign.append([{"kind": "mark", "line": line, "command": command, "changes": changes}])[0]


def _move(desk: Desk, move: Callable[..., list[Line]], n: int, fields: dict[str, Any]) -> Back:
    with desk.campaign.writing():
        refuse_if_open(desk)
        lines = move(n, **fields)
        changes = [change for line in desk.campaign.latest for change in line["changes"]]
        return Back(lines, changes, desk.campaign.head.seq)
