"""The demo: a script that comes with the program, run by the same ``run``, in a home that is thrown away."""

from pathlib import Path
from typing import TYPE_CHECKING

from gmtool.cli.reader import Line
from gmtool.cli.reply import Reply
from gmtool.kernel.refusal import Refused
from gmtool.kernel.words import Candidate, find
from gmtool.render.lines import wrap

if TYPE_CHECKING:
    from gmtool.cli.face import Face

PACKAGE = Path(__file__).resolve().parents[1]
HEADING = "#: "


def scripts() -> dict[str, Path]:
    """The demo scripts by game: inside an installed package, or in a checkout beside it."""
    for folder in (PACKAGE / "_campaigns" / "demo", PACKAGE.parent / "campaigns" / "demo"):
        if folder.is_dir():
            return {path.stem: path for path in sorted(folder.glob("*.gm"))}
    return {}


def demo(face: "Face", game: str) -> Reply:
    """Run a game's demo (the first there is, unless one is named); every line is shown before it is done."""
    from tempfile import TemporaryDirectory

    from gmtool.cli.script import read_script, run_lines

    found = scripts()
    if not found:
        raise Refused("bad-value", key="no-demo", exit=2)
    name = find(game, "system", [Candidate(id) for id in found]) if game else next(iter(found))
    with TemporaryDirectory(prefix="gmtool-demo-") as folder:
        face.options = face.options._replace(home=folder, campaign=None)
        environment = face.env
        face.env = {key: value for key, value in environment.items() if key != "GMTOOL_CAMPAIGN"}
        try:
            code = run_lines(face, found[name].name, read_script(face, str(found[name])), watch=Shower(face, name))
        finally:
            face.env = environment
            face.desks.clear()
    return Reply(None, [], code)


class Shower:
    """Shows each line of the script before it is done: headings in the reader's language, commands as typed."""

    def __init__(self, face: "Face", game: str) -> None:
        self._face, self._game = face, game

    def __call__(self, text: str, line: Line) -> None:
        """Show one line; nothing in JSON."""
        face = self._face
        if face.defaults.json:
            return
        if text.startswith(HEADING):
            from gmtool.text.catalogue import load

            told = load(face.lang, self._game).say(f"demo.{text.removeprefix(HEADING).strip()}")
            face.out.show([[], *wrap(told, face.out.room, 0, 0, "head")])
        elif line.words:
            face.out.show([[], *wrap("> " + line.typed, face.out.room, 0, 4, "dim")])
