"""What is wrong with a set of catalogues: used by tests and by whoever writes sentences.

Checked: the same keys and fields in every language, fields and particles well formed, and no character whose
width differs between terminals or that is read but never printed (full-width digits and signs).
"""

import re
import unicodedata
from collections.abc import Iterator, Mapping

from gmtool.text.catalogue import FIELD, Catalogue, Sentence
from gmtool.text.clean import number_of, printable
from gmtool.text.particles import PAIRS

_CHANGING = re.compile(r"\}(?:은|는|이|가|을|를|와|과|으로|로)(?=[\s.,:;?()/]|$)")
_JAPANESE_MARKS = "（）：、。「」／？・〜"
_NOT_ASCII_DASHES = "\u2212\u2010\u2011\u2012\u301c"


def _forms(sentence: Sentence) -> dict[str, str]:
    return {"": sentence} if isinstance(sentence, str) else sentence


def fields(sentence: Sentence) -> set[str]:
    """The fields a sentence asks for; for one with two forms, those of both."""
    return {name for form in _forms(sentence).values() for name, _ in FIELD.findall(form) if name}


def banned(char: str, lang: str) -> bool:
    """Whether a character may not stand in a sentence of this language."""
    if char.isascii():
        return not char.isprintable()
    if lang == "ja" and char in _JAPANESE_MARKS:
        return False
    if unicodedata.east_asian_width(char) in "AF" or char in _NOT_ASCII_DASHES:
        return True
    return unicodedata.category(char) in ("So", "Sm", "Cf", "Cc", "Co", "Cn", "Zs", "Zl", "Zp", "Mn", "Me")


def _bad_characters(form: str, lang: str) -> Iterator[str]:
    for char in dict.fromkeys(form):
        if banned(char, lang):
            yield f"banned character {printable(char)} ({number_of(char)})"


def _bad_fields(form: str, lang: str) -> Iterator[str]:
    if "{" in FIELD.sub("", form) or "}" in FIELD.sub("", form):
        yield "a brace that is no field"
    for name, pair in FIELD.findall(form):
        if pair and (lang != "ko" or pair not in PAIRS):
            yield f"no such particle for {name}: {pair}"
    if lang == "ko" and _CHANGING.search(form):
        yield "a field is followed by a particle that changes"


def _of_sentence(key: str, sentence: Sentence, lang: str) -> Iterator[str]:
    for name, form in _forms(sentence).items():
        where = f"{lang} {key}.{name}" if name else f"{lang} {key}"
        for problem in (*_bad_characters(form, lang), *_bad_fields(form, lang)):
            yield f"{where}: {problem}"


def _between(key: str, having: Mapping[str, Sentence]) -> Iterator[str]:
    """Differences of fields between the languages that have a key, measured at the first of them."""
    (first, sentence), *others = having.items()
    for lang, other in others:
        if fields(other) != fields(sentence):
            told = f"{sorted(fields(other))}, but {sorted(fields(sentence))} in {first}"
            yield f"{lang} {key}: fields {told}"


def problems(catalogues: Mapping[str, Catalogue]) -> list[str]:
    """All that is wrong, one line each: language, key, what. ``catalogues`` are by language, the first is the model."""
    found: list[str] = []
    keys = sorted({key for catalogue in catalogues.values() for key in catalogue.sentences})
    for key in keys:
        having = {lang: each.sentences[key] for lang, each in catalogues.items() if each.has(key)}
        found += [f"{lang} {key}: missing" for lang in catalogues if lang not in having]
        for lang, sentence in having.items():
            found += _of_sentence(key, sentence, lang)
        found += _between(key, having)
    return found
