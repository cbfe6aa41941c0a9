"""Field reports M: data files written by hand, in the rules folder of a campaign, and text in other encodings."""

import itertools
import json
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.field.table import PILOT, Table, folder_bytes

SHEET = """format = 1

[[craft]]
id = "paper"
name = "Paper"
squad = "rc"
hp = 10
move = 5
evade = 10
fuel = 9
"""
FIGURES = ("move", "evade", "fuel")


@pytest.fixture
def write(sides: Table) -> Callable[[str | bytes], Path]:
    """Put a file into the campaign's rules folder."""

    def call(text: str | bytes, name: str = "mine.toml") -> Path:
        rules = sides.home / "test" / "rules"
        rules.mkdir(exist_ok=True)
        data = text.encode() if isinstance(text, str) else text
        (rules / name).write_bytes(data)
        return rules / name

    return call


Write = Callable[..., Path]


def refused(table: Table, *named: str) -> str:
    """A line that needs the file is refused with exit code 3, naming it and what else is said; the message."""
    error = table.refused("unit", "add", "paper", "--side", "Players", says="rules/mine.toml", code=3)
    for part in named:
        assert part in error["message"] + error["hint"], (part, error)
    assert len(error["message"]) < 400
    return str(error["message"])


def test_a_sheet_of_ones_own_can_be_used(sides: Table, write: Write) -> None:
    write(SHEET)
    sides.do("unit", "add", "paper", "--side", "Players")
    assert sides.unit("paper")["hp"]["A"] == 10


@pytest.mark.parametrize("value", ["NO", "on", "off", "yes", "no", "n", "null", "~", "Paper", "True", "None"])
def test_p_m1_an_unquoted_word_is_refused_with_its_line(sides: Table, write: Write, value: str) -> None:
    write(SHEET.replace('"Paper"', value))
    assert "5" in refused(sides)


@pytest.mark.parametrize(
    "value", ["true", "false", "1", "0", "1.5", "1979-05-27", "[]", '["a"]', "{}", '{ fr = "Papier" }', '""', '" "']
)
def test_p_m1_what_is_no_text_is_no_name(sides: Table, write: Write, value: str) -> None:
    write(SHEET.replace('"Paper"', value))
    refused(sides, "name")


@pytest.mark.parametrize("name", ["NO", "on", "false", "null", "nan", "1", "2026-11-30"])
def test_p_m1_in_quotes_it_is_text(sides: Table, write: Write, name: str) -> None:
    write(SHEET.replace("Paper", name))
    sides.do("unit", "add", "paper", "--side", "Players")
    (unit,) = sides.state["units"].values()
    assert unit["name"] == name


def test_p_m1_a_key_without_quotes_is_text_and_unknown(sides: Table, write: Write) -> None:
    write(SHEET + "NO = 3\n")
    refused(sides, "NO")


@pytest.mark.parametrize("value", ["1", "0", '"true"', '"yes"', '""'])
def test_p_m1_yes_and_no_are_true_and_false_only(sides: Table, write: Write, value: str) -> None:
    write(SHEET + f"bydo = {value}\n")
    refused(sides, "bydo")


BOM = b"\xef\xbb\xbf"


def test_p_m2_a_byte_order_mark_in_front_makes_no_difference(sides: Table, write: Write) -> None:
    write(SHEET)
    without = sides.do("sheet", "show", "paper")["text"]
    write(BOM + SHEET.encode())
    assert sides.do("sheet", "show", "paper")["text"] == without
    write(BOM + SHEET.replace("\n", "\r\n").encode())
    assert sides.do("sheet", "show", "paper")["text"] == without


def test_p_m2_nor_in_a_script_the_journal_or_the_snapshot(sides: Table) -> None:
    script = Path("evening.gm")
    script.write_bytes(BOM + "unit add kestrel アロー --side Players\r\n".encode())
    assert sides.gm("run", str(script)).code == 0
    state = sides.state
    folder = sides.home / "test"
    for name in ("campaign.json", "journal.jsonl"):
        whole = (folder / name).read_bytes()
        (folder / name).write_bytes(BOM + whole)
        assert sides.state == state
        (folder / name).write_bytes(whole)


DOUBLE = {
    "a key": (SHEET + "hp = 11\n", "hp"),
    "a sheet": (SHEET + SHEET.removeprefix("format = 1\n"), "paper"),
    "a table": (SHEET + "[craft.x]\na = 1\n[craft.x]\na = 2\n", "x"),
    "a language": (SHEET.replace('"Paper"', '{ en = "A", en = "B" }'), "en"),
    "format": ("format = 1\n" + SHEET, "format"),
    "a quoted key": (SHEET + '"hp" = 11\n', "hp"),
}


@pytest.mark.parametrize(("text", "key"), DOUBLE.values(), ids=DOUBLE)
def test_p_m3_the_same_key_twice_is_refused_with_its_name(sides: Table, write: Write, text: str, key: str) -> None:
    write(text)
    refused(sides, key)


def test_p_m3_the_same_sheet_in_two_files_is_refused_with_both(sides: Table, write: Write) -> None:
    write(SHEET)
    write(SHEET, "other.toml")
    error = sides.refused("sheet", "list")
    assert "mine.toml" in error["message"] + error["hint"]
    assert "other.toml" in error["message"] + error["hint"]
    assert "paper" in error["message"] + error["hint"]


@pytest.mark.parametrize(
    ("text", "wrong", "right"),
    [
        (SHEET.replace("fuel = 9", "fule = 9"), "fule", "fuel"),
        (SHEET.replace("evade = 10", "evaed = 10"), "evaed", "evade"),
        (SHEET.replace("[[craft]]", "[[carft]]"), "carft", "craft"),
        (SHEET.replace('"rc"', '"rcc"'), "rcc", "rc"),
        (SHEET + 'functions = ["suply"]\n', "suply", "supply"),
        (SHEET + 'grade = "claen"\n', "claen", "clean"),
    ],
)
def test_p_m4_a_misspelt_word_is_refused_with_a_suggestion(
    sides: Table, write: Write, text: str, wrong: str, right: str
) -> None:
    write(text)
    refused(sides, wrong, right)


def test_p_m4_a_word_like_no_other_gets_none(sides: Table, write: Write) -> None:
    write(SHEET + "zzzzzz = 1\n")
    message = refused(sides, "zzzzzz")
    assert len({word in message for word in ("fuel", "grade", "capacity")}) == 1, "all there are, or none"


NUMBERS = ["nan", "-nan", "inf", "+inf", "-inf", "1e400", "1e3", "2.5", "10.0", "true", "false", '"5"', '"nan"',
           "99999999999999999999", "1_000_001", "-1_000_001", "1979-05-27", "07:32:00", "[5]",
           "{ n = 5 }", "0x7fffffffffffffff"]  # fmt: skip


@pytest.mark.parametrize(
    ("figure", "value"), [("hp", value) for value in NUMBERS] + list(itertools.product(FIGURES, ("nan", "2.5", "true")))
)
def test_p_m5_what_is_no_count_in_range_is_refused_with_its_key(
    sides: Table, write: Write, figure: str, value: str
) -> None:
    lines = [f"{figure} = {value}" if line.startswith(f"{figure} =") else line for line in SHEET.splitlines()]
    write("\n".join(lines) + "\n")
    refused(sides, figure)


@pytest.mark.parametrize("value", ["1_0", "0x0a", "0o12", "0b1010", "+10"])
def test_p_m5_ten_may_be_written_as_toml_writes_it(sides: Table, write: Write, value: str) -> None:
    write(SHEET.replace("hp = 10", f"hp = {value}"))
    sides.do("unit", "add", "paper", "--side", "Players")
    assert sides.unit("paper")["hp"]["A"] == 10


TYPED = ["nan", "-inf", "NaN", "1e400", "1e3", "2.5", "1_000", "99999999999999999999", "1000001", "-1000001", "0x10",
         "1,5", "１e3", "true", "", " ", "5 5", "5+5", "١", "9" * 5_000]  # fmt: skip


@pytest.mark.parametrize("value", TYPED, ids=lambda value: value[:24])
def test_p_m5_nor_is_it_on_the_command_line(fight: Table, value: str) -> None:
    for words in (
        ["set", "units.alpha.fuel", value],
        ["set", "units.alpha.charge", value],
        ["move", "alpha", value],
        ["check", value, "--dice", "00"],
        ["attack", "alpha", "vulcan", "beta", "--feint", value],
        ["unit", "add", "kestrel", "--side", "Players", "--count", value],
        ["pilot", "add", "Mika", *PILOT[:-2], "--spirit", value],
        ["undo", value],
        ["campaign", "new", "Other", "--system", "rtype", "--seed", value],
    ):
        fight.refused(*words)


def test_p_m5_a_state_with_nan_is_reported_not_loaded(squads: Table) -> None:
    file = squads.home / "test" / "campaign.json"
    state = squads.state
    file.write_text(
        file.read_text(encoding="utf-8").replace('"fuel":40', '"fuel":NaN').replace('"fuel": 40', '"fuel": NaN')
    )
    assert "NaN" in file.read_text(encoding="utf-8")
    ran = squads.gm("status", "--json")
    assert ran.code in (0, 4)
    answer = json.loads(ran.out, parse_constant=pytest.fail)
    if ran.code == 0:
        assert answer["result"] == state
        assert answer["warnings"]


@pytest.mark.parametrize("encoding", ["cp932", "euc_jp", "cp949", "utf-16", "utf-16-le", "latin-1"])
def test_p_m6_another_encoding_is_refused_with_byte_and_line(sides: Table, write: Write, encoding: str) -> None:
    name = {"cp949": "화살", "latin-1": "Flèche"}.get(encoding, "アロー")
    write(SHEET.replace("Paper", name).encode(encoding))
    message = refused(sides)
    if not encoding.startswith("utf"):
        assert "0x" in message
        assert "5" in message
        assert "UTF-8" in message


@pytest.mark.parametrize("encoding", ["cp932", "cp949", "latin-1", "ascii"])
def test_p_m6_files_are_utf_8_whatever_the_computer_prefers(
    sides: Table, write: Write, encoding: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    import _locale
    import locale

    monkeypatch.setattr(locale, "getpreferredencoding", lambda *_: encoding)
    monkeypatch.setattr(_locale, "getencoding", lambda: encoding, raising=False)
    write(SHEET.replace("Paper", "紙"))
    sides.do("unit", "add", "paper", "アロー", "--side", "Players")
    assert [unit["name"] for unit in sides.state["units"].values()] == ["アロー"]
    for data in folder_bytes(sides.home).values():
        data.decode("utf-8")
    assert "アロー".encode() in (sides.home / "test" / "journal.jsonl").read_bytes()


def test_p_m6_a_script_in_another_encoding_is_refused_with_byte_and_line(sides: Table) -> None:
    Path("evening.gm").write_bytes("status\nnote アロー\n".encode("cp932"))
    error = sides.refused("run", "evening.gm", says="evening.gm")
    assert "0x83" in error["message"]
    assert "2" in error["message"]
