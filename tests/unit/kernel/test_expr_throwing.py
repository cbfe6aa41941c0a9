"""The further forms of ``roll``: kept and dropped dice, pools, dice thrown again, choices, repetitions, secrets."""

import time
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gmtool.kernel.expr import REFUSALS, DicePart, Fallen, Typed, fall, judge, parse, read
from gmtool.kernel.refusal import Refused


def fallen(text: str, faces: str) -> list[Fallen]:
    """What a line comes to on these faces, all of which it needs."""
    typed = Typed(faces.split())
    found = fall(read(text), typed.take)
    typed.end()
    return found


def refused(text: str, faces: str | None = None) -> Refused:
    with pytest.raises(Refused) as caught:
        read(text) if faces is None else fallen(text, faces)
    listed(caught.value)
    return caught.value


def listed(refusal: Refused) -> None:
    """Key, code, exit and facts stand in ``REFUSALS``."""
    assert REFUSALS[refusal.key] == (refusal.code, refusal.exit, tuple(refusal.facts))


# forms


@pytest.mark.parametrize(
    ("typed", "canonical", "comment"),
    [
        ("4d6kh3", "4D6KH3", ""),
        ("４Ｄ６ＫＨ３", "4D6KH3", ""),
        ("4d6kl1+2 Str", "4D6KL1+2", "Str"),
        ("3D6MAX-1d4min", "3D6KH1-1D4KL1", ""),
        ("2D6>=? for the GM to know", "2D6>=?", "for the GM to know"),
        ("3b6>=4", "3B6>=4", ""),
        ("2B6 + 3b10 >= 6 hits", "2B6+3B10>=6", "hits"),
        ("3r6>=5", "3R6[>=5]>=5", ""),
        ("2R6[3]>=5", "2R6[>=3]>=5", ""),
        ("2R6+1R10[>3]>=5", "2R6+1R10[>3]>=5", ""),
        ("2R6>=5@=6 crit", "2R6[=6]>=5", "crit"),
        ("2u4+1U6[4]+2-1>=6", "2U4+1U6[4]+1>=6", ""),
        ("2U6>=10@6", "2U6[6]>=10", ""),
        ("2U6[6]", "2U6[6]", ""),
        ("choice[A, B b,C] who", "choice[A,B b,C]", "who"),
        ("CHOICE(敵Ａ、味方[2])", "choice(敵Ａ,味方[2])", ""),
        ("choice[甲 乙]", "choice[甲,乙]", ""),
        ("choice X,Y (Z) 왼쪽", "choice X,Y (Z) 왼쪽", ""),
        ("ｘ３　２Ｄ６", "x3 2D6", ""),
        ("rep2 2D6>=7 twice", "x2 2D6>=7", "twice"),
        ("repeat10 choice[A,B]", "x10 choice[A,B]", ""),
        ("x1 2D6", "2D6", ""),
        ("s2d6", "S2D6", ""),
        ("Schoice[A,B]", "Schoice[A,B]", ""),
        ("sx2 1D6", "Sx2 1D6", ""),
        ("x2 s1D6", "Sx2 1D6", ""),
    ],
)
def test_forms_have_one_canonical_text_that_reads_back(typed: str, canonical: str, comment: str) -> None:
    found = read(typed)
    assert (found.canonical, found.comment) == (canonical, comment)
    again = read(canonical)
    assert (again.canonical, again.secret, again.times) == (canonical, found.secret, found.times)


@pytest.mark.parametrize(
    ("typed", "key"),
    [
        ("4D6KH0", "roll-keep"),
        ("4D6KH5", "roll-keep"),
        ("4D6DL4", "roll-keep"),
        ("4D6KH", "roll-not-read"),
        ("4D6 KH3 >= 2D6", None),  # behind a blank it is a comment, as ever
        ("3B6+2D6", "roll-not-read"),
        ("3B6+2R6", "roll-not-read"),
        ("3B6+1", "roll-not-read"),
        ("B6", "roll-not-read"),
        ("0B6", "roll-zero"),
        ("3B0", "roll-zero"),
        ("3B6>=1D6", "roll-target-dice"),
        ("3B6>=?", "roll-target-missing"),
        ("3R6", "roll-target-missing"),
        ("3R6[6]", "roll-target-missing"),
        ("3R6[>=1]>=5", "roll-endless"),
        ("3R6[!=9]>=5", "roll-endless"),
        ("1R2+3R6<=2", "roll-endless"),
        ("3R6[6>=5", "roll-bracket"),
        ("3R6[6]>=5@6", "roll-again-twice"),
        ("2U6>=5", "roll-again-missing"),
        ("2U6[<3]>=5", "roll-again-missing"),
        ("2U6[1]>=5", "roll-endless"),
        ("choice[A", "roll-bracket"),
        ("choice[A,,B]", "roll-option-empty"),
        ("choice[]", "roll-options"),
        ("choice[" + ",".join("a" * 101) + "]", "roll-options"),
        ("choice " + "a" * 2001, "roll-too-long"),
        ("choice[a\x1b[2J]", "roll-character"),
        ("choice[A]B", "roll-not-read"),
        ("x0 1D6", "roll-times"),
        ("x101 1D6", "roll-times"),
        ("x2 rep3 1D6", "roll-times-twice"),
        ("x3 ", "roll-empty"),
        ("x(2+3) 2D6", "roll-not-read"),
        ("x100 11D6", "roll-too-many-dice"),
        ("501B6+500B6", "roll-too-many-dice"),
        ("1001R6>=5", "roll-too-many-dice"),
        ("1B1000001", "roll-sides"),
        ("3R6[99999999999]>=5", "roll-not-read"),
        ("s", "roll-not-read"),
    ],
)
def test_what_cannot_be_thrown_is_refused_before_any_die_is(typed: str, key: str | None) -> None:
    if key is None:
        assert read(typed).comment == "KH3 >= 2D6"
    else:
        assert refused(typed).key == key


@given(st.text(alphabet="xsrepchoiCHOICE[](),@+->=<!?0123456789BRUDKHL 甲、", max_size=40))
def test_any_text_of_these_signs_is_a_throw_or_refused(text: str) -> None:
    try:
        found = read(text)
    except Refused as refusal:
        listed(refusal)
        return
    assert sum(part.count for part in found.form.dice) * found.times <= 1000


# on the table's faces


@pytest.mark.parametrize(
    ("expression", "faces", "line"),
    [
        ("4D6KH3", "1 5 1 6", "4D6KH3: 1 5 (1) 6 = 12"),
        ("4D6KL1", "3 5 2 6", "4D6KL1: (3) (5) 2 (6) = 2"),
        ("4D6DH1", "3 5 2 6", "4D6DH1: 3 5 2 (6) = 10"),
        ("4D6DL1", "3 5 2 6", "4D6DL1: 3 5 (2) 6 = 14"),
        ("2D20MAX+5>=15", "7 12", "2D20KH1+5>=15: (7) 12 +5 = 17"),
        ("1D6+2D6KH1", "4 2 5", "1D6+2D6KH1: [4] +[(2) 5] = 9"),
    ],
)
def test_of_the_dice_only_those_kept_count(expression: str, faces: str, line: str) -> None:
    assert judge(parse(expression), [int(face) for face in faces.split()]).line == line


def test_single_dice_are_listed_and_with_a_comparison_counted() -> None:
    (listed,) = fallen("2B6+1B10", "3 6 0")
    assert (listed.total, listed.successes, listed.line) == (None, None, "2B6+1B10: 3 6 + 10")
    (counted,) = fallen("5B6>=4", "1 4 6 2 6")
    assert (counted.total, counted.success, counted.successes) == (3, None, 3)
    assert [(part.dice.text, part.faces, part.value) for part in counted.parts] == [("5B6", (1, 4, 6, 2, 6), 3)]


def test_for_each_that_calls_for_it_one_more_is_thrown_all_of_them_then_the_next() -> None:
    """The example of BCDice's guide: 5 6 + 9, more for 5, 6 and 9 (over 3): 5 4 + 1, more for 5 and 4: 1 3."""
    (found,) = fallen("2R6+1R10[>3]>=5", "5 6 / 9 / 5 4 / 1 / 1 3")
    assert (found.total, found.line) == (4, "2R6+1R10[>3]>=5: 5 6 + 9 + 5 4 + 1 + 1 3")


def test_dice_thrown_again_are_added_to_the_die_that_called_for_them() -> None:
    """Likewise: 4 4 3, then 1 for the first and 4 for the second, 4 and 3 more for that one: 5, 15 and 3."""
    (found,) = fallen("2U4+1U6[4]>=6", "4 4 3 / 1 4 / 4 / 3")
    assert (found.total, found.successes, found.line) == (1, 1, "2U4+1U6[4]>=6: 5[4 1] 15[4 4 4 3] 3")
    (added,) = fallen("2U4+1U6[4]+2>=6", "4 4 3 / 1 4 / 4 / 3")
    assert added.successes == 2
    (summed,) = fallen("2U4+1U6[4]+10", "4 1 4 / 4 6 / 1 3")  # 9, 1, 13: the guide's figures
    assert (summed.highest, summed.total) == (23, 33)


def test_a_choice_is_the_option_of_the_die() -> None:
    (found,) = fallen("choice[敵A, 味方B, 味方C]", "2")
    assert (found.chosen, found.total, found.line) == ("味方B", 2, "choice[敵A,味方B,味方C]: 2")
    assert refused("choice[a,b]", "3").key == "roll-face"


def test_several_throws_take_their_faces_in_order() -> None:
    found = fallen("x3 2D6>=7", "1 2 / 3 4 / 6 6")
    assert [(one.total, one.success) for one in found] == [(3, False), (7, True), (12, True)]
    again = fallen("x2 1R6>=5", "6 5 1 2")
    assert [one.total for one in again] == [2, 0]


def test_faces_that_are_missing_are_told_whole_and_a_rest_is_refused() -> None:
    missing = refused("x2 2D6", "1 2 3")
    assert (missing.code, missing.facts["text"], missing.facts["sides"]) == ("needs-answer", "1D6", [6])
    assert refused("2R6>=5", "5 1").facts["n"] == 1
    assert refused("2R6>=5", "1 1 1").key == "roll-faces-left"
    assert refused("3B6", "1 2 7").key == "roll-face"


def test_dice_that_go_on_and_on_end_in_a_refusal_at_once() -> None:
    """P-F1: a die that hardly ever stops is refused when a thousand have been thrown, and nothing is kept."""

    def always(parts: Sequence[DicePart]) -> list[tuple[int, ...]]:
        return [(part.sides,) * part.count for part in parts]

    start = time.monotonic()
    with pytest.raises(Refused) as caught:
        fall(read("10R6>=2"), always)
    assert (caught.value.key, caught.value.facts["value"]) == ("roll-too-many-dice", 1010)
    assert time.monotonic() - start < 1
