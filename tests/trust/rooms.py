"""Places where the disk is small, can only be read, or is forbidden, made for one child process and gone with it."""

import ctypes
import io
import json
import os
import shutil
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import pytest

from gmtool.cli.main import run
from tests.trust.hands import FAILED, Child, settings

NEW_MOUNTS, NEW_USER = 0x00020000, 0x10000000
READ_ONLY, REMOUNT, REC, PRIVATE = 1, 32, 16384, 1 << 18
CAPABILITIES = 0x20080522
NOT_PERMITTED = 98


def libc() -> ctypes.CDLL:
    """The C library, for what Python has no word for."""
    return ctypes.CDLL(None, use_errno=True)


def _must(result: int) -> None:
    if result:
        number = ctypes.get_errno()
        raise PermissionError(number, os.strerror(number))


class Room:
    """A small disk of its own, in memory, that a child process sees in a folder."""

    def __init__(self, folder: Path, size: int) -> None:
        user, group = os.getuid(), os.getgid()
        _must(libc().unshare(NEW_MOUNTS | NEW_USER))
        Path("/proc/self/setgroups").write_text("deny", encoding="ascii")
        Path("/proc/self/uid_map").write_text(f"0 {user} 1", encoding="ascii")
        Path("/proc/self/gid_map").write_text(f"0 {group} 1", encoding="ascii")
        _must(libc().mount(b"none", b"/", None, REC | PRIVATE, None))
        _must(libc().mount(b"none", bytes(folder), b"tmpfs", 0, f"size={size},mode=700".encode()))
        self.folder = folder

    def only_read(self, yes: bool = True) -> None:
        """Whether the disk can only be read from now on."""
        _must(libc().mount(b"none", bytes(self.folder), None, REMOUNT | (READ_ONLY if yes else 0), None))

    def fill(self) -> None:
        """Leave no room at all."""
        with (self.folder / "filler").open("wb", buffering=0) as file:
            try:
                while file.write(bytes(4096)):
                    pass
            except OSError:
                pass

    def free(self) -> None:
        """Give the room back."""
        (self.folder / "filler").unlink()


def in_room(home: Path, size: int, body: Callable[[Room, Path], object]) -> None:
    """Do something with a copy of a home on a small disk; skipped where no such disk may be made."""
    folder = home.parent / "room"
    folder.mkdir()

    def work(out: object) -> None:
        try:
            room = Room(folder, size)
        except OSError:
            os._exit(NOT_PERMITTED)
        body(room, Path(shutil.copytree(home, folder / "home")))

    _ended(*Child(work).end())


def powerless(body: Callable[[], object]) -> None:
    """Do something in a child process for which modes of files hold, even when it is root that runs the tests."""

    def work(out: object) -> None:
        if os.getuid() == 0:
            header, none = (ctypes.c_uint32 * 2)(CAPABILITIES, 0), (ctypes.c_uint32 * 6)()
            try:
                _must(libc().capset(header, none))
            except OSError:
                os._exit(NOT_PERMITTED)
        body()

    _ended(*Child(work).end())


def _ended(code: int, told: list[bytes]) -> None:
    if code == NOT_PERMITTED:
        pytest.skip("the system does not permit it")
    if code == FAILED:
        pytest.fail(json.loads(told[-1])["failed"] if told else "the child ended before its time")
    assert code == 0, code


class Typing:
    """Standard input of a shell: lines, and what happens in the world before the next of them is read."""

    def __init__(self, given: Iterable[str | Callable[[], object]]) -> None:
        self._given = iter(given)

    def readline(self, size: int = -1) -> str:
        """The next line."""
        for each in self._given:
            if isinstance(each, str):
                return f"{each}\n"
            each()
        return ""

    def isatty(self) -> bool:
        """No terminal."""
        return False


def shell(home: Path, *given: str | Callable[[], object]) -> list[dict[str, Any]]:
    """What a shell answers, line by line, while the world changes between them."""
    out, err = io.StringIO(), io.StringIO()
    typing: Any = Typing(given)
    code = run(["--json", "table"], stdin=typing, stdout=out, stderr=err, env=settings(home))
    assert (code, err.getvalue()) == (0, "")
    return [json.loads(line) for line in out.getvalue().splitlines()]
