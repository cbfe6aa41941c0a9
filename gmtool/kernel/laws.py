"""Laws: how one throw is read. A law is a hashable value of the game; what it means is counted once and kept.

The kernel knows no percentile: a game's law says which dice are thrown, how typed faces are read and which class
(``hit``, ``critical``, ``6``) comes of them.
"""

import re
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple, Protocol, runtime_checkable

from gmtool.kernel.cached import cached
from gmtool.kernel.fold import half_width
from gmtool.kernel.refusal import Refused


class Throw(NamedTuple):
    """One throw as read: the faces in the order thrown, the figure they were read as, and its class.

    ``fixed`` marks a reading that the roller chose (typed as it stands).
    """

    faces: tuple[int, ...]
    read: int
    result: str
    fixed: bool = False


@runtime_checkable
class Law(Protocol):
    """What a game says about one throw; must be hashable."""

    @property
    def dice(self) -> tuple[int, ...]:
        """The sides of the dice thrown together."""

    @property
    def lowest(self) -> int:
        """The lowest face of each of these dice: 0 or 1."""

    def all(self) -> Iterator[Throw]:
        """Every equally likely throw."""

    def told(self) -> Mapping[str, Any] | None:
        """How the law reads, for ``why``: a sentence's key (``law.<key>``), its facts, its rules; None: as it lies."""

    def parse(self, token: str) -> Throw:
        """The throw typed as ``token``; raises Refused (bad-dice)."""

    def throw(self, faces: tuple[int, ...], fixed: bool = False) -> Throw:
        """The throw of these faces (as kept in a journal or rolled by the tool)."""


# NamedTuples of two types can be equal: ``typed`` keeps the laws of different kinds apart
@cached(4096, typed=True)
def weights(law: Law) -> tuple[tuple[tuple[str, int], ...], int]:
    """The classes of a law with the number of throws that give each, and the number of all throws."""
    counts: dict[str, int] = {}
    for throw in law.all():
        counts[throw.result] = counts.get(throw.result, 0) + 1
    return tuple(sorted(counts.items())), sum(counts.values())


@cached(8192, typed=True)
def reading(law: Law, token: str) -> Throw:
    """The throw typed as ``token`` under a law; raises Refused (bad-dice). The same token is read once."""
    return law.parse(token)


def fits(law: Law, faces: tuple[int, ...]) -> bool:
    """Whether these faces can lie there under a law: as many dice, none beyond its sides."""
    low = law.lowest
    return len(faces) == len(law.dice) and all(
        low <= face < low + sides for face, sides in zip(faces, law.dice, strict=True)
    )


class Die(NamedTuple):
    """A plain die of ``sides``; its class is the figure itself. A ten-sided die showing 0 counts 10."""

    sides: int

    @property
    def dice(self) -> tuple[int, ...]:
        """One die."""
        return (self.sides,)

    @property
    def lowest(self) -> int:
        """Faces start at 1."""
        return 1

    def told(self) -> None:
        """A plain die needs no explaining."""

    def all(self) -> Iterator[Throw]:
        """The faces from 1 up."""
        return (self.throw((face,)) for face in range(1, self.sides + 1))

    def parse(self, token: str) -> Throw:
        """A typed face; ``0`` on a ten-sided die counts 10."""
        digits = half_width(token)
        face = int(digits) if digits.isascii() and digits.isdigit() and len(digits) < 8 else -1
        if face == 0 and self.sides == 10:
            face = 10
        if not 1 <= face <= self.sides:
            raise Refused("bad-dice", key="face-impossible", exit=2, facts={"value": token, "sides": self.sides})
        return self.throw((face,))

    def throw(self, faces: tuple[int, ...], fixed: bool = False) -> Throw:
        """The face as it lies."""
        return Throw(faces, faces[0], str(faces[0]))


@cached(256)
def dice_of(text: str) -> tuple[tuple[int, ...], int]:
    """The dice and the fixed part of an expression of a data file: ``2D6+10`` -> ((6, 6), 10).

    Dice are only ever added: ValueError for dice that are taken away.
    """
    dice: list[int] = []
    flat = 0
    for sign, count, sides in re.findall(r"([+-]?)\s*(\d+)(?:[dD](\d+))?", text):
        if sides:
            if sign == "-":
                raise ValueError(f"dice cannot be taken away: {text}")
            dice += [int(sides)] * int(count)
        else:
            flat += -int(count) if sign == "-" else int(count)
    return tuple(dice), flat
