"""Files given away: written where a person says, whole or not at all, and over nothing they did not mean."""

import os
from pathlib import Path

from gmtool.kernel.refusal import Refused
from gmtool.rulesdata.plain import NotPlain
from gmtool.store.files import disk_refusal, swap_in
from gmtool.store.names import is_campaign
from gmtool.store.reader import RULES


def may_be_written(file: Path, *, overwrite: bool) -> None:
    """Refused where a file must not be written: a folder, a pipe or device, a file of a campaign, one that is there.

    ``disk``, ``file-exists``; the last of them is set aside by ``overwrite``, which takes the place of a link and never
    writes through it.
    """
    if os.path.isdir(file):
        raise Refused("disk", exit=4, facts={"problem": "folder", "file": str(file)})
    if os.path.exists(file) and not os.path.isfile(file):
        raise disk_refusal(NotPlain(file), file)
    folders = {Path(os.path.realpath(file)).parent, Path(os.path.realpath(file.parent))}
    if any(is_campaign(folder.parent) and folder.name == RULES for folder in folders):
        # anything there is read as the campaign's rules
        raise Refused("file-exists", key="file-of-campaign", facts={"file": str(file)})
    if os.path.lexists(file) and any(map(is_campaign, folders)):
        raise Refused("file-exists", key="file-of-campaign", facts={"file": str(file)})
    if os.path.lexists(file) and not overwrite:
        raise Refused("file-exists", facts={"file": str(file)})


def begins_with(file: Path, start: bytes) -> bool:
    """Whether there is a file of its own, no link, whose first bytes are these; a file that cannot be read is none."""
    try:
        if os.path.islink(file) or not os.path.isfile(file):
            return False
        with open(file, "rb") as stream:
            return stream.read(len(start)) == start
    except OSError:
        return False


def write(file: Path, content: bytes) -> None:
    """Put a file in its place in one move. Refused ``disk``; the old one is intact then."""
    try:
        swap_in(file, content, file.with_name(f".{file.name}.{os.getpid()}.tmp"))
    except OSError as error:
        raise disk_refusal(error, file) from error
