"""Reports for other programs: every die as CSV, everything as JSON."""

import csv
import io
import json
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.conftest import Ran

Gm = Callable[..., Ran]


pytestmark = pytest.mark.usefixtures("no_waiting_for_the_disk")


@pytest.fixture
def fight(gm: Gm) -> Gm:
    """Two squads, the first phase of "The reef", and an attack by Ken's dice (10) that is taken back."""
    for line in (
        "campaign new Dance --system rtype", "session start", "side add Players --players", "side add Bydo",
        "unit add kestrel Alpha --side Players", "unit add gains Beta --side Bydo",
    ):  # fmt: skip
        must(gm, *line.split())
    must(gm, "battle", "start", "The reef")
    for line in ("initiative players=7 bydo=5", "first players"):
        must(gm, *line.split())
    must(gm, "attack", "alpha", "vulcan", "beta", "--dice", "31 99 99 99 99 / 80", "--by", "@Ken")
    must(gm, "undo")
    return gm


def must(gm: Gm, *words: str) -> str:
    ran = gm(*words)
    assert ran.code == 0, (words, ran)
    return ran.out


def rows(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text)))


def test_each_throw_is_a_row_with_what_lay_there_and_how_it_was_read(fight: Gm) -> None:
    found = rows(must(fight, "report", "--format", "csv"))
    assert len(found) == 6
    lead = found[0]
    assert [lead[name] for name in ("seq", "session", "battle", "turn", "phase")] == [
        "10",
        "1",
        "The reef",
        "1",
        "first",
    ]
    assert [lead[name] for name in ("key", "who_id", "who", "sides", "faces", "read", "class", "source")] == [
        "attack.lead", "alpha", "Alpha", "10 10", "3 1", "13", "success", "entered",
    ]  # fmt: skip
    assert (found[5]["key"], found[5]["who"], found[5]["faces"], found[5]["read"]) == (
        "evade.beta.lead", "Beta", "8 0", "8",
    )  # fmt: skip


def test_what_was_taken_back_says_so_and_what_stands_again_is_known_as_repeated(fight: Gm) -> None:
    must(fight, "attack", "alpha", "vulcan", "beta", "--dice", "31 99 99 99 98 / 80")  # 12
    must(fight, "amend", "--feint", "10")  # 13
    found = [
        (row["seq"], row["undone"], row["amended_by"], row["repeated"])
        for row in rows(must(fight, "report", "--format", "csv"))
        if row["key"] in ("attack.lead", "attack.D")
    ]
    assert found == [
        ("10", "yes", "", "no"), ("10", "yes", "", "no"), ("12", "no", "13", "yes"), ("12", "no", "13", "no"),
        ("13", "no", "", "yes"), ("13", "no", "", "yes"),
    ]  # fmt: skip


def test_free_rolls_are_rows_too(fight: Gm) -> None:
    must(fight, "roll", "2D6+1D10", "--dice", "3 4 0")
    found = rows(must(fight, "report", "--format", "csv"))[-2:]
    assert [(row["key"], row["sides"], row["faces"], row["read"]) for row in found] == [
        ("2D6", "6 6", "3 4", "7"),
        ("1D10", "10", "10", "10"),
    ]


@pytest.mark.parametrize("sign", ["=", "+", "-", "@", "＝", "＠"])
def test_no_name_is_a_formula_to_a_spreadsheet(fight: Gm, sign: str) -> None:
    """Commas, quotes and line ends in it move nothing either."""
    must(fight, "set", "units.alpha.name", f'{sign}1+1, "x"')
    must(fight, "attack", "alpha", "vulcan", "beta", "--dice", "99 99 99 99 99")
    row = rows(must(fight, "report", "--format", "csv"))[-1]
    assert row["who"] == f'\'{sign}1+1, "x"'
    assert row["who_id"] == "alpha"
    assert rows(must(fight, "report", "--format", "csv"))[0]["by"] == "'@Ken"


def test_one_session_or_all_of_them(fight: Gm) -> None:
    must(fight, "session", "end")
    must(fight, "roll", "D6", "--dice", "4")
    must(fight, "session", "start")
    must(fight, "roll", "D6", "--dice", "5")

    def faces(*words: str) -> list[tuple[str, str]]:
        found = rows(must(fight, "report", "--format", "csv", *words))
        return [(row["session"], row["faces"]) for row in found if row["sides"] == "6"]

    assert faces() == [("2", "5")]
    assert faces("--session", "1") == []
    assert faces("--session", "all") == [("", "4"), ("2", "5")]


def test_a_file_says_its_encoding_to_spreadsheets_and_is_known_again(fight: Gm, tmp_path: Path) -> None:
    file = tmp_path / "dice.csv"
    for _ in range(2):  # the second time it lies there already, and is a report
        must(fight, "report", str(file))
    assert file.read_bytes().startswith(b"\xef\xbb\xbfseq,time,")
    assert len(rows(file.read_text(encoding="utf-8-sig"))) == 6
    file.write_text("seq,mine\n")
    assert fight("report", str(file)).code != 0
    assert file.read_text() == "seq,mine\n"


def test_json_holds_every_line_with_what_became_of_it_and_how_things_stand(fight: Gm, tmp_path: Path) -> None:
    text = must(fight, "report", "--format", "json")
    told = json.loads(text)
    assert (told["campaign"], told["system"], told["session"]) == ("Dance", "rtype", 1)
    assert [(line["seq"], line["undone"]) for line in told["lines"]][-2:] == [(10, True), (11, False)]
    attack = told["lines"][-2]
    assert (attack["answers"][0]["faces"], attack["answers"][0]["sides"]) == ([3, 1], [10, 10])
    assert told["state"]["units"]["alpha"]["name"] == "Alpha"
    assert "secret" not in text
    assert fight("report", "--format", "json", "--json").objects[0]["result"]["report"] == told
    file = tmp_path / "all.json"
    for _ in range(2):
        must(fight, "report", str(file))
    assert json.loads(file.read_text(encoding="utf-8")) == told
    file.write_text('{"report": "mine"}')
    assert fight("report", str(file)).code != 0


def test_json_of_all_sessions_begins_with_the_campaign(fight: Gm) -> None:
    must(fight, "session", "end")
    told = json.loads(must(fight, "report", "--session", "all", "--format", "json"))
    assert told["session"] is None
    assert [line["seq"] for line in told["lines"]] == list(range(1, 13))
    assert [(row["number"], row["last_seq"]) for row in told["sessions"]] == [(1, 12)]


def test_no_side_is_given_either(fight: Gm) -> None:
    for form in ("csv", "json"):
        assert fight("report", "--format", form, "--for", "players").code == 2
