"""Whole played sessions: each script of tests/sessions against the TOML beside it, then undone and done again.

The TOML holds the craft, the state as each turn begins and the state at the end, worked out by hand.
"""

import io
import json
import os
import tomllib
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from gmtool.cli.main import run

SESSIONS = sorted((Path(__file__).resolve().parent / "sessions").glob("*.gm"))
Play = Callable[[str], list[dict[str, Any]]]

every_session = pytest.mark.parametrize("script", SESSIONS, ids=lambda path: path.stem)


@pytest.fixture(autouse=True)
def _no_waiting_for_the_disk(monkeypatch: pytest.MonkeyPatch) -> None:
    """A session shows the rules; that a line is safe on disk is shown elsewhere."""
    monkeypatch.setattr(os, "fsync", lambda file: None)


@pytest.fixture
def play(home: Path) -> Play:
    """Lines as a script has them, in one campaign; each must be done. One JSON object a line."""

    def lines(text: str) -> list[dict[str, Any]]:
        out, err = io.StringIO(), io.StringIO()
        env = {"LC_ALL": "C.UTF-8"}
        argv = ["run", "-", "--home", str(home), "--json"]
        code = run(argv, stdin=io.StringIO(text), stdout=out, stderr=err, env=env)
        objects = [json.loads(line) for line in out.getvalue().splitlines()]
        assert code == 0, objects[-1:] or err.getvalue()
        return objects

    return lines


def begin(play: Play, home: Path, expected: Mapping[str, Any]) -> Path:
    """A campaign of the session's game with the session's craft; its folder."""
    play(f"campaign new played --system {expected['game']}")
    folder = home / "played"
    (folder / "rules").mkdir()
    (folder / "rules" / "craft.toml").write_text(f"format = 1\n{expected['sheets']}", encoding="utf-8")
    return folder


def tables(folder: Path) -> dict[str, Any]:
    """The state: every table but the place in the journal, rows by their ids."""
    data = json.loads((folder / "campaign.json").read_text(encoding="utf-8"))
    del data["journal"]
    return {name: {row["id"]: row for row in table.values()} for name, table in data.items()}


def at(state: Mapping[str, Any], path: str) -> Any:
    """One value of the state; a table that holds nothing is empty."""
    table, *keys = path.split(".")
    value = state.get(table, {})
    for key in keys:
        value = value[key]
    return value


def assert_stands(expected: Mapping[str, Any], state: Mapping[str, Any], when: str) -> None:
    found = {path: at(state, path) for path in expected}
    assert found == {path: None if value == "-" else value for path, value in expected.items()}, when


@every_session
def test_a_session_comes_to_what_was_worked_out_by_hand(script: Path, play: Play, home: Path) -> None:
    expected = tomllib.loads(script.with_suffix(".toml").read_text(encoding="utf-8"))
    folder = begin(play, home, expected)
    seen = []
    for line in script.read_text(encoding="utf-8").splitlines():
        play(line)
        state = tables(folder)
        battle = state.get("battle", {}).get("now")
        turn = str(battle["turn"]) if battle and battle["phase"] == "initiative" and not battle["winner"] else ""
        if turn in expected["turn"] and turn not in seen:
            seen.append(turn)
            assert_stands(expected["turn"][turn], state, f"turn {turn}")
    assert seen == list(expected["turn"])
    assert_stands(expected["end"], tables(folder), "end")


@every_session
def test_a_session_undone_whole_and_done_again_is_the_same_to_the_byte(script: Path, play: Play, home: Path) -> None:
    expected = tomllib.loads(script.with_suffix(".toml").read_text(encoding="utf-8"))
    folder = begin(play, home, expected)
    before = written(folder)
    play(script.read_text(encoding="utf-8"))
    after = written(folder)
    steps = in_force(folder)
    play(f"undo {steps}")
    assert written(folder) == before
    play(f"redo {steps}")
    assert written(folder) == after
    assert_stands(expected["end"], tables(folder), "end, done again")


def written(folder: Path) -> str:
    """The state as text, rows and keys in the order they are written in."""
    data = json.loads((folder / "campaign.json").read_text(encoding="utf-8"))
    del data["journal"]
    return json.dumps(data)


def in_force(folder: Path) -> int:
    """How many steps an undo could take back: those done and done again, less those taken back."""
    kinds = [json.loads(line)["kind"] for line in (folder / "journal.jsonl").read_text(encoding="utf-8").splitlines()]
    return kinds.count("step") + kinds.count("redo") - kinds.count("undo")
