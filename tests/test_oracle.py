"""gmtool against a second, plain writing of the rules (``tests/oracle``): random fights, and odds.

``ORACLE_FIGHTS``, ``ORACLE_SEED`` and ``ORACLE_LENGTH`` play more, other and longer ones; ``ORACLE_WAY=script`` plays
each as one script, ``calls`` line by line (exit codes are seen then, but it is slower); left out: every third by calls.
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
from tests.oracle.board import RC, Fight, Pilot, Weapon
from tests.oracle.fights import TEMPERAMENTS, Plan, Step, as_toml, own_sheet, pilot_line, planned, shipped_sheets
from tests.oracle.odds import attack_odds, simulated
from tests.oracle.rtype import Order, ability_of, add_unit

FIGHTS = int(os.environ.get("ORACLE_FIGHTS", "60"))
SEED = int(os.environ.get("ORACLE_SEED", "1"))
LENGTH = int(os.environ.get("ORACLE_LENGTH", "25"))
WAY = os.environ.get("ORACLE_WAY")

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
    plan = planned(seed, LENGTH)
    slug = f"fight-{seed}"
    assert gm("campaign", "new", slug, "--system", "rtype").code == 0
    (home / slug / "rules").mkdir(exist_ok=True)
    (home / slug / "rules" / "odd.toml").write_text(plan.sheets, encoding="utf-8")
    made = gm("run", "-", "--json", input="\n".join(plan.setup))
    assert made.code == 0, (plan.sheets, plan.setup, made)
    calls = WAY == "calls" or (WAY is None and seed % 3 == 0)
    wrong = by_calls(gm, home / slug, plan) if calls else by_script(gm, plan)
    shutil.rmtree(home / slug)
    return wrong


@pytest.mark.parametrize("block", range(10))
def test_random_fights_go_as_the_oracle_says(gm: Gm, home: Path, block: int) -> None:
    for n in range(block, FIGHTS, 10):
        wrong = played(gm, home, SEED + n)
        assert not wrong, f"seed {SEED + n}\n" + "\n".join(wrong)


# ---- odds --------------------------------------------------------------------------------------------------------


def small_case(rng: random.Random, number: int) -> tuple[Fight, str, list[str]]:
    """Two units facing each other, the first with few craft left, so that every run of classes can be listed."""
    sheets = [own_sheet(rng, f"s{number}-{n}") for n in range(2)]
    for sheet in sheets:
        sheet.weapons[0] = Weapon("w-0", "gun", rng.choice([0, 15, 40, 97]), rng.choice([0, 3, 7, 30, 49, 120]))
    fight, lines = Fight({"red": True, "blue": False}), []
    for n, side in enumerate(fight.sides):
        pilot = f"p{number}-{n}"
        fight.pilots[pilot] = Pilot(pilot, rng.choice([0, 15, 45]), rng.choice([0, 15, 45]), rng.choice(TEMPERAMENTS))
        lines.append(pilot_line(fight.pilots[pilot]))
        pilot = pilot if rng.random() < 0.7 else ""
        unit = f"u{number}-{n}"
        add_unit(fight, unit, sheets[n], side, pilot or None)
        lines.append(f"unit add {sheets[n].id} {unit} --side {side}" + (f" --pilot {pilot}" if pilot else ""))
        for craft in RC[: rng.randint(2, 4)] if sheets[n].squad == "rc" else []:
            fight.units[unit].hp[craft] = 0
            lines.append(f"set units.{unit}.hp.{craft} 0")
    return fight, "".join(map(as_toml, sheets)), lines


def attack_line(rng: random.Random, fight: Fight) -> tuple[str, Order]:
    """The first unit's attack on the second, with a few options."""
    unit, target = fight.units.values()
    order = Order(unit.id, "w-0", target.id)
    order.rolls = rng.choice([None, "once"])
    order.defence = rng.choice(["evade", "focus"])
    value = unit.sheet.weapons[0].hit + ability_of(fight, unit, None)
    order.feint = rng.choice([0, 0, min(10, value), value])
    once = " --once" if order.rolls else ""
    return f"attack {unit.id} w-0 {target.id}{once} --defence {order.defence} --feint {order.feint}", order


def test_the_odds_of_small_attacks_are_exact(gm: Gm, home: Path) -> None:
    """Every chance to 1e-12 of what listing every run of classes gives."""
    rng = random.Random(SEED)
    cases = [small_case(rng, n) for n in range(40)]
    gm("campaign", "new", "odds", "--system", "rtype")
    sheets = "format = 1\n" + "".join(text for _, text, _ in cases)
    (home / "odds" / "rules").mkdir(exist_ok=True)
    (home / "odds" / "rules" / "odd.toml").write_text(sheets, encoding="utf-8")
    set_up = ["side add red --players", "side add blue", *(line for _, _, lines in cases for line in lines)]
    begin = ["battle start", "initiative --dice '6 6 1 1'", "first red"]
    made = gm("run", "-", "--json", input="\n".join([*set_up, *begin]))
    assert made.code == 0, made.out.splitlines()[-1]
    orders = [attack_line(rng, fight) for fight, _, _ in cases]
    replies = gm("run", "-", "--json", input="\n".join(f"odds {line}" for line, _ in orders)).objects
    for (fight, _, lines), (line, order), reply in zip(cases, orders, replies, strict=True):
        assert reply["ok"], (lines, line, reply)
        wrong = odds_apart(attack_odds(fight, order), reply["result"])
        assert not wrong, (lines, line, fight, wrong)


def odds_apart(expected: dict[str, dict[int, Fraction]], result: dict[str, Any]) -> list[str]:
    """Which chances are further than 1e-12 from the oracle's."""
    wrong = []
    for name in ("hits", "damage", "craft_lost"):
        got = {int(key): chance for key, chance in result[name]["chances"].items()}
        for value in expected[name].keys() | got.keys():
            chance = expected[name].get(value, Fraction(0))
            if abs(chance - Fraction(got.get(value, 0.0))) > Fraction(1, 10**12):
                wrong.append(f"{name} {value}: oracle {float(chance)}, gmtool {got.get(value)}")
    chance = expected["wrecked"].get(1, Fraction(0))
    if abs(chance - Fraction(result["wrecked"])) > Fraction(1, 10**12):
        wrong.append(f"wrecked: oracle {float(chance)}, gmtool {result['wrecked']}")
    return wrong


@pytest.mark.parametrize(("weapon", "target"), [("vulcan", "u3"), ("heavy-missile", "u4")])
def test_the_odds_of_big_attacks_agree_with_simulation(gm: Gm, home: Path, weapon: str, target: str) -> None:
    """Two whole squads, daredevils and all-or-nothing, 200,000 attacks thrown: within four standard errors."""
    times = 200_000
    known, fight = shipped_sheets(), Fight({"red": True, "blue": False})
    crew = [("u1", "kestrel", "red"), ("u2", "anvil", "red"), ("u3", "cross", "blue"), ("u4", "gains", "blue")]
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
    counts = simulated(fight, Order(unit, weapon, target, rolls="once"), times, random.Random(SEED))
    for name, counted in counts.items():
        chances = {int(key): chance for key, chance in result[name]["chances"].items()}
        assert abs(sum(chances.values()) - 1) < 1e-12
        assert counted.keys() <= chances.keys()
        for value, chance in chances.items():
            if chance * times < 20:  # too rare for a standard error to mean anything
                continue
            error = math.sqrt(chance * (1 - chance) / times)
            assert abs(counted.get(value, 0) / times - chance) < 4 * error, (name, value, chance, counted.get(value))
