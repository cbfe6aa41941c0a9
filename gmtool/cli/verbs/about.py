"""What there is: the games, the health of a campaign's files, the errors and what to do about them."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

from gmtool.cli.reply import Reply
from gmtool.kernel.refusal import Refused
from gmtool.kernel.view import Cell, Column, Grid, Say
from gmtool.kernel.words import WORD, Arg, Candidate, Kind, find
from gmtool.render.lines import Styled, wrap
from gmtool.render.words import Words
from gmtool.text.catalogue import LANGUAGES
from gmtool.text.catalogue import load as load_catalogue

if TYPE_CHECKING:
    from pathlib import Path

    from gmtool.cli.codes import Code
    from gmtool.cli.face import Face

SYSTEM = Kind("system")
"""The word for a game; read with :func:`game_named`, since only a face knows which games there are."""


HARMLESS = frozenset({"snapshot-missing"})
"""Findings of the doctor with which a campaign is whole all the same: nothing is lost, nothing has to be done."""


class Systems(NamedTuple):
    """The games there are."""


class Doctor(NamedTuple):
    """Whether the files of the campaign are whole."""


class Errors(NamedTuple):
    """The errors there are, or one of them."""

    code: Annotated[str, Arg(WORD)] = ""


def game_name(lang: str, id: str) -> str:
    """What a game is called; its id where it does not say."""
    words = load_catalogue(lang, id)
    return words.say(f"system.{id}") if words.has(f"system.{id}") else id


def game_named(face: "Face", word: str) -> str:
    """The id of a game by its id or name in any language, or an unambiguous beginning."""
    games = [Candidate(id, tuple(game_name(lang, id) for lang in LANGUAGES)) for id in face.registry.found]
    return find(word, "system", games)


def systems(face: "Face", command: Systems) -> Reply:
    """Each game with the package it was found in; none is opened for it."""
    from gmtool.render.views import grid

    found = face.registry.found
    rows = tuple((Cell(id), Cell(game_name(face.lang, id)), Cell(package)) for id, package in found.items())
    columns = (Column("list-game"), Column("list-name"), Column("list-package", drop=1))
    lines = grid(Grid(None, columns, rows), Words(face.words, {}), face.out.room)
    told = [{"id": id, "package": package} for id, package in found.items()]
    return Reply({"result": {"systems": told}}, lines)


def doctor(face: "Face", command: Doctor) -> Reply:
    """Read every line of the campaign meant, and the GM's own rules, and say what is wrong; exit 4 if anything is.

    A snapshot that is merely missing is noted and no more. Changes nothing.
    """
    from gmtool.cli.choosing import chosen
    from gmtool.store.doctor import check

    path = chosen(face.home, face.options.campaign, face.env)
    findings = check(path)
    if all(finding["code"].startswith(("snapshot-", "torn-tail")) for finding in findings):
        findings += _unopened(face, path)
    result = {"campaign": path.name, "path": str(path), "findings": findings}
    if any(finding["code"] not in HARMLESS for finding in findings):
        reply = _ill(face, path, findings, result)
    else:
        sound = wrap(face.words.say("doctor.sound", result), face.out.room, 0, 2, "good")
        reply = Reply({"result": result}, sound + _told(face, findings))
    face.notices()  # what was found while the campaign was opened for its words is among the findings
    return reply


def _unopened(face: "Face", path: "Path") -> list[dict[str, Any]]:
    """Why a campaign whose journal is whole cannot be played all the same: its rules files, or its game."""
    from gmtool.cli.errors import refused
    from gmtool.kernel.state import BadRow
    from gmtool.referee.desk import Desk
    from gmtool.store.campaign import open_campaign

    try:
        _ = Desk(open_campaign(path, write=False), face.registry).book
    except Refused as error:
        code = "rules-file" if error.code == "rules-file" else "unopened"
        file, told = str(error.facts.get("file", path.name)), refused(error, face).body["error"]["message"]
        return [{"code": code, "file": file, "at": int(error.facts.get("line", 0)), "detail": told}]
    except BadRow as error:
        return [{"code": "unopened", "file": path.name, "at": 0, "detail": error.path}]
    return []


def _told(face: "Face", findings: list[dict[str, Any]]) -> list[Styled]:
    words, room = face.words, face.out.room
    return [line for each in findings for line in wrap(words.say(f"doctor.{each['code']}", each), room, 2, 4)]


def _way_out(face: "Face", codes: set[str], path: "Path") -> str:
    """What to do about findings of these codes: about the gravest, where it has a way out of its own."""
    words = face.words
    if "no-journal" in codes:
        return words.say("hint.unreadable-no-journal")
    if "crlf" in codes:
        return words.say("hint.unreadable-crlf")
    if codes <= {"rules-file", *HARMLESS}:
        return words.say("doctor.hint-rules-file")
    key = "doctor.hint-snapshot-ahead" if "snapshot-ahead" in codes else "hint.unsound"
    return words.say(key, {"path": str(path)})


def _ill(face: "Face", path: "Path", findings: list[dict[str, Any]], result: dict[str, Any]) -> Reply:
    """The findings in the order of the files; what to do stands last, as for any other line that is not done."""
    error = Refused("unsound", exit=4, facts={"campaign": path.name, "n": len(findings)})
    words, room = face.words, face.out.room
    message = words.say("refusal.unsound", error.facts)
    hint = _way_out(face, {finding["code"] for finding in findings}, path)
    lines = wrap(message, room, 0, 2, "bad") + _told(face, findings)
    told = {"code": error.code, "message": message, "hint": hint, "facts": error.facts, "rule": ""}
    return Reply({"ok": False, "asks": [], "error": told, "result": result}, [*lines, *wrap(hint, room)], error.exit)


def errors(face: "Face", command: Errors) -> Reply:
    """Every error code with its exit code, whether force helps, and what to do."""
    from gmtool.cli.codes import CODES

    shown = list(CODES)
    if command.code:
        shown = [find(command.code, "code", [Candidate(code) for code in CODES])]
    told = [
        {"code": code, "exit": list(CODES[code].exits), "forcible": CODES[code].forcible} for code in shown
    ]  # fmt: skip
    lines = [line for code in shown for line in _error(face, code, CODES[code])]
    return Reply({"result": {"errors": told}}, lines)


def _error(face: "Face", code: str, entry: "Code") -> list[Styled]:
    words, room = Words(face.words, {}), face.out.room
    key = "list.error-forcible" if entry.forcible else "list.error"
    head = words.said(Say(key, {"code": code, "exit": "/".join(map(str, entry.exits))}))
    return wrap(head, room, 0, 2, "head") + wrap(words.say(f"error-help.{code}"), room, 2)


HANDLERS: dict[type[Any], Callable[..., Reply]] = {Systems: systems, Doctor: doctor, Errors: errors}
