"""What passes between the rules of fire, damage and movement: the commands that only follow from others.

An *event* of damage is a row of ``Hurt`` that wait side by side: all of it is dealt before anything blows up
(TL-8.6.3). The wrecks then wait in the battle's row, and ``Blasts`` settles them one by one before whatever else waits.
"""

from typing import NamedTuple


class Hurt(NamedTuple):
    """Damage comes down on a ship, base or squadron, or on a missile (TL-8.4, 13.6).

    ``arc`` is the shield arc it strikes; ``bypass`` "hull" goes past the shields. ``fighter`` is the one struck of a
    squadron; empty: its owner picks.
    """

    ship: str
    arc: str
    points: int
    rule: str
    fighter: str = ""
    bypass: str = ""


class Critical(NamedTuple):
    """The critical box of this number has been marked: its ship rolls on the table (TL-8.4.3)."""

    ship: str
    box: int


class Destroy(NamedTuple):
    """A ship, base, squadron or missile is destroyed at once; a ship's blast follows (TL-8.6.1)."""

    id: str
    rule: str


class Blasts(NamedTuple):
    """The wrecks that wait explode, one by one (TL-8.6.3)."""


class Entered(NamedTuple):
    """A ship, squadron or missile stands in a hex that it has come into from another (TL-17.1).

    ``how`` is straight, turn, slip, burner, push or pull.
    """

    id: str
    came_from: str
    how: str


class Entering(NamedTuple):
    """What still meets a ship in the hex it has come into: the first of these stages, then the others."""

    id: str
    came_from: str
    stages: tuple[str, ...]


class Collide(NamedTuple):
    """A ship meets another of its side in the hex it has come into (TL-7.4)."""

    mover: str
    other: str
    came_from: str


class Strike(NamedTuple):
    """A missile detonates on its target's arc; ``arc`` empty: the dice say which (TL-13.5, 13.7).

    ``together``: its damage waits for that of the others that detonate with it.
    """

    missile: str
    target: str
    arc: str
    together: bool = False


class Shot(NamedTuple):
    """One weapon of a group fires or launches (TL-8.3).

    ``at`` is the hex it fires from, ``forced``: the GM has set its limits aside. ``far`` and ``shield``: range and arc
    as the line says them, where there is no board.
    """

    ship: str
    group: str
    weapon: int
    target: str
    at: str = ""
    forced: bool = False
    far: int = 0
    shield: str = ""


class Impact(NamedTuple):
    """The damage of a hit whose push has been settled (TL-15.1.3); ``left_nebula``: the push led out of one."""

    shot: Shot
    arc: str
    points: int
    left_nebula: bool = False


DAMAGE = (Hurt, Critical, Destroy)
"""What belongs to an event of damage that is under way."""


def parted(target: str) -> tuple[str, str]:
    """A target as it is named, and the fighter of it: ``wolverine/2``."""
    id, _, fighter = target.partition("/")
    return id, fighter
