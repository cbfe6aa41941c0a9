"""Laws: how often a law gives each class, what a token says, which faces can lie there."""

import pytest

from gmtool.kernel.laws import Die, Throw, dice_of, fits, reading, weights
from gmtool.kernel.refusal import Refused
from tests.unit.kernel.toy import Over, Under


def test_each_class_is_weighed_by_the_throws_that_give_it() -> None:
    # 7 and 8 are good, 9 is great, 0 to 6 are bad
    assert weights(Over(7)) == ((("bad", 7), ("good", 2), ("great", 1)), 10)
    assert weights(Die(3)) == ((("1", 1), ("2", 1), ("3", 1)), 3)


def test_two_laws_that_are_equal_as_tuples_are_not_confused() -> None:
    assert Over(3) == Under(3)  # type: ignore[comparison-overlap]
    assert dict(weights(Over(3))[0])["good"] == 6
    assert dict(weights(Under(3))[0])["good"] == 3
    assert reading(Over(3), "1").result == "bad"
    assert reading(Under(3), "1").result == "good"


@pytest.mark.parametrize(
    ("token", "sides", "face"), [("1", 6, 1), ("6", 6, 6), ("0", 10, 10), ("10", 10, 10), ("４", 6, 4)]
)
def test_a_plain_die_is_read_as_it_lies(token: str, sides: int, face: int) -> None:
    assert Die(sides).parse(token) == Throw((face,), face, str(face))


@pytest.mark.parametrize(
    ("token", "sides"), [("0", 6), ("7", 6), ("11", 10), ("-0", 10), ("-1", 6), ("x", 6), ("", 6), ("²", 6)]
)
def test_a_face_no_die_shows_is_refused(token: str, sides: int) -> None:
    with pytest.raises(Refused) as refused:
        Die(sides).parse(token)
    assert refused.value.exit == 2
    assert refused.value.code == "bad-dice"


def test_a_refused_token_is_refused_again() -> None:
    for _ in range(2):
        with pytest.raises(Refused):
            reading(Die(6), "9")


def test_faces_fit_a_law_by_number_and_range() -> None:
    assert fits(Die(6), (6,))
    assert not fits(Die(6), (0,))
    assert not fits(Die(6), (7,))
    assert not fits(Die(6), (3, 3))
    assert fits(Over(1), (0,))
    assert not fits(Over(1), (10,))


@pytest.mark.parametrize(
    ("text", "dice", "flat"),
    [("2D6+10", (6, 6), 10), ("1d4 + 2D8 - 3", (4, 8, 8), -3), ("10+1D6", (6,), 10), ("7", (), 7)],
)
def test_an_expression_is_its_dice_and_a_fixed_part(text: str, dice: tuple[int, ...], flat: int) -> None:
    assert dice_of(text) == (dice, flat)


@pytest.mark.parametrize("text", ["10-1D6", "2D6 - 1D4"])
def test_dice_cannot_be_taken_away(text: str) -> None:
    with pytest.raises(ValueError, match="taken away"):
        dice_of(text)
