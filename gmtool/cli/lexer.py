"""Cutting a line into words, by rules made for names and speech rather than for programs.

Quotes count only where a word begins, or right after ``=``, so the apostrophe of ``O'Neil`` is a letter; a quote ends
where the same quote stands before a blank or the end. A backslash means something only before a quote or backslash
inside ``"…"``. In scripts ``#`` begins a comment at the start of a line or after two blanks.

Refusal (exit 2, code ``usage``): ``unbalanced-quote`` {quote, value (the text from the quote on, shortened)}.
"""

import re
from collections.abc import Sequence
from typing import NamedTuple, Protocol

from gmtool.kernel.fold import half_width
from gmtool.kernel.refusal import Refused
from gmtool.kernel.words import quoted
from gmtool.text.clean import printable
from gmtool.text.width import fit

BLANKS = " \t\r\n\u00a0\u3000"
END_OF_OPTIONS = "--"

_QUOTES = "\"'"
_SHOWN = 40
_OPTION = re.compile(r"--[A-Za-z][A-Za-z0-9-]*|-[ch](?==|\Z)")
_FORM = ("--json", "--no-color")
_PLACE = ("--campaign", "--home", "--lang")
_SHORT = {"-c": "--campaign", "-h": "--help"}


class Token(NamedTuple):
    """One word of a line, and whether it was in quotes."""

    text: str
    quoted: bool = False


def usage(key: str, **facts: object) -> Refused:
    """The refusal of a line that is not understood."""
    return Refused("usage", key=key, exit=2, facts=facts)


def shown(text: str) -> str:
    """What was typed, as a message can show it."""
    return fit(printable(text), _SHOWN)


class Source(Protocol):
    """Where the words come from, one after the other; ``at`` can be put back."""

    at: int

    def take(self) -> Token | None:
        """The next word, if there is one."""

    def peek(self) -> Token | None:
        """The next word, which stays."""

    def rest(self) -> str:
        """All that is left, as it stands, without the blanks around it."""


class Typed:
    """A line as text, with a place in it."""

    def __init__(self, text: str, script: bool) -> None:
        self.text = text
        self.script = script
        self.at = 0
        self.end = len(text)

    def take(self) -> Token | None:
        """The next word; none at the end or at a comment."""
        start = self.at
        self._skip_blanks()
        if self.at < self.end and self._comment_after(self.at - start, start):
            self.end = start
        if self.at >= self.end:
            self.at = self.end
            return None
        if self.text[self.at] in _QUOTES:
            return Token(self._quoted(), True)
        return Token(self._plain())

    def peek(self) -> Token | None:
        """The next word, which stays."""
        at, end = self.at, self.end
        try:
            return self.take()
        finally:
            self.at, self.end = at, end

    def rest(self) -> str:
        """All that is left, as it stands."""
        left = self.text[self.at : self.end].strip(BLANKS)
        self.at = self.end
        return left

    def _skip_blanks(self) -> None:
        while self.at < self.end and self.text[self.at] in BLANKS:
            self.at += 1

    def _comment_after(self, blanks: int, start: int) -> bool:
        return self.script and self.text[self.at] == "#" and (start == 0 or blanks >= 2)

    def _plain(self) -> str:
        start = self.at
        while self.at < self.end and self.text[self.at] not in BLANKS:
            self.at += 1
            if self.text[self.at - 1] in "=＝" and self.text[self.at : self.at + 1] in tuple(_QUOTES):
                return self.text[start : self.at] + self._quoted()
        return self.text[start : self.at]

    def _quoted(self) -> str:
        """From a quote to the same quote before a blank or the end."""
        opened, quote = self.at, self.text[self.at]
        inside: list[str] = []
        at = opened + 1
        while at < self.end:
            char, after = self.text[at], self.text[at + 1 : min(at + 2, self.end)]
            if char == quote and (not after or after in BLANKS):
                self.at = at + 1
                return "".join(inside)
            if char == quote and (quote == '"' or self.text[at - 1] in BLANKS):
                break
            escaped = quote == '"' and char == "\\" and after in ('"', "\\")
            inside.append(after if escaped else char)
            at += 2 if escaped else 1
        raise usage("unbalanced-quote", quote=quote, value=shown(self.text[opened : self.end]))


class Given:
    """The arguments of a process; what the system's shell had in quotes is known only by its blanks."""

    def __init__(self, argv: Sequence[str]) -> None:
        self.argv = argv
        self.at = 0
        self.raw = slice(len(argv), len(argv))

    def take(self) -> Token | None:
        """The next argument."""
        token = self.peek()
        self.at += token is not None
        return token

    def peek(self) -> Token | None:
        """The next argument, which stays."""
        return Token(self.argv[self.at]) if self.at < len(self.argv) else None

    def rest(self) -> str:
        """All arguments left, with one blank between them, but for options of place and form at the very end.

        ``gmtool note "They rest" --json`` is how a program asks for JSON; as words of a note these are rare.
        """
        end = len(self.argv)
        while (shorter := self._before_option(end)) > self.at:
            end = shorter
        self.raw, self.at = slice(self.at, end), end
        return " ".join(self.argv[self.raw]).strip(BLANKS)

    def _before_option(self, end: int) -> int:
        """Where an option of place or form begins that ends there; 0 where none does."""
        last, other = (option_of(Token(word)) for word in ("", "", *self.argv[:end])[-1:-3:-1])
        if last and (last[0] in _FORM or (last[0] in _PLACE and last[1])):
            return end - 1
        return end - 2 if other and other[0] in _PLACE and other[1] is None else 0

    def typed(self) -> str:
        """The arguments as a line that is read in the same way."""
        before, raw, after = self.argv[: self.raw.start], self.argv[self.raw], self.argv[self.raw.stop :]
        return " ".join([*map(_again, after), *map(_again, before), *raw])


def option_of(token: Token | None) -> tuple[str, str | None] | None:
    """An option by its full name in half width, with the value after ``=`` as typed; None for any other word."""
    if token is None or token.quoted:
        return None
    narrow = half_width(token.text)
    if narrow == END_OF_OPTIONS:
        return narrow, None
    match = _OPTION.match(narrow)
    if match is None or narrow[match.end() :][:1] not in ("", "="):
        return None
    value = token.text[match.end() + 1 :] if match.end() < len(narrow) else None
    return _SHORT.get(match.group(), match.group()), value


def split(text: str, script: bool = False) -> list[str]:
    """The words of a line of the shell, or of a script (where ``#`` begins a comment), without the raw rests."""
    source = Typed(text, script)
    words = []
    while (token := source.take()) is not None:
        words.append(token.text)
    return words


def _again(word: str) -> str:
    """A word as it has to be typed to be read as it is."""
    option = option_of(Token(word))
    needs = not word or word[0] in _QUOTES or any(blank in word for blank in BLANKS) or re.search("[=＝][\"']", word)
    if not needs:
        return word
    if option and option[1] is not None:
        return word[: -len(option[1])] + quoted(option[1])
    return quoted(word)


def join(words: Sequence[str]) -> str:
    """Words as a line that is read as these words."""
    return " ".join(_again(word) for word in words)
