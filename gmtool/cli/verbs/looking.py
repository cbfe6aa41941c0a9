"""Verbs that only show: the board, the history, why, odds."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

from gmtool.cli.reply import Found, Reply
from gmtool.kernel.common import FORECAST, TABLE
from gmtool.kernel.refusal import Refused
from gmtool.kernel.state import encode
from gmtool.kernel.words import WORD, Arg, Flag, number
from gmtool.render.lines import Span, Styled, wrap

if TYPE_CHECKING:
    from gmtool.cli.face import Face
    from gmtool.kernel.expr.chances import Spread
    from gmtool.referee.desk import Desk


class Status(NamedTuple):
    """The board, or one thing of it whole."""

    name: Annotated[str, Arg(WORD)] = ""
    watch: Annotated[bool, Flag("--watch")] = False


class History(NamedTuple):
    """The latest lines of the journal."""

    lines: Annotated[int, Arg(number("lines", 1, 1_000_000))] = 0
    all: Annotated[bool, Flag("--all")] = False


class Why(NamedTuple):
    """How a ruling came about, rule by rule."""

    seq: Annotated[int, Arg(number("seq", 1, 1_000_000))] = 0


class Odds(NamedTuple):
    """What a line would come to; stands before any line."""

    line: Annotated[tuple[str, ...], Arg(WORD, many=True)] = ()


def status(face: "Face", command: Status) -> Reply:
    """The state as scripts read it, the board as people do; watched, again after each change until it is ended."""
    if command.watch:
        from gmtool.cli.watching import watch

        return watch(face, lambda: status(face, command._replace(watch=False)))
    from gmtool.cli.shown import question_lines
    from gmtool.referee.opened import open_ruling

    desk = face.desk()
    views = desk.system.view()
    shown = views.thing(desk.state, desk.book, desk.find(command.name)) if command.name else None
    opened = open_ruling(face.whole())
    told = {"line": opened["line"], "asks": opened["asks"]} if opened else None
    foretold: list[Styled] = []
    if face.options.for_side and opened:
        told = _told_side(face, opened)  # and no forecast: its figures tell of both sides
    elif opened and told and desk.row.config.get(FORECAST) == TABLE:
        from gmtool.cli.foreseen import forecast_lines, foreseen

        found = foreseen(desk, opened)
        told |= {"forecast": found.result if found else None}
        foretold = forecast_lines(face, desk, found)
    reply = face.view(shown or views.board(desk.state, desk.book), {"result": state_json(face, desk, told)})
    return reply._replace(lines=reply.lines + question_lines(face, desk, told) + foretold) if told else reply


def _told_side(face: "Face", opened: dict[str, Any]) -> dict[str, Any]:
    """What one side hears of the ruling that is open: what it is asked itself, and whether more is asked."""
    from gmtool.referee.onesided import OneSided, own_asks

    desk = face.desk()
    assert isinstance(desk, OneSided)
    asks = own_asks(face.whole(), desk, opened["asks"])
    return {"asks": asks, "others": len(asks) < len(opened["asks"])}


def state_json(face: "Face", desk: "Desk", opened: dict[str, Any] | None) -> dict[str, Any]:
    """The state in the shape scripts rely on, with the ruling that is open and, for one side's view, whose it is."""
    from gmtool.referee.desk import due_list

    tables = {
        name: {id: encode(row) for id, row in desk.state.table(name).items()}
        for name in desk.system.state.kinds
        if name not in desk.system.inner
    }
    row = desk.row
    top = {"campaign": row.name, "system": row.system, "session": row.session}
    top |= {"for": getattr(desk, "side", None)} if face.options.for_side else {}
    return {**top, **desk.system.view().header(desk.state), "due": due_list(desk), "open": opened, **tables}


def history(face: "Face", command: History) -> Reply:
    """The latest lines that stand, oldest first; with ``--all`` every line, those taken back marked as such."""
    from gmtool.cli.shown import history_line
    from gmtool.referee import explain

    desk = face.desk()
    past = explain.history(desk, command.lines, command.all)
    lines = [styled for each in past for styled in history_line(face, *each)]
    told = [
        {"seq": line["seq"], "time": line["time"], "kind": line["kind"], "line": line["line"], "undone": undone,
         "amended_by": amended, "result": line.get("result") or {}, "because": line.get("because")}
        for line, undone, amended in past
    ]  # fmt: skip
    return Reply({"result": {"lines": told}}, lines)


def why_(face: "Face", command: Why) -> Reply:
    """The derivation of a ruling: every figure, die and change with its rule."""
    from gmtool.cli.shown import context
    from gmtool.referee.explain import line_to_explain
    from gmtool.render.why import why

    desk = face.desk()
    line = line_to_explain(desk, command.seq or None)
    lines = why(line, face.words, rule_text(face, desk.system.id), context(line, face))
    body = {
        "seq": line["seq"], "system": desk.system.id, "rules": line.get("rules") or [],
        "dice": line.get("answers") or [], "changes": shown_changes(line["changes"]),
        "overruled": line.get("overruled") or [],
        "result": {"line": line["line"], "trace": line.get("trace") or [], "outcome": line.get("result") or {}},
    }  # fmt: skip
    if "amends" in line:
        body["amends"] = line["amends"]
    return Reply(body, lines)


def shown_changes(changes: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The changes without what feeds the tool's dice, which is shown nowhere."""
    return [
        {side: {k: v for k, v in value.items() if k != "secret"} if isinstance(value, dict) else value
         for side, value in change.items()}
        for change in changes
    ]  # fmt: skip


def rule_text(face: "Face", game: str) -> Callable[[str], tuple[str, str] | None]:
    """What a rule says, in a sentence, and whose it is."""
    from gmtool.rulesdata.index import load_index

    entries = {entry.id: entry for entry in load_index(game)}
    words = face.words

    def text(rule: str) -> tuple[str, str] | None:
        entry = entries.get(rule)
        if entry is None or not words.has(f"rule.{rule}"):
            return None
        return words.say(f"origin.{entry.origin}"), words.say(f"rule.{rule}")

    return text


def odds_help(face: "Face", command: Odds) -> Reply:
    """The word alone, without a line."""
    raise Refused("usage", key="odds-of-what", exit=2)


def odds(face: "Face", found: Found, *then: Found) -> Reply:
    """The exact odds of a line, or of several one after the other; nothing is thrown, nothing written."""
    if face.options.dice is not None:
        raise Refused("usage", key="odds-no-dice", exit=2)
    if found.verb == "roll":
        return _roll_odds(face, " ".join(found.rest))
    from gmtool.cli.bridge import take_apart
    from gmtool.cli.verbs.play import request
    from gmtool.referee.foretell import odds as foretold
    from gmtool.render.odds import odds as shown

    desk = face.desk()
    lines = found, *then
    if any(each.kind != "game" for each in lines):
        raise Refused("usage", key="odds-of-what", exit=2)
    requests = [request(face, each.verb, take_apart(each.command, each.rest)) for each in lines]
    result, against, lapsed = foretold(desk, *requests)
    told = {word for tally in result.values() if isinstance(tally, dict) for word in tally["chances"]}
    names = desk.names(told.union(*(key.split(".") for key in result if "." in key)))
    aside = [{"code": each.code, "rule": each.rule} for each in against]
    body: dict[str, Any] = {"system": desk.system.id, "result": result, "overruled": aside}
    if then:
        body["lapsed"] = lapsed
    once = {str(each): each for each in against}
    above = [line for each in once.values() for line in _against(face, each)]
    above += [line for each, chance in zip(then, lapsed, strict=True) if chance for line in _lapsed(face, each, chance)]
    return Reply(body, [*above, *(shown(result, face.words, names, face.out.room) or _nothing(face))])


def _against(face: "Face", refused: Refused) -> list[Styled]:
    """Why the line could not be done now, before what it would come to."""
    from gmtool.cli.errors import message_of

    return wrap(face.words.say("odds.aside", {"text": message_of(refused, face)}), face.out.room, 0, 2, "warn")


def _lapsed(face: "Face", found: Found, chance: float) -> list[Styled]:
    """How likely it is that one of several lines cannot be done when its turn comes."""
    from gmtool.cli.lexer import join
    from gmtool.render.odds import percent
    from gmtool.render.words import Words

    facts = {"line": join([*found.verb.split(), *found.rest]), "percent": percent(chance, Words(face.words, {}))}
    return wrap(face.words.say("odds.lapsed", facts), face.out.room, 0, 2, "warn")


def _nothing(face: "Face") -> list[Styled]:
    return [[Span(face.words.say("odds.nothing"))]]


def _roll_odds(face: "Face", text: str) -> Reply:
    """The odds of a free roll."""
    from gmtool.kernel.expr import Pool, read
    from gmtool.kernel.expr.chances import outlook
    from gmtool.render.odds import odds as shown

    throwing = read(text)
    found = outlook(throwing)
    result: dict[str, Any] = {} if found.success is None else {"success": float(found.success)}
    result["total"] = _tally(found.spread)
    if found.times is not None:
        result["succeeding"] = _tally(found.times)
    counted = {
        "successes" if isinstance(throwing.form, Pool) and key == "total" else key: it for key, it in result.items()
    }
    lines = shown(counted, face.words, {}, face.out.room)
    if throwing.repeated:
        lines += wrap(face.words.say("roll.each", {"n": throwing.times}), face.out.room, 0, 2, "dim")
    if found.spread.beyond:
        lines += wrap(face.words.say("roll.beyond"), face.out.room, 0, 2, "dim")
    return Reply({"result": result}, lines)


def _tally(spread: "Spread") -> dict[str, Any]:
    """Chances as scripts read them; ``beyond`` is what lies behind the last of a list that has no end."""
    mean = {} if spread.mean is None else {"mean": float(spread.mean)}
    beyond = {"beyond": float(spread.beyond)} if spread.beyond else {}
    return {**mean, "chances": {str(value): float(chance) for value, chance in spread.chances.items()}, **beyond}


HANDLERS: dict[type[Any], Callable[..., Reply]] = {Status: status, History: history, Why: why_, Odds: odds_help}
