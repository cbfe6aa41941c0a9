"""Names of campaigns: what people may type, and the safe folder name made from it."""

import os
import re
import unicodedata
from pathlib import Path

from gmtool.kernel.refusal import Refused
from gmtool.store.files import disk_refusal
from gmtool.store.state import JOURNAL, State

LIMIT = 80
_SLUG_BYTES = 60
_RESERVED = re.compile(r"(con|prn|aux|nul|com\d|lpt\d)")
_TURNS = "\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"
_JOINER = "\u200d"


def check_new(home: Path, name: str, besides: str = "") -> None:
    """Whether a campaign of this home may get this name, that of the slug ``besides`` left out of account.

    Refused ``bad-value``, ``name-taken`` (name, slug).
    """
    check_name(name)
    for slug, other in names(home).items():
        if slug != besides and name_key(other) == name_key(name):
            raise Refused("name-taken", facts={"name": other, "slug": slug})


def check_name(name: str) -> None:
    """1 to 80 cells, no control characters. Refused ``bad-value``: name-empty, name-control, name-long."""
    if not name.strip():
        raise Refused("bad-value", key="name-empty", exit=2)
    if any(_is_control(char) for char in name):
        shown = name.encode("unicode_escape").decode("ascii")[:LIMIT]
        raise Refused("bad-value", key="name-control", exit=2, facts={"name": shown})
    if cells(name) > LIMIT:
        facts = {"name": name[:20], "cells": cells(name), "limit": LIMIT}
        raise Refused("bad-value", key="name-long", exit=2, facts=facts)


def name_key(name: str) -> str:
    """What makes two names the same to people: case, width and Unicode form ignored."""
    return " ".join(unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", name).casefold()).split())


def names(home: Path) -> dict[str, str]:
    """The display names of the campaigns in a home by slug; one that cannot be read counts by its folder's name."""
    return {path.name: display_name(path) for path in campaign_folders(home)}


def display_name(path: Path) -> str:
    """The name a campaign shows, its folder's name when it cannot be read."""
    state = State(path)
    try:
        state.load()
    except Refused:
        return path.name
    return str(state.tables.get("campaign", {}).get("campaign", {}).get("name", path.name))


def campaign_folders(home: Path) -> list[Path]:
    """The folders of a home that hold a journal, by name."""
    return [home / name for name in _listed(home) if name[0] != "." and os.path.isfile(home / name / JOURNAL)]


def slug(name: str) -> str:
    """A folder name that is safe on every system: ASCII letters, digits and hyphens, at most 60 bytes, never empty."""
    plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode("ascii").lower()
    made = re.sub(r"[^a-z0-9]+", "-", plain).strip("-")[:_SLUG_BYTES].strip("-")
    if not made:
        return "campaign"
    return f"campaign-{made}"[:_SLUG_BYTES] if is_reserved(made.split("-")[0]) else made


def is_reserved(stem: str) -> bool:
    """Whether Windows keeps this file name, whatever its ending, for a device."""
    return _RESERVED.fullmatch(stem.lower()) is not None


def free_slug(home: Path, name: str) -> str:
    """The slug of a name, with a number when a file or folder of the home has it already, case ignored."""
    there = {other.lower() for other in _listed(home)}
    made = first = slug(name)
    number = 1
    while made in there:
        number += 1
        ending = f"-{number}"
        made = first[: _SLUG_BYTES - len(ending)] + ending
    return made


def cells(text: str) -> int:
    """The width in terminal cells; what is joined to the character before takes none."""
    width, before = 0, ""
    for char in text:
        if before != _JOINER and unicodedata.category(char) not in ("Mn", "Me", "Cf"):
            width += 2 if unicodedata.east_asian_width(char) in "WF" else 1
        before = char
    return width


def _listed(home: Path) -> list[str]:
    try:
        return sorted(os.listdir(home))
    except (FileNotFoundError, NotADirectoryError):
        return []
    except OSError as error:
        raise disk_refusal(error, home) from error


def _is_control(char: str) -> bool:
    """Control characters, lone surrogates, line ends, and what turns the direction of the text around it."""
    return unicodedata.category(char) in ("Cc", "Cs", "Zl", "Zp") or char in _TURNS
