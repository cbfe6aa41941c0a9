"""Widths: what a terminal gives each character, and shortening that stays honest."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gmtool.text.width import cells, clusters, fit, pad

FAMILY = "👨‍👩‍👧‍👦"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Alpha", 5),
        ("", 0),
        ("アロー", 6),
        ("ｱﾛｰ", 3),
        ("화살", 4),
        ("\u1112\u1161\u11ab", 2),  # one Hangul syllable written as three letters
        ("か\u3099み", 4),
        ("e\u0301", 1),
        ("🚀1", 3),
        ("👨‍🚀", 2),
        (FAMILY, 2),
        ("👍🏽", 2),
        ("🇯🇵", 2),
        ("🇯🇵🇰🇷", 4),
        ("1\ufe0f\u20e3", 2),
        ("❤\ufe0f", 2),
        ("❤", 1),
        ("①号", 3),
        ("—★", 2),
        ("葛\U000e0100", 2),
        ("（）：", 6),
        ("🫨", 2),  # newer than the tables of Python 3.11
    ],
)
def test_cells(text: str, expected: int) -> None:
    assert cells(text) == expected


def test_a_skin_tone_after_a_letter_is_a_picture_of_its_own() -> None:
    assert [part.text for part in clusters("a🏽")] == ["a", "🏽"]


def test_a_joiner_between_letters_joins_nothing_more() -> None:
    assert [part.text for part in clusters("a\u200db")] == ["a\u200d", "b"]


def test_what_fits_is_left_alone() -> None:
    assert fit("アロー", 6) == "アロー"


def test_long_names_that_differ_at_the_end_stay_apart() -> None:
    first, second = "A" * 59 + "1", "A" * 59 + "2"
    assert fit(first, 20) == "AAAAAAAAA..AAAAAAAA1"
    assert fit(second, 20) == "AAAAAAAAA..AAAAAAAA2"


def test_wide_names_are_shortened_by_cells() -> None:
    # 10 cells: two dots, four for the head, four for the tail.
    assert fit("ゲインズゲインズ2号機", 10) == "ゲイ..号機"
    # 9 cells: two dots, three for the head, of which one stays empty and goes to the tail.
    assert fit("ゲインズゲインズ2", 9) == "ゲ..ンズ2"


def test_little_room() -> None:
    assert [fit("Kestrel", n) for n in (0, 1, 2, 3, 5, 7)] == ["", "K", "Ke", "K~l", "Ke~el", "Kestrel"]
    assert fit("アロー", 1) == ""


def test_no_half_emoji() -> None:
    assert fit(FAMILY * 20, 9) == FAMILY + ".." + FAMILY * 2
    assert fit("🇯🇵🇰🇷" * 9, 8) == "🇯🇵..🇯🇵🇰🇷"


def test_pad() -> None:
    assert pad("アロー", 8) == "アロー  "
    assert pad("アロー", 8, "right") == "  アロー"
    assert pad("アロー", 4) == "アロー"


TEXT = st.text(st.sampled_from("aア가👨🇯🚀①ｱ\u200d\ufe0f\u0301🏽\u11ab") | st.characters(), max_size=20)


@given(TEXT, st.integers(0, 30))
def test_shortened_text_never_takes_more_room(text: str, n: int) -> None:
    assert cells(fit(text, n)) <= n


@given(TEXT)
def test_clusters_hold_the_whole_text(text: str) -> None:
    assert "".join(part.text for part in clusters(text)) == text
