"""Trio: table of contents."""

from gmtool.kernel.common import CHAPTER as COMMON
from gmtool.kernel.system import System
from tests.games.trio.model import Board, Book, name_of

SYSTEM = System(
    id="trio",
    package="tests.games.trio",
    state=Board,
    book=Book,
    name=name_of,
    common=(COMMON,),
    looks={},
    inner=("campaign", "due", "ids", "sessions", "sheets", "round"),
    verbs={
        "player add": "rules.r1_table:PlayerAdd",
        "begin": "rules.r1_table:Begin",
        "throw": "rules.r2_throw:Throw",
    },
)
