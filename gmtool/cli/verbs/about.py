"""What there is: the games, the errors and what to do about them."""

import re
from collections.abc import Callable
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

from gmtool.cli.reply import Reply
from gmtool.kernel.view import Cell, Column, Grid, Say
from gmtool.kernel.words import WORD, Arg, Candidate, Kind, find
from gmtool.render.lines import Styled, wrap
from gmtool.render.words import Words
from gmtool.text.catalogue import LANGUAGES
from gmtool.text.catalogue import load as load_catalogue
from gmtool.text.clean import printable

if TYPE_CHECKING:
    from gmtool.cli.codes import Code
    from gmtool.cli.face import Face

_GAME = re.compile(r"[a-z][a-z0-9_]{0,40}")
SYSTEM = Kind("system")
"""The word for a game; read with :func:`game_named`, since only a face knows which games there are."""


class Systems(NamedTuple):
    """The games there are."""


class Errors(NamedTuple):
    """The errors there are, or one of them."""

    code: Annotated[str, Arg(WORD)] = ""


def game_name(lang: str, id: str) -> str:
    """What a game is called; its id where it does not say, or where it can be no game's."""
    if not _GAME.fullmatch(id):
        return printable(id)
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


HANDLERS: dict[type[Any], Callable[..., Reply]] = {Systems: systems, Errors: errors}
