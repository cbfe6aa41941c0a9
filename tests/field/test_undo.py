"""Field reports G and B3: undo and redo are a list with a cursor, whatever has been done."""

import json
import os
import random
from typing import Any, NamedTuple

import pytest

from tests.field.table import PILOT, Table, journal

COURSES, STEPS, BELOW = 500, 10, 5


def test_p_g1_every_line_is_one_step_newest_first(fight: Table) -> None:
    states = [fight.state]
    for line in (
        "set units.alpha.hp.A 98",
        "move alpha 2",
        "pass alpha",
        "end phase",
        "set units.beta.hp.A 99",
        "attack beta gun alpha --once --dice 00,=99,=99,=99,=99,=99",
        "end phase",
        "initiative --dice 3,4,2,2",
        "first bydo",
        "battle end",
    ):
        fight.do(*line.split())
        states.append(fight.state)
    for n in range(len(states) - 2, -1, -1):
        fight.do("undo")
        assert fight.state == states[n]
    for state in states[1:]:
        fight.do("redo")
        assert fight.state == state


def test_p_g1_what_is_added_is_one_step_too(bare: Table) -> None:
    states = [bare.state]
    for words in (
        ["side", "add", "Players", "--players"],
        ["side", "add", "Bydo"],
        ["pilot", "add", "Ren", *PILOT],
        ["unit", "add", "kestrel", "--side", "Players", "--count", "5"],
        ["unit", "add", "arrow", "アロー", "--side", "Players", "--pilot", "Ren"],
    ):
        bare.do(*words)
        states.append(bare.state)
    for state in reversed(states[:-1]):
        bare.do("undo")
        assert bare.state == state
    bare.do("redo", str(len(states) - 1))
    assert bare.state == states[-1]


def test_p_g2_the_course_of_the_report(squads: Table) -> None:
    fuels = []
    for line in ("1", "2", "3"):
        squads.do("set", "units.alpha.fuel", line)
    squads.do("undo", "3")
    squads.do("redo", "3")
    for line in ("undo", "undo", "redo", "undo", "undo", "redo"):
        squads.do(line)
        fuels.append(squads.unit("alpha")["fuel"])
    assert fuels == [2, 1, 2, 1, 40, 1]


class Cursor:
    """What undo and redo must be like: the values there were, and where we stand among them."""

    def __init__(self, value: int) -> None:
        self.values = [value]
        self.at = 0

    @property
    def value(self) -> int:
        return self.values[self.at]

    def set(self, value: int) -> bool:
        self.values[self.at + 1 :] = [value]
        self.at += 1
        return True

    def move(self, by: int) -> bool:
        if not 0 <= self.at + by < len(self.values):
            return False
        self.at += by
        return True


class Course(NamedTuple):
    """A line, whether it must be done, and the fuel it leaves if it touches it."""

    line: str
    done: bool
    value: int | None


def draw(chance: random.Random, model: Cursor) -> Course:
    """A line by chance; the model has done it. It never comes to the steps from before the model."""
    what = chance.choice(("set", "set", "undo", "undo", "redo", "undo many", "redo many", "note", "refused"))
    if what == "note":
        return Course("note nothing to undo", True, None)
    if what == "refused":
        return Course("set units.alpha.fuel 41", False, None)
    word, _, many = what.partition(" ")
    steps = chance.randint(1, 4) if many else 1
    if word == "set" or (word == "undo" and model.at <= steps):
        value = chance.choice([n for n in range(41) if n != model.value])
        return Course(f"set units.alpha.fuel {value}", model.set(value), value)
    done = model.move(-steps if word == "undo" else steps)
    return Course(f"{word} {steps}", done, model.value if done else None)


def test_p_g2_500_courses_equal_a_list_with_a_cursor(squads: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each course is a run of its own, so the campaign is opened again 500 times; the list grows all the while."""
    monkeypatch.setattr(os, "fsync", lambda _fd: None)  # half of the time, and nothing is switched off here
    chance, model = random.Random(2), Cursor(squads.unit("alpha")["fuel"])
    for _ in range(BELOW):
        squads.do("set", "units.alpha.fuel", str((model.value + 1) % 41))
        model.set((model.value + 1) % 41)
    for _ in range(COURSES):
        course = [draw(chance, model) for _ in range(chance.randint(1, STEPS))]
        ran = squads.gm("--json", "run", "-", "--keep-going", input="\n".join([*(c.line for c in course), "status"]))
        *answers, shown = ran.objects
        assert [(a["ok"], fuel_in(a)) for a in answers] == [(c.done, c.value) for c in course], course
        assert shown["result"]["units"]["alpha"]["fuel"] == model.value


def fuel_in(answer: dict[str, Any]) -> int | None:
    """The fuel as a line left it, if it changed it."""
    path = "units.alpha.fuel"
    return next((change["after"] for change in reversed(answer.get("changes", [])) if change["path"] == path), None)


def test_p_g3_undo_of_the_end_of_a_phase_brings_back_what_it_ended(fight: Table) -> None:
    """Charge gained, marks of acting and moving, a barred counter, the order of the turn: all as it was."""
    fight.lines("move alpha 2", "pass alpha", "set units.alpha.no_counter yes", "set units.beta.no_counter yes")
    before = fight.state
    fight.lines("end phase", "end phase", "initiative --dice 3,4,2,2", "first players")
    after = fight.state
    assert (after["units"]["alpha"]["charge"], after["units"]["alpha"]["no_counter"]) == (1, False)
    fight.do("undo", "4")
    assert fight.state == before
    fight.do("redo", "4")
    assert fight.state == after


def test_p_g3_undo_brings_back_marks_of_search_and_what_a_phase_gave_and_took(fight: Table) -> None:
    """As a phase begins marks end, who is aboard is served and paid for, 2 fuel go in subspace: all as it was."""
    fight.lines("unit add lullaby Ship --side Players", "unit add arrow Arrow --side Players")
    fight.lines("resources players sol=22", "unit add shade Sub --side Players")
    fight.lines("set units.sub.state subspace", "set units.sub.fuel 9")
    fight.lines("set units.arrow.hp.lead 30", "stow arrow ship", "search alpha beta", "end phase")
    assert fight.unit("beta")["found_by"] == {}
    fight.lines("search beta alpha", "end phase", "initiative --dice 3,4,2,2")
    before = fight.state
    fight.lines("first players")
    after = fight.state
    assert after["units"]["alpha"]["found_by"] == {}
    assert (after["units"]["arrow"]["hp"]["lead"], after["units"]["sub"]["fuel"]) == (100, 7)
    assert after["sides"]["players"]["resources"]["solmonadium"] == 0
    fight.do("undo")
    assert fight.state == before
    assert (before["units"]["arrow"]["hp"]["lead"], before["units"]["sub"]["fuel"]) == (30, 9)
    fight.do("undo", "4")
    assert fight.unit("beta")["found_by"] == {"alpha": "stood"}
    fight.do("redo", "5")
    assert fight.state == after


def test_p_b3_back_and_forward_is_the_same_and_no_rule_runs_twice(fight: Table) -> None:
    """Undo and redo of an end of phase give equal bytes of the state, and the charge rises once."""
    fight.do("end", "phase")
    once = tables(fight)
    for _ in range(3):
        fight.do("undo")
        fight.do("redo")
        assert tables(fight) == once
    assert fight.unit("alpha")["charge"] == 1


def tables(table: Table) -> str:
    """The snapshot without its place in the journal."""
    data = json.loads((table.home / "test" / "campaign.json").read_text(encoding="utf-8"))
    rows = {name: rows for name, rows in data.items() if name in table.state or name in {"campaign", "ids", "sheets"}}
    assert "units" in rows
    return json.dumps(rows)


@pytest.mark.parametrize("steps", ["0", "-1", "nan", "1.5", "99", "9" * 30, "１０００"])
def test_p_g2_more_than_there_is_is_refused_whole(squads: Table, steps: str) -> None:
    squads.refused("undo", steps)
    squads.refused("redo", steps)


def test_p_g2_notes_and_rolls_are_no_steps_and_stay(squads: Table) -> None:
    squads.do("set", "units.alpha.fuel", "7")
    squads.lines("note said", "roll 1d6", "undo", "note again", "redo")
    assert squads.unit("alpha")["fuel"] == 7
    kinds = [line["kind"] for line in journal(squads.home)[-6:]]
    assert kinds == ["step", "mark", "mark", "undo", "mark", "redo"]
