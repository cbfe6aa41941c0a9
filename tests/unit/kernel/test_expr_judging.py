"""Judging dice expressions from faces, and reading the faces typed for them."""

import pytest

from gmtool.kernel.expr import REFUSALS, DicePart, JudgedPart, faces_from, judge, parse
from gmtool.kernel.refusal import Refused


@pytest.mark.parametrize(
    ("expression", "total"),
    [
        ("1+2-3*4/5", 1),
        ("(0-7)/2", -3),
        ("-7/2", -3),
        ("7/2", 3),
        ("7/(0-2)", -3),
        ("-7/-2", 3),
        ("10-4-3", 3),
        ("20/5*2", 8),
        ("C((1+2)*3)", 9),
        ("2d6--3", 10),
    ],
)
def test_division_drops_the_fraction_toward_zero(expression: str, total: int) -> None:
    """P-F8; 2D6 shows 3 and 4."""
    roll = parse(expression)
    assert judge(roll, [3, 4][: 2 * len(roll.dice)]).total == total


@pytest.mark.parametrize(
    ("expression", "faces", "line", "success"),
    [
        ("2D6+1>=7", [3, 5], "2D6+1>=7: 3 5 +1 = 9", True),
        ("2D6", [3, 5], "2D6: 3 5 = 8", None),
        ("d66", [6, 3], "D66: 6 3 = 63", None),
        ("d66a", [6, 3], "D66A: 6 3 = 36", None),
        ("d66d<40", [3, 6], "D66D<40: 3 6 = 63", False),
        ("1+2d6", [1, 2], "1+2D6: 1 +[1 2] = 4", None),
        ("2d6*2+d4-(d4+1)*3", [1, 2, 3, 4], "2D6*2+1D4-(1D4+1)*3: [1 2]*2 +[3] -([4]+1)*3 = -6", None),
        ("-d6", [4], "-1D6: -[4] = -4", None),
        ("7-2=5", [], "7-2=5 = 5", True),
    ],
)
def test_the_line_shows_faces_for_dice(expression: str, faces: list[int], line: str, success: bool | None) -> None:
    judged = judge(parse(expression), faces)
    assert (judged.line, judged.success) == (line, success)


@pytest.mark.parametrize(
    ("compare", "below", "equal", "above"),
    [
        (">=", False, True, True),
        (">", False, False, True),
        ("<=", True, True, False),
        ("<", True, False, False),
        ("=", False, True, False),
        ("==", False, True, False),
        ("!=", True, False, True),
        ("<>", True, False, True),
    ],
)
def test_each_comparison_below_at_and_above_its_target(compare: str, below: bool, equal: bool, above: bool) -> None:
    roll = parse(f"1d6{compare}3")
    assert [judge(roll, [face]).success for face in (2, 3, 4)] == [below, equal, above]


def test_parts_keep_the_faces_as_thrown() -> None:
    judged = judge(parse("2d6+d66a"), [5, 2, 6, 3])
    assert judged.parts == (
        JudgedPart(DicePart(2, 6, "sum"), (5, 2), 7),
        JudgedPart(DicePart(2, 6, "d66a"), (6, 3), 36),
    )


def test_a_wrong_number_of_faces_is_a_fault_of_the_caller() -> None:
    with pytest.raises(ValueError, match="3 faces for 2D6"):
        judge(parse("2d6"), [1, 2, 3])


@pytest.mark.parametrize(
    ("expression", "tokens", "faces"),
    [
        ("2d6", ["3", "5"], (3, 5)),
        ("2d6", ["3, 5"], (3, 5)),
        ("2d6+1d4", ["3/5", "/", "2"], (3, 5, 2)),
        ("2d6", ["３", "５"], (3, 5)),
        ("2d6", ["３、５"], (3, 5)),
        ("2d6", ["3､5"], (3, 5)),
        ("3d10", ["0", "10", "9"], (10, 10, 9)),
        ("1d100", ["07"], (7,)),
        ("1d20", ["20"], (20,)),
        ("d66", ["36"], (3, 6)),
        ("d66", ["3", "6"], (3, 6)),
        ("d66a+2d6", ["63", "1", "2"], (6, 3, 1, 2)),
        ("7/2", [], ()),
    ],
)
def test_typed_faces(expression: str, tokens: list[str], faces: tuple[int, ...]) -> None:
    assert faces_from(tokens, parse(expression)) == faces


@pytest.mark.parametrize(
    ("expression", "tokens", "key", "facts"),
    [
        ("2d6", ["7", "1"], "roll-face", {"text": "7", "dice": "2D6"}),
        ("2d6", ["0", "1"], "roll-face", {"text": "0", "dice": "2D6"}),
        ("2d6", ["35"], "roll-face", {"text": "35", "dice": "2D6"}),
        ("1d10", ["00"], "roll-face", {"text": "00", "dice": "1D10"}),
        ("1d10", ["07"], "roll-face", {"text": "07", "dice": "1D10"}),
        ("1d100", ["0"], "roll-face", {"text": "0", "dice": "1D100"}),
        ("d66", ["37"], "roll-face", {"text": "37", "dice": "D66"}),
        ("d66", ["3", "36"], "roll-face", {"text": "36", "dice": "D66"}),
        ("2d6", ["x"], "roll-face-not-read", {"text": "x"}),
        ("2d6", ["-1"], "roll-face-not-read", {"text": "-1"}),
        ("2d6", ["²"], "roll-face-not-read", {"text": "²"}),
        ("1d6", ["9" * 5_000], "roll-face-not-read", {"text": "9" * 18 + ".."}),
        ("2d6", ["1", "2", "3", "4"], "roll-faces-left", {"text": "3 4", "n": 2}),
        ("7/2", ["1"], "roll-faces-left", {"text": "1", "n": 1}),
        ("2d6", ["3"], "roll-faces-missing", {"text": "1D6", "n": 1, "sides": [6]}),
        ("2d6+d66+1d10", ["3"], "roll-faces-missing", {"text": "1D6, D66, 1D10", "n": 4, "sides": [6, 6, 6, 10]}),
        ("d66", ["3"], "roll-faces-missing", {"text": "1D6", "n": 1, "sides": [6]}),
    ],
)
def test_faces_that_do_not_fit(expression: str, tokens: list[str], key: str, facts: dict[str, object]) -> None:
    with pytest.raises(Refused) as caught:
        faces_from(tokens, parse(expression))
    refusal = caught.value
    assert (refusal.key, refusal.facts) == (key, facts)
    assert REFUSALS[key] == (refusal.code, refusal.exit, tuple(facts))
