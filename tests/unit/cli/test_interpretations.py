"""The readings of a game: what holds, by whose choice, which rulings used it."""

import io
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from gmtool.cli.main import run
from tests.conftest import Ran
from tests.field.table import width as cells
from tests.setups import FIGHT

Gm = Callable[..., Ran]


@pytest.fixture
def fight(gm: Gm) -> Gm:
    """The command line in a fight that is about to begin."""
    assert gm("run", "-", input=FIGHT).code == 0
    return gm


@pytest.fixture
def own_games(home: Path) -> Gm:
    """The command line with the small games of the tests."""

    def call(*argv: str) -> Ran:
        out, err = io.StringIO(), io.StringIO()
        streams: dict[str, Any] = {"stdin": io.StringIO(), "stdout": out, "stderr": err}
        return Ran(run([*argv], **streams, env=os.environ, packages=("tests.games",)), out.getvalue(), err.getvalue())

    return call


def told(ran: Ran) -> list[dict[str, Any]]:
    assert ran.code == 0, ran.out + ran.err
    found: list[dict[str, Any]] = ran.objects[0]["result"]["interpretations"]
    return found


def test_each_reading_is_listed_with_what_holds_first_and_whose_default_it_is(fight: Gm) -> None:
    shown = fight("interpretations", "RT-8").out.splitlines()
    assert shown[0] == "RT-8  Attack"
    at = shown.index("  rt-8.8: ammunition spent")
    assert shown[at + 1] == "    attack: one shot an attack. In force, our default   roll: one shot a roll"
    fight("config", "rt-8.8", "roll")
    shown = fight("interpretations", "8").out.splitlines()
    assert shown[at + 1] == "    roll: one shot a roll. In force, chosen for this campaign   attack: one shot an attack"
    assert shown[-1].startswith("4 readings, chosen here: 1. ")


def test_only_those_that_were_chosen_are_listed_on_demand(fight: Gm) -> None:
    assert told(fight("interpretations", "--changed", "--json")) == []
    assert fight("interpretations", "--changed").out.startswith("All readings are as gmtool has them")
    fight("config", "rt-8.8", "roll")
    (one,) = told(fight("interpretations", "--changed", "--json"))
    assert (one["id"], one["value"], one["default"], one["chosen"]) == ("rt-8.8", "roll", "attack", True)
    assert told(fight("interpretations", "RT-3", "--changed", "--json")) == []


def test_words_of_any_language_find_readings_too(fight: Gm) -> None:
    every = {one["id"] for one in told(fight("interpretations", "--json"))}
    found = {one["id"] for one in told(fight("interpretations", "zone", "control", "--json"))}
    assert found == {"rt-3.5-enemy", "rt-3.5-start"} < every
    assert "rt-8.8" in {one["id"] for one in told(fight("interpretations", "残弾", "--json"))}


@pytest.mark.parametrize("word", ["rt-8.8", "RT-8.8", "8.8", "８．８"])
def test_a_reading_is_known_by_any_spelling_of_its_id_and_shown_whole(fight: Gm, word: str) -> None:
    shown = fight("interpretations", word).out.splitlines()
    assert shown[0] == "rt-8.8: ammunition spent"
    assert shown[-4:] == [
        "    attack: one shot an attack. In force, our default",
        "    roll: one shot a roll",
        "    To choose: config rt-8.8 roll",
        "  No ruling has used it yet.",
    ]


def test_the_rulings_that_used_a_reading_are_named_by_the_option_they_used(fight: Gm) -> None:
    """The first attack goes by our default, which no later choice rewrites; it is taken back, the second is not."""
    attack = ("attack", "alpha", "vulcan", "beta", "--dice", "=99 =99 =99 =99 =99")
    first = fight(*attack, "--json").objects[0]["seq"]
    fight("undo")
    fight("config", "rt-8.8", "roll")
    second = fight(*attack, "--json").objects[0]["seq"]
    (one,) = told(fight("interpretations", "8.8", "--json"))
    assert [(use["seq"], use["option"], use["default"], use["undone"]) for use in one["used"]] == [
        (first, "attack", True, True),
        (second, "roll", False, False),
    ]
    shown = fight("interpretations", "8.8").out.splitlines()
    at = shown.index("  Used by 2 rulings:")
    assert shown[at + 1].startswith(f"    #{first}  attack: attack alpha vulcan beta")
    assert "undone" in " ".join(shown[at + 1 : at + 3])
    assert told(fight("interpretations", "rt-8.10", "--json"))[0]["used"] == []


def test_a_list_tells_of_no_rulings_and_reads_no_journal(fight: Gm, monkeypatch: pytest.MonkeyPatch) -> None:
    from gmtool.store.campaign import Campaign

    def read(*_: object) -> Any:
        raise AssertionError("the journal was read")

    for way in ("lines", "backwards", "tail"):
        monkeypatch.setattr(Campaign, way, read)
    assert all("used" not in one for one in told(fight("interpretations", "--json")))


def test_a_game_named_is_listed_as_it_comes(fight: Gm) -> None:
    fight("config", "rt-8.8", "roll")
    (one,) = told(fight("interpretations", "8.8", "--system", "rtype", "--json"))
    assert (one["value"], "used" in one) == ("attack", False)
    assert len(told(fight("interpretations", "--system", "talon", "--json"))) > 60


def test_what_is_no_reading_is_refused_with_those_that_come_close(fight: Gm) -> None:
    ran = fight("interpretations", "rt-8.9")
    assert (ran.code, "rt-8.8" in ran.err) == (2, True)


def test_how_the_campaign_reads_its_rules_is_not_for_one_side(fight: Gm) -> None:
    assert fight("interpretations", "--for", "players").code == 2
    assert fight("interpretations", "--for", "players", "--system", "rtype").code == 0


@pytest.mark.parametrize("game", ["rtype", "talon"])
@pytest.mark.parametrize("lang", ["en", "ja", "ko"])
@pytest.mark.parametrize("width", [80, 120])
def test_all_readings_fit_the_screen(gm: Gm, game: str, lang: str, width: int) -> None:
    ran = gm("interpretations", "--system", game, "--lang", lang, env={"COLUMNS": str(width)})
    assert max(map(cells, ran.out.splitlines())) <= width
    assert not {"<", "{"} & set(ran.out)


def test_a_game_with_one_way_to_read_its_rules_says_so(own_games: Gm) -> None:
    own_games("campaign", "new", "Cards", "--system", "cards")
    assert own_games("interpretations").out == "This game has no rule with more than one reading.\n"
