"""What can be read of a campaign from several files of its journal: the longest run of lines, each following the last.

Each line names the hash of the one before, so lines of different files fit together or do not, whatever has become of
the rest: a line damaged in one file is taken from another, and what stands behind it goes on.
"""

import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from gmtool.kernel import journal
from gmtool.kernel.changes import ChangeError, Tables, apply, reverse
from gmtool.kernel.journal import BOM, BadLine, Head, Line
from gmtool.rulesdata.plain import read_plain

_SEQ = re.compile(rb'\{"format":\d+,"seq":(\d+),')
_PREV = re.compile(rb'"prev":"([0-9a-f]*)"')


class Trail(NamedTuple):
    """The lines as bytes, first one first, the state they give, and where a journal of them stands."""

    raws: list[bytes]
    tables: Tables
    head: Head


class _Found(NamedTuple):
    """A line somewhere: its number as it says, the hashes of the line before and of its own, its bytes."""

    seq: int
    prev: str
    hash: str
    raw: bytes


def trail(files: Sequence[Path]) -> Trail:
    """The longest run that the whole lines of these files give; where two are as long, the first file counts.

    Files that are missing or cannot be read give nothing. Lines written together count only together.
    """
    contents = _contents(files)
    walk = _Walk()
    if len(contents) == 1 and all(walk.takes(raw + b"\n") for raw in contents[0].splitlines()):
        return walk.whole()  # all is well, so nothing has to be pieced together
    following: dict[str, list[_Found]] = {}
    known: set[str] = set()
    for found in (line for data in contents for line in _lines(data)):
        if found.hash not in known:
            known.add(found.hash)
            following.setdefault(found.prev, []).append(found)
    longest = _longest(following)
    walk = _Walk()
    while any(walk.takes(line.raw) for line in _best_first(following.get(walk.head.hash, []), longest)):
        pass
    return walk.whole()


def _best_first(lines: list[_Found], longest: dict[str, int]) -> list[_Found]:
    return sorted(lines, key=lambda line: -longest[line.hash])


class _Walk:
    """The run so far; lines that wait for others written together with them come last."""

    def __init__(self) -> None:
        self.tables: Tables = {}
        self.head = journal.START
        self._taken: list[bytes] = []
        self._waiting: list[Line] = []
        self._good = journal.START

    def takes(self, raw: bytes) -> bool:
        """Whether a line is whole and follows; then it is taken."""
        try:
            line = journal.decode(raw)
            if (line["seq"], line["prev"]) != (self.head.seq + 1, self.head.hash):
                return False
            apply(self.tables, line["changes"])
        except (BadLine, ChangeError):
            return False
        self._taken.append(raw)
        self._waiting.append(line)
        self.head = journal.after(self.head, line, raw)
        if not line.get("more"):
            self._good = self.head
            self._waiting.clear()
        return True

    def whole(self) -> Trail:
        """The run without what was written only in part."""
        for line in reversed(self._waiting):
            apply(self.tables, reverse(line["changes"]))
        return Trail(self._taken[: self._good.seq], self.tables, self._good)


def _longest(following: dict[str, list[_Found]]) -> dict[str, int]:
    """For the hash of each line how many lines follow it at most: the later ones are counted first."""
    longest: dict[str, int] = {}
    for line in sorted((line for lines in following.values() for line in lines), key=lambda line: -line.seq):
        count = longest.setdefault(line.hash, 0)
        longest[line.prev] = max(longest.get(line.prev, 0), count + 1)
    return longest


def _contents(files: Sequence[Path]) -> list[bytes]:
    """What the files hold, without those that are the beginning of another."""
    found: list[bytes] = []
    for file in files:
        with suppress(OSError):
            data = read_plain(file).removeprefix(BOM)
            if not any(other.startswith(data) for other in found):
                found = [*(other for other in found if not data.startswith(other)), data]
    return found


def _lines(data: bytes) -> Iterator[_Found]:
    """The lines of a file, whatever they end in: something may have changed their ends, or cut the last one's off."""
    for raw in data.splitlines():
        seq, prev = _SEQ.match(raw), _PREV.findall(raw)
        if seq and prev:
            whole = raw + b"\n"
            yield _Found(int(seq[1]), prev[-1].decode("ascii"), journal.line_hash(whole), whole)
