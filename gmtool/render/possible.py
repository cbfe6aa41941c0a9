"""What can be done: a line or two for each thing, or one thing whole with the reasons for what it cannot."""

from collections.abc import Sequence
from itertools import groupby
from typing import NamedTuple

from gmtool.render.lines import PAGE, Room, Span, Styled, flow, styled, wrap
from gmtool.text.catalogue import Catalogue
from gmtool.text.width import cells

FEW, MANY = 8, 12
"""So many words of a kind are named one by one; of more than the second only the first few are, with their number."""


TOGETHER = 56
"""So many cells of words stand together without blanks."""


class Way(NamedTuple):
    """Lines that differ in their last word: the words before it, who does it left out, and what can stand there.

    ``line`` is the first of them as it is typed; ``named`` are the last words with what they are called.
    """

    words: str
    last: tuple[str, ...]
    line: str = ""
    named: tuple[str, ...] = ()


class Group(NamedTuple):
    """Lines that are refused for one reason, with the sentence for it."""

    reason: str
    ways: tuple[Way, ...]


def ranges(words: Sequence[str]) -> list[str]:
    """Words with those that count up drawn together: ``b1-b4``; written labels of hexes stay as they are."""
    found: list[list[str]] = []
    for word in words:
        if found and _follows(found[-1][-1], word):
            found[-1].append(word)
        else:
            found.append([word])
    return [part for run in found for part in ([f"{run[0]}-{run[-1]}"] if len(run) > 2 else run)]


def _follows(one: str, other: str) -> bool:
    head, tail = _parted(one)
    return tail != "" and len(tail) < 4 and _parted(other) == (head, str(int(tail) + 1))


def _parted(word: str) -> tuple[str, str]:
    """A word and the number at its end."""
    head = word.rstrip("0123456789")
    return head, word[len(head) :]


def shortly(words: Sequence[str], catalogue: Catalogue) -> str:
    """Words of which one is typed; of many the first few, with how many there are."""
    parts = ranges(words)
    stroke = "|" if sum(map(cells, parts)) <= TOGETHER else " | "  # what is long is to be broken somewhere
    if len(parts) <= MANY:
        return stroke.join(parts)
    return catalogue.say("can.some", {"words": stroke.join(parts[:FEW]), "n": len(words)})


def _field(way: Way, catalogue: Catalogue) -> Styled:
    """A way as a field: what is typed, then what can stand last."""
    last = shortly(way.last, catalogue)
    return [*styled(way.words), *([Span(" "), Span(last, "dim")] if way.words and last else styled(last))]


def overview(things: Sequence[tuple[str, str, Sequence[Way]]], catalogue: Catalogue, room: Room = PAGE) -> list[Styled]:
    """Each thing (handle, name) with what it can do; those that can do the same stand together."""
    lines: list[Styled] = []
    for ways, run in groupby(things, key=lambda thing: [(way.words, way.last) for way in thing[2]]):
        alike = list(run)
        handles = " ".join(ranges([handle for handle, _, _ in alike]))
        head = handles if len(alike) > 1 else " ".join(filter(None, alike[0][:2]))
        lines += wrap(head, room, 0, 2, "head")
        lines += flow([_field(Way(*way), catalogue) for way in ways], room, 2, 4)
    return lines


def whole(ways: Sequence[Way], catalogue: Catalogue, room: Room = PAGE) -> list[Styled]:
    """Each way as a line to be typed, and what can stand in it for the last word."""
    lines: list[Styled] = []
    for way in ways:
        named = way.named if len(way.named) <= FEW else ()
        lines += flow([styled(way.line), *(styled(name, "dim") for name in named[:1])], room, 2, 6)
        others = [f"{word} {name}".strip() for word, name in zip(way.last, named, strict=False)][1:]
        rest = ", ".join(others) if named else shortly(way.last[1:], catalogue)
        lines += wrap(catalogue.say("can.or", {"words": rest}), room, 6, 6, "dim") if rest else []
    return lines


def refused(groups: Sequence[Group], catalogue: Catalogue, room: Room = PAGE) -> list[Styled]:
    """Each reason, and the lines it stands against."""
    lines: list[Styled] = []
    for group in groups:
        lines += wrap(group.reason, room, 2, 4, "warn")
        lines += flow([_field(way, catalogue) for way in group.ways], room, 4, 6)
    return lines
