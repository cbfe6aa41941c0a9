"""What a fight of the oracle is made of (RT-23.1, 27.1): sheets, pilots, units, dice, faces, and the ways to fail."""

from dataclasses import dataclass, field
from typing import Any, NamedTuple

RC = ("A", "B", "C", "D")  # RT-10.1: the order in which damage runs


class Refused(Exception):
    """The rules or the state forbid it: exit code 1, nothing has changed."""


class Misunderstood(Exception):
    """Impossible faces or figures: exit code 2, nothing has changed."""


class NeedsAnswer(Exception):
    """Faces are missing: exit code 1, and the ruling stays open."""


@dataclass
class Weapon:
    """RT-27.1. ``damage`` is a number, or (dice, sides, plus) for an expression such as 2D10+25 (RT-24.4)."""

    id: str
    kind: str
    hit: int
    damage: int | tuple[int, int, int]
    ammo: int | None = None


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


@dataclass
class Pilot:
    """RT-23.1; ``where`` is a unit's id, or ``ashore``, or ``adrift``."""

    id: str
    agility: int
    intelligence: int
    temperament: str
    where: str = "ashore"


@dataclass
class Unit:
    """A craft on the board: an RC squad has ``lead`` and ``A`` to ``D``, anything else ``lead`` only."""

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
    escapes: list[str] = field(default_factory=list)  # pilots whose escape the GM has still to settle (RT-11.2)


class Die(NamedTuple):
    """One die as it was read: which roll it belongs to, the value it counts as, and the class of that."""

    roll: str
    read: int
    klass: str


@dataclass
class Ruling:
    """What a command gave: the dice in the order of the table, and its figures."""

    dice: list[Die] = field(default_factory=list)
    result: dict[str, Any] = field(default_factory=dict)


class Faces:
    """The faces typed for one command, in order: ``92``, ``=92``, ``07`` for a D99, ``4`` or ``10`` for a die."""

    def __init__(self, texts: list[str]) -> None:
        self.texts = texts
        self.used = 0

    def take(self, kind: str) -> str:
        """The next face, for a ``d99``, an ``evasion`` (a D99 too), a ``d10`` or a ``d6``."""
        if self.used == len(self.texts):
            raise NeedsAnswer(kind)
        self.used += 1
        return self.texts[self.used - 1]

    def end(self) -> None:
        """Faces left over are refused."""
        if self.used < len(self.texts):
            raise Misunderstood(f"too many faces: {self.texts[self.used :]}")
