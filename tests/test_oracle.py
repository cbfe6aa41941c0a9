"""gmtool against a second, plain writing of the rules (``tests/oracle``): random fights, and odds.

``ORACLE_FIGHTS`` and ``ORACLE_SEED`` play more of them, ``ORACLE_WAY=script`` plays each as one script (faster; exit
codes are then not seen, only done or not).
"""

import os
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import Ran
from tests.oracle.fights import Plan, Step, planned

FIGHTS = int(os.environ.get("ORACLE_FIGHTS", "60"))
SEED = int(os.environ.get("ORACLE_SEED", "1"))
SCRIPT = os.environ.get("ORACLE_WAY") == "script"

Gm = Callable[..., Ran]


def seen_state(result: dict[str, Any]) -> dict[str, Any]:
    """``status --json`` in the shape the oracle gives its state."""
    units = {}
    for id, row in result["units"].items():
        keys = ["hp", "fuel", "charge", "ammo", "state"]
        units[id] = {key: row[key] for key in keys + (["acted", "no_counter"] if row["state"] == "active" else [])}
    return {
        "units": units,
        "where": {id: row["where"] for id, row in result["pilots"].items()},
        "phase": result["phase"],
        "turn": result["turn"],
        "acting": result["acting"],
        "escapes": sorted(due["who"] for due in result["due"] if due["what"] == "escape"),
    }


def differences(expected: Any, got: Any, path: str = "") -> list[str]:
    """Where two JSON values differ, one line a leaf."""
    if isinstance(expected, dict) and isinstance(got, dict):
        keys = [*expected, *(key for key in got if key not in expected)]
        return [line for key in keys for line in differences(expected.get(key), got.get(key), f"{path}.{key}")]
    return [] if expected == got else [f"{path}: oracle {expected}, gmtool {got}"]


def compared(step: Step, reply: dict[str, Any], status: dict[str, Any] | None) -> list[str]:
    """What differs after one line: done or not, dice as read, figures, state."""
    if reply["ok"] != (step.code == 0):
        return [f"oracle code {step.code}, gmtool {reply.get('error') or 'done'}"]
    wrong = []
    if step.ruling is not None:
        dice = [(die["read"], die["class"]) for die in reply["dice"]]
        wrong += differences([(die.read, die.klass) for die in step.ruling.dice], dice, "dice")
        figures = {key: reply["result"].get(key) for key in step.ruling.result}
        wrong += differences(step.ruling.result, figures, "result")
    if status is not None:
        wrong += differences(step.state, seen_state(status["result"]))
    return wrong


def by_calls(gm: Gm, folder: Path, plan: Plan) -> list[str]:
    """One call a line. A line that is not done must leave journal and snapshot as they are, byte for byte."""
    files = [folder / "journal.jsonl", folder / "campaign.json"]
    for number, step in enumerate(plan.steps):
        before = [file.read_bytes() for file in files]
        ran = gm(*words(step.line), "--json")
        wrong = [] if ran.code == step.code else [f"exit code: oracle {step.code}, gmtool {ran.code}"]
        if step.code == 0:
            wrong += compared(step, ran.objects[0], gm("status", "--json").objects[0])
        else:
            wrong += compared(step, ran.objects[0], None)
            wrong += [] if before == [file.read_bytes() for file in files] else ["a line not done changed the files"]
        if wrong:
            return told(plan, number, wrong)
    return []


def by_script(gm: Gm, plan: Plan) -> list[str]:
    """The whole fight as one script, a ``status`` after each line."""
    text = "".join(f"{step.line}\nstatus\n" for step in plan.steps)
    replies = gm("run", "-", "--keep-going", "--json", input=text).objects
    for number, step in enumerate(plan.steps):
        wrong = compared(step, replies[2 * number], replies[2 * number + 1])
        if wrong:
            return told(plan, number, wrong)
    return []


def words(line: str) -> list[str]:
    """A line of the plan as an argument list: only the faces stand in quotes."""
    before, quote, rest = line.partition('"')
    return before.split() + ([rest.rstrip('"')] if quote else [])


def told(plan: Plan, number: int, wrong: list[str]) -> list[str]:
    """The fight up to the line that went wrong, as a script to be played again."""
    return [plan.sheets, *plan.setup, *(step.line for step in plan.steps[: number + 1]), "", *wrong]


def played(gm: Gm, home: Path, seed: int) -> list[str]:
    """Sets the fight up in a campaign of its own and plays it; the differences, none if all is well."""
    plan = planned(seed)
    slug = f"fight-{seed}"
    assert gm("campaign", "new", slug, "--system", "rtype").code == 0
    (home / slug / "rules").mkdir(exist_ok=True)
    (home / slug / "rules" / "odd.toml").write_text(plan.sheets, encoding="utf-8")
    made = gm("run", "-", "--json", input="\n".join(plan.setup))
    assert made.code == 0, (plan.sheets, plan.setup, made)
    wrong = by_script(gm, plan) if SCRIPT else by_calls(gm, home / slug, plan)
    shutil.rmtree(home / slug)
    return wrong


@pytest.mark.parametrize("block", range(10))
def test_random_fights_go_as_the_oracle_says(gm: Gm, home: Path, block: int) -> None:
    for n in range(block, FIGHTS, 10):
        wrong = played(gm, home, SEED + n)
        assert not wrong, f"seed {SEED + n}\n" + "\n".join(wrong)
