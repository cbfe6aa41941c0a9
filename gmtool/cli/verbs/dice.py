"""The dice report: how the dice of the table have fallen, by die and person, and whether that is unusual."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

from gmtool.cli.reply import Reply
from gmtool.cli.said import speakers
from gmtool.cli.verbs.report import SESSION
from gmtool.kernel.words import Opt

if TYPE_CHECKING:
    from gmtool.cli.face import Face
    from gmtool.kernel.evenness import DiceSet


class DiceReport(NamedTuple):
    """The faces of the table's dice, tested."""

    session: Annotated[str, Opt("--session", SESSION)] = ""


def dice_report(face: "Face", command: DiceReport) -> Reply:
    """Of all sessions, or of one; with ``--by NAME`` of one person."""
    from gmtool.kernel.evenness import LEVEL
    from gmtool.referee.fairness import fairness
    from gmtool.referee.report import ALL
    from gmtool.referee.thrown import thrown
    from gmtool.render.fairness import fairness as shown
    from gmtool.render.words import Words

    desk = face.desk()
    session = "" if command.session == ALL else command.session
    by = speakers(face).get("")
    found = fairness(thrown(desk, session), by)
    result = {
        "session": int(session) if session else None, "by": by, "level": LEVEL, "tests": found.tests,
        "correction": "holm", "dice": [_told(each) for each in found.table],
        "tool": [_told(each) for each in found.tool], "unknown": found.unknown,
    }  # fmt: skip
    lines = shown(found, Words(face.words, {}), face.out.room)
    return Reply({"system": desk.system.id, "result": result}, lines)


def _told(each: "DiceSet") -> dict[str, Any]:
    """A set of dice for scripts; ``chance`` is the test's own, ``corrected`` that among all tests of the report."""
    test = each.tested
    assert test is not None  # every set that is told of was tested
    return {
        "die": f"D{each.sides}", "place": each.place or None, "by": each.by, "everyone": each.everyone,
        "rolls": each.rolls, "faces": dict(zip(each.labels, each.counts, strict=True)),
        "expected": each.rolls / len(each.counts), "measure": test.measure, "method": test.method,
        "chance": test.chance, "corrected": each.chance, "least": each.least, "telling": each.telling,
        "verdict": each.verdict,
    }  # fmt: skip


HANDLERS: dict[type[Any], Callable[..., Reply]] = {DiceReport: dice_report}
