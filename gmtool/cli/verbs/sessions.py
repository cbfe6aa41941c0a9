"""Sessions: where an evening begins and ends, and where play stopped before it."""

from collections.abc import Callable
from itertools import islice
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

from gmtool.cli.reply import Reply
from gmtool.kernel.view import Cell, Column, Grid, names_in
from gmtool.kernel.words import TEXT, Arg
from gmtool.referee import marks
from gmtool.render.lines import Styled, flow, styled, wrap
from gmtool.render.words import Words, clean
from gmtool.store.files import now

if TYPE_CHECKING:
    from gmtool.cli.face import Face
    from gmtool.referee.desk import Desk

LATEST = 5
_COLUMNS = (
    Column("list-number", "right"),
    Column("list-name"),
    Column("list-started"),
    Column("list-ended"),
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
    warnings = face.saved(desk, always=True)
    facts = {"session": begun.number, "name": command.name.strip()}
    lines = _said(face, "done.session-named" if facts["name"] else "done.session-start", facts)
    body = {"seq": desk.campaign.head.seq, "result": {"session": begun.number}, "due": due_list(desk)}
    body["warnings"] = warnings
    return Reply(body, [*lines, *_between(face, begun), *stopped, *warning_lines(face, warnings)])


def _between(face: "Face", begun: marks.Begun) -> list[Styled]:
    """What came of the game's rules for the time between two sessions."""
    words = Words(face.words, begun.names)
    told = [words.say(f"event.{entry['type']}", entry["facts"]) for entry in begun.trace if entry["t"] == "event"]
    return flow([styled(text) for text in told], face.out.room, 2, 4) if told else []


def _where_we_stopped(face: "Face", desk: "Desk") -> list[Styled]:
    """The last rulings that stand, as typed; the moment of play; what is due. Nothing before the first ruling."""
    from gmtool.kernel.journal import original
    from gmtool.referee.desk import due_list
    from gmtool.render.refusal import due

    steps = list(islice(desk.campaign.undoable(), LATEST))
    typed = [step if step["kind"] == "step" else desk.campaign.find(original(step)) or step for step in steps]
    room, lines = face.out.room, _said(face, "list.stopped", {}, "head") if typed else []
    for line in reversed(typed):
        facts = {"seq": line["seq"], "line": clean(line["line"])}
        lines += wrap(face.words.say("list.typed", facts), room, 2, 6)
    where = desk.system.view().where(desk.state)
    if where is not None:
        lines += wrap(Words(face.words, desk.names(names_in(where))).said(where), room, 2, 4)
    dues = due_list(desk)
    return lines + due(dues, face.words, desk.names({row["who"] for row in dues if row["who"]}), room)


def end(face: "Face", command: End) -> Reply:
    """The session that is on is over."""
    from gmtool.cli.shown import warning_lines

    desk = face.writable()
    number = marks.session_end(desk, now(), face.typed)
    row = desk.state.row("sessions", f"session-{number}")
    warnings = face.saved(desk, always=True)
    told = {"session": number, "lines": (row.last_seq or 0) - row.first_seq + 1 if row else 0}
    body = {"seq": desk.campaign.head.seq, "result": told, "warnings": warnings}
    facts = {**told, "n": told["lines"]}
    return Reply(body, [*_said(face, "done.session-end", facts), *warning_lines(face, warnings)])


def list_(face: "Face", command: List) -> Reply:
    """Every session with its times and its lines of the journal, the first one first."""
    from gmtool.render.views import grid

    rows = sorted(face.desk().state.table("sessions").values(), key=lambda row: row.number)
    told = [
        {"session": row.number, "name": row.name, "started": row.started, "ended": row.ended,
         "first_seq": row.first_seq, "last_seq": row.last_seq}
        for row in rows
    ]  # fmt: skip
    cells = tuple(
        (Cell(row.number), Cell(row.name or None), Cell(_time(row.started)), Cell(_time(row.ended)), Cell(_span(row)))
        for row in rows
    )
    if not rows:
        return Reply({"result": {"sessions": []}}, _said(face, "list.no-sessions"))
    lines = grid(Grid(None, _COLUMNS, cells), Words(face.words, {}), face.out.room)
    return Reply({"result": {"sessions": told}}, lines)


def _time(stamp: str | None) -> str | None:
    """A time to the minute, as it was on the clock of the table."""
    return stamp[:16].replace("T", " ") if stamp else None


def _span(row: Any) -> str:
    return f"{row.first_seq}-{row.last_seq or ''}"


def _said(face: "Face", key: str, facts: dict[str, Any] | None = None, style: str = "") -> list[Styled]:
    return wrap(face.words.say(key, facts or {}), face.out.room, 0, 2, style)


HANDLERS: dict[type[Any], Callable[..., Reply]] = {Start: start, End: end, List: list_}
