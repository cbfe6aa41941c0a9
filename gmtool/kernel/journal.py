"""The journal, without the file: what a line holds and how each line points at the steps an undo and a redo take.

A *spot* is ``[seq, offset]``: a line's number (1, 2, 3, …: also its line in the file) and the byte it begins at, not
counting a byte order mark. Every line carries, as they are after it,

- ``undo``: the step (or redo) line an undo here would take back, and
- ``redo``: the undo line a redo here would take back;

and what lies beneath: ``under`` on steps and redos (the undo spot as it was before), ``next`` on undos (the redo spot
as it was before). So both stacks can be walked by seeking, whatever the age of the campaign. A mark (note, roll,
setting, session) is never undone: it copies both spots. ``prev`` is the hash of the line before, newline included.
Of lines written together each but the last says in ``more`` how many are to follow: they count only together.
Lines that were tried first and then kept name the what-if they come from in ``branch``; ``fresh`` is set where the
tool was told to throw anew.

A step may stand in place of the step before it (a ruling judged again): ``amends`` is then ``{"seq", "taken_back"}``,
that step's number, and how many of the first changes take back what it had changed.

A line ends in ``sum``, a checksum of all its bytes before: ``prev`` can only tell what became of a line that has one
behind it. Each line says its own ``format``, so a journal begun in an older one goes on in this one, unchanged up to
there. Format 1 had no ``sum``; nothing else differs.
"""

import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from hashlib import blake2b
from typing import Any, NamedTuple

from gmtool.kernel.changes import Change, reverse

FORMAT = 2
SUMMED = 2
"""The first format whose lines carry a checksum."""
KINDS = ("step", "mark", "undo", "redo")
NESTING = 40
"""So deep lists and objects may lie in each other; ours come to ten. What is deeper would break whatever reads it."""
BOM = b"\xef\xbb\xbf"

Line = dict[str, Any]
Spot = list[int] | None

_ORDER = (
    "format", "seq", "time", "kind", "who", "line", "command", "system", "said", "answers", "trace", "names", "result",
    "rules", "overruled", "because", "fresh", "amends", "changes", "undoes", "redoes", "kept", "prev", "undo", "redo",
    "under", "next",
)  # fmt: skip
_PLACED = frozenset(_ORDER)
SPOTS = ("undo", "redo", "under", "next")
"""The fields of a line that hold a spot."""


class Head(NamedTuple):
    """Where a journal stands: the last line's number, the offset after it, its hash, the two spots, its format."""

    seq: int
    end: int
    hash: str
    undo: Spot
    redo: Spot
    format: int = FORMAT


START = Head(0, 0, "", None, None)


class BadLine(Exception):
    """Bytes that are no journal line (or no JSON we accept).

    ``why``: ``bom``, ``encoding``, ``json``, ``number`` (a fraction, NaN, infinity), ``duplicate-key``, ``shape``,
    ``sum`` (its bytes are not those that were written), ``newer``; ``detail`` is the offending key, value or format
    number.
    """

    def __init__(self, why: str, detail: str = "") -> None:
        super().__init__(f"{why} {detail}".strip())
        self.why = why
        self.detail = detail


def step(head: Head, line: Line) -> Line:
    """The line as the next step: the one an undo takes back first; what could be redone is given up."""
    return _placed(head, {**line, "kind": "step"}, [head.seq + 1, head.end], None, under=head.undo)


def mark(head: Head, line: Line) -> Line:
    """The line as the next mark: no step, and both stacks stay as they are."""
    return _placed(head, {**line, "kind": "mark"}, head.undo, head.redo)


def undo(head: Head, line: Line, target: Line) -> Line:
    """The line that takes back ``target``, the step or redo at ``head.undo``.

    Its changes are the target's, backwards, unless ``line`` brings its own (see :func:`changes.fitting`).
    """
    own = {"changes": reverse(target["changes"]), **line, "kind": "undo", "undoes": original(target)}
    return _placed(head, own, target["under"], [head.seq + 1, head.end], next=head.redo)


def redo(head: Head, line: Line, target: Line) -> Line:
    """The line that does again what ``target``, the undo at ``head.redo``, took back."""
    own = {"changes": reverse(target["changes"]), **line, "kind": "redo", "redoes": original(target)}
    return _placed(head, own, [head.seq + 1, head.end], target["next"], under=head.undo)


def moved(lines: Sequence[tuple[int, Line]], head: Head, **fields: Any) -> tuple[Head, list[Line], bytes]:
    """Lines that were written elsewhere behind this very head, each with its offset there, as they stand here.

    They are written together. Numbers stay; hashes and the offsets in their spots become those of this place, and the
    ``fields`` are added to each. The head behind them, the lines, their bytes.
    """
    places: dict[int, int] = {}
    found, data = list[Line](), b""
    for left, (offset, line) in zip(range(len(lines) - 1, -1, -1), lines, strict=True):
        places[offset] = head.end
        spots = {name: _there(line[name], places) for name in SPOTS if name in line}
        line = {**line, "prev": head.hash, **spots, **fields}
        line.pop("more", None)
        found.append({**line, "more": left} if left else line)
        raw = encode(found[-1])
        head, data = after(head, line, raw), data + raw
    return head, found, data


def _there(spot: Spot, places: Mapping[int, int]) -> Spot:
    return spot and [spot[0], places.get(spot[1], spot[1])]


def original(line: Line) -> int:
    """The number of the step that a step, undo or redo line is about."""
    seq: int = line.get("undoes") or line.get("redoes") or line["seq"]
    return seq


def own_changes(line: Mapping[str, Any]) -> list[Change]:
    """What the ruling of a line changes: all its changes but those that take back the ruling it stands in place of."""
    changes: list[Change] = line.get("changes") or []
    return changes[(line.get("amends") or {}).get("taken_back", 0) :]


def after(head: Head, line: Line, raw: bytes) -> Head:
    """Where the journal stands after this line, written as these bytes."""
    return Head(head.seq + 1, head.end + len(raw), line_hash(raw), line["undo"], line["redo"], line["format"])


def line_hash(raw: bytes) -> str:
    """The hash the next line names in ``prev``: of the line's bytes, newline included."""
    return blake2b(raw, digest_size=16).hexdigest()


def encode(line: Line) -> bytes:
    """The line as bytes, newline included. ValueError for what JSON or UTF-8 cannot hold, TypeError for objects."""
    text = json.dumps(line, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    body = text.encode("utf-8")[:-1]
    return b'%b,"sum":"%b"}\n' % (body, checksum(body))


def checksum(body: bytes) -> bytes:
    """The checksum of a line, of its bytes up to there."""
    return blake2b(body, digest_size=8).hexdigest().encode("ascii")


def decode(raw: bytes) -> Line:
    """The line these bytes hold. Raises BadLine; a byte order mark at the start of the file is the reader's to skip."""
    if raw.startswith(BOM):
        raise BadLine("bom")
    if raw.endswith(b"\r\n"):
        raise BadLine("json", "\\r")
    line = parse_json(raw)
    if type(line) is not dict:
        raise BadLine("shape", "line")
    check_format(line)
    _check_shape(line)
    if line.pop("sum", None) is not None or line["format"] >= SUMMED:
        check_sum(raw)
    return line


def check_sum(raw: bytes) -> None:
    """Whether a line's bytes are those that were written; BadLine ``sum``."""
    body, _, rest = raw.rpartition(b',"sum":"')
    if rest.rstrip(b"\n") != checksum(body) + b'"}':
        raise BadLine("sum")


def parse_json(raw: bytes) -> Any:
    """Strict JSON from UTF-8, a byte order mark in front or not. Raises BadLine.

    No key twice, no NaN or infinity, no fractions, which no state holds, and nothing nested too deeply.
    """
    try:
        value = _DECODER.decode(raw.removeprefix(BOM).decode("utf-8"))
    except UnicodeDecodeError as error:
        raise BadLine("encoding", f"0x{raw[error.start]:02x}") from error
    except (ValueError, RecursionError) as error:
        raise BadLine("json") from error
    if raw.count(b"[") + raw.count(b"{") > NESTING and nested(value):
        raise BadLine("json")
    return value


def check_format(document: Mapping[str, Any]) -> None:
    """Every document of ours has a whole ``format``; BadLine ``newer`` when it is not one we know yet."""
    number = document.get("format")
    if type(number) is not int or number < 1:
        raise BadLine("shape", "format")
    if number > FORMAT:
        raise BadLine("newer", str(number))


def _placed(head: Head, line: Line, undo: Spot, redo: Spot, **beneath: Spot) -> Line:
    full = {
        "who": None, "line": "", "changes": [], **line, "format": FORMAT, "seq": head.seq + 1, "prev": head.hash,
        "undo": undo, "redo": redo, **beneath,
    }  # fmt: skip
    ordered = {key: full[key] for key in _ORDER if key in full}
    ordered.update((key, value) for key, value in full.items() if key not in _PLACED)
    return ordered


def _check_shape(line: Line) -> None:
    kind = line.get("kind")
    if kind not in KINDS:
        raise BadLine("shape", "kind")
    for key, wanted in (("seq", int), ("time", str), ("prev", str), ("changes", list)):
        if type(line.get(key)) is not wanted:
            raise BadLine("shape", key)
    if type(line.get("more", 0)) is not int:
        raise BadLine("shape", "more")
    for change in line["changes"]:
        if type(change) is not dict or type(change.get("path")) is not str:
            raise BadLine("shape", "changes")
    _check_amends(line)
    _check_spots(line, kind)
    _check_told(line)


def _check_amends(line: Line) -> None:
    amends = line.get("amends", {"seq": 0, "taken_back": 0})
    good = type(amends) is dict and all(type(amends.get(key)) is int for key in ("seq", "taken_back"))
    if not good or not 0 <= amends["taken_back"] <= len(line["changes"]):
        raise BadLine("shape", "amends")
    said = line.get("said", {})
    if type(said) is not dict or any(type(value) is not str for value in said.values()):
        raise BadLine("shape", "said")


def _check_told(line: Line) -> None:
    """What is shown of a line is of its kind, as far as showing it depends on that."""
    for key, wanted in (("answers", list), ("trace", list), ("names", dict), ("where", dict)):
        if line.get(key) is not None and type(line[key]) is not wanted:
            raise BadLine("shape", key)
    for key in ("answers", "trace"):
        if any(type(entry) is not dict for entry in line.get(key) or ()):
            raise BadLine("shape", key)
    if any(type(die.get("faces")) is not list for die in line.get("answers") or ()):
        raise BadLine("shape", "answers")
    if type((line.get("where") or {}).get("facts", {})) is not dict:
        raise BadLine("shape", "where")


def _check_spots(line: Line, kind: str) -> None:
    beneath = {"step": ("under",), "redo": ("under",), "undo": ("next",), "mark": ()}[kind]
    for key in ("undo", "redo", *beneath):
        spot = line.get(key, ())
        if spot is not None and not (type(spot) is list and [type(part) for part in spot] == [int, int]):
            raise BadLine("shape", key)


def _no_number(text: str) -> Any:
    raise BadLine("number", text[:40])


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        counts = Counter(key for key, _ in pairs)
        raise BadLine("duplicate-key", next(key for key, count in counts.items() if count > 1)[:40])
    return found


def nested(value: Any, limit: int = NESTING) -> bool:
    """Whether lists and objects lie in each other deeper than this; found level by level, without going deep itself."""
    level = [value]
    for _ in range(limit):
        level = [part for each in level for part in _parts(each)]
        if not level:
            return False
    return True


def _parts(value: Any) -> Iterable[Any]:
    if isinstance(value, dict):
        return value.values()
    return value if isinstance(value, list) else ()


_DECODER = json.JSONDecoder(object_pairs_hook=_unique, parse_float=_no_number, parse_constant=_no_number)
