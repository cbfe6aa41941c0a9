"""Reading a journal file by byte offsets, without reading all of it.

Offsets do not count a byte order mark some editor may have put in front. Only lines that end in a newline are lines;
what stands after the last one is a torn write (or a write just going on) and none of a reader's business.
"""

import os
import re
from collections.abc import Iterator
from pathlib import Path
from types import TracebackType

from gmtool.kernel import journal
from gmtool.kernel.journal import BOM, BadLine, Line
from gmtool.kernel.refusal import Refused
from gmtool.rulesdata.plain import open_plain
from gmtool.store import snapshot
from gmtool.store.branch import Branch, joined
from gmtool.store.files import bad_file, disk_refusal, unreadable

JOURNAL = "journal.jsonl"
BACKUPS = "backups"
BLOCK = 1 << 16
LONGEST = 16 << 20
"""No line of a journal takes so many bytes: one that does is not read to its end, which may be nowhere."""
RULES = "rules"
CRLF = b"\r\n"
_SEQ = re.compile(rb'\{"format":\d+,"seq":(\d+),')


def remains(folder: Path) -> bool:
    """Whether a folder is a campaign's even without a journal: it holds a snapshot, rules of the GM's own, a copy."""
    files = folder / snapshot.NAME, folder / BACKUPS / JOURNAL
    return any(map(os.path.isfile, files)) or os.path.isdir(folder / RULES)


class Reader:
    """An open journal file, or one with the lines of a what-if behind it; a context manager.

    Refused ``no-campaign``, ``disk``, ``unreadable``: no-journal (missing from a campaign's folder), empty, crlf (its
    line ends were changed: offsets and hashes count one byte for each, so it is read again only once they are back).
    """

    def __init__(self, path: Path, what_if: Branch | None = None) -> None:
        self.path = path
        try:
            self._file = open_plain(path)
        except (FileNotFoundError, NotADirectoryError) as error:
            if remains(path.parent):
                raise unreadable(path, "no-journal", 0) from error
            raise Refused("no-campaign", key="no-campaign-here", exit=4, facts={"file": str(path)}) from error
        except OSError as error:
            raise disk_refusal(error, path) from error
        self.base = len(BOM) if self._file.read(len(BOM)) == BOM else 0
        self._file.seek(self.base)
        first = self._file.readline(LONGEST)
        changed = first.endswith(CRLF)
        self.size = self._file.seek(0, 2) - self.base
        if self.size == 0 or changed or len(first) == LONGEST:
            self._file.close()
            raise unreadable(path, "crlf" if changed else "json" if first else "empty")
        if what_if:
            self._file = joined(self._file, self.base + what_if.end, path.parent, what_if)
            self.size = self._file.seek(0, 2) - self.base

    def __enter__(self) -> "Reader":
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, tb: TracebackType | None) -> None:
        self._file.close()

    def forwards(self, start: int, end: int | None = None) -> Iterator[tuple[int, bytes]]:
        """The whole lines from an offset on (to ``end``, a boundary), each with its offset."""
        self._file.seek(self.base + start)
        for raw in iter(lambda: self._file.readline(LONGEST), b""):
            if len(raw) == LONGEST:
                raise unreadable(self.path, "json", 0)
            if not raw.endswith(b"\n") or (end is not None and start >= end):
                return
            yield start, raw
            start += len(raw)

    def backwards(self, end: int) -> Iterator[tuple[int, bytes]]:
        """The lines before ``end``, a boundary, last one first, each with its offset."""
        rest, start = b"", end
        while start > 0:
            length = min(BLOCK, start)
            start -= length
            rest = self._read(start, length) + rest
            while (cut := rest.rfind(b"\n", 0, len(rest) - 1)) >= 0:
                yield start + cut + 1, rest[cut + 1 :]
                rest = rest[: cut + 1]
        if rest:
            yield 0, rest

    def begins(self, data: bytes) -> bool:
        """Whether the journal begins with these bytes."""
        return self._read(0, len(data)) == data

    def hash_before(self, end: int) -> str | None:
        """The hash of the line that ends at this offset; None when no line ends there."""
        if not 0 < end <= self._file.seek(0, 2) - self.base or self._read(end - 1, 1) != b"\n":
            return None
        return journal.line_hash(next(self.backwards(end))[1])

    def line_at(self, offset: int, seq: int) -> Line:
        """The line a pointer names by its offset and number; Refused ``unreadable`` when another one stands there."""
        after = self.forwards(offset)
        _, raw = next(after, (0, b""))
        line = self.line(raw, seq)
        if line["seq"] != seq:
            raise unreadable(self.path, "pointer", seq)
        if line["format"] < journal.SUMMED:  # only the line behind it can tell what it was
            _, behind = next(after, (0, b""))
            if behind and self.line(behind, seq + 1)["prev"] != journal.line_hash(raw):
                raise unreadable(self.path, "chain", seq + 1)
        return line

    def line(self, raw: bytes, seq: int) -> Line:
        """What stands in a line; ``seq``, the number of the line in the file, is for the refusal."""
        try:
            return journal.decode(raw)
        except BadLine as error:
            if raw.endswith(CRLF):
                raise unreadable(self.path, "crlf", seq) from error
            raise bad_file(error, self.path, seq) from error

    def offset_of(self, seq: int, end: int) -> int:
        """Where the line of this number begins, among those before ``end``: by halving, a few blocks are read.

        For a number behind the last one it is ``end``.
        """
        low, high = 0, end
        while high - low > BLOCK:
            middle = (low + high) // 2
            start = self._next_start(middle, high)
            if start < high and self._seq(start) <= seq:
                low = start
            else:
                high = middle
        for offset, raw in self.forwards(low, end):
            if self._number(offset, raw) >= seq:
                return offset
        return end

    def _next_start(self, offset: int, high: int) -> int:
        """The first line start at or after the offset, or ``high``."""
        self._file.seek(self.base + offset - 1)
        return min(offset - 1 + len(self._file.readline()), high)

    def _seq(self, offset: int) -> int:
        found = _SEQ.match(self._read(offset, 64))
        return int(found[1]) if found else self._number(offset, next(self.forwards(offset))[1])

    def _number(self, offset: int, raw: bytes) -> int:
        found = _SEQ.match(raw)
        number: int = int(found[1]) if found else self.line(raw, 0)["seq"]
        return number

    def _read(self, offset: int, length: int) -> bytes:
        self._file.seek(self.base + offset)
        return self._file.read(length)
