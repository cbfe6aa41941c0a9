"""Compiled data: JSON made from TOML once, kept in the user's cache folder under the hash of its sources.

A kept file is one line with the checksum of the rest, then the JSON. What is missing, damaged or of other sources is
made anew, and where nothing can be written it is made each time: the cache can only make things faster.
"""

import json
import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from hashlib import blake2b
from pathlib import Path
from types import ModuleType
from typing import Any
from zlib import crc32

import gmtool
from gmtool.kernel import shapes
from gmtool.rulesdata import finder
from gmtool.rulesdata.plain import read_plain
from gmtool.rulesdata.reader import decode, parse, read_bytes

JSON = Any
KEPT = 24
"""How many files of one name stay in the cache: each state of each campaign's data makes one."""


def load(game: str, tables: ModuleType, campaign_rules: Path | None = None) -> dict[str, dict[str, dict[str, JSON]]]:
    """All data of a game, a campaign's own on top: table -> id -> entry, as JSON.

    ``tables`` is the game's module of shapes (its ``shapes``, its ``WHOLE``, and what is in the modules ``MORE``
    beside it); the sources of these count among the sources, since what they say decides what comes of the files.
    Refused with code ``rules-file`` if a file is wrong.
    """
    files = finder.files(game, campaign_rules)
    shape = [Path(module.__file__) for module in (tables, shapes) if module.__file__]
    shape += [shape[0].with_name(f"{name}.py") for name in tables.MORE]

    def build() -> JSON:
        from gmtool.rulesdata.merge import build as merge

        layers = [_documents(files.shipped, tables.WHOLE), _documents(files.own, tables.WHOLE)]
        return merge(layers, tables.shapes())

    result: dict[str, dict[str, dict[str, JSON]]] = compiled([*files.shipped, *files.own, *shape], build, game)
    return result


def compiled(sources: Sequence[Path], build: Callable[[], JSON], name: str = "data") -> JSON:
    """What ``build`` makes of the sources: read from the cache if these very sources were built before.

    ``name`` tells apart what is made of the same sources in different ways; it begins the kept file's name.
    The answer is the same whether kept or made: plain JSON values, tuples as lists.
    """
    folder, key = cache_folder(), _key(sources)
    kept = folder / f"{name}-{key}.json" if folder else None
    data = _read(kept) if kept else None
    if data is None:
        data = json.dumps(build(), ensure_ascii=False, separators=(",", ":"), allow_nan=False).encode()
        if kept and _key(sources) == key:  # else someone saved a source while it was being built
            _write(kept, data, name)
    return json.loads(data)


def cache_folder() -> Path | None:
    """Where compiled data is kept: ``GMTOOL_CACHE``, else the user's cache folder; None if there is no telling."""
    named = os.environ.get("GMTOOL_CACHE")
    if named:
        return Path(named)
    from platformdirs import user_cache_path

    try:
        return user_cache_path("gmtool", appauthor=False)
    except (OSError, RuntimeError):
        return None


def _documents(paths: Iterable[Path], whole: Mapping[str, Sequence[str]]) -> list[Any]:
    from gmtool.rulesdata.check import Document

    documents = []
    for path in paths:
        file = finder.shown(path)
        text = decode(read_bytes(path), file)
        documents.append(Document(file, text, parse(text, file), whole))
    return documents


def _key(sources: Iterable[Path]) -> str:
    """The hash of the program's version and of every source's path and bytes."""
    digest = blake2b(gmtool.__version__.encode(), digest_size=16)
    for source in sources:
        data = read_bytes(source)
        digest.update(f"\0{source}\0{len(data)}\0".encode("utf-8", "surrogateescape"))
        digest.update(data)
    return digest.hexdigest()


def _read(kept: Path) -> bytes | None:
    """The JSON of a kept file; None if it is missing or not what was written."""
    try:
        sum_, _, data = read_plain(kept).partition(b"\n")
    except OSError:
        return None
    return data if sum_ == b"%08x" % crc32(data) else None


def _write(kept: Path, data: bytes, name: str) -> None:
    """Written beside, then swapped; given up without a word where that is not possible."""
    beside = kept.with_name(f".{kept.name}.{os.getpid()}")
    try:
        kept.parent.mkdir(parents=True, exist_ok=True)
        beside.write_bytes(b"%08x\n" % crc32(data) + data)
        os.replace(beside, kept)
        _clear(kept.parent, name)
    except OSError:
        with suppress(OSError):
            beside.unlink(missing_ok=True)


def _clear(folder: Path, name: str) -> None:
    """Only the latest files of a name stay."""
    files = sorted(folder.glob(f"{name}-*.json"), key=lambda path: path.stat().st_mtime, reverse=True)
    for old in files[KEPT:]:
        old.unlink(missing_ok=True)
