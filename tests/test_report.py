"""Reports of sessions: what stands in them, in every form and language, and where they may be written."""

import io
import os
import re
from collections.abc import Callable, Iterator
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

from gmtool.cli.main import run
from gmtool.store.reader import Reader
from tests.conftest import Ran
from tests.field.table import PILOT

Gm = Callable[..., Ran]
NASTY = "<b>*Ren*</b> [red]|_x_|"
MARK = "<!-- gmtool report: dance, session 1 -->"


pytestmark = pytest.mark.usefixtures("no_waiting_for_the_disk")


@pytest.fixture
def table(gm: Gm) -> Gm:
    """A campaign with two squads, and its first session on."""
    for line in (
        "campaign new Dance --system rtype", "session start Dusk", "side add Players --players --resource sol=70",
        "side add Bydo", "unit add kestrel Alpha --side Players", "unit add gains Beta --side Bydo",
    ):  # fmt: skip
        must(gm, *line.split())
    must(gm, "pilot", "add", "Ren", *PILOT, "--player", "Ken")
    must(gm, "seat", "alpha", "ren")
    return gm


def must(gm: Gm, *words: str) -> str:
    ran = gm(*words)
    assert ran.code == 0, (words, ran)
    return ran.out


def fought(gm: Gm) -> None:
    """The battle of the reef: Ren's Alpha hits Beta for 90 in the first phase, and wrecks it by five hits in turn 2."""
    must(gm, "battle", "start", "The reef")
    for line in ("initiative players=7 bydo=5", "first players"):
        must(gm, *line.split())
    must(gm, "attack", "alpha", "vulcan", "beta", "--dice", "15 15 15 99 99 / 99 99 99", "--because", "they shot first")
    for line in ("end phase", "end phase --rest", "initiative players=7 bydo=5", "first players"):
        must(gm, *line.split())
    for craft in "ABCD":
        must(gm, "set", f"units.beta.hp.{craft}", "0")
    must(gm, "attack", "alpha", "vulcan", "beta", "--dice", "15 15 15 15 15 / 99 99 99 99 99")
    must(gm, "battle", "end")


def numbers(text: str) -> list[int]:
    """The numbers of the rulings in a report."""
    return [int(found[1]) for line in text.splitlines() if (found := re.fullmatch(r"- .*\(#(\d+)\)", line))]


# what stands in it


def test_a_report_tells_who_did_what_to_whom_by_battle_turn_and_phase(table: Gm) -> None:
    fought(table)
    told = must(table, "report").splitlines()
    assert told[0] == "# Dance: session 1, Dusk"
    assert [line for line in told if line.startswith("##")] == [
        "## The reef", "### turn 1, initiative", "### turn 1, first phase", "### turn 1, second phase",
        "### turn 2, initiative", "### turn 2, first phase", "## How things stand",
    ]  # fmt: skip
    at = next(n for n, line in enumerate(told) if line.endswith(" (#12)"))
    assert told[at : at + 6] == [
        "- Alpha attacked Beta with Vulcan. Beta took 3 hits. (#12)",
        "  - hits 3, damage 90",
        "  - Alpha attack 70: 15 15 15 99 99",
        "  - Beta evade 20: 99 99 99",
        "  - Beta damage 90; Vulcan, rolls 5; Vulcan 6 > 5; hits 3, 30 each; Beta A 100 > 10",
        "  - because: they shot first",
    ]


def test_it_ends_with_kills_losses_pilots_resources_and_what_is_due(table: Gm) -> None:
    fought(table)
    told = must(table, "report").partition("## How things stand")[2]
    assert "**The reef: over in turn 2**" in told
    assert "- Ren: kills Beta\n" in told
    assert "- Bydo, lost: Beta (by Alpha)\n" in told
    assert "| Ren | Ken | Alpha | ready | 50/50 | 30/30 | 3/3 | 1 | 1 | 0 |" in told
    assert "Sol 70 Eth 0 Byd 0" in told
    assert "Nothing is due." in told


def test_it_says_what_is_lost_so_far_in_a_battle_that_goes_on(table: Gm) -> None:
    """Beta is wrecked by Ren in Alpha; the battle is not over when the session is."""
    must(table, "battle", "start", "The reef")
    assert "**The reef: goes on in turn 1, so far**\n\n- nothing lost so far\n" in must(table, "report")
    for line in ("initiative players=7 bydo=5", "first players"):
        must(table, *line.split())
    for craft in "ABCD":
        must(table, "set", f"units.beta.hp.{craft}", "0")
    must(table, "attack", "alpha", "vulcan", "beta", "--dice", "15 15 15 15 15 / 99 99 99 99 99")
    must(table, "session", "end")
    told = must(table, "report", "--session", "1").partition("## How things stand")[2]
    assert "**The reef: goes on in turn 1, so far**" in told
    assert "- Ren: kills Beta\n" in told
    assert "- Bydo, lost: Beta (by Alpha)\n" in told
    must(table, "battle", "end")
    assert "goes on" not in must(table, "report", "--session", "all")


def test_a_line_that_begins_a_battle_or_takes_one_up_stands_under_it(table: Gm) -> None:
    """Also as the last line of a session, where no later one says where it led to."""
    must(table, "battle", "start", "The reef")
    for line in ("initiative players=7 bydo=5", "first players", "battle park"):
        must(table, *line.split())
    must(table, "battle", "start", "Side show")
    must(table, "battle", "park")
    must(table, "battle", "resume", "The reef")
    told = [line for line in must(table, "report").splitlines() if line.startswith(("##", "- "))]
    at = told.index("## The reef")
    assert [line.removeprefix("- ").partition(" (#")[0] for line in told[at:-3]] == [
        "## The reef", "### turn 1, initiative", "The battle began.", "Players won the initiative.",
        "The phase of Players began.", "### turn 1, first phase", "The battle was put by.", "## Side show",
        "### turn 1, initiative", "The battle began.", "The battle was put by.", "## The reef",
        "### turn 1, first phase", "The battle was taken up again.",
    ]  # fmt: skip


def test_what_is_due_stands_in_it_with_the_line_that_settles_it(table: Gm) -> None:
    must(table, "battle", "start")
    must(table, "initiative", "players=7", "bydo=5")
    told = must(table, "report")
    assert "**due 1**\n\n- Players, choice of first or second, RT-2.2. Settle with: first Players\n" in told


def test_rules_set_aside_stand_in_it_with_the_reason_and_notes_word_for_word(table: Gm) -> None:
    for line in ("battle start", "initiative players=7 bydo=5", "first players", "pass alpha"):
        must(table, *line.split())
    must(table, "move", "alpha", "1", "--force", "--because", "a tractor beam")
    must(table, "note", "The reef # glows")
    told = must(table, "report")
    assert "  - GM's ruling, all the same: Alpha has acted in this phase already (RT-2.5).\n" in told
    assert "  - because: a tractor beam\n" in told
    assert "- **Note**: The reef # glows\n" in told


def test_what_was_undone_is_not_told_and_what_was_redone_is(table: Gm) -> None:
    must(table, "charge", "alpha", "1")  # 9
    must(table, "charge", "alpha", "2")  # 10
    must(table, "undo", "2")
    must(table, "redo")
    assert numbers(must(table, "report")) == [3, 4, 5, 6, 7, 8, 9]


def test_what_was_amended_is_told_as_amended(table: Gm) -> None:
    for line in ("battle start", "initiative players=7 bydo=5", "first players"):
        must(table, *line.split())
    must(table, "attack", "alpha", "vulcan", "beta", "--dice", "15 15 15 99 99 / 99 99 99")  # 12
    must(table, "amend", "--feint", "10")  # 13
    told = must(table, "report")
    assert numbers(told)[-2:] == [11, 13]
    assert "Alpha attack 60" in told
    assert "in place of #12" in told
    must(table, "undo")
    assert numbers(must(table, "report"))[-2:] == [11, 12]


def test_of_a_ruling_amended_twice_the_last_stands(table: Gm) -> None:
    for line in ("battle start", "initiative players=7 bydo=5", "first players"):
        must(table, *line.split())
    must(table, "attack", "alpha", "vulcan", "beta", "--dice", "15 15 15 99 99 / 99 99 99")  # 12
    for feint in ("10", "5"):
        must(table, "amend", "--feint", feint)  # 13, 14
    told = must(table, "report")
    assert numbers(told)[-2:] == [11, 14]
    assert "Alpha attack 65" in told
    must(table, "session", "end")
    must(table, "session", "start")
    must(table, "amend", "--feint", "20")  # 17
    assert numbers(must(table, "report", "--session", "1"))[-2:] == [11, 17]


def test_what_a_later_session_takes_back_or_amends_is_no_more_in_the_earlier_one(table: Gm) -> None:
    for line in ("battle start", "initiative players=7 bydo=5", "first players"):
        must(table, *line.split())
    must(table, "charge", "alpha", "1")  # 12
    must(table, "attack", "alpha", "vulcan", "beta", "--dice", "15 15 15 99 99 / 99 99 99")  # 13
    for line in ("session end", "session start", "amend --feint 10"):  # 14, 15, 16
        must(table, *line.split())
    assert numbers(must(table, "report", "--session", "1"))[-2:] == [12, 16]
    must(table, "undo")  # the ruling that was amended stands again
    assert numbers(must(table, "report", "--session", "1"))[-2:] == [12, 13]
    must(table, "undo", "2")
    assert numbers(must(table, "report", "--session", "1"))[-1] == 11


def test_an_earlier_session_ends_with_how_things_stood_then(table: Gm) -> None:
    must(table, "life", "ren", "40")
    must(table, "session", "end")
    before = must(table, "report", "--session", "1")
    must(table, "session", "start", "Dawn")
    must(table, "life", "ren", "7")
    must(table, "resources", "players", "sol=1")
    assert must(table, "report", "--session", "1") == before
    assert "| 40/50 |" in before
    assert "| 7/50 |" in must(table, "report")
    assert must(table, "report").startswith("# Dance: session 2, Dawn\n")


def test_all_sessions_are_told_one_after_the_other_with_what_came_between(table: Gm) -> None:
    must(table, "session", "end")
    must(table, "life", "ren", "30")
    must(table, "session", "start")
    must(table, "life", "ren", "40")
    told = must(table, "report", "--session", "all")
    heads = [line for line in told.splitlines() if line.startswith("#")]
    assert heads == [
        "# Dance: all sessions", "## session 1, Dusk", "## Between sessions", "## session 2", "## How things stand",
    ]  # fmt: skip
    assert told.index("30 by hand") < told.index("## session 2") < told.index("40 by hand")


def test_before_the_first_session_the_campaign_so_far_is_told(gm: Gm) -> None:
    for line in ("campaign new Dance --system rtype", "side add Players --players"):
        must(gm, *line.split())
    told = must(gm, "report")
    assert told.startswith("# Dance: all sessions\n")
    assert numbers(told) == [2]
    assert gm("report", "--session", "1").code == 2


def test_a_session_there_was_not_is_refused_with_the_last_one(table: Gm) -> None:
    ran = table("report", "--session", "7")
    assert ran.code == 2
    assert '"7"; the last one is 1' in ran.err
    assert table("report", "--session", "dusk").code == 2


def test_an_evenings_report_costs_the_same_however_long_the_campaign_is(
    table: Gm, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Lines of the journal that are read for a session of one ruling, after 3 and after 60 others before it."""
    read: list[int] = []
    whole = Reader.line
    monkeypatch.setattr(Reader, "line", lambda self, raw, seq: read.append(seq) or whole(self, raw, seq))

    def cost() -> int:
        for line in ("session end", "session start", "charge alpha +1"):
            must(table, *line.split())
        read.clear()
        must(table, "report")
        return len(set(read))

    first = cost()
    for n in range(60):
        must(table, "charge", "alpha", str(n + 9))
    assert cost() == first <= 4


# hostile names


class Tags(HTMLParser):
    """The tags and attributes of a page, and its text."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.attributes: set[str] = set()
        self.text = ""
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes |= {name for name, _ in attrs}

    def handle_data(self, data: str) -> None:
        self.text += data


@pytest.fixture
def nasty(table: Gm) -> Gm:
    """Names, a note and a reason with all that means something in Markdown or HTML."""
    must(table, "pilot", "add", NASTY, *PILOT, "--player", "`code` ~~x~~ & &lt; <script>alert(1)</script>")
    must(table, "set", "pilots.ren.name", "# Head\\")
    must(table, "note", "- item <img src=x onerror=alert(1)> [a](http://x.y) | $a_b$ \\| **bold**")
    must(table, "life", "ren", "40", "--because", "1. <i>list</i> | ![i](u)")
    must(table, "set", "units.beta.name", "--- | ---")
    return table


def test_no_name_breaks_out_of_the_page(nasty: Gm) -> None:
    page = must(nasty, "report", "--format", "html")
    tags = Tags(page)
    assert set(tags.tags) <= {
        "html", "head", "meta", "title", "style", "body", "h1", "h2", "h3", "h4", "p", "b", "ul", "li", "div", "table",
        "thead", "tbody", "tr", "th", "td",
    }  # fmt: skip
    assert tags.attributes <= {"lang", "charset", "name", "content", "http-equiv", "class"}
    assert NASTY in tags.text
    assert "<img src=x onerror=alert(1)> [a](http://x.y) | $a_b$ \\| **bold**" in tags.text
    assert "http" not in page.replace("http-equiv", "").replace("http://x.y", "")


def pieces(text: str) -> Iterator[Any]:
    """The tokens of a Markdown text as a reader of its own sees them, tables and strikethrough included."""
    markdown_it = pytest.importorskip("markdown_it")
    reader = markdown_it.MarkdownIt("commonmark").enable(["table", "strikethrough"])
    for token in reader.parse(text):
        yield token
        yield from token.children or ()


def test_no_name_means_anything_in_markdown(nasty: Gm) -> None:
    told = must(nasty, "report")
    tokens = list(pieces(told))
    kinds = {token.type for token in tokens}
    assert not kinds & {"link_open", "image", "code_inline", "em_open", "s_open", "html_inline", "fence", "hr"}
    assert [token.content.strip() for token in tokens if token.type == "html_block"] == [MARK]
    read = "".join(token.content for token in tokens if token.type == "text")
    typed = NASTY, "<script>alert(1)</script>", "- item <img src=x", "1. <i>list</i> | ![i](u)", "# Head\\", "&lt;"
    assert [text for text in typed if text not in read] == []
    columns = [token for token in tokens if token.type == "th_open"]
    rows = [token for token in tokens if token.type == "tr_open"]
    assert len([token for token in tokens if token.type == "td_open"]) == len(columns) * (len(rows) - 1)


# forms and languages


@pytest.mark.parametrize("lang", ["en", "ja", "ko"])
@pytest.mark.parametrize("form", ["md", "html"])
def test_every_sentence_is_there_in_every_language(table: Gm, lang: str, form: str) -> None:
    fought(table)
    must(table, "set", "pilots.ren.name", "蓮렌Рен")
    must(table, "note", "日没 해질녘")
    told = must(table, "report", "--session", "all", "--format", form, "--lang", lang)
    assert "蓮렌Рен" in told
    assert f'<html lang="{lang}">' in told or form == "md"
    missing = [line for line in told.splitlines() if "<report" in line or "<view" in line or "<column" in line]
    assert missing == []
    helped = must(table, "report", "--help", "--lang", lang)
    assert "--session" in helped
    assert "<" not in helped.replace("<report", "<")


def test_scripts_are_told_what_was_written_where(table: Gm, tmp_path: Path) -> None:
    told = table("report", "--json").objects[0]
    assert told["result"] == {"session": 1, "format": "md", "file": None}
    assert told["text"].startswith("# Dance: session 1, Dusk\n")
    file = tmp_path / "evening.html"
    told = table("report", str(file), "--json").objects[0]
    assert told["result"] == {"session": 1, "format": "html", "file": str(file)}
    assert file.read_text("utf-8").startswith("<!DOCTYPE html>")


def test_no_side_is_shown_a_report(table: Gm) -> None:
    assert table("report", "--for", "players").code == 2


def test_a_game_that_says_nothing_of_it_has_reports_too(home: Path) -> None:
    def gm(*argv: str) -> str:
        out, err = io.StringIO(), io.StringIO()
        packages = ("gmtool.systems", "tests.games")
        code = run([*argv], stdin=io.StringIO(), stdout=out, stderr=err, env=dict(os.environ), packages=packages)
        assert code == 0, err.getvalue()
        return out.getvalue()

    for line in (
        "campaign new Dice --system trio", "session start", "player add Ann", "player add Bob", "player add Cyd",
        "begin", "throw ann --dice 2,6,5",
    ):  # fmt: skip
        gm(*line.split())
    told = gm("report")
    assert numbers(told) == [3, 4, 5, 6, 7]
    assert told.endswith("## How things stand\n\nNothing is due.\n\n<!-- gmtool report: dice, session 1 -->\n")


# files


def test_a_report_is_written_over_and_nothing_else_is(table: Gm, tmp_path: Path) -> None:
    file = tmp_path / "report.md"
    must(table, "report", str(file))
    first = file.read_text("utf-8")
    assert first == must(table, "report")
    must(table, "note", "more")
    must(table, "report", str(file))
    assert file.read_text("utf-8") != first
    other = tmp_path / "letter.md"
    other.write_text(f"Dear all,\n{MARK}\nyours\n", encoding="utf-8")
    ran = table("report", str(other), "--json")
    assert (ran.code, ran.objects[0]["error"]["code"]) == (1, "file-exists")
    assert other.read_text("utf-8").startswith("Dear all")
    must(table, "report", str(other), "--yes")
    assert other.read_text("utf-8").endswith(f"{MARK}\n")
    assert [path.name for path in tmp_path.glob("*.tmp")] == []


def test_folders_pipes_and_a_campaigns_files_are_never_written_over(table: Gm, home: Path, tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    journal = home / "dance" / "journal.jsonl"
    before = journal.read_bytes()
    for file, code in (
        (tmp_path, "disk"),
        (pipe, "disk"),
        (journal, "file-exists"),
        (tmp_path / "no" / "f.md", "disk"),
    ):
        ran = table("report", str(file), "--yes", "--json")
        assert ran.objects[0]["error"]["code"] == code, file
    assert journal.read_bytes() == before


@pytest.mark.parametrize("name", ["2", "html", "ja", "evening.txt", "m.svg", "all"])
def test_a_name_that_says_no_form_is_refused_with_what_was_meant(table: Gm, tmp_path: Path, name: str) -> None:
    file = tmp_path / name
    ran = table("report", str(file), "--json")
    told = ran.objects[0]["error"]
    assert (ran.code, told["code"], file.exists()) == (2, "bad-value", False)
    assert all(way in told["hint"] for way in ("--format", "--session", ".md", ".html"))
    must(table, "report", str(file), "--format", "md")
    assert file.exists()


def test_an_empty_name_is_no_request_for_the_screen(table: Gm) -> None:
    assert table("report", "").code == 2


def test_a_link_is_never_followed(table: Gm, home: Path, tmp_path: Path) -> None:
    """Even one to a report of ours is another's name for it; with --yes the link itself gives way."""
    there, link = tmp_path / "there.md", tmp_path / "link.md"
    must(table, "report", str(there))
    link.symlink_to(there)
    before = there.read_bytes()
    assert table("report", str(link)).code == 1
    must(table, "note", "more")
    must(table, "report", str(link), "--yes")
    assert (there.read_bytes(), link.is_symlink()) == (before, False)
    link.unlink()
    link.symlink_to(home / "dance" / "journal.jsonl")
    assert table("report", str(link), "--yes").code == 1


def test_the_end_of_a_session_keeps_its_report_and_says_where(table: Gm, home: Path) -> None:
    must(table, "note", "dusk falls")
    ran = table("session", "end", "--json").objects[0]
    file = home / "dance" / "reports" / "session-1.md"
    assert ran["result"]["report"] == str(file)
    assert ran["warnings"] == []
    assert file.read_text("utf-8") == must(table, "report", "--session", "1")
    must(table, "session", "start")
    told = must(table, "session", "end").split()
    assert told[-3:] == ["Report", "written:", str(home / "dance" / "reports" / "session-2.md")]


def test_a_report_that_was_broken_off_is_written_when_the_next_session_begins(table: Gm, home: Path) -> None:
    """As after a kill between the line that ends the session and its report."""
    must(table, "session", "end")
    file = home / "dance" / "reports" / "session-1.md"
    told = file.read_bytes()
    file.unlink()
    must(table, "session", "start")
    assert file.read_bytes() == told


@pytest.mark.parametrize("way", ["file", "link", "foreign", "read-only"])
def test_a_report_that_cannot_be_kept_leaves_the_session_over(table: Gm, home: Path, tmp_path: Path, way: str) -> None:
    reports, away = home / "dance" / "reports", tmp_path / "away"
    away.mkdir()
    if way == "file":
        reports.write_text("mine", encoding="utf-8")
    elif way == "link":
        reports.symlink_to(away)
    else:
        reports.mkdir()
    if way == "foreign":
        (reports / "session-1.md").write_text("mine", encoding="utf-8")
    if way == "read-only":
        (reports / "session-1.md").mkdir()
    ran = table("session", "end", "--json").objects[0]
    assert (ran["ok"], ran["result"]["report"]) == (True, None)
    assert [warning["code"] for warning in ran["warnings"]] == ["report-unwritten"]
    assert list(away.iterdir()) == []
    assert way != "foreign" or (reports / "session-1.md").read_text("utf-8") == "mine"
    assert table("session", "end").code == 1  # it is over


def test_a_folder_with_reports_can_be_packed_by_hand_and_taken_in(table: Gm, home: Path, tmp_path: Path) -> None:
    import shutil

    must(table, "session", "end")
    shutil.rmtree(home / "dance" / "backups")
    packed = shutil.make_archive(str(tmp_path / "dance"), "zip", home / "dance")
    must(table, "campaign", "rename", "dance", "Other")
    must(table, "campaign", "import", packed)
