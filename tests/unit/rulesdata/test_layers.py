"""A campaign's own files on top of the shipped ones, and where files are found."""

from pathlib import Path

import pytest

from gmtool.kernel.refusal import Refused
from gmtool.rulesdata.compile import load
from gmtool.rulesdata.finder import data_root, files
from gmtool.systems.rtype import tables

CRAFT = 'format = 1\n[[craft]]\nid = "{id}"\nname = "{name}"\nsquad = "rc"\nhp = 90\nmove = 5\nevade = 20\n'


@pytest.fixture
def rules(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The empty rules folder of a campaign."""
    monkeypatch.setenv("GMTOOL_CACHE", str(tmp_path / "cache"))
    folder = tmp_path / "rules"
    folder.mkdir()
    return folder


def put(folder: Path, name: str, text: str) -> None:
    (folder / name).write_text(text, encoding="utf-8")


def test_a_campaigns_sheet_takes_the_place_of_the_shipped_one_whole(rules: Path) -> None:
    put(rules, "own.toml", CRAFT.format(id="kestrel", name="Old Kestrel"))
    sheet = load("rtype", tables, rules)["craft"]["kestrel"]
    assert (sheet["name"], sheet["hp"], sheet["weapons"]) == ("Old Kestrel", 90, [])


def test_a_new_id_is_added_and_the_shipped_ones_stay(rules: Path) -> None:
    before = list(load("rtype", tables, rules)["craft"])
    put(rules, "own.toml", CRAFT.format(id="wren", name="Wren"))
    assert list(load("rtype", tables, rules)["craft"]) == [*before, "wren"]


def test_a_figure_of_the_table_counts_and_is_marked_as_the_tables_own(rules: Path) -> None:
    put(rules, "house.toml", 'format = 1\n[[figures]]\nid = "life-raise"\nvalue = 10\nrule = "RT-22.1"\n')
    rows = load("rtype", tables, rules)["figures"]
    assert rows["life-raise"] == {"id": "life-raise", "value": 10, "rule": "RT-22.1", "source": "house"}
    assert tables.figures_from(rows).life_raise == 10


def test_an_id_in_two_files_of_the_campaign_is_refused_with_both_places(rules: Path) -> None:
    put(rules, "a.toml", CRAFT.format(id="wren", name="One"))
    put(rules, "b.toml", "\n" + CRAFT.format(id="wren", name="Two"))
    with pytest.raises(Refused) as caught:
        load("rtype", tables, rules)
    facts = {"file": "rules/b.toml", "key": "craft.wren.id", "id": "wren", "first": "rules/a.toml:3", "line": 4}
    assert caught.value.key == "data-duplicate-id"
    assert caught.value.facts == {**facts, "more": 0}


def test_a_force_may_stand_in_another_file(rules: Path) -> None:
    put(rules, "a.toml", CRAFT.format(id="wren", name="Wren") + 'forces = ["wren-force"]\n')
    put(rules, "b.toml", CRAFT.format(id="wren-force", name="Force").replace('"rc"', '"force"'))
    assert load("rtype", tables, rules)["craft"]["wren"]["forces"] == ["wren-force"]


def test_no_folder_and_an_empty_folder_are_no_rules_of_ones_own(rules: Path) -> None:
    assert load("rtype", tables, rules) == load("rtype", tables, rules / "none") == load("rtype", tables)


def test_only_toml_files_that_are_not_hidden_are_read(rules: Path) -> None:
    for name in (".draft.toml", "notes.txt", "own.toml~"):
        put(rules, name, "not toml at all")
    (rules / "folder.toml").mkdir()
    put(rules, "b.toml", "format = 1\n")
    put(rules, "a.toml", "format = 1\n")
    assert [path.name for path in files("rtype", rules).own] == ["a.toml", "b.toml"]


def test_the_index_of_rules_is_no_data_file() -> None:
    names = [path.name for path in files("rtype").shipped]
    assert "craft.toml" in names
    assert "index.toml" not in names


def test_data_lies_in_an_installed_package_or_beside_a_checkout(tmp_path: Path) -> None:
    package = tmp_path / "gmtool"
    (tmp_path / "rules_data").mkdir()
    assert data_root(package) == tmp_path / "rules_data"
    (package / "_rules_data").mkdir(parents=True)
    assert data_root(package) == package / "_rules_data"


def test_no_data_at_all_is_a_refusal(tmp_path: Path) -> None:
    with pytest.raises(Refused) as caught:
        data_root(tmp_path / "gmtool")
    assert (caught.value.key, caught.value.exit) == ("data-no-folder", 3)
