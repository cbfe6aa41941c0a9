"""What was typed at the prompt of a campaign: a file in the user's own folder of states, not in the campaign's.

A campaign can be given to others, and its folder holds what the table decided; what somebody typed is his own.
"""

from contextlib import suppress
from hashlib import blake2b
from pathlib import Path

from gmtool.rulesdata.plain import read_plain
from gmtool.store.files import make_folders, swap_in

LONGEST = 1 << 18
"""Bytes of a history; of one that has grown beyond, the newer half stays."""


def history_file(memory: str) -> Path | None:
    """The file for what is typed in a campaign known by this secret; None where the system has no place for it."""
    from platformdirs import user_state_path

    name = blake2b(memory.encode("utf-8", "surrogatepass"), digest_size=10, person=b"gmtool history").hexdigest()
    try:
        return user_state_path("gmtool", appauthor=False) / "history" / name
    except (OSError, RuntimeError):
        return None


def shortened(file: Path) -> bool:
    """Whether the file can be used: it is not there yet, or is a plain one, which is cut where it has grown long."""
    try:
        make_folders(file.parent)
        with suppress(FileExistsError):
            file.touch(mode=0o600, exist_ok=False)  # nobody else's to read
        data = read_plain(file)
        if len(data) > LONGEST:
            half = data[-LONGEST // 2 :]
            swap_in(file, half[half.find(b"\n\n") + 1 :])
    except OSError:
        return False
    return True
