"""The moments a campaign can be put back to: the latest lines, the ends of the last sessions, what was kept aside."""

from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

from gmtool.kernel import journal
from gmtool.kernel.changes import Tables
from gmtool.kernel.journal import BadLine, Head, Line
from gmtool.kernel.refusal import Refused
from gmtool.store.backups import ASIDE, REPLACED, UPGRADED, numbered, put_back
from gmtool.store.campaign import open_campaign
from gmtool.store.files import disk_refusal, now, unreadable
from gmtool.store.lock import Lock
from gmtool.store.reader import BACKUPS, JOURNAL, Reader
from gmtool.store.trail import trail

T = TypeVar("T")
LATEST = 5
"""How many of the latest lines, and of the last sessions, are offered."""

FURTHEST = 500
"""How far back the latest lines are looked for, among notes and the like."""


class Point(NamedTuple):
    """A moment: ``kind`` (line, began, ended, aside, replaced, upgraded), its last line, the session it is in (0:
    none), the files whose lines lead to it, and what it is called where it was put by.
    """

    kind: str
    line: Line
    session: int
    files: tuple[Path, ...]
    name: str = ""

    @property
    def seq(self) -> int:
        """The number of its last line."""
        seq: int = self.line["seq"]
        return seq


def points(folder: Path) -> list[Point]:
    """The moments that can be put back, latest first; behind them what was kept aside. Refused ``unreadable``."""
    return _read(folder, lambda own: [*_moments(own), *_kept(folder, own)])


def point_at(folder: Path, seq: int) -> Point:
    """The moment after the line of this number. Refused ``unknown-name`` where no line of it can be had."""

    def found(own: _Lines) -> Point:
        if not 0 < seq <= own.last:
            raise Refused("unknown-name", key="no-such-line", exit=2, facts={"value": seq, "last": own.last})
        return _point("line", own, seq)

    return _read(folder, found)


def restore(folder: Path, point: Point, **fields: Any) -> Path:
    """Put the campaign back to a moment, under its lock; says where what lay there is kept.

    Every line up to there is looked at first; behind them comes a mark of it, with these ``fields``. What it was is
    kept whole, so that this can be taken back. Refused ``locked``, ``disk``, ``unreadable``; nothing has changed then.
    """
    found = trail(point.files)
    if found.head.seq < point.seq or journal.decode(found.raws[point.seq - 1]) != point.line:
        raise unreadable(point.files[0], "chain", min(found.head.seq + 1, point.seq))
    raws = found.raws[: point.seq]
    told = (point.line[key] for key in ("undo", "redo", "format"))
    head = Head(point.seq, sum(map(len, raws)), journal.line_hash(raws[-1]), *told)
    mark = journal.encode(journal.mark(head, {"time": now(), **fields}))
    lock = Lock(folder)
    lock.acquire()
    try:
        return put_back(folder, b"".join([*raws, mark]))
    except OSError as error:
        raise disk_refusal(error, error.filename or folder / JOURNAL) from error
    finally:
        lock.release()


class _Lines(NamedTuple):
    """The campaign's own lines: the state they give, the number of the last, each by its number."""

    tables: Tables
    last: int
    at: Callable[[int], Line]
    files: tuple[Path, ...]


def _read(folder: Path, look: Callable[[_Lines], T]) -> T:
    """Look at the campaign's own lines: at a few, where all is well, else at all that can still be had of them."""
    files = folder / JOURNAL, folder / BACKUPS / JOURNAL
    with suppress(Refused):
        campaign = open_campaign(folder, write=False)
        ahead = files[1].exists() and files[1].stat().st_size > campaign.head.end
        if not ahead and all(notice["code"] == "snapshot-missing" for notice in campaign.notices):
            return look(_Lines(campaign.tables, campaign.head.seq, lambda seq: next(campaign.lines(seq)), files))
    found = trail(files)
    if not found.raws:
        raise unreadable(files[0], "empty" if files[0].exists() else "no-journal", 0)
    return look(_Lines(found.tables, found.head.seq, lambda seq: journal.decode(found.raws[seq - 1]), files))


def _moments(own: _Lines) -> Iterator[Point]:
    sessions = sorted(_sessions(own), reverse=True)[:LATEST]
    began = {first: "began" for _, first, _ in sessions}
    ended = {last: "ended" for _, _, last in sessions if last}
    kinds = {**dict.fromkeys(_latest(own), "line"), **began, **ended}
    for seq in sorted(kinds, reverse=True):
        if 0 < seq <= own.last:
            yield _point(kinds[seq], own, seq)


def _latest(own: _Lines) -> list[int]:
    """The numbers of the last line and of the last ones that have changed the state, lines written together as one."""
    found = [own.last]
    for seq in range(own.last, max(own.last - FURTHEST, 0), -1):
        line = own.at(seq)
        if line["kind"] != "mark" and not line.get("more"):
            found.append(seq)
        if len(found) > LATEST:
            break
    return found


def _sessions(own: _Lines) -> list[tuple[int, int, int]]:
    """The sessions: number, first line, last line (0 while it is on)."""
    rows = own.tables.get("sessions", {}).values()
    told = [(row.get("number"), row.get("first_seq"), row.get("last_seq") or 0) for row in rows]
    # a journal from elsewhere may hold anything
    return [(n, first, last) for n, first, last in told if type(n) is type(first) is type(last) is int]


def _kept(folder: Path, own: _Lines) -> Iterator[Point]:
    """What was put by, latest first, if it ends in a line that is not known; and the originals from before an upgrade,
    which an older program reads.
    """
    known: list[Line] = []
    for kind, stem in (("replaced", REPLACED), ("aside", ASIDE), ("upgraded", UPGRADED)):
        there = numbered(folder, stem, "")
        for number in sorted(there, reverse=True):
            file = there[number] / JOURNAL
            line = _last_line(file)
            if line is None or (kind != "upgraded" and (line in known or _has(own, line))):
                continue
            known.append(line)
            yield Point(kind, line, 0, (file,), there[number].name)


def _has(own: _Lines, line: Line) -> bool:
    return 0 < line["seq"] <= own.last and own.at(line["seq"]) == line


def _last_line(file: Path) -> Line | None:
    """The last line of a file that can be read: found by seeking, or, where it is damaged, by following all of it."""
    try:
        with Reader(file) as reader:
            return journal.decode(next(reader.backwards(reader.size))[1])
    except (Refused, BadLine):
        raws = trail([file]).raws
        return journal.decode(raws[-1]) if raws else None


def _point(kind: str, own: _Lines, seq: int) -> Point:
    within = [number for number, first, last in _sessions(own) if first <= seq <= (last or seq)]
    return Point(kind, own.at(seq), max(within, default=0), own.files)
