"""Whatever the README shows is played from top to bottom in one throw-away home, as a reader would type it.

Commands stand in ``console`` blocks after ``$ ``; ``# exit N`` after one says that it ends so. The lines below it are
its output: all of it, in order, where ``...`` alone on a line leaves lines out, and inside a line a few letters. Below
``$ gmtool table`` a line such as ``Last Dance  turn 1, initiative> first players`` is the prompt and what is typed
there. A ``json`` block belongs to the command before it and shows part of its object. Any other block whose first line
is ``# NAME`` is a file of that name.
"""

import io
import json
import os
import re
import shlex
import shutil
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from gmtool.cli.main import run
from tests.conftest import PERSONAL, Ran

ROOT = Path(__file__).resolve().parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")

BLOCK = re.compile(r"^```(?P<kind>\w*)\n(?P<text>.*?)^```$", flags=re.MULTILINE | re.DOTALL)
COMMAND = re.compile(r"(?:\$ )?(?:gmtool|gm) (?P<words>.*)")
EXIT = re.compile(r"  # exit (\d+)$")
COMMENT = re.compile(r"  +#.*$")
PROMPT = re.compile(r"(?P<prompt>\S.*\S> )(?P<typed>.*)")
FILE = re.compile(r"# (?P<name>[\w./-]+\.(?:toml|gm))\n")
LEFT_OUT = "..."

# What a table needs for one evening, before, in and after the exchanges.
PREPARED = ("side add", "pilot add", "unit add", "battle start", "initiative", "first")
FOUGHT = ("move", "search", "fire", "attack", "answer", "end phase", "supply", "repair", "stow", "launch")
MENDED = ("charge", "reroll", "amend", "battle end", "treat", "hours", "decontaminate")


# What two players need for scenario 1, the two-cruiser duel.
DUEL = (
    "scenario start", "deploy", "ap", "battery", "go", "afterburner", "schedule", "aim", "odds", "fire", "answer",
    "curve", "board svg", "concede",
)  # fmt: skip


@dataclass
class Shown:
    """A command as the README shows it: what it promises to end with and to print, and what is typed meanwhile."""

    line: str
    argv: list[str]
    code: int = 0
    output: list[str] = field(default_factory=list)
    typed: list[str] = field(default_factory=list)
    body: Any = None


@dataclass
class File:
    """A file that the README has the reader write."""

    name: str
    text: str


Step = Shown | File


def shown(line: str) -> Shown | None:
    """The command on a line, or None for output, installation and other programs."""
    match = COMMAND.fullmatch(line.rstrip())
    if not match:
        return None
    words = match["words"]
    promised = EXIT.search(words)
    return Shown(line, shlex.split(COMMENT.sub("", words)), int(promised[1]) if promised else 0)


def console(text: str) -> Iterator[Shown]:
    """The commands of a ``console`` block, each with what stands below it."""
    current: Shown | None = None
    for line in text.splitlines():
        if line.startswith("$ ") and (command := shown(line)):
            if current:
                yield current
            current = command
        elif current and current.argv[:1] == ["table"] and (met := PROMPT.fullmatch(line)):
            current.output.append(met["prompt"])
            current.typed.append(met["typed"])
        elif current:
            current.output.append(line)
    if current:
        yield current


def steps(text: str) -> list[Step]:
    """All there is to do in a text, in order."""
    found: list[Step] = []
    for block in BLOCK.finditer(text):
        kind, inside = block["kind"], block["text"]
        if kind == "console":
            found += console(inside)
        elif kind == "json":
            assert isinstance(found[-1], Shown)
            found[-1].body = json.loads(inside)
        elif named := FILE.match(inside):
            found.append(File(named["name"], inside))
    return found


def sections(text: str) -> dict[str, list[Step]]:
    """The steps of every second-level section that has any."""
    parts = re.split(r"^## ", text, flags=re.MULTILINE)[1:]
    found = {part.partition("\n")[0]: steps(part) for part in parts}
    return {title: these for title, these in found.items() if these}


class Terminal(io.StringIO):
    """A screen, so that the shell shows its prompts."""

    def isatty(self) -> bool:
        return True


def do(command: Shown) -> Ran:
    """Type a command; what is typed while it runs stands in the output where its prompt is answered."""
    out, err = (Terminal(), io.StringIO()) if command.argv[:1] == ["table"] else (io.StringIO(), io.StringIO())
    typed = io.StringIO("".join(f"{line}\n" for line in command.typed))
    code = run(command.argv, stdin=typed, stdout=out, stderr=out if command.typed else err, env=os.environ)
    return Ran(code, out.getvalue(), err.getvalue())


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, list[tuple[Shown, Ran]]]]:
    """What came of each section's commands, typed one after the other in a checkout of the reader's own."""
    here = tmp_path_factory.mktemp("checkout")
    shutil.copytree(ROOT / "campaigns", here / "campaigns", ignore=shutil.ignore_patterns(".chosen.json", ".lock"))
    with pytest.MonkeyPatch.context() as patch:
        for name in (*PERSONAL, "GMTOOL_HOME", "LC_MESSAGES", "LANG"):
            patch.delenv(name, raising=False)
        patch.setenv("GMTOOL_CACHE", str(here / "cache"))
        patch.setenv("LC_ALL", "C.UTF-8")
        patch.setenv("COLUMNS", "80")
        patch.setenv("NO_COLOR", "1")
        patch.chdir(here)
        yield {title: list(play(these, here)) for title, these in sections(README).items()}


def play(these: list[Step], here: Path) -> Iterator[tuple[Shown, Ran]]:
    """Do the steps of a section."""
    for step in these:
        if isinstance(step, Shown):
            yield step, do(step)
        else:
            (here / step.name).parent.mkdir(exist_ok=True)
            (here / step.name).write_text(step.text, encoding="utf-8")


@pytest.mark.parametrize("title", sections(README))
def test_every_command_does_and_prints_what_the_readme_shows(
    title: str, played: dict[str, list[tuple[Shown, Ran]]]
) -> None:
    for command, ran in played[title]:
        told = f"{command.line}\n{ran.out}{ran.err}"
        assert ran.code == command.code, told
        assert not command.output or is_excerpt(command.output, ran.out + ran.err), told
        assert command.body is None or is_part(command.body, json.loads(ran.out)), told


def is_excerpt(excerpt: list[str], output: str) -> bool:
    """Whether the lines are the output but for what ``...`` leaves out; blanks at the end of a line do not count."""
    pattern = ""
    for line in excerpt:
        if line.strip() == LEFT_OUT:
            pattern += r"(?:.*\n)*?"
        elif line.endswith("> "):
            pattern += re.escape(line)  # a prompt: what was typed is not in the output
        else:
            pattern += ".*".join(map(re.escape, line.rstrip().split(LEFT_OUT))) + r"[^\S\n]*\n"
    return re.fullmatch(pattern, output if output[-1:] in ("", " ", "\n") else f"{output}\n") is not None


def is_part(part: Any, whole: Any) -> bool:
    """Whether all that is shown is in the whole; in a list ``"..."`` as the last thing stands for a rest."""
    if isinstance(part, dict) and isinstance(whole, dict):
        return all(key in whole and is_part(value, whole[key]) for key, value in part.items())
    if isinstance(part, list) and isinstance(whole, list):
        shown_only = part[:-1] if part[-1:] == [LEFT_OUT] else part
        same_length = len(part) == len(whole) or shown_only is not part
        return same_length and all(map(is_part, shown_only, whole))
    if isinstance(part, str) and isinstance(whole, str) and part.endswith(LEFT_OUT):
        return whole.startswith(part.removesuffix(LEFT_OUT))
    return bool(part == whole)


def test_the_two_install_lines_stand_alone_in_their_blocks() -> None:
    blocks = [block["text"] for block in BLOCK.finditer(README) if block["kind"] == "sh"]
    assert [text.rstrip("\n").rpartition("/")[2] for text in blocks] == ["gmtool demo", "pytest"]
    assert all(text.startswith("python3 -m venv ") and text.count("\n") == 1 for text in blocks)


def test_the_readme_plays_a_whole_evening() -> None:
    lines = [step.line for these in sections(README).values() for step in these if isinstance(step, Shown)]
    for verb in ("campaign new", "attack", "answer", "table", "why", "undo", "odds", "set", "run", "config", "session"):
        assert any(f"gmtool {verb}" in line for line in lines), verb


def test_the_first_evening_goes_from_nothing_to_the_end_of_a_battle() -> None:
    lines = [step.line for step in sections(README)["A first evening"] if isinstance(step, Shown)]
    assert lines[0].startswith("$ gmtool campaign new")
    for verb in (*PREPARED, *FOUGHT, *MENDED):
        assert any(line.startswith(f"$ gmtool {verb} ") for line in lines), verb
    assert any("intercept:" in line for line in lines)
    assert any("counter:" in line for line in lines)
    assert any("--force --because" in line for line in lines)


def test_a_duel_is_played_from_its_set_up_to_its_end() -> None:
    lines = [step.line for step in sections(README)["Talon"] if isinstance(step, Shown)]
    assert lines[0].startswith("$ gmtool campaign new")
    for verb in DUEL:
        assert any(f"{line} ".startswith(f"$ gmtool {verb} ") for line in lines), verb
    for line in ("$ gmtool next", "$ gmtool status", "$ gmtool undo"):
        assert line in lines, line


def test_commands_are_told_from_output_and_their_exit_is_read() -> None:
    assert shown("$ gmtool note 'a # b'  # for later") == Shown("$ gmtool note 'a # b'  # for later", ["note", "a # b"])
    assert shown("gm undo 9  # exit 1") == Shown("gm undo 9  # exit 1", ["undo", "9"], 1)
    assert shown("gmtool: nothing to undo") is None
    assert shown(".venv/bin/gmtool demo") is None


def test_what_is_typed_in_the_shell_is_told_from_what_it_prints() -> None:
    (table,) = console("$ gmtool table\nLast Dance  turn 1> move r1 3\n  Arrow > Gains\nLast Dance> quit\n")
    assert table.typed == ["move r1 3", "quit"]
    assert table.output == ["Last Dance  turn 1> ", "  Arrow > Gains", "Last Dance> "]


def test_an_excerpt_leaves_out_only_what_it_says_it_leaves_out() -> None:
    output = "one  \ntwo: 17 s\nthree\n"
    assert is_excerpt(["one", "two: ... s", "three"], output)
    assert is_excerpt(["...", "three"], output)
    assert is_excerpt(["one", "..."], output)
    assert not is_excerpt(["one", "three"], output)
    assert not is_excerpt(["two: 17 s", "three"], output)


def test_part_of_an_object_leaves_out_keys_and_the_rest_of_a_list() -> None:
    whole = {"a": [{"b": 1, "c": 2}, 3], "d": "text and more"}
    assert is_part({"a": [{"b": 1}, "..."], "d": "text..."}, whole)
    assert not is_part({"a": [{"b": 1}]}, whole)
    assert not is_part({"a": [{"b": 2}, 3]}, whole)
