"""The shelf: the campaigns of a home, which of them is in use, and taking them in, out and away."""

import os
import stat
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, NamedTuple

from gmtool.kernel.changes import Change
from gmtool.kernel.journal import FORMAT, SUMMED, BadLine, check_format, parse_json
from gmtool.kernel.refusal import Refused
from gmtool.rulesdata.plain import read_plain
from gmtool.store import branch, snapshot
from gmtool.store.campaign import Campaign
from gmtool.store.files import disk_refusal, free_name, make_folders, move, own_rules, swap_in, sync_folder, write_new
from gmtool.store.home import MARKER
from gmtool.store.lock import Lock
from gmtool.store.names import campaign_folders, check_new, free_slug, is_campaign, is_reserved, kept_name
from gmtool.store.outfile import may_be_written, write
from gmtool.store.reader import BACKUPS, JOURNAL, Reader
from gmtool.store.reports import REPORTS
from gmtool.store.state import State

if TYPE_CHECKING:
    from zipfile import ZipFile, ZipInfo

CHOSEN = ".chosen.json"
"""Which campaign of the home is in use: a matter of this computer, unlike the marker that a home is known by."""

ATTRIBUTES = ".gitattributes"
MAX_FILES = 200
MAX_BYTES = 512 << 20
MAX_RATIO = 200
_SMALL = 1 << 20  # below this size no ratio is suspicious
# what a copied folder may hold beside the campaign: left out
_PASSING = (".lock", "open.json", branch.NAME, BACKUPS, REPORTS)


class Entry(NamedTuple):
    """A campaign as a list shows it; ``problem`` is the refusal when it cannot be read.

    Then the name is that of the snapshot, or the slug.
    """

    slug: str
    path: Path
    name: str
    system: str
    seq: int
    problem: Refused | None


def list_campaigns(home: Path) -> list[Entry]:
    """The campaigns of a home by slug, unreadable ones too. Creates nothing."""
    return [entry(path) for path in campaign_folders(home)]


def entry(path: Path) -> Entry:
    """The campaign in this folder as a list shows it."""
    state = State(path)
    try:
        state.load()
    except Refused as problem:
        return Entry(path.name, path, kept_name(path) or path.name, "", 0, problem)
    row = state.tables.get("campaign", {}).get("campaign", {})
    return Entry(path.name, path, str(row.get("name", path.name)), str(row.get("system", "")), state.head.seq, None)


def mark_home(home: Path) -> None:
    """Put the marker into a home that has none, so that it is known as one while empty. Refused ``disk``.

    Beside it, what keeps version control from changing the line ends of journals.
    """
    for name, content in ((MARKER, b"{}\n"), (ATTRIBUTES, b"*.jsonl -text\ncampaign.json -text\n")):
        try:
            if not (home / name).exists():
                swap_in(home / name, content)
        except OSError as error:
            raise disk_refusal(error, home / name) from error


def use(home: Path, slug: str) -> None:
    """Choose the campaign that is meant when none is named. Refused ``no-campaign``, ``disk``."""
    if home / slug not in campaign_folders(home):
        raise Refused("no-campaign", key="no-campaign-here", exit=4, facts={"file": str(home / slug)})
    try:
        document = {"format": FORMAT, "active": slug, "sum": snapshot.digest(slug)}
        swap_in(home / CHOSEN, snapshot.serialise(document))
    except OSError as error:
        raise disk_refusal(error, home / CHOSEN) from error


def active(home: Path) -> str | None:
    """The slug chosen by :func:`use`, if that campaign is still there; a file of another kind chooses nothing."""
    slug = choice(home)
    return slug if slug and home / slug in campaign_folders(home) else None


def choice(home: Path) -> str | None:
    """The slug chosen by :func:`use`, whether that campaign is still there or not."""
    try:
        document = parse_json(read_plain(home / CHOSEN))
        check_format(document)
        slug = document["active"]
        summed = document["format"] < SUMMED or document.get("sum") == snapshot.digest(slug)
        return slug if isinstance(slug, str) and summed else None
    except (OSError, BadLine, AttributeError, KeyError, TypeError):
        return None


def rename(campaign: Campaign, name: str) -> list[Change]:
    """The changes that give a campaign another display name, for a mark line; its folder keeps its name.

    Refused ``bad-value``, ``name-taken`` (by another campaign; one's own name in other letters is free).
    """
    check_new(campaign.path.parent, name, besides=campaign.path.name)
    before = campaign.tables["campaign"]["campaign"]["name"]
    return [] if before == name else [{"path": "campaign.campaign.name", "before": before, "after": name, "rule": ""}]


def remove(path: Path) -> Path:
    """Put a campaign away into ``<home>/.removed`` (never deleted), and say where. Refused ``locked``, ``disk``."""
    if not is_campaign(path):
        raise Refused("no-campaign", key="no-campaign-here", exit=4, facts={"file": str(path)})
    lock = Lock(path)
    lock.acquire()
    if sys.platform == "win32":
        lock.release()  # nobody was in the middle of a line; an open file would keep the folder in place
    try:
        away = path.parent / ".removed"
        away.mkdir(exist_ok=True)
        target = free_name(away, path.name, "")
        move(path, target)
    except OSError as error:
        raise disk_refusal(error, path) from error
    finally:
        lock.release()
    if choice(path.parent) == path.name:
        with suppress(OSError):  # it was put away on purpose: nobody has to be told that it is gone
            (path.parent / CHOSEN).unlink()
            sync_folder(path.parent)
    return target


def export(path: Path, file: Path, *, overwrite: bool = False) -> None:
    """Write a campaign into one zip: journal, snapshot and the GM's own rules.

    Refused ``file-exists`` (a file of a campaign is never written over), ``disk``, ``unreadable`` where a line of the
    journal is damaged: an archive has no second copy to mend it from.
    """
    may_be_written(file, overwrite=overwrite)
    check_whole(path)
    from io import BytesIO
    from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

    packed = BytesIO()
    try:
        with ZipFile(packed, "w") as archive:
            for name, data in _contents(path):
                info = ZipInfo(name)  # with a date of its own, so that equal campaigns give equal files
                info.external_attr = 0o644 << 16
                archive.writestr(info, data, ZIP_DEFLATED)
    except OSError as error:
        raise disk_refusal(error, file) from error
    write(file, packed.getvalue())


def check_whole(path: Path) -> None:
    """Read every line of a journal, whatever a snapshot says; Refused at the first that does not follow."""
    with Reader(path / JOURNAL) as reader:
        state = State(path)
        state.base = reader.base
        state.fold(reader)


def import_zip(home: Path, file: Path, name: str | None = None, check: Callable[[Path], None] = lambda _: None) -> Path:
    """Take a campaign from a zip into the home and give its folder; checked by opening it before it is put there.

    ``name`` is the name it shall have where its own is taken; the caller then renames it (:func:`rename`).
    ``check`` looks at the folder before that, and may refuse it.
    Refused ``bad-archive`` (problem, member), ``name-taken``, ``disk`` and what opening refuses.
    """
    import shutil
    import struct
    import tempfile
    import zlib
    from zipfile import BadZipFile, ZipFile

    if not os.path.isfile(file):
        raise _bad_archive("folder" if os.path.isdir(file) else "missing", file.name)
    try:
        make_folders(home)
        fresh = Path(tempfile.mkdtemp(prefix=".import-", dir=home))
    except OSError as error:
        raise disk_refusal(error, home) from error
    try:
        with ZipFile(file) as archive:
            _unpack(archive, fresh)
        return _place(home, fresh, name, file, check)
    except (BadZipFile, zlib.error, struct.error, RuntimeError, EOFError, ValueError) as error:
        raise _bad_archive("damaged", file.name) from error
    except OSError as error:
        raise disk_refusal(error, file) from error
    finally:
        shutil.rmtree(fresh, ignore_errors=True)


def _place(home: Path, fresh: Path, name: str | None, archive: Path, check: Callable[[Path], None]) -> Path:
    found = entry(fresh)
    if found.problem:
        raise _inside(archive, found.problem)
    try:
        check_whole(fresh)
    except Refused as problem:
        raise _inside(archive, problem) from None
    check(fresh)
    check_new(home, name or found.name)
    path = home / free_slug(home, name or found.name)
    for folder in (fresh, *filter(Path.is_dir, fresh.rglob("*"))):
        sync_folder(folder)
    fresh.chmod(0o777 & ~_umask())
    move(fresh, path)
    return path


def _inside(archive: Path, problem: Refused) -> Refused:
    """What is the matter with a campaign, told of the archive it came in: where it was unpacked is gone by then."""
    problem.facts["file"] = f"{archive.name}/{Path(str(problem.facts.get('file', JOURNAL))).name}"
    if problem.code != "unreadable":
        return problem
    return Refused("unreadable", key="archived", exit=4, facts=problem.facts)


def _contents(path: Path) -> list[tuple[str, bytes]]:
    """What goes into an archive; the snapshot is read first, so that it is never ahead of the journal."""
    found: list[tuple[str, bytes]] = []
    if (path / snapshot.NAME).is_file():
        found.append((snapshot.NAME, read_plain(path / snapshot.NAME)))
    with Reader(path / JOURNAL) as reader:
        found.insert(0, (JOURNAL, b"".join(raw for _, raw in reader.forwards(0))))
    return [*found, *own_rules(path).items()]


def _unpack(archive: "ZipFile", folder: Path) -> None:
    """Write the members we know into the folder, after looking at all of them. Refused ``bad-archive``."""
    members = [info for info in archive.infolist() if not info.is_dir()]
    if len(members) > MAX_FILES:
        raise _bad_archive("many", str(len(members)))
    if sum(info.file_size for info in members) > MAX_BYTES:
        raise _bad_archive("big", archive.filename or "")
    prefix = _prefix(members)
    wanted = {}
    for info in members:
        name = _checked_name(info, prefix)
        if name.lower() in wanted:
            raise _bad_archive("twice", info.filename)
        if name.split("/")[0] not in _PASSING:
            wanted[name.lower()] = (name, info)
    for name, info in wanted.values():
        target = folder / name
        target.parent.mkdir(parents=True, exist_ok=True)
        with archive.open(info) as member:
            data = member.read(info.file_size + 1)
        if len(data) != info.file_size:
            raise _bad_archive("size", info.filename)
        write_new(target, data)


def _prefix(members: list["ZipInfo"]) -> str:
    """The one folder a zipped campaign folder lies in; empty when the journal lies at the top."""
    found = [info.filename for info in members if PurePosixPath(info.filename).name == JOURNAL]
    if len(found) != 1 or found[0].count("/") > 1:
        raise _bad_archive("no-journal", JOURNAL)
    return found[0].removesuffix(JOURNAL)


def _checked_name(info: "ZipInfo", prefix: str) -> str:
    """The member's path within the campaign. Refused ``bad-archive``: path, link, method, ratio, unknown."""
    name = info.filename
    parts = name.split("/")
    if any(part in ("", ".", "..") or set(part) & set('\\:*?"<>|') or part[-1] in ". " for part in parts):
        raise _bad_archive("path", name)
    if not name.isprintable() or any(is_reserved(part.split(".")[0]) for part in parts):
        raise _bad_archive("path", name)
    if stat.S_IFMT(info.external_attr >> 16) not in (0, stat.S_IFREG):
        raise _bad_archive("link", name)
    if info.compress_type not in (0, 8):  # stored, deflated
        raise _bad_archive("method", name)
    if info.file_size > max(_SMALL, MAX_RATIO * info.compress_size):
        raise _bad_archive("ratio", name)
    inner = name.removeprefix(prefix)
    known = inner in (JOURNAL, snapshot.NAME) or (inner.startswith("rules/") and inner.endswith(".toml"))
    if not name.startswith(prefix) or not (known or inner.split("/")[0] in _PASSING):
        raise _bad_archive("unknown", name)
    return inner


def _bad_archive(problem: str, member: str) -> Refused:
    shown = member.encode("unicode_escape").decode("ascii") if not member.isprintable() else member
    return Refused("bad-archive", exit=2, facts={"problem": problem, "member": shown[:120]})


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
