"""The moments a campaign can be put back to: the latest lines, the ends of the last sessions, what was kept aside."""

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from gmtool.kernel import journal
from gmtool.kernel.journal import BadLine, Line
from gmtool.kernel.refusal import Refused
from gmtool.store.backups import ASIDE, REPLACED, UPGRADED, numbered, put_back
from gmtool.store.files import disk_refusal, unreadable
from gmtool.store.lock import Lock
from gmtool.store.reader import BACKUPS, JOURNAL, Reader
from gmtool.store.trail import Trail, trail

LATEST = 5
"""How many of the latest lines, and of the last sessions, are offered."""


class Point(NamedTuple):
    """A moment: ``kind`` (line, began, ended, aside, replaced, upgraded), its last line, the session it is in (0:
    none), and where it lies: the lines that were read, or a file whose lines are looked at when they are wanted.
    """

    kind: str
    line: Line
    session: int
    source: Trail | Path

    @property
    def seq(self) -> int:
        """The number of its last line."""
        seq: int = self.line["seq"]
        return seq


def points(folder: Path) -> list[Point]:
    """The moments that can be put back, latest first; behind them what was kept aside. Reads all there is."""
    own = _own(folder)
    return [*_moments(own), *_kept(folder, set(own.raws))]


def point_at(folder: Path, seq: int) -> Point:
    """The moment after the line of this number. Refused ``unknown-name`` where no line of it can be had."""
    own = _own(folder)
    if not 0 < seq <= own.head.seq:
        raise Refused("unknown-name", key="no-such-line", exit=2, facts={"value": seq, "last": own.head.seq})
    return _point("line", own, seq)


def restore(folder: Path, point: Point) -> Path:
    """Put the campaign back to a moment, under its lock; says where what lay there is kept.

    What it was is kept whole, so that this can be taken back. Refused ``locked``, ``disk``, ``unreadable``; nothing has
    changed then.
    """
    source = trail([point.source]) if isinstance(point.source, Path) else point.source
    if source.head.seq < point.seq and isinstance(point.source, Path):
        raise unreadable(point.source, "chain", source.head.seq + 1)
    lock = Lock(folder)
    lock.acquire()
    try:
        return put_back(folder, b"".join(source.raws[: point.seq]))
    except OSError as error:
        raise disk_refusal(error, folder / JOURNAL) from error
    finally:
        lock.release()


def _own(folder: Path) -> Trail:
    """The campaign's own lines, from its journal and the second copy. Refused ``unreadable`` where there are none."""
    found = trail([folder / JOURNAL, folder / BACKUPS / JOURNAL])
    if not found.raws:
        raise unreadable(folder / JOURNAL, "empty")
    return found


def _moments(own: Trail) -> Iterator[Point]:
    sessions = sorted(_sessions(own), reverse=True)[:LATEST]
    began = {first: "began" for _, first, _ in sessions}
    ended = {last: "ended" for _, _, last in sessions if last}
    kinds = {**dict.fromkeys(_latest(own), "line"), **began, **ended}
    for seq in sorted(kinds, reverse=True):
        if 0 < seq <= own.head.seq:
            yield _point(kinds[seq], own, seq)


def _sessions(on: Trail) -> list[tuple[int, int, int]]:
    """The sessions: number, first line, last line (0 while it is on)."""
    rows = on.tables.get("sessions", {}).values()
    told = [(row.get("number"), row.get("first_seq"), row.get("last_seq") or 0) for row in rows]
    # a journal from elsewhere may hold anything
    return [(n, first, last) for n, first, last in told if type(n) is type(first) is type(last) is int]


def _latest(own: Trail) -> list[int]:
    """The numbers of the last line and of the last ones that have changed the state, lines written together as one."""
    found = [own.head.seq]
    for seq in range(own.head.seq, 0, -1):
        line = journal.decode(own.raws[seq - 1])
        if line["kind"] != "mark" and not line.get("more"):
            found.append(seq)
        if len(found) > LATEST:
            break
    return found


def _kept(folder: Path, known: set[bytes]) -> Iterator[Point]:
    """What was put by, latest first, if it ends in a line that is not known; and the originals from before an upgrade,
    which an older program reads.
    """
    for kind, stem, ending in (("replaced", REPLACED, ""), ("aside", ASIDE, ".jsonl"), ("upgraded", UPGRADED, "")):
        there = numbered(folder, stem, ending)
        for number in sorted(there, reverse=True):
            file = there[number] if ending else there[number] / JOURNAL
            raw = _last_line(file)
            if raw and (kind == "upgraded" or raw not in known):
                known.add(raw)
                yield Point(kind, journal.decode(raw), 0, file)


def _last_line(file: Path) -> bytes:
    """The last line of a file that can be read: found by seeking, or, where it is damaged, by following all of it."""
    try:
        with Reader(file) as reader:
            raw = next(reader.backwards(reader.size))[1]
            journal.decode(raw)
            return raw
    except (Refused, BadLine):
        return next(reversed(trail([file]).raws), b"")


def _point(kind: str, on: Trail, seq: int) -> Point:
    within = [number for number, first, last in _sessions(on) if first <= seq <= (last or seq)]
    return Point(kind, journal.decode(on.raws[seq - 1]), max(within, default=0), on)
