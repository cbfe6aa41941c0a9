"""The lock of one campaign: one writer at a time, and no lock outlives its process.

The operating system holds it (fcntl, msvcrt) on the file ``.lock``; what stands in the file is only for the message.
"""

import json
import os
import sys
import time
from pathlib import Path

from gmtool.kernel.refusal import Refused
from gmtool.rulesdata.plain import read_plain
from gmtool.store.files import disk_refusal, now

WAIT_SECONDS = 5.0
# never through a link: what it leads to would be written over
_OPEN = os.O_RDWR | os.O_CREAT | getattr(os, "O_BINARY", 0) | getattr(os, "O_NOFOLLOW", 0)
_SIGNED = 160  # signatures of one length, so that the file need not be cut
_GUARD = 1 << 20  # the byte locked on Windows: far behind the text, which others must be able to read


class Lock:
    """Holds the lock from ``acquire`` to ``release``."""

    def __init__(self, folder: Path) -> None:
        self._path = folder / ".lock"
        self._handle: int | None = None

    @property
    def held(self) -> bool:
        """Whether this object holds the lock."""
        return self._handle is not None

    def acquire(self, wait: float = WAIT_SECONDS) -> None:
        """Take the lock, waiting so many seconds; Refused ``locked`` (pid, host, since, seconds waited), ``disk``."""
        deadline = time.monotonic() + wait
        while not self._attempt():
            if time.monotonic() >= deadline:
                raise Refused("locked", exit=4, facts={**_holder(self._path), "seconds": round(wait)})
            time.sleep(0.02)

    def release(self) -> None:
        """Give the lock back; closing the file is what frees it."""
        if self._handle is not None:
            os.close(self._handle)
            self._handle = None

    def _attempt(self) -> bool:
        handle = -1
        try:
            handle = os.open(self._path, _OPEN, 0o666)
            if os.fstat(handle).st_nlink > 1:  # a copy made as hard links shares it: what is written here stands there
                os.unlink(self._path)
                return False
            if _try_lock(handle) and self._is_current(handle):
                _sign(handle)
                self._handle, handle = handle, -1
        except OSError as error:
            raise disk_refusal(error, self._path) from error
        finally:
            if handle != -1:
                os.close(handle)
        return self.held

    def _is_current(self, handle: int) -> bool:
        """Whether the locked file is still the one of that name: someone may have deleted it meanwhile."""
        try:
            return os.path.samestat(os.fstat(handle), os.stat(self._path))
        except FileNotFoundError:
            return False


def _sign(handle: int) -> None:
    owner = {"pid": os.getpid(), "host": _host(), "since": now()}
    text = json.dumps(owner).encode("utf-8").ljust(_SIGNED)
    try:
        # some file systems flush a file that is cut to nothing when it is closed: much slower than the fsync of a line
        os.write(handle, text)
        if os.fstat(handle).st_size > len(text):
            os.ftruncate(handle, len(text))
    except OSError:
        pass  # a full disk: the lock holds all the same, only the message has no name


def _host() -> str:
    if sys.platform == "win32":
        return os.environ.get("COMPUTERNAME", "")
    return os.uname().nodename


def _holder(path: Path) -> dict[str, object]:
    try:
        owner = json.loads(read_plain(path, 4096))
        return {key: owner[key] for key in ("pid", "host", "since")}
    except (OSError, ValueError, TypeError, KeyError):
        return {"pid": None, "host": None, "since": None}


if sys.platform == "win32":
    import msvcrt

    def _try_lock(handle: int) -> bool:
        os.lseek(handle, _GUARD, os.SEEK_SET)
        try:
            msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        os.lseek(handle, 0, os.SEEK_SET)
        return True

else:
    import fcntl

    def _try_lock(handle: int) -> bool:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True
