"""A what-if beside the journal: read as if its lines stood behind, never in it before they are kept, in one write."""

import random
from collections.abc import Callable
from pathlib import Path
from zipfile import ZipFile

import pytest

from gmtool.kernel.refusal import Refused
from gmtool.store import branch
from gmtool.store.campaign import Campaign, open_campaign
from gmtool.store.shelf import import_zip
from tests.unit.store.conftest import figure, plain, step


@pytest.fixture
def tried(campaign: Campaign, go: Callable[[int], None]) -> Campaign:
    """A campaign raised twice, the second time in a what-if, and opened where that stands."""
    go(1)
    found = branched(campaign.path)
    with found.writing():
        found.begin_branch()
        found.append([step(1)])
    return found


def branched(path: Path) -> Campaign:
    return open_campaign(path, write=True, branched=True)


def test_who_opens_it_along_with_its_what_if_stands_there_and_others_on_the_real_line(tried: Campaign) -> None:
    real, other = open_campaign(tried.path, write=False), branched(tried.path)
    assert [(figure(each), each.head.seq) for each in (real, other, tried)] == [(1, 2), (2, 3), (2, 3)]
    assert (other.tried, other.branch, real.branch) == (1, tried.branch, None)


def test_lines_are_read_across_the_two_files_from_either_end(tried: Campaign) -> None:
    for found in (tried, branched(tried.path)):
        assert [line["seq"] for line in found.lines()] == [1, 2, 3]
        assert [line["seq"] for line in found.lines(3)] == [3]
        assert [line["seq"] for line in found.backwards()] == [3, 2, 1]
        assert [line["seq"] for line in found.undoable()] == [3, 2]
        assert (found.find(2) or {})["line"] == (found.find(3) or {})["line"] == "raise a"
        assert found.find(4) is None


def test_the_snapshot_keeps_telling_of_the_real_line(tried: Campaign) -> None:
    before = (tried.path / "campaign.json").read_bytes()
    assert tried.save_snapshot()
    assert (tried.path / "campaign.json").read_bytes() == before


def test_on_the_real_line_nothing_can_be_written_while_a_what_if_is_on(tried: Campaign) -> None:
    real = open_campaign(tried.path, write=True)
    before = (tried.path / "journal.jsonl").read_bytes()
    with pytest.raises(Refused) as refused, real.writing():
        real.append([step(1)])
    assert (refused.value.code, (tried.path / "journal.jsonl").read_bytes()) == ("branch-open", before)


def test_a_line_is_not_written_where_a_what_if_began_or_ended_since_it_was_typed(tried: Campaign) -> None:
    other = branched(tried.path)
    with tried.writing():
        tried.drop_branch()
    with pytest.raises(Refused) as refused, other.writing():
        other.append([step(2)])
    assert (refused.value.code, refused.value.key) == ("branch-open", "branch-ended")
    with tried.writing():
        tried.begin_branch()
    with pytest.raises(Refused) as refused, other.writing():
        other.append([step(1)])
    assert refused.value.key == "branch-began"
    with other.writing():
        other.append([step(1)])
    assert (figure(other), other.tried) == (2, 1)


def test_others_go_on_in_the_same_what_if_and_see_each_others_lines(tried: Campaign) -> None:
    other = branched(tried.path)
    with other.writing():
        other.append([step(2)])
    assert tried.refresh() == 1
    assert (figure(tried), plain(tried)) == (3, plain(other))


def test_a_campaign_that_only_looks_follows_begin_keep_and_drop(campaign: Campaign, tried: Campaign) -> None:
    looks = branched(tried.path)
    with tried.writing():
        tried.keep_branch()
    looks.refresh()
    assert (figure(looks), looks.branch, looks.head) == (2, None, tried.head)
    with tried.writing():
        tried.begin_branch()
        tried.append([step(2)])
    looks.refresh()
    assert (figure(looks), looks.tried) == (3, 1)
    with tried.writing():
        tried.drop_branch()
    looks.refresh()
    assert (figure(looks), looks.branch, plain(looks)) == (2, None, plain(tried))


@pytest.mark.parametrize("seed", range(5))
def test_what_is_kept_is_a_journal_as_if_written_there(tried: Campaign, seed: int) -> None:
    """Steps, undos, redos and marks by chance; every pointer goes to its line again."""
    chance = random.Random(seed)
    with tried.writing():
        for _ in range(40):
            move = chance.choice(("step", "step", "undo", "redo", "mark"))
            if move == "step":
                tried.append([step(figure(tried))])
            elif move == "mark":
                tried.append([{"kind": "mark", "line": "note"}])
            else:
                with_left = (each["seq"] > 2 for each in (tried.undoable() if move == "undo" else tried.redoable()))
                if next(with_left, False):
                    getattr(tried, move)()
        undoable, redoable = [each["seq"] for each in tried.undoable()], [each["seq"] for each in tried.redoable()]
        state, lines = plain(tried), tried.tried
        assert len(tried.keep_branch()) == lines
    again = open_campaign(tried.path, write=False)
    assert (plain(again), again.head) == (state, tried.head)
    assert [each["seq"] for each in again.undoable()] == undoable
    assert [each["seq"] for each in again.redoable()] == redoable
    assert not (tried.path / branch.NAME).exists()


def test_a_keep_that_is_torn_off_in_the_middle_counts_as_nothing(tried: Campaign) -> None:
    with tried.writing():
        tried.append([step(2), step(3)])
    journal = tried.path / "journal.jsonl"
    before, lying = journal.read_bytes(), (tried.path / branch.NAME).read_bytes()
    with tried.writing():
        tried.keep_branch()
    whole = journal.read_bytes()
    (tried.path / branch.NAME).write_bytes(lying)
    for cut in range(len(before), len(whole)):
        journal.write_bytes(whole[:cut])
        assert figure(open_campaign(tried.path, write=False)) == 1
        if cut % 97 == 0:
            assert (figure(branched(tried.path)), branched(tried.path).tried) == (4, 3)
    journal.write_bytes(whole)
    assert (figure(branched(tried.path)), branched(tried.path).branch) == (4, None)


@pytest.mark.parametrize("move", ["undo", "redo"])
def test_undo_and_redo_do_not_lead_out_of_it(campaign: Campaign, go: Callable[[int], None], move: str) -> None:
    go(3)
    with campaign.writing():
        campaign.undo()
    found = branched(campaign.path)
    with found.writing():
        found.begin_branch()
        with pytest.raises(Refused) as refused:
            getattr(found, move)()
    assert (refused.value.code, refused.value.key) == (f"nothing-to-{move}", f"branch-{move}")
    assert figure(found) == 2


def test_a_second_one_is_refused_and_so_is_the_end_of_none(tried: Campaign) -> None:
    with tried.writing():
        with pytest.raises(Refused, match="branch-on"):
            tried.begin_branch()
        assert tried.drop_branch() == 1
        for end in (tried.drop_branch, tried.keep_branch):
            with pytest.raises(Refused, match="no-branch"):
                end()


@pytest.mark.parametrize("bit", [0, 3, 6])
def test_one_that_changed_is_none_or_ends_before_its_last_line(tried: Campaign, bit: int) -> None:
    """Never is another figure believed; a line whose end is gone was never done."""
    file = tried.path / branch.NAME
    whole = file.read_bytes()
    for at in range(len(whole)):
        file.write_bytes(whole[:at] + bytes([whole[at] ^ 1 << bit]) + whole[at + 1 :])
        stands, told = opened(tried.path)
        assert stands == 1, at
        assert at == len(whole) - 1 or told in (["branch-damaged"], ["branch-left"], ["newer"]), (at, told)


def opened(path: Path) -> tuple[int, list[str]]:
    """How far unit a is raised and what was told; as on the real line, with the code, where it is not opened."""
    try:
        found = branched(path)
    except Refused as refused:
        return 1, [refused.code]
    return figure(found), [notice["code"] for notice in found.notices]


def test_what_is_sent_as_a_zipped_folder_is_the_real_line(tried: Campaign, tmp_path: Path) -> None:
    archive = tmp_path / "sent.zip"
    with ZipFile(archive, "w") as packed:
        for name in ("journal.jsonl", "campaign.json", branch.NAME):
            packed.write(tried.path / name, name)
    folder = import_zip(tmp_path / "far", archive)
    assert not (folder / branch.NAME).exists()
    assert figure(branched(folder)) == 1
