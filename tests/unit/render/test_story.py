"""A ruling told as a story: which sentences, one or several things in one, and what is left for the margin."""

from typing import Any

import pytest

from gmtool.render.story import story
from gmtool.render.words import Words
from gmtool.text.catalogue import Catalogue, merged, sources
from tests.unit.render.conftest import GAME, NAMES, die

TALES = {
    "tale.fired": "{unit} fired at {target}.",
    "tale.struck": {"one": "{target} took one hit.", "other": "{target} took {hits} hits."},
    "tale.wrecked": {"one": "{unit} was wrecked.", "other": "{unit} were wrecked."},
    "event.fired": "fires, rolls {rolls}",
    "event.struck": "hits {hits}",
    "event.charged": "{unit} charge {before} > {after}",
}


@pytest.fixture(scope="module")
def words() -> Words:
    return Words(Catalogue("en", {**merged(sources("en")), **GAME, **TALES}), NAMES)


def event(kind: str, **facts: Any) -> dict[str, Any]:
    told = {name: {"id": value} if isinstance(value, str) else value for name, value in facts.items()}
    return {"t": "event", "type": kind, "rule": "R-1", "facts": told}


def line(*trace: dict[str, Any], **more: Any) -> dict[str, Any]:
    command = {"verb": "attack", "args": {"unit": "kestrel", "targets": "gains-2", "weapon": "vulcan"}}
    return {"seq": 7, "command": command, "trace": list(trace), "changes": [], **more}


def test_events_are_told_in_their_order(words: Words) -> None:
    told = story(
        line(event("fired", unit="kestrel", target="gains-2"), event("struck", target="gains-2", hits=2)), words
    )
    assert (told.text, told.number) == ("Kestrel fired at Gains-2. Gains-2 took 2 hits.", "#7")
    assert told.margin == ()


def test_a_single_one_is_told_as_one(words: Words) -> None:
    assert story(line(event("struck", target="gains-2", hits=1)), words).text == "Gains-2 took one hit."
    assert story(line(event("wrecked", unit="gains-2")), words).text == "Gains-2 was wrecked."


def test_the_same_of_several_things_is_one_sentence(words: Words) -> None:
    told = story(line(event("wrecked", unit="kestrel"), event("wrecked", unit="gains-2")), words)
    assert told.text == "Kestrel, Gains-2 were wrecked."


def test_what_differs_in_more_than_a_name_is_told_apart_and_what_does_not_once(words: Words) -> None:
    two, one = event("struck", target="kestrel", hits=2), event("struck", target="gains-2", hits=1)
    assert story(line(two, one), words).text == "Kestrel took 2 hits. Gains-2 took one hit."
    assert story(line(one, one), words).text == "Gains-2 took one hit."


def test_what_has_no_tale_and_figures_a_tale_leaves_out_stand_in_the_margin(words: Words) -> None:
    fired = event("fired", unit="kestrel", target="gains-2", rolls=5)
    charged = event("charged", unit="kestrel", before=0, after=1)
    assert story(line(fired, charged), words).margin == ("fires, rolls 5; Kestrel charge 0 > 1",)


def test_a_ruling_of_which_nothing_is_told_reads_as_its_command(words: Words) -> None:
    told = story(line(event("charged", unit="kestrel", before=0, after=1), result={"hits": 3}), words)
    assert (told.text, told.outcome) == ("Kestrel > Gains-2  Vulcan.", "hits 3")


def test_dice_stand_with_the_figure_they_were_thrown_at_and_with_what_was_thrown_again(words: Words) -> None:
    """92 is read as 29; the 7 on the second die was thrown again as 15."""
    attack = {"key": "attack", "who": {"id": "kestrel"}, "rule": "R-1"}
    figure = {"t": "figure", **attack, "total": 65, "parts": []}
    thrown = [die("lead", [9, 2], 29, "success"), die("A", [7, 7], 77, "failure")]
    again = [{**die("A", [1, 5], 15, "success"), "key": "reroll.attack.A"}]
    trace = [
        figure,
        {"t": "dice", **attack, "dice": thrown, "law": None},
        {"t": "dice", **attack, "key": "reroll.attack.A", "dice": again, "law": None},
    ]
    assert story(line(*trace), words).margin == ("Kestrel attack 65: 92>29 77 > 15",)
