"""Field reports L: names and texts of people are data, shown as typed, aligned by cells, found without guessing."""

import itertools
import json
import re
from pathlib import Path
from typing import Any

import pytest

from gmtool.cli.reader import join
from tests.field.table import PILOT, Table, folder_bytes, journal, width

MARKUP = [
    "[b]ravo", "x[/]y", "[#1] Wing", r"\[red]", "[red]", "[r9a]", "[@x]", "[A]", "[/items]", "[[b]]", "[link=http://x]z[/link]",
    "Zone:boom:7", ":fire:", ":secret: table", "{unit}", "{0}", "{unit.__class__}", "%s", "%(name)s", "$HOME", "`id`",
    "<b>x</b>",
    "&amp;", r"a\nb", r"\x1b[31m", "O'Neil", 'the "Ace"', "# 1", "a=b", "A;B|C", "--x", "-R9", "NO", "null", "None",
    "-", "../..", "C:\\x",
]  # fmt: skip
WIDE = [
    "Alpha",
    "アロー",
    "ｶﾅ",
    "화살",
    "か\u3099み",
    "🚀1",
    "👨‍🚀",
    "①号",
    "★—",
    "e\u0301te\u0301",
    "한글",
    "👨‍👩‍👧‍👦" * 3,
    "🇯🇵🇰🇷",
    "1️⃣",
]
WIDTHS = (40, 60, 80, 120)
LANGUAGES = ("en", "ja", "ko")
SOME = [*MARKUP[::3], *WIDE[::2]]
PLACES = ("unit", "side", "pilot", "campaign", "session", "battle")


def plain(text: str) -> str:
    """A text without blanks and line ends, which wrapping moves."""
    return "".join(text.split())


def cast(table: Table, name: str) -> None:
    """Give a name to something of every kind."""
    table.do("side", "add", "--players", "--", name)
    table.do("side", "add", "Others")
    side = next(id for id, row in table.state["sides"].items() if row["name"] == name)
    table.do("pilot", "add", *PILOT, "--", name)
    pilot = next(iter(table.state["pilots"]))
    table.do("unit", "add", "kestrel", "--side", side, "--pilot", pilot, "--", name)
    table.do("unit", "add", "gains", "Target", "--side", "others")
    table.do("session", "start", "--", name)
    table.do("battle", "start", "--", name)
    table.do("initiative", "--dice", "3,4,2,2")
    table.do("first", side)


@pytest.mark.parametrize("name", SOME)
def test_p_l1_l2_a_name_is_shown_as_typed_wherever_it_stands(bare: Table, name: str) -> None:
    cast(bare, name)
    state = bare.state
    assert name in {row["name"] for row in state["units"].values()}
    assert name in {row["name"] for row in state["pilots"].values()}
    assert name in {row["name"] for row in state["sides"].values()}
    unit = next(id for id, row in state["units"].items() if row["name"] == name)
    shot = ("attack", unit, "vulcan", "target", "--once", "--dice", "=99", f"--by={unit}={name}", f"--because={name}")
    answer = bare.do(*shot)
    assert name in answer["text"]
    assert journal(bare.home)[-1]["because"] == name
    why = bare.do("why")
    assert plain(why["text"]).count(plain(name)) >= 2
    for columns in (40, 100):
        env = {"COLUMNS": str(columns)}
        for words in (
            ["status"],
            ["status", unit],
            ["history", "--all"],
            ["why"],
            ["session", "list"],
            ["undo", "--preview"],
        ):
            assert plain(name) in plain(bare.show(*words, env=env)), (words, columns)
    assert name in bare.do("undo")["text"] or plain(name) in plain(bare.do("redo")["text"])


@pytest.mark.parametrize("name", [*MARKUP, *WIDE])
def test_p_l1_l2_an_unknown_name_is_shown_as_typed_in_the_message(fight: Table, name: str) -> None:
    word = f"{name}?"
    for words in (
        ["move", "--", word, "1"],
        ["attack", "--", word, "vulcan", "beta"],
        ["attack", "alpha", "--", word, "beta"],
        ["attack", "alpha", "vulcan", "--", word],
        ["unit", "add", "--side", "Players", "--", word],
        ["unit", "add", "kestrel", "Gamma", f"--side={word}"],
        ["sheet", "show", "--", word],
        ["status", "--", word],
        ["campaign", "use", "--", word],
    ):
        assert word in fight.refused(*words)["message"], words
    error = fight.refused("set", f"units.{word}.fuel", "3")
    assert name.partition(".")[0] in error["message"]


@pytest.mark.parametrize("text", [*MARKUP, *WIDE, "see :fire: [table]", "don't # stop", "a\u3000b"])
def test_p_l2_a_note_is_kept_and_shown_as_typed(bare: Table, text: str) -> None:
    answer = bare.do("note", text) if text not in {"--x", "-"} else bare.do("note", "--", text)
    kept = answer["result"]["note"]
    assert kept == text.strip() or kept == f"-- {text}"
    for columns in (40, 100):
        assert plain(text) in plain(bare.show("history", env={"COLUMNS": str(columns)}))
    assert journal(bare.home)[-1]["command"]["args"]["text"] == kept


@pytest.mark.parametrize("name", [*MARKUP, *WIDE])
def test_p_l1_l2_l7_a_campaign_shows_its_name_and_stays_in_its_home(bare: Table, name: str) -> None:
    before = folder_bytes(bare.home.parent)
    bare.do("campaign", "new", "--system", "rtype", "--", name)
    told = next(row for row in bare.do("campaign", "list")["result"]["campaigns"] if row["name"] == name)
    assert re.fullmatch(r"[a-z0-9-]{1,100}", told["slug"])
    made = set(folder_bytes(bare.home.parent)) - set(before)
    assert all(file.startswith((f"home/{told['slug']}/", "home/.", "cache/")) for file in made)
    for columns in (40, 100):
        assert plain(name) in plain(bare.show("campaign", "list", env={"COLUMNS": str(columns)}))
        assert plain(name) in plain(bare.show("campaign", "show", env={"COLUMNS": str(columns)}))
    assert bare.state["campaign"] == name


@pytest.mark.parametrize("columns", WIDTHS)
def test_p_l1_l2_l3_all_of_them_on_one_board(sides: Table, columns: int) -> None:
    names = [*MARKUP, *WIDE]
    script = "\n".join(f"unit add kestrel --side Players -- {join([name])}" for name in names)
    assert sides.gm("run", "-", input=script).code == 0
    out = sides.show("status", env={"COLUMNS": str(columns)})
    assert all(name in out for name in names)
    assert len({width(line) for line in grid_of(sides.on_screen("status", width=200)[1])}) == 1
    assert all(
        name in sides.on_screen("history", "100", width=columns)[1].replace("\n      ", " ") or " " in name
        for name in names
    )


# L3


def grid_of(out: str) -> list[str]:
    """The lines of the board: from the heading to the last unit."""
    lines = out.splitlines()
    last = max(n for n, line in enumerate(lines) if re.match(r"[a-z][0-9]+ ", line))
    return lines[1 : last + 1]


@pytest.fixture
def crowd(sides: Table) -> Table:
    """Units of many scripts on both sides, and pilots of the same names."""
    script = ""
    for n, name in enumerate(WIDE):
        side, sheet = (("Players", "kestrel"), ("Bydo", "gains"))[n % 2]
        script += f"pilot add {join([name])} {' '.join(PILOT)}\n"
        script += f"unit add {sheet} {join([name])} --side {side} --pilot {join([name])}\n"
    ran = sides.gm("run", "-", input=script)
    assert ran.code == 0, ran.err
    return sides


@pytest.mark.parametrize("columns", [60, 80, 120])
def test_p_l3_every_line_of_the_board_has_the_same_cells(crowd: Table, columns: int) -> None:
    for lang in LANGUAGES:
        out = crowd.on_screen("status", "--lang", lang, width=columns)[1]
        widths = {width(line) for line in grid_of(out)}
        assert len(widths) == 1, out
        assert widths.pop() <= columns
        # a pipe has the same lines, whole, without the blanks at their ends
        piped = crowd.show("status", "--lang", lang, env={"COLUMNS": str(columns)}).splitlines()
        wide = crowd.on_screen("status", "--lang", lang, width=200)[1].splitlines()
        assert piped == [line.rstrip(" ") for line in wide]


@pytest.mark.parametrize("words", ["campaign list", "session list", "sheet list", "systems", "rules list"])
def test_p_l3_lists_are_aligned_too(crowd: Table, words: str) -> None:
    for name in WIDE:
        if words.startswith("session"):
            crowd.lines("session start", "session end")
            crowd.do("session", "start", "--", name)
            crowd.do("session", "end")
        if words.startswith("campaign"):
            crowd.do("campaign", "new", "--system", "rtype", "--", name)
    for lang in LANGUAGES:
        lines = crowd.on_screen(*words.split(), "--lang", lang, width=200)[1].splitlines()
        body = lines[1:] if words == "campaign list" else lines
        if words == "rules list":  # a sentence stands below
            body = body[: 1 + sum(line.startswith("RT-") for line in body)]
        assert len({width(line) for line in body}) == 1, "\n".join(body)


def test_the_measure_of_these_tests_knows_the_cases_of_the_report() -> None:
    cells = {
        "Alpha": 5,
        "アロー": 6,
        "ｱﾛｰ": 3,
        "화살": 4,
        "か\u3099み": 4,
        "🚀1": 3,
        "👨‍🚀": 2,
        "①号": 3,
        "★—": 2,
        "🇯🇵🇰🇷": 4,
    }
    assert {text: width(text) for text in cells} == cells


# L4


@pytest.fixture
def reds(sides: Table) -> Table:
    """Names that begin alike."""
    for name in ("Red", "Red Two", "Redeemer"):
        sides.do("unit", "add", "kestrel", name, "--side", "Players")
    return sides


def meant(table: Table, word: str) -> str:
    """Which unit a word means: the one whose figure changes."""
    (change,) = table.do("set", f"units.{word}.charge", "7")["changes"]
    table.do("undo")
    return str(change["path"].split(".")[1])


@pytest.mark.parametrize(
    ("word", "unit"),
    [("Red", "red"), ("red", "red"), ("ＲＥＤ", "red"), ("Rede", "redeemer"), ("Red T", "red-two"), ("red two",
    "red-two"),
     ("RED　TWO", "red-two"), ("red-two", "red-two"), ("red-", "red-two"), ("r2", "red-two"), ("R1", "red"),
     ("Red  Two", "red-two")],
)  # fmt: skip
def test_p_l4_exactly_first_then_an_unambiguous_beginning(reds: Table, word: str, unit: str) -> None:
    assert meant(reds, word) == unit
    assert unit in {row["id"] for row in [{"id": id} for id in reds.state["units"]]}


@pytest.mark.parametrize("word", ["R", "Re", "re", "ｒｅ"])
def test_p_l4_several_are_refused_with_their_names_never_the_first(reds: Table, word: str) -> None:
    error = reds.refused("set", f"units.{word}.fuel", "7")
    assert error["code"] == "ambiguous-name"
    told = error["message"] + error["hint"]
    assert all(re.search(rf"\b{name}\b", told) for name in ("Red", "Red Two", "Redeemer"))
    assert set(error["facts"]["candidates"]) == {"red", "red-two", "redeemer"}


@pytest.mark.parametrize("word", ["", " ", "Two", "ed", "Redd", "Red Two Three", "*", "r", "red*"])
def test_p_l4_what_begins_no_name_or_several_is_never_guessed(reds: Table, word: str) -> None:
    reds.refused("set", f"units.{word}.fuel", "7")


@pytest.mark.parametrize("name", ["Re", "R", "Red T", "Two", "r1", "b1"])
def test_p_l4_adding_compares_whole_names(reds: Table, name: str) -> None:
    """A new name may begin another one; it may not be another's handle, and no later handle is a name given before."""
    added = reds.gm("unit", "add", "kestrel", name, "--side", "Players")
    assert added.code == (1 if name == "r1" else 0)
    if added.code == 0:
        row = next(id for id, row in reds.state["units"].items() if row["name"] == name)
        assert meant(reds, name) == row
    assert meant(reds, "r1") == "red"


def test_p_l5_a_handle_that_is_a_name_already_is_passed_over(reds: Table) -> None:
    """Bydo's first unit would be b1 and the players' fifth r5, had other units not been called so."""
    reds.lines("unit add kestrel b1 --side Players", "unit add kestrel R6 --side Players", "unit add gains --side Bydo")
    reds.lines("unit add kestrel --side Players")
    handles = {row["name"]: row["handle"] for row in reds.state["units"].values()}
    assert handles == {
        "Red": "r1", "Red Two": "r2", "Redeemer": "r3", "b1": "r4", "R6": "r5", "Gains": "b2", "Kestrel": "r7"
    }  # fmt: skip
    assert meant(reds, "b1") == "b1"
    assert meant(reds, "r6") == "r6"


@pytest.mark.parametrize("name", ["Red", "RED", "ｒｅｄ", " Red ", "red two", "RED　TWO", "Red  Two"])
def test_p_l4_the_same_name_is_not_given_twice(reds: Table, name: str) -> None:
    reds.refused("unit", "add", "kestrel", name, "--side", "Players")
    reds.refused("unit", "add", "kestrel", name, "--side", "Bydo")


# L5


def named(table: Table) -> list[str]:
    """The names of all units, in order."""
    return [row["name"] for row in sorted(table.state["units"].values(), key=lambda row: row["order"])]


def test_p_l5_a_number_is_not_given_to_another_unit(sides: Table) -> None:
    sides.lines("unit add gains --side Bydo --count 3", "set units.gains-2.state lost", "unit add gains --side Bydo")
    assert named(sides) == ["Gains-1", "Gains-2", "Gains-3", "Gains-4"]
    sides.do("set", "units.gains-2.state", "active")
    assert len(set(sides.state["units"])) == 4


ADDED = ["gains", "gains --count 2", "gains Gains-2", "gains Gains", "gains gains-3 --count 2"]


@pytest.mark.parametrize(
    "lines", [*itertools.permutations(ADDED, 2), tuple(ADDED), tuple(reversed(ADDED))], ids=" / ".join
)
def test_p_l5_names_ids_and_handles_all_differ_in_any_order(sides: Table, lines: tuple[str, ...]) -> None:
    for line in lines:
        sides.gm("unit", "add", *line.split(), "--side", "Bydo")
    state = sides.state
    rows = list(state["units"].values())
    assert rows
    for kind in ("name", "handle"):
        assert len({row[kind].casefold() for row in rows}) == len(rows)
    everywhere = [*state["units"], *state["sides"], *state["pilots"]]
    assert len(set(everywhere)) == len(everywhere)
    for id, row in state["units"].items():
        assert meant(sides, row["name"]) == id
        assert meant(sides, id) == id


@pytest.mark.parametrize("name", ["アロー", "화살", "🚀"])
def test_p_l5_a_name_without_ascii_has_an_id_of_its_own(sides: Table, name: str) -> None:
    """An id that a sheet has already would make the sheet go by the unit's name."""
    sides.do("unit", "add", "kestrel", name, "--side", "Players")
    text = sides.do("unit", "add", "kestrel", "Second", "--side", "Players")["text"]
    assert "Kestrel" in text
    assert name not in text
    listed = sides.show("sheet", "list")
    assert "Kestrel" in listed
    assert name not in listed


# L6


@pytest.mark.parametrize(
    ("line", "target"),
    [("check ５０％ --dice ４９", "50"), ("check 50% --dice 49", "50"), ("check －１０ --dice ００", "-10"),
    ("check −10 --dice 00", "-10"),
     ("check ＋１０ --dice 00", "10"), ("ｃｈｅｃｋ　５０　－－dice　４９", "50"), ("check 50 －－ｄｉｃｅ ４９",
     "50")],
)  # fmt: skip
def test_p_l6_full_width_numbers_and_signs_are_read(bare: Table, line: str, target: str) -> None:
    answer = bare.gm("--json", "run", "-", input=line)
    assert answer.code == 0, answer
    assert f"target {target}" in answer.objects[0]["text"]


@pytest.mark.parametrize(
    "expression", ["２ｄ６＋３", "２Ｄ６＋３", "2d6＋3", "（２ｄ６）＋３", "２ｄ６　＋　３", "２ｄ６＋３　こうげき"]
)
def test_p_l6_full_width_dice_are_read(bare: Table, expression: str) -> None:
    assert bare.do("roll", expression, "--dice", "３　４")["result"]["total"] == 10
    assert bare.do("roll", expression, "--dice", "３／４")["result"]["total"] == 10


def test_p_l6_full_width_figures_are_set(sides: Table) -> None:
    sides.do("unit", "add", "kestrel", "アロー", "--side", "Players")
    (change,) = sides.do("set", "units.アロー.fuel", "１２")["changes"]
    assert change["after"] == 12
    sides.do("unit", "add", "kestrel", "アロー改ー", "--side", "Ｐｌａｙｅｒｓ")
    assert "アロー改ー" in named(sides)


@pytest.mark.parametrize("sign", ["²", "①", "٣", "ー5", "½", "Ⅳ", "五", "5ー", "१", "⁵", "5\u200b"])
def test_p_l6_other_digits_are_refused_with_the_sign_shown(fight: Table, sign: str) -> None:
    strange = "U+200B" if "\u200b" in sign else sign.strip("5")
    for words in (
        ["set", "units.alpha.fuel", sign],
        ["check", sign, "--dice", "00"],
        ["move", "alpha", sign],
        ["attack", "alpha", "vulcan", "beta", "--feint", sign],
        ["undo", sign],
        ["check", "50", "--dice", sign],
        ["roll", "1d6", "--dice", sign],
    ):
        assert strange in fight.refused(*words)["message"]


# L7

FOLDERS = ["../../x", "C:\\x", "CON", "con", "nul.json", "........", "a/b", 'x"y', "名前　", "あ" * 300, "", " ", ".",
           "..", "~", "/etc/x",
           "a\0b", "a\nb", "COM1", "x" * 255, "x.", "x ", "\u202egpj", "Test", "test", "ＴＥＳＴ", "-c", "--help",
           "\ud800"]  # fmt: skip


@pytest.mark.parametrize("name", FOLDERS, ids=lambda name: ascii(name)[:20])
def test_p_l7_any_name_works_inside_the_home_or_is_refused(bare: Table, name: str) -> None:
    outside = {file for file in folder_bytes(bare.home.parent) if not file.startswith(("home/", "cache/"))}
    ran = bare.gm("campaign", "new", "--system", "rtype", "--json", "--", name)
    assert ran.code in (0, 1, 2), ran
    assert {file for file in folder_bytes(bare.home.parent) if not file.startswith(("home/", "cache/"))} == outside
    folders = [path for path in bare.home.iterdir() if path.is_dir()]
    if ran.code:
        assert [path.name for path in folders] == ["test"]
        return
    (made,) = [path for path in folders if path.name != "test"]
    assert Path(ran.objects[0]["result"]["path"]) == made
    assert len(made.name.encode()) <= 100
    assert bare.do("campaign", "show")["result"]["name"] == name.strip()


def test_p_l7_names_that_differ_in_case_only_share_no_folder(bare: Table) -> None:
    for name in ("test", "TEST", "ｔｅｓｔ"):
        bare.refused("campaign", "new", "--system", "rtype", "--", name, says="Test")
    assert bare.state["campaign"] == "Test"


# L8

TWINS = [
    "長" * 29 + "一",
    "長" * 29 + "二",
    "x" * 59 + "1",
    "x" * 59 + "2",
    "a" + "y" * 59,
    "b" + "y" * 59,
    "m" * 30 + "1" + "m" * 29,
    "m" * 30 + "2" + "m" * 29,
]
FAMILY = "👨‍👩‍👧‍👦"


@pytest.mark.parametrize("columns", [40, 60, 80, 120])
def test_p_l8_long_names_stay_apart_and_no_emoji_is_cut(sides: Table, columns: int) -> None:
    for name in (*TWINS, FAMILY * 20):
        sides.do("unit", "add", "kestrel", name, "--side", "Players")
    code, out, _ = sides.on_screen("status", width=columns)
    assert code == 0
    if columns >= 60:
        rows = [line for line in grid_of(out) if re.match(r"r[0-9]+ ", line)]
        shown = [line.split()[1] for line in rows]
        assert len(set(shown)) == len(TWINS) + 1
        widths = {width(line) for line in rows}
        assert len(widths) == 1
        assert widths.pop() <= columns
    for piece in re.findall(r"[👨👩👧👦\u200d]+", out):
        assert piece == FAMILY * (len(piece) // len(FAMILY))
    names = [row["name"] for row in sides.state["units"].values()]
    assert {*TWINS, FAMILY * 20} <= set(names)


LONG: dict[str, Any] = {
    "5,000 letters": "x" * 5_000,
    "41 wide ones": "長" * 41,
    "81": "x" * 81,
    "5,000 wide": "長" * 5_000,
    "emoji": FAMILY * 41,
}


@pytest.mark.parametrize("name", LONG.values(), ids=LONG)
def test_p_l8_too_long_a_name_is_refused_with_the_limit(sides: Table, name: str) -> None:
    for words in (
        ["unit", "add", "kestrel", name, "--side", "Players"],
        ["side", "add", name],
        ["pilot", "add", name, *PILOT],
        ["campaign", "new", name, "--system", "rtype"],
        ["campaign", "rename", "test", name],
        ["session", "start", name],
        ["battle", "start", name],
    ):
        if words[0] == "battle":
            sides.lines("unit add kestrel --side Players", "unit add gains --side Bydo")
        error = sides.refused(*words)
        assert "80" in error["message"]
        assert len(error["message"]) < 300


def test_p_l8_eighty_cells_are_a_name(sides: Table) -> None:
    for name in ("x" * 80, "長" * 40, FAMILY * 40):
        sides.do("unit", "add", "kestrel", name, "--side", "Players")
    assert json.dumps(["x" * 80, "長" * 40, FAMILY * 40]) == json.dumps(named(sides))


HIDDEN = [
    "a\x1b[31mb",
    "a\nb",
    "a\tb",
    "\u202eabc",
    "a\u200bb",
    "\ufeffx",
    "a\x00b",
    "a\x7fb",
    "a\u2028b",
    "\u3164",
    "\u200d",
    "a\ud800",
    "\x9b31m",
]


@pytest.mark.parametrize("name", HIDDEN, ids=ascii)
def test_p_l1_what_cannot_be_seen_is_no_name_or_note(sides: Table, name: str) -> None:
    for words in (
        ["unit", "add", "kestrel", name, "--side", "Players"],
        ["side", "add", name],
        ["pilot", "add", name, *PILOT],
        ["session", "start", name],
        ["note", name],
    ):
        if words[0] == "note" and name == "\u3164":
            continue  # a letter that looks like a blank is no name, but harmless in a note
        shown = sides.gm(*words)
        assert shown.code == 2, (words, shown)
        assert shown.err.replace("\n", "").isprintable(), ascii(shown.err)


@pytest.mark.parametrize("name", HIDDEN, ids=ascii)
def test_p_l1_what_cannot_be_seen_is_no_name_of_a_campaign(sides: Table, name: str) -> None:
    for words in (["campaign", "rename", "test", name], ["campaign", "new", name, "--system", "rtype"]):
        shown = sides.gm(*words)
        assert shown.code == 2, (words, shown)
        assert shown.err.replace("\n", "").isprintable(), ascii(shown.err)


@pytest.mark.parametrize("text", HIDDEN, ids=ascii)
def test_p_l1_what_cannot_be_seen_never_reaches_the_screen(sides: Table, text: str) -> None:
    for words in (
        ["attack", text, "1", "2"],
        [text],
        ["status", text],
        ["roll", text],
        ["set", text, text],
        ["status", "-c", text],
        ["run", text],
        ["battle", "start", "x", "--by", text, "--because", text],
    ):
        ran = sides.gm(*words)
        assert ran.code in (0, 1, 2, 4), (words, ran)
        assert (ran.out + ran.err).replace("\n", "").isprintable(), (words, ascii(ran))


@pytest.mark.parametrize("text", HIDDEN, ids=ascii)
def test_p_l1_nor_as_the_comment_of_a_roll(sides: Table, text: str) -> None:
    ran = sides.gm("roll", f"1d6 {text}")
    assert ran.code in (0, 2)
    assert (ran.out + ran.err).replace("\n", "").isprintable(), ascii(ran)


BAD = {
    "empty": "",
    "none": "-",
    "blank": " ",
    "too long": "x" * 81,
    "another's": "Alpha",
    "its width": "ＡＬＰＨＡ",
    "handle": "r1",
}


@pytest.mark.parametrize("table", ["units", "sides", "pilots"])
def test_p_l1_l4_l8_a_name_set_by_hand_is_held_to_the_same_rules(squads: Table, table: str) -> None:
    """Alpha is a unit, a side and a pilot; Beta is the one to be called otherwise."""
    squads.lines("side add Alpha", "side add Beta")
    for pilot in ("Alpha", "Beta"):
        squads.do("pilot", "add", pilot, *PILOT)
    names = [name for name in [*BAD.values(), *HIDDEN] if table == "units" or name != "r1"]
    before = folder_bytes(squads.home)
    taken = [name for name in names if squads.gm("set", f"{table}.beta.name", name).code == 0]
    taken += [name for name in names if squads.gm("set", f"{table}.beta-2.name", name).code == 0]
    assert not taken
    assert folder_bytes(squads.home) == before
