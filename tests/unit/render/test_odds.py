"""Odds as percentages and bars."""

from gmtool.render.lines import Room, cells_of
from gmtool.render.odds import odds, percent
from gmtool.render.text import text
from gmtool.render.words import Words
from gmtool.text.catalogue import Catalogue


def test_chances_means_and_spreads(catalogue: Catalogue) -> None:
    """The bars go with 10 : 40 : 50; the longest takes 30 cells."""
    result = {"hits": {"mean": 1.4, "chances": {"0": 0.1, "1": 0.4, "2": 0.5}}, "wrecked.gains-2": 0.384}
    assert text(odds(result, catalogue, {"gains-2": "Gains-2"})).split("\n") == [
        "hits             expected 1.40",
        "    0  10.0 %                      " + "#" * 6,
        "    1  40.0 %  at least 1: 90.0 %  " + "#" * 24,
        "    2  50.0 %  at least 2: 50.0 %  " + "#" * 30,
        "Gains-2 wrecked  38.4 %",
    ]


def test_words_have_chances_only(catalogue: Catalogue) -> None:
    shown = text(odds({"end": {"chances": {"evade": 0.25, "focus": 0.75}}}, catalogue, {}))
    assert shown.split("\n") == ["end", "    evade  25.0 %  " + "#" * 10, "    focus  75.0 %  " + "#" * 30]


def test_many_values_are_told_in_a_dozen_ranges_that_fit(catalogue: Catalogue) -> None:
    chances = {str(n * 10): 1 / 40 for n in range(40)}
    lines = odds({"damage": {"mean": 195.0, "chances": chances}}, catalogue, {}, Room(44, True))
    assert "  0-30  10.0 %" in text(lines)
    assert len(lines) == 11
    assert all(cells_of(line) <= 44 for line in lines)


def test_what_is_possible_is_never_shown_as_nothing_or_certain(catalogue: Catalogue) -> None:
    words = Words(catalogue, {})
    shown = [percent(chance, words) for chance in (0.0, 0.0001, 0.5, 0.9999, 1.0)]
    assert shown == ["0.0 %", "<0.1 %", "50.0 %", ">99.9 %", "100.0 %"]
