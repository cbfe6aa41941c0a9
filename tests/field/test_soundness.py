"""Campaigns from elsewhere whose lines follow one another and whose state cannot be: refused, never a fault."""

import json
from pathlib import Path
from typing import Any

import pytest

from gmtool.kernel import journal
from tests.field.table import Table

WRONG: dict[str, tuple[str, Any]] = {
    "a sheet without its shape": ("sheets.kestrel.hexes", 5),
    "a weapon that is none": ("sheets.kestrel.weapons", ["x"]),
    "a sheet that is nowhere": ("units.alpha.sheet", "ghost"),
    "a pilot who is nowhere": ("units.alpha.pilot", "ghost"),
    "a side that is nowhere": ("units.beta.side", "ghost"),
    "a force that is nowhere": ("units.beta.attached_to", "ghost"),
    "a ship that is nowhere": ("units.beta.aboard", "ghost"),
    "a battle of nobody": ("battle.now.acting", "ghost"),
    "a unit whose turn it is": ("battle.now.current", "ghost"),
}
LINES = (
    "status", "status alpha", "attack alpha vulcan beta --dice 50", "move alpha 1", "end phase --rest", "history",
    "session start", "odds attack alpha vulcan beta", "status --json", "sheet list", "damage beta 5", "undo",
)  # fmt: skip


def spoil(folder: Path, path: str, value: object) -> None:
    """A line of someone who knows the format: the chain is whole, the state is not."""
    lines = (folder / "journal.jsonl").read_bytes().splitlines(keepends=True)
    last = journal.decode(lines[-1])
    head = journal.Head(
        last["seq"], sum(map(len, lines)), journal.line_hash(lines[-1]), last["undo"], last["redo"], last["format"]
    )
    table, id, key = path.split(".")
    rows = json.loads((folder / "campaign.json").read_text("utf-8"))[table].values()
    before = next(row for row in rows if row["id"] == id)[key]
    change = {"path": path, "before": before, "after": value, "rule": ""}
    raw = journal.encode(journal.step(head, {"time": "", "line": "spoil", "command": {}, "changes": [change]}))
    (folder / "journal.jsonl").write_bytes(b"".join([*lines, raw]))


@pytest.mark.parametrize("what", WRONG)
def test_what_does_not_hold_together_is_named_by_every_line_that_stumbles_over_it(fight: Table, what: str) -> None:
    path, value = WRONG[what]
    spoil(fight.home / "test", path, value)
    told = fight.gm("doctor", "--json")
    assert told.code == 4
    assert path.rpartition(".")[0] in json.dumps(told.objects[0]["result"]["findings"])
    for line in LINES:
        ran = fight.gm(*line.split(), "--json")
        assert ran.code in (0, 1, 2, 4), (line, ran)
        if ran.code == 4:
            assert ran.objects[-1]["error"]["code"] == "unreadable", (line, ran)
            assert path.split(".")[1] in ran.objects[-1]["error"]["message"]


@pytest.mark.parametrize("what", WRONG)
def test_what_does_not_hold_together_is_not_taken_in(fight: Table, what: str) -> None:
    spoil(fight.home / "test", *WRONG[what])
    fight.do("campaign", "export", "wrong.zip")
    fight.do("campaign", "rename", "test", "First")
    before = sorted(path.name for path in fight.home.iterdir())
    error = fight.refused("campaign", "import", "wrong.zip", code=4)
    assert error["code"] == "unreadable"
    assert sorted(path.name for path in fight.home.iterdir()) == before


def test_what_holds_together_is_taken_in(fight: Table) -> None:
    fight.do("campaign", "export", "right.zip")
    fight.do("campaign", "rename", "test", "First")
    fight.do("campaign", "import", "right.zip")


@pytest.mark.parametrize("year", [1970, 2150])
def test_p_o2_an_export_does_not_look_at_the_clock(fight: Table, year: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Archives know the years from 1980 to 2107; equal campaigns give equal files whenever they are written."""
    fight.do("campaign", "export", "now.zip")
    import time

    seconds = (year - 1970) * 31_556_952
    monkeypatch.setattr(time, "time", lambda: float(seconds))
    real = time.localtime
    monkeypatch.setattr(time, "localtime", lambda at=None: real(seconds if at is None else at))
    fight.do("campaign", "export", "then.zip")
    assert Path("now.zip").read_bytes() == Path("then.zip").read_bytes()


def test_an_export_leaves_a_neighbour_alone(fight: Table) -> None:
    Path("out.zip.tmp").write_text("mine")
    fight.do("campaign", "export", "out.zip")
    assert Path("out.zip.tmp").read_text() == "mine"
    assert sorted(path.name for path in Path().iterdir()) == ["out.zip", "out.zip.tmp"]
