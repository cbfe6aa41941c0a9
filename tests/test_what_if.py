"""What if: what is tried touches nothing; a branch is dropped without a trace, or kept as if it were typed for real."""

import json
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from gmtool.store.campaign import open_campaign
from tests.conftest import Ran
from tests.test_open_rulings import START
from tests.test_two_windows import Window, heard, said, window

__all__ = ["window"]

GM = Callable[..., Ran]
ATTACK = ("attack", "arrow", "vulcan", "gains-1")
FACES = ("--dice", "attack: 92 15 07 99 61 / evade: 33 60 88 55")
"""29, 15, 07 and 16 are under 70: four hits; 33 > 20, 06 evades, 88 and 55 do not: three hits of 30."""


@pytest.fixture
def fight(gm: GM) -> GM:
    """A battle in which Arrow may attack Gains-1, and the tool throws, the same in every run."""
    first, *rest = START
    assert gm("run", "-", input="\n".join([f"{first} --dice-mode auto --seed 7", *rest])).code == 0
    return gm


def files(home: Path) -> dict[str, bytes]:
    """What the campaign's folder holds, without the lock."""
    folder = home / "test"
    return {str(p.relative_to(folder)): p.read_bytes() for p in folder.rglob("*") if p.is_file() and p.name != ".lock"}


def one(ran: Ran) -> dict[str, Any]:
    """The one JSON object of a line."""
    (told,) = ran.objects
    return told


def hits(gm: GM) -> int:
    """The hit points of Gains-1, craft A, as the campaign stands for whoever asks."""
    points: int = one(gm("status", "--json"))["result"]["units"]["gains-1"]["hp"]["A"]
    return points


# one line


def test_a_line_that_is_tried_is_shown_and_nothing_is_kept(fight: GM, home: Path) -> None:
    before = files(home)
    told = one(fight("try", *ATTACK, *FACES, "--json"))
    assert (told["ok"], told["tried"], told["result"]["damage"]) == (True, True, 90)
    assert {"path": "units.gains-1.hp.A", "before": 100, "after": 10, "rule": "RT-10.1"} in told["changes"]
    assert told["text"].startswith("TRIED: nothing of this is kept.\n")
    assert "seq" not in told
    assert files(home) == before


def test_the_tools_dice_of_a_try_are_those_that_will_fall_and_that_is_said(fight: GM) -> None:
    tried, real = one(fight("try", *ATTACK, "--json")), one(fight(*ATTACK, "--json"))
    assert tried["dice"] == real["dice"] != []
    assert [warning["code"] for warning in tried["warnings"]] == ["tried-dice"]
    assert [warning["code"] for warning in real["warnings"]] == []


def test_a_tried_line_asks_for_its_faces_goes_on_in_other_processes_and_blocks_meanwhile(fight: GM, home: Path) -> None:
    fight("config", "dice-mode", "ask")
    before = files(home)
    asked = fight("try", *ATTACK)
    assert (asked.code, asked.err.splitlines()[0]) == (1, "TRIED: nothing of this is kept.")
    assert fight("pass", "arrow").code == 1
    assert fight("answer", "92 15 07 99 61").code == 1
    told = one(fight("answer", "33 60 88 55", "--json"))
    assert (told["tried"], told["result"]["damage"]) == (True, 90)
    assert files(home) == before
    assert fight("pass", "arrow").code == 0


@pytest.mark.parametrize("words", [("answer", "--drop"), ("drop",)])
def test_a_tried_line_that_asks_can_be_forgotten(fight: GM, home: Path, words: tuple[str, ...]) -> None:
    fight("config", "dice-mode", "ask")
    before = files(home)
    fight("try", *ATTACK)
    assert one(fight(*words, "--json"))["result"] == {"dropped": "try attack arrow vulcan gains-1"}
    assert files(home) == before


def test_what_a_side_sees_says_nothing_of_a_tried_line_that_asks(fight: GM) -> None:
    fight("config", "dice-mode", "ask")
    before = fight("status", "--for", "players", "--json").out
    fight("try", *ATTACK)
    assert fight("status", "--for", "players", "--json").out == before


def test_set_amend_and_reroll_can_be_tried(fight: GM) -> None:
    fight(*ATTACK, *FACES)
    assert one(fight("try", "set", "units.gains-1.hp.A", "1", "--json"))["tried"]
    amended = one(fight("try", "amend", "gains-2", "--json"))
    assert (amended["tried"], amended["amends"]["seq"]) == (True, 10)
    assert hits(fight) == 10


def test_a_free_roll_that_is_tried_is_not_written_and_the_same_falls_then(fight: GM, home: Path) -> None:
    before = files(home)
    tried = one(fight("try", "roll", "2D6", "--json"))
    assert files(home) == before
    assert one(fight("roll", "2D6", "--json"))["dice"] == tried["dice"]


@pytest.mark.parametrize(
    "line", ["status", "history", "note Wind", "undo", "redo", "config lang ja", "answer 5", "odds"]
)
def test_a_verb_that_changes_nothing_in_the_game_cannot_be_tried(fight: GM, line: str) -> None:
    told = one(fight("try", *line.split(), "--json"))
    assert (told["error"]["code"], bool(told["error"]["hint"])) == ("usage", True)


@pytest.mark.parametrize(
    "lines", [("try attack arrow vulcan gains-1 --fresh",), ("try", "attack arrow vulcan gains-1 --fresh")]
)
def test_dice_thrown_anew_are_for_the_record_so_they_cannot_be_tried(fight: GM, lines: tuple[str, ...]) -> None:
    codes = [fight(*line.split()).code for line in lines]
    assert codes == [*([0] * (len(lines) - 1)), 2]


# several


def test_a_branch_is_played_in_and_dropped_without_a_trace(fight: GM, home: Path) -> None:
    before = files(home)
    for line in (("try",), (*ATTACK, *FACES), ("note", "Wind"), ("roll", "2D6"), ("checkpoint", "Wind"), ("undo",)):
        assert fight(*line).code == 0, line
    assert fight("redo").code == 0
    assert hits(fight) == 10
    assert fight("drop").code == 0
    assert hits(fight) == 100
    assert files(home) == before


LINES = (
    "attack arrow vulcan gains-2 --force", "attack arrow vulcan gains-1 --force", "amend gains-2", "undo", "undo 2",
    "redo", "note 風", "roll 2D6", "set units.arrow.fuel 7", "set units.arrow.fuel 9", "checkpoint Wind",
    "undo --to Wind", "config lang ja",
)  # fmt: skip
TOLD = frozenset({"ok", "seq", "dice", "changes", "result", "due", "rules"})
OF_PLACE = frozenset({"time", "prev", "undo", "redo", "under", "next", "branch", "more"})
"""What a line's place in the file gives it, and when and whether it was tried."""


def played(gm: GM, home: Path, lines: list[str]) -> list[dict[str, Any]]:
    """What is told of lines played one by one in the battle, in a home of its own."""
    start = "\n".join([f"{START[0]} --dice-mode auto --seed 7", *START[1:]])
    assert gm("run", "-", "--home", str(home), input=start).code == 0
    told = [one(gm("--home", str(home), "run", "--keep-going", "-", "--json", input=line)) for line in lines]
    return [{key: value for key, value in each.items() if key in TOLD} for each in told]


@pytest.mark.parametrize("seed", range(3))
def test_what_is_kept_is_what_the_same_lines_come_to_typed_for_real(gm: GM, tmp_path: Path, seed: int) -> None:
    """Also the faces of the tool; each line is a step of its own, those taken back are seen and can be redone."""
    chance = random.Random(seed)
    # first so many steps that no undo leads to before them
    lines = [*(f"set units.arrow.fuel {n}" for n in range(30)), *chance.choices(LINES, k=50)]
    real = played(gm, tmp_path / "real", lines)
    assert played(gm, tmp_path / "tried", ["try", *lines])[1:] == real
    assert gm("keep", "--home", str(tmp_path / "tried")).code == 0
    plain, kept = (open_campaign(tmp_path / name / "test", write=False) for name in ("real", "tried"))
    kept.tables["campaign"]["campaign"]["secret"] = plain.tables["campaign"]["campaign"]["secret"]
    assert kept.tables == plain.tables
    steps = [
        [line["seq"] for line in each.undoable()] + [line["seq"] for line in each.redoable()] for each in (plain, kept)
    ]
    assert steps[0] == steps[1]
    after = [
        [{k: v for k, v in line.items() if k not in OF_PLACE} for line in each.lines(10)] for each in (plain, kept)
    ]
    assert after[0] == after[1]
    assert gm("doctor", "--home", str(tmp_path / "tried")).code == 0


def test_lines_that_were_kept_say_so_and_are_undone_one_by_one(fight: GM) -> None:
    for line in (("try",), ("set", "units.arrow.fuel", "7"), ("set", "units.arrow.fuel", "9"), ("keep",)):
        assert fight(*line).code == 0
    assert fight("history", "2").out.count("(tried first)") == 2
    assert "(what if)" not in fight("history").out
    assert "was tried first, then kept" in fight("why").out
    assert one(fight("undo", "--json"))["changes"][0]["after"] == 7
    assert one(fight("undo", "--json"))["changes"][0]["after"] == 40


def test_undo_and_redo_end_where_the_branch_begins(fight: GM) -> None:
    fight("set", "units.arrow.fuel", "7")
    fight("undo")
    fight("try")
    undo, redo = one(fight("undo", "--json")), one(fight("redo", "--json"))
    assert [told["error"]["code"] for told in (undo, redo)] == ["nothing-to-undo", "nothing-to-redo"]
    assert "what-if has 0 of its own" in undo["error"]["message"]
    assert "drop" in undo["error"]["hint"]
    fight("set", "units.arrow.fuel", "8")
    assert one(fight("undo", "2", "--json"))["error"]["facts"] == {"left": 1, "wanted": 2}
    assert one(fight("undo", "--to", "3", "--preview", "--json"))["error"]["code"] == "nothing-to-undo"
    assert fight("undo").code == 0


def test_every_reply_in_a_branch_says_so_and_none_outside_does(fight: GM) -> None:
    assert "branch" not in one(fight("status", "--json"))
    begun = one(fight("try", "--json"))
    assert (begun["branch"]["since"], begun["branch"]["lines"]) == (9, 0)
    for line in (ATTACK, ("status",), ("why",), ("history",), ("undo", "9"), ("nonsense",)):
        assert one(fight(*line, "--json"))["branch"]["lines"] == 1, line
    assert fight("status").out.startswith("WHAT IF, lines: 1.")
    assert [line.endswith("(what if)") for line in fight("history", "2").out.splitlines()[1:]] == [False, True]
    assert "branch" not in one(fight("keep", "--json"))
    assert "WHAT IF" not in fight("status").out


def test_amend_reroll_and_answers_go_on_within_it(fight: GM) -> None:
    fight("config", "dice-mode", "ask")
    fight("try")
    asked = fight(*ATTACK)
    assert (asked.code, asked.err.startswith("WHAT IF, lines: 0.")) == (1, True)
    assert fight("keep", "--json").objects[0]["error"]["code"] == "ruling-open"
    assert fight("answer", "92 15 07 99 61").code == 1
    assert one(fight("answer", "33 60 88 55", "--json"))["branch"]["lines"] == 1
    assert one(fight("reroll", "ren", "attack", "C", "--dice", "05", "--json"))["ok"] is False  # evasions are to follow
    assert one(fight("answer", "90", "--json"))["branch"]["lines"] == 2
    assert one(fight("amend", "gains-2", "--json"))["branch"]["lines"] == 3
    assert fight("keep").code == 0
    assert one(fight("history", "--all", "--json"))["result"]["lines"][-2]["amended_by"] == 13


def test_a_ruling_of_the_real_line_can_be_judged_again_in_a_branch(fight: GM) -> None:
    fight(*ATTACK, *FACES)
    fight("try")
    assert one(fight("amend", "gains-2", "--json"))["amends"]["seq"] == 10
    fight("drop")
    assert hits(fight) == 10


def test_a_question_of_a_branch_goes_with_it(fight: GM) -> None:
    fight("config", "dice-mode", "ask")
    fight("try")
    fight(*ATTACK)
    assert fight("drop").code == 0
    assert one(fight("answer", "15", "--json"))["error"]["code"] == "no-open-ruling"
    fight("try")
    fight(*ATTACK)
    (Path(str(fight("campaign", "show", "--json").objects[0]["result"]["path"])) / "branch.jsonl").unlink()
    assert one(fight("status", "--json"))["result"]["open"] is None


@pytest.mark.parametrize(
    "line", ["session start", "session end", "campaign rename test Dawn", "backup restore 2", "report", "try"]
)
def test_what_is_about_the_real_line_waits_for_keep_or_drop(fight: GM, home: Path, line: str) -> None:
    fight("try")
    fight("note", "Wind")
    before = files(home)
    told = one(fight(*line.split(), "--json"))
    assert (told["error"]["code"], told["branch"]["lines"]) == ("branch-open", 1)
    assert "keep" in told["error"]["hint"]
    assert files(home) == before


def test_an_archive_the_doctor_and_the_backups_know_the_real_line_only(fight: GM, tmp_path: Path) -> None:
    fight("try")
    fight(*ATTACK, *FACES)
    assert fight("campaign", "export", str(tmp_path / "a.zip")).code == 0
    assert fight("doctor").code == 0
    assert "#10" not in fight("backup", "list").out
    assert fight("campaign", "import", str(tmp_path / "a.zip"), "--home", str(tmp_path / "far")).code == 0
    assert fight("history", "--home", str(tmp_path / "far")).out.count("attack") == 0


def test_keep_and_drop_without_a_branch_are_refused(fight: GM, home: Path) -> None:
    before = files(home)
    for verb in ("keep", "drop"):
        assert one(fight(verb, "--json"))["error"]["code"] == "no-branch"
    assert files(home) == before


def test_a_branch_lasts_over_processes_scripts_and_shells_alike(fight: GM) -> None:
    told = fight("run", "-", "--json", input="try\nset units.arrow.fuel 7\nstatus\n").objects
    assert told[-1]["branch"]["lines"] == 1
    told = fight("table", "--json", input="set units.arrow.fuel 8\nkeep\nstatus\nquit\n").objects
    assert [each.get("branch", {}).get("lines") for each in told] == [2, None, None]
    assert one(fight("status", "--json"))["result"]["units"]["arrow"]["fuel"] == 8


def test_another_campaign_is_in_no_branch(fight: GM) -> None:
    fight("campaign", "new", "Other", "--system", "rtype")
    fight("try", "-c", "test")
    assert "branch" not in one(fight("note", "Wind", "-c", "other", "--json"))
    assert one(fight("note", "Wind", "-c", "test", "--json"))["branch"]["lines"] == 1


# who sees it


def test_what_a_side_is_shown_is_the_real_line_whatever_is_tried(fight: GM) -> None:
    before = fight("status", "--for", "players", "--json").out
    fight("try")
    fight(*ATTACK, *FACES)
    fight("unit", "add", "gains", "--side", "Bydo")
    assert fight("status", "--for", "players", "--json").out == before
    shown = fight("table", "--for", "players", input="status\nquit\n").out
    assert "WHAT IF" not in shown


def test_a_shell_is_told_once_before_its_line_goes_into_a_branch_begun_elsewhere(fight: GM, window: Window) -> None:
    shell = window("table", "--json")
    said(shell, "note first\n")
    heard(shell)
    fight("try")
    said(shell, "set units.arrow.fuel 7\nset units.arrow.fuel 7\n")
    first, second = heard(shell), heard(shell)
    assert (first["error"]["code"], second["ok"], second["branch"]["lines"]) == ("branch-open", True, 1)
    fight("drop")
    said(shell, "set units.arrow.fuel 8\nset units.arrow.fuel 8\nquit\n")
    first, second = heard(shell), heard(shell)
    assert (first["error"]["code"], second["ok"], "branch" in second) == ("branch-open", True, False)
    assert shell.wait(30) == 0


# what lies on the disk


def test_a_branch_costs_what_is_new_however_long_the_campaign_is(fight: GM, home: Path) -> None:
    fight("try")
    assert (home / "test" / "branch.jsonl").stat().st_size < 400
    fight("note", "Wind")
    lines = (home / "test" / "branch.jsonl").read_bytes().splitlines()
    assert [json.loads(line).get("line") for line in lines] == [None, "note Wind"]


def test_a_journal_that_went_on_otherwise_ends_the_branch_whose_file_is_kept(fight: GM, home: Path) -> None:
    """A line of an older program, say, which knows of no branch."""
    fight("try")
    fight("set", "units.arrow.fuel", "7")
    file = home / "test" / "branch.jsonl"
    lying = file.read_bytes()
    file.unlink()
    fight("note", "Wind")
    file.write_bytes(lying)
    told = one(fight("status", "--json"))
    assert ("branch" in told, [each["code"] for each in told["warnings"]]) == (False, ["branch-left"])
    assert told["result"]["units"]["arrow"]["fuel"] == 40
    told = one(fight("note", "Rain", "--json"))
    assert [each["code"] for each in told["warnings"]] == ["branch-left", "branch-kept"]
    assert (home / "test" / "backups" / "branch-1.jsonl").read_bytes() == lying
    assert not file.exists()


def test_a_branch_that_was_kept_by_a_process_killed_right_then_is_no_branch_and_no_news(fight: GM, home: Path) -> None:
    fight("try")
    fight("set", "units.arrow.fuel", "7")
    file = home / "test" / "branch.jsonl"
    lying = file.read_bytes()
    fight("keep")
    file.write_bytes(lying)
    told = one(fight("note", "Wind", "--json"))
    assert (told["seq"], told["warnings"]) == (11, [])
    assert not file.exists()


@pytest.mark.parametrize(
    "spoil", [lambda raw: raw[:40], lambda raw: raw.replace(b'"fuel"', b'"file"'), lambda raw: b"\n"]
)
def test_a_damaged_branch_counts_as_none_and_its_file_is_kept(
    fight: GM, home: Path, spoil: Callable[[bytes], bytes]
) -> None:
    fight("try")
    fight("set", "units.arrow.fuel", "7")
    file = home / "test" / "branch.jsonl"
    spoilt = spoil(file.read_bytes().replace(b"units.arrow.fuel", b'units.arrow."fuel"'))
    file.write_bytes(spoilt)
    told = one(fight("status", "--json"))
    assert ([each["code"] for each in told["warnings"]], "branch" in told) == (["branch-damaged"], False)
    assert told["result"]["units"]["arrow"]["fuel"] == 40
    assert fight("note", "Wind").code == 0
    assert (home / "test" / "backups" / "branch-1.jsonl").read_bytes() == spoilt


def test_a_line_torn_in_a_branch_is_cut_off_and_told(fight: GM, home: Path) -> None:
    fight("try")
    fight("set", "units.arrow.fuel", "7")
    with (home / "test" / "branch.jsonl").open("ab") as file:
        file.write(b'{"format":2,"seq":11,"ti')
    assert one(fight("status", "--json"))["branch"]["lines"] == 1
    told = one(fight("set", "units.arrow.fuel", "8", "--json"))
    assert ([each["code"] for each in told["warnings"]], told["branch"]["lines"]) == (["torn-tail"], 2)
    assert fight("keep").code == 0
    assert fight("doctor").code == 0
