"""Drawings of flat sheets: columns half a hex lower, six facings, several in a hex, areas, no edge."""

import re
from typing import Any

from gmtool.kernel.drawing import Area, Drawing, Foot, Piece, Sheet
from gmtool.kernel.view import Name, Say
from gmtool.render.hexes import drawing
from gmtool.render.lines import Room, plain
from gmtool.render.svg import svg
from gmtool.render.words import Words
from gmtool.text.catalogue import Catalogue


def flat(*pieces: Piece, **more: Any) -> Drawing:
    """A sheet of columns with these pieces."""
    sheet = Sheet(6, 3, 0, True, endless=bool(more.pop("endless", False)))
    return Drawing((), sheet, (Name("a"),), pieces=pieces, **more)


def turned(handle: str, spot: tuple[int, int], degrees: int, **more: Any) -> Piece:
    """A piece that faces a side of a flat hex."""
    return Piece(Name(handle), handle, 0, (Foot(spot),), degrees, **more)


def test_of_a_flat_sheet_the_even_columns_stand_on_the_line_below(catalogue: Catalogue) -> None:
    shown = flat(
        turned("a1", (1, 1), 270), turned("a2", (2, 1), 90), turned("a3", (3, 2), 330), turned("a4", (4, 2), 30)
    )
    lines = [plain(line).rstrip() for line in drawing(shown, Words(catalogue, {}), Room(80, True))]
    assert lines[1:8] == [
        "    01  02  03  04  05  06",
        "01  a1^     .       .",
        "        a2v     .       .",
        "02  .       a3^>    .",
        "        .       a4v>    .",
        "03  .       .       .",
        "        .       .       .",
    ]


def test_who_faces_to_the_left_has_the_sign_before_the_handle(catalogue: Catalogue) -> None:
    """Light pieces keep their brackets; of several in a hex one is shown, and the others are named below."""
    shown = flat(
        turned("a1", (2, 1), 210), turned("a2", (4, 1), 150, light=True), turned("a3", (4, 1), 150, light=True)
    )
    lines = [plain(line).rstrip() for line in drawing(shown, Words(catalogue, {}), Room(80, True))]
    assert lines[3] == "       <^a1    (<va2)&  ."
    assert "0401: a2, a3" in lines


def test_areas_have_their_sign_before_the_distance(catalogue: Catalogue) -> None:
    areas = (Area("F", Say("sign.facing"), frozenset({(3, 1), (3, 2)})),)
    shown = flat(turned("a1", (1, 1), 30), areas=areas, numbers={(3, 1): 2}, meaning="distance")
    lines = [plain(line).rstrip() for line in drawing(shown, Words(catalogue, {}), Room(80, True))]
    assert lines[2] == "01  a1v>    F2      ."
    assert lines[4] == "02  .       F       ."


def test_of_a_sheet_without_an_edge_it_is_said_who_is_outside(catalogue: Catalogue) -> None:
    shown = flat(turned("a1", (1, 1), 30), turned("a2", (6, 2), 30), endless=True, centre=(1, 1), chosen=True)
    told = " ".join(plain(line) for line in drawing(shown, Words(catalogue, {}), Room(20, True)))
    assert "columns 1 to 3, rows 1 to" in " ".join(told.split())
    assert "outside: a2 0602" in " ".join(told.split())


def test_on_paper_a_flat_sheet_has_its_columns_drawn_and_its_counters_turned(catalogue: Catalogue) -> None:
    drawn = svg(
        flat(turned("a1", (2, 1), 330), turned("a2", (3, 1), 90), turned("a3", (3, 1), 90)), Words(catalogue, {})
    )
    assert drawn.count('href="#column"') == 6
    assert drawn.count('rotate(330)"') == 1
    places = re.findall(r'<g class="s0" transform="translate\(([-0-9.]+) ([-0-9.]+)\)', drawn)
    assert len(set(places)) == 3
