"""What a campaign has pinned or has of its own, against the game as it comes; and taking over newer sheets."""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

from gmtool.cli.reply import Reply
from gmtool.kernel.upgrade import OVER
from gmtool.kernel.words import WORD, Arg, Flag, Opt, one_of
from gmtool.render.lines import Styled, flow, styled, wrap
from gmtool.render.words import Words

if TYPE_CHECKING:
    from gmtool.cli.face import Face
    from gmtool.kernel.changes import Change
    from gmtool.referee.desk import Desk
    from gmtool.referee.differing import Differences


class Diff(NamedTuple):
    """What of the campaign differs from the game as it comes."""


class Upgrade(NamedTuple):
    """Take over what the files say now of the sheets that are pinned."""

    sheets: Annotated[tuple[str, ...], Arg(WORD, many=True)] = ()
    over: Annotated[str, Opt("--over", one_of("surplus", *OVER))] = ""
    preview: Annotated[bool, Flag("--preview")] = False


def diff_(face: "Face", command: Diff) -> Reply:
    """Key by key what was pinned and what the files say now, what is the campaign's own, which readings it chose."""
    from gmtool.referee.differing import differences

    desk = face.desk()
    found = differences(desk)
    told = {
        "sheets": [{"id": id, "changes": changes} for id, changes in found.sheets.items()], "gone": found.gone,
        "own": [each._asdict() for each in found.own], "choices": [each._asdict() for each in found.chosen],
    }  # fmt: skip
    return Reply({"system": desk.system.id, "result": told}, _lines(face, desk, found))


def _lines(face: "Face", desk: "Desk", found: "Differences") -> list[Styled]:
    words, room = face.words, face.out.room
    if not found:
        return wrap(words.say("diff.nothing"), room, 0, 2)
    lines: list[Styled] = []
    if found.sheets or found.gone:
        lines += wrap(words.say("diff.sheets"), room, 0, 2, "head") + _sheets(face, desk, found.sheets)
        for id in found.gone:
            lines += wrap(words.say("diff.gone", {"sheet": _named(face, desk, id)}), room, 2, 4, "warn")
        if found.sheets:
            lines += wrap(words.say("diff.upgrade"), room, 2, 4, "dim")
    if found.own:
        lines += wrap(words.say("diff.own"), room, 0, 2, "head")
        for own in found.own:
            lines += wrap(
                words.say("diff.new" if own.new else "diff.entry", {"table": own.table, "id": own.id}), room, 2, 4
            )
            lines += [] if own.new else _changes(face, own.changes)
    if found.chosen:
        lines += wrap(words.say("diff.choices"), room, 0, 2, "head")
    for choice in found.chosen:
        facts = {"id": choice.id, "what": words.say(f"choice.{choice.id}")}
        before, after = (words.say(f"choice.{choice.id}.{option}") for option in (choice.default, choice.value))
        lines += wrap(words.say("diff.choice", {**facts, "before": before, "after": after}), room, 2, 4)
    return lines


def _sheets(face: "Face", desk: "Desk", sheets: "dict[str, list[Change]]") -> list[Styled]:
    """Each sheet with what differs."""
    lines: list[Styled] = []
    for id, changes in sheets.items():
        lines += wrap(_named(face, desk, id), face.out.room, 2, 4)
        lines += _changes(face, changes)
    return lines


def _named(face: "Face", desk: "Desk", id: str) -> str:
    """A sheet by its name and id."""
    name = Words(face.words, desk.names([id])).name(id)
    return face.words.say("diff.sheet", {"name": name, "id": id})


def _changes(face: "Face", changes: "Sequence[Change]") -> list[Styled]:
    """Each key as it stands in a file, with what it was and what it is."""
    words = Words(face.words, {})
    told = []
    for change in changes:
        key = ".".join(change["path"].split(".")[2:])
        before, after = (
            words.value(change[side]) if change.get(side) is not None else "-" for side in ("before", "after")
        )
        told.append(styled(words.say("diff.change", {"key": key, "before": before, "after": after})))
    return flow(told, face.out.room, 4, 6)


def upgrade(face: "Face", command: Upgrade) -> Reply:
    """The sheets replaced by those of the files, as one step; with ``--preview`` only what would become of it."""
    from gmtool.cli.verbs.play import done, request
    from gmtool.referee.act import act
    from gmtool.referee.differing import sheets_that_differ

    if command.preview:
        return _preview(face, command)
    differing = sheets_that_differ(face.desk())
    words = {name: value for name, value in (("sheets", list(command.sheets)), ("over", command.over)) if value}
    ruled = act(face.writable(), request(face, "rules upgrade", words))
    reply = done(face, ruled)
    taken = {id: differing[id] for id in ruled.line["result"]["sheets"]}
    return reply._replace(lines=[*reply.lines, *_sheets(face, face.desk(), taken)])


def _preview(face: "Face", command: Upgrade) -> Reply:
    from gmtool.cli.shown import warning_lines
    from gmtool.referee.differing import preview, sheets_that_differ

    desk = face.desk()
    ruling = preview(desk, command.sheets)
    sheets = {id: changes for id, changes in sheets_that_differ(desk).items() if id in ruling.result["sheets"]}
    lines = wrap(face.words.say("diff.preview"), face.out.room, 0, 2, "head") + _sheets(face, desk, sheets)
    lines += warning_lines(face, ruling.warnings, desk)
    if ruling.warnings:
        lines += wrap(face.words.say("diff.over"), face.out.room, 2, 4, "dim")
    told = {"would_take": list(sheets), "sheets": [{"id": id, "changes": each} for id, each in sheets.items()]}
    return Reply({"result": told, "changes": ruling.changes, "warnings": ruling.warnings}, lines)


HANDLERS: dict[type[Any], Callable[..., Reply]] = {Diff: diff_, Upgrade: upgrade}
