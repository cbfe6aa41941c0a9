"""Undo to a line or a checkpoint, looked at beforehand in the words of the game."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import Ran

GM = Callable[..., Ran]


@pytest.fixture
def board(gm: GM) -> GM:
    """A campaign in which line 5 has brought Arrow, with fuel 40: lines 6, 7 and 8 are steps, 9 is a note."""
    lines = (
        "campaign new Test --system rtype", "side add Players --players",
        "pilot add Ren --body 20 --agility 30 --intelligence 15 --diplomacy 15 --life 50 --spirit 30", "note dawn",
        "unit add kestrel Arrow --side Players --pilot Ren", "set units.arrow.fuel 31", "set units.arrow.fuel 32",
        "set units.arrow.fuel 33", "note dusk",
    )  # fmt: skip
    assert gm("run", "-", input="\n".join(lines)).code == 0
    return gm


def fuel(gm: GM) -> int:
    found: int = gm("status", "--json").objects[0]["result"]["units"]["arrow"]["fuel"]
    return found


def told(ran: Ran) -> dict[str, Any]:
    (found,) = ran.objects
    return found


@pytest.mark.parametrize(("to", "undone", "left"), [
    ("7", [8], 32), ("#6", [8, 7], 31), ("5", [8, 7, 6], 40), ("６", [8, 7], 31),
])  # fmt: skip
def test_everything_after_a_line_is_taken_back_and_the_line_stays(
    board: GM, to: str, undone: list[int], left: int
) -> None:
    assert told(board("undo", "--to", to, "--json"))["result"] == {"undone": undone}
    assert fuel(board) == left
    assert "note dusk" in board("history").out


def test_a_mark_means_what_stood_then(board: GM) -> None:
    assert told(board("undo", "--to", "4", "--json"))["result"] == {"undone": [8, 7, 6, 5]}


def test_a_step_done_again_later_is_the_step_it_was(board: GM) -> None:
    board("undo", "2")
    board("redo", "2")
    board("set", "units.arrow.fuel", "34")
    assert told(board("undo", "--to", "7", "--json"))["result"] == {"undone": [14, 8]}
    assert fuel(board) == 32


def test_it_can_all_be_done_again(board: GM) -> None:
    board("undo", "--to", "5")
    assert board("redo", "3").code == 0
    assert fuel(board) == 33


def test_a_line_in_what_was_taken_back_cannot_be_reached_and_what_stands_is_named(board: GM) -> None:
    board("undo", "2")
    board("set", "units.arrow.fuel", "34")
    for to in ("7", "8", "9"):
        error = told(board("undo", "--to", to, "--json"))["error"]
        assert (error["code"], error["facts"]["stands"][:2]) == ("nothing-to-undo", ["#12", "#6"])
    assert fuel(board) == 34


@pytest.mark.parametrize("to", ["0", "10", "99"])
def test_a_number_that_is_no_line_is_refused_with_what_there_is(board: GM, to: str) -> None:
    ran = board("undo", "--to", to, "--json")
    error = told(ran)["error"]
    assert (ran.code, error["code"], error["facts"]["last"]) == (2, "unknown-name", 9)
    assert "#8, #7, #6, #5, #3" in error["hint"]


@pytest.mark.parametrize("to", ["8", "9"])
def test_where_nothing_was_done_since_there_is_nothing_to_take_back(board: GM, to: str) -> None:
    assert told(board("undo", "--to", to, "--json"))["error"]["code"] == "nothing-to-undo"
    assert fuel(board) == 33


@pytest.mark.parametrize("to", ["", " "])
def test_nowhere_is_no_place_to_go_back_to(board: GM, to: str) -> None:
    board("checkpoint", "Wind")
    assert board("undo", "--to", to).code == 2
    assert fuel(board) == 33


def test_how_many_and_up_to_where_are_not_said_both(board: GM) -> None:
    assert board("undo", "2", "--to", "5").code == 2


def test_a_preview_names_each_line_with_what_would_change_and_does_nothing(board: GM, home: Path) -> None:
    before = (home / "test" / "journal.jsonl").read_bytes()
    assert board("undo", "--to", "6", "--preview").out == (
        "An undo would take back #8: Arrow fuel 32 > 33\n"
        "  Arrow fuel 33 > 32\n"
        "An undo would take back #7: Arrow fuel 31 > 32\n"
        "  Arrow fuel 32 > 31\n"
        "Steps: 2. Nothing has been undone. To do it: undo --to 6\n"
    )
    assert board("undo", "2", "--preview").out.endswith("To do it: undo 2\n")
    assert (home / "test" / "journal.jsonl").read_bytes() == before


def test_a_preview_shows_a_step_done_again_as_the_step_it_was(board: GM) -> None:
    board("undo")
    board("redo")
    assert told(board("undo", "--preview", "--json"))["result"] == {"would_undo": [8]}


# checkpoints


def test_an_undo_goes_back_to_a_checkpoint_by_any_beginning_of_its_name(board: GM) -> None:
    board("checkpoint", "Before", "the", "storm")
    board("set", "units.arrow.fuel", "12")
    board("set", "units.arrow.fuel", "13")
    assert "checkpoint Before the storm" in board("history").out
    assert told(board("undo", "--to", "before", "--json"))["result"] == {"undone": [12, 11]}
    assert fuel(board) == 33


def test_names_of_any_script_will_do_and_survive_a_process(board: GM) -> None:
    board("checkpoint", "嵐の前")
    board("set", "units.arrow.fuel", "12")
    assert board("undo", "--to", "嵐").code == 0


def test_the_latest_checkpoint_of_a_name_counts(board: GM) -> None:
    board("checkpoint", "Wind")
    board("set", "units.arrow.fuel", "12")
    board("checkpoint", "wind")
    board("set", "units.arrow.fuel", "13")
    assert told(board("undo", "--to", "Wind", "--json"))["result"] == {"undone": [13]}


def test_a_checkpoint_is_no_step_and_no_undo_takes_it_away(board: GM) -> None:
    board("checkpoint", "Wind")
    board("undo", "2")
    board("redo", "2")
    board("set", "units.arrow.fuel", "12")
    assert told(board("undo", "--to", "Wind", "--json"))["result"] == {"undone": [15]}


def test_a_checkpoint_in_what_was_taken_back_is_refused(board: GM) -> None:
    board("checkpoint", "Wind")
    board("undo", "2")
    board("set", "units.arrow.fuel", "12")
    error = told(board("undo", "--to", "Wind", "--json"))["error"]
    assert (error["code"], error["facts"]["stands"][:2]) == ("nothing-to-undo", ["#13", "#6"])


def test_an_unknown_or_ambiguous_name_is_refused_with_those_there_are(board: GM) -> None:
    assert told(board("undo", "--to", "Wind", "--json"))["error"]["code"] == "unknown-name"
    board("checkpoint", "Wind")
    board("checkpoint", "Window")
    board("checkpoint", "Winter")
    error = told(board("undo", "--to", "Win", "--json"))["error"]
    assert (error["code"], error["facts"]["candidates"]) == ("ambiguous-name", ["Wind", "Window", "Winter"])


@pytest.mark.parametrize("name", ["41", "#41", "４１", "", " ", "x" * 81, "a\x1bb"])
def test_what_cannot_be_a_name_is_none(board: GM, name: str, home: Path) -> None:
    before = (home / "test" / "journal.jsonl").read_bytes()
    assert board("checkpoint", name).code in (1, 2)
    assert (home / "test" / "journal.jsonl").read_bytes() == before


def test_a_checkpoint_in_a_branch_goes_with_it(board: GM) -> None:
    board("try")
    board("checkpoint", "Wind")
    board("set", "units.arrow.fuel", "12")
    assert board("undo", "--to", "Wind").code == 0
    board("drop")
    assert told(board("undo", "--to", "Wind", "--json"))["error"]["code"] == "unknown-name"


def test_what_a_side_sees_has_no_checkpoint_in_it(board: GM) -> None:
    before = board("status", "--for", "players", "--json").out
    board("checkpoint", "Ambush")
    assert board("status", "--for", "players", "--json").out == before
