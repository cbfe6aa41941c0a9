"""``status --watch``: a second window that follows the table, in a real terminal, in a pipe, for one side."""

import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pexpect
import pyte
import pytest

from tests.conftest import ROOT, Ran
from tests.field.table import width
from tests.setups import FIGHT

Gm = Callable[..., Ran]
SOON = 15.0

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="a pseudo-terminal is driven")


@pytest.fixture
def fight(gm: Gm) -> Gm:
    """The command line in a fight."""
    assert gm("run", "-", input=FIGHT).code == 0
    return gm


def until(true: Callable[[], Any], what: Callable[[], str] = lambda: "it did not come") -> Any:
    """What becomes true within some seconds."""
    end = time.monotonic() + SOON
    while time.monotonic() < end:
        found = true()
        if found:
            return found
        time.sleep(0.02)
    raise AssertionError(what())


class Terminal:
    """A program in a terminal of its own, and what is on the screen of it."""

    def __init__(self, *argv: str, rows: int = 24, columns: int = 80, **env: str) -> None:
        settings = {**os.environ, "PYTHONPATH": str(ROOT), "TERM": "xterm", "PYTHONUTF8": "1", **env}
        settings.pop("COLUMNS", None)
        program = ["-m", "gmtool", "status", "--watch", *argv]
        self.child = pexpect.spawn(sys.executable, program, dimensions=(rows, columns), env=settings, timeout=SOON)
        self.screen = pyte.Screen(columns, rows)
        self.stream = pyte.ByteStream(self.screen)
        self.raw = b""

    def take(self) -> None:
        """Read what has come."""
        try:
            while True:
                data = self.child.read_nonblocking(65536, timeout=0.05)
                self.raw += data
                self.stream.feed(data)
        except (pexpect.TIMEOUT, pexpect.EOF):
            pass

    def shows(self, text: str) -> None:
        """Wait until the text stands on the screen."""

        def there() -> bool:
            self.take()
            return text in "\n".join(self.lines)

        until(there, lambda: f"{text!r} is not on\n" + "\n".join(self.lines))

    @property
    def lines(self) -> list[str]:
        """The lines of the screen."""
        return [line.rstrip() for line in self.screen.display]

    def resize(self, rows: int, columns: int) -> None:
        """Another size."""
        self.take()
        self.screen.resize(rows, columns)
        self.child.setwinsize(rows, columns)

    def ended(self) -> int:
        """Wait for the end; its exit code."""
        self.child.expect(pexpect.EOF)
        self.raw += self.child.before or b""
        self.child.close()
        return int(self.child.exitstatus if self.child.exitstatus is not None else 128 + self.child.signalstatus)


@pytest.fixture
def terminal(fight: Gm) -> Iterator[Callable[..., Terminal]]:
    """Windows that are closed at the end of the test."""
    opened: list[Terminal] = []

    def open_one(*argv: str, **how: Any) -> Terminal:
        opened.append(Terminal(*argv, **how))
        return opened[-1]

    yield open_one
    for each in opened:
        each.child.close(force=True)


RESTORED = b"\x1b[?25h\x1b[?1049l"


def files(folder: Path) -> dict[str, tuple[int, bytes]]:
    return {str(path): (path.stat().st_mtime_ns, path.read_bytes()) for path in folder.rglob("*") if path.is_file()}


def test_a_ruling_of_another_process_is_on_the_screen_at_once(fight: Gm, terminal: Callable[..., Terminal]) -> None:
    window = terminal()
    window.shows("Alpha")
    fight("fuel", "alpha", "7")
    seq = fight("why", "--json").objects[0]["seq"]
    window.shows(f"#{seq}")
    assert " 7 " in next(line for line in window.lines if "Alpha" in line)
    fight("undo")
    window.shows(f"#{seq - 1}")


def test_a_question_that_is_open_is_there_as_long_as_it_is(fight: Gm, terminal: Callable[..., Terminal]) -> None:
    window = terminal()
    window.shows("Alpha")
    assert fight("attack", "alpha", "vulcan", "beta").code == 1
    window.shows("5 rolls of D99")
    fight("answer", "--drop")
    until(lambda: (window.take(), "5 rolls of D99" not in "\n".join(window.lines))[1])


def test_one_thing_can_be_watched_and_what_is_the_matter_is_told_below(
    fight: Gm, terminal: Callable[..., Terminal]
) -> None:
    fight("unit", "add", "kestrel", "Gamma", "--side", "Players")
    window = terminal("gamma")
    window.shows("Gamma")
    fight("undo")
    window.shows('"gamma"')
    assert "Gamma" in window.lines[0]
    fight("redo")
    until(lambda: (window.take(), '"gamma"' not in "\n".join(window.lines))[1])


@pytest.mark.parametrize("key", ["q", "Q", "ｑ", "ㅂ"])
def test_q_ends_it_and_the_terminal_is_as_it_was(terminal: Callable[..., Terminal], key: str) -> None:
    """In whatever writing the keyboard is set to."""
    window = terminal()
    window.shows("Alpha")
    window.child.send(key)
    assert window.ended() == 0
    assert window.raw.endswith(RESTORED)


@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143), (signal.SIGHUP, 129)])
def test_what_ends_it_from_outside_leaves_the_terminal_as_it_was(
    terminal: Callable[..., Terminal], number: signal.Signals, code: int
) -> None:
    window = terminal()
    window.shows("Alpha")
    if number == signal.SIGINT:
        window.child.sendintr()
    else:
        window.child.kill(number)
    assert window.ended() == code
    assert window.raw.endswith(RESTORED)
    assert b"Traceback" not in window.raw


def test_ctrl_z_gives_the_screen_back_until_it_goes_on(fight: Gm, terminal: Callable[..., Terminal]) -> None:
    """Without a shell above it nothing stops it here; it still leaves the screen first and takes it again after."""
    window = terminal()
    window.shows("Alpha")
    window.child.kill(signal.SIGTSTP)
    until(lambda: (window.take(), RESTORED in window.raw)[1])
    window.child.kill(signal.SIGCONT)
    window.shows("Alpha")
    fight("fuel", "alpha", "7")
    window.shows(f"#{fight('why', '--json').objects[0]['seq']}")
    window.child.send("q")
    assert window.ended() == 0
    assert window.raw.count(b"\x1b[?1049h") == window.raw.count(RESTORED) == 2


def test_a_kill_leaves_no_lock_and_nothing_else(fight: Gm, home: Path, terminal: Callable[..., Terminal]) -> None:
    before = files(home)
    window = terminal()
    window.shows("Alpha")
    window.child.kill(signal.SIGKILL)
    window.child.wait()
    assert files(home) == before
    assert fight("fuel", "alpha", "7").code == 0


def test_a_window_that_got_smaller_says_how_much_is_left_out(terminal: Callable[..., Terminal]) -> None:
    """The board whole, then in six rows: five of it at most and the note, no line twice."""
    window = terminal()
    window.shows("Alpha")
    assert window.lines[window.lines.index("q ends it") - 1] == ""
    end = window.lines.index("q ends it") - 1
    whole = window.lines[:end]
    window.resize(6, 80)
    window.shows("too small")
    assert window.lines[0] == whole[0]
    (note,) = [line for line in window.lines if "too small" in line]
    shown = [line for line in window.lines if line and line != note]
    left_out = int(re.findall(r"\d+", note)[0])
    everything = len(window.lines) - 1 + left_out
    assert len(shown) <= 5
    window.resize(24, 80)
    until(lambda: (window.take(), "too small" not in "\n".join(window.lines))[1])
    assert window.lines[:end] == whole
    assert everything == end
    window.resize(3, 20)
    window.shows("Test")
    window.resize(40, 100)
    window.shows("q ends it")


@pytest.mark.parametrize("lang", ["en", "ja", "ko"])
@pytest.mark.parametrize("columns", [80, 120])
def test_no_row_is_wider_than_the_screen_and_none_has_colours_unless_wanted(
    terminal: Callable[..., Terminal], lang: str, columns: int
) -> None:
    window = terminal("--lang", lang, "--no-color", columns=columns)
    window.shows("Alpha")
    assert max(map(width, window.lines)) <= columns
    assert not re.findall(rb"\x1b\[[0-9;]+m", window.raw)


def test_a_campaign_that_is_away_for_a_moment_is_missed_and_found_again(
    fight: Gm, home: Path, terminal: Callable[..., Terminal]
) -> None:
    window = terminal()
    window.shows("Alpha")
    (home / "test").rename(home / "elsewhere")
    window.shows("There is no campaign in")
    window.shows("Alpha")
    (home / "elsewhere").rename(home / "test")
    fight("fuel", "alpha", "7")
    window.shows(f"#{fight('why', '--json').objects[0]['seq']}")


def test_another_campaign_of_a_like_name_is_not_taken_for_it(
    fight: Gm, home: Path, terminal: Callable[..., Terminal]
) -> None:
    window = terminal()
    window.shows("Alpha")
    fight("campaign", "new", "Testament", "--system", "rtype")
    fight("-c", "testament", "side", "add", "Strangers")
    (home / "test").rename(home.parent / "elsewhere")
    time.sleep(1.5)
    window.take()
    assert "Strangers" not in "\n".join(window.lines)
    assert "Alpha" in "\n".join(window.lines)


def test_a_restored_campaign_is_shown_as_it_is_now(fight: Gm, home: Path, terminal: Callable[..., Terminal]) -> None:
    """Another journal in its place, even of another game."""
    fight("campaign", "new", "Other", "--system", "talon")
    fight("-c", "other", "side", "add", "Terrans", "--race", "terran")
    window = terminal("-c", "test")
    window.shows("Alpha")
    for file in ("journal.jsonl", "campaign.json"):
        os.replace(home / "other" / file, home / "test" / file)
    window.shows("Terrans")


class Pipe:
    """The same without a terminal; its lines as they come."""

    def __init__(self, *argv: str, **env: str) -> None:
        settings = {**os.environ, "PYTHONPATH": str(ROOT), "PYTHONUTF8": "1", **env}
        program = [sys.executable, "-m", "gmtool", "status", "--watch", *argv]
        self.process = subprocess.Popen(program, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=settings)
        assert self.process.stdout
        os.set_blocking(self.process.stdout.fileno(), False)
        self.text = ""

    def take(self) -> str:
        """All that has come so far."""
        data = self.process.stdout.read()  # type: ignore[union-attr]
        self.text += data.decode() if data else ""
        return self.text

    def end(self, how: signal.Signals = signal.SIGTERM) -> int:
        """End it; the exit code."""
        self.process.send_signal(how)
        return self.process.wait(SOON)


@pytest.fixture
def pipe(fight: Gm) -> Iterator[Callable[..., Pipe]]:
    """Pipes that are closed at the end of the test."""
    opened: list[Pipe] = []

    def open_one(*argv: str, **env: str) -> Pipe:
        opened.append(Pipe(*argv, **env))
        return opened[-1]

    yield open_one
    for each in opened:
        each.process.kill()
        each.process.wait()
        for stream in (each.process.stdout, each.process.stderr):
            assert stream
            stream.close()


def test_in_a_pipe_each_change_brings_a_frame_and_nothing_else_does(fight: Gm, pipe: Callable[..., Pipe]) -> None:
    watched = pipe()
    until(lambda: "Alpha" in watched.take())
    fight("fuel", "alpha", "7")
    until(lambda: watched.take().count("Skirmish") >= 2 or watched.take().count("Beta") >= 2)
    fight("note", "Nothing of this is on the board")
    time.sleep(0.6)
    assert watched.take().count("-" * 40 + "\n") == 1
    assert "\x1b" not in watched.text
    assert watched.end() == 143


def test_as_json_each_change_is_one_object_with_the_state_and_the_latest_ruling(
    fight: Gm, pipe: Callable[..., Pipe]
) -> None:
    watched = pipe("--json")
    until(lambda: watched.take().count("\n") == 1)
    fight("fuel", "alpha", "7")
    until(lambda: watched.take().count("\n") == 2)
    first, second = map(json.loads, watched.text.splitlines())
    assert (first["ok"], second["result"]["units"]["alpha"]["fuel"]) == (True, 7)
    assert second["latest"] == {"seq": fight("why", "--json").objects[0]["seq"], "line": "fuel alpha 7"}


def test_a_reader_that_goes_away_ends_it(pipe: Callable[..., Pipe]) -> None:
    watched = pipe()
    until(lambda: "Alpha" in watched.take())
    watched.process.stdout.close()  # type: ignore[union-attr]
    assert watched.process.wait(SOON) == 0


def test_a_terminal_that_knows_no_codes_is_written_to_as_a_pipe_is(terminal: Callable[..., Terminal]) -> None:
    window = terminal(TERM="dumb")
    window.shows("Alpha")
    assert b"\x1b" not in window.raw


def test_while_nothing_changes_it_does_next_to_nothing(pipe: Callable[..., Pipe]) -> None:
    """Of two seconds less than a tenth of one is worked."""
    if not Path("/proc/self/stat").exists():
        pytest.skip("the time is read from /proc")
    watched = pipe()
    until(lambda: "Alpha" in watched.take())

    def worked() -> float:
        fields = Path(f"/proc/{watched.process.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    time.sleep(0.5)
    before = worked()
    time.sleep(2)
    assert worked() - before < 0.1


def test_a_script_cannot_hold_it(fight: Gm) -> None:
    ran = fight("run", "-", input="status --watch\n")
    assert ran.code == 2
    assert "In another terminal: gmtool status --watch" in ran.err


def test_what_is_wrong_from_the_start_is_refused_as_ever(fight: Gm) -> None:
    assert fight("status", "nobody", "--watch").code == 2
    assert fight("-c", "nowhere", "status", "--watch").code in (2, 4)


def test_what_is_only_tried_is_never_on_it(fight: Gm, pipe: Callable[..., Pipe]) -> None:
    watched = pipe("--json")
    until(lambda: watched.take().count("\n") == 1)
    fight("try")
    fight("fuel", "alpha", "7")
    assert fight("attack", "alpha", "vulcan", "beta").code == 1
    time.sleep(0.6)
    fight("answer", "--drop")
    fight("drop")
    assert fight("try", "attack", "alpha", "vulcan", "beta").code == 1
    time.sleep(0.6)
    fight("drop")
    fight("fuel", "alpha", "9")
    until(lambda: json.loads(watched.take().splitlines()[-1])["result"]["units"]["alpha"]["fuel"] == 9)
    seen = [json.loads(line) for line in watched.text.splitlines()]
    fuels = {frame["result"]["units"]["alpha"]["fuel"] for frame in seen}
    assert fuels == {seen[0]["result"]["units"]["alpha"]["fuel"], 9}
    assert [frame["result"]["open"] for frame in seen] == [None] * len(seen)
    assert all("branch" not in frame for frame in seen)
