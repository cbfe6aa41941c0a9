"""Reading what people type: names and whole numbers, whatever their width, case or Unicode form."""

import unicodedata
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gmtool.kernel.fold import fold, half_width, numeral
from gmtool.kernel.refusal import Refused


def test_full_width_is_half_width_and_all_else_stays() -> None:
    assert half_width("９２　＝－％Ｄ") == "92 =-%D"
    assert half_width("−3") == "-3"
    assert half_width("ー②アé") == "ー②アé"


@pytest.mark.parametrize(
    ("one", "other"),
    [("Ａrrow", "arrow"), ("ｱﾛｰ", "アロー"), ("  Red \t Bow", "red bow"), ("STRASSE", "straße"), ("가", "가")],
)
def test_names_are_one_whatever_their_form(one: str, other: str) -> None:
    assert fold(one) == fold(other)


@given(st.text(max_size=12))
def test_folding_again_changes_nothing_for_what_was_typed_in_either_form(text: str) -> None:
    once = fold(text)
    assert fold(once) == fold(fold(once))
    assert fold(unicodedata.normalize("NFC", text)) == fold(unicodedata.normalize("NFD", text))


@pytest.mark.parametrize(("text", "value"), [("7", 7), ("-3", -3), ("+4", 4), ("００７", 7), ("−３", -3), (" 5 ", 5)])
def test_a_whole_number_is_read(text: str, value: int) -> None:
    assert numeral(text) == value


@pytest.mark.parametrize(
    ("text", "character"),
    [("²", "²"), ("①", "①"), ("٣", "٣"), ("ー3", "ー"), ("3x", "x"), ("", ""), ("1 2", " "), ("--1", "-")],
)
def test_anything_else_is_refused_with_the_character(text: str, character: str) -> None:
    with pytest.raises(Refused) as refused:
        numeral(text)
    assert (refused.value.key, refused.value.facts["character"]) == ("not-a-number", character)


@pytest.mark.parametrize("text", ["0", "10", "9" * 13, "9" * 5000])
def test_a_figure_out_of_range_is_refused(text: str) -> None:
    with pytest.raises(Refused) as refused:
        numeral(text, 1, 9)
    assert (refused.value.key, refused.value.facts["low"], refused.value.facts["high"]) == ("number-range", 1, 9)


@given(st.text(max_size=8))
def test_any_text_is_a_number_or_refused(text: str) -> None:
    with suppress(Refused):
        assert isinstance(numeral(text), int)
