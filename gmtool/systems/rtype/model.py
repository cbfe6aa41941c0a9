"""The state of an R-TYPE campaign: sides, pilots, units, the battle. Figures in points, hexes and percent."""

from dataclasses import dataclass
from typing import cast

from gmtool.kernel.common import KINDS, Campaign
from gmtool.kernel.state import Map, Raw, State, Table, replace
from gmtool.systems.rtype.careers import Career, Fall, Flight, Fought

RC = ("A", "B", "C", "D")
LEAD = "lead"
CRAFT = (LEAD, *RC)
OUT = ("unconscious", "dead")
GONE = ("wrecked", "lost")
FATES = ("recovered", "missing", "captured")
RESOURCES = ("solmonadium", "etherium", "bydogen")
GRADES = ("clean", "E", "D", "C", "B", "A", "S")
MODES = ("swap", "fixed", "reverse")
FIGURES, UNFOUND, FACE_DOWN, OPEN = HIDDEN = ("figures", "unfound", "face-down", "open")
TEMPERAMENTS = ("placid", "daredevil", "all-or-nothing")
CONDITIONS = ("destroyed", "flagship", "facility")
"""What a side can win by and the program watches (RT-13.4)."""


@dataclass(frozen=True)
class Side:
    """A side: whether players lead it, the letter of its handles, how many handles it has given, its order.

    ``resources`` are points of each kind (RT-26.1); ``bonus`` is its representative's at initiative (RT-23.6).
    """

    name: str
    players: bool
    letter: str
    order: int
    given: int = 0
    resources: Map[int] = Map()
    bonus: int = 0


@dataclass(frozen=True)
class Pilot:
    """A pilot with abilities in percent, life and spirit in points (RT-23.1).

    ``state`` is the worst that holds: ready, unconscious, dying, bydo, dead. ``where``: a unit's id, or ashore,
    adrift, recovered, missing, captured. ``swap``: swap, fixed or reverse (RT-20.3). ``out``: unconscious until the
    spirit is whole again (RT-11.3); ``treated``: no longer losing life (RT-11.4); ``fate``: what killed him (escape,
    life) or nothing. ``points``: skill points that buy levels (RT-23.7).
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
    out: bool = False
    treated: bool = False
    fate: str = ""
    points: int = 0

    @property
    def unconscious(self) -> bool:
        """Whether he is unconscious, though something worse may be told of him too (RT-7.3, 11.3)."""
        return self.state == "unconscious" or (self.out and self.state != "ready")


@dataclass(frozen=True)
class Unit:
    """A unit of one side. ``hp`` holds the lead, of an RC squad the craft A to D (a missing craft is 0), and parts.

    ``state``: active, stowed, subspace, inactive, wrecked, lost. ``moved`` counts the movement of this phase,
    ``stopped`` ends it, ``ambushed`` leaves it a search after an encounter (RT-3.14); ``no_counter`` bars counters
    until its next phase (RT-21.5); ``swap`` says how its dice are read (RT-20.3). ``attached_to``: of a craft its
    force, of a force its craft. ``found_by``: who has searched it in this phase, and how (RT-6.1); ``since``: in which
    turn and phase. ``berthed``: aboard since set-up, newly, or served (RT-12.16). ``decoy_of``: whose decoy it is;
    ``decoy_made``: its one decoy of this battle is made. ``hurt_by_bydo`` and ``rammed`` wait for the next
    contamination check (RT-25.7, 25.4). ``hold``: resources it carries (RT-12.9). ``form``: what acceleration made it.
    ``may_move``: it has acted, but still has its move (RT-12.10). ``led_by``: of a force, the craft that controls it
    (RT-4.11); ``mount``: where on that craft it sits, front or back (RT-4.3). ``at``: the hex of its body on the map.
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
    stopped: bool = False
    ambushed: bool = False
    steps_over: bool = False
    berthed: str = ""
    decoy_of: str | None = None
    decoy_made: bool = False
    hurt_by_bydo: bool = False
    rammed: bool = False
    hold: Map[int] = Map()
    form: str = ""
    may_move: bool = False
    led_by: str | None = None
    mount: str = ""
    since: Map[str] = Map()

    @property
    def rc_left(self) -> tuple[str, ...]:
        """The RC craft that still fly, in the order A to D."""
        points = self.hp
        return tuple([craft for craft in RC if points.get(craft)])


def goal(condition: str) -> tuple[str, str]:
    """A victory condition's kind and the place or unit it names, if any; the GM's own words have neither (RT-13.4)."""
    kind, colon, named = condition.partition(":")
    if condition in CONDITIONS:
        return condition, ""
    return (kind, named) if colon and kind in ("destroyed", "facility") else ("", "")


def unspent(unit: Unit) -> Unit:
    """A unit as a phase of its side finds it: nothing done, nothing begun, free to counter (RT-2.6, 13.9, 21.5)."""
    return replace(
        unit, acted=False, moved=0, stopped=False, ambushed=False, steps_over=False, may_move=False, no_counter=False
    )


@dataclass(frozen=True)
class Battle:
    """The battle: turn, phase (setup initiative first second over), who acts, who won the initiative.

    ``current`` is the unit that is taking its steps (RT-2.6); ``victory`` the condition of each side that has one and
    ``flagships`` the ships they may hang on (RT-13.4); ``met`` the sides whose condition is met. ``gone`` are the units
    and pilots that were out before it began; ``identified`` how many units a pilot has tried to identify this turn,
    ``known_to`` the sides that know by it what a unit is, several parted by blanks (RT-6.6).
    """

    name: str
    turn: int
    phase: str
    sides: tuple[str, ...]
    acting: str | None = None
    winner: str | None = None
    order: tuple[str, ...] = ()
    totals: Map[int] = Map()
    current: str | None = None
    victory: Map[str] = Map()
    flagships: Map[str] = Map()
    met: tuple[str, ...] = ()
    gone: tuple[str, ...] = ()
    identified: Map[int] = Map()
    known_to: Map[str] = Map()


@dataclass(frozen=True)
class Place:
    """A facility or a resource on the table's sheet (RT-12.8, 12.9): what lies there, or how far each side is, in %.

    ``hexes`` are those of the map it came with; none where it is the GM's word.
    """

    name: str
    kind: str
    resource: str = ""
    amount: int = 0
    progress: Map[int] = Map()
    hexes: tuple[str, ...] = ()


@dataclass(frozen=True)
class BattleMap:
    """The map on the table: ``terrain`` is the kind of each hex that has one (reef, wall, facility, resource).

    ``shoved`` are the rows, even or odd by their written number, that stand half a hex to the right. ``sortie``: the
    hexes of the sides that are bound to some at their deployment, several parted by blanks (RT-1.1).
    """

    name: str
    columns: int
    rows: int
    shoved: str = "even"
    terrain: Map[str] = Map()
    sortie: Map[str] = Map()


class Board(State):
    """The state as the rules read it; with ``eyes`` what a side may know of it.

    Units of others are ``Seen`` there, other sides ``Other``; ``unfound``: who has not been found is not there.
    """

    eyes = ""
    unfound = False
    kinds = {
        **KINDS, "sides": Side, "pilots": Pilot, "units": Unit, "battle": Battle, "places": Place, "parked": Raw,
        "map": BattleMap,
        "flights": Flight, "falls": Fall, "fought": Fought, "careers": Career,
    }  # fmt: skip

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
    def places(self) -> Table[Place]:
        """Facilities and resources by id."""
        return self.table("places")

    @property
    def map(self) -> BattleMap | None:
        """The map that lies on the table; None where positions are the GM's word."""
        return cast("BattleMap | None", self.row("map", "now"))

    @property
    def battle(self) -> Battle | None:
        """The battle that is on, or the last one; None before the first."""
        return cast("Battle | None", self.row("battle", "now"))

    def seat_of(self, unit: Unit) -> str | None:
        """The id of the pilot at the controls: the unit's own, a force's that of the craft it is led by (RT-4.11)."""
        if unit.pilot or not unit.led_by:
            return unit.pilot
        return self.units[unit.led_by].pilot

    def behind(self, id: str) -> str:
        """The pilot who rolls for a force: that of the craft it is led by (RT-4.11)."""
        unit = self.units.get(id)
        return (self.seat_of(unit) or "") if isinstance(unit, Unit) else ""

    def pilot_of(self, unit: Unit) -> Pilot | None:
        """The pilot at the controls, if there is one and he is neither unconscious nor dead (RT-7.3)."""
        seat = self.seat_of(unit)
        pilot = self.pilots[seat] if seat else None
        return None if pilot is None or pilot.unconscious or pilot.state in OUT else pilot

    def of_side(self, side: str) -> list[tuple[str, Unit]]:
        """The units of a side as the board lists them."""
        return sorted(((id, unit) for id, unit in self.units.items() if unit.side == side), key=lambda u: u[1].order)

    def sides_in_order(self) -> list[str]:
        """The sides as they are asked: players first, then in the order they were made."""
        return sorted(self.sides, key=lambda id: (not self.sides[id].players, self.sides[id].order))
