"""The demo is its script and nothing else: what it promises happens, in three languages, and can be kept."""

import io
import json
import os
import shlex
from collections.abc import Callable, Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from gmtool.cli import demo
from gmtool.cli.main import run
from gmtool.text.catalogue import LANGUAGES, load
from gmtool.text.width import cells
from tests.conftest import ROOT, Ran

SCRIPT = ROOT / "campaigns" / "demo" / "rtype.gm"
TO_TYPE = "  gmtool "


def journal(folder: Path) -> list[dict[str, Any]]:
    """The lines of a campaign's journal."""
    return [json.loads(line) for line in (folder / "journal.jsonl").read_text(encoding="utf-8").splitlines()]


@pytest.fixture
def kept(gm: Callable[..., Ran], home: Path) -> list[dict[str, Any]]:
    """The journal of a demo that was kept."""
    assert gm("demo", "--save", "Kept").code == 0
    return journal(home / "kept")


def events(lines: list[dict[str, Any]], kind: str) -> Iterator[dict[str, Any]]:
    """The facts of all events of a kind, with the line's number."""
    for line in lines:
        for entry in line.get("trace", ()):
            if entry["t"] == "event" and entry["type"] == kind:
                yield {**entry["facts"], "seq": line["seq"]}


def dice(lines: list[dict[str, Any]], pool: str) -> list[dict[str, Any]]:
    """The dice of the pools whose key begins so."""
    found = [entry for line in lines for entry in line.get("trace", ()) if entry["t"] == "dice"]
    return [die for entry in found for die in entry["dice"] if die["key"].startswith(pool)]


def told(script: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """What a demo made of this script prints."""
    file = tmp_path / "rtype.gm"
    file.write_text(script, encoding="utf-8")
    monkeypatch.setattr(demo, "scripts", lambda: {"rtype": file})
    out, err = io.StringIO(), io.StringIO()
    code = run(["demo"], stdin=io.StringIO(), stdout=out, stderr=err, env=dict(os.environ))
    assert (code, err.getvalue()) == (0, "")
    return out.getvalue()


# what happens in it


def test_a_cascade_kills_rc_craft(kept: list[dict[str, Any]]) -> None:
    """The first attack brings 46 + 92 + 46 = 184 on craft of 70: A and B are gone, C has 26 left (RT-10.1)."""
    hurt = [(fact["craft"]["word"], fact["after"]) for fact in events(kept, "craft_damaged") if fact["seq"] == 17]
    assert hurt == [("A", 0), ("B", 0), ("C", 26)]


def test_missiles_are_intercepted(kept: list[dict[str, Any]]) -> None:
    """46 x 5 less 26 x 4 that were shot down: 126, which is A's 100 and 26 of B (RT-9.2, 24.6)."""
    (fact,) = events(kept, "intercept_declared")
    hurt = [(hit["craft"]["word"], hit["after"]) for hit in events(kept, "craft_damaged") if hit["seq"] == fact["seq"]]
    assert hurt == [("A", 0), ("B", 74)]


def test_a_charge_shot_is_answered_by_a_charge_counter(kept: list[dict[str, Any]]) -> None:
    """The single craft takes 80 / 5 = 16, the squad that shot 45 x 3 = 135 (RT-8.10, 10.1, 10.2)."""
    fired = [(fact["unit"]["id"], fact["seq"]) for fact in events(kept, "charge_fired")]
    (counter,) = events(kept, "counter_fired")
    assert fired == [("starling", counter["seq"]), ("counterpoint", counter["seq"])]
    hurt = [hit["after"] for hit in events(kept, "craft_damaged") if hit["seq"] == counter["seq"]]
    assert hurt == [110 - 16, 0, 5]


def test_there_are_a_fumble_and_a_critical(kept: list[dict[str, Any]]) -> None:
    """Ren is a daredevil: 88 fails, 33 succeeds, both doubles (RT-21.2)."""
    assert {"fumble", "critical"} <= {die["class"] for die in dice(kept, "")}


def test_contamination_rises_in_both_turns(kept: list[dict[str, Any]]) -> None:
    """Whoever a Bydo has hurt rises a grade as his side's phase ends (RT-25.7)."""
    risen = [(fact["unit"]["id"], fact["after"]["word"]) for fact in events(kept, "coefficient_risen")]
    assert risen == [("swallow", "E"), ("portcullis", "E"), ("counterpoint", "E")]


def test_a_wreck_by_fifty_or_more_is_escaped_by_a_check(kept: list[dict[str, Any]]) -> None:
    """26 + 70 + 70 hit points, 46 + 92 + 92 damage: 64 beyond, half of agility 30, and 14 is under 15 (RT-11.2)."""
    assert [(fact["unit"]["id"]) for fact in events(kept, "wrecked")] == ["swallow"]
    assert [fact["excess"] for fact in events(kept, "beyond")] == [64]
    assert [(die["read"], die["class"]) for die in dice(kept, "escape.")] == [(14, "success")]
    assert [fact["pilot"]["id"] for fact in events(kept, "escaped")] == ["ren"]


def test_a_repair_is_undone_and_another_brings_a_craft_back(kept: list[dict[str, Any]]) -> None:
    """A tenth of the development cost of 240 is paid, and A returns whole (RT-12.2, 12.3)."""
    (back,) = events(kept, "craft_returned")
    assert (back["unit"]["id"], back["craft"]["word"], back["after"]) == ("portcullis", "A", 100)
    assert [fact["amount"] for fact in events(kept, "paid") if fact["seq"] == back["seq"]] == [24]
    assert [line["undoes"] for line in kept if line["kind"] == "undo"] == [back["seq"] - 2]


def test_it_takes_two_turns(kept: list[dict[str, Any]]) -> None:
    assert [fact["turn"] for fact in events(kept, "turn_begun")] == [2, 3]


def test_another_face_in_the_script_gives_another_outcome(
    home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """16 in place of 76 evades the last hit: 138 in place of 184, and B keeps 2 (RT-8.6, 10.1)."""
    script = SCRIPT.read_text(encoding="utf-8").split("#: intercept")[0]
    assert script.count("89 88 76") == 1
    before = told(script, tmp_path, monkeypatch)
    after = told(script.replace("89 88 76", "89 88 16"), tmp_path, monkeypatch)
    assert "hits 3, damage 184" in before
    assert "hits 2, damage 138" in after
    assert "Swallow B 70 > 2" in after


# how it is told


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("color", ["", "1"])
def test_it_fits_eighty_columns_and_leaves_nothing_behind(
    gm: Callable[..., Ran], home: Path, lang: str, color: str
) -> None:
    ran = gm("demo", "--lang", lang, env={"COLUMNS": "80", "FORCE_COLOR": color})
    assert (ran.code, ran.err) == (0, "")
    assert ("\x1b[" in ran.out) == bool(color)
    lines = plain(ran.out).splitlines()
    assert [line for line in lines if cells(line) > 80] == []
    assert [line for line in lines if line.startswith("<") or "<demo." in line] == []
    assert list(home.iterdir()) == []


def plain(text: str) -> str:
    """A text without its colours."""
    return "".join(part.partition("m")[2] if number else part for number, part in enumerate(text.split("\x1b[")))


@pytest.mark.parametrize("lang", LANGUAGES)
def test_each_turn_is_about_two_screens(gm: Callable[..., Ran], lang: str) -> None:
    """A screen has 30 lines or somewhat more; the narration is counted too."""
    out = gm("demo", "--lang", lang, env={"COLUMNS": "80"}).out
    say = load(lang, "rtype").say
    turns = [say(f"demo.{key}") for key in ("turn-1", "turn-2", "over")]
    starts = [next(n for n, line in enumerate(out.splitlines()) if line.startswith(f"-- {turn} -")) for turn in turns]
    assert all(45 <= end - start <= 84 for start, end in pairwise(starts))


def test_every_line_of_the_script_is_shown_as_typed(gm: Callable[..., Ran]) -> None:
    shown = [line[2:] for line in gm("demo", env={"COLUMNS": "400"}).out.splitlines() if line.startswith("> ")]
    lines = SCRIPT.read_text(encoding="utf-8").splitlines()
    assert shown == [line.partition("  #")[0] for line in lines if line[:1].isalpha()]


def test_every_heading_and_narration_has_its_sentence_in_every_language() -> None:
    lines = SCRIPT.read_text(encoding="utf-8").splitlines()
    keys = {line[3:] for line in lines if line.startswith((demo.HEADING, demo.TOLD))} | {"kept"}
    for lang in LANGUAGES:
        sentences = {key.removeprefix("demo.") for key in load(lang, "rtype").sentences if key.startswith("demo.")}
        assert {key for key in sentences if not key.startswith("name-")} == keys


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_names_are_those_of_the_language(lang: str) -> None:
    """The sheets and weapons the script names are found by the names of each language; no name is left over."""
    script = SCRIPT.read_text(encoding="utf-8").splitlines()
    words = load(lang, "rtype")
    names = {words.say(key) for key in words.sentences if key.startswith("demo.name-")}
    lines = demo.in_words(script, words)
    assert [name for name in names if not any(name in line for line in lines)] == []


def test_the_closing_lines_start_a_battle_of_ones_own(gm: Callable[..., Ran], home: Path) -> None:
    """At most five, in each language, and ``battle start`` goes on from there."""
    for lang in LANGUAGES:
        out = gm("demo", "--lang", lang, env={"COLUMNS": "80"}).out
        lines = [line.removeprefix(TO_TYPE) for line in out.splitlines() if line.startswith(TO_TYPE)]
        assert 0 < len(lines) <= 5
        ran = [gm(*shlex.split(line)) for line in [*lines, "battle start"]]
        assert [(one.code, one.err) for one in ran] == [(0, "")] * (len(lines) + 1)
        assert "battle start" in ran[-2].out


def test_the_script_can_be_run_as_it_is(gm: Callable[..., Ran], home: Path) -> None:
    assert gm("run", str(SCRIPT)).code == 0
    assert len(journal(home / "last-dance")) == 31


# kept or not


def test_a_demo_that_is_kept_can_be_played_on(gm: Callable[..., Ran], home: Path) -> None:
    """It is the campaign in use; what the demo says can be typed there can be typed."""
    ran = gm("demo", "--lang", "ja", "--save", "第1話 「出撃」")
    assert (ran.code, ran.err) == (0, "")
    assert "第1話" in ran.out
    assert "大破" in gm("status").out
    assert gm("why", "17").code == gm("undo").code == gm("history").code == 0
    assert gm("doctor").code == 0


def test_a_name_that_is_taken_is_refused_before_anything_is_told(gm: Callable[..., Ran], home: Path) -> None:
    assert gm("campaign", "new", "Mine", "--system", "rtype").code == 0
    before = (home / "mine" / "journal.jsonl").read_bytes()
    ran = gm("demo", "--save", "mine")
    assert (ran.code, ran.out) == (1, "")
    assert "Mine" in ran.err
    assert gm("demo", "--save", " ").code == 2
    assert (home / "mine" / "journal.jsonl").read_bytes() == before


def test_a_demo_touches_no_campaign_that_is_there(gm: Callable[..., Ran], home: Path) -> None:
    gm("campaign", "new", "Mine", "--system", "rtype")
    before = (home / "mine" / "journal.jsonl").read_bytes()
    assert gm("demo", "-c", "mine", env={"GMTOOL_CAMPAIGN": "mine"}).code == 0
    assert (home / "mine" / "journal.jsonl").read_bytes() == before
    assert sorted(path.name for path in home.iterdir() if path.is_dir()) == ["mine"]


def test_in_json_it_is_one_object_a_line(gm: Callable[..., Ran]) -> None:
    found = gm("demo", "--json").objects
    assert all(one["ok"] for one in found)
    assert len(found) == sum(line[:1].isalpha() for line in SCRIPT.read_text(encoding="utf-8").splitlines())
