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
        "scenario list": "looks_scenario:ScenarioList",
        "scenario show": "looks_scenario:ScenarioShow",
        "schedule": "looks_schedule:Schedule",
        "sheet list": "looks_sheets:SheetList",
        "sheet show": "looks_sheets:SheetShow",
    },
    says=("begins", "initiative", "holes", "pull", "pull-to"),
    verbs={
        "afterburner": "rules.r07_move:Afterburner",
        "ap": "rules.r06_ap:Ap",
        "battery": "rules.r06_ap:Battery",
        "battle end": "rules.r21_battle:BattleEnd",
        "battle start": "rules.r21_battle:BattleStart",
        "board clear": "rules.r21_battle:BoardClear",
        "charge": "rules.r09_by_hand:ChargeByHand",
        "curve": "rules.r09_power:Curve",
        "deploy": "rules.r21_setup:Deploy",
        "go": "rules.r07_move:Go",
        "jump": "rules.r11_retreat:Jump",
        "leave": "rules.r11_retreat:Leave",
        "map shift": "rules.r07_shift:MapShift",
        "next": "rules.r03_next:Next",
        "reinforce off": "rules.r06_reinforce:ReinforceOff",
        "scenario start": "rules.r21_battle:ScenarioStart",
        "ship add": "rules.r21_setup:ShipAdd",
        "side add": "rules.r21_setup:SideAdd",
        "terrain add": "rules.r21_setup:TerrainAdd",
    },
)
