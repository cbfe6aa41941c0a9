"""Field report O2: the order is the journal's, whatever the clock does; times are for the eye, and no length is false.

The clock of these tests is the process's own, put to a moment and into a zone before each line.
"""

import time
from collections.abc import Callable, Iterator
from datetime import datetime
from typing import Any

import pytest

from gmtool.referee import clock
from tests.field.table import Table, journal
from tests.unit.store.conftest import summed

Clock = Callable[[str, str], None]
BERLIN = "CET-1CEST,M3.5.0,M10.5.0/3"
KATHMANDU = "<+0545>-5:45"
NEWFOUNDLAND = "<-0330>3:30"


@pytest.fixture
def at(monkeypatch: pytest.MonkeyPatch) -> Iterator[Clock]:
    """Put the clock to a moment (with its offset, or seconds since 1970) and the computer into a zone."""
    if not hasattr(time, "tzset"):
        pytest.skip("the zone of a process cannot be changed here")
    strftime, moment = time.strftime, [0]

    def put(stamp: str, zone: str) -> None:
        moment[0] = int(stamp) if stamp.lstrip("-").isdecimal() else int(datetime.fromisoformat(stamp).timestamp())
        monkeypatch.setenv("TZ", zone)
        time.tzset()

    with monkeypatch.context() as patch:
        patch.setattr(time, "strftime", lambda form: strftime(form, time.localtime(moment[0])))
        yield put
    monkeypatch.undo()
    time.tzset()


def ended(table: Table) -> dict[str, Any]:
    """What the end of a session says of its length."""
    result = table.do("session", "end")["result"]
    return {key: result[key] for key in ("minutes", "clock_changed")}


def test_p_o2_lines_and_undo_keep_their_order_when_the_clock_is_set_back_an_hour(squads: Table, at: Clock) -> None:
    at("2026-06-01T21:00:00+00:00", "UTC")
    squads.do("session", "start")
    for stamp, fuel in (("21:30", 9), ("20:31", 8), ("20:31", 7)):
        at(f"2026-06-01T{stamp}:00+00:00", "UTC")
        squads.do("set", "units.alpha.fuel", str(fuel))
    squads.do("undo")
    assert squads.unit("alpha")["fuel"] == 8
    steps = [line["line"] for line in squads.do("history", "--all")["result"]["lines"] if line["kind"] == "step"]
    assert steps[-3:] == [f"set units.alpha.fuel {fuel}" for fuel in (9, 8, 7)]
    assert [line["time"][11:16] for line in journal(squads.home)[-4:]] == ["21:30", "20:31", "20:31", "20:31"]
    at("2026-06-01T22:00:00+00:00", "UTC")
    assert ended(squads) == {"minutes": None, "clock_changed": True}  # the end alone would be an hour after the start


@pytest.mark.parametrize(
    ("lang", "told", "listed"),
    [
        ("en", "The clock was changed meanwhile; how long it took is not known.", "clock changed"),
        ("ja", "途中で時計が変更されたため、プレイ時間は不明です。", "時計の変更あり"),
        ("ko", "도중에 시계가 변경되어 플레이 시간을 알 수 없습니다.", "시계 변경됨"),
    ],
)
def test_p_o2_a_session_whose_clock_went_back_says_so(
    squads: Table, at: Clock, lang: str, told: str, listed: str
) -> None:
    at("2026-06-01T21:00:00+00:00", "UTC")
    squads.do("session", "start")
    at("1969-12-31T23:00:00+00:00", "UTC")
    assert told in squads.show("session", "end", "--lang", lang)
    shown = squads.show("session", "list", "--lang", lang)
    assert listed in shown
    assert "1969-12-31 23:00" in shown
    (row,) = squads.do("session", "list")["result"]["sessions"]
    assert (row["minutes"], row["clock_changed"]) == (None, True)


@pytest.mark.parametrize(
    ("start", "end", "zones", "minutes"),
    [
        # from 23:15 in Kathmandu (17:30 UTC) to 16:10 in Newfoundland (19:40 UTC): 2 h 10 min, back on the dial
        ("2026-06-01T23:15:00+05:45", "2026-06-01T16:10:00-03:30", (KATHMANDU, NEWFOUNDLAND), 130),
        # 02:59 in summer, 02:04 in winter an hour and five minutes later, when summer time has ended at 03:00
        ("2026-10-25T02:59:00+02:00", "2026-10-25T03:04:00+02:00", (BERLIN, BERLIN), 5),
        ("2026-03-29T01:59:00+01:00", "2026-03-29T03:01:00+02:00", (BERLIN, BERLIN), 2),
        ("2026-06-01T20:00:00+00:00", "2026-06-01T20:00:59+00:00", ("", "Nowhere/Here"), 0),
        # set forward by two years (730 days and 12 minutes) is no going back, and is told as it is
        ("2026-06-01T20:00:00+00:00", "2028-05-31T20:12:00+00:00", ("UTC", "UTC"), 730 * 24 * 60 + 12),
        ("1969-12-31T23:50:00+00:00", "1970-01-01T00:20:00+00:00", ("UTC", KATHMANDU), 30),
    ],
)
def test_p_o2_a_length_is_that_between_two_moments_whatever_the_zones(
    squads: Table, at: Clock, start: str, end: str, zones: tuple[str, str], minutes: int
) -> None:
    at(start, zones[0])
    squads.do("session", "start")
    at(end, zones[1])
    assert ended(squads) == {"minutes": minutes, "clock_changed": False}


def test_p_o2_times_are_shown_with_their_zones_where_these_differ(squads: Table, at: Clock) -> None:
    at("2026-10-25T02:40:00+02:00", BERLIN)
    squads.do("session", "start")
    at("2026-10-25T02:10:00+01:00", BERLIN)
    assert "It took 30 min." in squads.show("session", "end")
    row = squads.show("session", "list").splitlines()[1]
    assert " ".join(row.split()) == "1 - 2026-10-25 02:40 +02:00 2026-10-25 02:10 +01:00 30 min 6-7"


@pytest.mark.parametrize(
    ("end", "told"),
    [
        ("2026-06-01T20:07:30+00:00", "It took 7 min."),
        ("2026-06-01T23:07:00+00:00", "It took 3 h 7 min."),
        ("2026-06-03T01:07:00+00:00", "It took 1 d 5 h."),
    ],
)
def test_p_o2_a_length_in_words(squads: Table, at: Clock, end: str, told: str) -> None:
    at("2026-06-01T20:00:00+00:00", "UTC")
    squads.do("session", "start")
    at(end, "UTC")
    assert told in squads.show("session", "end")


def test_p_o2_years_beyond_9999_stop_nothing(squads: Table, at: Clock) -> None:
    """253,402,300,800 seconds after 1970 the year 10000 begins; no length is told, and play goes on."""
    at("253402300800", "UTC")
    squads.do("session", "start")
    squads.do("set", "units.alpha.fuel", "9")
    at("253402304400", "UTC")
    assert ended(squads) == {"minutes": None, "clock_changed": False}
    assert "10000-01-01 00:00" in squads.show("session", "list")
    squads.do("undo")
    assert squads.do("doctor")["result"]["findings"] == []


@pytest.mark.parametrize("stamp", ["", "yesterday", "2026-06-01T20:00:00", "10000-01-01T00:00:00+00:00"])
def test_p_o2_of_a_stamp_that_says_no_moment_nothing_is_told(stamp: str) -> None:
    good = "2026-06-01T20:00:00+00:00"
    assert clock.seconds(good, stamp) is None
    assert clock.seconds(stamp, good) is None
    assert clock.minutes(good, stamp) is None
    assert not clock.set_back([good, stamp, good])


def test_p_o2_a_clock_set_back_is_seen_across_zones() -> None:
    """12:00 in Kathmandu is 06:15 UTC; 06:14 UTC is a minute before, 06:15 UTC is not."""
    assert clock.set_back(["2026-06-01T12:00:00+05:45", "2026-06-01T06:14:00+00:00"])
    assert not clock.set_back(["2026-06-01T12:00:00+05:45", "2026-06-01T06:15:00+00:00"])


def test_p_o2_a_session_from_before_its_clock_was_watched_is_told_from_its_times(squads: Table, at: Clock) -> None:
    """Rows without the mark are read as they were written."""
    at("2026-06-01T21:00:00+00:00", "UTC")
    squads.do("session", "start")
    at("2026-06-01T20:00:00+00:00", "UTC")
    squads.do("session", "end")
    path = squads.home / "test" / "journal.jsonl"
    lines = path.read_text(encoding="utf-8").splitlines(keepends=True)
    last = lines[-1].replace('{"path":"sessions.session-1.clock_changed","after":true,"rule":""},', "")
    assert last != lines[-1]
    path.write_bytes(summed("".join([*lines[:-1], last]).encode()))
    (squads.home / "test" / "campaign.json").unlink()
    (row,) = squads.do("session", "list")["result"]["sessions"]
    assert (row["minutes"], row["clock_changed"]) == (None, True)
