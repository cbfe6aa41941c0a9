"""Views as tables and sentences, measured in cells."""

import pytest

from gmtool.kernel.view import Cell, Column, Fields, Grid, Line, Name, Say, View, Word
from gmtool.render.lines import Room, cells_of, plain
from gmtool.render.text import text
from gmtool.render.views import view
from gmtool.text.catalogue import Catalogue

COLUMNS = (Column("unit"), Column("pilot", drop=2), Column("lead", drop=1), Column("fuel", "right"))
LONG = "紅蓮の翼を継ぐ者たちの長い名前の機体乙"


def _grid(*rows: tuple[str, str | None, int, str]) -> Grid:
    cells = tuple((Cell(Name(u)), Cell(p), Cell(n), Cell(f)) for u, p, n, f in rows)
    return Grid(Say("title"), COLUMNS, cells)


def _shown(grid: Grid, catalogue: Catalogue, names: dict[str, str], room: Room) -> list[str]:
    return text(view(View((grid,)), catalogue, names, room)).split("\n")


def test_columns_line_up_and_numbers_stand_at_the_right(catalogue: Catalogue) -> None:
    names = {"a": "Kestrel", "b": "アロー"}
    grid = _grid(("a", "Ren", 100, "31/40"), ("b", None, 5, "1234/2000"))
    assert _shown(grid, catalogue, names, Room(80)) == [
        "PLAYERS",
        "unit     pilot  lead       fuel",
        "Kestrel  Ren     100      31/40",
        "アロー   -         5  1234/2000",
    ]


@pytest.mark.parametrize("width", [40, 60, 80, 120])
@pytest.mark.parametrize("cut", [True, False])
def test_every_line_of_a_table_has_the_same_width_in_any_script(catalogue: Catalogue, width: int, cut: bool) -> None:
    """Half-width katakana, combining marks, emoji and signs of ambiguous width among the names."""
    written = ["Alpha", "アロー", "ｱﾛｰ", "화살", "か\u3099み", "🚀1", "👨\u200d🚀", "①号", LONG]
    names = {str(n): name for n, name in enumerate(written)}
    grid = _grid(*((id, None, 3, "1234/2000") for id in names))
    lines = [
        line for line in view(View((grid,)), catalogue, names, Room(width, cut))[1:] if "left out" not in plain(line)
    ]
    assert len(lines) == 10
    assert len({cells_of(line) for line in lines}) == 1


def test_a_pipe_loses_nothing(catalogue: Catalogue) -> None:
    shown = _shown(_grid(("a", "Ren", 100, "1234/2000")), catalogue, {"a": LONG * 3}, Room(40))
    assert LONG * 3 in shown[2]
    assert "1234/2000" in shown[2]


def test_a_narrow_terminal_names_the_columns_it_leaves_out(catalogue: Catalogue) -> None:
    """16 cells of the name, 9 of fuel and the gap are 27; lead makes 33, and pilot with its 12 more would make 47."""
    shown = _shown(_grid(("a", "Ren Aster1", 100, "1234/2000")), catalogue, {"a": LONG}, Room(40, True))
    assert "1234/2000" in shown[2]
    assert "100" in shown[2]
    assert shown[-1] == "left out at this width: pilot"


def test_two_names_cut_to_the_same_are_kept_apart(catalogue: Catalogue) -> None:
    names = {"a": "Squadron " * 3 + "one" + " Squadron" * 3, "b": "Squadron " * 3 + "two" + " Squadron" * 3}
    shown = _shown(_grid(("a", None, 1, "9/9"), ("b", None, 1, "9/9")), catalogue, names, Room(40, True))
    assert shown[2] != shown[3]
    assert "#2" in shown[3]


def test_where_even_that_is_too_wide_each_row_becomes_a_block(catalogue: Catalogue) -> None:
    grid = Grid(None, COLUMNS[:1] + COLUMNS[3:], ((Cell(Name("a")), Cell("9" * 50)),))
    assert _shown(grid, catalogue, {"a": "Kestrel"}, Room(40, True)) == ["Kestrel", "  fuel " + "9" * 50]


def test_sentences_words_and_nothing_in_cells(catalogue: Catalogue) -> None:
    row = (Cell(Say("moment", {"n": 2, "phase": Word("first")})), Cell(Word("first")), Cell(None), Cell("[b]:fire:"))
    grid = Grid(None, tuple(column._replace(key="") for column in COLUMNS), (row,))
    assert _shown(grid, catalogue, {}, Room(80)) == ["turn 2, first phase  first phase  -  [b]:fire:"]


def test_an_empty_grid_says_so_and_lines_are_set_in(catalogue: Catalogue) -> None:
    shown = View((Grid(Say("title"), COLUMNS, ()), Line(Say("moment", {"n": 3, "phase": "x"}), "dim", 4)))
    assert text(view(shown, catalogue, {})).split("\n") == ["PLAYERS", "  none", "    turn 3, x"]


WIDE = (Column("unit"), Column("lead", "right"), Column("fuel", "right", close=True), Column(""))


def test_a_cell_may_take_several_columns_and_widens_the_last_of_them(catalogue: Catalogue) -> None:
    """``1000/2000`` is 9 cells over lead (4), a blank and fuel (4): it just fits; one cell more makes fuel wider."""
    row = (Cell(Name("kestrel")), Cell(100), Cell(7), Cell("x"))
    names = {"kestrel": "Kestrel"}
    grid = Grid(None, WIDE, (row, (Cell("b"), Cell("1000/2000", span=2), Cell("y"))))
    assert _shown(grid, catalogue, names, Room(80)) == [
        "unit     lead fuel",
        "Kestrel   100    7  x",
        "b        1000/2000  y",
    ]
    grid = Grid(None, WIDE, (row, (Cell("b"), Cell("10000/2000", span=2), Cell("y"))))
    assert _shown(grid, catalogue, names, Room(80)) == [
        "unit     lead  fuel",
        "Kestrel   100     7  x",
        "b        10000/2000  y",
    ]


def test_a_cell_that_reaches_the_end_goes_on_in_the_next_line(catalogue: Catalogue) -> None:
    grid = Grid(None, WIDE[:2], ((Cell("a"), Cell(100)), (Cell("one two three four five six seven eight", span=2),)))
    shown = [plain(line) for line in view(View((grid,)), catalogue, {}, Room(20, True))]
    assert [line.rstrip() for line in shown] == [
        "unit  lead", "a      100", "one two three four", "  five six seven", "  eight",
    ]  # fmt: skip


def test_a_column_without_heading_and_content_takes_no_room(catalogue: Catalogue) -> None:
    grid = Grid(None, WIDE, ((Cell("a"), Cell(100), Cell(7), Cell("")),))
    assert _shown(grid, catalogue, {}, Room(80)) == ["unit  lead fuel", "a      100    7"]


def test_columns_move_closer_before_any_is_left_out(catalogue: Catalogue) -> None:
    """16 cells of the name, 4 and 9 of figures: 33 cells with two blanks between columns, 31 with one."""
    names = {"a": LONG}
    columns = (COLUMNS[0], Column("lead", drop=1), COLUMNS[3])
    grid = Grid(None, columns, ((Cell(Name("a")), Cell(100), Cell("1234/2000")),))
    assert [cells_of(line) for line in view(View((grid,)), catalogue, names, Room(33, True))] == [33, 33]
    close = [plain(line) for line in view(View((grid,)), catalogue, names, Room(31, True))]
    assert [line[-14:] for line in close] == ["lead      fuel", " 100 1234/2000"]


def test_fields_stand_side_by_side_and_are_broken_between_only(catalogue: Catalogue) -> None:
    fields = Fields(tuple(Say("moment", {"n": n, "phase": "x"}) for n in (1, 2, 3)))
    shown = text(view(View((fields,)), catalogue, {}, Room(24))).split("\n")
    assert shown == ["turn 1, x   turn 2, x", "  turn 3, x"]


def test_a_sentence_may_stand_in_another(catalogue: Catalogue) -> None:
    inner = Say("moment", {"n": 1, "phase": Word("first")})
    shown = text(view(View((Line(Say("moment", {"n": 2, "phase": inner})),)), catalogue, {}))
    assert shown == "turn 2, turn 1, first phase"
