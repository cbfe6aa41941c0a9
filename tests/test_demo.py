"""The demo is its script and nothing else: every line ruled, in three languages, and another face gives another end."""

import io
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from gmtool.cli import demo
from gmtool.cli.main import run
from tests.conftest import ROOT, Ran

SCRIPT = ROOT / "campaigns" / "demo" / "rtype.gm"


def told(script: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """What a demo made of this script prints."""
    file = tmp_path / "rtype.gm"
    file.write_text(script, encoding="utf-8")
    monkeypatch.setattr(demo, "scripts", lambda: {"rtype": file})
    out, err = io.StringIO(), io.StringIO()
    code = run(["demo"], stdin=io.StringIO(), stdout=out, stderr=err, env=dict(os.environ))
    assert (code, err.getvalue()) == (0, "")
    return out.getvalue()


@pytest.mark.parametrize("lang", ["en", "ja", "ko"])
def test_the_demo_fills_more_than_a_screen_and_leaves_no_sentence_missing(
    gm: Callable[..., Ran], home: Path, lang: str
) -> None:
    ran = gm("demo", "--lang", lang)
    assert (ran.code, ran.err) == (0, "")
    lines = ran.out.splitlines()
    assert len(lines) >= 60
    assert not [line for line in lines if "<" in line and ">" in line and "=" in line]
    assert list(home.iterdir()) == []


def test_the_demo_shows_a_why_an_undo_an_odds_and_the_board() -> None:
    verbs = [line.split()[0] for line in SCRIPT.read_text(encoding="utf-8").splitlines() if line[:1].isalpha()]
    assert {"why", "undo", "odds", "status", "attack", "initiative"} <= set(verbs)


def test_another_face_in_the_script_gives_another_outcome(
    home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Evasion 60 succeeds (06 <= 20); 66 fails: a fourth hit of 30, A loses 100 and B 20 of 120 (RT-8.6, 10.1)."""
    script = SCRIPT.read_text(encoding="utf-8")
    assert script.count("evade: 33 60 88 55") == 1
    before = told(script, tmp_path, monkeypatch)
    after = told(script.replace("evade: 33 60 88 55", "evade: 33 66 88 55"), tmp_path, monkeypatch)
    assert "hits 3, damage 90" in before
    assert "hits 4, damage 120" not in before
    assert "hits 4, damage 120" in after
    assert "Gains-1 B 100 > 80" in after
