"""TinyDB's door to the snapshot: a storage that never leaves half a file and never creates one by looking."""

from pathlib import Path
from typing import Any

from tinydb import Storage

from gmtool.kernel.journal import parse_json
from gmtool.rulesdata.plain import read_plain
from gmtool.store.files import swap_in
from gmtool.store.snapshot import serialise


class SwapStorage(Storage):
    """Serialises completely first, then writes beside the file and swaps; OSError leaves the old file as it was."""

    def __init__(self, path: str | Path) -> None:
        super().__init__()
        self._path = Path(path)

    def read(self) -> dict[str, dict[str, Any]] | None:
        """All tables, None when there is no file yet. Raises BadLine for what is no strict JSON."""
        if not self._path.exists():
            return None
        data: dict[str, dict[str, Any]] = parse_json(read_plain(self._path))
        return data

    def write(self, data: dict[str, dict[str, Any]]) -> None:
        """Give the file these tables in one move."""
        swap_in(self._path, serialise(data))
