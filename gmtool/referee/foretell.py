"""Odds of a line: the same rules, over all faces at once; nothing is written."""

from typing import Any

from gmtool.kernel.asks import Answers
from gmtool.kernel.odds import outlook, summary
from gmtool.referee.act import named_by_id, resolve
from gmtool.referee.desk import Desk
from gmtool.referee.opened import Request


def odds(desk: Desk, request: Request) -> dict[str, Any]:
    """What a line would come to, exactly; declarations as said, the rest by default."""
    command = resolve(desk, request.verb, request.words)
    answers = Answers(said=named_by_id(desk, request).said)
    view = outlook(desk.system, desk.state, desk.book, command, answers, desk.settings(request.force))
    found = summary(view)
    return {**found, "unsettled": float(view.unsettled)} if view.unsettled else found
