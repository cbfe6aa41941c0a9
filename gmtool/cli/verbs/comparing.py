"""``odds compare LINE / LINE``: what several plans would come to, side by side; nothing is thrown, nothing written."""

from typing import TYPE_CHECKING, Any

from gmtool.cli.bridge import take_apart
from gmtool.cli.errors import message_of
from gmtool.cli.lexer import join
from gmtool.cli.reply import Found, Reply
from gmtool.cli.verbs.play import request
from gmtool.kernel.refusal import Refused
from gmtool.referee.foretell import Plan, compare

if TYPE_CHECKING:
    from gmtool.cli.face import Face

MOST = 4
"""So many plans stand side by side at 80 columns."""


def compared(face: "Face", plans: list[Found]) -> Reply:
    """The odds of each plan as if it were given now; which of them is better in what, where the game says so."""
    if face.options.dice is not None:
        raise Refused("usage", key="odds-no-dice", exit=2)
    if len(plans) < 2 or any(plan.kind != "game" for plan in plans):
        raise Refused("usage", key="compare-what", exit=2)
    if len(plans) > MOST:
        raise Refused("usage", key="compare-many", exit=2, facts={"limit": MOST, "value": len(plans)})
    from gmtool.render.compare import Planned
    from gmtool.render.compare import compare as shown

    desk = face.desk()
    lines = [join([*plan.verb.split(), *plan.rest]) for plan in plans]
    requests = [request(face, plan.verb, take_apart(plan.command, plan.rest)) for plan in plans]
    found, better = compare(desk, requests)
    told = {part for plan in found for key in plan.result for part in (key.split(".") if "." in key else ())}
    names = desk.names(told)
    columns = [
        Planned(line, plan.result, [message_of(each, face) for each in plan.against])
        for line, plan in zip(lines, found, strict=True)
    ]
    body = {"system": desk.system.id, "result": {"plans": [*map(_json, lines, found)], "better": better}}
    return Reply(body, shown(columns, better, face.words, names, face.out.room))


def _json(line: str, plan: Plan) -> dict[str, Any]:
    aside = [{"code": each.code, "rule": each.rule} for each in plan.against]
    return {"line": line, "result": plan.result, "overruled": aside}
