"""The lines that are broken off and made to fail, each with the home it is done in; and homes looked at as a whole."""

import json
import shlex
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple
from zipfile import BadZipFile, ZipFile

from tests.trust.hands import ATTACK, START, Ran, Stand, fold, gm, made, stand

SPENT = ("set units.arrow.fuel 30", "set units.arrow.fuel 29", "set units.arrow.fuel 28")
FACES = '"92 15 07 99 61"'
EVADED = "33 60 88 55"


class Work(NamedTuple):
    """A line, what was done before it, and what is done to the files behind that."""

    line: str
    before: tuple[str, ...] = SPENT
    prepared: Callable[[Path], object] = lambda home: None


def torn(home: Path) -> None:
    """A line that was broken off."""
    with (home / "test" / "journal.jsonl").open("ab") as file:
        file.write(b'{"format":1,"seq":13,"ti')


def spoilt(home: Path) -> None:
    """A snapshot somebody has changed by hand."""
    file = home / "test" / "campaign.json"
    file.write_bytes(file.read_bytes().replace(b'"fuel":28', b'"fuel":99'))


def packed(home: Path) -> None:
    """An archive of the campaign, which is then put away under another name, with rules of the GM's own."""
    rules = home / "test" / "rules"
    rules.mkdir()
    (rules / "own.toml").write_text("format = 1\n", encoding="utf-8")
    assert gm(home, "campaign", "export", str(home / "test.zip")).code == 0
    assert gm(home, "campaign", "rename", "test", "First").code == 0


WORKS = {
    "a step": Work("set units.arrow.fuel 27"),
    "many units": Work("unit add gains --side Bydo --count 20"),
    "a note": Work("note Wind"),
    "an undo of several": Work("undo 3"),
    "a redo of several": Work("redo 2", (*SPENT, "undo 3")),
    "a question": Work(ATTACK),
    "an answer that asks on": Work(f"answer {FACES}", (ATTACK,)),
    "an answer": Work(f"answer {EVADED}", (ATTACK, f"answer {FACES}")),
    "a question dropped": Work("answer --drop", (ATTACK,)),
    "a line that is tried": Work("try set units.arrow.fuel 27"),
    "a what-if begins": Work("try"),
    "a step in a what-if": Work("set units.arrow.fuel 27", (*SPENT, "try", "note Wind")),
    "an undo of several in a what-if": Work("undo 2", ("try", *SPENT)),
    "a question in a what-if": Work(ATTACK, (*SPENT, "try")),
    "a what-if is kept": Work("keep", ("try", *SPENT, "undo", "note Wind")),
    "a what-if is dropped": Work("drop", (*SPENT, "try", "set units.arrow.fuel 20", ATTACK)),
    "a checkpoint": Work("checkpoint Wind"),
    "an undo to a checkpoint": Work("undo --to Wind", ("checkpoint Wind", *SPENT)),
    "a setting": Work("config lang ja"),
    "a session begins": Work("session start Evening"),
    "a session ends": Work("session end", (*SPENT, "session start Evening")),
    "campaign new": Work("campaign new Other --system rtype"),
    "campaign use": Work("campaign use other", ("campaign new Other --system rtype", "campaign use test")),
    "campaign rename": Work("campaign rename test Elsewhere"),
    "campaign remove": Work("campaign remove test --yes"),
    "campaign export": Work("campaign export {home}/out.zip"),
    "campaign import": Work("campaign import {home}/test.zip", SPENT, packed),
    "backup restore": Work("backup restore 3"),
    "a step behind a torn line": Work("set units.arrow.fuel 27", SPENT, torn),
    "a step on a spoilt snapshot": Work("set units.arrow.fuel 27", SPENT, spoilt),
}


def prepared(folder: Path, work: Work) -> Path:
    """A home in which the work can be done."""
    home = made(folder, (*START, *work.before))
    work.prepared(home)
    return home


def done(home: Path, work: Work) -> Ran:
    """Do the work."""
    return gm(home, *words(home, work))


def words(home: Path, work: Work) -> list[str]:
    """The words of the work's line."""
    return shlex.split(work.line.format(home=home))


class View(NamedTuple):
    """What there is in a home: its campaigns, those put away, which one is chosen, what was exported."""

    campaigns: dict[str, Stand]
    removed: dict[str, Stand]
    chosen: Any
    exported: int


def view(home: Path) -> View:
    """The home as a whole; a new campaign's secret is its own."""
    removed = home / ".removed"
    away = {path.name: _stand(path) for path in removed.iterdir()} if removed.is_dir() else {}
    shown = [path for path in home.iterdir() if path.is_dir() and not path.name.startswith(".")]
    campaigns = {path.name: _stand(path) for path in shown}
    try:
        chosen = json.loads((home / ".chosen.json").read_bytes())["active"]
    except FileNotFoundError:
        chosen = None
    return View(campaigns, away, chosen, _exported(home / "out.zip"))


def _stand(folder: Path) -> Stand:
    found = stand(folder)
    state = json.loads(found.state)
    state["campaign"]["campaign"].pop("secret", None)
    return found._replace(state=json.dumps(state, sort_keys=True))


def _exported(file: Path) -> int:
    """The last line of the journal in an archive; 0 where there is none, -1 where it is broken."""
    if not file.exists():
        return 0
    try:
        with ZipFile(file) as archive:
            return fold(archive.read("journal.jsonl"))[0]
    except (BadZipFile, KeyError):
        return -1


def part_by_part(now: View, before: View, after: View) -> bool:
    """Whether each part stands as before or as after; a campaign put away is in one of the two places."""
    return all(part in (old, new) for part, old, new in zip(now, before, after, strict=True)) and len(
        now.campaigns
    ) + len(now.removed) in {len(each.campaigns) + len(each.removed) for each in (before, after)}
