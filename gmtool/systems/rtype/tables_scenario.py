"""The shape of a scenario: a brief, a map, both sides with their pilots and units, deployment and victory."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Annotated, Any, ClassVar, Literal

from gmtool.kernel.shapes import Fault, Text, Whole, YesNo
from gmtool.systems.rtype.model import goal
from gmtool.systems.rtype.tables import STRICT, Id, Name, Temperament, Yes

Percent = Annotated[int, Whole(0, 200)]
Points = Annotated[int, Whole(0, 1_000)]
Level = Annotated[int, Whole(1, 10)]
Amount = Annotated[int, Whole(0, 1_000_000)]
Label = Annotated[str, Text("data-hex", r"^[0-9]{4}$")]
Line = Annotated[str, Text("data-text", r"^[^\x00-\x1f\x7f]*$", 2_000)]
Said = dict[Literal["en", "ja", "ko"], Line]


@dataclass(frozen=True, slots=True, kw_only=True)
class ScenarioSide:
    """A side: ``victory`` as the verb takes it, by language where words are said; a unit by its id here (RT-13.4)."""

    __pydantic_config__: ClassVar[dict[str, Any]] = STRICT
    id: Id
    name: Name
    players: Yes = False
    bonus: Annotated[int, Whole(-100, 100)] = 0
    resources: dict[Literal["solmonadium", "etherium", "bydogen"], Amount] | None = None
    victory: Said | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ScenarioPilot:
    """A pilot, with the figures of his sheet (RT-23.1)."""

    __pydantic_config__: ClassVar[dict[str, Any]] = STRICT
    id: Id
    name: Name
    body: Percent
    agility: Percent
    intelligence: Percent
    diplomacy: Percent
    life: Points
    spirit: Points
    temperament: Temperament = "placid"
    lives: Annotated[int | None, Whole(0, 100)] = None
    skills: dict[str, Level] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ScenarioUnit:
    """A unit: where it stands and faces, or its ship; ``force`` is attached to it at ``mount`` (RT-1.1, 1.5)."""

    __pydantic_config__: ClassVar[dict[str, Any]] = STRICT
    id: Id
    sheet: Id
    side: Id
    name: Name | None = None
    pilot: Id | None = None
    at: Label | None = None
    facing: Literal["left", "right"] | None = None
    aboard: Id | None = None
    force: Id | None = None
    mount: Literal["front", "back"] = "front"
    flagship: Annotated[bool, YesNo()] = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Scenario:
    """A scenario whole. ``map`` is that of the same file where none is named."""

    __pydantic_config__: ClassVar[dict[str, Any]] = STRICT
    id: Id
    name: Name
    map: Id
    brief: Said | None = None
    side: tuple[ScenarioSide, ...] = ()
    pilot: tuple[ScenarioPilot, ...] = ()
    unit: tuple[ScenarioUnit, ...] = ()

    def faults(self) -> Iterator[Fault]:
        """Two sides at least; whatever is named is there; what only one can have is given once."""
        if len(self.side) < 2:
            yield Fault(("side",), "data-too-few", {"least": 2})
        units = [each.id for each in self.unit]
        yield from _twice("side", "name", (tuple(_said(side.name)) for side in self.side))
        yield from _twice("unit", "pilot", ((unit.pilot,) if unit.pilot else () for unit in self.unit))
        yield from _twice("unit", "flagship", ((unit.side,) if unit.flagship else () for unit in self.unit))
        for n, side in enumerate(self.side):
            yield from self._victory(n, side, units)
        known = {"side": [each.id for each in self.side], "pilot": [each.id for each in self.pilot]}
        for n, unit in enumerate(self.unit):
            for key, among in (("side", known["side"]), ("pilot", known["pilot"]), ("aboard", units), ("force", units)):
                named = getattr(unit, key)
                if named is not None and named not in among:
                    yield Fault(("unit", n, key), "data-unknown-id", {"found": named, "known": among})
            if unit.at is not None and unit.aboard is not None:
                yield Fault(("unit", n, "aboard"), "data-not-with", {"other": "at"})

    def _victory(self, n: int, side: ScenarioSide, units: list[str]) -> Iterator[Fault]:
        """A condition that can be said: a unit there is, flagships for all sides (RT-13.4)."""
        for lang, words in (side.victory or {}).items():
            kind, named = goal(words)
            if not words.strip():
                yield Fault(("side", n, "victory", lang), "data-empty", {})
            if kind == "destroyed" and named and named not in units:
                yield Fault(("side", n, "victory", lang), "data-unknown-id", {"found": named, "known": units})
            if kind == "flagship":
                yield from self._flagships()

    def _flagships(self) -> Iterator[Fault]:
        """A flagship missing, told at the first unit of its side."""
        named = {unit.side for unit in self.unit if unit.flagship}
        for side in self.side:
            first = next((n for n, unit in enumerate(self.unit) if unit.side == side.id), None)
            if side.id not in named and first is not None:
                yield Fault(("unit", first, "flagship"), "data-missing-key", {})

    def links(self) -> Iterator[tuple[tuple[str | int, ...], str, str]]:
        """The map, each unit's sheet, each pilot's skills."""
        yield ("map",), "map", self.map
        for n, pilot in enumerate(self.pilot):
            yield from ((("pilot", n, "skills", skill), "skills", skill) for skill in pilot.skills or ())
        for n, unit in enumerate(self.unit):
            yield ("unit", n, "sheet"), "craft", unit.sheet


def _said(name: str | dict[str, str]) -> Iterable[str]:
    """A name in each of its languages."""
    return {name} if isinstance(name, str) else set(name.values())


def _twice(table: str, key: str, given: Iterable[tuple[str, ...]]) -> Iterator[Fault]:
    """What more than one entry has that only one can have."""
    seen: set[str] = set()
    for n, words in enumerate(given):
        yield from (Fault((table, n, key), "data-twice", {"found": word}) for word in words if word in seen)
        seen |= set(words)
