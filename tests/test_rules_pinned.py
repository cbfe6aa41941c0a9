"""``rules diff`` and ``rules upgrade``: what a campaign has pinned, against what the files say now."""

import io
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from gmtool.cli.main import run
from gmtool.kernel.upgrade import differences, keyed
from gmtool.referee.desk import Registry, load_game_data
from gmtool.store.campaign import open_campaign
from gmtool.systems.rtype.book import Book
from tests.conftest import Ran
from tests.field.table import width
from tests.setups import SQUADS

Gm = Callable[..., Ran]

KESTREL = """format = 1
[[craft]]
id = "kestrel"
name = { en = "Kestrel", ja = "ケストレル", ko = "케스트렐" }
origin = "gmtool sample"
squad = "rc"
level = 1
cost = 200
move = 6
search = 4
hp = 80
fuel = 40
evade = 20
forces = ["round-force"]

[[craft.weapon]]
id = "vulcan"
name = { en = "Vulcan", ja = "バルカン", ko = "발칸" }
path = "direct"
kind = "gun"
range = [1, 1]
damage = 35
hit = 40
intercept = true
counter = true

[[craft.weapon]]
id = "missile"
name = { en = "Missile", ja = "ミサイル", ko = "미사일" }
path = "guided"
kind = "missile"
range = [1, 4]
damage = 25
hit = 35
ammo = 4

[[craft.weapon]]
id = "wave-cannon"
name = { en = "Wave cannon", ja = "波動砲", ko = "파동포" }
path = "direct"
kind = "charge"
area = { shape = "line", length = 6 }
damage = 40
hit = 45
charge = 3
counter = true
ammo = 2
"""
"""As it comes it moves 5 and has 100 hit points, a vulcan of 30 with 6 shots, a wave cannon without a count."""
DIFFERENT = {
    "hp": (100, 80), "move": (5, 6), "weapons.vulcan.damage": (30, 35), "weapons.vulcan.ammo": (6, None),
    "weapons.wave-cannon.ammo": (None, 2),
}  # fmt: skip


@pytest.fixture
def table(gm: Gm) -> Gm:
    """The command line with two squads."""
    assert gm("run", "-", input=SQUADS).code == 0
    return gm


@pytest.fixture
def newer(table: Gm, home: Path) -> Gm:
    """The same with a newer sheet of the Kestrel in the files."""
    _file(home, KESTREL)
    return table


def _file(home: Path, text: str, slug: str = "test") -> Path:
    folder = home / slug / "rules"
    folder.mkdir(exist_ok=True)
    (folder / "own.toml").write_text(text, encoding="utf-8")
    return folder / "own.toml"


def state(home: Path) -> dict[str, Any]:
    return dict(open_campaign(home / "test", write=False).tables)


def journal(home: Path) -> bytes:
    return (home / "test" / "journal.jsonl").read_bytes()


def told(changes: list[dict[str, Any]]) -> dict[str, Any]:
    return {c["path"].split(".", 2)[2]: (c.get("before"), c.get("after")) for c in changes}


def result(ran: Ran) -> Any:
    assert ran.code == 0, ran.out + ran.err
    return ran.objects[0]["result"]


# diff


def test_where_nothing_differs_it_says_so(table: Gm) -> None:
    assert table("rules", "diff").out.startswith("Nothing differs")
    assert result(table("rules", "diff", "--json")) == {"sheets": [], "gone": [], "own": [], "choices": []}


def test_a_sheet_that_is_newer_in_the_files_is_told_key_by_key(newer: Gm) -> None:
    found = result(newer("rules", "diff", "--json"))
    assert [(sheet["id"], told(sheet["changes"])) for sheet in found["sheets"]] == [("kestrel", DIFFERENT)]
    shown = newer("rules", "diff").out
    for text in ("Kestrel (kestrel)", "hp 100 > 80", "weapons.vulcan.damage 30 > 35", "weapons.vulcan.ammo 6 > -"):
        assert text in shown


def test_data_of_the_campaigns_own_is_told_against_the_games(table: Gm, home: Path) -> None:
    """RT-9.4: focus is 20 in the book."""
    kite = KESTREL.replace('"kestrel"', '"kite"')
    _file(home, kite + '[[figures]]\nid = "focus"\nvalue = 30\nrule = "RT-9.4"\n')
    found = result(table("rules", "diff", "--json"))
    assert found["sheets"] == []
    assert [(own["table"], own["id"], own["new"]) for own in found["own"]] == [
        ("craft", "kite", True), ("figures", "focus", False),
    ]  # fmt: skip
    assert told(found["own"][1]["changes"]) == {"value": (20, 30)}
    assert "  craft kite: new\n  figures focus\n    value 20 > 30\n" in table("rules", "diff").out


def test_readings_that_were_chosen_are_told_in_words(table: Gm) -> None:
    table("config", "rt-8.8", "roll")
    table("config", "rt-10.3", "hit")  # which is the default
    assert result(table("rules", "diff", "--json"))["choices"] == [
        {"id": "rt-8.8", "default": "attack", "value": "roll"}
    ]
    assert "rt-8.8: ammunition spent: one shot an attack > one shot a roll" in table("rules", "diff").out


def test_a_sheet_that_is_in_no_file_any_more_stays_and_is_named(table: Gm, home: Path) -> None:
    file = _file(home, KESTREL.replace('"kestrel"', '"kite"').replace("Kestrel", "Kite"))
    assert table("unit", "add", "kite", "--side", "Players").code == 0
    file.unlink()
    assert result(table("rules", "diff", "--json"))["gone"] == ["kite"]
    assert "Kite (kite): in no file any more" in table("rules", "diff").out
    assert table("rules", "upgrade").code == 1
    assert table("status").code == 0


def test_a_figure_that_an_older_sheet_left_out_counts_as_it_plays(home: Path) -> None:
    """A sheet of an older program lacks what came later; only a figure that plays otherwise differs."""
    system = Registry().system("rtype")
    data = load_game_data(system, None)
    book = Book(system.state({}), data)
    whole = data["craft"]["kestrel"]
    older = {key: value for key, value in whole.items() if key not in ("bydo", "capacity", "parts")}
    assert differences("kestrel", older, book) == []
    assert [change["path"] for change in differences("kestrel", {**older, "evade": 10}, book)] == [
        "sheets.kestrel.evade"
    ]


def test_lists_are_compared_by_id_or_number() -> None:
    assert keyed({"a": [{"id": "x", "n": 1}], "b": [{"n": 2}, {"n": 3}], "c": [1, 2], "d": []}) == {
        "a": {"x": {"id": "x", "n": 1}}, "b": {"1": {"n": 2}, "2": {"n": 3}}, "c": [1, 2], "d": [],
    }  # fmt: skip


# upgrade


def test_taking_over_is_one_step_and_undo_brings_back_every_byte(newer: Gm, home: Path) -> None:
    before = state(home)
    assert newer("rules", "upgrade", "--over", "lower").code == 0
    after = state(home)
    assert (after["sheets"]["kestrel"]["hp"], after["sheets"]["kestrel"]["move"]) == (80, 6)
    assert after["sheets"]["gains"] == before["sheets"]["gains"]
    assert result(newer("rules", "diff", "--json"))["sheets"] == []
    assert newer("undo").code == 0
    assert state(home) == before
    assert newer("redo").code == 0
    assert state(home) == after


def test_a_unit_gets_what_its_new_sheet_has_besides_and_loses_what_it_has_no_more(newer: Gm, home: Path) -> None:
    """The vulcan is not counted any more, the wave cannon has two shots now; the missile keeps what is left of it."""
    newer("set", "units.alpha.ammo.missile", "1")
    newer("rules", "upgrade", "--over", "keep")
    assert state(home)["units"]["alpha"]["ammo"] == {"missile": 1, "wave-cannon": 2}


def test_what_is_above_the_new_maximum_is_asked_for_and_nothing_changes_before(newer: Gm, home: Path) -> None:
    """Lead, A to D have 100 of 80 now; D was down to 30 and stays so."""
    newer("set", "units.alpha.hp.D", "30")
    before = journal(home)
    ran = newer("rules", "upgrade", "--json")
    assert (ran.code, ran.objects[0]["error"]["code"]) == (1, "needs-answer")
    (ask,) = ran.objects[0]["asks"]
    assert (ask["key"], ask["options"]) == ("surplus", ["keep", "lower"])
    assert journal(home) == before
    assert newer("answer", "lower").code == 0
    assert state(home)["units"]["alpha"]["hp"] == {"lead": 80, "A": 80, "B": 80, "C": 80, "D": 30}


def test_what_is_kept_above_the_new_maximum_is_named(newer: Gm, home: Path) -> None:
    ran = newer("rules", "upgrade", "--over", "keep", "--json")
    warned = {warning["facts"]["figure"]: warning["facts"]["value"] for warning in ran.objects[0]["warnings"]}
    assert warned == {f"hp.{craft}": 100 for craft in ("lead", "A", "B", "C", "D")}
    assert state(home)["units"]["alpha"]["hp"]["A"] == 100


def test_what_fits_is_taken_over_without_a_question(newer: Gm, home: Path) -> None:
    for craft in ("lead", "A", "B", "C", "D"):
        newer("set", f"units.alpha.hp.{craft}", "80")
    ran = newer("rules", "upgrade", "--json")
    assert (ran.code, ran.objects[0]["warnings"]) == (0, [])


def test_only_the_sheets_that_are_named_are_taken_over(newer: Gm, home: Path) -> None:
    _file(home, KESTREL + KESTREL.partition("\n")[2].replace('"kestrel"', '"gains"').replace("Kestrel", "Gains"))
    assert newer("rules", "upgrade", "ケストレル", "--over", "keep").code == 0
    assert [sheet["id"] for sheet in result(newer("rules", "diff", "--json"))["sheets"]] == ["gains"]
    assert newer("rules", "upgrade", "kestrel").code == 1


@pytest.mark.parametrize(
    ("line", "code", "error"),
    [((), 1, "nothing-to-do"), (("gains",), 1, "nothing-to-do"), (("nosuch",), 2, "unknown-name"),
     (("--over", "drop"), 2, "bad-value")],
)  # fmt: skip
def test_a_refused_upgrade_changes_nothing(table: Gm, home: Path, line: tuple[str, ...], code: int, error: str) -> None:
    before = journal(home)
    ran = table("rules", "upgrade", *line, "--json")
    assert (ran.code, ran.objects[0]["error"]["code"]) == (code, error)
    assert journal(home) == before


def test_a_preview_says_what_would_be_and_writes_nothing(newer: Gm, home: Path) -> None:
    before = {path: path.read_bytes() for path in home.rglob("*") if path.is_file()}
    shown = newer("rules", "upgrade", "--preview").out
    assert "hp 100 > 80" in shown
    assert "Alpha: hp.A 100 is above the new maximum of 80." in shown
    assert result(newer("rules", "upgrade", "--preview", "--json"))["would_take"] == ["kestrel"]
    assert {path: path.read_bytes() for path in home.rglob("*") if path.is_file()} == before


def test_what_was_ruled_by_the_old_sheet_stays_as_it_was(newer: Gm) -> None:
    for line in ("battle start Skirmish", "initiative --dice 3,4,2,2", "first players"):
        assert newer(*line.split()).code == 0
    seq = newer("attack", "alpha", "vulcan", "beta", "--dice", "00 =99 =99 =99 =99 =99", "--json").objects[0]["seq"]
    why = newer("why", str(seq)).out
    newer("rules", "upgrade", "--over", "keep")
    assert newer("why", str(seq)).out == why
    newer("undo", "2")
    newer("redo")
    assert newer("why", str(seq)).out == why


def test_the_latest_upgrade_can_be_amended(newer: Gm, home: Path) -> None:
    newer("rules", "upgrade", "--over", "keep")
    assert newer("amend", "--over", "lower").code == 0
    assert state(home)["units"]["alpha"]["hp"]["A"] == 80
    newer("undo")
    assert state(home)["units"]["alpha"]["hp"]["A"] == 100
    assert state(home)["sheets"]["kestrel"]["hp"] == 80


def test_the_next_session_says_that_sheets_differ_and_what_takes_them_over(newer: Gm, table: Gm) -> None:
    ran = newer("session", "start", "--json")
    assert [warning["code"] for warning in ran.objects[0]["warnings"]] == ["sheets-differ"]
    newer("session", "end")
    assert "rules upgrade" in " ".join(newer("session", "start").out.split())
    newer("session", "end")
    newer("rules", "upgrade", "--over", "keep")
    assert newer("session", "start", "--json").objects[0]["warnings"] == []


def test_another_game_that_pins_has_it_for_nothing(gm: Gm, home: Path) -> None:
    """A class of Talon with one shield box less in front and one more hull box."""
    lines = "campaign new Test --system talon\nside add Terrans --race terran\nship add CA --side Terrans\n"
    assert gm("run", "-", input=lines).code == 0
    data = load_game_data(Registry().system("talon"), None)["class"]["terran-ca"]
    ship = next(iter(state(home)["ships"]))
    assert (data["shields"]["front"], state(home)["ships"][ship]["shields"]["front"]) == (6, 6)
    _file(home, _talon_class(data, front=5, hull=[*data["hull"], -3]))
    found = result(gm("rules", "diff", "--json"))["sheets"]
    assert [each["id"] for each in found] == ["terran-ca"]
    assert told(found[0]["changes"])["shields.front"] == (6, 5)
    assert gm("rules", "upgrade", "--over", "lower").code == 0
    assert state(home)["ships"][ship]["shields"]["front"] == 5
    assert gm("status").code == 0
    gm("undo")
    assert state(home)["ships"][ship]["shields"]["front"] == 6


def test_a_group_that_was_destroyed_is_not_brought_back_by_a_newer_class() -> None:
    """Group 2 is lost; its bar is gone, and stays so."""
    system = Registry().system("talon")
    ship = {
        "name": "Patton", "handle": "t1", "sheet": "terran-ca", "side": "terrans", "order": 1, "state": "active",
        "power": 3, "speed": 3, "turn": 2, "shields": {"front": 2, "right": 5, "rear": 0, "left": 5},
        "red": {"1": 1, "3": 0}, "yellow": {"1": 0, "3": 0}, "lost": ["2"],
    }  # fmt: skip
    state = system.state({"ships": {"patton": ship}})
    row = state.row("ships", "patton")
    assert system.refit(system.book(state, load_game_data(system, None)), "ships", row) == row


def _talon_class(data: dict[str, Any], front: int, hull: list[int]) -> str:
    """The file of a class: its data with another shield and hull."""
    simple = ("id", "code", "race", "start", "explosion", "points")
    lines = ["format = 1", "[[class]]", *(f"{key} = {data[key]!r}".replace("'", '"') for key in simple)]
    lines += ['name = "Heavy cruiser"', f"source = {str(data['source']['en'])!r}".replace("'", '"')]
    lines += [f"{key} = {data[key]!r}" for key in ("curve", "critical")] + [f"hull = {hull}", "battery = true"]
    lines += [f"names = {data['names']!r}".replace("'", '"')]
    lines += [
        "shields = { " + ", ".join(f"{k} = {front if k == 'front' else n}" for k, n in data["shields"].items()) + " }"
    ]
    for group in data["groups"]:
        lines += ["[[class.group]]", f'weapon = "{group["weapon"]}"', f"arcs = {group['arcs']!r}".replace("'", '"')]
        lines += [f"{key} = {group[key]}" for key in ("count", "red", "yellow")]
    return "\n".join(lines) + "\n"


@pytest.mark.parametrize("game", ["cards", "trio"])
def test_a_game_that_pins_nothing_has_nothing_to_take_over(home: Path, game: str) -> None:
    def call(*argv: str) -> Ran:
        out, err = io.StringIO(), io.StringIO()
        streams: dict[str, Any] = {"stdin": io.StringIO(), "stdout": out, "stderr": err}
        return Ran(run([*argv], **streams, env=os.environ, packages=("tests.games",)), out.getvalue(), err.getvalue())

    assert call("campaign", "new", "Test", "--system", game).code == 0
    assert call("rules", "diff").out.startswith("Nothing differs")
    assert call("rules", "upgrade").code == 1
    assert call("session", "start").code == 0


def test_it_is_the_gms_and_no_sides(newer: Gm) -> None:
    for line in (("diff",), ("upgrade",), ("upgrade", "--preview")):
        assert newer("rules", *line, "--for", "players").code == 2


@pytest.mark.parametrize("lang", ["en", "ja", "ko"])
@pytest.mark.parametrize("columns", [80, 120])
def test_every_sentence_of_it_is_there_and_fits_the_screen(newer: Gm, lang: str, columns: int) -> None:
    for line in ("rules diff", "rules upgrade --preview", "rules upgrade", "answer keep", "why", "rules diff", "undo",
                 "rules upgrade --over lower", "session start"):  # fmt: skip
        ran = newer(*line.split(), "--lang", lang, env={"COLUMNS": str(columns)})
        assert max(map(width, (ran.out + ran.err).splitlines())) <= columns
        assert not {"<", "{"} & set(ran.out + ran.err), ran
