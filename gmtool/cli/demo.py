"""The demo: a battle told from a script that comes with the program, kept under a name or thrown away.

A script is lines that ``run`` does too; what is told besides stands in its comments. ``#= KEY`` is a heading,
``#: KEY`` a line or two of telling (``demo.KEY`` of the game's sentences), ``#> LINE`` a line to type afterwards. At
the end of a line ``# quiet`` keeps its answer back, ``# brief`` leaves out the small print. Names that the game's
sentences have as ``demo.name-*`` are put into the reader's language.
"""

import re
from collections.abc import Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING

from gmtool.cli.reader import Line
from gmtool.cli.reply import Reply
from gmtool.kernel.refusal import Refused
from gmtool.kernel.words import Candidate, find
from gmtool.render.lines import Styled, cells_of, wrap
from gmtool.render.screen import Screen

if TYPE_CHECKING:
    from gmtool.cli.face import Face
    from gmtool.text.catalogue import Catalogue

PACKAGE = Path(__file__).resolve().parents[1]
HEADING, TOLD, TO_TYPE = "#= ", "#: ", "#> "
QUIET, BRIEF = "# quiet", "# brief"
NEW = "campaign new "
WIDEST = 80
_FIRST = re.compile(NEW + r'("[^"]*"|\S+)')
_NAME = re.compile(r'"([^"]*)"|(?<![\w-])[A-Za-z][\w-]*')


def scripts() -> dict[str, Path]:
    """The demo scripts by game: inside an installed package, or in a checkout beside it."""
    for folder in (PACKAGE / "_campaigns" / "demo", PACKAGE.parent / "campaigns" / "demo"):
        if folder.is_dir():
            return {path.stem: path for path in sorted(folder.glob("*.gm"))}
    return {}


def demo(face: "Face", game: str, save: str | None = None) -> Reply:
    """Run a game's demo (the first there is, unless one is named); every line is shown before it is done.

    ``save`` is the name of the campaign that is kept, in the home in force; without it nothing stays behind.
    Refused: ``bad-value`` (no demo, no name), ``name-taken``.
    """
    from gmtool.cli.script import read_script, run_lines
    from gmtool.text.catalogue import load

    found = scripts()
    if not found:
        raise Refused("bad-value", key="no-demo", exit=2)
    name = find(game, "system", [Candidate(id) for id in found]) if game else next(iter(found))
    if save is not None:
        _check_free(face, save)
    words = load(face.lang, name)
    lines = in_words(read_script(face, str(found[name])), words, save)
    with _home(save, face.options.home) as home, _staged(face, save) as stage:
        face.options = face.options._replace(home=home, campaign=None, lang=words.lang)
        code = run_lines(face, found[name].name, lines, watch=Teller(face, stage, words, save))
    return Reply(None, [], code)


def _check_free(face: "Face", name: str) -> None:
    """Refuse a name that a campaign cannot have before anything is told."""
    from gmtool.cli.verbs.campaigns import campaign_names
    from gmtool.store.names import check_new

    with campaign_names():
        check_new(face.home.path, name)


def _home(save: str | None, home: str | None) -> AbstractContextManager[str | None]:
    """The home that is meant, or a folder that is thrown away."""
    from tempfile import TemporaryDirectory

    return nullcontext(home) if save else TemporaryDirectory(prefix="gmtool-demo-")


@contextmanager
def _staged(face: "Face", save: str | None) -> Iterator["Stage"]:
    """Let a face speak from a stage, with no campaign meant from outside; what is not kept is closed at the end."""
    screen, environment = face.out, face.env
    face.env = {key: value for key, value in environment.items() if key != "GMTOOL_CAMPAIGN"}
    face.out = stage = Stage(screen)
    try:
        yield stage
    finally:
        face.out, face.env = screen, environment
        screen.closed, screen.trouble = stage.closed, stage.trouble
        if not save:
            face.desks.clear()


def in_words(lines: Iterable[str], words: "Catalogue", save: str | None = None) -> list[str]:
    """The lines of a script with the names of a language; ``save`` is what the campaign is called that they make."""
    return [_in_words(line, words, save) for line in lines]


def _in_words(line: str, words: "Catalogue", save: str | None) -> str:
    if line.startswith("#") and not line.startswith(TO_TYPE):
        return line
    command, mark, rest = line, "", ""
    if not line.startswith(TO_TYPE):
        command, mark, rest = line.partition("  #")
    told = _NAME.sub(lambda name: _named(name, words), command)
    if words.lang != "en" and NEW in told:
        told += f" --lang {words.lang}"
    if save and told.startswith(NEW):
        told = _FIRST.sub(lambda _: NEW + _quoted(save), told)
    return told + mark + rest


def _named(name: re.Match[str], words: "Catalogue") -> str:
    """One name of the script in the words of a language; whatever has no sentence stands as it is."""
    plain = name[0] if name[1] is None else name[1]
    key = "name-" + plain.lower().replace(" ", "-")
    return _quoted(words.say(f"demo.{key}")) if words.has(f"demo.{key}") else name[0]


def _quoted(name: str) -> str:
    """A name as one word of a line."""
    from gmtool.cli.reader import join

    return join([name])


class Stage(Screen):
    """The screen of a demo: ``part`` says what of an answer is shown (all, ``# brief`` or ``# quiet``)."""

    def __init__(self, screen: Screen) -> None:
        self.__dict__.update(screen.__dict__)
        self.part = ""

    def show(self, lines: Iterable[Styled]) -> None:
        """Show an answer, without its small print or not at all, as the script says."""
        if self.part != QUIET:
            super().show([line for line in lines if self.part != BRIEF or not _small_print(line)])


def _small_print(line: Styled) -> bool:
    """Whether a line of an answer says only what nobody has to read: it is dim from end to end."""
    return all(span.style == "dim" for span in line if span.text.strip())


class Teller:
    """Tells a script: headings and telling in the reader's language, each line as typed before it is done."""

    def __init__(self, face: "Face", stage: Stage, words: "Catalogue", save: str | None) -> None:
        self._face, self._stage, self._words, self._save = face, stage, words, save

    def __call__(self, text: str, line: Line) -> None:
        """Show one line; nothing in JSON."""
        self._stage.part = ""
        if self._face.defaults.json:
            return
        if text.startswith(HEADING):
            self._stage.show([[], *self._heading(self._said(text))])
        elif text.startswith(TOLD):
            self._stage.show([[], *wrap(self._said(text), self._stage.room, 0, 0)])
        elif text.startswith(TO_TYPE):
            self._stage.show(wrap("gmtool " + text.removeprefix(TO_TYPE), self._stage.room, 2, 6, "good"))
        elif line.words:
            self._stage.show(wrap("> " + line.typed, self._stage.room, 0, 4, "good"))
            self._stage.part = next((part for part in (QUIET, BRIEF) if text.endswith(part)), "")

    def _said(self, text: str) -> str:
        key = text[len(TOLD) :].strip()
        if key == "not-kept" and self._save:
            key = "kept"
        return self._words.say(f"demo.{key}", {"name": self._save})

    def _heading(self, title: str) -> list[Styled]:
        """A heading that stands out without colours too."""
        lines = wrap(f"-- {title}", self._stage.room, 0, 3, "head")
        free = min(self._stage.room.width, WIDEST) - cells_of(lines[-1]) - 1
        return [*lines[:-1], [*lines[-1], *wrap(" " + "-" * free, self._stage.room, 0, 0, "head")[0]]]
