"""The shape of R-TYPE's data (RT-27): craft sheets, the figures a campaign can replace, the interpretations.

The frozen dataclasses here are both the format of the files and what rules read at run time. Whoever compiles
the files validates them with pydantic against these very classes: the marks in the annotations tell pydantic
what is allowed without importing it here, so that reading compiled data costs nothing of it.

Units: distances in hexes, ``hit`` and ``evade`` in percent, everything else in points.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields
from typing import Annotated, Any, ClassVar, Literal

from gmtool.kernel.shapes import (
    JSON,
    NAME_CELLS,
    Fault,
    Interpretation,
    Named,
    NumberOrDice,
    Text,
    Whole,
    YesNo,
    no_double,
)

ID = Text("data-id", r"^[a-z][a-z0-9]*(-[a-z0-9]+)*$", 40)

Id = Annotated[str, ID]
Name = Annotated[str | dict[str, str], Named()]
Count = Annotated[int, Whole(0, 1_000_000)]
Some = Annotated[int, Whole(1, 1_000_000)]
Distance = Annotated[int, Whole(0, 1_000)]
Offset = Annotated[int, Whole(-100, 100)]
Percent = Annotated[int, Whole(-100, 300)]
Yes = Annotated[bool, YesNo()]
Rule = Annotated[str, Text("data-rule", r"^RT-[0-9]+(\.[0-9]+)?$")]
Hex = tuple[Offset, Offset]

Path = Literal["direct", "guided", "deflected"]
Kind = Literal["gun", "missile", "laser", "melee", "ram", "charge", "subspace-buster"]
Squad = Literal["rc", "single", "force", "ship"]
Grade = Literal["clean", "E", "D", "C", "B", "A", "S"]
Temperament = Literal["placid", "daredevil", "all-or-nothing"]
Work = Literal["supply", "repair", "haul", "occupy", "decoy", "subspace", "sonar", "accelerate"]
Trait = Literal["recon", "legend", "shooter", "decisive", "uncarriable"]
Function = Literal[Work, Trait]
SkillCheck = Literal["attack", "evade", "intercept", "initiative", "identify", "search", "any"]

STRICT: dict[str, Any] = {"extra": "forbid", "alias_generator": lambda name: {"weapons": "weapon"}.get(name, name)}
"""How pydantic reads the classes below: no unknown keys; ``weapons`` is written ``[[craft.weapon]]`` in files."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Area:
    """The hexes an area weapon covers, facing right: a shape of a length, or offsets from the firing hex."""

    __pydantic_config__: ClassVar[dict[str, Any]] = STRICT
    shape: Literal["line", "cone", "burst"] | None = None
    length: Annotated[int | None, Whole(1, 1_000)] = None
    offsets: tuple[Hex, ...] | None = None

    def faults(self) -> Iterator[Fault]:
        """Exactly one of shape and offsets; a shape has a length, offsets have none."""
        yield from _exactly_one(self, "shape", "offsets")
        if self.offsets is not None and self.length is not None:
            yield Fault(("length",), "data-not-with", {"other": "offsets"})
        if self.shape is not None and self.length is None:
            yield Fault(("length",), "data-missing-key", {})
        yield from no_double(("offsets",), self.offsets or ())


@dataclass(frozen=True, slots=True, kw_only=True)
class Weapon:
    """One weapon of a sheet. ``ammo`` None is unlimited; ``charge`` is the stage a charge weapon needs."""

    __pydantic_config__: ClassVar[dict[str, Any]] = STRICT
    id: Id
    name: Name
    path: Path
    kind: Kind
    damage: Annotated[int | str, NumberOrDice()]
    hit: Percent
    range: tuple[Distance, Distance] | None = None
    area: Area | None = None
    ammo: Annotated[int | None, Whole(1, 1_000_000)] = None
    charge: Annotated[int | None, Whole(1, 100)] = None
    intercept: Yes = False
    counter: Yes = False

    def faults(self) -> Iterator[Fault]:
        """A range or an area, the nearer distance first; a charge stage for charge weapons and no others."""
        yield from _bad_name(self.name)
        yield from _exactly_one(self, "range", "area")
        if self.range is not None and self.range[0] > self.range[1]:
            yield Fault(("range",), "data-wrong-order", {"found": self.range})
        if self.kind == "charge" and self.charge is None:
            yield Fault(("charge",), "data-missing-key", {})
        if self.kind != "charge" and self.charge is not None:
            yield Fault(("charge",), "data-not-with", {"other": f'kind = "{self.kind}"'})
        if self.area is not None:
            yield from _within(("area",), self.area.faults())


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """A part with hit points of its own, on a hex beside the body's (RT-1.3)."""

    __pydantic_config__: ClassVar[dict[str, Any]] = STRICT
    id: Id
    name: Name
    hex: Hex
    hp: Some


@dataclass(frozen=True, slots=True, kw_only=True)
class Sheet:
    """A craft, force or ship. ``hp`` is each craft's; ``fuel`` None is a unit that needs none (RT-4.23)."""

    __pydantic_config__: ClassVar[dict[str, Any]] = STRICT
    id: Id
    name: Name
    squad: Squad
    hp: Some
    move: Distance
    evade: Percent
    origin: Annotated[str, Text("data-text", r"^[^\x00-\x1f\x7f]*$")] = ""
    level: Distance = 0
    cost: Count = 0
    search: Distance = 0
    fuel: Annotated[int | None, Whole(0, 1_000_000)] = None
    grade: Grade = "clean"
    bydo: Yes = False
    temperament: Temperament = "placid"
    functions: tuple[Function, ...] = ()
    forces: tuple[Id, ...] = ()
    capacity: Count = 0
    hold: Count = 200  # RT-12.9, of each resource; a Mk 2 worker's is three times that
    replacements: Count = 10
    indestructible: Yes = False
    le: Yes = False
    hexes: tuple[Hex, ...] = ((0, 0),)
    parts: tuple[Part, ...] = ()
    weapons: tuple[Weapon, ...] = ()

    def weapon(self, word: str) -> Weapon | None:
        """The weapon of an id, or of its number in sheet order (``1`` to ``9``); None if there is none."""
        numbered = enumerate(self.weapons, 1)
        return next((weapon for number, weapon in numbered if word in (weapon.id, str(number))), None)

    def faults(self) -> Iterator[Fault]:
        """No id, hex or function twice, a body hex, part ids that are no craft's, marks of forces on forces only."""
        yield from _bad_name(self.name)
        if not self.hexes:
            yield Fault(("hexes",), "data-empty", {})
        covered = self.hexes + tuple(part.hex for part in self.parts if part.hex not in self.hexes[1:])
        yield from no_double(("hexes",), covered)
        yield from no_double(("functions",), self.functions)
        yield from no_double(("forces",), self.forces)
        yield from self._marks()
        for place, part in enumerate(self.parts):
            yield from _within(("parts", place), _bad_name(part.name))
            if part.id == "lead":
                yield Fault(("parts", place, "id"), "data-reserved", {"found": part.id})
        for place, weapon in enumerate(self.weapons):
            yield from _within(("weapon", place), weapon.faults())

    def _marks(self) -> Iterator[Fault]:
        if self.squad == "force":
            return
        for mark in ("indestructible", "le"):
            if getattr(self, mark):
                yield Fault((mark,), "data-not-with", {"other": f'squad = "{self.squad}"'})

    def links(self) -> Iterator[tuple[tuple[str | int, ...], str, str]]:
        """The entries this one names: where, in which table, which id."""
        for place, force in enumerate(self.forces):
            yield ("forces", place), "craft", force


def sheet_from(row: Mapping[str, JSON]) -> Sheet:
    """A sheet from compiled JSON or from a campaign's pinned ``sheets`` row; keys it lacks have their defaults."""
    known = _known(Sheet, row)
    for key in ("functions", "forces"):
        known[key] = tuple(row.get(key, ()))
    known["hexes"] = tuple((q, r) for q, r in row.get("hexes", ((0, 0),)))
    known["parts"] = tuple(_part_from(part) for part in row.get("parts", ()))
    known["weapons"] = tuple(_weapon_from(weapon) for weapon in row.get("weapons", ()))
    return Sheet(**known)


def _weapon_from(row: Mapping[str, JSON]) -> Weapon:
    known, span, area = _known(Weapon, row), row.get("range"), row.get("area")
    known["range"] = None if span is None else (span[0], span[1])
    if area is not None:
        offsets = area.get("offsets")
        pairs = None if offsets is None else tuple((q, r) for q, r in offsets)
        known["area"] = Area(shape=area.get("shape"), length=area.get("length"), offsets=pairs)
    return Weapon(**known)


def _part_from(row: Mapping[str, JSON]) -> Part:
    q, r = row["hex"]
    return Part(id=row["id"], name=row["name"], hex=(q, r), hp=row["hp"])


def _known(shape: type[Any], row: Mapping[str, JSON]) -> dict[str, JSON]:
    return {key: row[key] for key in shape.__dataclass_fields__ if key in row}


DiceText = Annotated[str, NumberOrDice()]
Small = Annotated[int, Whole(0, 1_000)]
Divisor = Annotated[int, Whole(1, 1_000)]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class Figures:
    """The figures rules read, one field for each id of ``[[figures]]`` (hyphens for underscores)."""

    turn_minutes: Small  # RT-2.1, of game time
    initiative_dice: DiceText  # RT-2.2
    force_leash: Small  # RT-4.5, hexes between a non-destructible force and its craft
    subspace_times: Divisor  # RT-5.2, move value and fuel for a hex
    subspace_fuel: Small  # RT-5.2, lost at the start of each own phase in subspace
    identify_step: Small  # RT-6.6, %, for each development level of the unit
    focus: Small  # RT-9.4, evade focus, %
    single_divisor: Divisor  # RT-10.2, damage that reaches a single craft is divided by this
    ram_base: Small  # RT-10.4, hit points
    ram_per_level: Small  # RT-10.4, hit points a development level of the target
    knock_back_percent: Small  # RT-10.5, of the damage, when the way is blocked
    escape_excess: Small  # RT-11.2, damage beyond the remaining hit points
    escape_loss: Small  # RT-11.2, life and spirit each
    recovery_dice: DiceText  # RT-11.3, spirit an hour
    bleeding_dice: DiceText  # RT-11.4, life an hour
    repair_percent: Small  # RT-12.4, of the maximum hit points of a single craft
    occupy_percent: Small  # RT-12.8, of a whole unit
    haul_load: Small  # RT-12.9, of the resource
    blast_divisor: Divisor  # RT-12.11, a decoy's hit points are divided by this ...
    blast_times: Small  # RT-12.11, ... and multiplied by this
    repair_divisor: Divisor  # RT-12.2, a repair costs the development cost divided by this
    charge_gain: Small  # RT-13.2, stages a phase
    attack_critical_times: Small  # RT-21.5
    attack_fumble_bars_counter: Yes  # RT-21.5
    evade_critical_takes: Small  # RT-21.5, further hits evaded with it
    evade_fumble_times: Small  # RT-21.5
    intercept_critical_times: Small  # RT-21.7
    life_raise: Small  # RT-22.1, %
    lives: Small  # RT-22.2, of a pilot whose sheet says nothing
    life_cost: Small  # RT-22.2, lives a use
    skill_per_level: Small  # RT-23.4, %
    skill_cost: Small  # RT-23.4, spirit points a use
    single_shots: Small  # RT-24.1, 24.2, evasions against a single craft and what its damage is multiplied by
    invasion_target: Small  # RT-25.7, %
    invasion_step: Small  # RT-25.7, %, less for each step of the Bydo's grade above B
    invasion_reach: Small  # RT-25.7, hexes to the Bydo, on a map
    invasion_rise: Small  # RT-25.7, steps
    hit_rise: Small  # RT-25.7, steps, for a craft that a Bydo has hurt
    rise_most: Small  # RT-25.7, steps a check
    ram_rise: Small  # RT-25.4, steps
    carrier_rise: Small  # RT-12.6, steps, of a ship with contaminated craft aboard
    contamination_step: Small  # RT-25.8, %, less for each step of the craft's grade above C
    contamination_dice: DiceText  # RT-25.8, spirit, for each step above D
    decontamination_divisor: Divisor  # RT-25.9, the development cost is divided by this, for each grade


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class Figure:
    """One figure of a file, the rule it belongs to, and whether the book's figure is known or ours."""

    __pydantic_config__: ClassVar[dict[str, Any]] = STRICT
    id: Id
    value: Annotated[int | str | bool, NumberOrDice(truth=True)]
    rule: Rule
    source: Literal["known", "default", "house"] = "house"

    def faults(self) -> Iterator[Fault]:
        """A figure there is, with a value of its kind and within its limits."""
        kinds = {field.name.replace("_", "-"): field.type for field in fields(Figures)}
        if self.id not in kinds:
            yield Fault(("id",), "data-unknown-id", {"found": self.id, "known": list(kinds)})
            return
        kind: Any = kinds[self.id]
        mark = kind.__metadata__[0]
        if type(self.value) is not kind.__origin__:
            word = {str: "data-dice", bool: "data-yes-or-no"}.get(kind.__origin__, "data-number")
            yield Fault(("value",), "data-wrong-kind", {"found": self.value, "expected": word})
        elif isinstance(mark, Whole) and not mark.low <= int(self.value) <= mark.high:
            yield Fault(("value",), "data-out-of-range", {"value": self.value, "low": mark.low, "high": mark.high})


def figures_from(rows: Mapping[str, Mapping[str, JSON]]) -> Figures:
    """The figures from the compiled ``figures`` table (id -> value, rule, source)."""
    return Figures(**{id.replace("-", "_"): row["value"] for id, row in rows.items()})


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Skill:
    """A skill pilots can have (RT-23.2 to 23.4): the ability and the checks it adds to, and when it is declared.

    ``timing`` is any word: of the skills of one timing a check takes one, those marked ``always`` come on top.
    ``bonus`` (a level) and ``cost`` (spirit a use) are those of the figures where they are left out.
    """

    __pydantic_config__: ClassVar[dict[str, Any]] = {"extra": "forbid"}
    id: Id
    name: Name
    ability: Literal["body", "agility", "intelligence", "diplomacy"]
    checks: tuple[SkillCheck, ...]
    origin: Annotated[str, Text("data-text", r"^[^\x00-\x1f\x7f]*$")] = ""
    weapons: Literal["any", "shooting", "melee"] = "any"
    timing: Id = "declaration"
    always: Yes = False
    bonus: Annotated[int | None, Whole(0, 1_000)] = None
    cost: Annotated[int | None, Whole(0, 1_000)] = None

    def faults(self) -> Iterator[Fault]:
        """A name, at least one check, none twice."""
        yield from _bad_name(self.name)
        if not self.checks:
            yield Fault(("checks",), "data-empty", {})
        yield from no_double(("checks",), self.checks)


def skill_from(row: Mapping[str, JSON]) -> Skill:
    """A skill from compiled JSON."""
    return Skill(**{**_known(Skill, row), "checks": tuple(row["checks"])})


WHOLE = {"map": ("terrain",), "scenario": ("side", "pilot", "unit")}
"""The tables that stand once in a file, as ``[map]``, with those of the file's lists that belong to them."""
MORE = ("tables_map", "tables_scenario")
"""The modules beside this one whose shapes decide too what comes of a file."""


def shapes() -> dict[str, type[Any]]:
    """The tables a rules file of this game may hold, ``[[craft]]`` and so on, and the shape of an entry of each."""
    from gmtool.systems.rtype.tables_map import MapSheet
    from gmtool.systems.rtype.tables_scenario import Scenario

    craft = {"craft": Sheet, "figures": Figure, "interpretations": Interpretation, "skills": Skill}
    return {**craft, "map": MapSheet, "scenario": Scenario}


def _exactly_one(entry: object, one: str, other: str) -> Iterator[Fault]:
    given = [key for key in (one, other) if getattr(entry, key) is not None]
    if len(given) != 1:
        yield Fault((), "data-both" if given else "data-neither", {"one": one, "other": other})


def _bad_name(name: str | Mapping[str, str]) -> Iterator[Fault]:
    """A name in no language, or one too wide: up to 80 cells, Chinese, Japanese and Korean characters being two."""
    from unicodedata import east_asian_width

    texts = {"": name} if isinstance(name, str) else name
    if not texts:
        yield Fault(("name",), "data-empty", {})
    for lang, text in texts.items():
        cells = sum(2 if east_asian_width(char) in "WF" else 1 for char in text)
        if cells > NAME_CELLS:
            yield Fault(("name", lang) if lang else ("name",), "data-too-long", {"cells": cells, "high": NAME_CELLS})


def _within(path: tuple[str | int, ...], faults: Iterator[Fault]) -> Iterator[Fault]:
    for fault in faults:
        yield fault._replace(path=path + fault.path)
