"""The shape of a scenario: sides, ships with where they begin, terrain, initiative, victory (TL-3.2, 4.1)."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated, Any, ClassVar, Literal

from gmtool.kernel.shapes import Fault, Text, Whole, YesNo
from gmtool.systems.talon.tables import STRICT, Few, Id, Name, Source

Label = Annotated[str, Text("data-hex", r"^([0-9]{4}|-?[0-9]{1,3}\.-?[0-9]{1,3})$")]
Line = Annotated[str, Text("data-text", r"^[^\x00-\x1f\x7f]*$", 2_000)]
Said = dict[Literal["en", "ja", "ko"], Line]
Yes = Annotated[bool, YesNo()]
FACINGS = ("se", "s", "sw", "nw", "n", "ne")
"""The hexside a ship faces, by number: each a sixth of a turn clockwise from the one before."""
Facing = Literal["se", "s", "sw", "nw", "n", "ne"]
TERRAINS = ("planet", "asteroid", "nebula", "black-hole", "worm-hole")


@dataclass(frozen=True, slots=True, kw_only=True)
class ScenarioSide:
    """A side and its race; ``initiative``: it begins with it (TL-4.2)."""

    __pydantic_config__: ClassVar[dict[str, Any]] = STRICT
    id: Id
    name: Name
    race: Id
    initiative: Yes = False


@dataclass(frozen=True, slots=True, kw_only=True)
class ScenarioShip:
    """A ship, base or squadron: ``at`` and ``facing`` where the scenario says so, else its player deploys it.

    ``area`` is where he may, in words; ``hull`` the boxes already marked, ``speed`` another row than its usual one.
    """

    __pydantic_config__: ClassVar[dict[str, Any]] = STRICT
    sheet: Id
    side: Id
    name: Name
    at: Label | None = None
    facing: Facing | None = None
    area: Said | None = None
    hull: Few = 0
    speed: Few | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ScenarioTerrain:
    """Hexes of one kind of terrain (TL-17 to 19)."""

    __pydantic_config__: ClassVar[dict[str, Any]] = STRICT
    kind: Literal["planet", "asteroid", "nebula", "black-hole", "worm-hole"]
    hexes: tuple[Label, ...]
    name: Name | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Scenario:
    """A scenario whole. ``most`` caps the degree of victory, ``rounds`` ends it; ``source``: where it is known from."""

    __pydantic_config__: ClassVar[dict[str, Any]] = STRICT
    id: Id
    name: Name
    source: Source
    brief: Said | None = None
    most: Literal["minor", "great", "crushing"] = "crushing"
    rounds: Annotated[int | None, Whole(1, 99)] = None
    side: tuple[ScenarioSide, ...] = ()
    ship: tuple[ScenarioShip, ...] = ()
    terrain: tuple[ScenarioTerrain, ...] = ()

    def faults(self) -> Iterator[Fault]:
        """Two sides, one of them with the initiative; each ship on one of them, alone on its hex, with a facing."""
        if len(self.side) != 2:
            yield Fault(("side",), "data-too-few", {"least": 2})
        if sum(side.initiative for side in self.side) != 1:
            yield Fault(("side",), "data-missing-key", {})
        known = [side.id for side in self.side]
        taken = set()
        for n, ship in enumerate(self.ship):
            if ship.side not in known:
                yield Fault(("ship", n, "side"), "data-unknown-id", {"found": ship.side, "known": known})
            if ship.at is not None and ship.facing is None:
                yield Fault(("ship", n, "facing"), "data-missing-key", {})
            if ship.at is not None and (ship.side, ship.at) in taken:
                yield Fault(("ship", n, "at"), "data-twice", {"found": ship.at})
            taken.add((ship.side, ship.at))

    def links(self) -> Iterator[tuple[tuple[str | int, ...], str, str]]:
        """The class of each ship."""
        for n, ship in enumerate(self.ship):
            yield ("ship", n, "sheet"), "class", ship.sheet
