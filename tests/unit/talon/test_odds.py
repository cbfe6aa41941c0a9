"""Odds as they are typed: a shot, several in turn, a repair; in words of every language."""

from collections.abc import Callable

import pytest

from gmtool.text.catalogue import LANGUAGES
from tests.conftest import Ran

Gm = Callable[..., Ran]
BOWS = """
side add Terra --race terran
side add Horde --race talon
ship add terran-ca Guderian --side Terra --at 0505 --facing n
ship add talon-ca Justice --side Horde --at 0502 --facing s
battle start Bows --initiative Terra
set ships.justice.shields.front 0
set ships.justice.hull 3
"""
ALL = ("fire", "guderian", "2", "justice", "/", "fire", "guderian", "1", "justice", "／", "fire", "guderian", "3", "x1")


@pytest.fixture
def bows(gm: Gm) -> Gm:
    """Two cruisers bow to bow at range 3, the enemy's shield gone and its next critical box but one to come."""
    assert gm("campaign", "new", "T", "--system", "talon").code == 0
    assert gm("run", "-", input=BOWS.strip()).code == 0
    return gm


def test_a_shot(bows: Gm) -> None:
    """A torpedo hits at 3 and more: four boxes, of which the last is its last; the critical box 5 lies between."""
    result = bows("odds", "fire", "guderian", "2", "justice", "--json").objects[0]["result"]
    assert result["hits"]["chances"] == {"0": pytest.approx(1 / 3), "1": pytest.approx(2 / 3)}
    assert result["hull.justice"]["chances"]["4"] == pytest.approx(2 / 3 * 35 / 36), "or a core breach after two"
    assert result["lost.justice"] == pytest.approx(2 / 3)
    assert result["helm-down.justice"] == pytest.approx(2 / 3 * 3 / 36)


def test_several_shots_in_turn(bows: Gm) -> None:
    """A hit of the torpedo leaves the others nothing; else the phasers hit at 5 and 6 with a box each."""
    body = bows("odds", *ALL, "--json").objects[0]
    assert body["lapsed"][0] == pytest.approx(2 / 3)
    assert body["result"]["hits"]["chances"] == pytest.approx({"0": 4 / 27, "1": 2 / 3 + 4 / 27, "2": 1 / 27})
    assert body["overruled"] == []
    again = bows("odds", "fire", "guderian", "2", "justice", "/", "fire", "guderian", "2", "justice", "--json")
    assert again.objects[0]["lapsed"] == [1.0]


@pytest.mark.parametrize("lang", LANGUAGES)
def test_odds_have_their_words(bows: Gm, lang: str) -> None:
    shown = bows("odds", *ALL, "--lang", lang)
    assert shown.code == 0
    assert "{" not in shown.out
    for key in ("criticals", "hull", "lost.", "helm-down", "group-lost", "ftl-offline"):
        assert key not in shown.out or lang == "en"


@pytest.mark.parametrize(
    "line", [("fire", "guderian", "2", "justice", "/"), ("/",), ("fire", "guderian", "2", "justice", "/", "status")]
)
def test_a_stroke_parts_lines_of_the_game_only(bows: Gm, line: tuple[str, ...]) -> None:
    assert bows("odds", *line).code == 2


def test_the_stroke_of_a_free_roll_is_its_own(bows: Gm) -> None:
    assert bows("odds", "roll", "2d6", "/", "3").code == 0


def test_a_repair(bows: Gm) -> None:
    """A six; that the marker came in this impulse is set aside and named."""
    bows("mark", "guderian", "helm-down")
    body = bows("odds", "repair", "guderian", "helm-down", "--json").objects[0]
    assert body["result"] == {"repaired": pytest.approx(1 / 6)}
    assert [each["code"] for each in body["overruled"]] == ["already-acted"]
