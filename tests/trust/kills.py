"""Campaigns whose program is killed again and again while it works: how they are played, killed and looked at.

A *life* is a script of commands. A twin does it from end to end without a kill and says where the campaign stands
after each command. The life itself is done by processes that are killed at a moment of chance; each goes on where the
campaign stands. What is on disk after a kill must be what the twin had after the last command that was reported, or
after the one behind it.
"""

import io
import os
import random
import shlex
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple, TextIO

from gmtool.cli.main import run
from gmtool.store import doctor
from tests.trust.hands import ATTACK, UNREPORTED, Child, Stand, copied, gm, settings, stand, strays

PIECE, PAUSE = 900, 0.0002
LIVES = 4
MOMENTS = (
    "before or between the writes",
    "line torn",
    "line there, not reported",
    "question there, not reported",
    "while the snapshot was written",
    "while the question was written",
    "while what is tried was written",
    "tried line there, not reported",
)


def script(chance: random.Random, length: int = 40) -> list[str]:
    """Commands that make the state grow and shrink; some are refused, always the same ones."""
    lines = [*_grow(chance), *_grow(chance), *_figure(chance)]
    while len(lines) < length:
        lines += chance.choice(MOVES)(chance)
    return lines[:length]


def _grow(chance: random.Random) -> list[str]:
    return [f"unit add gains --side Bydo --count {chance.choice((1, 4, 20))}"]


def _shrink(chance: random.Random) -> list[str]:
    return [f"undo {chance.randint(1, 5)}", *chance.choice(([], ["redo 1"], ["redo 3"]))]


def _note(chance: random.Random) -> list[str]:
    return [f"note {chance.choice(('The Gains hold the bridge. ', '敵は橋を守る。')) * chance.randint(1, 60)}"]


def _session(chance: random.Random) -> list[str]:
    return [chance.choice(("session start Evening", "session end"))]


def _setting(chance: random.Random) -> list[str]:
    return [chance.choice(("config lang ja", "config lang en", f"campaign rename test Name-{chance.randint(1, 9)}"))]


def _figure(chance: random.Random) -> list[str]:
    return [f"set units.arrow.fuel {chance.randint(0, 40)}", f"set units.gains-1.hp.A {chance.randint(0, 99)}"]


def _question(chance: random.Random) -> list[str]:
    """Asked, interrupted by a note and by what is refused meanwhile, answered in parts or given up."""
    begun = [f"{ATTACK} --force", chance.choice(("note meanwhile", "undo", "status"))]
    answers = ['answer "92 15 07 99 61"', "answer 33 60 88 55"]  # 29, 15, 07, 16 hit
    return begun + chance.choice((answers, [*answers[:1], "answer --drop"], ["answer --drop"]))


def _what_if(chance: random.Random) -> list[str]:
    """Begun, played on in with a line that is refused there, kept or dropped."""
    played = [*_figure(chance), f"try set units.arrow.fuel {chance.randint(0, 40)}", *chance.choice(MOVES)(chance)]
    return ["try", *played, *chance.choice((["undo", "session end"], [])), chance.choice(("keep", "drop"))]


MOVES = (
    _grow, _grow, _grow, _shrink, _shrink, _note, _session, _setting, _figure, _figure, _question, _question, _what_if,
    _what_if, _what_if,
)  # fmt: skip


def twin(home: Path, lines: Sequence[str]) -> list[Stand]:
    """Where the campaign stands at first and after each command, when nothing is killed."""
    stands = [stand(home / "test")]
    for line in lines:
        gm(home, *shlex.split(line))
        stands.append(stand(home / "test"))
    return stands


def one_by_one(home: Path, lines: Sequence[str], out: TextIO) -> None:
    """Each command as a program of its own, with the snapshot brought up to date each time."""
    for line in lines:
        run(["--json", *shlex.split(line)], stdin=io.StringIO(), stdout=out, stderr=io.StringIO(), env=settings(home))


def as_script(home: Path, lines: Sequence[str], out: TextIO) -> None:
    """All of them in one program."""
    _fed(home, ["--json", "run", "--keep-going", "-"], lines, out)


def in_shell(home: Path, lines: Sequence[str], out: TextIO) -> None:
    """All of them typed into the shell."""
    _fed(home, ["--json", "table"], lines, out)


def _fed(home: Path, argv: list[str], lines: Sequence[str], out: TextIO) -> None:
    given = io.StringIO("\n".join(lines) + "\n")
    run(argv, stdin=given, stdout=out, stderr=io.StringIO(), env=settings(home))


WAYS = (one_by_one, as_script, in_shell)


@contextmanager
def slow_disk() -> Iterator[None]:
    """A disk that takes what it is given in small pieces, one after the other, as it may."""
    real = os.write

    def piece(handle: int, data: Any) -> int:
        time.sleep(PAUSE)
        return real(handle, bytes(data[:PIECE]))

    os.write = piece
    try:
        yield
    finally:
        os.write = real


class Kill(NamedTuple):
    """One kill: the moment it came at, and what was found to be wrong."""

    moment: str
    lost: str = ""
    shut: str = ""


class Life:
    """A campaign played by processes that are killed; :meth:`kill` is one of them."""

    def __init__(self, home: Path, lines: Sequence[str], stands: Sequence[Stand], seed: int) -> None:
        self.home, self.folder, self.lines, self.stands = home, home / "test", lines, stands
        self.seed = seed
        self.chance = random.Random(seed)
        self.done = 0  # commands of the script

    @property
    def over(self) -> bool:
        """Whether the script has come to its end."""
        return self.done >= len(self.lines)

    def kill(self) -> Kill | None:
        """Go on with the script in a new process and kill it; None when it had ended before."""
        way, slow = self.chance.choice(WAYS), self.chance.random() < 0.5
        rest, before = self.lines[self.done :], (self.folder / "journal.jsonl").read_bytes()

        def work(out: TextIO) -> None:
            with slow_disk() if slow else contextmanager(lambda: iter([None]))():
                way(self.home, rest, out)

        child = Child(work)
        seen = [line for line in (child.line() for _ in range(self.chance.randrange(5))) if line]
        time.sleep(self.chance.random() * (0.06 if slow else 0.02))
        seen += child.kill()
        reported = len(seen)
        if child.status == 0:
            assert reported == len(rest), (self.seed, seen[-1:])
            self.done = len(self.lines)
            return None
        return self._looked_at(before, reported)

    def _looked_at(self, before: bytes, reported: int) -> Kill:
        old, new = (self.stands[min(self.done + reported + more, len(self.lines))] for more in (0, 1))
        moment = MOMENTS[0]
        try:
            moment = _moment(self.folder, old)
            now = stand(self.folder)
            assert (self.folder / "journal.jsonl").read_bytes()[: len(_whole(before))] == _whole(before)
        except Exception as error:
            return Kill(moment, shut=f"seed {self.seed}, command {self.done + reported}: {error!r}")
        if now not in (old, new):
            return Kill(moment, lost=f"seed {self.seed}, command {self.done + reported}: at {now.seq}, not {old.seq}")
        self.done += reported + (now != old)
        try:
            return Kill(moment, shut=self._goes_on())
        except Exception as error:
            return Kill(moment, shut=f"seed {self.seed}, command {self.done}: {error!r}")

    def _goes_on(self) -> str:
        """What is wrong with the next command, or with the campaign after it; empty when nothing is.

        What was written behind a kill tidies up what the kill has left; only a question is tidied by the next question.
        """
        wrote = False  # on the real line
        if not self.over:
            line = self.lines[self.done]
            ran = gm(self.home, *shlex.split(line))
            self.done += 1
            wrote = "seq" in ran.told[-1] and "branch" not in ran.told[-1]
            if ran.code > 2 or stand(self.folder) != self.stands[self.done]:
                return f"seed {self.seed}: {line}: {ran}"
        left = {found["code"] for found in doctor.check(self.folder)} | strays(self.home) - {
            "open.json.tmp",
            "branch.jsonl.tmp",
        }
        allowed = set[str]() if wrote else UNREPORTED | {"campaign.json.tmp"}
        return f"seed {self.seed}: left {left}" if left - allowed else ""


def _whole(journal: bytes) -> bytes:
    return journal[: journal.rfind(b"\n") + 1]


def _moment(folder: Path, old: Stand) -> str:
    """Which moment the kill came at, by what lies there."""
    journal = (folder / "journal.jsonl").read_bytes()
    if not journal.endswith(b"\n") or b'"more":' in journal.splitlines()[-1]:
        return "line torn"
    for name, moment in (("campaign", "while the snapshot was written"), ("open", "while the question was written")):
        if (folder / f"{name}.json.tmp").exists():
            return moment
    what_if = folder / "branch.jsonl"
    if (folder / "branch.jsonl.tmp").exists() or (what_if.exists() and not what_if.read_bytes().endswith(b"\n")):
        return "while what is tried was written"
    now = stand(folder)
    if now.tried != old.tried:
        return "tried line there, not reported"
    if now == old:
        return "before or between the writes"
    return "line there, not reported" if now.seq > old.seq else "question there, not reported"


def lives(base: Path, folder: Path, kills: int, first_seed: int = 1) -> Iterator[Kill]:
    """So many kills, each life with a seed of its own."""
    count = 0
    for life in _lives(base, folder, first_seed):
        while not life.over:
            kill = life.kill()
            if kill is not None:
                count += 1
                yield kill
                if count == kills:
                    return
                if kill.lost or kill.shut:
                    break


def _lives(base: Path, folder: Path, seed: int) -> Iterator[Life]:
    """Lives without end, several of each script."""
    while True:
        lines = script(random.Random(seed))
        stands = twin(copied(base, folder / f"twin-{seed}" / "home"), lines)
        for number in range(seed, seed + LIVES):
            yield Life(copied(base, folder / f"life-{number}" / "home"), lines, stands, number)
        seed += LIVES


def table(found: Sequence[Kill]) -> Iterator[str]:
    """The lines of a table: kills by moment, and what came of them."""
    by_moment = Counter(kill.moment for kill in found)
    yield f"{'kills':44}{len(found):7,}"
    for moment in MOMENTS:
        yield f"  {moment:42}{by_moment[moment]:7,}"
    yield f"{'reported commands that were lost':44}{sum(bool(kill.lost) for kill in found):7,}   must be 0"
    yield f"{'campaigns that did not open and go on':44}{sum(bool(kill.shut) for kill in found):7,}   must be 0"
    for kill in found:
        if kill.lost or kill.shut:
            yield f"  {kill.lost}{kill.shut}"
