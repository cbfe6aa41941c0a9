"""The two tiny games through the command line, the disk, undo and odds: nothing there knows which game it is."""

import io
import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from gmtool.cli.main import run
from tests.conftest import Ran

Table = Callable[..., Ran]


@pytest.fixture
def table(home: Path) -> Table:
    """The command line with the tiny games beside the real ones."""

    def call(*argv: str, input: str = "") -> Ran:
        out, err = io.StringIO(), io.StringIO()
        packages = ("gmtool.systems", "tests.games")
        code = run([*argv], stdin=io.StringIO(input), stdout=out, stderr=err, env=dict(os.environ), packages=packages)
        return Ran(code, out.getvalue(), err.getvalue())

    return call


def played(table: Table, *lines: str) -> Ran:
    ran = table("run", "-", "--json", input="\n".join(lines))
    assert ran.code == 0, ran.out.splitlines()[-1]
    return ran


def result(table: Table, *argv: str) -> Any:
    ran = table(*argv, "--json")
    assert ran.code == 0, ran.out
    return ran.objects[0]["result"]


def state_on_disk(home: Path, slug: str) -> dict[str, Any]:
    """The tables of the snapshot without the journal's position."""
    tables: dict[str, Any] = json.loads((home / slug / "campaign.json").read_text(encoding="utf-8"))
    return {name: rows for name, rows in tables.items() if name != "journal"}


TRIO = ("campaign new Dice --system trio", "player add Ann", "player add Bob", "player add Cyd", "begin")
CARDS = ("campaign new Deck --system cards", "seat Ann", "seat Bob", "shuffle")


def test_three_sides_throw_six_sided_dice_and_all_of_it_is_taken_back(table: Table, home: Path) -> None:
    played(table, *TRIO)
    before = state_on_disk(home, "dice")
    assert result(table, "throw", "ann", "--dice", "2 6 5") == {"points": 11, "won": False}  # 6 + 5
    assert result(table, "throw", "bob", "--style", "bold", "--dice", "4 1 4") == {"points": 16, "won": False}  # 2 x 8
    assert result(table, "status")["acting"] == "cyd"
    assert result(table, "undo", "2") == {"undone": [7, 6]}
    assert state_on_disk(home, "dice") == before
    assert result(table, "redo", "2") == {"redone": [6, 7]}
    assert result(table, "status")["acting"] == "cyd"


def test_out_of_turn_is_refused_unless_forced(table: Table) -> None:
    played(table, *TRIO)
    assert table("throw", "bob", "--dice", "1 2 3").code == 1
    forced = table("throw", "bob", "--dice", "1 2 3", "--force", "--json").objects[0]
    assert [rule["code"] for rule in forced["overruled"]] == ["wrong-phase"]


def test_the_odds_of_a_bold_throw_are_exact(table: Table) -> None:
    """Three dice all differ in 6 x 5 x 4 of 216 throws: 20/36 score nothing."""
    played(table, *TRIO)
    points = result(table, "odds", "throw", "ann", "--style", "bold")["points"]
    assert points["chances"]["0"] == pytest.approx(20 / 36, abs=0)


def test_cards_are_drawn_from_what_is_left(table: Table) -> None:
    played(table, *CARDS)
    first = table("draw", "ann", "--dice", "9", "--json").objects[0]
    assert first["dice"][0]["class"] == "9"
    again = table("status", "--json").objects[0]["result"]
    assert again["deck"]["now"]["left"]["9"] == 3
    assert table("undo").code == 0
    assert table("status", "--json").objects[0]["result"]["deck"]["now"]["left"]["9"] == 4


def test_a_game_whose_rows_have_no_name_is_asked_for_a_thing(table: Table) -> None:
    """The deck is a thing of the table, and has an id only."""
    played(table, *CARDS)
    asked = table("status", "ghost", "--json")
    assert (asked.code, asked.objects[0]["error"]["code"]) == (2, "unknown-name")


def test_a_missing_card_is_asked_for_and_answered(table: Table) -> None:
    played(table, *CARDS)
    asked = table("draw", "ann", "--json")
    assert (asked.code, asked.objects[0]["asks"][0]["kind"]) == (1, "dice")
    assert table("answer", "7").code == 0


@pytest.mark.parametrize("lang", ["en", "ja", "ko"])
@pytest.mark.parametrize("lines", [TRIO, CARDS], ids=["trio", "cards"])
def test_board_help_and_history_speak_every_language(table: Table, lines: tuple[str, ...], lang: str) -> None:
    played(table, *lines)
    for argv in (("status",), ("--help",), ("history",), ("why",), ("systems",)):
        ran = table(*argv, "--lang", lang)
        assert ran.code == 0, ran.err
        assert "<" not in ran.out.replace(">=", "").replace("<=", ""), ran.out


def test_verbs_of_one_game_are_unknown_to_another(table: Table) -> None:
    played(table, *TRIO)
    assert table("attack", "ann", "gun", "bob").code == 2
    assert table("draw", "ann").code == 2


def test_a_game_that_does_not_say_what_one_side_may_know_shows_it_nothing(table: Table) -> None:
    played(table, *TRIO)
    refused = table("status", "--for", "ann", "--json")
    assert (refused.code, refused.objects[0]["error"]["code"]) == (2, "not-covered")


def test_what_one_side_may_know_is_the_games_to_say(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    """Cards where everybody sees only himself."""
    from tests.games.cards import views
    from tests.games.cards.model import Board, Book

    def known(state: Board, book: Book, side: str) -> Board:
        shown = Board({})
        shown.put({("campaign", "campaign"): state.row("campaign", "campaign"), ("deck", "now"): state.deck})
        shown.put({("players", side): state.players[side]})
        return shown

    monkeypatch.setattr(views, "sides", lambda state: state.in_order(), raising=False)
    monkeypatch.setattr(views, "known", known, raising=False)
    played(table, *CARDS)
    told = result(table, "status", "--for", "Bo")
    assert (told["for"], set(told["players"])) == ("bob", {"bob"})
    assert "Ann" not in table("status", "--for", "bob").out
    assert table("status", "ann", "--for", "bob").err.startswith('No thing is called "ann"')
    assert table("status", "ann", "--for", "ann").code == 0
    assert table("draw", "ann", "--for", "bob").code == 2
