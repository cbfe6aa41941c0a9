"""Rules searched by words of any language; the rules here are made up for it."""

import pytest

from gmtool.rulesdata.index import RuleEntry
from gmtool.text.catalogue import Catalogue
from gmtool.text.search import Found, Sources, meets, search

RULES = [RuleEntry(id, "known", "ruled") for id in ("X-1.1", "X-1.2", "X-1.20", "X-2.1")]
EN = {
    "chapter.X-1": "Movement",
    "chapter.X-2": "Fire",
    "rule.X-1.1": "A ship moves up to 6 hexes.",
    "rule.X-1.2": "Non-destructible forces stay; see X-2.1 for range.",
    "rule.X-1.20": "A ship may arrange its turn.",
    "rule.X-2.1": "The range is counted in hexes.",
    "figure.evade": "evasion",
    "choice.x-2.1": "how a hex is counted",
    "choice.x-2.1.centre": "from its centre",
    "choice.x-2.1.edge": "from its edge",
}
JA = {
    "chapter.X-1": "移動",
    "rule.X-1.1": "艦は6ヘックスまで移動する。",
    "rule.X-2.1": "射程はヘックスで数える。回避はない。",
    "figure.evade": "回避",
}
DATA = {
    "interpretations": {"x-2.1": {"rule": "X-2.1", "options": ["centre", "edge"], "default": "edge"}},
    "figures": {"ship-speed": {"rule": "X-1.2", "value": 6}},
    "craft": {"gulls": {"name": {"en": "Gulls", "ja": "ガルズ"}, "weapons": [{"id": "w", "name": "Warp lance"}]}},
}


def found(*words: str, spoken: str = "en") -> Found:
    catalogues = [Catalogue("en", EN), Catalogue("ja", JA)]
    return search(words, Sources(RULES, catalogues if spoken == "en" else catalogues[::-1], DATA))


def ids(*words: str, spoken: str = "en") -> list[str]:
    return [hit.rule.id for hit in found(*words, spoken=spoken).hits]


@pytest.mark.parametrize("spoken", ["en", "ja"])
@pytest.mark.parametrize("word", ["射程", "ヘックスで", "ﾍｯｸｽで", "へっくすで"])
def test_japanese_is_met_anywhere_in_whatever_width_or_kana(word: str, spoken: str) -> None:
    assert ids(word, spoken=spoken) == ["X-2.1"]


@pytest.mark.parametrize("word", ["RANGE", "range", "ｒａｎｇｅ", "rang"])
def test_a_latin_word_is_met_at_the_beginning_of_a_word_and_not_within_one(word: str) -> None:
    """``arrange`` has it within; ``range`` stands in two rules."""
    assert ids(word) == ["X-1.2", "X-2.1"]


def test_a_part_behind_a_hyphen_is_a_word() -> None:
    assert ids("destructible") == ["X-1.2"]


def test_all_words_must_be_there_in_whatever_language_each_is() -> None:
    assert ids("ship", "hexes") == ["X-1.1"]
    assert ids("ship hexes") == ["X-1.1"]
    assert ids("ship", "ヘックス") == ["X-1.1"]
    assert ids("ship", "centre") == []


@pytest.mark.parametrize(
    ("word", "rules"),
    [("1.2", ["X-1.2"]), ("x-1.", ["X-1.1", "X-1.2", "X-1.20"]), ("Ｘ－２", ["X-2.1", "X-1.2"]), ("1.20", ["X-1.20"])],
)
def test_an_id_or_its_beginning_comes_first_and_no_number_is_cut(word: str, rules: list[str]) -> None:
    """X-1.2 cites X-2.1 and comes after it."""
    assert ids(word) == rules


def test_a_rule_that_opens_with_the_word_or_whose_chapter_is_called_so_comes_before_one_that_mentions_it() -> None:
    texts = {
        "X-1.1": "A ship may fire focus.",
        "X-1.2": "Focus: a die more.",
        "X-1.20": "Of focus.",
        "X-2.1": "In focus.",
    }
    words = {**{f"rule.{id}": text for id, text in texts.items()}, "chapter.X-1": "Moves", "chapter.X-2": "Focus"}
    hits = search(["focus"], Sources(RULES, [Catalogue("en", words)], {})).hits
    assert [hit.rule.id for hit in hits] == ["X-1.2", "X-2.1", "X-1.1", "X-1.20"]


def test_words_that_stand_together_come_before_the_same_words_apart() -> None:
    texts = {"X-1.1": "A focus and a fire.", "X-1.2": "A fire focus.", "X-1.20": "Fire.", "X-2.1": "Focus."}
    words = Catalogue("en", {f"rule.{id}": text for id, text in texts.items()})
    assert [hit.rule.id for hit in search(["fire", "focus"], Sources(RULES, [words], {})).hits] == ["X-1.2", "X-1.1"]


def test_the_words_of_a_reading_find_its_rule_and_name_it() -> None:
    hits = found("centre").hits
    assert [(hit.rule.id, hit.readings) for hit in hits] == [("X-2.1", ("x-2.1",))]
    assert found("range").hits[1].readings == ()


def test_a_figure_that_cites_a_rule_finds_it() -> None:
    assert ids("speed") == ["X-1.2"]
    assert ids("ship-speed") == ["X-1.2"]


def test_a_title_finds_its_chapter_after_those_that_say_it() -> None:
    assert ids("fire") == ["X-2.1"]
    assert ids("移動") == ["X-1.1", "X-1.2", "X-1.20"]


def test_a_term_stands_for_itself_in_every_language() -> None:
    """No English text here has ``evasion``; the Japanese one of X-2.1 has the word for it."""
    assert ids("evasion") == ["X-2.1"]
    assert ids("evade") == ["X-2.1"]


def test_a_japanese_phrase_that_stands_nowhere_is_looked_for_by_its_words() -> None:
    assert ids("艦の移動") == ["X-1.1"]
    assert ids("ヘックスの数え方") == []
    assert ids("艦が索敵") == []


def test_a_korean_word_is_met_without_its_particle() -> None:
    words = {**{f"rule.{rule.id}": "-" for rule in RULES}, "rule.X-2.1": "회피 판정은 두 번 한다."}
    for word in ("회피를", "회피", "판정으로", "판정은"):
        hits = search([word], Sources(RULES, [Catalogue("ko", words)], {})).hits
        assert [hit.rule.id for hit in hits] == ["X-2.1"], word


def test_a_word_for_several_finds_the_one() -> None:
    assert ids("turns") == ["X-1.20"]


def test_with_nothing_found_each_word_is_counted_and_close_ones_are_offered() -> None:
    assert found("ship", "centre") == Found([], {"ship": 3, "centre": 1}, [])
    assert found("rnage").near[:1] == ["range"]
    assert found("galls").near == ["gulls"]
    assert found("zzzz") == Found([], {"zzzz": 0}, [])
    assert found("索敵") == Found([], {"索敵": 0}, [])
    assert found(" ", "　") == Found([], {}, [])


@pytest.mark.parametrize(
    ("word", "text", "how"),
    [("hex", "6 hexes", 1), ("hex", "a hex.", 2), ("5", "50 %", 0), ("5", "15", 0), ("5", "5 %", 2), ("x", "", 0),
     ("aa", "baaa aa", 2), ("射", "射程", 2), ("hex", "6hex", 0), ("hex", "6のhex", 2)],
)  # fmt: skip
def test_how_a_word_meets_a_text(word: str, text: str, how: int) -> None:
    assert meets(word, text) == how
