"""The report of a session: to the terminal, into a file, and into the campaign's folder when a session ends."""

import os
import re
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

from gmtool.cli.reply import Reply
from gmtool.cli.verbs.campaigns import agreed, may_ask
from gmtool.cli.verbs.sessions import duration, took
from gmtool.kernel.fold import fold, numeral
from gmtool.kernel.refusal import Refused
from gmtool.kernel.view import names_in
from gmtool.kernel.words import WORD, Arg, Kind, Opt, Scope, one_of
from gmtool.referee.report import ALL, Material, gather
from gmtool.render.document import Document
from gmtool.render.lines import styled, wrap
from gmtool.render.report import Ending, Evening, report
from gmtool.render.words import clean
from gmtool.store.files import given_path
from gmtool.store.outfile import may_be_written
from gmtool.store.reports import MARK, is_report, keep_report, put_report

if TYPE_CHECKING:
    from gmtool.cli.face import Face
    from gmtool.referee.desk import Desk

FORMATS = ("md", "html", "csv", "json")
_ENDINGS = {".md": "md", ".markdown": "md", ".html": "html", ".htm": "html", ".csv": "csv", ".json": "json"}


def _session(word: str, scope: Scope) -> str:
    """A session by its number, or ``all``."""
    return ALL if fold(word) == ALL else str(numeral(word, 1, 1_000_000))


SESSION = Kind("session", _session)


class Report(NamedTuple):
    """What a session came to, ruling by ruling."""

    file: Annotated[str | None, Arg(WORD)] = None
    session: Annotated[str, Opt("--session", SESSION)] = ""
    format: Annotated[str, Opt("--format", one_of("format", *FORMATS))] = ""


def report_(face: "Face", command: Report) -> Reply:
    """Printed as it would be written; a file that is no report of ours is asked about before it is written over."""
    desk = face.desk()
    file = None if command.file is None else given_path(face.cwd, command.file)
    form = command.format or (form_of(file) if file else "md")
    if file:
        _refuse(face, file)
    material = gather(desk, command.session)
    told: dict[str, Any] = {"session": material.one, "format": form, "file": str(file) if file else None}
    text = told_as(face, desk, material, form, told)
    if file is None:
        return Reply({"result": told}, [styled(line) for line in text.splitlines()])
    put_report(file, text, marked=form == "csv")
    return Reply({"result": told}, wrap(face.words.say("done.report-written", told), face.out.room, 0, 2))


def told_as(face: "Face", desk: "Desk", material: Material, form: str, told: dict[str, Any]) -> str:
    """The text of the report in the form asked for; as JSON, and not for a file, it becomes part of what is told."""
    if form == "csv":
        from gmtool.cli.verbs.report_data import as_csv

        return as_csv(face, desk, material.one)
    if form == "json":
        from gmtool.cli.verbs.report_data import as_json

        text, whole = as_json(desk, material, _mark(desk, material))
        told |= {} if told["file"] else {"report": whole}
        return text
    return written(document(face, desk, material), form)


def form_of(file: Path) -> str:
    """The form that a file's ending asks for. Refused ``bad-value`` where it asks for none."""
    may_be_written(file, overwrite=True)
    form = _ENDINGS.get(file.suffix.lower())
    if form is None:
        facts = {"file": file.name, "endings": [".md", ".html", ".csv", ".json"]}
        raise Refused("bad-value", key="report-ending", exit=2, facts=facts)
    return form


def _refuse(face: "Face", file: Path) -> None:
    """Nothing but a report of ours is written over unasked; a folder, a device, a campaign's own file never is."""
    ours = is_report(file) or face.options.yes
    sure = ours or (os.path.isfile(file) and may_ask(face) and agreed(face, "overwrite", {"file": str(file)}))
    may_be_written(file, overwrite=sure)


def kept(face: "Face", desk: "Desk", session: int) -> Path:
    """The report of a session put into the campaign's folder. Refused where it cannot be."""
    return keep_report(desk.path, session, written(document(face, desk, gather(desk, str(session))), "md"))


def written(told: Document, form: str) -> str:
    """A document as the text of a file."""
    if form == "html":
        from gmtool.render.page import page

        return page(told)
    from gmtool.render.markdown import markdown

    return markdown(told)


def document(face: "Face", desk: "Desk", material: Material) -> Document:
    """The report as a document, in the language spoken."""
    evenings = [_evening(face, row, desk.campaign.head.seq) for row in material.sessions]
    one = material.one is not None
    told = _ending(desk, material)
    return report(desk.row.name, evenings, one, material.lines, told, face.words, _mark(desk, material))


def _mark(desk: "Desk", material: Material) -> str:
    """By what a report is known again."""
    which = "all" if material.one is None else f"session {material.one}"
    return f"{MARK}: {_plain(desk.path.name)}, {which}"


def _plain(folder: str) -> str:
    """A folder's name as it can stand in a remark of HTML, whatever it was renamed to."""
    return re.sub(r"[^a-z0-9-]+", "-", folder.lower())


def _evening(face: "Face", row: Any, last: int) -> Evening:
    """A session with its times as they were on the clock of the table."""
    day, _, began = clean(row.started).partition("T")
    ended = clean(row.ended).partition("T")[2][:5]
    spent = took(face, duration(row)) or ""
    return Evening(row.number, row.name, day, f"{began[:5]}-{ended}", spent, row.first_seq, row.last_seq or last)


def _ending(desk: "Desk", material: Material) -> Ending:
    """How things stood behind the last line, as the game tells it, if it does."""
    from gmtool.referee.desk import due_in

    views = desk.system.view()
    chronicle: Callable[..., Any] | None = getattr(views, "chronicle", None)
    view = chronicle(material.state, material.book, material.one) if chronicle else None
    due = due_in(material.state)
    ids = (names_in(view) if view else set()) | {row["who"] for row in due if row["who"]}
    named = {id: desk.system.name(material.state, material.book, id) for id in sorted(ids)}
    names = {id: name for id, name in named.items() if name is not None}
    return Ending(view, names, due, getattr(views, "ASIDES", ()), views.where(material.state))


HANDLERS: dict[type[Any], Callable[..., Reply]] = {Report: report_}
