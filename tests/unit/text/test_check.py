"""What the check finds in a set of catalogues, and that it finds nothing in ours."""

from pathlib import Path

import pytest

from gmtool.text.catalogue import LANGUAGES, Catalogue, Sentence, load
from gmtool.text.check import banned, problems


def found(en: dict[str, Sentence], **others: dict[str, Sentence]) -> list[str]:
    return problems({lang: Catalogue(lang, each) for lang, each in {"en": en, **others}.items()})


@pytest.mark.usefixtures("home")
def test_the_common_catalogues_are_complete_and_clean() -> None:
    assert problems({lang: load(lang) for lang in LANGUAGES}) == []


@pytest.mark.usefixtures("home")
def test_the_catalogues_of_every_game_are_complete_and_clean() -> None:
    games = Path(__file__).resolve().parents[3] / "rules_data"
    for game in sorted(path.parent.name for path in games.glob("*/text")):
        assert problems({lang: load(lang, game) for lang in LANGUAGES}) == []


def test_good_sentences() -> None:
    en: dict[str, Sentence] = {"a": {"one": "{n} step of {unit}", "other": "{n} steps of {unit}"}, "b": '"{x}" {{}}'}
    ja: dict[str, Sentence] = {"a": "{unit}（{n}手）：「なし」、終わりますか？", "b": "「{x}」{{}}"}
    ko: dict[str, Sentence] = {"a": "{unit}의 {n}건, {unit:이/가}", "b": '"{x}"에 {{}}'}
    assert found(en, ja=ja, ko=ko) == []


def test_missing_and_surplus_keys() -> None:
    assert found({"a": "x"}, ja={"b": "y"}) == ["ja a: missing", "en b: missing"]


def test_fields_that_differ() -> None:
    assert found({"a": "{x} {y}"}, ja={"a": "{x}"}) == ["ja a: fields ['x'], but ['x', 'y'] in en"]


@pytest.mark.parametrize("sentence", ["{", "a } b", "{X}", "{a.b}", "{a!r}", "{}", "{a[0]}", "{{a}"])
def test_braces_that_are_no_field(sentence: str) -> None:
    assert found({"a": sentence}) == ["en a: a brace that is no field"]


def test_particles() -> None:
    assert found({"a": "{x:이/가}"}) == ["en a: no such particle for x: 이/가"]
    assert problems({"ko": Catalogue("ko", {"a": "{x:가/이}"})}) == ["ko a: no such particle for x: 가/이"]
    changing = "ko a: a field is followed by a particle that changes"
    for sentence in ("{x}는 명중", "{x}이", "{x}으로, 끝"):
        assert problems({"ko": Catalogue("ko", {"a": sentence})}) == [changing]
    assert problems({"ko": Catalogue("ko", {"a": "{x}이동 {y}도"})}) == []


@pytest.mark.parametrize("char", "→×÷…①★—–“”‘’✓−·２Ａ％＋\u3000\u00a0\x1b\u200b🚀")
def test_characters_banned_everywhere(char: str) -> None:
    assert all(banned(char, lang) for lang in LANGUAGES)


def test_characters_of_japanese_only() -> None:
    assert [banned("（", lang) for lang in LANGUAGES] == [True, False, True]
    assert not any(banned(char, "ja") for char in "漢かカー「」、。：／・")
    assert not any(banned(char, "ko") for char in "한글(),.:\"'")


def test_a_banned_character_is_named() -> None:
    assert found({"a": "1 → 2"}) == ["en a: banned character → (U+2192)"]
