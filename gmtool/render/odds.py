"""Odds: the chance of a yes, the mean and the spread of a number, the chances of words."""

from collections.abc import Mapping, Sequence
from typing import Any, Literal, NamedTuple

from gmtool.render.lines import PAGE, Room, Span, Styled, joined, styled
from gmtool.render.words import Words
from gmtool.text.catalogue import Catalogue, Names
from gmtool.text.width import cells, pad

_MOST_ROWS = 12
_LONGEST_BAR = 30
SLIGHT = 0.0005
"""Chances that would be told as less than 0.1 %."""


class Row(NamedTuple):
    """One value (or range of values) with its chance and, for numbers, the chance of at least so much."""

    label: str
    chance: float
    first: int = 0
    at_least: float | None = None


def odds(result: Mapping[str, Any], catalogue: Catalogue, names: Names, room: Room = PAGE) -> list[Styled]:
    """Each tally with its label: a number is a chance, a mapping holds ``chances`` and, for numbers, ``mean``."""
    words = Words(catalogue, names)
    result = {key: tally for key, tally in result.items() if not is_whole_of_one(key, result)}
    labels = {key: label(key, words) for key in result}
    width = max((cells(label) for label in labels.values()), default=0)
    lines: list[Styled] = []
    for key, tally in result.items():
        name = pad(labels[key], width)
        if not isinstance(tally, Mapping):
            lines.append([Span(name), Span("  "), Span(percent(tally, words), "head")])
            continue
        (rows,) = rows_of([tally], words)
        if len(rows) == 1:  # what is certain needs no bars
            lines.append([Span(name), Span("  "), Span(rows[0].label, "head")])
            continue
        mean = styled(words.say("tally.mean", {"mean": f"{tally['mean']:.2f}"}), "head") if "mean" in tally else []
        lines.append(joined([styled(name), mean]) if mean else styled(labels[key]))
        lines += _spread(rows, "mean" in tally, words, room)
    return lines


def is_whole_of_one(key: str, result: Mapping[str, Any]) -> bool:
    """Whether a chance is told under the name of the one thing it is of: whichever pilot dies, if only one may."""
    parts = [each for each in result if each != key and key in each.split(".")]
    return not isinstance(result[key], Mapping) and len(parts) == 1 and result[parts[0]] == result[key]


def percent(chance: float, words: Words, digits: int = 1) -> str:
    """A chance from 0 to 1 as a percentage; what is possible is never shown as 0.0 nor 100.0."""
    value = f"{chance * 100:.{digits}f}"
    if float(value) == 0 and chance > 0:
        value = f"<{10**-digits:.{digits}f}"
    elif float(value) == 100 and chance < 1 - 1e-12:
        value = f">{100 - 10**-digits:.{digits}f}"
    return words.say("mark.percent", {"n": value})


def label(key: str, words: Words) -> str:
    """What a figure of an outcome is called, with whose it is."""
    pool = words.pool(key)
    whose = [words.name(part) for part in key.split(".") if part in words.names]
    return " ".join([*whose, words.term("odds", pool)] if pool else whose)


def rows_of(tallies: Sequence[Mapping[str, Any]], words: Words) -> list[list[Row]]:
    """The rows of several tallies of one figure, each with the same values in the same order."""
    kinds = [tally["chances"] for tally in tallies]
    if not any("mean" in tally for tally in tallies):
        values = dict.fromkeys(value for chances in kinds for value in chances)
        return [[Row(words.value(value), chances.get(value, 0.0)) for value in values] for chances in kinds]
    numbers = [{int(value): chance for value, chance in chances.items()} for chances in kinds]
    ranges = _ranges(numbers)
    found = [[_row(chances, run) for run in ranges] for chances in numbers]
    never = [1 - sum(chances.values()) if chances else 0.0 for chances in numbers]
    if max(never) >= SLIGHT:
        for rows, chance in zip(found, never, strict=True):
            rows.append(Row(words.say("foretold.never"), chance))
    return found


def _ranges(numbers: Sequence[Mapping[int, float]]) -> list[list[int]]:
    """The values of a row: one by one, or neighbours together where there are too many; last what hardly ever comes."""
    values = sorted({value for chances in numbers for value in chances})
    shown = len(values)
    while shown > 1 and all(_beyond(chances, values[shown - 1]) < SLIGHT for chances in numbers):
        shown -= 1
    rare = values[shown:] if len(values) - shown > 1 else []
    often = values[: len(values) - len(rare)]
    size = -(-len(often) // _MOST_ROWS)
    runs = [often[start : start + size] for start in range(0, len(often), size)]
    return [*runs, rare] if rare else runs


def _beyond(chances: Mapping[int, float], value: int) -> float:
    return sum(chance for each, chance in chances.items() if each >= value)


def _row(chances: Mapping[int, float], run: list[int]) -> Row:
    """A range of values with its chance, and that of its first value or more; the lowest of all is no news."""
    first, last = run[0], run[-1]
    label = str(first) if first == last else f"{first}..{last}" if first < 0 else f"{first}-{last}"
    at_least = None if first <= min(chances, default=first) else _beyond(chances, first)
    return Row(label, sum(chances.get(value, 0.0) for value in run), first, at_least)


def _at_least(row: Row, words: Words) -> str:
    """The chance of this value or more; nothing for words, and for the lowest value."""
    if row.at_least is None:
        return ""
    return words.say("tally.at-least", {"n": row.first, "percent": percent(row.at_least, words)})


def _spread(rows: list[Row], right: bool, words: Words, room: Room) -> list[Styled]:
    """Label, chance, chance of at least so much, and a bar in proportion to the most likely row."""
    columns = [
        _column([row.label for row in rows], "right" if right else "left"),
        _column([percent(row.chance, words) for row in rows], "right"),
        _column([_at_least(row, words) for row in rows], "left"),
    ]
    columns = [column for column in columns if any(map(str.strip, column))]
    taken = 4 + sum(cells(column[0]) + 2 for column in columns)
    longest = max(min(room.width - taken, _LONGEST_BAR), 0)
    most = max((row.chance for row in rows), default=0.0) or 1.0
    bars = ["#" * round(row.chance / most * longest) for row in rows]
    texts = ["    " + "  ".join(fields) + "  " for fields in zip(*columns, strict=True)]
    return [[Span(text), Span(bar, "dim")] for text, bar in zip(texts, bars, strict=True)]


def _column(texts: list[str], align: Literal["left", "right"]) -> list[str]:
    width = max(map(cells, texts), default=0)
    return [pad(text, width, align) for text in texts]
