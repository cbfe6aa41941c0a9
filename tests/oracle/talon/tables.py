"""The printed tables, written down a second time, and the classes as the game's own files have them."""

import tomllib
from pathlib import Path
from typing import Any

CHART = {"A": {4, 5, 6}, "B": {3, 5, 6}, "C": {2, 4, 5, 6}, "D": {3, 4, 5, 6}, "E": {6}, "F": {1, 2, 3, 4, 5, 6}}


def _hits(least: int, damage: int) -> list[int]:
    return [damage if die >= least else 0 for die in range(1, 7)]


WEAPONS: dict[str, dict[int, list[int]]] = {
    "torpedo": {2: _hits(2, 4), 3: _hits(3, 4), 4: _hits(5, 4)},
    "disruptor": {1: _hits(5, 2), 2: _hits(2, 2), 3: _hits(3, 2), 4: _hits(5, 2)},
    "wave-motion-gun": {2: _hits(2, 10), 3: _hits(3, 10), 4: _hits(3, 10)},
    "phaser": {1: [1, 2, 2, 2, 2, 2], 2: [1, 1, 1, 2, 2, 2], 3: [0, 0, 0, 0, 1, 1]},
    "fusion-cannon": {1: [7, 7, 9, 9, 11, 11], 2: [4, 4, 6, 6, 8, 8], 3: [0, 0, 2, 2, 4, 4]},
    "missile": {1: [], 2: [], 3: [], 4: []},
}


def classes() -> dict[str, dict[str, Any]]:
    """Every class by id."""
    folder = Path(__file__).resolve().parents[3] / "rules_data" / "talon"
    found: dict[str, dict[str, Any]] = {}
    for file in sorted(folder.glob("class.*.toml")):
        for row in tomllib.loads(file.read_text(encoding="utf-8"))["class"]:
            found[row["id"]] = row
    return found
