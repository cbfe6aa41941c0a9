"""Field reports C4 and D4: shields before the hull, and which box of a bar is marked when."""

from collections.abc import Callable
from typing import Any

import pytest

from tests.conftest import Ran

Gm = Callable[..., Ran]
DUEL = (
    "campaign new T --system talon", "side add Terra --race terran", "side add Horde --race talon",
    "ship add terran-ca Alpha --side Terra --at 0608 --facing n",
    "ship add talon-ca Beta --side Horde --at 0605 --facing s",
)  # fmt: skip


@pytest.fixture
def table(gm: Gm) -> Gm:
    """Two heavy cruisers face each other at range 3."""
    for line in DUEL:
        must(gm, line)
    return gm


def must(gm: Gm, line: str, *dice: str) -> None:
    ran = gm(*line.split(), *(("--dice", *dice) if dice else ()))
    assert ran.code == 0, f"{line}: {ran.out}{ran.err}"


def ships(gm: Gm) -> dict[str, Any]:
    found: dict[str, Any] = gm("status", "--json").objects[0]["result"]["ships"]
    return found


def shown(gm: Gm, id: str, *paths: str) -> list[Any]:
    """Figures of a ship, by the names they have in its row; ``shields.front`` is one of a row."""
    row = ships(gm)[id]
    return [row[path] if "." not in path else row[path.split(".")[0]][path.split(".")[1]] for path in paths]


def refused(gm: Gm, line: str, code: str, message: str) -> None:
    """Refused with this code, told in these words, and nothing has changed."""
    before = ships(gm)
    error = gm(*line.split(), "--json").objects[0]["error"]
    assert (error["code"], message in error["message"]) == (code, True), error
    assert ships(gm) == before


def test_p_c4_a_hit_smaller_than_the_shield_leaves_the_hull_alone(table: Gm) -> None:
    """A torpedo, 4 damage, on a front shield of 7 and a hull with a box marked already: 3 and still the one."""
    must(table, "set ships.beta.hull 1")
    must(table, "battle start --initiative terra")
    must(table, "fire alpha 2 beta", "6")
    assert shown(table, "beta", "shields.front", "hull") == [3, 1]


def test_p_c4_what_a_shield_cannot_take_goes_to_the_hull(table: Gm) -> None:
    """The same 4 on a shield of 1: none left, and 3 boxes of the hull; the third is critical, and a 3 marks no more."""
    must(table, "set ships.beta.shields.front 1")
    must(table, "battle start --initiative terra")
    must(table, "fire alpha 2 beta", "6 / 1 2")
    assert shown(table, "beta", "shields.front", "hull") == [0, 3]


def test_p_d4_power_marks_yellow_boxes_and_the_power_phase_red_ones_first(table: Gm) -> None:
    """Power 5 has an AP in impulse A; the torpedo's bar, 2 red and 2 yellow, is empty, a phaser's has its red box."""
    for line in ("power 5", "speed 1", "turn 1", "red.2 0", "yellow.2 0", "yellow.1 0"):
        must(table, f"set ships.alpha.{line}")
    must(table, "battle start --initiative terra")
    refused(table, "ap alpha charge 2 red", "usage", "red")
    must(table, "ap alpha charge 2")
    assert shown(table, "alpha", "red.2", "yellow.2") == [0, 1], "also while its red boxes are open (TL-8.1.2)"
    refused(table, "ap alpha charge 2", "no-ap", "AP")
    refused(table, "fire alpha 2 beta", "not-charged", "1 of 4")
    before_the_power_phase(table)
    assert shown(table, "alpha", "red.2", "yellow.2", "red.1", "yellow.1") == [0, 1, 1, 0]
    must(table, "next")
    assert shown(table, "alpha", "red.2", "yellow.2", "red.1", "yellow.1") == [1, 1, 1, 1]


def before_the_power_phase(table: Gm) -> None:
    """Play is passed on to the last turn of impulse F; whoever must move goes ahead."""
    for _ in range(60):
        row = table("status", "--json").objects[0]["result"]
        if row["impulse"] == "F" and row["acting"] == "horde" and ships(table)["beta"]["moved"]:
            return
        ran = table("next", "--json").objects[0]
        if not ran["ok"]:
            due = "beta" if row["acting"] == "horde" else "alpha"
            must(table, f"go {due} ahead")
    raise AssertionError("the round has no end")
