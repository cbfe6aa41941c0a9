"""The second copy, the points to go back to, and what can be saved of a campaign that is damaged."""

import json
import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from gmtool.kernel.refusal import Refused
from gmtool.store import backups, doctor, points, salvage
from gmtool.store.campaign import Campaign, open_campaign
from gmtool.store.trail import trail
from tests.unit.store.conftest import figure, plain, step

Go = Callable[[int], None]


def journal_of(campaign: Campaign) -> Path:
    return campaign.path / "journal.jsonl"


def listed(campaign: Campaign) -> list[points.Point]:
    return points.points(campaign.path)


def copy_of(campaign: Campaign) -> Path:
    return campaign.path / "backups" / "journal.jsonl"


def mark(line: str, **fields: object) -> dict[str, object]:
    return {"kind": "mark", "line": line, "changes": [], **fields}


# the second copy


def test_the_second_copy_is_added_to_with_every_snapshot(campaign: Campaign, go: Go) -> None:
    for times in (1, 3, 2):
        go(times)
        assert campaign.save_snapshot()
        assert copy_of(campaign).read_bytes() == journal_of(campaign).read_bytes()


def test_only_what_is_new_is_written_to_it(campaign: Campaign, go: Go, monkeypatch: pytest.MonkeyPatch) -> None:
    go(40)
    campaign.save_snapshot()
    poured = list[int]()
    real = backups._pour
    monkeypatch.setattr(backups, "_pour", lambda *args: (poured.append(args[2]), real(*args))[1])
    start = journal_of(campaign).stat().st_size
    go(1)
    campaign.save_snapshot()
    assert poured == [journal_of(campaign).stat().st_size - start]


@pytest.mark.parametrize("left", [0, 1, 50, -1, -60])
def test_a_copy_that_broke_off_goes_on_where_it_ended(campaign: Campaign, go: Go, left: int) -> None:
    """A kill in the middle of it: some of its bytes, from none to all but one."""
    go(3)
    campaign.save_snapshot()
    copy_of(campaign).write_bytes(copy_of(campaign).read_bytes()[:left])
    go(1)
    campaign.save_snapshot()
    assert copy_of(campaign).read_bytes() == journal_of(campaign).read_bytes()
    assert [path.name for path in (campaign.path / "backups").iterdir()] == ["journal.jsonl"]


def test_a_copy_of_another_journal_is_put_by(campaign: Campaign, go: Go) -> None:
    go(1)
    short = journal_of(campaign).read_bytes()
    go(2)
    campaign.save_snapshot()
    old = copy_of(campaign).read_bytes()
    journal_of(campaign).write_bytes(short)
    again = open_campaign(campaign.path, write=True)
    with again.writing():
        again.append([step(1, "another way")])
    again.save_snapshot()
    assert copy_of(campaign).read_bytes() == journal_of(campaign).read_bytes()
    assert (campaign.path / "backups" / "aside-1" / "journal.jsonl").read_bytes() == old
    assert again.notices[-1] == {"code": "copy-kept", "file": "backups/aside-1"}


def test_a_byte_order_mark_is_no_part_of_it(campaign: Campaign, go: Go) -> None:
    go(1)
    journal_of(campaign).write_bytes(b"\xef\xbb\xbf" + journal_of(campaign).read_bytes())
    again = open_campaign(campaign.path, write=True)
    with again.writing():
        again.append([step(1)])
    again.save_snapshot()
    assert b"\xef\xbb\xbf" + copy_of(campaign).read_bytes() == journal_of(campaign).read_bytes()


def test_a_copy_that_cannot_be_written_is_told_and_harms_nothing(campaign: Campaign, go: Go) -> None:
    (campaign.path / "backups").write_text("in the way")
    go(1)
    assert campaign.save_snapshot()
    assert [notice["code"] for notice in campaign.notices] == ["copy-behind"]
    assert figure(open_campaign(campaign.path, write=False)) == 1


def test_of_each_kind_ten_are_kept_the_latest_ones(campaign: Campaign) -> None:
    for number in range(1, 14):
        kept = backups.room_for(campaign.path, "torn", ".txt")
        assert kept.name == f"torn-{number}.txt"
        kept.write_text("x")
    assert sorted(backups.numbered(campaign.path, "torn", ".txt")) == list(range(4, 14))


# the longest run of lines


def test_lines_of_two_files_complete_each_other(campaign: Campaign, go: Go) -> None:
    """Of six lines the journal has lost the second and third, the copy the fifth and sixth."""
    go(5)
    lines = journal_of(campaign).read_bytes().splitlines(keepends=True)
    copy_of(campaign).parent.mkdir()
    journal_of(campaign).write_bytes(lines[0] + b"garbage\n" + b"".join(lines[3:]))
    copy_of(campaign).write_bytes(b"".join(lines[:4]))
    found = trail([journal_of(campaign), copy_of(campaign)])
    assert (found.raws, found.head, found.tables) == (lines, campaign.head, campaign.tables)
    assert trail([journal_of(campaign)]).raws == lines[:1]


def test_a_changed_line_is_taken_from_the_other_file(campaign: Campaign, go: Go) -> None:
    go(4)
    whole = journal_of(campaign).read_bytes()
    copy_of(campaign).parent.mkdir()
    copy_of(campaign).write_bytes(whole)
    for at in range(0, len(whole), 7):
        journal_of(campaign).write_bytes(whole[:at] + bytes([whole[at] ^ 1]) + whole[at + 1 :])
        found = trail([journal_of(campaign), copy_of(campaign)])
        assert (b"".join(found.raws), found.head) == (whole, campaign.head), at


def test_changed_line_ends_are_as_they_were_again(campaign: Campaign, go: Go) -> None:
    go(2)
    whole = journal_of(campaign).read_bytes()
    journal_of(campaign).write_bytes(b"\xef\xbb\xbf" + whole.replace(b"\n", b"\r\n"))
    assert b"".join(trail([journal_of(campaign)]).raws) == whole


def test_lines_written_together_count_only_together(campaign: Campaign, go: Go) -> None:
    go(3)
    before = trail([journal_of(campaign)])
    with campaign.writing():
        campaign.undo(3)
    lines = journal_of(campaign).read_bytes().splitlines(keepends=True)
    for last in (5, 6):
        journal_of(campaign).write_bytes(b"".join(lines[:last]))
        assert trail([journal_of(campaign)]) == before
    journal_of(campaign).write_bytes(b"".join(lines))
    assert trail([journal_of(campaign)]).tables["units"]["a"]["n"] == 0


# points


def test_the_latest_lines_and_the_ends_of_sessions_are_offered(campaign: Campaign, go: Go) -> None:
    """Line 1 makes it; 2 to 4 are steps, 5 begins session 1, 6 and 7 are steps, 8 ends it, 9 to 11 are a note each."""
    go(3)
    session = {"number": 1, "name": "", "started": "", "first_seq": 5, "ended": None, "last_seq": None}
    begin = {"path": "sessions.session-1", "after": session, "rule": ""}
    end = {"path": "sessions.session-1.last_seq", "before": None, "after": 8, "rule": ""}
    with campaign.writing():
        campaign.append([mark("session start", changes=[begin])])
    go(2)
    with campaign.writing():
        campaign.append([mark("session end", changes=[end])])
        for _ in range(3):
            campaign.append([mark("note")])
    found = listed(campaign)
    assert [(point.seq, point.kind, point.session) for point in found] == [
        (11, "line", 0), (8, "ended", 1), (7, "line", 1), (6, "line", 1), (5, "began", 1), (4, "line", 0),
        (3, "line", 0), (2, "line", 0),
    ]  # fmt: skip


@pytest.mark.parametrize("harm", ["none", "gone", "empty", "garbage", "torn", "flipped", "both", "null"])
def test_the_state_is_exactly_that_of_the_point_whatever_became_of_the_journal(
    campaign: Campaign, go: Go, harm: str
) -> None:
    """Six lines, figure 5 at the last one and 3 at the fourth; what lay there before is kept."""
    go(5)
    campaign.save_snapshot()
    path, whole = journal_of(campaign), journal_of(campaign).read_bytes()
    harmed = {
        "none": whole, "empty": b"", "garbage": os.urandom(500), "torn": whole[:-30], "null": b"null\n",
        "flipped": whole.replace(b'"after":2', b'"after":3'), "both": whole[: len(whole) // 2], "gone": None,
    }[harm]  # fmt: skip
    if harmed is None:
        path.unlink()
    else:
        path.write_bytes(harmed)
    if harm == "both":
        (campaign.path / "campaign.json").write_bytes(b"{}")
    for seq, n in ((6, 5), (4, 3)):
        point = next(point for point in listed(campaign) if point.seq == seq)
        kept = points.restore(campaign.path, point)
        again = open_campaign(campaign.path, write=True)
        assert (figure(again), again.head.seq) == (n, seq + 1)  # the last one is the mark of it
        if seq == 6 and harmed is not None:
            assert (kept / "journal.jsonl").read_bytes() == harmed
    assert [path.name for path in campaign.path.iterdir() if path.suffix == ".tmp"] == []


def test_a_restore_is_taken_back_by_another(campaign: Campaign, go: Go) -> None:
    go(4)
    campaign.save_snapshot()
    before = plain(campaign)
    points.restore(campaign.path, points.point_at(campaign.path, 2))
    again = open_campaign(campaign.path, write=True)
    with again.writing():
        again.append([step(1, "another way")])
    again.save_snapshot()
    assert [point.seq for point in listed(campaign)][:3] == [4, 2, 5]  # 3 is the mark
    point = next(point for point in listed(campaign) if point.kind == "replaced")
    assert point.seq == 5
    points.restore(campaign.path, point)
    assert plain(open_campaign(campaign.path, write=False)) == before


def test_what_cannot_be_read_is_no_point(campaign: Campaign) -> None:
    journal_of(campaign).write_bytes(b"")
    with pytest.raises(Refused, match="unreadable"):
        points.points(campaign.path)
    assert journal_of(campaign).read_bytes() == b""


def test_a_line_that_is_not_there_is_refused(campaign: Campaign, go: Go) -> None:
    go(1)
    with pytest.raises(Refused, match="no-such-line"):
        points.point_at(campaign.path, 3)


def test_a_restore_that_the_disk_refuses_changes_nothing(
    campaign: Campaign, go: Go, monkeypatch: pytest.MonkeyPatch
) -> None:
    go(3)
    point = points.point_at(campaign.path, 2)
    before = {path: path.read_bytes() for path in campaign.path.rglob("*") if path.is_file()}

    def full(*_: object) -> int:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "write", full)
    with pytest.raises(Refused, match="disk"):
        points.restore(campaign.path, point)
    monkeypatch.undo()
    assert {path: path.read_bytes() for path in campaign.path.rglob("*") if path.is_file()} | before == before


# what can be saved


def test_what_is_saved_lies_beside_and_the_damaged_one_is_as_it_was(campaign: Campaign, go: Go) -> None:
    """Line 4 of 6 is gone and there is no second copy: three lines follow, the snapshot has the state of the sixth."""
    go(5)
    campaign.save_snapshot()
    (campaign.path / "rules").mkdir()
    (campaign.path / "rules" / "mine.toml").write_text("format = 1\n")
    copy_of(campaign).unlink()
    lines = journal_of(campaign).read_bytes().splitlines(keepends=True)
    journal_of(campaign).write_bytes(b"".join(lines[:3] + lines[4:]))
    before = {path: path.read_bytes() for path in campaign.path.rglob("*") if path.is_file()}
    left = salvage.remains_of(campaign.path)
    assert (left.trail.head.seq, left.state) == (3, 6)
    made = salvage.save_beside(campaign.path, left, "doctor --save")
    assert {path: path.read_bytes() for path in campaign.path.rglob("*") if path.is_file()} == before
    saved = open_campaign(made, write=True)
    assert (figure(saved), saved.head.seq) == (5, 4)
    assert saved.tables["campaign"]["campaign"]["name"] == "Test (2)"
    assert (made / "rules" / "mine.toml").read_text() == "format = 1\n"
    assert [finding["code"] for finding in doctor.check(made)] == ["snapshot-missing"]
    with saved.writing():
        saved.undo(2)  # what a later line has written over stays
    assert figure(saved) == 5
    assert salvage.save_beside(campaign.path, left, "doctor --save").name == "test-3"


def test_a_snapshot_alone_gives_its_state(campaign: Campaign, go: Go) -> None:
    go(2)
    campaign.save_snapshot()
    shutil.rmtree(campaign.path / "backups")
    journal_of(campaign).unlink()
    left = salvage.remains_of(campaign.path)
    assert (left.trail.head.seq, left.state) == (0, 3)
    saved = open_campaign(salvage.save_beside(campaign.path, left, ""), write=False)
    assert (figure(saved), saved.head.seq) == (2, 1)
    assert {**saved.tables, "campaign": None} == {**campaign.tables, "campaign": None}


def test_where_nothing_is_left_that_is_said(campaign: Campaign) -> None:
    journal_of(campaign).write_bytes(b"\0" * 200)
    (campaign.path / "campaign.json").write_text(json.dumps({"journal": {}}))
    assert not salvage.remains_of(campaign.path).anything


# what shares a file with it


def test_a_copy_made_as_hard_links_is_not_added_to(campaign: Campaign, go: Go, tmp_path: Path) -> None:
    go(2)
    campaign.save_snapshot()
    spare = tmp_path / "spare"
    shutil.copytree(campaign.path, spare, copy_function=os.link)
    before = {path: path.read_bytes() for path in spare.rglob("*") if path.is_file()}
    go(2)
    campaign.save_snapshot()
    assert {path: path.read_bytes() for path in spare.rglob("*") if path.is_file()} == before
    assert (figure(open_campaign(spare, write=False)), figure(open_campaign(campaign.path, write=False))) == (2, 4)


def test_a_journal_behind_a_link_is_kept_as_what_it_holds(campaign: Campaign, go: Go) -> None:
    go(3)
    campaign.save_snapshot()
    elsewhere = campaign.path.parent / "elsewhere.jsonl"
    journal_of(campaign).rename(elsewhere)
    journal_of(campaign).symlink_to("../elsewhere.jsonl")
    whole = elsewhere.read_bytes()
    kept = points.restore(campaign.path, points.point_at(campaign.path, 2))
    assert (kept / "journal.jsonl").read_bytes() == whole
    assert figure(open_campaign(campaign.path, write=False)) == 1


def test_a_journal_that_has_lost_whole_lines_is_told_by_the_copy_alone(campaign: Campaign, go: Go) -> None:
    """Cut at the end of a line and without a snapshot, only the second copy knows."""
    go(3)
    campaign.save_snapshot()
    lines = journal_of(campaign).read_bytes().splitlines(keepends=True)
    journal_of(campaign).write_bytes(b"".join(lines[:2]))
    (campaign.path / "campaign.json").unlink()
    again = open_campaign(campaign.path, write=False)
    assert again.notices == [{"code": "snapshot-missing"}, {"code": "copy-ahead", "journal": 2}]
    assert listed(campaign)[0].seq == 4


def test_an_old_line_without_a_checksum_is_checked_by_the_line_behind_it(campaign: Campaign, go: Go) -> None:
    """Format 1: an undo that goes back over a changed line is refused, whatever the snapshot says of the state."""
    from tests.test_formats import FORMATS

    folder = campaign.path.parent / "old"
    shutil.copytree(FORMATS / "1", folder, ignore=shutil.ignore_patterns("status.json", "open.json"))
    file = folder / "journal.jsonl"
    lines = file.read_bytes().splitlines(keepends=True)
    whole, flipped = lines[31], lines[31].replace(b'"before":100,', b'"before":101,')
    assert flipped != whole
    lines[31] = flipped
    file.write_bytes(b"".join(lines))
    with pytest.raises(Refused, match="unreadable"):
        open_campaign(folder, write=False)
    lines[31] = whole
    file.write_bytes(b"".join(lines))
    new = open_campaign(folder, write=True)
    with new.writing():
        new.append([mark("in the new format")])
    assert new.save_snapshot()
    lines = file.read_bytes().splitlines(keepends=True)
    lines[31] = flipped
    file.write_bytes(b"".join(lines))
    old = open_campaign(folder, write=True)
    with old.writing(), pytest.raises(Refused, match="unreadable"):
        old.undo(5)


@pytest.mark.parametrize("copied", [True, False])
def test_ctrl_c_behind_the_move_of_a_restore_leaves_what_was_there(
    campaign: Campaign, go: Go, monkeypatch: pytest.MonkeyPatch, copied: bool
) -> None:
    """Python tells of it when the call is over: the journal has its new place already."""
    go(4)
    campaign.save_snapshot()
    whole = journal_of(campaign).read_bytes()
    if not copied:
        shutil.rmtree(campaign.path / "backups")
    point = points.point_at(campaign.path, 2)
    real = os.replace

    def replaced(source: object, target: object) -> None:
        real(source, target)  # type: ignore[call-overload]
        raise KeyboardInterrupt

    monkeypatch.setattr(os, "replace", replaced)
    with pytest.raises(KeyboardInterrupt):
        points.restore(campaign.path, point)
    monkeypatch.undo()
    assert figure(open_campaign(campaign.path, write=False)) == 1
    kept = next(point for point in listed(campaign) if point.seq == 5)  # as lines of the copy, or put by
    points.restore(campaign.path, kept)
    assert journal_of(campaign).read_bytes().startswith(whole)
    assert figure(open_campaign(campaign.path, write=False)) == 4


def test_an_undo_whose_step_cannot_be_read_is_refused_and_not_done(campaign: Campaign, go: Go) -> None:
    """After an undo and a redo the step to take back is the redo's; what it first was stands in a line further up."""
    go(2)
    with campaign.writing():
        campaign.undo()
        campaign.redo()
    lines = journal_of(campaign).read_bytes().splitlines(keepends=True)
    spoilt = [*lines[:2], lines[2].replace(b"raise a", b"raise b"), *lines[3:]]
    campaign.save_snapshot()
    journal_of(campaign).write_bytes(b"".join(spoilt))
    again = open_campaign(campaign.path, write=True)
    with again.writing(), pytest.raises(Refused, match="unreadable"):
        again.undo()
    assert journal_of(campaign).read_bytes() == b"".join(spoilt)
