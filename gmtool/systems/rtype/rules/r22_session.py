"""Chapter 22, between sessions: lives come back."""

from typing import NamedTuple

from gmtool.kernel.case import Case
from gmtool.kernel.refusal import Id
from gmtool.kernel.state import Rows, replace
from gmtool.kernel.system import Chapter
from gmtool.systems.rtype.book import Book
from gmtool.systems.rtype.model import Board

CHAPTER = Chapter("22 session")
AnyCase = Case[Board, Book]


class NextSession(NamedTuple):
    """A session begins, after another one."""


class LivesRestored(NamedTuple):
    """A pilot has all lives again."""

    pilot: Id
    before: int
    after: int


@CHAPTER.rule(NextSession)
def next_session(case: AnyCase, command: NextSession) -> None:
    """Lives return to the maximum between sessions, unless the campaign plays it otherwise (RT-22.2)."""
    spent = {
        id: (pilot.lives.get("now", 0), most)
        for id, pilot in case.state.pilots.items()
        if pilot.state != "dead" and pilot.lives.get("now", 0) < (most := pilot.lives.get("max", 0))
    }
    if not spent or case.choice("rt-22.2") == "kept":
        return
    for id, (now, most) in spent.items():
        case.emit(LivesRestored(Id(id), now, most), "RT-22.2")


@CHAPTER.effect(LivesRestored)
def lives_restored(state: Board, event: LivesRestored) -> Rows:
    """As many as the sheet says; those spent in a battle that goes on stay spent in it (RT-26.2)."""
    pilot, flight = state.pilots[event.pilot], state.row("flights", event.pilot)
    rows: Rows = {("pilots", event.pilot): replace(pilot, lives=pilot.lives.put("now", event.after))}
    if flight is not None:
        rows["flights", event.pilot] = replace(flight, lives=flight.lives + event.after - event.before)
    return rows
