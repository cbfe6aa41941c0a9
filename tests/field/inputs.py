"""Hostile inputs and where they are tried: the corpus, a table behind a fence, a guard, how a line ends.

The fence matters: these inputs name paths, and a program that is wrong, or run by an administrator, could write there.
While it stands, this process opens nothing for writing and moves nothing outside the table's own folder.
"""

import io
import os
import re
import shutil
import signal
import sys
import time
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from gmtool.cli.dispatch import common_command
from gmtool.cli.main import run
from gmtool.cli.verbs import COMMON
from gmtool.kernel.words import Arg, Flag, params
from gmtool.referee.desk import Registry
from tests.field.table import folder_bytes

ENDS = (0, 1, 2, 3, 4)
SECONDS = 5.0
"""A line that has not ended by then hangs; no measurement."""
FILES = ("test/journal.jsonl", "test/campaign.json", "test/open.json", ".chosen.json")
SETUP = (
    "campaign new Test --system rtype", "side add Players --players", "side add Bydo",
    "unit add kestrel Alpha --side Players", "unit add gains Beta --side Bydo", "battle start Skirmish",
    "initiative --dice 3,4,2,2", "first players",
)  # fmt: skip
MUST_NOT_SHOW = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ud800-\udfff]")


class Input(NamedTuple):
    """One input of the corpus: how it is brought in, its name, its kind, itself."""

    way: str
    id: str
    kind: str
    text: str


def _whole(text: str) -> str:
    """A text of the corpus with its repetitions written out."""
    text = re.sub("⟦U\\+([0-9A-F]+)⟧", lambda found: chr(int(found[1], 16)), text)
    return re.sub("⟦([^⟧]*)×([0-9]+)⟧", lambda found: found[1] * int(found[2]), text)


def corpus(way: str) -> list[Input]:
    """The inputs that come in one way."""
    found = tomllib.loads((Path(__file__).parent / "inputs.toml").read_text(encoding="utf-8"))[way]
    return [Input(way, each["id"], each["kind"], _whole(each.get("text", each.get("line")))) for each in found]


def places() -> list[tuple[str, ...]]:
    """Every place for a word there is: each argument and option of each verb, and the options of every line."""
    system = Registry().system("rtype")
    commands = {verb: common_command(verb) for verb in COMMON if verb not in ("demo", "table")}
    commands |= {verb: system.command(verb) for verb in system.verbs}
    commands |= {verb: system.look(verb) for verb in system.looks}
    found: list[tuple[str, ...]] = [()]
    for verb, command in commands.items():
        before: list[str] = []
        for param in params(command):
            if isinstance(param.spec, Flag):
                continue
            flag = () if isinstance(param.spec, Arg) else (param.spec.flag,)
            found.append((*verb.split(), *before, *flag))
            before += [] if flag else ["beta" if before else "alpha"]
    options = ("--campaign", "-c", "--home", "--lang", "--dice", "--say", "--by", "--because", "--for")
    found += [("move", "alpha", "1", option) for option in options]
    return [*found, ("odds",), ("odds", "roll"), ("try",), ("help",)]


# the fence

_inside: list[str] = []
_WRITES = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND
_ONE = ("os.remove", "os.mkdir", "os.rmdir", "os.truncate", "os.chmod")
_TWO = ("os.rename", "os.link", "os.symlink")


def _is_outside(path: Any, followed: bool) -> bool:
    """Whether a path leads out: to what a link leads for what is opened, the link itself for what is moved."""
    if not _inside or not isinstance(path, str | bytes | os.PathLike):
        return False
    named = os.path.abspath(os.fsdecode(path))
    named = os.path.realpath(named) if followed else os.path.join(os.path.realpath(os.path.dirname(named)), "x")
    return named != os.devnull and not any(named == folder or named.startswith(folder + os.sep) for folder in _inside)


def _watch(event: str, args: tuple[Any, ...]) -> None:
    if not _inside:
        return
    touched: Sequence[Any] = ()
    if event in _ONE or (event == "open" and (args[2] or 0) & _WRITES):
        touched = args[:1]
    elif event in _TWO:
        touched = args[:2] if event == "os.rename" else args[1:2]
    if any(_is_outside(path, event in ("open", "os.truncate", "os.chmod")) for path in touched):
        raise PermissionError(13, "outside the fence", str(touched[0]))


sys.addaudithook(_watch)


@contextmanager
def fenced(*folders: Path) -> Iterator[None]:
    """Nothing is written outside these folders."""
    _inside[:] = [os.path.realpath(folder) for folder in folders]
    try:
        yield
    finally:
        _inside.clear()


class Hangs(BaseException):
    """A line did not end; no ``except Exception`` of the program takes it."""


@contextmanager
def guarded(seconds: float = SECONDS) -> Iterator[None]:
    """What takes longer hangs."""

    def late(*_: object) -> None:
        raise Hangs(f"no end after {seconds:g} s")

    before = signal.signal(signal.SIGALRM, late)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


class Ended(NamedTuple):
    """How a line ended."""

    code: int
    out: str
    err: str
    seconds: float


class Place:
    """A home with a fight in it, in a folder of its own, put back as it was whenever a line has changed it."""

    def __init__(self, folder: Path, cache: Path) -> None:
        self.folder, self.cache = folder, cache
        self.home, self.here, self._kept = folder / "home", folder / "here", folder / "kept"
        for each in (self.home, self.here, cache):
            each.mkdir(exist_ok=True)
        self.env = {
            "GMTOOL_HOME": str(self.home), "GMTOOL_CACHE": str(cache), "LC_ALL": "C.UTF-8", "COLUMNS": "100",
            "HOME": str(self.here), "TMPDIR": str(folder),
        }  # fmt: skip
        for line in SETUP:
            assert self.run(line.split()).code == 0, line
        shutil.copytree(self.home, self._kept)
        self.state = folder_bytes(self.home)

    def reset(self) -> None:
        """The fight as it stood at first."""
        for folder in (self.home, self.here):
            for path in folder.iterdir():
                shutil.rmtree(path) if path.is_dir() and not path.is_symlink() else path.unlink()
        shutil.copytree(self._kept, self.home, dirs_exist_ok=True)

    def run(self, words: Sequence[str], typed: str = "", env: Mapping[str, str] | None = None) -> Ended:
        """A line in this process, behind the fence, with the guard."""
        out, err = io.StringIO(), io.StringIO()
        began = time.monotonic()
        with fenced(self.folder, self.cache), guarded():
            code = run(list(words), stdin=io.StringIO(typed), stdout=out, stderr=err, env={**self.env, **(env or {})})
        return Ended(code, out.getvalue(), err.getvalue(), time.monotonic() - began)

    def tried(self, words: Sequence[str], typed: str = "") -> Ended:
        """A line that may end in any way a line may; if it was refused, no byte is another."""
        ended = self.run(words, typed)
        judged(ended, words)
        if ended.code:
            assert folder_bytes(self.home) == self.state, words
        if ended.code == 0 or (self.home / "test" / "open.json").exists():
            self.reset()
        return ended


def judged(ended: Ended, words: Sequence[str]) -> None:
    """A result or a refusal, with nothing on the screen that moves it or turns it."""
    told = [word[:60] for word in words[:12]]
    assert ended.code in ENDS, (told, ended.code, ended.err[:300])
    assert not ended.code or ended.err.strip() or ended.out.strip(), told
    for text in (ended.out, ended.err):
        assert "Traceback" not in text
        assert "gmtool-crash" not in text, (told, text[:300])
        assert not MUST_NOT_SHOW.search(text), (told, MUST_NOT_SHOW.search(text))


def bring(place: Place, given: Input, file: str = "") -> tuple[list[str], str]:
    """Put an input where it belongs; the line that meets it, and what is typed then."""
    data = given.text.encode("utf-8", "surrogatepass")
    if given.way == "script":
        (place.here / "any.gm").write_bytes(data)
        return ["run", "any.gm"], ""
    if given.way == "rules":
        (place.home / "test" / "rules").mkdir(exist_ok=True)
        (place.home / "test" / "rules" / "any.toml").write_bytes(b"format = 1\n" + data)
        return ["sheet", "list"], ""
    if given.way == "json":
        (place.home / file).write_bytes(data + b"\n")
        return ["status"], ""
    return (["table"], given.text) if given.way == "shell" else (_cut(given.text), "")


def _cut(line: str) -> list[str]:
    """A line of the corpus as arguments: quotes keep blanks together."""
    return [part[1:-1] if part[:1] == '"' else part for part in re.findall(r'"[^"]*"|\S+', line)]
