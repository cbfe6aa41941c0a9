"""One course: a campaign of a game, lines typed into it, and all that must hold after each and at the end."""

import io
import json
import os
import random
import re
import shutil
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache
from itertools import zip_longest
from pathlib import Path
from typing import Any, NamedTuple
from unittest.mock import patch

from gmtool.cli import main
from gmtool.cli.codes import CODES
from gmtool.cli.dispatch import execute
from gmtool.cli.reader import read_line
from gmtool.cli.verbs import COMMON
from gmtool.kernel.refusal import Refused
from gmtool.referee.desk import Desk, Registry
from gmtool.store.campaign import open_campaign
from tests.courses.checks import (
    PASSING,
    Fault,
    as_text,
    files,
    folded,
    held,
    of_marks,
    snapshot,
    sound,
    without,
    written,
)
from tests.courses.chooser import Chooser
from tests.courses.ways import GAMES, SLUG, Lines, Reply, answers, by_calls, by_shell
from tests.test_rulebook import CASES

WAYS = ("shell", "calls")
MARKS = ("note", "roll", "config", "session start", "session end")
STEPS = ("set", "amend", "reroll", "answer")
UNFILLED = re.compile(r"\{[a-z_]+\}")
"""A place in a sentence for a fact that nobody gave it."""
WHOLE = 15
"""After so many lines everything is looked at, not only what the line has changed."""


class Opening(NamedTuple):
    """How a course may begin: as a case of the rulebook does, with its sheets."""

    sheets: tuple[str, ...]
    lines: tuple[str, ...]


@cache
def openings(game: str) -> dict[str, Opening]:
    """The cases of a game's rulebook, if it has one: by them a course comes to where every rule can be met."""
    return {
        case.id: Opening(case.sheets, (*(line for part in case.given for line in part), case.when))
        for case in CASES
        if case.game == game and "then" in case.end
    }


@dataclass
class Played:
    """How a course went: its lines, what became of them, and what did not hold."""

    game: str
    way: str
    seed: int
    opening: str = ""
    lines: list[str] = field(default_factory=list)
    ends: Counter[str] = field(default_factory=Counter)
    done: Counter[str] = field(default_factory=Counter)
    fault: str = ""

    def script(self) -> str:
        """The course as it can be played again."""
        head = f"# {self.game} {self.way} {self.seed} {self.opening}"
        return "\n".join([head, *self.lines, f"# {self.fault}"])


class Course:
    """A campaign that is being played; ``lines`` are typed one after the other, whether by chance or from a list."""

    def __init__(self, game: str, way: str, seed: int, folder: Path, opening: str | None = None) -> None:
        self.played = Played(game, way, seed, opening or "")
        self.home, self.folder = folder, folder / SLUG
        self.chance = random.Random(f"{game} {way} {seed}")
        self.parts = random.Random(seed)
        self.registry = Registry(GAMES)
        width = self.chance.choice(("40", "80", "120"))
        self.env = {**os.environ, "GMTOOL_HOME": str(folder), "LC_ALL": "C.UTF-8", "COLUMNS": width}
        self.face: Any = None
        # by chance: with the seed's own parity a verb whose turn it is would always come to the same
        self.dice = self.parts.choice(("ask", "auto"))
        self.odds: tuple[str, Reply] = "", {}
        cases = openings(game)
        if opening is None and cases and self.chance.random() < 0.97:
            self.played.opening = self.chance.choice(self.fit(cases))
        self.opening = cases.get(self.played.opening)

    def fit(self, cases: Mapping[str, Opening]) -> list[str]:
        """The cases that a course may begin as: those that end with the verb whose turn it is, where there are any."""
        verbs = [*self.registry.system(self.played.game).verbs]
        verb = verbs[self.played.seed % len(verbs)]
        return [id for id, case in cases.items() if case.lines[-1].startswith(verb)] or [*cases]

    def play(self, typed: Iterable[str] | int) -> Played:
        """Type so many lines by chance, or these; what does not hold ends the course and is in ``fault``."""
        try:
            self.made()
            self.desk = Desk(open_campaign(self.folder, write=False), self.registry)
            lines = self.course(typed)
            by_shell(self, lines) if self.played.way == "shell" else by_calls(self, lines)
            self.closed()
        except Fault as fault:
            self.played.fault = str(fault)
        finally:
            shutil.rmtree(self.home, ignore_errors=True)
        return self.played

    def made(self) -> None:
        """A new campaign whose dice can be thrown again."""
        game, seed = self.played.game, self.played.seed
        new = ["campaign", "new", SLUG, "--system", game, "--seed", str(seed), "--dice-mode", self.dice]
        code, _ = self.called(new)
        held(code == 0, "the campaign is made")
        if self.opening:
            (self.folder / "rules").mkdir()
            for n, sheets in enumerate(self.opening.sheets):
                (self.folder / "rules" / f"{n}.toml").write_text(f"format = 1\n{sheets}", encoding="utf-8")
        self.start = folded(written(self.folder))

    def called(self, argv: list[str]) -> tuple[int, list[Reply]]:
        """One call of the command line: its exit code, and what it answered as JSON."""
        out, err = io.StringIO(), io.StringIO()
        code = main.run([*argv, "--json"], stdin=io.StringIO(), stdout=out, stderr=err, env=self.env, packages=GAMES)
        held(not err.getvalue(), "something stands on the error stream", argv, err.getvalue())
        return code, answers(out.getvalue())

    def course(self, typed: Iterable[str] | int) -> Lines:
        """Lines with what must hold after each; at the end everything is taken back, and done again."""
        if isinstance(typed, int):
            for line in self.opening.lines if self.opening else ():
                yield from self.one(lambda line=line: line)  # type: ignore[misc]
            chooser = Chooser(self.desk, self.chance)
            for _ in range(typed):
                yield from self.one(chooser.line)
        else:
            for line in typed:
                yield from self.one(lambda line=line: line)  # type: ignore[misc]
        self.whole()
        typed = len(self.played.lines)
        try:
            yield from self.back_and_forth()
        finally:
            del self.played.lines[typed:]

    def one(self, line_of: Callable[[], str]) -> Lines:
        """One line, and what it has done to the files."""
        self.seen()
        line = line_of()
        self.played.lines.append(line)
        before, seq = files(self.folder), self.desk.campaign.head.seq
        due = {row.command for row in self.desk.state.table("due").values()}
        reply = yield line
        after = files(self.folder)
        try:
            self.holds(line, reply, before, after)
            understood = reply["ok"] or reply["error"]["code"] not in ("usage", "unknown-name", "ambiguous-name")
            held(line not in due or understood, "what is due is settled by its line", reply.get("error"))
        except Fault as fault:
            raise Fault(f"{line!r}: {fault}") from None
        self.seen()
        held(self.desk.campaign.head.seq >= seq, "the journal grows", line)

    def seen(self) -> None:
        """Somebody who only looks takes in what was written."""
        self.desk.campaign.refresh()
        self.desk.campaign.notices.clear()

    def holds(self, line: str, reply: Reply, before: Mapping[str, bytes], after: Mapping[str, bytes]) -> None:
        """What must hold of any line: refused ones change nothing, done ones write what they should."""
        asked = not reply["ok"] and reply["error"]["code"] == "needs-answer" and not line.startswith("odds ")
        end = "done" if reply["ok"] else "open" if asked else "refused"  # odds that need a word keep nothing
        self.played.ends[end] += 1
        verb = self.verb_of(line)
        texts = [reply.get("text", ""), *(reply["error"][key] for key in ("message", "hint") if not reply["ok"])]
        held(not any(unworded(text) for text in texts), "a sentence is missing", texts)
        new = added(before, after)
        if not reply["ok"]:
            check_refused(reply)
            held(without_open(before) == without_open(after), "a line that is not done changes nothing", reply["error"])
            held(end == "open" or before == after, "a refused line leaves an open ruling alone", reply["error"])
            held(end == "refused" or "open.json" in after, "an open ruling is kept", reply)
            return
        self.played.done[verb] += 1
        waits = "open.json" in before and new and new[0]["kind"] != "mark" and verb not in ("answer", "reroll")
        held(not waits, "an open ruling is settled before anything else changes", verb)
        known = all(self.verb_of(due["command"]) for due in reply.get("due", ()))
        held(known, "what is due says a line that settles it", reply.get("due"))
        held(self.expected(verb, line, reply, new), "a done line writes what it should", verb, [n["kind"] for n in new])
        self.as_foretold(line, verb, reply)
        if new:
            held(reply["seq"] == new[-1]["seq"], "a line has the number it says", reply["seq"])
            self.whole() if self.desk.campaign.head.seq // WHOLE != new[-1]["seq"] // WHOLE else self.light()
        else:
            kept = [name for name in before.keys() | after.keys() if before.get(name) != after.get(name)]
            held(set(kept) <= ({"open.json"} if verb == "answer" else set()), "a line that shows changes nothing", kept)

    def as_foretold(self, line: str, verb: str, reply: Reply) -> None:
        """Chances are chances; what a line comes to is one of the things that its odds held possible."""
        if verb == "odds":
            self.odds = line.partition("odds ")[2], reply["result"]
            held(all(map(are_chances, reply["result"].values())), "chances come to 1 at most", reply["result"])
        elif line == self.odds[0]:
            chances = self.odds[1]
            for key, value in reply["result"].items():
                fits = key in chances and possible(chances[key], value)
                held(fits, "odds hold possible what happens", key, value, chances)
        if verb != "odds":
            self.odds = "", {}

    def verb_of(self, line: str) -> str:
        """The verb a line begins with, written out; empty for what is none."""
        try:
            read = read_line(line)
        except Refused:  # quotes that do not end
            return ""
        if read.prefix or read.globals.help or read.words[:1] == ("help",):
            return "odds" if read.prefix else "help"
        system = self.desk.system
        for n in (2, 1):
            verb = " ".join(word.lower() for word in read.words[:n])
            if verb in {**COMMON, **system.verbs, **system.looks}:
                return verb
        return ""

    def expected(self, verb: str, line: str, reply: Reply, new: list[Reply]) -> bool:
        """Whether a done line has written one step, one mark, as many undos as it says, or nothing where it shows."""
        kinds = [each["kind"] for each in new]
        if verb in ("undo", "redo") and "--preview" not in line:
            return kinds == [verb] * len(reply["result"][f"{verb}ne" if verb == "undo" else "redone"])
        if verb in self.desk.system.verbs or verb in STEPS:
            nothing = (verb == "set" and not reply["changes"]) or (verb == "answer" and "dropped" in reply["result"])
            return kinds == ([] if nothing else ["step"]) and (nothing or reply["changes"] == new[0]["changes"])
        if verb in MARKS:
            shows = verb == "config" and not reply.get("changes")
            return kinds == ([] if shows else ["mark"])
        return kinds == []

    def light(self) -> None:
        """The state in memory is sound, and the same for somebody who looks."""
        self.seen()
        tables = self.desk.campaign.tables
        if self.face is not None:
            (desk,) = self.face.desks.values()
            held(desk.campaign.tables == tables, "two who look see one state")
        sound(tables, self.played.game)

    def whole(self) -> None:
        """The journal's lines, folded from nothing, are the state in memory, on disk, and for a second process."""
        self.light()
        tables, lines = folded(written(self.folder)), written(self.folder)
        held(as_text(tables) == as_text(self.desk.campaign.tables), "the state in memory is the fold of the journal")
        seq, shot = snapshot(self.folder)
        held(as_text(shot) == as_text(folded(lines[:seq])), "the snapshot is the fold of the journal")
        held(self.played.way == "shell" or seq == len(lines), "the snapshot stands at the last line", seq)
        (fresh,) = self.called(["status"])[1]
        again = self.shown("status --json")
        held(fresh["ok"] and fresh == again, "a second process shows the same", other_than(fresh, again))

    def shown(self, line: str) -> Reply:
        """What a line shows to somebody who has had the campaign open all the time."""
        out = io.StringIO()
        face = main.make_face(io.StringIO(), out, io.StringIO(), self.env, GAMES)
        face.desks[self.folder], face.deferred = self.desk, True
        execute(face, read_line(line))
        (reply,) = answers(out.getvalue())
        return reply

    def back_and_forth(self) -> Lines:
        """Everything taken back gives the state of the beginning, but for marks; done again, that of the end."""
        if (self.folder / "open.json").exists():
            yield from self.one(lambda: "answer --drop")
        lines = written(self.folder)
        end = as_text(self.desk.campaign.tables)
        kinds = Counter(line["kind"] for line in lines)
        steps = kinds["step"] + kinds["redo"] - kinds["undo"]
        yield from self.in_parts("undo", steps)
        tables = self.desk.campaign.tables
        rows = of_marks(written(self.folder))
        held(without(tables, rows) == without(self.start, rows), "undo of everything gives the beginning")
        self.whole()
        yield from self.in_parts("redo", steps)
        held(as_text(self.desk.campaign.tables) == end, "redo of everything gives the end")
        self.whole()

    def in_parts(self, word: str, steps: int) -> Lines:
        """So many steps, in one line or several."""
        while steps:
            n = self.parts.choice((steps, self.parts.randint(1, steps)))
            yield from self.one(lambda n=n: f"{word} {n}")  # type: ignore[misc]
            held(written(self.folder)[-1]["kind"] == word, f"{word} of what is there is done", n)
            steps -= n

    def closed(self) -> None:
        """Nothing is open any more: the snapshot stands at the end, and the doctor finds nothing."""
        self.face = None
        seq, shot = snapshot(self.folder)
        lines = written(self.folder)
        held(seq == len(lines), "the snapshot stands at the end", seq, len(lines))
        held(as_text(shot) == as_text(folded(lines)), "the last snapshot is the fold of the journal")
        code, (found, *_) = self.called(["doctor"])
        held(code == 0 and not found["result"]["findings"], "the doctor finds nothing", found)


def added(before: Mapping[str, bytes], after: Mapping[str, bytes]) -> list[Reply]:
    """The lines that have come to the journal; what stood there stands there still."""
    old, new = before["journal.jsonl"], after["journal.jsonl"]
    held(new.startswith(old), "the journal is only added to")
    return [json.loads(line) for line in new[len(old) :].decode().splitlines()]


def without_open(found: Mapping[str, bytes]) -> dict[str, bytes]:
    """The files that last."""
    return {name: data for name, data in found.items() if name not in PASSING}


def check_refused(reply: Reply) -> None:
    """A refusal has a code that is listed, a sentence, and is no fault of ours."""
    error = reply["error"]
    held(error["code"] in CODES and error["code"] != "fault", "an error that may be", error)
    held(bool(error["message"]), "a refusal says why", error)
    held(not UNFILLED.search(json.dumps(error)), "a sentence with every fact in its place", error)


def are_chances(told: Any) -> bool:
    """Whether a chance is one, or several are of things of which one at most comes: a ruling may end without any."""
    chances = [*told["chances"].values()] if isinstance(told, dict) else [told]
    return all(0 <= chance <= 1 for chance in chances) and sum(chances) < 1 + 1e-9


def possible(told: Any, value: Any) -> bool:
    """Whether a value had a chance."""
    if isinstance(told, dict):
        return value is None or told["chances"].get(str(value), 0) > 0
    return bool(told > 0 if value else told < 1)


def unworded(text: str) -> bool:
    """Whether a text holds the sign of a sentence that no catalogue has."""
    return bool(re.search(r"<[a-z]+[.:][\w.:-]+", text))


def played(
    game: str, way: str, seed: int, typed: Iterable[str] | int, folder: Path, opening: str | None = None
) -> Played:
    """Play a course in a folder of its own, which is gone afterwards."""
    home = folder / f"{game}-{way}-{seed}"
    home.mkdir()
    with patch.object(os, "fsync", lambda file: None):
        return Course(game, way, seed, home, opening).play(typed)


def shortest(found: Played, folder: Path, tries: int = 80) -> Played:
    """The course with as few lines as still come to the same fault: lines are left out, many first, then few."""
    size = len(found.lines) // 2
    while size and tries:
        at = 0
        while at < len(found.lines) and tries:
            tries -= 1
            rest = found.lines[:at] + found.lines[at + size :]
            fewer = played(found.game, found.way, found.seed, rest, folder, found.opening)
            if kind_of(fewer.fault) == kind_of(found.fault):
                found = fewer
            else:
                at += size
        size //= 2
    return found


def kind_of(fault: str) -> str:
    """What a fault is, without the line it came at."""
    return fault.rpartition("': ")[2][:40] if fault else ""


def other_than(one: Any, other: Any, path: str = "") -> list[str]:
    """Where two replies differ."""
    if isinstance(one, dict) and isinstance(other, dict):
        return [line for key in {**one, **other} for line in other_than(one.get(key), other.get(key), f"{path}.{key}")]
    if isinstance(one, str) and isinstance(other, str) and "\n" in one + other:
        lines = zip_longest(one.splitlines(), other.splitlines())
        return [f"{path}: {a} | {b}" for a, b in lines if a != b]
    return [] if one == other else [f"{path}: {one} | {other}"]
