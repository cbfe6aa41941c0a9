"""The report of a session as a document: when it was, who did what to whom, how things stand behind it."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from typing import Any, NamedTuple

from gmtool.kernel.view import Cell, Fields, Grid, Line, Say, View
from gmtool.render.document import Block, Document, Entry, Heading, Para, Rows, Told
from gmtool.render.story import story
from gmtool.render.views import cell_text
from gmtool.render.words import Words, clean
from gmtool.text.catalogue import Catalogue, Names

Record = Mapping[str, Any]


class Evening(NamedTuple):
    """One session as it is headed: its number, name, date, hours and how long it took, in words; its lines' numbers."""

    number: int
    name: str
    day: str
    hours: str
    took: str
    first: int
    last: int


class Ending(NamedTuple):
    """How things stand: the game's own view of it, with the names in it, and what is due.

    ``asides`` are the types of events that a chronicle leaves out where a ruling brought anything else; ``where`` is
    the moment of play behind the last line.
    """

    view: View | None
    names: Names
    due: Sequence[Record]
    asides: Collection[str] = ()
    where: Say | None = None


def report(
    campaign: str, evenings: Sequence[Evening], one: bool, lines: Sequence[Record], ending: Ending,
    catalogue: Catalogue, mark: str,
) -> Document:  # fmt: skip
    """The whole report; with ``one`` session the title names it, else each has a heading of its own."""
    words = Words(catalogue, {})
    title = _title(campaign, evenings, one, words)
    blocks: list[Block] = [Heading(1, title), *(_when(evenings[0], words) if one else ())]
    lines = list(_placed([_without(line, ending.asides) for line in lines], ending.where))
    blocks += _rulings(lines, 2, catalogue) if one or not evenings else _by_evening(evenings, lines, catalogue)
    if not any(isinstance(block, Entry | Told) for block in blocks):
        blocks.append(Para(words.say("report.nothing")))
    return Document(title, catalogue.lang, (*blocks, *_end(ending, catalogue)), mark, words.say("report.colon"))


def _without(line: Record, asides: Collection[str]) -> Record:
    """A line without what is told in passing, if anything is left then."""
    trace = line.get("trace") or []
    kept = [entry for entry in trace if not (entry["t"] == "event" and entry["type"] in asides)]
    if len(kept) == len(trace) or not any(entry["t"] in ("event", "dice") for entry in kept):
        return line
    return {**line, "trace": kept}


def _placed(lines: Sequence[Record], end: Say | None) -> Iterator[Record]:
    """The lines, each step with the place it belongs under.

    That is where it was judged; of one that led into another battle, by beginning it or taking it up, where it led.
    """
    after = {"key": end.key, "facts": end.facts} if end else {}
    found: list[Record] = []
    for line in reversed(lines):
        if line["kind"] == "step":
            before, into = line.get("where") or {}, _battle(after)
            line, after = {**line, "where": after} if into and into != _battle(before) else line, before
        found.append(line)
    yield from reversed(found)


def _battle(where: Record) -> str:
    """The battle that a place belongs to, where the game names one."""
    return clean((where.get("facts") or {}).get("battle"))


def _title(campaign: str, evenings: Sequence[Evening], one: bool, words: Words) -> str:
    if not one:
        return words.say("report.title-all", {"name": campaign})
    return words.say("report.title", {"name": campaign, "session": _named(evenings[0], words)})


def _named(evening: Evening, words: Words) -> str:
    """A session by its number and, if it has one, its name."""
    key = "report.session-named" if evening.name else "report.session"
    return words.say(key, {"session": evening.number, "name": evening.name})


def _when(evening: Evening, words: Words) -> Iterator[Block]:
    """Date, hours, duration: as far as they are known."""
    facts = [evening.day, evening.hours, evening.took]
    yield Para(_joined(filter(None, facts), words))


def _joined(parts: Iterable[str], words: Words) -> str:
    return words.say("report.between").join(parts)


def _by_evening(evenings: Sequence[Evening], lines: Sequence[Record], catalogue: Catalogue) -> Iterator[Block]:
    """Each session with its lines; what was done between two of them stands between them."""
    words = Words(catalogue, {})

    def of(line: Record) -> Evening | None:
        return next((each for each in evenings if each.first <= line["seq"] <= each.last), None)

    for evening, run in groupby(lines, key=of):
        told = list(_rulings(list(run), 3, catalogue))
        if evening is None and told:
            yield Heading(2, words.say("report.outside"))
        elif evening is not None:
            yield from (Heading(2, _named(evening, words)), *_when(evening, words))
        yield from told


# rulings


def _rulings(lines: Sequence[Record], level: int, catalogue: Catalogue) -> Iterator[Block]:
    """The rulings and notes under headings of where in play they stand: the battle, if there is one, and the moment."""
    battle = moment = ""
    for line in lines:
        words = Words(catalogue, line.get("names") or {})
        entry = _entry(line, words)
        if entry is None:
            continue
        if line["kind"] == "step":
            now = _place(line, words)
            yield from (Heading(level, now[0]),) if now[0] and now[0] != battle else ()
            yield from (Heading(level + bool(now[0]), now[1]),) if now[1] and now != (battle, moment) else ()
            battle, moment = now
        yield entry


def _place(line: Record, words: Words) -> tuple[str, str]:
    """The battle a ruling belongs to, where the game names one, and the moment of play."""
    where = line.get("where") or {}
    return _battle(where), words.said(Say(where["key"], where.get("facts") or {})) if where else ""


def _entry(line: Record, words: Words) -> Entry | Told | None:
    """A ruling, a note, or what came of the game's rules as a session began; nothing for any other mark."""
    verb = (line.get("command") or {}).get("verb")
    if line["kind"] == "step":
        return story(line, words)
    if verb == "note":
        text = clean((line["command"].get("args") or {}).get("text"))
        return Entry(words.say("report.note"), text)
    events = _events(line, words)
    return Entry(words.say("report.between-sessions"), _joined(events, words)) if events else None


def _events(line: Record, words: Words) -> list[str]:
    trace = line.get("trace") or []
    return [words.say(f"event.{entry['type']}", entry["facts"]) for entry in trace if entry["t"] == "event"]


# the end


def _end(ending: Ending, catalogue: Catalogue) -> Iterator[Block]:
    """What the game has to say of it, and what is due."""
    words = Words(catalogue, ending.names)
    shown = list(_shown(ending.view, words)) if ending.view else []
    yield Heading(2, words.say("report.end"))
    yield from shown
    if not ending.due:
        yield Para(words.say("report.nothing-due"))
        return
    yield Para(words.say("dues.count", {"n": len(ending.due)}), strong=True)
    for item in ending.due:
        subject = words.subject(item, words.term("due", item["what"]))
        facts = {"subject": subject, "rule": item.get("rule"), "command": item.get("command")}
        yield Entry("", words.say("dues.item", facts))


def _shown(view: View, words: Words) -> Iterator[Block]:
    """A view's blocks; a line that stands out opens what follows it."""
    for block in view.blocks:
        match block:
            case Grid(title, columns, rows):
                if title:
                    yield Para(words.said(title), strong=True)
                heads = tuple(words.say(f"column.{column.key}") if column.key else "" for column in columns)
                yield Rows(heads, tuple(column.align == "right" for column in columns), tuple(_cells(rows, words)))
            case Fields(says):
                yield Para(_joined((words.said(say) for say in says), words))
            case Line(say, style):
                yield Para(words.said(say), strong=True) if style == "head" else Entry("", words.said(say))


def _cells(rows: Iterable[Sequence[Cell]], words: Words) -> Iterator[tuple[str, ...]]:
    """The cells of each row; one that takes several columns stands in the first of them."""
    for row in rows:
        yield tuple(text for cell in row for text in (cell_text(cell, words), *[""] * (cell.span - 1)))
