"""The one reader before everything: a typed line or an argument list as prefix, words and global options.

Options and dashes are read in full width too; ``-3`` is a value; names stay as typed. Global options may stand
anywhere; options not known here stay among the words, for the verb. ``note`` and a last ``--because`` take what
follows as it stands: a reason that is one word in quotes, or one before another option, ends there.

Refusals (all exit 2, code ``usage``):
- ``unbalanced-quote``: quote, value (``lexer``)
- ``option-needs-value``: option
- ``option-takes-none``: option, value
- ``option-twice``: option
- ``option-form``: option, value, form (``KEY=VALUE``)
- ``unknown-choice``: option, value, choices
- ``line-too-long``: length, limit
"""

import re
from collections.abc import Sequence
from typing import Any, NamedTuple

from gmtool.cli.lexer import BLANKS, END_OF_OPTIONS, Given, Source, Token, Typed, join, option_of, shown, split, usage
from gmtool.kernel.fold import half_width
from gmtool.kernel.refusal import Refused
from gmtool.text.catalogue import LANGUAGES

__all__ = ["Globals", "Line", "join", "read_argv", "read_line", "split"]

LONGEST_LINE = 20_000
"""Characters of a line: ten times the longest note."""
_VERB = re.compile(r"[A-Za-z][A-Za-z-]*")
_PROGRAM = re.compile(r"\A\s*(?:\$\s+)?gmtool(?=\s|\Z)")
_PREFIXES = ((), "odds"), ((), "try"), (("odds",), "compare")
_FLAGS = {
    "--json": "json",
    "--no-color": "no_color",
    "--force": "force",
    "--fresh": "fresh",
    "--yes": "yes",
    "--help": "help",
}
_SINGLE = {"--campaign": "campaign", "--home": "home", "--lang": "lang", "--for": "for_side", "--because": "because"}
_REPEATED = ("--dice", "--say", "--by")


class Globals(NamedTuple):
    """The options every command takes. ``by`` and ``say`` are pairs; a ``by`` for everyone has an empty first part."""

    campaign: str | None = None
    home: str | None = None
    json: bool = False
    lang: str | None = None
    no_color: bool = False
    dice: str | None = None
    say: tuple[tuple[str, str], ...] = ()
    by: tuple[tuple[str, str], ...] = ()
    because: str | None = None
    force: bool = False
    fresh: bool = False
    yes: bool = False
    for_side: str | None = None
    help: bool = False

    def merge(self, shell_defaults: "Globals") -> "Globals":
        """These options over the defaults of a shell: what is said here wins, flags add up, pairs by their key."""
        base = shell_defaults
        values: dict[str, Any] = {name: getattr(self, name) or getattr(base, name) for name in _FLAGS.values()}
        for name in (*_SINGLE.values(), "dice"):
            own = getattr(self, name)
            values[name] = getattr(base, name) if own is None else own
        for name in ("say", "by"):
            values[name] = tuple({**dict(getattr(base, name)), **dict(getattr(self, name))}.items())
        return Globals(**values)


class Line(NamedTuple):
    """One line as read. ``prefix`` is empty, ``odds``, ``odds compare`` or ``try``; the verb is the first word.

    ``words`` keeps the options of the verb (in half width) and a ``--`` before words that are none. ``note``
    has its whole text as one word. ``typed`` is the line as it may be typed again.
    """

    prefix: tuple[str, ...]
    words: tuple[str, ...]
    globals: Globals
    typed: str


class _Reading:
    """One line while it is read."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self.prefix: tuple[str, ...] = ()
        self.words: list[str] = []
        self.flags: set[str] = set()
        self.singles: dict[str, str] = {}
        self.dice: list[str] = []
        self.pairs: dict[str, dict[str, str]] = {"--say": {}, "--by": {}}
        self.options_end = False

    def all(self) -> tuple[tuple[str, ...], tuple[str, ...], Globals]:
        """The whole line: prefix, words, global options."""
        while (token := self.source.take()) is not None:
            option = None if self.options_end else option_of(token)
            if option is None:
                self._word(token)
            else:
                self._option(*option)
        return self.prefix, tuple(self.words), self._globals()

    def _globals(self) -> Globals:
        values: dict[str, Any] = dict.fromkeys(self.flags, True)
        values |= {_SINGLE[option]: value for option, value in self.singles.items()}
        values |= {option[2:]: tuple(pairs.items()) for option, pairs in self.pairs.items()}
        return Globals(**values, dice=" ".join(self.dice) if self.dice else None)

    def _word(self, token: Token) -> None:
        narrow = half_width(token.text)
        if self.words or self.options_end or token.quoted or not _VERB.fullmatch(narrow):
            self.words.append(token.text)
        elif (self.prefix, narrow) in _PREFIXES:
            self.prefix += (narrow,)
        else:
            self.words.append(narrow)
            if narrow == "note":
                self._note()

    def _note(self) -> None:
        text = self.source.rest()
        if text in ("--help", "-h"):
            self.flags.add("help")
        elif text:
            self.words.append(text)

    def _option(self, option: str, value: str | None) -> None:
        if option == END_OF_OPTIONS:
            self._end_options()
        elif option in _FLAGS:
            if value is not None:
                raise usage("option-takes-none", option=option, value=shown(value))
            self.flags.add(_FLAGS[option])
        elif option in _SINGLE:
            self._single(option, self._value(option, value))
        elif option in _REPEATED:
            self._repeated(option, self._value(option, value))
        else:
            self.words.append(option if value is None else f"{option}={value}")

    def _end_options(self) -> None:
        self.options_end = True
        if self.words:
            self.words.append(END_OF_OPTIONS)

    def _value(self, option: str, value: str | None) -> str:
        if value is None:
            value = self._reason() if option == "--because" else self._next()
        if not value.strip(BLANKS):
            raise usage("option-needs-value", option=option)
        return value

    def _next(self) -> str:
        token = self.source.peek()
        if token is None or option_of(token):
            return ""
        self.source.take()
        return token.text

    def _reason(self) -> str:
        """One word if it is in quotes, or stands before the verb or another option; else the rest of the line."""
        start = self.source.at
        try:
            token = self.source.peek()
            if token is None or option_of(token):
                return ""
            self.source.take()
            quoted = token.quoted or any(blank in token.text for blank in BLANKS)
            if quoted or not self.words or option_of(self.source.peek()):
                return token.text
        except Refused:  # no quotes at all, but apostrophes
            pass
        self.source.at = start
        return self.source.rest()

    def _single(self, option: str, value: str) -> None:
        if option == "--lang":
            value = _language(value)
        if self.singles.setdefault(option, value) != value:
            raise usage("option-twice", option=option)

    def _repeated(self, option: str, value: str) -> None:
        if option == "--dice":
            self.dice.append(half_width(value))
            return
        key, name = _pair(option, value)
        if self.pairs[option].setdefault(key, name) != name:
            raise usage("option-twice", option=f"{option} {key}".strip())


def _language(value: str) -> str:
    lang = half_width(value).strip().lower()
    if lang not in LANGUAGES:
        raise usage("unknown-choice", option="--lang", value=shown(value), choices=list(LANGUAGES))
    return lang


def _pair(option: str, value: str) -> tuple[str, str]:
    """``KEY=VALUE`` as a pair, the key in half width; a name alone, for ``--by``, has an empty key."""
    at = half_width(value).find("=")
    if at < 0 and option == "--by":
        return "", value
    key, name = half_width(value[: max(at, 0)]).strip(), value[at + 1 :].strip()
    if at < 0 or not key or not name:
        form = "KEY=VALUE" if option == "--say" else "UNIT=NAME"
        raise usage("option-form", option=option, value=shown(value), form=form)
    return key, name


def read_line(text: str, script: bool = False) -> Line:
    """A line of the shell, or of a script (``script=True``: with comments).

    The program's own name before it is left out: it stands there where a line was copied from a console.
    """
    _check_length(len(text))
    text = _PROGRAM.sub("", text, count=1)
    source = Typed(text, script)
    prefix, words, options = _Reading(source).all()
    return Line(prefix, words, options, text[: source.end].strip(BLANKS))


def read_argv(argv: Sequence[str]) -> Line:
    """The arguments of a process, without its name."""
    _check_length(sum(map(len, argv)) + len(argv))
    source = Given(argv)
    prefix, words, options = _Reading(source).all()
    return Line(prefix, words, options, source.typed())


def _check_length(length: int) -> None:
    if length > LONGEST_LINE:
        raise usage("line-too-long", length=length, limit=LONGEST_LINE)


def said_again(line: Line) -> str:
    """The line as it can be typed again: its words and what was said with it, not where it was or how it is shown."""
    options = line.globals
    parts = [*line.prefix, *line.words[:1], *(line.words[1:] if line.words[:1] == ("note",) else ())]
    if line.words[:1] != ("note",):
        parts += [join([word]) for word in line.words[1:]]
    parts += [f"--dice {join([options.dice])}"] if options.dice else []
    parts += [f"--say {key}={join([value])}" for key, value in options.say]
    parts += [f"--by {join([f'{unit}={name}' if unit else name])}" for unit, name in options.by]
    parts += [flag for flag, given in (("--force", options.force), ("--fresh", options.fresh)) if given]
    parts += [f"--because {options.because}"] if options.because else []
    return " ".join(parts)
