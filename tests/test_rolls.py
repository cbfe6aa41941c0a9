"""Free rolls at the command line: what is shown, told and kept, and where the faces come from."""

import io
import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from gmtool.cli.main import run
from tests.conftest import Ran

Gm = Callable[..., Ran]


pytestmark = pytest.mark.usefixtures("no_waiting_for_the_disk")


@pytest.fixture
def table(gm: Gm) -> Gm:
    assert gm("campaign", "new", "Dance", "--system", "rtype").code == 0
    return gm


def rolled(gm: Gm, *words: str) -> dict[str, Any]:
    ran = gm("roll", *words, "--json")
    assert ran.code == 0, ran
    found: dict[str, Any] = ran.objects[0]
    return found


@pytest.mark.parametrize(
    ("expression", "faces", "shown"),
    [
        ("4D6KH3 strength", "1 5 1 6", "4D6KH3: 1 5 (1) 6 = 12  strength"),
        ("３Ｂ６＞＝４", "1 4 6", "3B6>=4: 1 4 6  2 successes"),
        ("3B6>=4", "1 4 3", "3B6>=4: 1 4 3  1 success"),
        ("2R6>=5", "5 1 2", "2R6[>=5]>=5: 5 1 + 2  1 success"),
        ("2U6[6]+1", "6 2 / 3", "2U6[6]+1: 9[6 3] 2 +1  highest 10, together 12"),
        ("choice[左, 右]", "2", "choice[左,右]: 2  右"),
        ("x2 2D6>=7", "1 2 3 4", "#1 2D6>=7: 1 2 = 3  failure\n#2 2D6>=7: 3 4 = 7  success"),
        ("S2D6", "1 2", "2D6: 1 2 = 3  secret: for the GM alone"),
        ("2D6>=?", "1 2", "2D6>=?: 1 2 = 3"),
    ],
)
def test_a_roll_shows_its_faces_and_what_it_is_worth(gm: Gm, expression: str, faces: str, shown: str) -> None:
    assert gm("roll", expression, "--dice", faces).out == f"{shown}\n"


def test_scripts_read_what_came_of_it(gm: Gm) -> None:
    pool = rolled(gm, "3B6>=4", "--dice", "1 4 6")
    assert (pool["result"]["successes"], pool["result"]["total"], pool["dice"][0]["faces"]) == (2, 2, [1, 4, 6])
    assert pool["dice"][0]["sides"] == [6, 6, 6]
    choice = rolled(gm, "choice[a,b]", "--dice", "2")
    assert (choice["result"]["chosen"], choice["dice"][0]["key"]) == ("b", "1D2")
    twice = rolled(gm, "x2 2D6>=7", "--dice", "1 2 3 4")
    assert twice["result"]["rolls"] == [{"total": 3, "success": False}, {"total": 7, "success": True}]
    assert (twice["result"]["successes"], len(twice["dice"])) == (1, 2)


def test_a_secret_roll_is_kept_as_such_and_told_to_no_side(table: Gm, home: Path) -> None:
    assert table("roll", "S2D6", "--dice", "1 2", "--for", "players").code == 2
    assert rolled(table, "S2D6", "--dice", "1 2")["result"]["secret"] is True
    line = json.loads((home / "dance" / "journal.jsonl").read_text(encoding="utf-8").splitlines()[-1])
    assert (line["result"]["secret"], line["answers"][0]["faces"]) == (True, [1, 2])


def test_what_the_tool_throws_is_within_the_dice_and_as_many_as_they_call_for(table: Gm) -> None:
    for _ in range(20):
        (die,) = rolled(table, "4R6>=4")["dice"]
        faces = die["faces"]
        assert die["source"] == "rolled"
        assert set(faces) <= {1, 2, 3, 4, 5, 6}
        assert len(faces) == 4 + sum(face >= 4 for face in faces)


def test_a_seeded_campaign_throws_the_same_again(gm: Gm) -> None:
    found = []
    for name in ("One", "Two"):
        assert gm("campaign", "new", name, "--system", "rtype", "--seed", "7").code == 0
        found.append(rolled(gm, "6R6>=3", "-c", name)["dice"][0]["faces"])
    assert found[0] == found[1]


def test_a_roll_that_is_refused_leaves_nothing_behind(table: Gm, home: Path) -> None:
    journal = home / "dance" / "journal.jsonl"
    before = journal.read_bytes()
    for words in (("2R6>=5", "--dice", "5 1"), ("3B6", "--dice", "1 2 3 4"), ("choice[a", ""), ("x101 1D6", "")):
        assert table("roll", *filter(None, words)).code in (1, 2)
    assert journal.read_bytes() == before


def test_odds_of_a_pool_are_those_of_its_successes(gm: Gm) -> None:
    ran = gm("odds", "roll", "3B6>=4", "--json")
    assert ran.objects[0]["result"] == {
        "total": {"mean": 1.5, "chances": {"0": 0.125, "1": 0.375, "2": 0.375, "3": 0.125}}
    }
    assert gm("odds", "roll", "3B6>=4").out.startswith("successes  expected 1.50\n")
    assert "less\n  likely than one in a million" in gm("odds", "roll", "3R6>=5", env={"COLUMNS": "80"}).out
    assert gm("odds", "roll", "x3", "2D6>=7").out.endswith("Each of the 3 throws has these odds.\n")


@pytest.mark.parametrize("lang", ["en", "ja", "ko"])
def test_every_word_is_there_in_every_language(gm: Gm, lang: str) -> None:
    for line in ("3B6>=4", "2U6[6]", "S2D6", "choice a b"):
        assert "<" not in gm("roll", line, "--lang", lang).out.replace(">=", "")
    for line in ("4D6KH5", "choice[,a]", "x0 1D6", "3R6", "2U6>=3", "3R6[>0]>=3", "x2 x2 1D6", "3R6[6]>=5@6"):
        ran = gm("roll", line, "--lang", lang)
        assert ran.code == 2
        assert "<roll" not in ran.err


# a shell


class Terminal(io.StringIO):
    """Input or output of a terminal."""

    def isatty(self) -> bool:
        return True


def shell(*typed: str, terminal: bool = True) -> str:
    kind = Terminal if terminal else io.StringIO
    out = kind()
    run(["table"], stdin=kind("".join(f"{line}\n" for line in typed)), stdout=out, stderr=out, env=dict(os.environ))
    return out.getvalue()


def test_a_person_at_the_shell_is_asked_for_the_faces_of_a_free_roll(table: Gm) -> None:
    shown = shell("roll 2D6", "3 4", "quit")
    assert "2D6  faces  (Enter rolls, u takes the line back)> " in shown
    assert "2D6: 3 4 = 7" in shown


def test_dice_thrown_again_are_asked_for_again(table: Gm) -> None:
    shown = shell("roll 2R6>=5", "5 1", "2", "quit")
    assert "2R6[>=5]>=5: 1R6  faces" in shown
    assert "2R6[>=5]>=5: 5 1 + 2" in shown


def test_faces_that_are_none_or_too_few_are_asked_for_again(table: Gm) -> None:
    shown = shell("roll 2D6", "7 1", "3", "status", "3 4", "quit")
    assert shown.count("2D6  faces  (Enter rolls, u takes the line back)> ") == 4
    assert "2D6: 3 4 = 7" in shown


def test_an_empty_line_leaves_them_to_the_tool_and_u_takes_the_roll_back(table: Gm, home: Path) -> None:
    assert "rolled" in shell("roll 2D6", "", "quit")
    before = (home / "dance" / "journal.jsonl").read_bytes()
    assert "2D6 is taken back: nothing was rolled." in shell("roll 2D6", "u", "quit")
    assert (home / "dance" / "journal.jsonl").read_bytes() == before


def test_nobody_is_asked_in_a_pipe_or_where_the_tool_throws(table: Gm) -> None:
    assert "faces  (" not in shell("roll 2D6", "quit", terminal=False)
    assert table("config", "dice-mode", "auto").code == 0
    assert "faces  (" not in shell("roll 2D6", "quit")
