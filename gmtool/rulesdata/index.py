"""The rule index of a game: every rule of its rulebook, where it comes from, and what the tool does about it.

The words for a rule stand in the game's ``text`` folder under ``rule.<id>``, those for its chapter and marks under
``chapter.<chapter>``, ``origin.<origin>``, ``rulestatus.<status>`` and ``reason.<reason>``.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar, Literal

from gmtool.rulesdata import finder
from gmtool.rulesdata.compile import compiled

Origin = Literal["known", "default", "amb", "img", "mixed"]
Status = Literal["ruled", "by_hand", "not_covered"]


@dataclass(frozen=True)
class RuleEntry:
    """One rule.

    ``origin``: the book's own (``known``), ours where the book is silent (``default``), allows several readings
    (``amb``) or has lost a figure (``img``), or partly the book's (``mixed``). ``reason`` is empty if it is ruled.
    """

    __pydantic_config__: ClassVar[Mapping[str, Any]] = {"extra": "forbid"}

    id: str
    origin: Origin
    status: Status
    reason: str = ""

    @property
    def chapter(self) -> str:
        """The id up to its first point: ``T-8`` of ``T-8.3``, ``T-8.4.1`` and ``T-8``."""
        return self.id.partition(".")[0]

    def faults(self) -> Iterator[tuple[tuple[str, ...], str, Mapping[str, Any]]]:
        """A rule that is not ruled has a reason, one that is has none."""
        if self.status == "ruled" and self.reason:
            yield ("reason",), "data-not-with", {"other": "status"}
        if self.status != "ruled" and not self.reason:
            yield ("reason",), "data-missing-key", {}


def load_index(game: str) -> tuple[RuleEntry, ...]:
    """All rules of a game in the order of its rulebook, none for a game without an index.

    Refused with code ``rules-file`` if the index is wrong.
    """
    path = finder.data_root() / game / finder.CATALOGUE
    if not path.is_file():
        return ()
    rows = compiled([path, Path(__file__)], lambda: _build(path), f"index-{game}")
    return tuple(RuleEntry(**row) for row in rows)


def _build(path: Path) -> list[dict[str, Any]]:
    """The entries of an index file, checked, as JSON."""
    from gmtool.rulesdata.check import Document, as_json, validate
    from gmtool.rulesdata.reader import decode, parse, read_bytes

    file = finder.shown(path)
    text = decode(read_bytes(path), file)
    tables = validate(Document(file, text, parse(text, file)), {"rule": RuleEntry})
    return [as_json(entry) for entry in tables.get("rule", [])]
