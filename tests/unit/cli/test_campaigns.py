"""Campaigns as people handle them: made, chosen, listed, renamed, carried away and brought back."""

import io
import json
import os
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from gmtool.cli.main import run
from gmtool.kernel.system import find_systems
from tests.conftest import Ran

Gm = Callable[..., Ran]
VERBS = ("new", "use", "list", "show", "rename", "export", "import", "remove")


class Terminal(io.StringIO):
    """A stream with a person at it."""

    def isatty(self) -> bool:
        return True


def at_terminal(*argv: str, typed: str) -> Ran:
    out, err = Terminal(), Terminal()
    code = run(list(argv), stdin=Terminal(typed), stdout=out, stderr=err, env={**os.environ, "NO_COLOR": "1"})
    return Ran(code, out.getvalue(), err.getvalue())


def result(ran: Ran) -> dict[str, Any]:
    assert ran.code == 0, ran.out + ran.err
    found: dict[str, Any] = ran.objects[-1]["result"]
    return found


@pytest.fixture
def table(gm: Gm) -> Gm:
    """The command line in a home with one campaign, Last Dance."""
    assert gm("campaign", "new", "Last Dance", "--system", "rtype").code == 0
    return gm


def first_line(home: Path, slug: str) -> dict[str, Any]:
    line: dict[str, Any] = json.loads((home / slug / "journal.jsonl").read_text("utf-8").splitlines()[0])
    return line


def in_use(gm: Gm) -> list[str]:
    return [entry["slug"] for entry in result(gm("campaign", "list", "--json"))["campaigns"] if entry["in_use"]]


def test_a_new_campaign_is_on_disk_and_in_use(gm: Gm, home: Path) -> None:
    ran = gm("campaign", "new", "Last Dance", "--system", "rtype", "--json")
    assert result(ran) == {
        "campaign": "last-dance", "name": "Last Dance", "system": "rtype", "dice_mode": "ask", "seed": None,
        "path": str(home / "last-dance"),
    }  # fmt: skip
    assert (ran.objects[0]["seq"], ran.objects[0]["warnings"]) == (1, [])
    assert sorted(path.name for path in (home / "last-dance").iterdir()) == [
        ".lock", "backups", "campaign.json", "journal.jsonl",
    ]  # fmt: skip
    line = first_line(home, "last-dance")
    assert (line["kind"], line["command"]["verb"], line["system"]) == ("mark", "campaign new", "rtype")
    row = line["changes"][0]["after"]
    assert {key: row[key] for key in ("name", "dice_mode", "session", "lang", "declare", "choices")} == {
        "name": "Last Dance", "dice_mode": "ask", "session": 0, "lang": None, "declare": {}, "choices": {},
    }  # fmt: skip
    assert len(row["secret"]) == 32
    assert in_use(gm) == ["last-dance"]


def test_the_latest_new_campaign_is_the_one_in_use(table: Gm) -> None:
    table("campaign", "new", "Second", "--system", "rtype")
    assert in_use(table) == ["second"]


def test_a_home_gets_its_marker_which_no_choice_ever_changes(table: Gm, home: Path) -> None:
    assert (home / ".gmtool").read_bytes() == b"{}\n"
    table("campaign", "new", "Second", "--system", "rtype")
    table("campaign", "use", "last")
    assert (home / ".gmtool").read_bytes() == b"{}\n"
    assert json.loads((home / ".chosen.json").read_bytes())["active"] == "last-dance"


@pytest.mark.parametrize(
    ("options", "mode", "seed"),
    [
        ((), "ask", None),
        (("--dice-mode", "auto"), "auto", None),
        (("--seed", "7"), "auto", 7),
        (("--seed", "0"), "auto", 0),
        (("--seed", "7", "--dice-mode", "ask"), "ask", 7),
    ],
)
def test_a_seed_lets_the_tool_throw_unless_said(gm: Gm, options: tuple[str, ...], mode: str, seed: int | None) -> None:
    made = result(gm("campaign", "new", "X", "--system", "rtype", *options, "--json"))
    assert (made["dice_mode"], made["seed"]) == (mode, seed)


def test_the_language_said_is_the_campaigns_own(gm: Gm, home: Path) -> None:
    gm("campaign", "new", "X", "--system", "rtype", "--lang", "ko")
    assert first_line(home, "x")["changes"][0]["after"]["lang"] == "ko"
    assert "이미 같은" in gm("campaign", "rename", "x", "X").out


@pytest.mark.parametrize("word", ["rtype", "RTYPE", "rt", "R-TYPE", "ｒｔｙｐｅ"])
def test_a_game_is_known_by_its_id_its_name_or_a_beginning(gm: Gm, word: str) -> None:
    assert result(gm("campaign", "new", "X", "--system", word, "--json"))["system"] == "rtype"


def test_an_unknown_game_makes_no_campaign(gm: Gm, home: Path) -> None:
    ran = gm("campaign", "new", "X", "--system", "chess", "--json")
    error = ran.objects[0]["error"]
    installed = [*find_systems()]
    assert (ran.code, error["code"], error["facts"]["candidates"]) == (2, "unknown-name", installed)
    assert list(home.iterdir()) == []


def test_a_campaign_wants_a_game(gm: Gm, home: Path) -> None:
    ran = gm("campaign", "new", "X")
    assert (ran.code, ran.out) == (2, "")
    assert list(home.iterdir()) == []


@pytest.mark.parametrize("name", ["last dance", "ＬＡＳＴ ＤＡＮＣＥ"])
def test_a_name_that_is_taken_is_refused_in_words_about_campaigns(table: Gm, name: str) -> None:
    ran = table("campaign", "new", name, "--system", "rtype")
    assert ran.code == 1
    assert ran.err.splitlines()[0] == '"Last Dance" is the name of a campaign already (last-dance).'


def test_the_secret_is_shown_nowhere(table: Gm, home: Path) -> None:
    secret = first_line(home, "last-dance")["changes"][0]["after"]["secret"]
    lines = [
        ("campaign", "new", "Other", "--system", "rtype"),
        ("campaign", "use", "last-dance"),
        ("campaign", "list"),
        ("campaign", "show"),
        ("campaign", "rename", "last-dance", "Encore"),
        ("config",),
        ("config", "dice-mode", "auto"),
        ("session", "start"),
        ("history", "--all"),
        ("status",),
    ]
    for line in lines:
        for ran in (table(*line), table(*line, "--json")):
            assert secret not in ran.out + ran.err


def test_the_list_says_which_home_and_why(table: Gm, home: Path, tmp_path: Path) -> None:
    assert [line.rstrip() for line in table("campaign", "list").out.splitlines()] == [
        f"{home} (from GMTOOL_HOME)",
        "id          name        game         lines",
        "last-dance  Last Dance  R-TYPE TRPG      1  in use",
    ]
    shown = result(table("campaign", "list", "--home", str(tmp_path / "none"), "--json"))
    assert shown == {"home": {"path": str(tmp_path / "none"), "why": "option"}, "campaigns": []}
    assert not (tmp_path / "none").exists()
    (Path.cwd() / "campaigns").mkdir()
    (Path.cwd() / "campaigns" / ".gmtool").touch()
    shown = result(table("campaign", "list", "--json", env={"GMTOOL_HOME": ""}))
    assert shown["home"] == {"path": str(Path.cwd() / "campaigns"), "why": "checkout"}


def test_the_list_shows_what_cannot_be_read_with_the_reason(table: Gm, home: Path) -> None:
    (home / "bad").mkdir()
    (home / "bad" / "journal.jsonl").write_text("null\n", "utf-8")
    bad, good = result(table("campaign", "list", "--json"))["campaigns"]
    assert (bad["slug"], bad["problem"], good["problem"]) == ("bad", "unreadable", None)
    shown = table("campaign", "list").out
    assert "unreadable" in shown
    assert "bad: " in shown


def test_another_campaign_that_comes_first_is_named(table: Gm) -> None:
    table("campaign", "new", "Second", "--system", "rtype")
    ran = table("campaign", "use", "last-dance", env={"GMTOOL_CAMPAIGN": "second"})
    assert ran.code == 0
    assert "still go to second" in ran.out
    assert "still go to" not in table("campaign", "use", "last-dance").out
    assert in_use(table) == ["last-dance"]


def test_use_takes_any_unambiguous_beginning_and_refuses_the_rest(table: Gm) -> None:
    table("campaign", "new", "Last Stand", "--system", "rtype")
    assert result(table("campaign", "use", "LAST D", "--json")) == {"campaign": "last-dance", "name": "Last Dance"}
    ran = table("campaign", "use", "last", "--json")
    error = ran.objects[0]["error"]
    assert (ran.code, error["code"]) == (2, "ambiguous-name")
    assert error["facts"]["candidates"] == ["last-dance", "last-stand"]


def test_show_tells_all_about_one_campaign(table: Gm, home: Path) -> None:
    assert result(table("campaign", "show", "--json")) == {
        "campaign": "last-dance", "name": "Last Dance", "system": "rtype", "lines": 1, "session": 0, "lang": None,
        "dice_mode": "ask", "seed": None, "in_use": True, "path": str(home / "last-dance"),
    }  # fmt: skip
    table("campaign", "new", "Second", "--system", "rtype")
    assert result(table("campaign", "show", "last", "--json"))["in_use"] is False
    assert table("campaign", "show", "last").out.splitlines()[0] == "Last Dance (last-dance)"


def test_a_rename_is_a_mark_that_no_undo_takes_back(table: Gm, home: Path) -> None:
    ran = table("campaign", "rename", "last", "Encore", "--json")
    assert result(ran) == {"campaign": "last-dance", "name": "Encore", "before": "Last Dance"}
    assert (ran.objects[0]["seq"], ran.objects[0]["changes"]) == (
        2, [{"path": "campaign.campaign.name", "before": "Last Dance", "after": "Encore", "rule": ""}],
    )  # fmt: skip
    assert table("undo").code == 1
    assert "seq" not in table("campaign", "rename", "last", "Encore", "--json").objects[0]
    assert [entry.name for entry in home.iterdir() if entry.is_dir()] == ["last-dance"]


def test_a_campaign_goes_out_in_one_file_and_comes_back_in_another_home(table: Gm, tmp_path: Path) -> None:
    table("session", "start")
    out = table("campaign", "export", "dance.zip", "--json")
    assert result(out) == {"campaign": "last-dance", "file": str(Path.cwd() / "dance.zip")}
    other = str(tmp_path / "other")
    taken = result(table("campaign", "import", "dance.zip", "--home", other, "--json"))
    assert taken == {"campaign": "last-dance", "name": "Last Dance", "path": str(tmp_path / "other" / "last-dance")}
    assert result(table("campaign", "show", "--home", other, "--json"))["lines"] == 2


def test_an_import_whose_name_is_here_is_refused_with_the_way_out(table: Gm) -> None:
    table("campaign", "export", "dance.zip")
    ran = table("campaign", "import", "dance.zip")
    assert (ran.code, ran.err.splitlines()) == (1, [
        'A campaign called "Last Dance" is here already (last-dance).',
        "Give that one another name first: campaign rename last-dance NAME",
    ])  # fmt: skip


def test_a_bad_journal_in_an_archive_is_named_by_the_archive(table: Gm, home: Path) -> None:
    """Where it was unpacked is gone by then, and so is what the doctor could look at."""
    with zipfile.ZipFile("bad.zip", "w") as archive:
        archive.writestr("journal.jsonl", first_text(home) + "{\n")
    ran = table("campaign", "import", "bad.zip")
    assert ran.code == 4
    assert ran.err.startswith("bad.zip/journal.jsonl, line 2: ")
    assert ".import-" not in ran.err


def first_text(home: Path) -> str:
    return (home / "last-dance" / "journal.jsonl").read_text("utf-8")


def test_a_bad_line_is_told_without_a_gap(table: Gm, home: Path) -> None:
    (home / "last-dance" / "campaign.json").unlink()
    (home / "last-dance" / "journal.jsonl").write_text(first_text(home) + "{\n", "utf-8")
    told = table("status", "--json").objects[0]["error"]["message"]
    assert told.endswith("line 2: not JSON. Nothing has changed.")


@pytest.mark.parametrize("word", ["x" * 500, "no/such/x.zip", ".", "", "file/x.zip", "/", ".."])
@pytest.mark.parametrize("verb", ["export", "import"])
def test_a_path_that_will_not_do_is_refused_in_words(table: Gm, verb: str, word: str) -> None:
    Path("file").touch()
    for lang in ("en", "ja", "ko"):
        ran = table("campaign", verb, word, "--yes", "--lang", lang)
        assert ran.code in (2, 4), ran
        assert "<" not in ran.err


def test_a_path_with_a_zero_in_it_is_refused_in_words(table: Gm) -> None:
    for line in ("campaign export a\0b\n", "campaign import a\0b\n", "status --home a\0b\n"):
        assert table("run", "-", input=line).code == 2
    ran = table("status", "--home", "x" * 500)
    assert (ran.code, "too long" in ran.err) == (4, True)


def test_a_new_home_keeps_version_control_from_changing_line_ends(table: Gm, home: Path) -> None:
    assert (home / ".gitattributes").read_bytes() == b"*.jsonl -text\ncampaign.json -text\n"


def test_putting_away_is_told_in_the_language_of_the_campaign(gm: Gm) -> None:
    """Neither in that of the campaign in use, nor in that of the system once the last one is gone."""
    gm("campaign", "new", "Tsuki", "--system", "rtype", "--lang", "ja")
    gm("campaign", "new", "Dal", "--system", "rtype", "--lang", "ko")
    assert gm("campaign", "remove", "tsuki").err.startswith("Tsuki（tsuki）")
    assert gm("campaign", "remove", "tsuki", "--yes").out.startswith("片付けました：")
    assert gm("campaign", "remove", "dal", "--yes").out.startswith("치웠습니다: ")


def test_what_is_no_export_is_refused(table: Gm) -> None:
    Path("x.zip").write_bytes(b"no zip")
    ran = table("campaign", "import", "x.zip", "--json")
    assert (ran.code, ran.objects[0]["error"]["code"]) == (2, "bad-archive")


def test_a_file_is_written_over_only_after_a_yes(table: Gm) -> None:
    Path("x.zip").write_bytes(b"mine")
    ran = table("campaign", "export", "x.zip", "--json", input="y\n")
    assert (ran.code, ran.objects[0]["error"]["code"]) == (1, "file-exists")
    assert at_terminal("campaign", "export", "x.zip", typed="n\n").code == 1
    assert Path("x.zip").read_bytes() == b"mine"
    asked = at_terminal("campaign", "export", "x.zip", typed="y\n")
    assert (asked.code, asked.out.splitlines()[0]) == (
        0, f"Write over {Path.cwd() / 'x.zip'}? y/n Exported: last-dance > {Path.cwd() / 'x.zip'}",
    )  # fmt: skip
    Path("x.zip").write_bytes(b"mine")
    assert table("campaign", "export", "x.zip", "--yes").code == 0
    assert Path("x.zip").read_bytes() != b"mine"


def test_an_export_for_one_side_is_not_covered_yet(table: Gm) -> None:
    ran = table("campaign", "export", "x.zip", "--for", "players", "--json")
    assert (ran.code, ran.objects[0]["error"]["code"]) == (2, "not-covered")
    assert not Path("x.zip").exists()


@pytest.mark.parametrize("line", [("--json",), ()])
def test_without_a_terminal_nothing_is_put_away_unless_yes_is_said(table: Gm, home: Path, line: tuple[str]) -> None:
    assert table("campaign", "remove", "last", *line, input="y\n").code == 2
    assert (home / "last-dance").is_dir()
    told = result(table("campaign", "remove", "last", "--yes", "--json"))
    assert told == {"campaign": "last-dance", "name": "Last Dance", "moved_to": str(home / ".removed" / "last-dance-1")}
    assert (home / ".removed" / "last-dance-1" / "journal.jsonl").is_file()
    assert result(table("campaign", "list", "--json"))["campaigns"] == []


@pytest.mark.parametrize(("typed", "code"), [("y\n", 0), ("YES\n", 0), ("n\n", 1), ("\n", 1), ("", 1), ("yep\n", 1)])
def test_in_a_terminal_only_a_yes_is_a_yes(table: Gm, home: Path, typed: str, code: int) -> None:
    ran = at_terminal("campaign", "remove", "last", typed=typed)
    assert ran.code == code
    assert ran.out.startswith("Put away Last Dance (last-dance)? y/n ")
    assert (home / "last-dance").is_dir() == bool(code)


def test_a_yes_may_be_said_in_the_language_spoken(table: Gm) -> None:
    assert at_terminal("campaign", "remove", "last", "--lang", "ja", typed="はい\n").code == 0


def test_json_is_never_interrupted_by_a_question(table: Gm) -> None:
    ran = at_terminal("campaign", "remove", "last", "--json", typed="y\n")
    assert (ran.code, ran.objects[0]["error"]["code"]) == (2, "needs-yes")


@pytest.mark.parametrize("lang", ["en", "ja", "ko"])
def test_every_sentence_is_there_in_every_language(table: Gm, lang: str) -> None:
    for line in (
        ("campaign", "new", "Moon", "--system", "rtype", "--seed", "3"),
        ("campaign", "new", "Moon", "--system", "rtype"),
        ("campaign", "use", "last"),
        ("campaign", "list"),
        ("campaign", "list", "--home", "nowhere"),
        ("campaign", "show"),
        ("campaign", "rename", "last", "Last Dance"),
        ("campaign", "rename", "last", "Dusk"),
        ("campaign", "export", f"{lang}.zip"),
        ("campaign", "import", f"{lang}.zip"),
        ("campaign", "remove", "moon"),
        ("campaign", "remove", "moon", "--yes"),
        ("campaign", "import", f"{lang}.zip", "--home", "other"),
        *(("campaign", verb, "--help") for verb in VERBS),
    ):
        ran = table(*line, "--lang", lang)
        assert "<" not in ran.out + ran.err, ran
        assert "{" not in ran.out + ran.err, ran
