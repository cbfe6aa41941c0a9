"""Odds of each figure by itself are those of the ends whole: merging more must change no chance."""

from typing import Any

import pytest

from gmtool.kernel.asks import Answers
from gmtool.kernel.odds import outlook
from gmtool.kernel.summary import summary
from tests.bench.kernel import Table

ATTACK = {"unit": "arrow", "weapon": "vulcan", "target": "gains"}


def table(hp: int = 40, own: int = 100, lead: int = 100) -> Table:
    made = Table()
    for craft in "ABCD":
        made.tables["units"]["gains"]["hp"][craft] = hp
        made.tables["units"]["arrow"]["hp"][craft] = own
    made.tables["units"]["gains"]["hp"]["lead"] = lead
    made.tables["units"]["arrow"]["hp"]["lead"] = own
    made.state = made.system.state(made.tables)
    return made


def chances(tally: Any) -> dict[str, float]:
    return {"yes": tally} if isinstance(tally, float) else {**tally["chances"], "mean": tally.get("mean", 0.0)}


def both(made: Table, command: Any, said: dict[str, str]) -> tuple[dict[str, Any], dict[str, Any], int, int]:
    whole, merged = (
        outlook(made.system, made.state, made.book, command, Answers(said=said), made.settings, by_figure=by_figure)
        for by_figure in (False, True)
    )
    return summary(whole), summary(merged), whole.runs, merged.runs


@pytest.mark.parametrize(
    ("made", "words", "said"),
    [
        (table(), {}, {}),
        (table(30, 20, 10), {}, {"counter.gains.once": "yes"}),
        (table(10, 10, 10), {"rolls": "once"}, {"counter.gains.once": "yes"}),
        (table(60), {"weapon": "missile"}, {}),
    ],
)
@pytest.mark.parametrize("way", ["evade", "focus", "intercept:flak", "counter:flak"])
def test_every_figure_has_the_same_chances(made: Table, words: dict[str, Any], said: dict[str, str], way: str) -> None:
    weapon = {"weapon": "missile"} if way.startswith("intercept") else {}
    command = made.read("attack", {**ATTACK, **words, **weapon, "defence": way})
    whole, merged, runs, fewer = both(made, command, said if way.startswith("counter") else {})
    assert whole.keys() == merged.keys()
    for key, tally in whole.items():
        assert chances(merged[key]) == pytest.approx(chances(tally), abs=1e-12), key
    assert fewer <= runs


def test_a_counter_takes_few_runs_more_than_its_attack() -> None:
    """The exchanges of a counter are looked at once for what they hang on, not for each way that led there."""
    made = table(100)
    *_, alone = both(made, made.read("attack", ATTACK), {})
    *_, countered = both(made, made.read("attack", {**ATTACK, "defence": "counter:flak"}), {})
    assert countered < 3 * alone


def test_a_counter_that_is_not_fired_is_told_as_such() -> None:
    """Who is wrecked fires nothing: so much of the chance is missing."""
    made = table(10, 100, 10)
    _, merged, *_ = both(made, made.read("attack", {**ATTACK, "defence": "counter:flak"}), {})
    fired = sum(merged["counter.gains.hits"]["chances"].values())
    assert fired == pytest.approx(1 - merged["wrecked"])
    assert 0.1 < merged["wrecked"] < 0.9
