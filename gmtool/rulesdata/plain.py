"""Reading files that somebody else may have put there: only plain ones, only so much of them, and never waiting."""

import errno
import os
import stat
from pathlib import Path
from typing import BinaryIO

LARGEST = 512 << 20
"""What no file of a campaign comes to."""


class NotPlain(OSError):
    """A pipe, a device, a socket: what would be waited for, or never ends."""

    def __init__(self, path: Path) -> None:
        super().__init__(errno.EINVAL, "not a plain file", str(path))


def open_plain(path: Path) -> BinaryIO:
    """The file, opened for reading bytes. NotPlain for what is none; OSError as ever."""
    # without NONBLOCK a pipe is waited for that nobody writes to
    handle = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
    kind = stat.S_IFMT(os.fstat(handle).st_mode)
    if kind == stat.S_IFREG:
        return os.fdopen(handle, "rb")
    os.close(handle)
    if kind == stat.S_IFDIR:
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(path))
    raise NotPlain(path)


def read_plain(path: Path, most: int = LARGEST) -> bytes:
    """What a plain file holds. OSError (``EFBIG``) for one that holds more than ``most`` bytes."""
    with open_plain(path) as file:
        data = file.read(most + 1)
    if len(data) > most:
        raise OSError(errno.EFBIG, os.strerror(errno.EFBIG), str(path))
    return data
