"""What the tests of field reports share: a table to play at, what a refusal is, and a measure of cells of their own."""

import io
import json
import os
import unicodedata
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

REFUSALS = (1, 2, 3, 4)
KESTREL_FUEL = 40
ABILITIES = {"body": 20, "agility": 30, "intelligence": 15, "diplomacy": 15, "life": 50, "spirit": 30}
PILOT = tuple(word for name, figure in ABILITIES.items() for word in (f"--{name}", str(figure)))


class Tty(io.StringIO):
    """A stream that says it is a terminal."""

    def isatty(self) -> bool:
        return True


def folder_bytes(home: Path) -> dict[str, bytes]:
    """Every file below a home, but for what belongs to the moment: the lock and an open ruling."""
    return {
        path.relative_to(home).as_posix(): path.read_bytes()
        for path in sorted(home.rglob("*"))
        if path.is_file() and path.name not in {".lock", "open.json"}
    }


class Table:
    """A campaign at play: lines that must be done, lines that must be refused, and the state as scripts read it."""

    def __init__(self, gm: Callable[..., Any], home: Path) -> None:
        self.gm = gm
        self.home = home

    def do(self, *words: str, **how: Any) -> dict[str, Any]:
        """Do a line and give its JSON object."""
        ran = self.gm("--json", *words, **how)
        assert ran.code == 0, (words, ran)
        assert ran.err == ""
        (answer,) = ran.objects
        assert answer["ok"] is True
        return dict(answer)

    def lines(self, *lines: str) -> None:
        """Do several lines, each cut at its blanks."""
        for line in lines:
            self.do(*line.split())

    def show(self, *words: str, **how: Any) -> str:
        """What people see of a line that is done."""
        ran = self.gm(*words, **how)
        assert ran.code == 0, (words, ran)
        return str(ran.out)

    def refused(self, *words: str, says: str = "", code: int = 0, **how: Any) -> dict[str, Any]:
        """Check that a line is refused as a field report wants it, in both forms; the error for scripts.

        The exit code is one of a refusal, the message stands on the error stream and names the value (``says``),
        nobody sees a traceback, and no byte on disk is another than before.
        """
        before = folder_bytes(self.home)
        ran = self.gm(*words, **how)
        assert ran.code in ((code,) if code else REFUSALS), (words, ran)
        assert ran.err.strip(), words
        assert ran.out == "", words
        assert says in " ".join(ran.err.split()) or says in "".join(ran.err.split("\n  ")), (words, ran.err)
        assert "Traceback" not in ran.err
        told = self.gm("--json", *words, **how)
        (answer,) = told.objects
        assert answer["ok"] is False
        assert told.code == ran.code
        assert told.err == ""
        assert folder_bytes(self.home) == before
        return dict(answer["error"])

    @property
    def state(self) -> dict[str, Any]:
        """The state as ``status --json`` gives it."""
        return dict(self.do("status")["result"])

    def unit(self, id: str) -> dict[str, Any]:
        """One unit of it."""
        return dict(self.state["units"][id])

    def on_screen(self, *words: str, width: int, env: Mapping[str, str] | None = None) -> tuple[int, str, str]:
        """A line done in a terminal of that width, without colours: exit code and both streams."""
        from gmtool.cli.main import run

        out, err = Tty(), Tty()
        settings = {**os.environ, "COLUMNS": str(width), "NO_COLOR": "1", "TERM": "xterm", **(env or {})}
        code = run(list(words), stdin=io.StringIO(), stdout=out, stderr=err, env=settings)
        return code, out.getvalue(), err.getvalue()


def journal(home: Path, slug: str = "test") -> list[dict[str, Any]]:
    """The lines of a campaign's journal."""
    text = (home / slug / "journal.jsonl").read_text(encoding="utf-8")
    return [json.loads(line) for line in text.splitlines()]


def width(text: str) -> int:
    """The cells a terminal gives a text, measured without the program: wide 2, marks and joiners 0, one glyph an emoji.

    Ambiguous characters count one cell, which is the choice the program documents.
    """
    cells, joined, before, flags = 0, False, "", 0
    for char in text:
        flag = "\U0001f1e6" <= char <= "\U0001f1ff"
        flags = flags + 1 if flag else 0
        if char == "\u200d":
            joined = True
            continue
        if char == "\ufe0f":
            cells += 1 if before and unicodedata.east_asian_width(before) not in "WF" else 0
        elif (
            unicodedata.category(char) in ("Mn", "Me", "Cf")
            or 0x1160 <= ord(char) <= 0x11FF
            or joined
            or "\U0001f3fb" <= char <= "\U0001f3ff"
            or (flag and flags % 2 == 0)
        ):
            pass
        elif flag:
            cells += 2
        else:
            cells += 2 if unicodedata.east_asian_width(char) in "WF" else 1
        joined = False
        before = char
    return cells
