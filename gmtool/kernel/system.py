"""How a game plugs in: chapters register a rule for each command type and an effect for each event type.

A ``System`` is a game's table of contents. Nothing anywhere asks which game it is: commands and events find their
rule and effect by their type, and chapters are imported when a verb of theirs is used.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from importlib import import_module
from sys import modules
from typing import Any

from gmtool.kernel.fold import LIMIT
from gmtool.kernel.state import Rows, State

Rule = Callable[[Any, Any], None]
Effect = Callable[[Any, Any], Rows]


COMMON_VERBS = {"set": "gmtool.kernel.by_hand:SetValue", "rules upgrade": "gmtool.kernel.upgrade:Upgrade"}
"""Verbs that change the state of whatever game there is."""
COMMON_SAYS = ("surplus",)
"""The declarations of these."""

INNER = ("campaign", "checkpoints", "due", "ids", "sessions", "sheets")
"""The tables of every game whose rows are no things with a name."""


class Chapter:
    """One chapter of a rulebook; ``needs`` are the chapters whose commands or events it uses."""

    def __init__(self, number: str, needs: Sequence["Chapter"] = ()) -> None:
        self.number = number
        self.needs = tuple(needs)
        self.rules: dict[type[Any], Rule] = {}
        self.effects: dict[type[Any], Effect] = {}

    def rule(self, command: type[Any]) -> Callable[[Rule], Rule]:
        """Register the rule that judges a command type."""

        def register(rule: Rule) -> Rule:
            self.rules[command] = rule
            return rule

        return register

    def effect(self, event: type[Any]) -> Callable[[Effect], Effect]:
        """Register what an event type does to the rows of the state."""

        def register(effect: Effect) -> Effect:
            self.effects[event] = effect
            return effect

        return register


@dataclass
class System:
    """A game: its id, the shape of its state, and where its verbs are.

    ``verbs`` maps a verb ("side add") to "module:Command" below ``package``, ``looks`` those that only show (their
    module has ``LOOKS``: command class -> (view, JSON) of (state, book, command); those that draw have ``DRAWS``, see
    ``gmtool/cli/drawing.py``); ``views`` is the module that makes
    boards and summaries, ``tables`` the one with the shapes of its data (empty: it has none). ``book`` builds the
    pinned data from a state; ``name`` gives the name of an id, by language where it has several; ``limits`` are those
    of a figure set by hand (state, book, table, id, keys), ``options`` the words a text may be set to (none at all: it
    is no matter of setting; None: any). Rows of the
    ``inner`` tables (``INNER`` and the game's own) are no things with a name;
    ``declarations`` are those whose default a campaign can set, each with
    the word for the game's default and what may be said; ``settings`` are ways of play of the same form, which rules
    read in the campaign's ``config``; ``rolls`` are the first words of its asks for dice,
    ``says`` those of its declarations (none: any will do);
    ``sums`` are words in the keys of results that count up from 0: of several lines ``odds`` adds them.
    ``follows`` says in which module the rule of a command stands that only follows from others, by its class name.
    ``beside`` are the verbs that are no turn of anybody's: setting up, settling by hand; they are offered last.
    ``refit`` gives a row in play (book, table, row) the figures its sheet has newly and takes those it has no more:
    asked when a newer sheet is taken over, see ``gmtool/kernel/upgrade.py``.
    ``session`` is the command ("module:Command") that is judged when a session begins after another one.
    ``soundness`` is the module whose ``check`` (state, data) raises BadRow for a state that does not hold together.
    ``forecast`` are the results that are foretold while dice are asked for, in order, by the words of their keys
    without ids (``counter.wrecked``); of those in ``rarity`` it is told afterwards how rare they were. ``favours`` is
    the module whose ``favours`` (state, command, key) says of a result whether more of it is good (1), bad (-1) or
    neither (0) for whoever gives the command; two plans are compared by it.
    """

    id: str
    package: str
    state: type[State]
    verbs: Mapping[str, str]
    looks: Mapping[str, str]
    book: Callable[[Any, Mapping[str, Any]], Any]
    name: Callable[[Any, Any, str], Any]
    limits: Callable[[Any, Any, str, str, str], tuple[int, int]] = field(default=lambda *_: (-LIMIT, LIMIT))
    refit: Callable[[Any, str, Any], Any] = field(default=lambda _book, _table, row: row)
    views: str = "views"
    tables: str = ""
    options: Callable[[Any, Any, str, str, str], tuple[str, ...] | None] = field(default=lambda *_: None)
    common: tuple[Chapter, ...] = ()
    declarations: Mapping[str, tuple[str, tuple[str, ...]]] = field(default_factory=dict)
    settings: Mapping[str, tuple[str, tuple[str, ...]]] = field(default_factory=dict)
    rolls: tuple[str, ...] = ()
    says: tuple[str, ...] = ()
    sums: tuple[str, ...] = ()
    inner: tuple[str, ...] = ()
    follows: Mapping[str, str] = field(default_factory=dict)
    beside: frozenset[str] = frozenset()
    session: str = ""
    soundness: str = ""
    forecast: tuple[str, ...] = ()
    rarity: tuple[str, ...] = ()
    favours: str = ""
    rules: dict[type[Any], Rule] = field(default_factory=dict)
    effects: dict[type[Any], Effect] = field(default_factory=dict)
    _told_only: set[type[Any]] = field(default_factory=set)

    def __post_init__(self) -> None:
        self.inner = (*dict.fromkeys((*INNER, *self.inner)),)
        for chapter in self.common:
            self.include(chapter)

    def include(self, chapter: Chapter) -> None:
        """Take in a chapter and those it needs."""
        for needed in chapter.needs:
            self.include(needed)
        self.rules |= chapter.rules
        self.effects |= chapter.effects

    def include_home(self, command: type[Any]) -> None:
        """Take in the chapter that rules on a command: the one ``follows`` names, else where the command stands."""
        home = self.follows.get(command.__name__)
        module = f"{self.package}.{home}" if home else command.__module__
        self.include(import_module(module).CHAPTER)

    def effect(self, event: type[Any]) -> Effect | None:
        """What an event type does to the state; its chapter is taken in if a rule of another one made it happen."""
        known = self.effects.get(event)
        if known is None and event not in self._told_only:
            chapter = getattr(modules.get(event.__module__), "CHAPTER", None)
            if chapter is not None:
                self.include(chapter)
            known = self.effects.get(event)
            if known is None:
                self._told_only.add(event)
        return known

    def command(self, verb: str) -> type[Any]:
        """The command class of a verb; its chapter is imported now if it was not."""
        if verb in self.verbs:
            module_name, _, class_name = f"{self.package}.{self.verbs[verb]}".partition(":")
        else:
            module_name, _, class_name = COMMON_VERBS[verb].partition(":")
        module = import_module(module_name)
        self.include(module.CHAPTER)
        command: type[Any] = getattr(module, class_name)
        return command

    def next_session(self) -> Any:
        """What is judged when a session begins after another one; None where nothing is."""
        if not self.session:
            return None
        module_name, _, class_name = f"{self.package}.{self.session}".partition(":")
        module = import_module(module_name)
        self.include(module.CHAPTER)
        return getattr(module, class_name)()

    def check(self, state: Any, data: Mapping[str, Any]) -> None:
        """Look whether a state from elsewhere holds together, where the game can tell; raises BadRow."""
        if self.soundness:
            import_module(f"{self.package}.{self.soundness}").check(state, data)

    def favour(self, state: Any, command: Any, key: str) -> int:
        """Whether more of a result is good (1), bad (-1) or neither (0) for whoever gives the command."""
        if not self.favours:
            return 0
        favour: int = import_module(f"{self.package}.{self.favours}").favours(state, command, key)
        return favour

    def look(self, verb: str) -> type[Any]:
        """The command class of a verb that only shows."""
        module, _, name = self.looks[verb].partition(":")
        command: type[Any] = getattr(import_module(f"{self.package}.{module}"), name)
        return command

    @property
    def declared(self) -> tuple[str, ...]:
        """The first words of all declarations, those of the common verbs too; none where any will do."""
        return (*self.says, *COMMON_SAYS) if self.says else ()

    def view(self) -> Any:
        """The module of the game's views."""
        return import_module(f"{self.package}.{self.views}")


def find_systems(packages: Iterable[str] = ("gmtool.systems",)) -> dict[str, str]:
    """The games there are: id -> package, by listing the packages; nothing is imported but the list itself."""
    found: dict[str, str] = {}
    for package in packages:
        for entry in _folders(package):
            found[entry] = f"{package}.{entry}"
    return dict(sorted(found.items()))


def _folders(package: str) -> list[str]:
    from pkgutil import iter_modules

    return [module.name for module in iter_modules(import_module(package).__path__) if module.ispkg]


def load_system(package: str) -> System:
    """The system a package declares as ``SYSTEM`` in its module ``system``."""
    system: System = import_module(f"{package}.system").SYSTEM
    return system
