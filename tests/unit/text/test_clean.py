"""Data on its way to a screen, and names and notes on their way in."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gmtool.kernel.refusal import Refused
from gmtool.text.clean import name_limits, note_limits, printable, refuse_controls

ENGLAND = "🏴\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f"


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("a\x1b[31mb", "a<U+001B>[31mb"),
        ("a\nb\tc\x00", "a<U+000A>b<U+0009>c<U+0000>"),
        ("\x9b1m", "<U+009B>1m"),
        ("a\ud800b", "a<U+D800>b"),
        ("\u202eevil\u2066\u200f\u061c", "<U+202E>evil<U+2066><U+200F><U+061C>"),
        ("a\u2028b\u2029\ufeff", "a<U+2028>b<U+2029><U+FEFF>"),
        ("a\U000e0041b", "a<U+E0041>b"),
        ("a\u200db", "a<U+200D>b"),
        ("a\u200b\u00ad", "a<U+200B><U+00AD>"),
        ("🚀\u200d", "🚀<U+200D>"),
    ],
)
def test_what_must_not_reach_a_screen_is_shown_by_number(text: str, shown: str) -> None:
    assert printable(text) == shown


@pytest.mark.parametrize(
    "text",
    [
        "x[/]y :fire: {unit} %s",
        "アロー\u3000화살 ｱﾛｰ か\u3099み ①★—",
        "👨‍👩‍👧‍👦 👩🏽‍🚀 🏳️‍🌈 🇯🇵 ❤️‍🔥",
        ENGLAND,
        "葛\U000e0100",
        "श्\u200dर",
        "می\u200cخواهم",
    ],
)
def test_everything_else_is_left_alone(text: str) -> None:
    assert printable(text) == text
    assert refuse_controls(text, "name") == text


def test_a_control_in_a_name_is_refused_and_shown() -> None:
    with pytest.raises(Refused) as caught:
        refuse_controls("ab\x1b[2J", "name")
    refusal = caught.value
    assert (refusal.code, refusal.key, refusal.exit) == ("bad-value", "control-character", 2)
    assert refusal.facts == {"what": "name", "value": "ab<U+001B>[2J", "character": "U+001B"}


@pytest.mark.parametrize("text", ["A", "あ" * 40, "a" * 80, "  Red Two\u3000", "👨‍👩‍👧‍👦" * 40])
def test_names_up_to_80_cells(text: str) -> None:
    assert name_limits(text) == text.strip()


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ("", "name-empty"),
        (" \u3000", "name-empty"),
        ("\u3164", "name-empty"),
        ("a" * 81, "name-length"),
        ("あ" * 41, "name-length"),
        ("a\nb", "control-character"),
    ],
)
def test_names_that_are_refused(text: str, key: str) -> None:
    with pytest.raises(Refused) as caught:
        name_limits(text)
    assert (caught.value.key, caught.value.exit) == (key, 2)


def test_a_very_long_name_is_told_with_its_limit() -> None:
    with pytest.raises(Refused) as caught:
        name_limits("x" * 5000)
    assert caught.value.facts == {"value": "x" * 19 + ".." + "x" * 19, "cells": 5000, "limit": 80}


def test_notes_up_to_2000_characters() -> None:
    assert note_limits("あ" * 2000) == "あ" * 2000
    with pytest.raises(Refused) as caught:
        note_limits("a" * 2001)
    assert (caught.value.key, caught.value.facts) == ("note-length", {"length": 2001, "limit": 2000})


@given(st.text(st.characters() | st.sampled_from("\u200d\x1b🚀\ud800\ufe0f")))
def test_what_was_made_printable_stays_so(text: str) -> None:
    shown = printable(text)
    assert printable(shown) == shown
    assert not set(shown) & set("\x1b\n\r\t\x9b\ud800\u202e")
