"""Marks: what is written down without being a step of undo: notes, free rolls, settings, sessions."""

from collections.abc import Mapping
from typing import Any, NamedTuple

from gmtool.kernel.asks import THROWN, Answers
from gmtool.kernel.changes import Change, diff
from gmtool.kernel.refusal import Refused
from gmtool.kernel.run import judge
from gmtool.kernel.state import encode
from gmtool.kernel.trace import ids_in
from gmtool.referee.clock import set_back
from gmtool.referee.desk import Desk
from gmtool.referee.opened import refuse_fresh, refuse_if_open
from gmtool.referee.rolling import roller
from gmtool.text.clean import name_limits, note_limits


def mark(desk: Desk, verb: str, args: Mapping[str, Any], line: str, changes: list[Change], **fields: Any) -> int:
    """Append a mark; its number. To be called under the lock or on its own."""
    with desk.campaign.writing():
        command = {"verb": verb, "args": dict(args)}
        entry = {"kind": "mark", "line": line, "command": command, "changes": changes, **fields}
        return desk.campaign.append([entry])[0]


def note(desk: Desk, text: str, line: str) -> int:
    """A note of the table, kept word for word; undo leaves it where it is."""
    return mark(desk, "note", {"text": note_limits(text)}, line, [])


def roll_faces(
    desk: Desk, sides: list[int], *, fresh: bool, tried: bool = False, round_: int = 1
) -> tuple[list[int], str]:  # fmt: skip
    """Faces from 1 up for a free roll, thrown by the tool; the next roll that is kept gives others.

    ``round_`` counts the throws of one roll whose dice are thrown again for what they show.
    """
    if fresh:
        refuse_fresh(desk, tried)
    roll = roller(desk, -1 - desk.row.rolls, fresh=fresh)
    faces, source = roll("roll" if round_ == 1 else f"roll.{round_}", tuple(sides)) or ((), "rolled")
    return [face + 1 for face in faces], source


def rolled(desk: Desk, expression: str, line: str, dice: list[dict[str, Any]], fresh: bool, **fields: Any) -> int:
    """Write a free roll down; its number. Where the tool threw, that is counted."""
    row, thrown = encode(desk.row), any(die["source"] in THROWN for die in dice)
    after = {**row, "rolls": row["rolls"] + thrown}
    told = {"answers": dice, **fields, **({"fresh": True} if fresh and thrown else {})}
    return mark(desk, "roll", {"expression": expression}, line, diff("campaign", "campaign", row, after, ""), **told)


def configure(desk: Desk, field: str, key: str, value: str | None, line: str) -> Change | None:
    """One setting of the campaign; None where it stood so already."""
    with desk.campaign.writing():
        refuse_if_open(desk)
        row = encode(desk.row)
        after = {**row, field: value} if not key else {**row, field: _put(row[field], key, value)}
        changes = diff("campaign", "campaign", row, after, "")
        if not changes:
            return None
        mark(desk, "config", {"key": f"{field}.{key}" if key else field, "value": value}, line, changes)
        return changes[0]


def _put(table: Mapping[str, str], key: str, value: str | None) -> dict[str, str]:
    """A table of settings with one set, or unset."""
    rest = {name: kept for name, kept in table.items() if name != key}
    return rest if value is None else {**rest, key: value}


class Begun(NamedTuple):
    """A session that has begun: its number, and what the game's own rules made of it (a trace, names in it)."""

    number: int
    trace: list[dict[str, Any]]
    names: dict[str, Any]


def session_start(desk: Desk, name: str, now: str, line: str) -> Begun:
    """Begin the next session; Refused while one is on. What the game's rules say comes between two is done with it."""
    with desk.campaign.writing():
        refuse_if_open(desk)
        if open_session(desk):
            raise Refused("session-open", facts={"n": open_session(desk)})
        number = len(desk.state.table("sessions")) + 1
        if name:
            name_limits(name)
        seq = desk.campaign.head.seq + 1
        row = {"number": number, "name": name, "started": now, "first_seq": seq, "ended": None, "last_seq": None}
        campaign = encode(desk.row)
        changes = diff("sessions", f"session-{number}", None, row, "")
        changes += diff("campaign", "campaign", campaign, {**campaign, "session": number}, "")
        told: dict[str, Any] = {}
        command = desk.system.next_session() if number > 1 else None
        if command is not None:
            ruling = judge(desk.system, desk.state, desk.book, command, Answers(), desk.settings())
            changes += ruling.changes
            told = {"trace": ruling.trace, "names": desk.names(ids_in(ruling.trace)), "rules": ruling.rules}
        mark(desk, "session start", {"name": name}, line, changes, **told)
        return Begun(number, told.get("trace", []), told.get("names", {}))


def session_end(desk: Desk, now: str, line: str) -> int:
    """End the session that is on; Refused where none is. Its number.

    Whether the clock was set back meanwhile is seen from the times of its lines, and kept.
    """
    with desk.campaign.writing():
        refuse_if_open(desk)
        number = open_session(desk)
        if not number:
            raise Refused("no-session")
        id = f"session-{number}"
        row = desk.campaign.tables["sessions"][id]
        stamps = [each["time"] for each in desk.campaign.lines(row["first_seq"])]
        changed = {"clock_changed": True} if set_back([row["started"], *stamps, now]) else {}
        after = {**row, "ended": now, "last_seq": desk.campaign.head.seq + 1, **changed}
        mark(desk, "session end", {}, line, diff("sessions", id, row, after, ""))
        return number


def open_session(desk: Desk) -> int:
    """The number of the session that is on, or 0."""
    number = desk.row.session
    row = desk.state.row("sessions", f"session-{number}") if number else None
    return number if row is not None and row.ended is None else 0
