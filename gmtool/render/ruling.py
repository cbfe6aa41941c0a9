"""The panel of a ruling: what was decided, the figures in their parts, each die, what happened, the rules."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import groupby
from typing import Any, NamedTuple

from gmtool.kernel.journal import own_changes
from gmtool.kernel.refusal import Word
from gmtool.kernel.view import Say
from gmtool.render import dice
from gmtool.render.changes import change_fields
from gmtool.render.lines import (
    GAP,
    PAGE,
    Room,
    Span,
    Styled,
    cells_of,
    ends,
    flow,
    joined,
    padded,
    plain,
    styled,
    wrap,
)
from gmtool.render.words import Words, clean, signed
from gmtool.text.catalogue import FIELD, Catalogue

Entry = Mapping[str, Any]


class Context(NamedTuple):
    """What a ruling is shown in: the room for it, and the moment of play if the game has a word for it.

    ``opens`` are the types of events that begin a line of their own: with each the ruling turns to somebody else.
    """

    room: Room = PAGE
    where: Say | None = None
    opens: Collection[str] = ()


CONTEXT = Context()


class Group(NamedTuple):
    """A figure with the dice rolled against it; or dice or an event on their own."""

    entry: Entry
    dice: list[Entry]


def ruling(line: Entry, catalogue: Catalogue, context: Context = CONTEXT) -> list[Styled]:
    """A line of the journal as a panel. Without ``seq`` (nothing kept) it has neither number nor commands."""
    words = Words(catalogue, line.get("names") or {})
    trace = dice.further(line.get("trace") or [])
    found = groups(trace, words)
    body = _body(found, words, context, _shared_pools(found, words, _spoken_of(line)))
    if not any(entry["t"] in ("event", "figure", "dice") for entry in trace):
        body += flow(change_fields(own_changes(line), words), context.room, 2, 4)
    notes = _notes(line, trace, words, context.room)
    return [*head(line, words, context), *body, *notes, *_foot(line, context.room)]


def head(line: Entry, words: Words, context: Context) -> list[Styled]:
    """Number, moment and command; under it the outcome, where the game has a sentence for it."""
    number = styled(f"#{line['seq']}", "head") if line.get("seq") is not None else []
    where = styled(words.said(context.where)) if context.where else []
    title, outcome = styled(command_text(line, words), "head"), _outcome(line, words)
    first = joined([number, where]) if where else joined([number, title])
    if not where:
        return _beside(first, outcome, context.room)
    if cells_of(first) + len(GAP) + cells_of(title) <= context.room.width:
        return [*ends(first, title, context.room), *ends([], outcome, context.room)]
    return [first, *_beside([Span("  "), *title], outcome, context.room)]


def _beside(title: Styled, outcome: Styled, room: Room) -> list[Styled]:
    """The outcome at the right of the title, or below it where the title takes all the room."""
    if cells_of(title) <= room.width:
        return ends(title, outcome, room)
    return [*wrap(plain(title), room, 0, 5, "head"), *ends([], outcome, room)]


def command_text(line: Entry, words: Words) -> str:
    """The command as a sentence of the game (``command.<verb>``), else the line as it was typed.

    ``command.<verb>-<word>`` goes before it where that word of the command was given.
    """
    command = line.get("command") or {}
    key = "command." + str(command.get("verb", "")).replace(" ", ".")
    facts = {name: _argument(value, words) for name, value in (command.get("args") or {}).items()}
    keys = [*(f"{key}-{name}" for name, value in facts.items() if value), key]
    return words.first(keys, facts) or clean(line.get("line"))


def _argument(value: Any, words: Words) -> Any:
    """An argument as a fact: ids are shown by name, that of a part with whose it is, and words of the game by term."""
    if isinstance(value, list):
        return [_argument(item, words) for item in value]
    if not isinstance(value, str):
        return value
    first, equals, named = value.partition("=")
    if equals and named.partition("/")[0] in words.names:
        return f"{first}={words.fact(_argument(named, words))}"
    owner, slash, part = value.partition("/")
    if slash and owner in words.names:
        name = words.name(owner)
        return f"{name}/{words.name(value).removeprefix(f'{name}/') if value in words.names else part}"
    return {"id": value} if value in words.names else Word(value)


def _outcome(line: Entry, words: Words) -> Styled:
    return styled(outcome_text(line, words), "head")


def outcome_text(line: Entry, words: Words) -> str:
    """What came of a ruling, where the game has a sentence for it (``result.<verb>``) and its fields are all there."""
    verb = str((line.get("command") or {}).get("verb", "")).replace(" ", ".")
    facts = {name: _argument(value, words) for name, value in (line.get("result") or {}).items()}
    key = f"result.{verb}"
    asked = {field[1] for field in FIELD.finditer(str(words.catalogue.sentences.get(key, ""))) if field[1]}
    return words.say(key, facts) if asked and asked <= set(facts) else ""


def groups(trace: Iterable[Entry], words: Words) -> list[Group]:
    """Figures, dice and events in order; dice go to the latest figure of their pool and unit."""
    found: list[Group] = []
    figures: dict[tuple[str, str], Group] = {}
    for entry in trace:
        if entry["t"] not in ("figure", "dice", "event"):
            continue
        place = _place(entry, words)
        if entry["t"] == "dice" and place in figures:
            figures[place].dice.append(entry)
            continue
        found.append(Group(entry, []))
        if entry["t"] == "figure":
            figures[place] = found[-1]
    return found


def _place(entry: Entry, words: Words) -> tuple[str, str]:
    """What a figure and its dice share: the check, whatever exchange it belongs to, and the unit."""
    who = entry.get("who")
    return words.pool(entry.get("key", ""), who).rpartition(".")[2], str((who or {}).get("id", ""))


def _body(found: Sequence[Group], words: Words, context: Context, several: set[str]) -> list[Styled]:
    room = context.room
    labels = {id(group): _label(group.entry, words, several) for group in found if group.entry["t"] == "figure"}
    width = max((cells_of(label) for label in labels.values()), default=0)
    rows = {id(entry): dice.dice_line(entry, words) for group in found for entry in _dice_of(group)}
    seats = dice.seat_widths([rows[id(entry)] for group in found for entry in group.dice], room, 4)
    lines: list[Styled] = []
    for happened, run in groupby(found, key=lambda group: group.entry["t"] == "event"):
        if happened:
            lines += told_events([group.entry for group in run], words, context)
            continue
        for group in run:
            if group.entry["t"] == "dice":
                row = rows[id(group.entry)]
                lines += flow([_label(group.entry, words), *row.fields, row.note], room, 2, 4)
                continue
            lines += _figure(group.entry, padded(labels[id(group)], width), words, room)
            for entry in group.dice:
                lines += dice.laid_out(rows[id(entry)], seats, room, 4)
    return lines


def _dice_of(group: Group) -> list[Entry]:
    return [group.entry] if group.entry["t"] == "dice" else group.dice


def _spoken_of(line: Entry) -> set[str]:
    """Whatever the line names, and nobody at all."""
    given = (line.get("command") or {}).get("args", {}).values()
    words = (word for value in given for word in (value if isinstance(value, list) else [value]))
    return {"", *(word for word in words if isinstance(word, str))}


def _shared_pools(found: Iterable[Group], words: Words, spoken_of: set[str]) -> set[str]:
    """The pools in which more than one has a figure, or one whom the line does not name: there each is named."""
    places = {_place(group.entry, words) for group in found if group.entry["t"] == "figure"}
    pools = [pool for pool, _ in places]
    return {pool for pool, who in places if pools.count(pool) > 1 or who not in spoken_of}


def _label(entry: Entry, words: Words, several: set[str] | None = None) -> Styled:
    pool = words.pool(entry["key"], entry.get("who"))
    named = several is None or _place(entry, words)[0] in several
    term = words.term("figure", pool) if entry["t"] == "figure" else words.roll(pool)
    return joined([styled(words.who(entry) if named else ""), styled(term)], " ")


def _figure(entry: Entry, label: Styled, words: Words, room: Room) -> list[Styled]:
    parts = [
        [Span(f"{words.part(part)} {signed(part['n'], first=not number)}")]
        for number, part in enumerate(entry["parts"])
    ]
    first = [*label, Span(f" {entry['total']}", "head"), *([Span(" ")] if parts else [])]
    return flow([first, *parts], room, 2, 4, gap="  ")


def told_events(events: Sequence[Entry], words: Words, context: Context) -> list[Styled]:
    """What happened, one thing after the other; a new line where it turns to somebody else."""
    starts = [n for n, event in enumerate(events) if not n or event["type"] in context.opens]
    runs = [events[start:end] for start, end in zip(starts, [*starts[1:], len(events)], strict=True)]
    return [line for run in runs for line in flow([_event(event, words) for event in run], context.room, 2, 4)]


def _event(entry: Entry, words: Words) -> Styled:
    return styled(words.say(f"event.{entry['type']}", entry["facts"]))


def _notes(line: Entry, trace: Sequence[Entry], words: Words, room: Room) -> list[Styled]:
    """What was said and assumed, which readings entered, what was set aside and why."""
    said, assumed = declarations(trace, "said", words), declarations(trace, "assumed", words)
    default = [chosen(entry, words) for entry in trace if entry["t"] == "choice" and entry.get("default")]
    ours = [chosen(entry, words) for entry in trace if entry["t"] == "choice" and not entry.get("default")]
    house = [f"{entry['rule']} {entry['id']} {words.value(entry['value'])}" for entry in trace if entry["t"] == "house"]
    lines = in_place_of(line, words, room)
    for key, items, style in (
        ("ruling.said", said, ""),
        ("ruling.assumed", assumed, "dim"),
        ("ruling.default", default, "dim"),
        ("ruling.chosen", ours, ""),
        ("ruling.house", house, ""),
    ):
        lines += wrap(words.say(key, {"items": items}), room, 2, 4, style) if items else []
    for sentence in set_aside(line, trace, words):
        lines += wrap(words.say("ruling.overruled", {"text": sentence}), room, 2, 4, "warn")
    if line.get("because"):
        lines += wrap(words.say("ruling.because", {"text": line["because"]}), room, 2, 4)
    return lines


def in_place_of(line: Entry, words: Words, room: Room) -> list[Styled]:
    """The line that a ruling judged again stands in place of, and how it came about, if not as lines usually do."""
    return [styled for text in on_record(line, words) for styled in wrap(text, room, 2, 4)]


def on_record(line: Entry, words: Words) -> list[str]:
    """What whoever doubts a ruling asks: does it stand in place of another, was it tried first, thrown anew?"""
    amends = line.get("amends")
    told = [words.say("ruling.amends", {"seq": amends["seq"]})] if amends else []
    told += [words.say("ruling.tried")] if line.get("branch") else []
    return told + ([words.say("ruling.fresh")] if line.get("fresh") else [])


def declarations(trace: Iterable[Entry], kind: str, words: Words) -> list[str]:
    """What was said, or assumed; what reads the same in several exchanges is told once."""
    return list(dict.fromkeys(declared(entry, words) for entry in trace if entry["t"] == kind))


def declared(entry: Entry, words: Words) -> str:
    """What was said or assumed, with the unit it is for: ``Gains-2 defence evade``."""
    kind = words.declared(entry)
    whole = words.first([f"declare.{kind}.{entry['value']}"])
    value = words.fact(entry["shown"]) if "shown" in entry else words.value(entry["value"])
    said = whole or f"{words.term('declare', kind)} {value}"
    return " ".join(filter(None, [words.who(entry), said]))


def chosen(entry: Entry, words: Words) -> str:
    """A reading that entered: its rule and, in the game's words if it has any, what was chosen."""
    value = words.first([f"choice.{entry['id']}.{entry['value']}"]) or words.value(entry["value"])
    return f"{entry.get('rule') or entry['id']} {value}"


def set_aside(line: Entry, trace: Iterable[Entry], words: Words) -> list[str]:
    """The refusals the GM overruled, each as its sentence with its rule."""
    entries = [entry for entry in trace if entry["t"] == "overruled"]
    known = {(entry["code"], entry.get("rule")) for entry in entries}
    more = [entry for entry in line.get("overruled") or [] if (entry["code"], entry.get("rule")) not in known]
    return [words.cited(_refused(entry, words), entry.get("rule")) for entry in [*entries, *more]]


def _refused(entry: Entry, words: Words) -> str:
    key = f"refusal.{entry.get('key') or entry['code']}"
    return words.first([key], entry["facts"]) if "facts" in entry else words.value(entry["code"])


def short_rules(rules: Iterable[str]) -> str:
    """Rule ids with their book named once: ``RT-8.3 8.6 10.1``."""
    shown: list[str] = []
    last = ""
    for rule in rules:
        book, dash, number = rule.partition("-")
        shown.append(number if dash and book == last else rule)
        last = book
    return " ".join(shown)


def _foot(line: Entry, room: Room) -> list[Styled]:
    """The rules and what may be typed next about this line."""
    kept = line.get("seq") is not None
    typed = [f"why {line['seq']}"] if kept and line.get("trace") else []
    typed += {"step": ["undo"], "redo": ["undo"], "undo": ["redo"]}.get(line.get("kind", ""), []) if kept else []
    after = styled(" | ".join(typed), "dim")
    beside = room._replace(width=room.width - cells_of(after) - 3)
    cited = wrap(short_rules(line.get("rules") or []), beside, 2, 2, "dim")
    if not cited:
        return [[Span(" " * max(room.width - cells_of(after), 2)), *after]] if after else []
    return [*cited[:-1], *ends(cited[-1], after, room)]
