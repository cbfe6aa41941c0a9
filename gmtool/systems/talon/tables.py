"""The shape of Talon's data: ship classes, weapons, the impulse chart, criticals, names, figures, readings.

The frozen dataclasses here are both the format of the files and what rules read at run time; the marks in their
annotations tell pydantic what is allowed without importing it here. Everything in them can be replaced by a campaign.

Units: distances in hexes, power in AP a round, speed in hexes a round, damage in boxes.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields
from typing import Annotated, Any, ClassVar, Literal

from gmtool.kernel.shapes import JSON, PLAIN_NAME, Fault, Interpretation, Named, Text, Whole, YesNo, no_double

Id = Annotated[str, Text("data-id", r"^[a-z0-9]+(-[a-z0-9]+)*$", 40)]
Name = Annotated[str | dict[str, str], Named()]
Rule = Annotated[str, Text("data-rule", r"^TL-[0-9]+(\.[0-9]+)*$")]
Source = Annotated[str, Text("data-text", r"^[^\x00-\x1f\x7f]*$")]
Few = Annotated[int, Whole(0, 99)]
Some = Annotated[int, Whole(1, 99)]
Modifier = Annotated[int, Whole(-99, 0)]
Yes = Annotated[bool, YesNo()]
Plain = Annotated[str, PLAIN_NAME]

Arc = Literal["front", "right", "rear", "left"]
ARCS: tuple[Arc, ...] = ("front", "right", "rear", "left")
"""The four arcs, of fire and of shields alike, in the order of the ship's record (TL-5.3.1, 5.3.2)."""
Kind = Literal["ship", "base", "squadron", "transport", "carrier"]
LETTERS = ("A", "B", "C", "D", "E", "F")
Letter = Literal["A", "B", "C", "D", "E", "F"]
Effect = Literal[
    "none", "hull", "shields-down", "helm-down", "group-lost", "turn", "power", "ftl-offline", "power-loss", "destroyed"
]

STRICT: dict[str, Any] = {"extra": "forbid", "alias_generator": lambda name: {"groups": "group"}.get(name, name)}
"""How pydantic reads the classes below: no unknown keys; ``groups`` is written ``[[class.group]]`` in files."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Group:
    """Weapons that share one bar and one set of arcs: how many, its ``red`` and ``yellow`` boxes (TL-5.1, 8.1.1)."""

    __pydantic_config__: ClassVar[dict[str, Any]] = STRICT
    weapon: Id
    count: Some
    arcs: tuple[Arc, ...]
    red: Few
    yellow: Few

    def faults(self) -> Iterator[Fault]:
        """An arc at least, none twice; a bar that can be filled."""
        if not self.arcs:
            yield Fault(("arcs",), "data-empty", {})
        yield from no_double(("arcs",), self.arcs)


@dataclass(frozen=True, slots=True, kw_only=True)
class ShipClass:
    """A class of ships, bases or squadrons (TL-5.1 to 5.4).

    ``curve`` are the rows power, speed, turn radius from the fastest to the slowest; ``start`` is the speed of the row
    it begins at. ``hull`` has the modifier of each box from left to right, ``critical`` the numbers of the critical
    boxes, counted from 1. Of a squadron ``fighters`` are how many it has, each with that hull and those groups.
    """

    __pydantic_config__: ClassVar[dict[str, Any]] = STRICT
    id: Id
    code: Annotated[str, Text("data-text", r"^[A-Za-z0-9-]{1,8}$")]
    race: Id
    name: Name
    source: Name
    kind: Kind = "ship"
    curve: tuple[tuple[Few, Few, Few], ...]
    start: Few
    shields: dict[Arc, Few] | None = None
    hull: tuple[Modifier, ...]
    critical: tuple[Some, ...] = ()
    groups: tuple[Group, ...] = ()
    battery: Yes = False
    afterburners: Few = 0
    explosion: Few
    points: Annotated[int, Whole(0, 100_000)]
    fighters: Some | None = None
    names: tuple[Plain, ...] = ()

    def faults(self) -> Iterator[Fault]:
        """Rows by falling speed, the start among them; critical boxes that are there; fighters of squadrons only."""
        speeds = [speed for _, speed, _ in self.curve]
        if not self.curve:
            yield Fault(("curve",), "data-empty", {})
        if speeds != sorted(set(speeds), reverse=True):
            yield Fault(("curve",), "data-twice", {"found": str(speeds)})
        if self.start not in speeds:
            known = [str(speed) for speed in speeds]
            yield Fault(("start",), "data-unknown-id", {"found": str(self.start), "known": known})
        if not self.hull:
            yield Fault(("hull",), "data-empty", {})
        for box in self.critical:
            if box > len(self.hull):
                yield Fault(("critical",), "data-out-of-range", {"value": box, "low": 1, "high": len(self.hull)})
        if (self.fighters is not None) != (self.kind == "squadron"):
            key = "data-missing-key" if self.fighters is None else "data-not-with"
            yield Fault(("fighters",), key, {} if self.fighters is None else {"other": f'kind = "{self.kind}"'})
        for n, group in enumerate(self.groups):
            yield from (fault._replace(path=("group", n, *fault.path)) for fault in group.faults())

    def links(self) -> Iterator[tuple[tuple[str | int, ...], str, str]]:
        """The weapons of its groups."""
        for n, group in enumerate(self.groups):
            yield ("group", n, "weapon"), "weapon", group.weapon

    def row(self, speed: int) -> tuple[int, int, int] | None:
        """The row of a speed; None where the class has none."""
        return next((row for row in self.curve if row[1] == speed), None)


@dataclass(frozen=True, slots=True, kw_only=True)
class Weapon:
    """A weapon: the damage of each roll 1 to 6 at each range; what is missing there is out of range (TL-8.3).

    ``push``: a hit moves its target one hex first (TL-15.1). ``cone``: it strikes all in its arc (TL-15.2). ``speed``:
    it is a missile, launched within the ranges named, which then goes so fast and does ``damage`` (TL-13).
    """

    __pydantic_config__: ClassVar[dict[str, Any]] = STRICT
    id: Id
    name: Name
    source: Source
    rolls: dict[Annotated[str, Text("data-number", r"^[1-9]$")], tuple[Few, Few, Few, Few, Few, Few]] | None = None
    push: Yes = False
    cone: Yes = False
    speed: Few = 0
    launch: tuple[Some, Some] | None = None
    damage: Few = 0

    def faults(self) -> Iterator[Fault]:
        """A table of rolls, or a launch."""
        if (self.rolls is None) == (self.launch is None):
            key = "data-both" if self.rolls is not None else "data-neither"
            yield Fault((), key, {"one": "rolls", "other": "launch"})

    @property
    def ranges(self) -> tuple[int, ...]:
        """The ranges it reaches, from near to far (TL-8.3, 13.2)."""
        if self.launch is not None:
            return tuple(range(self.launch[0], self.launch[1] + 1))
        return tuple(sorted(map(int, self.rolls or ())))

    def at(self, range: int) -> tuple[int, ...] | None:
        """The damage of rolls 1 to 6 at a range; None where the weapon does not reach it."""
        return None if self.rolls is None else self.rolls.get(str(range))


@dataclass(frozen=True, slots=True, kw_only=True)
class Impulse:
    """A column of the impulse chart: the powers and speeds that act in it (TL-4.1)."""

    __pydantic_config__: ClassVar[dict[str, Any]] = STRICT
    id: Annotated[str, Text("data-id", r"^[a-f]$")]
    values: tuple[Few, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Critical:
    """A row of the critical table: the total of 2D6, what it does, how often, and whether a six repairs it (TL-8.5)."""

    __pydantic_config__: ClassVar[dict[str, Any]] = STRICT
    id: Annotated[str, Text("data-number", r"^([2-9]|1[0-2])$")]
    name: Name
    effect: Effect
    hull: Few = 0
    repair: Yes = False
    most: Some = 1
    bases: Yes = True


@dataclass(frozen=True, slots=True, kw_only=True)
class Figures:
    """Figures of the rules that a campaign can replace; ids in files are written with hyphens."""

    collision: Few
    reinforcements: Few
    send_range: Few
    retreat_distance: Few
    squadrons: Few
    repair: Annotated[int, Whole(1, 6)]
    asteroid: Few
    die_modifier: Few
    missile_toughness: Some
    same_hex: Few
    hole_clear: Few
    pull_range: Annotated[int, Whole(0, 999)]
    map_columns: Few
    map_rows: Few
    great: Annotated[int, Whole(0, 10_000)]
    crushing: Annotated[int, Whole(0, 10_000)]
    lifetime_minor: Few
    lifetime_great: Few
    lifetime_crushing: Few


@dataclass(frozen=True, slots=True, kw_only=True)
class Figure:
    """One figure of a file, the rule it belongs to, and whether it is the book's or ours."""

    __pydantic_config__: ClassVar[dict[str, Any]] = STRICT
    id: Id
    value: Annotated[int, Whole(0, 10_000)]
    rule: Rule
    source: Literal["known", "default", "house"] = "house"

    def faults(self) -> Iterator[Fault]:
        """A figure there is, within its limits."""
        kinds: dict[str, Any] = {field.name.replace("_", "-"): field.type for field in fields(Figures)}
        if self.id not in kinds:
            yield Fault(("id",), "data-unknown-id", {"found": self.id, "known": list(kinds)})
            return
        mark = kinds[self.id].__metadata__[0]
        if not mark.low <= self.value <= mark.high:
            yield Fault(("value",), "data-out-of-range", {"value": self.value, "low": mark.low, "high": mark.high})


def class_from(row: Mapping[str, JSON]) -> ShipClass:
    """A ship class from compiled JSON."""
    groups = tuple(Group(**{**group, "arcs": tuple(group["arcs"])}) for group in row.get("groups", ()))
    curve = tuple((power, speed, turn) for power, speed, turn in row["curve"])
    lists = {key: tuple(row.get(key, ())) for key in ("hull", "critical", "names")}
    return ShipClass(**{**_known(ShipClass, row), **lists, "groups": groups, "curve": curve})


def weapon_from(row: Mapping[str, JSON]) -> Weapon:
    """A weapon from compiled JSON."""
    rolls = row.get("rolls")
    launch = row.get("launch")
    return Weapon(**{
        **_known(Weapon, row),
        "rolls": {range: tuple(damage) for range, damage in rolls.items()} if rolls else None,
        "launch": (launch[0], launch[1]) if launch else None,
    })  # fmt: skip


def critical_from(row: Mapping[str, JSON]) -> Critical:
    """A row of the critical table from compiled JSON."""
    return Critical(**_known(Critical, row))


def figures_from(rows: Mapping[str, Mapping[str, JSON]]) -> Figures:
    """The figures from the compiled ``figures`` table."""
    return Figures(**{id.replace("-", "_"): row["value"] for id, row in rows.items()})


def _known(kind: type[Any], row: Mapping[str, JSON]) -> dict[str, Any]:
    """The keys of a compiled row that the class has."""
    names = {field.name for field in fields(kind)}
    return {key: value for key, value in row.items() if key in names}


WHOLE = {"scenario": ("side", "ship", "terrain")}
"""The tables that stand once in a file, with those of the file's lists that belong to them."""
MORE: tuple[str, ...] = ("tables_scenario",)
"""The modules beside this one whose shapes decide too what comes of a file."""


def shapes() -> dict[str, type[Any]]:
    """The tables a rules file of this game may hold, and the shape of an entry of each."""
    from gmtool.systems.talon.tables_scenario import Scenario

    return {
        "class": ShipClass, "weapon": Weapon, "impulse": Impulse, "critical": Critical, "figures": Figure,
        "interpretations": Interpretation, "scenario": Scenario,
    }  # fmt: skip
