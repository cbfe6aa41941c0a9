"""The rule index of each game and the words for it: complete, in order, and the same rules in every language."""

import re
import tomllib
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
GAMES = sorted(path.parent.name for path in finder.data_root().glob("*/index.toml"))

# What a sentence that is no book's rule has to say of itself, by language.
OURS = {
    "en": r"[Oo]ur (default|reading)",
    "ja": r"当ツールの(既定|解釈)",
    "ko": r"이 도구의 (기본값|해석)",
}


@pytest.fixture(autouse=True)
def _own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GMTOOL_CACHE", str(tmp_path / "cache"))


@pytest.fixture(params=GAMES)
def game(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def index(game: str) -> tuple[RuleEntry, ...]:
    return load_index(game)


def words(game: str, lang: str) -> dict[str, dict[str, str]]:
    text = (finder.data_root() / game / "text" / f"rules.{lang}.toml").read_text(encoding="utf-8")
    return tomllib.loads(text)


def test_every_rule_of_the_first_game_stands_once_and_in_rulebook_order() -> None:
    expected = [f"RT-{chapter}.{rule}" for chapter, most in CHAPTERS.items() for rule in range(1, most + 1)]
    assert [entry.id for entry in load_index("rtype")] == expected


def test_every_rule_of_a_game_stands_once_and_in_the_order_of_its_numbers(index: tuple[RuleEntry, ...]) -> None:
    numbers = [tuple(map(int, re.findall(r"\d+", entry.id))) for entry in index]
    assert numbers == sorted(set(numbers))


def test_origins_and_statuses_are_of_the_known_sets(index: tuple[RuleEntry, ...]) -> None:
    assert {entry.origin for entry in index} <= set(get_args(Origin))
    assert {entry.status for entry in index} <= set(get_args(Status))


def test_only_a_ruled_rule_has_no_reason(index: tuple[RuleEntry, ...]) -> None:
    assert all((entry.status == "ruled") == (entry.reason == "") for entry in index)


@pytest.mark.parametrize("id", ["T-10", "T-10.1", "T-10.10.3"])
def test_the_chapter_is_the_id_up_to_its_first_point(id: str) -> None:
    assert RuleEntry(id, "default", "ruled").chapter == "T-10"


def test_an_index_read_a_second_time_comes_from_the_cache_unchanged(
    game: str, index: tuple[RuleEntry, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    def not_again(path: Path) -> list[dict[str, Any]]:
        raise AssertionError(f"built again from {path}")

    monkeypatch.setattr("gmtool.rulesdata.index._build", not_again)
    assert load_index(game) == index


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
def test_there_is_a_text_for_exactly_the_rules_of_the_index(game: str, lang: str, index: tuple[RuleEntry, ...]) -> None:
    assert list(words(game, lang)["rule"]) == [entry.id for entry in index]


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_mark_and_chapter_has_its_words_and_no_word_is_left_over(
    game: str, lang: str, index: tuple[RuleEntry, ...]
) -> None:
    found = words(game, lang)
    assert set(found["origin"]) == set(get_args(Origin))
    assert set(found["rulestatus"]) == set(get_args(Status))
    assert set(found.get("reason", {})) == {entry.reason for entry in index} - {""}
    assert list(found["chapter"]) == list(dict.fromkeys(entry.chapter for entry in index))
    assert set(found) | {"reason"} == {"chapter", "origin", "rulestatus", "reason", "rule"}


@pytest.mark.parametrize("lang", LANGUAGES)
def test_no_text_has_a_banned_character_or_a_field(game: str, lang: str) -> None:
    for table in words(game, lang).values():
        for key, text in table.items():
            assert not [char for char in text if banned(char, lang) or char in "{}"], key


@pytest.mark.parametrize("lang", LANGUAGES)
def test_texts_are_whole_sentences(game: str, lang: str) -> None:
    end = "。" if lang == "ja" else "."
    texts = words(game, lang)["rule"]
    unfinished = [key for key, text in texts.items() if not text.endswith(end) or text != text.strip()]
    assert unfinished == []


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_mixed_rule_says_which_part_is_ours_and_a_known_one_claims_none(
    game: str, lang: str, index: tuple[RuleEntry, ...]
) -> None:
    texts = words(game, lang)["rule"]
    ours = {id for id, text in texts.items() if re.search(OURS[lang], text)}
    assert {entry.id for entry in index if entry.origin == "mixed"} - ours == set()
    assert {entry.id for entry in index if entry.origin == "known"} & ours == set()


def cited(text: str, index: tuple[RuleEntry, ...]) -> set[str]:
    """The rules that a text names, by the letters that the game's ids begin with."""
    letters = index[0].id.partition("-")[0]
    return set(re.findall(rf"{letters}-\d+(?:\.\d+)*", text))


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_text_names_only_rules_there_are(game: str, lang: str, index: tuple[RuleEntry, ...]) -> None:
    named = {id for text in words(game, lang)["rule"].values() for id in cited(text, index)}
    assert named <= {entry.id for entry in index}


def test_each_rule_cites_the_same_rules_in_every_language(game: str, index: tuple[RuleEntry, ...]) -> None:
    by_lang = [{id: cited(text, index) for id, text in words(game, lang)["rule"].items()} for lang in LANGUAGES]
    assert by_lang[1:] == by_lang[:1] * 2
