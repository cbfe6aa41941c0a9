"""Files written so that a crash, a full disk or a scanner leaves the old content or the new, never half of it."""

import errno
import os
import sys
import time
from contextlib import suppress
from pathlib import Path

from gmtool.kernel.journal import FORMAT, BadLine
from gmtool.kernel.refusal import Refused
from gmtool.rulesdata.plain import NotPlain, read_plain

RETRY_SECONDS = 2.0
_FULL = {errno.ENOSPC, errno.EFBIG, getattr(errno, "EDQUOT", errno.ENOSPC)}
_PROBLEMS = {
    errno.EROFS: "read-only", errno.EACCES: "permission", errno.EPERM: "permission", errno.ENAMETOOLONG: "long",
    errno.EISDIR: "folder", errno.ENOENT: "nowhere", errno.ENOTDIR: "no-folder", errno.EEXIST: "no-folder",
    errno.ENXIO: "special", errno.ELOOP: "special",
}  # fmt: skip
_HELD = {5, 32}  # Windows: access denied, sharing violation: somebody reads the file for a moment


def now() -> str:
    """The time with its zone, for people to read; the order of things never comes from it."""
    stamp, zone = time.strftime("%Y-%m-%dT%H:%M:%S"), time.strftime("%z")
    return f"{stamp}{zone[:-2]}:{zone[-2:]}" if zone else stamp


def disk_refusal(error: OSError, path: Path | str) -> Refused:
    """An operating system's error as a refusal ``disk``; ``problem`` is a stable word.

    full, read-only, permission; long (the name), folder (where a file is needed), no-folder (a file where a folder
    is needed), nowhere (a folder on the way is missing), special (a pipe, a device); io for anything else.
    """
    if isinstance(error, NotPlain):
        return Refused("disk", exit=4, facts={"problem": "special", "file": str(path)})
    problem = "full" if error.errno in _FULL else _PROBLEMS.get(error.errno or 0, "io")
    return Refused("disk", exit=4, facts={"problem": problem, "file": str(path)})


def given_path(cwd: Path, word: str) -> Path:
    """The path a person has typed, from the folder they stand in.

    Refused ``bad-value``: path-empty, path-character (what no path can hold).
    """
    if not word.strip():
        raise Refused("bad-value", key="path-empty", exit=2)
    try:
        good = b"\0" not in os.fsencode(word)
    except UnicodeEncodeError:
        good = False
    if not good:
        shown = word.encode("unicode_escape").decode("ascii")[:80]
        raise Refused("bad-value", key="path-character", exit=2, facts={"value": shown})
    return cwd / os.path.expanduser(word)


def bad_file(error: BadLine, path: Path | str, at: int = 1) -> Refused:
    """What a file of ours should not hold, as a refusal ``unreadable`` or ``newer``; ``at`` is the line."""
    if error.why == "newer":
        return Refused("newer", exit=4, facts={"file": str(path), "format": int(error.detail), "known": FORMAT})
    return unreadable(path, error.why, at, error.detail)


def unreadable(path: Path | str, problem: str, at: int = 1, detail: str = "") -> Refused:
    """The refusal ``unreadable``: ``problem`` is a stable word, ``at`` the line, ``detail`` the key or value."""
    facts = {"file": str(path), "problem": problem, "at": at, "detail": detail}
    return Refused("unreadable", exit=4, facts=facts)


def swap_in(path: Path, data: bytes, beside: Path | None = None) -> None:
    """Give the file this content in one move: written beside, flushed, put in its place. OSError; old file intact.

    ``beside`` is a name that is nobody else's; left out where the folder is ours.
    """
    beside = beside or path.with_name(f"{path.name}.tmp")
    try:
        beside.unlink(missing_ok=True)  # left by a crash, or a link or pipe that is not to be written through
        write_new(beside, data)
        put_in_place(beside, path)
    except BaseException:
        beside.unlink(missing_ok=True)
        raise
    with suppress(OSError):  # it is there already; after a power cut it may be the old content, as whole as the new one
        sync_folder(path.parent)


def own(path: Path) -> None:
    """See to it that adding to a file adds to no other: copies made as hard links share it. OSError."""
    if path.stat().st_nlink > 1:
        swap_in(path, read_plain(path))


def write_new(path: Path, data: bytes) -> None:
    """Write a file that is not there yet and flush it to the disk."""
    handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0), 0o666)
    try:
        write_all(handle, data)
        os.fsync(handle)
    finally:
        os.close(handle)


def write_all(handle: int, data: bytes) -> None:
    """Write everything; the system may take it in pieces."""
    rest = memoryview(data)
    while rest:
        rest = rest[os.write(handle, rest) :]


def sync_folder(path: Path) -> None:
    """Flush a folder, so that a new name in it survives a power cut; a system that has no such thing is not asked."""
    if sys.platform == "win32":
        return
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    except OSError as error:
        if error.errno not in (errno.EINVAL, errno.ENOTSUP):  # some network folders cannot
            raise
    finally:
        os.close(handle)


def make_folders(path: Path) -> None:
    """Make a folder with those it lies in, each flushed to the disk; nothing where it is there already. OSError."""
    if not path.is_dir():
        make_folders(path.parent)
        path.mkdir(exist_ok=True)
        sync_folder(path.parent)


def move(folder: Path, target: Path) -> None:
    """Give a folder another name or place, flushed to the disk; it is put back where that fails. OSError."""
    folder.rename(target)
    try:
        for parent in {folder.parent, target.parent}:
            sync_folder(parent)
    except OSError:
        target.rename(folder)
        raise


def own_rules(folder: Path) -> dict[str, bytes]:
    """The GM's own rules in a campaign's folder, by their path within it, in order; no links are followed. OSError."""
    files = [path for path in (folder / "rules").rglob("*.toml") if path.is_file() and not path.is_symlink()]
    return {path.relative_to(folder).as_posix(): read_plain(path) for path in sorted(files)}


def free_name(folder: Path, stem: str, ending: str) -> Path:
    """``stem-1``, ``stem-2``, …: the first that does not exist in the folder."""
    number = 1
    while (folder / f"{stem}-{number}{ending}").exists():
        number += 1
    return folder / f"{stem}-{number}{ending}"


def put_in_place(beside: Path, path: Path) -> None:
    """Give a file the place of another, waiting a moment where somebody reads that one. OSError."""
    deadline = time.monotonic() + RETRY_SECONDS
    while True:
        try:
            os.replace(beside, path)
            return
        except PermissionError as error:
            if getattr(error, "winerror", None) not in _HELD or time.monotonic() >= deadline:
                raise
        time.sleep(0.02)
