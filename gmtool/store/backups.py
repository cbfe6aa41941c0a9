"""What is kept beside a campaign: a second copy of its journal, what was put by, the original before an upgrade.

All of it lies in ``backups``. The second copy is added to as the journal is and never written over, so it costs what is
new and holds every moment of the campaign; a journal that no longer fits is put by under a number and stays. Of what
could not be read (torn lines, spoilt snapshots) the latest ``KEPT`` are kept. Nothing there is needed to play.
"""

import os
import shutil
import stat
from contextlib import suppress
from pathlib import Path
from typing import BinaryIO

from gmtool.kernel.journal import BOM
from gmtool.rulesdata.plain import open_plain, read_plain
from gmtool.store import snapshot
from gmtool.store.files import own, put_in_place, sync_folder, write_new
from gmtool.store.reader import BACKUPS, JOURNAL

KEPT = 10
"""How many torn lines and spoilt snapshots are kept; the oldest goes when one more comes."""

ASIDE = "aside"
REPLACED = "replaced"
UPGRADED = "format"
_TAIL = 4096
_BLOCK = 1 << 20


def room_for(folder: Path, stem: str, ending: str) -> Path:
    """The next name of a kind in ``backups``. OSError.

    Of files, the oldest go that are too many; folders hold journals, whose lines may be nowhere else, and stay.
    """
    (folder / BACKUPS).mkdir(exist_ok=True)
    numbers = numbered(folder, stem, ending)
    for number in sorted(numbers, reverse=True)[KEPT - 1 :] if ending else ():
        if not numbers[number].is_dir():
            numbers[number].unlink(missing_ok=True)
    return next_name(folder, stem, ending)


def next_name(folder: Path, stem: str, ending: str) -> Path:
    """``stem-1``, ``stem-2``, …: the one after the highest number there is."""
    return folder / BACKUPS / f"{stem}-{max(numbered(folder, stem, ending), default=0) + 1}{ending}"


def numbered(folder: Path, stem: str, ending: str) -> dict[int, Path]:
    """What is kept of a kind, by number: the higher, the later."""
    found = (folder / BACKUPS).glob(f"{stem}-*{ending}")
    numbers = {path: path.name.removeprefix(f"{stem}-").removesuffix(ending) for path in found}
    return {int(number): path for path, number in numbers.items() if number.isascii() and number.isdigit()}


def follow(folder: Path, base: int, end: int) -> Path | None:
    """Bring the second copy up to the journal's first ``end`` bytes behind ``base``; OSError.

    A copy that is not the beginning of this journal (which was put back, or cut short) is put by, and a new one begun;
    where it was put is said, None where all was well. Only its end is compared, since each line names the one before.
    """
    copy = folder / BACKUPS / JOURNAL
    copy.parent.mkdir(exist_ok=True)
    aside = None
    if os.path.lexists(copy) and not stat.S_ISREG(copy.lstat().st_mode):  # a link or pipe is not written through
        aside = put_by(folder)
    with open_plain(folder / JOURNAL) as source:
        have = copy.stat().st_size if copy.exists() else 0
        if have and not (have <= end and _same_tail(source, base, copy, have)):
            aside, have = put_by(folder), 0
        if have < end:
            source.seek(base + have)
            if have:
                own(copy)
            with copy.open("ab") as target:
                _pour(source, target, end - have)
    return aside


def put_by(folder: Path) -> Path:
    """Put the second copy by, and say where. OSError."""
    aside = room_for(folder, ASIDE, "")
    aside.mkdir()
    os.replace(folder / BACKUPS / JOURNAL, aside / JOURNAL)
    return aside


def _same_tail(source: BinaryIO, base: int, copy: Path, have: int) -> bool:
    start = max(have - _TAIL, 0)
    source.seek(base + start)
    with open_plain(copy) as other:
        other.seek(start)
        return other.read() == source.read(have - start)


def _pour(source: BinaryIO, target: BinaryIO, much: int) -> None:
    while much and (block := source.read(min(_BLOCK, much))):
        target.write(block)
        much -= len(block)


def keep_original(folder: Path, number: int) -> None:
    """Keep journal and state as they are before the first line in a newer format: once, whole or not. OSError."""
    kept = folder / BACKUPS / f"{UPGRADED}-{number}"
    if kept.exists():
        return
    fresh = kept.with_name(f".{kept.name}.tmp")
    if fresh.exists():  # of one who was killed half-way
        shutil.rmtree(fresh)
    fresh.mkdir(parents=True)
    for name in (JOURNAL, snapshot.NAME):
        with suppress(FileNotFoundError):
            write_new(fresh / name, read_plain(folder / name))
    sync_folder(fresh)
    os.rename(fresh, kept)
    sync_folder(kept.parent)


def put_back(folder: Path, journal: bytes) -> Path:
    """Give the campaign this journal, and say where what lay there is kept. To be called under its lock. OSError.

    The journal is changed in one move: whatever happens, it is the one before or this one.
    """
    kept = room_for(folder, REPLACED, "")
    kept.mkdir()
    try:
        with suppress(FileNotFoundError):
            _keep(folder / JOURNAL, kept / JOURNAL)
        write_new(kept / "new.tmp", journal)
        for each in (kept, kept.parent, folder):
            sync_folder(each)
        put_in_place(kept / "new.tmp", folder / JOURNAL)
    except BaseException:
        if (kept / "new.tmp").exists():  # else it has its place, and this is all there is of what was before
            shutil.rmtree(kept, ignore_errors=True)
        raise
    with suppress(OSError):  # the journal is there already
        sync_folder(folder)
        os.replace(folder / snapshot.NAME, kept / snapshot.NAME)  # it would be found not to be of this journal
    with suppress(OSError):
        if _holds(kept / JOURNAL, folder / BACKUPS / JOURNAL):
            (folder / BACKUPS / JOURNAL).unlink()  # all of it is kept now; a new one is begun
    return kept


def _holds(file: Path, copy: Path) -> bool:
    """Whether a journal begins with all that the second copy has."""
    try:
        data = read_plain(copy)
        with open_plain(file) as journal:
            return journal.read(len(BOM) + len(data)).removeprefix(BOM).startswith(data)
    except OSError:
        return False


def _keep(file: Path, kept: Path) -> None:
    """The file under a second name; copied where the disk knows no second names, and where it is a link."""
    if file.is_symlink():
        write_new(kept, read_plain(file))
        return
    try:
        os.link(file, kept)
    except FileNotFoundError:
        raise
    except OSError:
        write_new(kept, read_plain(file))
