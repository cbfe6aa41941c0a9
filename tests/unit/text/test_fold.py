"""Names compared and numbers read, at the edge where people type."""

from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gmtool.kernel.fold import fold, half_width, numeral
from gmtool.kernel.refusal import Refused


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Red Two", "ＲＥＤ\u3000 two "),
        ("アロー", "ｱﾛｰ"),
        ("がみ", "か\u3099み"),
        ("한", "\u1112\u1161\u11ab"),
        ("Straße", "STRASSE"),
    ],
)
def test_names_that_are_the_same(one: str, other: str) -> None:
    assert fold(one) == fold(other)


def test_names_that_differ() -> None:
    assert len({fold(name) for name in ("アロ", "アロー", "アロ-", "あろー", "Red", "Red Two")}) == 6


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("１２", 12),
        ("-3", -3),
        ("－１０", -10),
        ("−10", -10),
        ("＋５", 5),
        ("007", 7),
        ("\u30003 ", 3),
        ("-0", 0),
    ],
)
def test_numbers(text: str, value: int) -> None:
    assert numeral(text) == value


@pytest.mark.parametrize(
    ("text", "character"),
    [
        ("²", "²"),
        ("1①", "①"),
        ("٣", "٣"),
        ("1e3", "e"),
        ("2.5", "."),
        ("1_000", "_"),
        ("nan", "n"),
        ("", ""),
        ("-", ""),
        ("ー3", "ー"),
        ("--3", "-"),
    ],
)
def test_what_is_no_whole_number_is_refused_with_its_character(text: str, character: str) -> None:
    with pytest.raises(Refused) as caught:
        numeral(text)
    refusal = caught.value
    assert (refusal.code, refusal.key, refusal.exit) == ("bad-value", "not-a-number", 2)
    assert refusal.facts == {"value": text, "character": character}


@pytest.mark.parametrize("text", ["1000001", "-1000001", "9" * 5000])
def test_figures_out_of_range(text: str) -> None:
    with pytest.raises(Refused) as caught:
        numeral(text)
    assert caught.value.key == "number-range"
    assert (caught.value.facts["low"], caught.value.facts["high"]) == (-1_000_000, 1_000_000)


def test_half_width_leaves_the_long_vowel_mark() -> None:
    assert half_width("２ｄ６＋３\u3000５０％－−ー") == "2d6+3 50%--ー"


@given(st.text(st.characters() | st.sampled_from("0１-－ー")))
def test_any_text_is_a_number_or_refused(text: str) -> None:
    with suppress(Refused):
        assert -1_000_000 <= numeral(text) <= 1_000_000


@given(st.integers(-1_000_000, 1_000_000))
def test_numbers_in_range_are_read_back(value: int) -> None:
    assert numeral(str(value)) == value
