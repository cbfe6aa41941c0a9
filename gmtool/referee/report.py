"""What a report is made of: the lines of a session that stand, and the state as it was behind the last of them.

Found by one walk back from the latest line to the session's first: what an evening's report costs does not grow with
the campaign before it. Of an earlier session the lines since are walked over too, since any of them may have taken
back one of its own.
"""

from collections.abc import Iterator
from typing import Any, NamedTuple

from gmtool.kernel.changes import apply, copied, reverse
from gmtool.kernel.common import Session
from gmtool.kernel.state import State
from gmtool.referee.desk import Desk
from gmtool.referee.explain import BACK, Line, Past, Since
from gmtool.referee.sessions import lines_of, session_numbered, sessions_of

ALL = "all"


class Material(NamedTuple):
    """``sessions`` are those told of (none where there has been none yet), ``one`` the number of the only one.

    ``lines`` are the rulings and marks that stand, oldest first; ``state`` and ``book`` are those behind the last.
    """

    sessions: tuple[Session, ...]
    one: int | None
    lines: list[Line]
    state: State
    book: Any


def gather(desk: Desk, which: str) -> Material:
    """For one session by its number, for ``all``, or (nothing said) for the one that is on, or else the last one.

    Before the first session it is the campaign so far. Refused ``unknown-name`` for a session there was not.
    """
    sessions = sessions_of(desk)
    if which == ALL or not (which or sessions):
        lines, state = _walk(desk, 1, desk.campaign.head.seq)
        return Material(tuple(sessions), None, lines, state, desk.book)
    chosen = session_numbered(desk, which) if which else sessions[-1]
    own = lines_of(desk, chosen)
    lines, state = _walk(desk, own.start, own.stop - 1)
    book = desk.book if state is desk.state else desk.system.book(state, desk.data)
    return Material((chosen,), chosen.number, lines, state, book)


def _walk(desk: Desk, first: int, last: int) -> tuple[list[Line], State]:
    """The lines from one number to another that stand, and the state behind the last of them."""
    tables = copied(desk.campaign.tables) if last < desk.campaign.head.seq else None
    since, later, found = Since(), dict[int, Past](), list[Past]()
    for line in _back_to(desk, first):
        past = since.past(line)
        if line["seq"] <= last:
            found.append(past)
            continue
        assert tables is not None  # a copy is made wherever a line stands behind the last one told of
        apply(tables, reverse(line["changes"]))
        if "amends" in line:
            later[line["seq"]] = past
    lines = [line for past in reversed(found) for line in _standing(past, later)]
    return lines, desk.state if tables is None else desk.system.state(tables)


def _back_to(desk: Desk, first: int) -> Iterator[Line]:
    for line in desk.campaign.backwards():
        if line["seq"] < first:
            return
        yield line


def _standing(past: Past, later: dict[int, Past]) -> Iterator[Line]:
    """What stands of a line: nothing once it is undone; of one amended afterwards the line in its place.

    One that was amended before the report ends is told where its amendment stands.
    """
    if past.undone or past.line["kind"] in BACK:
        return
    while past.amended in later:
        past = later[past.amended]
    if past.amended is None:
        yield past.line
