"""The home, names and folders, the shelf with its archives, and the open ruling."""

import json
import stat
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gmtool.kernel.refusal import Refused
from gmtool.store import openruling, shelf
from gmtool.store.campaign import Campaign, create, open_campaign
from gmtool.store.home import find_home
from gmtool.store.names import LIMIT, cells, check_name, slug
from tests.unit.store.conftest import FIRST, figure, plain

Go = Callable[[int], None]


def named(name: str) -> list[dict[str, Any]]:
    return [{"path": "campaign.campaign", "after": {"name": name, "system": "none"}, "rule": ""}]


def test_the_home_is_the_first_that_is_said(tmp_path: Path, campaign: Campaign) -> None:
    assert find_home("a", {"GMTOOL_HOME": "b"}, tmp_path) == (tmp_path / "a", "option")
    assert find_home(None, {"GMTOOL_HOME": str(tmp_path / "b")}, tmp_path) == (tmp_path / "b", "env")
    assert find_home(None, {"GMTOOL_HOME": ""}, tmp_path).why == "user-data"
    (tmp_path / "campaigns").mkdir()
    assert find_home(None, {}, tmp_path).why == "user-data"
    campaign.path.rename(tmp_path / "campaigns" / "test")
    assert find_home(None, {}, tmp_path) == (tmp_path / "campaigns", "checkout")


def test_a_marker_makes_a_folder_a_home(tmp_path: Path) -> None:
    (tmp_path / "campaigns").mkdir()
    (tmp_path / "campaigns" / ".gmtool").touch()
    assert find_home(None, {}, tmp_path).why == "checkout"


@pytest.mark.parametrize(
    ("name", "folder"),
    [
        ("Test", "test"),
        ("../../x", "x"),
        ("C:\\x", "c-x"),
        ("CON", "campaign-con"),
        ("nul.json", "campaign-nul-json"),
        ("........", "campaign"),
        ("a/b", "a-b"),
        ('x"y', "x-y"),
        ("名前　", "campaign"),
        ("Été １２", "ete-12"),
        ("x" * 80, "x" * 60),
    ],
)
def test_the_folder_is_a_safe_one_within_the_home_and_the_name_stays(tmp_path: Path, name: str, folder: str) -> None:
    campaign = create(tmp_path / "home", name, "none", named(name))
    assert campaign.path == tmp_path / "home" / folder
    assert [entry.name for entry in shelf.list_campaigns(tmp_path / "home")] == [name]
    assert [path.name for path in tmp_path.iterdir()] == ["home"]


@given(st.text())
def test_any_text_gives_a_safe_slug(name: str) -> None:
    made = slug(name)
    assert 1 <= len(made) <= 60
    assert set(made) <= set("abcdefghijklmnopqrstuvwxyz0123456789-")
    assert made == made.strip("-")


@pytest.mark.parametrize(
    ("name", "key"),
    [
        ("", "name-empty"),
        ("　 ", "name-empty"),
        ("a\nb", "name-control"),
        ("a\x1b[31m", "name-control"),
        ("a\u202eb", "name-control"),
        ("a\ud800", "name-control"),
        ("あ" * 41, "name-long"),
        ("x" * 5000, "name-long"),
    ],
)
def test_names_people_could_not_read_are_refused(tmp_path: Path, name: str, key: str) -> None:
    with pytest.raises(Refused) as caught:
        create(tmp_path / "home", name, "none", [])
    assert (caught.value.code, caught.value.key, caught.value.exit) == ("bad-value", key, 2)
    assert list(tmp_path.iterdir()) == []


def test_names_are_measured_in_cells() -> None:
    """Eighty letters, forty kana, forty families of four."""
    for name in ("x" * 80, "あ" * 40, "\U0001f468\u200d\U0001f469\u200d\U0001f467\u200d\U0001f466" * 40):
        check_name(name)
        assert cells(name) == LIMIT
    assert cells("e\u0301") == 1


@pytest.mark.parametrize("other", ["test", "TEST", "Ｔｅｓｔ", " Test "])
def test_two_campaigns_do_not_share_a_name(campaign: Campaign, other: str) -> None:
    with pytest.raises(Refused) as caught:
        create(campaign.path.parent, other, "none", named(other))
    assert (caught.value.code, caught.value.facts) == ("name-taken", {"name": "Test", "slug": "test"})


def test_names_that_give_the_same_folder_get_numbers(tmp_path: Path) -> None:
    names = ["名前", "名簿", "campaign!"]
    assert [create(tmp_path, name, "none", named(name)).path.name for name in names] == [
        "campaign", "campaign-2", "campaign-3",
    ]  # fmt: skip
    for name, folder in (("x" * 70, "x" * 60), ("x" * 71, "x" * 58 + "-2")):
        assert create(tmp_path, name, "none", named(name)).path.name == folder


def test_the_list_shows_what_cannot_be_read_too(campaign: Campaign) -> None:
    home = campaign.path.parent
    (home / "bad").mkdir()
    (home / "bad" / "journal.jsonl").write_text("null\n", "utf-8")
    (home / "other").mkdir()
    bad, good = shelf.list_campaigns(home)
    assert (good.slug, good.name, good.system, good.seq, good.problem) == ("test", "Test", "none", 1, None)
    assert bad.slug == "bad"
    assert bad.problem is not None
    assert bad.problem.code == "unreadable"
    assert shelf.list_campaigns(home / "nowhere") == []


def test_one_campaign_is_in_use_until_it_is_gone(campaign: Campaign) -> None:
    home = campaign.path.parent
    assert shelf.active(home) is None
    shelf.use(home, "test")
    assert shelf.active(home) == "test"
    chosen = json.loads((home / ".chosen.json").read_bytes())
    assert (chosen["format"], chosen["active"]) == (2, "test")
    (home / ".chosen.json").write_text(json.dumps({**chosen, "active": "tesu"}))
    assert shelf.choice(home) is None
    shelf.use(home, "test")
    assert not (home / ".gmtool").exists()
    with pytest.raises(Refused, match="no-campaign"):
        shelf.use(home, "../test")
    away = shelf.remove(campaign.path)
    assert away == home / ".removed" / "test-1"
    assert figure(open_campaign(away, write=False)) == 0
    assert shelf.active(home) is None


def test_the_marker_is_put_where_there_is_none_and_never_written_again(tmp_path: Path) -> None:
    shelf.mark_home(tmp_path)
    assert (tmp_path / ".gmtool").read_bytes() == b"{}\n"
    (tmp_path / ".gmtool").write_bytes(b"mine")
    shelf.mark_home(tmp_path)
    assert (tmp_path / ".gmtool").read_bytes() == b"mine"
    assert "*.jsonl -text" in (tmp_path / ".gitattributes").read_text("utf-8").splitlines()
    with pytest.raises(Refused, match="disk"):
        shelf.mark_home(tmp_path / "nowhere")


def test_a_campaign_that_lost_its_journal_keeps_its_place_and_its_name(campaign: Campaign) -> None:
    """Its snapshot still tells the name; without one, the folder's name stands for it. It can be put away."""
    home = campaign.path.parent
    campaign.save_snapshot()
    (campaign.path / "journal.jsonl").unlink()
    (campaign.path / "rules").mkdir()
    for _ in range(2):
        [entry] = shelf.list_campaigns(home)
        assert entry.problem is not None
        assert entry.problem.facts["problem"] == "no-journal"
        for name in ("TEST", "Test"):
            with pytest.raises(Refused, match="name-taken"):
                create(home, name, "none", named(name))
        (campaign.path / "campaign.json").unlink(missing_ok=True)
    with pytest.raises(Refused, match="name-taken"):
        create(home, "Test!", "none", named("Test!"))
    assert shelf.remove(campaign.path).is_dir()
    assert shelf.list_campaigns(home) == []


def test_a_home_that_no_path_can_be_is_refused(tmp_path: Path) -> None:
    for option, key in (("a\0b", "path-character"), ("a\ud800", "path-character"), (" ", "path-empty")):
        with pytest.raises(Refused) as caught:
            find_home(option, {}, tmp_path)
        assert (caught.value.code, caught.value.key, caught.value.exit) == ("bad-value", key, 2)


@pytest.mark.parametrize(
    ("where", "problem"), [("x" * 500, "long"), ("no/x.zip", "nowhere"), ("f/x.zip", "no-folder"), ("d", "folder")]
)
def test_an_export_that_cannot_go_there_says_why(campaign: Campaign, tmp_path: Path, where: str, problem: str) -> None:
    (tmp_path / "f").touch()
    (tmp_path / "d").mkdir()
    with pytest.raises(Refused) as caught:
        shelf.export(campaign.path, tmp_path / where, overwrite=True)
    assert (caught.value.code, caught.value.exit, caught.value.facts["problem"]) == ("disk", 4, problem)
    if problem == "long":
        with pytest.raises(Refused, match="bad-archive"):
            shelf.import_zip(tmp_path / "home", tmp_path / where)


@pytest.mark.parametrize("content", ["", "null", "[]", '{"format":1}', '{"format":1,"active":7}', "{"])
def test_a_file_of_another_kind_chooses_nothing(campaign: Campaign, content: str) -> None:
    (campaign.path.parent / ".chosen.json").write_text(content, "utf-8")
    assert shelf.active(campaign.path.parent) is None


def test_a_campaign_in_the_middle_of_a_line_is_not_removed(campaign: Campaign, monkeypatch: pytest.MonkeyPatch) -> None:
    from gmtool.store.lock import Lock

    monkeypatch.setattr(Lock.acquire, "__defaults__", (0.1,))
    with campaign.writing(), pytest.raises(Refused, match="locked"):
        shelf.remove(campaign.path)
    assert campaign.path.is_dir()


def test_renaming_gives_the_change_for_a_mark_and_keeps_the_folder(campaign: Campaign) -> None:
    create(campaign.path.parent, "Other", "none", named("Other"))
    with pytest.raises(Refused, match="name-taken"):
        shelf.rename(campaign, "OTHER")
    assert shelf.rename(campaign, "Test") == []
    with campaign.writing():
        campaign.append([{"kind": "mark", "line": "campaign rename", "changes": shelf.rename(campaign, "TEST")}])
    assert [entry.name for entry in shelf.list_campaigns(campaign.path.parent)] == ["Other", "TEST"]
    assert campaign.path.name == "test"


def test_an_archive_holds_the_campaign_and_nothing_of_the_moment(campaign: Campaign, go: Go, tmp_path: Path) -> None:
    go(2)
    campaign.save_snapshot()
    (campaign.path / "rules" / "sub").mkdir(parents=True)
    (campaign.path / "rules" / "sub" / "機体.toml").write_text("format = 1\n", "utf-8")
    (campaign.path / "rules" / "notes.txt").write_text("mine", "utf-8")
    openruling.save(campaign.path, {"line": "x"})
    file = tmp_path / "out.zip"
    shelf.export(campaign.path, file)
    with zipfile.ZipFile(file) as archive:
        assert set(archive.namelist()) == {"journal.jsonl", "campaign.json", "rules/sub/機体.toml"}
    with pytest.raises(Refused, match="file-exists"):
        shelf.export(campaign.path, file)
    shelf.export(campaign.path, file, overwrite=True)
    taken = shelf.import_zip(tmp_path / "elsewhere", file)
    assert taken == tmp_path / "elsewhere" / "test"
    assert stat.S_IMODE(taken.stat().st_mode) & 0o700 == 0o700
    again = open_campaign(taken, write=True)
    assert (again.notices, plain(again)) == ([], plain(campaign))
    assert (taken / "rules" / "sub" / "機体.toml").read_text("utf-8") == "format = 1\n"
    assert [path.name for path in (tmp_path / "elsewhere").iterdir()] == ["test"]


def test_an_archive_whose_name_is_taken_wants_another(campaign: Campaign, tmp_path: Path) -> None:
    home = campaign.path.parent
    shelf.export(campaign.path, tmp_path / "out.zip")
    with pytest.raises(Refused, match="name-taken"):
        shelf.import_zip(home, tmp_path / "out.zip")
    assert shelf.import_zip(home, tmp_path / "out.zip", "Second").name == "second"


def test_a_folder_zipped_by_hand_can_be_taken_in(campaign: Campaign, go: Go, tmp_path: Path) -> None:
    """With the folder's own name around it, and with the lock file and backups in it."""
    go(1)
    (campaign.path / "backups").mkdir()
    (campaign.path / "backups" / "torn-1.txt").write_text("{", "utf-8")
    with zipfile.ZipFile(tmp_path / "hand.zip", "w") as archive:
        for path in sorted(campaign.path.rglob("*")):
            archive.write(path, path.relative_to(campaign.path.parent))
    taken = shelf.import_zip(tmp_path / "other", tmp_path / "hand.zip")
    assert [path.name for path in taken.iterdir()] == ["journal.jsonl"]


EVIL = [
    ("../evil.toml", "path"),
    ("/etc/evil.toml", "path"),
    ("rules/../../evil.toml", "path"),
    ("rules//evil.toml", "path"),
    ("rules/evil\\..\\x.toml", "path"),
    ("C:/evil.toml", "path"),
    ("rules/con.toml", "path"),
    ("rules/evil.toml.", "path"),
    ("rules/ev\nil.toml", "path"),
    ("rules/evil.py", "unknown"),
    ("evil.toml", "unknown"),
    ("rulesevil.toml", "unknown"),
    ("JOURNAL.JSONL", "unknown"),
    ("sub/journal.jsonl", "no-journal"),
]


@pytest.mark.parametrize(("member", "problem"), EVIL)
def test_a_member_that_has_no_business_there_refuses_the_archive(
    campaign: Campaign, tmp_path: Path, member: str, problem: str
) -> None:
    shelf.export(campaign.path, tmp_path / "out.zip")
    with zipfile.ZipFile(tmp_path / "out.zip", "a") as archive:
        info = zipfile.ZipInfo("x")
        info.filename = member
        archive.writestr(info, "format = 1\n")
    refused(tmp_path, problem)


def refused(tmp_path: Path, problem: str) -> None:
    before = sorted(path.name for path in tmp_path.iterdir() if path.name != "target")
    with pytest.raises(Refused) as caught:
        shelf.import_zip(tmp_path / "target", tmp_path / "out.zip")
    assert (caught.value.code, caught.value.facts["problem"]) == ("bad-archive", problem)
    assert sorted(path.name for path in tmp_path.iterdir() if path.name != "target") == before
    assert list((tmp_path / "target").iterdir()) == []


def test_links_bombs_twins_and_crowds_are_refused(
    campaign: Campaign, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def archive_with(*members: tuple[str, str, int]) -> None:
        shelf.export(campaign.path, tmp_path / "out.zip", overwrite=True)
        with zipfile.ZipFile(tmp_path / "out.zip", "a", zipfile.ZIP_DEFLATED) as archive:
            for name, data, mode in members:
                info = zipfile.ZipInfo(name)
                info.external_attr = mode << 16
                archive.writestr(info, data, zipfile.ZIP_DEFLATED)

    archive_with(("rules/link.toml", "/etc/passwd", 0o120777))
    refused(tmp_path, "link")
    archive_with(("rules/a.toml", "", 0), ("rules/A.toml", "", 0))
    refused(tmp_path, "twice")
    archive_with(("rules/big.toml", "0" * (2 << 20), 0))
    refused(tmp_path, "ratio")
    archive_with(*((f"rules/{number}.toml", "", 0) for number in range(200)))
    refused(tmp_path, "many")
    monkeypatch.setattr(shelf, "MAX_BYTES", 1000)
    archive_with(("rules/a.toml", "0" * 1000, 0))
    refused(tmp_path, "big")


def test_what_is_no_archive_or_holds_no_good_campaign_is_refused(campaign: Campaign, tmp_path: Path) -> None:
    file = tmp_path / "out.zip"
    with pytest.raises(Refused) as caught:
        shelf.import_zip(tmp_path / "target", file)
    assert caught.value.facts["problem"] == "missing"
    file.write_bytes(b"no zip")
    refused(tmp_path, "damaged")
    shelf.export(campaign.path, file, overwrite=True)
    whole = file.read_bytes()
    file.write_bytes(whole[:60] + bytes([whole[60] ^ 255]) + whole[61:])
    refused(tmp_path, "damaged")
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr("journal.jsonl", "null\n")
    with pytest.raises(Refused) as caught:
        shelf.import_zip(tmp_path / "target", file)
    assert (caught.value.code, caught.value.key) == ("unreadable", "archived")
    assert caught.value.facts == {"file": "out.zip/journal.jsonl", "problem": "shape", "at": 1, "detail": "line"}
    with pytest.raises(Refused) as caught:
        shelf.import_zip(tmp_path / "target", tmp_path)
    assert caught.value.facts["problem"] == "folder"
    assert list((tmp_path / "target").iterdir()) == []


RULING: dict[str, Any] = {
    "verb": "attack", "args": {"unit": "alpha"}, "line": "attack alpha", "step": [1, 0], "said": {"feint": "1"},
    "given": {"attack.lead": {"faces": [9, 2], "fixed": False, "source": "entered", "by": None, "who": "alpha"}},
    "named": [["attack", [["92", "entered"]]]], "by": None, "by_unit": {}, "because": None, "force": False,
    "asks": [{"key": "attack.A", "who": "alpha", "kind": "dice", "dice": [10, 10], "options": [], "rule": "RT-8.3"}],
}  # fmt: skip


@pytest.mark.parametrize("key", RULING)
@pytest.mark.parametrize("value", [5, "x", [[[]]], {"x": 1}, {"x": {"faces": "9"}}, True, ...], ids=repr)
def test_an_open_ruling_of_another_shape_counts_as_none(campaign: Campaign, key: str, value: Any) -> None:
    """Each key in turn gone or of another kind; what is left either is a ruling or is none, and is told as damaged."""
    ruling = {**RULING, key: value}
    if value is ...:
        del ruling[key]
    openruling.save(campaign.path, ruling)
    notices = list[dict[str, Any]]()
    found = openruling.load(campaign.path, notices)
    fitting = {
        ("verb", "x"), ("line", "x"), ("by", "x"), ("because", "x"), ("force", "True"), ("step", "[[[]]]"),
        ("args", "{'x': 1}"), ("args", "{'x': {'faces': '9'}}"),
    }  # fmt: skip
    assert (found is not None) == ((key, str(value)) in fitting)
    assert bool(notices) == (found is None)


def test_the_open_ruling_is_kept_found_and_dropped(campaign: Campaign) -> None:
    assert openruling.load(campaign.path) is None
    openruling.save(campaign.path, RULING)
    assert openruling.load(campaign.path) == RULING
    openruling.drop(campaign.path)
    openruling.drop(campaign.path)
    assert openruling.load(campaign.path) is None


@pytest.mark.parametrize("content", ["", "null", "{", '{"format":1}', '{"format":1,"ruling":[]}'])
def test_a_damaged_open_ruling_counts_as_none_and_is_told(campaign: Campaign, content: str) -> None:
    (campaign.path / "open.json").write_text(content, "utf-8")
    notices = list[dict[str, Any]]()
    assert openruling.load(campaign.path, notices) is None
    assert [notice["code"] for notice in notices] == ["open-damaged"]


def test_an_open_ruling_of_a_newer_format_is_refused(campaign: Campaign) -> None:
    (campaign.path / "open.json").write_text('{"format":3,"ruling":{}}', "utf-8")
    with pytest.raises(Refused, match="newer"):
        openruling.load(campaign.path)


def test_a_first_line_that_would_not_open_is_not_written(tmp_path: Path) -> None:
    with pytest.raises(Exception, match="exists"):
        create(tmp_path, "Twice", "none", [*FIRST, FIRST[0]])
    assert list(tmp_path.iterdir()) == []
