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


@pytest.fixture
def duel(gm: Gm) -> Gm:
    assert gm("campaign", "new", "D", "--system", "talon").code == 0
    _done(gm, "side add Reds --race talon", "side add Blues --race terran")
    _done(gm, "ship add BC --side reds --at 0608 --facing n", "ship add BB --side blues --at 0605 --facing s")
    _done(gm, "ship add CV --side blues --at 0503 --facing s")
    _done(gm, "ship add FTR --side blues --at 0705 --facing s", "battle start")
    return gm


def test_the_head_of_fire_names_its_targets_weapon_by_weapon(duel: Gm) -> None:
    ran = duel("fire", "freedom", "2", "1=defiant", "2=ace/3")
    assert ran.out.split("\n  ")[0].endswith("Freedom, group 2 > 1=Defiant, 2=Ace of Spades/3"), ran.out
    ran = duel("fire", "freedom", "3", "ace/2", "--dice", "1")
    assert ran.out.splitlines()[0].endswith("group 3 > Ace of Spades/2"), ran.out


def test_a_bar_of_red_boxes_only_is_not_said_to_be_charged_with_an_ap(duel: Gm) -> None:
    _done(duel, "set ships.freedom.red.2 0", "set ships.freedom.ap 1")
    assert "no yellow boxes" in duel("ap", "freedom", "charge", "2").err
    told = duel("fire", "freedom", "2", "defiant").err
    assert "after impulse F" in told
    assert "ap NAME" not in told


def test_a_rule_that_stands_against_several_shots_is_set_aside_once(table: Gm) -> None:
    _done(table, "battle start")
    told = table("odds", "fire", "unity", "1", "justice").out
    assert told.count("is on the side of Unity") == 1, told


def test_a_report_ends_with_the_ships_as_they_stand(duel: Gm) -> None:
    told = duel("report").out
    assert "| x1 | Freedom | BC | 0608 | n | 3-3-1 |" in told.partition("## How things stand")[2]


def test_the_board_is_shown_round_a_ship_or_a_hex(table: Gm) -> None:
    by_word, by_option = (
        table("board", "show", "0707", "--range", "2"),
        table("board", "show", "--at", "0707", "--range", "2"),
    )
    assert (by_word.code, by_word.out) == (0, by_option.out)
    assert table("board", "show", "zhukov", "--range", "2").code == 0
    assert 'No ship is called "nobody"' in table("board", "show", "nobody").err


def test_facings_and_nothing_of_the_program_stand_in_what_is_taken_back(table: Gm) -> None:
    _done(table, "deploy zhukov 0706 ne")
    assert "Zhukov facing ne > s" in table("undo").out
    assert "given" not in table("undo").out


def test_who_is_put_far_from_everybody_is_said_to_be(table: Gm) -> None:
    told = table("deploy", "zhukov", "9999").out
    assert "Zhukov at 9999 is 132 hexes from the nearest other ship" in told
    assert "Note" not in table("deploy", "zhukov", "0705").out


def test_who_is_asked_for_a_die_is_told_that_it_is_at_another_target(table: Gm) -> None:
    _done(table, "deploy napoleon 0606 s", "deploy zhukov 0707 s", "deploy justice 0608 n", "battle start")
    _done(table, "set ships.napoleon.hull 4", "set ships.napoleon.shields.front 0")
    asked = table("fire", "justice", "1", "napoleon", "--dice", "6")
    assert asked.code == 1
    assert "Justice, weapon 2: now at Zhukov" in asked.err + asked.out
    _done(table, "answer 5")
    assert "Disruptor at Zhukov, range 2: HIT 2" in table("why").out
