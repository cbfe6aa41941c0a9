"""What if: a branch begun, kept or dropped. A line behind ``try`` is done by its own verb, and none of it is kept."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

from gmtool.cli.reply import Found, Reply
from gmtool.kernel.refusal import Refused
from gmtool.kernel.words import WORD, Arg
from gmtool.render.lines import Styled, wrap

if TYPE_CHECKING:
    from gmtool.cli.face import Face

TRIED = frozenset({"set", "amend", "reroll", "roll"})
"""The common verbs that can stand behind ``try``; every one of a game's that changes something can."""


class Try(NamedTuple):
    """Alone it begins a what-if; before a line it judges that and keeps nothing."""

    line: Annotated[tuple[str, ...], Arg(WORD, many=True)] = ()


class Keep(NamedTuple):
    """Put the lines of the what-if on the real line."""


class Drop(NamedTuple):
    """Forget the what-if."""


def refuse_untried(found: Found) -> None:
    """Refuse a verb of which there is nothing to try: it only shows, or is about the journal itself."""
    if found.kind == "game" or found.verb in TRIED:
        return
    if found.verb == "undo":
        raise Refused("usage", key="try-undo", exit=2)
    if found.verb == "redo":
        raise Refused("usage", key="try-redo", exit=2)
    raise Refused("usage", key="try-what", exit=2, facts={"value": found.verb})


def try_(face: "Face", command: Try) -> Reply:
    """Begin a what-if behind the latest line."""
    from gmtool.referee.branch import begin

    since = begin(face.writable())
    return Reply({"result": {"since": since}}, _said(face, "branch.begun", {"seq": since}))


def keep_(face: "Face", command: Keep) -> Reply:
    """All its lines are real from now on, each a step as any other."""
    from gmtool.referee.branch import keep
    from gmtool.referee.desk import due_list

    desk = face.writable()
    lines = keep(desk)
    warnings = face.saved(desk)
    body = {
        "seq": desk.campaign.head.seq, "system": desk.system.id, "result": {"kept": [line["seq"] for line in lines]},
        "changes": [change for line in lines for change in line["changes"]], "due": due_list(desk),
        "warnings": warnings,
    }  # fmt: skip
    return Reply(body, [*_said(face, "branch.kept", {"n": len(lines)}), *_told(face, lines)])


def drop_(face: "Face", command: Drop) -> Reply:
    """Nothing of it is left; the real line is as it was."""
    from gmtool.referee.branch import drop

    desk = face.writable()
    gone = drop(desk)
    face.asked = None
    if gone.line:
        return Reply({"result": {"dropped": gone.line}}, _said(face, "done.dropped", {"line": gone.line}))
    facts = {"n": len(gone.lines), "seq": desk.campaign.head.seq}
    return Reply(
        {"result": {"dropped": len(gone.lines)}}, [*_told(face, gone.lines), *_said(face, "branch.dropped", facts)]
    )


def _told(face: "Face", lines: list[dict[str, Any]]) -> list[Styled]:
    """Each line in brief, as the history has it."""
    from gmtool.cli.shown import history_line

    return [styled for line in lines for styled in history_line(face, line, False)]


def _said(face: "Face", key: str, facts: dict[str, Any]) -> list[Styled]:
    return wrap(face.words.say(key, facts), face.out.room, 0, 2)


HANDLERS: dict[type[Any], Callable[..., Reply]] = {Try: try_, Keep: keep_, Drop: drop_}
