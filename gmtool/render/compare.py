"""Plans side by side: a column for each, a mark on the better figure, bars where there is a distribution."""

from collections.abc import Mapping, Sequence
from string import ascii_uppercase
from typing import Any, NamedTuple

from gmtool.render.lines import PAGE, Room, Span, Styled, wrap
from gmtool.render.odds import Row, is_whole_of_one, label, percent, rows_of
from gmtool.render.words import Words
from gmtool.text.catalogue import Catalogue, Names
from gmtool.text.width import cells, pad

BETTER = "*"
_INDENT = " " * 4
_LONGEST_BAR = 20
_SHORTEST_BAR = 4


class Planned(NamedTuple):
    """A plan: its line, its tallies, what stands against it now."""

    line: str
    result: Mapping[str, Any]
    against: Sequence[str] = ()


class _Page(NamedTuple):
    """What all lines of a comparison share: words, the cells of the labels, those of a column."""

    words: Words
    left: int
    each: int


def compare(
    plans: Sequence[Planned], better: Mapping[str, Sequence[int]], catalogue: Catalogue, names: Names, room: Room = PAGE
) -> list[Styled]:
    """The plans by letter, then figure by figure; ``better`` has the places of the best plans of a figure."""
    words = Words(catalogue, names)
    lines: list[Styled] = []
    for letter, plan in zip(ascii_uppercase, plans, strict=False):
        lines += wrap(words.say("compare.plan", {"letter": letter, "line": plan.line}), room, 0, 3)
        for text in plan.against:
            lines += wrap(words.say("compare.aside", {"text": text}), room, 0, 3, "warn")
    wholes = [{key for key in plan.result if is_whole_of_one(key, plan.result)} for plan in plans]
    told = {key for plan, whole in zip(plans, wholes, strict=True) for key in plan.result if key not in whole}
    keys = [key for key in dict.fromkeys(key for plan in plans for key in plan.result) if key in told]
    left = max((_cells_of(key, [plan.result.get(key) for plan in plans], words) for key in keys), default=0) + 2
    page = _Page(words, left, max((room.width - left) // len(plans), 10))
    letters = [Span(pad(letter, page.each), "head") for letter in ascii_uppercase[: len(plans)]]
    lines.append([Span(" " * left), *letters])
    for key in keys:
        lines += _figure(key, [plan.result.get(key) for plan in plans], better.get(key, ()), page)
    return lines + (wrap(words.say("compare.legend"), room, 0, 2, "dim") if better else [])


def _cells_of(key: str, tallies: Sequence[Any], words: Words) -> int:
    """How wide a figure's own name and the names of its values are."""
    rows = rows_of([tally for tally in tallies if isinstance(tally, Mapping)], words)
    return max(cells(label(key, words)), *(len(_INDENT) + cells(row.label) for each in rows[:1] for row in each), 0)


def _figure(key: str, tallies: Sequence[Any], best: Sequence[int], page: _Page) -> list[Styled]:
    """One figure of all plans: its chance or mean, and below it the values with their bars."""
    line: Styled = [Span(pad(label(key, page.words), page.left))]
    for place, tally in enumerate(tallies):
        text = f"{_value(tally, page.words)} {BETTER if place in best else ''}".rstrip()
        line.append(Span(pad(text, page.each), "good" if place in best else ""))
    spreads = [tally for tally in tallies if isinstance(tally, Mapping)]
    if all(len(tally["chances"]) < 2 for tally in spreads):
        return [line]
    return [line, *_spread(tallies, page)]


def _value(tally: Any, words: Words) -> str:
    """The chance of a yes, what is expected of a number; a word that is certain; a stroke for what is not there."""
    if tally is None:
        return "-"
    if not isinstance(tally, Mapping):
        return percent(tally, words)
    if "mean" in tally:
        return words.say("tally.mean", {"mean": f"{tally['mean']:.2f}"})
    return words.value(next(iter(tally["chances"]))) if len(tally["chances"]) == 1 else ""


def _spread(tallies: Sequence[Any], page: _Page) -> list[Styled]:
    """The values that any plan may come to, a row each, with the chance and the bar of every plan."""
    rows = rows_of([tally if isinstance(tally, Mapping) else {"chances": {}} for tally in tallies], page.words)
    most = max((row.chance for each in rows for row in each), default=0.0) or 1.0
    percents = [[percent(row.chance, page.words) if row.chance else "-" for row in each] for each in rows]
    wide = max((cells(text) for each in percents for text in each), default=0)
    longest = min(page.each - wide - 4, _LONGEST_BAR)
    lines: list[Styled] = []
    for place, row in enumerate(rows[0]):
        line: Styled = [Span(pad(f"{_INDENT}{row.label}", page.left))]
        for each, texts in zip(rows, percents, strict=True):
            line += _cell(each[place], texts[place], wide, page.each, most, longest)
        lines.append(line)
    return lines


def _cell(row: Row, text: str, wide: int, each: int, most: float, longest: int) -> Styled:
    """One value of one plan: the chance, and a bar as long beside the others' as it is likely."""
    bar = "#" * round(row.chance / most * longest) if longest >= _SHORTEST_BAR else ""
    return [Span(pad(text, wide, "right") + "  "), Span(pad(bar, each - wide - 2), "dim")]
