"""Chapters 20 and 21: the percentile check (D99), swap dice, and what a temperament makes of the faces."""

from collections.abc import Iterator
from typing import Annotated, Any, NamedTuple

from gmtool.kernel.case import Case
from gmtool.kernel.fold import half_width
from gmtool.kernel.laws import Throw
from gmtool.kernel.pools import Counts, Group
from gmtool.kernel.refusal import Id, Refused, Word
from gmtool.kernel.system import Chapter
from gmtool.kernel.words import Arg, Opt, number, one_of
from gmtool.systems.rtype.book import Book
from gmtool.systems.rtype.model import MODES, TEMPERAMENTS, Board
from gmtool.systems.rtype.words import PILOT, TEMPERAMENT

CHAPTER = Chapter("20")

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


class Check(NamedTuple):
    """A check against a target, outside any other ruling."""

    target: Annotated[int, Arg(number("target", -1000, 1000, "%"))]
    temperament: Annotated[str, Opt("--temperament", TEMPERAMENT)] = ""
    mode: Annotated[str, Opt("--mode", one_of("mode", *MODES))] = ""
    pilot: Annotated[str, Opt("--as", PILOT)] = ""


class Checked(NamedTuple):
    """A check was made."""

    target: int
    outcome: Word
    pilot: Id | None


@CHAPTER.rule(Check)
def check(case: Case[Board, Book], command: Check) -> None:
    """One D99 against the target: read by mode and temperament, success at or below it (RT-20.1, 21)."""
    pilot = case.state.pilots[command.pilot] if command.pilot else None
    temperament = command.temperament or (pilot.temperament if pilot else PLACID)
    mode = command.mode or (pilot.swap if pilot else "swap")
    law = PercentLaw(command.target, mode, temperament)
    target = case.figure("check", command.pilot, [("target", command.target, "RT-20.1")], rule="RT-20.1")
    outcome = case.pool("check", command.pilot, [Group(1, law, ("",))], result_of, rule="RT-20.1")
    cited = TEMPERAMENT_RULES[temperament] if outcome in {"critical", "fumble"} else "RT-20.1"
    case.emit(Checked(target, Word(outcome), Id(command.pilot) if command.pilot else None), cited)
    case.result(
        critical=outcome == "critical",
        success=succeeded(outcome),
        failure=not succeeded(outcome),
        fumble=outcome == "fumble",
    )
