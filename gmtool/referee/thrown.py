"""Every die of the journal, one after the other: what lay there, who threw it, what has become of its line since."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from gmtool.kernel.refusal import Refused
from gmtool.referee.desk import Desk
from gmtool.referee.explain import Past, history
from gmtool.referee.sessions import lines_of, session_numbered, sessions_of

Die = Mapping[str, Any]
Tag = tuple[str, tuple[int, ...]]
"""A die by its key and its faces."""
Place = tuple[int, int]
"""A die by the number of its line and its place among the dice there."""


class Thrown(NamedTuple):
    """One throw with the line it stands in; ``who`` is the id of the unit or side it was thrown for, if any.

    ``told_before``: the same faces were written down by an earlier line already, which was amended, or was taken back
    and typed again. They lay on the table once.
    """

    past: Past
    session: int
    die: Die
    who: str
    sides: tuple[int, ...]
    told_before: bool = False

    @property
    def place(self) -> tuple[str, ...]:
        """Of two dice that are read together, as tens and ones, the place of each; else nothing."""
        paired = len(self.sides) == 2 and ("seat" in self.die or str(self.die.get("key", "")).startswith("D66"))
        return ("tens", "ones") if paired else ("",) * len(self.sides)


def thrown(desk: Desk, session: str = "") -> list[Thrown]:
    """All dice, of a session by its number if it is named, oldest first. Refused for a session there was not."""
    if session:
        session_numbered(desk, session)
    return [each for each in _all(desk) if not session or each.session == int(session)]


def _all(desk: Desk) -> list[Thrown]:
    sessions = {row.number: lines_of(desk, row) for row in sessions_of(desk)}
    pasts = history(desk, 0, every=True)
    laws: Mapping[str, tuple[int, ...]] = getattr(desk.system.view(), "LAWS", {})
    lain_before = _told_before([past.line for past in pasts])
    found: list[Thrown] = []
    for past in pasts:
        seq = past.line["seq"]
        number = next((n for n, lines in sessions.items() if seq in lines), 0)
        pools = _pools(past.line)
        for place, die in enumerate(past.line.get("answers") or ()):
            who, law = pools.get(str(die.get("key")), ("", ""))
            sides = sides_of(die) or laws.get(law, ())
            found.append(Thrown(past, number, die, who, sides, (seq, place) in lain_before))
    return found


def _pools(line: Mapping[str, Any]) -> dict[str, tuple[str, str]]:
    """For whom each die was thrown and by which law it was read, by its key."""
    pools = [entry for entry in line.get("trace") or () if entry["t"] == "dice"]
    told = [((pool.get("who") or {}).get("id") or "", (pool.get("law") or {}).get("key") or "") for pool in pools]
    return {die["key"]: each for pool, each in zip(pools, told, strict=True) for die in pool["dice"]}


def sides_of(die: Die) -> tuple[int, ...]:
    """The sides of a throw's dice; nothing where a line from before they were written down does not tell."""
    if "sides" in die:
        return tuple(die["sides"])
    if "seat" in die:
        return ()
    from gmtool.kernel.expr import parse

    try:  # the dice of a free roll were kept under their own expression
        parts = parse(str(die.get("key"))).dice
    except Refused:
        return ()
    return tuple(part.sides for part in parts for _ in range(part.count))


def _told_before(lines: Sequence[Mapping[str, Any]]) -> set[Place]:
    """The dice that are written down twice, each at the place where it does not count.

    An amended line's dice stand again in the one in its place: there only those count that were not there before or
    were put right, and what was put right does not. What is taken back was thrown all the same; typed again, with the
    next lines, it is not thrown twice.
    """
    lain: dict[int, dict[Tag, Place]] = {}
    back: list[int] = []
    retyped = 0
    found: set[Place] = set()
    for line in lines:
        if line["kind"] == "undo":
            back, retyped = [*back, line["undoes"]], retyped + 1
        elif line["kind"] == "redo":
            back, retyped = [seq for seq in back if seq != line["redoes"]], retyped - 1
        dice = {_tag(die): (line["seq"], place) for place, die in enumerate(line.get("answers") or ())}
        amended = lain.get((line.get("amends") or {}).get("seq", 0), {})
        keys = {key for key, _ in dice}
        found |= {place for tag, place in amended.items() if tag[0] in keys and tag not in dice}
        before = dict(amended)
        for seq in back if line["kind"] == "step" else ():
            before |= lain.get(seq, {})
        found |= {place for tag, place in dice.items() if tag in before}
        lain[line["seq"]] = {**amended, **dice}
        retyped -= line["kind"] == "step"
        back, retyped = (back, retyped) if retyped > 0 else ([], 0)
    return found


def _tag(die: Die) -> Tag:
    return str(die.get("key")), tuple(die["faces"])
