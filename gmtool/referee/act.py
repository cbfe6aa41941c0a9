"""Judging one line: resolve its words, run its rule, put it on disk; or keep it open until the table has answered.

The lock is held from reading the journal's tail to the fsync of the line, never while a person is asked.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from gmtool.kernel.asks import Answers, Given, Missing, Token, read_dice
from gmtool.kernel.refusal import Refused
from gmtool.kernel.run import Ruling, judge
from gmtool.kernel.state import BadRow
from gmtool.kernel.trace import fact, ids_in
from gmtool.kernel.words import TEXT, Scope, params, read_words
from gmtool.referee.desk import Desk
from gmtool.referee.rolling import roller
from gmtool.store import openruling
from gmtool.text.clean import name_limits


@dataclass(frozen=True)
class Request:
    """One line as the face understood it: verb, words by field, and what was said with it."""

    verb: str
    words: Mapping[str, Any]
    line: str
    dice: str = ""
    said: Mapping[str, str] = field(default_factory=dict)
    by: str | None = None
    by_unit: Mapping[str, str] = field(default_factory=dict)
    because: str | None = None
    force: bool = False
    fresh: bool = False
    roll: bool = False


class Done(NamedTuple):
    """A line that is on disk: as the journal has it, with what is due and what should be known."""

    line: dict[str, Any]
    due: list[dict[str, Any]]
    warnings: list[dict[str, Any]]


class NeedsAnswer(Exception):
    """The ruling is open: ``asks`` is what it needs next; it is kept beside the campaign, and nothing has changed."""

    def __init__(self, asks: Sequence[Mapping[str, Any]], line: str, names: Mapping[str, Any]) -> None:
        super().__init__(line)
        self.asks, self.line, self.names = list(asks), line, names


def act(desk: Desk, request: Request) -> Done:
    """Judge a line and put it on disk. Raises Refused, or NeedsAnswer with the ruling kept open."""
    with desk.campaign.writing():
        refuse_if_open(desk)
        command = resolve(desk, request.verb, request.words)
        loose, named = read_dice(request.dice)
        opened = Opened(request.verb, command._asdict(), request.line, named=named, request=request)
        return _judge(desk, command, opened, loose)


def answer(desk: Desk, word: str, request: Request) -> Done:
    """Go on with the open ruling: faces, declarations, or one word for the first thing asked."""
    with desk.campaign.writing():
        stored = openruling.load(desk.path, desk.campaign.notices)
        if stored is None:
            raise Refused("no-open-ruling")
        opened = Opened.read(stored, request)
        asked = stored["asks"][0]
        if word and asked["kind"] != "dice":
            opened.said[asked["key"]] = _option(word, asked["options"], asked["key"])
            word = ""
        loose, named = read_dice(f"{request.dice} / {word}" if word and request.dice else word or request.dice)
        opened.named += named
        keys = frozenset(ask["key"] for ask in stored["asks"] if ask["kind"] == "dice") if request.roll else frozenset()
        return _judge(desk, restored(desk, opened.verb, opened.args), opened, loose, keys)


def drop(desk: Desk) -> str:
    """Forget the open ruling; the line it was. Refused where there is none."""
    with desk.campaign.writing():
        stored = openruling.load(desk.path, desk.campaign.notices)
        if stored is None:
            raise Refused("no-open-ruling")
        openruling.drop(desk.path)
        return str(stored["line"])


def refuse_if_open(desk: Desk) -> None:
    """A question that is open somewhere is settled before anything else changes."""
    stored = openruling.load(desk.path, desk.campaign.notices)
    if stored is not None:
        raise Refused("ruling-open", facts={"line": stored["line"], "key": stored["asks"][0]["key"]})


@dataclass
class Opened:
    """A ruling under way: what has been given so far, whatever it still needs."""

    verb: str
    args: dict[str, Any]
    line: str
    request: Request
    given: dict[str, Given] = field(default_factory=dict)
    said: dict[str, str] = field(default_factory=dict)
    named: tuple[tuple[str, tuple[Token, ...]], ...] = ()

    @classmethod
    def read(cls, stored: Mapping[str, Any], request: Request) -> "Opened":
        """The ruling as it was kept, with what the new line adds."""
        given = {
            key: Given(tuple(die["faces"]), die["fixed"], die["source"], die["by"])
            for key, die in stored["given"].items()
        }
        named = tuple((label, tuple(Token(*token) for token in tokens)) for label, tokens in stored["named"])
        kept = Request(
            stored["verb"], {}, stored["line"], said={**stored["said"], **request.said}, by=request.by or stored["by"],
            by_unit={**stored["by_unit"], **request.by_unit}, because=request.because or stored["because"],
            force=request.force or stored["force"], fresh=request.fresh,
        )  # fmt: skip
        return cls(stored["verb"], stored["args"], stored["line"], kept, given, dict(stored["said"]), named)

    def json(self, missing: Missing) -> dict[str, Any]:
        """The ruling as it is kept beside the campaign."""
        given = {
            die.key: {"faces": list(die.faces), "fixed": die.fixed, "source": die.source, "by": die.by}
            for die in missing.dice
        }
        asks = [ask.json() for ask in missing.asks]
        request = self.request
        return {
            "verb": self.verb, "args": self.args, "line": self.line, "given": given,
            "said": {**request.said, **self.said}, "named": [[label, list(map(list, tokens))] for label, tokens in
            missing.named if tokens], "by": request.by, "by_unit": dict(request.by_unit), "because": request.because,
            "force": request.force, "asks": asks,
        }  # fmt: skip


def _judge(
    desk: Desk, command: Any, opened: Opened, loose: tuple[Token, ...], keys: frozenset[str] = frozenset()
) -> Done:
    """Run the rule on what has been said; append the line, or keep the ruling open. ``keys`` are for the tool to roll."""
    request = opened.request
    auto = desk.row.dice_mode == "auto"
    roll = roller(desk, fresh=request.fresh, keys=None if auto else keys) if auto or keys else None
    said = {**request.said, **opened.said}
    answers = Answers(loose, opened.named, said, opened.given, request.by, request.by_unit, roll)
    settings = desk.settings(request.force)
    try:
        ruling = judge(desk.system, desk.state, desk.book, command, answers, settings, desk.spoken)
    except Missing as missing:
        stored = opened.json(missing)
        openruling.save(desk.path, stored)
        names = desk.names(ids_in([fact_of(ask) for ask in stored["asks"]]))
        raise NeedsAnswer(stored["asks"], opened.line, names) from None
    except BadRow as error:
        raise Refused("bad-value", key="bad-row", facts={"at": error.path, "expected": error.expected}) from None
    line = line_of(desk, opened, ruling)
    desk.campaign.append([line])
    openruling.drop(desk.path)
    kept = {**line, "seq": desk.campaign.head.seq}
    warnings = [*ruling.warnings, *({"code": "not-needed", "rule": "", "facts": {"value": face}}
                for face in ruling.not_needed)]  # fmt: skip
    return Done(kept, due_list(desk), warnings)


def line_of(desk: Desk, opened: Opened, ruling: Ruling) -> dict[str, Any]:
    """The journal's line of a ruling; the store adds its number and its place."""
    request = opened.request
    trace = ruling.trace
    where = desk.system.view().where(desk.state)
    changed = {change["path"].split(".")[1] for change in ruling.changes}
    named = ids_in(trace) | set(_strings(opened.args)) | changed
    return {
        "kind": "step", "who": request.by, "line": opened.line, "system": desk.system.id,
        "command": {"verb": opened.verb, "args": _plain(opened.args)},
        "answers": [face.json() for face in ruling.faces], "trace": trace,
        "names": desk.names(named, ruling.state), "result": ruling.result, "rules": ruling.rules,
        "overruled": ruling.overruled, "because": request.because, "changes": ruling.changes,
        **({"where": {"key": where.key, "facts": {name: fact(value) for name, value in where.facts.items()}}}
           if where else {}),
    }  # fmt: skip


def due_list(desk: Desk) -> list[dict[str, Any]]:
    """What is due now, each with the line that settles it."""
    return [
        {"id": id, "what": row.what, "who": row.who, "rule": row.rule, "command": row.command}
        for id, row in desk.state.table("due").items()
    ]


def resolve(desk: Desk, verb: str, words: Mapping[str, Any]) -> Any:
    """The command of a line: names to ids, figures checked, texts within their limits."""
    command: Any = desk.system.command(verb)
    for param in params(command):
        if getattr(param.spec, "kind", None) is TEXT and isinstance(words.get(param.name), str):
            name_limits(words[param.name])
    return read_words(command, words, Scope(desk.state, desk.book, {}))


def restored(desk: Desk, verb: str, args: Mapping[str, Any]) -> Any:
    """A command from the arguments it was kept with."""
    return desk.system.command(verb)(**{k: tuple(v) if isinstance(v, list) else v for k, v in args.items()})


def fact_of(ask: Mapping[str, Any]) -> Any:
    """Whom an ask is about, as a fact."""
    return {"id": ask["who"]} if ask["who"] else fact(None)


def _option(word: str, options: Sequence[str], key: str) -> str:
    met = [option for option in options if option == word] or [o for o in options if o.startswith(word.lower())]
    if len(met) != 1:
        facts = {"value": word, "key": key, "options": list(options)}
        raise Refused("bad-value", key="not-an-option", exit=2, facts=facts)
    return met[0]


def _strings(args: Mapping[str, Any]) -> list[str]:
    found: list[str] = []
    for value in args.values():
        found += [value] if isinstance(value, str) else [v for v in value if isinstance(v, str)] if isinstance(
            value, list | tuple) else []  # fmt: skip
    return found


def _plain(args: Mapping[str, Any]) -> dict[str, Any]:
    return {key: list(value) if isinstance(value, tuple) else value for key, value in args.items()}
