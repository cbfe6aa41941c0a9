"""What the tests of trust share: processes made by fork, lines done in them or here, and what lies on disk, looked at
without the program's help."""

import io
import json
import os
import shutil
import signal
import sys
import traceback
import warnings
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple, TextIO

import pytest

from gmtool.cli.main import run
from gmtool.store import openruling
from gmtool.store.campaign import open_campaign

needs_fork = pytest.mark.skipif(not hasattr(os, "fork"), reason="processes are made by fork here")
PLAYERS = "pilot add Ren --body 20 --agility 30 --intelligence 15 --diplomacy 15 --life 50 --spirit 30"
START = (
    "campaign new Test --system rtype", "side add Players --players", "side add Bydo", PLAYERS,
    "unit add kestrel Arrow --side Players --pilot Ren", "unit add gains --side Bydo --count 2", "battle start",
    'initiative --dice "6 6 1 1"', "first players",
)  # fmt: skip
ATTACK = "attack arrow vulcan gains-1"
CLOCK = ("started", "ended")
"""What no two runs have in common: when a session began and ended."""
UNREPORTED = {"torn-tail", "snapshot-missing"}
"""What the doctor may find after a kill; nothing of it is left once something was written."""


class Ran(NamedTuple):
    """An exit code, what was printed, as JSON, and what stood on the other stream."""

    code: int
    told: list[dict[str, Any]]
    err: str


def settings(home: Path) -> dict[str, str]:
    """The environment of a line: this home, a cache beside it, nothing personal."""
    cache = os.environ.get("GMTOOL_CACHE") or str(home.parent / "cache")
    return {"GMTOOL_HOME": str(home), "GMTOOL_CACHE": cache, "LC_ALL": "C.UTF-8", "PATH": os.environ["PATH"]}


def gm(home: Path, *argv: str, feed: str = "") -> Ran:
    """A line done in this process."""
    out, err = io.StringIO(), io.StringIO()
    code = run(["--json", *argv], stdin=io.StringIO(feed), stdout=out, stderr=err, env=settings(home))
    return Ran(code, [json.loads(line) for line in out.getvalue().splitlines()], err.getvalue())


def typed(home: Path, line: str) -> Ran:
    """A line as it stands in a script, done as a process of its own would."""
    return gm(home, "run", "--keep-going", "-", feed=line)


def made(folder: Path, lines: Sequence[str] = START) -> Path:
    """A home in which these lines have been done."""
    home = folder / "home"
    home.mkdir(parents=True)
    for line in lines:
        ran = typed(home, line)
        assert ran.code in (0, 1), (line, ran)
    return home


class Child:
    """A process made by fork that does ``work`` on a stream; what it writes there can be read here."""

    def __init__(self, work: Callable[[TextIO], object]) -> None:
        read, write = os.pipe()
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", DeprecationWarning)  # 3.12 warns of threads; those of the tests are joined
            self.pid = os.fork()
        if self.pid == 0:
            os.close(read)
            _work(work, write)
        os.close(write)
        self.out = os.fdopen(read, "rb")
        self.status: int | None = None

    def line(self) -> bytes:
        """The next line it writes; empty at its end."""
        return self.out.readline()

    def signal(self, number: int) -> None:
        """Send it a signal."""
        os.kill(self.pid, number)

    def end(self) -> tuple[int, list[bytes]]:
        """Wait for it: its exit code (or signal, below zero) and the whole lines that were still to be read."""
        rest = self.out.read()
        self.out.close()
        if self.status is None:
            self.status = os.waitstatus_to_exitcode(os.waitpid(self.pid, 0)[1])
        return self.status, rest[: rest.rfind(b"\n") + 1].splitlines()

    def kill(self) -> list[bytes]:
        """Kill it; the whole lines that were still to be read."""
        self.signal(signal.SIGKILL)
        return self.end()[1]


FAILED, GUARD = 99, 120


def _work(work: Callable[[TextIO], object], write: int) -> None:
    signal.alarm(GUARD)
    try:
        with os.fdopen(write, "w", encoding="utf-8") as out:
            try:
                work(out)
            except BaseException:
                out.write(json.dumps({"failed": traceback.format_exc()}) + "\n")
                out.flush()
                os._exit(FAILED)
        os._exit(0)
    finally:
        os._exit(FAILED)


def in_child(work: Callable[[], object]) -> None:
    """Do something in a process of its own and fail with what failed there."""
    code, told = Child(lambda out: work()).end()
    if code == FAILED:
        pytest.fail(json.loads(told[-1])["failed"] if told else "the child ended before its time")
    assert code == 0, code


def fold(journal: bytes) -> tuple[int, dict[str, Any]]:
    """The number of the last whole line and the state that the changes of all whole lines give.

    Lines written together count once the last of them is there. Written without a look at how the program does it.
    """
    tables: dict[str, Any] = {}
    seq, waiting = 0, []
    for raw in journal[: journal.rfind(b"\n") + 1].splitlines():
        line = json.loads(raw)
        waiting.append(line)
        if line.get("more"):
            continue
        for change in [change for each in waiting for change in each["changes"]]:
            table, id, *keys = change["path"].split(".")
            place: Any = tables.setdefault(table, {})
            *way, last = [id, *keys]
            for key in way:
                place = place[key]
            if "after" in change:
                place[last] = json.loads(json.dumps(change["after"]))
            else:
                del place[last]
            if not tables[table]:
                del tables[table]
        seq, waiting = line["seq"], []
    return seq, tables


def plain(value: Any) -> Any:
    """Without what the clock puts there."""
    if isinstance(value, dict):
        return {key: plain(part) for key, part in value.items() if key not in CLOCK}
    return value


class Stand(NamedTuple):
    """Where a campaign stands: its last line, its state as text, the ruling that is open, what is only tried: whether a
    what-if is on, its lines as typed, the state they come to."""

    seq: int
    state: str
    open: str
    tried: tuple[str, ...] = ()


def stand(folder: Path) -> Stand:
    """Where the campaign in this folder stands, as the program reads it; it must agree with the journal's fold."""
    campaign = open_campaign(folder, write=False)
    seq, tables = fold((folder / "journal.jsonl").read_bytes())
    assert campaign.head.seq == seq
    assert campaign.tables == tables
    branched = open_campaign(folder, write=False, branched=True)
    opened, head = openruling.load(folder), branched.head
    here = opened and (opened["step"], opened["redo"], opened["branch"]) == (head.undo, head.redo, branched.branch_id)
    asks = json.dumps(opened["asks"] if opened and here else None)
    return Stand(seq, json.dumps(plain(tables), sort_keys=True), asks, tried(folder, seq, tables))


def tried(folder: Path, seq: int, tables: dict[str, Any]) -> tuple[str, ...]:
    """What is tried behind the line of this number; as the program reads it, which must agree with the lines' fold."""
    campaign = open_campaign(folder, write=False, branched=True)
    assert campaign.head.seq - campaign.tried == seq
    if campaign.branch is None:
        assert campaign.tables == tables
        return ()
    data = (folder / "branch.jsonl").read_bytes()
    first, *rest = data[: data.rfind(b"\n") + 1].splitlines(keepends=True)
    begun = json.loads(first)
    assert begun["seq"] == seq
    # behind that a keep that was broken off may lie
    last, state = fold((folder / "journal.jsonl").read_bytes()[: begun["end"]] + b"".join(rest))
    assert (campaign.head.seq, campaign.tables) == (last, state)
    lines = [json.loads(raw)["line"] for raw in rest][: last - seq]
    return ("try", *lines, json.dumps(plain(state), sort_keys=True))


def strays(home: Path) -> set[str]:
    """Files that are there only while something is written."""
    return {path.name for path in home.rglob("*.tmp")}


def copied(home: Path, to: Path) -> Path:
    """A copy of a home."""
    shutil.copytree(home, to)
    return to


linux = pytest.mark.skipif(sys.platform != "linux", reason="made of what Linux has")
