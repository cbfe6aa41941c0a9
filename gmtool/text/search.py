"""Searching the rules of a game by words in any language, whichever is spoken.

A rule is met if every word is met in something that belongs to it: its id, its text in any language, its readings, the
names of data that cite it, its chapter. A word of letters with blanks between (Latin) is met at the beginning of a
word, any other anywhere, since Japanese has no blanks. A word that is a term or a name of the game stands for that term
in every language. Width, case and kana make no difference.
"""

import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from gmtool.kernel.fold import fold
from gmtool.kernel.words import names_of
from gmtool.rulesdata.index import RuleEntry
from gmtool.text.catalogue import Catalogue

ID, SPOKEN, TEXT, READING, NAME, CHAPTER = 60, 50, 40, 30, 20, 10
WHOLE, OPENS, TITLE, TERM = 5, 8, 4, 3
"""What a place is worth. A whole word is worth more than a beginning, a rule that opens with it or whose chapter is
called so more than one that only mentions it, another word for the term less."""
TERMS = ("word.", "figure.", "part.", "pool.", "declare.", "class.")
"""The groups of the catalogue whose sentences are terms."""
Forms = Mapping[str, Sequence[tuple[str, int]]]
"""Each word with the forms it is looked for in, and what each is worth less."""
_KANA = {code: code - 0x60 for code in range(0x30A1, 0x30F7)}
_PARTICLES = ("으로", "에서", *"을를이가은는의에로와과도")
"""What Korean hangs on a word."""
_CONTENT = re.compile(r"[\u3005\u3400-\u9fff]+|[\u30a1-\u30ff]+|[^\s\u3005-\u9fff]+")
"""What of a Japanese phrase its words are, without the kana that join them."""
_LATIN = re.compile(r"[a-z]{3,}")


class Sources(NamedTuple):
    """What is searched: the rules, the catalogue of each language with the one spoken first, the game's data."""

    rules: Sequence[RuleEntry]
    catalogues: Sequence[Catalogue]
    data: Mapping[str, Any]


class Place(NamedTuple):
    """Something that belongs to a rule: what it is worth, what it says folded; ``reading``: the interpretation's id."""

    worth: int
    text: str
    reading: str = ""


class Hit(NamedTuple):
    """A rule that was met, and the interpretations by whose words it was."""

    rule: RuleEntry
    readings: tuple[str, ...]
    score: int


class Found(NamedTuple):
    """The rules that have all words, the best first; without any, how many have each, and words that come close."""

    hits: list[Hit]
    alone: dict[str, int]
    near: list[str]


def search(words: Sequence[str], sources: Sources) -> Found:
    """The rules that all these words meet, as people type them in any language; of a Japanese phrase else its parts."""
    found = _search(words, sources)
    parts = [part for word in words for part in _CONTENT.findall(unicodedata.normalize("NFKC", word))]
    if found.hits or parts == " ".join(words).split() or not _is_japanese(words):
        return found
    return in_parts if (in_parts := _search(parts, sources)).hits else found


def _is_japanese(words: Sequence[str]) -> bool:
    return any("\u3041" <= char <= "\u30ff" for word in words for char in word)


def _search(words: Sequence[str], sources: Sources) -> Found:
    wanted = list(dict.fromkeys(part for word in words for part in searchable(word).split()))
    places = _places(sources)
    forms = {word: [(word, 0), *((other, TERM) for other in _other_forms(word, sources))] for word in wanted}
    phrase = " ".join(wanted)
    hits = [hit for rule in sources.rules if (hit := _hit(rule, places[rule.id], forms, phrase)) is not None]
    if not wanted:
        return Found([], {}, [])
    if hits:
        return Found(sorted(hits, key=lambda hit: -hit.score), {}, [])
    alone = {word: _count({word: forms[word]}, sources.rules, places) for word in wanted}
    missing = [word for word, n in alone.items() if not n]
    return Found([], alone, _close(missing, places, sources.data))


def _count(forms: Forms, rules: Sequence[RuleEntry], places: Mapping[str, Sequence[Place]]) -> int:
    """How many rules are met."""
    return sum(_hit(rule, places[rule.id], forms, "") is not None for rule in rules)


def searchable(text: str) -> str:
    """The text as it is compared: width, case and kind of kana aside."""
    return fold(text).translate(_KANA)


def meets(word: str, text: str) -> int:
    """How a word meets a text, both searchable: 0 not at all, 1 as the beginning of a word or within, 2 whole."""
    if not word.isascii():
        return 2 if word in text else 0
    best, at = 0, text.find(word)
    while at >= 0 and best < 2:
        before, after = text[at - 1 : at], text[at + len(word) : at + len(word) + 1]
        cut = word[-1].isdecimal() and after.isdecimal()
        if not cut and not (before.isascii() and before.isalnum()):
            best = max(best, 1 if after.isascii() and after.isalnum() else 2)
        at = text.find(word, at + 1)
    return best


def _places(sources: Sources) -> dict[str, list[Place]]:
    """What belongs to each rule."""
    spoken, *others = sources.catalogues
    found: dict[str, list[Place]] = {}
    for rule in sources.rules:
        bare = rule.id.partition("-")[2]
        found[rule.id] = [Place(ID, searchable(rule.id)), Place(ID, bare), *_from(SPOKEN, f"rule.{rule.id}", [spoken])]
        found[rule.id] += _from(TEXT, f"rule.{rule.id}", others)
        found[rule.id] += _from(CHAPTER, f"chapter.{rule.chapter}", sources.catalogues)
    for table, rows in sources.data.items():
        for id, row in rows.items():
            if row.get("rule") in found:
                reading = table == "interpretations"
                found[row["rule"]] += _of_reading(id, row, sources) if reading else _of_row(id, row)
    return found


def _from(worth: int, key: str, catalogues: Iterable[Catalogue]) -> list[Place]:
    """A sentence of the catalogues, in each language it is there in."""
    found = (each.sentences.get(key) for each in catalogues)
    return [Place(worth, searchable(said)) for said in found if isinstance(said, str)]


def _of_reading(id: str, row: Mapping[str, Any], sources: Sources) -> Iterator[Place]:
    """What an interpretation is about, and its options."""
    keys = [f"choice.{id}", *(f"choice.{id}.{option}" for option in row["options"])]
    said = [place.text for key in keys for place in _from(0, key, sources.catalogues)]
    yield Place(READING, " ".join([id, *row["options"], *said]), id)


def _of_row(id: str, row: Mapping[str, Any]) -> Iterator[Place]:
    """A figure or whatever else of the data cites a rule: its id and its names."""
    yield Place(NAME, " ".join([id, id.replace("-", " "), *map(searchable, names_of(row.get("name")))]))


def _parts(row: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """What an entry of the data has within it: the weapons of a craft."""
    lists = [value for value in row.values() if isinstance(value, list)]
    return [part for each in lists for part in each if isinstance(part, dict)]


def _other_forms(word: str, sources: Sources) -> list[str]:
    """The same term or name in the other languages, where the word is one of the game; the word bare of its ending."""
    found = [word[:-1]] if word.isascii() and len(word) > 3 and word.endswith("s") else []
    found += [word.removesuffix(each) for each in _PARTICLES if word.endswith(each) and len(word) > len(each) + 1]
    for key in {key for catalogue in sources.catalogues for key in catalogue.sentences if key.startswith(TERMS)}:
        found += _if_one_of(word, [key.rpartition(".")[2], *_spoken(key, sources.catalogues)])
    for rows in sources.data.values():
        for id, row in rows.items():
            for entry in (row, *_parts(row)):
                found += _if_one_of(word, [entry.get("id", id), *names_of(entry.get("name"))])
    return [form for form in dict.fromkeys(found) if form != word]


def _spoken(key: str, catalogues: Iterable[Catalogue]) -> list[str]:
    return [said for each in catalogues if isinstance(said := each.sentences.get(key), str) and "{" not in said]


def _if_one_of(word: str, names: Sequence[str]) -> list[str]:
    """All of these names where the word is one of them."""
    folded = list(map(searchable, names))
    return folded if word in folded else []


def _hit(rule: RuleEntry, places: Sequence[Place], forms: Forms, phrase: str) -> Hit | None:
    """The rule with its score, if each word meets one of its places in one of its forms."""
    score, readings = 0, []
    for ways in forms.values():
        met = [(worth, place) for form, less in ways for place in places if (worth := _worth(form, less, place))]
        if not met:
            return None
        best, place = max(met)
        score += best + (TITLE if any(each.worth == CHAPTER != place.worth for _, each in met) else 0)
        readings += [place.reading] if place.reading else []
    texts = [place.text for place in places if place.worth in (SPOKEN, TEXT)]
    opens = any(text.startswith(form) for form in (phrase, *_first(forms)) for text in texts)
    whole = " " in phrase and any(phrase in text for text in texts)
    return Hit(rule, tuple(dict.fromkeys(readings)), score + OPENS * opens + WHOLE * whole)


def _first(forms: Forms) -> list[str]:
    """All forms of the word, where there is one only."""
    return [form for ways in forms.values() for form, _ in ways] if len(forms) == 1 else []


def _worth(form: str, less: int, place: Place) -> int:
    """What a place is worth for a form of a word; nothing where it does not meet it, or is the middle of an id."""
    how = meets(form, place.text) if place.worth != ID else 2 * _begins_id(form, place.text)
    return 0 if not how else place.worth - less + (WHOLE if how == 2 else 0)


def _begins_id(word: str, id: str) -> bool:
    rest = id[len(word) :]
    return id.startswith(word) and not (word[-1:].isdecimal() and rest[:1].isdecimal())


def _close(missing: Sequence[str], places: Mapping[str, Sequence[Place]], data: Mapping[str, Any]) -> list[str]:
    """Latin words of the rules, or names of the game, that come close to those that are nowhere."""
    from difflib import get_close_matches

    wanted = [word for word in missing if word.isascii()]
    if not wanted:
        return []
    texts = [place.text for each in places.values() for place in each]
    texts += [searchable(name) for rows in data.values() for row in rows.values() for name in names_of(row.get("name"))]
    known = {word for text in texts for word in _LATIN.findall(text)}
    return list(dict.fromkeys(near for word in wanted for near in get_close_matches(word, known, n=3, cutoff=0.7)))
