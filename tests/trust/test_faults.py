"""Every line broken off, and every call of the system failing, at each place where a line changes the disk."""

import os
import signal
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from gmtool.store import doctor
from tests.trust.faults import DIED, ERRORS, count, dies, fails, interrupts, layer, short
from tests.trust.hands import ATTACK, START, Child, Ran, copied, gm, made, needs_fork, stand, strays, typed
from tests.trust.works import EVADED, FACES, SPENT, WORKS, View, done, part_by_part, prepared, view

MOVED = ("campaign new", "campaign import", "campaign remove")
LYING = {"open.json.tmp", "branch.jsonl.tmp", "new.tmp"}
"""What may be left of a line that was broken off: the next of its kind writes over it, or it goes with its backup."""

WARNED = {"snapshot-behind", "not-chosen"}
"""What a line that is done may say of what could not be written besides."""


class Bench:
    """A work, its home as it is before and after it, and how many calls it makes."""

    def __init__(self, folder: Path, name: str) -> None:
        work = WORKS[name]
        self.work, self.folder, self.name = work, folder, name
        self.base = prepared(folder / "base", work)
        self.before = view(self.base)
        self.tried = 0
        home = self.fresh()
        with layer(home, count) as there:
            assert done(home, work).code in (0, 1)
        self.calls = list(there.calls)
        self.after = view(home)

    def fresh(self) -> Path:
        """A copy of the home."""
        self.tried += 1
        return copied(self.base, self.folder / f"try-{self.tried}" / "home")


@pytest.fixture(scope="module", params=WORKS)
def bench(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Bench:
    return Bench(tmp_path_factory.mktemp("bench"), request.param)


def goes_on(home: Path, now: View) -> None:
    """Every campaign opens and takes a line, and then nothing is wrong or left over."""
    for slug, stood in now.campaigns.items():
        if stood.tried:
            assert gm(home, "-c", slug, "note", "goes on").told[0]["branch"]["lines"] == len(stood.tried) - 1
            assert gm(home, "-c", slug, "drop").code == 0
        ran = gm(home, "-c", slug, "note", "goes on")
        assert (ran.code, ran.told[0]["ok"]) == (0, True), ran
        assert doctor.check(home / slug) == []
        assert stand(home / slug).seq == stood.seq + 1
        assert not strays(home / slug) - LYING


def places(calls: list[str]) -> Iterator[tuple[int, str]]:
    """Before, in the middle of and after each call; what is after one is before the next."""
    for k, name in enumerate(calls, 1):
        yield k, "before"
        if "write" in name:
            yield k, "middle"
    yield len(calls), "after"


@needs_fork
def test_a_line_broken_off_at_any_call_is_there_or_not_at_all(bench: Bench) -> None:
    for k, moment in places(bench.calls):
        home = bench.fresh()

        def work(out: Any, home: Path = home, k: int = k, moment: str = moment) -> None:
            with layer(home, dies(k, moment)):
                done(home, bench.work)

        code, told = Child(work).end()
        assert code == DIED, told
        now = view(home)
        assert part_by_part(now, bench.before, bench.after), (k, moment, bench.calls)
        goes_on(home, now)


def unsure(bench: Bench, k: int, always: bool) -> bool:
    """Whether the line may stand although it was refused; see the two faults below that are known."""
    name, before = bench.calls[k - 1], bench.calls[: k - 1]
    return name == "fsync" and (always or (bench.name in MOVED and "rename" in before))


def refused(ran: Ran, now: View, bench: Bench, either: bool = False) -> None:
    """The system failed, and the line says so: it is done with a warning, or nothing has changed."""
    told = ran.told[-1]
    assert ran.err == ""
    if told["ok"] or told["error"]["code"] == "needs-answer":
        assert (now.campaigns, now.removed) == (bench.after.campaigns, bench.after.removed)
        if now != bench.after and bench.name != "campaign remove":  # a choice that stays is told by the next line
            assert WARNED & {warning["code"] for warning in told["warnings"]}
        return
    assert (ran.code, told["error"]["code"]) == (4, "disk"), ran
    assert told["error"]["hint"]
    assert now == bench.before or (either and part_by_part(now, bench.before, bench.after))


@pytest.mark.parametrize("always", [False, True], ids=["once", "from then on"])
def test_a_call_that_fails_leaves_the_line_done_or_undone_and_says_which(bench: Bench, always: bool) -> None:
    for k in range(1, len(bench.calls) + 1):
        home, number = bench.fresh(), ERRORS[(k + always) % len(ERRORS)]
        with layer(home, fails(k, number, always=always)):
            ran = done(home, bench.work)
        now = view(home)
        try:
            refused(ran, now, bench, either=unsure(bench, k, always))
        except AssertionError as error:
            pytest.fail(f"call {k}, {bench.calls[k - 1]}, error {number}: {ran}\n{error}")
        goes_on(home, now)


def test_ctrl_c_at_any_call_leaves_the_line_done_or_undone(bench: Bench) -> None:
    for k, moment in places(bench.calls):
        if moment == "middle":
            continue
        home = bench.fresh()
        with layer(home, interrupts(k, moment)):
            ran = done(home, bench.work)
        assert ran.code == 130, (k, moment, ran)
        now = view(home)
        assert part_by_part(now, bench.before, bench.after), (k, moment, bench.calls)
        goes_on(home, now)


def test_a_disk_that_takes_a_few_bytes_at_a_time_gets_all_of_them(bench: Bench) -> None:
    home = bench.fresh()
    with layer(home, short):
        assert done(home, bench.work).code in (0, 1)
    assert view(home) == bench.after


@pytest.mark.parametrize("name", MOVED)
def test_a_campaign_whose_folder_was_moved_but_not_flushed_is_put_back(tmp_path: Path, name: str) -> None:
    bench = Bench(tmp_path, name)
    behind = bench.calls.index("rename") + 2
    home = bench.fresh()
    with layer(home, fails(behind, ERRORS[1])):
        refused(done(home, bench.work), view(home), bench)


def test_a_line_that_could_not_be_cut_off_again_is_not_said_to_be_unrecorded(tmp_path: Path) -> None:
    bench = Bench(tmp_path, "a note")
    home = bench.fresh()
    with layer(home, fails(bench.calls.index("fsync") + 1, ERRORS[1], always=True)):
        ran = done(home, bench.work)
    assert view(home) == bench.before or "nothing has changed" not in ran.told[-1]["error"]["message"]


def test_a_question_whose_line_was_done_does_not_come_back_with_an_undo(tmp_path: Path) -> None:
    """The question could not be removed behind the line that answered it; the line is done all the same."""
    home = made(tmp_path, (*START, ATTACK, f"answer {FACES}"))
    asked = (home / "test" / "open.json").read_bytes()
    assert gm(home, "answer", EVADED).code == 0
    (home / "test" / "open.json").write_bytes(asked)  # as after a kill between the two
    for line in ("note here", "undo", "note there", "redo", "undo", "set units.arrow.fuel 3"):
        assert gm(home, *line.split()).code == 0, line
        assert stand(home / "test").open == "null"
    assert not (home / "test" / "open.json").exists()


def test_a_folder_begun_by_a_process_that_was_killed_keeps_no_other_from_making_one(tmp_path: Path) -> None:
    """In a container every process may have the number of the one before."""
    home = made(tmp_path)
    left = home / f".new-{os.getpid()}"
    left.mkdir()
    (left / "journal.jsonl").write_bytes(b'{"format":1,"seq":1,"time":"2026-1')
    assert gm(home, "campaign", "new", "Other", "--system", "rtype").code == 0
    assert stand(home / "other").seq == 1
    assert not left.exists()


@pytest.mark.skipif(sys.platform == "win32", reason="signals are what is meant")
def test_calls_that_a_signal_breaks_off_are_made_again(tmp_path: Path) -> None:
    home, rung = made(tmp_path), list[int]()
    before = signal.signal(signal.SIGALRM, lambda number, frame: rung.append(number))
    signal.setitimer(signal.ITIMER_REAL, 0.0005, 0.0005)
    try:
        for line in SPENT * 5:
            assert typed(home, line).code == 0
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    assert len(rung) > 15
    assert doctor.check(home / "test") == []
