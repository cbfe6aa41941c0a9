"""The one place where text leaves the program: colour or not, how wide, and what the stream can encode.

Lines are painted here with a handful of terminal codes. This was measured against ``rich.text`` printed by a
kept console: 12 lines take 0.03 ms here and 1.3 to 1.9 ms there, and 60 ms of import are spared.
"""

import errno
import os
import sys
import unicodedata
from collections.abc import Iterable, Mapping
from typing import Any, TextIO

from gmtool.render.jsonout import dumps
from gmtool.render.lines import Room, Styled, plain, trimmed
from gmtool.text.width import cells

_CODES = {"dim": "2", "good": "32", "warn": "33", "bad": "1;31", "head": "1"}
# blue, yellow, magenta, which no eye mixes up; bold for whoever may still act
_CODES |= {"side-0": "1;94", "side-1": "1;33", "side-2": "1;95", "spent-0": "94", "spent-1": "33", "spent-2": "95"}
_STAND_INS = str.maketrans({"—": "-", "–": "-", "−": "-", "‐": "-", "〜": "～", "…": "..."})
_NARROWEST, _WIDEST = 40, 1_000
_USUAL = os.terminal_size((80, 24))
_ENDED = {"EPIPE", "EINVAL", "ECONNRESET", "ESHUTDOWN"}


class Screen:
    """A stream to show lines on.

    ``width``: columns to use, else ``COLUMNS``, the terminal's, 80. ``color``: False is ``--no-color``; otherwise a
    terminal gets colours, ``FORCE_COLOR`` adds them elsewhere, a ``NO_COLOR`` that is not empty takes them away.
    ``closed`` says that the reader has gone (a quiet end), ``trouble`` any other reason why nothing can be written.
    """

    def __init__(
        self,
        stream: TextIO,
        *,
        width: int | None = None,
        color: bool = True,
        lang: str = "en",
        env: Mapping[str, str] = os.environ,
    ) -> None:
        self.stream = stream
        self.lang = lang
        self.encoding = getattr(stream, "encoding", None) or "utf-8"
        self.terminal = _is_terminal(stream)
        self.color = color and _wants_color(stream, self.terminal, env)
        self._told, self._env = width, env
        self.measure()
        self.closed = False
        self.trouble: OSError | None = None

    def measure(self) -> None:
        """Take the width anew: a terminal may have been made wider or narrower since."""
        wide = self._told or _width(self.stream, self.terminal, self._env)
        self.room = Room(min(max(wide, _NARROWEST), _WIDEST), self.terminal)

    @property
    def size(self) -> os.terminal_size:
        """Columns and lines that can be seen at once: a terminal's, else those of a usual one."""
        try:
            found = os.get_terminal_size(self.stream.fileno()) if self.terminal else _USUAL
        except (OSError, ValueError):
            return _USUAL
        return found if all(found) else _USUAL

    def painted(self, line: Styled) -> str:
        """A line as it is written: with its colours where there are any."""
        return _painted(line) if self.color else plain(line)

    def show(self, lines: Iterable[Styled]) -> None:
        """Write lines, painted where the stream takes colour; in a file or pipe without blanks at their ends."""
        kept = lines if self.terminal else map(trimmed, lines)
        self.write("".join(f"{self.painted(line)}\n" for line in kept))

    def json(self, answer: Mapping[str, Any]) -> None:
        """Write one JSON object on a line of its own, escaped as far as the stream's encoding needs it."""
        self.write(dumps(answer, ascii_only=not self.encoding.lower().replace("-", "").startswith("utf")) + "\n")

    def write(self, text: str) -> None:
        """Write text as it is, except for what the stream cannot encode. Never raises for what lies outside."""
        if self.closed or self.trouble:
            return
        try:
            self.stream.write(encodable(text, self.encoding))
            self.stream.flush()
        except OSError as error:
            self._ended(error)
        except ValueError:  # a stream that was closed under us
            self.closed = True

    def _ended(self, error: OSError) -> None:
        """Remember why, and let what is still buffered go nowhere, so that leaving Python says nothing either."""
        self.closed = errno.errorcode.get(error.errno or 0) in _ENDED
        self.trouble = None if self.closed else error
        try:
            nowhere = os.open(os.devnull, os.O_WRONLY)
            os.dup2(nowhere, self.stream.fileno())
            os.close(nowhere)
        except (OSError, ValueError):
            pass  # a stream without a file behind it has nothing to let go


def encodable(text: str, encoding: str) -> str:
    """The text with everything replaced that ``encoding`` cannot hold: by a plain sign, else ``?`` for each cell."""
    if _holds(text, encoding):
        return text
    text = unicodedata.normalize("NFC", text).translate(_STAND_INS)
    kept, lost = "", ""
    for letter in text:
        if _holds(letter, encoding):
            kept += "?" * cells(lost) + letter
            lost = ""
        else:
            lost += letter
    return kept + "?" * cells(lost)


def _holds(text: str, encoding: str) -> bool:
    try:
        text.encode(encoding)
    except (UnicodeError, LookupError):
        return False
    return True


def _painted(line: Styled) -> str:
    return "".join(f"\x1b[{_CODES[style]}m{text}\x1b[0m" if style in _CODES else text for text, style in line)


def _is_terminal(stream: TextIO) -> bool:
    try:
        return stream.isatty()
    except ValueError:
        return False


def _wants_color(stream: TextIO, terminal: bool, env: Mapping[str, str]) -> bool:
    if env.get("NO_COLOR"):
        return False
    if env.get("FORCE_COLOR", "") not in ("", "0"):
        return True
    return terminal and env.get("TERM") not in ("dumb", "unknown") and _understands_codes(stream)


def _understands_codes(stream: TextIO) -> bool:
    """Old Windows consoles print codes instead of obeying them; rich knows how to tell."""
    if sys.platform != "win32":
        return True
    from rich.console import Console

    return not Console(file=stream).legacy_windows


def _width(stream: TextIO, terminal: bool, env: Mapping[str, str]) -> int:
    told = env.get("COLUMNS", "")
    if told.isascii() and told.isdigit() and told.strip("0"):
        return int(told) if len(told) < 10 else _WIDEST
    try:
        return (os.get_terminal_size(stream.fileno()).columns if terminal else 0) or 80
    except (OSError, ValueError):
        return 80
