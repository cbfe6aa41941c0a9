"""The two ways in which a course is typed: each line as a call of its own, or all into one shell that stays open."""

import io
import json
from collections.abc import Generator
from typing import Any
from unittest.mock import patch

from gmtool.cli import main
from gmtool.cli.codes import CODES
from gmtool.cli.lexer import split
from gmtool.kernel.refusal import Refused
from gmtool.referee.desk import PACKAGES
from tests.courses.checks import held

GAMES = (*PACKAGES, "tests.games")
SLUG = "course"
Reply = dict[str, Any]
Lines = Generator[str, Reply, None]


def by_calls(course: Any, lines: Lines) -> None:
    """Each line as a call of its own."""
    reply: Any = None
    while True:
        try:
            line = lines.send(reply)
        except StopIteration:
            return
        # a line is cut into words as a console would do it
        code, objects = course.called(argv_of(line))
        held(len(objects) == 1, "one answer to a line", line, objects)
        (reply,) = objects
        exits = (0,) if reply["ok"] else CODES[reply["error"]["code"]].exits
        held(code in exits, "the exit code is that of the answer", line, code, reply)


def argv_of(line: str) -> list[str]:
    """The words of a line; one that cannot be cut is a single word."""
    if line.startswith("note "):
        return ["note", line.removeprefix("note ")]
    try:
        return split(line)
    except Refused:
        return [line]


class Typist(io.StringIO):
    """A standard input that types the next line when the shell reads one, knowing what it answered to the last."""

    def __init__(self, lines: Lines, out: io.StringIO) -> None:
        super().__init__()
        self.lines, self.out, self.reply = lines, out, None
        self.fault: Exception | None = None

    def readline(self, size: int = -1, /) -> str:
        try:
            if self.reply is not None:
                objects = answers(self.out.getvalue())
                held(len(objects) == 1, "one answer to a line", self.reply, objects)
            text = self.lines.send(None if self.reply is None else objects[0])
        except Exception as end:  # the shell must not take it for trouble of its own
            self.fault = None if isinstance(end, StopIteration) else end
            return ""
        self.reply = text
        self.out.seek(0)
        self.out.truncate()
        return f"{text}\n"


def by_shell(course: Any, lines: Lines) -> None:
    """All lines into one shell that stays open."""
    out, err = io.StringIO(), io.StringIO()
    typist = Typist(lines, out)
    made = main.make_face

    def face(*args: Any) -> Any:
        course.face = made(*args) if course.face is None else course.face
        return course.face if not course.face.in_shell else made(*args)

    with patch.object(main, "make_face", face):
        argv = ["table", "--json", "--campaign", SLUG]
        code = main.run(argv, stdin=typist, stdout=out, stderr=err, env=course.env, packages=GAMES)
    if typist.fault:
        raise typist.fault
    held(code == 0 and not err.getvalue(), "the shell ends well", code, err.getvalue())


def answers(out: str) -> list[Reply]:
    """The JSON objects of an output, one a line."""
    return [json.loads(line) for line in out.splitlines()]
