"""Odds as they are typed: a shot, several in turn, a repair; in words of every language."""

from collections.abc import Callable

import pytest

from gmtool.text.catalogue import LANGUAGES
from tests.conftest import Ran
from tests.setups import BOWS

Gm = Callable[..., Ran]
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


CONE = """
side add Terra --race terran
side add Horde --race talon
ship add talon-bb Eviscerator --side Horde --at 0505 --facing n
ship add terran-bb Defiant --side Terra --at 0503 --facing s
terrain add planet 0504
config tl-15.2.2 behind
"""


def test_a_ship_that_a_planet_hides_is_aimed_at_without_odds_of_a_hit(gm: Gm) -> None:
    """By that reading a fusion cannon may be fired at it; it takes nothing."""
    assert gm("campaign", "new", "T", "--system", "talon").code == 0
    assert gm("run", "-", input=CONE.strip()).code == 0
    (chance,) = gm("aim", "eviscerator", "2", "--json").objects[0]["result"]["groups"]["2"]
    assert (chance["target"], chance["range"], chance["hit"]) == ("defiant", 2, None)


MISSILE = """
side add Terra --race terran
side add Horde --race talon
ship add terran-ca Guderian --side Terra --at 0505 --facing n
ship add talon-dd Hunter --side Horde --at 0503 --facing s
battle start --initiative Horde
fire hunter 2 guderian
terrain add asteroid 0504
"""


@pytest.mark.parametrize(("reading", "die", "hit"), [("counts", -1, 5 / 6), ("none", 0, 1)])
def test_the_die_at_a_missile_loses_what_the_campaign_says(gm: Gm, reading: str, die: int, hit: float) -> None:
    """A phaser at range 1 hits with any die that is 1 or more."""
    assert gm("campaign", "new", "T", "--system", "talon").code == 0
    assert gm("run", "-", input=f"{MISSILE.strip()}\nconfig tl-17.5-missile {reading}").code == 0
    found = gm("aim", "guderian", "1", "missile-1", "--json").objects[0]["result"]["groups"]["1"]
    assert [(each["die"], each["hit"]) for each in found] == [(die, pytest.approx(hit, abs=0.01))]
