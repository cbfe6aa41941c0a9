"""What was reported done survives a kill at any moment, and the campaign opens and goes on."""

import json
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.conftest import ROOT
from tests.trust.hands import fold, gm, made, needs_fork, settings, typed
from tests.trust.kills import lives


@needs_fork
def test_two_hundred_kills_lose_nothing_that_was_reported(tmp_path: Path) -> None:
    found = list(lives(made(tmp_path / "base"), tmp_path, 200))
    assert [kill.lost for kill in found if kill.lost] == []
    assert [kill.shut for kill in found if kill.shut] == []
    assert len({kill.moment for kill in found}) >= 4


@pytest.mark.parametrize("argv", [["table"], ["run", "-"]])
def test_after_a_kill_a_shell_or_script_that_only_looks_ends_well(tmp_path: Path, argv: list[str]) -> None:
    """The line is there and the snapshot is behind; who only looks does not bring it up to date."""
    home = made(tmp_path)
    snapshot = home / "test" / "campaign.json"
    behind = snapshot.read_bytes()
    gm(home, "note", "the last line before the kill")
    for left in (behind, None):
        snapshot.unlink()
        if left is not None:
            snapshot.write_bytes(left)
        ran = gm(home, *argv, feed="status\n")
        assert (ran.code, ran.err, ran.told[0]["ok"]) == (0, "", True)
        assert snapshot.exists() == (left is not None)
        snapshot.touch()
    snapshot.unlink()
    assert typed(home, "note goes on").code == 0


@pytest.mark.skipif(sys.platform == "win32", reason="SIGKILL is what is meant")
@pytest.mark.parametrize("argv", [["run", "-"], ["table"]])
def test_a_program_killed_right_after_a_result_was_printed_has_it_on_disk(tmp_path: Path, argv: list[str]) -> None:
    """The real program, with all that belongs to it: the whole group is killed as soon as the last result is read."""
    home, chance = made(tmp_path), random.Random(11)
    lines = "".join(f"set units.arrow.fuel {n}\nunit add gains --side Bydo --count {n}\nundo 2\n" for n in range(1, 9))
    for n in (1, 5, 12):
        with subprocess.Popen(
            [sys.executable, "-m", "gmtool", "--json", *argv], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            env={**settings(home), "PYTHONPATH": str(ROOT)}, start_new_session=True,
        ) as program:  # fmt: skip
            assert program.stdin
            assert program.stdout
            program.stdin.write(lines.encode())
            program.stdin.close() if argv == ["run", "-"] else program.stdin.flush()
            told = [json.loads(program.stdout.readline()) for _ in range(n)]
            time.sleep(chance.choice((0, 0, 0.004)))
            os.killpg(program.pid, signal.SIGKILL)
            told += [json.loads(line) for line in program.stdout.read().splitlines(keepends=True) if line[-1:] == b"\n"]
        journal = (home / "test" / "journal.jsonl").read_bytes()
        assert told[-1]["seq"] <= fold(journal)[0] <= told[-1]["seq"] + 2  # an undo of two is two lines
        assert gm(home, "doctor").code in (0, 4)
        assert gm(home, "note", "after the kill").code == 0
        assert gm(home, "doctor").code == 0
