"""A game's drawings: shown on the screen, or written to a file where the verb has one among its words.

Whose verbs draw is the game's to say: a module of looks that has ``DRAWS`` in place of ``LOOKS`` (command class ->
(view, JSON) of (state, book, command)). The book is the one the campaign pins, since pieces are as big as their sheets
say. The field ``file`` of such a command is where the drawing of its view goes as SVG.
"""

from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gmtool.cli.reply import Found, Reply
from gmtool.kernel.drawing import Drawing
from gmtool.kernel.refusal import Refused
from gmtool.kernel.view import View, names_in
from gmtool.kernel.words import Scope, read_words
from gmtool.render.lines import wrap

if TYPE_CHECKING:
    from gmtool.cli.face import Face

ENDING = ".svg"


def draws(command: type[Any]) -> bool:
    """Whether a verb that only shows is one that draws."""
    return hasattr(import_module(command.__module__), "DRAWS")


def draw(face: "Face", found: Found, words: dict[str, Any]) -> Reply:
    """The view of a verb that draws; in a file what is drawn of it."""
    desk = face.desk()
    command = read_words(found.command, words, Scope(desk.state, desk.book, {}))
    shown, data = import_module(found.command.__module__).DRAWS[found.command](desk.state, desk.book, command)
    if hasattr(command, "file"):
        return _to_file(face, shown, data, command.file)
    return face.view(shown, {"system": desk.system.id, "result": data})


def _to_file(face: "Face", shown: View, data: dict[str, Any], word: str) -> Reply:
    """Over a picture of ours without a question, over anything else only with ``--yes``."""
    from gmtool.render.svg import START, svg
    from gmtool.render.words import Words
    from gmtool.store import outfile
    from gmtool.store.files import given_path

    desk = face.desk()
    file: Path = given_path(face.cwd, word)
    outfile.may_be_written(file, overwrite=True)
    if file.suffix.lower() != ENDING:
        raise Refused("bad-value", key="file-ending", exit=2, facts={"file": file.name, "endings": [ENDING]})
    ours = outfile.begins_with(file, START.encode())
    outfile.may_be_written(file, overwrite=ours or face.options.yes)
    drawing = next(block for block in shown.blocks if isinstance(block, Drawing))
    picture = svg(drawing, Words(face.words, desk.names(names_in(drawing))))
    outfile.write(file, picture.encode())
    told = {"file": str(file)}
    lines = wrap(face.words.say("done.drawn", told), face.out.room, 0, 2)
    return Reply({"system": desk.system.id, "result": {**told, **data}}, lines)
