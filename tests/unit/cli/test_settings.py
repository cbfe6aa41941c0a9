"""``config``: what a campaign has settled beforehand, looked at and changed."""

from collections.abc import Callable
from typing import Any

import pytest

from tests.conftest import Ran

Gm = Callable[..., Ran]


@pytest.fixture
def table(gm: Gm) -> Gm:
    """The command line in a home with a campaign in English."""
    assert gm("campaign", "new", "Last Dance", "--system", "rtype").code == 0
    return gm


def settings(table: Gm) -> dict[str, Any]:
    found: dict[str, Any] = table("config", "--json").objects[0]["result"]["settings"]
    return found


def error(ran: Ran) -> tuple[int, str, dict[str, Any]]:
    told = ran.objects[0]["error"]
    return ran.code, told["code"], told["facts"]


def test_a_new_campaign_has_set_its_name_and_its_dice_only(table: Gm) -> None:
    assert {key: value for key, value in settings(table).items() if value is not None} == {
        "name": "Last Dance", "dice-mode": "ask",
    }  # fmt: skip
    assert list(settings(table))[:6] == ["name", "seed", "lang", "dice-mode", "search", "hidden"]


@pytest.mark.parametrize(
    ("typed", "value", "key", "kept"),
    [
        ("lang", "ko", "lang", "ko"),
        ("dice-mode", "auto", "dice-mode", "auto"),
        ("dice", "au", "dice-mode", "auto"),
        ("search", "strict", "search", "strict"),
        ("ＤＩＣＥ－ＭＯＤＥ", "ＡＵＴＯ", "dice-mode", "auto"),
        ("declare.defence", "focus", "declare.defence", "focus"),
        ("defence", "ask", "declare.defence", "ask"),
        ("ability", "agility", "declare.ability", "agility"),
        ("declare.once", "yes", "declare.once", "yes"),
        ("declare.ability", "intelligence", "declare.ability", "intelligence"),
        ("choice.rt-8.8", "roll", "choice.rt-8.8", "roll"),
        ("rt-8.8", "roll", "choice.rt-8.8", "roll"),
        ("RT-10.3", "attacked", "choice.rt-10.3", "attacked"),
        ("8.8", "attack", "choice.rt-8.8", "attack"),
    ],
)
def test_a_setting_is_changed_by_any_of_its_names(table: Gm, typed: str, value: str, key: str, kept: str) -> None:
    ran = table("config", typed, value, "--json")
    assert (ran.code, ran.objects[0]["result"], ran.objects[0]["seq"]) == (0, {"key": key, "value": kept}, 2)
    assert settings(table)[key] == kept


def test_a_change_is_told_with_its_place_and_its_values(table: Gm) -> None:
    assert table("config", "dice-mode", "auto", "--json").objects[0]["changes"] == [
        {"path": "campaign.campaign.dice_mode", "before": "ask", "after": "auto", "rule": ""}
    ]
    table("config", "once", "yes")
    assert table("config", "defence", "focus", "--json").objects[0]["changes"] == [
        {"path": "campaign.campaign.declare.defence", "after": "focus", "rule": ""}
    ]


@pytest.mark.parametrize(
    ("key", "value"), [("lang", "ja"), ("dice-mode", "auto"), ("declare.defence", "ask"), ("rt-8.8", "roll")]
)
def test_default_takes_back_what_was_set(table: Gm, key: str, value: str) -> None:
    before = settings(table)
    table("config", key, value)
    assert settings(table) != before
    assert table("config", key, "default").code == 0
    assert settings(table) == before


def test_what_stands_so_already_writes_nothing(table: Gm) -> None:
    ran = table("config", "dice-mode", "ask", "--json")
    assert (ran.code, ran.objects[0]["changes"], "seq" in ran.objects[0]) == (0, [], False)
    assert table("config", "dice-mode", "ask").out == "dice-mode is ask already. Nothing has changed.\n"


def test_a_setting_is_no_step_of_undo(table: Gm) -> None:
    table("config", "rt-8.8", "roll")
    assert table("undo").code == 1
    assert settings(table)["choice.rt-8.8"] == "roll"


def test_one_setting_is_shown_with_what_it_could_be(table: Gm) -> None:
    shown = table("config", "defence").out.splitlines()
    assert shown[:2] == ["declare.defence  the game's default: evade", "    defence"]
    assert shown[2] == "To change: config declare.defence VALUE. Values: evade, focus, ask, default"
    assert table("config", "rt-8.8", "--json").objects[0]["result"] == {"settings": {"choice.rt-8.8": None}}


def test_a_value_that_is_none_is_refused_with_those_there_are(table: Gm) -> None:
    facts = {"value": "dodge", "key": "declare.defence", "options": ["evade", "focus", "ask", "default"]}
    assert error(table("config", "defence", "dodge", "--json")) == (2, "bad-value", facts)
    assert error(table("config", "lang", "fr", "--json"))[:2] == (2, "bad-value")
    assert error(table("config", "rt-8.8", "ask", "--json"))[:2] == (2, "bad-value")


def test_an_unknown_setting_is_refused_with_all_there_are(table: Gm) -> None:
    code, word, facts = error(table("config", "secret", "x", "--json"))
    assert (code, word, facts["value"], facts["known"]) == (2, "unknown-name", "secret", list(settings(table)))


@pytest.mark.parametrize("key", ["name", "seed"])
def test_what_is_given_once_is_not_changed_here(table: Gm, key: str) -> None:
    assert error(table("config", key, "7", "--json"))[:2] == (2, "bad-value")


def test_an_open_ruling_comes_first(table: Gm) -> None:
    """An attack waits for its dice; until it is answered nothing else changes."""
    for line in ("side add P --players", "side add B", "unit add kestrel --side P", "unit add kestrel Other --side B",
                 "battle start"):  # fmt: skip
        assert table(*line.split()).code == 0, line
    assert table("initiative").code == 1
    assert error(table("config", "rt-8.8", "roll", "--json"))[:2] == (1, "ruling-open")
    assert table("config").code == 0


@pytest.mark.parametrize("lang", ["en", "ja", "ko"])
def test_every_sentence_is_there_in_every_language(table: Gm, lang: str) -> None:
    for line in ((), ("lang",), ("lang", lang), ("lang", lang), ("rt-8.8", "roll"), ("seed", "7"), ("xyz", "1"),
                 ("xyz",), ("defence", "x"), ("seed",), (), ("--help",)):  # fmt: skip
        ran = table("config", *line, "--lang", lang)
        assert "<" not in ran.out + ran.err, ran
        assert "{" not in ran.out + ran.err, ran
