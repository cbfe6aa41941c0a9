"""What can be done now: by everything on the board in a line or two, or by one thing, with the reasons for the rest."""

from collections.abc import Callable, Iterable, Sequence
from itertools import groupby
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

from gmtool.cli.errors import message_of
from gmtool.cli.lexer import join
from gmtool.cli.reply import Reply
from gmtool.cli.shown import due_lines, next_lines, question_lines, where
from gmtool.kernel.trial import never
from gmtool.kernel.words import WORD, Arg, Candidate
from gmtool.referee.desk import due_list
from gmtool.referee.possible import Barred, Deed, Possible, all_that_can_be_done, trials_on, what_it_can_do
from gmtool.render.lines import Span, Styled, flow, styled, wrap
from gmtool.render.possible import Group, Way, overview, refused, whole
from gmtool.text.clean import printable

if TYPE_CHECKING:
    from gmtool.cli.face import Face
    from gmtool.referee.desk import Desk

UNTOLD = ("bad-value", "nothing-to-do", "not-covered")
"""Codes that say too little by themselves: their sentences tell what it is."""


class Can(NamedTuple):
    """What can be done now: by all, or by one thing with the reasons for what it cannot."""

    name: Annotated[str, Arg(WORD)] = ""


def can(face: "Face", command: Can) -> Reply:
    """By trying each line; while a ruling is open, what it asks for."""
    from gmtool.referee.opened import open_ruling

    desk = face.desk()
    opened = open_ruling(desk)
    if opened is not None:
        return _asked(face, desk, opened)
    trials = trials_on(desk)
    trials.enough, trials.trusting = never, True  # hexes in reach have been found by the rules themselves
    return _of_one(face, desk, desk.find(command.name)) if command.name else _of_all(face, desk)


def typed_as(word: Candidate) -> str:
    """How a thing is typed: by its handle, unless that is a mere number."""
    return word.handle if word.handle and not word.handle.isdecimal() else word.id


def command_of(deed: Deed | Barred) -> str:
    """The line of a deed as it is typed."""
    return " ".join([deed.verb, *(join([typed_as(word)]) for word in deed.words)])


# everything


def _of_all(face: "Face", desk: "Desk") -> Reply:
    found = all_that_can_be_done(desk)
    names = desk.names(thing.id for thing, _ in found.things)
    shown = [
        (
            typed_as(thing),
            str(face.words.fact({"id": thing.id}, names)),
            [*_ways(desk, face, own.deeds, 1), *_free(own)],
        )
        for thing, own in found.things
    ]
    body = {
        "can": [told for thing, own in found.things for told in _told(own.deeds, thing.id)]
        + _told(found.others.deeds, None),
        "cannot": _cannot(face, _groups(found.others.barred)),
        "besides": list(found.beside),
    }
    others = _ways(desk, face, found.others.deeds, 0)
    lines = _moment(face, desk) + overview(shown, face.words, face.out.room)
    fields = [styled(" ".join(filter(None, [way.words, *way.last]))) for way in others]
    fields += [styled(verb) for verb in dict.fromkeys(found.others.free)]
    lines += _headed(face, face.words.say("can.others"), fields)
    dues = due_list(desk)
    lines += due_lines(face, desk, dues) if dues else next_lines(face, desk)
    lines += _headed(face, face.words.say("can.besides"), [styled(verb, "dim") for verb in found.beside])
    return Reply({"result": body}, lines)


def _free(own: Possible) -> list[Way]:
    """The verbs that need a word of anybody's choice, such as a number."""
    return [Way(f"{verb} ...", ()) for verb in dict.fromkeys(own.free)]


def _moment(face: "Face", desk: "Desk") -> list[Styled]:
    """Campaign, turn and whose it is."""
    told = filter(None, [printable(desk.row.name), where(face, desk)])
    return wrap("   ".join(told), face.out.room, 0, 2, "head")


def _headed(face: "Face", head: str, fields: Sequence[Styled]) -> list[Styled]:
    """Fields in a row behind a word for what they are."""
    if not fields:
        return []
    return flow([[Span(head, "head")], *fields], face.out.room, 0, 2, "  ")


# one thing


def _of_one(face: "Face", desk: "Desk", id: str) -> Reply:
    thing, own, beside = what_it_can_do(desk, id)
    groups = _groups(own.barred)
    body = {"can": _told(own.deeds, id), "cannot": _cannot(face, groups), "besides": list(beside)}
    name = str(face.words.fact({"id": id}, desk.names([id])))
    handle = typed_as(thing)
    lines = wrap(name if name == handle else f"{handle} {name}", face.out.room, 0, 2, "head")
    lines += whole(_ways(desk, face, own.deeds, 0), face.words, face.out.room)
    if not own.deeds:
        lines += wrap(face.words.say("can.nothing"), face.out.room, 2, 4)
    lines += _headed(face, face.words.say("can.free"), [styled(f"{verb} {handle}") for verb in dict.fromkeys(own.free)])
    shown = [Group(_reason(face, group), tuple(_ways(desk, face, group, 1))) for group in groups]
    if shown:
        lines += [[Span(face.words.say("can.not-now"), "head")], *refused(shown, face.words, face.out.room)]
    lines += _headed(face, face.words.say("can.besides"), [styled(verb, "dim") for verb in beside])
    return Reply({"result": body}, lines)


def _ways(desk: "Desk", face: "Face", deeds: Sequence[Deed | Barred], hide: int) -> list[Way]:
    """Lines drawn together that differ in their last word only; the first ``hide`` words are not shown."""
    found = []
    for (verb, before), run in groupby(deeds, key=lambda deed: (deed.verb, deed.words[:-1] if deed.words else ())):
        alike = list(run)
        last = [deed.words[-1] for deed in alike if len(deed.words) > hide or (deed.words and not hide)]
        words = " ".join([verb, *(join([typed_as(word)]) for word in before[hide:])])
        named = tuple(_called(desk, face, word) for word in last) if before and not hide else ()
        found.append(Way(words, tuple(join([typed_as(word)]) for word in last), command_of(alike[0]), named))
    return found


def _called(desk: "Desk", face: "Face", word: Candidate) -> str:
    """What a word stands for, where that is more than the word itself."""
    within = f"{word.within}/{word.id}" if word.within else word.id
    name = str(face.words.fact({"id": within}, desk.names([within])))
    return "" if name in (within, typed_as(word)) else name


# reasons


def _groups(barred: Iterable[Barred]) -> list[list[Barred]]:
    """What is refused, by the reason: the code and rule, or where the code says little the sentence."""
    found: dict[Any, list[Barred]] = {}
    for each in barred:
        said = each.refused
        found.setdefault((said.code, said.rule, said.key if said.code in UNTOLD else ""), []).append(each)
    return list(found.values())


def _reason(face: "Face", group: Sequence[Barred]) -> str:
    """The reason for a group: its sentence where all have the same, else in a few words."""
    first = group[0].refused
    brief = f"why-not.{first.code}"
    if not face.words.has(brief) or all(each.refused.facts == first.facts for each in group):
        return message_of(first, face)
    from gmtool.render.words import Words

    return Words(face.words, {}).cited(face.words.say(brief), first.rule)


# for scripts


def _told(deeds: Iterable[Deed], unit: str | None) -> list[dict[str, Any]]:
    return [
        {"command": command_of(deed), "verb": deed.verb, "unit": unit, "words": [word.id for word in deed.words]}
        for deed in deeds
    ]


def _cannot(face: "Face", groups: Iterable[Sequence[Barred]]) -> list[dict[str, Any]]:
    return [
        {
            "commands": [command_of(each) for each in group], "code": group[0].refused.code,
            "rule": group[0].refused.rule, "message": message_of(group[0].refused, face),
        }
        for group in groups
    ]  # fmt: skip


def _asked(face: "Face", desk: "Desk", opened: dict[str, Any]) -> Reply:
    """While a ruling is open nothing can be done but to answer it, or to forget it."""
    ask = opened["asks"][0]
    words = ["--roll"] if ask["kind"] == "dice" else list(ask["options"])
    answers = [f"answer {word if word.startswith('--') else join([word])}" for word in [*words, "--drop"]]
    told: list[dict[str, Any]] = [
        {"command": line, "verb": "answer", "unit": ask["who"] or None, "words": []} for line in answers
    ]
    body = {"can": told, "cannot": [], "besides": []}
    lines = wrap(face.words.say("can.asked", {"line": opened["line"]}), face.out.room, 0, 2, "head")
    lines += question_lines(face, desk, opened)
    lines += wrap(
        face.words.say("can.drop", {"command": "u" if face.in_shell else "answer --drop"}), face.out.room, 0, 2, "dim"
    )
    return Reply({"result": body, "asks": opened["asks"]}, lines)


HANDLERS: dict[type[Any], Callable[..., Reply]] = {Can: can}
