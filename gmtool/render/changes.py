"""Changes of the state in words: what stood there, what stands there now."""

from collections.abc import Iterable, Mapping
from typing import Any

from gmtool.render.lines import Styled, styled
from gmtool.render.words import Words

Change = Mapping[str, Any]


def change_fields(changes: Iterable[Change], words: Words) -> list[Styled]:
    """Each change as one field; consecutive changes of one path are shown as one, from the first to the last value."""
    merged: dict[str, dict[str, Any]] = {}
    for change in changes:
        held = merged.setdefault(change["path"], dict(change))
        held.pop("after", None)
        held.update({"after": change["after"]} if "after" in change else {})
    return [styled(change_text(change, words)) for change in merged.values()]


def change_text(change: Change, words: Words) -> str:
    """``Gains-2 hp.A 100 > 70``; the path after the id is ``field.<path>`` where the catalogue has a word for it."""
    _, id, *keys = change["path"].split(".")
    field = _field(keys, words)
    name = words.name(id) if id in words.names or not field else ""
    return f"{' '.join(filter(None, [name, field]))} {shift(change, words)}"


def _field(keys: list[str], words: Words) -> str:
    """The word for a path within a row; of ``ammo.vulcan`` the word for ``ammo`` and the name of the weapon."""
    path = ".".join(keys)
    if len(keys) != 2 or words.catalogue.has(f"field.{path}"):
        return words.term("field", path) if path else ""
    owner = next((id for id in words.names if id.endswith(f"/{keys[1]}")), None)
    return f"{words.term('field', keys[0])} {words.name(owner) if owner else words.value(keys[1])}"


def shift(change: Change, words: Words) -> str:
    """``100 > 70``."""
    return f"{_value(change, 'before', words)} > {_value(change, 'after', words)}"


def _value(change: Change, side: str, words: Words) -> str:
    """A stored value; ``-`` is nothing, a whole row or list is only counted as there."""
    value = change.get(side)
    if value is None or value == "":
        return "-"
    if isinstance(value, dict):
        return "+"
    if isinstance(value, list):
        return ", ".join(map(words.value, value)) or "-"
    return words.value(value)
