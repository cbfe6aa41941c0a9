"""What all tests share: a throw-away home, the command line called from a test, and ``--rule``."""

import io
import json
import os
import subprocess
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from hypothesis import HealthCheck, settings

from gmtool.kernel.system import System

# No test is timed: a machine that is busy with something else makes nothing wrong.
settings.register_profile("untimed", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("untimed")

ROOT = Path(__file__).resolve().parent.parent

# Settings of the person who runs the tests, which would change what is shown.
PERSONAL = ("GMTOOL_LANG", "GMTOOL_CAMPAIGN", "NO_COLOR", "FORCE_COLOR", "CLICOLOR_FORCE", "PY_COLORS", "LANGUAGE")


class Ran(NamedTuple):
    """What one call of the command line gave: the exit code and both streams."""

    code: int
    out: str
    err: str

    @property
    def objects(self) -> list[dict[str, Any]]:
        """The JSON objects on standard output, one a line; anything else there is an error."""
        return [json.loads(line) for line in self.out.splitlines()]


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--rule", metavar="ID", help="run exactly the rulebook cases of this rule, e.g. RT-10.1")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """With ``--rule`` only those items stay whose parameter ``case`` carries that rule."""
    rule = config.getoption("--rule")
    if not rule:
        return
    kept = [item for item in items if _rule_of(item) == rule]
    if not kept:
        raise pytest.UsageError(f"no case names rule {rule}")
    config.hook.pytest_deselected(items=[item for item in items if _rule_of(item) != rule])
    items[:] = kept


def _rule_of(item: pytest.Item) -> str | None:
    params = item.callspec.params if hasattr(item, "callspec") else {}
    return getattr(params.get("case"), "rule", None)


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty home for campaigns, a cache of its own, no personal settings, and a folder to stand in."""
    folder = tmp_path / "home"
    here = tmp_path / "here"
    folder.mkdir()
    here.mkdir()
    monkeypatch.chdir(here)
    for name in PERSONAL:
        monkeypatch.delenv(name, raising=False)
    settings = {"GMTOOL_HOME": folder, "GMTOOL_CACHE": tmp_path / "cache", "LC_ALL": "C.UTF-8", "COLUMNS": 100}
    for name, value in settings.items():
        monkeypatch.setenv(name, str(value))
    return folder


@pytest.fixture
def gm(home: Path) -> Callable[..., Ran]:
    """The command line in this process: ``gm("status", "--json", input=…, env={…})``."""
    from gmtool.cli.main import run

    def call(*argv: str, input: str | None = None, env: Mapping[str, str] | None = None) -> Ran:
        out, err = io.StringIO(), io.StringIO()
        code = run(
            list(argv), stdin=io.StringIO(input or ""), stdout=out, stderr=err, env={**os.environ, **(env or {})}
        )
        return Ran(code, out.getvalue(), err.getvalue())

    return call


@pytest.fixture
def gm_process(home: Path) -> Callable[..., Ran]:
    """The same as a process of its own, for what only a real one shows; slower by a start-up."""

    def call(*argv: str, input: str | None = None, env: Mapping[str, str] | None = None) -> Ran:
        done = subprocess.run(
            [sys.executable, "-m", "gmtool", *argv],
            input=input or "",
            capture_output=True,
            encoding="utf-8",
            env={**os.environ, "PYTHONPATH": str(ROOT), "PYTHONUTF8": "1", **(env or {})},
            timeout=60,
            check=False,
        )
        return Ran(done.returncode, done.stdout, done.stderr)

    return call


@pytest.fixture
def own_chapters_only(monkeypatch: pytest.MonkeyPatch) -> None:
    """As in a process of its own: what another line has brought in must not help this one."""
    command = System.command

    def alone(system: System, verb: str) -> type[Any]:
        system.rules.clear()
        system.effects.clear()
        for chapter in system.common:
            system.include(chapter)
        return command(system, verb)

    monkeypatch.setattr(System, "command", alone)


@pytest.fixture
def no_waiting_for_the_disk(monkeypatch: pytest.MonkeyPatch) -> None:
    """For tests of many lines: that each is safe on disk is shown elsewhere."""
    monkeypatch.setattr(os, "fsync", lambda file: None)
