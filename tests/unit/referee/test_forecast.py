"""Forecasts of the open ruling: from where its dice lie, and how rare its outcome was."""

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from gmtool.kernel.asks import Answers, Given, Missing
from gmtool.kernel.run import judge
from gmtool.referee import forecast as module
from gmtool.referee.act import restored
from gmtool.referee.desk import Desk, Registry
from gmtool.referee.explain import line_to_explain
from gmtool.referee.forecast import Forecast, forecast, hindsight, rarity
from gmtool.referee.ground import ground
from gmtool.referee.opened import Opened, Request, open_ruling
from gmtool.store.campaign import open_campaign
from tests.conftest import Ran
from tests.setups import BOWS, PILOTS, PLAYERS_FIRST

Gm = Callable[..., Ran]
SETUP = f"""{PILOTS.strip()}
set units.arrow.hp.B 0
set units.arrow.hp.C 0
set units.arrow.hp.D 0
{PLAYERS_FIRST.strip()}"""


@pytest.fixture
def duel(gm: Gm) -> Gm:
    """A lead with one RC craft against a whole squad, its first craft nearly gone."""
    assert gm("campaign", "new", "Duel", "--system", "rtype").code == 0
    assert gm("run", "-", input=SETUP.strip()).code == 0
    assert gm("set", "units.gains.hp.A", "20").code == 0
    return gm


def desk() -> Desk:
    return Desk(open_campaign(Path(os.environ["GMTOOL_HOME"]) / "duel", write=False), Registry())


def foreseen() -> Forecast:
    """The forecast of the ruling that is open."""
    at = desk()
    opened = open_ruling(at)
    assert opened is not None
    found = forecast(at, opened)
    assert found is not None
    return found


def played() -> dict[str, dict[Any, float]]:
    """Every fall of the dice that the open ruling still needs, judged one by one; a class of falls counts once."""
    at = desk()
    ruling = Opened.read(open_ruling(at) or {}, Request("", {}, ""))
    command, base = restored(at, ruling.verb, ruling.args), ground(at, ruling.amends)
    waiting, found = [(ruling.given, 1.0)], dict[str, dict[Any, float]]()
    while waiting:
        lies, chance = waiting.pop()
        answers = Answers(said=ruling.request.said, given=lies)
        try:
            result = judge(at.system, base.state, base.book, command, answers, at.settings(), at.speech).result
        except Missing as missing:
            key, law = missing.asks[0].key, missing.laws[0]
            classes: dict[str, list[Any]] = {}
            for throw in law.all():
                classes.setdefault(throw.result, []).append(throw)
            for throws in classes.values():
                die = Given(throws[-1].faces, False, "entered", None)
                waiting.append(({**lies, key: die}, chance * len(throws) / 100))
            continue
        for name, value in result.items():
            found.setdefault(name, {})[value] = found.get(name, {}).get(value, 0.0) + chance
    return found


def agree(found: Forecast, expected: dict[str, dict[Any, float]]) -> None:
    assert found.result.keys() == expected.keys()
    for key, tally in found.result.items():
        if isinstance(tally, float):
            assert tally == pytest.approx(expected[key].get(True, 0.0)), key
        else:
            assert tally["chances"] == pytest.approx({str(n): chance for n, chance in expected[key].items()}), key


@pytest.mark.parametrize(
    "given",
    [
        (),
        ("92",),
        ("15 61",),
        ("15 61 / 33",),
        ("=99 11",),
    ],
)
def test_a_forecast_is_what_every_fall_of_the_missing_dice_comes_to(duel: Gm, given: tuple[str, ...]) -> None:
    duel("attack", "arrow", "vulcan", "gains")
    for faces in given:
        duel("answer", "--dice", faces)
    agree(foreseen(), played())


def test_a_counter_that_is_declared_is_foretold_too(duel: Gm) -> None:
    """Seven of the counter's dice may be open: only the attack's are given here."""
    for craft in "ABCD":
        duel("set", f"units.gains.hp.{craft}", "0")
    duel("attack", "arrow", "vulcan", "gains", "--defence", "counter:flak")
    duel("answer", "--dice", "15 99")
    found = foreseen()
    agree(found, played())
    assert [field.word for field in found.fields][-3:] == ["wrecked", "counter.damage", "counter.wrecked"]


def test_a_die_that_is_to_be_thrown_again_is_foretold_with_those_that_lie_after_it(duel: Gm) -> None:
    """The lead's miss is thrown again; the other's hit and its evasion lie."""
    duel("config", "declare.raise", "no")
    assert duel("attack", "arrow", "vulcan", "gains", "--dice", "99 61 / 99").code == 0
    assert duel("reroll", "arrow", "lead").code == 1
    agree(foreseen(), played())


def test_an_amended_ruling_is_foretold_on_the_state_before_it(duel: Gm) -> None:
    assert duel("attack", "arrow", "vulcan", "gains", "--dice", "99 61 / 99").code == 0
    assert duel("amend", "--defence", "counter:flak").code == 1
    found = foreseen()
    assert found.result["damage"]["chances"] == {"30": 1.0}, "what lies is fixed"
    assert found.result["counter.gains.hits"]["mean"] > 0


def test_a_refusal_that_was_set_aside_stays_aside(duel: Gm) -> None:
    duel("set", "units.arrow.acted", "yes")
    assert duel("attack", "arrow", "vulcan", "gains", "--force").code == 1
    assert foreseen().result["hits"]["mean"] > 0


def test_a_declaration_that_will_be_asked_is_foretold_by_its_default(duel: Gm) -> None:
    duel("attack", "arrow", "vulcan", "gains")
    usual = foreseen()
    duel("answer", "--drop")
    duel("config", "declare.defence", "ask")
    duel("attack", "arrow", "vulcan", "gains")
    assert foreseen() == usual


def test_nothing_is_foretold_where_the_game_foretells_nothing(duel: Gm) -> None:
    duel("check", "40")
    at = desk()
    opened = open_ruling(at)
    assert opened is not None
    assert forecast(at, opened) is None


def test_what_would_take_too_long_is_given_up_quietly(duel: Gm, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "RUNS", 3)
    duel("attack", "arrow", "vulcan", "gains")
    at = desk()
    assert forecast(at, open_ruling(at) or {}) is None


def test_faces_named_for_rolls_to_come_leave_it_open(duel: Gm) -> None:
    assert duel("attack", "arrow", "vulcan", "gains", "--dice", "attack: 15 / evade gains: 33").code == 1
    at = desk()
    assert forecast(at, open_ruling(at) or {}) is None


def test_a_forecast_changes_nothing(duel: Gm) -> None:
    duel("attack", "arrow", "vulcan", "gains")
    before = duel("status", "--json").out
    foreseen()
    assert duel("status", "--json").out == before


def test_how_rare_an_outcome_was_by_hand(duel: Gm) -> None:
    """Two attacks at 70, evasions at 50, by people of even temper: 70 and both orders of the dice make 91 in 100."""
    duel("attack", "arrow", "vulcan", "gains")
    before = foreseen()
    assert duel("answer", "--dice", "15 61 / 99 98").code == 0
    at = desk()
    line = line_to_explain(at, None)
    (rare,) = rarity(at, before, line)
    # a D99 misses where both orders are above the target: 70 or above 50
    miss = sum(1 for n in range(100) if min(n, n % 10 * 10 + n // 10) > 70) / 100
    fails = sum(1 for n in range(100) if min(n, n % 10 * 10 + n // 10) > 50) / 100
    assert (rare.word, rare.value, rare.at_most) == ("damage", 60, pytest.approx(1))
    assert rare.at_least == pytest.approx(((1 - miss) * fails) ** 2)
    assert hindsight(at, line) == before, "as it can be told afterwards too"


def test_nothing_is_rare_without_a_forecast(duel: Gm) -> None:
    assert duel("attack", "arrow", "vulcan", "gains", "--dice", "99 98").code == 0
    at = desk()
    assert rarity(at, None, line_to_explain(at, None)) == []


def test_several_targets_are_foretold_one_by_one(duel: Gm) -> None:
    duel("unit", "add", "gains", "Other", "--side", "Bydo")
    duel("charge", "arrow", "+5")
    assert duel("fire", "arrow", "wave-cannon", "gains", "other").code == 1
    fields = foreseen().fields
    assert [(field.word, field.who) for field in fields][:2] == [("hits", ("gains",)), ("damage", ("gains",))]
    assert ("damage", ("other",)) in [(field.word, field.who) for field in fields]


def test_a_volley_of_the_other_game(gm: Gm) -> None:
    """A torpedo hits at 3 and more, and its four boxes are more than are left."""
    assert gm("campaign", "new", "Duel", "--system", "talon").code == 0
    assert gm("run", "-", input=BOWS.strip()).code == 0
    assert gm("fire", "guderian", "2", "justice").code == 1
    words = {(field.word, field.who): field.tally for field in foreseen().fields}
    assert words[("lost", ("justice",))] == pytest.approx(2 / 3)
    assert words[("hits", ())]["chances"] == {"0": pytest.approx(1 / 3), "1": pytest.approx(2 / 3)}
