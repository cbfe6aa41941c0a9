"""The derivation of a ruling, step by step: each figure, die, event and choice with its rule, then the rules."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import groupby
from typing import Any

from gmtool.kernel.journal import own_changes
from gmtool.render import dice
from gmtool.render.changes import change_text, seen, shift, whole
from gmtool.render.lines import Room, Span, Styled, cells_of, flow, joined, padded, plain, styled, wrap
from gmtool.render.ruling import CONTEXT, Context, chosen, declared, head, in_place_of, set_aside, short_rules
from gmtool.render.words import Words, clean, signed
from gmtool.text.catalogue import Catalogue

Entry = Mapping[str, Any]
RuleText = Callable[[str], tuple[str, str] | None]
"""A rule id -> where it comes from and its one sentence, both as shown; or nothing if it is not known."""


def why(line: Entry, catalogue: Catalogue, rule_text: RuleText, context: Context = CONTEXT) -> list[Styled]:
    """A line of the journal explained."""
    words, room = Words(catalogue, line.get("names") or {}), context.room
    trace = line.get("trace") or []
    lines = [*head(line, words, context), *in_place_of(line, words, room)]
    lines += _steps(trace, seen(own_changes(line), words), words, room)
    for sentence in set_aside(line, trace, words):
        lines += wrap(words.say("ruling.overruled", {"text": sentence}), room, 2, 4, "warn")
    for entry in trace:
        if entry["t"] == "house":
            told = {"text": f"{entry['id']} {words.value(entry['value'])}"}
            lines += flow([joined([styled(words.say("why.house", told)), _rule(entry)])], room, 2, 4)
    if line.get("because"):
        lines += wrap(words.say("ruling.because", {"text": line["because"]}), room, 2, 4)
    return [*lines, *_rules(line.get("rules") or [], rule_text, words, room)]


def _steps(trace: Sequence[Entry], changes: list[Entry], words: Words, room: Room) -> list[Styled]:
    """The trace in order; changes that a run of events does not tell itself stand under it, the rest last."""
    lines: list[Styled] = []
    for (kind, rule), run in groupby(trace, key=_step):
        own = [line for entry in run if kind in _STEPS for line in _STEPS[kind](entry, words, room)]
        if kind == "event":
            told = " ".join(map(plain, own))
            own += _changes([each for each in _taken(changes, rule) if not _is_told(each, told, words)], words, room)
        lines += own
    return lines + _changes(changes, words, room)


def _is_told(change: Entry, told: str, words: Words) -> bool:
    """Whether events tell a change: a figure by its values, a thing made or removed by its name."""
    name = words.name(change["path"].split(".")[1])
    return name in told if whole(change) else shift(change, words) in told


def _step(entry: Entry) -> tuple[str, str]:
    return entry["t"], str(entry.get("rule") or "")


def _taken(changes: list[Entry], rule: str) -> Iterator[Entry]:
    """The next changes as long as they are of this rule: changes stand in the order of their events."""
    while changes and changes[0].get("rule") == rule:
        yield changes.pop(0)


def _changes(changes: Sequence[Entry], words: Words, room: Room) -> list[Styled]:
    fields = [joined([styled(change_text(change, words)), _rule(change)]) for change in changes]
    fields = [field for n, field in enumerate(fields) if field not in fields[:n]]
    return flow(fields, room, 4, 6)


def _figure(entry: Entry, words: Words, room: Room) -> list[Styled]:
    """The figure, then each of its parts with its rule, numbers under numbers."""
    pool = words.pool(entry["key"], entry.get("who"))
    title = f"{words.who(entry)} {words.term('figure', pool)}".strip()
    top = joined([[Span(f"{title} "), Span(str(entry["total"]), "head")], _rule(entry)])
    labels = [styled(words.part(part)) for part in entry["parts"]]
    numbers = [styled(signed(part["n"], first=not n)) for n, part in enumerate(entry["parts"])]
    wide = max(map(cells_of, labels), default=0)
    far = max(map(cells_of, numbers), default=0)
    rows = zip(labels, numbers, entry["parts"], strict=True)
    parts = [
        [Span("    "), *joined([padded(label, wide), padded(number, far, right=True), _rule(part)])]
        for label, number, part in rows
    ]
    return [[Span("  "), *top], *parts]


def _rule(entry: Entry) -> Styled:
    return styled(str(entry.get("rule") or ""), "dim")


def _dice(entry: Entry, words: Words, room: Room) -> list[Styled]:
    """Each throw on a line: as it lay, as it was read, the other way round, what it came to and answers, who threw."""
    pool = words.pool(entry["key"], entry.get("who"))
    title = f"{words.who(entry)} {words.roll(pool)}".strip()
    lines = [[Span("  "), *joined([styled(title), _rule(entry)])]]
    law = entry.get("law")
    if law:
        read = styled(words.say(f"law.{law['key']}", law["facts"]))
        lines += flow([read, styled(short_rules(law["rules"]), "dim")], room, 4, 6)
    for die in entry["dice"]:
        lines += flow(_die(die, pool, words), room, 4, 6)
    return lines


def _die(die: Entry, pool: str, words: Words) -> list[Styled]:
    typed, read, other = dice.reading(die)
    key = "why.fixed" if die.get("fixed") else "why.read" if read and read != typed else "why.face"
    seat = styled(dice.seat_of(die, words))
    shown = styled(words.say(key, {"faces": typed, "read": read}))
    other_way = styled(words.say("why.other", {"figure": other}), "dim") if other and other != typed else []
    source = styled(words.term("source", die.get("source") or "entered"), "dim")
    by = styled(words.say("why.by", {"name": words.value(die["by"])}), "dim") if die.get("by") else []
    result = styled(dice.class_of(die, pool, words), "head")
    return [joined([seat, shown], " "), result, other_way, _answers(die, words), source, by]


def _answers(die: Entry, words: Words) -> Styled:
    """The earlier die that this one answers."""
    if not die.get("answers"):
        return []
    pool, seat, result = die["answers"]
    pool = words.pool(pool)
    facts = {"pool": words.term("pool", pool), "seat": words.term("seat", seat), "class": words.outcome(pool, result)}
    return styled(words.say("why.answers", facts), "dim")


def _event(entry: Entry, words: Words, room: Room) -> list[Styled]:
    sentence = words.say(f"event.{entry['type']}", entry["facts"])
    return flow([joined([styled(sentence), _rule(entry)])], room, 2, 4)


def _told(key: str) -> Callable[[Entry, Words, Room], list[Styled]]:
    """A step that is one sentence about a declaration or a reading."""

    def tell(entry: Entry, words: Words, room: Room) -> list[Styled]:
        text = (chosen if entry["t"] == "choice" else declared)(entry, words)
        kind = key if entry["t"] != "choice" or entry.get("default") else "why.chosen"
        rule = "" if entry["t"] == "choice" else str(entry.get("rule") or "")
        return flow([joined([styled(words.say(kind, {"text": text})), styled(rule, "dim")])], room, 2, 4)

    return tell


_STEPS: dict[str, Callable[[Entry, Words, Room], list[Styled]]] = {
    "figure": _figure,
    "dice": _dice,
    "event": _event,
    "said": _told("why.said"),
    "assumed": _told("why.assumed"),
    "choice": _told("why.default"),
}


def _rules(rules: Sequence[str], rule_text: RuleText, words: Words, room: Room) -> list[Styled]:
    """The cited rules, each with its sentence and where it comes from."""
    lines: list[Styled] = []
    for rule in rules:
        found = rule_text(rule)
        note = words.say("mark.note", {"text": _one_line(found[0])}) if found and found[0] else ""
        told = f"{_one_line(found[1])}{note}" if found else words.say("why.unknown-rule")
        first, *rest = wrap(f"{rule}  {told}", room, 2, 4)
        lines += [first, *rest]
    return lines


def _one_line(text: str) -> str:
    """Text of a rules file, which may be set over several lines."""
    return clean(" ".join(text.split()))
