"""Field reports F: dice expressions, and reading the table's own dice."""

import time

import pytest

from tests.field.table import Table

TOO_MUCH = {
    "dice beyond all measure": ("999999d999999", "1000"),
    "more dice than numbers go": ("999999999999d6", "1000"),
    "a die more than allowed": ("1001d6", "1000"),
    "the limit holds for the whole": ("600d6+401d6", "1000"),
    "a side more than allowed": ("1d1000001", "1000000"),
    "200 terms": ("+".join(["999d6"] * 200), ""),
    "200 short terms": ("+".join(["9d6"] * 200), "200"),
    "5,000 opening brackets": ("(" * 5_000, "20"),
    "5,000 brackets in order": ("(" * 5_000 + "1d6" + ")" * 5_000, "20"),
    "5,000 signs": ("-" * 5_000 + "1", ""),
    "5,000 digits": ("9" * 5_000 + "d6", "200"),
    "5,000 zeros in front": ("0" * 5_000 + "1d6", "200"),
    "a power": ("9**9**9", ""),
    "a tower of products": ("*".join(["999999999"] * 15), ""),
    "an explosion": ("1d1!", ""),
    "an explosion without end": ("d6!>0", ""),
    "a million comment letters before the end": ("1d6x" + "x" * 1_000_000, ""),
}

NEVER_A_RESULT = {
    "1d" + "9" * 32: "9999",
    "1e3d6": "e3d6",
    "3.9d6": ".9d6",
    "(99^99)d20": "^",
    "1_000d6": "_000d6",
    "0x10d6": "x10d6",
    "1d6 d6 3d": "",
    "2147483648d6": "2147483648",
    "18446744073709551617d6": "18446744073709551617",
    "1d4294967297": "4294967297",
    "99999999999999999999": "9",
    "1d6²": "²",
    "½d6": "½",
}


@pytest.mark.parametrize("prefix", [(), ("odds",)], ids=["roll", "odds"])
@pytest.mark.parametrize(("expression", "limit"), TOO_MUCH.values(), ids=TOO_MUCH)
def test_p_f1_huge_expressions_end_at_once(bare: Table, expression: str, limit: str, prefix: tuple[str, ...]) -> None:
    started = time.perf_counter()
    error = bare.refused(*prefix, "roll", expression)
    assert time.perf_counter() - started < 2, "the two calls of a refusal, a second each"
    assert limit in error["message"].replace(",", "")
    assert len(error["message"]) < 300


def test_p_f1_many_dice_within_the_limits_work(bare: Table) -> None:
    assert 100 <= bare.do("roll", "100d6")["result"]["total"] <= 600
    assert 1_000 <= bare.do("roll", "1000d1000000")["result"]["total"] <= 1_000_000_000


@pytest.mark.parametrize("expression", ["1000d1000000", "1000d6", "500d20+500d12", "1d1000000*1d1000000"])
def test_p_f1_their_odds_come_or_are_refused_within_a_second(bare: Table, expression: str) -> None:
    started = time.perf_counter()
    assert bare.gm("odds", "roll", expression).code in (0, 2)
    assert time.perf_counter() - started < 1


@pytest.mark.parametrize(("expression", "part"), NEVER_A_RESULT.items(), ids=lambda text: text[:20])
def test_p_f2_numbers_too_big_are_never_read_as_something_smaller(bare: Table, expression: str, part: str) -> None:
    if expression == "1d6 d6 3d":
        assert bare.do("roll", expression)["result"]["comment"] == "d6 3d"
        return
    assert part in bare.refused("roll", expression)["message"].replace(",", "")


@pytest.mark.parametrize("expression", ["4d0", "0d6", "0d0", "00d6", "1d6/0", "1d6/(2-2)", "1d6/(1d6-1)", "d", "", " "])
def test_p_f3_nothing_to_roll_or_to_divide_by_is_refused(bare: Table, expression: str) -> None:
    bare.refused("roll", expression)


def test_p_f3_a_sign_in_front_of_dice_is_a_sign(bare: Table) -> None:
    assert bare.do("roll", "-1d6", "--dice", "4")["result"]["total"] == -4


@pytest.mark.parametrize("mode", ["fixed", "swap", "reverse"])
def test_p_f4_every_pair_of_digits_is_a_number_from_0_to_99(bare: Table, mode: str) -> None:
    """00 is zero, 0 and 2 are 2 (or 20 the other way round), 9 and 0 are 90 (or 9): never 100 or more."""
    lines = [f"check 45 --mode {mode} --dice {tens}{ones}" for tens in range(10) for ones in range(10)]
    ran = bare.gm("run", "-", "--json", input="\n".join(lines))
    reads = [answer["dice"][0]["read"] for answer in ran.objects]
    pairs = [sorted((10 * tens + ones, 10 * ones + tens)) for tens in range(10) for ones in range(10)]
    expected = {
        "fixed": list(range(100)),
        "swap": [low for low, _ in pairs],
        "reverse": [high for _, high in pairs],
    }[mode]
    assert reads == expected


@pytest.mark.parametrize(
    "faces", ["0", "7", "100", "101", "10 3", "0 2", "9 0", "0 0", "-1", "1.0", "0x1", "x", "", "％"]
)
def test_p_f4_what_is_no_two_digits_is_refused(bare: Table, faces: str) -> None:
    bare.refused("check", "45", "--dice", faces)


def test_p_f4_the_output_shows_both_digits(bare: Table) -> None:
    answer = bare.do("check", "45", "--mode", "fixed", "--dice", "02")
    assert answer["dice"][0]["faces"] == [0, 2]
    assert "02" in answer["text"]
    assert "00" in bare.do("check", "45", "--dice", "00")["text"]


@pytest.mark.parametrize(
    ("expression", "faces", "total"),
    [("1d10", "0", 10), ("1d10", "10", 10), ("2d10", "0 0", 20), ("1d100", "100", 100), ("d66", "3 6", 36)],
)
def test_p_f4_in_a_sum_a_0_on_a_ten_sided_die_counts_10(bare: Table, expression: str, faces: str, total: int) -> None:
    assert bare.do("roll", expression, "--dice", faces)["result"]["total"] == total


@pytest.mark.parametrize(
    ("expression", "faces"),
    [("1d10", "11"), ("1d6", "0"), ("1d6", "7"), ("2d6", "34"), ("2d6", "3"), ("1d6", "3 4"), ("1d100", "101"),
     ("d66", "37"), ("d66", "06"), ("1d10", "-1"), ("1d10", "²"), ("1d10", "0.5")],
)  # fmt: skip
def test_p_f4_impossible_faces_are_refused(bare: Table, expression: str, faces: str) -> None:
    bare.refused("roll", expression, "--dice", faces)


def test_p_f5_the_better_reading_counts_and_both_are_shown(bare: Table) -> None:
    answer = bare.do("check", "30", "--dice", "92")
    assert answer["dice"][0]["read"] == 29
    assert answer["result"]["success"] is True
    assert "92" in answer["text"]
    assert "29" in answer["text"]


def test_p_f5_the_roller_may_let_the_dice_stand(bare: Table) -> None:
    answer = bare.do("check", "30", "--dice", "=92")
    assert answer["dice"][0]["read"] == 92
    assert answer["result"]["failure"] is True
    assert "29" not in answer["text"]


def test_p_f5_doubles_have_one_reading(bare: Table) -> None:
    answer = bare.do("check", "30", "--dice", "44")
    assert answer["dice"][0]["read"] == 44
    assert answer["result"]["failure"] is True
    assert ">" not in answer["text"]


@pytest.mark.parametrize(
    ("target", "temperament", "faces", "outcome"),
    [
        ("-10", "daredevil", "00", "critical"),
        ("120", "daredevil", "99", "fumble"),
        ("-10", "daredevil", "11", "fumble"),
        ("120", "daredevil", "88", "critical"),
        ("-1", "placid", "00", "failure"),
        ("0", "placid", "00", "success"),
        ("0", "placid", "01", "failure"),
        ("99", "placid", "99", "success"),
        ("150", "placid", "99", "success"),
        ("98", "placid", "99", "failure"),
        ("-10", "all-or-nothing", "00", "failure"),
        ("150", "all-or-nothing", "99", "fumble"),
    ],
)
def test_p_f6_automatic_results_hold_for_every_target_and_the_target_is_shown(
    bare: Table, target: str, temperament: str, faces: str, outcome: str
) -> None:
    answer = bare.do("check", target, "--temperament", temperament, "--dice", faces)
    result = answer["result"]
    got = next(name for name in ("critical", "fumble", "success", "failure") if result[name])
    assert got == outcome
    assert f"target {target}" in answer["text"]


@pytest.mark.parametrize(
    ("expression", "comment"),
    [
        ("2d6+3 2回目の攻撃", "2回目の攻撃"),
        ("2d6 + 3 2回目", "2回目"),
        ("2d6+3", ""),
        ("2d6+3 2nd attack", "2nd attack"),
        ("2d6+3 4", "4"),
        ("2d6+3　[/b] :fire: {x} %s", "[/b] :fire: {x} %s"),
    ],
)
def test_p_f7_a_comment_is_no_part_of_the_number(bare: Table, expression: str, comment: str) -> None:
    answer = bare.do("roll", expression, "--dice", "1 2")
    assert answer["result"]["total"] == 6
    assert answer["result"]["comment"] == comment
    assert comment in answer["text"]


def test_p_f7_blanks_stand_around_signs_only(bare: Table) -> None:
    roll = bare.do("roll", "1d100 <= 50", "--dice", "50")["result"]
    assert (roll["total"], roll["success"]) == (50, True)
    for rest in ("2d6+3second", "2d6+3)", "2d6 3d6)"):
        if rest != "2d6 3d6)":
            bare.refused("roll", rest)
    for split in ("2 d6", "2d 6"):
        bare.refused("roll", split)


@pytest.mark.parametrize(
    ("expression", "total"),
    [("1+2-3*4/5", 1), ("(0-7)/2", -3), ("7/2", 3), ("-7/2", -3), ("7/(0-2)", -3), ("(0-1)/2", 0), ("0-7/2", -3),
     ("(0-7)/(0-2)", 3)],
)  # fmt: skip
def test_p_f8_division_drops_the_fraction_toward_zero(bare: Table, expression: str, total: int) -> None:
    assert bare.do("roll", expression)["result"]["total"] == total
    assert bare.do("roll", f"C({expression})")["result"]["total"] == total
