"""Odds of the further forms of ``roll``: by hand, against every fall of the dice, and against icepool."""

import contextlib
import itertools
import time
from collections import Counter
from fractions import Fraction
from typing import Any

import pytest

from gmtool.kernel.expr import DicePart, distribution, fall, judge, parse, read
from gmtool.kernel.expr.chances import outlook
from gmtool.kernel.refusal import Refused

icepool: Any = pytest.importorskip("icepool")


@pytest.mark.parametrize(
    "expression", ["4D6KH3", "4D6KL3", "5D4DH2", "5D4DL2", "3D6MAX", "3D6MIN", "2D6KH1+1D4", "3D4KL2*2-3D3DH1"]
)
def test_kept_dice_agree_with_every_fall(expression: str) -> None:
    roll = parse(expression)
    each = [range(1, part.sides + 1) for part in roll.dice for _ in range(part.count)]
    assert distribution(roll) == Counter(judge(roll, faces).total for faces in itertools.product(*each))


@pytest.mark.parametrize(("expression", "pool"), [
    ("4D6KH3", lambda: icepool.d6.highest(4, 3)),
    ("10D10KL4", lambda: icepool.d10.lowest(10, 4)),
    ("8D12DL3", lambda: icepool.d12.highest(8, 5)),
    ("20D6DH7", lambda: icepool.d6.lowest(20, 13)),
])  # fmt: skip
def test_kept_dice_agree_with_a_library(expression: str, pool: Any) -> None:
    roll = parse(expression)
    weights = distribution(roll)
    total = roll.dice[0].sides ** roll.dice[0].count
    assert {value: Fraction(n, total) for value, n in weights.items()} == {
        value: pool().probability(value) for value in pool().outcomes()
    }


def test_best_of_two_d20_by_hand() -> None:
    """The highest of two is n in 2 n - 1 of 400."""
    weights = distribution(parse("2D20KH1"))
    assert weights == {n: 2 * n - 1 for n in range(1, 21)}


def spread(expression: str) -> dict[int | str, Fraction]:
    return outlook(read(expression)).spread.chances


def test_three_dice_against_four_or_more_by_hand() -> None:
    assert spread("3B6>=4") == {0: Fraction(1, 8), 1: Fraction(3, 8), 2: Fraction(3, 8), 3: Fraction(1, 8)}
    assert outlook(read("3B6>=4")).spread.mean == Fraction(3, 2)


@pytest.mark.parametrize("expression", ["3B6>=5", "2B6+2B10>=6", "1B4+2B6<3", "3B6=6", "2B8!=8", "2B6>6", "2B6<=0"])
def test_single_dice_agree_with_every_fall(expression: str) -> None:
    throwing = read(expression)
    sides = [range(1, part.sides + 1) for part in throwing.form.dice for _ in range(part.count)]
    counted: Counter[int | None] = Counter()
    for faces in itertools.product(*sides):
        each = iter(faces)

        def lying(parts: Any, each: Any = each) -> list[tuple[int, ...]]:
            return [tuple(next(each) for _ in range(part.count)) for part in parts]

        counted[fall(throwing, lying)[0].total] += 1
    whole = sum(counted.values())
    found = {value: chance for value, chance in spread(expression).items() if chance}
    assert found == {value: Fraction(n, whole) for value, n in counted.items()}


def walked(expression: str, smallest: Fraction) -> tuple[dict[int, Fraction], Fraction]:
    """Every fall of dice thrown again, one after the other, until what is left of a branch is less likely than that."""
    throwing = read(expression)
    found: dict[int, Fraction] = {}
    left = Fraction(0)

    class Short(Exception):
        def __init__(self, sides: int) -> None:
            self.sides = sides

    branches: list[tuple[tuple[int, ...], Fraction]] = [((), Fraction(1))]
    while branches:
        lain, chance = branches.pop()
        each = iter(lain)

        def throw(parts: list[DicePart], each: Any = each) -> list[tuple[int, ...]]:
            faces: list[tuple[int, ...]] = []
            for part in parts:
                row = []
                for _ in range(part.count):
                    face = next(each, None)
                    if face is None:
                        raise Short(part.sides)
                    row.append(face)
                faces.append(tuple(row))
            return faces

        try:
            total = fall(throwing, throw)[0].total
            assert total is not None
            found[total] = found.get(total, Fraction(0)) + chance
        except Short as short:
            if chance < smallest:
                left += chance
            else:
                branches += [((*lain, face), chance / short.sides) for face in range(1, short.sides + 1)]
    return found, left


@pytest.mark.parametrize(
    "expression",
    ["2R6>=5", "1R4[=4]>=3", "1R6+1R4[>3]>=2", "2R4[1]<=1", "2U4[4]>=6", "1U6+1U4[4]+1>=7", "2U4[3]=5", "1U6[6]-3<4"],
)
def test_dice_thrown_again_agree_with_every_fall_as_far_as_it_is_followed(expression: str) -> None:
    found, left = walked(expression, Fraction(1, 3000))
    assert left < Fraction(1, 4)
    chances = spread(expression)
    for value, chance in found.items():
        assert chance <= chances.get(value, Fraction(1, 10**6)) <= chance + left


def test_one_die_thrown_again_on_a_hit_by_hand() -> None:
    """1R6>=5: 2/3 none; each further hit a third: 2/3 (1/3) ** n; half a hit in the mean."""
    found = outlook(read("1R6>=5")).spread
    assert [found.chances[n] for n in range(4)] == [Fraction(2, 3 ** (n + 1)) for n in range(4)]
    assert found.mean == Fraction(1, 2)
    assert sum(found.chances.values()) + found.beyond == 1
    assert 0 < found.beyond < Fraction(1, 10**6)


def test_one_die_added_on_six_by_hand() -> None:
    """1U6[6]>=8: a six, then 2 or more, which is five in six."""
    assert spread("1U6[6]>=8") == {0: Fraction(31, 36), 1: Fraction(5, 36)}


def test_added_dice_agree_with_a_library() -> None:
    """Of an exploding D6 the chance of 14 or more: two sixes and 2 or more behind them."""
    exploding = icepool.d6.explode(depth=9)
    assert float(spread("1U6[6]>=14")[1]) == pytest.approx(float((exploding >= 14).mean()), abs=1e-9)


def test_a_choice_is_even_and_the_same_word_twice_counts_twice() -> None:
    assert spread("choice[a,b,a]") == {"a": Fraction(2, 3), "b": Fraction(1, 3)}


def test_of_several_throws_how_many_succeed_is_told() -> None:
    """2D6>=7 succeeds in 7 of 12; twice in 49 of 144."""
    found = outlook(read("x2 2D6>=7"))
    assert found.success == Fraction(7, 12)
    assert found.times is not None
    assert found.times.chances == {0: Fraction(25, 144), 1: Fraction(70, 144), 2: Fraction(49, 144)}


@pytest.mark.parametrize(
    ("expression", "key"),
    [
        ("3B6", "roll-odds-open"),
        ("2U6[6]", "roll-odds-open"),
        ("1R1000000>=2", "roll-odds-too-big"),
        ("100R6>=3", "roll-odds-too-big"),
        ("1U6[6]>=900000000", "roll-odds-too-big"),
        ("500D6KH250", "roll-odds-too-big"),
    ],
)
def test_odds_that_are_none_or_too_long_are_refused(expression: str, key: str) -> None:
    with pytest.raises(Refused) as caught:
        outlook(read(expression))
    assert caught.value.key == key


@pytest.mark.parametrize(
    "expression",
    [
        "1000B1000000>=5", "500B6+500B10>=5", "1000U100[2]>=2000", "1U1000000[2]>=1000000", "1U100[2]>=2000",
        "1U100[2]>=600",
        "1R1000000>=2", "1000R6>=6", "300R20[>=2]>=20", "200D6KH100", "x100 10D100KH5>=300", "1000U2[2]>=2",
    ],
)  # fmt: skip
def test_odds_of_any_form_come_or_are_refused_soon(expression: str) -> None:
    """P-F1: in about a second at the worst; three, since machines differ."""
    start = time.monotonic()
    with contextlib.suppress(Refused):
        outlook(read(expression))
    assert time.monotonic() - start < 3
