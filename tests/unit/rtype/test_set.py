"""What `set` may put down and what not: no figure beyond its limits, no link that is known at one end only."""

from collections.abc import Callable
from typing import Any

import pytest

from tests.conftest import Ran

Gm = Callable[..., Ran]
PILOT = "pilot add Ren --body 20 --agility 30 --intelligence 15 --diplomacy 15 --life 50 --spirit 30 --lives 3"


@pytest.fixture
def table(gm: Gm) -> Gm:
    """Ren flies Alpha against the flagship Beta, in the players' phase; another battle was put by."""
    lines = (
        "campaign new Test --system rtype", "side add Players --players", "side add Bydo", PILOT + " --skill dodging=4",
        "unit add kestrel Alpha --side Players --pilot Ren", "unit add gains Beta --side Bydo", "battle start One",
        "battle park", "battle start Two --victory players=flagship --flagship alpha --flagship beta",
        "initiative --dice 3,4,2,2", "first players",
    )  # fmt: skip
    for line in lines:
        ran = gm(*line.split(), "--json")
        assert ran.code == 0, ran
    return gm


def error(ran: Ran) -> dict[str, Any]:
    """The error of a line that was not done."""
    (answer,) = ran.objects
    assert answer["ok"] is False, answer
    return dict(answer["error"])


@pytest.mark.parametrize(
    ("path", "value", "low", "high"),
    [
        ("pilots.ren.life_max", 49, 50, 1_000_000),  # he has 50 life
        ("pilots.ren.spirit_max", 29, 30, 1_000_000),
        ("pilots.ren.lives.max", 2, 3, 1_000_000),
        ("pilots.ren.lives.now", 4, 0, 3),
        ("pilots.ren.skills.dodging", 11, 1, 10),
        ("pilots.ren.skills.dodging", 0, 1, 10),
        ("sides.players.bonus", -101, -100, 100),
    ],
)
def test_a_figure_is_refused_with_its_limits(table: Gm, path: str, value: int, low: int, high: int) -> None:
    ran = table("set", path, str(value), "--json")
    assert ran.code == 1
    assert error(ran)["facts"] == {"value": value, "low": low, "high": high, "path": path}


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("pilots.ren.life_max", 51),
        ("pilots.ren.lives.max", 4),
        ("pilots.ren.skills.dodging", 10),
        ("sides.bydo.bonus", -5),
    ],
)
def test_a_figure_within_its_limits_is_set(table: Gm, path: str, value: int) -> None:
    (change,) = table("set", path, str(value), "--json").objects[0]["changes"]
    assert (change["path"], change["after"]) == (path, value)


def test_a_maximum_may_come_down_to_what_there_is_below_it(table: Gm) -> None:
    """Life -3 of 50: the maximum may be 0, not less."""
    assert table("set", "pilots.ren.life", "-3").code == 0
    assert table("set", "pilots.ren.life_max", "-1").code == 1
    assert table("set", "pilots.ren.life_max", "0").code == 0


@pytest.mark.parametrize(
    "path",
    ["battle.now.current", "battle.now.flagships.bydo", "battle.now.victory.players", "pilots.ren.where"],
)
def test_what_ties_things_together_is_not_set(table: Gm, path: str) -> None:
    """Ren sits in Alpha: where he is follows from the seat."""
    ran = table("set", path, "ashore", "--json")
    assert (ran.code, error(ran)["code"]) == (2, "bad-value")
    assert "ties things together" in error(ran)["message"]


def test_where_a_pilot_without_a_seat_is_can_be_set(table: Gm) -> None:
    assert table("unseat", "alpha", "--force").code == 0
    assert table("set", "pilots.ren.where", "missing").code == 0


def test_a_battle_that_was_put_by_is_not_set(table: Gm) -> None:
    """Its rows are kept as they were; it is resumed first."""
    ran = table("set", "parked.one.battle.acting", "nobody", "--json")
    assert (ran.code, "parked" in error(ran)["facts"]["tables"]) == (2, False)


@pytest.mark.parametrize("value", ["\x1b[31m", "\u202e", "x" * 81])
def test_a_text_set_by_hand_can_be_shown(table: Gm, value: str) -> None:
    ran = table("set", "units.alpha.at", value, "--json")
    assert (ran.code, error(ran)["code"]) == (2, "bad-value")


def test_no_rule_brings_a_figure_beyond_a_million(table: Gm) -> None:
    """The charge rises by 1 at the end of the phase: 1,000,001 is refused, and nothing else of the phase happens."""
    assert table("set", "units.alpha.charge", "1000000").code == 0
    ran = table("end", "phase", "--json")
    assert ran.code == 1
    assert error(ran)["facts"] == {
        "path": "units.alpha.charge", "value": 1_000_001, "low": -1_000_000, "high": 1_000_000
    }  # fmt: skip
    assert table("status", "--json").objects[0]["result"]["phase"] == "first"
    assert table("set", "units.alpha.charge", "999999").code == 0
    assert table("end", "phase").code == 0


def test_a_unit_that_needs_no_fuel_is_given_none(table: Gm) -> None:
    """RT-4.23: a barnacle has no fuel on its sheet, so there is nothing to set."""
    assert table("unit", "add", "barnacle", "Crust", "--side", "Bydo").code == 0
    ran = table("set", "units.crust.fuel", "0", "--json")
    assert (ran.code, error(ran)["code"]) == (1, "bad-value")
    assert table("fuel", "crust", "0", "--json").objects[0]["error"]["message"] == error(ran)["message"]


def test_a_hex_is_a_text_though_it_is_written_in_digits(table: Gm) -> None:
    (change,) = table("set", "units.alpha.at", "0304", "--json").objects[0]["changes"]
    assert change == {"path": "units.alpha.at", "before": None, "after": "0304", "rule": ""}
    (change,) = table("set", "units.alpha.at", "-", "--json").objects[0]["changes"]
    assert change["after"] is None


@pytest.mark.parametrize("path", ["units.alpha.at", "units.alpha.name"])
@pytest.mark.parametrize("value", ["\x1b[31m", "x" * 81])
def test_nor_is_a_text_that_cannot_be_shown_put_in_its_place_afterwards(table: Gm, path: str, value: str) -> None:
    assert table("set", path, "Omen").code == 0
    ran = table("amend", value, "--json")
    assert (ran.code, error(ran)["code"]) == (2, "bad-value")
    assert table("amend", "Oracle").code == 0
