"""The shipped R-TYPE data, and the sheets rules get from it."""

from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest

from gmtool.rulesdata.compile import load
from gmtool.systems.rtype import tables
from gmtool.systems.rtype.tables import Area, sheet_from

Data = dict[str, dict[str, dict[str, Any]]]


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Data:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("GMTOOL_CACHE", str(tmp_path_factory.mktemp("cache")))
        return load("rtype", tables)


def test_there_is_a_figure_for_every_field_and_no_other(data: Data) -> None:
    names = [field.name.replace("_", "-") for field in fields(tables.Figures)]
    assert sorted(data["figures"]) == sorted(names)


def test_what_is_not_the_books_figure_is_marked_as_a_default(data: Data) -> None:
    """RT-21.5, RT-22.1, RT-22.2, RT-23.4: some of these are the book's, some ours."""
    source = {id: row["source"] for id, row in data["figures"].items()}
    assert source["life-raise"] == source["focus"] == "known"
    assert source["attack-critical-times"] == source["lives"] == source["skill-per-level"] == "default"
    assert "house" not in source.values()


def test_every_interpretation_is_named_after_its_rule(data: Data) -> None:
    for id, row in data["interpretations"].items():
        # a rule with several readings has a word behind it for each
        assert id.partition("-")[0] + "-" + id.split("-")[1] == row["rule"].lower()
        assert row["default"] in row["options"]


def test_a_sheet_has_the_figures_of_its_file(data: Data) -> None:
    kestrel = sheet_from(data["craft"]["kestrel"])
    assert (kestrel.squad, kestrel.hp, kestrel.fuel, kestrel.evade, kestrel.move) == ("rc", 100, 40, 20, 5)
    assert (kestrel.grade, kestrel.bydo, kestrel.temperament, kestrel.replacements) == ("clean", False, "placid", 10)
    assert (kestrel.hexes, kestrel.forces, kestrel.functions) == (((0, 0),), ("round-force",), ())


def test_a_weapon_goes_by_its_id_or_its_number_in_sheet_order(data: Data) -> None:
    kestrel = sheet_from(data["craft"]["kestrel"])
    assert kestrel.weapon("vulcan") == kestrel.weapon("1") == kestrel.weapons[0]
    assert kestrel.weapon("3") == kestrel.weapon("wave-cannon")
    assert kestrel.weapon("0") is kestrel.weapon("4") is kestrel.weapon("lance") is kestrel.weapon("") is None


def test_a_weapon_has_a_range_or_an_area_and_may_have_unlimited_ammunition(data: Data) -> None:
    vulcan, missile, wave = sheet_from(data["craft"]["kestrel"]).weapons
    assert (vulcan.range, vulcan.damage, vulcan.hit, vulcan.ammo) == ((1, 1), 30, 40, 6)
    assert (missile.path, missile.kind, missile.range) == ("guided", "missile", (1, 4))
    assert (wave.kind, wave.charge, wave.ammo, wave.range) == ("charge", 3, None, None)
    assert wave.area == Area(shape="line", length=6)


def test_a_pinned_sheet_of_an_older_version_gets_defaults_for_what_it_lacks() -> None:
    """A campaign's sheets stay as they were pinned, whatever later versions add."""
    row = {"id": "old", "name": "Old", "squad": "single", "hp": 100, "move": 5, "evade": 20, "gone": 1}
    old = sheet_from(row)
    assert (old.fuel, old.replacements, old.hexes, old.weapons) == (None, 10, ((0, 0),), ())


def test_every_form_of_the_format_is_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """RT-1.3, RT-24.4: parts, dummy hexes, areas as offsets, damage dice, a force's marks."""
    monkeypatch.setenv("GMTOOL_CACHE", str(tmp_path / "cache"))
    (tmp_path / "rules").mkdir()
    (tmp_path / "rules" / "big.toml").write_text(
        """format = 1
[[craft]]
id = "big"
name = { ja = "巨大" }
squad = "force"
hp = 900
move = 0
evade = -20
fuel = 0
indestructible = true
le = true
capacity = 4
hexes = [[0, 0], [-1, 1]]
parts = [{ id = "turret", name = "Turret", hex = [1, 0], hp = 80 }]
[[craft.weapon]]
id = "blast"
name = "Blast"
path = "deflected"
kind = "charge"
area = { offsets = [[1, 0], [1, -1]] }
damage = "10 + 2d6 + 1D3"
hit = 150
charge = 1
""",
        encoding="utf-8",
    )
    big = sheet_from(load("rtype", tables, tmp_path / "rules")["craft"]["big"])
    assert (big.name, big.evade, big.fuel, big.capacity) == ({"ja": "巨大"}, -20, 0, 4)
    assert (big.hexes, big.parts[0].hex, big.indestructible, big.le) == (((0, 0), (-1, 1)), (1, 0), True, True)
    assert big.weapons[0].area == Area(offsets=((1, 0), (1, -1)))
    assert big.weapons[0].damage == "10 + 2d6 + 1D3"


def test_every_shipped_skill_is_this_projects_own_and_named_in_all_languages(data: Data) -> None:
    """RT-23.4: what the book's skills give and cost is not to be had."""
    skills = data["skills"].values()
    assert {skill["origin"] for skill in skills} == {"gmtool sample"}
    assert {tuple(skill["name"]) for skill in skills} == {("en", "ja", "ko")}
