"""Sentences found, filled, and never read twice."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gmtool.kernel.refusal import Id, Refused, Word
from gmtool.text.catalogue import LANGUAGES, Catalogue, Names, flatten, load, merged, sources

JA = Catalogue(
    "ja",
    {
        "hit": "{unit}：ヒット{n}、{how}",
        "braces": "{{unit}} は {unit}",
        "list.separator": "、",
        "word.evade": "回避",
        "word.none": "なし",
        "word.yes": "はい",
        "word.no": "いいえ",
        "plain": "ここまで",
    },
)
EN = Catalogue("en", {"steps": {"one": "{n} step", "other": "{n} steps"}})
NAMES: Names = {"gains-2": {"en": "Gains-2", "ja": "ゲインズ2"}, "kestrel": "Kestrel", "odd": {"ko": "게인즈"}}


def test_fields_are_filled_by_kind() -> None:
    facts = {"unit": {"id": "gains-2"}, "n": 2, "how": {"word": "evade"}}
    assert JA.say("hit", facts, NAMES) == "ゲインズ2：ヒット2、回避"


def test_facts_of_the_kernel_are_filled_like_those_of_the_journal() -> None:
    assert JA.say("hit", {"unit": Id("gains-2"), "n": 2, "how": Word("evade")}, NAMES) == "ゲインズ2：ヒット2、回避"


@pytest.mark.parametrize(
    ("fact", "shown"),
    [
        (-3, "-3"),
        ("x[/]y {unit}", "x[/]y {unit}"),
        ("a\x1bb", "a<U+001B>b"),
        (None, "なし"),
        (True, "はい"),
        (False, "いいえ"),
        ([{"id": "kestrel"}, 2, {"word": "evade"}], "Kestrel、2、回避"),
        (("A", "B"), "A、B"),
        ({"id": "odd"}, "게인즈"),
        ({"id": "unknown"}, "unknown"),
        ({"word": "unheard-of"}, "unheard-of"),
        ({"lead": 3}, "lead=3"),
        (2.5, "2.5"),
    ],
)
def test_facts(fact: object, shown: str) -> None:
    assert JA.fact(fact, NAMES) == shown


def test_what_fills_a_field_is_not_read_again() -> None:
    assert JA.say("hit", {"unit": "{n}", "n": 1, "how": "{{"}) == "{n}：ヒット1、{{"


def test_doubled_braces_and_missing_facts() -> None:
    assert JA.say("braces", {}) == "{unit} は {unit}"
    assert JA.say("plain") == "ここまで"


def test_a_missing_key_shows_itself_and_its_facts() -> None:
    assert JA.say("no.such", {"unit": {"id": "gains-2"}, "n": 2}, NAMES) == "<no.such> unit=ゲインズ2 n=2"
    assert not JA.has("no.such")


@pytest.mark.parametrize(("n", "shown"), [(0, "0 steps"), (1, "1 step"), (2, "2 steps")])
def test_one_and_other(n: int, shown: str) -> None:
    assert EN.say("steps", {"n": n}) == shown


def test_korean_particles() -> None:
    ko = Catalogue("ko", {"who": "{unit:이/가} 명중"})
    assert [ko.say("who", {"unit": name}) for name in ("발칸", "케스트럴 2")] == ["발칸이 명중", "케스트럴 2가 명중"]


def test_nested_tables_become_dotted_keys() -> None:
    tree = {"refusal": {"not-in-range": "far", "steps": {"one": "a", "other": "b"}}, "word": {"one": "1"}}
    expected = {"refusal.not-in-range": "far", "refusal.steps": {"one": "a", "other": "b"}, "word.one": "1"}
    assert flatten(tree) == expected


def test_files_are_merged_and_a_key_stands_once(tmp_path: Path) -> None:
    one, two, three = (tmp_path / f"{name}.toml" for name in ("one", "two", "three"))
    one.write_text('[a]\nb = "1"\n', encoding="utf-8")
    two.write_text('[a]\nc = "{x}"\n', encoding="utf-8-sig")
    three.write_text('[a]\nc = "3"\n', encoding="utf-8")
    assert merged([one, two]) == {"a.b": "1", "a.c": "{x}"}
    with pytest.raises(Refused) as caught:
        merged([two, three])
    assert (caught.value.exit, caught.value.facts["key"]) == (3, "a.c")


def test_what_is_no_sentence_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "en.toml"
    file.write_text("[a]\nb = 3\n", encoding="utf-8")
    with pytest.raises(Refused) as caught:
        merged([file])
    assert (caught.value.key, caught.value.facts["key"]) == ("data-wrong-kind", "a.b")


@pytest.mark.usefixtures("home")
@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_common_catalogue_is_there(lang: str) -> None:
    catalogue = load(lang)
    assert catalogue.lang == lang
    assert all(catalogue.has(key) for key in ("list.separator", "word.yes", "word.no", "word.none"))


@pytest.mark.usefixtures("home")
def test_what_was_compiled_before_is_the_same() -> None:
    load.cache_clear()
    made = load("ja").sentences
    load.cache_clear()
    assert load("ja").sentences == made == merged(sources("ja"))


FACTS = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text() | st.floats() | st.dictionaries(st.text(), st.text()),
    st.lists,
    max_leaves=5,
)


@given(st.text(), st.text(), st.dictionaries(st.text(), FACTS))
def test_nothing_raises(sentence: str, key: str, facts: dict[str, object]) -> None:
    Catalogue("ko", {"k": sentence}).say("k", facts)
    JA.say(key, facts)
