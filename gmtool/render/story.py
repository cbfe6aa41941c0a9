"""A ruling told as in a story: sentences of what happened, and in the margin the figures, dice and counts behind them.

A game tells its events in sentences of their own, ``tale.<event>``, whole and with their full stop. An event without
one stands in the margin as it does in a ruling's panel; so does one whose tale leaves out a number of it. A ruling of
which nothing is told reads as its command does.
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from typing import Any

from gmtool.kernel.journal import own_changes
from gmtool.render import dice
from gmtool.render.changes import change_fields
from gmtool.render.document import Told
from gmtool.render.lines import plain
from gmtool.render.ruling import Group, command_text, declarations, groups, on_record, outcome_text, set_aside
from gmtool.render.words import Words
from gmtool.text.catalogue import FIELD

Line = Mapping[str, Any]
Entry = Mapping[str, Any]


def story(line: Line, words: Words) -> Told:
    """The ruling of a line as a paragraph with its margin."""
    trace = line.get("trace") or []
    events = [entry for entry in trace if entry["t"] == "event" and words.catalogue.has(_key(entry))]
    tales = [_tale(run, words) for run in _runs(events, words)]
    text = words.say("report.gap").join(tale for tale, _ in groupby(tales)) or _untold(line, words)
    return Told(text, tuple(_margin(line, trace, words)), f"#{line['seq']}", outcome_text(line, words))


def _untold(line: Line, words: Words) -> str:
    """A ruling that no event tells of, as its command reads."""
    return words.say("report.untold", {"text": command_text(line, words)})


def _key(event: Entry) -> str:
    return f"tale.{event['type']}"


def _fields(event: Entry, words: Words) -> set[str]:
    """What the tale of an event says of it."""
    tale = words.catalogue.sentences.get(_key(event), "")
    return {field[1] for field in FIELD.finditer(tale if isinstance(tale, str) else tale["other"])}


def _runs(events: Sequence[Entry], words: Words) -> Iterator[list[Entry]]:
    """Events that are told in one sentence: of the same kind, and one thing named in it alone is another."""
    run: list[Entry] = []
    for event in events:
        if run and (event["type"] != run[0]["type"] or _another([*run, event], words) is None):
            yield run
            run = []
        run.append(event)
    if run:
        yield run


def _another(run: Sequence[Entry], words: Words) -> str | None:
    """The one field that differs within a run, a thing with a name; None where there is none, or more than one."""
    facts = [each["facts"] for each in run]
    differ = [
        name for name in sorted(_fields(run[0], words)) if any(each.get(name) != facts[0].get(name) for each in facts)
    ]
    named = len(differ) == 1 and all("id" in (each.get(differ[0]) or ()) for each in facts)
    return differ[0] if named else None


def _tale(run: Sequence[Entry], words: Words) -> str:
    """The sentence of a run. One or several: by how many things are named together, else by its first number."""
    facts, name = run[0]["facts"], _another(run, words)
    told = [fact for field, fact in facts.items() if field in _fields(run[0], words) and type(fact) is int]
    n = len(run) if name else next(iter(told), 1)
    together = {name: [each["facts"][name] for each in run]} if name else {}
    return words.say(f"tale.{run[0]['type']}", {**facts, "n": n, **together})


def _margin(line: Line, trace: Sequence[Entry], words: Words) -> Iterator[str]:
    """Targets with the dice thrown at them, what else was counted, what was said and set aside."""
    found = groups(dice.further(trace), words)
    yield from (_thrown(group, words) for group in found if _has_dice(group))
    events = [group.entry for group in found if group.entry["t"] == "event"]
    counted = [_thrown(group, words) for group in found if group.entry["t"] == "figure" and not group.dice]
    counted += [words.say(f"event.{event['type']}", event["facts"]) for event in events if not _whole(event, words)]
    if not events and not any(entry["t"] in ("figure", "dice") for entry in trace):
        counted = [plain(field) for field in change_fields(own_changes(line), words)]
    if counted:
        yield words.say("report.between").join(counted)
    yield from _notes(line, trace, words)


def _has_dice(group: Group) -> bool:
    return group.entry["t"] == "dice" or bool(group.dice)


def _whole(event: Entry, words: Words) -> bool:
    """Whether an event's tale says all of its numbers."""
    if not words.catalogue.has(_key(event)):
        return False
    fields = _fields(event, words)
    return all(type(value) is not int or name in fields for name, value in event["facts"].items())


def _thrown(group: Group, words: Words) -> str:
    """``Alpha attack 70: 15 15 99``: a figure with the dice thrown at it, or dice on their own."""
    entry = group.entry
    pool = words.pool(entry["key"], entry.get("who"))
    figure = entry["t"] == "figure"
    term = words.term("figure", pool) if figure else words.roll(pool)
    head = " ".join(filter(None, [words.who(entry), term, str(entry["total"]) if figure else ""]))
    thrown = [die for each in ([entry] if not figure else group.dice) for die in each["dice"]]
    faces = " ".join(_faces(die, words) for die in thrown)
    return words.say("report.thrown", {"who": head, "faces": faces}) if faces else head


def _faces(die: Entry, words: Words) -> str:
    """A die as it lay and was read, with what was thrown for it again."""
    throws = [die, *dice.further_of(die)]
    return words.say("report.again").join(dice.figure_of(each) for each in throws)


def _notes(line: Line, trace: Sequence[Entry], words: Words) -> Iterator[str]:
    said = declarations(trace, "said", words)
    if said:
        yield words.say("ruling.said", {"items": said})
    for sentence in set_aside(line, trace, words):
        yield words.say("ruling.overruled", {"text": sentence})
    if line.get("because"):
        yield words.say("ruling.because", {"text": line["because"]})
    yield from on_record(line, words)
