"""What leaves the program: colour, width, encodings, readers that have gone."""

import io
import json
import os
import subprocess
import sys

import pytest

from gmtool.render.lines import Span
from gmtool.render.screen import Screen, encodable

LINE = [Span("a ", "bad"), Span("[red]:fire: 12")]


class Terminal(io.StringIO):
    """A stream that says it is a terminal."""

    def isatty(self) -> bool:
        return True


def _shown(stream: io.StringIO, env: dict[str, str], color: bool = True) -> str:
    Screen(stream, color=color, env=env).show([LINE])
    return stream.getvalue()


@pytest.mark.parametrize(
    ("env", "color"),
    [({"NO_COLOR": "1"}, True), ({"NO_COLOR": "1", "FORCE_COLOR": "1"}, True), ({"FORCE_COLOR": "1"}, False)],
)
def test_no_color_wins_over_everything(env: dict[str, str], color: bool) -> None:
    assert "\x1b" not in _shown(Terminal(), env, color)
    assert "\x1b" not in _shown(io.StringIO(), env, color)


@pytest.mark.parametrize("env", [{}, {"FORCE_COLOR": ""}, {"FORCE_COLOR": "0"}])
def test_a_pipe_gets_no_colour_of_itself(env: dict[str, str]) -> None:
    assert _shown(io.StringIO(), env) == "a [red]:fire: 12\n"


def test_a_terminal_gets_colour_and_the_data_as_it_is() -> None:
    assert _shown(Terminal(), {"NO_COLOR": ""}) == "\x1b[1;31ma \x1b[0m[red]:fire: 12\n"
    assert "\x1b" in _shown(io.StringIO(), {"FORCE_COLOR": "1"})
    assert "\x1b" not in _shown(Terminal(), {"TERM": "dumb"})


@pytest.mark.parametrize(
    ("env", "width", "room"),
    [({"COLUMNS": "100"}, None, 100), ({}, None, 80), ({"COLUMNS": "x"}, None, 80), ({"COLUMNS": "7"}, None, 40),
     ({"COLUMNS": "100"}, 60, 60)],
)  # fmt: skip
def test_width_is_told_or_80(env: dict[str, str], width: int | None, room: int) -> None:
    assert Screen(Terminal(), width=width, env=env).room == (room, True)
    assert Screen(io.StringIO(), width=width, env=env).room == (room, False)


@pytest.mark.parametrize("encoding", ["cp932", "cp949", "cp1252", "ascii"])
def test_nothing_that_cannot_be_encoded_stops_the_output(encoding: str) -> None:
    raw = io.BytesIO()
    screen = Screen(io.TextIOWrapper(raw, encoding=encoding), env={})
    screen.show([[Span("アロー🔥 7 — か\u3099 〜 − \udc80")]])
    shown = raw.getvalue().decode(encoding)
    assert shown.endswith("\n")
    assert " 7 " in shown
    assert not screen.closed


def test_replacements_keep_the_columns() -> None:
    assert encodable("アロー🔥1", "ascii") == "????????1"
    assert encodable("か\u3099み−1", "cp932") == "がみ-1"
    assert encodable("화살", "cp949") == "화살"


def test_json_is_whole_in_any_encoding() -> None:
    raw = io.BytesIO()
    stream = io.TextIOWrapper(raw, encoding="cp932")
    Screen(stream, env={"FORCE_COLOR": "1"}).json({"name": "アロー🔥", "ok": True})
    assert json.loads(raw.getvalue()) == {"name": "アロー🔥", "ok": True}
    assert raw.getvalue().isascii()


class Gone(io.StringIO):
    def __init__(self, error: OSError) -> None:
        super().__init__()
        self.error = error

    def flush(self) -> None:
        raise self.error


def test_a_reader_that_has_gone_is_a_quiet_end() -> None:
    screen = Screen(Gone(BrokenPipeError(32, "gone")), env={})
    screen.show([LINE])
    screen.show([LINE])
    assert screen.closed
    assert screen.trouble is None


def test_a_full_disk_is_told_apart_from_a_reader_that_has_gone() -> None:
    screen = Screen(Gone(OSError(28, "full")), env={})
    screen.write("x")
    assert not screen.closed
    assert screen.trouble is not None


def test_a_closed_stream_is_no_fault() -> None:
    stream = io.StringIO()
    screen = Screen(stream, env={})
    stream.close()
    screen.write("x")
    assert screen.closed
    assert not Screen(stream, env={}).terminal


@pytest.mark.skipif(os.name == "nt", reason="pipes of this kind are POSIX's")
def test_the_interpreter_leaves_quietly_after_a_closed_pipe() -> None:
    code = (
        "import sys; from gmtool.render.screen import Screen; s = Screen(sys.stdout)\n"
        "for n in range(5000): s.write('x' * 100 + chr(10))\n"
        "sys.exit(0 if s.closed else 9)"
    )
    process = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert process.stdout is not None
    assert process.stderr is not None
    process.stdout.readline()
    process.stdout.close()
    with process.stderr:
        assert process.stderr.read() == b""
    assert process.wait() == 0
