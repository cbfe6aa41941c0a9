"""Any input to the program as it runs: 200 processes, each with a bound on its memory and on its time."""

import os
import resource
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.field.inputs import ENDS, FILES, MUST_NOT_SHOW, Input, Place, bring, corpus, places
from tests.field.table import folder_bytes
from tests.field.test_terminal import environment

COUNT = 200
MEMORY = 1 << 30
SECONDS = 60
LONGEST_ARGUMENT = 100_000  # the system takes no longer one
PATHS = {("campaign", "export"), ("campaign", "import"), ("run",)}


class Case(NamedTuple):
    """An input for a process of its own; ``words`` is the line where the input is only a word of it."""

    given: Input
    words: tuple[str, ...] = ()
    file: str = ""

    @property
    def name(self) -> str:
        return " ".join([self.given.way, self.given.id, self.file, *self.words])


def cases() -> list[Case]:
    """What comes in lines, scripts, shells and files, once each; texts in one place after the other for the rest.

    No text that is a path goes where a path is written: no fence stands around a process.
    """
    found = [Case(each) for way in ("line", "script", "shell", "rules") for each in corpus(way)]
    found += [Case(each, file=FILES[number % 4]) for number, each in enumerate(corpus("json"))]
    texts = [each for each in corpus("text") if each.kind != "paths" and not _is_unfit(each.text)]
    spots = [place for place in places() if place[:2] not in PATHS and place[-1:] != ("--home",)]
    turns = (Case(texts[n % len(texts)], spots[n * 7 % len(spots)]) for n in range(COUNT))
    return [*found, *turns][:COUNT]


def _is_unfit(text: str) -> bool:
    return "\0" in text or len(text.encode("utf-8", "surrogatepass")) > LONGEST_ARGUMENT or text == "/"


CASES = cases()


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory, data_cache: Path) -> Place:
    """The fight that each process gets a copy of."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("GMTOOL_CACHE", str(data_cache))
        folder = tmp_path_factory.mktemp("processes")
        (folder / "here").mkdir()
        patch.chdir(folder / "here")
        return Place(folder, data_cache)


def ended(kept: Place, number: int) -> str:
    """One process; what is wrong with how it ended, or nothing."""
    case, folder = CASES[number], kept.folder / str(number)
    place = object.__new__(Place)
    place.home, place.here = folder / "home", folder / "here"
    shutil.copytree(kept.home, place.home)
    place.here.mkdir()
    words, typed = bring(place, case.given, case.file)
    words = [*case.words, case.given.text] if case.given.way == "text" else words
    env = environment(**{**kept.env, "GMTOOL_HOME": str(place.home), "HOME": str(place.here), "TMPDIR": str(folder)})
    before = folder_bytes(folder)
    try:
        done = subprocess.run(
            [sys.executable, "-m", "gmtool", *(os.fsencode(word) if _whole(word) else _bytes(word) for word in words)],
            input=typed.encode("utf-8", "surrogatepass"), capture_output=True, env=env, cwd=place.here,
            timeout=SECONDS, check=False, preexec_fn=_bounded,
        )  # fmt: skip
    except subprocess.TimeoutExpired:
        return "hangs"
    told = (done.stdout + done.stderr).decode("utf-8", "replace")
    if done.returncode not in ENDS or "Traceback" in told or MUST_NOT_SHOW.search(told):
        return f"{done.returncode} {told[:300]!r}"
    kinds = case.given.way in ("script", "shell")  # of these, lines before the one refused stand
    return "changed" if done.returncode and not kinds and folder_bytes(folder) != before else ""


def _whole(word: str) -> bool:
    try:
        os.fsencode(word)
    except UnicodeEncodeError:
        return False
    return True


def _bytes(word: str) -> bytes:
    return word.encode("utf-8", "surrogatepass")


def _bounded() -> None:
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))


def test_200_processes_end_as_lines_end(kept: Place) -> None:
    assert len(CASES) == COUNT
    with ThreadPoolExecutor(2) as pool:
        found = list(pool.map(lambda number: ended(kept, number), range(COUNT)))
    wrong = {case.name: problem for case, problem in zip(CASES, found, strict=True) if problem}
    assert not wrong
