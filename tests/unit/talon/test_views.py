"""What Talon shows: the board, the record card, the moment of play and what is expected, in all languages."""

import re
from typing import Any

import pytest

from gmtool.kernel.state import Map, encode
from gmtool.kernel.view import Grid, Name, View
from gmtool.render.lines import Room
from gmtool.systems.talon import views
from gmtool.systems.talon.book import Book
from gmtool.systems.talon.model import Board
from gmtool.text.catalogue import LANGUAGES
from gmtool.text.width import cells
from tests.unit.talon.fleets import Tables, rows, ship, text


def row_of(shown: View, id: str) -> dict[str, Any]:
    """The cells of a ship's row by column."""
    grid = next(block for block in shown.blocks if isinstance(block, Grid))
    row = next(row for row in grid.rows if len(row) > 1 and row[1].text == Name(id))
    found, at = {}, 0
    for cell in row:
        found[grid.columns[at].key] = cell.text
        at += cell.span
    assert at == len(grid.columns)
    return found


BOARD = """\
Border Post   session 2   round 3, impulse C, Terrans: AP
                class hex     P-S-T  tm F  R  B  L  hull   1  2   3  bat FTL
Terrans   initiative   points destroyed 0
t1 Guderian     CA    0505 ne 3-3-2   2 4+ 5  4  5  2/6 -1 2* 1/4 2* b*    6 A
   slip marker, initiative: Change
t2 Vanguard     BB    0605 n  3-3-2     8  7  7  7  0/9    3* x   3* b-    9
   POWER LOSS (since 2F), power -1
t3 Valley Forge Base  0303 s  6-2-0     7  7  7  7  0/9    3* 3*  7*         M
t4 Black Sheep  FTR   0707 se 0-5-0     0/2 x 1/2          2* x   2*         M
   destroyed: Zhukov
Talons   points destroyed 115
a1 Justice      CA    1004 nw 3-3-1   1 7  4  3  4  0/7    5* 5*     a1    7
a2 Eviscerator  BB    1203 sw 3-3-2     9! 7! 6! 7! 0/8    5* 6*  5* a2    8
   SHIELDS DOWN (since 3A)
a3 Hunter       DD    1206 nw -1-3-0    4  2  2  2  0/4    2* 2*     a2    x
   FTL offline
* full   x lost   + reinforced   ! shields down   b battery
  a afterburners left   tm hexes before it may turn   A has AP   M must move
missiles   am1 0806 nw > Guderian   am2 0806 sw, no target, damaged
asteroids 1203   nebula 0908   planet 0704
next  Terrans, AP of: t1   ap SHIP USE, or next
"""


def test_the_board_has_every_figure_of_a_ship_on_one_line(book: Book) -> None:
    state = Board(rows(book))
    assert text(views.board(state, book), state, book) == BOARD.splitlines()


@pytest.mark.parametrize("lang", LANGUAGES)
def test_twelve_ships_a_side_fit_eighty_columns_and_no_column_is_left_out(book: Book, lang: str) -> None:
    changed = rows(book)
    classes = ("terran-ca", "terran-bb", "terran-bc"), ("talon-dn", "talon-ca", "talon-bb")
    ships = {
        f"{side}-{n}": encode(
            ship(book, classes[s][n % 3], f"Indomitable {n}", f"{'ta'[s]}{n}", n, "1010", 2, side=side, counter=2,
                 red=Map(), yellow=Map(), hull=5, markers=Map(front="3C"), ap=1)
        )
        for s, side in enumerate(("terran", "talon")) for n in range(1, 13)
    }  # fmt: skip
    state = Board({**changed, "ships": ships})
    lines = text(views.board(state, book), state, book, lang)
    assert max(map(cells, lines)) <= 80
    assert "FTL" in lines[1]
    assert sum(bool(re.match(r"[ta][0-9]+ +I[^ ]", line)) for line in lines) == 24


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("width", [40, 60, 80])
def test_no_line_of_board_or_card_is_wider_than_the_screen(book: Book, lang: str, width: int) -> None:
    state = Board(rows(book))
    shown = [views.board(state, book), *(views.thing(state, book, id) for id in (*state.ships, *state.missiles))]
    lines = [line for view in shown if view for line in text(view, state, book, lang, Room(width, True))]
    assert max(map(cells, lines)) <= width
    assert not [line for line in lines if "<" in line and "view." in line]


def test_a_nebula_takes_shields_down_while_a_ship_stands_in_it(book: Book) -> None:
    changed = rows(book)
    changed["ships"]["justice"]["at"] = "0908"
    state = Board(changed)
    assert row_of(views.board(state, book), "justice")["arc-front"] == "7!"


def test_a_drive_has_spooled_from_the_power_phase_of_its_round_on(book: Book) -> None:
    """Six hull boxes: round 6, not in its impulses (TL-11.1.3)."""
    for round, phase, shown in ((6, "impulse", "6"), (6, "power", "6*"), (7, "impulse", "6*")):
        state = Board(rows(book, round=round, phase=phase))
        assert row_of(views.board(state, book), "guderian")["ftl"] == shown


def test_the_side_that_comes_second_sees_what_its_turn_will_bring(book: Book) -> None:
    """Impulse C lists 2 4 5 6: of the Talons only one set to 4-2-1 has AP and moves."""
    changed = rows(book)
    changed["ships"]["justice"].update(power=4, speed=2, turn=1)
    state = Board(changed)
    assert row_of(views.board(state, book), "justice")["now"] == "AM"
    second = Board({**changed, "battle": rows(book, acting="talon")["battle"]})
    assert row_of(views.board(second, book), "guderian")["now"] == ""


@pytest.mark.parametrize(
    ("step", "expected"),
    [
        ("ap", "next  Terrans, AP of: t1   ap SHIP USE, or next"),
        ("move", "next  Terrans, must move: t3 t4   go SHIP WAY"),
        ("fire", "next  Terrans, may fire: t1 t2   fire SHIP GROUP TARGET, or next"),
        ("repair", "next  Terrans, may try repairs: t2   repair SHIP MARKER, or next"),
    ],
)
def test_what_is_expected_is_the_first_step_in_which_there_is_anything(book: Book, step: str, expected: str) -> None:
    """The missiles at 0806 lie right of t1 (range 3) and t2 (2); left of the squadron, which aims ahead."""
    state = Board(rows(book, step=step))
    assert text(views.board(state, book), state, book)[-1] == expected


def test_ships_without_a_hex_are_to_be_deployed_first(book: Book) -> None:
    changed: Tables = {**rows(book), "battle": {}}
    changed["ships"]["justice"]["at"] = None
    state = Board(changed)
    assert text(views.board(state, book), state, book)[-1] == "next  to deploy: a1   deploy SHIP HEX FACING"


def test_the_header_for_scripts(book: Book) -> None:
    told = views.header(Board(rows(book)))
    assert (told["turn"], told["phase"], told["impulse"], told["step"]) == (3, "impulse", "C", "ap")
    assert (told["acting"], told["initiative"]) == ("terran", "terran")
    assert told["points"] == {"terran": 0, "talon": 115}
    assert views.header(Board({}))["phase"] == "setup"


def test_the_record_card_of_a_ship(book: Book) -> None:
    state = Board(rows(book))
    shown = views.thing(state, book, "guderian")
    assert shown
    lines = text(shown, state, book)
    assert lines[0] == "Guderian (t1)   Heavy cruiser, Terrans"
    assert "power  0 0 -1 (-1) -1 -2" in lines
    assert "marked x x  .    .  .  ." in lines
    assert "2  Anti-matter torpedo  1  F     1/2  0/2     1/4" in lines
    assert lines[-1] == "slip marker   initiative: Change   missiles after it: am1"
    assert views.thing(state, book, "nobody") is None
