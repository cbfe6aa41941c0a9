"""The shipped Talon data against the tables it comes from, typed here a second time; and what a file may not hold."""

import re
from collections.abc import Mapping
from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest

from gmtool.kernel.refusal import Refused
from gmtool.rulesdata.compile import load
from gmtool.systems.talon import tables
from gmtool.systems.talon.book import Book
from gmtool.systems.talon.model import Board
from gmtool.systems.talon.tables import ShipClass, class_from, critical_from, weapon_from

Data = dict[str, dict[str, dict[str, Any]]]
PACKAGE = Path(__file__).parents[3] / "gmtool" / "systems" / "talon"

# TL-5.4: power-speed-turn from fast to slow, the starting speed.
CURVES = {
    "terran-bb": ("053 243 332 522 611", 3),
    "terran-bc": ("253 342 432 521 611", 3),
    "terran-ca": ("153 242 332 421 511", 3),
    "terran-cl": ("152 242 331 321 410", 3),
    "terran-cv": ("433 522 612", 2),
    "terran-dd": ("152 241 231 320 310", 3),
    "terran-sc": ("151 141 230 220 210", 3),
    "terran-ftr": ("061 050", 5),
    "terran-tran": ("033 122 211", 2),
    "terran-base": ("630 620 610", 2),
    "talon-dn": ("143 332 522 611", 3),
    "talon-bb": ("053 242 332 521 611", 3),
    "talon-bc": ("152 242 331 421 510", 3),
    "talon-ca": ("152 242 331 421 510", 3),
    "talon-cl": ("252 341 431 420 510", 3),
    "talon-dd": ("051 141 130 220 210", 3),
    "talon-ff": ("151 141 230 220 210", 3),
    "talon-tran": ("032 121 210", 2),
    "talon-base": ("630 620 610", 2),
}
# TL-5.1: shields front, right, rear, left; hull with * for a critical box; battery, afterburners, explosion, points.
RECORDS = {
    "terran-bb": ((8, 7, 7, 7), "0 0 -1 -1 -1* -2 -2 -2 -3", 1, 0, 4, 194),
    "terran-bc": ((7, 5, 5, 5), "0 0 -1 -1* -1 -2", 1, 0, 3, 134),
    "terran-ca": ((6, 5, 4, 5), "0 0 -1 -1* -1 -2", 1, 0, 3, 115),
    "terran-cl": ((5, 4, 3, 4), "0 0 -1* -1 -1", 1, 0, 2, 88),
    "terran-cv": ((4, 4, 4, 4), "0 0 -1* -1 -2* -2", 0, 0, 4, 70),
    "terran-dd": ((3, 3, 2, 3), "0 0* -1 -1", 1, 0, 1, 55),
    "terran-sc": ((2, 1, 1, 1), "0 -1", 0, 0, 1, 37),
    "terran-ftr": ((), "0 0", 0, 0, 0, 44),
    "terran-tran": ((4, 4, 4, 4), "0 0* -1 -1", 0, 0, 2, 32),
    "terran-base": ((7, 7, 7, 7), "0 0 -1 -1 -1* -2 -2 -2 -3", 0, 0, 5, 184),
    "talon-dn": ((11, 9, 8, 9), "0 0 -1 -1 -2* -2 -2* -3 -3 -3", 0, 2, 5, 218),
    "talon-bb": ((9, 7, 6, 7), "0 0 -1 -1* -2 -2* -2 -3", 0, 2, 4, 179),
    "talon-bc": ((8, 4, 4, 4), "0 0 -1* -1 -2* -2 -2", 0, 2, 3, 142),
    "talon-ca": ((7, 4, 3, 4), "0 0 -1* -1 -2* -2 -2", 0, 2, 3, 115),
    "talon-cl": ((6, 3, 3, 3), "0 0* -1 -1* -2", 0, 2, 2, 88),
    "talon-dd": ((4, 2, 2, 2), "0* 0 -1* -1", 0, 2, 1, 48),
    "talon-ff": ((3, 2, 2, 2), "0 0* -1", 0, 0, 1, 44),
    "talon-tran": ((5, 4, 3, 4), "0 0* -1 -1", 0, 0, 2, 36),
    "talon-base": ((7, 7, 7, 7), "0 0 -1 -1 -2* -2 -2* -3 -3 -3", 0, 0, 5, 184),
}
# TL-5.3.1, 8.1: weapon, how many, arcs (F, R, B the rear, L), red + yellow.
GROUPS = {
    "terran-bb": ["phaser 2 FL 1+2", "wave-motion-gun 1 F 2+5", "phaser 2 FR 1+2"],
    "terran-bc": ["phaser 1 FL 1+1", "torpedo 2 F 2+4", "phaser 1 FR 1+1"],
    "terran-ca": ["phaser 1 FL 1+1", "torpedo 1 F 2+2", "phaser 1 FR 1+1"],
    "terran-cl": ["phaser 1 FRL 1+1", "torpedo 1 FRL 2+2"],
    "terran-cv": ["phaser 1 FBL 1+1", "phaser 1 FRB 1+1"],
    "terran-dd": ["torpedo 1 FRL 2+2"],
    "terran-sc": ["phaser 1 FRL 1+1"],
    "terran-ftr": ["phaser 1 F 1+1"],
    "terran-tran": [],
    "terran-base": ["phaser 2 FBL 1+2", "phaser 2 FRB 1+2", "wave-motion-gun 1 R 2+5"],
    "talon-dn": ["disruptor 2 FL 1+4", "fusion-cannon 2 F 3+6", "disruptor 2 FR 1+4"],
    "talon-bb": ["disruptor 2 FL 1+4", "fusion-cannon 1 F 3+3", "disruptor 2 FR 1+4"],
    "talon-bc": ["disruptor 2 FRL 1+4", "missile 3 F 2+0", "disruptor 1 F 1+2"],
    "talon-ca": ["disruptor 2 FL 1+4", "disruptor 2 FR 1+4"],
    "talon-cl": ["disruptor 1 FRL 1+2", "disruptor 2 F 1+4"],
    "talon-dd": ["missile 1 FRL 2+0", "missile 1 F 2+0"],
    "talon-ff": ["disruptor 1 F 1+2", "disruptor 1 F 1+2"],
    "talon-tran": [],
    "talon-base": ["disruptor 2 FBL 1+4", "disruptor 2 FRB 1+4", "missile 2 FRB 2+0"],
}
KINDS = {
    "terran-cv": "carrier", "terran-ftr": "squadron", "terran-tran": "transport", "terran-base": "base",
    "talon-tran": "transport", "talon-base": "base",
}  # fmt: skip
# TL-8.3: the lowest roll that hits at ranges 1 to 4 (0: out of range), and what a hit does.
HITS = {
    "torpedo": ((0, 2, 3, 5), 4),
    "disruptor": ((5, 2, 3, 5), 2),
    "wave-motion-gun": ((0, 2, 3, 3), 10),
}
# TL-8.3, 15.2.1: the damage of rolls 1 to 6 at ranges 1 to 3.
DAMAGE = {
    "phaser": ([1, 2, 2, 2, 2, 2], [1, 1, 1, 2, 2, 2], [0, 0, 0, 0, 1, 1]),
    "fusion-cannon": ([7, 7, 9, 9, 11, 11], [4, 4, 6, 6, 8, 8], [0, 0, 2, 2, 4, 4]),
}
# TL-4.1.
CHART = {"A": "456", "B": "356", "C": "2456", "D": "3456", "E": "6", "F": "123456"}
# TL-8.5, 8.7: effect, more hull boxes, whether a six repairs it, how often it counts, whether bases feel it.
CRITICALS = {
    2: ("hull", 3, False, 1, True),
    3: ("shields-down", 0, True, 1, True),
    4: ("helm-down", 0, True, 1, False),
    5: ("group-lost", 0, False, 1, True),
    6: ("turn", 0, False, 2, False),
    7: ("none", 0, False, 1, True),
    8: ("power", 0, False, 1, True),
    9: ("group-lost", 0, False, 1, True),
    10: ("ftl-offline", 1, False, 1, True),
    11: ("power-loss", 0, True, 1, True),
    12: ("destroyed", 0, False, 1, True),
}
FIGURES = {
    "send-range": (6, "TL-12.2.3", "known"),
    "squadrons": (4, "TL-12.2.1", "known"),
    "reinforcements": (2, "TL-6.2.2", "known"),
    "collision": (3, "TL-7.4", "known"),
    "retreat-distance": (6, "TL-7.5.2", "known"),
    "same-hex": (1, "TL-8.6.2", "known"),
    "repair": (6, "TL-8.7", "known"),
    "missile-toughness": (3, "TL-13.6", "known"),
    "asteroid": (1, "TL-17.3", "known"),
    "die-modifier": (1, "TL-17.5", "known"),
    "hole-clear": (2, "TL-18.1", "known"),
    "map-columns": (0, "TL-7.5.1", "default"),
    "map-rows": (0, "TL-7.5.1", "default"),
    "pull-range": (999, "TL-18.2", "default"),
    "great": (200, "TL-11.1.1", "default"),
    "crushing": (300, "TL-11.1.1", "default"),
    "lifetime-minor": (1, "TL-11.1.1", "default"),
    "lifetime-great": (2, "TL-11.1.1", "default"),
    "lifetime-crushing": (3, "TL-11.1.1", "default"),
}


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Data:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("GMTOOL_CACHE", str(tmp_path_factory.mktemp("cache")))
        return load("talon", tables)


@pytest.fixture(scope="module")
def book(data: Data) -> Book:
    return Book(Board({}), data)


@pytest.fixture
def sheet(data: Data, id: str) -> ShipClass:
    return class_from(data["class"][id])


every_class = pytest.mark.parametrize("id", CURVES)


def test_there_are_nineteen_classes(data: Data) -> None:
    assert sorted(data["class"]) == sorted(CURVES) == sorted(RECORDS) == sorted(GROUPS)
    assert len(CURVES) == 19


@every_class
def test_a_class_has_the_rows_of_its_table(id: str, sheet: ShipClass) -> None:
    rows, start = CURVES[id]
    assert ["".join(map(str, row)) for row in sheet.curve] == rows.split()
    assert sheet.start == start


@every_class
def test_a_class_has_its_shields_hull_and_figures(id: str, sheet: ShipClass) -> None:
    shields, hull, battery, burners, explosion, points = RECORDS[id]
    arcs = ("front", "right", "rear", "left")
    assert sheet.shields == (dict(zip(arcs, shields, strict=True)) if shields else None)
    boxes = [f"{box}{'*' if n in sheet.critical else ''}" for n, box in enumerate(sheet.hull, 1)]
    assert " ".join(boxes) == hull
    assert (sheet.battery, sheet.afterburners) == (bool(battery), burners)
    assert (sheet.explosion, sheet.points) == (explosion, points)


@every_class
def test_a_class_has_its_groups(id: str, sheet: ShipClass) -> None:
    letters = {"front": "F", "right": "R", "rear": "B", "left": "L"}
    groups = [
        f"{group.weapon} {group.count} {''.join(letters[arc] for arc in group.arcs)} {group.red}+{group.yellow}"
        for group in sheet.groups
    ]
    assert groups == GROUPS[id]


@every_class
def test_a_class_is_what_it_is(id: str, sheet: ShipClass) -> None:
    assert sheet.kind == KINDS.get(id, "ship")
    assert sheet.fighters == (3 if id == "terran-ftr" else None)
    assert f"{sheet.race}-{sheet.code.lower()}" == id
    assert isinstance(sheet.name, Mapping)
    assert set(sheet.name) == {"en", "ja", "ko"}
    assert sheet.names


def test_no_two_ships_have_one_name(data: Data) -> None:
    names = [name for row in data["class"].values() for name in row["names"]]
    assert len(set(names)) == len(names)
    assert {"Vanguard", "Patton", "Valley Forge", "Wolverine", "Eviscerator", "Hope"} <= set(names)


@pytest.mark.parametrize("id", HITS)
def test_a_weapon_that_hits_or_misses_does_so_by_roll_and_range(data: Data, id: str) -> None:
    weapon = weapon_from(data["weapon"][id])
    lowest, damage = HITS[id]
    for range_, least in enumerate(lowest, 1):
        row = tuple(damage if roll >= least else 0 for roll in range(1, 7)) if least else None
        assert weapon.at(range_) == row
    assert weapon.at(0) is weapon.at(5) is None


@pytest.mark.parametrize("id", DAMAGE)
def test_a_weapon_does_the_damage_of_its_table(data: Data, id: str) -> None:
    weapon = weapon_from(data["weapon"][id])
    assert [weapon.at(far) for far in (1, 2, 3)] == [tuple(row) for row in DAMAGE[id]]
    assert weapon.at(0) is weapon.at(4) is None


def test_the_gun_pushes_the_cannon_has_a_cone_the_missile_flies(data: Data) -> None:
    weapons = {id: weapon_from(row) for id, row in data["weapon"].items()}
    assert [id for id, weapon in weapons.items() if weapon.push] == ["wave-motion-gun"]
    assert [id for id, weapon in weapons.items() if weapon.cone] == ["fusion-cannon"]
    missile = weapons["missile"]
    assert (missile.rolls, missile.launch, missile.speed, missile.damage) == (None, (1, 4), 6, 2)
    assert set(weapons) == {*HITS, *DAMAGE, "missile"}


def test_the_chart_is_the_books_and_a_number_acts_as_often_as_it_says(book: Book) -> None:
    """TL-4.1: power 2 acts in C and F, speed 4 in A, C, D, F."""
    assert {letter: "".join(map(str, book.listed(letter))) for letter in CHART} == CHART
    assert [len(book.impulses_of(n)) for n in range(7)] == list(range(7))
    assert (book.impulses_of(2), book.impulses_of(4)) == ("CF", "ACDF")


def test_the_critical_table(data: Data) -> None:
    found = {int(id): critical_from(row) for id, row in data["critical"].items()}
    assert {n: (row.effect, row.hull, row.repair, row.most, row.bases) for n, row in found.items()} == CRITICALS


def test_there_is_a_figure_for_every_field_and_each_says_whose_it_is(data: Data) -> None:
    assert {id: (row["value"], row["rule"], row["source"]) for id, row in data["figures"].items()} == FIGURES
    assert sorted(FIGURES) == sorted(field.name.replace("_", "-") for field in fields(tables.Figures))


def test_every_interpretation_is_named_after_its_rule(data: Data) -> None:
    for id, row in data["interpretations"].items():
        assert "-".join(id.split("-")[:2]) == row["rule"].lower()


def test_the_readings_are_just_those_that_rules_ask_for(data: Data) -> None:
    """One that nobody can choose would fail at the table, one that no rule asks for would change nothing."""
    code = "".join(file.read_text(encoding="utf-8") for file in PACKAGE.rglob("*.py"))
    assert set(re.findall(r'"(tl-[0-9.]+[a-z-]*)"', code)) == set(data["interpretations"])


def test_the_ships_of_a_scenario_stand_seven_rows_apart_and_cost_what_they_cost(data: Data) -> None:
    """Points of both sides as they are known: 230 and 230, 143 and 140."""
    cost = {id: row["points"] for id, row in data["class"].items()}
    for id, known in (("1", {"terran": 230, "talon": 230}), ("2", {"terran": 143, "talon": 140})):
        ships = data["scenario"][f"scenario-{id}"]["ship"]
        sides = {side: sum(cost[ship["sheet"]] for ship in ships if ship["side"] == side) for side in known}
        assert sides == known
        assert {ship["at"][2:] for ship in ships} == {"04", "12"}


# what a file may not hold

CLASS = """\
[[class]]
id = "own"
code = "XX"
race = "terran"
name = "Own"
source = "mine"
curve = [[3, 3, 1], [4, 2, 1]]
start = 3
shields = { front = 3, right = 2, rear = 1, left = 2 }
hull = [0, -1]
critical = [2]
explosion = 1
points = 40
[[class.group]]
weapon = "phaser"
count = 1
arcs = ["front", "left"]
red = 1
yellow = 1
"""
SCENARIO = """\
[scenario]
name = "Mine"
source = "mine"
[[side]]
id = "a"
name = "A"
race = "terran"
initiative = true
[[side]]
id = "b"
name = "B"
race = "talon"
[[ship]]
sheet = "terran-ca"
side = "a"
name = "One"
at = "0101"
facing = "n"
[[ship]]
sheet = "talon-ca"
side = "b"
name = "Two"
"""
WEAPON = '[[weapon]]\nid = "x"\nname = "X"\nsource = "s"\n'
BAD = [
    (CLASS, "start = 3", "start = 5", "data-unknown-id"),
    (CLASS, "[[3, 3, 1], [4, 2, 1]]", "[]", "data-empty"),
    (CLASS, "[[3, 3, 1], [4, 2, 1]]", "[[4, 2, 1], [3, 3, 1]]", "data-twice"),
    (CLASS, "[[3, 3, 1], [4, 2, 1]]", "[[3, 3], [4, 2, 1]]", "data-wrong-kind"),
    (CLASS, "[[3, 3, 1], [4, 2, 1]]", "[[3, -3, 1]]", "data-out-of-range"),
    (CLASS, "hull = [0, -1]", "hull = []", "data-empty"),
    (CLASS, "hull = [0, -1]", "hull = [0, 1]", "data-out-of-range"),
    (CLASS, "critical = [2]", "critical = [3]", "data-out-of-range"),
    (CLASS, "front = 3", "front = true", "data-wrong-kind"),
    (CLASS, "front = 3", "bow = 3", "data-not-one-of"),
    (CLASS, '"front", "left"', '"front", "front"', "data-twice"),
    (CLASS, '"front", "left"', '"ahead"', "data-not-one-of"),
    (CLASS, '"front", "left"', "", "data-empty"),
    (CLASS, '"phaser"', '"phasor"', "data-unknown-id"),
    (CLASS, "explosion = 1", 'kind = "squadron"\nexplosion = 1', "data-missing-key"),
    (CLASS, "explosion = 1", "fighters = 3\nexplosion = 1", "data-not-with"),
    (CLASS, "explosion = 1", "explodes = 1", "data-unknown-key"),
    (SCENARIO, "initiative = true", "initiative = false", "data-missing-key"),
    (SCENARIO, '"terran-ca"', '"terran-cax"', "data-unknown-id"),
    (SCENARIO, 'side = "b"', 'side = "c"', "data-unknown-id"),
    (SCENARIO, 'facing = "n"', "", "data-missing-key"),
    (SCENARIO, 'facing = "n"', 'facing = "e"', "data-not-one-of"),
    (SCENARIO, '"0101"', '"A1"', "data-wrong-kind"),
    (SCENARIO, 'side = "b"', 'side = "a"\nat = "0101"\nfacing = "s"', "data-twice"),
]


def mine(text: str, folder: Path) -> Data:
    """The data of a campaign with this rules file of its own."""
    (folder / "rules").mkdir()
    (folder / "rules" / "mine.toml").write_text(f"format = 1\n{text}", encoding="utf-8")
    return load("talon", tables, folder / "rules")


@pytest.fixture
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("GMTOOL_CACHE", str(tmp_path / "cache"))
    return tmp_path


def test_a_campaign_can_have_a_class_and_a_scenario_of_its_own(own_cache: Path) -> None:
    found = mine(f"{SCENARIO}\n{CLASS}", own_cache)
    own = class_from(found["class"]["own"])
    assert (own.row(3), own.row(5), own.groups[0].arcs) == ((3, 3, 1), None, ("front", "left"))
    assert found["scenario"]["mine"]["ship"][1]["sheet"] == "talon-ca"
    assert len(found["class"]) == 20


@pytest.mark.parametrize(("text", "good", "wrong", "key"), BAD)
def test_what_is_wrong_in_a_file_is_said(own_cache: Path, text: str, good: str, wrong: str, key: str) -> None:
    assert text.count(good) >= 1
    with pytest.raises(Refused) as refused:
        mine(text.replace(good, wrong, 1), own_cache)
    assert refused.value.code == "rules-file"
    assert refused.value.key.removesuffix("-near") == key


@pytest.mark.parametrize(
    ("text", "key"),
    [
        (WEAPON, "data-neither"),
        (f"{WEAPON}launch = [1, 4]\nrolls = {{ 1 = [1, 1, 1, 1, 1, 1] }}", "data-both"),
        (f"{WEAPON}rolls = {{ 1 = [1, 1, 1] }}", "data-wrong-kind"),
        ('[[figures]]\nid = "collisions"\nvalue = 3\nrule = "TL-7.4"', "data-unknown-id"),
        ('[[figures]]\nid = "repair"\nvalue = 7\nrule = "TL-8.7"', "data-out-of-range"),
        ('[[critical]]\nid = "13"\nname = "X"\neffect = "none"', "data-wrong-kind"),
        ('[[critical]]\nid = "7"\nname = "X"\neffect = "luck"', "data-not-one-of"),
        ('[[interpretations]]\nid = "tl-1"\nrule = "TL-1"\noptions = ["a"]\ndefault = "a"', "data-too-few"),
        ('[[interpretations]]\nid = "tl-1"\nrule = "TL-1"\noptions = ["a", "b"]\ndefault = "c"', "data-not-one-of"),
    ],
)  # fmt: skip
def test_so_it_is_of_weapons_figures_criticals_and_readings(own_cache: Path, text: str, key: str) -> None:
    with pytest.raises(Refused) as refused:
        mine(text, own_cache)
    assert refused.value.key.removesuffix("-near") == key
