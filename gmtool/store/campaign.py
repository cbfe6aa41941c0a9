"""A campaign: one folder, whose journal is the truth.

    campaign = open_campaign(path, write=True)
    with campaign.writing():            # the lock; lines others added are read first
        campaign.append([line])         # on disk when it returns
        campaign.save_snapshot()        # may fail without harm

Lines come in without their place (``kind`` step or mark, ``time``, ``line``, ``command``, ``changes``, …); number,
hash and pointers are completed here. ``tables`` is to be read only; another dict may stand there after ``refresh``.
"""

import os
import shutil
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any

from gmtool.kernel import journal
from gmtool.kernel.changes import Change, Tables, apply, fitting, reverse, rooted
from gmtool.kernel.journal import BadLine, Head, Line
from gmtool.kernel.refusal import Refused
from gmtool.store import backups, branch, snapshot
from gmtool.store.files import disk_refusal, make_folders, move, now, own, sync_folder, unreadable, write_all, write_new
from gmtool.store.lock import WAIT_SECONDS, Lock
from gmtool.store.names import check_new, free_slug
from gmtool.store.reader import BACKUPS, JOURNAL, LONGEST
from gmtool.store.state import SPOILT, Place, State
from gmtool.store.whatif import WhatIf, changed


def create(home: Path, name: str, system: str, first_line_changes: list[Change], **fields: Any) -> "Campaign":
    """Make the folder of a new campaign, complete from the first moment it has its name, and open it.

    ``fields`` go into its first line, a mark. Refused ``name-taken``, ``bad-value`` (the name), ``disk``.
    """
    check_new(home, name)
    line = {"time": now(), "system": system, **fields, "changes": first_line_changes}
    stored, raw = _stored({}, journal.mark(journal.START, line))
    apply({}, stored["changes"])  # a first line that would not open is not written
    campaign = open_campaign(make_folder(home, name, raw), write=True)
    campaign.notices.clear()  # that there is no snapshot yet is no news
    return campaign


def open_campaign(path: Path, *, write: bool, branched: bool = False) -> "Campaign":
    """Open the campaign in this folder; nothing is created and no lock taken.

    With ``branched`` it stands where its what-if stands, if one is on, and is written there; else on the real line,
    which cannot be written while one is on. Refused ``no-campaign``, ``unreadable``, ``newer``, ``disk``; with
    ``write``, at once when it is read-only.
    """
    campaign = Campaign(path, write, branched)
    campaign.load()
    return campaign


class Campaign(WhatIf):
    """An open campaign. ``notices`` collects what people should be told: dicts with a ``code`` and facts.

    ``latest`` are the lines that were written last.
    """

    def __init__(self, path: Path, write: bool, branched: bool = False) -> None:
        self.path = path
        self._write = write
        self._state = State(path, branched)
        self._lock = Lock(path)
        self.latest: list[Line] = []

    @property
    def tables(self) -> Tables:
        """The state as plain JSON; to be read only."""
        return self._state.tables

    @property
    def notices(self) -> list[dict[str, Any]]:
        """What was found or done on the way, oldest first."""
        return self._state.notices

    def touched(self) -> set[Place]:
        """The rows (table, id) changed since this was last asked, as long as ``tables`` is the same dict."""
        found, self._state.touched = self._state.touched, set()
        return found

    @property
    def saved(self) -> int:
        """The number of the line the snapshot on disk stands at; 0 when it is of no use."""
        return self._state.saved

    def load(self) -> None:
        """Read everything from the files; see :func:`open_campaign`."""
        self._state.load()
        if self._write:
            self._check_writable()

    def refresh(self) -> int:
        """Take in the lines others have added since, and say how many. Takes no lock."""
        count = self._state.refresh()
        if count:
            self.notices.append({"code": "others-wrote", "count": count, "seq": self.head.seq})
        return count

    def to_write(self) -> None:
        """Make ready for writing what was opened for reading; Refused ``disk`` at once when it is read-only."""
        if not self._write:
            self._check_writable()
            self._write = True

    @contextmanager
    def writing(self, wait: float = WAIT_SECONDS) -> Iterator["Campaign"]:
        """Hold the lock, with the state up to date; within it, more of the same is nothing special. ``locked``."""
        if self._lock.held:
            yield self
            return
        if not self._write:
            raise RuntimeError("opened for reading")
        self._check_writable()
        before = self.branch
        try:
            self._lock.acquire(wait)
            self.refresh()
            if self.branch != before:  # a line meant for the one is not to land on the other
                raise changed(self.branch)
            self._tidy()
            yield self
        finally:
            self._lock.release()

    def append(self, lines: Sequence[Line]) -> list[int]:
        """Write these lines, all or none, and apply their changes; their numbers. On disk when it returns.

        Refused ``disk`` (nothing has changed), ``bad-value`` (text that is no Unicode); ChangeError when a change
        does not fit the state.
        """
        return [line["seq"] for line in self._commit([partial(_next, line) for line in lines])]

    def undo(self, n: int = 1, **fields: Any) -> list[Line]:
        """Take back the last ``n`` steps in one write and return them as they were first done, last one first.

        ``fields`` (who, line, …) go into the undo lines. Refused ``nothing-to-undo`` (left: how many there are).
        """
        targets = self._targets("nothing-to-undo", "branch-undo", self.undoable(), n)
        originals = self._originals(targets)  # read before: what cannot be read refuses an undo that is not done
        self._commit([partial(self._counter, journal.undo, target, fields) for target in targets])
        return originals

    def redo(self, n: int = 1, **fields: Any) -> list[Line]:
        """Do again the last ``n`` steps taken back; like :meth:`undo`. Refused ``nothing-to-redo``."""
        targets = self._targets("nothing-to-redo", "branch-redo", self.redoable(), n)
        originals = self._originals(targets)
        self._commit([partial(self._counter, journal.redo, target, fields) for target in targets])
        return originals

    def save_snapshot(self, wait: float = 0.5) -> bool:
        """Bring ``campaign.json`` up to date; False when it could not be written, which harms nothing.

        The second copy of the journal goes along with it.
        """
        if self.branch:  # it tells of the real line, which stands where it stood
            return True
        if self.saved == self.head.seq or not self._write:  # what was only looked at is left as it is
            return self.saved == self.head.seq
        try:
            with self.writing(wait):
                self._write_snapshot()
                self._copy()
        except (Refused, OSError):
            return False
        return True

    def _copy(self) -> None:
        try:
            aside = backups.follow(self.path, self._state.base, self.head.end)
            if aside is not None:
                self.notices.append({"code": "copy-kept", "file": aside.relative_to(self.path).as_posix()})
        except OSError as error:
            self.notices.append({"code": "copy-behind", "problem": error.strerror or ""})

    def _write_snapshot(self) -> None:
        from tinydb import TinyDB

        from gmtool.store.storage import SwapStorage

        path = self.path / snapshot.NAME
        documents = snapshot.pack(self.tables, self.head)
        if self._state.spoilt:
            self._keep(path)
        TinyDB(path, storage=SwapStorage).storage.write(documents)
        self._state.saved = self.head.seq

    def _keep(self, path: Path) -> None:
        """Put a snapshot that is not to be written over into ``backups``, and say so."""
        kept = backups.room_for(self.path, SPOILT, ".json")
        with suppress(FileNotFoundError):  # somebody else has kept it meanwhile
            os.replace(path, kept)
            self.notices.append({"code": "snapshot-kept", "file": f"{BACKUPS}/{kept.name}"})
        self._state.spoilt = False

    def _tidy(self) -> None:
        """Put a what-if that counts no more by; one whose lines the journal has is done away with."""
        if not self._state.stray:
            return
        try:
            found = branch.load(self.path)
            if found and self._state.was_kept(found):
                branch.forget(self.path)
        except BadLine:
            pass
        with suppress(FileNotFoundError):
            kept = backups.room_for(self.path, "branch", ".jsonl")
            os.replace(self.path / branch.NAME, kept)
            self.notices.append({"code": "branch-kept", "file": f"{BACKUPS}/{kept.name}"})
        self._state.stray = False

    def _check_writable(self) -> None:
        for path in (self._state.journal, self.path):
            if not os.access(path, os.W_OK):
                raise Refused("disk", exit=4, facts={"problem": "read-only", "file": str(path)})

    def _targets(self, code: str, own: str, chain: Iterator[Line], n: int) -> list[Line]:
        """The steps meant; those from before a what-if are none of its own, which the sentence ``own`` says."""
        found = list(islice(chain, n))
        targets = [line for line in found if line["seq"] > self._state.real.seq] if self.branch else found
        if n < 1 or len(targets) < n:
            key = own if len(targets) < len(found) else code
            raise Refused(code, key=key, facts={"left": len(targets), "wanted": n})
        return targets

    def _originals(self, targets: list[Line]) -> list[Line]:
        return [line if line["kind"] == "step" else next(self.lines(journal.original(line))) for line in targets]

    def _counter(self, place: Callable[[Head, Line, Line], Line], target: Line, fields: Line, head: Head) -> Line:
        """The line that takes back the target; what a later mark has written over stays, and is named in ``kept``."""
        wanted = reverse(target["changes"])
        fit = fitting(self.tables, wanted)
        kept = {"kept": [change["path"] for change in wanted if change not in fit]} if len(fit) < len(wanted) else {}
        return place(head, {"time": now(), **fields, **kept, "changes": fit}, target)

    def _commit(self, makers: Sequence[Callable[[Head], Line]]) -> list[Line]:
        """Complete, apply and write the lines, all or none; each maker is called with the head before its line."""
        if not self._lock.held:
            raise RuntimeError("append, undo and redo belong inside writing()")
        if not self.branched and branch.counts(self.path, self.head):
            raise Refused("branch-open", key="branch-on", facts={"n": 0})
        if self._state.refresh():  # the lock was no help: its file was deleted, or the folder is shared in other ways
            raise Refused("locked", key="others-wrote", exit=4, facts={"file": str(self._state.journal)})
        head, done, data = self.head, list[Line](), b""
        self._state.unsure = True  # until it is over: a Ctrl-C may come anywhere
        try:
            for left, make in zip(range(len(makers) - 1, -1, -1), makers, strict=True):
                line, raw = _stored(self.tables, {**make(head), **({"more": left} if left else {})})
                apply(self.tables, line["changes"])
                done.append(line)
                head, data = journal.after(head, line, raw), data + raw
            self._put(data)
        except Exception:
            for line in reversed(done):
                apply(self.tables, reverse(line["changes"]))
            self._state.unsure = False
            raise
        self._state.wrote(head, done)
        self.latest = done
        return done

    def _put(self, data: bytes, real: bool = False) -> None:
        """Write behind the last whole line and flush; after a failure the file is cut back to where it was."""
        path, start = self._state.place(real)
        try:
            if path == self._state.journal and self._state.real.format < journal.FORMAT:
                backups.keep_original(self.path, self._state.real.format)
            own(path)
            handle = os.open(path, os.O_RDWR | os.O_APPEND | getattr(os, "O_BINARY", 0))
            try:
                self._cut_torn(handle, start)
                self._add(handle, data, start, path)
            finally:
                os.close(handle)
        except OSError as error:
            raise disk_refusal(error, path) from error

    def _add(self, handle: int, data: bytes, start: int, path: Path) -> None:
        """Write and flush; where that fails the file is cut back, and told where a whole line cannot be.

        Refused ``disk`` for such a line; OSError.
        """
        try:
            write_all(handle, data)
            os.fsync(handle)
        except BaseException as error:
            if not _cut(handle, start) and isinstance(error, OSError) and os.fstat(handle).st_size == start + len(data):
                raise Refused("disk", key="disk-unsure", exit=4, facts={"file": str(path)}) from error
            raise

    def _cut_torn(self, handle: int, start: int) -> None:
        """Cut off what a broken write left behind the last whole line; the bytes are kept in ``backups``."""
        size = os.fstat(handle).st_size
        if size < start:
            raise unreadable(self._state.journal, "shrunk", self.head.seq)
        if size > start:
            os.lseek(handle, start, os.SEEK_SET)
            kept = backups.room_for(self.path, "torn", ".txt")
            write_new(kept, os.read(handle, size - start))
            os.ftruncate(handle, start)
            self.notices.append({"code": "torn-tail", "bytes": size - start, "file": f"{BACKUPS}/{kept.name}"})


def make_folder(home: Path, name: str, lines: bytes, others: Mapping[str, bytes] = {}) -> Path:
    """A new folder with this journal, and other files by their paths in it; under a name nobody lists, then renamed.

    Refused ``disk``.
    """
    fresh = home / f".new-{os.getpid()}"
    try:
        make_folders(home)
        path = home / free_slug(home, name)
        if fresh.exists():  # left by a kill, when the system gives this process the same number
            shutil.rmtree(fresh)
        fresh.mkdir()
        write_new(fresh / JOURNAL, lines)
        for file, data in others.items():
            make_folders((fresh / file).parent)
            write_new(fresh / file, data)
            sync_folder((fresh / file).parent)
        sync_folder(fresh)
        move(fresh, path)
    except OSError as error:
        shutil.rmtree(fresh, ignore_errors=True)
        raise disk_refusal(error, home) from error
    return path


def _next(line: Line, head: Head) -> Line:
    place = {"step": journal.step, "mark": journal.mark}[line["kind"]]
    return place(head, {"time": now(), **line})


def _stored(tables: Tables, line: Line) -> tuple[Line, bytes]:
    """The line as it will be read again, and its bytes. Refused ``bad-value``: text that is none, or too much of it."""
    try:
        raw = journal.encode({**line, "changes": rooted(tables, line["changes"])})
    except UnicodeEncodeError as error:
        found = error.object[error.start : error.end].encode("ascii", "backslashreplace").decode("ascii")
        raise Refused("bad-value", key="bad-text", exit=2, facts={"value": found}) from error
    if len(raw) >= LONGEST:
        raise Refused("bad-value", key="line-long", facts={"bytes": len(raw), "limit": LONGEST - 1})
    return journal.decode(raw), raw


def _cut(handle: int, start: int) -> bool:
    """Whether the file could be cut back; half a line that could not is cut off before the next write."""
    try:
        os.ftruncate(handle, start)
    except OSError:
        return False
    return True
