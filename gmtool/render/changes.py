"""Changes of the state in words: what stood there, what stands there now."""

from collections.abc import Iterable, Mapping
from typing import Any

from gmtool.render.lines import Styled, styled
from gmtool.render.words import Words

Change = Mapping[str, Any]


UNSEEN = ("ids", "sheets", "sessions", "due", "checkpoints")
"""Tables that only the program looks at, or whose changes events and lists of their own tell; a game's own tables and
fields of that kind are listed in its catalogue (``unseen.<table>``, ``unseen.<table>.<field>``)."""


COUNTED = ("campaign.campaign.thrown", "campaign.campaign.rolls")
"""What the program counts to know which faces of its own come next."""


def change_fields(changes: Iterable[Change], words: Words) -> list[Styled]:
    """Each change as one field; changes of one path are shown as one, from the first to the last value."""
    merged: dict[str, dict[str, Any]] = {}
    for change in seen(changes, words):
        held = merged.setdefault(change["path"], dict(change))
        held.pop("after", None)
        held.update({"after": change["after"]} if "after" in change else {})
    return [styled(change_text(each, words)) for each in merged.values() if each.get("before") != each.get("after")]


def seen(changes: Iterable[Change], words: Words) -> list[Change]:
    """The changes that people are shown: not the program's own tables, nor whole rows of what has no name."""
    return [change for change in changes if _is_seen(change["path"].split("."), words)]


def _is_seen(path: list[str], words: Words) -> bool:
    if path[0] in UNSEEN or ".".join(path) in COUNTED or words.catalogue.has(f"unseen.{path[0]}"):
        return False
    if len(path) > 2:
        return not words.catalogue.has(f"unseen.{path[0]}.{path[2]}")
    return path[0] != "campaign" and path[1] in words.names


def whole(change: Change) -> bool:
    """Whether a change makes or removes a thing as a whole."""
    return str(change["path"]).count(".") == 1


def change_text(change: Change, words: Words) -> str:
    """``Gains-2 hp.A 100 > 70``; the path after the id is ``field.<path>`` where the catalogue has a word for it."""
    _, id, *keys = change["path"].split(".")
    if whole(change):
        return words.say("change.made" if "after" in change else "change.removed", {"name": words.name(id)})
    field = _field(id, keys, words)
    name = words.name(id) if id in words.names or not field else ""
    return f"{' '.join(filter(None, [name, field]))} {shift(change, words)}"


def _field(id: str, keys: list[str], words: Words) -> str:
    """The word for a path within a row; of ``ammo.vulcan`` the word for ``ammo`` and the name of the weapon.

    A mere number is no name of another's part: group 2 is not what is told of as ``critical/2`` in the same ruling.
    """
    path = ".".join(keys)
    if len(keys) != 2 or words.catalogue.has(f"field.{path}"):
        return words.term("field", path) if path else ""
    own = f"{id}/{keys[1]}"
    others = [] if keys[1].isdecimal() else [name for name in words.names if name.endswith(f"/{keys[1]}")]
    owner = own if own in words.names else next(iter(others), None)
    return f"{words.term('field', keys[0])} {words.name(owner) if owner else words.value(keys[1])}"


def shift(change: Change, words: Words) -> str:
    """``100 > 70``."""
    return f"{_value(change, 'before', words)} > {_value(change, 'after', words)}"


def _value(change: Change, side: str, words: Words) -> str:
    """A stored value; ``-`` is nothing. A game may have words for what a field holds: ``shown.<field>.<value>``."""
    value = change.get(side)
    said = words.first([f"shown.{'.'.join(change['path'].split('.')[2:])}.{value}"])
    if said:
        return said
    if value is None or value == "":
        return "-"
    if isinstance(value, list):
        return ", ".join(map(words.value, value)) or "-"
    return words.value(value)
