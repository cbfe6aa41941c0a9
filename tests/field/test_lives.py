"""Field report E6: lives have a current and a maximum figure, and a raise once bought stays for the re-rolls."""

import pytest

from tests.field.table import PILOT, Table


@pytest.fixture
def mika(bare: Table) -> Table:
    """Mika, placid, with 4 of 5 lives (doubles are used, so that swapping changes nothing)."""
    bare.do("pilot", "add", "Mika", *PILOT, "--lives", "5")
    bare.do("set", "pilots.mika.lives.now", "4")
    return bare


def lives(table: Table) -> dict[str, int]:
    return dict(table.state["pilots"]["mika"]["lives"])


def targets(table: Table) -> list[int]:
    """The targets of all throws of the latest check, the first one first."""
    trace = table.do("why")["result"]["trace"]
    return [entry["law"]["facts"]["target"] for entry in trace if entry["t"] == "dice"]


def test_p_e6_the_course_of_the_report(mika: Table) -> None:
    """40 is failed with 77; a re-roll and a raise cost two lives and 60 is failed with 66; one more, and 55 holds."""
    assert mika.do("check", "40", "--as", "Mika", "--dice", "77")["result"]["success"] is False
    again = mika.do("reroll", "Mika", "--raise", "--dice", "66")
    assert again["result"]["success"] is False
    assert "lives of Mika 4 > 3" in again["text"]
    assert "lives of Mika 3 > 2" in again["text"]
    assert lives(mika) == {"now": 2, "max": 5}
    third = mika.do("reroll", "Mika", "--dice", "55")
    assert third["result"]["success"] is True
    assert targets(mika) == [40, 60, 60]
    assert lives(mika) == {"now": 1, "max": 5}
    assert "77 failure, again against 60: 66 failure, again 55 success" in " ".join(third["text"].split())


def test_p_e6_the_next_check_starts_at_its_plain_value(mika: Table) -> None:
    mika.do("check", "40", "--as", "Mika", "--dice", "77")
    mika.do("reroll", "Mika", "--raise", "--dice", "66")
    mika.do("check", "40", "--as", "Mika", "--dice", "55")
    assert targets(mika) == [40]
    assert lives(mika) == {"now": 2, "max": 5}


def test_p_e6_what_is_not_there_is_not_spent(mika: Table) -> None:
    mika.do("set", "pilots.mika.lives.now", "1")
    mika.do("check", "40", "--as", "Mika", "--dice", "77")
    mika.refused("reroll", "Mika", "--raise", "--dice", "66", says="lives", code=1)
    mika.do("reroll", "Mika", "--dice", "66")
    mika.refused("reroll", "Mika", "--dice", "55", says="lives", code=1)
    assert lives(mika) == {"now": 0, "max": 5}


def test_p_e6_a_raise_is_not_bought_twice(mika: Table) -> None:
    mika.do("check", "40", "--as", "Mika", "--dice", "77")
    mika.do("reroll", "Mika", "--raise", "--dice", "66")
    mika.refused("reroll", "Mika", "--raise", "--dice", "55")


def test_p_e6_no_figure_passes_its_maximum(mika: Table) -> None:
    mika.refused("set", "pilots.mika.lives.now", "6", says="6")


def test_p_e6_undo_gives_the_lives_back(mika: Table) -> None:
    mika.do("check", "40", "--as", "Mika", "--dice", "77")
    before = mika.state
    mika.do("reroll", "Mika", "--raise", "--dice", "66")
    mika.do("undo")
    assert mika.state == before
    assert lives(mika) == {"now": 4, "max": 5}
