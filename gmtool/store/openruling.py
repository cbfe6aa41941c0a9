"""The open ruling, ``open.json``: what has been said so far while answers are missing. At most one a campaign."""

from pathlib import Path
from typing import Any

from gmtool.kernel.journal import FORMAT, SUMMED, BadLine, check_format, parse_json
from gmtool.rulesdata.plain import read_plain
from gmtool.store.files import bad_file, disk_refusal, swap_in
from gmtool.store.snapshot import digest, serialise

NAME = "open.json"
_KINDS: dict[str, Any] = {
    "verb": str, "args": dict, "line": str, "step": list | None, "redo": list | None, "given": dict, "kept": dict,
    "loose": list, "named": list, "said": dict, "by": str | None, "by_unit": dict, "because": str | None, "force": bool,
    "asks": list, "amends": int | None, "aside": list, "spare": list, "fresh": bool, "anew": bool, "tried": bool,
    "branch": str,
}  # fmt: skip
_MAY_MISS = ("redo", "kept", "loose", "amends", "aside", "spare", "fresh", "anew", "tried", "branch")


def load(path: Path, notices: list[dict[str, Any]] | None = None) -> dict[str, Any] | None:
    """The open ruling of the campaign in this folder, None without one.

    A damaged file counts as none and is named in ``notices``; Refused ``newer``, ``disk``.
    """
    file = path / NAME
    try:
        document = parse_json(read_plain(file))
        if type(document) is not dict or type(document.get("ruling")) is not dict:
            raise BadLine("shape", "ruling")
        check_format(document)
        if document["format"] >= SUMMED and document.get("sum") != digest(document["ruling"]):
            raise BadLine("edited")
        _check_shape(document["ruling"])
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


def _check_shape(ruling: dict[str, Any]) -> None:
    """What is read of an open ruling is there and of its kind; BadLine names the first that is not."""
    for key, wanted in _KINDS.items():
        if not isinstance(ruling[key], wanted) if key in ruling else key not in _MAY_MISS:
            raise BadLine("shape", key)
    if not ruling["asks"] or not all(_is_ask(ask) for ask in ruling["asks"]):
        raise BadLine("shape", "asks")
    if not all(_is_die(die) for die in (*ruling["given"].values(), *ruling.get("kept", {}).values())):
        raise BadLine("shape", "given")
    if not all(map(_is_token, ruling.get("loose", ()))):
        raise BadLine("shape", "loose")
    for named in ruling["named"]:
        good = type(named) is list and [type(part) for part in named] == [str, list]
        if not good or not all(_is_token(token) for token in named[1]):
            raise BadLine("shape", "named")
    for key, wanted in (("said", str), ("by_unit", str)):
        if any(type(value) is not wanted for value in ruling[key].values()):
            raise BadLine("shape", key)
    if any(type(pair) is not list or [type(part) for part in pair] != [str, str] for pair in ruling.get("aside", ())):
        raise BadLine("shape", "aside")


def _is_ask(ask: Any) -> bool:
    return (
        type(ask) is dict and all(type(ask.get(key)) is str for key in ("key", "who", "kind", "rule"))
        and _all_of(ask.get("dice"), int) and _all_of(ask.get("options"), str)
    )  # fmt: skip


def _is_die(die: Any) -> bool:
    return (
        type(die) is dict and _all_of(die.get("faces"), int)
        and type(die.get("fixed")) is bool and type(die.get("source")) is str
        and isinstance(die.get("by", 0), str | None)
    )  # fmt: skip


def _is_token(token: Any) -> bool:
    return _all_of(token, str) and len(token) == 2


def _all_of(values: Any, kind: type) -> bool:
    return type(values) is list and all(type(value) is kind for value in values)
