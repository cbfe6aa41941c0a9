"""Reading one TOML file: always UTF-8, a byte order mark ignored, every fault named with its line."""

import errno
import re
from pathlib import Path
from typing import Any

from gmtool.kernel.journal import nested
from gmtool.rulesdata.faults import refused
from gmtool.rulesdata.finder import shown
from gmtool.rulesdata.plain import read_plain

BOM = b"\xef\xbb\xbf"
LARGEST = 512 << 10
"""Bytes of a rules file: a thousand sheets and more."""
_DEPTH = 40
# The parser looks at a key of n parts n times over; no key of ours has more than four.
_LONG_KEY = re.compile(
    r"""(?<![\w"'-])(?:[\w-]++|"[^"\n]*+"|'[^'\n]*+')(?:[ \t]*+\.[ \t]*+(?:[\w-]++|"[^"\n]*+"|'[^'\n]*+')){32}"""
)


def read_bytes(path: Path) -> bytes:
    """The bytes of a data file; refused with the system's reason if they can't be read."""
    try:
        return read_plain(path, LARGEST)
    except OSError as error:
        if error.errno == errno.EFBIG:
            raise refused("data-too-big", shown(path), limit=LARGEST) from error
        raise refused("data-unreadable", shown(path), problem=error.strerror or "") from error


def read_toml(path: Path) -> dict[str, Any]:
    """A TOML file as plain data."""
    return parse(decode(read_bytes(path), shown(path)), shown(path))


def decode(data: bytes, file: str) -> str:
    """Strict UTF-8 without the mark some editors put in front; the refusal names the first byte that is none."""
    data = data.removeprefix(BOM)
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise refused("data-not-utf8", file, byte=f"0x{data[error.start]:02X}", line=line) from error


def parse(text: str, file: str) -> dict[str, Any]:
    """TOML text as plain data; what the parser says against it becomes a refusal with the line."""
    import tomllib

    if found := _LONG_KEY.search(text):
        raise refused("data-syntax", file, problem="nested too deeply", line=text.count("\n", 0, found.start()) + 1)
    try:
        data = tomllib.loads(text)
    except RecursionError as error:
        raise refused("data-syntax", file, problem="nested too deeply", line=0) from error
    except ValueError as error:
        from gmtool.rulesdata.lines import syntax_refusal

        # Python's advice on long figures is of no use to whoever wrote the file
        raise syntax_refusal(str(error).partition("; use sys.")[0], text, file) from error
    if nested(data, _DEPTH):
        raise refused("data-syntax", file, problem="nested too deeply", line=0)
    return data
