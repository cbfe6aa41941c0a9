"""Reports on disk: written in one move, and never over anything that is no report of ours."""

import os
from pathlib import Path

from gmtool.kernel.refusal import Refused
from gmtool.rulesdata.plain import NotPlain, open_plain
from gmtool.store.files import disk_refusal, make_folders, swap_in
from gmtool.store.outfile import write

REPORTS = "reports"
"""The folder of a campaign's reports, below its own."""
MARK = "gmtool report"
"""What a report of ours has in its last line, whatever its format."""
_UNFINISHED = "new.tmp"
"""Where a report of a session is written before it has its place; a kill may leave it to the next one."""
_TAIL = 200
_BEGINNINGS = (b"\xef\xbb\xbfseq,time,session,battle,turn,phase,line,by,", b'{\n "report": "gmtool report: ')
"""What CSV and JSON reports begin with, whose last line cannot say what they are."""


def is_report(file: Path) -> bool:
    """Whether a plain file, no link to one, is a report of ours."""
    if os.path.islink(file) or not os.path.isfile(file):
        return False
    try:
        with open_plain(file) as opened:
            if opened.read(_TAIL).startswith(_BEGINNINGS):
                return True
            opened.seek(max(opened.seek(0, os.SEEK_END) - _TAIL, 0))
            last = opened.read(_TAIL).rstrip(b"\n").rpartition(b"\n")[2]
    except OSError:
        return False
    return last.startswith(b"<!-- ") and MARK.encode("ascii") in last


def put_report(file: Path, text: str, *, marked: bool = False) -> None:
    """Give a person's own file this text; a link there is replaced, never followed. Refused ``disk``.

    ``marked``: with a byte order mark, without which a spreadsheet takes CSV for the computer's old encoding.
    """
    write(file, text.encode("utf-8-sig" if marked else "utf-8", "backslashreplace"))


def _put(file: Path, text: str, beside: Path) -> None:
    try:
        swap_in(file, text.encode("utf-8", "backslashreplace"), beside)
    except OSError as error:
        raise disk_refusal(error, file) from error


def has_report(folder: Path, session: int) -> bool:
    """Whether anything lies where the report of a session is kept."""
    return os.path.lexists(folder / REPORTS / f"session-{session}.md")


def keep_report(folder: Path, session: int, text: str) -> Path:
    """Put the report of a session into its campaign's folder, and say where.

    Refused ``disk``; ``file-exists`` where something lies there that is no report of ours.
    """
    reports = folder / REPORTS
    file = reports / f"session-{session}.md"
    try:
        if os.path.islink(reports):  # the campaign's own place leads nowhere else
            raise NotPlain(reports)
        make_folders(reports)
    except OSError as error:
        raise disk_refusal(error, reports) from error
    if os.path.lexists(file) and not is_report(file):
        raise Refused("file-exists", facts={"file": str(file)})
    _put(file, text, reports / _UNFINISHED)
    return file
