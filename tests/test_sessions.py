"""Whole played sessions: each script of tests/sessions against the TOML beside it, then undone and done again.

The TOML holds the craft, the state as each turn or round begins and the state at the end, worked out by hand. Where a
script has lines that begin with ``#=``, they are all the dice of the line after them: each pool with its target, each
die as it is read and what it comes to.
"""

import io
import json
import tomllib
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from gmtool.cli.main import run

SESSIONS = sorted((Path(__file__).resolve().parent / "sessions").glob("*.gm"))
Play = Callable[[str], list[dict[str, Any]]]

DICE = "#= "
"""Begins a line of dice in a script."""


def stem(path: Path) -> str:
    """A session by the name of its script."""
    return path.stem


every_session = pytest.mark.parametrize("script", SESSIONS, ids=stem)


pytestmark = pytest.mark.usefixtures("own_chapters_only", "no_waiting_for_the_disk")


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
    """A campaign of the session's game with the session's craft and settings, which are no steps; its folder."""
    play(f"campaign new played --system {expected['game']}")
    folder = home / "played"
    if "sheets" in expected:
        (folder / "rules").mkdir()
        (folder / "rules" / "craft.toml").write_text(f"format = 1\n{expected['sheets']}", encoding="utf-8")
    for line in expected.get("before", ()):
        play(line)
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
        turn = begun(state)
        if turn in expected["turn"] and turn not in seen:
            seen.append(turn)
            assert_stands(expected["turn"][turn], state, f"turn {turn}")
    assert seen == list(expected["turn"])
    assert_stands(expected["end"], tables(folder), "end")


def begun(state: Mapping[str, Any]) -> str:
    """The turn or round of a battle that begins: no initiative rolled yet, or impulse A running; else nothing."""
    battle = state.get("battle", {}).get("now")
    if not battle or battle["winner"]:
        return ""
    if "round" in battle:
        return str(battle["round"]) if battle["phase"] == "impulse" and battle["impulse"] == "A" else ""
    return str(battle["turn"]) if battle["phase"] == "initiative" else ""


SIGNS = {"critical": "*", "success": "+", "failure": "-", "fumble": "!"}


@pytest.mark.parametrize("script", [path for path in SESSIONS if DICE in path.read_text(encoding="utf-8")], ids=stem)
def test_every_die_is_read_as_it_was_by_hand(script: Path, play: Play, home: Path) -> None:
    """Line by line: the pools in the order they were thrown, the targets, the dice and what each comes to."""
    folder = begin(play, home, tomllib.loads(script.with_suffix(".toml").read_text(encoding="utf-8")))
    expected: list[str] = []
    for line in script.read_text(encoding="utf-8").splitlines():
        if line.startswith(DICE):
            expected.append(line.removeprefix(DICE))
        elif line and not line.startswith("#"):
            play(line)
            ruled = latest(folder)
            assert ([] if ruled["kind"] in {"undo", "redo"} else thrown(ruled)) == expected, line
            expected = []


def latest(folder: Path) -> dict[str, Any]:
    """The last line of the journal."""
    line: dict[str, Any] = json.loads((folder / "journal.jsonl").read_text(encoding="utf-8").splitlines()[-1])
    return line


def thrown(line: Mapping[str, Any]) -> list[str]:
    """The dice of a ruling as a script has them: ``attack 80: 77* 18+ 99!``, ``damage: 6 10``."""
    pools = [entry for entry in line.get("trace", ()) if entry["t"] == "dice"]
    return [f"{pool['key']}{target(pool)}: {' '.join(shown(die) for die in pool['dice'])}" for pool in pools]


def target(pool: Mapping[str, Any]) -> str:
    """What the dice of a pool had to reach; nothing where they are points."""
    value = (pool.get("law") or {"facts": {}})["facts"].get("target")
    return "" if value is None else f" {value}"


def shown(die: Mapping[str, Any]) -> str:
    """A die as it was read: two digits and the sign of what they came to, or points."""
    sign = SIGNS.get(die["class"], "")
    return f"{die['read']:02}{sign}" if sign else str(die["read"])


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
    """The state as text, rows and keys in the order they are written in; without the sessions, which are no steps."""
    data = json.loads((folder / "campaign.json").read_text(encoding="utf-8"))
    del data["journal"]
    data.pop("sessions", None)
    del data["campaign"]["1"]["session"]
    return json.dumps(data)


def in_force(folder: Path) -> int:
    """How many steps an undo could take back: those done and done again, less those taken back."""
    kinds = [json.loads(line)["kind"] for line in (folder / "journal.jsonl").read_text(encoding="utf-8").splitlines()]
    return kinds.count("step") + kinds.count("redo") - kinds.count("undo")
