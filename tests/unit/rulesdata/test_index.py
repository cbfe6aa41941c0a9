"""The rule index of R-TYPE and the words for it: complete, in order, and the same rules in every language."""

import re
import tomllib
from collections import Counter
from pathlib import Path
from typing import Any, get_args

import pytest

from gmtool.kernel.refusal import Refused
from gmtool.rulesdata import finder
from gmtool.rulesdata.index import Origin, RuleEntry, Status, load_index
from gmtool.text.check import banned

LANGUAGES = ("en", "ja", "ko")

# How many rules each chapter of the rulebook has, counted in the rulebook's list of rules.
COMBAT = {1: 7, 2: 7, 3: 15, 4: 25, 5: 14, 6: 9, 7: 4, 8: 20, 9: 14, 10: 10, 11: 7, 12: 26, 13: 9}
CORE = {20: 7, 21: 10, 22: 7, 23: 7, 24: 10, 25: 11, 26: 3, 27: 2}
CHAPTERS = COMBAT | CORE

# What a sentence that is no book's rule has to say of itself, by language.
OURS = {
    "en": r"[Oo]ur (default|reading)",
    "ja": r"当ツールの(既定|解釈)",
    "ko": r"이 도구의 (기본값|해석)",
}


@pytest.fixture(autouse=True)
def _own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GMTOOL_CACHE", str(tmp_path / "cache"))


@pytest.fixture
def index() -> tuple[RuleEntry, ...]:
    return load_index("rtype")


def words(lang: str) -> dict[str, dict[str, str]]:
    text = (finder.data_root() / "rtype" / "text" / f"rules.{lang}.toml").read_text(encoding="utf-8")
    return tomllib.loads(text)


def test_every_rule_stands_once_and_in_rulebook_order(index: tuple[RuleEntry, ...]) -> None:
    expected = [f"RT-{chapter}.{rule}" for chapter, most in CHAPTERS.items() for rule in range(1, most + 1)]
    assert [entry.id for entry in index] == expected


def test_origins_and_statuses_are_of_the_known_sets(index: tuple[RuleEntry, ...]) -> None:
    assert {entry.origin for entry in index} == set(get_args(Origin))
    assert {entry.status for entry in index} <= set(get_args(Status))


def test_only_a_ruled_rule_has_no_reason(index: tuple[RuleEntry, ...]) -> None:
    assert all((entry.status == "ruled") == (entry.reason == "") for entry in index)


def test_the_chapter_is_the_id_without_its_last_number() -> None:
    assert RuleEntry("RT-10.10", "default", "ruled").chapter == "RT-10"


def test_an_index_read_a_second_time_comes_from_the_cache_unchanged(
    index: tuple[RuleEntry, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    def not_again(path: Path) -> list[dict[str, Any]]:
        raise AssertionError(f"built again from {path}")

    monkeypatch.setattr("gmtool.rulesdata.index._build", not_again)
    assert load_index("rtype") == index


@pytest.mark.parametrize(
    ("rule", "key"),
    [
        ('id = "T-1.1"\norigin = "hearsay"\nstatus = "ruled"', "data-not-one-of"),
        ('id = "T-1.1"\norigin = "known"\nstatus = "by_hand"', "data-missing-key"),
        ('id = "T-1.1"\norigin = "known"\nstatus = "ruled"\nreason = "needs-map"', "data-not-with"),
        ('id = "T-1.1"\norigin = "known"\nstatus = "ruled"\nreasons = "x"', "data-unknown-key"),
    ],
)
def test_a_wrong_index_is_refused(rule: str, key: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "toy").mkdir()
    (tmp_path / "toy" / "index.toml").write_text(f"format = 1\n[[rule]]\n{rule}\n", encoding="utf-8")
    monkeypatch.setattr(finder, "data_root", lambda: tmp_path)
    with pytest.raises(Refused) as refused:
        load_index("toy")
    assert refused.value.code == "rules-file"
    assert refused.value.key == key


@pytest.mark.parametrize("lang", LANGUAGES)
def test_there_is_a_text_for_exactly_the_rules_of_the_index(lang: str, index: tuple[RuleEntry, ...]) -> None:
    assert list(words(lang)["rule"]) == [entry.id for entry in index]


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_mark_and_chapter_has_its_words_and_no_word_is_left_over(lang: str, index: tuple[RuleEntry, ...]) -> None:
    found = words(lang)
    assert set(found["origin"]) == set(get_args(Origin))
    assert set(found["rulestatus"]) == set(get_args(Status))
    assert set(found["reason"]) == {entry.reason for entry in index} - {""}
    assert list(found["chapter"]) == list(dict.fromkeys(entry.chapter for entry in index))
    assert set(found) == {"chapter", "origin", "rulestatus", "reason", "rule"}


@pytest.mark.parametrize("lang", LANGUAGES)
def test_no_text_has_a_banned_character_or_a_field(lang: str) -> None:
    for table in words(lang).values():
        for key, text in table.items():
            assert not [char for char in text if banned(char, lang) or char in "{}"], key


@pytest.mark.parametrize("lang", LANGUAGES)
def test_texts_are_whole_sentences(lang: str) -> None:
    end = "。" if lang == "ja" else "."
    unfinished = [key for key, text in words(lang)["rule"].items() if not text.endswith(end) or text != text.strip()]
    assert unfinished == []


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_mixed_rule_says_which_part_is_ours_and_a_known_one_claims_none(
    lang: str, index: tuple[RuleEntry, ...]
) -> None:
    texts = words(lang)["rule"]
    ours = {id for id, text in texts.items() if re.search(OURS[lang], text)}
    assert {entry.id for entry in index if entry.origin == "mixed"} - ours == set()
    assert {entry.id for entry in index if entry.origin == "known"} & ours == set()


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_text_names_only_rules_there_are(lang: str, index: tuple[RuleEntry, ...]) -> None:
    known = {entry.id for entry in index}
    named = {id for text in words(lang)["rule"].values() for id in re.findall(r"RT-\d+\.\d+", text)}
    assert named <= known


def test_each_rule_cites_the_same_rules_in_every_language() -> None:
    cited = {
        lang: {id: Counter(re.findall(r"RT-\d+\.\d+", text)).keys() for id, text in words(lang)["rule"].items()}
        for lang in LANGUAGES
    }
    assert cited["ja"] == cited["en"]
    assert cited["ko"] == cited["en"]
