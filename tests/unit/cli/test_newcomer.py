"""What somebody types who does not know the program yet: words that are not there, half commands, the end of input."""

from collections.abc import Callable
from typing import Any

import pytest

from gmtool.systems.rtype.system import SYSTEM
from tests.conftest import Ran

Gm = Callable[..., Ran]
SIDES = "side add P --players", "side add B"
UNITS = "unit add kestrel Red --side P", "unit add gains Blue --side B"


@pytest.fixture
def table(gm: Gm) -> Gm:
    """A campaign with a unit on each side."""
    assert gm("campaign", "new", "x", "--system", "rtype").code == 0
    for line in (*SIDES, *UNITS):
        assert gm(*line.split()).code == 0, line
    return gm


def error(ran: Ran) -> dict[str, Any]:
    told: dict[str, Any] = ran.objects[0]["error"]
    return told


def test_a_verb_that_is_nearly_right_is_told_its_neighbours_only(table: Gm) -> None:
    assert error(table("attak", "--json"))["facts"]["verbs"] == ["attack", "attach"]
    battles = ["battle start", "battle park", "battle resume", "battle end", "battle list"]
    assert error(table("battel", "start", "--json"))["facts"]["verbs"] == battles


def test_where_nothing_is_close_all_verbs_of_the_game_are_listed(table: Gm) -> None:
    assert error(table("zzz", "--json"))["facts"]["verbs"] == [*SYSTEM.verbs, *SYSTEM.looks]


def test_half_of_a_command_is_told_what_begins_so(table: Gm) -> None:
    ran = table("unit", "remove")
    assert ran.code == 2
    assert ran.err == 'There is no command "unit remove".\nWhat begins with unit: unit add, unit buy\n'


@pytest.mark.parametrize("words", [("attack", "--help"), ("attack", "a", "b", "c"), ("help", "attack")])
def test_a_verb_of_a_game_says_that_it_needs_a_campaign(gm: Gm, words: tuple[str, ...]) -> None:
    ran = gm(*words)
    assert ran.code == 4
    assert ran.err.splitlines() == [
        '"attack" is a command of R-TYPE TRPG and needs a campaign.',
        "Begin one: campaign new NAME --system rtype",
    ]


def test_help_and_version_are_found_by_their_usual_names(table: Gm) -> None:
    assert table("help").out == table("--help").out
    assert table("help", "attack").out == table("attack", "--help").out
    assert table("--version").out == table("-V").out == "gmtool 0.1.0\n"
    assert table("odds", "--help").out.startswith("gmtool odds")


@pytest.mark.parametrize("word", ["quit", " EXIT "])
def test_a_script_ends_quietly_where_it_says_so(table: Gm, word: str) -> None:
    ran = table("run", "-", input=f"note a\n{word}\nnonsense\n")
    assert (ran.code, ran.err) == (0, "")


def test_the_shell_opens_without_a_campaign_and_goes_on_with_the_new_one(gm: Gm) -> None:
    ran = gm("table", input="campaign new x --system rtype\nside add P\nstatus\n")
    assert (ran.code, ran.err) == (0, "")
    assert "campaign new NAME --system" in ran.out.splitlines()[0]
    assert ran.out.splitlines()[-1].split() == ["P"]


def test_all_that_is_missing_is_told_at_once(table: Gm) -> None:
    assert error(table("pilot", "add", "Ren", "--json"))["facts"]["argument"] == [
        "--body", "--agility", "--intelligence", "--diplomacy", "--life", "--spirit",
    ]  # fmt: skip
    assert table("campaign", "new", "y").err.startswith("A word is missing: --system.")


def test_a_value_that_an_option_refuses_names_the_option(table: Gm) -> None:
    assert table("pilot", "add", "Ren", "--body", "-20").err.startswith("--body: -20 is out of range")


def test_weapons_are_listed_by_name_and_not_as_close(table: Gm) -> None:
    ran = table("attack", "Red", "zzz", "Blue", "--lang", "ja")
    assert ran.err.splitlines()[1] == "あるもの：バルカン、ミサイル、波動砲"
    assert table("attack", "Red", "vulcam", "Blue").err.splitlines()[1] == "Close: Vulcan"


def test_a_note_takes_whatever_follows(table: Gm) -> None:
    assert table("note", "--json").out.endswith("note: --json\n")
    assert table("note").code == 2


def test_the_question_that_is_open_is_shown_wherever_somebody_looks(table: Gm) -> None:
    for line in ("battle start", "initiative --dice 3"):
        table(*line.split())
    question = "P, initiative: D6 (RT-2.2)"
    bare = table("answer")
    assert (bare.code, bare.err.splitlines()[0]) == (1, question)
    assert error(table("answer", "--json"))["code"] == "needs-answer"
    assert question in table("status").out
    assert "It waits for an answer: P, initiative." in table("move", "Red", "1").err
    shell = table("table", input="quit\n").out.splitlines()
    assert shell[1] == question
    assert shell[-1].startswith("A ruling is left open: initiative --dice 3")


def test_history_shows_the_faces_that_were_answered_later(table: Gm) -> None:
    for line in ("battle start", "initiative --dice 3", "answer 4", "answer 1 2"):
        table(*line.split())
    assert table("history", "1").out == "#7  initiative --dice 3 + faces 4 1 2\n"


@pytest.mark.parametrize("dice", ["3 4、1，2", "３、４／１ , ２", "3､4､1､2", "3,4 / 1,2"])
def test_faces_that_stand_in_a_line_are_no_later_ones_however_they_are_parted(table: Gm, dice: str) -> None:
    for line in (("battle", "start"), ("initiative", "--dice", dice)):
        assert table(*line).code == 0, line
    shown = table("history", "1").out
    assert shown.startswith("#7  initiative --dice ")
    assert "+ faces" not in shown


def test_odds_take_no_faces_and_say_what_was_set_aside(table: Gm) -> None:
    for line in ("battle start", "initiative --dice 3,4,1,2", "first P"):
        assert table(*line.split()).code == 0, line
    assert error(table("odds", "attack", "Red", "1", "Blue", "--dice", "11", "--json"))["code"] == "usage"
    assert table("odds", "move", "Red", "99").out.startswith("set aside for the forecast: ")
    assert table("odds", "end", "phase").out.startswith("nothing to foretell")


def test_setting_what_is_so_already_is_no_step(table: Gm) -> None:
    before = table("history", "--all").out
    ran = table("set", "units.red.fuel", "40")
    assert (ran.code, ran.out) == (0, "Nothing has changed: units.red.fuel is 40 already.\n")
    assert table("history", "--all").out == before


def test_a_path_that_stops_too_early_says_what_comes_next(table: Gm) -> None:
    assert table("set", "units.red.hp", "5").err.startswith("units.red.hp is a table. It holds: A, B, C, D, lead.")
    assert table("set", "units", "5").err.startswith("units is a table")
    assert "campaign rename" in table("config", "name", "Y").err


def test_changes_show_no_row_of_the_programs_own(table: Gm) -> None:
    table("battle", "start")
    assert table("undo").out == "#6 undone: Battle start\n"
    assert table("undo").out == "#5 undone: B: Gains x1\n  B handles given 1 > 0   Blue: removed\n"
    for n in range(1, 6):
        shown = table("why", str(n)).out
        assert "> +" not in shown, shown
        assert "- >" not in shown, shown


def test_a_check_names_whose_it_is(table: Gm) -> None:
    ability = "--body 1 --agility 1 --intelligence 1 --diplomacy 1 --life 1 --spirit 1"
    assert table("pilot", "add", "Ren", *ability.split()).code == 0
    assert "Ren: check against 45" in table("check", "45", "--as", "ren", "--dice", "33").out


def test_no_line_in_a_pipe_ends_in_blanks(table: Gm) -> None:
    for words in (("status",), ("campaign", "list"), ("sheet", "list"), ("history",)):
        assert [line for line in table(*words).out.splitlines() if line.endswith(" ")] == []
        text = table(*words, "--json").objects[0]["text"]
        assert [line for line in text.splitlines() if line.endswith(" ")] == []
