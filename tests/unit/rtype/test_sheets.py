"""The sample sheets as a collection: enough of each sort, no two alike, and nothing that cannot be used (RT-27.1)."""

from collections import Counter
from dataclasses import fields
from itertools import combinations
from typing import Any, get_args

import pytest

from gmtool.kernel.view import Grid, Line, Name, Say, View, Word
from gmtool.rulesdata.compile import load
from gmtool.systems.rtype import tables
from gmtool.systems.rtype.book import Book
from gmtool.systems.rtype.model import TEMPERAMENTS, Board
from gmtool.systems.rtype.tables import Kind, Path, Sheet, Trait, Work, sheet_from
from gmtool.systems.rtype.views_sheet import sheet as sheet_view
from gmtool.systems.rtype.views_sheet import sheets as sheets_view
from gmtool.text.catalogue import LANGUAGES

Rows = dict[str, dict[str, Any]]
SUPPORT = {"supply", "repair", "haul", "occupy", "recon"}
OURS = {"id", "name", "origin", "level", "cost"}
LOAD = 200  # RT-12.9


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Rows]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("GMTOOL_CACHE", str(tmp_path_factory.mktemp("cache")))
        return load("rtype", tables)


@pytest.fixture(scope="module")
def rows(data: dict[str, Rows]) -> Rows:
    return data["craft"]


@pytest.fixture(scope="module")
def book(data: dict[str, Rows]) -> Book:
    return Book(Board({}), data)


@pytest.fixture(scope="module")
def sheets(rows: Rows) -> list[Sheet]:
    return [sheet_from(row) for row in rows.values()]


@pytest.fixture(scope="module")
def bydo(sheets: list[Sheet]) -> list[Sheet]:
    return [sheet for sheet in sheets if sheet.bydo and sheet.squad != "force"]


@pytest.fixture(scope="module")
def fighters(sheets: list[Sheet]) -> list[Sheet]:
    """R fighters: squads and single craft whose work is to fight."""
    flying = [sheet for sheet in sheets if not sheet.bydo and sheet.squad in ("rc", "single")]
    return [sheet for sheet in flying if not SUPPORT & set(sheet.functions)]


def weapons_of(sheets: list[Sheet]) -> list[tables.Weapon]:
    return [weapon for sheet in sheets for weapon in sheet.weapons]


def figures(value: Any) -> Any:
    """A sheet's row without what tells nothing of how it plays: ids, names, whence it comes, what it costs."""
    if isinstance(value, dict):
        return {key: figures(each) for key, each in value.items() if key not in OURS}
    return [figures(each) for each in value] if isinstance(value, list) else value


# how many of each


def test_there_are_twelve_fighters_and_more_both_squads_and_single_craft(fighters: list[Sheet]) -> None:
    forms = Counter(sheet.squad for sheet in fighters)
    assert forms.total() >= 12
    assert min(forms["rc"], forms["single"]) >= 6


def test_there_are_four_forces_and_three_ships_for_the_players(sheets: list[Sheet]) -> None:
    forms = Counter(sheet.squad for sheet in sheets if not sheet.bydo)
    assert forms["force"] >= 4
    assert forms["ship"] >= 3


def test_there_are_sixteen_bydo_and_some_of_each_grade_from_d_to_s(bydo: list[Sheet]) -> None:
    assert len(bydo) >= 16
    grades = Counter(sheet.grade for sheet in bydo)
    assert set(grades) == {"D", "C", "B", "A", "S"}
    assert min(grades.values()) >= 3


def test_someone_supplies_repairs_scouts_hauls_and_occupies(sheets: list[Sheet]) -> None:
    flying = [sheet for sheet in sheets if not sheet.bydo and sheet.squad != "ship"]
    assert {each for sheet in flying for each in sheet.functions} >= SUPPORT


# of every sort


@pytest.mark.parametrize("function", [*get_args(Work), *get_args(Trait)])
def test_each_function_is_on_some_sheet(sheets: list[Sheet], function: str) -> None:
    assert any(function in sheet.functions for sheet in sheets)


@pytest.mark.parametrize("kind", get_args(Kind))
def test_each_kind_of_weapon_is_on_two_sheets(sheets: list[Sheet], kind: str) -> None:
    assert sum(any(weapon.kind == kind for weapon in sheet.weapons) for sheet in sheets) >= 2


def test_weapons_fly_each_path_and_have_each_area_and_stage(sheets: list[Sheet]) -> None:
    weapons = weapons_of(sheets)
    assert {weapon.path for weapon in weapons} == set(get_args(Path))
    areas = [weapon.area for weapon in weapons if weapon.area]
    assert {area.shape for area in areas} == {"line", "cone", "burst", None}
    assert {weapon.charge for weapon in weapons if weapon.charge} == {1, 2, 3, 4, 5, 6, 7}
    assert any(isinstance(weapon.damage, str) for weapon in weapons)


def test_someone_can_shoot_missiles_down_on_either_side(fighters: list[Sheet], bydo: list[Sheet]) -> None:
    for side in (fighters, bydo):
        weapons = weapons_of(side)
        assert any(weapon.intercept for weapon in weapons)
        assert any(weapon.kind == "missile" for weapon in weapons)
        assert any(weapon.counter and weapon.kind == "charge" for weapon in weapons)


def test_bydo_differ_in_form_temper_and_means(bydo: list[Sheet]) -> None:
    assert {sheet.squad for sheet in bydo} == {"rc", "single", "ship"}
    assert {sheet.temperament for sheet in bydo} == set(TEMPERAMENTS)
    assert {weapon.kind for weapon in weapons_of(bydo)} == set(get_args(Kind))
    functions = {each for sheet in bydo for each in sheet.functions}
    assert functions >= {"decoy", "subspace", "sonar", "supply", "repair", "occupy", "uncarriable"}


def test_large_bydo_carry_small_ones_and_have_parts(bydo: list[Sheet]) -> None:
    assert any(sheet.capacity for sheet in bydo)
    assert any("uncarriable" not in sheet.functions for sheet in bydo)
    assert any(len(sheet.parts) > 1 for sheet in bydo)


def test_forces_are_ordinary_indestructible_and_le(sheets: list[Sheet]) -> None:
    forces = [sheet for sheet in sheets if sheet.squad == "force"]
    assert {(force.indestructible, force.le) for force in forces} == {(False, False), (True, False), (True, True)}
    assert all(force.weapons for force in forces)


def test_ships_carry_craft_cover_hexes_and_one_has_turrets(sheets: list[Sheet]) -> None:
    ships = [sheet for sheet in sheets if sheet.squad == "ship"]
    assert all(ship.capacity and len(ship.hexes) > 1 for ship in ships)
    assert any(ship.parts for ship in ships)


def test_the_mk_2_worker_holds_three_times_as_much(sheets: list[Sheet]) -> None:
    holds = {sheet.id: sheet.hold for sheet in sheets if "haul" in sheet.functions}
    assert (holds["pickaxe"], holds["pickaxe-mk2"]) == (LOAD, 3 * LOAD)
    assert all(sheet.hold == LOAD for sheet in sheets if sheet.id not in holds)


def test_every_key_of_a_sheet_and_of_a_weapon_is_in_use(sheets: list[Sheet]) -> None:
    """The sheets are what a table copies from."""
    kinds: tuple[list[Any], ...] = (sheets, weapons_of(sheets))
    for entries in kinds:
        keys = [(field.name, field.default) for field in fields(entries[0])]
        assert not [key for key, default in keys if all(getattr(entry, key) == default for entry in entries)]


# each one usable, no two alike


def test_all_sheets_are_marked_as_ours(sheets: list[Sheet]) -> None:
    assert {sheet.origin for sheet in sheets} == {"gmtool sample"}


def test_everything_has_a_name_in_each_language(sheets: list[Sheet]) -> None:
    things: list[Any] = [thing for sheet in sheets for thing in (sheet, *sheet.weapons, *sheet.parts)]
    named = [thing.name for thing in things]
    assert all(isinstance(name, dict) and set(name) == set(LANGUAGES) for name in named)


@pytest.mark.parametrize("lang", LANGUAGES)
def test_no_name_stands_for_two_things(rows: Rows, lang: str) -> None:
    """Neither two sheets, nor two weapons or parts of one sheet, are called the same."""
    for things in (list(rows.values()), *([*row["weapons"], *row["parts"]] for row in rows.values())):
        for key in (thing["id"] for thing in things), (thing["name"][lang].casefold() for thing in things):
            assert not [each for each, n in Counter(key).items() if n > 1]


def test_no_two_sheets_are_alike_but_for_their_names(rows: Rows) -> None:
    alike = [(one["id"], two["id"]) for one, two in combinations(rows.values(), 2) if figures(one) == figures(two)]
    assert not alike


def test_no_two_sheets_have_the_same_weapons(rows: Rows) -> None:
    armed = [(row["id"], figures(row["weapons"])) for row in rows.values()]
    assert not [(one, two) for (one, arms), (two, others) in combinations(armed, 2) if arms == others]


def test_each_force_named_is_a_force_and_each_force_is_named(sheets: list[Sheet]) -> None:
    forces = {sheet.id for sheet in sheets if sheet.squad == "force"}
    assert {force for sheet in sheets for force in sheet.forces} == forces


def test_a_craft_and_its_force_are_of_one_side(sheets: list[Sheet]) -> None:
    bydo = {sheet.id: sheet.bydo for sheet in sheets}
    assert not [sheet.id for sheet in sheets for force in sheet.forces if bydo[force] != sheet.bydo]


def test_a_craft_with_lasers_has_a_force_to_fire_them_with(sheets: list[Sheet]) -> None:
    """RT-4.15: without a fitting force attached no laser is usable."""
    assert not [sheet.id for sheet in sheets if not sheet.forces and "laser" in {w.kind for w in sheet.weapons}]


def test_a_decisive_weapon_craft_has_a_force_to_guard_with(sheets: list[Sheet]) -> None:
    unbreakable = {sheet.id for sheet in sheets if sheet.indestructible}
    decisive = [sheet for sheet in sheets if "decisive" in sheet.functions]
    assert all(unbreakable & set(sheet.forces) for sheet in decisive)


def test_who_goes_into_subspace_has_fuel_for_it(sheets: list[Sheet]) -> None:
    assert all(sheet.fuel for sheet in sheets if "subspace" in sheet.functions)


def test_a_higher_development_level_costs_more(sheets: list[Sheet]) -> None:
    """Within one side and squad form, nothing of a lower level costs as much as anything of a higher one."""
    for one, two in combinations(sheets, 2):
        if (one.bydo, one.squad) == (two.bydo, two.squad) and one.level != two.level:
            low, high = sorted((one, two), key=lambda sheet: sheet.level)
            assert low.cost < high.cost, (low.id, high.id)


# how they are shown


def said(view: View) -> list[Say]:
    return [block.say for block in view.blocks if isinstance(block, Line)]


def figures_of(view: View) -> dict[str, Any]:
    grid = next(block for block in view.blocks if isinstance(block, Grid))
    return {column.key: cell.text for column, cell in zip(grid.columns, grid.rows[0], strict=True)}


def test_the_list_has_the_fleet_first_then_the_bydo_each_by_form_and_level(book: Book) -> None:
    grid = sheets_view(book).blocks[0]
    assert isinstance(grid, Grid)
    ids = [row[0].text for row in grid.rows]
    assert ids[:3] == ["swallow", "kestrel", "sleet"]
    assert ids[-3:] == ["orchid-throne", "ossuary", "thorn-force"]
    assert ids.index("long-promise") < ids.index("round-force") < ids.index("midge")


def test_a_worker_shows_what_it_holds_and_a_ship_what_it_covers(book: Book) -> None:
    """Long Promise: five hexes of its own, and the upper turret's."""
    assert figures_of(sheet_view(book, "pickaxe-mk2"))["hold"] == 600
    assert figures_of(sheet_view(book, "long-promise"))["covers"] == 6
    assert not {"hold", "covers"} & set(figures_of(sheet_view(book, "kestrel")))


def test_a_force_says_that_it_is_non_destructible_and_le(book: Book) -> None:
    words = [Word("indestructible"), Word("le")]
    assert Say("view.sheet.functions", {"functions": words}) in said(sheet_view(book, "vagrant-force"))


def test_a_bydo_shows_its_temperament_and_its_parts_by_name_and_id(book: Book) -> None:
    shown = said(sheet_view(book, "orchid-throne"))
    assert Say("view.unit.unmanned", {"temperament": Word("all-or-nothing")}) in shown
    assert Say("view.sheet.parts", {"part": Name("orchid-throne/lip"), "id": "lip", "hp": 180}) in shown
