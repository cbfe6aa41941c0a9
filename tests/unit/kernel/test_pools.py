"""Pools: exact distributions by counts, against die by die, plain enumeration and simulation."""

import random
from collections import Counter
from collections.abc import Hashable
from fractions import Fraction
from itertools import product
from typing import Any

import pytest

from gmtool.kernel.laws import Die, Law
from gmtool.kernel.pools import Group, Spread, counted, spread, total
from gmtool.kernel.refusal import Refused
from tests.unit.kernel.toy import Over, Under, hits, through


def highest(counts: Any) -> int:
    return max(int(face) for face in counts[0])


def chances(found: Spread) -> dict[Hashable, Fraction]:
    assert sum(weight for _, weight in found.chances) == found.total
    return {value: Fraction(weight, found.total) for value, weight in found.chances}


def enumerated(laws: list[list[Law]], keep: Any) -> dict[Hashable, Fraction]:
    """Every fall of every single die, one after the other."""
    found: Counter[Hashable] = Counter()
    falls = list(product(*(list(law.all()) for group in laws for law in group)))
    for fall in falls:
        rest = list(fall)
        counts = tuple(dict(Counter(rest.pop(0).result for _ in group)) for group in laws)
        found[keep(counts)] += 1
    return {value: Fraction(n, len(falls)) for value, n in found.items()}


def test_the_counts_of_two_dice_by_hand() -> None:
    # bad 5/10, good 4/10, great 1/10: two good 16 of 100, good and great 2 x 4 x 1
    found = {tuple(sorted(counts.items())): ways for counts, ways in counted(Over(5), 2)}
    assert found[("good", 2),] == 16
    assert found[("good", 1), ("great", 1)] == 8
    assert found[("bad", 2),] == 25
    assert sum(found.values()) == 100


def test_no_dice_are_one_sure_value() -> None:
    assert spread((Group(0, Over(5)),), hits) == Spread((((0, 0), 1),), 1)
    assert spread((), total) == Spread(((0, 1),), 1)


def test_the_highest_of_three_dice_by_hand() -> None:
    # at most 5: 125 of 216; so a 6 among three 91 of 216
    assert chances(spread((Group(3, Die(6)),), highest))[6] == Fraction(91, 216)


def test_two_dice_come_to_seven_six_times_in_thirty_six() -> None:
    found = spread((Group(1, Die(6)), Group(1, Die(6))), total)
    assert dict(found.chances)[7] == 6
    assert found.total == 36


@pytest.mark.parametrize(
    ("groups", "keep"),
    [
        ([(2, Over(5))], hits),
        ([(3, Over(8))], hits),
        ([(1, Over(3)), (2, Over(3))], through),
        ([(2, Over(3)), (1, Under(3))], through),
        ([(3, Die(6))], highest),
        ([(2, Die(6)), (1, Die(4))], total),
    ],
)
def test_counts_give_what_plain_enumeration_gives(groups: list[tuple[int, Law]], keep: Any) -> None:
    assert chances(spread(tuple(Group(n, law) for n, law in groups), keep)) == enumerated(
        [[law] * n for n, law in groups], keep
    )


def test_a_seeded_simulation_agrees_within_its_error() -> None:
    throw = random.Random(8).choices
    laws = list(Over(6).all())
    found: Counter[tuple[int, int]] = Counter()
    for _ in range(20_000):
        count = Counter(die.result for die in throw(laws, k=5))
        found[count["great"], count["good"]] += 1
    for value, chance in chances(spread((Group(5, Over(6)),), hits)).items():
        error = (float(chance) * (1 - float(chance)) / 20_000) ** 0.5
        assert abs(found[value] / 20_000 - chance) <= 4 * error + 1e-4  # type: ignore[index]


def test_seats_and_what_is_answered_do_not_change_a_spread() -> None:
    plain = spread((Group(2, Over(5)),), hits)
    assert spread((Group(2, Over(5), ("A", "B")),), hits) is plain
    assert spread((Group(2, Over(5), answers=("x", "good")),), hits) is plain


def test_laws_and_keeps_equal_as_tuples_have_spreads_of_their_own() -> None:
    assert spread((Group(2, Over(3)),), hits) != spread((Group(2, Under(3)),), hits)


def test_many_dice_are_added_up_one_by_one() -> None:
    # 3 to the 20th combinations of counts would never end
    found = spread((Group(20, Die(6)),), total)
    assert found.total == 6**20
    assert dict(found.chances)[20] == 1
    assert dict(found.chances)[21] == 20
    assert dict(found.chances)[70] == max(weight for _, weight in found.chances)


def test_what_would_take_too_long_is_refused() -> None:
    for groups, keep in (((Group(60, Die(20)),), highest), ((Group(99, Die(999)),), total)):
        with pytest.raises(Refused) as refused:
            spread(groups, keep)
        assert refused.value.code == "no-odds"
