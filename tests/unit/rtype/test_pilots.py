"""Pilots as they are shown and as they stand: skills by their own names, and the worst that holds."""

from collections.abc import Callable
from typing import Any

import pytest

from gmtool.kernel.state import Map, replace
from gmtool.systems.rtype.model import Pilot
from gmtool.systems.rtype.rules.r11_survival import standing, stood

ABILITIES = "--body 20 --agility 30 --intelligence 15 --diplomacy 15 --life 50 --spirit 30"
KEN = Pilot("Ken", None, 20, 30, 15, 15, 50, 30, 50, 30, lives=Map(now=3, max=3))


@pytest.mark.parametrize(
    ("fields", "state"),
    [
        ({}, "ready"),
        ({"out": True}, "unconscious"),
        ({"life": 0}, "dying"),
        ({"life": -3, "out": True}, "dying"),
        ({"life": -3, "treated": True}, "ready"),
        ({"life": -3, "treated": True, "out": True}, "unconscious"),
        ({"life": -3, "out": True, "state": "bydo"}, "bydo"),
        ({"life": 50, "state": "dead"}, "dead"),
    ],
)
def test_a_pilots_state_is_the_worst_that_holds(fields: dict[str, Any], state: str) -> None:
    assert standing(replace(KEN, **fields)) == state


def test_unconscious_set_by_hand_outlasts_another_change() -> None:
    """``set pilots.ken.state`` says it without the mark that a rule sets."""
    assert stood(replace(KEN, state="unconscious"), life=40).state == "unconscious"
    assert stood(replace(KEN, state="ready", out=True), life=0).unconscious is False


@pytest.mark.parametrize(("lang", "name"), [("en", "Gunnery"), ("ja", "射撃"), ("ko", "사격")])
def test_a_skill_in_a_figure_is_shown_by_its_own_name(gm: Callable[..., Any], lang: str, name: str) -> None:
    for line in (
        "campaign new Skills --system rtype",
        "side add Players --players",
        "side add Bydo",
        f"pilot add Ken {ABILITIES} --skill gunnery=3",
        "unit add kestrel Alpha --side Players --pilot Ken",
        "unit add gains Beta --side Bydo",
        "battle start",
        "initiative players=6 bydo=5",
        "first players",
    ):
        assert gm(*line.split()).code == 0, line
    shown = gm("attack", "alpha", "vulcan", "beta", "--once", "--skill", name, "--dice", "99", "--lang", lang)
    assert f"{name} +15" in shown.out
    assert name in gm("why", "--lang", lang).out
    told = gm("why", "--json").objects[0]["result"]["trace"]
    figure = next(entry for entry in told if entry["t"] == "figure")
    part = {"key": "skill:gunnery", "n": 15, "rule": "RT-23.4", "name": {"id": "gunnery"}}
    assert part in figure["parts"]
