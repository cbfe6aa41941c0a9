"""Field reports D5 and D7: several steps of contamination at once, and the order of the end of a phase."""

import pytest

from tests.field.table import PILOT, Table, journal

HIT = ("--dice", "attack: 00 =99 =99 =99 =99 / evade: =99")


@pytest.fixture
def crewed(sides: Table) -> Table:
    """Two squads of the players with pilots, ``arrow`` (Ren) and ``cross`` (Mio), against ``beta``, a Bydo squad.

    The Bydo side has the first phase.
    """
    sides.do("pilot", "add", "Ren", *PILOT)
    sides.do("pilot", "add", "Mio", *PILOT)
    sides.lines("unit add kestrel Arrow --side Players --pilot Ren", "unit add cross Cross --side Players --pilot Mio")
    sides.lines("unit add gains Beta --side Bydo", "battle start Skirmish", "initiative --dice 3,4,2,2", "first bydo")
    sides.lines("set units.arrow.grade D", "set units.arrow.charge 1", "set units.cross.charge 1")
    sides.do("set", "units.beta.charge", "1")
    return sides


def test_p_d5_a_jump_over_two_grades_is_one_change_and_one_check_against_the_last(crewed: Table) -> None:
    """Hit by a Bydo and invaded: D to B in one; Ren checks once, against spirit 30 - 10, after the change."""
    crewed.lines("unit add bramble Bramble --side Bydo")
    crewed.do("attack", "beta", "gun", "arrow", *HIT)
    crewed.do("end", "phase")
    answer = crewed.do("end", "phase", "--dice", "invasion arrow: 99 / invasion cross: 00 / contamination ren: =21 / 1")
    assert [change["after"] for change in answer["changes"] if change["path"] == "units.arrow.grade"] == ["B"]
    keys = [die["key"] for die in answer["dice"]]
    assert keys == ["invasion.arrow", "invasion.cross", "contamination.ren", "spirit.ren.1"]
    trace = journal(crewed.home)[-1]["trace"]
    (target,) = [entry["total"] for entry in trace if entry["t"] == "figure" and entry["key"] == "contamination"]
    assert target == 20
    assert (crewed.unit("beta")["grade"], crewed.unit("bramble")["grade"]) == ("B", "A"), "Bydo units are never checked"


def test_p_d5_a_jump_by_hand_is_checked_at_the_end_of_the_phase_against_where_it_ended(crewed: Table) -> None:
    crewed.do("end", "phase")
    crewed.do("grade", "arrow", "+2")
    assert crewed.unit("arrow")["grade"] == "B"
    answer = crewed.do("end", "phase", "--dice", "contamination: 00")
    assert [die["key"] for die in answer["dice"]] == ["contamination.ren"]


def test_p_d7_contamination_then_the_pilot_then_charge_once_at_the_end_of_the_own_phase(crewed: Table) -> None:
    def charges() -> tuple[int, int, int]:
        units = crewed.state["units"]
        return units["arrow"]["charge"], units["cross"]["charge"], units["beta"]["charge"]

    crewed.do("attack", "beta", "gun", "arrow", *HIT)
    assert charges() == (0, 1, 1), "a hit sets the charge to 0 at once"
    crewed.do("end", "phase")
    assert charges() == (0, 1, 2), "only the side whose phase ends"
    crewed.lines("pass arrow", "move cross 1", "pass cross")
    assert charges() == (0, 1, 2), "while craft act nothing charges"
    crewed.do("end", "phase", "--dice", "=31 4")
    happened = [entry.get("type", entry["t"]) for entry in journal(crewed.home)[-1]["trace"] if entry["t"] != "choice"]
    order = [name for name in happened if name in {"coefficient_risen", "dice", "spirit_lost", "charged", "turn_begun"}]
    assert order == ["coefficient_risen", "dice", "dice", "spirit_lost", "charged", "charged", "turn_begun"]
    assert (crewed.unit("arrow")["grade"], charges()) == ("C", (1, 2, 2))
    crewed.lines("initiative --dice 3,4,2,2", "first bydo")
    assert charges() == (1, 2, 2), "the start of a turn changes nothing"
