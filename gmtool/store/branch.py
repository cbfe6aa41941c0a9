"""The what-if of a campaign, ``branch.jsonl``: lines that go on from where the journal stands and are not in it.

The first line of the file says what it goes on from; those behind it are lines of a journal, with the numbers, hashes
and offsets they would have if the file's lines stood behind the journal's own. So whatever reads a journal reads the
two as one (:class:`Joined`), and nothing of the journal is ever copied. The file counts only while the journal ends
where it began: after a line that was written in another way it is no what-if any more.
"""

import io
import os
from contextlib import suppress
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple

from gmtool.kernel import journal
from gmtool.kernel.journal import BadLine, Head
from gmtool.kernel.refusal import Refused
from gmtool.rulesdata.plain import open_plain
from gmtool.store.files import bad_file, disk_refusal, now, swap_in, sync_folder

NAME = "branch.jsonl"
_LONGEST = 1 << 12
_KEYS = {"id": str, "time": str, "seq": int, "end": int, "hash": str}


class Branch(NamedTuple):
    """A what-if: a name of its own, the last line of the journal before it with offset and hash behind, the bytes that
    the file's own first line takes.
    """

    id: str
    time: str
    seq: int
    end: int
    hash: str
    skip: int

    def goes_on_from(self, head: Head) -> bool:
        """Whether the journal stands where the what-if began."""
        return (self.seq, self.end, self.hash) == head[:3]


def load(folder: Path) -> Branch | None:
    """The what-if that lies in a campaign's folder, whether or not it still counts; None without one.

    Raises BadLine for a file that is none of ours; Refused ``newer``, ``disk``.
    """
    try:
        with open_plain(folder / NAME) as file:
            raw = file.readline(_LONGEST)
    except FileNotFoundError:
        return None
    except OSError as error:
        raise disk_refusal(error, folder / NAME) from error
    line = journal.parse_json(raw)
    if type(line) is not dict or not raw.endswith(b"\n"):
        raise BadLine("shape", "branch")
    try:
        journal.check_format(line)
    except BadLine as error:
        if error.why == "newer":
            raise bad_file(error, folder / NAME) from error
        raise
    journal.check_sum(raw)
    if line.get("kind") != "branch" or any(type(line.get(key)) is not kind for key, kind in _KEYS.items()):
        raise BadLine("shape", "branch")
    return Branch(**{key: line[key] for key in _KEYS}, skip=len(raw))


def counts(folder: Path, head: Head) -> bool:
    """Whether a what-if is on behind this head."""
    try:
        found = load(folder)
    except BadLine:
        return False
    return found is not None and found.goes_on_from(head)


def begin(folder: Path, head: Head) -> Branch:
    """Begin a what-if behind this head; to be called under the campaign's lock. Refused ``disk``."""
    told: dict[str, Any] = {
        "id": os.urandom(6).hex(),
        "time": now(),
        "seq": head.seq,
        "end": head.end,
        "hash": head.hash,
    }
    raw = journal.encode({"format": journal.FORMAT, "kind": "branch", **told})
    try:
        swap_in(folder / NAME, raw)
    except OSError as error:
        raise disk_refusal(error, folder / NAME) from error
    return Branch(**told, skip=len(raw))


def forget(folder: Path) -> None:
    """Do away with the file; to be called under the campaign's lock. Refused ``disk``."""
    try:
        (folder / NAME).unlink(missing_ok=True)
    except OSError as error:
        raise disk_refusal(error, folder / NAME) from error
    with suppress(OSError):  # it is gone; after a power cut it may be there again, as whole as it was
        sync_folder(folder)


def joined(first: BinaryIO, cut: int, folder: Path, found: Branch) -> BinaryIO:
    """The journal's first ``cut`` bytes and behind them the what-if's lines, as one file.

    Refused ``branch-gone`` where another process has just kept or dropped it.
    """
    try:
        second = open_plain(folder / NAME)
    except FileNotFoundError as error:
        raise Refused("branch-open", key="branch-gone") from error
    return io.BufferedReader(Joined(first, cut, second, found.skip))


class Joined(io.RawIOBase):
    """The first ``cut`` bytes of one file and, behind them, what another holds after its first ``skip``; to read."""

    def __init__(self, first: BinaryIO, cut: int, second: BinaryIO, skip: int) -> None:
        self._first, self._cut, self._second, self._skip = first, cut, second, skip
        self._at = 0

    def readable(self) -> bool:
        """It is."""
        return True

    def seekable(self) -> bool:
        """It is."""
        return True

    def seek(self, offset: int, whence: int = 0) -> int:
        """Go to a place of the whole."""
        end = self._cut + self._second.seek(0, 2) - self._skip if whence == 2 else 0
        self._at = offset + {0: 0, 1: self._at, 2: end}[whence]
        return self._at

    def readinto(self, buffer: object) -> int:
        """Read on, no further than the end of the file that the place lies in."""
        view = memoryview(buffer)  # type: ignore[arg-type]
        if self._at < self._cut:
            self._first.seek(self._at)
            data = self._first.read(min(len(view), self._cut - self._at))
        else:
            self._second.seek(self._at - self._cut + self._skip)
            data = self._second.read(len(view))
        view[: len(data)] = data
        self._at += len(data)
        return len(data)

    def close(self) -> None:
        """Close both."""
        self._first.close()
        self._second.close()
        super().close()
