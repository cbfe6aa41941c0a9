"""The live shell: a prompt that stays open, asks for missing faces one check at a time, and survives Ctrl-C."""

from typing import TYPE_CHECKING, Any

from gmtool.cli.dispatch import VERSION, execute, find
from gmtool.cli.errors import refused
from gmtool.cli.foreseen import before_the_dice
from gmtool.cli.prompt import Lines, Prompt, lines_of
from gmtool.cli.reader import Line, read_line
from gmtool.cli.reply import Reply
from gmtool.cli.said import option_and_faces, option_shown
from gmtool.cli.script import LEAVE, kept_options
from gmtool.cli.shown import not_for_real, question_lines, where
from gmtool.kernel.refusal import Refused
from gmtool.kernel.typed import is_face
from gmtool.referee.desk import Desk, due_list
from gmtool.referee.opened import drop, open_ruling, question_of
from gmtool.render.lines import Span, wrap
from gmtool.text.clean import printable
from gmtool.text.width import cells, fit

if TYPE_CHECKING:
    from gmtool.cli.face import Face

TAKE_BACK = ("u", "drop")


def table(face: "Face") -> Reply:
    """Read lines until the input ends or one says ``quit``; the exit code is 0."""
    if face.depth:
        raise Refused("usage", key="shell-in-script", exit=2)
    face.defaults, face.deferred = kept_options(face.options), True
    face.depth += 1
    face.in_shell = True
    try:
        lines = face.lines = lines_of(face)
        _opened(face, lines)
        while _again(face, lines):
            pass
    finally:
        face.close()
    return Reply(None, [])


def _desk(face: "Face") -> Desk | None:
    """The campaign the shell is at: the one it was opened with, else the first one that is meant while it is open."""
    face.options = face.defaults
    face.meant.clear()
    desk = face.desk_or_none()
    if desk is not None:
        face.defaults = face.options = face.defaults._replace(campaign=desk.path.name)
    return desk


def _at_hand(face: "Face") -> tuple[Desk | None, dict[str, Any] | None]:
    """The campaign and its open ruling; neither while it cannot be had, which the line that wants it will say."""
    try:
        desk = _desk(face)
        return desk, _asked(face, desk)
    except Refused:
        return None, None


def _opened(face: "Face", lines: Lines) -> None:
    """The greeting, with the keys where there are any."""
    desk = _desk(face)
    if face.options.json:
        return
    facts = {"name": desk.row.name} if desk else {}
    face.out.show(wrap(face.words.say("shell.opened" if desk else "shell.empty", facts), face.out.room, 0, 2, "dim"))
    if lines.keys:
        face.out.show(wrap(face.words.say("shell.keys"), face.out.room, 0, 2, "dim"))


def _asked(face: "Face", desk: Desk | None) -> dict[str, Any] | None:
    """The ruling that is open; its question is shown where it is not the one that was shown last.

    A program is shown nothing that it has not asked for: it learns of another question when its answer is refused.
    """
    opened = open_ruling(desk) if desk else None
    question = question_of(opened) if opened else None
    if desk and opened and question != face.asked and not face.options.json:
        head = not_for_real(face.words, face.out.room, bool(opened.get("tried")), desk.campaign)
        face.out.show([*head, *before_the_dice(face, opened), *question_lines(face, desk, opened)])
        face.asked = question
    face.asked = face.asked or question
    return opened


def _again(face: "Face", lines: Lines) -> bool:
    """The next prompt, whatever Ctrl-C comes in between."""
    try:
        return _one(face, lines)
    except KeyboardInterrupt:
        return True


def _one(face: "Face", lines: Lines) -> bool:
    """One prompt and what comes of it; False when the shell is left."""
    face.out.measure()
    face.err.measure()
    desk, opened = _at_hand(face)
    asked = face.asked
    code = 0
    try:
        text = lines.read(_prompt(face, desk, opened))
        if text is None or text.strip().lower() in LEAVE:
            _left(face, desk, opened, text is None)
            return False
        if text.strip() or face.asked:
            code = execute(face, _line(face, text, desk, opened))
    except Refused as error:
        face.options = face.defaults
        code = face.show_trouble(refused(error, face))
    except KeyboardInterrupt:
        _taken_back(face, desk, lines)
    if code and face.asked in (None, asked):
        _no_more(face, lines)
    return not face.out.closed


def _no_more(face: "Face", lines: Lines) -> None:
    """Of lines pasted together those behind one that was not done are not done either, as in a script."""
    count = lines.stop()
    if count:
        face.err.show(wrap(face.words.say("shell.pasted", {"n": count}), face.err.room, 0, 2, "warn"))


def _left(face: "Face", desk: Desk | None, opened: dict[str, Any] | None, ended: bool) -> None:
    """The end: a line end where none was typed, the what-if that stays on, and the ruling that stays open."""
    if ended and face.out.terminal:
        face.out.write("\n")
    if desk and not face.options.json:
        face.out.show(not_for_real(face.words, face.out.room, False, desk.campaign))
    if opened and not face.options.json:
        face.out.show(wrap(face.words.say("shell.left-open", {"line": opened["line"]}), face.out.room, 0, 2, "warn"))


def _prompt(face: "Face", desk: Desk | None, opened: dict[str, Any] | None) -> Prompt:
    """What is asked, else campaign, turn and phase, and what is due: the first of it by name."""
    if desk is None:
        return Prompt("> ")
    memory = desk.row.secret
    tried = face.words.say("shell.branch", {"n": desk.campaign.tried}) if desk.campaign.branch else ""
    if opened:
        kind = "question" if opened["asks"][0]["kind"] == "dice" else "choice"
        return Prompt("  ".join(filter(None, (tried, face.words.say(f"shell.{kind}")))) + "> ", True, memory)
    name = fit(printable(desk.row.name), face.out.room.width // 3)
    shown = [tried, name, where(face, desk), _due(face, desk)]
    return Prompt("  ".join(part for part in shown if part) + "> ", memory=memory)


def _due(face: "Face", desk: Desk) -> str:
    """How much is due, and the line that settles the first of it where that fits in a third of a row."""
    rows = due_list(desk)
    if not rows:
        return ""
    told = face.words.say("shell.due", {"n": len(rows), "command": printable(rows[0]["command"])})
    fits = cells(told) <= face.out.room.width // 3
    return told if fits else face.words.say("dues.count", {"n": len(rows)})


def _line(face: "Face", text: str, desk: Desk | None, opened: dict[str, Any] | None) -> Line:
    """What was typed, as a line: while a question is open, faces and options answer it, verbs are verbs."""
    line = read_line(text)
    if not face.asked:
        if line.words and not line.prefix and all(map(is_face, line.words)):
            raise Refused("unknown-name", key="faces-unasked", exit=2, facts={"value": " ".join(line.words)})
        return line
    word = text.strip().lower()
    if word in TAKE_BACK:
        return line._replace(words=("answer", "--drop"), typed="answer --drop")
    if not word:
        return line._replace(words=("answer", "--roll"), typed="answer --roll")
    if line.prefix or not line.words:
        return line
    if _is_verb(face, line.words) and not (desk and opened and _is_option(face, desk, line.words, opened)):
        return line
    return line._replace(words=("answer", *line.words), typed=f"answer {line.typed}")


def _is_verb(face: "Face", words: tuple[str, ...]) -> bool:
    if words[0].lower() == "help" or words in VERSION:
        return True
    try:
        face.options = face.defaults
        find(face, words)
    except Refused:
        return False
    return not words[0][:1].isdigit()


def _is_option(face: "Face", desk: Desk, words: tuple[str, ...], opened: dict[str, Any]) -> bool:
    ask, begun = opened["asks"][0], words[0].lower()
    if ask["kind"] == "dice":
        return False
    if any(option.startswith(begun) for option in ask["options"]):
        return True
    return option_shown(face, desk, opened, option_and_faces(opened, words)[0]) is not None


def _taken_back(face: "Face", desk: Desk | None, lines: Lines) -> None:
    """Ctrl-C at a question takes the command back; at the prompt it only begins a new line."""
    face.options = face.defaults
    face.out.write("" if lines.keys else "\n")
    _no_more(face, lines)
    try:
        if desk is not None and open_ruling(desk) is not None:
            desk.campaign.to_write()
            line = drop(desk, face.asked)
            face.asked = None
            face.out.show([[Span(face.words.say("done.dropped", {"line": line}))]])
    except Refused as error:
        face.show_trouble(refused(error, face))
