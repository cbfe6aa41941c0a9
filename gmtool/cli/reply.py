"""What passes between the face and the verbs: the verb that was found, and what it answers."""

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
