"""What a table reads as a turn goes on: who acts, what waits, what shots would do; nothing is decided here."""

from collections.abc import Callable

import pytest

from tests.conftest import Ran

Gm = Callable[..., Ran]


@pytest.fixture
def duel(gm: Gm) -> Gm:
    """Scenario 1 in impulse A of round 1, the Talons first."""
    for line in ("campaign new T --system talon", "scenario start 1", "battle start"):
        assert gm(*line.split()).code == 0, line
    return gm


def last(ran: Ran) -> str:
    """The last line of what was shown."""
    return ran.out.splitlines()[-1].strip()


def test_before_the_battle_each_side_shows_what_its_ships_cost(gm: Gm) -> None:
    for line in ("campaign new T --system talon", "side add Reds --race talon --points 200", "ship add CA --side reds"):
        assert gm(*line.split()).code == 0, line
    assert "Reds   115 of 200 points" in gm("status").out
    gm(*["scenario", "start", "1"])
    shown = gm("status").out
    assert "Talons   initiative   230 points" in shown
    assert shown.splitlines()[-1] == "next  battle start"


def test_a_turn_in_which_nothing_waits_is_passed_by_one_line(duel: Gm) -> None:
    """No AP and no move in A with 3-3, nobody in reach; the Talons have afterburners, the Terrans empty batteries."""
    assert duel("status").out.splitlines()[-1] == ("next  Talons: nothing has to be done   next (afterburner: x1 x2)")
    assert last(duel("next")) == "next  Terrans: nothing left to do   next"
    assert last(duel("next")) == "next  Talons, AP of: x1 x2   ap SHIP USE, or next"


def test_the_head_of_a_ruling_names_the_side_whose_turn_it_is(duel: Gm) -> None:
    """Also where nothing else in the ruling names it."""
    for line in ("next", "next", "next", "go justice ahead"):
        assert duel(*line.split()).code == 0, line
    assert duel("go", "unity", "ahead").out.startswith("#8  round 1, impulse B, Talons: movement")


def test_shots_can_be_looked_at_before_they_are_fired(duel: Gm) -> None:
    """Four hexes apart, bow to bow: a disruptor hits with 5 and 6 for 2, on an average 0.67."""
    duel(*["deploy", "justice", "0608", "n", "--force"])
    (*_, row) = duel(*["aim", "justice", "1", "1=napoleon"]).out.splitlines()
    assert row.split()[-6:] == ["4", "Front", "0", "33", "%", "0.67"]
    refused = duel(*["aim", "justice", "1", "zhukov"])
    assert refused.code == 1
    assert "Zhukov is at range 5; Disruptor reaches 1 to 4 (TL-8.3)." in refused.err
