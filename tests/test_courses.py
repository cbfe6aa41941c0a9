"""Random courses of commands over every game there is: what must hold does, and nearly every verb is really done.

``COURSES`` plays so many times as many, ``COURSE_SEED`` others. A course that fails is made as short as it can be and
printed as lines; ``python -m tests.bench.courses`` plays more, counts, and plays a printed one again.
"""

import io
import os
from collections import Counter
from pathlib import Path

import pytest

from gmtool.cli import main
from gmtool.kernel.changes import reverse
from gmtool.referee.desk import Registry
from gmtool.store import campaign
from tests.courses.checks import files
from tests.courses.course import WAYS, played, shortest
from tests.courses.ways import GAMES, Reply, answers

TIMES = int(os.environ.get("COURSES", "1"))
SEED = int(os.environ.get("COURSE_SEED", "1"))
LENGTH = 30
BLOCKS = 6

REGISTRY = Registry(GAMES)
DONE: dict[str, Counter[str]] = {game: Counter() for game in REGISTRY.found}


def verbs(game: str) -> list[str]:
    """The verbs of a game, those that only show too."""
    system = REGISTRY.system(game)
    return [*system.verbs, *system.looks]


@pytest.fixture(autouse=True)
def _cache(home: Path, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    """One cache of compiled rules for all courses."""
    monkeypatch.setenv("GMTOOL_CACHE", str(tmp_path_factory.getbasetemp() / "courses-cache"))


@pytest.mark.parametrize("block", range(BLOCKS))
@pytest.mark.parametrize("game", REGISTRY.found)
def test_what_must_hold_does_in_random_courses(game: str, block: int, tmp_path: Path) -> None:
    courses = TIMES * max(4 * BLOCKS, len(verbs(game)))
    for n in range(block, courses, BLOCKS):
        course = played(game, WAYS[n % 3 == 0], SEED + n, LENGTH, tmp_path)
        DONE[game] += course.done
        if course.fault:
            pytest.fail(shortest(course, tmp_path).script(), pytrace=False)


@pytest.mark.parametrize("game", REGISTRY.found)
def test_nearly_every_verb_of_a_game_was_done(game: str) -> None:
    """Together the courses above have done what there is to be done; one verb in ten may have been missed."""
    if not DONE[game]:
        pytest.skip("the courses were not played")
    never = [verb for verb in verbs(game) if not DONE[game][verb]]
    assert len(never) <= len(verbs(game)) / 10, never


def test_a_fault_is_found_and_the_course_made_short(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An undo that leaves out the last change of a step with several: two players, one beginning, are enough for it."""
    monkeypatch.setattr(campaign, "reverse", lambda changes: reverse(changes)[: max(1, len(changes) - 1)])
    course = next(course for seed in range(1, 9) if (course := played("trio", "calls", seed, 40, tmp_path)).fault)
    short = shortest(course, tmp_path)
    assert len(short.lines) <= 4
    again = played("trio", "calls", course.seed, short.lines, tmp_path, "")
    assert again.fault == short.fault


REAL_ONLY = ("undo", "redo", "session", "report")
"""What goes back before a branch, or waits for its end."""


@pytest.mark.parametrize("game", REGISTRY.found)
def test_a_course_that_is_tried_is_dropped_without_a_trace_and_kept_as_if_it_had_been_real(
    game: str, tmp_path: Path
) -> None:
    course = played(game, "calls", SEED, LENGTH, tmp_path, "")
    lines = "\n".join(line for line in course.lines if not line.startswith(REAL_ONLY))
    for name in ("real", "tried"):
        new = ["campaign", "new", "Test", "--system", game, "--seed", "5", "--dice-mode", "auto"]
        assert called(tmp_path / name, new)[0] == 0
    told = called(tmp_path / "real", ["run", "--keep-going", "-"], lines)[1]
    assert any(reply["ok"] and "seq" in reply for reply in told)
    before = files(tmp_path / "tried" / "test")
    assert replies(called(tmp_path / "tried", ["run", "--keep-going", "-"], f"try\n{lines}")[1][1:]) == replies(told)
    assert called(tmp_path / "tried", ["drop"])[0] == 0
    assert files(tmp_path / "tried" / "test") == before
    called(tmp_path / "tried", ["run", "--keep-going", "-"], f"try\n{lines}\nanswer --drop\nkeep")
    real, kept = (campaign.open_campaign(tmp_path / name / "test", write=False) for name in ("real", "tried"))
    kept.tables["campaign"]["campaign"]["secret"] = real.tables["campaign"]["campaign"]["secret"]
    assert kept.tables == real.tables
    assert [line["line"] for line in kept.lines()] == [line["line"] for line in real.lines()]
    assert called(tmp_path / "tried", ["doctor"])[0] == 0


def called(home: Path, argv: list[str], feed: str = "") -> tuple[int, list[Reply]]:
    """A line done with all games at hand, and what is told."""
    out = io.StringIO()
    env = {**os.environ, "GMTOOL_HOME": str(home), "LC_ALL": "C.UTF-8"}
    code = main.run(
        [*argv, "--json"], stdin=io.StringIO(feed), stdout=out, stderr=io.StringIO(), env=env, packages=GAMES
    )
    return code, answers(out.getvalue())


def replies(told: list[Reply]) -> list[Reply]:
    """What lines have come to, without what says that they are tried; of those that only show, that they do."""
    keys = ("ok", "seq", "dice", "changes", "result", "asks")
    return [{key: reply.get(key) for key in (keys if "seq" in reply else ("ok", "asks"))} for reply in told]
