"""The state of a campaign: the snapshot, where it can be trusted, and the journal's lines folded on top."""

import os
from pathlib import Path
from typing import Any

from gmtool.kernel import journal
from gmtool.kernel.changes import ChangeError, Tables, apply
from gmtool.kernel.journal import BadLine, Head, Line
from gmtool.kernel.refusal import Refused
from gmtool.store import branch, snapshot
from gmtool.store.backups import next_name
from gmtool.store.branch import Branch
from gmtool.store.files import bad_file, unreadable
from gmtool.store.reader import BACKUPS, JOURNAL, Reader

SPOILT = "spoilt"
Place = tuple[str, str]
Look = tuple[tuple[int, int, int] | None, ...]


class State:
    """Tables and the journal position they stand at. Reads only; ``notices`` says what was found on the way.

    ``saved`` is the number of the line the snapshot on disk stands at (0: none that can be used), ``spoilt`` whether
    there is one that has to be kept (damaged, changed by hand, of another journal, or ahead of this one),
    ``touched`` the rows that were changed since it was last emptied, ``unsure`` whether the tables may be half changed,
    as a Ctrl-C leaves them: they are then read anew before anything else.

    With ``branched`` the lines of a what-if are folded on top, if one is on: ``branch`` says which, ``real`` where the
    journal itself stands, ``stray`` whether a file of one lies there that does not count.
    """

    def __init__(self, path: Path, branched: bool = False) -> None:
        self.path = path
        self.branched = branched
        self.branch: Branch | None = None
        self.real = journal.START
        self.stray = False
        self.journal = path / JOURNAL
        self.tables: Tables = {}
        self.head = journal.START
        self.base = 0
        self.saved = 0
        self.spoilt = False
        self._unfit: Head | None = None  # of a snapshot whose position the journal does not have
        self.touched: set[Place] = set()
        self.unsure = False
        self._seen: Look | None = None
        self.notices: list[dict[str, Any]] = []

    def load(self) -> None:
        """Read the campaign from its files. Refused ``no-campaign``, ``unreadable``, ``newer``, ``disk``."""
        self._seen, looks = None, self._looks()
        copied = self._copied()  # looked at first: it never has more than the journal, unless that has lost its end
        with Reader(self.journal) as reader:
            self._start(reader)
            try:
                self.fold(reader)
            except Refused:
                if not self.saved:
                    raise
                self._restart("snapshot-foreign")
                self.spoilt = True
                self.fold(reader)
        self._enter()
        if self.branch:
            self._seen = looks
        if self._unfit:
            self.notices.append(self._not_ours(self._unfit))
        elif copied > self.real.end:
            self.notices.append({"code": "copy-ahead", "journal": self.real.seq})

    def reader(self) -> Reader:
        """What reads the lines this state is made of."""
        return Reader(self.journal, self.branch)

    def place(self, real: bool = False) -> tuple[Path, int]:
        """The file the next line goes to, and the byte of it where the last whole one ends."""
        if real or self.branch is None:
            return self.journal, self.base + self.real.end
        return self.path / branch.NAME, self.branch.skip + self.head.end - self.branch.end

    def began(self, found: Branch) -> None:
        """A what-if has just begun here."""
        self.branch, self._seen = found, self._looks()

    def _enter(self, spoilt: bool = False) -> int:
        """Take in the what-if that goes on from here, if one does, and say of how many lines.

        One that is damaged counts as none; then everything is as it was without it.
        """
        self.real, self.branch, self.stray = self.head, None, spoilt
        found = None if spoilt or not self.branched else self._lying()
        if found is None:
            return 0
        self.branch, began = found, self.head.seq
        try:
            with self.reader() as reader:
                self.fold(reader)
        except Refused as refused:
            if refused.code != "unreadable":
                raise
            self.notices.append({"code": "branch-damaged", "problem": str(refused.facts["problem"])})
            return self._without()
        return self.head.seq - began

    def _without(self) -> int:
        """Everything read anew, whatever of a what-if lies there."""
        self.branch = None
        self._restart()
        with Reader(self.journal) as reader:
            self._start(reader)
            self.fold(reader)
        return self._enter(spoilt=True)

    def _lying(self) -> Branch | None:
        """The what-if that lies in the folder, if it counts; ``stray`` for one that does not."""
        try:
            found = branch.load(self.path)
        except BadLine as error:
            self.stray = True
            self.notices.append({"code": "branch-damaged", "problem": error.why})
            return None
        if found is None or found.goes_on_from(self.head):
            return found
        self.stray = True
        told = {"code": "branch-left", "seq": found.seq}
        if not self.was_kept(found) and told not in self.notices:
            self.notices.append(told)
        return None

    def was_kept(self, found: Branch) -> bool:
        """Whether the journal has the lines of a what-if: its process was killed before it could put the file away."""
        with Reader(self.journal) as reader:
            if reader.hash_before(found.end) != found.hash:
                return False
            line = next((reader.line(raw, found.seq + 1) for _, raw in reader.forwards(found.end)), {})
        return bool(line.get("branch") == found.id)

    def _copied(self) -> int:
        """How many bytes the second copy of the journal has."""
        try:
            return os.stat(self.path / BACKUPS / JOURNAL).st_size
        except OSError:
            return 0

    def refresh(self) -> int:
        """Fold the lines others have added, and say how many; a journal that was replaced is read anew.

        So is everything where a what-if has ended.
        """
        found = self._looks()
        if not self.unsure:
            if found is not None and found == self._seen:
                return 0
            if self.branch is None or self._goes_on(found):
                with self.reader() as reader:
                    if reader.base == self.base and reader.hash_before(self.head.end) == self.head.hash:
                        self.unsure = True
                        count = self.fold(reader)
                        count += 0 if self.branch else self._enter()
                        self._seen, self.unsure = found, False
                        return count
                self.notices.append({"code": "journal-replaced"})
        self.unsure = True
        self.again()
        return self.head.seq

    def again(self) -> None:
        """Read everything anew."""
        self._restart()
        self.load()
        self.unsure = False

    def _goes_on(self, found: Look | None) -> bool:
        """Whether the what-if is the same still, and the journal beneath it as it was."""
        if found is None or self._seen is None or found[0] != self._seen[0]:
            return False
        try:
            return branch.load(self.path) == self.branch
        except BadLine:
            return False

    def wrote(self, head: Head, lines: list[Line]) -> None:
        """These lines, applied already, are in the file now; nobody else can have written meanwhile."""
        self.head, self._seen = head, self._looks()
        if self.branch is None:
            self.real = head
        self.touched.update(*map(places, lines))
        self.unsure = False

    def _looks(self) -> Look | None:
        """What tells whether journal and what-if are still as they were read; None where it cannot be had."""
        try:
            journal = self._look(self.journal)
            what_if = [self._look(self.path / branch.NAME)] if self.branched else []
        except OSError:
            return None
        return None if journal is None else (journal, *what_if)

    def _look(self, path: Path) -> tuple[int, int, int] | None:
        try:
            found = os.stat(path)
        except FileNotFoundError:
            return None
        return found.st_ino, found.st_size, found.st_mtime_ns

    def fold(self, reader: Reader) -> int:
        """Take in the whole lines behind the head; lines written together count together. Says how many.

        Refused ``unreadable`` at the first line that does not follow from those before it.
        """
        began, ahead = self.head.seq, self.head
        waiting: list[Line] = []
        for _, raw in reader.forwards(self.head.end):
            line = follow(reader, ahead, raw)
            ahead = journal.after(ahead, line, raw)
            waiting.append(line)
            if not line.get("more"):
                self._take(reader, ahead, waiting)
                waiting = []
        if self.head.seq == 0:
            raise unreadable(reader.path, "empty")
        return self.head.seq - began

    def _take(self, reader: Reader, head: Head, lines: list[Line]) -> None:
        for line in lines:
            try:
                apply(self.tables, line["changes"])
            except ChangeError as error:
                raise unreadable(reader.path, error.why, line["seq"], error.path) from error
            self.touched |= places(line)
        self.head = head

    def _start(self, reader: Reader) -> None:
        """Begin at the snapshot, or with nothing where it is missing, damaged or not of this journal."""
        self.base, self.spoilt, self._unfit = reader.base, False, None
        path = self.path / snapshot.NAME
        try:
            found = snapshot.load(path)
        except BadLine as error:
            if error.why == "newer":
                raise bad_file(error, path) from error
            self.spoilt = True
            code = "snapshot-edited" if error.why == "edited" else "snapshot-damaged"
            self.notices.append({"code": code, "problem": error.why, "detail": error.detail})
            return
        except Refused as refused:  # the disk does not give it; the journal is all that is needed
            self.spoilt = True
            self.notices.append({"code": "snapshot-damaged", "problem": refused.facts["problem"], "detail": ""})
            return
        if found is None:
            self.notices.append({"code": "snapshot-missing"})
        elif found[1].format < journal.SUMMED:
            pass  # neither it nor the lines before have checksums: all of them are read, each tells of the one before
        elif reader.hash_before(found[1].end) != found[1].hash:
            self.spoilt = True
            self._unfit = found[1]
        else:
            self.tables, self.head = found
            self.saved = self.head.seq

    def _not_ours(self, unfit: Head) -> dict[str, Any]:
        """What to say of a snapshot at this line, a place that the journal, read to its end, does not have.

        A later line than the last one there is: the journal has lost its end, and the snapshot may be all that is left.
        The very place of the last one, which has no checksum: it is no longer as it was written (``unreadable``).
        """
        if unfit[:2] == self.head[:2] and self.head.format < journal.SUMMED:
            raise unreadable(self.journal, "sum", unfit.seq)
        if unfit.seq <= self.head.seq:
            return {"code": "snapshot-foreign"}
        file = next_name(self.path, SPOILT, ".json").name
        return {"code": "snapshot-ahead", "snapshot": unfit.seq, "journal": self.head.seq, "file": f"{BACKUPS}/{file}"}

    def _restart(self, notice: str = "") -> None:
        self.tables, self.head, self.saved = {}, journal.START, 0
        if notice:
            self.notices.append({"code": notice})


def places(line: Line) -> set[Place]:
    """The rows a line changes: table and id of each."""
    return {(table, id) for table, id, *_ in (change["path"].split(".", 2) for change in line["changes"])}


def follow(reader: Reader, head: Head, raw: bytes) -> Line:
    """The line in these bytes, if it follows the head by number and hash. Refused ``unreadable``, ``newer``."""
    line = reader.line(raw, head.seq + 1)
    if line["seq"] != head.seq + 1:
        raise unreadable(reader.path, "sequence", head.seq + 1, str(line["seq"]))
    if line["prev"] != head.hash:
        raise unreadable(reader.path, "chain", head.seq + 1)
    return line
