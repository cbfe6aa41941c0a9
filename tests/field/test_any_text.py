"""Any text, anywhere: a result or a refusal, never a fault of ours, and what is refused changes no byte."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from gmtool.cli.verbs import COMMON
from tests.field.table import PILOT, Table, folder_bytes

ENDS = (0, 1, 2, 3, 4)
# What would look at the world outside, or never end by itself, is tried elsewhere.
LEFT_OUT = {"demo", "table", "run", "campaign export", "campaign import"}
VERBS = [
    *sorted(set(COMMON) - LEFT_OUT),
    "attack", "move", "pass", "check", "initiative", "first", "end phase", "battle start", "battle end", "side add",
    "pilot add", "unit add", "sheet show", "odds attack", "odds roll", "try", "answer --drop",
]  # fmt: skip
PIECES = [
    "alpha", "beta", "r1", "b1", "vulcan", "1", "2", "-3", "0", "３", "²", "9999999999", "nan", "players", "bydo",
    "kestrel",
    "--dice", "--dice=00 11 22 33 44 55", "--say", "defence.beta=focus", "defence.beta=", "=", "--by", "Ken",
    "--because", "--force",
    "--fresh", "--yes", "--json", "--lang", "ko", "--for", "--side", "Bydo", "--count", "2", "--feint", "--once",
    "--defence", "focus",
    "--", "-", "[/]", ":fire:", "{unit}", "%s", "\x1b[31m", "\u202e", "\ud800", "ー", "1d6", "2d6>=7", "/", "#", "'",
    '"', "\\",
    "units.alpha.hp.A", "units.alpha.pilot", "units.alpha.side", "units.alpha.sheet", "units.alpha.name",
    "units.alpha.found_by",
    "units.alpha.attached_to", "units.alpha.facing", "units.alpha.acted", "units.beta.ammo.x", "battle.now.phase",
    "battle.now.acting",
    "battle.now.turn", "battle.now.order", "sides.bydo.letter", "sides.bydo.given", "due.x", "ghost", "none", "lost",
    "over", "100", "x",
    "RT-8.5", "--temperament", "daredevil", "--mode", "reverse", "--as", "ren", "--with", "agility", "--defence-with",
    "--each",
]  # fmt: skip
TEXT = st.text(max_size=12) | st.text(alphabet=st.characters(max_codepoint=0x7F), max_size=20)
WORD = st.sampled_from(PIECES) | TEXT.filter(lambda text: not text.startswith(("--home", "/", "~")))
ARGUMENTS = st.tuples(st.sampled_from(VERBS).map(str.split), st.lists(WORD, max_size=7)).map(
    lambda both: both[0] + both[1]
)

few = settings(
    max_examples=60, deadline=None, derandomize=True, suppress_health_check=[HealthCheck.function_scoped_fixture]
)


@pytest.fixture
def ready(fight: Table) -> Table:
    """A fight with a pilot in it, the clock of the disk left out of the time it takes."""
    fight.do("pilot", "add", "Ren", *PILOT)
    return fight


def settled(table: Table, words: list[str], input: str = "", look: bool = True) -> int:
    """A line ends as lines end; if it was refused, every byte is as it was."""
    before = folder_bytes(table.home)
    ran = table.gm(*words, input=input)
    assert ran.code in ENDS, (words, ran)
    assert "Traceback" not in ran.out + ran.err
    if ran.code:
        assert folder_bytes(table.home) == before, words
    elif look:
        still = table.gm("status", "--json")
        assert still.code == 0, (words, still)
    return int(ran.code)


@few
@given(words=st.lists(WORD, max_size=6))
def test_any_arguments(ready: Table, words: list[str]) -> None:
    if words[:1] not in (["table"], ["demo"]):
        settled(ready, words)


@settings(few, max_examples=300)
@given(words=ARGUMENTS)
def test_any_arguments_of_a_verb(ready: Table, words: list[str]) -> None:
    settled(ready, words)


@few
@given(line=TEXT | st.lists(WORD, max_size=6).map(" ".join))
def test_any_line_of_a_script(ready: Table, line: str) -> None:
    if not line.strip().startswith(("table", "demo")):
        settled(ready, ["run", "-"], input=line)


@few
@given(lines=st.lists(TEXT | ARGUMENTS.map(" ".join), max_size=4))
def test_any_lines_of_a_shell(ready: Table, lines: list[str]) -> None:
    ran = ready.gm("table", input="\n".join(lines))
    assert ran.code in ENDS, (lines, ran)
    assert "Traceback" not in ran.out + ran.err
    assert "gmtool-crash" not in ran.err, (lines, ran.err)
    ready.gm("answer", "--drop")
    assert ready.gm("status", "--json").code == 0, lines


@settings(few, max_examples=30)
@given(name=st.text(max_size=90))
def test_any_name(ready: Table, name: str) -> None:
    steps = 0
    for words in (
        ["unit", "add", "--side", "Players", "kestrel", "--", name],
        ["side", "add", "--", name],
        ["pilot", "add", *PILOT, "--", name],
        ["set", "--", f"units.{name}.fuel", name],
    ):
        steps += settled(ready, words, look=False) == 0
    for words in (
        ["campaign", "rename", "test", "--", name],
        ["session", "start", "--", name],
        ["session", "end"],
        ["battle", "start", "--", name],
        ["note", name],
    ):
        settled(ready, words, look=False)
    assert ready.gm("status", "--json").code == 0, name
    if steps:  # else the board grows from one name to the next
        ready.do("undo", str(steps))


@few
@given(content=st.binary(max_size=200) | st.text(max_size=200).map(str.encode))
def test_any_bytes_as_a_script(ready: Table, content: bytes) -> None:
    Path("any.gm").write_bytes(content)
    settled(ready, ["run", "any.gm"])


@few
@given(content=st.binary(max_size=200) | st.text(max_size=200).map(lambda text: f"format = 1\n{text}".encode()))
def test_any_bytes_as_a_rules_file(ready: Table, content: bytes) -> None:
    rules = ready.home / "test" / "rules"
    rules.mkdir(exist_ok=True)
    file = rules / "any.toml"
    file.write_bytes(content)
    ran = ready.gm("sheet", "list")
    file.unlink()
    assert ran.code in (0, 3), ran
    assert ran.code == 0 or "rules/any.toml" in ran.err.replace("\n  ", "")


@few
@given(content=st.binary(max_size=200))
def test_any_bytes_as_a_file_to_import(ready: Table, content: bytes) -> None:
    Path("any.zip").write_bytes(content)
    settled(ready, ["campaign", "import", "any.zip"])


def test_the_words_above_do_things(ready: Table, gm: Callable[..., Any]) -> None:
    """Some of what is drawn is done: the tests see more than refusals."""
    assert ready.gm("move", "alpha", "1", "--force").code == 0
    assert ready.gm("attack", "alpha", "vulcan", "beta", "--dice=00 11 22 33 44 55").code in (0, 1)
