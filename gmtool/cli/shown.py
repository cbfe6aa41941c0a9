"""How lines of the journal look: a ruling with what comes next, what was taken back, a page of history."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from gmtool.kernel.journal import own_changes
from gmtool.kernel.refusal import Refused
from gmtool.kernel.system import COMMON_VERBS
from gmtool.kernel.trace import ids_in
from gmtool.kernel.typed import GAPS, read_dice
from gmtool.kernel.view import Say, names_in
from gmtool.render.changes import change_fields
from gmtool.render.dice import reading
from gmtool.render.lines import Span, Styled, flow, plain, wrap
from gmtool.render.refusal import asks, due
from gmtool.render.ruling import Context, command_text, outcome_text, ruling
from gmtool.render.words import Words
from gmtool.text.clean import printable

if TYPE_CHECKING:
    from gmtool.cli.face import Face
    from gmtool.referee.desk import Desk
    from gmtool.render.lines import Room
    from gmtool.store.campaign import Campaign
    from gmtool.text.catalogue import Catalogue

Entry = Mapping[str, Any]


def not_for_real(words: "Catalogue", room: "Room", tried: bool, campaign: "Campaign | None" = None) -> list[Styled]:
    """The heading of what is only tried, or belongs to a what-if that is on in this campaign; none where it counts."""
    if tried:
        return wrap(words.say("branch.tried"), room, 0, 2, "warn")
    if campaign is None or not campaign.branch:
        return []
    return wrap(words.say("branch.head", {"n": campaign.tried}), room, 0, 2, "warn")


def context(line: Entry, face: "Face") -> Context:
    """The room for a line, the moment of play it belongs to, and what begins a line in its panel."""
    where = line.get("where")
    opens = getattr(face.desk().system.view(), "OPENS", ())
    return Context(face.out.room, Say(where["key"], where["facts"]) if where else None, opens)


def ruling_lines(
    face: "Face", desk: "Desk", line: Entry, dues: Sequence[Entry], warnings: Sequence[Entry]
) -> list[Styled]:
    """A ruling, its warnings, in the shell how rare it was, what is due, and what is expected next."""
    lines = ruling(line, face.words, context(line, face))
    lines += warning_lines(face, warnings, desk)
    if face.in_shell:
        from gmtool.cli.foreseen import after_the_dice

        lines += after_the_dice(face, desk, line)
    if dues:
        return lines + due_lines(face, desk, dues)
    return lines + (next_lines(face, desk) if "seq" in line else [])  # of what was only tried nothing comes next


def question_lines(face: "Face", desk: "Desk", opened: Entry) -> list[Styled]:
    """What the open ruling waits for, whole; to a side that only something is asked, beyond what it is asked itself."""
    from gmtool.referee.opened import asked_names

    names = asked_names(desk, opened["asks"])
    lines = asks(opened["asks"], face.words, names, face.out.room, typed=not (face.in_shell or face.options.for_side))
    if opened.get("others"):
        lines += wrap(face.words.say("list.question-open"), face.out.room, 0, 2, "dim")
    return lines


def due_lines(face: "Face", desk: "Desk", dues: Sequence[Entry]) -> list[Styled]:
    """What is due, each with the line that settles it."""
    return due(dues, face.words, desk.names({row["who"] for row in dues if row["who"]}), face.out.room)


def where(face: "Face", desk: "Desk") -> str:
    """The moment of play, in the game's words; nothing before there is one."""
    say = desk.system.view().where(desk.state)
    return Words(face.words, desk.names(names_in(say))).said(say) if say else ""


def next_lines(face: "Face", desk: "Desk") -> list[Styled]:
    """The next thing expected, in the game's words."""
    say = desk.system.view().next_line(desk.state, desk.book)
    if say is None:
        return []
    text = Words(face.words, desk.names(names_in(say))).said(say)
    return wrap(text, face.out.room, 2, 4, "dim")


def warning_lines(face: "Face", warnings: Sequence[Entry], desk: "Desk | None" = None) -> list[Styled]:
    """One line for each thing the table should know."""
    lines: list[Styled] = []
    for warning in warnings:
        names = desk.names(ids_in(warning["facts"])) if desk and warning["facts"] else {}
        words = Words(face.words, names)
        text = words.cited(words.say(f"warning.{warning['code']}", warning["facts"]), warning["rule"] or None)
        lines += wrap(text, face.out.room, 2, 4, "warn")
    return lines


def back_lines(face: "Face", word: str, lines: Sequence[Entry], changes: Sequence[Entry]) -> list[Styled]:
    """What was undone or redone: each line by its number, then every figure before and after."""
    shown: list[Styled] = []
    names: dict[str, Any] = {}
    for line in lines:
        names |= line.get("names") or {}
        words = Words(face.words, line.get("names") or {})
        facts = {"seq": line["seq"], "text": _in_brief(line, words)}
        shown += wrap(face.words.say(f"done.{word}", facts), face.out.room, 0, 2)
        if "amends" in line and word == "undone":
            shown += wrap(face.words.say("done.stands-again", {"seq": line["amends"]["seq"]}), face.out.room, 0, 2)
    shown += flow(change_fields(changes, Words(face.words, names)), face.out.room, 2, 4)
    return shown or [[Span(face.words.say("done.nothing"))]]


def _in_brief(line: Entry, words: Words) -> str:
    """A ruling as a sentence of the game, with what came of it where the game words that; of a figure set by hand what
    it was and became.
    """
    if (line.get("command") or {}).get("verb") in COMMON_VERBS:
        told = [plain(field) for field in change_fields(own_changes(line), words)]
        return "  ".join(told) or command_text(line, words)
    return "  ".join(part for part in (command_text(line, words), outcome_text(line, words)) if part)


def history_line(face: "Face", line: Entry, undone: bool, amended: int | None = None) -> list[Styled]:
    """One line of the history: number, what was typed, the outcome if the game words it, what became of it since."""
    words = Words(face.words, line.get("names") or {})
    typed = printable(line.get("line") or "") or command_text(line, words)
    kind = face.words.say(f"history.{line['kind']}") if line["kind"] in {"undo", "redo"} else ""
    target = line.get("undoes") or line.get("redoes")
    verb = str((line.get("command") or {}).get("verb", "")).replace(" ", ".")
    outcome = words.first([f"result.{verb}"], line["result"]) if line.get("result") else ""
    text = f"{kind} #{target}" if target else typed + _faces(line, words)
    mark = since(face.words, undone, amended)
    campaign = face.in_branch()
    marks = {**line, "trying": bool(campaign and line["seq"] > campaign.head.seq - campaign.tried)}
    record = [face.words.say(f"history.{name}") for name in ("trying", "branch", "fresh") if marks.get(name)]
    outcome = "  ".join(part for part in (outcome, *record) if part)
    parts = [f"#{line['seq']}", text, outcome, mark]
    return wrap("  ".join(part for part in parts if part), face.out.room, 0, 6, "dim" if mark else "")


def since(words: "Catalogue", undone: bool, amended: int | None) -> str:
    """What became of a line: undone, amended by a later one; nothing where it stands."""
    mark = words.say("history.undone") if undone else ""
    return mark + (words.say("history.amended", {"seq": amended}) if amended else "")


def _faces(line: Entry, words: Words) -> str:
    """The faces that a line got by later answers; nothing where they stand in it, or the tool threw them."""
    from gmtool.cli.reader import read_line

    entered = [reading(die).typed for die in line.get("answers") or [] if die.get("source") == "entered"]
    if line["kind"] != "step" or not entered or "amends" in line:  # most faces of one amended stand above it
        return ""
    try:
        loose, named = read_dice(read_line(str(line["line"])).globals.dice or "")
    except Refused:  # a line from outside that cannot be read is shown as it is
        return ""
    typed = 0 if any(token.text in GAPS for token in loose) else len(loose)  # one that was missing moves all others
    later = [] if named else entered[typed:]
    return words.say("history.faces", {"faces": " ".join(later)}) if later else ""
