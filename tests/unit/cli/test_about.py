"""The games, the doctor, and the list of errors compared with what the program raises."""

import ast
import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from gmtool.cli.codes import CODES
from gmtool.kernel.expr.tree import REFUSALS
from gmtool.store.doctor import WHOLE_FILE
from gmtool.text.catalogue import LANGUAGES, load
from tests.conftest import ROOT, Ran
from tests.unit.store.conftest import summed

Gm = Callable[..., Ran]
MODULES = sorted((ROOT / "gmtool").rglob("*.py"))

# Codes that reach ``Refused`` through a variable, or are told without one.
PASSED_ON = {"nothing-to-undo": 1, "nothing-to-redo": 1, "needs-answer": 1}


class Raised(NamedTuple):
    """A place where a code is raised: its exit code (None: not written there) and whether force would help."""

    code: str
    exit: int | None
    forcible: bool


def calls() -> Iterator[tuple[str, bool, ast.Call]]:
    """Every call in the program: the name called, whether on an object, the call."""
    for module in MODULES:
        for node in ast.walk(ast.parse(module.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name | ast.Attribute):
                on_object = isinstance(node.func, ast.Attribute)
                yield (node.func.attr if isinstance(node.func, ast.Attribute) else node.func.id), on_object, node


def texts(call: ast.Call, place: int) -> list[str]:
    """The text at a place of a call, or those it chooses between."""
    if len(call.args) <= place:
        return []
    return [node.value for node in ast.walk(call.args[place]) if isinstance(node, ast.Constant)
            and isinstance(node.value, str)]  # fmt: skip


def raised() -> Iterator[Raised]:
    """What ``Refused(…)`` and the ``refuse`` and ``forbid`` of a ruling raise, and the refusals of dice expressions."""
    for name, on_object, call in calls():
        if name == "Refused" or (on_object and name in {"refuse", "forbid"}):
            found = {keyword.arg: keyword.value for keyword in call.keywords}
            exit = found.get("exit", ast.Constant(1)) if name == "Refused" else ast.Constant(1)
            code = exit.value if isinstance(exit, ast.Constant) and isinstance(exit.value, int) else None
            for text in texts(call, 0):
                yield Raised(text, code, name == "forbid" or "forcible" in found)
    for code, exit, *_ in REFUSALS.values():
        yield Raised(code, exit, False)
    for code, exit in PASSED_ON.items():
        yield Raised(code, exit, False)


def test_the_list_of_errors_is_what_the_program_raises() -> None:
    assert {entry.code for entry in raised()} == set(CODES)


@pytest.mark.parametrize("code", CODES)
def test_an_error_has_the_exit_codes_and_the_force_it_is_listed_with(code: str) -> None:
    places = [entry for entry in raised() if entry.code == code]
    exits = {entry.exit for entry in places if entry.exit is not None}
    assert exits <= set(CODES[code].exits)
    assert len(exits) == len(CODES[code].exits) or any(entry.exit is None for entry in places)
    assert CODES[code].forcible == any(entry.forcible for entry in places)


@pytest.mark.parametrize("lang", LANGUAGES)
def test_for_every_error_there_is_something_to_do(lang: str) -> None:
    words = load(lang)
    assert [code for code in CODES if not words.has(f"error-help.{code}")] == []
    helped = {key.removeprefix("error-help.") for key in words.sentences if key.startswith("error-help.")}
    assert helped == set(CODES)


def test_errors_lists_all_of_them_or_one(gm: Gm) -> None:
    listed = gm("errors", "--json").objects[0]["result"]["errors"]
    assert [entry["code"] for entry in listed] == sorted(CODES)
    assert {"code": "due-open", "exit": [1], "forcible": True} in listed
    assert gm("errors", "locked").out == "locked  exit 4\n  Another window is writing. Type the line again.\n"
    assert gm("errors", "due").out.startswith("due-open  exit 1, some give way to --force\n")
    assert gm("errors", "no-such").code == 2


def test_the_games_are_listed_without_any_campaign(gm: Gm, home: Path) -> None:
    ran = gm("systems", "--json")
    assert {"id": "rtype", "package": "gmtool.systems.rtype"} in ran.objects[0]["result"]["systems"]
    assert "R-TYPE TRPG" in gm("systems").out
    assert list(home.iterdir()) == []


@pytest.fixture
def journal(gm: Gm, home: Path) -> Path:
    """The journal of a campaign with a note in it."""
    assert gm("campaign", "new", "Last Dance", "--system", "rtype").code == 0
    assert gm("note", "dusk").code == 0
    return home / "last-dance" / "journal.jsonl"


def findings(ran: Ran) -> list[tuple[str, str, int]]:
    return [(each["code"], each["file"], each["at"]) for each in ran.objects[0]["result"]["findings"]]


def test_a_whole_campaign_is_sound(gm: Gm, journal: Path) -> None:
    ran = gm("doctor", "--json")
    assert (ran.code, ran.objects[0]["ok"], findings(ran)) == (0, True, [])
    assert gm("doctor").out == "last-dance: whole.\n"


def test_a_line_changed_by_hand_is_found_and_named(gm: Gm, journal: Path) -> None:
    """The change is in line 1: line 2 no longer follows from it, and the snapshot no longer fits."""
    journal.write_bytes(journal.read_bytes().replace(b"Last Dance", b"Last Lance"))
    ran = gm("doctor", "--json")
    told = ran.objects[0]
    assert (ran.code, told["ok"], told["error"]["code"]) == (4, False, "unsound")
    assert ("chain", "journal.jsonl", 2) in findings(ran)
    shown = gm("doctor").out.splitlines()
    assert shown[0] == f"last-dance: {len(findings(ran))} findings."
    assert "  journal.jsonl, line 2: it does not follow from the line before it" in shown


def test_a_missing_snapshot_is_a_note_and_the_doctor_changes_nothing(gm: Gm, journal: Path) -> None:
    (journal.parent / "campaign.json").unlink()
    before = {path: path.read_bytes() for path in journal.parent.rglob("*") if path.is_file()}
    ran = gm("doctor", "--json")
    assert (ran.code, findings(ran)) == (0, [("snapshot-missing", "campaign.json", 0)])
    assert gm("doctor").out.splitlines() == [
        "last-dance: whole.", "  campaign.json: not there. The next line that writes makes it.",
    ]  # fmt: skip
    assert {path: path.read_bytes() for path in journal.parent.rglob("*") if path.is_file()} == before


def test_a_campaign_that_cannot_be_opened_can_still_be_looked_at(gm: Gm, journal: Path) -> None:
    journal.write_bytes(b"null\n")
    ran = gm("doctor", "--json")
    assert ran.code == 4
    assert ("shape", "journal.jsonl", 1) in findings(ran)


def test_a_broken_rules_file_is_found_at_its_line(gm: Gm, journal: Path) -> None:
    """Every other command fails with exit 3 over it, so the campaign is not whole."""
    (journal.parent / "rules").mkdir()
    (journal.parent / "rules" / "mine.toml").write_text("format = 1\n\nx = = 3\n", "utf-8")
    assert gm("status").code == 3
    ran = gm("doctor", "--json")
    [found] = ran.objects[0]["result"]["findings"]
    assert (ran.code, found["code"], found["at"]) == (4, "rules-file", 3)
    assert found["file"].endswith("mine.toml")
    shown = gm("doctor")
    assert "mine.toml" in shown.out + shown.err
    assert "rules" in ran.objects[0]["error"]["hint"]


def test_a_campaign_of_a_game_that_is_not_here_is_not_whole(gm: Gm, journal: Path) -> None:
    (journal.parent / "campaign.json").unlink()
    first = journal.read_bytes().splitlines(keepends=True)[0]
    journal.write_bytes(summed(first.replace(b'"system":"rtype"', b'"system":"chess"')))
    ran = gm("doctor", "--json")
    assert (ran.code, [code for code, *_ in findings(ran)]) == (4, ["snapshot-missing", "copy-differs", "unopened"])


def test_a_campaign_whose_journal_is_missing_is_named_by_every_command(gm: Gm, journal: Path) -> None:
    """Never as if there were no campaign, and its name is not given to another one."""
    journal.unlink()
    for line in (("status",), ("note", "x"), ("campaign", "show")):
        ran = gm(*line)
        assert ran.code == 4
        assert f"{journal} is missing" in " ".join(ran.err.split())
    ran = gm("doctor", "--json")
    assert (ran.code, findings(ran)) == (4, [("no-journal", "journal.jsonl", 0)])
    listed = gm("campaign", "list")
    assert listed.code == 0
    assert f"{journal} is missing" in " ".join(listed.out.split())
    assert gm("campaign", "new", "Last Dance", "--system", "rtype").code == 1
    assert [path.name for path in journal.parent.parent.iterdir() if path.is_dir()] == ["last-dance"]


def test_line_ends_changed_by_version_control_are_one_finding_with_a_way_back(gm: Gm, journal: Path) -> None:
    journal.write_bytes(journal.read_bytes().replace(b"\n", b"\r\n"))
    ran = gm("doctor", "--json")
    assert (ran.code, findings(ran)) == (4, [("crlf", "journal.jsonl", 0)])
    assert ".gitattributes" in ran.objects[0]["error"]["hint"]
    refused = gm("status")
    assert refused.code == 4
    assert "CRLF" in refused.err


def test_a_snapshot_ahead_of_the_journal_is_told_loudly_and_kept(gm: Gm, journal: Path) -> None:
    """A campaign and what was done in it make two lines, three notes five; the journal is cut back to its first."""
    for text in ("a", "b", "c"):
        gm("note", text)
    good = (journal.parent / "campaign.json").read_bytes()
    lines = journal.read_bytes().splitlines(keepends=True)
    journal.write_bytes(lines[0] + lines[1][:40])
    assert "stands at line 5, the journal ends at line 1" in " ".join(gm("status").out.split())
    ran = gm("doctor", "--json")
    assert (ran.code, findings(ran)[1:]) == (4, [("snapshot-ahead", "campaign.json", 5)])
    assert ran.objects[0]["result"]["saved"] == {"lines": 5, "state": 0}  # the second copy has them all
    assert "doctor --save" in ran.objects[0]["error"]["hint"]
    codes = [warning["code"] for warning in gm("--json", "note", "d").objects[0]["warnings"]]
    assert codes == ["snapshot-ahead", "torn-tail", "snapshot-kept", "copy-kept"]
    assert (journal.parent / "backups" / "spoilt-1.json").read_bytes() == good
    assert gm("doctor").code == 0


def test_the_doctor_needs_a_campaign(gm: Gm) -> None:
    ran = gm("doctor", "--json")
    assert (ran.code, ran.objects[0]["error"]["code"]) == (4, "no-campaign")


def whys() -> set[str]:
    """Every word for what can be wrong with a line, its changes, or the snapshot."""
    places = {"BadLine": 0, "ChangeError": 1, "_finding": 0}
    found = {text for name, _, call in calls() if name in places for text in texts(call, places[name])}
    return (found - {"edited"}) | {
        "snapshot-edited", "snapshot-damaged", "snapshot-foreign", "snapshot-ahead", *WHOLE_FILE, "rules-file",
        "unopened", "unreadable", "disk", "no-campaign",
    }  # fmt: skip


@pytest.mark.parametrize("lang", LANGUAGES)
def test_for_everything_the_doctor_can_find_there_is_a_sentence(lang: str) -> None:
    words = load(lang)
    assert sorted(why for why in whys() if not words.has(f"doctor.{why}")) == []


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_sentence_is_there_in_every_language(gm: Gm, journal: Path, lang: str) -> None:
    (journal.parent / "campaign.json").write_text(json.dumps({"journal": 1}), "utf-8")
    for line in (("systems",), ("errors",), ("errors", "locked"), ("errors", "--help"), ("systems", "--help"),
                 ("doctor", "--help"), ("doctor",)):  # fmt: skip
        ran = gm(*line, "--lang", lang)
        shown = (ran.out + ran.err).replace("D99<=45", "")
        assert "<" not in shown, ran
        assert "{" not in shown, ran
