"""gmtool against a second, plain writing of the rules (``tests/oracle``): random fights, and odds.

``ORACLE_FIGHTS``, ``ORACLE_SEED`` and ``ORACLE_LENGTH`` play more, other and longer ones; ``ORACLE_WAY=script`` plays
each as one script, ``calls`` line by line (exit codes are seen then, but it is slower); left out: every sixth by calls.
"""

import math
import os
import random
import shutil
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import Ran
from tests.oracle.board import Fight, Pilot
from tests.oracle.exchange import Aim, Shot, weapon_of
from tests.oracle.fights import REFUSED, Plan, Step, planned
from tests.oracle.odds import Odds, every_end, simulated, small_order, small_world
from tests.oracle.rtype import add_unit
from tests.oracle.worlds import TEMPERAMENTS, pilot_line, shipped_sheets

FIGHTS = int(os.environ.get("ORACLE_FIGHTS", "80"))
SEED = int(os.environ.get("ORACLE_SEED", "1"))
LENGTH = int(os.environ.get("ORACLE_LENGTH", "25"))
WAY = os.environ.get("ORACLE_WAY")

Gm = Callable[..., Ran]


def seen_state(result: dict[str, Any]) -> dict[str, Any]:
    """``status --json`` in the shape the oracle gives its state."""
    units = {}
    for id, row in result["units"].items():
        keys = ["hp", "fuel", "charge", "ammo", "state", "attached_to", "pilot"]
        keys += ["acted", "no_counter", "stopped"] if row["state"] == "active" else []
        units[id] = {key: row[key] for key in keys}
    pilots = {
        id: {key: row[key] for key in ("where", "life", "spirit", "state")} | {"lives": row["lives"]["now"]}
        for id, row in result["pilots"].items()
    }
    return {"units": units, "pilots": pilots, **{key: result[key] for key in ("phase", "turn", "acting")}}


def differences(expected: Any, got: Any, path: str = "") -> list[str]:
    """Where two JSON values differ, one line a leaf."""
    if isinstance(expected, dict) and isinstance(got, dict):
        keys = [*expected, *(key for key in got if key not in expected)]
        return [line for key in keys for line in differences(expected.get(key), got.get(key), f"{path}.{key}")]
    return [] if expected == got else [f"{path}: oracle {expected}, gmtool {got}"]


def compared(step: Step, reply: dict[str, Any], status: dict[str, Any] | None) -> list[str]:
    """What differs after one line: done or not, dice in order and as read, figures, state."""
    if reply["ok"] != (step.code == 0):
        return [f"oracle code {step.code}, gmtool {reply.get('error') or 'done'}"]
    if step.code == REFUSED and reply["error"]["code"] in ("needs-answer", "bad-dice"):
        return [f"oracle refuses, gmtool has nothing against it but {reply['error']}"]
    wrong = []
    if step.table is not None:
        dice = [(die["key"], die["read"], die["class"]) for die in reply["dice"]]
        wrong += differences([(die.key, die.read, die.klass) for die in step.table.dice], dice, "dice")
        figures = {key: reply["result"].get(key) for key in step.table.result}
        wrong += differences(step.table.result, figures, "result")
    if status is not None:
        wrong += differences(step.state, seen_state(status["result"]))
    return wrong


def by_calls(gm: Gm, folder: Path, plan: Plan) -> list[str]:
    """One call a line. A line that is not done must leave journal and snapshot as they are, byte for byte."""
    files = [folder / "journal.jsonl", folder / "campaign.json"]
    for number, step in enumerate(plan.steps):
        before = [file.read_bytes() for file in files]
        ran = gm(*words(step.line), "--json")
        fair = (1, 2) if step.code == REFUSED else (step.code,)
        wrong = [] if ran.code in fair else [f"exit code: oracle {step.code}, gmtool {ran.code}"]
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
    plan = planned(seed, LENGTH)
    slug = f"fight-{seed}"
    assert gm("campaign", "new", slug, "--system", "rtype").code == 0
    (home / slug / "rules").mkdir(exist_ok=True)
    (home / slug / "rules" / "odd.toml").write_text(plan.sheets, encoding="utf-8")
    made = gm("run", "-", "--json", input="\n".join(plan.setup))
    assert made.code == 0, (plan.sheets, plan.setup, made)
    calls = WAY == "calls" or (WAY is None and seed % 6 == 0)
    wrong = by_calls(gm, home / slug, plan) if calls else by_script(gm, plan)
    shutil.rmtree(home / slug)
    return wrong


@pytest.mark.parametrize("block", range(10))
def test_random_fights_go_as_the_oracle_says(gm: Gm, home: Path, block: int) -> None:
    for n in range(block, FIGHTS, 10):
        wrong = played(gm, home, SEED + n)
        assert not wrong, f"seed {SEED + n}\n" + "\n".join(wrong)


# ---- odds --------------------------------------------------------------------------------------------------------


def small_cases(rng: random.Random, wanted: int) -> tuple[str, list[str], list[tuple[str, Odds]]]:
    """Exchanges of units with few craft left, so that every run of classes can be listed: sheets, set-up, lines."""
    fight, sheets, lines = small_world(rng)
    cases: list[tuple[str, Odds]] = []
    while len(cases) < wanted:
        line, shot, said, dice = small_order(rng, fight)
        odds = every_end(fight, shot, said, most=1200) if dice < 9 else None
        if odds is not None:
            cases.append((line, odds))
    return sheets, lines, cases


def odds_apart(expected: Odds, result: dict[str, Any]) -> list[str]:
    """Which chances are further than 1e-12 from the oracle's."""
    wrong = []
    for name, chances in expected.items():
        shown = result.get(name)
        got = shown["chances"] if isinstance(shown, dict) else {"True": shown}
        told = {str(value): chance for value, chance in chances.items() if isinstance(shown, dict) or value}
        for value in told.keys() | got.keys():
            if abs(told.get(value, Fraction(0)) - Fraction(got.get(value, 0.0) or 0)) > Fraction(1, 10**12):
                wrong.append(f"{name} {value}: oracle {float(told.get(value, 0))}, gmtool {got.get(value)}")
    return wrong


@pytest.mark.parametrize("block", range(int(os.environ.get("ORACLE_ODDS", "3"))))
def test_the_odds_of_small_exchanges_are_exact(gm: Gm, home: Path, block: int) -> None:
    """Attacks, areas, interceptions, guards, counters: every chance to 1e-12 of what listing all runs gives."""
    sheets, lines, cases = small_cases(random.Random(1000 * SEED + block), 10)
    gm("campaign", "new", "odds", "--system", "rtype")
    (home / "odds" / "rules").mkdir(exist_ok=True)
    (home / "odds" / "rules" / "odd.toml").write_text(sheets, encoding="utf-8")
    made = gm("run", "-", "--json", input="\n".join(lines))
    assert made.code == 0, made.out.splitlines()[-1]
    replies = gm("run", "-", "--json", "--keep-going", input="\n".join(f"odds {line}" for line, _ in cases)).objects
    for (line, expected), reply in zip(cases, replies, strict=True):
        assert reply["ok"], (sheets, lines, line, reply)
        wrong = odds_apart(expected, reply["result"])
        assert not wrong, "\n".join([sheets, *lines, line, *wrong])


@pytest.mark.parametrize(("weapon", "target"), [("vulcan", "u3"), ("heavy-missile", "u4")])
def test_the_odds_of_big_attacks_agree_with_simulation(gm: Gm, home: Path, weapon: str, target: str) -> None:
    """Two whole squads, daredevils and all-or-nothing, 20,000 attacks thrown: within four standard errors."""
    times, rng = 20_000, random.Random(SEED)
    known, fight = shipped_sheets(), Fight({"red": True, "blue": False})
    crew = [("u1", "kestrel", "red"), ("u2", "anvil", "red"), ("u3", "cross", "blue"), ("u4", "anvil", "blue")]
    lines = ["side add red --players", "side add blue"]
    for n, (unit, sheet, side) in enumerate(crew):
        fight.pilots[f"p{n}"] = Pilot(f"p{n}", 20, 15, TEMPERAMENTS[2 - n % 2])
        add_unit(fight, unit, known[sheet], side, f"p{n}")
        lines += [pilot_line(fight.pilots[f"p{n}"]), f"unit add {sheet} {unit} --side {side} --pilot p{n}"]
    unit = "u1" if weapon == "vulcan" else "u2"
    gm("campaign", "new", "odds", "--system", "rtype")
    begin = ["battle start", "initiative --dice '6 6 1 1'", "first red"]
    assert gm("run", "-", input="\n".join([*lines, *begin])).code == 0
    result = gm("odds", "attack", unit, weapon, target, "--once", "--json").objects[0]["result"]
    shot = Shot(unit, weapon_of(fight.units[unit], weapon), [Aim(target)], rolls="once")
    for name, counted in simulated(fight, shot, times, rng).items():
        chances = {int(key): chance for key, chance in result[name]["chances"].items()}
        assert abs(sum(chances.values()) - 1) < 1e-12
        assert counted.keys() <= chances.keys()
        for value, chance in chances.items():
            if chance * times < 20:  # too rare for a standard error to mean anything
                continue
            error = math.sqrt(chance * (1 - chance) / times)
            assert abs(counted.get(value, 0) / times - chance) < 4 * error, (name, value, chance, counted.get(value))
