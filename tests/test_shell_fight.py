"""Three turns of a fight played in the shell from a written log of faces, as at a table: at most three lines each.

The log is the session Last Light: its lines without their dice, then the faces of each side as they were called out.
"""

import re
import sys
import tomllib
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.conftest import Ran
from tests.test_sessions import SESSIONS, Play, assert_stands, begin, play, tables

__all__ = ["play"]
if sys.platform == "win32":
    pytest.skip("needs a terminal of its own", allow_module_level=True)

from tests.screen import Terminal

SCRIPT = next(path for path in SESSIONS if path.stem == "last_light")
DICE = re.compile(r' --dice (?:"([^"]*)"|(\S+))')
MOST = 3
"""Lines of typing for an exchange: the attack, the attacker's faces, all that the other side throws."""


def log() -> Iterator[list[str]]:
    """The lines up to the fourth turn, each with the faces that are called out after it."""
    for line in SCRIPT.read_text("utf-8").partition("# turn 4")[0].splitlines():
        if line and not line.startswith("#"):
            dice = DICE.search(line)
            first, *others = re.split(r" / ", (dice[1] or dice[2])) if dice else [""]
            yield [part for part in (DICE.sub("", line), first, " ".join(others)) if part]


def test_a_fight_of_three_turns_is_played_at_a_terminal(play: Play, home: Path, gm: Callable[..., Ran]) -> None:
    expected = tomllib.loads(SCRIPT.with_suffix(".toml").read_text(encoding="utf-8"))
    folder = begin(play, home, expected)
    window = Terminal("table", home=home)
    window.prompt()
    typed = list(log())
    assert max(map(len, typed)) == MOST
    for lines in typed:
        for line in lines:
            window.line(line)
    window.type("quit")
    assert window.ends() == 0, window.text
    assert_stands(expected["turn"]["4"], tables(folder), "turn 4")
    assert gm("doctor", "--json").objects[0]["ok"]
