"""What is typed to answer a question: in the words it shows, without contradictions, with the way out named."""

from collections.abc import Callable
from typing import Any

import pytest

from tests.conftest import Ran
from tests.test_open_rulings import START

GM = Callable[..., Ran]
ATTACK = ("attack", "arrow", "vulcan", "gains-1")
FACES = "11 22 33 44 55"
SEATS = ("lead", "A", "B", "C", "D")


@pytest.fixture
def fight(gm: GM) -> GM:
    """A battle in which Arrow (vulcan 40 + agility 30 = 70) may attack Gains-1 (evade 20)."""
    ran = gm("run", "-", input="\n".join(START))
    assert ran.code == 0, ran.err
    return gm


def error(ran: Ran) -> dict[str, Any]:
    found: dict[str, Any] = ran.objects[0]["error"]
    return found


@pytest.mark.parametrize(("lang", "word"), [("en", "EVADE"), ("ja", "回避"), ("ko", "회피")])
def test_a_choice_is_answered_by_the_word_that_the_question_shows(fight: GM, lang: str, word: str) -> None:
    fight("config", "declare.defence", "ask")
    fight(*ATTACK, "--dice", FACES)
    ran = fight("answer", word, "--lang", lang, "--json")
    assert error(ran)["code"] == "needs-answer"
    assert ran.objects[0]["asks"][0]["key"].startswith("evade.gains-1.")


@pytest.mark.parametrize(("lang", "word"), [("ja", "はい"), ("ko", "예")])
def test_the_shell_takes_yes_in_the_language_it_asks_in(fight: GM, lang: str, word: str) -> None:
    fight("config", "declare.once", "ask")
    ran = fight("table", "--lang", lang, "--json", input="\n".join([" ".join(ATTACK), word]))
    asked = [line["asks"] for line in ran.objects]
    assert [(ask["key"], ask["options"]) for ask in asked[0]] == [("once", ["yes", "no"])]
    assert [ask["key"] for ask in asked[1]] == ["attack.lead"]


@pytest.mark.parametrize(
    ("lang", "attack", "evade"),
    [
        ("ja", "攻撃判定", "回避"),
        ("ja", "攻撃", "回避判定 Gains-1"),
        ("ko", "공격 판정", "회피"),
        ("en", "att", "evade"),
    ],
)
def test_dice_are_named_by_the_roll_as_the_question_calls_it(fight: GM, lang: str, attack: str, evade: str) -> None:
    dice = f"{evade}: 99 98 97 96 95 / {attack}: {FACES}"
    done = fight(*ATTACK, "--dice", dice, "--lang", lang, "--json").objects[0]
    assert done["ok"], done
    assert [die["key"] for die in done["dice"][:1]] == ["attack.lead"]
    assert done["result"]["hits"] == 5  # 11, 22, 33, 44, 55 are under 70; read downwards 99, 89, 79, 69, 59 all miss


def test_the_faces_of_an_answer_are_named_so_too(fight: GM) -> None:
    fight(*ATTACK)
    ran = fight("answer", f"攻撃判定：{FACES}", "--lang", "ja", "--json")
    assert error(ran)["code"] == "needs-answer"
    assert ran.objects[0]["asks"][0]["key"].startswith("evade.")


@pytest.mark.parametrize("words", [
    ("--by", "x" * 81), ("--by", "a\x1bb"), ("--by", "r1=" + "x" * 81),
    ("--because", "x" * 2001), ("--because", "a\nb"),
])  # fmt: skip
def test_who_and_why_are_held_to_what_a_screen_can_show(fight: GM, words: tuple[str, str]) -> None:
    before = len(fight("history", "--all", "--json").objects[0]["result"]["lines"])
    ran = fight("check", "45", "--dice", "12", *words, "--json")
    assert (ran.code, error(ran)["code"]) == (2, "bad-value")
    assert len(fight("history", "--all", "--json").objects[0]["result"]["lines"]) == before


def test_who_threw_a_free_roll_is_held_to_it_too(fight: GM) -> None:
    assert fight("roll", "2D6", "--dice", "3 4", "--by", "x" * 81).code == 2


def test_a_long_reason_within_the_limit_is_kept(fight: GM) -> None:
    assert fight("check", "45", "--dice", "12", "--because", "x" * 2000, "--by", "x" * 80).code == 0


@pytest.mark.parametrize("words", [
    ("--feint", "5", "--feint", "6"), ("--feint=5", "--feint", "6"), ("--defence", "evade", "--defence", "focus"),
])  # fmt: skip
def test_an_option_that_has_one_value_is_refused_two(fight: GM, words: tuple[str, ...]) -> None:
    ran = fight(*ATTACK, *words, "--json")
    found = error(ran)
    assert (ran.code, found["code"]) == (2, "usage")
    assert found["facts"]["option"] == words[0].partition("=")[0]
    assert {found["facts"]["value"], found["facts"]["other"]} in ({"5", "6"}, {"evade", "focus"})


def test_the_same_value_twice_and_options_of_many_values_are_fine(fight: GM) -> None:
    assert error(fight(*ATTACK, "--feint", "5", "--feint", "5", "--json"))["code"] == "needs-answer"


def test_a_figure_that_is_said_twice_is_refused(fight: GM) -> None:
    ran = fight(*ATTACK, "--say", "feint=5", "--feint", "6", "--json")
    assert (ran.code, error(ran)["code"]) == (2, "bad-value")
    assert error(ran)["facts"] == {"key": "feint", "value": 5, "other": 6}
    assert error(fight(*ATTACK, "--say", "feint=5", "--feint", "5", "--json"))["code"] == "needs-answer"


def test_lines_copied_from_a_console_are_read_without_the_name_of_the_program(fight: GM) -> None:
    lines = ["$ gmtool note one", "gmtool note two", "  $  gmtool note gmtool three"]
    ran = fight("run", "-", "--json", input="\n".join(lines))
    assert [line["result"]["note"] for line in ran.objects] == ["one", "two", "gmtool three"]
    assert [line["command"] for line in ran.objects] == ["note one", "note two", "note gmtool three"]
    assert fight("table", "--json", input="$ gmtool note four\n").objects[0]["result"] == {"note": "four"}


def test_an_answer_that_cannot_help_names_the_way_out(fight: GM) -> None:
    fight(*ATTACK, "--say", "defence.arrow=focus")
    fight("answer", FACES)
    ran = fight("answer", "99 98 97 96 95", "--json")
    assert ran.code == 2
    assert "answer --drop" in error(ran)["hint"]
    assert "answer --drop" in fight("answer", "99 98 97 96 95").err


def test_a_wrong_face_or_a_whole_line_that_is_refused_does_not_name_it(fight: GM) -> None:
    assert "answer --drop" not in fight("pass", "arrow", "--say", "colour=red").err
    fight(*ATTACK)
    assert "answer --drop" not in fight("answer", "7").err


@pytest.mark.parametrize("gap", ["_", "__", "?", "-", "＿"])
def test_a_die_that_fell_off_the_table_is_asked_for_on_its_own(fight: GM, gap: str) -> None:
    ran = fight(*ATTACK, "--dice", f"11 22 {gap} 44 55", "--json")
    assert [ask["key"] for ask in ran.objects[0]["asks"]] == ["attack.B"]
    ran = fight("answer", "33", "--json")
    assert [ask["key"] for ask in ran.objects[0]["asks"]] == [f"evade.gains-1.{seat}" for seat in SEATS]
    done = fight("answer", "99 98 97 96 95", "--json").objects[0]
    assert [die["faces"] for die in done["dice"][:5]] == [[1, 1], [2, 2], [3, 3], [4, 4], [5, 5]]


def test_faces_behind_a_die_that_is_missing_wait_for_it(fight: GM) -> None:
    fight(*ATTACK, "--dice", "11 22 __ 44 55 99 98 97 96 95")
    done = fight("answer", "33", "--json").objects[0]
    assert [die["faces"] for die in done["dice"]] == [
        [1, 1], [2, 2], [3, 3], [4, 4], [5, 5], [9, 9], [9, 8], [9, 7], [9, 6], [9, 5],
    ]  # fmt: skip


def test_enter_rolls_the_missing_die_and_not_those_that_lie_behind_it(fight: GM) -> None:
    fight(*ATTACK, "--dice", "11 22 __ 44 55 / evade: 99 98 97 96 95")
    done = fight("answer", "--roll", "--json").objects[0]
    assert [die["source"] for die in done["dice"][:5]] == ["entered", "entered", "rolled", "entered", "entered"]


def test_faces_typed_before_a_choice_are_there_after_it(fight: GM) -> None:
    fight("config", "declare.defence", "ask")
    ran = fight(*ATTACK, "--dice", f"{FACES} 99 98 97 96 95", "--json")
    assert ran.objects[0]["asks"][0]["kind"] == "declaration"
    done = fight("answer", "evade", "--json").objects[0]
    assert [die["faces"] for die in done["dice"][5:]] == [[9, 9], [9, 8], [9, 7], [9, 6], [9, 5]]


@pytest.mark.parametrize(("lang", "words"), [("en", "evade 99 98"), ("ja", "回避 ９９ ９８"), ("ko", "회피 99, 98")])
def test_a_choice_and_the_faces_thrown_with_it_are_one_line(fight: GM, lang: str, words: str) -> None:
    fight("config", "declare.defence", "ask")
    fight(*ATTACK, "--dice", FACES)
    ran = fight("answer", *words.split(), "--lang", lang, "--json")
    assert [ask["key"] for ask in ran.objects[0]["asks"]] == [f"evade.gains-1.{seat}" for seat in "ABCD"][1:]


def test_a_choice_may_stand_among_the_faces_where_it_is_asked_for(fight: GM) -> None:
    fight("config", "declare.defence", "ask")
    done = fight(*ATTACK, "--dice", f"{FACES} / evade 99 98 97 96 95", "--json").objects[0]
    assert done["ok"], done
    assert [die["faces"] for die in done["dice"][5:]] == [[9, 9], [9, 8], [9, 7], [9, 6], [9, 5]]
    line = fight("history", "1", "--json").objects[0]["result"]["lines"][0]
    assert line["seq"] == done["seq"]


def test_what_is_no_choice_among_the_faces_is_refused_and_nothing_is_asked(fight: GM) -> None:
    fight("config", "declare.defence", "ask")
    ran = fight(*ATTACK, "--dice", f"{FACES} / dodge 99 98", "--json")
    assert (error(ran)["code"], error(ran)["facts"]["value"]) == ("bad-value", "dodge")
    assert fight("status", "--json").objects[0]["result"]["open"] is None
