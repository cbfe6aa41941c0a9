"""A layer under the store that ends the process, or lets the system fail, at the k-th call that changes the disk.

Only calls that change something below one folder are counted: opening to write, writing, flushing, cutting, renaming,
removing, making. What the store calls, and in which order, is its own affair; the tests go through all of them.
"""

import errno
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

ERRORS = (errno.ENOSPC, errno.EIO, errno.EACCES, errno.EROFS)
BY_PATH = ("replace", "rename", "unlink", "remove", "mkdir", "rmdir", "link", "symlink", "truncate")
BY_HANDLE = ("write", "pwrite", "fsync", "fdatasync", "ftruncate")
WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC
DIED = 77

Fault = Callable[["Layer", str, Callable[..., Any], tuple[Any, ...], dict[str, Any]], Any]


class Layer:
    """Counts the calls below a folder and does each through ``fault``."""

    def __init__(self, root: Path, fault: Fault) -> None:
        self.root = os.path.realpath(root)
        self.fault = fault
        self.calls: list[str] = []
        self.ours: dict[int, str] = {}

    def below(self, path: Any) -> bool:
        """Whether a path lies in the folder."""
        if not isinstance(path, str | os.PathLike):
            return False
        whole = os.path.abspath(os.fspath(path))
        return whole == self.root or whole.startswith(self.root + os.sep)

    def called(self, name: str, real: Callable[..., Any], args: tuple[Any, ...], more: dict[str, Any]) -> Any:
        """Count a call and do it through the fault."""
        self.calls.append(name)
        return self.fault(self, name, real, args, more)


@contextmanager
def layer(root: Path, fault: Fault) -> Iterator[Layer]:
    """The layer in force, in this process."""
    there = Layer(root, fault)
    real = {name: getattr(os, name) for name in (*BY_PATH, *BY_HANDLE, "open", "close") if hasattr(os, name)}

    def by_path(name: str) -> Callable[..., Any]:
        def call(*args: Any, **more: Any) -> Any:
            if any(there.below(arg) for arg in args[:2]):
                return there.called(name, real[name], args, more)
            return real[name](*args, **more)

        return call

    def by_handle(name: str) -> Callable[..., Any]:
        def call(handle: int, *args: Any) -> Any:
            if handle in there.ours:
                return there.called(name, real[name], (handle, *args), {})
            return real[name](handle, *args)

        return call

    def opened(path: Any, flags: int, *args: Any, **more: Any) -> int:
        if not there.below(path):
            return real["open"](path, flags, *args, **more)  # type: ignore[no-any-return]
        changes = flags & WRITING
        handle = there.called("open", real["open"], (path, flags, *args), more) if changes else real["open"](
            path, flags, *args, **more
        )  # fmt: skip
        there.ours[handle] = os.fspath(path)
        return handle  # type: ignore[no-any-return]

    def closed(handle: int) -> None:
        there.ours.pop(handle, None)
        real["close"](handle)

    fakes = {name: by_path(name) for name in BY_PATH} | {name: by_handle(name) for name in BY_HANDLE}
    fakes |= {"open": opened, "close": closed}
    for name, function in real.items():
        setattr(os, name, fakes.get(name, function))
    try:
        yield there
    finally:
        for name, function in real.items():
            setattr(os, name, function)


def count(layer: Layer, name: str, real: Callable[..., Any], args: tuple[Any, ...], more: dict[str, Any]) -> Any:
    """No fault: the calls are only counted."""
    return real(*args, **more)


def dies(k: int, moment: str) -> Fault:
    """The process ends at the k-th call: ``before`` it, ``after`` it, or (a write) in the ``middle`` of it."""

    def fault(layer: Layer, name: str, real: Callable[..., Any], args: tuple[Any, ...], more: dict[str, Any]) -> Any:
        if len(layer.calls) != k:
            return real(*args, **more)
        if moment == "middle" and "write" in name:
            real(args[0], bytes(args[1])[: len(args[1]) // 2], *args[2:])
        elif moment == "after":
            with suppress(OSError):  # what is removed need not be there
                real(*args, **more)
        os._exit(DIED)

    return fault


def fails(k: int, number: int, *, always: bool = False) -> Fault:
    """The k-th call fails with this error, once or with all that come after it."""

    def fault(layer: Layer, name: str, real: Callable[..., Any], args: tuple[Any, ...], more: dict[str, Any]) -> Any:
        if len(layer.calls) == k or (always and len(layer.calls) > k):
            raise OSError(number, os.strerror(number), *args[:1])
        return real(*args, **more)

    return fault


def interrupts(k: int, moment: str) -> Fault:
    """Ctrl-C comes at the k-th call, ``before`` it or ``after`` it."""

    def fault(layer: Layer, name: str, real: Callable[..., Any], args: tuple[Any, ...], more: dict[str, Any]) -> Any:
        if len(layer.calls) != k:
            return real(*args, **more)
        if moment == "after":
            with suppress(OSError):
                real(*args, **more)
        raise KeyboardInterrupt

    return fault


def short(layer: Layer, name: str, real: Callable[..., Any], args: tuple[Any, ...], more: dict[str, Any]) -> Any:
    """Every write takes a few bytes only."""
    if name != "write":
        return real(*args, **more)
    return real(args[0], bytes(args[1])[:7])
