"""The GM's own hand in Talon: the boxes of a bar (``set`` does the rest)."""

from typing import Annotated, NamedTuple

from gmtool.kernel.case import Case
from gmtool.kernel.refusal import Id, Word
from gmtool.kernel.system import Chapter
from gmtool.kernel.words import Arg
from gmtool.systems.talon.bars import bars
from gmtool.systems.talon.book import Book
from gmtool.systems.talon.model import Board
from gmtool.systems.talon.rules.r06_ap import BarCharged
from gmtool.systems.talon.words_engine import BOXES, COLOUR, GROUP, SHIP

CHAPTER = Chapter("by hand")
AnyCase = Case[Board, Book]


class ChargeByHand(NamedTuple):
    """So many boxes of one colour of a bar are charged, by the GM's word."""

    ship: Annotated[str, Arg(SHIP)]
    group: Annotated[str, Arg(GROUP)]
    colour: Annotated[str, Arg(COLOUR)]
    boxes: Annotated[int, Arg(BOXES)]


@CHAPTER.rule(ChargeByHand)
def charge_by_hand(case: AnyCase, command: ChargeByHand) -> None:
    """No more boxes than the bar has (TL-8.1.2)."""
    ship = case.state.ships[command.ship]
    group = bars(ship, case.book.ship_class(ship.sheet))[command.group]
    most = group.red if command.colour == "red" else group.yellow
    now = (ship.red if command.colour == "red" else ship.yellow).get(command.group, 0)
    unit = Id(command.ship)
    if command.boxes > most:
        facts = {"unit": unit, "group": command.group, "colour": Word(command.colour), "of": most}
        raise case.refuse("bad-value", "TL-8.1.2", key="bar-has-less", **facts)
    if command.boxes == now:
        raise case.refuse("nothing-to-do", "TL-8.1.2", key="charged-so", unit=unit, group=command.group, n=now)
    case.emit(BarCharged(unit, command.group, Word(command.colour), now, command.boxes, most), "TL-8.1.2")
