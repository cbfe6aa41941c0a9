"""A line that is still being typed: the words that are whole, the one under the cursor, and the options so far."""

from collections.abc import Sequence
from typing import Any, NamedTuple

from gmtool.cli.lexer import BLANKS, Token, Typed, option_of
from gmtool.cli.reader import Globals, read_line
from gmtool.kernel.fold import half_width
from gmtool.kernel.refusal import Refused
from gmtool.kernel.words import Arg, Flag, Opt, Param, Scope, params, read_word

VALUED = ("--campaign", "--home", "--lang", "--dice", "--say", "--by", "--because", "--for")
"""The options of every line that have a value."""
QUOTES = "\"'"


class Begun(NamedTuple):
    """What stands before the cursor.

    ``word`` is what has been typed of the word under it, without quotes, ``length`` the characters it takes; ``option``
    the option whose value it is, if it is one's. ``words`` are those before it, without the options of every line.
    """

    prefix: tuple[str, ...]
    words: tuple[str, ...]
    word: str
    length: int
    option: str
    options: Globals
    quoted: bool = False

    @property
    def dashed(self) -> bool:
        """Whether the word begins an option."""
        return self.word.startswith("-") and not self.quoted


class Parted(NamedTuple):
    """The words behind a verb as typed: bare ones, options with their values, the option that waits for one."""

    args: tuple[str, ...]
    options: tuple[tuple[str, str], ...]
    waiting: str


def begun(text: str) -> Begun | None:
    """The line that the cursor is in: behind the last stroke that stands alone, for ``odds`` takes several.

    None where the rest of the line is taken as it stands: a note, a reason.
    """
    spans = _spans(text)
    last = spans.pop() if spans and spans[-1][2] == len(text) else None
    strokes = [n for n, (token, _, _) in enumerate(spans) if half_width(token.text) == "/" and not token.quoted]
    start = spans[strokes[-1]][2] if strokes else 0
    at = last[1] if last else len(text)
    option, before = _waiting([token for token, _, _ in spans]), text[start:at]
    try:
        line = read_line(before)
    except Refused:
        if not option:
            return None
        line = read_line(text[start : spans[-1][1]])
    if line.words[:1] == ("note",) or option == "--because":
        return None
    prefix = line.prefix or (read_line(text[:start]).prefix if strokes else ())
    typed, quoted = last[0] if last else Token("")
    return Begun(prefix, line.words, typed, len(text) - at, option, line.globals, quoted)


def _spans(text: str) -> list[tuple[Token, int, int]]:
    """The words with where each begins and ends; one in quotes that are not closed yet ends the text."""
    source, found = Typed(text, False), list[tuple[Token, int, int]]()
    while True:
        while source.at < len(text) and text[source.at] in BLANKS:
            source.at += 1
        start = source.at
        try:
            token = source.take()
        except Refused:
            opened = text[start:].lstrip(QUOTES)
            return [*found, (Token(opened, True), start, len(text))]
        if token is None:
            return found
        found.append((token, start, source.at))


def _waiting(tokens: Sequence[Token]) -> str:
    """The option of every line that stands last, without its value."""
    option = option_of(tokens[-1]) if tokens else None
    return option[0] if option and option[0] in VALUED and option[1] is None else ""


def parted(command: Any, words: Sequence[str]) -> Parted | None:
    """The words behind a verb, told apart; None where one is an option that the verb does not have."""
    known = {param.spec.flag: param for param in params(command) if isinstance(param.spec, Opt | Flag)}
    args: list[str] = []
    options: list[tuple[str, str]] = []
    waiting = ""
    for word in words:
        option = option_of(Token(word))
        if waiting:
            options.append((waiting, word))
            waiting = ""
        elif option is None:
            args.append(word)
        elif option[0] not in known:
            return None
        elif option[1] is not None or isinstance(known[option[0]].spec, Flag):
            options.append((option[0], option[1] or ""))
        else:
            waiting = option[0]
    return Parted(tuple(args), tuple(options), waiting)


def read_so_far(command: Any, found: Parted, state: Any, book: Any) -> tuple[dict[str, Any], list[Param]]:
    """The fields that a line has, read by their kinds, and the words it can still have, in order.

    Raises Refused where a word means nothing, ValueError where there are too many.
    """
    given: dict[str, Any] = {}
    rest, open_still = list(found.args), []
    for param in params(command):
        spec = param.spec
        if isinstance(spec, Flag):
            if any(flag == spec.flag for flag, _ in found.options):
                given[param.name] = spec.value
            continue
        own = isinstance(spec, Arg)
        words = (rest if spec.many else rest[:1]) if own else [v for flag, v in found.options if flag == _flag(spec)]
        rest = rest[len(words) :] if own else rest
        read = [read_word(spec.kind, word, Scope(state, book, given)) for word in words]
        if read:
            given[param.name] = tuple(read) if spec.many else read[-1]
        if own and (not read or spec.many):
            open_still.append(param)
    if rest:
        raise ValueError(rest[0])
    return given, open_still


def _flag(spec: Arg | Opt) -> str:
    return spec.flag if isinstance(spec, Opt) else ""
