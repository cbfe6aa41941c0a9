"""Chapter 12 as far as it needs no map: the repair of a single craft."""

from typing import Annotated, NamedTuple

from gmtool.kernel.case import Case, Part
from gmtool.kernel.refusal import Id, Word
from gmtool.kernel.state import Rows, replace
from gmtool.kernel.system import Chapter
from gmtool.kernel.words import Arg
from gmtool.systems.rtype.book import Book
from gmtool.systems.rtype.model import LEAD, Board, Unit
from gmtool.systems.rtype.rules.r02_turn import may_act
from gmtool.systems.rtype.words import UNIT

CHAPTER = Chapter("12")
AnyCase = Case[Board, Book]


class Repair(NamedTuple):
    """A unit with the function repairs a friend."""

    unit: Annotated[str, Arg(UNIT)]
    target: Annotated[str, Arg(UNIT)]


class Repaired(NamedTuple):
    """A unit has repaired a single craft, and is spent."""

    unit: Id
    target: Id
    before: int
    after: int


@CHAPTER.rule(Repair)
def repair(case: AnyCase, command: Repair) -> None:
    """A share of the target's maximum, up to the maximum; what it costs is still the table's (RT-12.2, 12.4)."""
    target = _repairable(case, command)
    before = target.hp[LEAD]
    restored = case.figure("repair", command.target, _share(case, target), rule="RT-12.4")
    case.emit(Repaired(Id(command.unit), Id(command.target), before, before + restored), "RT-12.4")
    case.warn("repair-cost-by-hand", "RT-12.2", target=Id(command.target), cost=case.book.sheet(target.sheet).cost)
    case.result(restored=restored)


def _repairable(case: AnyCase, command: Repair) -> Unit:
    """The target, if the unit may repair it; whether they are next to each other is the GM's word (RT-12.2, 12.21)."""
    unit = may_act(case, command.unit, "RT-2.5")
    target = case.state.units[command.target]
    if "repair" not in case.book.sheet(unit.sheet).functions:
        raise case.refuse("bad-value", "RT-7.1", key="no-function", unit=Id(command.unit), function=Word("repair"))
    if command.unit == command.target:
        raise case.refuse("bad-value", "RT-12.21", key="own-repair", unit=Id(command.unit))
    if target.side != unit.side:
        raise case.refuse("bad-value", "RT-12.2", key="no-friend", unit=Id(command.target))
    if target.state != "active":
        case.forbid("not-active", "RT-12.21", unit=Id(command.target))
    # RT-12.15: ships and forces count as single craft unless their sheet says RC
    if case.book.is_squad(target.sheet):
        raise case.refuse("not-covered", "RT-12.3", key="repair-squad", unit=Id(command.target))
    return target


def _share(case: AnyCase, target: Unit) -> list[Part]:
    """The share of the maximum, and what of it goes beyond the maximum and is taken off again (RT-12.4)."""
    maximum = case.book.sheet(target.sheet).hp
    # RT-24.3: divisions round down
    share = maximum * case.book.figures.repair_percent // 100
    over = share - max(0, maximum - target.hp[LEAD])
    parts: list[Part] = [("share", share, "RT-12.4")]
    return [*parts, ("over", -over, "RT-12.4")] if over > 0 else parts


@CHAPTER.effect(Repaired)
def repaired(state: Board, event: Repaired) -> Rows:
    """The target's hit points; the unit has acted (RT-7.1)."""
    unit, target = state.units[event.unit], state.units[event.target]
    return {
        ("units", event.unit): replace(unit, acted=True),
        ("units", event.target): replace(target, hp=target.hp.put(LEAD, event.after)),
    }
