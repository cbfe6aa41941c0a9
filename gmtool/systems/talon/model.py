"""The state of a battle of Talon: sides, ships, missiles, terrain, and where in the round play stands.

Positions are labels of the board (``grid.py``), facings numbers from 0 to 5, each a sixth of a turn clockwise from the
one before. A side moves whole counters; what is marked on them is here in the rows.
"""

from dataclasses import dataclass
from typing import cast

from gmtool.kernel.common import KINDS, Campaign
from gmtool.kernel.state import Map, Raw, State, Table

ACTIVE, DESTROYED, RETREATED, DOCKED = "active", "destroyed", "retreated", "docked"
STATES = (ACTIVE, DESTROYED, RETREATED, DOCKED)
SETUP, IMPULSE, POWER, REINFORCEMENT, RETREAT, OVER = "setup", "impulse", "power", "reinforcement", "retreat", "over"
PHASES = (SETUP, IMPULSE, POWER, REINFORCEMENT, RETREAT, OVER)
STEPS = ("ap", "move", "fire", "repair")
"""The steps of a player's turn in their printed order (TL-3.2)."""
HELD_TURN, HELD_MOVE = "turn", "move"
"""What a ship may not do yet, or need not do any more, in an impulse; by other readings than ours only."""
CHANGE, DEFEND = "change", "defend"


@dataclass(frozen=True, slots=True)
class Side:
    """A player's fleet; ``letter`` begins its handles. ``lifetime`` are points over the battles of a campaign.

    ``budget`` are the ship points its ships may come to; 0: any.
    """

    name: str
    race: str
    order: int
    letter: str
    given: int = 0
    lifetime: int = 0
    budget: int = 0


@dataclass(frozen=True, slots=True)
class Ship:
    """A ship, base or squadron as it is marked (TL-5).

    ``power``, ``speed`` and ``turn`` are the row as written. ``shields`` are boxes left by arc, ``hull`` boxes marked.
    ``red`` and ``yellow`` are charged boxes by group ("1", "2", "3"; of a squadron by fighter), ``lost`` the groups
    destroyed. ``markers`` are reinforcements, arc to ROUND and impulse ("3C"). ``crits`` are markers, kind to when they
    came ("3C" with the player, "3C1"). ``fighters`` are hull boxes marked of each fighter left ("1": 0).
    ``ap``, ``moved`` and ``burned`` are those of the running impulse, ``tried`` the repairs tried in it. ``joined`` is
    the first round it is there, ``held`` what it may not do yet, or need not any more, in the impulse.
    """

    name: str
    handle: str
    sheet: str
    side: str
    order: int
    state: str
    power: int
    speed: int
    turn: int
    shields: Map[int]
    red: Map[int]
    yellow: Map[int]
    at: str | None = None
    facing: int | None = None
    hull: int = 0
    counter: int = 0
    slip: bool = False
    lost: tuple[str, ...] = ()
    battery: bool = False
    burners: int = 0
    ap: int = 0
    moved: bool = False
    burned: bool = False
    markers: Map[str] = Map()
    initiative: str = ""
    crits: Map[str] = Map()
    turn_plus: int = 0
    power_minus: int = 0
    offline: bool = False
    tried: tuple[str, ...] = ()
    fighters: Map[int] = Map()
    inside: str | None = None
    powered: bool = False
    joined: int = 1
    held: tuple[str, ...] = ()

    @property
    def radius(self) -> int:
        """The turn radius that a turn leaves behind: of the row, and more with its thrusters hurt (TL-7.2.2, 8.5)."""
        return self.turn + self.turn_plus


@dataclass(frozen=True, slots=True)
class Missile:
    """A missile in flight; ``target`` is None once that is gone. Damaged it dies to any damage (TL-13)."""

    name: str
    handle: str
    side: str
    order: int
    at: str
    facing: int
    target: str | None
    sheet: str
    state: str = ACTIVE
    damaged: bool = False
    moved: bool = False


@dataclass(frozen=True, slots=True)
class Terrain:
    """A counter of terrain on its hex (TL-17 to 19)."""

    name: str
    kind: str
    at: str


@dataclass(frozen=True, slots=True)
class Battle:
    """Where play stands. ``acting`` is the side whose turn it is, ``first`` whether it is the initiative player's.

    ``firing`` is the ship that is finishing its fire (TL-8.2.1). ``done`` are those that have finished something that
    each does once in a phase. ``wrecks`` are ships whose blasts are still to come within a ruling (TL-8.6.3). ``lost``
    are ship points lost by each side, ``fled`` those that got away (TL-11, B6). ``board``: positions are kept here;
    else ranges and arcs are said at the table.
    """

    name: str
    sides: tuple[str, ...]
    initiative: str
    phase: str = SETUP
    round: int = 1
    impulse: str = "A"
    acting: str | None = None
    step: str = "ap"
    firing: str | None = None
    done: tuple[str, ...] = ()
    most: str = "crushing"
    rounds: int | None = None
    lost: Map[int] = Map()
    fled: Map[int] = Map()
    wrecks: tuple[str, ...] = ()
    jumps: bool = True
    winner: str | None = None
    board: bool = True

    @property
    def first(self) -> bool:
        """Whether the acting side is the initiative player."""
        return self.acting == self.initiative

    @property
    def second(self) -> str:
        """The side without the initiative."""
        return next(side for side in self.sides if side != self.initiative)


class Board(State):
    """The state as the rules read it."""

    kinds = {
        **KINDS, "sheets": Raw, "sides": Side, "ships": Ship, "missiles": Missile, "terrain": Terrain, "battle": Battle,
        "fought": Raw,
    }  # fmt: skip

    @property
    def campaign(self) -> Campaign:
        """The settings of the campaign."""
        return cast("Campaign", self.row("campaign", "campaign"))

    @property
    def sides(self) -> Table[Side]:
        """The sides by id."""
        return self.table("sides")

    @property
    def ships(self) -> Table[Ship]:
        """Ships, bases and squadrons by id."""
        return self.table("ships")

    @property
    def missiles(self) -> Table[Missile]:
        """Missiles by id."""
        return self.table("missiles")

    @property
    def terrain(self) -> Table[Terrain]:
        """Terrain by id."""
        return self.table("terrain")

    @property
    def battle(self) -> Battle | None:
        """Where play stands; None where no battle has begun."""
        return cast("Battle | None", self.row("battle", "now"))

    def of_side(self, side: str) -> list[tuple[str, Ship]]:
        """A side's ships, bases and squadrons as they joined."""
        found = [(id, ship) for id, ship in self.ships.items() if ship.side == side]
        return sorted(found, key=lambda each: each[1].order)

    def on_board(self) -> list[tuple[str, Ship]]:
        """Those that stand on the board, as they joined."""
        found = [(id, ship) for id, ship in self.ships.items() if ship.state == ACTIVE and ship.at is not None]
        return sorted(found, key=lambda each: each[1].order)

    def fights(self, ship: Ship) -> bool:
        """Whether a ship takes part: it stands on the board, or there is none and it is neither gone nor aboard."""
        boardless = self.battle is not None and not self.battle.board
        return ship.state == ACTIVE and (ship.at is not None or (boardless and ship.inside is None))

    def fighting(self) -> list[tuple[str, Ship]]:
        """Those that take part in the battle, as they joined."""
        return sorted(
            ((id, ship) for id, ship in self.ships.items() if self.fights(ship)), key=lambda each: each[1].order
        )

    def in_flight(self) -> list[tuple[str, Missile]]:
        """The missiles in flight, as they were launched."""
        found = [(id, row) for id, row in self.missiles.items() if row.state == ACTIVE]
        return sorted(found, key=lambda each: each[1].order)


def moment(battle: Battle) -> str:
    """Round, impulse and whose turn, as markers keep it: ``3C1`` in the initiative player's turn, ``3C2`` after."""
    return f"{battle.round}{battle.impulse}{1 if battle.first else 2}"
