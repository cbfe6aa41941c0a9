"""Styled lines."""

import pytest

from gmtool.render.lines import Room, Span, cells_of, ends, flow, plain, trimmed, wrap


def test_japanese_breaks_between_letters_but_not_before_a_closing_sign_nor_inside_a_name() -> None:
    lines = [plain(line) for line in wrap("対象はゲインズ2です。", Room(10), 0, 2)]
    assert lines == ["対象は", "  ゲインズ2", "  です。"]


def test_brackets_stay_with_what_they_hold() -> None:
    assert [plain(line) for line in wrap("射程外（RT-8.1）。", Room(12))] == ["射程外", "（RT-8.1）。"]


def test_korean_and_english_break_at_blanks() -> None:
    assert [plain(line) for line in wrap("발칸 사거리 1, 거리 3헥스", Room(12))] == ["발칸 사거리", "1, 거리", "3헥스"]
    assert [plain(line) for line in wrap("one two", Room(5), 2)] == ["  one", "  two"]


@pytest.mark.parametrize("width", [40, 17, 5])
def test_no_text_is_lost_in_wrapping(width: int) -> None:
    words = "Kestrel（ケストレル）が、 Gains-2 を攻撃。 xxxxxxxxxxxxxxxxxxxxxxxxx [/] end"
    shown = "".join(plain(line) for line in wrap(words, Room(width)))
    assert shown.replace(" ", "") == words.replace(" ", "")


def test_fields_flow_and_a_single_long_one_is_wrapped() -> None:
    fields = [[Span("aaaa")], [], [Span("bbbb")], [Span("cc"), Span("cc cc")]]
    assert [plain(line) for line in flow(fields, Room(12), 1, 3)] == [" aaaa   bbbb", "   cccc cc"]
    assert [plain(line) for line in flow([[Span("one two three")]], Room(9), 2, 4)] == ["  one two", "    three"]


def test_the_right_end_moves_below_where_it_does_not_fit() -> None:
    assert cells_of(ends([Span("ab")], [Span("cd")], Room(10))[0]) == 10
    assert [plain(line) for line in ends([Span("abcdef")], [Span("ghij")], Room(10))] == ["abcdef", "  ghij"]


def test_japanese_lists_of_ascii_words_break_after_their_separator() -> None:
    lines = [plain(line) for line in wrap("候補：kestrel、cross、anvil・arrow", Room(12))]
    assert lines == ["候補：", "kestrel、", "cross、", "anvil・arrow"]
    assert "".join(lines) == "候補：kestrel、cross、anvil・arrow"
    assert plain(wrap("、、abc、", Room(4))[0]) == "、、"


def test_a_field_of_several_styles_is_wrapped_where_that_makes_it_fit() -> None:
    field = [Span("one two", "head"), Span(" three", "dim")]
    assert flow([field], Room(9), 0, 2) == [
        [Span(""), Span("one two", "head")],
        [Span("  "), Span("three", "dim")],
    ]
    assert plain(flow([[Span("a "), Span("b" * 20)]], Room(9))[0]) == "a " + "b" * 20


def test_blanks_at_the_end_are_taken_off() -> None:
    assert trimmed([Span("a "), Span(" b  ", "dim"), Span("  ")]) == [Span("a "), Span(" b", "dim")]
    assert trimmed([Span("  ")]) == []
