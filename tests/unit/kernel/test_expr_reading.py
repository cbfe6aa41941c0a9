"""Reading dice expressions: forms, blanks and comments, width, and limits checked before any die is thrown."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gmtool.kernel.expr import REFUSALS, DicePart, faces_from, judge, parse
from gmtool.kernel.refusal import Refused


def refused(text: str) -> Refused:
    """The refusal of ``text``, checked against the list that sentences are written for."""
    with pytest.raises(Refused) as caught:
        parse(text)
    check_listed(caught.value)
    return caught.value


def check_listed(refusal: Refused) -> None:
    """Key, code, exit and facts stand in ``REFUSALS``."""
    assert REFUSALS[refusal.key] == (refusal.code, refusal.exit, tuple(refusal.facts))


@pytest.mark.parametrize(
    ("typed", "canonical"),
    [
        ("2D6+1>=7", "2D6+1>=7"),
        ("2d6 + 1 >= 7", "2D6+1>=7"),
        ("5d100", "5D100"),
        ("d6", "1D6"),
        ("d66", "D66"),
        ("D66N", "D66"),
        ("d66a", "D66A"),
        ("D66d", "D66D"),
        ("1d66", "1D66"),
        ("d666", "1D666"),
        ("C(1+2*3)", "1+2*3"),
        ("((2d6))", "2D6"),
        ("( 1 + 2 ) * 3", "(1+2)*3"),
        ("1-(2-3)", "1-(2-3)"),
        ("8/(4/2)", "8/(4/2)"),
        ("-(1+2)", "-(1+2)"),
        ("+3", "3"),
        ("2d6+-3", "2D6+-3"),
        ("2d6<>7", "2D6!=7"),
        ("2d6==007", "2D6=7"),
        ("2d6>3+4", "2D6>3+4"),
        ("２ｄ６＋３＞＝５", "2D6+3>=5"),
        ("2d6−3", "2D6-3"),
        ("2d6－3", "2D6-3"),
    ],
)
def test_forms_have_one_canonical_text_that_reads_back(typed: str, canonical: str) -> None:
    roll = parse(typed)
    assert roll.canonical == canonical
    assert parse(canonical) == roll


def test_dice_are_listed_in_the_order_typed() -> None:
    assert parse("2d6+d66a-(3d10+1)").dice == (
        DicePart(2, 6, "sum"),
        DicePart(2, 6, "d66a"),
        DicePart(3, 10, "sum"),
    )


@pytest.mark.parametrize(
    ("typed", "canonical", "comment"),
    [
        ("2d6+3 2回目の攻撃", "2D6+3", "2回目の攻撃"),
        ("2d6 + 3 2回目", "2D6+3", "2回目"),
        ("2d6+3 2nd attack", "2D6+3", "2nd attack"),
        ("２ｄ６　２回目", "2D6", "２回目"),
        ("  2d6   fire\tat  will ", "2D6", "fire at will"),
        ("2d6 d6 again", "2D6", "d6 again"),
        ("7/2 half", "7/2", "half"),
        ("2d6>=7 " + "x" * 500, "2D6>=7", "x" * 500),
    ],
)
def test_what_follows_a_blank_is_the_comment(typed: str, canonical: str, comment: str) -> None:
    """P-F7: the comment is never part of a number, and does not count for the length."""
    roll = parse(typed)
    assert (roll.canonical, roll.comment) == (canonical, comment)


@pytest.mark.parametrize(
    ("typed", "key", "facts"),
    [
        ("", "roll-empty", {}),
        (" \t　", "roll-empty", {}),
        ("d", "roll-unfinished", {"text": "d", "at": 1}),
        ("2d6+", "roll-unfinished", {"text": "2d6+", "at": 5}),
        ("2d6>=", "roll-unfinished", {"text": "2d6>=", "at": 6}),
        ("1e3d6", "roll-not-read", {"text": "e3d6", "at": 2}),
        ("3.9d6", "roll-not-read", {"text": ".9d6", "at": 2}),
        ("1_000", "roll-not-read", {"text": "_000", "at": 2}),
        ("nan", "roll-not-read", {"text": "nan", "at": 1}),
        ("1d1!", "roll-not-read", {"text": "!", "at": 4}),
        ("d6!>0", "roll-not-read", {"text": "!>0", "at": 3}),
        ("9**9**9", "roll-not-read", {"text": "*9**9", "at": 3}),
        ("2d6---3", "roll-not-read", {"text": "-3", "at": 6}),
        ("2d6 - surprise", "roll-not-read", {"text": "surprise", "at": 7}),
        ("2d6+3攻撃", "roll-not-read", {"text": "攻撃", "at": 6}),
        ("50％", "roll-not-read", {"text": "％", "at": 3}),
        ("2d 6", "roll-not-read", {"text": "2d", "at": 1}),
        ("2 d6", "roll-not-read", {"text": "d6", "at": 3}),
        ("2d6ー3", "roll-character", {"text": "ー", "number": "U+30FC", "at": 4}),
        ("2d6+²", "roll-character", {"text": "²", "number": "U+00B2", "at": 5}),
        ("①d6", "roll-character", {"text": "①", "number": "U+2460", "at": 1}),
        ("2d٣", "roll-character", {"text": "٣", "number": "U+0663", "at": 3}),
        ("2d6\x1b[1m", "roll-character", {"text": "<U+001B>", "number": "U+001B", "at": 4}),
        ("2d6 hit\x1b[1m", "roll-character", {"text": "?", "number": "U+001B", "at": 8}),
        ("2d6 \udcff", "roll-character", {"text": "?", "number": "U+DCFF", "at": 5}),
        ("(2d6", "roll-bracket", {"text": "(", "at": 1}),
        ("2d6)", "roll-bracket", {"text": ")", "at": 4}),
        ("2d6>=7>=3", "roll-comparison", {"text": ">=", "at": 7}),
        ("2d6>=1d6", "roll-target-dice", {"text": "1D6"}),
    ],
)
def test_what_cannot_be_read_is_refused_with_its_place(typed: str, key: str, facts: dict[str, object]) -> None:
    refusal = refused(typed)
    assert (refusal.key, refusal.facts) == (key, facts)


@pytest.mark.parametrize(
    ("typed", "key", "value", "limit"),
    [
        ("999999d999999", "roll-too-many-dice", 999_999, 1_000),
        ("999999999999d6", "roll-too-many-dice", 999_999_999_999, 1_000),
        ("1000d6+1d6", "roll-too-many-dice", 1_001, 1_000),
        ("999d6+d66", "roll-too-many-dice", 1_001, 1_000),
        ("+".join(["999d6"] * 200), "roll-too-many-dice", 1_998, 1_000),
        ("1d1000001", "roll-sides", 1_000_001, 1_000_000),
        ("1d" + "9" * 32, "roll-sides", 10**32 - 1, 1_000_000),
        ("1000000001", "roll-too-big", 1_000_000_001, 1_000_000_000),
        ("2d6>=1000000001", "roll-too-big", 1_000_000_001, 1_000_000_000),
        ("1000d1000000+1", "roll-too-big", 1_000_000_001, 1_000_000_000),
        ("0-1000000*1001", "roll-too-big", 1_001_000_000, 1_000_000_000),
        ("-2*600000000", "roll-too-big", -1_200_000_000, 1_000_000_000),
    ],
)
def test_numbers_over_a_limit_are_refused_whole(typed: str, key: str, value: int, limit: int) -> None:
    """P-F1, P-F2: never cut down, and the limit is told."""
    refusal = refused(typed)
    assert (refusal.key, refusal.facts["value"], refusal.facts["limit"]) == (key, value, limit)


@pytest.mark.parametrize("typed", ["1" * 201, "1+" * 100 + "1", "1" + " " * 200 + "+1", "+".join(["d6"] * 60)])
def test_expressions_over_200_characters_are_refused(typed: str) -> None:
    """The last one is 179 as typed, and 239 with the ones that it leaves out."""
    assert refused(typed).facts == {"limit": 200}


def test_nesting_ends_at_20() -> None:
    assert parse("(" * 20 + "1" + ")" * 20).canonical == "1"
    assert refused("(" * 21 + "1" + ")" * 21).facts == {"limit": 20, "at": 21}
    assert refused("(" * 5_000).key == "roll-nesting"


@pytest.mark.parametrize("typed", ["100d6", "1000d1000000", "1000000000", "1+" * 99 + "10"])
def test_what_is_just_within_the_limits_is_read(typed: str) -> None:
    assert parse(typed).canonical == typed.upper()


@pytest.mark.parametrize(("typed", "text"), [("4d0", "4D0"), ("0d6", "0D6"), ("2d6+0d0", "0D0")])
def test_no_dice_and_no_sides_are_refused(typed: str, text: str) -> None:
    """P-F3."""
    refusal = refused(typed)
    assert (refusal.key, refusal.facts) == ("roll-zero", {"text": text})


@pytest.mark.parametrize(
    ("typed", "text"),
    [
        ("1d6/0", "0"),
        ("1d6/(2-2)", "(2-2)"),
        ("6/(1d6-1)", "(1D6-1)"),
        ("2d6>=1/0", "0"),
        ("1/-0", "-0"),
    ],
)
def test_a_divisor_that_could_be_0_is_refused_before_rolling(typed: str, text: str) -> None:
    refusal = refused(typed)
    assert (refusal.key, refusal.facts) == ("roll-divide", {"text": text})


@pytest.mark.parametrize("char", list("0dD(9+-２ー²\u3000 \n\x00＞C"))
def test_a_million_of_any_character_are_refused_at_once(char: str) -> None:
    start = time.perf_counter()
    refused(char * 1_000_000)
    assert time.perf_counter() - start < 1


@given(st.text() | st.text(alphabet="0123456789dD6+-*/()<>=!C Aa２ｄー²①−　", max_size=60))
def test_any_text_is_a_roll_or_refused(text: str) -> None:
    """And a roll reads back from its canonical text and can be judged with faces of 6 or less."""
    try:
        roll = parse(text)
    except Refused as refusal:
        check_listed(refusal)
        return
    again = parse(roll.canonical)
    assert again == roll._replace(comment="")
    faces = [str(min(part.sides, 6)) for part in roll.dice for _ in range(part.count)]
    judged = judge(roll, faces_from(faces, roll))
    assert (judged.success is None) == (roll.compare is None)
