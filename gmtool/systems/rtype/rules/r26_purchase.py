"""Chapter 26, losses made good: a new craft for its development cost (RT-26.3)."""

from typing import Annotated, NamedTuple

from gmtool.kernel.case import Case
from gmtool.kernel.system import Chapter
from gmtool.kernel.words import TEXT, Arg, Opt
from gmtool.systems.rtype.book import Book
from gmtool.systems.rtype.model import Board
from gmtool.systems.rtype.rules.r01_setup import CHAPTER as SETUP
from gmtool.systems.rtype.rules.r01_setup import UnitAdd
from gmtool.systems.rtype.rules.r26_resources import CHAPTER as RESOURCES
from gmtool.systems.rtype.rules.r26_resources import PAYMENT, pay
from gmtool.systems.rtype.words import PILOT, SHEET, SIDE

CHAPTER = Chapter("26 purchase", needs=(SETUP, RESOURCES))
AnyCase = Case[Board, Book]


class UnitBuy(NamedTuple):
    """A side buys a new unit of a sheet."""

    sheet: Annotated[str, Arg(SHEET)]
    side: Annotated[str, Opt("--side", SIDE)]
    name: Annotated[str, Arg(TEXT)] = ""
    pilot: Annotated[str, Opt("--pilot", PILOT)] = ""
    pay: Annotated[tuple[str, ...], Opt("--pay", PAYMENT, many=True)] = ()


@CHAPTER.rule(UnitBuy)
def unit_buy(case: AnyCase, command: UnitBuy) -> None:
    """Its development cost in resources of the side, in one kind as for a repair; not in a battle (RT-12.17, 26.3)."""
    battle = case.state.battle
    if battle is not None and battle.phase != "over":
        case.forbid("wrong-phase", "RT-26.3", key="battle-open", name=battle.name, turn=battle.turn)
    cost = case.book.sheet(command.sheet).cost
    pay(case, command.side, cost, f"pay.{command.side}", command.pay, "RT-26.3")
    case.cite("RT-26.3")
    case.result(cost=cost)
    case.follow(UnitAdd(command.sheet, command.side, command.name, pilot=command.pilot))
