"""What if: a branch of the campaign, and lines that are tried without one.

It lies beside the campaign and belongs to it, as an open ruling does: whoever opens the campaign is in it, until it is
kept or dropped. Those who look with ``--for`` see the real line.
"""

from contextlib import suppress
from typing import Any, NamedTuple

from gmtool.kernel.refusal import Refused
from gmtool.referee.desk import Desk
from gmtool.referee.opened import drop as drop_ruling
from gmtool.referee.opened import open_ruling, refuse_if_open
from gmtool.store import openruling

Line = dict[str, Any]
REAL_ONLY = frozenset({"session start", "session end", "backup restore", "report"})
"""Verbs that are about the real line and would mix the two, so that they wait until it is kept or dropped."""


class Dropped(NamedTuple):
    """What is forgotten: the lines of a branch, oldest first, or the line that was only tried and still asks."""

    lines: list[Line]
    line: str = ""


def begin(desk: Desk) -> int:
    """Begin a branch; the line it goes on from. Refused ``branch-open`` while one is on, ``ruling-open``."""
    with desk.campaign.writing():
        refuse_if_open(desk)
        return desk.campaign.begin_branch().seq


def keep(desk: Desk) -> list[Line]:
    """Put the branch's lines on the real line, all of them, as they were done; Refused ``no-branch``, ``ruling-open``.

    Steps can be undone one by one; what was taken back in the branch can be seen and done again.
    """
    with desk.campaign.writing():
        if desk.campaign.branch:
            refuse_if_open(desk)
        return desk.campaign.keep_branch()


def drop(desk: Desk) -> Dropped:
    """Forget the branch with whatever is asked in it; outside one, a line that was tried and waits for an answer.

    Refused ``no-branch`` where there is neither.
    """
    with desk.campaign.writing():
        found = desk.campaign.branch
        stored = open_ruling(desk)
        if found is None and stored is not None and stored.get("tried"):
            return Dropped([], drop_ruling(desk))
        lines = list(desk.campaign.lines(found.seq + 1)) if found else []
        desk.campaign.drop_branch()
        if stored is not None:
            with suppress(Refused):  # what was asked in the branch is no question outside it, also where it is left
                openruling.drop(desk.path)
        return Dropped(lines)


def refuse_in_branch(desk: Desk, verb: str) -> None:
    """Refuse what is about the real line while a branch is on."""
    if desk.campaign.branch:
        raise Refused("branch-open", key="branch-not-here", facts={"value": verb, "n": desk.campaign.tried})
