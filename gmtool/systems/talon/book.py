"""The book of a campaign of Talon: the classes pinned in it, the weapons, the chart, the criticals, the figures."""

from collections.abc import Iterable, Mapping
from typing import Any

from gmtool.kernel.fold import LIMIT
from gmtool.kernel.state import Map, State, replace
from gmtool.systems.talon.bars import kept
from gmtool.systems.talon.model import PHASES, STATES, STEPS, Missile, Ship
from gmtool.systems.talon.tables import (
    LETTERS,
    Critical,
    Figures,
    ShipClass,
    Weapon,
    class_from,
    critical_from,
    figures_from,
    weapon_from,
)  # fmt: skip

NamesByLang = str | Mapping[str, str]
CLOSED = {
    "sides": ("letter", "order", "given", "race"),
    "ships": ("handle", "sheet", "side", "order", "lost", "tried", "at", "facing", "inside", "markers", "crits"),
    "missiles": ("handle", "side", "order", "sheet", "at"),
    "terrain": ("kind", "at"),
    "battle": ("sides", "initiative", "acting", "firing", "done", "wrecks", "winner"),
}
"""Fields that are no matter of setting a word: they tie things together, or have a verb of their own (``deploy``)."""
WORDS = {
    "ships.state": STATES,
    "missiles.state": STATES,
    "ships.initiative": ("change", "defend"),
    "battle.phase": PHASES,
    "battle.step": STEPS,
    "battle.impulse": LETTERS,
    "battle.most": ("minor", "great", "crushing"),
}
"""The words that a field of text may be set to."""


class Book:
    """What the rules look up. A class in use is the one pinned in the campaign, whatever the files say today."""

    def __init__(self, state: State, data: Mapping[str, Any]) -> None:
        self._state = state
        self._data = data
        self._classes: dict[str, ShipClass] = {}
        self._weapons: dict[str, Weapon] = {}
        self.figures: Figures = figures_from(data["figures"])

    def ship_class(self, id: str) -> ShipClass:
        """A class by id, the pinned one first."""
        if id not in self._classes:
            pinned = self._state.row("sheets", id)
            self._classes[id] = class_from(dict(pinned) if pinned is not None else self._data["class"][id])
        return self._classes[id]

    def has(self, id: str) -> bool:
        """Whether there is a class of this id."""
        return id in self._data["class"] or self._state.row("sheets", id) is not None

    def json(self, id: str) -> dict[str, Any]:
        """The data of a class, as it is pinned when a ship of it is added."""
        data: dict[str, Any] = self._data["class"][id]
        return data

    def filed(self, id: str) -> dict[str, Any] | None:
        """The data of a class as the files have it now; None for one they do not have any more."""
        data: dict[str, Any] | None = self._data["class"].get(id)
        return data

    def read(self, row: Mapping[str, Any]) -> ShipClass:
        """A class's data as it is played."""
        return class_from(row)

    def at(self, state: State) -> "Book":
        """The same data with what another state has pinned."""
        return Book(state, self._data)

    def class_names(self) -> Iterable[tuple[str, NamesByLang]]:
        """Each class's id with its name."""
        return ((id, row["name"]) for id, row in self._data["class"].items())

    def class_ids(self) -> list[str]:
        """The classes in the order of the files."""
        return list(self._data["class"])

    def races(self) -> list[str]:
        """The races that any class is of, in the order of the files."""
        return list(dict.fromkeys(row["race"] for row in self._data["class"].values()))

    def weapon(self, id: str) -> Weapon:
        """A weapon by id."""
        if id not in self._weapons:
            self._weapons[id] = weapon_from(self._data["weapon"][id])
        return self._weapons[id]

    def listed(self, impulse: str) -> tuple[int, ...]:
        """The powers and speeds that act in an impulse (TL-4.1)."""
        return tuple(self._data["impulse"][impulse.lower()]["values"])

    @property
    def most_ap(self) -> int:
        """The most AP that the chart gives a ship in one impulse: one by the book (TL-5.1)."""
        return max([self.listed(letter).count(n) for letter in LETTERS for n in self.listed(letter)], default=0)

    def impulses_of(self, n: int) -> str:
        """The letters of the impulses in which a power or speed acts."""
        return "".join(letter for letter in LETTERS if n in self.listed(letter))

    def critical(self, total: int) -> Critical:
        """The row of the critical table for 2D6 (TL-8.5)."""
        return critical_from(self._data["critical"][str(total)])

    def reading(self, id: str) -> str:
        """How this campaign reads an ambiguous rule, for what is only looked at; rulings name it by ``case.choice``."""
        row = self._state.row("campaign", "campaign")
        chosen: str | None = row.choices.get(id) if row else None
        return chosen or str(self._data["interpretations"][id]["default"])

    def scenario(self, id: str) -> Mapping[str, Any]:
        """A scenario of the files, as compiled."""
        row: Mapping[str, Any] = self._data["scenario"][id]
        return row

    def scenario_names(self) -> Iterable[tuple[str, NamesByLang]]:
        """Each scenario's id with its name."""
        return ((id, row["name"]) for id, row in self._data["scenario"].items())

    def scenario_part(self, id: str, part: str) -> NamesByLang | None:
        """The words of a scenario: its ``brief``, ``side/ID``, or ``area/N``: where its ship N may be deployed."""
        row = self._data["scenario"][id]
        kind, _, wanted = part.partition("/")
        if kind == "area":
            area: NamesByLang | None = row["ship"][int(wanted)].get("area")
            return area
        sides: dict[str, NamesByLang] = {side["id"]: side["name"] for side in row["side"]}
        return row.get("brief") if kind == "brief" else sides.get(wanted)

    def data_name(self, id: str) -> NamesByLang | None:
        """The name of a class, weapon, critical (``critical/11``), scenario, or what is said of one (``ID/brief``)."""
        table, slash, rest = id.partition("/")
        if slash and table in self._data["scenario"] and rest.partition("/")[0] in ("brief", "side", "area"):
            return self.scenario_part(table, rest)
        if slash and rest == "source" and self.has(table):
            return self.ship_class(table).source
        if slash and table in self._data:
            row = self._data[table].get(rest)
            return None if row is None else row["name"]
        for table in ("class", "weapon", "scenario"):
            if id in self._data[table]:
                name: NamesByLang = self._data[table][id]["name"]
                return name
        return None


def title(name: NamesByLang, lang: str) -> str:
    """A name of the data in a language, else in English, else in whatever there is."""
    return name if isinstance(name, str) else name.get(lang) or name.get("en") or next(iter(name.values()))


def name_of(state: State, book: Book, id: str) -> NamesByLang | None:
    """The name of whatever has this id: a side, ship, missile, terrain, class, weapon, ``SHIP/GROUP``."""
    for table in ("sides", "ships", "missiles", "terrain"):
        row = state.row(table, id)
        if row is not None:
            return str(row.name)
    owner, slash, part = id.partition("/")
    ship = state.row("ships", owner) if slash else None
    return f"{ship.name}/{part}" if ship is not None else book.data_name(id)


def refit(book: Book, table: str, row: Ship | Missile) -> Ship | Missile:
    """A ship as its class has it now: its arcs and bars; power, speed and turn radius stay as written."""
    if isinstance(row, Missile):
        return row
    sheet = book.ship_class(row.sheet)
    bars = kept(sheet, row)  # one that is destroyed does not come back
    arcs = {str(arc): boxes for arc, boxes in (sheet.shields or {}).items()}
    return replace(
        row,
        shields=Map({arc: row.shields.get(arc, boxes) for arc, boxes in arcs.items()}),
        red=Map({bar: row.red.get(bar, group.red) for bar, group in bars.items()}),
        yellow=Map({bar: row.yellow.get(bar, group.yellow) for bar, group in bars.items()}),
    )


def limits(state: State, book: Book, table: str, id: str, keys: str) -> tuple[int, int]:
    """What a figure may be set to by hand: nothing below zero but written power; of a ship what its class has."""
    field, _, key = keys.partition(".")
    if field == "facing":
        return 0, 5
    if table != "ships":
        return 0, LIMIT
    if field == "power":
        return -99, 99
    if field == "ap":
        return 0, book.most_ap
    row: Any = state.row(table, id)
    return 0, _most(row, book.ship_class(row.sheet), field, key)


def _most(ship: Ship, sheet: ShipClass, field: str, key: str) -> int:
    """The most that a figure of a ship can be: a box, a box left of a fighter, a hex of the chart is all there is."""
    group = kept(sheet, ship).get(key)
    most: dict[str, int] = {
        "shields": {str(arc): boxes for arc, boxes in (sheet.shields or {}).items()}.get(key, 0),
        "hull": len(sheet.hull),
        "fighters": len(sheet.hull) - 1,
        "red": group.red if group else 0,
        "yellow": group.yellow if group else 0,
        "burners": sheet.afterburners,
        "speed": len(LETTERS),
    }
    return most.get(field, LIMIT)


def options(state: State, book: Book, table: str, id: str, keys: str) -> tuple[str, ...] | None:
    """The words a text may be set to by hand; who a thing is is not set but ruled."""
    field = keys.partition(".")[0]
    if field in CLOSED.get(table, ()):
        return ()
    if (table, field) == ("missiles", "target"):
        return tuple(state.ids("ships"))
    return WORDS.get(f"{table}.{field}")
