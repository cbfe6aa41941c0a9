"""Any file: what stands where a file is looked for may be a pipe, a device, a link, an archive made to harm."""

import os
import shutil
import socket
import struct
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.field.inputs import ENDS, FILES, Ended, Place, fenced, guarded, judged
from tests.field.table import folder_bytes

ANOTHER = "root:secret\n" * 50
pytestmark = pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs pipes in folders")


@pytest.fixture
def place(tmp_path: Path, data_cache: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Place]:
    """A fight in a folder of its own; the file of another beside it is what it was."""
    monkeypatch.setenv("GMTOOL_CACHE", str(data_cache))
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    (tmp_path / "another").write_text(ANOTHER, encoding="utf-8")
    made = Place(tmp_path, data_cache)
    yield made
    assert (tmp_path / "another").read_text(encoding="utf-8") == ANOTHER


def a_socket(path: Path) -> None:
    """A socket in the folder we stand in: its whole path may be too long for one."""
    with socket.socket(socket.AF_UNIX) as made:
        made.bind("made.sock")
    os.rename("made.sock", path)


def _top(path: Path) -> Path:
    """The folder of the test, which holds a file that is nobody's business."""
    return next(folder for folder in path.parents if (folder / "another").exists())


KINDS: dict[str, Callable[[Path], None]] = {
    "pipe": os.mkfifo,
    "socket": a_socket,
    "folder": os.mkdir,
    "endless": lambda path: os.symlink("/dev/zero", path),
    "loop": lambda path: os.symlink(path.name, path),
    "dangling": lambda path: os.symlink("nowhere", path),
    "of another": lambda path: os.symlink(_top(path) / "another", path),
    "empty": Path.touch,
}
SPECIAL = ("pipe", "socket", "endless")
LINES = [
    line.split()
    for line in (
        "status", "history", "why", "undo", "move alpha 1 --force", "attack alpha vulcan beta", "note x", "doctor",
        "campaign list", "sheet list", "campaign export e.zip --yes", "campaign new Other --system rtype",
        "campaign remove test --yes",
    )
]  # fmt: skip

any_kind = pytest.mark.parametrize("kind", KINDS)


def put(path: Path, kind: str) -> None:
    """Put a thing of this kind in the place of whatever is there."""
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path)
    path.unlink(missing_ok=True)
    KINDS[kind](path)


@any_kind
@pytest.mark.parametrize("file", [*FILES, "test/.lock", "test/backups", "test/rules", ".gmtool", "test"])
def test_anything_may_stand_where_a_file_of_ours_is_looked_for(place: Place, file: str, kind: str) -> None:
    for line in LINES:
        put(place.home / file, kind)
        judged(place.run(line), line)
        place.reset()


@any_kind
@pytest.mark.parametrize("file", ["test/campaign.json.tmp", "test/open.json.tmp", ".chosen.json.tmp"])
def test_what_stands_where_a_file_is_written_first_is_not_written_through(place: Place, file: str, kind: str) -> None:
    """A crash may leave such a file; whoever may write to the folder could leave a link or a pipe."""
    victim = place.here / "victim"
    victim.write_text("precious", encoding="utf-8")
    for line in (["move", "alpha", "1"], ["attack", "alpha", "vulcan", "beta"], ["campaign", "use", "test"]):
        put(place.home / file, kind)
        if kind == "dangling":
            (place.home / file).unlink()
            (place.home / file).symlink_to(victim)
        judged(place.run(line), line)
    assert victim.read_text(encoding="utf-8") == "precious"


@any_kind
def test_anything_may_be_named_as_a_script_or_an_archive(place: Place, kind: str) -> None:
    put(place.here / "any", kind)
    for line in (["run", "any"], ["campaign", "import", "any"]):
        ended = place.tried(line)
        assert ended.code == (0 if (line[0], kind) == ("run", "empty") else 2), (line, ended)


def test_a_pipe_that_a_shell_has_made_is_a_script(place: Place) -> None:
    """Like ``gmtool run <(…)``: somebody writes to it."""
    reading, writing = os.pipe()
    os.write(writing, b"note through a pipe\n")
    os.close(writing)
    assert place.run(["run", f"/dev/fd/{reading}"]).code == 0
    os.close(reading)
    assert "through a pipe" in place.run(["history", "--all"]).out


@any_kind
@pytest.mark.parametrize("said", [[], ["--yes"]], ids=["unasked", "yes"])
def test_an_export_goes_to_a_file_or_nowhere(place: Place, kind: str, said: list[str]) -> None:
    """A pipe, a device or a socket is no file: it would be gone, and the archive in its place."""
    put(place.here / "any.zip", kind)
    ended = place.run(["campaign", "export", "any.zip", *said])
    judged(ended, said)
    if kind in (*SPECIAL, "folder"):
        assert ended.code == 4
        assert (place.here / "any.zip").is_symlink() == (kind == "endless")
        assert not (place.here / "any.zip").is_file()
    else:
        assert ended.code == (0 if said else 1)


@pytest.mark.parametrize("file", ["journal.jsonl", "campaign.json"])
def test_an_export_never_goes_over_a_campaign(place: Place, file: str) -> None:
    for target in (str(place.home / "test" / file), "link.zip"):
        (place.here / "link.zip").unlink(missing_ok=True)
        (place.here / "link.zip").symlink_to(place.home / "test" / file)
        ended = place.run(["campaign", "export", target, "--yes"])
        assert (ended.code, ended.out) == (1, "")
        assert "belongs to a campaign" in " ".join(ended.err.split())
    assert folder_bytes(place.home) == place.state


def test_the_fence_stands(place: Place, tmp_path_factory: pytest.TempPathFactory) -> None:
    """The tests above can see a path that leads out, and would stop what follows it."""
    outside = tmp_path_factory.mktemp("outside") / "x.zip"
    ended = place.run(["campaign", "export", str(outside)])
    assert ended.code == 4
    assert not outside.exists()
    with fenced(place.folder), pytest.raises(PermissionError):
        os.mkdir(outside)


@any_kind
def test_anything_may_lie_among_the_rules(place: Place, kind: str) -> None:
    """Only files are read; a link to one is the referee's own doing, and what it holds is not shown."""
    (place.home / "test" / "rules").mkdir(exist_ok=True)
    put(place.home / "test" / "rules" / "any.toml", kind)
    ended = place.run(["sheet", "list"])
    judged(ended, [kind])
    assert ended.code == (3 if kind in ("of another", "empty", "loop") else 0)
    assert "secret" not in ended.out + ended.err


def test_a_folder_of_a_campaign_may_be_a_link(place: Place) -> None:
    """Campaigns are kept where people like; a hard link is a file like any other."""
    (place.home / "test").rename(place.folder / "elsewhere")
    (place.home / "test").symlink_to(place.folder / "elsewhere")
    os.link(place.folder / "elsewhere" / "journal.jsonl", place.folder / "again.jsonl")
    assert place.run(["move", "alpha", "1"]).code == 0
    assert (place.folder / "again.jsonl").read_bytes().endswith(b"\n")
    assert place.run(["undo"]).code == 0


# archives


def archive(place: Place, *members: tuple[str | zipfile.ZipInfo, bytes], method: int = zipfile.ZIP_DEFLATED) -> Path:
    """A zip with the campaign's journal and these members."""
    path = place.here / "any.zip"
    journal = (place.home / "test" / "journal.jsonl").read_bytes()
    with zipfile.ZipFile(path, "w") as made:
        for name, data in (("journal.jsonl", journal), *members):
            made.writestr(name, data, compress_type=method)
    return path


def taken(place: Place) -> Ended:
    """The archive imported into the home without the campaign it is of; what was unpacked is gone if it is refused."""
    shutil.rmtree(place.home / "test", ignore_errors=True)
    before = folder_bytes(place.home)
    ended = place.run(["campaign", "import", "any.zip"])
    judged(ended, ["import"])
    left = {path.name for path in place.home.iterdir()} - {".gmtool", ".gitattributes", ".chosen.json", "test"}
    assert not left, left
    assert ended.code == 0 or folder_bytes(place.home) == before
    place.reset()
    return ended


OUT = [
    "../x.toml", "/abs.toml", "rules/../../x.toml", "C:\\x.toml", "rules/con.toml", "rules/a\x1b.toml",
    "rules/\u202e.toml",
]  # fmt: skip


@pytest.mark.parametrize("name", OUT)
def test_no_member_leads_out_of_its_folder(place: Place, name: str) -> None:
    archive(place, (name, b"format = 1\n"))
    assert taken(place).code == 2


def test_an_archive_that_unpacks_to_far_more_is_not_unpacked(place: Place) -> None:
    archive(place, ("rules/a.toml", b"#" * 30_000_000))
    assert taken(place).code == 2
    archive(place, *((f"rules/a{n}.toml", b"") for n in range(2_000)))
    assert taken(place).code == 2
    archive(place, ("rules/inner.zip", archive(place).read_bytes()))
    assert taken(place).code == 2


def test_a_link_in_an_archive_is_refused(place: Place) -> None:
    link = zipfile.ZipInfo("rules/a.toml")
    link.external_attr = 0o120777 << 16
    archive(place, (link, b"/etc/passwd"))
    assert taken(place).code == 2


@pytest.mark.parametrize("size", [0, 1, 2**31, 2**32 - 1])
@pytest.mark.parametrize("at", [20, 24], ids=["packed", "unpacked"])
def test_an_archive_may_lie_about_sizes(place: Place, size: int, at: int) -> None:
    data = bytearray(archive(place).read_bytes())
    directory = data.rfind(b"PK\x01\x02")
    data[directory + at : directory + at + 4] = struct.pack("<I", size)
    (place.here / "any.zip").write_bytes(data)
    assert taken(place).code in ENDS


def test_members_may_overlap(place: Place) -> None:
    data = bytearray(archive(place, ("rules/a.toml", b"#" * 500)).read_bytes())
    directory = data.rfind(b"PK\x01\x02")
    data[directory + 42 : directory + 46] = struct.pack("<I", 0)
    (place.here / "any.zip").write_bytes(data)
    assert taken(place).code == 2


def test_any_byte_of_an_archive_may_be_another_and_any_end_missing(place: Place) -> None:
    whole = archive(place).read_bytes()
    steps = range(0, len(whole), 29)
    spoilt = [whole[:at] + bytes([whole[at] ^ 0xFF]) + whole[at + 1 :] for at in steps]
    for data in (*spoilt, *(whole[:at] for at in steps)):
        (place.here / "any.zip").write_bytes(data)
        assert taken(place).code in ENDS


def test_a_pipe_does_not_hang_the_tests_themselves(place: Place) -> None:
    """What the guard is for: without it a line that waits would never be told."""
    import time

    from tests.field.inputs import Hangs

    with pytest.raises(Hangs), guarded(0.05):
        time.sleep(5)
