"""Classes and scenarios as they are looked at: everything of their data, in 80 columns, in words of every language."""

import re
from collections.abc import Callable

import pytest

from gmtool.text.catalogue import LANGUAGES
from gmtool.text.width import cells
from tests.conftest import Ran

Gm = Callable[..., Ran]
CLASSES = (
    "terran-bb", "terran-bc", "terran-ca", "terran-cl", "terran-cv", "terran-dd", "terran-sc", "terran-ftr",
    "terran-tran", "terran-base", "talon-dn", "talon-bb", "talon-bc", "talon-ca", "talon-cl", "talon-dd", "talon-ff",
    "talon-tran", "talon-base",
)  # fmt: skip
LINES = ("sheet list", "sheet list talon", *(f"sheet show {id}" for id in CLASSES), "scenario list",
         "scenario show 1", "scenario show 2", "scenario show 4")  # fmt: skip
every_language = pytest.mark.parametrize("lang", LANGUAGES)


@pytest.fixture
def table(gm: Gm) -> Gm:
    assert gm("campaign", "new", "T", "--system", "talon").code == 0
    return gm


@every_language
def test_all_that_is_looked_at_fits_and_has_its_words(table: Gm, lang: str) -> None:
    for line in LINES:
        ran = table(*line.split(), "--lang", lang, env={"COLUMNS": "80"})
        assert ran.code == 0, ran.err
        assert [row for row in ran.out.splitlines() if cells(row) > 80] == [], line
        assert not re.search(r"<[a-z]+\.", ran.out), ran.out


@every_language
def test_no_word_is_left_in_its_bare_form(table: Gm, lang: str) -> None:
    """A word without a term would be shown as the data has it."""
    shown = "".join(table(*line.split(), "--lang", lang).out for line in ("sheet show terran-base", "scenario show 4"))
    bare = {
        "en": ("black-hole", "group-lost"),
        "ja": ("front", "rear", "base", "Terran"),
        "ko": ("front", "rear", "base"),
    }
    assert [word for word in bare[lang] if word in shown.replace("Talon", "")] == []


def test_a_class_shows_its_curve_with_the_impulses_its_hull_and_its_weapons(table: Gm) -> None:
    """The Terran heavy cruiser: 3-3-2 at the start, AP and moves in B D F; box 4 of 6 is critical."""
    shown = [" ".join(row.split()) for row in table("sheet", "show", "terran-ca").out.splitlines()]
    assert "3 3 2 B D F B D F start" in shown
    assert "4 2 1 A C D F C F" in shown
    assert "6 5 4 5" in shown
    assert "hull 6: 0 0 -1 -1* -1 -2" in shown
    assert "2 Torpedo 1 front 2 2" in [row.replace("Anti-matter torpedo", "Torpedo") for row in shown]
    # the torpedo at ranges 2 to 4, the phaser at 1
    assert {"2 - 4 4 4 4 4", "3 - - 4 4 4 4", "4 - - - - 4 4", "1 1 2 2 2 2 2"} <= set(shown)


def test_a_class_is_found_by_its_name_among_those_of_a_race(table: Gm) -> None:
    assert table("sheet", "show", "dreadnought").code == 0
    ran = table("sheet", "show", "battleship")
    assert ran.code == 2
    assert "Battleship (talon-bb), Battleship (terran-bb)" in ran.err


def test_the_list_of_a_race_has_its_classes_only(table: Gm) -> None:
    assert table("sheet", "list", "terran", "--json").objects[0]["result"]["sheets"] == list(CLASSES[:10])


def test_a_scenario_shows_points_and_who_begins(table: Gm) -> None:
    shown = table("scenario", "show", "1").out
    assert "Terrans   Terran, 230 points" in shown
    assert "Talons   Talon, 230 points, initiative" in shown


def test_a_class_in_use_is_shown_as_it_is_pinned(table: Gm) -> None:
    """What the files say later changes nothing of a ship that is there."""
    for line in ("side add Terrans --race terran", "ship add CA --side Terrans"):
        assert table(*line.split()).code == 0
    assert table("sheet", "show", "terran-ca", "--json").objects[0]["result"]["sheet"]["points"] == 115
