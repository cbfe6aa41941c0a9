"""Verbs that change a campaign: the game's own, answers, setting by hand, notes, free rolls, settings."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

from gmtool.cli.reply import Found, Reply
from gmtool.cli.said import option_and_faces, option_shown, reason, rolls_shown, speakers
from gmtool.kernel.by_hand import SetValue
from gmtool.kernel.refusal import Refused
from gmtool.kernel.words import TEXT, WORD, Arg, Flag
from gmtool.referee.act import Done, act, answer
from gmtool.referee.opened import NeedsAnswer, Request, asked_names, drop, open_ruling, question_of, the_open_ruling
from gmtool.render.lines import Span, wrap

if TYPE_CHECKING:
    from gmtool.cli.face import Face

Set = SetValue


class Note(NamedTuple):
    """A note of the table."""

    text: Annotated[str, Arg(WORD)]


class Answer(NamedTuple):
    """Go on with the open ruling."""

    words: Annotated[tuple[str, ...], Arg(WORD, many=True)] = ()
    drop: Annotated[bool, Flag("--drop")] = False
    roll: Annotated[bool, Flag("--roll")] = False


class Roll(NamedTuple):
    """A free roll."""

    expression: Annotated[tuple[str, ...], Arg(WORD, many=True)]


class Config(NamedTuple):
    """Look at the settings, or change one."""

    key: Annotated[str, Arg(WORD)] = ""
    value: Annotated[str, Arg(TEXT)] = ""


def request(face: "Face", verb: str, words: Mapping[str, Any]) -> Request:
    """The line as the referee takes it."""
    options = face.options
    by_unit = speakers(face)
    everyone = by_unit.pop("", None)
    return Request(
        verb, words, face.typed, rolls_shown(face, options.dice or ""), dict(options.say), everyone, by_unit,
        reason(face), options.force, options.fresh, tried=face.trying,
    )  # fmt: skip


def rule(face: "Face", found: Found, words: Mapping[str, Any]) -> Reply:
    """A verb of the game: judged, and on disk when it returns."""
    asked = request(face, found.verb, words)
    return done(face, act(face.writable(), asked))


def done(face: "Face", ruled: Done) -> Reply:
    """A ruling as a reply."""
    from gmtool.cli.shown import not_for_real, ruling_lines

    face.asked = None
    desk, line = face.desk(), ruled.line
    kept = "seq" in line
    warnings = [*ruled.warnings, *(face.saved(desk) if kept else [])]
    body = {
        **({"seq": line["seq"]} if kept else {"tried": True}), "system": line["system"], "rules": line["rules"],
        "dice": line["answers"],
        "result": line["result"], "changes": line["changes"], "due": ruled.due, "warnings": warnings,
        "overruled": line["overruled"],
    }  # fmt: skip
    body |= {name: line[name] for name in ("amends", "fresh") if name in line}
    above = not_for_real(face.words, face.out.room, not kept)
    return Reply(body, [*above, *ruling_lines(face, desk, line, ruled.due, warnings)])


def set_(face: "Face", command: SetValue) -> Reply:
    """One figure by hand; one that has the value already stays, and no step is written."""
    try:
        return done(face, act(face.writable(), request(face, "set", command._asdict())))
    except Refused as refused:
        if refused.key != "set-same":
            raise
        lines = wrap(face.words.say("refusal.set-same", refused.facts), face.out.room, 0, 2)
        return Reply({"result": refused.facts, "changes": []}, lines)


def answer_(face: "Face", command: Answer) -> Reply:
    """Faces or a word for what the open ruling asks; ``--drop`` forgets it."""
    desk = face.writable()
    if command.drop:
        line = drop(desk, face.expects)
        face.asked = None
        return Reply({"result": {"dropped": line}}, [[Span(face.words.say("done.dropped", {"line": line}))]])
    if not (command.words or command.roll or face.options.dice or face.options.say):
        stored = the_open_ruling(desk)
        names = asked_names(desk, stored["asks"])
        raise NeedsAnswer(stored["asks"], stored["line"], names, tried=stored.get("tried", False))
    face.answering = True
    asked = replace(request(face, "answer", {}), roll=command.roll, expects=face.expects)
    opened = open_ruling(desk)
    word, faces = option_and_faces(opened, command.words) if opened else (" ".join(command.words), "")
    asked = replace(asked, dice=" ".join(filter(None, (asked.dice, faces))))
    meant = option_shown(face, desk, opened, word) if opened else None
    if opened and meant is not None:  # the word is read by this question, so it may answer no other
        word, asked = meant, replace(asked, expects=asked.expects or question_of(opened))
    return done(face, answer(desk, rolls_shown(face, word), asked))


def note_(face: "Face", command: Note) -> Reply:
    """A note; it is no step, and no undo takes it away."""
    from gmtool.referee.marks import note

    desk = face.writable()
    seq = note(desk, command.text, face.typed)
    warnings = face.saved(desk)
    lines = [[Span(face.words.say("done.noted", {"seq": seq, "text": command.text}))]]
    return Reply({"seq": seq, "result": {"note": command.text}, "warnings": warnings}, lines)


def roll_(face: "Face", command: Roll) -> Reply:
    """A free roll, judged on the table's faces where they are given."""
    from gmtool.cli.rolls import free_roll

    return free_roll(face, " ".join(command.expression))


def config_(face: "Face", command: Config) -> Reply:
    """The settings, or one changed."""
    from gmtool.cli.settings import change, show

    return change(face, command.key, command.value) if command.value else show(face, command.key)


HANDLERS: dict[type[Any], Callable[..., Reply]] = {
    Set: set_,
    Answer: answer_,
    Note: note_,
    Roll: roll_,
    Config: config_,
}
