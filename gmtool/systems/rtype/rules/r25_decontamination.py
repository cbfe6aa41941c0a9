"""Chapter 25 between battles: a craft is brought back to its initial grade for resources (RT-25.9)."""

from typing import Annotated, NamedTuple

from gmtool.kernel.case import Case
from gmtool.kernel.refusal import Id, Word
from gmtool.kernel.system import Chapter
from gmtool.kernel.words import Arg, Opt
from gmtool.systems.rtype.absent import refused
from gmtool.systems.rtype.book import Book
from gmtool.systems.rtype.model import GONE, GRADES, Board, Unit
from gmtool.systems.rtype.rules.r12_ships import CHAPTER as SHIPS
from gmtool.systems.rtype.rules.r12_ships import Decontaminated
from gmtool.systems.rtype.rules.r26_resources import CHAPTER as RESOURCES
from gmtool.systems.rtype.rules.r26_resources import PAYMENT, pay
from gmtool.systems.rtype.words import UNIT

CHAPTER = Chapter("25", needs=(SHIPS, RESOURCES))
AnyCase = Case[Board, Book]


class Decontaminate(NamedTuple):
    """A craft is decontaminated for its side's resources."""

    unit: Annotated[str, Arg(UNIT)]
    pay: Annotated[tuple[str, ...], Opt("--pay", PAYMENT, many=True)] = ()


@CHAPTER.rule(Decontaminate)
def decontaminate(case: AnyCase, command: Decontaminate) -> None:
    """All the way to the sheet's grade, for a tenth of the development cost a grade; not in a battle (RT-25.9)."""
    unit = case.state.units[command.unit]
    _between_battles(case, command.unit, unit)
    sheet = case.book.sheet(unit.sheet)
    grades = GRADES.index(unit.grade) - GRADES.index(sheet.grade)
    if grades <= 0:
        raise case.refuse("nothing-to-do", "RT-25.9", key="not-contaminated", unit=Id(command.unit))
    cost = sheet.cost // case.book.figures.decontamination_divisor * grades
    pay(case, unit.side, cost, f"pay.{unit.side}", command.pay, "RT-25.9")
    case.emit(Decontaminated(Id(command.unit), Word(unit.grade), Word(sheet.grade)), "RT-25.9")
    case.result(cost=cost)


def _between_battles(case: AnyCase, id: str, unit: Unit) -> None:
    battle = case.state.battle
    if unit.state in GONE:
        raise refused(case, id, "RT-25.9")
    if battle is not None and battle.phase != "over":
        case.forbid("wrong-phase", "RT-25.9", key="battle-open", name=battle.name, turn=battle.turn)
