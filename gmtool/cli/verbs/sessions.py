"""Sessions: where an evening begins and ends, and where play stopped before it."""

from collections.abc import Callable
from itertools import islice
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

from gmtool.cli.reply import Reply
from gmtool.kernel.refusal import Refused
from gmtool.kernel.view import Cell, Column, Grid, names_in
from gmtool.kernel.words import TEXT, Arg
from gmtool.referee import clock, marks
from gmtool.render.lines import Styled, flow, styled, wrap
from gmtool.render.words import Words, clean
from gmtool.store.files import now
from gmtool.store.reports import has_report

if TYPE_CHECKING:
    from gmtool.cli.face import Face
    from gmtool.referee.desk import Desk

LATEST = 10
_COLUMNS = (
    Column("list-number", "right"),
    Column("list-name"),
    Column("list-started"),
    Column("list-ended"),
    Column("list-took", drop=2),
    Column("list-lines", drop=1),
)


class Start(NamedTuple):
    """Begin the next session."""

    name: Annotated[str, Arg(TEXT)] = ""


class End(NamedTuple):
    """End the session that is on."""


class List(NamedTuple):
    """The sessions so far."""


def start(face: "Face", command: Start) -> Reply:
    """The next session begins; what it begins from is shown."""
    from gmtool.cli.shown import warning_lines
    from gmtool.referee.desk import due_list

    desk = face.writable()
    stopped = _where_we_stopped(face, desk)
    begun = marks.session_start(desk, command.name.strip(), now(), face.typed)
    warnings = [*face.saved(desk, always=True), *_late_report(face, desk, begun.number - 1), *_otherwise(desk)]
    facts = {"session": begun.number, "name": command.name.strip()}
    lines = _said(face, "done.session-named" if facts["name"] else "done.session-start", facts)
    body = {"seq": desk.campaign.head.seq, "result": {"session": begun.number}, "due": due_list(desk)}
    body["warnings"] = warnings
    return Reply(body, [*lines, *_between(face, begun), *stopped, *warning_lines(face, warnings)])


def _otherwise(desk: "Desk") -> list[dict[str, Any]]:
    """That sheets are pinned here which the files have otherwise now."""
    from gmtool.referee.differing import sheets_that_differ

    found = list(sheets_that_differ(desk))
    return [{"code": "sheets-differ", "rule": "", "facts": {"n": len(found), "sheets": found}}] if found else []


def _between(face: "Face", begun: marks.Begun) -> list[Styled]:
    """What came of the game's rules for the time between two sessions."""
    words = Words(face.words, begun.names)
    told = [words.say(f"event.{entry['type']}", entry["facts"]) for entry in begun.trace if entry["t"] == "event"]
    return flow([styled(text) for text in told], face.out.room, 2, 4) if told else []


def _where_we_stopped(face: "Face", desk: "Desk") -> list[Styled]:
    """The last rulings that stand, as typed; the moment of play; what is due. Nothing before the first ruling."""
    from gmtool.cli.shown import due_lines
    from gmtool.kernel.journal import original
    from gmtool.referee.desk import due_list

    steps = list(islice(desk.campaign.undoable(), LATEST))
    typed = [step if step["kind"] == "step" else desk.campaign.find(original(step)) or step for step in steps]
    room, lines = face.out.room, _said(face, "list.stopped", {}, "head") if typed else []
    for line in reversed(typed):
        facts = {"seq": line["seq"], "line": clean(line["line"])}
        lines += wrap(face.words.say("list.typed", facts), room, 2, 6)
    lines += _moment(face, desk)
    return lines + due_lines(face, desk, due_list(desk))


def _moment(face: "Face", desk: "Desk") -> list[Styled]:
    """The moment of play and what is expected next; what is due is told in full instead."""
    views, room = desk.system.view(), face.out.room
    says = [views.where(desk.state), None if desk.state.ids("due") else views.next_line(desk.state, desk.book)]
    return [
        line
        for say in says
        if say is not None
        for line in wrap(Words(face.words, desk.names(names_in(say))).said(say), room, 2, 4)
    ]


def end(face: "Face", command: End) -> Reply:
    """The session that is on is over; its report is kept in the campaign's folder."""
    from gmtool.cli.shown import warning_lines

    desk = face.writable()
    number = marks.session_end(desk, now(), face.typed)
    row = desk.state.row("sessions", f"session-{number}")
    warnings = face.saved(desk, always=True)
    lines = (row.last_seq or 0) - row.first_seq + 1 if row else 0
    report, unwritten = _report(face, desk, number)
    warnings += unwritten
    told = {"session": number, "lines": lines, **duration(row), "report": report}
    body = {"seq": desk.campaign.head.seq, "result": told, "warnings": warnings}
    shown = _said(face, "done.session-end", {"session": number, "lines": lines, "n": lines})
    if spent := took(face, told):
        key = "list.session-clock-changed" if told["clock_changed"] else "list.session-took"
        shown += _said(face, key, {"took": spent})
    if told["report"]:
        shown += _said(face, "done.report-written", {"file": told["report"]})
    return Reply(body, [*shown, *warning_lines(face, warnings)])


def _report(face: "Face", desk: "Desk", number: int) -> tuple[str | None, list[dict[str, Any]]]:
    """The report of a session that is over, in its campaign's folder; what keeps it from there is a warning."""
    from gmtool.cli.verbs.report import kept

    try:
        return str(kept(face, desk, number)), []
    except Refused as refused:
        facts = {"session": number, "file": refused.facts.get("file")}
        return None, [{"code": "report-unwritten", "rule": "", "facts": facts}]


def _late_report(face: "Face", desk: "Desk", number: int) -> list[dict[str, Any]]:
    """The report of the session before, where its end was broken off before it was written; nothing but a warning."""
    row = desk.state.row("sessions", f"session-{number}")
    if row is None or not row.ended or has_report(desk.path, number):
        return []
    return _report(face, desk, number)[1]


def duration(row: Any) -> dict[str, Any]:
    """How many minutes a session took (None: not over, or nobody can say), and whether the clock was set back in it."""
    spent = None if row.ended is None else clock.seconds(row.started, row.ended)
    changed = row.clock_changed or (spent is not None and spent < 0)
    return {"minutes": clock.minutes(row.started, row.ended, changed), "clock_changed": changed}


def took(face: "Face", told: dict[str, Any]) -> str | None:
    """The same in words; nothing where nobody can say."""
    if told["clock_changed"]:
        return face.words.say("list.clock-changed")
    if told["minutes"] is None:
        return None
    hours, rest = divmod(told["minutes"], 60)
    days, hours = divmod(hours, 24)
    key = "list.took-days" if days else "list.took-hours" if hours else "list.took-minutes"
    return face.words.say(key, {"days": days, "hours": hours, "minutes": rest})


def list_(face: "Face", command: List) -> Reply:
    """Every session with its times and its lines of the journal, the first one first."""
    from gmtool.referee.sessions import sessions_of
    from gmtool.render.views import grid

    rows = sessions_of(face.desk())
    told = [
        {"session": row.number, "name": row.name, "started": row.started, "ended": row.ended,
         "first_seq": row.first_seq, "last_seq": row.last_seq, **duration(row)}
        for row in rows
    ]  # fmt: skip
    zoned = len({_offset(stamp) for row in rows for stamp in (row.started, row.ended) if stamp}) > 1
    cells = tuple(
        (
            Cell(row.number), Cell(row.name or None), Cell(_time(row.started, zoned)), Cell(_time(row.ended, zoned)),
            Cell(took(face, each)), Cell(_span(row)),
        )
        for row, each in zip(rows, told, strict=True)
    )  # fmt: skip
    if not rows:
        return Reply({"result": {"sessions": []}}, _said(face, "list.no-sessions"))
    lines = grid(Grid(None, _COLUMNS, cells), Words(face.words, {}), face.out.room)
    return Reply({"result": {"sessions": told}}, lines)


def _time(stamp: str | None, zoned: bool) -> str | None:
    """A time to the minute, as it was on the clock of the table; with its offset where not all have the same."""
    if not stamp:
        return None
    day, _, time = stamp.partition("T")
    return " ".join(part for part in (day, time[:5], _offset(stamp) if zoned else "") if part)


def _offset(stamp: str) -> str:
    """The offset from UTC behind a time: ``+05:45``."""
    return stamp.partition("T")[2][8:]


def _span(row: Any) -> str:
    return f"{row.first_seq}-{row.last_seq or ''}"


def _said(face: "Face", key: str, facts: dict[str, Any] | None = None, style: str = "") -> list[Styled]:
    return wrap(face.words.say(key, facts or {}), face.out.room, 0, 2, style)


HANDLERS: dict[type[Any], Callable[..., Reply]] = {Start: start, End: end, List: list_}
