"""Scenarios and maps of the GM's own, at the command line: what is wrong in a file is said with its line, before play.

The bundled scenario is played in tests/sessions/the_relay.gm and in the README.
"""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import Ran

Gm = Callable[..., Ran]
SCENARIO = """\
format = 1

[scenario]
map = "narrows"

[[side]]
id = "crew"
name = { en = "Crew", ja = "乗組員" }
players = true
victory = { en = "facility:Relay station" }

[[side]]
id = "hive"
name = "Hive"
victory = { en = "destroyed:k" }

[[pilot]]
id = "ren"
name = "Ren"
body = 25
agility = 30
intelligence = 15
diplomacy = 15
life = 50
spirit = 25
skills = { gunnery = 2 }

[[unit]]
id = "k"
sheet = "kestrel"
name = "Kite"
side = "crew"
pilot = "ren"
at = "0304"
flagship = true

[[unit]]
id = "g"
sheet = "gains"
side = "hive"
at = "1104"
"""
SECOND_FLAGSHIP = 'flagship = true\n\n[[unit]]\nid = "h"\nsheet = "gains"\nside = "hive"\nflagship = true'
STARTED = ("campaign new Evening --system rtype", "scenario start relay", "initiative --dice 6,6,1,1", "first players")


@pytest.fixture
def rules(gm: Gm, home: Path) -> Path:
    """The folder for files of a campaign's own."""
    assert gm("campaign", "new", "Evening", "--system", "rtype").code == 0
    folder = home / "evening" / "rules"
    folder.mkdir()
    return folder


def put(folder: Path, text: str = SCENARIO, name: str = "ambush.toml") -> None:
    (folder / name).write_text(text, encoding="utf-8")


def begin(gm: Gm, *lines: str) -> None:
    for line in lines:
        ran = gm(*line.split())
        assert ran.code == 0, (line, ran.err)


def error(gm: Gm, *argv: str) -> tuple[int, dict[str, Any]]:
    ran = gm(*argv, "--json")
    return ran.code, ran.objects[0]["error"]


def test_a_scenario_is_called_like_its_file_and_sets_up_all_it_names(gm: Gm, rules: Path) -> None:
    put(rules)
    assert "ambush   ambush: The Narrows, 2 units" in gm("scenario", "list").out
    assert gm("scenario", "start", "ambush").code == 0
    shown = gm("status").out
    assert "victory Crew: Relay station occupied   victory Hive: Kite destroyed" in shown
    assert re.search(r"r1 Kite +0304 +Ren ", shown)
    assert gm("undo").code == 0
    assert "Kite" not in gm("status").out


@pytest.mark.parametrize(
    ("old", "new", "key", "line"),
    [
        ('destroyed:k"', 'destroyed:x"', "side.hive.victory.en", 15),
        ('en = "facility:Relay station"', 'en = ""', "side.crew.victory.en", 10),
        ('"destroyed:k"', '"flagship"', "unit.g.flagship", 37),
        ("gunnery = 2", "zz = 2", "pilot.ren.skills.zz", 26),
        ('id = "g"', 'id = "k"', "unit.k.id", 38),
        ('name = "Hive"', 'name = "Crew"', "side.hive.name", 14),
        ('at = "1104"', f'at = "1104"\n{SECOND_FLAGSHIP}', "unit.h.flagship", 48),
        ('side = "hive"\nat', 'pilot = "ren"\nside = "hive"\nat', "unit.g.pilot", 40),
        ('map = "narrows"', 'map = "nowhere"', "scenario.map", 4),
        ('sheet = "gains"', 'sheet = "gain"', "unit.g.sheet", 39),
        ('side = "hive"\nat', 'side = "hiv"\nat', "unit.g.side", 40),
    ],
)  # fmt: skip
def test_what_is_wrong_in_a_scenario_is_said_with_its_line(
    gm: Gm, rules: Path, old: str, new: str, key: str, line: int
) -> None:
    assert old in SCENARIO
    put(rules, SCENARIO.replace(old, new))
    for argv in (("scenario", "list"), ("scenario", "start", "ambush")):
        code, found = error(gm, *argv)
        assert code == 3, found
        assert [found["facts"][fact] for fact in ("file", "key", "line")] == ["rules/ambush.toml", key, line]
        assert "move it out of the folder rules" in found["hint"]


def test_where_a_double_id_stood_first_is_a_line_of_the_file(gm: Gm, rules: Path) -> None:
    put(rules, SCENARIO.replace('id = "g"', 'id = "k"'))
    assert error(gm, "scenario", "list")[1]["facts"]["first"] == "rules/ambush.toml:29"


def test_a_facility_that_its_map_does_not_have_is_refused_and_nothing_is_set_up(gm: Gm, rules: Path) -> None:
    put(rules, SCENARIO.replace("Relay station", "Relay statoin"))
    code, found = error(gm, "scenario", "start", "ambush")
    assert (code, found["code"]) == (1, "bad-value")
    assert found["facts"] == {"value": "Relay statoin", "places": ["Ashfall vein", "Relay station"]}
    assert "Relay station" in found["message"]
    assert gm("status", "--json").objects[0]["result"]["sides"] == {}


def test_one_side_sees_the_brief_and_its_own_of_a_scenario(gm: Gm) -> None:
    assert gm("campaign", "new", "Evening", "--system", "rtype").code == 0
    assert gm("scenario", "start", "relay").code == 0
    shown = gm("scenario", "show", "relay", "--for", "players").out
    assert "The Bydo have grown over a relay station" in shown.replace("\n  ", " ")
    assert "Kestrel" in shown
    for word in ("Shade", "Gains", "1503", "Lullaby destroyed"):
        assert word not in shown
    told = gm("scenario", "show", "relay", "--for", "players", "--json").out
    assert "shade" not in told
    assert "destroyed" not in told
    own = gm("scenario", "show", "relay", "--for", "bydo").out
    assert "Shade" in own
    assert "Kestrel" not in own


# maps of the GM's own

MAP = 'format = 1\n[map]\ncolumns = 3\nrows = 3\nsortie = ["0101-0102"]\n'


def test_maps_are_called_like_their_files_in_any_script(gm: Gm, rules: Path) -> None:
    for name in ("岩礁.toml", "암초.toml", "My Map.toml"):
        put(rules, MAP, name)
    shown = gm("map", "list").out
    for name in ("岩礁", "암초", "My Map"):
        assert f"{name}, 3 x 3" in shown
        assert gm("map", "use", name).code == 0, name


def test_the_sortie_hexes_of_a_map_hold_for_players_who_join_after_it(gm: Gm, rules: Path) -> None:
    put(rules, MAP, "bay.toml")
    for line in ("map use bay", "side add Crew --players", "unit add kestrel Kite --side crew"):
        assert gm(*line.split()).code == 0
    assert error(gm, "deploy", "kite", "0303")[1]["code"] == "no-room"
    assert gm("deploy", "kite", "0102").code == 0


@pytest.mark.parametrize("words", [("0101-",), ("0503-0101",), ("none", "0101")])
def test_half_a_block_of_hexes_is_refused(gm: Gm, rules: Path, words: tuple[str, ...]) -> None:
    put(rules, MAP, "bay.toml")
    assert gm("map", "use", "bay").code == 0
    assert gm("side", "add", "Crew", "--players").code == 0
    assert error(gm, "sortie", "crew", *words)[1]["code"] == "bad-value"


@pytest.mark.parametrize("line", ["map svg {} --yes", "report {} --yes"])
@pytest.mark.parametrize("name", ["bay.toml", "new.svg", "new.toml"])
def test_nothing_is_written_into_the_folder_of_rules(gm: Gm, rules: Path, line: str, name: str) -> None:
    put(rules, MAP, "bay.toml")
    assert gm("map", "use", "bay").code == 0
    before = {file.name: file.read_bytes() for file in rules.iterdir()}
    assert error(gm, *line.format(rules / name).split())[1]["code"] == "file-exists"
    assert {file.name: file.read_bytes() for file in rules.iterdir()} == before


# where a unit could go


def test_a_craft_aboard_reaches_from_its_ship(gm: Gm) -> None:
    """Tender moves 4 from the Lullaby's body at 0206; none of the ship's own hexes is a place to stop."""
    begin(gm, *STARTED)
    found = gm("reach", "tender", "--json").objects[0]["result"]["reach"]
    assert found["0205"] == {"movement": 1, "hexes": 1, "met": []}
    assert "0206" not in found
    assert "0106" not in found


@pytest.mark.parametrize("config", ["figures", "unfound", "open"])
def test_reach_tells_the_referee_whom_the_side_has_in_sight(gm: Gm, config: str) -> None:
    """Midge at 0906 is 8 hexes from Lantern at 0302, whose search value is 8: it is no secret to the players."""
    begin(gm, *STARTED, f"config hidden {config}")
    whole = gm("reach", "r7", "--json").objects[0]["result"]["reach"]
    assert any("midge" in each["met"] for each in whole.values())
    assert gm("reach", "r7", "--for", "players", "--json").objects[0]["result"]["reach"] == whole
