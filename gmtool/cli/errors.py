"""What went wrong, as a person and as a script should see it; the only place where an error becomes an exit code."""

import os
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gmtool.cli.reply import Trouble
from gmtool.kernel.refusal import Refused
from gmtool.kernel.state import BadRow
from gmtool.kernel.trace import fact, ids_in
from gmtool.referee.opened import NeedsAnswer
from gmtool.render.lines import Span, Styled, flow, styled, wrap
from gmtool.store.files import disk_refusal
from gmtool.text.catalogue import Catalogue

if TYPE_CHECKING:
    from gmtool.cli.face import Face
    from gmtool.referee.desk import Desk

FAULT = 70
INTERRUPTED = 130
FILES = (3, 4)
RULES_FILE = 3
"""The exit codes of what is wrong with files, told by the place in them."""


def trouble(error: Exception, face: "Face") -> Trouble:
    """The trouble that an exception stands for; a fault of ours leaves a crash log and one line."""
    if isinstance(error, NeedsAnswer):
        return _asked(error, face)
    if isinstance(error, BadRow):
        error = error.refusal("unreadable", 4)
    if isinstance(error, OSError):
        error = disk_refusal(error, str(error.filename or face.home.path))
    if not isinstance(error, Refused):
        opened = [desk for desk in face.meant.values() if not isinstance(desk, Refused)]
        error = of_the_files(opened) or _crash(error, brief=bool(face.options.for_side))
    if face.options.for_side and error.exit in FILES and error.code != "no-campaign":
        # what is wrong with the files, and where, is the GM's to see
        error = Refused(error.code, key="for-no-view", exit=error.exit)
    return refused(error, face)


def refused(error: Refused, face: "Face") -> Trouble:
    """A refusal with its sentence, its rule and the way out."""
    from gmtool.render.refusal import hints, message, refusal
    from gmtool.render.words import Words

    facts = {name: fact(_short(value)) for name, value in error.facts.items()}
    shown = {
        "code": error.code, "key": error.key, "facts": facts, "rule": error.rule, "forcible": error.forcible,
        "hint": error.hint,
    }  # fmt: skip
    names = _names(face, facts, error.state)
    if error.key == "ruling-open":
        shown["facts"] = {**facts, "key": _question(face) or facts["key"]}
    words = Words(_catalogue(face), names)
    further = [words.say("shell.take-back")] if face.answering and _stays(error) else []
    if error.exit == RULES_FILE and str(facts.get("file", "")).startswith("rules/"):
        further.append(words.say("doctor.hint-rules-file"))
    hint = " ".join([*hints(shown, words), *further])
    told = {"code": error.code, "message": message(shown, words), "hint": hint}
    body = {"asks": _asked_instead(error, face), "error": {**told, "facts": _plain(facts), "rule": error.rule}}
    lines = refusal(shown, words.catalogue, names, face.err.room)
    return Trouble(body, lines + [line for way in further for line in wrap(way, face.err.room, 0, 2)], error.exit)


def message_of(error: Refused, face: "Face") -> str:
    """The sentence of a refusal by itself, for a place where several stand."""
    return str(refused(error, face).body["error"]["message"])


def _short(value: Any) -> Any:
    """Typed text, its middle left out where it is longer than any message."""
    return f"{value[:300]}..{value[-90:]}" if type(value) is str and len(value) > 400 else value


def _stays(error: Refused) -> bool:
    """Whether a refused answer may leave its ruling where no other answer helps: not for faces typed wrongly."""
    return error.code not in ("ruling-open", "no-open-ruling", "fault") and (
        error.code != "bad-dice" or error.key == "dice-no-such-roll"
    )


def _asked_instead(error: Refused, face: "Face") -> list[dict[str, Any]]:
    """What is asked now in place of the question that was answered; a program has it with the refusal."""
    from gmtool.referee.opened import open_ruling, question_of

    if error.key == "question-gone":
        face.asked = None
    desk = face.desk_at_hand() if error.key == "question-changed" else None
    opened = open_ruling(desk) if desk else None
    if opened is None:
        return []
    if face.options.json:
        face.asked = question_of(opened)
    return list(opened["asks"])


def _question(face: "Face") -> str:
    """What the open ruling waits for, in words; nothing if it cannot be had."""
    from gmtool.referee.opened import asked_names, open_ruling
    from gmtool.render.refusal import question

    desk = face.desk_at_hand()
    opened = open_ruling(desk) if desk else None
    if not desk or not opened:
        return ""
    return question(opened["asks"], _catalogue(face), asked_names(desk, opened["asks"]))


def _asked(error: NeedsAnswer, face: "Face") -> Trouble:
    """A ruling that is open: what it needs next. Not done, and nothing has changed."""
    from gmtool.cli.shown import not_for_real
    from gmtool.render.refusal import asks

    if face.in_shell:
        face.asked = error.question
    catalogue = _catalogue(face)
    lines = not_for_real(catalogue, face.err.room, error.tried, face.in_branch()) + _so_far(error, catalogue, face)
    if face.in_shell:
        lines += _forecast(face)
    lines += asks(error.asks, catalogue, error.names, face.err.room, typed=not face.in_shell)
    if error.unasked:
        lines += wrap(catalogue.say("refusal.said-so-far", {"keys": list(error.unasked)}), face.err.room, 0, 2, "dim")
    told = {"code": "needs-answer", "message": catalogue.say("refusal.needs-answer", {"n": len(error.asks)})}
    body = {"asks": error.asks, "error": {**told, "hint": catalogue.say("hint.needs-answer")}}
    hint = [] if face.in_shell else [[Span(catalogue.say("hint.needs-answer"), "dim")]]
    return Trouble(body, [*lines, *hint], 1)


def _forecast(face: "Face") -> list[Styled]:
    """What the ruling will come to from where its dice lie, above the question."""
    from gmtool.cli.foreseen import before_the_dice
    from gmtool.referee.opened import open_ruling

    desk = face.desk_at_hand()
    opened = open_ruling(desk) if desk else None
    return before_the_dice(face, opened) if opened else []


def _so_far(error: NeedsAnswer, catalogue: Catalogue, face: "Face") -> list[Styled]:
    """What has happened in the ruling since the last dice, so that a question does not come out of the blue."""
    if not error.so_far:
        return []
    from gmtool.render.words import Words

    words = Words(catalogue, error.names)
    told = [words.say(f"event.{entry['type']}", entry["facts"]) for entry in error.so_far]
    return flow([styled(text) for text in told], face.err.room, 0, 2)


def _names(face: "Face", facts: Mapping[str, Any], state: Any = None) -> dict[str, Any]:
    ids = ids_in(list(facts.values()))
    ids |= {part for part in str(facts.get("roll") or "").split(".")[1:] if part}
    within = facts.get("within")
    try:
        desk = None if not ids else face.desk() if face.options.for_side else face.desk_at_hand()
        if desk and within:
            found = desk.names(f"{within}/{id}" for id in ids)
            return {**desk.names(ids), **{whole.removeprefix(f"{within}/"): name for whole, name in found.items()}}
        made = desk.names(ids, state) if desk and state and not face.options.for_side else {}
        return {**desk.names(ids), **made} if desk else {}
    except (Refused, BadRow):
        return {}


def _catalogue(face: "Face") -> Catalogue:
    """The words of the language; without a readable campaign the common ones."""
    try:
        return face.words
    except (Refused, BadRow):
        from gmtool.text.catalogue import load

        return load(face.options.lang or "en")


def _plain(facts: Mapping[str, Any]) -> dict[str, Any]:
    """Facts without their marks, for scripts."""
    return {name: _unmarked(value) for name, value in facts.items()}


def _unmarked(value: Any) -> Any:
    if isinstance(value, dict) and len(value) == 1:
        return next(iter(value.values()))
    return [_unmarked(item) for item in value] if isinstance(value, list) else value


def of_the_files(desks: Iterable["Desk"]) -> Refused | None:
    """The refusal of a state that does not hold together, which no rule can be expected to bear; None where it does."""
    from gmtool.referee.soundness import fault_in

    try:
        found = [fault_in(desk) for desk in desks]
    except Exception:
        return None
    for row in filter(None, found):
        return row.refusal("unreadable", 4)
    return None


def _crash(error: Exception, brief: bool) -> Refused:
    """Write the crash log where it can be written; the refusal that names it, ``brief`` without the error's words."""
    import tempfile
    import traceback

    kept = "-"
    try:
        handle, kept = tempfile.mkstemp(prefix="gmtool-crash-", suffix=".txt")
        with os.fdopen(handle, "w", encoding="utf-8", errors="backslashreplace") as log:
            traceback.print_exception(error, file=log)
    except OSError:
        pass
    what = type(error).__name__ if brief else f"{type(error).__name__}: {error}"[:200]
    return Refused("fault", exit=FAULT, facts={"what": what, "file": str(Path(kept))})
