"""A game's rules as they are looked up: its index, its words, and how the campaign (if one is meant) reads them."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from gmtool.cli.settings import Reading, readings
from gmtool.cli.verbs import not_for_one_side
from gmtool.cli.verbs.about import game_named
from gmtool.kernel.words import Candidate
from gmtool.render.lines import Span, Styled, plain, wrap
from gmtool.rulesdata.index import RuleEntry, load_index
from gmtool.text.catalogue import Catalogue
from gmtool.text.catalogue import load as load_catalogue

if TYPE_CHECKING:
    from pathlib import Path

    from gmtool.cli.face import Face


class Rulebook(NamedTuple):
    """A game's rules with its words, and its interpretations by id as the campaign (if one is meant) plays them.

    ``folder`` is that of a game whose texts do not come with the program.
    """

    game: str
    rules: Sequence[RuleEntry]
    words: Catalogue
    readings: dict[str, Reading]
    figures: list[tuple[str, str, Any]]
    """Figures of the campaign's own: the rule they belong to, their id, their value."""
    data: Mapping[str, Any] = {}
    folder: "Path | None" = None


def rulebook(face: "Face", system: str, verb: str = "rules") -> Rulebook:
    """The rules of the game named, else of the campaign's; a game without an index has none.

    For one side the game has to be named: how the campaign reads its rules is the GM's (Refused, by this verb).
    """
    folder = None
    if system:
        from gmtool.referee.desk import load_game_data

        game = game_named(face, system)
        data, choices = load_game_data(face.registry.system(game), None), {}
    else:
        if face.options.for_side:
            raise not_for_one_side(verb)
        desk = face.desk()
        game, data, choices, folder = desk.system.id, desk.data, dict(desk.row.choices), desk.folder
    words = load_catalogue(face.lang, game, folder)
    return Rulebook(game, load_index(game), words, readings(data, choices), _own(data), data, folder)


def _own(data: Mapping[str, Any]) -> list[tuple[str, str, Any]]:
    rows = data.get("figures", {}).items()
    return [(row["rule"], id, row["value"]) for id, row in rows if row.get("source") == "house"]


def spelled(ids: Any) -> list[Candidate]:
    """Ids as people may write them: ``RT-8.3``, ``rt-8.3``, ``8.3``, in full width too."""
    return [Candidate(id, (id, id.partition("-")[2])) for id in dict.fromkeys(ids)]


def readings_of(book: Rulebook, rule: str) -> list[tuple[str, Reading]]:
    """The interpretations of a rule."""
    return [(id, reading) for id, reading in book.readings.items() if reading.rule == rule]


def rule_json(rule: RuleEntry) -> dict[str, str]:
    """A rule as scripts read it; its words are for people."""
    return {
        "id": rule.id, "chapter": rule.chapter, "origin": rule.origin, "status": rule.status, "reason": rule.reason,
    }  # fmt: skip


def reading_json(id: str, reading: Reading) -> dict[str, Any]:
    """An interpretation as scripts read it."""
    return {"id": id, **reading._asdict(), "options": list(reading.options)}


def short(face: "Face", book: Rulebook, rule: RuleEntry) -> list[Styled]:
    """A rule in one paragraph: its id, its text, what the tool does about it."""
    facts = {"rule": rule.id, "text": book.words.say(f"rule.{rule.id}"), "status": standing(book, rule)}
    return headed(wrap(book.words.say("list.rule", facts), face.out.room, 0, 2), rule.id)


def headed(lines: list[Styled], id: str) -> list[Styled]:
    """The lines with the id that the first begins with set off."""
    first, *rest = lines
    text = plain(first)
    before, found, after = text.partition(id)
    return [[Span(before), Span(id, "head"), Span(after)], *rest] if found and not before.strip() else lines


def standing(book: Rulebook, rule: RuleEntry) -> str:
    """What the tool does about a rule, with the reason where it does not work it out."""
    status = book.words.say(f"rulestatus.{rule.status}")
    if not rule.reason:
        return status
    reason = book.words.say(f"reason.{rule.reason}")
    return book.words.say("list.rule-status", {"status": status, "reason": reason})


def reading_lines(face: "Face", book: Rulebook, id: str, reading: Reading) -> list[Styled]:
    """An interpretation: its options in words, the one in force marked, how to choose another."""
    words, room = book.words, face.out.room
    lines = wrap(words.say("list.reading", {"what": words.say(f"choice.{id}")}), room, 2, 4)
    for option in reading.options:
        style = "good" if option == reading.value else ""
        lines += wrap(option_text(book, id, reading, option), room, 4, 6, style)
    other = next(option for option in reading.options if option != reading.value)
    lines += wrap(words.say("list.reading-change", {"id": id, "option": other}), room, 4, 6, "dim")
    if reading.waits_for:
        lines += wrap(words.say("list.reading-waits", {"verb": reading.waits_for}), room, 4, 6, "dim")
    return lines


def option_text(book: Rulebook, id: str, reading: Reading, option: str) -> str:
    """An option in words; of the one in force, whether it is our default or was chosen."""
    facts = {"option": option, "text": book.words.say(f"choice.{id}.{option}")}
    key = "option" if option != reading.value else "option-chosen" if reading.chosen else "option-default"
    return book.words.say(f"list.reading-{key}", facts)
