"""Refusals, asks and what is due."""

import pytest

from gmtool.kernel.view import Name
from gmtool.render.refusal import asks, due, notation, refusal
from gmtool.render.text import text
from gmtool.text.catalogue import Catalogue

NAMES = {"kestrel": "Kestrel", "gains-2": "Gains-2"}


def test_a_refusal_gives_reason_rule_and_way_out(catalogue: Catalogue) -> None:
    facts = {"target": Name("gains-2"), "n": 3, "others": ["Missile (1-4)"]}
    error = {"code": "not-in-range", "facts": facts, "rule": "RT-8.1", "forcible": True}
    assert text(refusal(error, catalogue, NAMES)).split("\n") == [
        "Gains-2 is 3 hexes away (RT-8.1).",
        "In reach: Missile (1-4).",
        "To do it all the same: --force",
    ]


def test_things_of_one_name_are_told_apart_by_their_ids(catalogue: Catalogue) -> None:
    names = {"red-1": "Knight", "blue-1": "Knight", "rook": "Rook"}
    facts = {"value": "k", "kind": "unit", "candidates": [Name("red-1"), {"id": "blue-1"}, Name("rook")]}
    told = text(refusal({"code": "ambiguous-name", "facts": facts}, catalogue, names)).split("\n")
    assert told[1] == "They are: Knight (red-1), Knight (blue-1), Rook"


def test_what_was_typed_is_shown_letter_by_letter(catalogue: Catalogue) -> None:
    error = {
        "code": "x",
        "key": "not-in-range",
        "facts": {"target": "[nosuch] :fire: \x1b[31m", "n": 2},
        "hint": "none",
    }
    assert text(refusal(error, catalogue, {})) == "[nosuch] :fire: <U+001B>[31m is 2 hexes away."


def test_rolls_of_one_check_are_asked_in_one_line(catalogue: Catalogue) -> None:
    rolls = [
        {"key": f"attack.{seat}", "who": "kestrel", "kind": "dice", "dice": [10, 10], "rule": "RT-8.5", "target": 65}
        for seat in ("lead", "A", "B")
    ]
    evasion = {"key": "evade.gains-2.A", "who": "gains-2", "kind": "dice", "dice": [10, 10], "rule": "RT-8.6"}
    assert text(asks([*rolls, evasion], catalogue, NAMES)).split("\n") == [
        "Kestrel, attack 65: 3 rolls of 2D10 for lead, A, B (RT-8.5)",
        '  type: answer --dice "__ __ __"',
        "Gains-2, evade: 2D10 for A (RT-8.6)",
        '  type: answer --dice "__"',
    ]


@pytest.mark.parametrize("key", ["reroll.attack.lead", "reroll.2.attack.lead"])
def test_a_roll_that_is_thrown_again_is_asked_as_such(catalogue: Catalogue, key: str) -> None:
    ask = {"key": key, "who": "kestrel", "kind": "dice", "dice": [10, 10], "options": [], "rule": "RT-8.5"}
    shown = text(asks([ask], catalogue, {"kestrel": "Kestrel"}))
    assert shown.startswith("Kestrel, attack, thrown again: 2D10 for lead (RT-8.5)")
    single = text(asks([{**ask, "key": "reroll.initiative"}], catalogue, {"kestrel": "Kestrel"}))
    assert single.startswith("Kestrel, initiative, thrown again: 2D10 (RT-8.5)")


def test_rolls_whose_key_ends_in_an_id_have_no_seat(catalogue: Catalogue) -> None:
    ask = {"key": "initiative.bydo", "who": "bydo", "kind": "dice", "dice": [6, 6], "rule": "RT-2.2"}
    assert text(asks([ask], catalogue, {})) == 'bydo, initiative: 2D6 (RT-2.2)\n  type: answer --dice "_ _"'


def test_a_choice_is_asked_in_words_and_typed_as_it_is_kept(catalogue: Catalogue) -> None:
    ask = {"key": "defence.gains-2", "who": "gains-2", "kind": "declaration", "options": ["evade", "focus"], "rule": ""}
    assert text(asks([ask], catalogue, NAMES)).split("\n") == [
        "Gains-2, defence: evade / focus",
        "  type: answer --say defence.gains-2=evade|focus",
    ]


def test_what_is_due_names_the_line_that_settles_it(catalogue: Catalogue) -> None:
    item = {"what": "escape", "who": "kestrel", "rule": "RT-11.2", "command": "escape kestrel"}
    shown = text(due([item], catalogue, NAMES))
    assert shown == "due 1\n  Kestrel, escape, RT-11.2. Settle with: escape kestrel"
    assert due([], catalogue, NAMES) == []


def test_dice_thrown_together_are_written_short() -> None:
    assert [notation(dice) for dice in ([10, 10], [6], [6, 10])] == ["2D10", "D6", "D6+D10"]


def test_what_is_not_known_of_a_rules_file_is_not_told(catalogue: Catalogue) -> None:
    facts = {"file": "rules/own.toml", "key": "craft.x", "line": 0, "more": 0}
    error = {"code": "rules-file", "key": "data-missing-key", "facts": facts}
    assert text(refusal(error, catalogue, {})) == "rules/own.toml: craft.x is missing."
    assert text(refusal({**error, "facts": {**facts, "line": 3, "more": 2}}, catalogue, {})).splitlines() == [
        "rules/own.toml, line 3: craft.x is missing.",
        "Further faults in this file: 2",
    ]
