"""The desk: one open campaign with its game, its data and its settings, ready to be ruled upon."""

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from importlib import import_module
from pathlib import Path
from typing import Any, cast

from gmtool.kernel.asks import Names
from gmtool.kernel.case import Settings
from gmtool.kernel.changes import Tables
from gmtool.kernel.common import Campaign as CampaignRow
from gmtool.kernel.fold import fold
from gmtool.kernel.refusal import Refused, Word
from gmtool.kernel.state import BadRow, State
from gmtool.kernel.system import System, find_systems, load_system
from gmtool.kernel.words import Candidate, find
from gmtool.rulesdata.compile import load as load_data
from gmtool.store.campaign import Campaign

PACKAGES = ("gmtool.systems",)
PINNED = ("campaign", "sheets")
"""The tables a book is made from."""


class Registry:
    """The games there are; a game is imported when a campaign or a verb names it."""

    def __init__(self, packages: Iterable[str] = PACKAGES) -> None:
        self._packages = tuple(packages)
        self._loaded: dict[str, System] = {}

    @cached_property
    def found(self) -> dict[str, str]:
        """Id -> package of every game."""
        return find_systems(self._packages)

    def system(self, id: str) -> System:
        """The game of this id; Refused for one that is not here."""
        if id not in self._loaded:
            if id not in self.found:
                raise Refused("unknown-name", key="unknown-system", exit=2, facts={"value": id, "known": [*self.found]})
            self._loaded[id] = load_system(self.found[id])
        return self._loaded[id]


class Desk:
    """An open campaign at work. ``state`` is always as the journal stands; nothing here writes."""

    def __init__(self, campaign: Campaign, registry: Registry) -> None:
        self.campaign = campaign
        self.registry = registry
        self._state: tuple[Tables, State] | None = None
        self._book: Any = None
        row = campaign.tables.get("campaign", {}).get("campaign")
        if not isinstance(row, dict) or not isinstance(row.get("system"), str):
            raise self._unreadable("campaign.campaign", "data-table")
        self.system = registry.system(row["system"])
        self.data: Mapping[str, Any] = load_game_data(self.system, campaign.path / "rules")

    @property
    def folder(self) -> Path | None:
        """The game's own folder, for a game whose text does not come with the program."""
        home = self.system.package.rpartition(".")[0]
        return None if home in PACKAGES else Path(import_module(self.system.package).__path__[0])

    @property
    def path(self) -> Path:
        """The campaign's folder."""
        return self.campaign.path

    @property
    def state(self) -> State:
        """The state as it stands, read lazily; rows that no line has changed since stay as they were read."""
        known, self._state = self._state, None  # what Ctrl-C breaks off in here is read anew
        tables, touched = self.campaign.tables, self.campaign.touched()
        if known is None or known[0] is not tables:
            known, self._book = (tables, self.system.state(tables)), None
        elif touched:
            known[1].settle(dict.fromkeys(touched))
            self._book = None if any(table in PINNED for table, _ in touched) else self._book
        self._state = known
        return known[1]

    @property
    def book(self) -> Any:
        """The data as this campaign pins it."""
        state = self.state
        if self._book is None:
            self._book = self.system.book(state, self.data)
        return self._book

    @property
    def reference(self) -> Any:
        """The data as it is looked up, by whom it may be looked up."""
        return self.book

    @cached_property
    def _readings(self) -> dict[str, tuple[str, str]]:
        """The defaults of the game's interpretations, each with its rule."""
        readings = self.data.get("interpretations", {})
        return {id: (reading["default"], reading["rule"]) for id, reading in readings.items()}

    @property
    def row(self) -> CampaignRow:
        """The campaign's own settings."""
        try:
            return cast(CampaignRow, self.state.row("campaign", "campaign"))
        except BadRow as error:
            raise self._unreadable(error.path, error.expected) from None

    def settings(self, force: bool = False, aside: Sequence[tuple[str, str]] = ()) -> Settings:
        """What the campaign has decided beforehand; ``aside``: refusals that have been set aside before."""
        return Settings(self.row.declare, self.row.choices, self._readings, force, aside)

    def name_of(self, id: str, state: State | None = None) -> Any:
        """The name of a thing (by language where it has several), or None."""
        return self.system.name(state or self.state, self.book, id)

    def names(self, ids: Iterable[str], state: State | None = None) -> dict[str, Any]:
        """The names of these ids; those without one are left out."""
        state, book = state or self.state, self.book
        found = {id: self.system.name(state, book, id) for id in sorted(ids)}
        return {id: name for id, name in found.items() if name is not None}

    def find(self, word: str) -> str:
        """The id of the one thing of the board that a word names; Refused with the candidates."""
        return find(word, "thing", self.candidates())

    def candidates(self) -> list[Candidate]:
        """The things of the board as they can be named."""
        return [
            Candidate(id, (row.name,) if hasattr(row, "name") else (), getattr(row, "handle", ""))
            for table in self.system.state.kinds
            if table not in self.system.inner
            for id, row in self.state.table(table).items()
            if hasattr(row, "name")
        ]

    def spoken(self, id: str) -> list[str]:
        """All the names a thing answers to, in any language, its handle too."""
        name = self.name_of(id)
        named = [name] if isinstance(name, str) else [*(name or {}).values()]
        rows = (self.state.row(table, id) for table in self.system.state.kinds)
        return [*named, *(row.handle for row in rows if row is not None and hasattr(row, "handle"))]

    @property
    def speech(self) -> Names:
        """What things are called, for the labels of dice and declarations."""
        return Names(self.spoken, self._owner)

    def _owner(self, word: str) -> str | None:
        """The id of the one thing of the board whose id, handle or whole name this is."""
        try:
            id = self.find(word)
        except Refused:
            return None
        return id if fold(word) in {id, *map(fold, self.spoken(id))} else None

    def _unreadable(self, at: str, expected: str) -> Refused:
        facts = {"file": str(self.path / "campaign.json"), "problem": "row", "at": at, "expected": Word(expected)}
        return Refused("unreadable", key="bad-row", exit=4, facts=facts)


def due_list(desk: Desk) -> list[dict[str, Any]]:
    """What is due now, each with the line that settles it."""
    return due_in(desk.state)


def due_in(state: State) -> list[dict[str, Any]]:
    """What is due in a state, each with the line that settles it."""
    return [
        {"id": id, "what": row.what, "who": row.who, "rule": row.rule, "command": row.command}
        for id, row in state.table("due").items()
    ]


def load_game_data(system: System, own: Path | None) -> Mapping[str, Any]:
    """The data of a game, a campaign's own on top; nothing for a game without data."""
    if not system.tables:
        return {}
    return load_data(system.id, import_module(f"{system.package}.{system.tables}"), own)
