"""A byte changed anywhere, in any file: refused and left alone, or recovered with an account; never quietly wrong."""

from collections.abc import Callable
from pathlib import Path

import pytest

from gmtool.kernel.refusal import Refused
from gmtool.store import doctor, openruling
from gmtool.store.campaign import Campaign, open_campaign
from tests.unit.store.conftest import plain

Go = Callable[[int], None]
FLIPS = (0x01, 0x20, 0x80)


def flipped(whole: bytes, at: int, bit: int) -> bytes:
    return whole[:at] + bytes([whole[at] ^ bit]) + whole[at + 1 :]


def opened(path: Path) -> tuple[str, list[str]]:
    """The state as text and the codes of what was told, or the code of the refusal."""
    try:
        campaign = open_campaign(path, write=True)
    except Refused as refused:
        return refused.code, []
    return plain(campaign), [notice["code"] for notice in campaign.notices]


@pytest.mark.parametrize("bit", FLIPS)
def test_a_journal_that_is_read_whole_is_refused_wherever_a_byte_of_it_changed(
    campaign: Campaign, go: Go, bit: int
) -> None:
    """Without a snapshot every line counts. Only the end of the last line may be lost so: a write that broke off."""
    go(3)
    file = campaign.path / "journal.jsonl"
    whole = file.read_bytes()
    last = whole[:-1].rfind(b"\n") + 1
    for at in range(len(whole)):
        file.write_bytes(flipped(whole, at, bit))
        state, _ = opened(campaign.path)
        if at == len(whole) - 1:
            file.write_bytes(whole[:last])
            assert state == opened(campaign.path)[0]
        else:
            assert state in ("unreadable", "newer"), at
        assert doctor.check(campaign.path)
    assert not (campaign.path / "backups").exists()


@pytest.mark.parametrize("bit", FLIPS)
def test_the_last_line_counts_as_it_was_written_or_not_at_all(campaign: Campaign, go: Go, bit: int) -> None:
    """With a snapshot the lines before are not read; the last one alone tells that it is of this journal."""
    go(3)
    campaign.save_snapshot()
    file, good = campaign.path / "journal.jsonl", plain(campaign)
    whole = file.read_bytes()
    last = whole[:-1].rfind(b"\n") + 1
    for at in range(len(whole)):
        file.write_bytes(flipped(whole, at, bit))
        state, told = opened(campaign.path)
        if at >= last:
            assert state in ("unreadable", "newer") or told == ["snapshot-ahead"], at
        elif state not in ("unreadable", "newer"):
            assert (state, told) == (good, []), at
        assert doctor.check(campaign.path), at


@pytest.mark.parametrize("bit", FLIPS)
def test_a_snapshot_that_changed_is_never_believed(campaign: Campaign, go: Go, bit: int) -> None:
    go(3)
    campaign.save_snapshot()
    file, good = campaign.path / "campaign.json", plain(campaign)
    whole = file.read_bytes()
    for at in range(len(whole)):
        file.write_bytes(flipped(whole, at, bit))
        state, told = opened(campaign.path)
        assert state == "newer" or (state == good and len(told) == 1), at
        assert doctor.check(campaign.path), at
    for end in range(len(whole)):
        file.write_bytes(whole[:end])
        assert opened(campaign.path) == (good, ["snapshot-damaged"])


@pytest.mark.parametrize("bit", FLIPS)
def test_an_open_ruling_that_changed_is_none(campaign: Campaign, bit: int) -> None:
    openruling.save(campaign.path, {"verb": "attack", "given": {"attack.lead": {"faces": [9, 2]}}, "step": [3, 812]})
    file = campaign.path / "open.json"
    whole = file.read_bytes()
    for at in range(len(whole)):
        file.write_bytes(flipped(whole, at, bit))
        assert asked(campaign.path) in ("newer", "open-damaged"), at


def asked(path: Path) -> str:
    """What is said of an open ruling that must not count."""
    told: list[dict[str, str]] = []
    try:
        found = openruling.load(path, told)
    except Refused as refused:
        return refused.code
    return told[0]["code"] if found is None and told else ""
