"""The rules of a game: which there are, whose they are, what the tool does about each, and how it reads them."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

from gmtool.cli.reply import Reply
from gmtool.cli.rulebook import (
    Rulebook,
    reading_json,
    reading_lines,
    readings_of,
    rule_json,
    rulebook,
    short,
    spelled,
    standing,
)
from gmtool.cli.verbs.about import SYSTEM
from gmtool.kernel.words import Arg, Kind, Opt, Scope, find, one_of, read_word
from gmtool.render.lines import Styled, wrap
from gmtool.rulesdata.index import RuleEntry

if TYPE_CHECKING:
    from gmtool.cli.face import Face

_STATUSES = one_of("status", "ruled", "by_hand", "not_covered")


def _status(word: str, scope: Scope) -> str:
    """``by-hand`` is the same as ``by_hand``."""
    status: str = read_word(_STATUSES, word.replace("-", "_"), scope)
    return status


STATUS = Kind("status", _status)
CHAPTER = Kind("chapter")
RULE = Kind("rule")


class List(NamedTuple):
    """The chapters of a game's rules, or the rules of one."""

    chapter: Annotated[str, Arg(CHAPTER)] = ""
    status: Annotated[str, Opt("--status", STATUS)] = ""
    system: Annotated[str, Opt("--system", SYSTEM)] = ""


class Show(NamedTuple):
    """Rules in words, with whose they are and how they are read."""

    rules: Annotated[tuple[str, ...], Arg(RULE, many=True)]
    system: Annotated[str, Opt("--system", SYSTEM)] = ""


def list_(face: "Face", command: List) -> Reply:
    """Chapters with how many of their rules are ruled; with a chapter or a status, the rules themselves."""
    book = rulebook(face, command.system)
    shown = [rule for rule in book.rules if command.status in ("", rule.status)]
    if command.chapter:
        chapter = find(command.chapter, "chapter", spelled(rule.chapter for rule in book.rules))
        shown = [rule for rule in shown if rule.chapter == chapter]
    told = [rule_json(rule) for rule in shown]
    if not shown:
        lines = wrap(book.words.say("list.no-rules"), face.out.room, 0, 2)
    elif command.chapter or command.status:
        lines = [line for rule in shown for line in short(face, book, rule)]
    else:
        lines = _chapters(face, book)
    return Reply({"system": book.game, "result": {"rules": told}}, lines)


def show(face: "Face", command: Show) -> Reply:
    """Each rule named: its text, its origin, what the tool does about it, the readings it allows."""
    book = rulebook(face, command.system)
    rules = {rule.id: rule for rule in book.rules}
    ids = [find(word, "rule", spelled(rules)) for word in command.rules]
    lines: list[Styled] = []
    for id in dict.fromkeys(ids):
        lines += ([[]] if lines else []) + _whole(face, book, rules[id])
    told = [
        {**rule_json(rules[id]), "interpretations": [
            reading_json(key, reading) for key, reading in readings_of(book, id)
        ]}
        for id in dict.fromkeys(ids)
    ]  # fmt: skip
    return Reply({"system": book.game, "result": {"rules": told}}, lines)


def _chapters(face: "Face", book: Rulebook) -> list[Styled]:
    """A line for each chapter, and how to go on."""
    from gmtool.kernel.view import Cell, Column, Grid
    from gmtool.render.views import grid
    from gmtool.render.words import Words

    kinds = ("ruled", "by_hand", "not_covered")
    names = list(dict.fromkeys(rule.chapter for rule in book.rules))
    columns = (
        Column("list-chapter"),
        Column("list-title"),
        *(Column(f"list-{kind.replace('_', '-')}", "right") for kind in kinds),
    )
    rows = tuple(
        (
            Cell(name),
            Cell(book.words.say(f"chapter.{name}")),
            *(Cell(sum(rule.chapter == name and rule.status == kind for rule in book.rules)) for kind in kinds),
        )
        for name in names
    )
    lines = grid(Grid(None, columns, rows), Words(book.words, {}), face.out.room)
    return [*lines, *wrap(book.words.say("list.rules-more", {"chapter": names[0]}), face.out.room, 0, 2, "dim")]


def _whole(face: "Face", book: Rulebook, rule: RuleEntry) -> list[Styled]:
    words, room = book.words, face.out.room
    chapter = words.say(f"chapter.{rule.chapter}")
    lines = wrap(words.say("list.rule-head", {"rule": rule.id, "chapter": chapter}), room, 0, 2, "head")
    lines += wrap(words.say(f"rule.{rule.id}"), room, 2)
    facts = {"origin": words.say(f"origin.{rule.origin}"), "status": standing(book, rule)}
    lines += wrap(words.say("list.rule-standing", facts), room, 2, 4, "dim")
    for belongs, id, value in book.figures:
        if belongs == rule.id:
            lines += wrap(words.say("why.house", {"text": f"{id} {value}"}), room, 2, 4)
    for id, reading in readings_of(book, rule.id):
        lines += reading_lines(face, book, id, reading)
    return lines


HANDLERS: dict[type[Any], Callable[..., Reply]] = {List: list_, Show: show}
