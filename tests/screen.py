"""A terminal as a person has it before them: keys go in, and what is then on the screen can be read row by row."""

import os
import sys
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pexpect
import pyte

import gmtool

ROOT = Path(gmtool.__file__).parents[1]
KEYS = {"Tab": "\t", "Up": "\x1b[A", "F1": "\x1bOP", "F2": "\x1bOQ", "F3": "\x1bOR", "F4": "\x1bOS"}
SECONDS = 30.0


class Terminal:
    """The program in a terminal of so many columns and rows; cells that a wide character covers are one."""

    def __init__(self, *words: str, home: Path, columns: int = 80, rows: int = 40, **env: str) -> None:
        given: Mapping[str, str] = {
            **os.environ, "PYTHONPATH": str(ROOT), "TERM": "xterm-256color", "LC_ALL": "C.UTF-8",
            "XDG_STATE_HOME": str(home.parent / "state"), **env,
        }  # fmt: skip
        said = {name: value for name, value in given.items() if name not in {"COLUMNS", "LINES"}}
        self.child: Any = pexpect.spawn(
            sys.executable, ["-m", "gmtool", "--home", str(home), *words], env=said, dimensions=(rows, columns),
            encoding=None, timeout=SECONDS,
        )  # fmt: skip
        self.screen = pyte.HistoryScreen(columns, rows, history=2_000)
        self.stream = pyte.ByteStream(self.screen)

    def key(self, name: str) -> None:
        """Press a key by its name, or Ctrl and a letter (``^C``)."""
        self.child.send(chr(ord(name[1]) - 64) if name[0] == "^" else KEYS[name])

    def type(self, text: str, enter: bool = True) -> None:
        """Type a text, and Enter."""
        self.child.send(text + ("\r" if enter else ""))

    def until(self, wanted: str) -> None:
        """Wait until a text is on the screen, or has been."""
        until = time.monotonic() + SECONDS
        while wanted not in self.text:
            assert time.monotonic() < until, f"{wanted!r} is not in\n{self.text}"
            self._read(0.2)

    def prompt(self, wanted: str = "> ") -> None:
        """Wait until the last row with anything in it begins a line of input: it ends so."""
        until = time.monotonic() + SECONDS
        while not (self.rows or [""])[-1].endswith(wanted.rstrip()) or self._read(0.05):
            assert time.monotonic() < until, f"no {wanted!r} at the end of\n{self.text}"
            self._read(0.1)

    def line(self, text: str) -> str:
        """Type a line at the prompt and give the rows that came of it, up to the next prompt."""
        before = len(self.rows)
        self.type(text)
        self._read(0.1)
        self.prompt()
        return "\n".join(self.rows[before:-1])

    def resize(self, columns: int, rows: int) -> None:
        """Make the window wider or narrower, as it is dragged."""
        self.child.setwinsize(rows, columns)
        self.screen.resize(rows, columns)

    def ends(self) -> int:
        """Wait for the end of the program; its exit code."""
        until = time.monotonic() + SECONDS
        while self.child.isalive() and time.monotonic() < until:
            self._read(0.1)
        self.child.close()
        return int(self.child.exitstatus if self.child.exitstatus is not None else -self.child.signalstatus)

    @property
    def rows(self) -> list[str]:
        """All rows from the first one on, those that were scrolled away too, up to the last with anything in it."""
        above = ["".join(row[x].data for x in range(self.screen.columns)) for row in self.screen.history.top]
        found = [row.rstrip() for row in [*above, *self.screen.display]]
        while found and not found[-1]:
            found.pop()
        return found

    @property
    def text(self) -> str:
        """All of that in one."""
        return "\n".join(self.rows)

    def _read(self, seconds: float) -> bool:
        """Take in what the program has written meanwhile; whether it was anything."""
        try:
            self.stream.feed(self.child.read_nonblocking(65_536, seconds))
        except (pexpect.TIMEOUT, pexpect.EOF):
            return False
        return True
