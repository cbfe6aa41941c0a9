"""The test of dice for evenness: by hand, against every sequence of rolls, and against what is known of chi-square."""

from collections import Counter
from fractions import Fraction
from itertools import product

import pytest

from gmtool.kernel.evenness import (
    chi_square,
    corrected,
    evenness,
    exact,
    least_rolls,
    partitions,
    telling_rolls,
    ways,
)


@pytest.mark.parametrize(
    ("counts", "measure", "chance"),
    [
        ((3, 0, 0, 0, 0, 0), 15, Fraction(6, 216)),  # the same face three times: 6 of 216
        ((1, 1, 1, 0, 0, 0), 3, Fraction(1)),  # three faces: nothing is evener
        ((2, 1, 0, 0, 0, 0), 7, Fraction(6 + 90, 216)),  # a pair or more: 216 - 6 * 5 * 4 = 96
        ((2, 0), 2, Fraction(1, 2)),
        ((1, 1), 0, Fraction(1)),
        ((4, 1), 1.8, Fraction(2 + 10, 32)),  # of five throws of a coin 4:1 or 5:0 either way
    ],
)  # fmt: skip
def test_chances_by_hand(counts: tuple[int, ...], measure: float, chance: Fraction) -> None:
    """Measure: faces x squares / rolls - rolls."""
    found = evenness(counts)
    assert found.measure == pytest.approx(measure)
    assert (found.chance, found.method) == (pytest.approx(float(chance)), "exact")


@pytest.mark.parametrize(("rolls", "faces"), [(1, 6), (2, 10), (5, 6), (7, 4), (8, 3), (10, 2), (4, 10)])
def test_the_exact_chance_is_that_of_every_sequence_of_rolls(rolls: int, faces: int) -> None:
    squares = Counter(sum(n * n for n in Counter(fall).values()) for fall in product(range(faces), repeat=rolls))
    for found in squares:
        falls = sum(n for each, n in squares.items() if each >= found)
        assert exact(rolls, faces, found) == Fraction(falls, faces**rolls)


def test_the_order_of_the_faces_does_not_matter() -> None:
    assert evenness((5, 0, 2, 3, 1, 1)).chance == evenness((0, 1, 1, 2, 3, 5)).chance


@pytest.mark.parametrize(("total", "parts"), [(5, 2), (7, 7), (12, 4), (1, 20)])
def test_the_ways_to_fall_are_counted_as_they_are_gone_through(total: int, parts: int) -> None:
    found = list(partitions(total, parts))
    assert len(found) == ways(total, parts) == len(set(map(tuple, found)))
    assert all(sum(each) == total and len(each) <= parts for each in found)


def test_five_as_at_most_two_numbers_is_three_ways() -> None:
    assert list(partitions(5, 2)) == [[5], [4, 1], [3, 2]]


@pytest.mark.parametrize(
    ("value", "degrees"), [(3.841, 1), (5.991, 2), (7.815, 3), (11.070, 5), (16.919, 9), (30.144, 19)]
)
def test_chi_square_has_its_tabled_values_at_five_percent(value: float, degrees: int) -> None:
    assert chi_square(value, degrees) == pytest.approx(0.05, abs=1e-4)


@pytest.mark.parametrize("faces", [6, 10, 20])
def test_where_one_method_takes_over_from_the_other_they_agree_near_the_level(faces: int) -> None:
    """The first number of rolls that is left to chi-square: near 5 % the exact chance is within a percent of it."""
    rolls = next(n for n in range(1, 201) if evenness([n] + [0] * (faces - 1)).method == "chi-square")
    at = [s for s in range(rolls, rolls * rolls) if abs(chi_square(faces * s / rolls - rolls, faces - 1) - 0.05) < 0.01]
    squares = next(s for s in at if (s - rolls) % 2 == 0)
    assert float(exact(rolls, faces, squares)) == pytest.approx(
        chi_square(faces * squares / rolls - rolls, faces - 1), abs=0.01
    )


def test_many_rolls_are_judged_at_once() -> None:
    found = evenness([1000, 1000, 1000, 1000, 1000, 1000])
    assert (found.measure, found.chance, found.method) == (0, 1.0, "chi-square")
    assert evenness([1200, 960, 960, 960, 960, 960]).chance < 1e-6  # measure 48 with 5 degrees


def test_no_rolls_and_a_single_face_are_no_question() -> None:
    for counts in ([], [3], [0, 0]):
        with pytest.raises(ValueError, match="rolls on"):
            evenness(counts)


def test_several_tests_are_corrected_one_after_the_other() -> None:
    """Holm: the least of three counts thrice, the next twice, and none comes to less than the one before."""
    assert corrected([0.04, 0.01, 0.03]) == pytest.approx([0.06, 0.03, 0.06])
    assert corrected([0.9, 0.8]) == [1.0, 1.0]
    assert corrected([]) == []


@pytest.mark.parametrize(
    ("faces", "tests", "least"),
    [(6, 1, 3), (6, 10, 4), (10, 1, 3), (10, 2, 3), (10, 3, 3), (10, 6, 4), (2, 1, 6), (20, 1, 2)],
)
def test_below_so_many_rolls_nothing_can_stand_out(faces: int, tests: int, least: int) -> None:
    """The same face every time has the chance faces ** (1 - rolls): of a D6 in two rolls 1/6, in three 1/36."""
    assert least_rolls(faces, tests) == least
    assert float(faces) ** (1 - least) * tests <= 0.05 < float(faces) ** (2 - least) * tests


def test_a_face_twice_as_frequent_needs_its_number_of_rolls() -> None:
    """Shift needed for 80 % at 5 %: 12.83 with 5 degrees, 15.65 with 9 (tables); a roll adds 1 / (faces - 1)."""
    assert telling_rolls(6) == 65
    assert telling_rolls(10) == 141
    assert telling_rolls(6, 5) > telling_rolls(6)
