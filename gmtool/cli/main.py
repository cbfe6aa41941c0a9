"""The program: one line from the arguments, done, and an exit code."""

import gc
import io
import os
import signal
import sys
from collections.abc import Iterable, Mapping
from typing import NoReturn, TextIO

from gmtool.cli.dispatch import execute
from gmtool.cli.errors import FAULT, INTERRUPTED, refused, trouble
from gmtool.cli.face import Face, working_folder
from gmtool.cli.reader import Globals, read_argv
from gmtool.kernel.refusal import Refused
from gmtool.referee.desk import PACKAGES, Registry
from gmtool.render.screen import Screen

GARBAGE = 100_000
"""After so many new objects the garbage collector looks for cycles."""


def main(argv: list[str] | None = None) -> NoReturn:
    """Run as a program and end the process with the exit code of the line."""
    if signal.getsignal(signal.SIGINT) is signal.SIG_DFL:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    # what is imported for one line stays to its end; looking it through for garbage takes a twentieth of the time
    gc.set_threshold(GARBAGE)
    if isinstance(sys.stdin, io.TextIOWrapper):
        # keys may be pressed that are none in the terminal's encoding; anything else that is read is UTF-8
        sys.stdin.reconfigure(encoding=None if sys.stdin.isatty() else "utf-8", errors="surrogateescape")
    code = run(
        [_as_utf8(word) for word in sys.argv[1:]] if argv is None else argv,
        stdin=sys.stdin or io.StringIO(),
        stdout=sys.stdout or nowhere(),
        stderr=sys.stderr or nowhere(),
        env=os.environ,
    )
    # all is done and said: a further Ctrl-C while Python puts its things away would only add noise
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    sys.exit(code)


def nowhere() -> TextIO:
    """A stream for what nobody hears: one of the process's own was closed."""
    return open(os.devnull, "w", encoding="utf-8")


def _as_utf8(word: str) -> str:
    """An argument as the UTF-8 it is, where the locale has taken it for something else."""
    try:
        return word if word.isascii() else os.fsencode(word).decode("utf-8")
    except UnicodeError:
        return word


def run(
    argv: list[str],
    *,
    stdin: TextIO,
    stdout: TextIO,
    stderr: TextIO,
    env: Mapping[str, str],
    packages: Iterable[str] = PACKAGES,
) -> int:
    """Do one line on these streams; its exit code. Never raises: what goes wrong is told and has a code."""
    try:
        face = make_face(stdin, stdout, stderr, env, packages)
        try:
            return _run(face, argv)
        except KeyboardInterrupt:
            return _interrupted(face)
    except Exception as error:
        # not even the words for it could be had
        stderr.write(f"gmtool: {type(error).__name__}: {error}\n")
        return FAULT


def make_face(
    stdin: TextIO, stdout: TextIO, stderr: TextIO, env: Mapping[str, str], packages: Iterable[str] = PACKAGES
) -> Face:
    """A face on these streams."""
    return Face(stdin, Screen(stdout, env=env), Screen(stderr, env=env), env, working_folder(), Registry(packages))


def _run(face: Face, argv: list[str]) -> int:
    try:
        line = read_argv(argv)
    except Refused as error:
        face.options = Globals(json="--json" in argv)
        return face.show_trouble(refused(error, face))
    if line.globals.no_color:
        face.out.color = face.err.color = False
    code = execute(face, line)
    return _finish(face, code)


def _finish(face: Face, code: int) -> int:
    """A reader that has gone is no trouble; anything else that kept the answer from being shown is told."""
    if face.out.trouble is not None:
        face.err.write(f"{face.words.say('refusal.not-shown', {'problem': face.out.trouble.strerror or ''})}\n")
    return code


def _interrupted(face: Face) -> int:
    try:
        face.err.write(f"{face.words.say('done.interrupted')}\n")
    except (Refused, KeyboardInterrupt):
        pass
    except Exception as error:
        return face.show_trouble(trouble(error, face))
    return INTERRUPTED
