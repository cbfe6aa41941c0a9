"""What a power cut leaves: only what was flushed.

A model of a disk that keeps its promises to the letter: the content of a file is what it was at the file's last flush,
the names in a folder are those of the folder's last flush. Everything else is thrown away.
"""

import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


class Disk:
    """What of a folder would survive a power cut now; watches the flushes of this process."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.files: dict[int, bytes] = {}
        self.folders: dict[int, dict[str, int]] = {}
        self.held: list[int] = []  # open files keep their numbers from being given to others
        for path in (root, *sorted(root.rglob("*"))):
            handle = os.open(path, os.O_RDONLY)
            self.flushed(handle)
            os.close(handle)

    def flushed(self, handle: int) -> None:
        """What this file or folder holds has reached the disk."""
        found = os.fstat(handle)
        number = found.st_ino
        if number not in self.files and number not in self.folders:
            self.held.append(os.dup(handle))
        if stat.S_ISDIR(found.st_mode):
            with os.scandir(handle) as there:
                self.folders[number] = {each.name: each.inode() for each in there}
        else:
            self.files[number] = Path(f"/proc/self/fd/{handle}").read_bytes()

    def left(self, to: Path) -> Path:
        """Make a folder of what a power cut would leave."""
        self._made(self.root.stat().st_ino, to)
        return to

    def _made(self, number: int, to: Path) -> None:
        to.mkdir()
        for name, inner in self.folders.get(number, {}).items():
            if inner in self.files:
                (to / name).write_bytes(self.files[inner])
            elif inner in self.folders:
                self._made(inner, to / name)
            else:  # named, but nothing of it was ever flushed: an empty file is the kindest that can be
                (to / name).touch()

    def close(self) -> None:
        """Let go of the files."""
        for handle in self.held:
            os.close(handle)


@contextmanager
def disk(root: Path) -> Iterator[Disk]:
    """The model of this folder, kept up while it is in force."""
    there, real = Disk(root), os.fsync

    def fsync(handle: int) -> None:
        real(handle)
        if Path(os.readlink(f"/proc/self/fd/{handle}")).is_relative_to(root):
            there.flushed(handle)

    os.fsync = fsync
    try:
        yield there
    finally:
        os.fsync = real
        there.close()
