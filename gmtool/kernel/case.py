"""The case: all that a rule may touch. Made fresh for each run; nothing is kept unless the run reaches its end.

A rule reads ``case.state`` and ``case.book``, asks (``pool``, ``roll``, ``ask``), shows how a figure comes about
(``figure``), emits events, and refuses. The same rule runs with faces from the table and, in ``odds``, once for each
distinct value of what it keeps.
"""

from collections.abc import Callable, Hashable, Mapping, Sequence
from typing import Any, Generic, TypeVar

from gmtool.kernel.asks import AGAIN, Ask, Cursor, Face, Missing, Seat, again_key
from gmtool.kernel.common import DueAdded, DueSettled
from gmtool.kernel.fold import fold, numeral
from gmtool.kernel.laws import Die, Law
from gmtool.kernel.pools import Counts, Group, total
from gmtool.kernel.refusal import Id, Refused
from gmtool.kernel.settings import Settings as Settings
from gmtool.kernel.state import Rows, State
from gmtool.kernel.system import System
from gmtool.kernel.trace import Figured, Happened, Piece, Thrown, Told, fact
from gmtool.kernel.words import Candidate, find, option

S = TypeVar("S", bound=State)
B = TypeVar("B")
K = TypeVar("K", bound=Hashable)
Part = tuple[str, int, str]
Again = Callable[[str, str], tuple[Law, bool]]
"""What a die that is thrown again is read by, and whether all dice of its pool are read by it from now on."""
REROLLS = ("no", "yes", "raise")
"""What may be said for a die that has fallen: it stands, it is thrown again, it is thrown again at a raised target."""


class Case(Generic[S, B]):
    """One run of a ruling, with faces and words from the table."""

    def __init__(self, system: System, state: S, book: B, cursor: Cursor, settings: Settings) -> None:
        self.state: S = state
        self.book: B = book
        self._system = system
        self._cursor = cursor
        self._settings = settings
        self._pools: dict[str, list[Face]] = {}
        self._chosen: set[str] = set()
        self.queue: list[Any] = []
        self._followed = 0
        self._aside = list(settings.aside)
        self.told: list[Piece] = []
        self.written: list[tuple[Rows, Rows, str]] = []
        self.results: dict[str, Any] = {}
        self.warnings: list[dict[str, Any]] = []
        self.overruled: list[dict[str, Any]] = []

    # asking

    def pool(
        self, key: str, who: str, groups: Sequence[Group], keep: Callable[[tuple[Counts, ...]], K], *, rule: str,
        again: "Again | None" = None,
    ) -> K:  # fmt: skip
        """Throw a pool and see what ``keep`` makes of the counts per class; stops where faces are missing.

        ``again`` is asked for the law of a die that is thrown again because the line says so (``reroll.<key>``).
        """
        placed = self._placed(groups)
        if key in self._pools or len(placed) != sum([group.n for group in groups]):
            # a rule would be told other odds than it plays by
            raise ValueError(f"pool {key} is thrown twice, or has other seats than dice")
        seats = [(groups[n].law, seat, met) for n, seat, met in placed]
        faces = self._throw(key, who, seats, rule, again is not None)
        if again is not None and self._cursor.answers.said:
            faces = self._standing(key, who, faces, again, rule)
        counts: tuple[dict[str, int], ...] = tuple([{} for _ in groups])
        for (index, _, _), face in zip(placed, faces, strict=True):
            counts[index][face.result] = counts[index].get(face.result, 0) + 1
        self._pools[key] = faces
        return keep(counts)

    def _throw(self, key: str, who: str, seats: Sequence[Seat], rule: str, again: bool) -> list[Face]:
        """The faces of these seats, told as one throw; stops where some are missing."""
        faces, unanswered = self._cursor.throws(key, who, seats, again)
        if unanswered:
            within = self._cursor.exchange
            asks = [Ask(ask, who, "dice", law.dice, (), rule, _target(law), within(ask)) for ask, law in unanswered]
            raise Missing(asks, self._cursor, [law for _, law in unanswered])
        if faces:
            self.told.append(Thrown(key, who, rule, faces, seats[0][0], again))
        return faces

    def _standing(self, key: str, who: str, faces: list[Face], again: "Again", rule: str) -> list[Face]:
        """The faces that stand after as many further throws as the line says, in the order it says them."""
        standing, turns = [*faces], dict.fromkeys(range(len(faces)), 1)
        first = len(self.told) - 1
        while True:
            keys = {again_key(faces[n].key, turn): n for n, turn in turns.items()}
            said = self._cursor.first_said(keys)
            if said is None:
                return standing
            n = keys[said]
            value = option(self._cursor.said(said) or "", REROLLS, f"{AGAIN}.{faces[n].key}", rule)
            if value == REROLLS[0]:
                del turns[n]
                continue
            law, for_all = again(faces[n].key, value)
            pool = again_key(key, turns[n])
            standing[n] = self._throw(pool, who, [(law, faces[n].seat, faces[n].answers)], rule, True)[0]
            if for_all:
                standing = [_reread(face, law) for face in standing]
                self._read_again(first, law, {face.key: face for face in standing})
            turns[n] += 1

    def _read_again(self, first: int, law: Law, standing: Mapping[str, Face]) -> None:
        """The dice that still stand of the throws told since ``first`` are read by another law."""
        for place in range(first, len(self.told)):
            piece = self.told[place]
            if isinstance(piece, Thrown) and any(face.key in standing for face in piece.faces):
                faces = [standing.get(face.key, face) for face in piece.faces]
                self.told[place] = piece._replace(law=law, faces=faces)

    def evenly(self, seats: Sequence[str]) -> str | None:
        """Which of several that are as likely; None where dice say it. A forecast need not follow those that tie."""
        return None

    def thrown(self, key: str) -> Sequence[Face]:
        """The faces of a pool, to tell of them what ``keep`` left out; ``odds`` has none, so nothing may follow."""
        return self._pools[key]

    def _placed(self, groups: Sequence[Group]) -> list[tuple[int, str, tuple[str, str, str] | None]]:
        """The seats of all groups in the table's order: first those that answer, as what they answer was thrown."""
        own: list[tuple[int, str, tuple[str, str, str] | None]] = []
        answering = []
        for index, group in enumerate(groups):
            if group.answers is None:
                own += [(index, seat, None) for seat in group.seats]
                continue
            pool, result = group.answers
            thrown = list(self._pools).index(pool)
            for n, face in enumerate(self._pools[pool]):
                if face.result == result:
                    answering.append((thrown, n, index, face.seat, (pool, face.seat, result)))
        answering.sort()
        return [*((index, seat, answers) for _, _, index, seat, answers in answering), *own]

    def roll(self, key: str, who: str, dice: Sequence[int], *, rule: str) -> int:
        """The sum of plain dice (``dice`` are their sides), asked for as ``key.1``, ``key.2`` …"""
        groups = [Group(1, Die(sides), (str(n),)) for n, sides in enumerate(dice, 1)]
        return self.pool(key, who, groups, total, rule=rule)

    def ask(
        self, key: str, who: str, options: Sequence[str], default: str, *, rule: str, given: str | None = None,
        quiet: bool = False, shown: Callable[[str], Any] | None = None, read: Callable[[str], str] | None = None,
    ) -> str:  # fmt: skip
        """A side's declaration: what was said for ``key``, or the line's own option, or the default.

        A ``quiet`` one is not told where the default holds: what nearly nobody says every time. ``shown`` gives the
        fact by which a value is shown that is more than a word, ``read`` the option that other words for it mean.
        """
        said = self._cursor.said(key)
        if said is not None and read is not None:
            said = read(said)
        value = said if said is not None else given
        if said is not None and given is not None and option(said, options, key, rule) != given:
            raise said_otherwise(key, said, given, rule)
        if value is None:
            setting = self.setting(key, default)
            if setting == "ask" and len(options) > 1:
                within = self._cursor.exchange(key)
                raise Missing([Ask(key, who, "declaration", (), tuple(options), rule, None, within)], self._cursor)
            value = setting if setting in options else default
        if value not in options:
            value = option(value, options, key, rule)
        kind = "assumed" if said is None and given is None else "said"
        if quiet and kind == "assumed":
            return value
        entry = {"t": kind, "key": key, "who": {"id": who}, "value": value, "rule": rule}
        if shown is not None:
            entry["shown"] = fact(shown(value))
        self.told.append(Told(entry))
        return value

    def setting(self, key: str, default: str) -> str:
        """What holds for a declaration nobody makes: the campaign's word for it, in whatever part of an exchange."""
        declared = self._settings.declare
        if not declared:
            return default
        return next((declared[part] for part in key.split(".") if part in declared), default)

    def ask_number(
        self, key: str, who: str, low: int, high: int, default: int, *, rule: str, given: int | None = None
    ) -> int:
        """A declared figure within limits: what was said for ``key``, or the line's own option, or the default."""
        said = self._cursor.said(key)
        if said is None and given is None:
            return default
        value = given if said is None else numeral(said)
        assert value is not None
        if given not in (None, value):
            raise said_otherwise(key, value, given, rule)
        if not low <= value <= high:
            facts = {"value": value, "low": low, "high": high, "path": key}
            raise Refused("bad-value", key="set-range", rule=rule, exit=2, facts=facts)
        self.told.append(Told({"t": "said", "key": key, "who": {"id": who}, "value": value, "rule": rule}))
        return value

    def ask_names(
        self, key: str, who: str, kind: str, candidates: Callable[[], Sequence[Candidate]], *, rule: str,
        given: Sequence[str] = (),
    ) -> tuple[str, ...]:  # fmt: skip
        """Things named for ``key``, parted by commas or blanks, or by the line's own options; none by default.

        What can be named is asked for only where something is.
        """
        said = self._cursor.said(key)
        if said is None:
            names = tuple(given)
        else:
            known = candidates()
            names = tuple([find(word, kind, known) for word in said.replace(",", " ").split()])
        if names:
            shown = [{"id": name} for name in names]
            self.told.append(Told({"t": "said", "key": key, "who": {"id": who}, "value": shown, "rule": rule}))
        return names

    def said(self, key: str) -> str | None:
        """What the line says for a key, if it says anything."""
        return self._cursor.said(key)

    def calls(self, prefix: str, word: str) -> None:
        """What is asked from now on under keys that begin so belongs to an exchange called by this word."""
        self._cursor.calls(prefix, word)

    def unneeded(self, *keys: str) -> None:
        """Asks that this time lead to nothing: what was said for them is taken note of and not used."""
        self._cursor.unneeded(keys)

    def choice(self, id: str) -> str:
        """The reading of an ambiguous rule that this campaign plays by; it is named in the ruling."""
        reading = self._settings.reading(id)
        if id not in self._chosen:
            self._chosen.add(id)
            entry = {"t": "choice", "id": id, "value": reading.value, "rule": reading.rule, "default": reading.default}
            self.told.append(Told(entry))
        return reading.value

    def limits(self, table: str, id: str, keys: str) -> tuple[int, int]:
        """The lowest and highest value a figure may be set to by hand."""
        return self._system.limits(self.state, self.book, table, id, keys)

    def options(self, table: str, id: str, keys: str) -> tuple[str, ...] | None:
        """The words a text may be set to by hand: none where it cannot be set, None where any will do."""
        return self._system.options(self.state, self.book, table, id, keys)

    def refit(self, table: str, row: Any) -> Any:
        """A row in play as its sheet has it now: with the figures that are new, without those that are gone."""
        return self._system.refit(self.book, table, row)

    # deciding

    def name_free(self, table: str, name: str, besides: str = "") -> None:
        """A name means one thing of its kind: no other's name, id or handle, however written; else Refused."""
        for id, row in self.state.table(table).items():
            if id != besides and fold(name) in {fold(row.name), id, getattr(row, "handle", "")}:
                raise self.refuse("name-taken", "", key="name-not-free", value=name, who=Id(id))

    def figure(self, key: str, who: str, parts: Sequence[Part], *, rule: str) -> int:
        """The sum of its parts, each with its rule; shown in the ruling and by ``why``."""
        value = sum([n for _, n, _ in parts])
        self.told.append(Figured(key, who, value, parts, rule))
        return value

    def emit(self, event: Any, rule: str) -> None:
        """What happened; its effect is applied at once, so the rule sees its own consequences."""
        self.told.append(Happened(event, rule))
        self.keep(event, rule)

    def cite(self, *rules: str) -> None:
        """Rules that entered without a figure, die or event of their own."""
        self.told.append(Told({"t": "cited", "rule": "", "rules": list(rules)}))

    def keep(self, event: Any, rule: str = "") -> None:
        """An event of mere bookkeeping (an id given, a thing listed as due): it has its effect and is not told."""
        effect = self._system.effect(type(event))
        if effect is not None:
            rows = effect(self.state, event)
            before = {place: self.state.row(*place) for place in rows}
            self.state.put(rows)
            self.written.append((before, rows, rule))

    def tally(self, key: str, n: int = 1) -> None:
        """So much more of a figure of the outcome that counts up and that no rule reads again."""
        self.results[key] = self.results.get(key, 0) + n

    def mark(self, key: str) -> None:
        """Something of the outcome is so, which no rule reads again."""
        self.results[key] = True

    def result(self, **values: Any) -> None:
        """Figures of the outcome: what ``--json`` shows under ``result`` and ``odds`` foretells."""
        self.results |= values

    def refuse(self, code: str, rule: str, key: str = "", **facts: Any) -> "Refused":
        """The refusal that no ``--force`` sets aside, since the state could not hold what was asked: raise it."""
        return Refused(code, key=key, rule=rule, facts=facts)

    def forbid(self, code: str, rule: str, key: str = "", hint: str | None = None, **facts: Any) -> None:
        """Refuse, unless the GM forces it: then the rule set aside is named in the ruling."""
        refusal = Refused(code, key=key, rule=rule, forcible=True, hint=hint, facts=facts)
        if (code, rule) in self._aside:
            self._aside.remove((code, rule))
        elif not self._settings.force:
            raise refusal
        shown = {name: fact(value) for name, value in facts.items()}
        entry = {"t": "overruled", "code": code, "key": refusal.key, "rule": rule, "facts": shown}
        self.told.append(Told(entry))
        self.overruled.append({"code": code, "rule": rule})

    def warn(self, code: str, rule: str = "", **facts: Any) -> None:
        """Something the table should know; changes nothing."""
        shown = {name: fact(value) for name, value in facts.items()}
        self.warnings.append({"code": code, "rule": rule, "facts": shown})

    def follow(self, command: Any) -> None:
        """What comes next in this exchange, after what this rule has made follow and before what was waiting."""
        self.queue.insert(self._followed, command)
        self._followed += 1

    def later(self, command: Any, before: Callable[[Any], bool] = lambda waiting: False) -> None:
        """What comes last in this exchange, or just before the first waiting command that ``before`` says yes to."""
        waiting = range(self._followed, len(self.queue))
        place = next((n for n in waiting if before(self.queue[n])), len(self.queue))
        self.queue.insert(place, command)

    def next(self) -> Any:
        """The next command of the exchange, taken from those that wait."""
        self._followed = 0
        return self.queue.pop(0)

    def due(self, id: str, what: str, who: str | None, command: str, *, rule: str) -> None:
        """Something no dice of this ruling could settle."""
        self.keep(DueAdded(id, what, Id(who) if who else None, rule, command), rule)

    def settle(self, id: str, rule: str) -> None:
        """Something due is settled, if it was due."""
        if self.state.row("due", id) is not None:
            self.keep(DueSettled(id), rule)


def said_otherwise(key: str, said: object, given: object, rule: str) -> Refused:
    """The line says two things of one declaration: by its option, and under its key."""
    facts = {"key": key, "value": said, "other": given}
    return Refused("bad-value", key="said-otherwise", rule=rule, exit=2, facts=facts)


def _reread(face: Face, law: Law) -> Face:
    """The same faces, read by another law."""
    throw = law.throw(face.faces, face.fixed)
    return face._replace(read=throw.read, result=throw.result, fixed=throw.fixed)


def _target(law: Law) -> int | None:
    """The figure that a law's dice must meet, where it has one."""
    told = law.told()
    target: int | None = told["facts"].get("target") if told else None
    return target


AnyCase = Case[Any, Any]


def rule_for(system: System, command: Any) -> Callable[[AnyCase, Any], None]:
    """The rule registered for a command's type; the chapter it stands in is taken in now if it was not."""
    kind = type(command)
    if kind not in system.rules:
        system.include_home(kind)
    return system.rules[kind]
