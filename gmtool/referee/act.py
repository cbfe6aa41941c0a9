"""Judging one line: resolve its words, run its rule, put it on disk; or keep it open until the table has answered.

The lock is held from reading the journal's tail to the fsync of the line, never while a person is asked.
"""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any, NamedTuple

from gmtool.kernel.asks import THROWN, Answers, Given, Missing
from gmtool.kernel.changes import Change, beyond, diff
from gmtool.kernel.fold import LIMIT, fold, half_width
from gmtool.kernel.refusal import Refused
from gmtool.kernel.run import Ruling, judge
from gmtool.kernel.state import BadRow, encode
from gmtool.kernel.trace import fact, ids_in
from gmtool.kernel.typed import Token, is_face, read_dice
from gmtool.kernel.words import TEXT, Scope, option, params, read_words
from gmtool.referee.desk import Desk, due_in, due_list
from gmtool.referee.ground import Ground, ground
from gmtool.referee.opened import (
    NeedsAnswer,
    Opened,
    Request,
    asked_names,
    refuse_fresh,
    refuse_if_open,
    the_open_ruling,
)
from gmtool.store import openruling
from gmtool.text.clean import name_limits


class Done(NamedTuple):
    """A line that is on disk: as the journal has it, with what is due and what should be known.

    One that was only tried has no number: it is nowhere.
    """

    line: dict[str, Any]
    due: list[dict[str, Any]]
    warnings: list[dict[str, Any]]


def act(desk: Desk, request: Request) -> Done:
    """Judge a line and put it on disk. Raises Refused, or NeedsAnswer with the ruling kept open."""
    with desk.campaign.writing():
        refuse_if_open(desk)
        command = resolve(desk, request.verb, request.words)
        loose, named = read_dice(request.dice)
        opened = Opened(request.verb, command._asdict(), named_by_id(desk, request), named=named)
        return judged(desk, command, opened, loose)


def answer(desk: Desk, word: str, request: Request) -> Done:
    """Go on with the open ruling: faces, declarations, or one word for the first thing asked.

    Refused where the question that the request expects is not the one that is open.
    """
    with desk.campaign.writing():
        stored = the_open_ruling(desk, request.expects)
        asked = stored["asks"][0]
        request = named_by_id(desk, request)
        if word and asked["kind"] != "dice":
            said = _option(word, asked)
            request = replace(request, said={**request.said, asked["key"]: said})
            word = ""
        opened = Opened.read(stored, request)
        loose, named = read_dice(f"{request.dice} / {word}" if word and request.dice else word or request.dice)
        opened.named += named
        # a die that was missing comes before those that lie behind it; what follows a declaration comes after them
        loose = loose + opened.loose if asked["kind"] == "dice" else opened.loose + loose
        keys = frozenset(ask["key"] for ask in stored["asks"] if ask["kind"] == "dice") if request.roll else frozenset()
        return judged(desk, restored(desk, opened.verb, opened.args), opened, loose, keys)


def _option(word: str, asked: Mapping[str, Any]) -> str:
    """The option a word means; what stands behind a colon is the rule's to read, in whatever language it is named."""
    return word if ":" in half_width(word) else option(word, asked["options"], asked["key"], asked["rule"])


def judged(
    desk: Desk, command: Any, opened: Opened, loose: tuple[Token, ...], keys: frozenset[str] = frozenset()
) -> Done:
    """Run the rule on what has been said; append the line, or keep the ruling open. ``keys``: for the tool to roll."""
    request = opened.request
    if request.fresh:
        refuse_fresh(desk, request.tried)
    base = ground(desk, opened.amends)
    auto = desk.row.dice_mode == "auto"
    roll = None
    if auto or keys:
        from gmtool.referee.rolling import roller

        roll = roller(desk, base.thrown, fresh=request.fresh, keys=None if auto else keys)
    by = request.by, request.by_unit
    answers = Answers(loose, opened.named, request.said, opened.given, *by, roll, opened.spare, keys)
    settings = desk.settings(request.force, opened.aside)
    try:
        ruling = judge(desk.system, base.state, base.book, command, answers, settings, desk.speech)
    except Missing as missing:
        followed = _choice_in_row(missing, opened)
        if followed is not None:
            return judged(desk, command, followed, missing.loose[1:], keys)
        stored = opened.json(missing, desk.campaign.head, desk.campaign.branch_id)
        openruling.save(desk.path, stored)
        so_far = _since_the_dice(missing)
        names = {
            **desk.names(ids_in(so_far)),
            **desk.names(ids_in(so_far), missing.state),
            **asked_names(desk, stored["asks"]),
        }
        raise NeedsAnswer(stored["asks"], request.line, names, so_far, missing.unasked, request.tried) from None
    except BadRow as error:
        raise error.refusal() from None
    line = line_of(desk, opened, ruling, base)
    unused = [{"code": "not-needed", "rule": "", "facts": {"value": face}} for face in ruling.not_needed]
    warnings = [*ruling.warnings, *unused]
    if request.tried:
        openruling.drop(desk.path)
        return Done(line, due_in(ruling.state), [*warnings, *_will_come(line)])
    desk.campaign.append([line])
    with suppress(Refused):  # the line is done: a question that is still there is none any more
        openruling.drop(desk.path)
    return Done({**line, "seq": desk.campaign.head.seq}, due_list(desk), warnings)


def _choice_in_row(missing: Missing, opened: Opened) -> Opened | None:
    """The ruling with a choice that stands in the row where it is asked for: ``92 15 07 / evade 33 60``.

    None where none stands there. Refused where what does is no option: it would be in the way of every answer.
    """
    asked = missing.asks[0]
    if asked.kind == "dice" or not missing.loose or is_face(missing.loose[0].text):
        return None
    said = {**opened.request.said, asked.key: _option(missing.loose[0].text, asked.json())}
    given = {die.key: Given(die.faces, die.fixed, die.source, die.by) for die in missing.dice}
    request = replace(opened.request, said=said)
    return replace(opened, request=request, given={**opened.given, **given}, named=missing.named)


def _will_come(line: Mapping[str, Any]) -> list[dict[str, Any]]:
    """What the table should know of dice that the tool threw for a line that is only tried."""
    known = any(die["source"] in THROWN for die in line["answers"])
    return [{"code": "tried-dice", "rule": "", "facts": {}}] if known else []


def _since_the_dice(missing: Missing) -> list[dict[str, Any]]:
    """The events since the last dice: what has led to the question that is asked now."""
    entries = [piece.entry() for piece in missing.told]
    last = max((n for n, entry in enumerate(entries) if entry["t"] == "dice"), default=-1)
    return [entry for entry in entries[last + 1 :] if entry["t"] == "event"]


def line_of(desk: Desk, opened: Opened, ruling: Ruling, base: Ground) -> dict[str, Any]:
    """The journal's line of a ruling; the store adds its number and its place."""
    request, trace = opened.request, [*ruling.trace, *house_figures(desk, ruling.rules)]
    where = desk.system.view().where(base.state)
    refuse_beyond(ruling.changes)
    changes = [*base.taken_back, *ruling.changes, *_counted(base, ruling)]
    told_where = {} if where is None else {name: fact(value) for name, value in where.facts.items()}
    named = ids_in([trace, told_where]) | set(_strings([*opened.args.values(), *map(_touched, changes)]))
    line: dict[str, Any] = {
        "kind": "step", "who": request.by, "line": request.line, "system": desk.system.id,
        "command": {"verb": opened.verb, "args": {k: _plain(v) for k, v in opened.args.items()}},
        "answers": ruling.dice, "trace": trace,
        "names": {**(desk.names(named) if base.amends else {}), **desk.names(named, ruling.state)},
        "result": ruling.result, "rules": ruling.rules, "overruled": ruling.overruled, "because": request.because,
        "changes": changes,
    }  # fmt: skip
    if ruling.said:
        line["said"] = ruling.said
    if base.amends is not None:
        line["amends"] = {"seq": base.amends, "taken_back": len(base.taken_back)}
    if opened.threw_anew([die for die in ruling.faces if die.key not in opened.given]):
        line["fresh"] = True
    if where is not None:
        line["where"] = {"key": where.key, "facts": told_where}
    return line


def _counted(base: Ground, ruling: Ruling) -> list[Change]:
    """That the tool threw for one ruling more, where it did; its next faces are drawn from that."""
    if not any(die["source"] in THROWN for die in ruling.dice):
        return []
    row = encode(base.state.row("campaign", "campaign"))
    return diff("campaign", "campaign", row, {**row, "thrown": base.thrown + 1}, "")


def refuse_beyond(changes: Sequence[Change]) -> None:
    """Refuse what would bring a figure of the state beyond what any figure may be, whatever the rule."""
    found = beyond(changes, LIMIT)
    if found is not None:
        facts = {"path": found[0], "value": found[1], "low": -LIMIT, "high": LIMIT}
        raise Refused("bad-value", key="figure-limit", facts=facts)


def house_figures(desk: Desk, rules: Sequence[str]) -> list[dict[str, Any]]:
    """The figures of these rules that the campaign has replaced by its own, as trace entries."""
    return [
        {"t": "house", "id": id, "value": row["value"], "rule": row["rule"]}
        for id, row in desk.data.get("figures", {}).items()
        if row.get("source") == "house" and row["rule"] in rules
    ]


def resolve(desk: Desk, verb: str, words: Mapping[str, Any]) -> Any:
    """The command of a line: names to ids, figures checked, texts within their limits."""
    command: Any = desk.system.command(verb)
    check_names(command, words)
    return read_words(command, words, Scope(desk.state, desk.book, {}))


def check_names(command: Any, words: Mapping[str, Any]) -> None:
    """Refuse names that are too long, empty, or hold what a screen must not see."""
    for param in params(command):
        if getattr(param.spec, "kind", None) is TEXT and isinstance(words.get(param.name), str):
            name_limits(words[param.name])
    if "path" in words and "value" in words:  # any text that is set by hand may come to a screen
        name_limits(str(words["value"]))


def restored(desk: Desk, verb: str, args: Mapping[str, Any]) -> Any:
    """A command from the arguments it was kept with."""
    return desk.system.command(verb)(**{k: tuple(v) if isinstance(v, list) else v for k, v in args.items()})


def named_by_id(desk: Desk, request: Request) -> Request:
    """The request with every name in ``--say`` keys and ``--by`` units as the id it stands for."""
    said = {".".join(_id(desk, n, part) for n, part in enumerate(k.split("."))): v for k, v in request.said.items()}
    return replace(request, said=said, by_unit={desk.find(unit): name for unit, name in request.by_unit.items()})


def _id(desk: Desk, place: int, part: str) -> str:
    """A later part of a key: the id of the thing it names in full, or as it is (``A`` is a craft, not Arrow)."""
    try:
        id = desk.find(part) if place else ""
    except Refused:
        return part
    return id if id and fold(part) in {id, *map(fold, desk.spoken(id))} else part


def _touched(change: Mapping[str, Any]) -> list[Any]:
    """The parts of a change that may be ids: of its path, and what stood and stands there."""
    values = [change.get("before"), change.get("after")]
    return [*change["path"].split(".")[1:], *[value for value in values if not isinstance(value, dict)]]


def _strings(values: Any) -> Iterator[str]:
    for value in values:
        if isinstance(value, str):
            yield value
        elif isinstance(value, list | tuple):
            yield from _strings(value)


def _plain(value: Any) -> Any:
    return list(value) if isinstance(value, tuple) else value
