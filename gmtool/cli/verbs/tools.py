"""Scripts, the shell and the demo."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

from gmtool.cli.reply import Reply
from gmtool.kernel.words import TEXT, WORD, Arg, Flag, Opt

if TYPE_CHECKING:
    from gmtool.cli.face import Face


class Run(NamedTuple):
    """Do the lines of a file."""

    file: Annotated[str, Arg(WORD)]
    keep_going: Annotated[bool, Flag("--keep-going")] = False


class TableShell(NamedTuple):
    """A prompt that stays open."""


class Demo(NamedTuple):
    """A battle told from a script; kept as a campaign, or thrown away."""

    game: Annotated[str, Arg(WORD)] = ""
    save: Annotated[str | None, Opt("--save", TEXT)] = None


def run(face: "Face", command: Run) -> Reply:
    """Line by line, stopping at the first that is not done."""
    from gmtool.cli.script import run_file

    return run_file(face, command.file, command.keep_going)


def table(face: "Face", command: TableShell) -> Reply:
    """The live shell."""
    from gmtool.cli.shell import table as shell

    return shell(face)


def demo(face: "Face", command: Demo) -> Reply:
    """The game's demo script."""
    from gmtool.cli.demo import demo as show

    return show(face, command.game, None if command.save is None else command.save.strip())


HANDLERS: dict[type[Any], Callable[..., Reply]] = {Run: run, TableShell: table, Demo: demo}
