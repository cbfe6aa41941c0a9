"""A campaign of one game takes in nothing of the others there are."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from gmtool.kernel.system import find_systems, load_system
from tests.conftest import ROOT

GAMES = find_systems()
CODE = """
import io, os, sys
from gmtool.cli.main import run
for line in sys.argv[1:]:
    run(line.split(), stdin=io.StringIO(), stdout=io.StringIO(), stderr=io.StringIO(), env=os.environ)
print(*[name for name in sys.modules if name.startswith("gmtool.systems.")])
"""


@pytest.mark.parametrize("game", GAMES)
def test_a_game_is_played_without_the_others(game: str, tmp_path: Path) -> None:
    """Its board, its help, its verbs and looks, a word that is none, its odds, what is taken back."""
    system = load_system(GAMES[game])
    lines = [f"campaign new One --system {game}", "status", "doctor", "odds roll 1d6", "--help", "rules list", "undo"]
    lines += [f"help {verb}" for verb in (*system.verbs, *system.looks)]
    lines += [f"{verb} nothing" for verb in (*system.verbs, *system.looks)]
    env = {**os.environ, "GMTOOL_HOME": str(tmp_path / "home"), "GMTOOL_CACHE": str(tmp_path / "cache")}
    env |= {"PYTHONPATH": str(ROOT)}
    code = [sys.executable, "-c", CODE, *lines]
    ran = subprocess.run(code, env=env, cwd=tmp_path, capture_output=True, text=True, check=True)
    taken = {name.split(".")[2] for name in ran.stdout.split()}
    assert taken == {game}
