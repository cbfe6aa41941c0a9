"""Who is not in action: refused with what it is instead, and the line that would bring it back (RT-5.1, 10.9, 12.7)."""

from typing import Any

from gmtool.kernel.case import Case
from gmtool.kernel.refusal import Id, Refused, Word
from gmtool.systems.rtype.book import Book
from gmtool.systems.rtype.model import GONE, Board

AnyCase = Case[Board, Book]


def not_active(case: AnyCase, id: str, rule: str) -> None:
    """Refused unless the GM forces it: what a unit is in place of being in action."""
    case.forbid("not-active", rule, key="not-active-now", hint=way_back(case.state, id), **what_it_is(case.state, id))


def refused(case: AnyCase, id: str, rule: str, key: str = "not-active-now") -> Refused:
    """The same where nothing can be forced."""
    refusal = case.refuse("not-active", rule, key=key, **what_it_is(case.state, id))
    refusal.hint = way_back(case.state, id)
    return refusal


def what_it_is(state: Board, id: str) -> dict[str, Any]:
    """The facts of a unit that is not in action: its state, what to type for it, the ship it is aboard."""
    unit = state.units[id]
    told = {"unit": Id(id), "state": Word(unit.state), "handle": unit.handle, "path": f"units.{id}.state"}
    return {**told, "ship": Id(unit.aboard)} if unit.aboard else told


def way_back(state: Board, id: str) -> str:
    """The key of the way out: launched or out of subspace, by the side whose turn it is; for a wreck the GM's word."""
    unit, battle = state.units[id], state.battle
    if unit.state in GONE:
        return "wreck-by-hand"
    if battle is not None and battle.acting not in (None, unit.side):
        return "not-active-now"
    if unit.state == "stowed" and unit.aboard:
        return "aboard-a-ship-map" if state.units[unit.aboard].at else "aboard-a-ship"
    return "out-of-subspace" if unit.state == "subspace" else "not-active-now"
