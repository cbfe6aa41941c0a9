"""Whatever the README shows is run, section by section, each in a home of its own."""

import re
import shlex
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest

ROOT = Path(__file__).resolve().parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")

COMMAND = re.compile(r"(?:\$ )?(?:gmtool|gm) (?P<words>.*)")
EXIT = re.compile(r"  # exit (\d+)$")
COMMENT = re.compile(r"  +#.*$")


class Shown(NamedTuple):
    """A command as the README shows it, and the exit code it promises (0 unless it says ``# exit N``)."""

    line: str
    argv: list[str]
    code: int


class Section(NamedTuple):
    """A heading and the commands below it, in order."""

    title: str
    commands: list[Shown]


def shell_lines(text: str) -> Iterator[str]:
    """The lines inside fenced blocks of kind ``sh`` and ``console``."""
    for block in re.findall(r"^```(?:sh|console)\n(.*?)^```", text, flags=re.MULTILINE | re.DOTALL):
        yield from block.splitlines()


def shown(line: str) -> Shown | None:
    """The command on a line, or None for output, installation and other programs."""
    match = COMMAND.fullmatch(line.rstrip())
    if not match:
        return None
    words = match["words"]
    promised = EXIT.search(words)
    return Shown(line, shlex.split(COMMENT.sub("", words)), int(promised[1]) if promised else 0)


def sections(text: str) -> list[Section]:
    """Every second-level section that shows a command."""
    found = []
    for part in re.split(r"^## ", text, flags=re.MULTILINE)[1:]:
        commands = [command for line in shell_lines(part) if (command := shown(line))]
        if commands:
            found.append(Section(part.partition("\n")[0], commands))
    return found


@pytest.fixture
def checkout(gm_process: Callable[..., Any], monkeypatch: pytest.MonkeyPatch) -> Callable[..., Any]:
    """The command line where a reader stands: a checkout, whose home is its `campaigns` folder (here a copy)."""
    monkeypatch.delenv("GMTOOL_HOME")
    copy = Path.cwd() / "campaigns"
    copy.mkdir()
    (copy / ".gmtool").write_text("{}\n", encoding="utf-8")
    for folder in (ROOT / "campaigns" / "demo", *(ROOT / "campaigns").glob("sample*")):
        shutil.copytree(folder, copy / folder.name)
    return gm_process


@pytest.mark.parametrize("section", sections(README), ids=lambda section: section.title)
def test_every_command_of_a_section_does_what_it_says(section: Section, checkout: Callable[..., Any]) -> None:
    for command in section.commands:
        ran = checkout(*command.argv)
        assert ran.code == command.code, f"{command.line}\n{ran.out}{ran.err}"


def test_the_two_install_lines_stand_alone_in_their_blocks() -> None:
    lines = [line for line in shell_lines(README) if line.startswith("python3 -m venv ")]
    assert [line.rpartition("/")[2] for line in lines] == ["gmtool demo", "pytest"]


def test_commands_are_told_from_output_and_their_exit_is_read() -> None:
    assert shown("$ gmtool note 'a # b'  # for later") == Shown(
        "$ gmtool note 'a # b'  # for later", ["note", "a # b"], 0
    )
    assert shown("gm undo 9  # exit 1") == Shown("gm undo 9  # exit 1", ["undo", "9"], 1)
    assert shown("gmtool: nothing to undo") is None
    assert shown(".venv/bin/gmtool demo") is None
