"""R-TYPE TRPG: table of contents."""

from gmtool.kernel.common import CHAPTER as COMMON
from gmtool.kernel.system import System
from gmtool.systems.rtype.book import Book, limits, name_of, options
from gmtool.systems.rtype.model import Board
from gmtool.systems.rtype.words import ABILITIES, DEFENCES

SYSTEM = System(
    id="rtype",
    package="gmtool.systems.rtype",
    state=Board,
    book=Book,
    name=name_of,
    limits=limits,
    options=options,
    tables="tables",
    common=(COMMON,),
    declarations={
        "once": ("no", ("yes", "no")),
        "ability": ("better", ABILITIES),
        "defence": ("evade", DEFENCES),
        "defence-ability": ("better", ABILITIES),
    },
    rolls=("attack", "evade", "damage", "initiative", "check"),
    inner=("campaign", "due", "ids", "sessions", "sheets", "battle"),
    looks={"sheet list": "looks:SheetList", "sheet show": "looks:SheetShow"},
    verbs={
        "side add": "rules.r01_setup:SideAdd",
        "pilot add": "rules.r01_setup:PilotAdd",
        "unit add": "rules.r01_setup:UnitAdd",
        "battle start": "rules.r01_setup:BattleStart",
        "battle end": "rules.r01_setup:BattleEnd",
        "initiative": "rules.r02_turn:Initiative",
        "first": "rules.r02_turn:First",
        "move": "rules.r02_turn:Move",
        "attack": "rules.r08_attack:Attack",
        "repair": "rules.r12_support:Repair",
        "pass": "rules.r02_turn:Pass",
        "end phase": "rules.r02_turn:EndPhase",
        "check": "rules.r20_checks:Check",
    },
)
