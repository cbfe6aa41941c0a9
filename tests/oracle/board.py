"""What a fight of the oracle is made of (RT-23.1, 27.1): sheets, pilots, units, dice, faces, and the ways to fail."""

from dataclasses import dataclass, field
from typing import Any, NamedTuple

RC = ("A", "B", "C", "D")  # RT-10.1: the order in which damage runs


class Refused(Exception):
    """The rules or the state forbid it: exit code 1, nothing has changed."""


class Misunderstood(Exception):
    """Impossible faces or figures: exit code 2, nothing has changed."""


@dataclass
class Weapon:
    """RT-27.1. ``damage`` is a number, or (dice, sides, plus) for an expression such as 2D10+25 (RT-24.4).

    ``charge`` is the stage that a charge weapon needs; ``reach`` its shortest and longest range (none of a charge's).
    """

    id: str
    kind: str
    hit: int
    damage: int | tuple[int, int, int]
    ammo: int | None = None
    charge: int = 0
    reach: tuple[int, int] = (1, 4)
    intercept: bool = False
    counter: bool = False


@dataclass
class Sheet:
    """RT-27.1: the columns of a sheet that a fight without a map needs; ``fuel`` None: it needs none."""

    id: str
    squad: str
    hp: int
    move: int
    evade: int
    fuel: int | None
    temperament: str
    weapons: list[Weapon]
    level: int = 1
    parts: dict[str, int] = field(default_factory=dict)
    forces: tuple[str, ...] = ()
    indestructible: bool = False


@dataclass
class Pilot:
    """RT-23.1; ``where`` is a unit's id, or ``ashore``, or ``adrift``; ``swap`` as in RT-20.3."""

    id: str
    agility: int
    intelligence: int
    temperament: str
    where: str = "ashore"
    body: int = 20
    life: int = 50
    spirit: int = 30
    lives: int = 3
    skills: dict[str, int] = field(default_factory=dict)
    swap: str = "swap"
    state: str = "ready"


@dataclass
class Unit:
    """A craft on the board: an RC squad has ``lead`` and ``A`` to ``D``, anything else ``lead`` and its parts.

    ``attached`` is a craft's force or a force's craft, ``led_by`` the craft that controls a force (RT-4.11).
    """

    id: str
    sheet: Sheet
    side: str
    pilot: str | None
    hp: dict[str, int]
    fuel: int | None
    ammo: dict[str, int]
    charge: int = 0
    acted: bool = False
    moved: int = 0
    no_counter: bool = False
    state: str = "active"
    stopped: bool = False
    attached: str | None = None
    led_by: str | None = None


@dataclass
class Fight:
    """Both sides (id -> are they players), the pilots, the units as they joined, and where the battle stands."""

    sides: dict[str, bool]
    pilots: dict[str, Pilot] = field(default_factory=dict)
    units: dict[str, Unit] = field(default_factory=dict)
    phase: str = "setup"
    turn: int = 0
    acting: str | None = None
    order: list[str] = field(default_factory=list)
    winner: str | None = None
    current: str | None = None  # the craft that is taking its steps (RT-2.6)


class Die(NamedTuple):
    """One die as it was read: its key, the value it counts as, and the class of that."""

    key: str
    read: int
    klass: str


class Table:
    """What a ruling asks of the table: a random fight makes the answers up, the odds go through all there can be.

    ``dice`` and ``result`` gather what the ruling shows.
    """

    def __init__(self) -> None:
        self.dice: list[Die] = []
        self.result: dict[str, Any] = {}

    def d99(self, key: str, target: int, temperament: str, mode: str) -> str:
        """One percentile check: its class."""
        raise NotImplementedError

    def reread(self, key: str, target: int, temperament: str, mode: str) -> str:
        """A percentile die that lies already, at another target: its class now."""
        raise NotImplementedError

    def die(self, key: str, sides: int) -> int:
        """One plain die: what it counts."""
        raise NotImplementedError

    def say(self, kind: str, key: str, about: Any = None) -> str | None:
        """What a side declares for a key, or nothing (then the default holds); ``about`` is what it is declared in."""
        raise NotImplementedError
