"""Scripts: the lines of a file, done as if they were typed, up to the first that is not done."""

import os
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

from gmtool.cli.dispatch import execute
from gmtool.cli.errors import refused
from gmtool.cli.reader import Globals, Line, read_line
from gmtool.cli.reply import Reply
from gmtool.kernel.refusal import Refused
from gmtool.render.lines import wrap
from gmtool.rulesdata.plain import open_plain
from gmtool.store.files import given_path

if TYPE_CHECKING:
    from gmtool.cli.face import Face

DEPTH = 5
LEAVE = ("quit", "exit")
"""What ends a script or the shell."""
LONGEST = 8 << 20
STREAMS = ("/dev/stdin", "/dev/fd/")
"""What a shell gives a pipe as, which somebody writes to; any other pipe might be waited for forever."""
_SHOWN = 400
Watcher = Callable[[str, Line], None]


def run_file(face: "Face", name: str, keep_going: bool = False) -> Reply:
    """Do a script; ``-`` is standard input. The exit code is that of the first line that was not done."""
    return Reply(None, [], run_lines(face, name, read_script(face, name), keep_going))


def read_script(face: "Face", name: str) -> list[str]:
    """The lines of a script, UTF-8 with or without a byte order mark; Refused where it cannot be read."""
    try:
        data = _bytes(face, name)
    except (OSError, ValueError) as error:
        problem = getattr(error, "strerror", None) or str(error)
        raise Refused("bad-value", key="script-unreadable", exit=2, facts={"file": name, "problem": problem}) from None
    if len(data) > LONGEST:
        raise Refused("bad-value", key="script-too-long", exit=2, facts={"file": name, "limit": LONGEST})
    try:
        return data.removeprefix(b"\xef\xbb\xbf").decode("utf-8").splitlines()
    except UnicodeDecodeError as error:
        line = data[: error.start].count(b"\n") + 1
        facts = {"file": name, "line": line, "byte": f"0x{data[error.start]:02x}"}
        raise Refused("bad-value", key="script-not-utf8", exit=2, facts=facts) from None


def _bytes(face: "Face", name: str) -> bytes:
    """What the script holds; standard input is UTF-8 too, whatever the terminal is."""
    if name.startswith(STREAMS):
        with open(name, "rb") as file:
            return file.read(LONGEST + 1)
    if name != "-":
        with open_plain(given_path(face.cwd, name)) as file:
            return file.read(LONGEST + 1)
    stream = getattr(face.stdin, "buffer", None)
    data: bytes = stream.read(LONGEST + 1) if stream else face.stdin.read(LONGEST + 1).encode("utf-8", "surrogatepass")
    return data


def run_lines(
    face: "Face", name: str, lines: Iterable[str], keep_going: bool = False, watch: Watcher | None = None
) -> int:
    """Do lines one after the other; ``watch`` sees each before it is done."""
    if face.depth >= DEPTH:
        raise Refused("usage", key="script-depth", exit=2, facts={"limit": DEPTH})
    before = face.defaults, face.deferred
    face.defaults, face.deferred = kept_options(face.options), True
    place = os.path.realpath(face.cwd / name)
    if name != "-" and place in face.scripts:
        raise Refused("usage", key="script-again", exit=2, facts={"file": name})
    face.depth += 1
    face.scripts.append(place)
    try:
        return _run(face, name, lines, keep_going, watch)
    finally:
        face.depth -= 1
        face.scripts.pop()
        face.defaults, face.deferred = before
        if not face.deferred:
            face.close()


def _run(face: "Face", name: str, lines: Iterable[str], keep_going: bool, watch: Watcher | None) -> int:
    first = 0
    for number, text in enumerate(lines, 1):
        if not text.strip():
            continue
        if text.strip().lower() in LEAVE:
            break
        code = _one(face, text, watch)
        if code:
            where = {"file": name, "n": number, "text": text.strip()[:_SHOWN]}
            if not face.options.json:
                face.err.show(wrap(face.words.say("done.stopped-at", where), face.err.room, 0, 2))
            first = first or code
            if not keep_going:
                break
    return first


def _one(face: "Face", text: str, watch: Watcher | None) -> int:
    try:
        line = read_line(text, script=True)
    except Refused as error:
        face.options = face.defaults
        return face.show_trouble(refused(error, face))
    if watch:
        watch(text, line)
    return execute(face, line) if line.words or line.prefix else 0


def kept_options(options: Globals) -> Globals:
    """The options of a ``run`` or ``table`` line that hold for every line after it."""
    return Globals(
        campaign=options.campaign, home=options.home, json=options.json, lang=options.lang,
        no_color=options.no_color, yes=options.yes, for_side=options.for_side,
    )  # fmt: skip
