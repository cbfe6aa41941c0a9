"""The rules of a game: which there are, whose they are, what the tool does about each, and how it reads them."""

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

from gmtool.cli.reply import Reply
from gmtool.cli.settings import Reading, readings
from gmtool.cli.verbs import not_for_one_side
from gmtool.cli.verbs.about import SYSTEM, game_named
from gmtool.kernel.words import Arg, Candidate, Kind, Opt, Scope, find, one_of, read_word
from gmtool.render.lines import Styled, wrap
from gmtool.rulesdata.index import RuleEntry, load_index
from gmtool.text.catalogue import Catalogue
from gmtool.text.catalogue import load as load_catalogue

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


class Rulebook(NamedTuple):
    """A game's rules with its words, and its interpretations by id as the campaign (if one is meant) plays them."""

    game: str
    rules: Sequence[RuleEntry]
    words: Catalogue
    readings: dict[str, Reading]
    figures: list[tuple[str, str, Any]]
    """Figures of the campaign's own: the rule they belong to, their id, their value."""


def list_(face: "Face", command: List) -> Reply:
    """Chapters with how many of their rules are ruled; with a chapter or a status, the rules themselves."""
    book = _rulebook(face, command.system)
    shown = [rule for rule in book.rules if command.status in ("", rule.status)]
    if command.chapter:
        chapter = find(command.chapter, "chapter", _spelled(rule.chapter for rule in book.rules))
        shown = [rule for rule in shown if rule.chapter == chapter]
    told = [rule_json(rule) for rule in shown]
    if not shown:
        lines = wrap(book.words.say("list.no-rules"), face.out.room, 0, 2)
    elif command.chapter or command.status:
        lines = [line for rule in shown for line in _short(face, book, rule)]
    else:
        lines = _chapters(face, book)
    return Reply({"system": book.game, "result": {"rules": told}}, lines)


def show(face: "Face", command: Show) -> Reply:
    """Each rule named: its text, its origin, what the tool does about it, the readings it allows."""
    book = _rulebook(face, command.system)
    rules = {rule.id: rule for rule in book.rules}
    ids = [find(word, "rule", _spelled(rules)) for word in command.rules]
    lines: list[Styled] = []
    for id in dict.fromkeys(ids):
        lines += ([[]] if lines else []) + _whole(face, book, rules[id])
    told = [
        {**rule_json(rules[id]), "interpretations": [
            {"id": key, **reading._asdict(), "options": list(reading.options)} for key, reading in _of(book, id)
        ]}
        for id in dict.fromkeys(ids)
    ]  # fmt: skip
    return Reply({"system": book.game, "result": {"rules": told}}, lines)


def rule_json(rule: RuleEntry) -> dict[str, str]:
    """A rule as scripts read it; its words are for people."""
    return {
        "id": rule.id, "chapter": rule.chapter, "origin": rule.origin, "status": rule.status, "reason": rule.reason,
    }  # fmt: skip


def _rulebook(face: "Face", system: str) -> Rulebook:
    """The rules of the game named, else of the campaign's; a game without an index has none."""
    if system:
        from gmtool.referee.desk import load_game_data

        game = game_named(face, system)
        data, choices = load_game_data(face.registry.system(game), None), {}
    else:
        if face.options.for_side:
            raise not_for_one_side("rules")
        desk = face.desk()
        game, data, choices = desk.system.id, desk.data, dict(desk.row.choices)
    return Rulebook(game, load_index(game), load_catalogue(face.lang, game), readings(data, choices), _own(data))


def _own(data: Mapping[str, Any]) -> list[tuple[str, str, Any]]:
    rows = data.get("figures", {}).items()
    return [(row["rule"], id, row["value"]) for id, row in rows if row.get("source") == "house"]


def _spelled(ids: Any) -> list[Candidate]:
    """Ids as people may write them: ``RT-8.3``, ``rt-8.3``, ``8.3``, in full width too."""
    return [Candidate(id, (id, id.partition("-")[2])) for id in dict.fromkeys(ids)]


def _of(book: Rulebook, rule: str) -> list[tuple[str, Reading]]:
    return [(id, reading) for id, reading in book.readings.items() if reading.rule == rule]


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


def _short(face: "Face", book: Rulebook, rule: RuleEntry) -> list[Styled]:
    facts = {"rule": rule.id, "text": book.words.say(f"rule.{rule.id}"), "status": _standing(book, rule)}
    return wrap(book.words.say("list.rule", facts), face.out.room, 0, 2)


def _standing(book: Rulebook, rule: RuleEntry) -> str:
    """What the tool does about a rule, with the reason where it does not work it out."""
    status = book.words.say(f"rulestatus.{rule.status}")
    if not rule.reason:
        return status
    reason = book.words.say(f"reason.{rule.reason}")
    return book.words.say("list.rule-status", {"status": status, "reason": reason})


def _whole(face: "Face", book: Rulebook, rule: RuleEntry) -> list[Styled]:
    words, room = book.words, face.out.room
    chapter = words.say(f"chapter.{rule.chapter}")
    lines = wrap(words.say("list.rule-head", {"rule": rule.id, "chapter": chapter}), room, 0, 2, "head")
    lines += wrap(words.say(f"rule.{rule.id}"), room, 2)
    standing = {"origin": words.say(f"origin.{rule.origin}"), "status": _standing(book, rule)}
    lines += wrap(words.say("list.rule-standing", standing), room, 2, 4, "dim")
    for belongs, id, value in book.figures:
        if belongs == rule.id:
            lines += wrap(words.say("why.house", {"text": f"{id} {value}"}), room, 2, 4)
    for id, reading in _of(book, rule.id):
        lines += _reading(face, book, id, reading)
    return lines


def _reading(face: "Face", book: Rulebook, id: str, reading: Reading) -> list[Styled]:
    """An interpretation: its options in words, the one in force marked, how to choose another."""
    words, room = book.words, face.out.room
    lines = wrap(words.say("list.reading", {"what": words.say(f"choice.{id}")}), room, 2, 4)
    for option in reading.options:
        facts = {"option": option, "text": words.say(f"choice.{id}.{option}")}
        key = "option" if option != reading.value else "option-chosen" if reading.chosen else "option-default"
        lines += wrap(words.say(f"list.reading-{key}", facts), room, 4, 6, "" if key == "option" else "good")
    other = next(option for option in reading.options if option != reading.value)
    lines += wrap(words.say("list.reading-change", {"id": id, "option": other}), room, 4, 6, "dim")
    if reading.waits_for:
        lines += wrap(words.say("list.reading-waits", {"verb": reading.waits_for}), room, 4, 6, "dim")
    return lines


HANDLERS: dict[type[Any], Callable[..., Reply]] = {List: list_, Show: show}
