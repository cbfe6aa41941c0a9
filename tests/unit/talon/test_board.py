"""The board drawn, the schedule, what lies between a ship and a target."""

from xml.etree import ElementTree

import pytest

from gmtool.kernel.drawing import Drawing
from gmtool.kernel.refusal import Refused
from gmtool.kernel.view import names_in
from gmtool.render.lines import Room
from gmtool.render.svg import svg
from gmtool.render.words import Words
from gmtool.systems.talon import looks_arc, looks_board, looks_schedule
from gmtool.systems.talon.book import Book, name_of
from gmtool.systems.talon.looks_arc import Arc
from gmtool.systems.talon.looks_board import BoardShow, BoardSvg
from gmtool.systems.talon.looks_schedule import Schedule
from gmtool.systems.talon.model import Board
from gmtool.text.catalogue import LANGUAGES, load
from gmtool.text.width import cells
from tests.unit.talon.fleets import rows, text

SVG = "{http://www.w3.org/2000/svg}"


@pytest.fixture
def state(book: Book) -> Board:
    return Board(rows(book))


def drawn(state: Board, book: Book, command: BoardShow | BoardSvg = BoardShow()) -> Drawing:  # noqa: B008 (never changed)
    shown = looks_board.draw(state, book, command)[0].blocks[0]
    assert isinstance(shown, Drawing)
    return shown


# on the screen


def test_each_facing_has_a_sign_that_needs_no_colour(state: Board, book: Book) -> None:
    lines = text(looks_board.draw(state, book, BoardShow())[0], state, book)
    rows = [line for line in lines if line[:2].isdigit() or line.startswith("        ")]
    signs = ("t1^>", "t2^ ", "t3v", "t4v>", "<^a1", "<va2:", "(<^am1)&")
    assert [sign for sign in signs if not any(sign in f"{row} " for row in rows)] == []
    assert "^ ^> v> v <v <^ facing" in " ".join(lines)
    assert "0806: am1, am2" in lines


def test_even_columns_stand_half_a_hex_lower(state: Board, book: Book) -> None:
    """0605 is on the line below 0505; both stand in the row 05."""
    lines = text(looks_board.draw(state, book, BoardShow())[0], state, book)
    upper = next(n for n, line in enumerate(lines) if line.startswith("05"))
    assert "t1^>" in lines[upper]
    assert "t2^" in lines[upper + 1]


def test_arcs_are_lettered_with_their_distance(state: Board, book: Book) -> None:
    """Ahead of t1 at 0505 facing ne lie 0604 and 0704; 0405 is behind (Part of TL-5.3)."""
    told = looks_board.draw(state, book, BoardShow(arcs="guderian"))[1]
    assert told["distances"]["0604"] == 1
    assert {"0604", "0704"} <= set(told["arcs"]["F"])
    assert "0405" in told["arcs"]["B"]
    assert len(told["arcs"]["F"]) == 1 + 3 + 3 + 5
    assert len(told["arcs"]["R"]) == 2 + 3 + 6 + 7


def test_the_window_grows_over_the_first_sheet_where_somebody_stands(state: Board, book: Book) -> None:
    changed = rows(book)
    changed["ships"]["justice"]["at"] = "-3.12"
    shown = drawn(Board(changed), book)
    assert shown.sheet.first == (-5, 1)
    assert "-3.12" in shown.sheet.labels.values()


def test_who_stands_too_far_off_is_named(book: Book) -> None:
    changed = rows(book)
    changed["ships"]["justice"]["at"] = "500.500"
    state = Board(changed)
    shown = drawn(state, book)
    assert (shown.sheet.columns, shown.sheet.rows) == (99, 99)
    lines = text(looks_board.draw(state, book, BoardShow())[0], state, book)
    assert "too far off to be drawn: a1 500.500" in " ".join(lines)


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("width", [60, 80, 120])
def test_no_line_is_wider_than_the_screen(book: Book, lang: str, width: int) -> None:
    changed = rows(book)
    changed["ships"]["justice"]["at"] = "-12.-30"
    state = Board(changed)
    for command in (BoardShow(), BoardShow("guderian"), BoardShow(at="-12.-28"), BoardShow(arcs="guderian", range=9)):
        lines = text(looks_board.draw(state, book, command)[0], state, book, lang, Room(width, True))
        assert max(map(cells, lines)) <= width


@pytest.mark.parametrize(
    ("command", "key"),
    [
        (BoardShow("guderian", arcs="justice"), "board-one-middle"),
        (BoardShow(range=3), "board-range-of"),
        (BoardShow("zhukov"), "not-on-board"),
    ],
)
def test_what_cannot_be_drawn(state: Board, book: Book, command: BoardShow, key: str) -> None:
    with pytest.raises(Refused) as refused:
        looks_board.draw(state, book, command)
    assert refused.value.key == key


# on paper


def test_the_picture_has_counters_turned_as_they_face_and_upright_text(state: Board, book: Book) -> None:
    shown = drawn(state, book, BoardSvg("x.svg", arcs="guderian"))
    names = {id: name for id in names_in(shown) if (name := name_of(state, book, id)) is not None}
    root = ElementTree.fromstring(svg(shown, Words(load("en", "talon"), names)))
    texts = {"".join(each.itertext()) for each in root.iter(f"{SVG}text")}
    assert {"t1", "Guderian", "am1", "F1", "B4", "0505", "planet", "Front"} <= texts
    turned = {each.get("transform") for each in root.iter(f"{SVG}g")}
    assert {"rotate(330)", "rotate(270)", "rotate(90)", "rotate(210)"} <= turned
    width, height = (float(n) for n in root.get("viewBox", "").split()[2:])
    for each in root.iter(f"{SVG}text"):
        if "x" in each.attrib and each.get("class") != "key":
            assert 0 <= float(each.get("x", "")) <= width
            assert 0 <= float(each.get("y", "")) <= height


# schedule


def test_the_schedule_has_each_speed_that_may_be_chosen_with_hull_counted(state: Board, book: Book) -> None:
    """Guderian at 3-3-2 with two boxes marked (-1): 4 gives 2-1, 3 gives 3-1, 2 gives 4-1 (TL-5.4.3, 5.4.4)."""
    told = looks_schedule.schedule(state, book, Schedule("guderian"))[1]["schedule"]["guderian"]
    assert [(row["power"], row["speed"], row["turn"]) for row in told] == [(3, 3, 2), (1, 4, 2), (2, 3, 2), (3, 2, 1)]
    assert [(row["ap"], row["moves"]) for row in told] == [("BDF", "BDF"), ("F", "ACDF"), ("CF", "BDF"), ("BDF", "CF")]


def test_a_speed_that_leaves_power_below_zero_may_not_be_chosen(book: Book) -> None:
    """Five of six boxes marked: -2; speed 5 would have 1-2 (S7)."""
    changed = rows(book)
    changed["ships"]["guderian"].update(hull=5, power=1, speed=5, turn=3)
    told = looks_schedule.schedule(Board(changed), book, Schedule("guderian"))[1]["schedule"]["guderian"]
    assert [(row["power"], row["speed"], row["legal"]) for row in told[1:]] == [(-1, 5, False), (0, 4, True)]


def test_under_power_loss_the_written_row_stays(state: Board, book: Book) -> None:
    assert len(looks_schedule.schedule(state, book, Schedule("vanguard"))[1]["schedule"]["vanguard"]) == 1


def test_without_a_ship_all_of_the_side_whose_turn_it_is(state: Board, book: Book) -> None:
    told = looks_schedule.schedule(state, book, Schedule())[1]["schedule"]
    assert list(told) == ["guderian", "vanguard", "valley-forge", "black-sheep"]
    assert text(looks_schedule.schedule(state, book, Schedule())[0], state, book)[2] == (
        "t1 Guderian      3-3-2*  .  AM  .   AM  .  AM"
    )


# from a ship to a target


def test_what_lies_between_two_ships(state: Board, book: Book) -> None:
    """The line from 0605 to 1203 ends in asteroids, where the target stands: 1 off the die (TL-17.5)."""
    told = looks_arc.arc(state, book, Arc("vanguard", "eviscerator"))[1]
    assert (told["range"], told["arc"], told["facing"]) == (6, "right", "front")
    assert told["toll"] == {"asteroid": 1}
    assert told["barred"] is None
    assert told["bearing"] == []


def test_a_planet_on_the_line_bars_it(state: Board, book: Book) -> None:
    """From 0505 facing ne straight over 0704 to 0803 lies the planet (TL-17.2.2)."""
    shown, told = looks_arc.arc(state, book, Arc("guderian", "0903"))
    assert told["barred"] == "0704"
    assert "LINE BARRED at 0704: planet" in " ".join(text(shown, state, book))


def test_there_is_no_arc_within_one_hex_nor_off_the_board(state: Board, book: Book) -> None:
    for command, key in ((Arc("guderian", "0505"), "same-hex"), (Arc("guderian", "zhukov"), "not-on-board")):
        with pytest.raises(Refused) as refused:
            looks_arc.arc(state, book, command)
        assert refused.value.key == key


def test_nobody_is_told_to_fire_at_his_own(state: Board, book: Book) -> None:
    shown, told = looks_arc.arc(state, book, Arc("guderian", "vanguard"))
    assert (told["range"], told["arc"], told["facing"]) == (1, "right", "left")
    assert text(shown, state, book)[-1] == "3  Phaser               F, R  2*   own side"
