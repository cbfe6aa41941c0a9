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
    """Read every line of the campaign meant and say what is wrong; exit 4 if anything is. Changes nothing."""
    from gmtool.cli.choosing import chosen
    from gmtool.store.doctor import check

    path = chosen(face.home, face.options.campaign, face.env)
    findings = check(path)
    result = {"campaign": path.name, "path": str(path), "findings": findings}
    if not findings:
        return Reply({"result": result}, wrap(face.words.say("doctor.sound", result), face.out.room, 0, 2, "good"))
    return _ill(face, path, findings, result)


def _ill(face: "Face", path: "Path", findings: list[dict[str, Any]], result: dict[str, Any]) -> Reply:
    """The findings in the order of the files; what to do stands last, as for any other line that is not done."""
    error = Refused("unsound", exit=4, facts={"campaign": path.name, "n": len(findings)})
    words, room = face.words, face.out.room
    message, hint = words.say("refusal.unsound", error.facts), words.say("hint.unsound", {"path": str(path)})
    lines = wrap(message, room, 0, 2, "bad")
    for finding in findings:
        lines += wrap(words.say(f"doctor.{finding['code']}", finding), room, 2, 4)
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
