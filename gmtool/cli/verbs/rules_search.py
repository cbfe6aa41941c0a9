"""Rules found by words of any language, by terms, by ids."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

from gmtool.cli.reply import Reply
from gmtool.cli.rulebook import Rulebook, rule_json, rulebook, short
from gmtool.cli.verbs.about import SYSTEM
from gmtool.kernel.words import WORD, Arg, Flag, Opt
from gmtool.render.lines import Styled, wrap
from gmtool.text.catalogue import LANGUAGES
from gmtool.text.catalogue import load as load_catalogue

if TYPE_CHECKING:
    from gmtool.cli.face import Face
    from gmtool.text.search import Found, Hit


class Search(NamedTuple):
    """The rules that words are met in, the best first."""

    words: Annotated[tuple[str, ...], Arg(WORD, many=True)]
    all: Annotated[bool, Flag("--all")] = False
    system: Annotated[str, Opt("--system", SYSTEM)] = ""


def search(face: "Face", command: Search) -> Reply:
    """What is found in any language, told in the one spoken; a screenful of it, and how many more there are."""
    from gmtool.text.search import Sources
    from gmtool.text.search import search as searched

    book = rulebook(face, command.system)
    others = [load_catalogue(lang, book.game, book.folder) for lang in LANGUAGES if lang != face.lang]
    found = searched(command.words, Sources(book.rules, [book.words, *others], book.data))
    told = [{**rule_json(hit.rule), "interpretations": list(hit.readings)} for hit in found.hits]
    lines = _shown(face, book, found.hits, command) if found.hits else _nothing(face, book, found, command)
    body = {"rules": told, "found": len(found.hits), "alone": found.alone, "near": found.near}
    return Reply({"system": book.game, "result": body}, lines)


def _shown(face: "Face", book: Rulebook, hits: "list[Hit]", command: Search) -> list[Styled]:
    """As many whole rules as the screen holds, one at least; below them how many there are besides."""
    most = face.out.size.lines - 3
    lines: list[Styled] = []
    shown = 0
    for hit in hits:
        one = short(face, book, hit.rule)
        for id in hit.readings:
            facts = {"id": id, "what": book.words.say(f"choice.{id}")}
            one += wrap(book.words.say("list.search-reading", facts), face.out.room, 4, 6, "dim")
        if lines and not command.all and len(lines) + len(one) > most:
            break
        lines, shown = lines + one, shown + 1
    if shown == len(hits):
        return lines
    more = book.words.say("list.search-more", {"n": len(hits) - shown, "words": " ".join(command.words)})
    return [*lines, *wrap(more, face.out.room, 0, 2, "dim")]


def _nothing(face: "Face", book: Rulebook, found: "Found", command: Search) -> list[Styled]:
    """That nothing was found, with what may have been meant."""
    say = book.words.say
    lines = wrap(say("list.search-nothing", {"words": " ".join(command.words)}), face.out.room, 0, 2)
    if found.near:
        lines += wrap(say("list.search-near", {"words": found.near}), face.out.room, 0, 2)
    elif len(found.alone) > 1:
        each = [say("list.search-count", {"word": word, "n": n}) for word, n in found.alone.items()]
        lines += wrap(say("list.search-alone", {"words": each}), face.out.room, 0, 2)
    return lines


HANDLERS: dict[type[Any], Callable[..., Reply]] = {Search: search}
