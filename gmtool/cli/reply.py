"""What passes between the rooms of the command line: the verb that was found, what it answers, what went wrong."""

from collections.abc import Mapping
from typing import Any, NamedTuple

from gmtool.render.lines import Styled


class Reply(NamedTuple):
    """What a verb answers: the fields of its JSON object (None: its lines answered), lines for people, exit code."""

    body: Mapping[str, Any] | None
    lines: list[Styled]
    code: int = 0


class Found(NamedTuple):
    """A verb that was found: its words, its command class, where it comes from (common, game, look)."""

    verb: str
    command: Any
    kind: str
    rest: tuple[str, ...]


class Trouble(NamedTuple):
    """Why a line was not done: the fields of its JSON object, the lines for people, the exit code."""

    body: Mapping[str, Any]
    lines: list[Styled]
    code: int
