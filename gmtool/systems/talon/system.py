"""Talon: table of contents."""

from gmtool.kernel.common import CHAPTER as COMMON
from gmtool.kernel.system import System
from gmtool.systems.talon.book import Book, limits, name_of, options
from gmtool.systems.talon.model import Board

SYSTEM = System(
    id="talon",
    package="gmtool.systems.talon",
    state=Board,
    book=Book,
    name=name_of,
    limits=limits,
    options=options,
    tables="tables",
    common=(COMMON,),
    inner=("campaign", "due", "ids", "sessions", "sheets", "battle", "fought"),
    looks={
        "arc": "looks_arc:Arc",
        "board show": "looks_board:BoardShow",
        "board svg": "looks_board:BoardSvg",
        "schedule": "looks_schedule:Schedule",
    },
    verbs={},
)
