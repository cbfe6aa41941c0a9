"""The list of field reports: every report is covered, waits for a verb that is not there yet, or does not apply."""

import ast
import re
import tomllib
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from gmtool.cli.verbs import COMMON
from gmtool.referee.desk import Registry

TESTS = Path(__file__).resolve().parent
REPORTS: dict[str, dict[str, Any]] = tomllib.loads((TESTS / "field_reports.toml").read_text(encoding="utf-8"))["report"]
COUNTS = {
    "A": 8,
    "B": 5,
    "C": 6,
    "D": 7,
    "E": 7,
    "F": 8,
    "G": 3,
    "H": 9,
    "I": 3,
    "J": 4,
    "K": 8,
    "L": 8,
    "M": 6,
    "N": 5,
    "O": 2,
}
KEYS = {"covered": {"tests"}, "waits": {"verb"}, "by-contract": {"why"}}
MAY = {"covered": set(), "waits": {"tests", "game", "why"}, "by-contract": {"tests"}}

every_report = pytest.mark.parametrize("id", REPORTS)


@cache
def functions(file: Path) -> set[str]:
    """The names of the test functions of a file."""
    tree = ast.parse(file.read_text(encoding="utf-8"))
    return {node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef) and node.name.startswith("test_")}


OURS = {name for file in sorted((TESTS / "field").glob("test_*.py")) for name in functions(file)}


def marked(name: str) -> set[str]:
    """The reports a test is marked with by its name: ``test_p_l1_l2_names…`` is a test of P-L1 and P-L2."""
    match = re.match(r"test_p((?:_[a-o][0-9])+)_", name)
    return {f"P-{part.upper()}" for part in match[1].split("_")[1:]} if match else set()


@cache
def verbs_there_are() -> dict[str, set[str]]:
    """The verbs of each game, and under the empty name the common ones."""
    registry = Registry()
    games = {id: registry.system(id) for id in registry.found}
    return {"": set(COMMON)} | {id: {*game.verbs, *game.looks} for id, game in games.items()}


def test_every_report_of_the_collection_is_listed() -> None:
    assert list(REPORTS) == [f"P-{letter}{n}" for letter, count in COUNTS.items() for n in range(1, count + 1)]


@every_report
def test_an_entry_says_what_its_state_needs(id: str) -> None:
    entry = REPORTS[id]
    needed = {"title", "state"} | KEYS[entry["state"]]
    assert needed <= set(entry) <= needed | MAY[entry["state"]]
    assert all(entry.values())


@every_report
def test_the_tests_of_an_entry_are_there(id: str) -> None:
    """A bare name is one of tests/field, marked with the report; another file's test is named with its path."""
    for name in REPORTS[id].get("tests", []):
        file, _, function = name.rpartition("::")
        if file:
            assert function in functions(TESTS / file), name
        else:
            assert name in OURS, name
            assert id in marked(name), name


@pytest.mark.parametrize("name", sorted(OURS))
def test_a_test_that_is_marked_is_listed(name: str) -> None:
    for id in marked(name):
        assert name in REPORTS[id].get("tests", []), f"{id}: {name}"


@every_report
def test_what_waits_waits_for_a_verb_that_is_not_there_yet(id: str) -> None:
    """``verb = "*"`` waits for any verb of the game; without a game, for the verb wherever it comes."""
    entry = REPORTS[id]
    if entry["state"] != "waits":
        return
    there = verbs_there_are()
    verbs = there.get(entry["game"], set()) if "game" in entry else set().union(*there.values())
    met = verbs if entry["verb"] == "*" else verbs & {entry["verb"]}
    assert not met, f"{id} waited for {sorted(met)}: write its test now"
