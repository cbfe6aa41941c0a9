"""Where rules data lies: inside the installed package, or beside it in a checkout; a campaign's own on top."""

import os
from pathlib import Path
from typing import NamedTuple

from gmtool.rulesdata.faults import refused

PACKAGE = Path(__file__).resolve().parents[1]
CATALOGUE = "index.toml"
"""The list of a game's rules, which is not data that rules read."""


class Files(NamedTuple):
    """The data files of a game, each tuple sorted by name: those shipped, and the campaign's own."""

    shipped: tuple[Path, ...]
    own: tuple[Path, ...] = ()


def data_root(package: Path = PACKAGE) -> Path:
    """The folder of all games' data: ``_rules_data`` in an installed package, ``rules_data`` beside a checkout's."""
    for folder in (package / "_rules_data", package.parent / "rules_data"):
        if folder.is_dir():
            return folder
    raise refused("data-no-folder", str(package / "_rules_data"))


def files(game: str, campaign_rules: Path | None = None) -> Files:
    """The files ``<root>/<game>/*.toml`` without the rule index, and ``*.toml`` of a campaign's rules folder."""
    shipped = tuple(path for path in _toml_files(data_root() / game) if path.name != CATALOGUE)
    return Files(shipped, _toml_files(campaign_rules) if campaign_rules else ())


def shown(path: Path) -> str:
    """How messages name a data file: its folder and its name."""
    return f"{path.parent.name}/{path.name}"


def _toml_files(folder: Path) -> tuple[Path, ...]:
    """The folder's TOML files by name; hidden ones are an editor's, and a folder that is not there has none."""
    try:
        with os.scandir(folder) as entries:
            names = [entry.name for entry in entries if entry.is_file()]
    except (FileNotFoundError, NotADirectoryError):
        return ()
    except OSError as error:
        raise refused("data-unreadable", shown(folder), problem=error.strerror or "") from error
    return tuple(folder / name for name in sorted(names) if name.endswith(".toml") and not name.startswith("."))
