"""The program without its command line: a battle in memory, lines judged with dice from somewhere."""

import copy
from collections.abc import Callable
from random import Random
from typing import Any

from gmtool.kernel.asks import Answers
from gmtool.kernel.case import Settings
from gmtool.kernel.changes import apply
from gmtool.kernel.odds import Outlook, outlook
from gmtool.kernel.run import Ruling, judge
from gmtool.kernel.system import load_system
from gmtool.kernel.words import Scope, read_words
from gmtool.rulesdata.compile import load
from gmtool.systems.talon import tables as shapes
from tests.oracle.talon.shots.fights import SIDES, Shot, Tables, laid
from tests.oracle.talon.shots.world import World

SYSTEM = load_system("gmtool.systems.talon")
DATA = load("talon", shapes)
DEFAULTS = {id: (row["default"], row["rule"]) for id, row in DATA["interpretations"].items()}
SETTINGS, BY_FORCE = Settings(defaults=DEFAULTS), Settings(defaults=DEFAULTS, force=True)


class Play:
    """A campaign in memory with the ships of a world."""

    def __init__(self, made: World) -> None:
        self.tables: Tables = {"campaign": {"campaign": {"name": "oracle", "system": "talon"}}}
        for side, race in SIDES.items():
            self.do("side add", {"name": side.title(), "race": race})
        for n, ship in enumerate(made.ships.values(), 1):
            at = {"at": f"{n:02d}01", "facing": "n"}  # anywhere: the world says where
            self.do("ship add", {"sheet": ship.sheet.id, "name": ship.id.upper(), "side": ship.side, **at})
        self.do("battle start", {"initiative": made.acting}, settings=BY_FORCE)
        laid(self.tables, made)

    def read(self, verb: str, words: dict[str, Any]) -> tuple[Any, Any, Any]:
        """State, book and command of a line."""
        state = SYSTEM.state(self.tables)
        book = SYSTEM.book(state, DATA)
        return state, book, read_words(SYSTEM.command(verb), words, Scope(state, book, {}))

    def judged(
        self, verb: str, words: dict[str, Any], die: Callable[[], int] | None = None, settings: Settings = SETTINGS
    ) -> Ruling:  # fmt: skip
        """Judge a line; each die of it is thrown by ``die``."""
        state, book, command = self.read(verb, words)
        roller = (lambda ask, dice: (tuple(die() - 1 for _ in dice), "oracle")) if die else None
        return judge(SYSTEM, state, book, command, Answers(roller=roller), settings)

    def do(
        self, verb: str, words: dict[str, Any], die: Callable[[], int] | None = None, settings: Settings = SETTINGS
    ) -> Ruling:  # fmt: skip
        """Judge a line and keep what it changes."""
        ruling = self.judged(verb, words, die, settings)
        apply(self.tables, ruling.changes)
        return ruling

    def outlook(self, *shots: Shot) -> Outlook:
        """The exact odds of shots in turn."""
        read = [self.read("fire", shot.words()) for shot in shots]
        state, book, command = read[0]
        return outlook(SYSTEM, state, book, command, Answers(), SETTINGS, then=[each[2] for each in read[1:]])

    def copied(self) -> "Play":
        """The same, to be played on."""
        other = object.__new__(Play)
        other.tables = copy.deepcopy(self.tables)
        return other


def dice(seed: object) -> Callable[[], int]:
    """Dice from a seed."""
    rng = Random(str(seed))
    return lambda: rng.randint(1, 6)
