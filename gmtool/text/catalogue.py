"""Catalogues: all sentences of one language, found by dotted key and filled with facts.

A sentence is plain text with fields ``{name}`` (``{{`` and ``}}`` stand for braces; ``{name:이/가}`` adds a
Korean particle), or a table ``{one, other}`` chosen by the fact ``n``. What fills a field is never read as a
sentence again. Nothing here refuses at the table: a key that is missing shows itself and its facts.

Reading the sources may refuse as any rules file does (code ``rules-file``, exit 3), and with
``data-wrong-kind`` for what is no sentence and ``data-duplicate-id`` for a key that stands in two files.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any, TypeAlias

from gmtool.kernel.refusal import Id, Word
from gmtool.rulesdata.compile import compiled
from gmtool.rulesdata.faults import as_written, refused
from gmtool.rulesdata.finder import data_root, shown
from gmtool.rulesdata.reader import read_toml
from gmtool.text.clean import printable
from gmtool.text.particles import with_particle

LANGUAGES = ("en", "ja", "ko")

Sentence: TypeAlias = str | dict[str, str]
"""A sentence, or its forms ``one`` and ``other``."""

Names: TypeAlias = Mapping[str, str | Mapping[str, str]]
"""Names by id: the same in all languages, or by language."""

FIELD = re.compile(r"\{\{|\}\}|\{([a-z_0-9]+)(?::([^{}]+))?\}")
_FORMS = {"one", "other"}
_COMMON = Path(__file__).parent / "catalogue"


class Catalogue:
    """The sentences of one language."""

    def __init__(self, lang: str, sentences: Mapping[str, Sentence]) -> None:
        self.lang = lang
        self.sentences = sentences

    def has(self, key: str) -> bool:
        """Whether there is a sentence of this key."""
        return key in self.sentences

    def say(self, key: str, facts: Mapping[str, Any] | None = None, names: Names | None = None) -> str:
        """The sentence of a key with its fields filled; a missing one as ``<key> field=value``. Never raises."""
        facts = facts or {}
        sentence = self.sentences.get(key)
        if sentence is None:
            told = [f"{name}={self.fact(value, names)}" for name, value in facts.items()]
            return " ".join([f"<{printable(key)}>", *told])
        if not isinstance(sentence, str):
            sentence = sentence["one" if facts.get("n") == 1 else "other"]
        if "{" not in sentence and "}" not in sentence:
            return sentence
        return FIELD.sub(lambda field: self._filled(field, facts, names), sentence)

    def word(self, word: str) -> str:
        """The term of this language, or the word as it is where there is none."""
        term = self.sentences.get(f"word.{word}")
        return term if isinstance(term, str) else printable(word)

    def fact(self, value: Any, names: Names | None = None) -> str:
        """A fact as it stands in a sentence: ids by name, words by term, lists joined, text made printable."""
        if value is None or isinstance(value, bool):
            return self.word({None: "none", True: "yes", False: "no"}[value])
        if value == [] or value == ():
            return self.word("none")
        if isinstance(value, Id):
            return self._name(value, names)
        if isinstance(value, Word):
            return self.word(value)
        if isinstance(value, str):
            return printable(value)
        if isinstance(value, Mapping):
            return self._marked(value, names)
        if isinstance(value, Sequence):
            return self._separator().join(self.fact(item, names) for item in value)
        return printable(str(value))

    def _marked(self, value: Mapping[str, Any], names: Names | None) -> str:
        if "id" in value:
            return self._name(str(value["id"]), names)
        if "word" in value:
            return self.word(str(value["word"]))
        return self._separator().join(f"{printable(str(key))}={self.fact(item, names)}" for key, item in value.items())

    def _name(self, id: str, names: Names | None) -> str:
        name = (names or {}).get(id, id)
        if isinstance(name, Mapping):
            name = name.get(self.lang) or name.get("en") or next(iter(name.values()), id)
        return printable(str(name))

    def _separator(self) -> str:
        separator = self.sentences.get("list.separator", ", ")
        return separator if isinstance(separator, str) else ", "

    def _filled(self, field: re.Match[str], facts: Mapping[str, Any], names: Names | None) -> str:
        name, pair = field.groups()
        if name is None:
            return field.group()[0]
        if name not in facts:
            return field.group()
        text = self.fact(facts[name], names)
        return with_particle(text, pair) if pair else text


def flatten(tree: Mapping[str, Any], file: str = "") -> dict[str, Sentence]:
    """Nested tables as one, keys joined by dots; anything but sentences is refused."""
    return dict(_flat(tree, "", file))


def _is_sentence(value: Any) -> bool:
    """Text, or a table of exactly two forms."""
    if isinstance(value, dict):
        return value.keys() == _FORMS and all(isinstance(form, str) for form in value.values())
    return isinstance(value, str)


def _flat(tree: Mapping[str, Any], above: str, file: str) -> Iterator[tuple[str, Sentence]]:
    for key, value in tree.items():
        path = above + key
        if _is_sentence(value):
            yield path, value
        elif isinstance(value, dict):
            yield from _flat(value, path + ".", file)
        else:
            facts = {"key": path, "expected": "data-text", "found": as_written(value)}
            raise refused("data-wrong-kind", file, **facts, line=0, more=0)


def merged(files: Sequence[Path]) -> dict[str, Any]:
    """All sentences of these files; a key may stand in one of them only."""
    found: dict[str, Any] = {}
    first: dict[str, str] = {}
    for path in files:
        for key, sentence in flatten(read_toml(path), shown(path)).items():
            if key in found:
                raise refused("data-duplicate-id", shown(path), key=key, id=key, first=first[key], line=0, more=0)
            found[key], first[key] = sentence, shown(path)
    return found


def sources(lang: str, game: str | None = None, folder: Path | None = None) -> list[Path]:
    """The files of a language: the common ones, then those of a game's ``text`` folder.

    ``folder`` is a game's own folder where its text does not lie with the data that comes with the program.
    """
    common = sorted(_COMMON.glob(f"{lang}*.toml"))
    return common + (sorted(((folder or data_root() / game) / "text").glob(f"*{lang}.toml")) if game else [])


@lru_cache(maxsize=16)
def load(lang: str, game: str | None = None, folder: Path | None = None) -> Catalogue:
    """The catalogue of a language with a game's own sentences, read once a process from what was compiled before."""
    files = sources(lang, game, folder)
    return Catalogue(lang, compiled(files, lambda: merged(files), f"text-{game or 'common'}-{lang}"))
