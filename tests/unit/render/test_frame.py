"""A frame: what of the lines there is room for, and how it is written."""

import pytest

from gmtool.render.frame import clipped, cut, frame
from gmtool.render.lines import Span, Styled, plain


def lines(*texts: str) -> list[Styled]:
    return [[Span(text)] for text in texts]


def told(found: list[Styled]) -> list[str]:
    return [plain(line) for line in found]


@pytest.mark.parametrize(
    ("rows", "shown"),
    [
        (9, ["a", "b", "c", "d", "y", "z"]),
        (6, ["a", "b", "c", "d", "y", "z"]),
        (5, ["a", "b", "+2", "y", "z"]),
        (4, ["a", "+3", "y", "z"]),
        (3, ["a", "b", "+4"]),  # what stands below would take more than half
        (1, ["+6"]),
        (0, []),
    ],
)
def test_what_does_not_fit_is_counted_and_what_stands_below_stays_while_it_can(rows: int, shown: list[str]) -> None:
    found = cut(lines("a", "b", "c", "d"), lines("y", "z"), rows, lambda n: [Span(f"+{n}")])
    assert told(found) == shown


@pytest.mark.parametrize(
    ("width", "shown"), [(9, "ab艦隊cd"), (8, "ab艦隊cd"), (7, "ab艦隊c"), (5, "ab艦"), (3, "ab"), (0, "")]
)
def test_a_line_is_clipped_by_cells_and_nothing_wide_is_cut_in_half(width: int, shown: str) -> None:
    assert plain(clipped([Span("ab", "head"), Span("艦隊"), Span("cd", "dim")], width)) == shown


def test_a_frame_begins_at_the_top_and_leaves_nothing_of_the_one_before() -> None:
    assert frame(["a", "b"]) == "\x1b[H\x1b[Ka\r\n\x1b[Jb"
