"""Ctrl-C at any moment of a line that is typed into the shell: what the shell goes on with is what is on disk."""

import io
import json
import sys
from pathlib import Path
from types import FrameType
from typing import Any

import pytest

from gmtool.cli.main import run
from gmtool.store import doctor
from tests.conftest import ROOT
from tests.trust.hands import copied, made, settings, stand
from tests.trust.rooms import Typing

STORE = (str(ROOT / "gmtool" / "store"), str(ROOT / "gmtool" / "kernel" / "changes.py"))
LINES = ("set units.arrow.fuel 10", "undo 2", "unit add gains --side Bydo --count 3", "note x")
MOMENTS = 40


class Keyboard:
    """Counts the lines of code that the store does, and has Ctrl-C come at one of them."""

    def __init__(self, at: int) -> None:
        self.at, self.count = at, 0

    def on(self) -> None:
        """From the next line typed on."""
        sys.settrace(self._called)

    def off(self) -> None:
        """No more."""
        sys.settrace(None)

    def _called(self, frame: FrameType, event: str, arg: Any) -> Any:
        return self._line if frame.f_code.co_filename.startswith(STORE) else None

    def _line(self, frame: FrameType, event: str, arg: Any) -> Any:
        if event == "line":
            self.count += 1
            if self.count == self.at:
                raise KeyboardInterrupt
        return self._line


def interrupted(home: Path, line: str, at: int) -> tuple[int, list[dict[str, Any]]]:
    """A shell in which Ctrl-C comes while a line is done: how many moments there were, and what it told."""
    keys = Keyboard(at)
    given = ("set units.arrow.fuel 20", keys.on, line, keys.off, "status", "set units.arrow.fuel 5", "undo")
    typing: Any = Typing(given)
    out = io.StringIO()
    before = sys.gettrace()
    try:
        code = run(["--json", "table"], stdin=typing, stdout=out, stderr=io.StringIO(), env=settings(home))
    finally:
        sys.settrace(before)
    assert code == 0
    return keys.count, [json.loads(each) for each in out.getvalue().splitlines() if each]


def wrong(home: Path, line: str, at: int) -> str:
    """What is wrong after Ctrl-C at this moment."""
    _, told = interrupted(home, line, at)
    bad = [each["error"]["message"] for each in told if not each["ok"]]
    found = [each["code"] for each in doctor.check(home / "test")]
    try:
        stand(home / "test")
    except Exception as error:
        found.append(repr(error))
    return f"moment {at}: {bad} {found}" if bad or found else ""


@pytest.mark.filterwarnings("ignore::ResourceWarning", "ignore::pytest.PytestUnraisableExceptionWarning")
@pytest.mark.parametrize("line", LINES)
def test_a_shell_goes_on_with_what_is_on_disk_whenever_ctrl_c_comes(tmp_path: Path, line: str) -> None:
    base = made(tmp_path)
    many, _ = interrupted(copied(base, tmp_path / "all" / "home"), line, 0)
    assert many > 100
    moments = sorted({1 + many * n // MOMENTS for n in range(MOMENTS)})
    faults = [wrong(copied(base, tmp_path / f"at-{at}" / "home"), line, at) for at in moments]
    assert [fault for fault in faults if fault] == []
