"""The rulebook as cases: tests/rulebook/<game>/*.toml, each played at the real command line and then undone.

A case is a set-up, lines that were played before (``given``), one line (``when``) and what comes of it, worked out by
hand from the rule: ``then``, ``refused`` or ``asks``. tests/rulebook/README.md says what each key holds.
"""

import io
import json
import math
import os
import re
import shutil
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from gmtool.cli.main import run

ROOT = Path(__file__).resolve().parent
FILES = sorted(file for file in (ROOT / "rulebook").glob("*/*.toml") if not file.name.startswith("setups"))
SOURCES = ("printed", "derived", "default")
TOP = ("case", "table")
UNFILLED = re.compile(r"\{[a-z_]+\}")
ENDS = ("then", "refused", "asks")
KEYS = {"id", "rule", "name", "source", "setup", "sheets", "given", "when", *ENDS}
THEN = {
    "result", "chances", "changes", "some_changes", "dice", "rolled", "figures", "due", "rules", "overruled",
    "warnings", "also",
}  # fmt: skip
REFUSED = {"code", "exit", "rule", "facts"}
NOTHING = "-"
pytestmark = pytest.mark.usefixtures("own_chapters_only")


@dataclass(frozen=True)
class Case:
    """One case of the rulebook, as it stands in its file."""

    game: str
    id: str
    rule: str
    name: str
    source: str
    when: str
    sheets: tuple[str, ...]
    given: tuple[tuple[str, ...], ...]
    end: Mapping[str, Any] = field(compare=False)

    def __str__(self) -> str:
        return f"{self.rule}:{self.id}"


def load() -> tuple[list[Case], list[str]]:
    """All cases of all files, and what is wrong with those that are malformed."""
    cases: list[Case] = []
    faults: list[str] = []
    for file in FILES:
        game, setups = file.parent, setups_of(file.parent)
        data = tomllib.loads(file.read_text(encoding="utf-8"))
        faults += [f"{file.name} has unknown keys {sorted(set(data) - {*TOP})}"] if set(data) - {*TOP} else []
        rows = [*data.get("case", []), *(row for table in data.get("table", []) for row in expanded(table))]
        for row in rows:
            wrong = malformed(row, setups)
            if wrong:
                faults.append(f"{file.name}, {row.get('id', '?')}: {wrong}")
            else:
                cases.append(case_of(game.name, row, setups))
    seen = [f"{case.game} {case.id}" for case in cases]
    faults += [f"two cases are called {id}" for id in sorted({id for id in seen if seen.count(id) > 1})]
    return cases, faults


@cache
def setups_of(game: Path) -> dict[str, list[dict[str, Any]]]:
    """The set-ups of a game, each with those it stands on before itself."""
    files = sorted(game.glob("setups*.toml"))
    rows = {name: row for file in files for name, row in tomllib.loads(file.read_text("utf-8"))["setup"].items()}

    def chain(name: str) -> list[dict[str, Any]]:
        row = rows[name]
        return [*(chain(row["on"]) if "on" in row else []), row]

    return {name: chain(name) for name in rows}


def expanded(table: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """The cases of a printed table: each of its models filled in with each row."""
    for row in table["rows"]:
        words = dict(zip(table["columns"], row, strict=True))
        yield from (filled(model, words) for model in table["case"])


def filled(value: Any, words: Mapping[str, Any]) -> Any:
    """A model with ``{column}`` replaced; a text that is nothing else becomes the row's value itself."""
    if isinstance(value, dict):
        return {key: filled(inner, words) for key, inner in value.items()}
    if isinstance(value, list):
        return [filled(inner, words) for inner in value]
    if not isinstance(value, str):
        return value
    alone = re.fullmatch(r"\{(\w+)\}", value)
    if alone:
        return words[alone[1]]
    return re.sub(r"\{(\w+)\}", lambda met: str(words[met[1]]), value)


def malformed(row: Mapping[str, Any], setups: Mapping[str, Any]) -> str:
    """What is wrong with a case; nothing if it can be played."""
    ends = [end for end in ENDS if end in row]
    if len(ends) != 1:
        return f"has {ends or 'none'} of {ENDS}"
    if unknown := set(row) - KEYS:
        return f"has unknown keys {sorted(unknown)}"
    for key in ("id", "rule", "name", "when"):
        if not isinstance(row.get(key), str) or not row[key]:
            return f"has no {key}"
    if row.get("source") not in SOURCES:
        return f"source is none of {SOURCES}"
    if row.get("setup", "") not in {"", *setups}:
        return f"names no set-up of its game: {row['setup']}"
    known = {"then": THEN, "refused": REFUSED}.get(ends[0])
    if known is None:
        return "" if row["asks"] else "asks for nothing"
    if not row[ends[0]] or set(row[ends[0]]) - known:
        return f"{ends[0]} is empty or has unknown keys: {sorted(set(row[ends[0]]) - known)}"
    return "" if ends[0] == "then" or {"code", "exit"} <= set(row["refused"]) else "refused needs code and exit"


def case_of(game: str, row: Mapping[str, Any], setups: Mapping[str, Any]) -> Case:
    """A well-formed case, with the lines and sheets of its set-up before its own."""
    parts = [*setups.get(row.get("setup", ""), []), row]
    sheets = tuple(part["sheets"] for part in parts if "sheets" in part)
    given = tuple(tuple(part["given"]) for part in parts if "given" in part)
    end = {key: row[key] for key in ENDS if key in row}
    return Case(game, row["id"], row["rule"], row["name"], row["source"], row["when"], sheets, given, end)


CASES, FAULTS = load()


def test_every_case_is_well_formed_and_has_an_id_of_its_own() -> None:
    assert FAULTS == []
    assert CASES


@pytest.mark.parametrize("game", sorted({file.parent.name for file in FILES}))
def test_every_rule_marked_as_ruled_has_a_case(game: str) -> None:
    index = tomllib.loads((ROOT.parent / "rules_data" / game / "index.toml").read_text(encoding="utf-8"))
    ruled = {row["id"] for row in index["rule"] if row["status"] == "ruled"}
    assert sorted(ruled - {case.rule for case in CASES if case.game == game}) == []


@pytest.fixture(scope="module")
def shelf(tmp_path_factory: pytest.TempPathFactory) -> Iterator["Shelf"]:
    """A cache of its own, and no waiting for the disk: that a line is safe there is shown elsewhere."""
    root = tmp_path_factory.mktemp("rulebook")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("GMTOOL_CACHE", str(root / "cache"))
        patch.setattr(os, "fsync", lambda file: None)
        yield Shelf(root)


@pytest.mark.parametrize("case", CASES, ids=str)
def test_the_rulebook(case: Case, shelf: "Shelf") -> None:
    table = shelf.table(case)
    before, kept = table.state(), table.files()
    code, objects = table.play([case.when])
    assert len(objects) == 1, objects
    told = objects[0]
    if "then" in case.end:
        assert code == 0, told
        assert_then(case.end["then"], told, table)
        if "seq" in told:
            assert_undone_and_redone(before, table)
    elif "refused" in case.end:
        assert_refused(case.end["refused"], code, told)
        assert table.files() == kept
    else:
        assert (code, told["error"]["code"]) == (1, "needs-answer"), told
        assert [ask["key"] for ask in told["asks"]] == case.end["asks"]
        assert table.files(leaving=("open.json",)) == kept


def assert_undone_and_redone(before: Mapping[str, Any], table: "Table") -> None:
    """Undo gives back exactly the state there was; redo what had come of it."""
    after = table.state()
    assert table.play(["undo"])[0] == 0
    assert table.state() == before
    assert table.play(["redo"])[0] == 0
    assert table.state() == after


def assert_refused(expected: Mapping[str, Any], code: int, told: Mapping[str, Any]) -> None:
    assert not UNFILLED.search(json.dumps(told["error"])), "a place in a sentence for a fact that nobody gave it"
    assert told["ok"] is False, told
    assert holds(expected, {**told["error"], "exit": code}), told


def assert_then(then: Mapping[str, Any], told: Mapping[str, Any], table: "Table") -> None:
    """What a ruling says, as far as the case names it; its changes are compared completely unless it says otherwise."""
    assert told["ok"] is True
    assert holds(then.get("result", {}), told["result"]), told["result"]
    chances = {key: percent / 100 for key, percent in then.get("chances", {}).items()}
    assert holds(chances, told["result"]), told["result"]
    changed = net(told.get("changes", []))
    if "changes" in then:
        assert changed == expected_changes(then["changes"])
    for path, pair in expected_changes(then.get("some_changes", {})).items():
        assert holds(list(pair), list(changed[path])), (path, changed[path])
    dice = {die["key"]: die for die in told.get("dice", [])}
    assert holds(then.get("dice", {}), dice), dice
    assert then.get("rolled", list(dice)) == list(dice)
    if "figures" in then:
        assert holds(then["figures"], table.figures()), table.figures()
    if "due" in then:
        assert holds(then["due"], told["due"]), told["due"]
    assert set(then.get("rules", [])) <= set(told.get("rules", []))
    for key in ("overruled", "warnings"):
        if key in then:
            assert [entry["code"] for entry in told[key]] == then[key]
    for path, value in then.get("also", {}).items():
        assert table.at(path) == known(value), path


def holds(expected: Any, found: Any) -> bool:
    """Whether everything expected is found: tables may hold more, lists are compared place by place."""
    if isinstance(expected, dict) and isinstance(found, dict):
        return all(key in found and holds(value, found[key]) for key, value in expected.items())
    if isinstance(expected, list) and isinstance(found, list | tuple):
        return len(expected) == len(found) and all(map(holds, expected, found))
    if isinstance(expected, float):
        return math.isclose(expected, found, rel_tol=1e-12, abs_tol=1e-15)
    return type(expected) is type(found) and bool(expected == found)


def net(changes: list[dict[str, Any]]) -> dict[str, tuple[Any, Any]]:
    """What became of each path in all: what was there before the first change and after the last."""
    sums: dict[str, tuple[Any, Any]] = {}
    for change in changes:
        before, after = change.get("before"), change.get("after")
        sums[change["path"]] = (sums.get(change["path"], (before, after))[0], after)
    return sums


def expected_changes(pairs: Mapping[str, Any]) -> dict[str, tuple[Any, Any]]:
    """The pairs of a case: ``-`` is nothing there, or an empty field."""
    return {path: (known(before), known(after)) for path, (before, after) in pairs.items()}


def known(value: Any) -> Any:
    return None if value == NOTHING else value


class Table:
    """A campaign of its own and the command line to play it, in this process."""

    def __init__(self, home: Path) -> None:
        self.home = home
        self.folder = home / "case"

    def play(self, lines: list[str], *options: str) -> tuple[int, list[dict[str, Any]]]:
        """Lines as a script would have them: the exit code and one JSON object each."""
        out, err = io.StringIO(), io.StringIO()
        env = {"LC_ALL": "C.UTF-8", "COLUMNS": "100"}
        argv = ["run", "-", "--home", str(self.home), "--json", *options]
        code = run(argv, stdin=io.StringIO("\n".join(lines) + "\n"), stdout=out, stderr=err, env=env)
        assert not err.getvalue()
        return code, [json.loads(line) for line in out.getvalue().splitlines()]

    def must(self, lines: list[str]) -> None:
        """Lines that prepare a case; each has to be done."""
        code, objects = self.play(lines)
        assert code == 0, objects[-1:]

    def state(self) -> dict[str, Any]:
        """The whole state: every table of campaign.json but the place in the journal."""
        tables: dict[str, Any] = json.loads((self.folder / "campaign.json").read_text(encoding="utf-8"))
        del tables["journal"]
        return tables

    def at(self, path: str) -> Any:
        """One value of the state, by table, id and keys."""
        table, id, *keys = path.split(".")
        value: Any = next(row for row in self.state()[table].values() if row["id"] == id)
        for key in keys:
            value = value[key]
        return value

    def files(self, leaving: tuple[str, ...] = ()) -> dict[str, bytes]:
        """Everything on disk, to the byte, but the lock."""
        kept = (file for file in self.folder.rglob("*") if file.is_file() and file.name not in {".lock", *leaving})
        return {file.relative_to(self.folder).as_posix(): file.read_bytes() for file in kept}

    def figures(self) -> dict[str, Any]:
        """The target numbers of the latest ruling, each with its total and its parts."""
        _, objects = self.play(["why"])
        entries = [entry for entry in objects[0]["result"]["trace"] if entry["t"] == "figure"]
        return {
            entry["key"]: {"total": entry["total"], "parts": {part["key"]: part["n"] for part in entry["parts"]}}
            for entry in entries
        }


class Shelf:
    """Campaigns that cases start from, each played once and kept.

    Cases with the same sheets are all laid out in the same folder, one after the other: what is compiled of rules is
    kept by their path, and compiling them is most of a case's time.
    """

    def __init__(self, root: Path) -> None:
        self.root = root
        self.tables: dict[Any, Table] = {}
        self.kept: dict[Any, Path] = {}

    def table(self, case: Case) -> Table:
        """The case's campaign, laid out as it stands before the case's line."""
        return self._laid(case.game, case.sheets, case.given)

    def _laid(self, game: str, sheets: tuple[str, ...], given: tuple[tuple[str, ...], ...]) -> Table:
        table = self.tables.setdefault((game, sheets), Table(self.root / f"home{len(self.tables)}"))
        key = (game, sheets, given)
        if key in self.kept:
            shutil.rmtree(table.folder)
            shutil.copytree(self.kept[key], table.folder)
            return table
        if given:
            self._laid(game, sheets, given[:-1])
            table.must(list(given[-1]))
        else:
            table.home.mkdir()
            table.must([f"campaign new case --system {game}"])
            write_sheets(table.folder, sheets)
        self.kept[key] = self.root / f"kept{len(self.kept)}"
        shutil.copytree(table.folder, self.kept[key])
        return table


def write_sheets(folder: Path, sheets: tuple[str, ...]) -> None:
    """The craft of a case as the campaign's own rules."""
    for number, text in enumerate(sheets, 1):
        (folder / "rules").mkdir(exist_ok=True)
        (folder / "rules" / f"case{number}.toml").write_text(f"format = 1\n{text}", encoding="utf-8")
