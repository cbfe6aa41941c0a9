"""The sample campaigns: they open, nothing is wrong with their files, and every step of them can be taken back."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests import make_sample

CAMPAIGNS = Path(__file__).resolve().parent.parent / "campaigns"
SAMPLES = sorted(path.name for path in CAMPAIGNS.glob("sample-*"))


@pytest.fixture(params=SAMPLES)
def sample(request: pytest.FixtureRequest, home: Path) -> Path:
    """A copy of a sample, alone in a home."""
    kept = shutil.ignore_patterns(".lock", "open.json", "backups")
    return Path(shutil.copytree(CAMPAIGNS / request.param, home / request.param, ignore=kept))


def state(sample: Path) -> dict[str, Any]:
    """All tables of the state but the place in the journal."""
    tables: dict[str, Any] = json.loads((sample / "campaign.json").read_text(encoding="utf-8"))
    del tables["journal"]
    return tables


def times(gm: Callable[..., Any], verb: str) -> int:
    """How often a verb can be done until there is nothing left."""
    done = 0
    while (ran := gm(verb, "--json")).code == 0:
        done += 1
    assert ran.objects[0]["error"]["code"] == f"nothing-to-{verb}"
    return done


def test_it_opens_in_every_language(sample: Path, gm: Callable[..., Any]) -> None:
    for lang in ("en", "ja", "ko"):
        ran = gm("status", "--lang", lang)
        assert (ran.code, ran.err) == (0, "")
        assert "Kestrel" in ran.out


def test_the_doctor_finds_nothing(sample: Path, gm: Callable[..., Any]) -> None:
    assert gm("doctor", "--json").objects[0]["result"]["findings"] == []


def test_everything_can_be_taken_back_and_done_again(sample: Path, gm: Callable[..., Any]) -> None:
    before = state(sample)
    steps = times(gm, "undo")
    assert steps > 20
    bare = state(sample)
    assert not any(bare.get(table) for table in ("units", "pilots", "sides", "battle", "due"))
    assert bare["sessions"] == before["sessions"]
    assert times(gm, "redo") == steps
    assert state(sample) == before
    assert gm("doctor").code == 0


def test_play_goes_on_where_it_stopped(sample: Path, gm: Callable[..., Any]) -> None:
    assert gm("attack", "storm", "vulcan", "gains-2", "--once", "--dice", "98").code == 0
    assert gm("end", "phase", "--dice", "30 30 30").code == 0


def test_looking_at_it_leaves_no_file_behind(sample: Path, gm: Callable[..., Any]) -> None:
    before = {path: path.read_bytes() for path in sample.rglob("*") if path.is_file()}
    for line in (["status"], ["history", "--all"], ["why"], ["doctor"], ["campaign", "list"], ["sheet", "list"]):
        assert gm(*line).code == 0
    assert {path: path.read_bytes() for path in sample.rglob("*") if path.is_file()} == before


def test_it_can_be_made_again(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    make_sample.make(home / "made")
    made, kept = state(home / "made"), state(CAMPAIGNS / make_sample.SLUG)
    assert made["units"] == kept["units"]
    assert sorted(path.name for path in (home / "made").iterdir()) == sorted(make_sample.KEPT)
