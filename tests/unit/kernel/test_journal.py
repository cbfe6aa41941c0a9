"""The journal's lines: pointers against two plain stacks, and strictness."""

import hashlib
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gmtool.kernel import journal
from gmtool.kernel.changes import Tables, apply
from gmtool.kernel.journal import BadLine, Line


class Tape:
    """A journal in memory that seeks by the pointers, as the store does."""

    def __init__(self) -> None:
        self.head = journal.START
        self.at: dict[int, Line] = {}
        self.tables: Tables = {"units": {"a": {"n": 0}}}

    def put(self, line: Line) -> None:
        raw = journal.encode(line)
        self.at[self.head.end] = journal.decode(raw)
        apply(self.tables, line["changes"])
        self.head = journal.after(self.head, line, raw)

    @property
    def n(self) -> int:
        figure: int = self.tables["units"]["a"]["n"]
        return figure


@given(st.lists(st.sampled_from(["step", "mark", "undo", "redo"]), max_size=40))
def test_pointers_give_what_two_stacks_give(moves: list[str]) -> None:
    tape, undo, redo, fresh = Tape(), [0], list[int](), 0
    for move in moves:
        line: dict[str, Any] = {"time": "", "line": move}
        if move == "step":
            fresh += 1
            change = {"path": "units.a.n", "before": tape.n, "after": fresh}
            tape.put(journal.step(tape.head, {**line, "changes": [change]}))
            undo.append(fresh)
            redo.clear()
        elif move == "mark":
            tape.put(journal.mark(tape.head, line))
        elif move == "undo" and tape.head.undo:
            tape.put(journal.undo(tape.head, line, tape.at[tape.head.undo[1]]))
            redo.append(undo.pop())
        elif move == "redo" and tape.head.redo:
            tape.put(journal.redo(tape.head, line, tape.at[tape.head.redo[1]]))
            undo.append(redo.pop())
        assert tape.n == undo[-1]
        assert (tape.head.undo is None, tape.head.redo is None) == (len(undo) == 1, not redo)


def test_undo_redo_undo_goes_where_a_cursor_would() -> None:
    """Three steps of 1; undo, undo, redo, undo, undo, redo: 3, then 2, 1, 2, 1, 0, 1; the steps are named."""
    tape, seen, named = Tape(), list[int](), list[int]()
    for n in range(3):
        change = {"path": "units.a.n", "before": n, "after": n + 1}
        tape.put(journal.step(tape.head, {"time": "", "changes": [change]}))
    for kind in ("undo", "undo", "redo", "undo", "undo", "redo"):
        spot = tape.head.undo if kind == "undo" else tape.head.redo
        assert spot
        line = getattr(journal, kind)(tape.head, {"time": ""}, tape.at[spot[1]])
        tape.put(line)
        seen.append(tape.n)
        named.append(journal.original(line))
    assert seen == [2, 1, 2, 1, 0, 1]
    assert named == [3, 2, 2, 2, 1, 1]


def test_a_line_has_its_fields_in_one_order_and_strangers_behind() -> None:
    line = journal.step(journal.START, {"zebra": 1, "changes": [], "line": "x", "time": "t"})
    assert list(line) == [
        "format", "seq", "time", "kind", "who", "line", "changes", "prev", "undo", "redo", "under", "zebra",
    ]  # fmt: skip
    assert (line["seq"], line["prev"], line["undo"], line["under"]) == (1, "", [1, 0], None)


def test_a_line_is_one_line_of_utf_8() -> None:
    raw = journal.encode({"line": "名前\n2\u2028"})
    body = '{"line":"名前\\n2\u2028"'.encode()
    assert raw == body + b',"sum":"' + hashlib.blake2b(body, digest_size=8).hexdigest().encode() + b'"}\n'


GOOD = b'{"format":1,"seq":1,"time":"","kind":"mark","changes":[],"prev":"","undo":null,"redo":null}\n'


@pytest.mark.parametrize(
    ("raw", "why"),
    [
        (b"\xef\xbb\xbf" + GOOD, "bom"),
        (GOOD[:-1] + b"\r\n", "json"),
        (GOOD.replace(b'"time":""', b'"time":"\xff"'), "encoding"),
        (GOOD[:-9] + b"\n", "json"),
        (GOOD.replace(b"[]", b"[NaN]"), "number"),
        (GOOD.replace(b"[]", b"[1e400]"), "number"),
        (GOOD.replace(b"[]", b"[-Infinity]"), "number"),
        (GOOD.replace(b"[]", b"[2.5]"), "number"),
        (GOOD.replace(b'"seq":1', b'"seq":1,"seq":2'), "duplicate-key"),
        (GOOD.replace(b'"changes":[]', b'"changes":[{"path":"a.b","path":"a.c"}]'), "duplicate-key"),
        (GOOD.replace(b'"format":1', b'"format":99'), "newer"),
        (GOOD.replace(b'"format":1', b'"format":"1"'), "shape"),
        (GOOD.replace(b'"format":1,', b""), "shape"),
        (GOOD.replace(b'"mark"', b'"marc"'), "shape"),
        (GOOD.replace(b'"mark"', b'"step"'), "shape"),
        (GOOD.replace(b'"seq":1', b'"seq":true'), "shape"),
        (GOOD.replace(b'"undo":null', b'"undo":[1]'), "shape"),
        (GOOD.replace(b"[]", b"[{}]"), "shape"),
        (GOOD.replace(b"[]", b'[],"more":"1"'), "shape"),
        (b"null\n", "shape"),
        (b"[1,2]\n", "shape"),
        (b"\n", "json"),
        (b"[" * 100_000 + b"\n", "json"),
        (b"9" * 5_000 + b"\n", "json"),
    ],
)
def test_what_is_no_line_is_refused(raw: bytes, why: str) -> None:
    with pytest.raises(BadLine) as caught:
        journal.decode(raw)
    assert caught.value.why == why
    assert journal.decode(GOOD)["seq"] == 1


@pytest.mark.parametrize("value", [{1, 2}, object(), float("nan"), float("inf"), "\ud800"])
def test_what_json_cannot_hold_is_never_written(value: Any) -> None:
    with pytest.raises((TypeError, ValueError)):
        journal.encode({"line": value})


def test_a_document_may_begin_with_a_byte_order_mark() -> None:
    assert journal.parse_json(b'\xef\xbb\xbf{"a":1}') == {"a": 1}
