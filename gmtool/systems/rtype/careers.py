"""Careers (RT-26.2): the rows of what a battle counts while it is on, and of what is booked when it ends.

Until then everything follows from the values: a wreck counts while it is one, a wound while the life is gone. So a
correction by hand takes the kill or the death back with it, and nothing has to be put right twice.
"""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from gmtool.kernel.state import Map

if TYPE_CHECKING:
    from gmtool.systems.rtype.model import Board

TALLIES = ("flights", "falls")
"""The tables that belong to a battle and are put by and taken up with it."""


@dataclass(frozen=True)
class Flight:
    """A pilot in the battle that is on: the units he has flown, those he has left again of his own accord.

    ``life`` and ``lives`` are what he began it with; of a battle put by, what it has cost him so far.
    """

    units: tuple[str, ...]
    life: int
    lives: int
    left: tuple[str, ...] = ()


@dataclass(frozen=True)
class Fall:
    """Who has wrecked a unit in the battle that is on: a unit, the pilot at its controls if there was one, a friend?"""

    unit: str
    pilot: str = ""
    friend: bool = False


@dataclass(frozen=True)
class Fought:
    """A battle that is over: the session it ended in (0: in none), what each side lost, what was wrecked by whom."""

    number: int
    name: str
    session: int
    turns: int
    lost: Map[tuple[str, ...]] = Map()
    felled: Map[str] = Map()


@dataclass(frozen=True)
class Career:
    """What a pilot has been through, each entry under the number of the battle; sums are made of these alone.

    Units flown, units of enemies and of friends wrecked, own units lost, points of life and lives it has cost, and how
    and where he came out of it, where that was otherwise than ready in his seat or ashore.
    """

    flown: Map[tuple[str, ...]] = Map()
    kills: Map[tuple[str, ...]] = Map()
    friends: Map[tuple[str, ...]] = Map()
    lost: Map[tuple[str, ...]] = Map()
    wounds: Map[int] = Map()
    lives: Map[int] = Map()
    state: Map[str] = Map()
    where: Map[str] = Map()

    @property
    def sums(self) -> dict[str, int]:
        """Over all battles: sorties, kills, friends hit, craft lost, wounds, lives spent."""
        return {
            "sorties": len(self.flown), "kills": _count(self.kills), "friends": _count(self.friends),
            "lost": _count(self.lost), "wounds": sum(self.wounds.values()), "lives": sum(self.lives.values()),
        }  # fmt: skip


def _count(entries: Map[tuple[str, ...]]) -> int:
    return sum(len(units) for units in entries.values())


def career_of(state: "Board", pilot: str) -> Career:
    """A pilot's career; an empty one before the first battle."""
    career: Career | None = state.row("careers", pilot)
    return career or Career()


def fought(state: "Board") -> list[Fought]:
    """The battles that are over, the first one first."""
    return sorted(state.table("fought").values(), key=lambda battle: battle.number)


def last_flown(state: "Board", pilot: str) -> str:
    """The unit a pilot has flown last, in the battle that is on or before it; empty where there is none."""
    flight: Flight | None = state.row("flights", pilot)
    flown = flight.units if flight else ()
    battles = career_of(state, pilot).flown
    latest = max(battles, key=lambda number: (len(number), number), default="")
    return (flown or battles.get(latest) or ("",))[-1]
