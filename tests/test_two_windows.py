"""Several processes at one campaign: nothing is lost, a question in one window holds the others, a kill costs at most
the line that was not reported."""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import ROOT, Ran
from tests.test_open_rulings import START

GM = Callable[..., Ran]


@pytest.fixture
def fight(gm: GM) -> GM:
    """A battle between Arrow and two Gains; Arrow may act."""
    assert gm("run", "-", input="\n".join(START)).code == 0
    return gm


Window = Callable[..., "subprocess.Popen[str]"]


@pytest.fixture
def window() -> Iterator[Window]:
    """Starts the program on its own, with pipes; all of them are gone afterwards."""
    opened: list[subprocess.Popen[str]] = []

    def start(*argv: str) -> "subprocess.Popen[str]":
        opened.append(subprocess.Popen(
            [sys.executable, "-m", "gmtool", *argv],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, encoding="utf-8",
            env={**os.environ, "PYTHONPATH": str(ROOT), "PYTHONUTF8": "1", "PYTHONUNBUFFERED": "1"},
        ))  # fmt: skip
        return opened[-1]

    yield start
    for process in opened:
        process.kill()
        process.wait(10)
        for stream in (process.stdin, process.stdout):
            with suppress(OSError):
                stream.close()  # type: ignore[union-attr]


def said(process: "subprocess.Popen[str]", text: str) -> None:
    """Type lines into a window."""
    assert process.stdin is not None
    process.stdin.write(text)
    process.stdin.flush()


def heard(process: "subprocess.Popen[str]") -> dict[str, Any]:
    """The next JSON object a window shows."""
    assert process.stdout is not None
    answer: dict[str, Any] = json.loads(process.stdout.readline())
    return answer


def test_four_processes_write_at_once_and_every_line_is_kept(fight: GM, window: Window, home: Path) -> None:
    script = "\n".join(f"note line {n}" for n in range(15))
    writers = [window("run", "-") for _ in range(4)]
    for writer in writers:
        said(writer, script)
        assert writer.stdin is not None
        writer.stdin.close()
    assert [writer.wait(60) for writer in writers] == [0, 0, 0, 0]
    lines = [json.loads(line) for line in (home / "test" / "journal.jsonl").read_bytes().splitlines()]
    assert [line["seq"] for line in lines] == list(range(1, len(lines) + 1))
    assert sum(line["line"].startswith("note line") for line in lines) == 60
    assert fight("doctor").code == 0


def test_a_question_in_one_window_holds_the_others_until_it_is_answered(fight: GM, window: Window) -> None:
    shell = window("table", "--json")
    said(shell, "attack arrow vulcan gains-1\n")
    assert heard(shell)["error"]["code"] == "needs-answer"
    refused = fight("pass", "arrow", "--json")
    assert (refused.code, refused.objects[0]["error"]["code"]) == (1, "ruling-open")
    said(shell, "99 98 97 96 95\n")  # read as 99, 89, 79, 69, 59: two are under 70
    assert [ask["key"] for ask in heard(shell)["asks"]] == ["evade.gains-1.C", "evade.gains-1.D"]
    said(shell, "u\nquit\n")
    assert heard(shell)["result"] == {"dropped": "attack arrow vulcan gains-1"}
    assert shell.wait(30) == 0
    assert fight("pass", "arrow").code == 0


def test_a_shell_sees_what_another_window_did(fight: GM, window: Window) -> None:
    shell = window("table", "--json")
    said(shell, "note first\n")
    heard(shell)
    assert fight("move", "arrow", "3").code == 0
    said(shell, "move arrow 2\nstatus\nquit\n")
    assert heard(shell)["result"] == {"hexes": 2, "fuel": 35}
    assert heard(shell)["result"]["units"]["arrow"]["moved"] == 5
    assert shell.wait(30) == 0


@pytest.mark.skipif(sys.platform == "win32", reason="SIGKILL is what is meant")
def test_what_was_reported_done_survives_a_kill_of_the_shell(fight: GM, window: Window) -> None:
    for n in range(8):
        shell = window("table", "--json")
        said(shell, "".join(f"set units.arrow.fuel {k}\nundo\nset units.arrow.moved {k}\n" for k in range(1, 6)))
        reported = max(heard(shell).get("seq", 0) for _ in range(n + 1))
        shell.send_signal(signal.SIGKILL)
        shell.wait(10)
        past = fight("history", "--all", "--json").objects[0]["result"]["lines"]
        assert past[-1]["seq"] >= reported
        assert fight("doctor").code == 0
        assert fight("note", "after the kill").code == 0


def questions(process: "subprocess.Popen[str]") -> tuple[str, list[str]]:
    """How a window's answer was refused, and the keys of what is asked now."""
    told = heard(process)
    return told["error"]["code"], [ask["key"] for ask in told["asks"]]


def test_faces_typed_for_a_question_that_was_answered_elsewhere_go_to_no_other(fight: GM, window: Window) -> None:
    shell = window("table", "--json")
    said(shell, "attack arrow vulcan gains-1 --once\n")
    heard(shell)
    fight("answer", "12")  # under 70: what is open now is the evasion
    said(shell, "15\n")
    assert questions(shell) == ("ruling-open", [f"evade.gains-1.{seat}" for seat in ("lead", "A", "B", "C", "D")])
    said(shell, "99 98 97 96 95\n")
    assert heard(shell)["ok"]


def test_faces_typed_for_a_line_that_was_dropped_go_to_no_other_line(fight: GM, window: Window) -> None:
    shell = window("table", "--json")
    said(shell, "attack arrow vulcan gains-1 --once\n")
    heard(shell)
    fight("answer", "--drop")
    fight("attack", "arrow", "vulcan", "gains-2", "--once")
    for typed in ("12", "u", "answer 12", ""):
        said(shell, f"{typed}\n")
        code, asked = questions(shell)
        assert (code, asked) == ("ruling-open", ["attack.lead"]), typed
        fight("answer", "--drop")
        fight("attack", "arrow", "vulcan", "gains-1" if typed in ("12", "answer 12") else "gains-2", "--once")
    assert fight("status", "--json").objects[0]["result"]["open"]["line"].startswith("attack arrow vulcan")


def test_faces_typed_for_a_question_that_is_gone_are_refused(fight: GM, window: Window) -> None:
    shell = window("table", "--json")
    said(shell, "attack arrow vulcan gains-1 --once\n")
    heard(shell)
    fight("answer", "--drop")
    said(shell, "12\nnote still here\n12\n")
    assert questions(shell) == ("no-open-ruling", [])
    assert heard(shell)["result"] == {"note": "still here"}
    assert heard(shell)["error"]["code"] == "unknown-name"


def test_a_person_is_shown_the_question_that_is_open_now(fight: GM, window: Window) -> None:
    shell = window("table")
    assert shell.stdout is not None
    said(shell, "attack arrow vulcan gains-1 --once\nnote here\n")
    while "here" not in shell.stdout.readline():
        pass
    fight("answer", "--drop")
    fight("attack", "arrow", "vulcan", "gains-2", "--once")
    said(shell, "12\nquit\n")
    shown = shell.stdout.read()
    assert "attack 70" in shown
    assert fight("status", "--json").objects[0]["result"]["open"]["asks"][0]["key"] == "attack.lead"
