"""What is hidden from a side, listed by hand: every path of the state but those that lie open on the table.

This knows nothing of how the program hides it. The battle is that of ``BATTLE``; it is looked at by the players.
"""

import copy
import io
import os
from collections.abc import Iterator, Mapping
from pathlib import Path as File
from typing import Any, NamedTuple

import pytest

from gmtool.cli.dispatch import execute
from gmtool.cli.errors import refused
from gmtool.cli.main import make_face
from gmtool.cli.reader import Globals, read_argv
from gmtool.kernel.refusal import Refused
from gmtool.kernel.state import decode
from gmtool.referee import opened
from gmtool.render.screen import Screen
from gmtool.store.campaign import Campaign
from gmtool.systems.rtype.model import GRADES, Board

Tables = dict[str, dict[str, Any]]
Path = tuple[str, ...]

ABILITIES = "--body 20 --agility 30 --intelligence 15 --diplomacy 15 --life 50 --spirit 30"
BATTLE = f"""
campaign new Dance --system rtype
side add Players --players --bonus 1 --resource sol=60
side add Bydo --bonus 2 --resource byd=40
pilot add Ren {ABILITIES} --player Ken --skill gunnery=2
pilot add Hana {ABILITIES} --player Mio
pilot add Vex {ABILITIES} --skill gunnery=1
pilot add Orm {ABILITIES}
pilot add Nobody {ABILITIES}
unit add kestrel --side players --pilot ren
unit add round-force --side players
unit add lullaby Ark --side players
unit add hollow-ace Hollow --side bydo --pilot vex
unit add thorn-force Thorn --side bydo
unit add gains --side bydo --count 2
unit add echo --side bydo
unit add shade --side bydo
unit add lullaby Hive --side bydo --pilot orm
place add Reef --facility
place add Ore --resource sol=30
attach kestrel round-force --front
attach hollow thorn --back
stow echo hive
battle start --victory players=destroyed --victory bydo=flagship --flagship ark --flagship hive
initiative --dice "6 6 1 1"
first players
search kestrel gains-1 hollow
"""
SIDE = "players"
PILOTS = {"ren", "hana"}
UNITS = {"kestrel", "round-force", "ark"}
OPEN_UNIT = {"name", "handle", "sheet", "side", "order", "state", "acted", "attached_to", "aboard"}
OPEN_PLACE = {"at", "facing"}
OPEN_BATTLE = {"name", "turn", "phase", "sides", "acting", "winner", "current", "met", "gone"}
SQUAD = ("lead", "A", "B", "C", "D")
WORDS = {"found_by", "since", "victory", "flagships", "declare", "choices", "config"}
"""Maps that hold words; the others hold figures."""


def fill(tables: Tables) -> Tables:
    """More of what there can be: orders taken aside, positions, dues of both sides, a battle put by, marks, holds."""
    units, battle = tables["units"], tables["battle"]["now"]
    tables["map"] = {"now": {"name": "Reef", "columns": 16, "rows": 11, "terrain": {"0304": "reef", "0706": "wall"}}}
    units["shade"].update(state="subspace", at="0505", facing="left")
    units["ark"].update(at="0205", facing="right")
    units["gains-2"].update(at="0808", facing="left")
    units["hive"].update(at="1206", facing="left")
    units["hollow"].update(at="0304", facing="left", hold={"solmonadium": 3}, led_by=None, charge=4)
    units["gains-1"].update(no_counter=True, charge=2, hurt_by_bydo=True)
    units["gains-1"]["hp"].update(D=0, C=40)
    units["gains-2"].update(decoy_of="gains-1", decoy_made=True)
    units["kestrel"].update(charge=3, found_by={"gains-2": "moved"}, at="0101", facing="right")
    tables["pilots"]["vex"].update(state="unconscious", out=True, spirit=0)
    tables["places"]["reef"]["progress"] = {"players": 20, "bydo": 35}
    battle.update(totals={"players": 12, "bydo": 2}, order=["players", "bydo"])
    battle.update(identified={"ren": 1}, known_to={"hive": "players"})
    tables["due"] = {
        "ours": {"what": "fate", "who": "ren", "rule": "RT-5.3", "command": "set due.ours done"},
        "theirs": {"what": "fate", "who": "vex", "rule": "RT-5.3", "command": "set due.theirs done"},
        "also-theirs": {"what": "choose-order", "who": "bydo", "rule": "RT-2.2", "command": "first bydo"},
    }
    lost, felled = {"bydo": ["echo"]}, {"echo": "hive"}
    raid = {"number": 1, "name": "Raid", "session": 0, "turns": 4, "lost": lost, "felled": felled}
    tables["fought"] = {"battle-1": raid}
    tables["careers"] = {
        id: {
            "flown": {"1": ["kestrel"]}, "kills": {"1": ["gains-2", "shade"]}, "friends": {"1": ["ark"]},
            "lost": {"1": ["ark"]}, "wounds": {"1": 7}, "lives": {"1": 1}, "state": {"1": "dying"},
            "where": {"1": "adrift"},
        }
        for id in ("ren", "vex")
    }  # fmt: skip
    tables["falls"] = {"echo": {"unit": "kestrel", "pilot": "ren", "friend": False}}
    tables["parked"] = {"ambush": {"battle": {**copy.deepcopy(battle), "name": "Ambush"}}}
    return tables


def is_open(tables: Tables, path: Path) -> bool:
    """Whether the players may know what stands at a path, with the setting ``figures``."""
    table, id, key, *inner = path
    row = tables[table][id]
    if table == "units":
        on_sheet = key in OPEN_UNIT or (key in OPEN_PLACE and row["state"] != "subspace")
        return id in UNITS or on_sheet or (key == "found_by" and bool(UNITS & {*inner}))
    if table == "battle":
        return key in OPEN_BATTLE or (key in ("victory", "flagships") and inner == [SIDE])
    if table == "sheets":
        return key in ("id", "name", "squad") or any(tables["units"][unit]["sheet"] == id for unit in UNITS)
    return {
        "campaign": key in ("name", "system", "lang", "session"),
        "sides": id == SIDE or key in ("name", "players", "letter", "order"),
        # by a player of his own he becomes the players', where nothing else tells whose he is
        "pilots": id in PILOTS or (key == "player" and row["where"] not in tables["units"]),
        "places": key != "progress" or inner == [SIDE],
        "fought": key in ("number", "name", "session"),
        "careers": id in PILOTS,
        "flights": id in PILOTS,
        "due": row.get("who") in {SIDE, *UNITS, *PILOTS},
        "map": True,  # the sheet itself lies before everybody
    }.get(table, False)


def paths(tables: Tables) -> Iterator[Path]:
    """Every path of the state that holds a word, a figure, a list or an empty map."""

    def below(at: Path, value: Any) -> Iterator[Path]:
        if isinstance(value, dict) and value:
            for key, inner in value.items():
                yield from below((*at, key), inner)
        else:
            yield at

    for table, rows in tables.items():
        for id, row in rows.items():
            if table == "journal":
                continue
            for key, value in row.items():
                yield from below((table, id, key), value)


def otherwise(path: Path, value: Any) -> Any:
    """Another value that could stand at a path."""
    key = path[2]
    if path[0] == "sheets":  # the figures of a sheet; more would be another sheet
        return value + 1 if type(value) is int else value
    if key == "hp" and path[3] in SQUAD and value == 0:
        return 0  # that a craft is gone is seen
    if key == "hold" or key == "ammo" or not isinstance(value, bool | int | str | list | dict | None):
        return value + 1 if isinstance(value, int) else {"solmonadium": 9}
    words = {
        "grade": next(grade for grade in GRADES if grade != value),
        "pilot": "nobody" if value is None or path[0] == "falls" else None,
        "decoy_of": "hollow", "led_by": "hollow", "where": "gains-2", "state": "dying", "fuel": 3, "who": "hive",
        "at": "0909", "config": {"search": "strict"}, "facing": "right", "temperament": "daredevil", "seed": 7,
    }  # fmt: skip
    if key in words and words[key] != value:
        return words[key]
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        return value + 1 if value < 40 else value - 13
    if isinstance(value, list):
        return [*value, "x"]
    if isinstance(value, dict):
        return {"hive": "x"} if key in WORDS else {"hive": 7}
    return f"{value or ''}x"


def at(tables: Tables, path: Path) -> Any:
    """What stands at a path."""
    value: Any = tables
    for step in path:
        value = value[step]
    return value


def put(tables: Tables, path: Path, value: Any) -> None:
    """Another value at a path."""
    at(tables, path[:-1])[path[-1]] = value


def changed(tables: Tables, *which: Path) -> Tables:
    """The same state with other values at some paths; every row still has its shape."""
    new = copy.deepcopy(tables)
    for path in which:
        put(new, path, otherwise(path, at(tables, path)))
    for table, kind in Board.kinds.items():
        for id, row in new.get(table, {}).items():
            decode(kind, row, f"{table}.{id}")
    return new


class Ran(NamedTuple):
    """What a line came to."""

    code: int
    out: str
    err: str


class Tty(io.StringIO):
    """A stream that says it is a terminal."""

    def isatty(self) -> bool:
        return True


class Window:
    """A window on a campaign whose state and open ruling can be put otherwise without a line of its journal."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, tables: Tables, ruling: dict[str, Any] | None = None) -> None:
        self.tables, self.ruling = tables, ruling
        monkeypatch.setattr(Campaign, "tables", property(lambda campaign: self.tables))
        monkeypatch.setattr(opened.openruling, "load", lambda path, notices=None: copy.deepcopy(self.ruling))
        self.face = make_face(io.StringIO(), io.StringIO(), io.StringIO(), os.environ)

    def __call__(self, *argv: str, width: int = 80, tables: Mapping[str, Any] | None = None) -> Ran:
        """Type a line, at a terminal of this width or (0) into a pipe."""
        self.tables = dict(tables) if tables is not None else self.tables
        out, err = (Tty(), Tty()) if width else (io.StringIO(), io.StringIO())
        env = {**os.environ, "NO_COLOR": "1"}
        self.face.out, self.face.err = (Screen(stream, width=width or 100, env=env) for stream in (out, err))
        try:
            line = read_argv(argv)
        except Refused as error:
            self.face.options = Globals()
            return Ran(self.face.show_trouble(refused(error, self.face)), out.getvalue(), err.getvalue())
        code = execute(self.face, line)
        return Ran(code, out.getvalue(), err.getvalue())


def played(home: File, gm: Any, lines: str) -> Tables:
    """Play these lines and give the state they came to."""
    from gmtool.store.campaign import open_campaign

    for line in lines.strip().splitlines():
        ran = gm("run", "-", input=line)
        assert ran.code == 0, (line, ran)
    return copy.deepcopy(dict(open_campaign(home / "dance", write=False).tables))
