"""Undo, redo and the checkpoints that an undo can go back to."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

from gmtool.cli.lexer import join
from gmtool.cli.reply import Reply
from gmtool.kernel.changes import reverse
from gmtool.kernel.refusal import Refused
from gmtool.kernel.words import WORD, Arg, Flag, Opt, number
from gmtool.referee import back
from gmtool.render.lines import Styled, wrap

if TYPE_CHECKING:
    from gmtool.cli.face import Face

STEPS = number("steps", 1, 1_000_000)


class Undo(NamedTuple):
    """Take back the last steps, or all after a line."""

    steps: Annotated[int, Arg(STEPS)] = 0
    to: Annotated[str | None, Opt("--to", WORD)] = None
    preview: Annotated[bool, Flag("--preview")] = False


class Redo(NamedTuple):
    """Do again what was taken back."""

    steps: Annotated[int, Arg(STEPS)] = 1


class Checkpoint(NamedTuple):
    """A name for this place."""

    name: Annotated[tuple[str, ...], Arg(WORD, many=True)]


def undo_(face: "Face", command: Undo) -> Reply:
    """Take back steps, or show what it would take back."""
    if command.steps and command.to is not None:
        raise Refused("usage", key="undo-both", exit=2)
    if command.preview:
        return _preview(face, command)
    desk = face.writable()
    if command.to is not None:
        return _back(face, "undone", back.undo_to(desk, command.to, line=face.typed))
    return _back(face, "undone", back.undo(desk, command.steps or 1, line=face.typed))


def _preview(face: "Face", command: Undo) -> Reply:
    """Each line that would be taken back with what that would change; nothing is."""
    from gmtool.cli.shown import back_lines

    desk = face.desk()
    lines = back.preview(desk, command.steps or 1) if command.to is None else back.preview_to(desk, command.to)
    changes = [change for line in lines for change in reverse(line["changes"])]
    told = {"result": {"would_undo": [line["seq"] for line in lines]}, "changes": changes}
    shown = [row for line in lines for row in back_lines(face, "undo-preview", [line], reverse(line["changes"]))]
    typed = f"undo {len(lines)}" if command.to is None else f"undo --to {join([command.to])}"
    last = "done.undo-preview-end" if lines else "done.nothing"
    return Reply(told, [*shown, *_said(face, last, {"n": len(lines), "command": typed}, "dim")])


def redo_(face: "Face", command: Redo) -> Reply:
    """Do steps again."""
    return _back(face, "redone", back.redo(face.writable(), command.steps, line=face.typed))


def _back(face: "Face", word: str, moved: back.Back) -> Reply:
    from gmtool.cli.shown import back_lines
    from gmtool.referee.desk import due_list

    desk = face.desk()
    warnings = face.saved(desk)
    body = {
        "seq": moved.seq, "system": desk.system.id, "rules": [], "dice": [],
        "result": {word: [line["seq"] for line in moved.lines]}, "changes": moved.changes, "due": due_list(desk),
        "warnings": warnings, "overruled": [],
    }  # fmt: skip
    return Reply(body, back_lines(face, word, moved.lines, moved.changes))


def checkpoint_(face: "Face", command: Checkpoint) -> Reply:
    """A mark in the journal; it is no step, and no undo takes it away."""
    desk = face.writable()
    name = " ".join(command.name).strip()
    seq = back.checkpoint(desk, name, face.typed)
    warnings = face.saved(desk)
    lines = _said(face, "done.checkpoint", {"seq": seq, "name": name})
    return Reply({"seq": seq, "result": {"checkpoint": name}, "warnings": warnings}, lines)


def _said(face: "Face", key: str, facts: dict[str, Any], style: str = "") -> list[Styled]:
    return wrap(face.words.say(key, facts), face.out.room, 0, 2, style)


HANDLERS: dict[type[Any], Callable[..., Reply]] = {Undo: undo_, Redo: redo_, Checkpoint: checkpoint_}
