"""A campaign's folder: made, opened, written to, taken back, read from the middle."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tinydb import TinyDB, where

from gmtool.kernel.changes import ChangeError
from gmtool.kernel.refusal import Refused
from gmtool.store import reader
from gmtool.store.campaign import Campaign, create, open_campaign
from gmtool.store.storage import SwapStorage
from tests.unit.store.conftest import FIRST, figure, plain, step

Go = Callable[[int], None]


def test_a_new_campaign_is_a_folder_with_one_line(campaign: Campaign) -> None:
    assert campaign.path.name == "test"
    assert [path.name for path in campaign.path.parent.iterdir()] == ["test"]
    assert [path.name for path in campaign.path.iterdir()] == ["journal.jsonl"]
    line = json.loads((campaign.path / "journal.jsonl").read_text("utf-8"))
    assert (line["seq"], line["kind"], line["system"], line["line"]) == (1, "mark", "none", "campaign new Test")
    assert campaign.notices == []


def test_what_was_appended_is_there_when_opened_again(campaign: Campaign, go: Go) -> None:
    go(3)
    again = open_campaign(campaign.path, write=False)
    assert (figure(again), again.head, plain(again)) == (3, campaign.head, plain(campaign))


def test_several_lines_are_one_write_and_all_or_none(campaign: Campaign) -> None:
    with campaign.writing():
        assert campaign.append([step(0), {"kind": "mark", "line": "note"}, step(1)]) == [2, 3, 4]
        size = (campaign.path / "journal.jsonl").stat().st_size
        with pytest.raises(ChangeError):
            campaign.append([step(2), step(2)])
    assert figure(campaign) == 2
    assert (campaign.path / "journal.jsonl").stat().st_size == size


@pytest.mark.parametrize("value", [{1}, Path("x"), 2.5, float("nan"), "\ud800"])
def test_a_value_that_cannot_be_stored_changes_nothing(campaign: Campaign, value: Any) -> None:
    before = (campaign.path / "journal.jsonl").read_bytes()
    with campaign.writing(), pytest.raises(Exception):  # noqa: B017, PT011 - whatever it is, nothing is written
        campaign.append([{"kind": "mark", "line": value}])
    assert (campaign.path / "journal.jsonl").read_bytes() == before
    with campaign.writing():
        assert campaign.append([step(0)]) == [2]


def test_text_that_is_no_unicode_is_refused_as_a_bad_value(campaign: Campaign) -> None:
    with campaign.writing(), pytest.raises(Refused) as caught:
        campaign.append([{"kind": "mark", "line": "x\udcff"}])
    assert (caught.value.code, caught.value.facts) == ("bad-value", {"value": "\\udcff"})


def test_writing_needs_the_lock_and_a_campaign_opened_for_it(campaign: Campaign) -> None:
    with pytest.raises(RuntimeError):
        campaign.append([step(0)])
    with pytest.raises(RuntimeError), open_campaign(campaign.path, write=False).writing():
        pass


def test_readers_create_nothing(campaign: Campaign, go: Go) -> None:
    go(2)
    before = sorted(path.name for path in campaign.path.iterdir())
    (campaign.path / ".lock").unlink()
    looking = open_campaign(campaign.path, write=False)
    looking.refresh()
    assert (len(looking.tail(9)), looking.find(2) is not None) == (3, True)
    assert sorted(path.name for path in campaign.path.iterdir()) == [name for name in before if name != ".lock"]


def test_undo_and_redo_return_the_steps_as_they_were(campaign: Campaign, go: Go) -> None:
    go(3)
    with campaign.writing():
        assert [line["seq"] for line in campaign.undo(2, line="undo 2", who="Ken")] == [4, 3]
        assert figure(campaign) == 1
        assert [line["seq"] for line in campaign.redo()] == [3]
        assert [line["seq"] for line in campaign.undo()] == [3]
        assert [line["seq"] for line in campaign.redo(2)] == [3, 4]
    assert figure(campaign) == 3
    taken = campaign.find(5)
    assert taken is not None
    assert (taken["kind"], taken["undoes"], taken["line"], taken["who"]) == ("undo", 4, "undo 2", "Ken")


def test_undo_past_the_beginning_is_refused_with_how_many_are_left(campaign: Campaign, go: Go) -> None:
    go(2)
    with campaign.writing():
        with pytest.raises(Refused) as caught:
            campaign.undo(3)
        assert (caught.value.code, caught.value.facts) == ("nothing-to-undo", {"left": 2, "wanted": 3})
        with pytest.raises(Refused, match="nothing-to-redo"):
            campaign.redo()
        campaign.undo(2)
    assert figure(campaign) == 0


def test_notes_stay_and_are_stepped_over(campaign: Campaign, go: Go) -> None:
    go(1)
    with campaign.writing():
        campaign.append([{"kind": "mark", "line": "note hello"}])
        campaign.undo()
        campaign.append([{"kind": "mark", "line": "note again"}])
        campaign.redo()
    assert [line["kind"] for line in campaign.lines(2)] == ["step", "mark", "undo", "mark", "redo"]
    assert figure(campaign) == 1


def test_a_setting_made_after_a_step_survives_its_undo(campaign: Campaign) -> None:
    """The step raised a and b; a mark then set a to 9; undo takes back b only, and says so."""
    both = [step(0)["changes"][0], {"path": "units.b.n", "before": 0, "after": 5, "rule": "X-1"}]
    with campaign.writing():
        campaign.append([{"kind": "step", "changes": both}])
        campaign.append([{"kind": "mark", "changes": [{"path": "units.a.n", "before": 1, "after": 9}]}])
        campaign.undo()
        assert (figure(campaign), campaign.tables["units"]["b"]["n"]) == (9, 0)
        assert campaign.tail(1)[0]["kept"] == ["units.a.n"]
        campaign.redo()
    assert (figure(campaign), campaign.tables["units"]["b"]["n"]) == (9, 5)


def test_what_undo_and_redo_would_take_can_be_looked_at_first(campaign: Campaign, go: Go) -> None:
    go(3)
    with campaign.writing():
        campaign.undo()
    assert [line["seq"] for line in campaign.undoable()] == [3, 2]
    assert [line["undoes"] for line in campaign.redoable()] == [4]


def test_two_open_campaigns_see_each_other(campaign: Campaign, go: Go) -> None:
    other = open_campaign(campaign.path, write=True)
    go(2)
    with other.writing():
        assert figure(other) == 2
        other.append([step(2)])
    assert other.notices[-1] == {"code": "others-wrote", "count": 2, "seq": 3}
    with campaign.writing():
        campaign.undo()
    assert other.refresh() == 1
    assert figure(other) == 2


def test_lines_are_found_in_a_long_journal(campaign: Campaign, monkeypatch: pytest.MonkeyPatch) -> None:
    """Lines from 200 to 5,000 bytes, blocks of 256: every line is found, backwards too."""
    with campaign.writing():
        for n in range(150):
            campaign.append([{"kind": "mark", "line": "x" * (n * 37 % 5000)}])
    monkeypatch.setattr(reader, "BLOCK", 256)
    for seq in range(1, 152):
        line = campaign.find(seq)
        assert line is not None
        assert line["seq"] == seq
    assert campaign.find(0) is None
    assert campaign.find(152) is None
    assert [line["seq"] for line in campaign.lines(140)] == list(range(140, 152))
    assert [line["seq"] for line in campaign.tail(20)] == list(range(132, 152))
    assert len(campaign.tail(1000)) == 151


def test_the_snapshot_opens_with_plain_tinydb(campaign: Campaign, go: Go) -> None:
    go(2)
    assert campaign.save_snapshot()
    with TinyDB(campaign.path / "campaign.json") as plain_db:
        assert plain_db.tables() == {"campaign", "units", "journal"}
        assert plain_db.table("units").search(where("id") == "a") == [
            {"id": "a", "_id": "sheet-a", "n": 2, "ammo": {"x-1": 2}}
        ]
        (position,) = plain_db.table("journal").all()
    assert (position["format"], position["seq"], position["offset"]) == (2, 3, campaign.head.end)
    with TinyDB(campaign.path / "campaign.json", storage=SwapStorage) as ours:
        assert len(ours.table("units")) == 2


def test_tinydb_through_our_storage_creates_nothing_by_looking(tmp_path: Path) -> None:
    with TinyDB(tmp_path / "x.json", storage=SwapStorage) as ours:
        assert ours.tables() == set()
    assert list(tmp_path.iterdir()) == []


def test_equal_states_give_equal_bytes(campaign: Campaign, go: Go) -> None:
    """Undo brings a removed key back at another place of its dict; the file does not show it."""
    campaign.save_snapshot()
    before = json.loads((campaign.path / "campaign.json").read_bytes())
    gone = [{"path": "units.a.ammo", "before": {"x-1": 2}}, {"path": "units.a.n", "before": 0}]
    with campaign.writing():
        campaign.append([{"kind": "step", "changes": gone}])
        campaign.undo()
        campaign.save_snapshot()
    now = json.loads((campaign.path / "campaign.json").read_bytes())
    assert before["journal"]["1"]["state"] == now["journal"]["1"]["state"]
    assert json.dumps(before["units"]) == json.dumps(now["units"])


@settings(max_examples=25, deadline=None)
@given(st.lists(st.sampled_from(["step", "mark", "undo", "redo", "two", "save", "reopen"]), max_size=30))
def test_any_course_of_play_equals_a_list_with_a_cursor(tmp_path_factory: Any, moves: list[str]) -> None:
    home: Path = tmp_path_factory.mktemp("home")
    campaign = create(home, "Test", "none", FIRST)
    undo, redo, fresh = [0], list[int](), 0
    for move in moves:
        if move == "reopen":
            campaign = open_campaign(campaign.path, write=True)
        with campaign.writing():
            if move in ("step", "two"):
                for _ in range(2 if move == "two" else 1):
                    fresh += 1
                    change = {"path": "units.a.n", "before": figure(campaign), "after": fresh}
                    campaign.append([{"kind": "step", "changes": [change]}])
                    undo.append(fresh)
                    redo.clear()
            elif move == "mark":
                campaign.append([{"kind": "mark", "line": "note"}])
            elif move == "undo" and len(undo) > 1:
                campaign.undo()
                redo.append(undo.pop())
            elif move == "redo" and redo:
                campaign.redo()
                undo.append(redo.pop())
            elif move == "save":
                assert campaign.save_snapshot()
        assert figure(campaign) == undo[-1]
        assert [len(list(chain)) for chain in (campaign.undoable(), campaign.redoable())] == [len(undo) - 1, len(redo)]
    assert plain(open_campaign(campaign.path, write=False)) == plain(campaign)
