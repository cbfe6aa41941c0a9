"""Free rolls: an expression, the table's faces or the tool's, and what comes of them."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from gmtool.cli.reply import Reply
from gmtool.cli.said import speakers
from gmtool.kernel.refusal import Refused
from gmtool.referee.desk import Desk
from gmtool.render.lines import Span
from gmtool.text.clean import refuse_controls

if TYPE_CHECKING:
    from gmtool.cli.face import Face


def free_roll(face: "Face", text: str) -> Reply:
    """Judge an expression; in a campaign the roll is written down as a mark."""
    from gmtool.kernel.expr import faces_from, judge, parse

    roll = parse(refuse_controls(text, "note"))
    with _at_the_desk(face) as desk:
        faces, source = _faces(face, roll, faces_from)
        judged = judge(roll, faces)
        result, dice = _told(face, roll, judged, source)
        kept = _kept(face, desk, result, dice)
    body = {"result": result, "dice": dice, **kept}
    above = [[Span(face.words.say("branch.tried"), "warn")]] if face.trying else []
    shown = [Span(judged.line, "head")]
    if judged.success is not None:
        shown.append(Span("  " + face.words.say("class.success" if judged.success else "class.failure")))
    if source != "entered" and dice:
        shown.append(Span("  " + face.words.say(f"source.{source}"), "dim"))
    if roll.comment:
        shown.append(Span("  " + roll.comment))
    return Reply(body, [*above, shown])


def _told(face: "Face", roll: Any, judged: Any, source: str) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """Result and dice of a roll."""
    result = {"total": judged.total, "success": judged.success, "expression": roll.canonical, "comment": roll.comment}
    dice = [
        {"key": part.dice.text, "faces": list(part.faces), "read": part.value, "source": source, "by": _by(face)}
        for part in judged.parts
    ]
    return result, dice


@contextmanager
def _at_the_desk(face: "Face") -> Iterator[Desk | Refused | None]:
    """The campaign under its lock from the throw to the line, so that no two windows get the same dice.

    None without a campaign, or for a roll that is only tried; the refusal of one that cannot be written.
    """
    if face.desk_at_hand() is None or face.trying:
        yield None
        return
    try:
        desk = face.writable()
    except Refused as refused:
        yield refused
        return
    with desk.campaign.writing():
        yield desk


def _faces(face: "Face", roll: Any, read: Any) -> tuple[list[int], str]:
    """The faces typed with ``--dice``, or thrown by the tool; the table's own are asked for in ask mode's shell."""
    if face.options.dice is not None:
        return list(read(face.options.dice.split(), roll)), "entered"
    sides = [part.sides for part in roll.dice for _ in range(part.count)]
    if not sides:
        return [], "entered"
    desk = face.desk_at_hand()
    if desk is not None:
        from gmtool.referee.marks import roll_faces

        return roll_faces(desk, sides, fresh=face.options.fresh, tried=face.trying)
    import secrets

    return [secrets.randbelow(n) + 1 for n in sides], "rolled"


def _by(face: "Face") -> str | None:
    return speakers(face).get("")


def _kept(
    face: "Face", desk: Desk | Refused | None, result: dict[str, Any], dice: list[dict[str, Any]]
) -> dict[str, Any]:
    """The roll in the journal of the campaign, if there is one that can be written."""
    if isinstance(desk, Refused):
        return {"warnings": [{"code": "not-kept", "rule": "", "facts": {"problem": desk.code}}]}
    if desk is None:
        return {"tried": True, "warnings": []} if face.trying else {"warnings": []}
    from gmtool.referee.marks import rolled

    seq = rolled(desk, result["expression"], face.typed, dice, face.options.fresh, result=result)
    return {"seq": seq, "warnings": face.saved(desk)}
