"""Screens as they are at a table: what a terminal of 80 and of 120 columns shows in each language, kept row by row.

``tests/screens/GAME.gm`` prepares a campaign; its lines that begin with ``#> `` are then typed in the shell. What is on
the screen in the end, with all that was scrolled away, stands in ``GAME.LANG.COLUMNS.txt``. After a change that is
meant, ``python -m tests.test_screens`` writes these anew; they are to be looked at before they are kept.
"""

import io
import os
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

import pytest

from gmtool.cli.main import run
from tests.conftest import PERSONAL, Ran
from tests.field.table import width

if sys.platform == "win32":
    pytest.skip("needs a terminal of its own", allow_module_level=True)

from tests.screen import Terminal

FOLDER = Path(__file__).resolve().parent / "screens"
SCRIPTS = sorted(FOLDER.glob("*.gm"))
LANGUAGES = ("en", "ja", "ko")
COLUMNS = (80, 120)
TYPED = "#> "
every_screen = pytest.mark.parametrize(
    ("script", "lang", "columns"),
    [(script, lang, columns) for script in SCRIPTS for lang in LANGUAGES for columns in COLUMNS],
    ids=lambda value: value.stem if isinstance(value, Path) else str(value),
)


def kept(script: Path, lang: str, columns: int) -> Path:
    """The file that a screen is kept in."""
    return FOLDER / f"{script.stem}.{lang}.{columns}.txt"


def typed_at(script: Path, lang: str, columns: int, home: Path, gm: Callable[..., Ran]) -> list[str]:
    """All rows of a terminal after the lines of a script were typed there."""
    text = script.read_text("utf-8")
    ran = gm("run", "-", input=text)
    assert ran.code == 0, ran.err
    window = Terminal("table", "--lang", lang, home=home, columns=columns)
    window.prompt()
    for line in text.splitlines():
        if line.startswith(TYPED):
            window.line(line.removeprefix(TYPED))
    window.type("quit")
    assert window.ends() == 0
    return window.rows


@every_screen
def test_a_screen_is_as_it_was_looked_at(
    script: Path, lang: str, columns: int, home: Path, gm: Callable[..., Ran]
) -> None:
    assert typed_at(script, lang, columns, home, gm) == kept(script, lang, columns).read_text("utf-8").splitlines()


@every_screen
def test_no_row_is_wider_than_the_screen(script: Path, lang: str, columns: int) -> None:
    rows = kept(script, lang, columns).read_text("utf-8").splitlines()
    assert [row for row in rows if width(row) > columns] == []


def in_process(*argv: str, input: str = "") -> Ran:
    """The command line, as the fixture ``gm`` has it."""
    out, err = io.StringIO(), io.StringIO()
    code = run(list(argv), stdin=io.StringIO(input), stdout=out, stderr=err, env=os.environ)
    return Ran(code, out.getvalue(), err.getvalue())


def written() -> None:
    """Write all screens anew."""
    for name in PERSONAL:
        os.environ.pop(name, None)
    for script in SCRIPTS:
        for lang in LANGUAGES:
            for columns in COLUMNS:
                with tempfile.TemporaryDirectory() as place:
                    home = Path(place) / "home"
                    os.environ["GMTOOL_HOME"] = str(home)
                    rows = typed_at(script, lang, columns, home, in_process)
                kept(script, lang, columns).write_text("\n".join(rows) + "\n", "utf-8")


if __name__ == "__main__":
    written()
