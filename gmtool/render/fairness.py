"""The dice report: a bar for each face of each die, what the test says of it in calm words, and what the test is."""

from collections.abc import Iterator

from gmtool.kernel.evenness import DiceSet, Fairness
from gmtool.render.lines import Room, Span, Styled, flow, styled, wrap
from gmtool.render.odds import percent
from gmtool.render.words import Words
from gmtool.text.width import cells, pad

_LONGEST_BAR = 40


def fairness(found: Fairness, words: Words, room: Room) -> list[Styled]:
    """The dice of the table; below them how the test is made, what was left out, and the tool's dice for comparison."""
    shared = {(each.sides, each.place) for each in found.table if each.everyone}
    lines: list[Styled] = []
    for each in found.table:
        part = (each.sides, each.place) in shared and not each.everyone
        lines += [*_set(each, part or not each.able, words, room), []]
    for key, n in _notes(found):
        lines += wrap(words.say(f"fair.note-{key}", {"n": n}), room, 0, 2, "dim")
    if found.tool:
        lines += [[], *wrap(words.say("fair.tool"), room, 0, 2, "head")]
        lines += [line for each in found.tool for line in _tool(each, words, room)]
    return lines


def _notes(found: Fairness) -> Iterator[tuple[str, int]]:
    """What is said below: what was counted, how it was tested, for how many tests at once, what was left out."""
    if found.table:
        yield from (("faces", 0), ("test", 0))
    else:
        yield "nothing", 0
    if found.tests > 1:
        yield "tests", found.tests
    if found.unknown:
        yield "unknown", found.unknown


def _set(each: DiceSet, part: bool, words: Words, room: Room) -> Iterator[Styled]:
    """A set of dice: its head, a bar for each face (the counts alone where it is a part of the set above), the word."""
    yield from _head(each, words, room)
    yield from _counts(each, room, []) if part else _bars(each, room)
    yield from wrap(_verdict(each, words), room, 2, 4, {"unusual": "warn", "few": "dim"}.get(each.verdict, ""))


def _head(each: DiceSet, words: Words, room: Room) -> list[Styled]:
    mean = f"{each.rolls / len(each.counts):.1f}"
    facts = {"die": _die(each, words), "who": _who(each, words), "n": each.rolls, "mean": mean}
    return wrap(words.say("fair.head", facts), room, 0, 2, "head")


def _die(each: DiceSet, words: Words) -> str:
    die = f"D{each.sides}"
    return words.say(f"fair.place-{each.place}", {"die": die}) if each.place else die


def _who(each: DiceSet, words: Words) -> str:
    if each.by is not None:
        return each.by
    return words.say("fair.everyone") if each.everyone else words.say("fair.nobody")


def _bars(each: DiceSet, room: Room) -> Iterator[Styled]:
    """Face, count, bar in proportion to the most frequent one; where the bar of an even die would end stands ``|``."""
    label, number = max(map(cells, each.labels)), len(str(max(each.counts)))
    longest = max(min(room.width - label - number - 8, _LONGEST_BAR), 1)
    most = max(each.counts)
    even = round(each.rolls / len(each.counts) / most * longest)
    for name, count in zip(each.labels, each.counts, strict=True):
        bar = round(count / most * longest)
        shown = "".join("|" if n == even else "#" if n <= bar else " " for n in range(1, max(bar, even) + 1))
        text = f"  {pad(name, label, 'right')}  {count:{number}}  "
        yield [Span(text), Span(shown, "dim")]


def _verdict(each: DiceSet, words: Words) -> str:
    facts = {
        "percent": percent(each.chance, words), "n": each.rolls, "least": each.least, "telling": each.telling,
    }  # fmt: skip
    return words.say(f"fair.verdict-{each.verdict if each.able else 'too-few'}", facts)


def _counts(each: DiceSet, room: Room, head: Styled) -> list[Styled]:
    """The counts alone, behind a head if there is one."""
    counted = [styled(f"{name}: {count}", "dim") for name, count in zip(each.labels, each.counts, strict=True)]
    return flow([head, *counted], room, 2, 4)


def _tool(each: DiceSet, words: Words, room: Room) -> list[Styled]:
    """Dice of the tool, for comparison."""
    facts = {"die": _die(each, words), "who": _who(each, words), "n": each.rolls}
    return _counts(each, room, styled(words.say("fair.tool-head", facts)))
