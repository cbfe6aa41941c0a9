"""Cards: table of contents."""

from gmtool.kernel.common import CHAPTER as COMMON
from gmtool.kernel.system import System
from tests.games.cards.model import Board, Book, name_of

SYSTEM = System(
    id="cards",
    package="tests.games.cards",
    state=Board,
    book=Book,
    name=name_of,
    common=(COMMON,),
    looks={},
    verbs={
        "seat": "rules.r1_deck:SeatTaken",
        "shuffle": "rules.r1_deck:Shuffle",
        "draw": "rules.r2_hands:Draw",
        "stand": "rules.r2_hands:Stand",
    },
)
