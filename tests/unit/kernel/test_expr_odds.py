"""Odds of dice expressions, by hand and against every fall of the dice."""

import itertools
from collections import Counter

import pytest

from gmtool.kernel.expr import REFUSALS, chance, distribution, judge, parse
from gmtool.kernel.refusal import Refused


def test_2d6_by_hand() -> None:
    assert distribution(parse("2D6")) == {2: 1, 3: 2, 4: 3, 5: 4, 6: 5, 7: 6, 8: 5, 9: 4, 10: 3, 11: 2, 12: 1}


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        ("2D6>=7", (21, 36)),
        ("2D6+1>=7", (26, 36)),
        ("1D100<=30", (30, 100)),
        ("D66=36", (1, 36)),
        ("D66A=36", (2, 36)),
        ("D66A=63", (0, 36)),
        ("D66D=63", (2, 36)),
        ("D66D=33", (1, 36)),
        ("7>=3", (1, 1)),
        ("2D6", None),
    ],
)
def test_chances_by_hand(expression: str, expected: tuple[int, int] | None) -> None:
    assert chance(parse(expression)) == expected


@pytest.mark.parametrize(
    "expression",
    [
        "3D6",
        "4D4-2",
        "2D6*2-1D4/2",
        "(1D6-4)*(1D6-3)",
        "(1D6-4)/2",
        "60/(1D6+1)+1D4",
        "-(2D4)",
        "D66+1D4",
        "D66D-D66A",
        "1D6*1D6*1D6",
    ],
)
def test_the_distribution_agrees_with_every_fall(expression: str) -> None:
    roll = parse(expression)
    each = [range(1, part.sides + 1) for part in roll.dice for _ in range(part.count)]
    counted = Counter(judge(roll, faces).total for faces in itertools.product(*each))
    weights = distribution(roll)
    assert weights == counted
    assert list(weights) == sorted(weights)


def test_the_chance_is_the_share_of_falls_that_succeed() -> None:
    roll = parse("2D6*2-1D4!=9+1")
    falls = itertools.product(range(1, 7), range(1, 7), range(1, 5))
    hits = sum(judge(roll, faces).success is True for faces in falls)
    assert chance(roll) == (hits, 144)


def test_many_dice_are_exact() -> None:
    """100D6: all falls are 6 ** 100, and the middle total 350 is its own mirror."""
    weights = distribution(parse("100D6"))
    assert sum(weights.values()) == 6**100
    assert (weights[100], weights[101], weights[600]) == (1, 100, 1)
    assert weights[349] == weights[351]


@pytest.mark.parametrize("expression", ["1000D6", "2D1000000", "1000D1000000", "1D2000*1D2000"])
def test_what_takes_too_long_is_refused_before_it_starts(expression: str) -> None:
    with pytest.raises(Refused) as caught:
        distribution(parse(expression))
    refusal = caught.value
    assert (refusal.key, refusal.facts["text"], refusal.facts["limit"]) == ("roll-odds-too-big", expression, 1_000_000)
    assert REFUSALS[refusal.key] == (refusal.code, refusal.exit, tuple(refusal.facts))
