"""What is typed at the table in three languages, and what a refusal says of it."""

from collections.abc import Callable

import pytest

from tests.conftest import Ran

Gm = Callable[..., Ran]


@pytest.fixture
def table(gm: Gm) -> Gm:
    assert gm("campaign", "new", "T", "--system", "talon").code == 0
    assert gm("scenario", "start", "1").code == 0
    return gm


def _done(table: Gm, *lines: str) -> None:
    for line in lines:
        ran = table(*line.split())
        assert ran.code == 0, (line, ran.err)


def test_uses_arcs_and_ways_are_taken_in_japanese_and_korean(table: Gm) -> None:
    _done(table, "battle start", "next", "next", "ap justice 強化 前", "ap unity 슬립")
    _done(
        table, "go justice 直進", "go unity 左横", "charge justice 1 黄 2", "mark unity 操舵", "mark unity 조타 --off"
    )


@pytest.mark.parametrize(
    ("lang", "line", "said"),
    [
        ("ja", "go justice up", "進み方に「up」"),
        ("ko", "charge justice 1 blue 1", '색: 값("blue")'),
        ("en", "ap justice foo", 'use of the AP cannot be "foo"'),
        ("ja", "fire justice 1 9=zhukov", "武器に「9」"),
    ],
)
def test_the_place_of_a_wrong_word_is_named_in_the_language(table: Gm, lang: str, line: str, said: str) -> None:
    ran = table(*line.split(), "--lang", lang)
    assert ran.code == 2
    assert said in ran.err


def test_a_marker_has_its_name_in_the_head_of_the_ruling(table: Gm) -> None:
    assert "Unity 操舵不能" in table("mark", "unity", "helm-down", "--lang", "ja").out.splitlines()[0]


def test_a_ship_that_is_refused_as_it_joins_goes_by_its_name(table: Gm) -> None:
    ran = table("ship", "add", "ff", "正義", "--side", "talons", "--at", "0612", "--facing", "n")
    assert ran.code == 1
    assert ran.err.startswith("正義 cannot be set up at 0612")


@pytest.mark.parametrize(
    ("figure", "most"), [("burners", 2), ("speed", 6), ("ap", 1), ("hull", 7), ("shields.rear", 3)]
)
def test_a_figure_is_set_within_what_the_class_has(table: Gm, figure: str, most: int) -> None:
    ran = table("set", f"ships.justice.{figure}", str(most + 1))
    assert ran.code == 1
    assert f"0 to {most} can be set" in ran.err


def test_a_value_that_is_missing_is_asked_for(table: Gm) -> None:
    ran = table("set", "ships.justice.hull")
    assert (ran.code, ran.err.splitlines()[0]) == (2, "A word is missing: value.")


def test_terrain_comes_off_as_it_is_laid_while_no_battle_is_on(table: Gm) -> None:
    _done(table, "terrain add asteroid 0606", "terrain off asteroid-1", "terrain add nebulae 0606", "battle start")
    assert table("terrain", "off", "nebula-1").code == 1
