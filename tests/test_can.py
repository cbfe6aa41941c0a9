"""``can``: what is legal now, the reason for the rest, and nothing that is not so."""

import io
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from gmtool.cli.main import run
from gmtool.render.possible import ranges
from tests.conftest import Ran
from tests.courses.ways import GAMES
from tests.field.table import Table, folder_bytes, width
from tests.setups import DUEL

Gm = Callable[..., Ran]


@pytest.fixture
def duel(gm: Gm) -> Gm:
    """Two craft against two, in the players' phase."""
    assert gm("campaign", "new", "Duel", "--system", "rtype").code == 0
    ran = gm("run", "-", input="\n".join(DUEL))
    assert ran.code == 0, ran
    return gm


def result(gm: Gm, *argv: str) -> dict[str, Any]:
    ran = gm(*argv, "--json")
    assert ran.code == 0, ran
    return dict(ran.objects[0]["result"])


def commands(told: dict[str, Any]) -> list[str]:
    return [each["command"] for each in told["can"]]


def reasons(told: dict[str, Any]) -> dict[str, tuple[str, str]]:
    return {line: (each["code"], each["rule"]) for each in told["cannot"] for line in each["commands"]}


def test_a_unit_is_told_each_line_it_can_do_and_for_the_rest_the_rule(duel: Gm) -> None:
    duel("ammo", "r1", "missile", "0")
    told = result(duel, "can", "r1")
    assert [line for line in commands(told) if line.startswith("attack")] == [
        "attack r1 vulcan b1",
        "attack r1 vulcan b2",
    ]
    assert {"move r1 1", "move r1 5", "turn r1 left", "search r1", "pass r1"} <= {*commands(told)}
    assert "move r1 6" not in commands(told)
    why = reasons(told)
    assert why["attack r1 missile b1"] == ("no-ammo", "RT-8.1")
    assert why["attack r1 wave-cannon"] == ("not-charged", "RT-8.1")
    assert why["supply r1"] == ("no-function", "RT-7.1")


def test_every_line_that_can_be_done_is_done_when_it_is_typed(duel: Gm) -> None:
    lines = commands(result(duel, "can", "r1"))
    assert len(lines) > 8
    for line in lines:
        ran = duel("run", "-", "--json", input=line)
        told = ran.objects[0]
        assert told["ok"] or told["error"]["code"] == "needs-answer", told
        assert duel(*(("undo",) if told["ok"] else ("answer", "--drop"))).code == 0


def test_all_are_told_in_a_line_or_two_with_the_verbs_of_nobody_in_particular(duel: Gm) -> None:
    ran = duel("can")
    assert ran.out.splitlines()[0] == "Duel   turn 1, first phase"
    assert "r1-r2" not in ran.out
    assert "r1 r2" in ran.out  # both can do the same
    assert "attack vulcan b1|b2" in ran.out
    assert "end phase" in ran.out
    told = result(duel, "can")
    assert "end phase" in commands(told)
    assert {each["unit"] for each in told["can"]} == {"arrow", "blue-bird", None}
    assert "damage" in told["besides"]


def test_who_has_acted_is_gone_and_its_own_page_says_why(duel: Gm) -> None:
    assert duel("pass", "r1").code == 0
    assert {each["unit"] for each in result(duel, "can")["can"]} == {"blue-bird", None}
    told = result(duel, "can", "arrow")
    assert told["can"] == []
    assert reasons(told)["pass r1"] == ("already-acted", "RT-2.5")
    assert "Nothing can be done with it now." in duel("can", "arrow").out


def test_where_searching_is_strict_the_unsearched_are_named_with_the_rule(duel: Gm) -> None:
    duel("config", "search", "strict")
    assert duel("search", "r1", "b2").code == 0
    told = result(duel, "can", "r1")
    assert "attack r1 vulcan b2" in commands(told)
    assert reasons(told)["attack r1 vulcan b1"][0] == "not-searched"


def test_before_the_dice_for_the_turn_the_initiative_is_what_can_be_done(gm: Gm) -> None:
    gm("campaign", "new", "Duel", "--system", "rtype")
    gm("run", "-", input="\n".join(DUEL[:6]))
    assert commands(result(gm, "can")) == ["initiative"]
    gm("initiative", "--dice", "6 6 1 1")
    assert {*commands(result(gm, "can"))} == {"first players", "first bydo"}
    assert "first Players" in gm("can").out  # what is due stands below


def test_while_a_ruling_is_open_its_question_is_all_there_is(duel: Gm) -> None:
    assert duel("attack", "r1", "vulcan", "b1").code == 1
    told = result(duel, "can")
    assert commands(told) == ["answer --roll", "answer --drop"]
    assert told == result(duel, "can", "r1")
    assert "answer --drop" in duel("can").out


def test_it_writes_nothing_and_takes_no_lock(duel: Gm, home: Path) -> None:
    before, names = folder_bytes(home), sorted(home.rglob("*"))
    assert duel("can").code == 0
    assert duel("can", "r1").code == 0
    assert (folder_bytes(home), sorted(home.rglob("*"))) == (before, names)


def test_it_is_the_gms_and_no_sides(duel: Gm) -> None:
    for argv in (("can", "--for", "bydo"), ("can", "r1", "--for", "players")):
        ran = duel(*argv, "--json")
        assert ran.code == 2
        assert ran.objects[0]["error"]["code"] == "not-covered"


def test_a_name_that_is_none_is_refused_with_what_there_is(duel: Gm) -> None:
    ran = duel("can", "ghost", "--json")
    assert (ran.code, ran.objects[0]["error"]["code"]) == (2, "unknown-name")


@pytest.mark.parametrize("lang", ["en", "ja", "ko"])
@pytest.mark.parametrize("columns", [80, 120])
@pytest.mark.parametrize("argv", [("can",), ("can", "r1"), ("can", "b1"), ("can", "r3")])
def test_no_row_is_wider_than_the_screen(duel: Gm, lang: str, columns: int, argv: tuple[str, ...]) -> None:
    name = "長い 名前の" * 7  # of 77 cells
    assert duel("unit", "add", "kestrel", name, "--side", "players").code == 0
    code, out, _ = Table(duel, Path()).on_screen(*argv, "--lang", lang, width=columns)
    assert code == 0
    assert max(map(width, out.splitlines())) <= columns


@pytest.mark.parametrize(
    ("game", "lines", "can", "name", "code"),
    [
        ("trio", ("player add Ann", "player add Bob", "player add Cyd", "begin"), ["throw ann"], "bob", "wrong-phase"),
        ("cards", ("seat Ann", "seat Bob", "shuffle"), ["draw ann"], "bob", "wrong-phase"),
    ],
)
@pytest.mark.usefixtures("home")
def test_a_game_of_the_tests_has_it_for_nothing(
    game: str, lines: tuple[str, ...], can: list[str], name: str, code: str
) -> None:
    def table(*argv: str, input: str = "") -> Ran:
        out, err = io.StringIO(), io.StringIO()
        done = run([*argv], stdin=io.StringIO(input), stdout=out, stderr=err, env=dict(os.environ), packages=GAMES)
        return Ran(done, out.getvalue(), err.getvalue())

    assert table("campaign", "new", "Small", "--system", game).code == 0
    assert table("run", "-", input="\n".join(lines)).code == 0
    assert {*can} <= {*commands(result(table, "can"))}
    assert code in {each["code"] for each in result(table, "can", name)["cannot"]}


@pytest.mark.parametrize(
    ("words", "shown"),
    [
        (["b1", "b2", "b3"], ["b1-b3"]), (["b1", "b2"], ["b1", "b2"]), (["b9", "b10", "b11", "r1"], ["b9-b11", "r1"]),
        (["1", "2", "3", "5"], ["1-3", "5"]), (["0304", "0305", "0306"], ["0304", "0305", "0306"]), ([], []),
        (["evade", "focus"], ["evade", "focus"]),
    ],
)  # fmt: skip
def test_what_counts_up_is_drawn_together(words: list[str], shown: list[str]) -> None:
    assert ranges(words) == shown


def test_who_is_aboard_on_a_map_can_be_launched_to_the_hexes_in_reach(gm: Gm) -> None:
    """The first hex has to be named (RT-12.20): a line without one is not understood, and no reason against it."""
    lines = ("campaign new M --system rtype", "scenario start relay", 'initiative --dice "5 4 / 2 3"', "first players")
    assert gm("run", "-", input="\n".join(lines)).code == 0
    found = gm("can", "tender", "--json").objects[0]["result"]
    launches = [each["command"] for each in found["can"] if each["verb"] == "launch"]
    assert launches
    assert all(line.split()[2] == "to" for line in launches)
    assert gm("try", *launches[0].split()).code == 0
