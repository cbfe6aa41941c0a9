"""Lines made from the command classes of a game's verbs, for whatever game there is.

What a word may be is learned from its kind: from its candidates, or from the refusal of a word that means nothing,
which names what would do. So a game that is new, or a new verb, is played without a line written here.
"""

import difflib
import random
import re
from collections.abc import Iterator
from typing import Any, NamedTuple

from gmtool.cli.lexer import join
from gmtool.kernel.asks import Answers, Missing
from gmtool.kernel.fold import LIMIT
from gmtool.kernel.refusal import Refused
from gmtool.kernel.run import judge
from gmtool.kernel.words import Arg, Flag, Kind, Opt, Param, Scope, params, read_field
from gmtool.referee.desk import Desk
from gmtool.text.catalogue import load

NONE = "?!"
"""A word that no kind knows."""
SIGNS = ("=", ":", "/")
TAILS = ("", f"={NONE}", f":{NONE}", f"/{NONE}", "=1")
"""What may stand behind the first part of a word so that the part is read at all."""
SMALL = (0, 1, 1, 2, 2, 3, 4, 5, 7, 10, 20, 30, 50, 60, 100)
NAMES = (
    "Ann", "Bo 2", "Gains", "アロー", "한별", "O'Neill", "é-clair", "ＡＢ", "zwölf", "x=y", "a/b", "A", "Ren", "#7",
)  # fmt: skip
NONSENSE = (
    "", "-1", "+0", "9" * 13, "１２", "ghost", "ghost/lead", "=", "a=b", "\x1b[31m", "\u202e", "👩\u200d🚀",
    "long " * 30, "--frob", "--side", "-", "٣", "1.5", "nan", "'", "\ufeff", "none", "5%", "..", "\U0010ffff",
)  # fmt: skip


class Draft(NamedTuple):
    """A line as it can be typed, and its command; None where a word is wrong, or there was none to be had."""

    line: str
    command: Any


class Drafter:
    """Makes lines for the campaign at a desk, by chance."""

    def __init__(self, desk: Desk, chance: random.Random) -> None:
        self.desk, self.chance = desk, chance
        self.options = chance.choice((0.1, 0.2, 0.4))

    def draft(self, verb: str) -> Draft:
        """A line of this verb whose words its kinds can read, as far as there are any."""
        close = difflib.get_close_matches
        difflib.get_close_matches = _none_close  # type: ignore[assignment]
        try:
            return self._draft(verb)
        finally:
            difflib.get_close_matches = close

    def _draft(self, verb: str) -> Draft:
        command = self.command(verb)
        words, given, whole = verb.split(), dict[str, Any](), True
        for param in params(command):
            if not self._wanted(param, len(params(command))):
                continue
            if isinstance(param.spec, Flag):
                if given.setdefault(param.name, param.spec.value) == param.spec.value:
                    words.append(param.spec.flag)
                continue
            chosen = self._chosen(verb, param, Scope(self.desk.state, self.desk.book, given))
            if not chosen and param.required:
                whole = False
                continue
            words += [part for word in chosen for part in self._placed(param.spec, word)]
        return Draft(join(words), command(**given) if whole else None)

    def _placed(self, spec: Arg | Opt, word: str) -> list[str]:
        return [spec.flag, word] if isinstance(spec, Opt) else [word]

    def command(self, verb: str) -> Any:
        """The command class of a verb of the game, one that changes things or one that shows."""
        system = self.desk.system
        return system.look(verb) if verb in system.looks else system.command(verb)

    def fate(self, draft: Draft) -> str:
        """What would become of it, dice thrown by chance: done, open or refused."""
        if draft.command is None:
            return "refused"
        answers = Answers(roller=lambda key, sides: (tuple(self.chance.randrange(n) for n in sides), "rolled"))
        desk = self.desk
        try:
            judge(desk.system, desk.state, desk.book, draft.command, answers, desk.settings(), desk.speech)
        except Missing:
            return "open"
        except Refused:
            return "refused"
        return "done"

    def broken(self, line: str) -> str:
        """The line with a word of nonsense in place of one, or beside it."""
        words = line.split(" ")
        place = self.chance.randrange(1, len(words) + 1)
        words[place : place + self.chance.randrange(2)] = [join([self.chance.choice(NONSENSE)])]
        return " ".join(words)

    def name(self) -> str:
        """A name for something new."""
        return f"{self.chance.choice(NAMES)}{self.chance.choice(('', ' ', '-'))}{self.chance.randrange(1, 100)}"

    def things(self) -> list[str]:
        """The ids of all things of the board."""
        kinds, inner = self.desk.state.kinds, self.desk.system.inner
        return [id for table in kinds if table not in inner for id in self.desk.state.table(table)]

    def _wanted(self, param: Param, all: int) -> bool:
        """Whether a word that may be left out is typed; of many options one or two are."""
        often = max(self.options, 0.5) if isinstance(param.spec, Arg) else min(self.options, 1.5 / all)
        return param.required or self.chance.random() < often

    def _chosen(self, verb: str, param: Param, scope: Scope) -> list[str]:
        """Words for a field, read and put down in ``scope.given``; none where nothing would do."""
        spec = param.spec
        assert isinstance(spec, Arg | Opt)
        words = self._words(verb, param, scope)
        if not words:
            return []
        n = self.chance.choice((1, 1, 2, 3)) if spec.many else 1
        picked = [self.chance.choice(words) for _ in range(n)]
        picked = list(dict.fromkeys(picked)) if self.chance.random() < 0.9 else picked
        try:
            value = read_field(spec, picked if spec.many else picked[0], scope)
        except Refused:
            return []
        scope.given[param.name] = value  # type: ignore[index]
        return picked

    def _words(self, verb: str, param: Param, scope: Scope) -> list[str]:
        kind: Kind = param.spec.kind  # type: ignore[union-attr]
        if kind.candidates is not None:
            ways = [(one.id, one.handle, *one.names) for one in kind.candidates(scope)]
            return [self.chance.choice([word for word in way if word]) for way in ways]
        if kind.read is None:
            return [self.name()]
        found = list(grown(kind, scope, self.chance))
        if reads(kind, NONE, scope):  # a text of one's own; its help says which words mean something
            found += [self.name(), *self._helpful(verb, param, kind, scope)]
        return found

    def _helpful(self, verb: str, param: Param, kind: Kind, scope: Scope) -> Iterator[str]:
        """The words that the help of a field names, and what can stand behind them."""
        help = load("en", self.desk.system.id, self.desk.folder).say(f"help.arg.{verb.replace(' ', '.')}.{param.name}")
        for word in re.findall(r"[a-z][a-z-]+", help):
            yield word
            for sign in SIGNS:
                yield from grown(kind, scope, self.chance, word + sign)


def _none_close(*_: Any, **__: Any) -> list[str]:
    """Nothing comes close to nonsense; to look for it takes half of the time, and hides what else there is."""
    return []


def reads(kind: Kind, word: str, scope: Scope) -> bool:
    """Whether a kind takes a word."""
    return refusal(kind, word, scope) is None


def refusal(kind: Kind, word: str, scope: Scope) -> Refused | None:
    """Why a kind does not take a word."""
    assert kind.read is not None
    try:
        kind.read(word, scope)
    except Refused as refused:
        return refused
    return None


def grown(kind: Kind, scope: Scope, chance: random.Random, begun: str = "") -> Iterator[str]:
    """Words a kind takes that begin so: each part is one that the refusal of nonsense in its place offers."""
    parts = [part for tail in (TAILS[:1] if begun else TAILS) for part in _offered(kind, scope, begun, tail, chance)]
    for part in chance.sample(parts, min(len(parts), 4)):
        if reads(kind, begun + part, scope):
            yield begun + part
        for sign in SIGNS if begun.count("=") < 2 and not part.lstrip("+-").isdecimal() else ():
            refused = refusal(kind, f"{begun}{part}{sign}{NONE}", scope)
            if refused is not None and refused.facts.get("value") == NONE:
                yield from grown(kind, scope, chance, f"{begun}{part}{sign}")


def _offered(kind: Kind, scope: Scope, begun: str, tail: str, chance: random.Random) -> list[str]:
    """What the refusal of nonsense offers in its place; ``tail`` stands behind it where a pair is wanted."""
    refused = refusal(kind, begun + NONE + tail, scope)
    if refused is None or (tail and refused.facts.get("value") != NONE):
        return []
    if refused.key == "not-a-number":
        return numbers(kind, scope, begun, tail, chance) if not tail else []
    return [str(word) for word in (*refused.facts.get("options", ()), *refused.facts.get("candidates", ()))]


def numbers(kind: Kind, scope: Scope, begun: str, tail: str, chance: random.Random) -> list[str]:
    """Numbers within the limits that the refusal of a huge one names, small ones often; some with a sign."""
    refused = refusal(kind, begun + "9" * 12 + tail, scope)
    facts = refused.facts if refused else {}
    low, high = facts.get("low", 0), facts.get("high", LIMIT)
    drawn = [*chance.sample(SMALL, 5), low, high, chance.randint(low, high)]
    fit = [str(n) for n in drawn if low <= n <= high] or [str(low)]
    return [*fit, *(f"{chance.choice('+-')}{n}" for n in chance.sample(SMALL, 3))]
