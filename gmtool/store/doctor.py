"""The plain doctor: is what lies on disk whole? It reads everything and changes nothing."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from gmtool.kernel import journal
from gmtool.kernel.changes import ChangeError, Tables, apply, same
from gmtool.kernel.journal import BadLine, Head, Line, Spot
from gmtool.kernel.refusal import Refused
from gmtool.rulesdata.plain import read_plain
from gmtool.store import snapshot
from gmtool.store.reader import BACKUPS, CRLF, JOURNAL, Reader
from gmtool.store.trail import trail

Finding = dict[str, Any]
WHOLE_FILE = ("no-journal", "crlf")
"""What can be the matter with a journal as a whole; told once, whatever its lines hold."""


def check(path: Path) -> list[Finding]:
    """What is wrong with the campaign in this folder, journal first; empty when all is well.

    A finding is ``{"code", "file", "at", "detail"}``; ``at`` is the line. Codes: of a line the problems of
    ``unreadable`` (json, shape, sum, sequence, chain, differs, …), ``newer`` and ``pointers``; ``torn-tail``; of the
    snapshot ``snapshot-missing``, ``-damaged``, ``-edited``, ``-foreign`` (not of this journal), ``-ahead`` (of a
    line the journal has lost; ``detail`` is its last one) and ``-differs`` (not what the journal gives); of the
    second copy, looked at beside a journal that is whole, ``copy-ahead`` (likewise), ``-differs`` (of another journal)
    and ``-damaged``; of the whole journal ``no-journal`` and ``crlf``; the refusal's code when a file cannot be read
    at all.
    """
    # read first: what is written meanwhile makes the journal longer, never the others go beyond it
    snap, found = _load_snapshot(path)
    copied = _read_copy(path / BACKUPS / JOURNAL)
    try:
        with Reader(path / JOURNAL) as reader:
            return _check_files(reader, snap, found, copied)
    except Refused as refused:
        problem = str(refused.facts.get("problem", ""))
        if problem in WHOLE_FILE:
            return [_finding(problem, 0)]
        return [{"code": refused.code, "file": str(refused.facts.get("file", path)), "at": 0, "detail": problem}]


def _check_files(
    reader: Reader, snap: tuple[Tables, Head] | None, found: list[Finding], copied: bytes
) -> list[Finding]:
    walk = _Walk(reader)
    lines: list[Finding] = []
    agrees = False
    for findings in walk.lines():
        lines += findings
        if snap and walk.head == snap[1]:
            agrees = True
            if walk.tables is not None and not same(walk.tables, snap[0]):
                found.append(_finding("snapshot-differs", walk.head.seq, file=snapshot.NAME))
    if walk.head.end < reader.size or walk.more:
        lines.append(_finding("torn-tail", walk.head.seq + 1, f"{reader.size - walk.head.end}"))
    if snap and not agrees:
        ahead = snap[1].seq > walk.head.seq
        code = "snapshot-ahead" if ahead else "snapshot-foreign"
        found.append(_finding(code, snap[1].seq, str(walk.head.seq) if ahead else "", snapshot.NAME))
    if not lines:
        found += _copy(reader, copied)
    return lines + found


def _read_copy(copy: Path) -> bytes:
    try:
        return read_plain(copy)
    except OSError:
        return b""


def _copy(reader: Reader, data: bytes) -> Iterator[Finding]:
    """Whether the second copy is the beginning of a whole journal; whether it goes on where the journal has ended."""
    file = f"{BACKUPS}/{JOURNAL}"
    if reader.begins(data[: reader.size]):
        if len(data) > reader.size:
            ends = data[: reader.size].count(b"\n")
            yield _finding("copy-ahead", data.count(b"\n"), str(ends), file)
    elif trail([reader.path.parent / file]).head.end < data.rfind(b"\n") + 1:
        yield _finding("copy-damaged", 0, file=file)
    else:
        yield _finding("copy-differs", 0, file=file)


def _load_snapshot(path: Path) -> tuple[tuple[Tables, Head] | None, list[Finding]]:
    try:
        snap = snapshot.load(path / snapshot.NAME)
    except BadLine as error:
        code = {"newer": "newer", "edited": "snapshot-edited"}.get(error.why, "snapshot-damaged")
        return None, [_finding(code, 1, error.detail or error.why, snapshot.NAME)]
    except Refused as refused:
        return None, [_finding("snapshot-damaged", 0, str(refused.facts["problem"]), snapshot.NAME)]
    return snap, [] if snap else [_finding("snapshot-missing", 0, file=snapshot.NAME)]


class _Walk:
    """One pass over a journal. After its first fault a thing (state, pointers) is not followed further."""

    def __init__(self, reader: Reader) -> None:
        self._reader = reader
        self.head = journal.START
        self.tables: Tables | None = {}
        self.more = 0  # how many lines of the same write are still to come
        self._undo: list[Spot] | None = []
        self._redo: list[Spot] = []

    def lines(self) -> Iterator[list[Finding]]:
        """What is wrong with each line; the head and the tables stand after it."""
        for offset, raw in self._reader.forwards(0):
            seq = self.head.seq + 1
            line: Line = {"undo": None, "redo": None, "format": self.head.format}
            try:
                line = journal.decode(raw)
                found = [*self._place(line, seq), *self._pointers(line, seq, offset), *self._state(line, seq)]
            except BadLine as error:
                self.tables = self._undo = None
                crlf = raw.endswith(CRLF)
                found = [_finding("crlf" if crlf else error.why, seq, "" if crlf else error.detail)]
            hashed = journal.line_hash(raw)
            self.head = Head(seq, offset + len(raw), hashed, line["undo"], line["redo"], line["format"])
            self.more = line.get("more", 0)
            yield found

    def _place(self, line: Line, seq: int) -> Iterator[Finding]:
        if line["seq"] != seq:
            yield _finding("sequence", seq, str(line["seq"]))
        if line["prev"] != self.head.hash:
            yield _finding("chain", seq)

    def _pointers(self, line: Line, seq: int, offset: int) -> Iterator[Finding]:
        """The stacks are kept here as stacks, and the pointers of the line compared with their tops."""
        if self._undo is None:
            return
        beneath: Spot = line.get("under", line.get("next"))
        was_undo, was_redo = _top(self._undo), _top(self._redo)
        kind = line["kind"]
        good = beneath == {"mark": None, "undo": was_redo}.get(kind, was_undo)
        if kind == "undo" and was_undo:
            self._undo.pop()
            self._redo.append([seq, offset])
        elif kind == "redo" and was_redo:
            self._redo.pop()
            self._undo.append([seq, offset])
        elif kind == "step":
            self._undo.append([seq, offset])
            self._redo.clear()
        elif kind != "mark":
            good = False
        if not good or (line["undo"], line["redo"]) != (_top(self._undo), _top(self._redo)):
            self._undo = None
            yield _finding("pointers", seq)

    def _state(self, line: Line, seq: int) -> Iterator[Finding]:
        if self.tables is None:
            return
        try:
            apply(self.tables, line["changes"])
        except ChangeError as error:
            self.tables = None
            yield _finding(error.why, seq, error.path)


def _top(stack: list[Spot]) -> Spot:
    return stack[-1] if stack else None


def _finding(code: str, at: int, detail: str = "", file: str = JOURNAL) -> Finding:
    return {"code": code, "file": file, "at": at, "detail": detail}
