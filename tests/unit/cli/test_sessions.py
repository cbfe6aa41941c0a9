"""Sessions: begun, ended, listed, and what is shown of where play stopped."""

from collections.abc import Callable

import pytest

from tests.conftest import Ran

Gm = Callable[..., Ran]


@pytest.fixture
def table(gm: Gm) -> Gm:
    """The command line in a home with a campaign in English."""
    assert gm("campaign", "new", "Last Dance", "--system", "rtype").code == 0
    return gm


def test_sessions_are_counted_and_begin_and_end_once(table: Gm) -> None:
    began = table("session", "start", "--json").objects[0]
    assert (began["seq"], began["result"], began["due"], began["warnings"]) == (2, {"session": 1}, [], [])
    again = table("session", "start", "--json")
    assert (again.code, again.objects[0]["error"]["code"]) == (1, "session-open")
    table("note", "dusk")
    ended = table("session", "end", "--json").objects[0]
    assert (ended["seq"], ended["result"]["session"], ended["result"]["lines"]) == (4, 1, 3)
    again = table("session", "end", "--json")
    assert (again.code, again.objects[0]["error"]["code"]) == (1, "no-session")
    assert table("session", "start", "Finale", "--json").objects[0]["result"] == {"session": 2}


def test_a_session_is_no_step_of_undo(table: Gm) -> None:
    table("side", "add", "Players", "--players")
    table("session", "start")
    table("undo")
    assert table("session", "end", "--json").objects[0]["result"]["lines"] == 3


def test_the_list_has_names_times_and_lines(table: Gm) -> None:
    assert table("session", "list").out == "No session yet. To begin one: session start\n"
    table("session", "start", "The long night")
    table("session", "end")
    table("session", "start")
    first, second = table("session", "list", "--json").objects[0]["result"]["sessions"]
    assert (first["session"], first["name"], first["first_seq"], first["last_seq"]) == (1, "The long night", 2, 3)
    assert first["started"] <= first["ended"]
    assert (second["session"], second["name"], second["first_seq"], second["ended"]) == (2, "", 4, None)
    lines = table("session", "list").out.splitlines()
    assert lines[0].split() == ["no.", "name", "started", "ended", "took", "lines"]
    assert lines[1].split()[:4] == ["1", "The", "long", "night"]
    assert lines[2].split()[-2:] == ["-", "4-"]


def test_a_session_begins_with_the_last_ten_rulings_that_stand(table: Gm) -> None:
    """2 to 13 are rulings; 14 and 15 undo 13 and 12, 16 does 12 again, 17 is a note: 3 to 12 are the last ten."""
    assert table("side", "add", "Players", "--players").code == 0
    for name in ("Ames", "Bell", "Cray", "Dorn", "Eads", "Fine", "Gill", "Holt", "Iden", "Jove", "Kane"):
        assert table("unit", "add", "kestrel", name, "--side", "Players").code == 0
    table("undo", "2")
    table("redo")
    table("note", "not a ruling")
    assert table("session", "start", "Dawn").out.splitlines() == [
        "Session 1 begins: Dawn.",
        "Where play stopped",
        "  #3  unit add kestrel Ames --side Players",
        "  #4  unit add kestrel Bell --side Players",
        "  #5  unit add kestrel Cray --side Players",
        "  #6  unit add kestrel Dorn --side Players",
        "  #7  unit add kestrel Eads --side Players",
        "  #8  unit add kestrel Fine --side Players",
        "  #9  unit add kestrel Gill --side Players",
        "  #10  unit add kestrel Holt --side Players",
        "  #11  unit add kestrel Iden --side Players",
        "  #12  unit add kestrel Jove --side Players",
    ]


def test_a_session_begins_with_the_moment_of_play(table: Gm) -> None:
    for line in (
        "side add Players --players", "side add Bydo", "unit add kestrel --side Players", "unit add gains --side Bydo",
    ):  # fmt: skip
        assert table(*line.split()).code == 0, line
    assert table("battle", "start").code == 0
    shown = table("session", "start").out.splitlines()
    assert shown[-2:] == ["  turn 1, initiative", "  next  initiative"]


def test_a_session_begins_with_whose_turn_it_is_or_what_is_due(table: Gm) -> None:
    for line in (
        "side add Players --players", "side add Bydo", "unit add kestrel --side Players", "unit add gains --side Bydo",
        "battle start", "initiative players=7 bydo=5",
    ):  # fmt: skip
        assert table(*line.split()).code == 0, line
    shown = table("session", "start").out.splitlines()
    assert shown[-3:-1] == ["  turn 1, initiative", "due 1"]
    assert "first Players" in shown[-1]
    for line in ("first bydo", "session end"):
        assert table(*line.split()).code == 0, line
    shown = table("session", "start").out.splitlines()
    assert shown[-2:] == ["  turn 1, first phase", "  next  Bydo: acted 0 of 1, to act b1"]


def test_nothing_is_said_of_where_play_stopped_before_it_began(table: Gm) -> None:
    assert table("session", "start").out == "Session 1 begins.\n"


@pytest.mark.parametrize("name", ["\x1b[31m", "あ" * 41])
def test_a_name_that_could_not_be_read_begins_no_session(table: Gm, name: str) -> None:
    assert table("session", "start", name).code == 2
    assert table("session", "list", "--json").objects[0]["result"] == {"sessions": []}


@pytest.mark.parametrize("lang", ["en", "ja", "ko"])
def test_every_sentence_is_there_in_every_language(table: Gm, lang: str) -> None:
    table("side", "add", "Players", "--players")
    for line in (("list",), ("start", "Dawn"), ("start",), ("end",), ("end",), ("start",), ("list",)):
        ran = table("session", *line, "--lang", lang)
        helped = table("session", line[0], "--help", "--lang", lang)
        assert "<" not in ran.out + ran.err + helped.out, ran
