"""Chapters 20 and 22: a check on its own, outside any other ruling, with the lives of the pilot who makes it."""

from typing import Annotated, NamedTuple

from gmtool.kernel.case import Case, Part
from gmtool.kernel.pools import Group
from gmtool.kernel.refusal import Id, Word
from gmtool.kernel.system import Chapter
from gmtool.kernel.words import Arg, Flag, Opt, number, one_of
from gmtool.systems.rtype.book import Book
from gmtool.systems.rtype.model import MODES, Board
from gmtool.systems.rtype.rules import r22_lives
from gmtool.systems.rtype.rules.r20_checks import PLACID, TEMPERAMENT_RULES, PercentLaw, result_of, succeeded
from gmtool.systems.rtype.rules.r22_lives import is_raised, raise_part, thrown_again
from gmtool.systems.rtype.words import PILOT, TEMPERAMENT

CHAPTER = Chapter("22 check", needs=(r22_lives.CHAPTER,))
AnyCase = Case[Board, Book]


class Check(NamedTuple):
    """A check against a target, outside any other ruling."""

    target: Annotated[int, Arg(number("target", -1000, 1000, "%"))]
    temperament: Annotated[str, Opt("--temperament", TEMPERAMENT)] = ""
    mode: Annotated[str, Opt("--mode", one_of("mode", *MODES))] = ""
    pilot: Annotated[str, Opt("--as", PILOT)] = ""
    raised: Annotated[bool, Flag("--raise")] = False


class Checked(NamedTuple):
    """A check was made."""

    target: int
    outcome: Word
    pilot: Id | None


@CHAPTER.rule(Check)
def check(case: AnyCase, command: Check) -> None:
    """One D99 against the target: read by mode and temperament, success at or below it (RT-20.1, 21, 22.5)."""
    pilot = case.state.pilots[command.pilot] if command.pilot else None
    temperament = command.temperament or (pilot.temperament if pilot else PLACID)
    law = PercentLaw(command.target, command.mode or (pilot.swap if pilot else "swap"), temperament)
    parts = _parts(case, command)
    target = case.figure("check", command.pilot, parts, rule="RT-20.1")
    law = law._replace(target=target)
    again = thrown_again(case, command.pilot, command.pilot, law, is_raised(parts), "check") if pilot else None
    outcome = case.pool("check", command.pilot, [Group(1, law, ("",))], result_of, rule="RT-20.1", again=again)
    cited = TEMPERAMENT_RULES[temperament] if outcome in {"critical", "fumble"} else "RT-20.1"
    case.emit(Checked(target, Word(outcome), Id(command.pilot) if command.pilot else None), cited)
    case.result(
        critical=outcome == "critical",
        success=succeeded(outcome),
        failure=not succeeded(outcome),
        fumble=outcome == "fumble",
    )


def _parts(case: AnyCase, command: Check) -> list[Part]:
    """The target, and what a life of the pilot adds to it (RT-22.1); without a pilot there are no lives (RT-22.6)."""
    parts: list[Part] = [("target", command.target, "RT-20.1")]
    if command.pilot:
        return parts + raise_part(case, "raise.check", command.pilot, command.pilot, command.raised)
    if command.raised:
        raise case.refuse("bad-value", "RT-22.6", key="raise-nobody")
    return parts
