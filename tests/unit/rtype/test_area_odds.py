"""Odds of an area: each target by itself, with the chances that the whole shot gives it."""

from typing import Any

from gmtool.kernel.asks import Answers
from gmtool.kernel.odds import outlook
from gmtool.kernel.summary import summary
from tests.bench.kernel import Table

SHOT = {"unit": "arrow", "weapon": "wave-cannon"}


def table() -> Table:
    made = Table()
    for name in ("Left", "Right"):
        made.do("unit add", "", {"sheet": "gains", "side": "bydo", "name": name})
    made.do("charge", "", {"unit": "arrow", "change": "5"})
    made.state = made.system.state(made.tables)
    made.book = made.system.book(made.state, made.data)
    return made


def foretold(made: Table, command: Any, said: dict[str, str]) -> dict[str, Any]:
    return summary(outlook(made.system, made.state, made.book, command, Answers(said=said), made.settings))


def test_a_shot_falls_apart_into_its_targets_with_the_same_chances() -> None:
    """One target focuses; the whole shot, walked through at once, gives each target what it has alone."""
    made, said = table(), {"defence.left": "focus"}
    command = made.read("fire", {**SHOT, "targets": ["left", "right"]})
    whole = foretold(made, command, said)
    alone: dict[str, Any] = {}
    for _, part, own in command.apart(said, made.state, made.book):
        alone |= foretold(made, part, own)
    for key in ("hits.left", "damage.left", "craft_lost.right", "damage.right"):
        assert {value: round(chance, 12) for value, chance in whole[key]["chances"].items()} == {
            value: round(chance, 12) for value, chance in alone[key]["chances"].items()
        }
    assert whole["damage.left"]["mean"] < whole["damage.right"]["mean"]


def test_a_counter_holds_the_shot_together() -> None:
    """Whether a counter can still be fired hangs on what came before it: nothing falls apart."""
    made = table()
    command = made.read("fire", {**SHOT, "targets": ["left", "right"], "defence": ["left=counter:beam"]})
    assert command.apart({}, made.state, made.book) == []
