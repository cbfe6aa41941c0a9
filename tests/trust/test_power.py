"""What was reported done survives a power cut right after its result was shown.

A question that was dropped may be there again; no line was done for it, and it is dropped a second time.
"""

import io
import json
import random
import shlex
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from gmtool.store import doctor
from tests.trust.hands import UNREPORTED, copied, gm, linux, made, stand
from tests.trust.kills import as_script, in_shell, script
from tests.trust.power import disk
from tests.trust.works import WORKS, done, prepared, view

pytestmark = linux


def test_after_every_line_of_an_evening_the_power_may_go(tmp_path: Path) -> None:
    """A home that a script is played in; after each result only what was flushed is kept, and the line is there."""
    home = made(tmp_path)
    before = "null"
    with disk(home) as there:
        for number, line in enumerate(script(random.Random(5))):
            gm(home, *shlex.split(line))
            left = there.left(tmp_path / f"left-{number}")
            now = stand(home / "test")
            assert stand(left / "test")[:2] == now[:2], line
            assert stand(left / "test").open in (now.open, before), line
            before = now.open
            assert {found["code"] for found in doctor.check(left / "test")} <= UNREPORTED
            if number % 10 == 0:
                assert gm(left, "note", "goes on").code == 0
                assert doctor.check(left / "test") == []
            shutil.rmtree(left)


@pytest.mark.parametrize("way", [as_script, in_shell])
def test_each_result_that_a_program_shows_is_on_the_disk_by_then(tmp_path: Path, way: Callable[..., None]) -> None:
    """Before each result is shown, and not a moment later, a power cut leaves its line."""
    home, seen = made(tmp_path), list[tuple[int, int]]()

    class Shown(io.StringIO):
        def write(self, text: str) -> int:
            seq = json.loads(text).get("seq") if text else None
            if seq:
                left = there.left(tmp_path / f"left-{len(seen)}")
                now = stand(left / "test")
                seen.append((seq, now.seq + max(len(now.tried) - 2, 0)))
            return len(text)

    with disk(home) as there:
        way(home, script(random.Random(6), 60), Shown())
    assert len(seen) > 20
    assert [flushed for _, flushed in seen] == [reported for reported, _ in seen]


@pytest.mark.parametrize("name", WORKS)
def test_a_line_of_each_kind_survives_the_power_cut_behind_it(tmp_path: Path, name: str) -> None:
    base = prepared(tmp_path / "base", WORKS[name])
    home = copied(base, tmp_path / "home")
    before = view(home)
    with disk(home) as there:
        assert done(home, WORKS[name]).code in (0, 1)
        left = view(there.left(tmp_path / "left"))
    assert left == view(home) or (name == "a question dropped" and left == before)


def test_the_first_campaign_of_a_home_that_was_not_there_survives(tmp_path: Path) -> None:
    home = tmp_path / "here" / "home"
    with disk(tmp_path) as there:
        assert gm(home, "campaign", "new", "Test", "--system", "rtype").code == 0
        left = there.left(tmp_path.with_name("left"))
    assert stand(left / "here" / "home" / "test").seq == 1
