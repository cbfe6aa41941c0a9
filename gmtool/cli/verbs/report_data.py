"""A report for other programs: every die as CSV, everything as JSON."""

import json
from typing import TYPE_CHECKING, Any

from gmtool.cli.verbs.looking import shown_changes
from gmtool.kernel.state import encode
from gmtool.referee.explain import Past, history
from gmtool.referee.report import Material
from gmtool.referee.sessions import lines_of
from gmtool.referee.thrown import Thrown, thrown
from gmtool.render.jsonout import escaped
from gmtool.render.rolls import Rolled, rolls
from gmtool.render.words import Words, clean

if TYPE_CHECKING:
    from gmtool.cli.face import Face
    from gmtool.referee.desk import Desk


def as_csv(face: "Face", desk: "Desk", one: int | None) -> str:
    """Every die of a session, or of all, those of lines taken back among them."""
    return rolls(_rolled(face, each) for each in thrown(desk, "" if one is None else str(one)))


def _rolled(face: "Face", each: Thrown) -> Rolled:
    line, die = each.past.line, each.die
    words = Words(face.words, line.get("names") or {})
    where = (line.get("where") or {}).get("facts") or {}

    def at(name: str) -> str:
        fact = where.get(name)
        return "" if fact is None else fact["word"] if isinstance(fact, dict) and "word" in fact else words.fact(fact)

    read = die.get("read")
    return Rolled(
        line["seq"], line["time"], each.session or None, at("battle"), at("turn"), at("phase"), clean(line["line"]),
        clean(die.get("by")), clean(die.get("key")), each.who, words.name(each.who) if each.who else "", each.sides,
        die["faces"], read if isinstance(read, int) else None, clean(die.get("class")), clean(die.get("source")),
        each.past.undone, each.past.amended, each.told_before,
    )  # fmt: skip


def as_json(desk: "Desk", material: Material, mark: str) -> tuple[str, dict[str, Any]]:
    """Everything of a session, or of all, as text and as the object it is; of lines taken back it says so."""
    own = None if material.one is None else lines_of(desk, material.sessions[0])
    told = {
        "report": mark, "format": 1, "campaign": desk.row.name, "system": desk.system.id, "session": material.one,
        "sessions": [encode(row) for row in material.sessions],
        "lines": [_line(past) for past in history(desk, 0, every=True) if own is None or past.line["seq"] in own],
        "state": _state(desk, material),
    }  # fmt: skip
    return escaped(json.dumps(told, ensure_ascii=False, indent=1)) + "\n", told


KEPT = (
    "seq", "time", "kind", "line", "command", "where", "answers", "trace", "names", "result", "rules", "overruled",
    "because", "said", "amends", "undoes", "redoes",
)  # fmt: skip
"""What of a journal's line is told; the rest ties the journal together."""


def _line(past: Past) -> dict[str, Any]:
    told = {key: past.line[key] for key in KEPT if key in past.line}
    return {**told, "changes": shown_changes(past.line["changes"]), "undone": past.undone, "amended_by": past.amended}


def _state(desk: "Desk", material: Material) -> dict[str, Any]:
    """How things stand behind the last line: the tables of things, and what is due."""
    tables = [name for name in desk.system.state.kinds if name not in desk.system.inner or name == "due"]
    return {name: {id: encode(row) for id, row in material.state.table(name).items()} for name in tables}
