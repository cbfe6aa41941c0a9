"""Names of campaigns: what people may type, and the safe folder name made from it."""

import os
import re
import unicodedata
from pathlib import Path

from gmtool.kernel.changes import Tables
from gmtool.kernel.journal import BadLine
from gmtool.kernel.refusal import Refused
from gmtool.store import snapshot
from gmtool.store.files import disk_refusal
from gmtool.store.reader import JOURNAL, remains
from gmtool.store.state import State

LIMIT = 80
CHARACTERS = 500
_SLUG_BYTES = 60
_NAMELESS = "campaign"
_RESERVED = re.compile(r"(con|prn|aux|nul|com\d|lpt\d)")
_TURNS = "\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"
_JOINER = "\u200d"


def check_new(home: Path, name: str, besides: str = "") -> None:
    """Whether a campaign of this home may get this name, that of the slug ``besides`` left out of account.

    A campaign that does not tell its name keeps its folder's for itself. Refused ``bad-value``, ``name-taken`` (name,
    slug).
    """
    check_name(name)
    wanted = slug(name)
    for folder, other in names(home).items():
        same = name_key(other or folder) == name_key(name) or (not other and folder == wanted != _NAMELESS)
        if folder != besides and same:
            raise Refused("name-taken", facts={"name": other or folder, "slug": folder})


def check_name(name: str) -> None:
    """1 to 80 cells, 500 characters at most with their marks, no control characters.

    Refused ``bad-value``: name-empty, name-control, name-long, name-marks.
    """
    if not name.strip():
        raise Refused("bad-value", key="name-empty", exit=2)
    if any(_is_control(char) for char in name):
        shown = name.encode("unicode_escape").decode("ascii")[:LIMIT]
        raise Refused("bad-value", key="name-control", exit=2, facts={"name": shown})
    if cells(name) > LIMIT:
        facts = {"name": name[:20], "cells": cells(name), "limit": LIMIT}
        raise Refused("bad-value", key="name-long", exit=2, facts=facts)
    if len(name) > CHARACTERS:
        facts = {"value": name[:20], "length": len(name), "limit": CHARACTERS}
        raise Refused("bad-value", key="name-marks", exit=2, facts=facts)


def name_key(name: str) -> str:
    """What makes two names the same to people: case, width and Unicode form ignored."""
    return " ".join(unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", name).casefold()).split())


def names(home: Path) -> dict[str, str]:
    """The display names of the campaigns in a home by slug; empty where neither journal nor snapshot tells it."""
    return {path.name: _told_name(path) for path in campaign_folders(home)}


def display_name(path: Path) -> str:
    """The name a campaign shows: the journal's, else the snapshot's, else its folder's."""
    return _told_name(path) or path.name


def kept_name(path: Path) -> str:
    """The name that stands in the snapshot; empty where there is none that can be read."""
    try:
        found = snapshot.load(path / snapshot.NAME)
    except (BadLine, Refused):
        return ""
    return _name_in(found[0]) if found else ""


def campaign_folders(home: Path) -> list[Path]:
    """The campaigns' folders in a home, by name; see :func:`is_campaign`."""
    return [home / name for name in _listed(home) if name[0] != "." and is_campaign(home / name)]


def is_campaign(path: Path) -> bool:
    """Whether this is a campaign's folder: it holds a journal, or what a lost journal leaves behind.

    A campaign whose journal is missing is one that cannot be read; it is never passed over.
    """
    return os.path.exists(path / JOURNAL) or remains(path)


def slug(name: str) -> str:
    """A folder name that is safe on every system: ASCII letters, digits and hyphens, at most 60 bytes, never empty."""
    plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode("ascii").lower()
    made = re.sub(r"[^a-z0-9]+", "-", plain).strip("-")[:_SLUG_BYTES].strip("-")
    if not made:
        return _NAMELESS
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


def _told_name(path: Path) -> str:
    state = State(path)
    try:
        state.load()
    except Refused:
        return kept_name(path)
    return _name_in(state.tables)


def _name_in(tables: Tables) -> str:
    return str(tables.get("campaign", {}).get("campaign", {}).get("name", ""))


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
