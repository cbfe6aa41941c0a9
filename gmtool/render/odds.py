"""Odds: the chance of a yes, the mean and the spread of a number, the chances of words."""

from collections.abc import Mapping
from typing import Any, Literal, NamedTuple

from gmtool.render.lines import PAGE, Room, Span, Styled, joined, styled
from gmtool.render.words import Words
from gmtool.text.catalogue import Catalogue, Names
from gmtool.text.width import cells, pad

_MOST_ROWS = 12
_LONGEST_BAR = 30


class Row(NamedTuple):
    """One value (or range of values) with its chance and, for numbers, the chance of at least so much."""

    label: str
    chance: float
    first: int = 0
    at_least: float | None = None


def odds(result: Mapping[str, Any], catalogue: Catalogue, names: Names, room: Room = PAGE) -> list[Styled]:
    """Each tally with its label: a number is a chance, a mapping holds ``chances`` and, for numbers, ``mean``."""
    words = Words(catalogue, names)
    labels = {key: _label(key, words) for key in result}
    width = max((cells(label) for label in labels.values()), default=0)
    lines: list[Styled] = []
    for key, tally in result.items():
        label = pad(labels[key], width)
        if not isinstance(tally, Mapping):
            lines.append([Span(label), Span("  "), Span(percent(tally, words), "head")])
            continue
        if len(tally["chances"]) == 1:  # what is certain needs no bars
            lines.append([Span(label), Span("  "), Span(_rows(tally, words)[0].label, "head")])
            continue
        mean = styled(words.say("tally.mean", {"mean": f"{tally['mean']:.2f}"}), "head") if "mean" in tally else []
        lines.append(joined([styled(label), mean]) if mean else styled(labels[key]))
        lines += _spread(_rows(tally, words), words, room)
    return lines


def percent(chance: float, words: Words) -> str:
    """A chance from 0 to 1 as a percentage with one decimal; what is possible is never shown as 0.0 nor 100.0."""
    value = f"{chance * 100:.1f}"
    if value == "0.0" and chance > 0:
        value = "<0.1"
    if value == "100.0" and chance < 1 - 1e-12:
        value = ">99.9"
    return words.say("mark.percent", {"n": value})


def _label(key: str, words: Words) -> str:
    pool = words.pool(key)
    whose = [words.name(part) for part in key.split(".") if part in words.names]
    return " ".join([*whose, words.term("odds", pool)] if pool else whose)


def _rows(tally: Mapping[str, Any], words: Words) -> list[Row]:
    chances: Mapping[str, float] = tally["chances"]
    if "mean" not in tally:
        return [Row(words.value(value), chance) for value, chance in chances.items()]
    return _numbers(sorted((int(value), chance) for value, chance in chances.items()))


def _numbers(chances: list[tuple[int, float]]) -> list[Row]:
    """One row for each number, or for each of a dozen neighbours where there are too many."""
    size = -(-len(chances) // _MOST_ROWS)
    rows: list[Row] = []
    for start in range(0, len(chances), size):
        run = chances[start : start + size]
        first, last = run[0][0], run[-1][0]
        label = str(first) if first == last else f"{first}..{last}" if first < 0 else f"{first}-{last}"
        rows.append(Row(label, sum(chance for _, chance in run), first, sum(chance for _, chance in chances[start:])))
    return rows


def _at_least(row: Row, words: Words) -> str:
    """The chance of this value or more; nothing for words, and for the lowest value, which is sure."""
    if row.at_least is None or row.at_least > 1 - 1e-9:
        return ""
    return words.say("tally.at-least", {"n": row.first, "percent": percent(row.at_least, words)})


def _spread(rows: list[Row], words: Words, room: Room) -> list[Styled]:
    """Label, chance, chance of at least so much, and a bar in proportion to the most likely row."""
    columns = [
        _column([row.label for row in rows], "right" if any(row.at_least is not None for row in rows) else "left"),
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
