"""The open ruling, ``open.json``: what has been said so far while answers are missing. At most one a campaign."""

from pathlib import Path
from typing import Any

from gmtool.kernel.journal import FORMAT, SUMMED, BadLine, check_format, parse_json
from gmtool.store.files import bad_file, disk_refusal, swap_in
from gmtool.store.snapshot import digest, serialise

NAME = "open.json"


def load(path: Path, notices: list[dict[str, Any]] | None = None) -> dict[str, Any] | None:
    """The open ruling of the campaign in this folder, None without one.

    A damaged file counts as none and is named in ``notices``; Refused ``newer``, ``disk``.
    """
    file = path / NAME
    try:
        document = parse_json(file.read_bytes())
        if type(document) is not dict or type(document.get("ruling")) is not dict:
            raise BadLine("shape", "ruling")
        check_format(document)
        if document["format"] >= SUMMED and document.get("sum") != digest(document["ruling"]):
            raise BadLine("edited")
    except FileNotFoundError:
        return None
    except OSError as error:
        raise disk_refusal(error, file) from error
    except BadLine as error:
        if error.why == "newer":
            raise bad_file(error, file) from error
        if notices is not None:
            notices.append({"code": "open-damaged", "problem": error.why, "detail": error.detail})
        return None
    ruling: dict[str, Any] = document["ruling"]
    return ruling


def save(path: Path, ruling: dict[str, Any]) -> None:
    """Keep this ruling as the open one. To be called under the campaign's lock. Refused ``disk``."""
    try:
        swap_in(path / NAME, serialise({"format": FORMAT, "sum": digest(ruling), "ruling": ruling}))
    except OSError as error:
        raise disk_refusal(error, path / NAME) from error


def drop(path: Path) -> None:
    """Forget the open ruling, if there is one. To be called under the campaign's lock. Refused ``disk``."""
    try:
        (path / NAME).unlink(missing_ok=True)
    except OSError as error:
        raise disk_refusal(error, path / NAME) from error
