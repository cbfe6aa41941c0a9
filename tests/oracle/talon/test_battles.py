"""The game against a second, plain writing of its rules: random battles, compared after every line.

``ORACLE_FIGHTS``, ``ORACLE_SEED`` and ``ORACLE_LENGTH`` play more, other and longer ones.
"""

import os
from pathlib import Path
from typing import Any

import pytest

from tests.oracle.talon.fights import Fight
from tests.test_rulebook import Table

FIGHTS = int(os.environ.get("ORACLE_FIGHTS", "8"))
SEED = int(os.environ.get("ORACLE_SEED", "1"))
LENGTH = int(os.environ.get("ORACLE_LENGTH", "60"))


def shown(state: dict[str, Any], like: dict[str, Any]) -> dict[str, Any]:
    """What the game has of what the oracle has."""
    rows = {table: {row["id"]: dict(row) for row in state.get(table, {}).values()} for table in ("ships", "missiles")}
    for ship in rows["ships"].values():
        ship["lost"] = sorted(ship["lost"])
        ship["crits"] = {kind: when[:-1] for kind, when in ship["crits"].items()}
    (rows["battle"],) = state["battle"].values()
    return {
        "ships": {id: {key: rows["ships"][id][key] for key in row} for id, row in like["ships"].items()},
        "missiles": {
            id: {key: rows["missiles"].get(id, {}).get(key) for key in row} for id, row in like["missiles"].items()
        },
        "battle": {key: rows["battle"][key] for key in like["battle"]},
    }


def differences(expected: Any, got: Any, path: str = "") -> list[str]:
    """Where two JSON values differ, one line a leaf."""
    if isinstance(expected, dict) and isinstance(got, dict):
        keys = [*expected, *(key for key in got if key not in expected)]
        return [line for key in keys for line in differences(expected.get(key), got.get(key), f"{path}.{key}")]
    return [] if expected == got else [f"{path}: oracle {expected}, game {got}"]


def played(fight: Fight, table: Table, length: int) -> list[str]:
    """What differs after the first line that differs; nothing if none does."""
    table.home.mkdir(exist_ok=True)
    table.must(["campaign new case --system talon", *fight.setup])
    done: list[str] = []
    for line in fight.lines(length):
        done.append(line.text)
        code, objects = table.play([line.text])
        if code:
            return [*done[-6:], str(objects[-1].get("error", {}).get("message")), str(objects[-1].get("asks"))]
        wrong = differences(line.state, shown(table.state(), line.state))
        if wrong:
            return [*done[-6:], *wrong]
    return []


@pytest.mark.parametrize("seed", range(SEED, SEED + FIGHTS))
def test_a_random_battle_goes_as_the_oracle_has_it(seed: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GMTOOL_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(os, "fsync", lambda file: None)
    fight = Fight(seed)
    wrong = played(fight, Table(tmp_path / "home"), LENGTH)
    assert not wrong, "\n".join([*fight.setup, "…", *wrong])
