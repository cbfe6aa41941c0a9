"""Compiled data: made once, read while its sources are the same, never needed and never trusted blindly."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

import gmtool
from gmtool.kernel.refusal import Refused
from gmtool.rulesdata import compile as compiling
from gmtool.rulesdata.compile import cache_folder, compiled, load
from gmtool.systems.rtype import tables


class Maker:
    """A build that counts how often it was asked."""

    def __init__(self) -> None:
        self.times = 0

    def __call__(self) -> object:
        self.times += 1
        return {"pair": (1, 2), "name": "アロー"}


MADE = {"pair": [1, 2], "name": "アロー"}


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "cache"
    monkeypatch.setenv("GMTOOL_CACHE", str(folder))
    return folder


@pytest.fixture
def source(tmp_path: Path) -> Path:
    file = tmp_path / "a.toml"
    file.write_text("a = 1\n", encoding="utf-8")
    return file


def kept(cache: Path) -> list[Path]:
    return sorted(cache.iterdir()) if cache.exists() else []


def test_the_same_sources_are_built_once_and_give_the_same_each_time(cache: Path, source: Path) -> None:
    make = Maker()
    assert compiled([source], make) == compiled([source], make) == MADE
    assert make.times == 1
    assert [file.suffix for file in kept(cache)] == [".json"], "nothing half written is left beside it"


def test_a_changed_source_is_built_again(cache: Path, source: Path) -> None:
    make = Maker()
    compiled([source], make)
    source.write_text("a = 2\n", encoding="utf-8")
    compiled([source], make)
    assert make.times == 2


def test_another_version_of_the_program_builds_again(
    cache: Path, source: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    make = Maker()
    compiled([source], make)
    monkeypatch.setattr(gmtool, "__version__", "99")
    compiled([source], make)
    assert make.times == 2


def test_other_names_keep_apart_what_is_made_of_the_same_sources(cache: Path, source: Path) -> None:
    make = Maker()
    compiled([source], make, "sheets")
    compiled([source], make, "words")
    assert make.times == 2


@pytest.mark.parametrize("damage", [b"", b"null", b"00000000\n{}", b"\xff\xfe", b"garbage without a line"])
def test_a_damaged_file_is_built_again(cache: Path, source: Path, damage: bytes) -> None:
    make = Maker()
    compiled([source], make)
    kept(cache)[0].write_bytes(damage)
    assert compiled([source], make) == MADE
    assert compiled([source], make) == MADE
    assert make.times == 2


def test_one_changed_digit_is_noticed(cache: Path, source: Path) -> None:
    make = Maker()
    compiled([source], make)
    file = kept(cache)[0]
    file.write_bytes(file.read_bytes().replace(b"[1,2]", b"[1,3]"))
    assert compiled([source], make) == MADE


def test_where_nothing_can_be_written_it_is_built_each_time(
    tmp_path: Path, source: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A file stands where the folder should be, which stops even an administrator."""
    blocked = tmp_path / "file"
    blocked.write_text("")
    monkeypatch.setenv("GMTOOL_CACHE", str(blocked / "cache"))
    make = Maker()
    assert compiled([source], make) == compiled([source], make) == MADE
    assert make.times == 2
    assert blocked.read_text() == ""


def test_a_full_disk_leaves_nothing_behind(cache: Path, source: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "replace", full)
    assert compiled([source], Maker()) == MADE
    assert kept(cache) == []


def test_a_source_saved_while_it_is_built_is_not_kept_under_its_old_hash(cache: Path, source: Path) -> None:
    def slow() -> object:
        source.write_text("a = 2\n", encoding="utf-8")
        return {"a": 2}

    assert compiled([source], slow) == {"a": 2}
    assert kept(cache) == []


def test_only_the_latest_files_stay(cache: Path, source: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compiling, "KEPT", 2)
    for number in range(5):
        source.write_text(f"a = {number}\n", encoding="utf-8")
        compiled([source], Maker())
    assert len(kept(cache)) == 2


def test_without_a_setting_the_users_own_cache_folder_is_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GMTOOL_CACHE", "")
    folder = cache_folder()
    assert folder is not None
    assert "gmtool" in folder.parts


def test_a_source_that_is_gone_is_refused(cache: Path, tmp_path: Path) -> None:
    with pytest.raises(Refused):
        compiled([tmp_path / "gone.toml"], Maker())


def test_reading_what_was_compiled_needs_neither_pydantic_nor_a_toml_parser(cache: Path) -> None:
    code = (
        "import sys\n"
        "from gmtool.rulesdata.compile import load\n"
        "from gmtool.systems.rtype import tables\n"
        "tables.sheet_from(load('rtype', tables)['craft']['kestrel'])\n"
        "print('pydantic' in sys.modules or 'tomllib' in sys.modules)\n"
    )
    root = Path(gmtool.__file__).parents[1]
    environment = {**os.environ, "GMTOOL_CACHE": str(cache), "PYTHONPATH": str(root)}
    cold, warm = (
        subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True).stdout
        for _ in range(2)
    )
    assert (cold.strip(), warm.strip()) == ("True", "False")


def test_warm_data_equals_cold_data(cache: Path) -> None:
    assert load("rtype", tables) == load("rtype", tables)
    assert len(kept(cache)) == 1
