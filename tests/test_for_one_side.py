"""``--for SIDE``: whatever the side may not know, no byte of what is shown depends on it."""

import copy
import json
import random
from collections.abc import Callable
from pathlib import Path as File
from typing import Any

import pytest

from gmtool.cli.verbs import COMMON, FOR_ONE_SIDE
from gmtool.referee.desk import Registry
from tests.hidden import (
    BATTLE,
    SIDE,
    UNITS,
    Path,
    Tables,
    Window,
    at,
    changed,
    fill,
    is_open,
    paths,
    played,
    put,
)

FOR = ("--for", SIDE)
LANGS = ("en", "ja", "ko")
THINGS = (
    "kestrel", "round-force", "ark", "hollow", "thorn", "gains-1", "gains-2", "echo", "shade", "hive", "ren", "hana",
    "players", "bydo", "reef", "ore",
)  # fmt: skip
NAMELESS = ("vex", "orm", "nobody", "v", "g", "h", "b", "o", "x9", "", "gains", "b1", "b6", "r1", "ambush", "secret")
LINES: tuple[tuple[str, ...], ...] = (
    ("status",),
    *(("status", name) for name in (*THINGS, *NAMELESS)),
    ("battle", "list"), ("place", "list"), ("sheet", "list"), ("sheet", "show", "gains"), ("sheet", "show", "gulls"),
    ("roster",), ("roster", "players"), ("roster", "bydo"), ("pilot", "show", "ren"), ("pilot", "show", "hana"),
    ("pilot", "show", "vex"), ("skill", "list"), ("systems",), ("errors",), ("rules", "list"),
    ("rules", "list", "--system", "rtype"),
    ("map", "list"), ("map", "show"), ("map", "show", "--at", "0909"), ("map", "show", "kestrel", "--range", "9"),
    ("map", "show", "ark", "--weapon", "1"), ("map", "show", "hive", "--weapon", "1"), ("map", "show", "shade"),
    ("map", "show", "hive", "--range", "4"), ("map", "show", "nobody"),
    ("history",), ("history", "--all"), ("why",), ("why", "4"), ("odds", "attack", "kestrel", "vulcan", "gains-1"),
    ("campaign", "export", "x.zip"), ("campaign", "show"), ("campaign", "list"), ("session", "list"), ("config",),
    ("config", "seed"), ("doctor",), ("attack", "kestrel", "vulcan", "gains-1"), ("undo", "--preview"), ("answer",),
    ("status", "--help"), ("help",), ("status", "too", "many"), ("stat",), ("nonsense",),
)  # fmt: skip
"""Lines that show something, or why not; each is typed with ``--for``."""


@pytest.fixture(scope="session")
def battle() -> dict[str, Any]:
    """The battle, kept from the first test that plays it."""
    return {}


@pytest.fixture
def tables(gm: Callable[..., Any], home: File, battle: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> Tables:
    """The battle's state; its campaign lies in the home of this test."""
    import shutil

    monkeypatch.setenv("GMTOOL_CACHE", str(battle.setdefault("cache", home.parent / "cache")))
    if "home" not in battle:
        battle["tables"] = fill(played(home, gm, BATTLE))
        battle["home"] = home
    elif battle["home"] != home:
        shutil.copytree(battle["home"], home, dirs_exist_ok=True)
    return copy.deepcopy(battle["tables"])


@pytest.fixture
def see(tables: Tables, monkeypatch: pytest.MonkeyPatch) -> Window:
    """A window on that battle."""
    return Window(monkeypatch, tables)


def hidden_paths(tables: Tables) -> list[Path]:
    return [path for path in paths(tables) if not is_open(tables, path)]


def seen_by_players(see: Window, tables: Tables, *, lang: str, width: int, lines: Any = LINES) -> dict[Any, Any]:
    return {line: see(*line, *FOR, "--lang", lang, width=width, tables=tables) for line in lines}


def seen_as_json(see: Window, tables: Tables, lines: Any = LINES) -> dict[Any, Any]:
    return {line: see(*line, *FOR, "--json", width=0, tables=tables) for line in lines}


def differing(before: Any, after: Any) -> list[Any]:
    """The lines that were not shown the same, each with what it was and is."""
    pairs = [(line, was[line], now[line]) for was, now in zip(before, after, strict=True) for line in was]
    return [pair for pair in pairs if pair[1] != pair[2]]


def test_no_hidden_path_changes_a_byte_of_what_the_players_see(see: Window, tables: Tables) -> None:
    hidden = hidden_paths(tables)
    assert {path[0] for path in hidden} >= {
        "units", "pilots", "sides", "battle", "campaign", "due", "ids", "parked", "flights", "falls", "fought",
        "careers",
    }  # fmt: skip
    told = seen_as_json(see, tables, lines=[("status",), *(("status", path[1]) for path in hidden)])
    for path in hidden:
        other = changed(tables, path)
        assert [see(*line, *FOR, "--json", width=0, tables=other) for line in (("status",), ("status", path[1]))] == [
            told["status",],
            told["status", path[1]],
        ], path


@pytest.mark.parametrize("seed", range(8))
def test_no_view_depends_on_any_of_the_hidden_figures_at_any_width_in_any_language(
    see: Window, tables: Tables, seed: int
) -> None:
    chance = random.Random(seed)
    lang, width = LANGS[seed % 3], (40, 80, 120, 0)[seed % 4]
    some = changed(tables, *chance.sample(hidden_paths(tables), 60))
    if seed % 2:
        some["pilots"]["vexation"] = some["pilots"].pop("nobody")
        some["due"].pop("theirs")
        some["ids"]["gains"] = {"n": 9}
    before = seen_by_players(see, tables, lang=lang, width=width), seen_as_json(see, tables)
    after = seen_by_players(see, some, lang=lang, width=width), seen_as_json(see, some)
    assert differing(before, after) == []


def drawn(see: Window, tables: Tables, *options: str) -> tuple[Any, bytes]:
    """The map as data and as a picture."""
    shown = see("map", "svg", "picture.svg", *options, "--json", width=0, tables=tables)
    return shown, File("picture.svg").read_bytes()


def test_no_hidden_path_changes_a_byte_of_the_map_or_of_its_picture(see: Window, tables: Tables) -> None:
    told = drawn(see, tables, *FOR)
    for path in hidden_paths(tables):
        assert drawn(see, changed(tables, path), *FOR) == told, path


def test_on_the_map_who_is_in_subspace_is_seen_by_his_own_side_only(see: Window, tables: Tables) -> None:
    """Shade lies at 0505, where nobody of the players has found it (RT-5.10)."""
    for options, there in (((), True), (("--for", "bydo"), True), (FOR, False)):
        data, picture = drawn(see, tables, *options)
        assert ("0505" in json.loads(data.out)["result"]["hexes"]) is there
        assert (b" Shade<" in picture) is there
    put(tables, ("units", "shade", "found_by"), {"kestrel": "sonar"})
    assert "0505" in json.loads(drawn(see, tables, *FOR)[0].out)["result"]["hexes"]


def test_on_the_map_only_who_is_found_stands_there_where_positions_are_hidden(see: Window, tables: Tables) -> None:
    shown = json.loads(drawn(see, unfound(tables), *FOR)[0].out)["result"]["hexes"]
    units = {piece["unit"] for hex in shown.values() for piece in hex.get("pieces", [])}
    assert units == {"kestrel", "ark", "hollow"}


def test_weapons_of_the_others_are_not_told_by_their_reach(see: Window, tables: Tables) -> None:
    told = see("map", "show", "hive", "--weapon", "1", *FOR, "--json", width=0, tables=tables)
    assert (told.code, json.loads(told.out)["error"]["code"]) == (2, "not-covered")
    assert see("map", "show", "hive", "--weapon", "1", tables=tables).code == 0


def test_the_gm_sees_each_of_them(see: Window, tables: Tables) -> None:
    """What is hidden is there: without ``--for`` every figure of a unit or pilot changes what is told."""
    whole = see("status", "--json", width=0, tables=tables)
    for path in hidden_paths(tables):
        other = changed(tables, path)
        if path[0] in ("units", "pilots", "sides", "places") and other != tables:
            assert see("status", "--json", width=0, tables=other) != whole, path


OTHERWISE: dict[str, Any] = {
    "sheet": "echo", "fuel": 3, "side": SIDE, "attached_to": None, "aboard": "hive", "pilot": None, "led_by": None,
    "decoy_of": "round-force", "where": "adrift", "who": SIDE, "found_by": {"gains-1": "moved"},
    "hexes": ["0101"], "since": {"gains-1": "1 first"},
}  # fmt: skip


def as_open(path: Path, value: Any) -> Any:
    """Another value that the players may know as well; the same where there is no other."""
    if len(path) == 3 and path[2] in OTHERWISE:
        return OTHERWISE[path[2]]
    if isinstance(value, bool | int):
        return not value if isinstance(value, bool) else value + 1
    if isinstance(value, list):
        return [*value, "gains-1"]
    return {"solmonadium": 1} if isinstance(value, dict) else f"{value or ''}x"


def test_whatever_the_players_may_know_they_are_told(see: Window, tables: Tables) -> None:
    """But for sheets, which are shown with their units, the order, which is counted anew, and what is only counted."""
    lines = {"careers": ("pilot", "show", "ren"), "fought": ("pilot", "show", "ren")}
    before = {line: see(*line, *FOR, "--json", width=0, tables=tables) for line in (("status",), *lines.values())}
    for path in paths(tables):
        told = ("sheets", "campaign", "battle", "flights", "map")
        if not is_open(tables, path) or path[0] in told or path[2] == "order":
            continue
        value = as_open(path, at(tables, path))
        if value == at(tables, path):
            continue
        other = copy.deepcopy(tables)
        put(other, path, value)
        line = lines.get(path[0], ("status",))
        after = see(*line, *FOR, "--json", width=0, tables=other)
        assert (after.code, after == before[line]) == (0, False), (path, value)


def test_a_squads_losses_are_seen_and_its_figures_are_not(see: Window, tables: Tables) -> None:
    row = next(line for line in see("status", *FOR).out.splitlines() if "Gains-1" in line)
    assert row.split() == ["b3", "Gains-1", "?", "?", "?", "?", "0"]
    seen = json.loads(see("status", *FOR, "--json", width=0).out)["result"]["units"]["gains-1"]
    assert seen["craft"] == {"lead": True, "A": True, "B": True, "C": True, "D": False}
    assert not {"hp", "fuel", "ammo", "charge", "grade", "pilot", "replacements", "swap", "hold"} & seen.keys()
    put(tables, ("units", "gains-1", "hp", "C"), 0)
    row = next(line for line in see("status", *FOR, tables=tables).out.splitlines() if "Gains-1" in line)
    assert row.split() == ["b3", "Gains-1", "?", "?", "?", "0", "0"]


def test_each_side_has_its_own_eyes(see: Window) -> None:
    bydo = json.loads(see("status", "--for", "Byd", "--json", width=0).out)["result"]
    assert bydo["for"] == "bydo"
    assert set(bydo["pilots"]) == {"vex", "orm"}
    assert bydo["sides"]["bydo"]["resources"] == {"bydogen": 40}
    assert "resources" not in bydo["sides"]["players"]
    assert bydo["units"]["gains-1"]["hp"]["C"] == 40
    assert [due["id"] for due in bydo["due"]] == ["also-theirs", "theirs"]
    assert (bydo["victory"], bydo["flagships"]) == ({"bydo": "flagship"}, {"bydo": "hive"})


def test_whose_pilot_nobody_can_tell_is_shown_to_nobody(see: Window) -> None:
    """Hana has no seat, but a player; Nobody has neither."""
    for side in ("players", "bydo"):
        told = json.loads(see("status", "nobody", "--for", side, "--json", width=0).out)
        assert told["error"]["code"] == "unknown-name"
    assert see("status", "hana", *FOR).code == 0


def test_a_pilot_without_a_seat_belongs_to_the_side_he_flew_for(see: Window, tables: Tables) -> None:
    tables["flights"]["nobody"] = {"units": ["ark", "kestrel"], "life": 50, "lives": 3, "left": []}
    for side, code in (("players", 0), ("bydo", 2)):
        assert see("pilot", "show", "nobody", "--for", side, tables=tables).code == code
    del tables["flights"]["nobody"]
    tables["careers"]["nobody"] = {**tables["careers"]["ren"], "flown": {"9": ["kestrel"], "10": ["hive"]}}
    for side, code in (("players", 2), ("bydo", 0)):
        assert see("pilot", "show", "nobody", "--for", side, tables=tables).code == code


def test_a_side_that_is_not_there_is_told_which_there_are(see: Window, tables: Tables) -> None:
    assert "There are: Players, Bydo." in see("status", "--for", "umpire").err
    bare = {**tables, "sides": {}, "units": {}, "pilots": {}, "battle": {}, "due": {}, "places": {}, "parked": {}}
    told = see("status", "--for", "players", tables=bare)
    assert (told.code, told.err) == (2, 'No side is called "players": there are no sides yet.\n')


def test_candidates_are_those_the_side_knows(see: Window) -> None:
    """``o`` begins Orm, the ship's pilot, and Ore, a place: to the players only the place."""
    assert see("status", "o").code == 2
    assert see("status", "o", *FOR).out.splitlines()[0].startswith("Ore")
    told = json.loads(see("status", "vx", *FOR, "--json", width=0).out)["error"]["facts"]["candidates"]
    assert not {"vex", "orm", "nobody"} & set(told)


# hidden positions (RT-6.6)


FOUND = {"gains-1", "hollow"}


def unfound(tables: Tables) -> Tables:
    """The same with hidden positions; the Kestrel has found Gains-1 and Hollow."""
    tables["campaign"]["campaign"]["config"] = {"hidden": "unfound"}
    return tables


def without(tables: Tables, *gone: str) -> Tables:
    """As if these units had never been: the others counted without them."""
    other = copy.deepcopy(tables)
    for id in gone:
        row = other["units"].pop(id)
        for left in other["units"].values():
            left["order"] -= left["order"] > row["order"]
            left.update({key: None for key in ("attached_to", "aboard", "decoy_of") if left[key] == id})
            left["found_by"].pop(id, None)
    return other


@pytest.mark.parametrize("seed", range(4))
def test_with_hidden_positions_it_makes_no_difference_what_nobody_has_found(
    see: Window, tables: Tables, seed: int
) -> None:
    chance = random.Random(seed)
    tables = unfound(tables)
    lang, width = LANGS[seed % 3], (40, 80, 120, 0)[seed % 4]
    before = seen_by_players(see, tables, lang=lang, width=width), seen_as_json(see, tables)
    away = [id for id in tables["units"] if id not in UNITS | FOUND]
    others = [without(tables, *chance.sample(away, chance.randint(1, len(away))))]
    more = copy.deepcopy(tables)
    more["units"]["aardvark"] = {**more["units"]["shade"], "name": "Aardvark", "handle": "b99", "order": 0}
    for id in away:
        if id != "hive":  # its pilot's whereabouts are its own
            more["units"][id].update(state=chance.choice(["active", "wrecked", "lost"]), acted=chance.random() < 0.5)
            more["units"][id].update(name=f"Kestrel {id}", handle=f"b{chance.randint(20, 90)}", at="1611")
    more["battle"]["now"].update(gone=["shade", "echo"])
    for other in [*others, more]:
        assert (seen_by_players(see, other, lang=lang, width=width), seen_as_json(see, other)) == before


def test_with_hidden_positions_who_is_found_is_there_and_goes_again_with_the_mark(see: Window, tables: Tables) -> None:
    tables = unfound(tables)
    assert "Gains-1" in see("status", *FOR, tables=tables).out
    assert see("status", "gains-2", *FOR, tables=tables).code == 2
    told = json.loads(see("status", *FOR, "--json", width=0, tables=tables).out)["result"]
    assert set(told["units"]) == {*UNITS, *FOUND}
    in_order = sorted(told["units"], key=lambda id: int(told["units"][id]["order"]))
    assert in_order == ["kestrel", "round-force", "ark", "hollow", "gains-1"]
    assert told["units"]["gains-1"]["order"] == 5
    assert told["units"]["kestrel"]["found_by"] == {}
    put(tables, ("units", "gains-1", "found_by"), {})
    assert "Gains-1" not in see("status", *FOR, tables=tables).out


def test_in_the_phase_of_those_nobody_has_found_nobody_is_counted(see: Window, tables: Tables) -> None:
    tables = unfound(tables)
    tables["battle"]["now"].update(acting="bydo", current="gains-2")
    shown = see("status", *FOR, tables=tables)
    assert shown.out.splitlines()[-1] != "next  Bydo to act"  # what is due to the players stands before it
    tables["due"] = {}
    assert see("status", *FOR, tables=tables).out.splitlines()[-1].rstrip() == "next  Bydo to act"
    assert json.loads(see("status", *FOR, "--json", width=0).out)["result"]["current"] is None


def test_open_shows_the_whole_table_but_not_what_feeds_dice(see: Window, tables: Tables) -> None:
    tables["campaign"]["campaign"].update(config={"hidden": "open"}, secret="s3cret", seed=77)
    whole = json.loads(see("status", "--json", width=0, tables=tables).out)["result"]
    shown = json.loads(see("status", *FOR, "--json", width=0).out)["result"]
    assert shown == {**whole, "for": SIDE}
    assert "?" not in see("status", *FOR).out
    assert see("status", "vex", *FOR).code == 0


# rulings that are open


def ask(who: str, key: str, **more: Any) -> dict[str, Any]:
    return {"key": key, "who": who, "kind": "dice", "dice": [10, 10], "options": [], "rule": "RT-9.2", **more}


def ruling(see: Window, *asks: dict[str, Any]) -> dict[str, Any]:
    """An open ruling of this campaign that asks this."""
    step = see.face.whole().campaign.head.undo
    return {"step": step, "line": "attack hive turret-gun kestrel --feint 10", "asks": list(asks), "given": {}}


def test_of_a_question_to_the_others_only_that_it_is_open_is_told(see: Window) -> None:
    see("status")
    judged = ask("gm", "judge.hive", kind="judgement")
    asked = [ask("hive", "evade.hive.lead", target=35), ask("vex", "evade.hive.A"), judged]
    shown = []
    for one in asked:
        see.ruling = ruling(see, one)
        told = see("status", *FOR, "--json", width=0)
        assert json.loads(told.out)["result"]["open"] == {"asks": [], "others": True}
        shown.append((told, see("status", *FOR)))
    assert shown[0] == shown[1] == shown[2]
    assert "A question to the GM or the other side is open." in shown[0][1].out
    assert "evade" not in shown[0][0].out


def test_what_the_side_is_asked_itself_is_told_without_what_has_to_be_reached(see: Window) -> None:
    see("status")
    see.ruling = ruling(see, ask("kestrel", "evade.kestrel.lead", target=35), ask("hive", "evade.hive.lead"))
    told = see("status", *FOR, "--json", width=0)
    mine = ask("kestrel", "evade.kestrel.lead")
    assert json.loads(told.out)["result"]["open"] == {"asks": [mine], "others": True}
    see.ruling["asks"][0]["target"] = 70
    see.ruling["line"] = "attack gains-2 flak kestrel"
    assert see("status", *FOR, "--json", width=0) == told
    assert "Kestrel" in see("status", *FOR).out.splitlines()[-2]


def test_a_question_that_names_who_is_not_found_is_not_told(see: Window, tables: Tables) -> None:
    see("status")
    see.ruling = ruling(see, ask("kestrel", "intercept.kestrel.gains-2.lead"))
    told = json.loads(see("status", *FOR, "--json", width=0, tables=unfound(tables)).out)["result"]["open"]
    assert told == {"asks": [], "others": True}


# what takes --for at all


def test_lines_that_change_something_or_show_the_gms_side_of_it_refuse_a_side(see: Window, home: File) -> None:
    rtype = Registry().system("rtype")
    before = {path: path.read_bytes() for path in home.rglob("*") if path.is_file()}
    for verb in {*COMMON, *rtype.verbs} - FOR_ONE_SIDE:
        told = see(*FOR, "--json", *verb.split(), width=0)
        assert (told.code, json.loads(told.out)["error"]["code"]) in {(2, "usage"), (2, "not-covered")}, verb
    assert {path: path.read_bytes() for path in home.rglob("*") if path.is_file()} == before


def test_a_script_hands_its_side_to_its_lines(gm: Callable[..., Any], tables: Tables) -> None:
    ran = gm("run", "-", *FOR, input="status gains-1\nnote The Bydo wait\n")
    assert ran.code == 2
    assert "Gains-1" in ran.out
    assert '"note"' in ran.err


def test_the_gms_own_sheets_are_not_listed(gm: Callable[..., Any], tables: Tables, home: File) -> None:
    rules = home / "dance" / "rules"
    rules.mkdir(exist_ok=True)
    (rules / "own.toml").write_text(
        'format = 1\n[[craft]]\nid = "gulls"\nname = "Gulls"\norigin = "ours"\nsquad = "rc"\nlevel = 1\ncost = 9\n'
        "move = 5\nsearch = 4\nhp = 100\nfuel = 40\nevade = 20\n"
    )
    assert "gulls" in gm("sheet", "list").out
    assert gm("sheet", "show", "gulls").code == 0
    assert "gulls" not in gm("sheet", "list", *FOR).out
    assert gm("sheet", "show", "gulls", *FOR).code == 2
    assert "gulls" not in gm("sheet", "show", "gull", *FOR, "--json").out.partition('"error"')[2].replace('gull"', "")


def test_what_is_wrong_with_the_files_is_not_told_to_a_side(see: Window, tables: Tables) -> None:
    shown = []
    for id, path in (("hive", ("fuel",)), ("gains-2", ("hp", "A"))):
        broken = copy.deepcopy(tables)
        put(broken, ("units", id, *path), "much")
        shown.append(see("status", *FOR, tables=broken))
        assert id in see("status", "--json", width=0, tables=broken).out
    assert shown[0] == shown[1]
    assert shown[0].code == 4
    assert "hive" not in shown[0].err


def test_a_side_hears_nothing_of_the_files(gm: Callable[..., Any], tables: Tables, home: File) -> None:
    """A damaged snapshot is the GM's to hear of."""
    before = gm("status", *FOR, "--json").objects
    (home / "dance" / "campaign.json").write_text("{")
    assert gm("status", *FOR, "--json").objects == before
    assert gm("status", "--json").objects[0]["warnings"] != []


def test_in_the_shell_a_view_for_one_side_answers_nothing(gm: Callable[..., Any], tables: Tables, home: File) -> None:
    lines = "attack kestrel vulcan gains-1\nstatus --for players\n92 15 07 33 60 --for players\nquit\n"
    ran = gm("table", input=lines)
    assert "as Players may know it" in ran.out
    assert '"answer" is none of them' in ran.err
    assert (home / "dance" / "open.json").exists()
    assert gm("table", *FOR, input="quit\n").code == 2


def test_on_the_map_who_is_in_sight_is_seen_and_lost_again_beyond_it(see: Window, tables: Tables) -> None:
    """The Ark at 0205 searches 5 hexes far (RT-6.6): 0608 is 5 from its fore hex 0305, 0709 is 6."""
    tables = unfound(tables)
    for hex, seen in (("0608", True), ("0709", False)):
        tables["units"]["gains-2"].update(state="active", at=hex, found_by={})
        assert ("Gains-2" in see("status", *FOR, tables=tables).out) == seen
    tables["units"]["gains-2"].update(state="subspace", at="0608")
    assert "Gains-2" not in see("status", *FOR, tables=tables).out


def test_counters_face_down_tell_where_they_are_and_not_what(see: Window, tables: Tables) -> None:
    """Nobody has found Gains-2 (RT-6.6): no name, id, sheet or craft; found or identified, all."""
    tables["campaign"]["campaign"]["config"] = {"hidden": "face-down"}
    tables["units"]["gains-2"].update(state="active", at="1611", found_by={}, attached_to=None, aboard=None)
    handle = tables["units"]["gains-2"]["handle"]
    lines = (("status",), ("status", handle), ("map", "show"), ("reach", handle), ("place", "list"))
    for line in lines:
        for more in ((), ("--json",)):
            told = see(*line, *FOR, *more, width=0, tables=tables)
            assert "gains-2" not in (told.out + told.err).lower(), line
    assert "1611" in see("status", *FOR, tables=tables).out
    assert see("status", "gains-2", *FOR, tables=tables).code == 2
    for told in ({"found_by": {"kestrel": "stood"}}, {}):
        other = copy.deepcopy(tables)
        other["units"]["gains-2"].update(told)
        other["battle"]["now"]["known_to"] = {} if told else {"gains-2": "players"}
        assert "Gains-2" in see("status", *FOR, tables=other).out


@pytest.mark.parametrize("seed", range(3))
def test_face_down_it_makes_no_difference_what_a_counter_is(see: Window, tables: Tables, seed: int) -> None:
    chance = random.Random(seed)
    tables["campaign"]["campaign"]["config"] = {"hidden": "face-down"}
    other = copy.deepcopy(tables)
    for each in (tables, other):
        each["units"]["gains-2"].update(state="active", at="1611", found_by={}, attached_to=None, aboard=None)
    other["units"]["gains-2"].update(
        name="Nobody", grade="S", charge=chance.randint(0, 9), hp={"lead": chance.randint(1, 60)}, moved=3
    )
    before = seen_by_players(see, tables, lang="en", width=80), seen_as_json(see, tables)
    assert (seen_by_players(see, other, lang="en", width=80), seen_as_json(see, other)) == before
