"""The table of promises in CONTRIBUTING: every test it names is there."""

import ast
import re
from pathlib import Path

TESTS = Path(__file__).resolve().parent
TABLE = (TESTS.parent / "CONTRIBUTING.md").read_text("utf-8").partition("## What is promised")[2].partition("\n## ")[0]


def test_every_test_the_table_names_is_there() -> None:
    there = {
        node.name
        for file in TESTS.rglob("test_*.py")
        for node in ast.walk(ast.parse(file.read_text("utf-8")))
        if isinstance(node, ast.FunctionDef)
    }
    named = set(re.findall(r"`(test_[a-z0-9_]+)`", TABLE))
    assert len(named) > 30
    assert sorted(named - there) == []
