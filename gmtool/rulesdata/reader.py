"""Reading one TOML file: always UTF-8, a byte order mark ignored, every fault named with its line."""

from pathlib import Path
from typing import Any

from gmtool.rulesdata.faults import refused
from gmtool.rulesdata.finder import shown

BOM = b"\xef\xbb\xbf"


def read_bytes(path: Path) -> bytes:
    """The bytes of a data file; refused with the system's reason if they can't be read."""
    try:
        return path.read_bytes()
    except OSError as error:
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

    try:
        return tomllib.loads(text)
    except RecursionError as error:
        raise refused("data-syntax", file, problem="nested too deeply", line=0) from error
    except ValueError as error:
        from gmtool.rulesdata.lines import syntax_refusal

        raise syntax_refusal(str(error), text, file) from error
