"""The state of an R-TYPE campaign: sides, pilots, units, the battle. Figures in points, hexes and percent."""

from dataclasses import dataclass
from typing import cast

from gmtool.kernel.common import KINDS, Campaign
from gmtool.kernel.state import Map, State, Table

RC = ("A", "B", "C", "D")
LEAD = "lead"
CRAFT = (LEAD, *RC)
OUT = ("unconscious", "dead")
MODES = ("swap", "fixed", "reverse")
TEMPERAMENTS = ("placid", "daredevil", "all-or-nothing")


@dataclass(frozen=True)
class Side:
    """A side: whether players lead it, the letter of its handles, how many handles it has given, its order."""

    name: str
    players: bool
    letter: str
    order: int
    given: int = 0
    resources: Map[int] = Map()


@dataclass(frozen=True)
class Pilot:
    """A pilot with abilities in percent, life and spirit in points (RT-23.1).

    ``state`` is the worst that holds: ready, unconscious, dying, bydo, dead. ``where``: a unit's id, or ashore,
    adrift, recovered, missing, captured. ``swap``: swap, fixed or reverse (RT-20.3).
    """

    name: str
    player: str | None
    body: int
    agility: int
    intelligence: int
    diplomacy: int
    life: int
    spirit: int
    life_max: int
    spirit_max: int
    temperament: str = "placid"
    lives: Map[int] = Map()
    skills: Map[int] = Map()
    state: str = "ready"
    where: str = "ashore"
    swap: str = "swap"


@dataclass(frozen=True)
class Unit:
    """A unit of one side. ``hp`` holds the lead and, of an RC squad, the craft A to D (a missing craft is 0).

    ``state``: active, stowed, subspace, inactive, wrecked, lost. ``moved`` counts the hexes of this phase;
    ``no_counter`` bars counters until its next phase (RT-21.5); ``swap`` says how its dice are read (RT-20.3).
    """

    name: str
    handle: str
    sheet: str
    side: str
    order: int
    pilot: str | None
    hp: Map[int]
    fuel: int | None
    grade: str
    ammo: Map[int]
    charge: int = 0
    at: str | None = None
    facing: str | None = None
    acted: bool = False
    moved: int = 0
    no_counter: bool = False
    found_by: Map[str] = Map()
    attached_to: str | None = None
    aboard: str | None = None
    replacements: int = 10
    state: str = "active"
    swap: str = "swap"

    @property
    def rc_left(self) -> tuple[str, ...]:
        """The RC craft that still fly, in the order A to D."""
        points = self.hp
        return tuple([craft for craft in RC if points.get(craft)])


@dataclass(frozen=True)
class Battle:
    """The battle: turn, phase (setup initiative first second over), who acts, who won the initiative."""

    name: str
    turn: int
    phase: str
    sides: tuple[str, ...]
    acting: str | None = None
    winner: str | None = None
    order: tuple[str, ...] = ()
    totals: Map[int] = Map()


class Board(State):
    """The state as the rules read it."""

    kinds = {**KINDS, "sides": Side, "pilots": Pilot, "units": Unit, "battle": Battle}

    @property
    def campaign(self) -> Campaign:
        """The settings of the campaign."""
        return cast(Campaign, self.row("campaign", "campaign"))

    @property
    def units(self) -> Table[Unit]:
        """All units by id, those out of the battle too."""
        return self.table("units")

    @property
    def pilots(self) -> Table[Pilot]:
        """All pilots by id, the dead too."""
        return self.table("pilots")

    @property
    def sides(self) -> Table[Side]:
        """The sides by id."""
        return self.table("sides")

    @property
    def battle(self) -> Battle | None:
        """The battle that is on, or the last one; None before the first."""
        return cast("Battle | None", self.row("battle", "now"))

    def pilot_of(self, unit: Unit) -> Pilot | None:
        """The pilot at the controls, if there is one and he is neither unconscious nor dead (RT-7.3)."""
        pilot = self.pilots[unit.pilot] if unit.pilot else None
        return None if pilot is None or pilot.state in OUT else pilot

    def of_side(self, side: str) -> list[tuple[str, Unit]]:
        """The units of a side as the board lists them."""
        return sorted(((id, unit) for id, unit in self.units.items() if unit.side == side), key=lambda u: u[1].order)

    def sides_in_order(self) -> list[str]:
        """The sides as they are asked: players first, then in the order they were made."""
        return sorted(self.sides, key=lambda id: (not self.sides[id].players, self.sides[id].order))
