"""A terminal that is watched: keys come one by one and are not shown, signals do not leave it half set.

Whatever ends the program, the terminal is as it was: the normal end, Ctrl-C, SIGTERM, SIGHUP, Ctrl-Z until it goes on.
"""

import os
import signal
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any, TextIO

ENDING = ("SIGTERM", "SIGHUP")


class Signals:
    """What signals have said: ``ended`` is the exit code that one of them asks for (0: none)."""

    def __init__(self, leave: Callable[[], None], enter: Callable[[], None]) -> None:
        self.ended = 0
        self._leave, self._enter = leave, enter

    @contextmanager
    def heard(self) -> Iterator[None]:
        """Hear them; afterwards they mean what they meant before."""
        wanted = dict.fromkeys(ENDING, self._end) | {"SIGTSTP": self._stop}
        there = {getattr(signal, name): hear for name, hear in wanted.items() if hasattr(signal, name)}
        there = {number: hear for number, hear in there.items() if signal.getsignal(number) is not signal.SIG_IGN}
        before: dict[Any, Any] = {}
        with suppress(ValueError):  # not the main thread: then they are somebody else's to hear
            before = {number: signal.signal(number, hear) for number, hear in there.items()}
        try:
            yield
        finally:
            for number, hear in before.items():
                signal.signal(number, hear)

    def _end(self, number: int, where: object) -> None:
        self.ended = 128 + number

    def _stop(self, number: int, where: object) -> None:
        """Stop as Ctrl-Z stops; the screen is the shell's meanwhile."""
        self._leave()
        again = signal.signal(number, signal.SIG_DFL)
        os.kill(os.getpid(), number)
        signal.signal(number, again)
        self._enter()


class Keys:
    """Waiting for a key, or until so many seconds have passed, or the reader of what is shown has gone."""

    def __init__(self, stdin: TextIO, stdout: TextIO) -> None:
        self._in = _number(stdin) if stdin is sys.stdin and stdin.isatty() else None
        self._out = _number(stdout)
        self._kept: Any = None

    def open(self) -> None:
        """Keys one by one, not shown; Ctrl-C stays Ctrl-C."""
        if self._in is None or sys.platform == "win32":
            return
        import termios
        import tty

        with suppress(termios.error):
            self._kept = termios.tcgetattr(self._in)
            tty.setcbreak(self._in)

    def close(self) -> None:
        """The terminal as it was."""
        if self._kept is None or self._in is None or sys.platform == "win32":
            return
        import termios

        with suppress(termios.error):
            termios.tcsetattr(self._in, termios.TCSADRAIN, self._kept)

    def wait(self, seconds: float) -> str:
        """The keys that were pressed, as text; nothing after so many seconds. EOFError where the reader has gone."""
        if sys.platform == "win32":
            return _windows_keys(seconds) if self._in is not None else _slept(seconds)
        import select

        poll = select.poll()
        if self._in is not None:
            poll.register(self._in, select.POLLIN)
        if self._out is not None:
            poll.register(self._out, 0)
        for number, event in poll.poll(seconds * 1000):
            if number == self._in and event & select.POLLIN:
                typed = os.read(self._in, 64)
                self._in = self._in if typed else None
                return typed.decode("utf-8", "ignore")
            if event & (select.POLLERR | select.POLLHUP | select.POLLNVAL):
                raise EOFError
        return ""


def _number(stream: TextIO) -> int | None:
    """The file a stream is, if it is one."""
    try:
        return stream.fileno()
    except (OSError, ValueError):
        return None


def _slept(seconds: float) -> str:
    time.sleep(seconds)
    return ""


def _windows_keys(seconds: float) -> str:
    import msvcrt

    console: Any = msvcrt
    return str(console.getwch()) if console.kbhit() else _slept(seconds)
