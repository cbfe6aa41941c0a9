"""The readings of a game's rules: what each is about, what holds here and by whose choice, which rulings used it."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import groupby
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

from gmtool.cli.reply import Reply
from gmtool.cli.rulebook import Rulebook, headed, option_text, reading_json, reading_lines, rulebook, spelled
from gmtool.cli.settings import Reading
from gmtool.cli.shown import since
from gmtool.cli.verbs.about import SYSTEM
from gmtool.kernel.fold import fold
from gmtool.kernel.words import WORD, Arg, Flag, Opt, find
from gmtool.render.lines import Styled, flow, styled, wrap
from gmtool.text.catalogue import LANGUAGES
from gmtool.text.catalogue import load as load_catalogue
from gmtool.text.clean import printable

if TYPE_CHECKING:
    from gmtool.cli.face import Face
    from gmtool.referee.explain import Past

LATEST = 12
"""So many rulings that used a reading are shown; a script gets them all."""
Readings = Mapping[str, Reading]


class Interpretations(NamedTuple):
    """The readings of the game, those of a chapter or with some words, or one whole."""

    words: Annotated[tuple[str, ...], Arg(WORD, many=True)] = ()
    changed: Annotated[bool, Flag("--changed")] = False
    system: Annotated[str, Opt("--system", SYSTEM)] = ""


def interpretations(face: "Face", command: Interpretations) -> Reply:
    """A list of readings; of one that is named, all of it and the rulings that used it, for which all is read."""
    book = rulebook(face, command.system, "interpretations")
    named = _whole(command.words, book.readings)
    if named:
        return _one(face, book, named, command)
    found = _filtered(face, book, command)
    told = [reading_json(id, reading) for id, reading in found.items()]
    body = {"system": book.game, "result": {"interpretations": told}}
    return Reply(body, _list(face, book, found) if found else _none(face, book, command))


def _whole(words: Sequence[str], ids: Iterable[str]) -> str:
    """Which of these the only word is whole, ``rt-8.8`` or ``8.8``; nothing otherwise."""
    wanted = fold(words[0]) if len(words) == 1 else ""
    return next((each.id for each in spelled(ids) if wanted in map(fold, (each.id, *each.names))), "")


def _chapter_of(book: Rulebook) -> dict[str, str]:
    """The chapter of each rule."""
    return {rule.id: rule.chapter for rule in book.rules}


def _filtered(face: "Face", book: Rulebook, command: Interpretations) -> dict[str, Reading]:
    """The readings of a chapter, or those that have all words; Refused where none is like them."""
    chapters = _chapter_of(book)
    chapter = _whole(command.words, chapters.values())
    found = {id: reading for id, reading in book.readings.items() if not chapter or chapters[reading.rule] == chapter}
    if command.words and not chapter:
        found = _with_words(face, book, command.words)
    if command.words and not found:
        find(" ".join(command.words), "interpretation", spelled(book.readings))
    return {id: reading for id, reading in found.items() if reading.chosen or not command.changed}


def _with_words(face: "Face", book: Rulebook, words: Sequence[str]) -> dict[str, Reading]:
    """Those that have all of these words in their ids, their questions and options, in whatever language."""
    from gmtool.text.search import meets, searchable

    others = [load_catalogue(lang, book.game, book.folder) for lang in LANGUAGES if lang != face.lang]
    wanted = [part for word in words for part in searchable(word).split()]
    found = {}
    for id, reading in book.readings.items():
        said = [each.say(f"choice.{id}") for each in (book.words, *others)]
        said += [each.say(f"choice.{id}.{option}") for each in (book.words, *others) for option in reading.options]
        text = searchable(" ".join([id, *reading.options, *said]))
        if all(meets(word, text) for word in wanted):
            found[id] = reading
    return found


def _list(face: "Face", book: Rulebook, found: Readings) -> list[Styled]:
    """Chapter by chapter; of each reading its id and question, then what is in force, then what else could be."""
    words, room, chapters = book.words, face.out.room, _chapter_of(book)
    lines: list[Styled] = []
    for chapter, group in groupby(found.items(), key=lambda item: chapters[item[1].rule]):
        title = words.say("list.rule-head", {"rule": chapter, "chapter": words.say(f"chapter.{chapter}")})
        lines += ([[]] if lines else []) + wrap(title, room, 0, 2, "head")
        for id, reading in group:
            question = words.say("list.search-reading", {"id": id, "what": words.say(f"choice.{id}")})
            lines += headed(wrap(question, room, 2, 4), id)
            lines += flow(_options(book, id, reading), room, 4, 4)
    chosen = sum(reading.chosen for reading in found.values())
    facts = {"n": len(found), "chosen": chosen, "id": next(iter(found))}
    return [*lines, *wrap(words.say("list.readings-count", facts), room, 0, 2, "dim")]


def _options(book: Rulebook, id: str, reading: Reading) -> Iterable[Styled]:
    """The options in words, the one in force first."""
    others = [option for option in reading.options if option != reading.value]
    yield styled(option_text(book, id, reading, reading.value), "good")
    yield from (styled(option_text(book, id, reading, option), "dim") for option in others)


def _none(face: "Face", book: Rulebook, command: Interpretations) -> list[Styled]:
    key = "list.readings-unchanged" if book.readings and command.changed else "list.readings-none"
    return wrap(book.words.say(key), face.out.room, 0, 2)


def _one(face: "Face", book: Rulebook, id: str, command: Interpretations) -> Reply:
    """A reading whole, with the rule it belongs to; in a campaign the rulings that used it."""
    reading, words, room = book.readings[id], book.words, face.out.room
    head = words.say("list.search-reading", {"id": id, "what": words.say(f"choice.{id}")})
    lines = wrap(head, room, 0, 2, "head")
    rule = {"rule": reading.rule, "chapter": words.say(f"rule.{reading.rule}")}
    lines += wrap(words.say("list.rule-head", rule), room, 2, 4)
    lines += reading_lines(face, book, id, reading)[1:]
    told = reading_json(id, reading)
    if not command.system:
        from gmtool.referee.explain import used

        past = used(face.desk(), id)
        told["used"] = [_use(each, id) for each in past]
        lines += _used_lines(face, book, told["used"])
    return Reply({"system": book.game, "result": {"interpretations": [told]}}, lines)


def _use(past: "Past", id: str) -> dict[str, Any]:
    """A ruling as a use of a reading: by which option it was ruled, and whether that was the default then."""
    entry = next(each for each in past.line["trace"] if each["t"] == "choice" and each["id"] == id)
    return {
        "seq": past.line["seq"], "option": entry["value"], "default": bool(entry.get("default")),
        "line": past.line["line"], "undone": past.undone, "amended_by": past.amended,
    }  # fmt: skip


def _used_lines(face: "Face", book: Rulebook, uses: Sequence[Mapping[str, Any]]) -> list[Styled]:
    """The latest rulings that used it, by which option; those taken back are marked."""
    words, room = book.words, face.out.room
    lines = wrap(words.say("list.used", {"n": len(uses)}) if uses else words.say("list.used-never"), room, 2, 4)
    for use in uses[-LATEST:]:
        mark = since(words, use["undone"], use["amended_by"])
        facts = {"seq": use["seq"], "option": use["option"], "line": printable(use["line"])}
        text = "  ".join(part for part in (words.say("list.used-by", facts), mark) if part)
        lines += wrap(text, room, 4, 8, "dim" if mark else "")
    if len(uses) > LATEST:
        lines += wrap(words.say("list.used-more", {"n": len(uses) - LATEST}), room, 4, 8, "dim")
    return lines


HANDLERS: dict[type[Any], Callable[..., Reply]] = {Interpretations: interpretations}
