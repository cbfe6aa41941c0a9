"""Where in a TOML file something stands: imported only when a file is wrong."""

import re
from collections.abc import Sequence
from typing import Any

from gmtool.kernel.refusal import Refused
from gmtool.rulesdata.faults import refused

_MOST_READ = 1 << 20
_PLACE = re.compile(r" \(at (?:line (\d+), column \d+|end of document)\)$")
_DOUBLE = re.compile(r"^Cannot (overwrite a value|declare .* twice)|^Duplicate inline table key '(.*)'")
_PLAIN = r"""(?:[A-Za-z0-9_-]+|"[^"]*"|'[^']*')"""
_KEY = re.compile(rf"^\s*({_PLAIN}(?:\s*\.\s*{_PLAIN})*)\s*=")
_HEADER = re.compile(r"^\s*\[\[?\s*([^\[\]]+?)\s*\]\]?\s*(?:#.*)?$")


def syntax_refusal(message: str, text: str, file: str) -> Refused:
    """What the parser says against a text, with the line; a double key is named, with both of its lines."""
    place = _PLACE.search(message)
    line = int(place[1]) if place and place[1] else text.count("\n") + 1 if place else 0
    problem = message[: place.start()] if place else message
    double = _DOUBLE.match(problem)
    if double:
        key, first, line = _twice(text.split("\n"), line, double[2])
        if first:
            return refused("data-duplicate-key", file, key=key, line=line, first=first)
    return refused("data-syntax", file, problem=problem, line=line)


def _twice(lines: Sequence[str], line: int, inline: str | None) -> tuple[str, int, int]:
    """The key written twice, the line it stands in first (0: not found) and the line it stands in again."""
    if inline is not None:
        return inline, line, line
    for again in range(line, 0, -1):
        pattern = _KEY if _KEY.match(lines[again - 1]) else _HEADER
        found = pattern.match(lines[again - 1])
        if found:
            return found[1], _first(lines[: again - 1], _bare(found[1]), pattern), again
    return "", 0, line


def _bare(key: str) -> str:
    """A key without the quotes and blanks it may be written with."""
    return re.sub(r"[\"'\s]", "", key)


def _first(lines: Sequence[str], key: str, pattern: re.Pattern[str]) -> int:
    """Where the key stands before, looking back within its table (a header: anywhere); 0 if it is not found."""
    for place in range(len(lines), 0, -1):
        found = pattern.match(lines[place - 1])
        if found and _bare(found[1]) == key:
            return place
        if pattern is _KEY and _HEADER.match(lines[place - 1]):
            break
    return 0


def line_of(text: str, path: Sequence[str | int]) -> int:
    """The line in which a path of keys and positions (or as much of it as there is) is written; 0 if none of it is.

    Found by reading beginnings of the text: the shortest one that holds the path ends in that line. Where that would
    take too long the line is as good as unknown.
    """
    try:
        return _line_of(text, path)
    except _TooLong:
        return 0


class _TooLong(Exception):
    pass


def _line_of(text: str, path: Sequence[str | int]) -> int:
    lines = [line + "\n" for line in text.split("\n")]
    left = [_MOST_READ]
    path = path[: _depth(lines, len(lines), path, left)]
    low, high = 0, len(lines)
    while path and high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if _depth(lines, middle, path, left) == len(path) else (middle, high)
    return high if path else 0


def _depth(lines: Sequence[str], end: int, path: Sequence[str | int], left: list[int]) -> int:
    """How much of a path the first lines hold; lines in the middle of a value are left away.

    ``left`` counts down how much may still be read: each line left away is another reading.
    """
    import tomllib

    while end:
        beginning = "".join(lines[:end])
        left[0] -= len(beginning)
        if left[0] < 0:
            raise _TooLong
        try:
            value: Any = tomllib.loads(beginning)
            break
        except ValueError:
            end -= 1
    else:
        return 0
    for depth, step in enumerate(path):
        try:
            value = value[step]
        except (KeyError, IndexError, TypeError):
            return depth
    return len(path)
