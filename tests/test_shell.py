"""The live shell in a real terminal, as a person uses it: keys, questions, Ctrl-C, wide characters, another width."""

import json
import os
import signal
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import Ran
from tests.field.table import folder_bytes
from tests.test_open_rulings import START

if sys.platform == "win32":
    pytest.skip("needs a terminal of its own", allow_module_level=True)

from tests.screen import Terminal

GM = Callable[..., Ran]
ATTACK = "attack arrow vulcan gains-1"
PROMPT = "first phase> "


@pytest.fixture
def fight(gm: GM, home: Path) -> Path:
    """A battle in which Arrow (vulcan 40 + agility 30 = 70) may attack Gains-1 (evade 20); the home it is in."""
    ran = gm("run", "-", input="\n".join(START))
    assert ran.code == 0, ran.err
    return home


@pytest.fixture
def table(fight: Path) -> Iterator[Callable[..., Terminal]]:
    """Shells at that battle, closed at the end."""
    opened: list[Terminal] = []

    def start(*words: str, **how: Any) -> Terminal:
        opened.append(Terminal("table", *words, home=fight, **how))
        opened[-1].prompt()
        return opened[-1]

    yield start
    for each in opened:
        each.child.close(force=True)


def journal(home: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (home / "test" / "journal.jsonl").read_text("utf-8").splitlines()]


def test_an_exchange_is_three_lines_of_typing(table: Callable[..., Terminal], fight: Path) -> None:
    window = table()
    asked = window.line(ATTACK)
    assert "Arrow, attack 70: 5 rolls of D99 for lead, A, B, C, D" in asked
    asked = window.line("92 15 07 99 61")  # 29, 15, 07, 16 hit, 99 does not
    assert "Gains-1, evade 20: 4 rolls of D99 for lead, A, B, D" in asked
    told = window.line("33 60 88 55")  # 06 evades, three do not
    assert "hits 3, damage 90" in told
    assert window.rows[-1].endswith(PROMPT.rstrip())
    line = journal(fight)[-1]
    assert [die["faces"] for die in line["answers"][:5]] == [[9, 2], [1, 5], [0, 7], [9, 9], [6, 1]]
    window.type("quit")
    assert window.ends() == 0


def test_ctrl_c_in_the_middle_of_the_faces_changes_nothing(table: Callable[..., Terminal], fight: Path) -> None:
    before = folder_bytes(fight)
    window = table()
    window.line(ATTACK)
    window.type("92 15", enter=False)
    window.key("^C")
    window.until("Forgotten")
    window.prompt(PROMPT)
    window.type("quit")
    assert window.ends() == 0
    assert folder_bytes(fight) == before
    assert not (fight / "test" / "open.json").exists()


def test_ctrl_c_at_the_prompt_forgets_what_was_typed(table: Callable[..., Terminal], fight: Path) -> None:
    window = table()
    window.type("move arrow 3", enter=False)
    window.key("^C")
    window.prompt(PROMPT)
    window.line("pass arrow")
    assert journal(fight)[-1]["line"] == "pass arrow"


def test_ctrl_d_leaves_and_the_question_stays(table: Callable[..., Terminal], fight: Path) -> None:
    window = table()
    window.line(ATTACK)
    window.key("^D")
    assert window.ends() == 0
    assert "A ruling is left open" in window.text
    assert (fight / "test" / "open.json").exists()


def test_who_leaves_in_a_what_if_is_told_that_it_stays_on(table: Callable[..., Terminal]) -> None:
    window = table()
    window.line("try")
    window.prompt("WHAT IF 0  Test  turn 1, first phase> ")
    before = window.text.count("WHAT IF, lines: 0.")
    window.type("quit")
    assert window.ends() == 0
    assert window.text.count("WHAT IF, lines: 0.") == before + 1


def test_keys_undo_and_redo_where_nothing_is_typed(table: Callable[..., Terminal], fight: Path) -> None:
    window = table()
    window.line("pass arrow")
    window.key("^Z")
    window.until("#10 undone")
    window.prompt(PROMPT)
    window.key("^Y")
    window.until("#10 redone")
    window.prompt(PROMPT)
    assert [line["kind"] for line in journal(fight)[-3:]] == ["step", "undo", "redo"]


def test_a_key_that_shows_leaves_what_is_being_typed(table: Callable[..., Terminal], fight: Path) -> None:
    window = table()
    window.line(ATTACK)
    window.type("92 15 07", enter=False)
    window.key("F2")
    window.until("r1 Arrow")
    window.prompt("92 15 07")
    window.type(" 99 61")
    window.until("Gains-1, evade 20")


def test_ctrl_z_at_a_question_takes_the_line_back(table: Callable[..., Terminal], fight: Path) -> None:
    before = folder_bytes(fight)
    window = table()
    window.line(ATTACK)
    window.key("^Z")
    window.until("Forgotten")
    window.prompt(PROMPT)
    assert folder_bytes(fight) == before


def test_wide_characters_are_typed_moved_over_and_taken_back(table: Callable[..., Terminal], fight: Path) -> None:
    window = table("--lang", "ja")
    window.type("note 漣の番です", enter=False)
    window.until("漣の番です")
    for _ in range(2):
        window.child.send("\x7f")  # backspace: です is gone
    window.child.send("\x1b[D" * 2 + "大")  # two to the left, before の
    window.child.send("\x1b[F！\r")
    window.until("大の番！" if False else "漣大の番！")
    window.prompt("> ")
    assert journal(fight)[-1]["command"]["args"]["text"] == "漣大の番！"


def test_a_window_made_narrower_is_used_as_it_is(table: Callable[..., Terminal]) -> None:
    window = table(columns=120)
    window.line("status")
    window.resize(60, 30)
    window.type("status")
    window.prompt()
    assert all(len(row) <= 60 for row in window.screen.display)


def test_tab_offers_what_the_rules_allow(table: Callable[..., Terminal], fight: Path) -> None:
    window = table()
    window.type("attack ", enter=False)
    window.key("Tab")
    window.prompt("attack r1")  # of three units the only one that may act now
    window.key("Tab")
    window.until("missile")
    assert "vulcan" in window.text
    window.type("v", enter=False)
    window.key("Tab")
    window.prompt("attack r1 vulcan")
    window.type("gains-2")
    window.until("Arrow, attack 70")


def test_tab_offers_the_answers_to_a_choice(table: Callable[..., Terminal], fight: Path, gm: GM) -> None:
    gm("config", "declare.defence", "ask")
    window = table()
    window.line(ATTACK)
    window.line("92 15 07 99 61")
    window.type("f", enter=False)
    window.key("Tab")
    window.prompt("focus")


def test_what_was_typed_is_there_again_in_the_next_shell(table: Callable[..., Terminal], fight: Path) -> None:
    window = table()
    window.line("pass arrow")
    window.type("quit")
    assert window.ends() == 0
    window = table()
    window.key("Up")
    window.until("quit")
    window.key("Up")
    window.prompt("pass arrow")


def test_answers_are_no_lines_to_be_typed_again(table: Callable[..., Terminal]) -> None:
    window = table()
    window.line(ATTACK)
    window.line("99 98 97 98 97")
    window.key("Up")
    window.prompt(ATTACK)


def test_lines_pasted_at_once_are_done_up_to_the_first_that_is_not(table: Callable[..., Terminal], fight: Path) -> None:
    window = table()
    window.child.send("\x1b[200~pass nobody\npass arrow\nend phase\x1b[201~\r")
    window.until("2 pasted lines")
    window.prompt(PROMPT)
    assert journal(fight)[-1]["line"] == "first players"
    window.child.send(f"\x1b[200~{ATTACK}\n92 15 07 99 61\n33 60 88 55\npass arrow\x1b[201~\r")
    window.until("#10")
    window.prompt(PROMPT)
    assert [line["line"] for line in journal(fight)[-2:]] == ["first players", ATTACK]


def test_what_is_pasted_is_shown_without_what_would_steer_the_terminal(table: Callable[..., Terminal]) -> None:
    window = table()
    window.child.send("\x1b[200~pass arrow\nnote up\x1b[2Jdown\x1b[201~\r")
    window.until("down")
    window.prompt(PROMPT)
    assert "pass arrow" in window.text  # the screen was not cleared


@pytest.mark.parametrize("end", [signal.SIGHUP, signal.SIGKILL, signal.SIGTERM])
def test_a_terminal_that_dies_leaves_the_question_open(
    table: Callable[..., Terminal], fight: Path, gm: GM, end: signal.Signals
) -> None:
    before = journal(fight)
    window = table()
    window.line(ATTACK)
    window.type("92 15", enter=False)
    os.kill(window.child.pid, end)
    window.ends()
    assert journal(fight) == before
    asked = gm("status", "--json").objects[0]["result"]["open"]["asks"]
    assert [ask["key"] for ask in asked] == [f"attack.{seat}" for seat in ("lead", "A", "B", "C", "D")]
    assert gm("answer", "--dice", "99 98 97 98 97").code == 0


def test_a_terminal_that_cannot_move_its_cursor_is_served_line_by_line(table: Callable[..., Terminal]) -> None:
    window = table(TERM="dumb")
    window.line(ATTACK)
    window.line("92 15 07 99 61")
    assert "hits 3, damage 90" in window.line("33 60 88 55")
    assert "\x1b" not in window.text
