"""The book of a campaign: the sheets pinned in it, the game's own sheets, figures and readings."""

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from gmtool.kernel.fold import LIMIT
from gmtool.kernel.refusal import Id, Refused
from gmtool.kernel.state import Map, State, replace
from gmtool.systems.rtype.model import CRAFT, MODES, TEMPERAMENTS, Unit
from gmtool.systems.rtype.tables import Figures, Sheet, Skill, Weapon, figures_from, sheet_from, skill_from

if TYPE_CHECKING:
    from gmtool.systems.rtype.charts import Chart

SKILL_LEVELS = 10
"""Levels of a skill go from 1 to this (RT-23.2)."""

CLOSED = {
    "units": ("handle", "sheet", "side", "order", "pilot", "attached_to", "aboard", "decoy_of", "led_by", "since"),
    "places": ("kind", "resource"),
    "sides": ("letter", "order", "given"),
    "pilots": ("out", "treated", "fate"),
    "battle": ("acting", "winner", "current", "victory", "flagships"),
    "flights": ("units", "left"),
    "falls": ("unit", "pilot"),
    "fought": ("number", "lost", "felled"),
    "careers": ("flown", "kills", "friends", "lost", "state", "where"),
}
"""Fields that are no matter of setting a word: they tie things together."""

WORDS = {
    "units.state": ("active", "stowed", "subspace", "inactive", "wrecked", "lost"),
    "units.grade": ("clean", "E", "D", "C", "B", "A", "S"),
    "units.swap": MODES,
    "units.facing": ("left", "right"),
    "units.mount": ("front", "back"),
    "units.form": ("accelerated",),
    "units.berthed": ("setup", "unserved", "served", "captured"),
    "units.found_by": ("own-move", "again", "stood", "stood-again", "sonar", "contact"),
    "pilots.state": ("ready", "unconscious", "dying", "bydo", "dead"),
    "pilots.where": ("ashore", "adrift", "recovered", "missing", "captured"),
    "pilots.temperament": TEMPERAMENTS,
    "pilots.swap": MODES,
    "battle.phase": ("setup", "initiative", "first", "second", "over"),
}
"""The words that a field of text may be set to."""


class Book:
    """What the rules look up. A sheet in use is the one pinned in the campaign, whatever the files say today."""

    def __init__(self, state: State, data: Mapping[str, Any]) -> None:
        self._state = state
        self._data = data
        self._sheets: dict[str, Sheet] = {}
        self.figures: Figures = figures_from(data["figures"])

    def sheet(self, id: str) -> Sheet:
        """A sheet by id, the pinned one first."""
        if id not in self._sheets:
            pinned = self._state.row("sheets", id)
            self._sheets[id] = sheet_from(dict(pinned) if pinned is not None else self._data["craft"][id])
        return self._sheets[id]

    def is_squad(self, sheet: str) -> bool:
        """Whether the units of a sheet are RC squads; all others count as single craft (RT-12.15)."""
        return self.sheet(sheet).squad == "rc"

    def is_force(self, sheet: str) -> bool:
        """Whether the units of a sheet are forces, which a craft may carry (RT-4.1)."""
        return self.sheet(sheet).squad == "force"

    def weapon(self, sheet: str, id: str) -> Weapon:
        """A weapon of a sheet by id; the grammar has made sure that it is there."""
        return next(weapon for weapon in self.sheet(sheet).weapons if weapon.id == id)

    def has(self, id: str) -> bool:
        """Whether there is a sheet of this id."""
        return id in self._data["craft"] or self._state.row("sheets", id) is not None

    def json(self, id: str) -> dict[str, Any]:
        """The data of a sheet of the files, as it is pinned when a unit of it is added."""
        data: dict[str, Any] = self._data["craft"][id]
        return data

    def filed(self, id: str) -> dict[str, Any] | None:
        """The data of a sheet as the files have it now; None for one they do not have any more."""
        data: dict[str, Any] | None = self._data["craft"].get(id)
        return data

    def read(self, row: Mapping[str, Any]) -> Sheet:
        """A sheet's data as it is played."""
        return sheet_from(row)

    def at(self, state: State) -> "Book":
        """The same data with what another state has pinned."""
        return Book(state, self._data)

    def sheet_ids(self) -> list[str]:
        """The sheets a unit can be added from, in the order of the files."""
        return list(self._data["craft"])

    def reading(self, id: str) -> str:
        """How this campaign reads an ambiguous rule, for what is only looked at; rulings name it by ``case.choice``."""
        row = self._state.row("campaign", "campaign")
        chosen: str | None = row.choices.get(id) if row else None
        return chosen or str(self._data["interpretations"][id]["default"])

    def skill(self, id: str) -> Skill | None:
        """A skill by id; None for one that no file has (any more)."""
        row = self._data["skills"].get(id)
        return skill_from(row) if row else None

    def skills(self) -> list[Skill]:
        """All skills, in the order of the files (RT-23.4)."""
        return [skill_from(row) for row in self._data["skills"].values()]

    def map(self, id: str) -> "Chart":
        """A map of the files; the only one there is where none is named."""
        from gmtool.systems.rtype.charts import chart_of

        if not id:
            id = self._only_map()
        return chart_of(self._data["map"][id])

    def _only_map(self) -> str:
        """The map that is meant where none is named: the only one."""
        ids = [id for id, _ in self.map_names()]
        if len(ids) != 1:
            raise Refused("bad-value", key="which-map", exit=2, facts={"maps": [Id(id) for id in ids]})
        return ids[0]

    def scenario(self, id: str) -> Mapping[str, Any]:
        """A scenario of the files, as compiled."""
        row: Mapping[str, Any] = self._data["scenario"][id]
        return row

    def has_scenario(self, id: str) -> bool:
        """Whether there is a scenario of this id."""
        return id in self._data["scenario"]

    def scenario_part(self, id: str, part: str) -> str | Mapping[str, str] | None:
        """The words of a scenario: its ``brief``, ``side/ID``, ``pilot/ID``, ``unit/ID``, or ``victory/SIDE``."""
        row = self._data["scenario"][id]
        kind, _, wanted = part.partition("/")
        if kind == "brief":
            brief: Mapping[str, str] | None = row.get("brief")
            return brief
        table = "side" if kind == "victory" else kind
        found = next((each for each in row.get(table, ()) if each["id"] == wanted), None)
        if found is None:
            return None
        if kind != "victory":
            name: str | Mapping[str, str] | None = found.get("name")
            return name
        # of a facility that is to be occupied its name
        return {lang: words.partition(":")[2] or words for lang, words in found["victory"].items()}

    def scenario_names(self) -> Iterable[tuple[str, str | Mapping[str, str]]]:
        """Each scenario's id with its name."""
        return ((id, data["name"]) for id, data in self._data["scenario"].items())

    def map_names(self) -> Iterable[tuple[str, str | Mapping[str, str]]]:
        """Each map's id with its name."""
        return ((id, data.get("name") or id) for id, data in self._data["map"].items())

    def sheet_names(self) -> Iterable[tuple[str, str | Mapping[str, str]]]:
        """Each sheet's id with its name."""
        return ((id, data["name"]) for id, data in self._data["craft"].items())


def move_value(book: Book, unit: Unit) -> int:
    """The sheet's move value; in subspace twice that (RT-3.1, 5.2)."""
    value = book.sheet(unit.sheet).move
    return value * book.figures.subspace_times if unit.state == "subspace" else value


def craft_points(sheet: Sheet) -> dict[str, int]:
    """The most hit points that each craft of a sheet's units can have, and each part."""
    return {**dict.fromkeys(CRAFT, sheet.hp), **{part.id: part.hp for part in sheet.parts}}


def refit(book: Book, table: str, unit: Unit) -> Unit:
    """A unit as its sheet has it now: its craft and parts, the weapons that use ammunition, fuel if it needs any."""
    sheet = book.sheet(unit.sheet)
    craft = CRAFT if sheet.squad == "rc" else CRAFT[:1]
    most = {**dict.fromkeys(craft, sheet.hp), **{part.id: part.hp for part in sheet.parts}}
    shots = {weapon.id: weapon.ammo for weapon in sheet.weapons if weapon.ammo is not None}
    return replace(
        unit,
        hp=Map({id: unit.hp.get(id, points) for id, points in most.items()}),
        ammo=Map({id: unit.ammo.get(id, n) for id, n in shots.items()}),
        fuel=sheet.fuel if None in (unit.fuel, sheet.fuel) else unit.fuel,
    )


def title(name: str | Mapping[str, str], lang: str) -> str:
    """A name in a language; a name without that language gives the first it has."""
    return name if isinstance(name, str) else name.get(lang) or next(iter(name.values()))


def name_of(state: State, book: Book, id: str) -> str | Mapping[str, str] | None:
    """The name of a unit, pilot, side, place, sheet, skill, weapon or part (``sheet/weapon``); None for others."""
    for table in ("units", "pilots", "sides", "places"):
        row = state.row(table, id)
        if row is not None:
            name: str = row.name
            return name
    sheet, slash, weapon = id.partition("/")
    unit = state.row("units", sheet) if slash else None
    # a part of a unit is written as ``unit/part``; a unit may have the id of its sheet
    named = next((part.name for part in book.sheet(unit.sheet).parts if part.id == weapon), None) if unit else None
    if named is not None:
        return named
    if slash and book.has_scenario(sheet):
        return book.scenario_part(sheet, weapon)
    if not book.has(sheet):
        skill = book.skill(id)
        return skill.name if skill else {**dict(book.map_names()), **dict(book.scenario_names())}.get(id)
    if not slash:
        return book.sheet(sheet).name
    row = book.sheet(sheet)
    found = row.weapon(weapon) or next((part for part in row.parts if part.id == weapon), None)
    return found.name if found else None


def limits(state: State, book: Book, table: str, id: str, keys: str) -> tuple[int, int]:
    """The limits of a figure set by hand: never below 0, hit points, fuel and ammunition not above the sheet's.

    A maximum of a pilot's stays at or above what he has of it.
    """
    row: Any = state.row(table, id)
    field, _, key = keys.partition(".")
    if table == "pilots":
        return _pilots_limits(row, field, key)
    if table != "units":
        # RT-23.6, 12.8: a bonus may be a burden, and nobody is further than all the way
        return {"bonus": (-100, 100), "progress": (0, 100)}.get(field, (0, LIMIT))
    if keys == "fuel" and row.fuel is None:
        raise Refused("bad-value", key="needs-no-fuel", rule="RT-4.23", facts={"unit": Id(id)})
    sheet = book.sheet(row.sheet)
    ammo = next((weapon.ammo for weapon in sheet.weapons if field == "ammo" and weapon.id == key), None)
    most = {
        "hp": craft_points(sheet).get(key), "fuel": sheet.fuel, "ammo": ammo, "replacements": sheet.replacements,
        "hold": sheet.hold,
    }.get(field)  # fmt: skip
    return 0, LIMIT if most is None else most


def _pilots_limits(row: Any, field: str, key: str) -> tuple[int, int]:
    """Those of a pilot's figure; life may fall below zero, spirit may not (RT-11.4), skills go by levels (RT-23.2)."""
    if field == "lives":
        now, most = row.lives.get("now", 0), row.lives.get("max", 0)
        return (0, most) if key == "now" else (now, LIMIT)
    return {
        "life": (-LIMIT, row.life_max), "life_max": (max(0, row.life), LIMIT),
        "spirit": (0, row.spirit_max), "spirit_max": (row.spirit, LIMIT), "skills": (1, SKILL_LEVELS),
    }.get(field, (0, LIMIT))  # fmt: skip


def options(state: State, book: Book, table: str, id: str, keys: str) -> tuple[str, ...] | None:
    """The words a text may be set to by hand; who a thing is and who sits where are not set but ruled."""
    field = keys.partition(".")[0]
    row: Any = state.row(table, id)
    if table == "map" or (field == "at" and state.row("map", "now") is not None):
        return ()
    seated = table == "pilots" and field == "where" and state.row("units", row.where) is not None
    if field in CLOSED.get(table, ()) or seated:
        return ()
    return WORDS.get(f"{table}.{field}")
