"""Field reports K and L: what is done does not depend on what can be shown, and what is shown stays in its rows."""

import json
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from tests.field.inputs import MUST_NOT_SHOW, corpus
from tests.field.table import PILOT, Table, folder_bytes, journal, width
from tests.field.test_terminal import Terminal, environment, pty_only, terminal

__all__ = ["terminal"]

# K5

STREAMS = {
    "as it is": "", "no output": ">&-", "no errors": "2>&-", "neither": ">&- 2>&-", "no input": "<&-",
    "none": "<&- >&- 2>&-", "output full": ">/dev/full", "errors full": "2>/dev/full",
    "both full": ">/dev/full 2>/dev/full", "nobody reads": "| true", "nobody reads errors": "2>&1 >/dev/null | true",
    "a pipe": "| cat", "no terminal": "</dev/null",
}  # fmt: skip
SETTINGS = [
    {"PYTHONIOENCODING": encoding} for encoding in ("cp932", "cp949", "cp1252", "ascii", "latin-1", "utf-16")
] + [
    {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}, {"NO_COLOR": "1", "FORCE_COLOR": "1"},
    {"FORCE_COLOR": "1"}, {"TERM": "dumb"}, {"COLUMNS": "1"}, {"COLUMNS": "1000000000"}, {"COLUMNS": "9" * 5_000},
]  # fmt: skip


def in_a_shell(home: Path, line: str, streams: str, env: dict[str, str]) -> int:
    """A line as a shell runs it; the exit code of the program, whatever follows it."""
    script = f'set -o pipefail; {{ "{sys.executable}" -m gmtool {line} {streams}; }}'
    settings = environment(GMTOOL_HOME=str(home), **env)
    return subprocess.run(
        ["bash", "-c", script], env=settings, stdin=subprocess.PIPE, capture_output=True, timeout=60, check=False
    ).returncode


@pytest.mark.skipif(shutil.which("bash") is None or not Path("/dev/full").exists(), reason="needs bash and /dev/full")
def test_p_k2_k5_a_change_is_made_once_whatever_can_be_shown(squads: Table, tmp_path: Path) -> None:
    """The same line of the journal and the same exit code, whatever the streams, the encoding and the terminal are."""
    ways = [(streams, dict[str, str]()) for streams in STREAMS.values()] + [("", env) for env in SETTINGS]

    def tried(number: int) -> tuple[int, list[dict[str, Any]], int, bool]:
        home = tmp_path / f"home-{number}"
        shutil.copytree(squads.home, home)
        streams, env = ways[number]
        done = in_a_shell(home, "set units.alpha.fuel 37 --because アロー🔥", streams, env)
        lines = journal(home)[len(before) :]
        bytes_before = folder_bytes(home)
        refused = in_a_shell(home, "set units.alpha.fuel x🔥", streams, env)
        for line in lines:
            del line["time"], line["sum"]
        return done, lines, refused, folder_bytes(home) == bytes_before

    before = journal(squads.home)
    with ThreadPoolExecutor(2) as pool:
        found = list(pool.map(tried, range(len(ways))))
    assert len(found[0][1]) == 1
    assert found[0][1][0]["because"] == "アロー🔥"
    for way, end in zip(ways, found, strict=True):
        assert end == (0, found[0][1], 2, True), way


# K7, and a terminal that goes away


@pty_only
def test_p_k7_a_terminal_that_goes_away_leaves_what_was_done(fight: Table, terminal: Callable[..., Terminal]) -> None:
    window = terminal("table")
    window.read_until("> ")
    time.sleep(0.2)  # until the line editor waits for keys
    window.type("move alpha 1\r")
    window.read_until("#9")
    window.type("attack alpha vulcan beta\r")
    window.read_until("RT-8.5")
    os.close(window.master)
    assert window.process.wait(20) in (0, -1, 129)
    window.master = os.open(os.devnull, os.O_RDONLY)
    assert fight.unit("alpha")["moved"] == 1
    assert len(journal(fight.home)) == 9
    fight.gm("answer", "--drop")
    fight.do("undo")


@pty_only
@pytest.mark.parametrize("encoding", ["utf-8", "ascii", "cp932"])
def test_p_k2_keys_and_names_the_terminal_does_not_know_do_not_end_the_shell(
    squads: Table, terminal: Callable[..., Terminal], encoding: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The name stands in the prompt; a key pressed is no character of the terminal's encoding."""
    squads.do("campaign", "rename", "test", "アロー🔥")
    monkeypatch.setenv("PYTHONIOENCODING", encoding)
    window = terminal("table")
    window.read_until("> ")
    time.sleep(0.2)  # until the line editor waits for keys
    os.write(window.master, b"\xe9\xff\r")
    window.read_until("> ")
    time.sleep(0.2)
    window.type("note still here\r")
    window.read_until("note: still here")
    assert window.leave() == 0, window.text
    assert "gmtool-crash" not in window.text


# K4

VIEWS = [
    ["status"], ["status", "alpha"], ["history", "--all"], ["why"], ["sheet", "list"], ["sheet", "show", "kestrel"],
    ["campaign", "list"], ["campaign", "show"], ["rules", "list"], ["errors"], ["config"], ["--help"],
    ["attack", "--help"], ["doctor"], ["systems"], ["session", "list"], ["odds", "attack", "alpha", "vulcan", "beta"],
    ["undo", "--preview"],
]  # fmt: skip
WIDTHS = (40, 41, 47, 55, 63, 79, 80, 81, 99, 120, 160, 237, 400)


@pytest.mark.parametrize("lang", ["en", "ja", "ko"])
@pytest.mark.parametrize("words", VIEWS, ids=" ".join)
def test_p_k4_no_row_is_wider_than_the_terminal(fight: Table, words: list[str], lang: str) -> None:
    fight.do("pilot", "add", "ミカ・アサクラ", *PILOT)
    fight.do("set", "units.alpha.fuel", "37", "--because", "補給のあとで計器を読みなおした、" * 2)
    for columns in WIDTHS:
        code, out, err = fight.on_screen(*words, "--lang", lang, width=columns)
        assert (code, err) == (0, "")
        wide = {width(row): row for row in out.splitlines() if width(row) > columns}
        # a path is never broken: it could not be copied
        assert all(str(fight.home) in row for row in wide.values()), (columns, wide)


@pytest.mark.parametrize("columns", ["1", "20", "0", "-5", "abc", "", "1e3", "²", "٣", "1000000000", "9" * 5_000])
def test_p_k4_columns_may_hold_anything(fight: Table, columns: str) -> None:
    """What is no width is none, one too small is the least one, one too big is a thousand."""
    for words in (["status"], ["history"], ["attack", "alpha", "vulcan", "beta", "--dice", "x"], ["nonsense"]):
        code, out, err = fight.on_screen(*words, width=80, env={"COLUMNS": columns})
        assert code in (0, 2)
        assert max(width(row) for row in (out + err).splitlines()) <= 1_000


# L1, L4


@pytest.mark.parametrize("text", [each.text for each in corpus("text") if len(each.text) < 2_000], ids=repr)
def test_p_l1_nothing_from_a_file_moves_the_cursor_or_turns_the_text(fight: Table, text: str) -> None:
    """Names, notes and reasons in a journal that others have written: none of it reaches a screen as it is."""
    if "\ud800" in text or "\ude00" in text:
        pytest.skip("no file of ours can hold it")
    path = fight.home / "test" / "journal.jsonl"
    rechained(path, lambda line: with_texts(line, text))
    (fight.home / "test" / "campaign.json").unlink()
    for words in ("status", "history --all", "why", "campaign list", "campaign show", "undo", "table"):
        ran = fight.gm(*words.split())
        assert ran.code in (0, 4), (words, ran)
        for stream in (ran.out, ran.err):
            assert not MUST_NOT_SHOW.search(stream), (words, stream)
    shown = fight.on_screen("table", width=80)
    assert not MUST_NOT_SHOW.search(shown[1] + shown[2])


def with_texts(line: dict[str, Any], text: str) -> None:
    """The text in the place of every name and typed line."""
    line["line"] = line["because"] = text
    for change in line["changes"]:
        if isinstance(change.get("after"), dict) and "name" in change["after"] and "sheets" not in change["path"]:
            change["after"]["name"] = text


def rechained(path: Path, change: Callable[[dict[str, Any]], None]) -> None:
    """Write a journal again with its lines changed, each naming the hash and the place of the one before."""
    from gmtool.kernel.journal import line_hash

    lines, before, starts, written = path.read_bytes().splitlines(), "", {}, b""
    for number, raw in enumerate(lines, 1):
        line = json.loads(raw)
        change(line)
        starts[number] = len(written)
        for key in ("undo", "redo", "under", "next"):
            if line.get(key):
                line[key][1] = starts[line[key][0]]
        line["prev"] = before
        data = json.dumps(line, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"
        before, written = line_hash(data), written + data
    path.write_bytes(written)


@pytest.mark.parametrize("value", [5, "x", [5], {"facts": 5}, [{"faces": 5}], True], ids=repr)
@pytest.mark.parametrize("key", ["answers", "trace", "names", "where"])
def test_a_line_that_cannot_be_shown_is_named_and_no_fault(fight: Table, key: str, value: Any) -> None:
    """A journal of another's making may be whole by its hashes and hold what no line of ours does."""
    if (key, type(value)) in (("names", dict), ("trace", list)):
        pytest.skip("it may be that")
    rechained(fight.home / "test" / "journal.jsonl", lambda line: line.update({key: value}))
    (fight.home / "test" / "campaign.json").unlink()
    for words in ("status", "history --all", "why"):
        fight.refused(*words.split(), says="journal.jsonl", code=4)


def test_p_l4_names_that_only_look_alike_are_two_names(squads: Table) -> None:
    """Letters of two scripts are two letters: both names may stand, the program never takes one for the other."""
    squads.do("unit", "add", "kestrel", "--side", "Players", "\u0410lpha")  # Cyrillic A
    units = squads.state["units"]
    (other,) = [id for id, unit in units.items() if unit["name"] == "\u0410lpha"]
    assert other != "alpha"
    assert units[other]["handle"] != units["alpha"]["handle"]
    squads.do("set", "units.\u0410lpha.fuel", "11")
    squads.do("set", "units.Alpha.fuel", "12")
    assert (squads.unit(other)["fuel"], squads.unit("alpha")["fuel"]) == (11, 12)
    for same in ("ａｌｐｈａ", "\U0001d400lpha", "ALPHA", " Alpha "):
        squads.refused("unit", "add", "kestrel", "--side", "Players", same, code=1)


def test_p_l8_a_name_is_no_tower(squads: Table) -> None:
    """Marks take no cells, so that 80 cells could hold any number of them."""
    squads.refused("unit", "add", "kestrel", "--side", "Players", "a" + "\u0301" * 1_000, says="500")
    squads.refused("campaign", "new", "a" + "\u0301" * 1_000, "--system", "rtype", says="500")
    squads.do("unit", "add", "kestrel", "--side", "Players", "\U0001f468\u200d\U0001f469\u200d\U0001f467" * 40)
