"""Drawings of a game that is none of ours: other signs, three sides, a way, pieces that face nowhere or aslant."""

from xml.etree import ElementTree

import pytest

from gmtool.kernel.drawing import (
    LEFT,
    RIGHT,
    SPENT,
    SUBSPACE,
    UNFOUND,
    Drawing,
    Foot,
    Ground,
    Piece,
    Sheet,
    Site,
    Zone,
    standing,
)
from gmtool.kernel.view import Name, Say, View
from gmtool.render.lines import PAGE, Room, Styled, plain
from gmtool.render.svg import START, svg
from gmtool.render.svg_hexes import Field, high, mm, outline, wide
from gmtool.render.svg_text import breadth, escaped, haloed, shortened, sized
from gmtool.render.views import view
from gmtool.render.words import Words
from gmtool.text.catalogue import Catalogue

SHEET = Sheet(6, 4, shoved=1)
NAMES = {"a": "Aster", "b": "Bramble", "c": "Cairn", "x": "Redshift", "y": "Bluebell", "z": "Zenith", "p": "Pier 9"}


def piece(id: str, rank: int, *spots: tuple[int, int], **more: object) -> Piece:
    feet = tuple(Foot(spot, "body" if n == 0 else "dummy") for n, spot in enumerate(spots))
    return Piece(Name(id), id, rank, feet, **more)  # type: ignore[arg-type]


BOARD = Drawing(
    (Say("title"),),
    SHEET,
    (Name("x"), Name("y"), Name("z")),
    (Ground("cloud", "%", "rough", frozenset({(1, 1), (3, 2), (4, 2)})),),
    (Site(Name("p"), ((6, 4),)),),
    (Zone(1, Say("title"), frozenset({(6, 3), (6, 4)})),),
    (
        piece("a", 0, (1, 1), facing=RIGHT),
        piece("b", 1, (3, 2), facing=LEFT, badges=frozenset({SPENT})),
        piece("c", 2, (5, 3)),
    ),
    {(2, 1): 12, (4, 2): 3},
    frozenset({(1, 4)}),
    "area",
    ((2, 3), (3, 3)),
)


def drawn(shown: Drawing, catalogue: Catalogue, room: Room = PAGE) -> list[Styled]:
    return view(View((shown,)), catalogue, NAMES, room)


def lines(shown: Drawing, catalogue: Catalogue, room: Room = PAGE) -> list[str]:
    return [plain(line).rstrip() for line in drawn(shown, catalogue, room)]


def test_terrain_stands_beside_a_piece_and_before_a_number(catalogue: Catalogue) -> None:
    assert lines(BOARD, catalogue)[:7] == [
        "PLAYERS",
        "",
        "    01  02  03  04  05  06",
        "01   %a>  12  .   .   .   .",
        "02  .   .  <b% %3   .   .",
        "03    .   o   o   .   c   ;",
        "04  *   .   .   .   .   ;",
    ]


def test_the_legend_has_what_stands_in_the_map_and_nothing_else(catalogue: Catalogue) -> None:
    assert lines(BOARD, catalogue)[8:] == [
        ". open   % cloud   ; PLAYERS   3-12 area   * area   o way   < > facing",
        "Redshift   a Aster",
        "Bluebell   b Bramble",
        "Zenith   c Cairn",
        "0604 Pier 9",
    ]


def test_a_piece_that_is_not_in_the_open_stands_below_who_is(catalogue: Catalogue) -> None:
    under = piece("b", 1, (1, 1), facing=LEFT, badges=frozenset({SUBSPACE}))
    shown = BOARD._replace(pieces=(under, *BOARD.pieces[:1]))
    assert [each.id for each, _ in standing(shown)[1, 1]] == ["a", "b"]
    found = lines(shown, catalogue)
    assert "01   %a>" in found[3]
    assert "0101: a, b" in found
    assert not any("~" in line for line in found)
    alone = lines(BOARD._replace(pieces=(under,)), catalogue)
    assert alone[3].startswith("01   ~b%  12")


@pytest.mark.parametrize(
    ("badges", "light", "token"),
    [
        ((), False, "a>"),
        ((UNFOUND,), False, "a}"),
        ((), True, "a)"),
        ((UNFOUND,), True, "a]"),
        ((SUBSPACE,), True, "a~"),
    ],
)
def test_what_a_piece_is_shows_in_its_sign(
    catalogue: Catalogue, badges: tuple[str, ...], light: bool, token: str
) -> None:
    one = piece("a", 0, (2, 2), facing=RIGHT, light=light, badges=frozenset(badges))
    assert f"02  .   {token}" in lines(BOARD._replace(pieces=(one,)), catalogue)[4]


def test_sides_have_looks_of_their_own_and_who_has_acted_is_less_bold(catalogue: Catalogue) -> None:
    styles = {span.text.strip(): span.style for line in drawn(BOARD, catalogue)[:7] for span in line}
    assert (styles["a>"], styles["<b"], styles["c"]) == ("side-0", "spent-1", "side-2")


def test_a_grid_that_begins_elsewhere_has_its_own_numbers(catalogue: Catalogue) -> None:
    sheet = Sheet(3, 2, first=(20, 31))
    shown = Drawing((Say("title"),), sheet, pieces=(piece("a", 0, (21, 32), facing=LEFT),), sides=(Name("x"),))
    assert lines(shown, catalogue)[2:5] == ["    20  21  22", "31  .   .   .", "32    .  <a   ."]


# on paper


def loops(spots: set[tuple[int, int]], inset: float = 0.0) -> list[int]:
    """How many corners each line round the hexes has."""
    return sorted(part.count("L") + 1 for part in outline(Field(SHEET, 0, 0, 10), spots, inset).split("M")[1:])


def test_one_line_goes_round_hexes_that_lie_side_by_side() -> None:
    assert loops({(2, 2)}) == [6]
    assert loops({(2, 2), (3, 2)}) == [10]
    assert loops({(1, 1), (6, 4)}) == [6, 6]
    # row 3 is shoved: round 0303 lie 0203, 0403, 0302, 0402, 0304, 0404
    assert loops({(2, 3), (4, 3), (3, 2), (4, 2), (3, 4), (4, 4)}) == [6, 18]


def test_a_line_drawn_in_keeps_its_distance_from_each_edge() -> None:
    """A hex of side 10 drawn in by 2 has its upper corner 2 / cos 30 = 2.31 below, its right edge 2 further left."""
    path = outline(Field(Sheet(1, 1), 0, 0, 10), {(1, 1)}, 0.2)
    assert path == "M2 6.15L8.66 2.31L15.32 6.15L15.32 13.85L8.66 17.69L2 13.85Z"


def test_a_sheet_is_as_big_as_its_hexes() -> None:
    """Two columns and three rows: five half hexes, one whole side and two and a half times one and a half."""
    assert wide(Sheet(2, 3)) == pytest.approx(5 * 3**0.5 / 2)
    assert high(Sheet(2, 3)) == 5
    assert wide(Sheet(2, 1)) == pytest.approx(4 * 3**0.5 / 2)
    assert (mm(1.0), mm(-0.001), mm(2.504)) == ("1", "0", "2.5")


def test_a_picture_of_that_game(catalogue: Catalogue) -> None:
    picture = svg(BOARD, Words(catalogue, NAMES))
    assert picture.startswith(START)
    root = ElementTree.fromstring(picture)
    found = ["".join(text.itertext()) for text in root.iter("{http://www.w3.org/2000/svg}text")]
    assert {"PLAYERS", "12", "3", "a", "Bramble", "cloud", "a Aster", "0604 Pier 9"} <= set(found)
    kinds = [element.get("class") for element in root.iter()]
    assert {"lit", "path", "zone", "rough-tint"} <= set(kinds)


def test_a_light_piece_is_tied_to_the_one_it_sits_on(catalogue: Catalogue) -> None:
    big = piece("a", 0, (2, 2), (3, 2), facing=RIGHT)
    small = piece("b", 0, (4, 2), facing=RIGHT, light=True, on="a")
    for pieces, ties in (((big, small), 1), ((small,), 0)):
        picture = svg(BOARD._replace(pieces=pieces), Words(catalogue, NAMES))
        assert picture.count('class="tie"') == ties
    assert 'class="body hull"' in svg(BOARD._replace(pieces=(big,)), Words(catalogue, NAMES))


@pytest.mark.parametrize("facing", [0, 60, 120, 180, 240, 300, None])
def test_a_piece_may_face_any_way(catalogue: Catalogue, facing: int | None) -> None:
    for spots in (((2, 2),), ((2, 2), (3, 2))):
        ElementTree.fromstring(
            svg(BOARD._replace(pieces=(piece("a", 0, *spots, facing=facing),)), Words(catalogue, NAMES))
        )
    assert ("<a" in lines(BOARD._replace(pieces=(piece("a", 0, (2, 2), facing=facing),)), catalogue)[4]) is (
        facing in (120, 180, 240)
    )


def test_text_that_is_too_long_keeps_its_beginning_and_the_number_it_is_told_by() -> None:
    assert shortened("Kestrel", 10) == "Kestrel"
    short = shortened("Gains of the Outer Reaches-12", 6)
    assert short.startswith("Gains")
    assert short.endswith("…-12")
    assert breadth(short) <= 6.5
    assert sized("Kestrel", 1.0, 0.5, 0.2) == ("Kestrel", pytest.approx(1 / breadth("Kestrel")))
    assert sized("Kestrel" * 9, 1.0, 0.5, 0.2)[1] == 0.2
    assert breadth("鷹") > breadth("m") > breadth("i")


def test_what_means_something_in_a_picture_is_written_by_name() -> None:
    assert escaped('<a b="c">&\ufffe\x00\ud800') == "&lt;a b=&quot;c&quot;&gt;&amp;\ufffd\ufffd\ufffd"
    assert haloed("number", 'x="1"', "<") == (
        '<text class="number rim" x="1">&lt;</text><text class="number" x="1">&lt;</text>'
    )
