"""Chapters 20 and 21: how a D99 is read: swap dice, and what a temperament makes of the faces."""

from collections.abc import Iterator
from typing import Any, NamedTuple

from gmtool.kernel.fold import half_width
from gmtool.kernel.laws import Throw
from gmtool.kernel.pools import Counts
from gmtool.kernel.refusal import Refused
from gmtool.systems.rtype.model import TEMPERAMENTS

BEST = ("critical", "success", "failure", "fumble")
PLACID, DAREDEVIL, ALL_OR_NOTHING = TEMPERAMENTS
TEMPERAMENT_RULES = {PLACID: "RT-21.1", DAREDEVIL: "RT-21.2", ALL_OR_NOTHING: "RT-21.3"}
FUMBLE_SWAPPED, FUMBLE_FIXED = 70, 90
BOTH_AT_ONCE = 385
"""From this target on a result can be critical and a fumble at once (RT-21.6)."""


class PercentLaw(NamedTuple):
    """How a D99 is read: the target (never clamped, RT-20.4), which die is the tens, and the temperament."""

    target: int
    mode: str = "swap"
    temperament: str = PLACID

    @property
    def dice(self) -> tuple[int, ...]:
        """Two ten-sided dice, thrown together (RT-20.1)."""
        return (10, 10)

    @property
    def lowest(self) -> int:
        """Digits start at 0."""
        return 0

    def told(self) -> dict[str, Any]:
        """The target, how the two dice are ordered, the temperament, and the rules of both."""
        cited = ["RT-20.2", "RT-20.6"] if self.mode == "swap" else ["RT-20.3"]
        cited.append(TEMPERAMENT_RULES[self.temperament])
        beyond = self.target < 0 or self.target >= BOTH_AT_ONCE or self.mode == "reverse"
        if self.temperament == ALL_OR_NOTHING and beyond:
            cited.append("RT-21.6")
        facts = {"target": self.target, "mode": {"word": self.mode}, "temperament": {"word": self.temperament}}
        return {"key": "percent", "facts": facts, "rules": cited}

    def all(self) -> Iterator[Throw]:
        """The hundred pairs of digits, first die first."""
        return (self.throw((tens, ones)) for tens in range(10) for ones in range(10))

    def parse(self, token: str) -> Throw:
        """``92`` is two dice, first die first; ``=92`` stands as typed (RT-20.2)."""
        plain = half_width(token).removesuffix("%")
        digits = plain.removeprefix("=")
        if len(digits) != 2 or not (digits.isascii() and digits.isdigit()):
            key = "face-one-digit" if len(digits) == 1 and digits.isascii() and digits.isdigit() else "face-not-d99"
            raise Refused("bad-dice", key=key, rule="RT-20.1", exit=2, facts={"value": token, "digits": digits})
        return self.throw((int(digits[0]), int(digits[1])), fixed=plain != digits)

    def throw(self, faces: tuple[int, ...], fixed: bool = False) -> Throw:
        """The reading of two digits: the best order for the roller, unless the mode or the roller fixed it."""
        typed, other = faces[0] * 10 + faces[1], faces[1] * 10 + faces[0]
        if self.mode == "reverse":
            orders: tuple[int, ...] = (max(typed, other),)
        else:
            orders = (typed,) if fixed or self.mode == "fixed" else (typed, other)
        # RT-20.6: a critical beats a success beats a failure beats a fumble; among equals the lower number
        best, read = min((BEST.index(self._class(read, typed, other)), read) for read in orders)
        # a reverse swap leaves the roller no choice (RT-20.3)
        return Throw(faces, read, BEST[best], fixed and self.mode != "reverse")

    def _class(self, read: int, typed: int, other: int) -> str:
        """What one reading comes to; the pair's two orders decide an all-or-nothing fumble (RT-21.3, 21.6)."""
        success = read <= self.target
        if self.temperament == DAREDEVIL and typed == other:
            # 00 and 99 decide by themselves, whatever the target (RT-21.2)
            return "critical" if (success or read == 0) and read != 99 else "fumble"
        if self.temperament == ALL_OR_NOTHING:
            limit, shown = (FUMBLE_SWAPPED, min(typed, other)) if self.mode == "swap" else (FUMBLE_FIXED, read)
            if shown >= limit:
                return "fumble"
            if read <= self.target // 5:
                return "critical"
        return "success" if success else "failure"


def result_of(counts: tuple[Counts, ...]) -> str:
    """The class of a single throw."""
    return next(name for name in BEST if counts[0].get(name))


def succeeded(result: str) -> bool:
    """Whether a class counts as a success; criticals do."""
    return result in {"critical", "success"}
