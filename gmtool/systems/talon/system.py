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
    follows={
        "Hurt": "rules.r08_damage",
        "Critical": "rules.r08_critical",
        "Destroy": "rules.r08_blast",
        "Blasts": "rules.r08_blast",
        "Entered": "rules.r07_enter",
        "Entering": "rules.r07_enter",
        "Collide": "rules.r07_enter",
        "Strike": "rules.r13_missiles",
        "Fly": "rules.r13_missiles",
        "Retarget": "rules.r13_missiles",
        "Shot": "rules.r08_fire",
        "Impact": "rules.r15_guns",
    },
    rolls=("fire", "critical", "group", "arc", "repair"),
    says=(
        "blasts",
        "collisions",
        "facing",
        "fighter",
        "losses",
        "missile",
        "missiles",
        "next",
        "place",
        "push",
    ),
    looks={},
    verbs={
        "fire": "rules.r08_fire:Fire",
        "repair": "rules.r08_repair:Repair",
        "dock": "rules.r16_docking:Dock",
        "land": "rules.r16_docking:Land",
    },
)
