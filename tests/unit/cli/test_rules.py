"""The rules of a game looked up: by any spelling of an id, with whose they are and how this campaign reads them."""

import io
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from gmtool.cli.main import run
from tests.conftest import Ran
from tests.field.table import width

Gm = Callable[..., Ran]

TOY = '''"""A game without data."""

from gmtool.kernel.common import CHAPTER, KINDS
from gmtool.kernel.state import State
from gmtool.kernel.system import System


class Toy(State):
    """The common tables only."""

    kinds = KINDS


SYSTEM = System("toy", "toybox.toy", Toy, {}, {}, lambda state, data: None, lambda *_: None, common=(CHAPTER,))
'''


def rules(ran: Ran) -> list[dict[str, Any]]:
    assert ran.code == 0, ran.out + ran.err
    found: list[dict[str, Any]] = ran.objects[0]["result"]["rules"]
    return found


@pytest.fixture
def table(gm: Gm) -> Gm:
    """The command line in a home with a campaign in English."""
    assert gm("campaign", "new", "Last Dance", "--system", "rtype").code == 0
    return gm


@pytest.fixture
def toy(home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Gm:
    """The command line with a game that has neither data nor words."""
    (tmp_path / "toybox" / "toy").mkdir(parents=True)
    for folder in ("toybox", "toybox/toy"):
        (tmp_path / folder / "__init__.py").write_text('"""Games."""\n', "utf-8")
    (tmp_path / "toybox" / "toy" / "system.py").write_text(TOY, "utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))

    def call(*argv: str) -> Ran:
        out, err = io.StringIO(), io.StringIO()
        code = run(list(argv), stdin=io.StringIO(), stdout=out, stderr=err, env=dict(os.environ), packages=("toybox",))
        return Ran(code, out.getvalue(), err.getvalue())

    return call


@pytest.mark.parametrize("word", ["RT-8.3", "rt-8.3", "8.3", "ＲＴ－８．３", "８．３"])
def test_a_rule_is_known_by_any_spelling_of_its_id(table: Gm, word: str) -> None:
    assert [rule["id"] for rule in rules(table("rules", "show", word, "--json"))] == ["RT-8.3"]


def test_several_rules_are_shown_in_the_order_asked_for_and_once_each(table: Gm) -> None:
    shown = rules(table("rules", "show", "22.4", "8.3", "22.4", "--json"))
    assert [rule["id"] for rule in shown] == ["RT-22.4", "RT-8.3"]


def test_a_rule_is_shown_with_whose_it_is_and_what_the_tool_does(table: Gm) -> None:
    """RT-5.10 is the book's and the GM's to play; the last line of its entry says both."""
    shown = table("rules", "show", "5.10").out.splitlines()
    assert shown[0] == "RT-5.10  Subspace"
    assert shown[-1].endswith("the book's rule; by hand, left to the GM")
    assert rules(table("rules", "show", "5.10", "--json")) == [
        {"id": "RT-5.10", "chapter": "RT-5", "origin": "known", "status": "by_hand", "reason": "gm-decides",
         "interpretations": []},
    ]  # fmt: skip


def test_a_figure_of_the_campaign_is_not_passed_off_as_the_books(table: Gm, home: Path) -> None:
    """RT-9.4 says 20 %; this campaign has 30."""
    folder = home / "last-dance" / "rules"
    folder.mkdir(exist_ok=True)
    own = 'format = 1\n[[figures]]\nid = "focus"\nvalue = 30\nrule = "RT-9.4"\n'
    (folder / "own.toml").write_text(own, encoding="utf-8")
    shown = table("rules", "show", "9.4").out.splitlines()
    assert shown[-1] == "  focus 30: a figure of this campaign, not the book's"


def test_a_rule_with_two_readings_shows_which_is_in_force_and_how_to_choose(table: Gm) -> None:
    told = {
        "id": "rt-8.8", "rule": "RT-8.8", "options": ["attack", "roll"], "default": "attack", "value": "attack",
        "chosen": False, "waits_for": "",
    }  # fmt: skip
    assert rules(table("rules", "show", "8.8", "--json"))[0]["interpretations"] == [told]
    assert table("rules", "show", "8.8").out.splitlines()[-4:] == [
        "  It can be read in more than one way: ammunition spent",
        "    attack: one shot an attack. In force, our default",
        "    roll: one shot a roll",
        "    To choose: config rt-8.8 roll",
    ]
    table("config", "rt-8.8", "roll")
    told |= {"value": "roll", "chosen": True}
    assert rules(table("rules", "show", "8.8", "--json"))[0]["interpretations"] == [told]
    assert table("rules", "show", "8.8").out.splitlines()[-3:] == [
        "    attack: one shot an attack",
        "    roll: one shot a roll. In force, chosen for this campaign",
        "    To choose: config rt-8.8 attack",
    ]


def test_a_game_named_is_looked_up_without_any_campaign(gm: Gm) -> None:
    assert rules(gm("rules", "show", "8.8", "--system", "R-TYPE", "--json"))[0]["id"] == "RT-8.8"
    assert len(rules(gm("rules", "list", "20", "--system", "rtype", "--json"))) == 7
    assert gm("rules", "list").code == 4


def test_a_game_named_is_shown_as_it_comes_whatever_the_campaign_reads(table: Gm) -> None:
    table("config", "rt-8.8", "roll")
    shown = rules(table("rules", "show", "8.8", "--system", "rtype", "--json"))
    assert shown[0]["interpretations"][0]["value"] == "attack"


def test_the_chapters_are_listed_with_how_far_they_are_ruled(table: Gm) -> None:
    """RT-26 has three rules, and the tool works out all of them."""
    shown = table("rules", "list").out.splitlines()
    assert shown[0].split() == ["chapter", "ruled", "by", "hand", "not", "covered"]
    assert next(line.split() for line in shown if line.startswith("RT-26")) == ["RT-26", "Campaign", "3", "0", "0"]
    assert shown[-1] == "The rules of a chapter: rules list RT-1"


@pytest.mark.parametrize("word", ["RT-26", "rt-26", "26", "２６"])
def test_a_chapter_is_listed_rule_by_rule(table: Gm, word: str) -> None:
    assert [rule["id"] for rule in rules(table("rules", "list", word, "--json"))] == ["RT-26.1", "RT-26.2", "RT-26.3"]
    assert table("rules", "list", word).out.startswith("RT-26.1  The resources are Solmonadium,")


def test_rules_are_listed_by_what_the_tool_does_about_them(table: Gm) -> None:
    everything = rules(table("rules", "list", "--json"))
    by_status = {status: rules(table("rules", "list", "--status", status, "--json")) for status in (
        "ruled", "by-hand", "not_covered")}  # fmt: skip
    assert sum(map(len, by_status.values())) == len(everything)
    assert {rule["status"] for rule in by_status["by-hand"]} == {"by_hand"}
    assert all(rule["reason"] for rule in by_status["not_covered"])
    assert {rule["status"] for rule in by_status["ruled"]} == {"ruled"}
    whole = rules(table("rules", "list", "26", "--status", "ruled", "--json"))
    assert [rule["id"] for rule in whole] == ["RT-26.1", "RT-26.2", "RT-26.3"]


@pytest.mark.parametrize(
    ("line", "code"),
    [
        (("show", "8"), "ambiguous-name"),
        (("show", "8.99"), "unknown-name"),
        (("list", "99"), "unknown-name"),
        (("list", "--status", "none"), "bad-value"),
        (("list", "--system", "chess"), "unknown-name"),
        (("show",), "usage"),
    ],
)
def test_what_is_no_rule_chapter_status_or_game_is_refused(table: Gm, line: tuple[str, ...], code: str) -> None:
    ran = table("rules", *line, "--json")
    assert (ran.code, ran.objects[0]["error"]["code"]) == (2, code)


def test_a_game_without_an_index_has_no_rules_to_list(toy: Gm) -> None:
    ran = toy("rules", "list", "--system", "toy")
    assert (ran.code, ran.out) == (0, "No rules to list.\n")
    assert toy("campaign", "new", "X", "--system", "toy").code == 0
    assert rules(toy("rules", "list", "--json")) == []
    assert toy("rules", "show", "1.1").code == 2
    settings = toy("config", "--json").objects[0]["result"]["settings"]
    assert settings == {"name": "X", "seed": None, "lang": None, "dice-mode": "ask", "forecast": None}
    assert toy("systems", "--json").objects[0]["result"]["systems"] == [{"id": "toy", "package": "toybox.toy"}]


@pytest.mark.parametrize("lang", ["en", "ja", "ko"])
def test_every_sentence_is_there_in_every_language(table: Gm, lang: str) -> None:
    every = [rule["id"] for rule in rules(table("rules", "list", "--json"))]
    table("config", "rt-10.3", "attacked")
    for line in (("list",), ("list", "8"), ("list", "26", "--status", "ruled"), ("list", "99"), ("show", *every),
                 ("list", "--help"), ("show", "--help")):  # fmt: skip
        ran = table("rules", *line, "--lang", lang)
        assert "<" not in ran.out + ran.err, ran
        assert "{" not in ran.out + ran.err, ran


# searching


def test_a_word_of_any_language_finds_the_rule_and_it_is_told_in_the_one_spoken(table: Gm) -> None:
    """RT-9.1 has the Japanese for focus (集中) in its Japanese text; RT-23.2 tells what skills are."""
    for word in ("melee weapons", "白兵", "백병"):
        assert "RT-23.2" in [rule["id"] for rule in rules(table("rules", "search", word, "--json"))]
        assert "Skills have levels 1 to 10" in table("rules", "search", word).out


def test_a_search_takes_the_beginning_of_an_id(table: Gm) -> None:
    every = [rule["id"] for rule in rules(table("rules", "list", "26", "--json"))]
    assert [rule["id"] for rule in rules(table("rules", "search", "RT-26.", "--json"))] == every


def test_a_search_shows_a_screenful_and_says_how_many_more_there_are(table: Gm) -> None:
    """A page that is no terminal counts as 24 lines; two are left for the prompt, one for the note."""
    found = table("rules", "search", "8.", "--json").objects[0]["result"]
    shown = table("rules", "search", "8.").out.splitlines()
    assert len(shown) <= 22
    told = [line for line in shown if line.startswith("RT-")]
    assert shown[-1] == f"{found['found'] - len(told)} more: rules search 8. --all"
    every = table("rules", "search", "8.", "--all").out.splitlines()
    assert len([line for line in every if line.startswith("RT-")]) == found["found"]


def test_a_search_without_a_result_offers_what_comes_close(table: Gm) -> None:
    ran = table("rules", "search", "gunnry")
    assert (ran.code, ran.out) == (0, "No rule found: gunnry\nClose to it: gunnery\n")
    both = table("rules", "search", "feint", "supply").out.splitlines()
    assert both[0] == "No rule found: feint supply"
    assert both[1].startswith("No rule has all of these words. Rules with one of them: feint ")


def test_a_search_needs_a_word_and_no_campaign(gm: Gm) -> None:
    assert gm("rules", "search", "--system", "rtype").code == 2
    assert rules(gm("rules", "search", "feint", "--system", "rtype", "--json"))
    assert gm("rules", "search", "feint").code == 4


def test_one_side_searches_the_game_and_not_how_the_campaign_reads_it(table: Gm) -> None:
    assert table("rules", "search", "feint", "--for", "players").code == 2
    table("side", "add", "Players")
    assert table("rules", "search", "feint", "--for", "players", "--system", "rtype").code == 0


def test_no_search_can_reach_the_screen_with_controls(table: Gm) -> None:
    assert "\x1b" not in table("rules", "search", "\x1b[2J").out


@pytest.mark.parametrize("lang", ["en", "ja", "ko"])
@pytest.mark.parametrize("columns", [80, 120])
def test_what_a_search_finds_fits_the_screen(gm: Gm, lang: str, columns: int) -> None:
    for game, words in (("rtype", ["a"]), ("talon", ["a"]), ("rtype", ["nosuchword", "feint"])):
        ran = gm("rules", "search", *words, "--all", "--system", game, "--lang", lang, env={"COLUMNS": str(columns)})
        assert max(map(width, ran.out.splitlines())) <= columns
        assert not {"<", "{"} & set(ran.out)
