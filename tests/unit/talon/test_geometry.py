"""Arcs, lines and steps along a ray, against figures worked out by hand; facing 0 looks along (1, 0)."""

import pytest

from gmtool.kernel.hex import DIRECTIONS, Hex, distance
from gmtool.kernel.sight import sight
from gmtool.systems.talon import grid
from gmtool.systems.talon.sightlines import arc, bar, toll

RINGS = {
    1: ("(1,0)", "(0,1) (-1,1)", "(-1,0)", "(0,-1) (1,-1)"),
    2: ("(2,0) (1,1) (2,-1)", "(0,2) (-1,2) (-2,2)", "(-2,0) (-2,1) (-1,-1)", "(0,-2) (1,-2) (2,-2)"),
    3: (
        "(3,0) (2,1) (3,-1)", "(1,2) (0,3) (-1,3) (-2,3) (-3,3) (-3,2)", "(-3,0) (-3,1) (-2,-1)",
        "(-1,-2) (0,-3) (1,-3) (2,-3) (3,-3) (3,-2)",
    ),
}  # fmt: skip
"""The hexes of the front, right, rear and left arc at each range (TL-5.3.1)."""
COUNTS = {1: (1, 2, 1, 2), 2: (3, 3, 3, 3), 3: (3, 6, 3, 6), 4: (5, 7, 5, 7), 5: (5, 10, 5, 10), 6: (7, 11, 7, 11)}
ARCS = (grid.FRONT, grid.RIGHT, grid.REAR, grid.LEFT)


def hexes(text: str) -> list[Hex]:
    """``(1,0) (0,1)`` as hexes."""
    found = []
    for part in text.split():
        q, r = part.strip("()").split(",")
        found.append((int(q), int(r)))
    return found


def ring(radius: int) -> list[Hex]:
    """The hexes so far from (0, 0)."""
    span = range(-radius, radius + 1)
    return [(q, r) for q in span for r in span if distance((0, 0), (q, r)) == radius]


def turned(hex: Hex, times: int) -> Hex:
    """A hex turned about (0, 0) clockwise by sixths."""
    for _ in range(times % 6):
        hex = (-hex[1], hex[0] + hex[1])
    return hex


READINGS = {
    "tl-5.3.1": ("front-rear", "sides"), "tl-17.2.2": ("open", "blocked"), "tl-17.5": ("none", "counts"),
    "tl-17.5-edge": ("fewer", "more"), "tl-17.5-hex": ("counters", "hexes"), "tl-18.1": ("each", "once"),
}  # fmt: skip


def by_default(id: str) -> str:
    """Our readings."""
    return READINGS[id][0]


def otherwise(id: str) -> str:
    """The other readings."""
    return READINGS[id][1]


@pytest.mark.parametrize("facing", range(6))
@pytest.mark.parametrize("radius", RINGS)
def test_every_hex_of_a_ring_lies_in_its_arc(radius: int, facing: int) -> None:
    for name, text in zip(ARCS, RINGS[radius], strict=True):
        for hex in hexes(text):
            assert grid.arc_of((0, 0), facing, turned(hex, facing)) == name


@pytest.mark.parametrize("radius", COUNTS)
def test_so_many_hexes_lie_in_each_arc(radius: int) -> None:
    found = [grid.arc_of((0, 0), 0, hex) for hex in ring(radius)]
    assert tuple(found.count(name) for name in ARCS) == COUNTS[radius]
    assert found.count(grid.FRONT) == 2 * (radius // 2) + 1


def test_arcs_agree_with_bearings_to_thirty_degrees() -> None:
    """The tangent of the bearing, squared: at most a third of one in front and behind, the edges included."""
    for hex in (hex for radius in range(1, 9) for hex in ring(radius)):
        q, r = hex
        along, across = 2 * q + r, 3 * r * r
        narrow = 3 * across <= along * along
        wanted = (grid.FRONT if along > 0 else grid.REAR) if narrow else (grid.RIGHT if r > 0 else grid.LEFT)
        assert grid.arc_of((0, 0), 0, hex) == wanted, hex


@pytest.mark.parametrize(
    ("hex", "usual", "sides"),
    [((1, 1), "front", "right"), ((2, -1), "front", "left"), ((-2, 1), "rear", "right"), ((-1, -1), "rear", "left")],
)
def test_by_the_other_reading_the_edges_belong_to_the_sides(hex: Hex, usual: str, sides: str) -> None:
    assert arc(by_default, (0, 0), 0, hex) == usual
    assert arc(otherwise, (0, 0), 0, hex) == sides


@pytest.mark.parametrize(
    ("end", "through", "along"),
    [
        ((1, 1), "", ["(1,0) (0,1)"]),
        ((2, -1), "", ["(1,-1) (1,0)"]),
        ((2, 2), "(1,1)", ["(1,0) (0,1)", "(2,1) (1,2)"]),
        ((2, 1), "(1,0) (1,1)", []),
        ((3, -1), "(1,0) (2,-1)", []),
        ((1, 2), "(0,1) (1,1)", []),
        ((3, 1), "(1,0) (1,1) (2,0) (2,1)", []),
        ((4, -1), "(1,0) (2,-1) (2,0) (3,-1)", []),
        ((5, -1), "(1,0) (2,0) (3,-1) (4,-1)", []),
        ((4, 0), "(1,0) (2,0) (3,0)", []),
        ((3, 2), "(1,0) (1,1) (2,1) (2,2)", []),
        ((4, -2), "(2,-1)", ["(1,-1) (1,0)", "(3,-2) (3,-1)"]),
        ((-1, 2), "", ["(0,1) (-1,1)"]),
        ((1, -2), "", ["(1,-1) (0,-1)"]),
    ],
)
def test_what_a_line_crosses_and_runs_along(end: Hex, through: str, along: list[str]) -> None:
    line = sight((0, 0), end)
    assert sorted(line.through) == sorted(hexes(through))
    assert {frozenset(pair) for pair in line.along} == {frozenset(hexes(pair)) for pair in along}


@pytest.mark.parametrize(
    ("target", "behind"),
    [
        ((2, 0), "(3,0)"), ((1, 1), "(2,1) (1,2)"), ((2, -1), "(3,-1) (3,-2)"), ((2, 1), "(3,1)"),
        ((3, -1), "(4,-1)"), ((3, 1), "(4,1)"), ((4, -1), "(5,-1)"), ((2, 2), "(3,2) (2,3)"),
    ],
)  # fmt: skip
def test_the_hex_behind_a_target_on_the_ray(target: Hex, behind: str) -> None:
    assert sorted(grid.onward((0, 0), target)) == sorted(hexes(behind))


@pytest.mark.parametrize("radius", range(1, 6))
def test_the_hex_behind_is_the_first_the_true_line_comes_to(radius: int) -> None:
    """By the exact line drawn on: a ray from a centre crosses one hex about it, or runs between two of them."""
    for q, r in ring(radius):
        line = sight((0, 0), (6 * q, 6 * r))
        first = {hex for hex in line.through if distance((0, 0), hex) == 1}
        beside = {hex for pair in line.along for hex in pair if distance((0, 0), hex) == 1}
        wanted = {(q + step[0], r + step[1]) for step in first or beside}
        assert set(grid.onward((0, 0), (q, r))) == wanted
        assert set(grid.toward((0, 0), (q, r))) == (first or beside)
        assert len(wanted) == (1 if first else 2)


@pytest.mark.parametrize(
    ("goal", "steps"),
    [((2, 0), "(1,0)"), ((1, 1), "(1,0) (0,1)"), ((2, -1), "(1,0) (1,-1)"), ((2, 1), "(1,0)"), ((-1, 3), "(0,1)")],
)
def test_the_hex_toward_a_black_hole(goal: Hex, steps: str) -> None:
    assert sorted(grid.toward((0, 0), goal)) == sorted(hexes(steps))


def test_a_fusion_cannon_has_seven_hexes() -> None:
    cone = {hex for radius in (1, 2, 3) for hex in ring(radius) if grid.arc_of((0, 0), 0, hex) == grid.FRONT}
    assert cone == set(hexes("(1,0) (2,0) (1,1) (2,-1) (3,0) (2,1) (3,-1)"))


def test_a_push_along_the_edge_may_show_another_arc() -> None:
    """Vanguard on (0, 0) strikes Justice on (2, -1), both facing 0: the rear at the hit, the right from (3, -2)."""
    assert grid.arc_of((2, -1), 0, (0, 0)) == grid.REAR
    assert grid.arc_of((3, -1), 0, (0, 0)) == grid.REAR
    assert grid.arc_of((3, -2), 0, (0, 0)) == grid.RIGHT


@pytest.mark.parametrize("facing", range(6))
def test_the_arc_of_a_hex_entered_straight_or_slipping(facing: int) -> None:
    for side, name in ((0, grid.FRONT), (-1, grid.LEFT), (1, grid.RIGHT)):
        assert grid.arc_of((0, 0), facing, DIRECTIONS[(facing + side) % 6]) == name


@pytest.mark.parametrize(("end", "crossed"), [((5, -1), "(2,-1) (3,0)"), ((3, 0), "(1,1) (1,-1)")])
def test_a_corner_that_is_touched_bars_nothing(end: Hex, crossed: str) -> None:
    land = dict.fromkeys(hexes(crossed), ("planet",))
    assert bar(by_default, land, (0, 0), end) is None


def test_a_planet_bars_what_crosses_it_and_not_what_runs_along_it() -> None:
    """The Terran BB on (0, 0), the planet on (1, -1): the Talon CA on (2, -1) is seen, the BB on (2, -2) is not."""
    land = {(1, -1): ("planet",)}
    assert bar(by_default, land, (0, 0), (2, -1)) is None
    assert bar(by_default, land, (0, 0), (2, -2)) == (1, -1)
    assert grid.arc_of((0, 0), 0, (2, -1)) == grid.FRONT
    assert {grid.arc_of((2, -1), facing, (0, 0)) for facing in (0, 5)} == {grid.REAR}


def test_between_two_planets_a_line_passes_unless_read_otherwise() -> None:
    land = {(1, 0): ("planet",), (0, 1): ("black-hole",)}
    assert bar(by_default, land, (0, 0), (1, 1)) is None
    assert bar(otherwise, land, (0, 0), (1, 1)) == (0, 1)


def test_counters_on_the_line_weigh_on_the_die() -> None:
    land = {(0, 0): ("asteroid",), (2, 0): ("asteroid", "nebula"), (3, 0): ("nebula",), (0, 1): ("asteroid",)}
    assert toll(by_default, land, (0, 0), (3, 0)) == {"asteroid": 2, "nebula": 2}
    assert toll(otherwise, land, (0, 0), (3, 0)) == {"asteroid": 2, "nebula": 1}


def test_along_an_edge_the_fewer_counters_weigh() -> None:
    land = {(1, 0): ("asteroid", "asteroid"), (0, 1): ("nebula",)}
    assert toll(by_default, land, (0, 0), (1, 1)) == {"edge": 1}
    assert toll(lambda id: "more" if id == "tl-17.5-edge" else by_default(id), land, (0, 0), (1, 1)) == {"edge": 2}
    assert toll(otherwise, land, (0, 0), (1, 1)) == {"edge": 1}
    alone = {(1, 0): ("asteroid",)}
    assert toll(by_default, alone, (0, 0), (1, 1)) == {}
    assert toll(otherwise, alone, (0, 0), (1, 1)) == {"edge": 1}


def test_each_black_hole_nearer_to_the_target_weighs() -> None:
    land = {(5, 0): ("black-hole",), (4, 3): ("black-hole",), (-3, 0): ("black-hole",), (2, 0): ("worm-hole",)}
    assert toll(by_default, land, (0, 0), (2, 1)) == {"black-hole": 2}
    assert toll(by_default, land, (5, -2), (5, 2)) == {"black-hole": 1}
    assert toll(otherwise, land, (0, 0), (2, 1)) == {"black-hole": 1}
