"""Looking back: the line of a ruling, and the latest lines with what has become of them."""

from functools import partial
from typing import Any, NamedTuple

from gmtool.kernel.refusal import Refused
from gmtool.referee.desk import Desk

Line = dict[str, Any]
BACK = ("undo", "redo")
LATEST = 20


class Past(NamedTuple):
    """A line of the journal, whether it was taken back since, and the line that stands in its place, if one does."""

    line: Line
    undone: bool
    amended: int | None = None


def line_to_explain(desk: Desk, seq: int | None) -> Line:
    """The line of this number, or the latest ruling that stands; Refused where there is none."""
    if seq is not None:
        line = desk.campaign.find(seq)
        if line is None:
            facts = {"value": seq, "last": desk.campaign.head.seq}
            raise Refused("unknown-name", key="no-such-line", exit=2, facts=facts)
        return line
    line = next(desk.campaign.undoable(), None)
    if line is None:
        raise Refused("nothing-to-explain")
    return line if line["kind"] == "step" else line_to_explain(desk, line["redoes"])


def history(desk: Desk, n: int, every: bool = False) -> list[Past]:
    """The last ``n`` lines that stand, oldest first; with ``every`` those taken back too, and all for 0."""
    if every:
        told = _told(list(desk.campaign.lines()))
        return told[-n:] if n else told
    n = n or LATEST
    reach = 2 * n
    while True:
        lines = desk.campaign.tail(reach)
        standing = [past for past in _told(lines) if not past.undone and past.line["kind"] not in BACK]
        if len(standing) >= n or len(lines) < reach:
            return standing[-n:]
        reach *= 4


def used(desk: Desk, reading: str) -> list[Past]:
    """The rulings that used a reading of a rule, oldest first, whatever became of them; all of the journal is read."""
    since = Since()
    past = map(since.past, desk.campaign.backwards())
    return [each for each in past if any(map(partial(_is_choice, reading), each.line.get("trace") or ()))][::-1]


def _is_choice(reading: str, entry: Line) -> bool:
    return entry.get("t") == "choice" and entry.get("id") == reading


def _told(lines: list[Line]) -> list[Past]:
    """Lines up to the latest, each with what has become of it since."""
    since = Since()
    return [since.past(line) for line in reversed(lines)][::-1]


class Since:
    """What has become of lines since, learnt by walking back from the latest."""

    def __init__(self) -> None:
        self._undone: dict[int, bool] = {}
        self._amended: dict[int, int] = {}

    def past(self, line: Line) -> Past:
        """The line before those seen so far, with what they have made of it."""
        if line["kind"] in BACK:
            self._undone.setdefault(line.get("undoes") or line["redoes"], line["kind"] == "undo")
        elif "amends" in line and not self._undone.get(line["seq"]):
            self._amended[line["amends"]["seq"]] = line["seq"]
        return Past(line, self._undone.get(line["seq"], False), self._amended.get(line["seq"]))
