"""Hexes: labels as they stand on a sheet, lines, areas, ways."""

from itertools import pairwise, product
from random import Random

import pytest

from gmtool.kernel import hex as h

ROWS = h.Rows()
SHEET = [f"{column:02d}{row:02d}" for column, row in product(range(1, 9), range(1, 9))]


def labels(hexes, rows=ROWS):
    return [rows.label(hex) for hex in hexes]


@pytest.mark.parametrize("shoved", [0, 1])
def test_a_label_names_one_hex_and_beside_it_lie_those_half_a_hex_off(shoved):
    rows = h.Rows(shoved)
    drawn = {label: (2 * int(label[:2]) + (int(label[2:]) % 2 == shoved), int(label[2:])) for label in SHEET}
    around = {(2, 0), (-2, 0), (1, 1), (-1, 1), (1, -1), (-1, -1)}
    for label, other in product(SHEET, SHEET):
        assert rows.label(rows.read(label)) == label
        (x, y), (x2, y2) = drawn[label], drawn[other]
        assert (rows.read(other) in h.neighbours(rows.read(label))) == ((x2 - x, y2 - y) in around)


def test_rows_with_an_even_number_stand_half_a_hex_to_the_right():
    # drawn:  01    0101  0201  0301        0202 touches 0201 and 0301 above it, 0203 and 0303 below
    #         02       0102  0202  0302
    assert set(labels(h.neighbours(ROWS.read("0202")))) == {"0102", "0302", "0201", "0301", "0203", "0303"}
    assert set(labels(h.neighbours(ROWS.read("0203")))) == {"0103", "0303", "0102", "0202", "0104", "0204"}


def test_distance_is_the_fewest_steps():
    for a, b in product(map(ROWS.read, SHEET[::5]), map(ROWS.read, SHEET[::3])):
        assert h.distance(a, b) == h.spread([a], lambda hex: True, 12)[b]


@pytest.mark.parametrize(
    ("a", "b", "expected"),
    [
        ("0101", "0401", [["0201"], ["0301"]]),
        ("0101", "0102", []),
        # straight down: between two hexes of the row between, then through the middle of one
        ("0203", "0201", [["0102", "0202"]]),
        ("0201", "0205", [["0102", "0202"], ["0203"], ["0104", "0204"]]),
        # one row down over three columns: both hexes in the middle lie equally near
        ("0101", "0302", [["0201"], ["0202"]]),
    ],
)
def test_the_straight_line_steps_through_the_nearest_hexes(a, b, expected):
    found = [sorted(labels(pair)) for pair in h.line(ROWS.read(a), ROWS.read(b))]
    assert found == [sorted(pair) for pair in expected]


def test_a_line_is_the_same_from_either_end():
    spots = [ROWS.read(label) for label in SHEET]
    for a, b in product(spots[::7], spots):
        assert [set(pair) for pair in h.line(a, b)] == [set(pair) for pair in h.line(b, a)][::-1]


def test_facing_the_other_way_mirrors_along_the_row():
    assert labels(h.add(ROWS.read("0503"), each) for each in h.ahead(2)) == ["0603", "0703"]
    assert labels(h.add(ROWS.read("0503"), h.mirrored(each)) for each in h.ahead(2)) == ["0403", "0303"]
    # a sixth of a turn: the hex in front; of those two away the one behind it and the two on the edges
    assert set(labels(h.add(ROWS.read("0503"), each) for each in h.fan(2))) == {"0603", "0602", "0604", "0703"}
    left = {h.add(ROWS.read("0503"), h.mirrored(each)) for each in h.fan(2)}
    assert set(labels(left)) == {"0403", "0302", "0304", "0303"}


def test_a_disc_has_six_more_hexes_in_each_ring():
    assert [len(h.disc(n)) for n in range(4)] == [0, 6, 18, 36]


def test_distance_goes_round_what_is_not_free():
    wall = set(map(ROWS.read, ["0301", "0302", "0303"]))
    a, b = ROWS.read("0201"), ROWS.read("0401")
    assert h.steps_between([a], [b], lambda hex: hex not in wall and hex[1] >= 0, 9) == 7
    assert h.steps_between([a], [b], lambda hex: hex not in wall and hex[1] >= 0, 6) is None
    assert h.steps_between([a], [ROWS.read("0301")], lambda hex: hex not in wall, 9) == 1


def brute(start, onward, most, longest):
    """The least cost to each hex, over every way there is."""
    best, edge = {start: 0}, {(start, 0)}
    for _ in range(longest):
        edge = {(b, cost + c) for a, cost in edge for b, c in onward(a) if cost + c <= most}
        for hex, cost in edge:
            best[hex] = min(cost, best.get(hex, cost))
    return best


def test_a_flood_that_went_far_still_knows_what_is_near_and_goes_on_where_it_stopped() -> None:
    row = [(n, 0) for n in range(9)]
    flood = h.Flood([row[0]], lambda hex: hex[1] == 0)
    assert [flood.steps_to([row[n]], 20) for n in (5, 3, 8, 1, 0)] == [5, 3, 8, 1, 0]
    assert flood.steps_to([row[8]], 7) is None  # known by now, and too far all the same


def test_the_cheapest_way_is_the_cheapest_of_all_with_few_steps_enough():
    random = Random(5)
    for _ in range(60):
        dear = {hex for hex in h.disc(4) if random.random() < 0.4}
        walls = {hex for hex in h.disc(4) if random.random() < 0.2}
        onward = lambda hex: [(o, 1 + (o in dear)) for o in h.neighbours(hex) if o not in walls]  # noqa: B023,E731
        most, longest = random.randint(1, 5), random.randint(1, 4)
        found = h.cheapest((0, 0), onward, most, longest)
        assert {hex: ways[0].cost for hex, ways in found.items()} == brute((0, 0), onward, most, longest)
        for goal in found:
            path = [(0, 0), *h.way_to(found, goal)]
            assert path[-1] == goal
            assert sum(dict(onward(a))[b] for a, b in pairwise(path)) == found[goal][0].cost
            assert len(path) - 1 == found[goal][0].steps <= longest


def test_the_last_step_of_a_line_is_the_way_a_blow_comes():
    a, b = ROWS.read("0203"), ROWS.read("0503")
    assert h.last_step(a, b) == (1, 0)
    assert h.last_step(a, a) is None
    for direction in h.DIRECTIONS:
        assert h.last_step(a, h.add(a, direction)) == direction
