"""The dice report: which faces count, whose they are, what is said of them."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from gmtool.text.width import cells
from tests.conftest import Ran

Gm = Callable[..., Ran]


pytestmark = pytest.mark.usefixtures("no_waiting_for_the_disk")


@pytest.fixture
def fight(gm: Gm) -> Gm:
    """Two squads in the first phase of their battle; the initiative was told in totals, so no die has been thrown."""
    for line in (
        "campaign new Dance --system rtype", "session start", "side add Players --players", "side add Bydo",
        "unit add kestrel Alpha --side Players", "unit add gains Beta --side Bydo", "battle start",
        "initiative players=7 bydo=5", "first players",
    ):  # fmt: skip
        do(gm, line)
    return gm


def do(gm: Gm, line: str, *more: str) -> Ran:
    ran = gm(*line.split(), *more)
    assert ran.code == 0, (line, ran)
    return ran


def sets(gm: Gm, *words: str, of: str = "dice") -> dict[tuple[str, str | None, str | None], dict[str, int]]:
    """The faces that came, by die, place and person (``*``: everyone)."""
    found = gm("dice", "report", *words, "--json").objects[0]["result"][of]
    return {
        (each["die"], each["place"], "*" if each["everyone"] else each["by"]):
            {face: n for face, n in each["faces"].items() if n}
        for each in found
    }  # fmt: skip


def attack(gm: Gm, dice: str, *more: str) -> Ran:
    return do(gm, "attack alpha vulcan beta --dice", dice, *more)


# which faces count


def test_faces_count_as_thrown_not_as_read_the_first_die_apart_from_the_second(fight: Gm) -> None:
    """31 is read as 13, yet 3 lay on the first die; 80 is read as 08, so there are three hits and as many evasions."""
    attack(fight, "31 42 80 99 99 / 99 99 99", "--by", "Ken")
    assert sets(fight) == {
        ("D10", "tens", "Ken"): {"3": 1, "4": 1, "8": 1, "9": 5},
        ("D10", "ones", "Ken"): {"1": 1, "2": 1, "0": 1, "9": 5},
    }


def test_a_line_that_is_taken_back_was_thrown_all_the_same_and_once(fight: Gm) -> None:
    attack(fight, "31 99 99 99 99 / 99")
    once = sets(fight)
    assert once[("D10", "tens", None)] == {"3": 1, "9": 5}
    do(fight, "undo")
    assert sets(fight) == once
    do(fight, "redo")
    assert sets(fight) == once


def test_the_same_faces_typed_again_after_an_undo_lay_there_once_and_others_are_new(fight: Gm) -> None:
    attack(fight, "31 99 99 99 99 / 99")
    do(fight, "undo")
    attack(fight, "31 99 99 99 98 / 99")
    assert sets(fight)[("D10", "ones", None)] == {"1": 1, "9": 5, "8": 1}


def test_two_lines_taken_back_and_typed_again_count_once(fight: Gm) -> None:
    """In the battle's next line too, which is judged after the first of the two has been typed again."""
    attack(fight, "31 99 99 99 99 / 99")
    do(fight, "pass beta --force")
    do(fight, "undo 2")
    do(fight, "charge beta 1")
    attack(fight, "31 99 99 99 99 / 99")
    assert sets(fight)[("D10", "tens", None)] == {"3": 1, "9": 5}


def test_an_amended_line_holds_its_faces_again_and_they_count_once(fight: Gm) -> None:
    attack(fight, "31 99 99 99 99 / 99")
    do(fight, "amend --feint 10")
    do(fight, "amend --feint 5")
    assert sets(fight)[("D10", "tens", None)] == {"3": 1, "9": 5}


def test_a_face_put_right_by_an_amendment_stands_in_place_of_the_wrong_one(fight: Gm) -> None:
    attack(fight, "31 99 99 99 99 / 99")
    do(fight, "amend --dice", "attack lead: 32")
    assert sets(fight)[("D10", "ones", None)] == {"2": 1, "9": 5}


def test_a_ten_that_is_shown_as_0_is_one_face_and_sums_are_single_dice(fight: Gm) -> None:
    do(fight, "roll 2D10+1D6 --dice", "0 10 4")
    do(fight, "roll D66 --dice 36")
    assert sets(fight) == {
        ("D10", None, None): {"0": 2},
        ("D6", None, None): {"4": 1},
        ("D6", "tens", None): {"3": 1},
        ("D6", "ones", None): {"6": 1},
    }


def test_many_sides_are_counted_in_ranges(fight: Gm) -> None:
    do(fight, "roll 3D100 --dice", "1 10 100")
    assert sets(fight) == {("D100", None, None): {"1-10": 2, "91-100": 1}}


def test_what_the_tool_rolled_stands_apart_and_is_no_test(fight: Gm) -> None:
    do(fight, "roll 3D6")
    result = fight("dice", "report", "--json").objects[0]["result"]
    assert (result["dice"], result["tests"]) == ([], 0)
    assert sum(result["tool"][0]["faces"].values()) == 3
    assert "Rolled by the tool, for comparison\n  D6, no name given: 3 rolls" in fight("dice", "report").out


def test_dice_from_before_their_sides_were_kept_are_known_by_their_law_or_left_out(gm: Gm, home: Path) -> None:
    """A campaign of format 2: the D99 of its checks are two ten-sided dice each, of the rest nobody can say."""
    shutil.copytree(Path(__file__).parent / "formats" / "2", home / "old")
    lines = [json.loads(line) for line in (home / "old" / "journal.jsonl").read_text(encoding="utf-8").splitlines()]
    faces = [die["faces"] for line in lines for die in line.get("answers", ()) if die["source"] == "entered"]
    assert not any("sides" in die for line in lines for die in line.get("answers", ()))
    result = gm("dice", "report", "-c", "old", "--json").objects[0]["result"]
    assert {each["die"] for each in result["dice"]} == {"D10"}
    assert (
        0
        < sum(each["rolls"] for each in result["dice"] if not each["everyone"])
        <= sum(len(lie) for lie in faces if len(lie) == 2)
    )


# whose, and when


def test_people_are_counted_together_and_apart_and_one_alone_with_by(fight: Gm) -> None:
    for name, dice in (("Ken", "1 2 3"), ("ken", "1 1 1"), ("Yuki", "6 6 5")):
        do(fight, "roll 3D6 --dice", dice, "--by", name)
    assert sets(fight) == {
        ("D6", None, "*"): {"1": 4, "2": 1, "3": 1, "5": 1, "6": 2},
        ("D6", None, "Ken"): {"1": 4, "2": 1, "3": 1},
        ("D6", None, "Yuki"): {"5": 1, "6": 2},
    }
    assert sets(fight, "--by", "ＫＥＮ") == {("D6", None, "Ken"): {"1": 4, "2": 1, "3": 1}}
    refused = fight("dice", "report", "--by", "Mio")
    assert (refused.code, "Names given with --by: Ken, Yuki" in refused.err) == (2, True)


def test_a_session_is_counted_by_itself(fight: Gm) -> None:
    do(fight, "roll 1D6 --dice 1")
    do(fight, "session end")
    do(fight, "session start")
    do(fight, "roll 1D6 --dice 2")
    assert sets(fight, "--session", "1") == {("D6", None, None): {"1": 1}}
    assert sets(fight, "--session", "2") == {("D6", None, None): {"2": 1}}
    assert sets(fight, "--session", "all") == sets(fight) == {("D6", None, None): {"1": 1, "2": 1}}
    assert fight("dice", "report", "--session", "3").code == 2


# what is said


def verdicts(gm: Gm) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = gm("dice", "report", "--json").objects[0]["result"]["dice"]
    return found


def test_too_few_rolls_say_nothing_and_how_many_would(fight: Gm) -> None:
    do(fight, "roll 2D6 --dice", "6 6")
    (six,) = verdicts(fight)
    assert (six["verdict"], six["least"], six["telling"], six["method"]) == ("few", 3, 65, "exact")
    said = " ".join(fight("dice", "report").out.split())
    assert "Too few rolls to say anything: below 3 nothing can stand out" in said
    assert "some 65 on" in said


def test_five_sixes_stand_out_and_the_chance_is_theirs(fight: Gm) -> None:
    """6 of 6 ** 5 sequences: one in 1296."""
    do(fight, "roll 5D6 --dice", "6 6 6 6 6")
    (six,) = verdicts(fight)
    assert six["verdict"] == "unusual"
    assert six["chance"] == six["corrected"] == pytest.approx(1 / 1296)
    assert "Unusual" in fight("dice", "report").out


def test_several_tests_at_once_are_corrected_and_said(fight: Gm) -> None:
    """Three sixes of Ken's are 1 in 36, of three tests 1 in 12; a D8 thrown once is no test."""
    do(fight, "roll 3D6 --dice", "6 6 6", "--by", "Ken")
    do(fight, "roll 3D6 --dice", "1 2 3", "--by", "Yuki")
    do(fight, "roll 1D8 --dice", "1", "--by", "Yuki")
    found = {each["by"]: each for each in verdicts(fight) if each["die"] == "D6"}
    assert found["Ken"]["chance"] == pytest.approx(1 / 36)
    assert found["Ken"]["corrected"] == pytest.approx(1 / 12)
    assert found["Ken"]["verdict"] == "few"
    assert "3 sets of dice are tested at once" in " ".join(fight("dice", "report").out.split())


def test_even_dice_are_nothing_unusual(fight: Gm) -> None:
    do(fight, "roll 72D6 --dice", " ".join("123456" * 12))
    assert verdicts(fight)[0]["verdict"] == "even"
    assert "Nothing unusual" in fight("dice", "report").out


def test_nobody_but_the_gm_sees_it(fight: Gm) -> None:
    ran = fight("dice", "report", "--for", "players")
    assert (ran.code, ran.out) == (2, "")


@pytest.mark.parametrize("lang", ["en", "ja", "ko"])
def test_no_row_is_wider_than_the_screen_and_every_word_is_there(fight: Gm, lang: str) -> None:
    """With a name of 80 cells of kanji, which stands on lines of its own."""
    for name, dice in (("蓮" * 40, "6 6 6 6 6"), ("Yuki", "1 2 3 4 5")):
        do(fight, "roll 5D6 --dice", dice, "--by", name)
    do(fight, "roll 2D6")
    attack(fight, "31 99 99 99 99 / 99")
    told = fight("dice", "report", "--lang", lang, env={"COLUMNS": "80"}).out
    assert "<fair" not in told
    assert [line for line in told.splitlines() if cells(line) > 80 and "蓮" not in line] == []
