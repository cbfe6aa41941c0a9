"""Asks and answers: what a ruling needs from the table, and what the table has said so far.

``Answers`` is what one line brings: faces in a row, faces named by roll, declarations, and dice already settled
earlier (an open ruling, an amended one). A ``Cursor`` hands it out to one run of a rule and keeps the account.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from gmtool.kernel.fold import fold
from gmtool.kernel.laws import Law, Throw, fits, reading
from gmtool.kernel.refusal import Id, Refused
from gmtool.kernel.typed import GAPS, Named, Row, Token
from gmtool.kernel.words import begins


class Ask(NamedTuple):
    """One thing that a ruling still needs: dice (that must meet ``target``), a declaration or a judgement."""

    key: str
    who: str
    kind: str
    dice: tuple[int, ...] = ()
    options: tuple[str, ...] = ()
    rule: str = ""
    target: int | None = None
    exchange: str = ""

    def json(self) -> dict[str, Any]:
        """The shape that scripts rely on; ``dice`` are the sides, ``options`` the words there are to choose from.

        ``exchange`` is the word for the part of the ruling it belongs to, where the rule has one.
        """
        given = {"dice": list(self.dice), "options": list(self.options)}
        aim: dict[str, Any] = {} if self.target is None else {"target": self.target}
        aim |= {"exchange": self.exchange} if self.exchange else {}
        return {"key": self.key, "who": self.who, "kind": self.kind, **given, "rule": self.rule, **aim}


class Missing(Exception):
    """The run stopped at the first ask that nothing answers.

    ``laws`` are those of the dice it asks for, ``dice`` the faces it had used by then, ``loose`` and ``named`` those in
    a row and named by roll that it had not come to, ``unasked`` the declarations, ``throwers`` who threw each ask's
    dice and whether they may be thrown again. ``told``: what the steps before the one that asks have come to, ``state``
    how things stood when it asked.
    """

    told: Sequence[Any] = ()
    state: Any = None

    def __init__(self, asks: Sequence[Ask], cursor: "Cursor", laws: Sequence[Law] = ()) -> None:
        super().__init__(asks[0].key)
        self.asks, self.laws, self.dice = tuple(asks), tuple(laws), tuple(cursor.taken)
        self.loose, self.named = cursor.unused()
        self.throwers, self.unasked = cursor.throwers, cursor.unasked()


class Face(NamedTuple):
    """One throw of a ruling as it is kept: who threw what dice, how it was read, what it answers."""

    key: str
    seat: str
    faces: tuple[int, ...]
    read: int
    result: str
    source: str
    by: str | None = None
    fixed: bool = False
    answers: tuple[str, str, str] | None = None
    sides: tuple[int, ...] = ()

    def json(self) -> dict[str, Any]:
        """The shape that scripts rely on; ``class`` is the result as the law named it."""
        key, seat, faces, read, result, source, by, fixed, answers, _ = self
        line: dict[str, Any] = {
            "key": key, "seat": seat, "faces": [*faces], "read": read, "class": result, "source": source, "by": by,
            "fixed": fixed,
        }  # fmt: skip
        if answers:
            line["answers"] = [*answers]
        return line


class Given(NamedTuple):
    """A die settled earlier in the same ruling: its faces stand, its class follows from today's law."""

    faces: tuple[int, ...]
    fixed: bool
    source: str
    by: str | None


Roller = Callable[[str, tuple[int, ...]], tuple[tuple[int, ...], str] | None]
"""Throws the dice of an ask, faces from 0 up, and says whether rolled or seeded; None: not for it to throw."""

THROWN = frozenset({"rolled", "seeded"})
"""The sources of dice that the tool threw."""

Seat = tuple[Law, str, tuple[str, str, str] | None]
Found = tuple[Throw, str, str | None]


@dataclass(frozen=True)
class Answers:
    """All that the table has said for one ruling.

    ``spare`` are declarations of an earlier judgement: where nothing asks for them any more, they are passed over.
    ``thrown`` are asks for the ``roller`` to throw now, whatever faces lie in the row.
    """

    loose: Row = ()
    named: Named = ()
    said: Mapping[str, str] = field(default_factory=dict)
    given: Mapping[str, Given] = field(default_factory=dict)
    by: str | None = None
    by_unit: Mapping[str, str] = field(default_factory=dict)
    roller: Roller | None = None
    spare: frozenset[str] = frozenset()
    thrown: frozenset[str] = frozenset()


AGAIN = "reroll"
"""What the keys of dice that are thrown again begin with: ``reroll.<key>``, then ``reroll.2.<key>`` …"""


def again_key(key: str, turn: int) -> str:
    """The key of a die's further throw."""
    return f"{AGAIN}.{key}" if turn == 1 else f"{AGAIN}.{turn}.{key}"


def first_key(key: str) -> str:
    """The key of the die that was thrown first, from its own key or that of a further throw."""
    begun, _, rest = key.partition(".")
    if begun != AGAIN:
        return key
    turn, _, after = rest.partition(".")
    return after if turn.isdecimal() else rest


class Names(NamedTuple):
    """What things are called: the names an id goes by, and the id of whatever a word names in full."""

    of: Callable[[str], Iterable[str]] = lambda id: ()
    owner: Callable[[str], str | None] = lambda word: None


NAMELESS = Names()


class Cursor:
    """The answers as one run of a rule uses them up; ``names`` gives the other names a key's id goes by."""

    def __init__(
        self, answers: Answers, names: Names = NAMELESS, rolls: Sequence[str] = (), says: Sequence[str] = ()
    ) -> None:
        self.answers = answers
        for label, _ in answers.named:
            # a roll that no game has is told at once, not when all other dice have been given
            if rolls and not _opens(label, rolls):
                raise Refused("bad-dice", key="dice-no-such-roll", exit=2, facts={"value": label})
        for label, value in answers.said.items():
            # nor need a declaration that no rule asks for wait until then
            if says and not _opens(label, says):
                facts = {"key": label, "value": value, "asked": sorted(says)}
                raise Refused("bad-value", key="said-not-asked", exit=2, facts=facts)
        self._names = names
        self._loose = answers.loose
        self._used = 0
        self._named = [(label, list(tokens)) for label, tokens in answers.named]
        self._asked: set[str] = set()
        self._heard: set[str] = set()
        self._spared: list[str] = []
        self.taken: list[Face] = []
        self.throwers: dict[str, tuple[str, bool]] = {}
        self._exchanges: dict[str, str] = {}

    def calls(self, prefix: str, word: str) -> None:
        """What is asked under keys that begin so belongs to an exchange that has this word."""
        self._exchanges[prefix] = word

    def exchange(self, key: str) -> str:
        """The word for the exchange that a key belongs to, the innermost; empty where none was said."""
        met = [prefix for prefix in self._exchanges if first_key(key).startswith(prefix)]
        return self._exchanges[max(met, key=len)] if met else ""

    def said(self, key: str) -> str | None:
        """The declaration for a key, if it was made: under the key itself, or a beginning of it or of its names."""
        label = self._label(key)
        return None if label is None else self.answers.said[label]

    def first_said(self, keys: Iterable[str]) -> str | None:
        """Of several keys the one whose declaration was made first; None where none was."""
        order = list(self.answers.said)
        met = [(order.index(label), key) for key in keys if (label := self._label(key)) is not None]
        return min(met)[1] if met else None

    def _label(self, key: str) -> str | None:
        """What the declaration for a key was made under."""
        self._asked.add(key)
        said = self.answers.said
        if not said:
            return None
        # the key in full of a die that lies there is no beginning of another's
        given = self.answers.given
        met = [label for label in said if label == key or (first_key(label) not in given and self._means(label, key))]
        # a part in full goes before a beginning: "defence.gains" is not "defence-ability.gains"
        met = [label for label in met if not self._meant_elsewhere(label, key)]
        self._heard.update(met)
        # the most particular says it: "defence.gains-2" before "defence"
        return max(met, key=lambda label: self._closeness(label, key)) if met else None

    def _meant_elsewhere(self, label: str, key: str) -> bool:
        """Whether a label is another ask's: its whole key, or its parts in full where it only begins those of this."""
        words = _words(label)
        if self._follows(words, key.split("."), self._is):
            return not self._is_whole(words, key) and any(self._is_whole(words, other) for other in self._asked)
        return any(self._follows(words, other.split("."), self._is) for other in self._asked)

    def _is_whole(self, words: list[str], key: str) -> bool:
        """Whether the words are all of a key, each part in full: ``raise`` is not ``raise.escape.ren``."""
        last = len(key.split("."))
        return len(words) >= last and self._follows(words, key.split("."), self._is)

    def throws(
        self, key: str, who: str, seats: Sequence[Seat], again: bool = False
    ) -> tuple[list[Face], list[tuple[str, Law]]]:
        """The throws of a pool, and the asks (with their laws) that nobody has answered. Raises Refused (bad-dice).

        ``again``: whether these dice may be thrown again.
        """
        all = self.answers
        speaker = all.by_unit.get(who, all.by) if all.by_unit else all.by
        # most rulings are typed as a row of faces and nothing else
        row = not (all.given or all.named or all.thrown)
        faces: list[Face] = []
        unanswered: list[tuple[str, Law]] = []
        for law, seat, answers in seats:
            ask = f"{key}.{seat}" if seat else key
            if row and self._used < len(self._loose):
                token = self._loose[self._used]
                self._used += 1
                found = self._lies(token, law, ask, speaker, who) or self._rolled(ask, law, speaker)
            else:
                typed = self._typed(ask, law, speaker, who) if (given := self.lying(ask, law)) is None else None
                found = given or typed or self._rolled(ask, law, speaker)
            if found is None:
                unanswered.append((ask, law))
                continue
            (lie, read, result, fixed), source, by = found
            faces.append(Face(ask, seat, lie, read, result, source, by, fixed, answers, law.dice))
            self.throwers[ask] = who, again
        self.taken += faces
        return faces, unanswered

    def lying(self, ask: str, law: Law) -> Found | None:
        """A die settled earlier stands, unless it cannot lie there under today's law."""
        given = self.answers.given.get(ask)
        if given is None or not fits(law, given.faces):
            return None
        return law.throw(given.faces, given.fixed), given.source, given.by

    def _typed(self, ask: str, law: Law, by: str | None, who: str) -> Found | None:
        token = None if ask in self.answers.thrown else self._token(ask)
        return token and self._lies(token, law, ask, by, who)

    def _lies(self, token: Token, law: Law, ask: str, by: str | None, who: str) -> Found | None:
        """The die as it was typed; None for one that cannot be read yet."""
        return None if token.text in GAPS else (self._read(law, token.text, ask, who), token.source, by)

    def _rolled(self, ask: str, law: Law, by: str | None) -> Found | None:
        rolled = self.answers.roller(ask, law.dice) if self.answers.roller else None
        return rolled and (law.throw(tuple([face + law.lowest for face in rolled[0]])), rolled[1], by)

    def _read(self, law: Law, text: str, ask: str, who: str) -> Throw:
        """The throw a face means; refused with the roll it was typed for."""
        try:
            return reading(law, text)
        except Refused as refused:
            if who:
                refused.facts |= {"roll": ask, "who": Id(who), "exchange": self.exchange(ask)}
            raise

    def replaces(self, ask: str) -> bool:
        """Whether a face typed for this ask, by its name, takes the place of the one that lies there."""
        return self._token(ask) is not None

    def _token(self, ask: str) -> Token | None:
        """The next face typed for an ask: of the group that names it most closely, else of the row."""
        if self._named:
            met = [(label, tokens) for label, tokens in self._named if tokens and self._means(label, ask)]
            if met:
                return max(met, key=lambda group: self._closeness(group[0], ask))[1].pop(0)
        if self._used < len(self._loose):
            self._used += 1
            return self._loose[self._used - 1]
        return None

    def _means(self, label: str, key: str) -> bool:
        """Whether a label names a key or its beginning: each part by a beginning of it, or of a name it goes by."""
        words = _words(label)
        return bool(words) and self._follows(words, key.split("."), self._begins)

    def _closeness(self, label: str, key: str) -> tuple[bool, int]:
        """Of several labels that mean a key: one in full goes before beginnings, a longer before a shorter one."""
        words = _words(label)
        return self._follows(words, key.split("."), self._is), len(words)

    def _follows(self, words: list[str], parts: list[str], test: Callable[[str, str], bool]) -> bool:
        """Whether the words go along the parts; a name of several words is one part ("evade Gains 2")."""
        if not words or not parts:
            return not words
        return any(
            test(" ".join(words[:n]), parts[0]) and self._follows(words[n:], parts[1:], test)
            for n in range(1, len(words) + 1)
        )

    def _begins(self, word: str, part: str) -> bool:
        if self._is(word, part):
            return True
        # what is the whole name of one thing is no beginning of another's: "gains" beside "gains-2"
        return self._names.owner(word) is None and any(begins(fold(name), word) for name in self._called(part))

    def _is(self, word: str, part: str) -> bool:
        return any(fold(name) == word for name in self._called(part))

    def _called(self, part: str) -> Iterable[str]:
        return (part, *self._names.of(part))

    def unneeded(self, keys: Sequence[str]) -> None:
        """These asks might have come: what was given for them is not needed, and no fault."""
        self._spared += keys
        self._asked.update(keys)
        self._heard.update(label for label in self.answers.said for key in keys if self._means(label, key))

    def heard(self) -> dict[str, str]:
        """The declarations that something asked for, in the order they were made."""
        return {label: value for label, value in self.answers.said.items() if label in self._heard}

    def unused(self) -> tuple[Row, Named]:
        """The faces in a row and those named by roll that no ask has taken so far."""
        return self._loose[self._used :], tuple((label, tuple(tokens)) for label, tokens in self._named)

    def leftovers(self) -> list[str]:
        """What was given and not needed: refused when it is a rest or names nothing, else listed."""
        for label, _ in self._named:
            if not any(self._means(label, key) for key in (*[face.key for face in self.taken], *self._spared)):
                raise Refused("bad-dice", key="dice-no-such-roll", exit=2, facts={"value": label})
        if self._used < len(self._loose):
            rest = " ".join(token.text for token in self._loose[self._used :])
            raise Refused("bad-dice", key="dice-rest", exit=2, facts={"value": rest, "needed": self._used})
        self.unheard()
        return [token.text for _, tokens in self._named for token in tokens]

    def unasked(self) -> tuple[str, ...]:
        """The declarations that nothing has asked for so far."""
        return tuple(key for key in self.answers.said if key not in self._heard and key not in self.answers.spare)

    def unheard(self) -> None:
        """Refuse a declaration that nothing asked for."""
        for key in self.unasked():
            facts = {"key": key, "value": self.answers.said[key], "asked": sorted(self._asked)}
            raise Refused("bad-value", key="said-not-asked", exit=2, facts=facts)


def _opens(label: str, known: Iterable[str]) -> bool:
    """Whether the first word of a label begins one that is known, or asks for a die again."""
    words = _words(label)
    return bool(words) and any(begins(word, words[0]) for word in (*known, AGAIN))


def _words(label: str) -> list[str]:
    """The words of a label; the dots of an ask's key part words too."""
    return fold(label).replace(".", " ").split()
