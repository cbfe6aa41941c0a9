"""Chapter 7: actions that need a function on the sheet (RT-7.1)."""

from gmtool.kernel.case import Case
from gmtool.kernel.refusal import Id, Word
from gmtool.systems.rtype.book import Book
from gmtool.systems.rtype.model import Board, Unit
from gmtool.systems.rtype.rules.r02_turn import may_act

AnyCase = Case[Board, Book]
ACTIVE = ("active",)


def may_work(case: AnyCase, id: str, function: str, states: tuple[str, ...] = ACTIVE) -> Unit:
    """The unit, if it may act now and its sheet has the function; a decoy only moves and detonates (RT-7.1, 12.13)."""
    unit = may_act(case, id, "RT-2.5", states)
    if function not in case.book.sheet(unit.sheet).functions:
        case.forbid("no-function", "RT-7.1", unit=Id(id), function=Word(function))
    if unit.decoy_of:
        case.forbid("no-function", "RT-12.13", key="decoy-acts", unit=Id(id))
    return unit
