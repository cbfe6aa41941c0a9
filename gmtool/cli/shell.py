"""The live shell: a prompt that stays open, asks for missing faces one check at a time, and survives Ctrl-C."""

from contextlib import suppress
from typing import TYPE_CHECKING, Any

from gmtool.cli.dispatch import execute, find
from gmtool.cli.errors import refused
from gmtool.cli.reader import Line, read_line
from gmtool.cli.reply import Reply
from gmtool.cli.script import kept_options
from gmtool.kernel.refusal import Refused
from gmtool.kernel.view import names_in
from gmtool.referee.desk import Desk
from gmtool.referee.opened import drop, open_ruling
from gmtool.render.lines import Span
from gmtool.render.words import Words

if TYPE_CHECKING:
    from gmtool.cli.face import Face

LEAVE = ("quit", "exit")
TAKE_BACK = ("u", "drop")


def table(face: "Face") -> Reply:
    """Read lines until the input ends or one says ``quit``; the exit code is 0."""
    if face.depth:
        raise Refused("usage", key="shell-in-script", exit=2)
    desk = face.desk()
    face.options = face.options._replace(campaign=str(desk.path.name))
    face.defaults, face.deferred = kept_options(face.options), True
    face.depth += 1
    face.in_shell = True
    if not face.options.json:
        face.out.show([[Span(face.words.say("shell.opened", {"name": desk.row.name}), "dim")]])
    try:
        while _again(face, desk):
            pass
    finally:
        face.close()
    return Reply(None, [])


def _again(face: "Face", desk: Desk) -> bool:
    """The next prompt, whatever Ctrl-C comes in between."""
    try:
        return _one(face, desk)
    except KeyboardInterrupt:
        return True


def _one(face: "Face", desk: Desk) -> bool:
    """One prompt and what comes of it; False when the shell is left."""
    desk.campaign.refresh()
    opened = open_ruling(desk)
    try:
        text = _read(face, _prompt(face, desk, opened) if face.out.terminal else "")
        if text is None or text.strip().lower() in LEAVE:
            return False
        if text.strip() or opened:
            execute(face, _line(face, desk, text, opened))
    except Refused as error:
        face.options = face.defaults
        face.show_trouble(refused(error, face))
    except KeyboardInterrupt:
        _taken_back(face, desk)
    return not face.out.closed


def _read(face: "Face", prompt: str) -> str | None:
    """A line from the person, without its end; None at the end of input."""
    import sys

    if face.stdin is sys.stdin and face.stdin.isatty() and face.out.terminal:
        with suppress(ImportError):
            import readline  # noqa: F401  gives input() a memory and a cursor where the system has it
        try:
            return input(prompt)
        except EOFError:
            return None
    face.out.write(prompt)
    text = face.stdin.readline()
    return text.rstrip("\r\n") if text else None


def _prompt(face: "Face", desk: Desk, opened: dict[str, Any] | None) -> str:
    """What is asked, else campaign, turn and phase, how much is due."""
    if opened:
        return _question(face, opened)
    where = desk.system.view().where(desk.state)
    told = Words(face.words, desk.names(names_in(where) if where else ())).said(where) if where else ""
    due = len(desk.state.table("due"))
    shown = [desk.row.name, told, face.words.say("dues.count", {"n": due}) if due else ""]
    return "  ".join(part for part in shown if part) + "> "


def _question(face: "Face", opened: dict[str, Any]) -> str:
    kind = "question" if opened["asks"][0]["kind"] == "dice" else "choice"
    return face.words.say(f"shell.{kind}") + "> "


def _line(face: "Face", desk: Desk, text: str, opened: dict[str, Any] | None) -> Line:
    """What was typed, as a line: while a question is open, faces and options answer it, verbs are verbs."""
    line = read_line(text)
    if not opened:
        return line
    word = text.strip().lower()
    if word in TAKE_BACK:
        return line._replace(words=("answer", "--drop"), typed="answer --drop")
    if not word:
        return line._replace(words=("answer", "--roll"), typed="answer --roll")
    if line.prefix or not line.words or (_is_verb(face, line.words) and not _is_option(line.words[0], opened)):
        return line
    return line._replace(words=("answer", *line.words), typed=f"answer {line.typed}")


def _is_verb(face: "Face", words: tuple[str, ...]) -> bool:
    try:
        face.options = face.defaults
        find(face, words)
    except Refused:
        return False
    return not words[0][:1].isdigit()


def _is_option(word: str, opened: dict[str, Any]) -> bool:
    ask = opened["asks"][0]
    return ask["kind"] != "dice" and any(option.startswith(word.lower()) for option in ask["options"])


def _taken_back(face: "Face", desk: Desk) -> None:
    """Ctrl-C at a question takes the command back; at the prompt it only begins a new line."""
    face.options = face.defaults
    face.out.write("\n")
    try:
        if open_ruling(desk) is not None:
            desk.campaign.to_write()
            face.out.show([[Span(face.words.say("done.dropped", {"line": drop(desk)}))]])
    except Refused as error:
        face.show_trouble(refused(error, face))
