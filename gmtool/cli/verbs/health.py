"""The health of a campaign's files: what is wrong with them, what can be saved, and the copies to go back to."""

from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

from gmtool.cli.reply import Reply
from gmtool.kernel.fold import half_width
from gmtool.kernel.refusal import Refused
from gmtool.kernel.view import Say
from gmtool.kernel.words import WORD, Arg, Flag, Opt, number
from gmtool.render.lines import Span, Styled, wrap
from gmtool.render.words import Words, clean
from gmtool.text.width import cells, pad

if TYPE_CHECKING:
    from gmtool.cli.face import Face
    from gmtool.store.points import Point
    from gmtool.store.salvage import Remains
    from gmtool.text.catalogue import Catalogue

HARMLESS = frozenset({"snapshot-missing"})
"""Findings of the doctor with which a campaign is whole all the same: nothing is lost, nothing has to be done."""

MENDED = HARMLESS | {"snapshot-damaged", "snapshot-edited", "snapshot-foreign", "torn-tail", "copy-differs"}
"""Those that the next line that writes mends by itself."""

OPENS = ("snapshot-", "torn-tail", "copy-")
"""How findings begin with which a campaign can be opened: its journal is whole as far as it goes."""


class Doctor(NamedTuple):
    """Whether the files of the campaign are whole, and what can be saved of them."""

    save: Annotated[bool, Flag("--save")] = False


class BackupList(NamedTuple):
    """The moments the campaign can be put back to."""


class BackupRestore(NamedTuple):
    """Put the campaign back to one of them: its number in the list, its name, or the number of a line."""

    which: Annotated[str, Arg(WORD)] = ""
    to: Annotated[int, Opt("--to", number("seq", 1, 1_000_000))] = 0


def doctor(face: "Face", command: Doctor) -> Reply:
    """Read every line of the campaign meant, and the GM's own rules, and say what is wrong; exit 4 if anything is.

    A snapshot that is merely missing is noted and no more. Changes nothing; with ``--save`` what can be saved becomes
    a new campaign beside this one.
    """
    from gmtool.store.doctor import check
    from gmtool.store.salvage import remains_of

    path = _path(face)
    findings = check(path)
    if command.save and not _lost({finding["code"] for finding in findings}):
        raise Refused("nothing-to-do", key="nothing-to-save", facts={"campaign": path.name})
    if command.save:
        return _saved_beside(face, path, remains_of(path))
    if all(finding["code"].startswith(OPENS) for finding in findings):
        findings += _unopened(face, path)
    result = {"campaign": path.name, "path": str(path), "findings": findings}
    if any(finding["code"] not in HARMLESS for finding in findings):
        reply = _ill(face, path, findings, result)
    else:
        sound = wrap(face.words.say("doctor.sound", result), face.out.room, 0, 2, "good")
        reply = Reply({"result": result}, sound + _told(face, findings))
    face.notices()  # what was found while the campaign was opened for its words is among the findings
    return reply


def _path(face: "Face") -> Path:
    from gmtool.cli.choosing import chosen

    return chosen(face.home, face.options.campaign, face.env)


def _unopened(face: "Face", path: Path) -> list[dict[str, Any]]:
    """Why a campaign whose journal is whole cannot be played all the same: its rules files, or its game."""
    from gmtool.cli.errors import message_of
    from gmtool.kernel.state import BadRow
    from gmtool.referee.desk import Desk
    from gmtool.referee.soundness import fault_in
    from gmtool.store.campaign import open_campaign

    try:
        desk = Desk(open_campaign(path, write=False), face.registry)
        if found := fault_in(desk):
            raise found
    except Refused as error:
        code = "rules-file" if error.code == "rules-file" else "unopened"
        file, at = str(error.facts.get("file", path.name)), int(error.facts.get("line", 0))
        return [{"code": code, "file": file, "at": at, "detail": message_of(error, face)}]
    except BadRow as error:
        return [{"code": "unopened", "file": path.name, "at": 0, "detail": error.path}]
    return []


def _told(face: "Face", findings: list[dict[str, Any]]) -> list[Styled]:
    words, room = face.words, face.out.room
    return [line for each in findings for line in wrap(words.say(f"doctor.{each['code']}", each), room, 2, 4)]


def _way_out(face: "Face", codes: set[str], path: Path, saved: dict[str, int] | None) -> str:
    """What to do about findings of these codes: about the gravest, where it has a way out of its own."""
    words = face.words
    if saved is not None and not any(saved.values()):
        return words.say("hint.nothing-left")
    if "crlf" in codes:
        return words.say("hint.unreadable-crlf")
    if codes <= {"rules-file", *HARMLESS}:
        return words.say("doctor.hint-rules-file")
    if codes <= MENDED:
        return words.say("doctor.hint-mended")
    return words.say("hint.unsound", {"path": str(path)})


def _ill(face: "Face", path: Path, findings: list[dict[str, Any]], result: dict[str, Any]) -> Reply:
    """The findings in the order of the files; what can be saved and what to do stand last."""
    error = Refused("unsound", exit=4, facts={"campaign": path.name, "n": len(findings)})
    words, room = face.words, face.out.room
    codes = {finding["code"] for finding in findings}
    left, kept = _left(face, path) if _lost(codes) else ([], {})
    message = words.say("refusal.unsound", error.facts)
    hint = _way_out(face, codes, path, kept.get("saved"))
    lines = wrap(message, room, 0, 2, "bad") + _told(face, findings) + left
    told = {"code": error.code, "message": message, "hint": hint, "facts": error.facts, "rule": ""}
    body = {"ok": False, "asks": [], "error": told, "result": {**result, **kept}}
    return Reply(body, [*lines, *wrap(hint, room)], error.exit)


def _lost(codes: set[str]) -> bool:
    """Whether lines may be lost, so that it matters what can be saved."""
    return bool({code for code in codes if not code.startswith(OPENS)} - {"rules-file", "unopened"}) or bool(
        codes & {"snapshot-ahead", "copy-ahead"}
    )


def _left(face: "Face", path: Path) -> tuple[list[Styled], dict[str, Any]]:
    """What can be saved, for people and for scripts."""
    from gmtool.store.salvage import remains_of

    left = remains_of(path)
    facts = {"lines": left.trail.head.seq, "state": left.state}
    return _said(face, f"doctor.left-{_kind_of(left)}", facts, "warn"), {"saved": facts}


def _kind_of(left: "Remains") -> str:
    """How to say what is left: nothing, lines, the state alone, lines and a later state."""
    if not left.anything:
        return "nothing"
    if not left.trail.raws:
        return "state"
    return "both" if left.state else "lines"


def _saved_beside(face: "Face", path: Path, left: "Remains") -> Reply:
    """The new campaign, and which line to type next."""
    from gmtool.store.campaign import open_campaign
    from gmtool.store.names import display_name
    from gmtool.store.salvage import save_beside

    if not left.anything:
        raise Refused("unreadable", key="nothing-left", exit=4, facts={"file": str(path)})
    made = save_beside(path, left, face.typed)
    open_campaign(made, write=True).save_snapshot()
    face.meant.clear()
    told = {"campaign": made.name, "name": display_name(made), "path": str(made)}
    facts = {"lines": left.trail.head.seq, "state": left.state}
    lines = _said(face, f"doctor.left-{_kind_of(left)}", facts) + _said(face, "done.saved-beside", told)
    return Reply({"result": {**told, "saved": facts}}, lines)


def backup_list(face: "Face", command: BackupList) -> Reply:
    """The moments, the latest first, numbered: the last lines, the last sessions, what was put by."""
    from gmtool.store.points import points

    path = _path(face)
    found = points(path)
    words = _words(face, found)
    head = wrap(words.say("list.backups", {"campaign": path.name}), face.out.room, 0, 2, "head")
    rows = _rows(face, words, found)
    told = [_point_json(n, point) for n, point in enumerate(found, 1)]
    how = wrap(words.say("list.backups-how"), face.out.room, 0, 2, "dim")
    return Reply({"result": {"campaign": path.name, "backups": told}}, [*head, *rows, *how])


def _rows(face: "Face", words: "Catalogue", found: list["Point"]) -> list[Styled]:
    """Number, line, time and session in columns; behind them the moment of play and what was typed."""
    heads = [
        [
            f"{n:>2}", f"#{point.seq}", clean(str(point.line["time"])[:16].replace("T", " ")),
            words.say("list.backup-session", {"session": point.session}) if point.session else "",
        ]
        for n, point in enumerate(found, 1)
    ]  # fmt: skip
    widths = [max(map(cells, column)) for column in zip(*heads, strict=True)]
    room, lines = face.out.room, []
    for head, point in zip(heads, found, strict=True):
        start = "  ".join(pad(part, width) for part, width in zip(head, widths, strict=True)) + "  "
        said = _what(words, point)
        if cells(start) * 2 > room.width:
            lines += wrap(start, room, 0, 4) + wrap(said, room, 4, 4)
            continue
        first, *rest = wrap(said, room, cells(start), cells(start))
        lines += [[Span(start), *first[1:]], *rest]
    return lines


def _what(words: "Catalogue", point: "Point") -> str:
    where, named = point.line.get("where"), Words(words, point.line.get("names") or {})
    typed = clean(point.line.get("line") or "")
    command = point.line.get("command") or {}
    if command.get("verb") == "backup restore" and "seq" in command.get("args", {}):
        typed += f" > #{command['args']['seq']}"
    about = "" if point.kind == "line" else words.say(f"list.backup-{point.kind}")
    said = [named.said(Say(where["key"], where["facts"]))] if where else []
    last = [] if point.kind in ("began", "ended") else [typed]
    return "  ".join([*filter(None, [point.name, about]), *said, *last])


def _point_json(n: int, point: "Point") -> dict[str, Any]:
    line = point.line
    return {
        "n": n, "name": point.name, "seq": point.seq, "time": line["time"], "kind": point.kind,
        "session": point.session, "where": line.get("where"), "line": line.get("line") or "",
    }  # fmt: skip


def _words(face: "Face", found: list["Point"]) -> "Catalogue":
    """The words of the game, also where the campaign itself cannot be opened: a step names its game."""
    from gmtool.text.catalogue import load

    system = next((point.line["system"] for point in found if "system" in point.line), None)
    if face.desk_at_hand() is not None or system not in face.registry.found:
        return face.words
    return load(face.lang, system)


def backup_restore(face: "Face", command: BackupRestore) -> Reply:
    """Put the campaign back; what it was is kept whole, and how to have it back is said. Noted in the journal."""
    from gmtool.store.campaign import open_campaign
    from gmtool.store.points import restore

    path = _path(face)
    point = _meant(path, command)
    _nothing_waits(face, path, point)
    done = {"verb": "backup restore", "args": {"seq": point.seq}}
    kept = restore(path, point, line=face.typed, command=done).relative_to(path).as_posix()
    face.desks.pop(path, None)
    face.meant.clear()
    warnings: list[dict[str, Any]] = [{"code": "snapshot-behind", "rule": "", "facts": {}}]
    with suppress(Refused):  # it is done: whatever else cannot be had now is no refusal any more
        if open_campaign(path, write=True).save_snapshot():
            warnings = []
    told = {"seq": point.seq, "kind": point.kind, "kept": kept}
    lines = _said(face, "done.restored", {**told, "line": clean(point.line.get("line") or "")})
    lines += _said(face, "done.restored-kept", {**told, "name": Path(kept).name}, "dim")
    return Reply({"seq": point.seq + 1, "result": told, "warnings": warnings}, lines)


def _meant(path: Path, command: BackupRestore) -> "Point":
    """The moment that is meant. Refused where neither or both are said, or there is none of that number or name."""
    from gmtool.store.points import point_at, points

    if bool(command.which) == bool(command.to):
        raise Refused("usage", key="which-backup", exit=2)
    word = half_width(command.which).lower()
    line = word.removeprefix("#")
    if command.to or (line != word and line.isdecimal()):
        return point_at(path, command.to or int(line[:7]))
    found = {str(n): point for n, point in enumerate(points(path), 1)}
    found |= {point.name: point for point in found.values() if point.name}
    if word not in found:
        facts = {"value": command.which, "known": list(found)}
        raise Refused("unknown-name", key="no-such-backup", exit=2, facts=facts)
    return found[word]


def _nothing_waits(face: "Face", path: Path, point: "Point") -> None:
    """Refused while a ruling is open, and, without ``--yes``, where a state would be given up that no line leads to."""
    from gmtool.referee.opened import refuse_if_open
    from gmtool.store.salvage import remains_of

    desk = face.desk_at_hand()
    if desk is not None:
        refuse_if_open(desk)
    left = None if point.name or face.options.yes else remains_of(path)
    if left is not None and left.state:
        raise Refused("needs-yes", key="state-without-lines", exit=2, facts={"lines": point.seq, "state": left.state})


def _said(face: "Face", key: str, facts: dict[str, Any], style: str = "") -> list[Styled]:
    return wrap(face.words.say(key, facts), face.out.room, 0, 2, style)


HANDLERS: dict[type[Any], Callable[..., Reply]] = {
    Doctor: doctor,
    BackupList: backup_list,
    BackupRestore: backup_restore,
}
