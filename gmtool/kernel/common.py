"""What every campaign holds whatever its game: its settings, what is due, sessions, ids given once."""

import re
import unicodedata
from dataclasses import dataclass
from itertools import count
from string import ascii_lowercase
from typing import Any, NamedTuple

from gmtool.kernel.fold import fold
from gmtool.kernel.refusal import Id
from gmtool.kernel.state import Map, Raw, Rows, State, decode, encode
from gmtool.kernel.system import Chapter

CHAPTER = Chapter("common")
DICE_MODES = ("ask", "auto")
"""Who throws where a line has no faces: the table is asked, or the tool does it."""
FORECAST = "forecast"
"""The way of play (a key of ``Campaign.config``) that every game has."""
SELF, TABLE, OFF = SHOWN_TO = ("self", "table", "off")
"""Who sees forecasts: whoever types, everyone at the table, nobody; the first is the default."""


@dataclass(frozen=True, slots=True)
class Campaign:
    """The settings of a campaign. ``secret`` feeds the dice of the tool and is shown nowhere.

    ``thrown`` is for how many of the rulings that stand the tool threw dice, ``rolls`` for how many free rolls: its
    next faces depend on these alone, so that neither undo nor a line without dice of its own leads to others.
    """

    name: str
    system: str
    lang: str | None = None
    dice_mode: str = DICE_MODES[0]
    seed: int | None = None
    secret: str = ""
    session: int = 0
    declare: Map[str] = Map()
    choices: Map[str] = Map()
    config: Map[str] = Map()
    thrown: int = 0
    rolls: int = 0


@dataclass(frozen=True, slots=True)
class Due:
    """Something that must be settled before play goes on; ``command`` is the line that settles it."""

    what: str
    who: str | None
    rule: str
    command: str


@dataclass(frozen=True, slots=True)
class Session:
    """One evening; times are for display, the order is the journal's.

    ``clock_changed``: the clock was set back in the course of it, so that its times say nothing of how long it took.
    """

    number: int
    name: str
    started: str
    first_seq: int
    ended: str | None = None
    last_seq: int | None = None
    clock_changed: bool = False


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """A place in the journal that the table may want to go back to: the line that marks it."""

    name: str
    seq: int


@dataclass(frozen=True, slots=True)
class Counter:
    """The highest number an id's base was given."""

    n: int


KINDS: dict[str, type[Any]] = {
    "campaign": Campaign,
    "due": Due,
    "sessions": Session,
    "checkpoints": Checkpoint,
    "ids": Counter,
    "sheets": Raw,
}


class IdClaimed(NamedTuple):
    """An id was given to a new thing and will not be given again."""

    base: str
    n: int


class DueAdded(NamedTuple):
    """Something has become due."""

    id: str
    what: str
    who: Id | None
    rule: str
    command: str


class DueSettled(NamedTuple):
    """Something due has been settled."""

    id: str


class FieldSet(NamedTuple):
    """The GM set a figure of the state by hand."""

    path: str
    before: Any
    after: Any


@CHAPTER.effect(IdClaimed)
def id_claimed(state: State, event: IdClaimed) -> Rows:
    """The base's counter stands at the number given."""
    return {("ids", event.base): Counter(event.n)}


@CHAPTER.effect(DueAdded)
def due_added(state: State, event: DueAdded) -> Rows:
    """A row in the list of what is due."""
    return {("due", event.id): Due(event.what, event.who and str(event.who), event.rule, event.command)}


@CHAPTER.effect(DueSettled)
def due_settled(state: State, event: DueSettled) -> Rows:
    """The row is taken from the list."""
    return {("due", event.id): None}


@CHAPTER.effect(FieldSet)
def field_set(state: State, event: FieldSet) -> Rows:
    """The row with one figure replaced; the kind of the row checks the value."""
    table, id, *keys = event.path.split(".")
    row = state.row(table, id)
    data = encode(row)
    if len(keys) == 1:
        data[keys[0]] = event.after
    else:
        data[keys[0]] = {**data[keys[0]], keys[1]: event.after}
    return {(table, id): decode(type(row), data, f"{table}.{id}")}


def slug(name: str, fallback: str) -> str:
    """The ASCII form of a name for an id; a name without any gets the fallback."""
    plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode().lower()
    word = re.sub(r"[^a-z0-9]+", "-", plain).strip("-")[:40].strip("-")
    return word or fallback


def fresh_id(state: State, base: str, numbered: bool = False) -> tuple[IdClaimed, str]:
    """The next id of a base that no thing of the campaign has or had: ``gains``, ``gains-2``, or always numbered."""
    counter = state.row("ids", base)
    n = counter.n + 1 if counter else 1
    while _taken(state, _spelled(base, n, numbered)):
        n += 1
    return IdClaimed(base, n), _spelled(base, n, numbered)


def _spelled(base: str, n: int, numbered: bool) -> str:
    return f"{base}-{n}" if numbered or n > 1 else base


def _taken(state: State, id: str) -> bool:
    return any(state.row(table, id) is not None for table in state.kinds if table not in {"ids", "due", "sheets"})


def free_letter(state: State, first: str) -> str:
    """The letter of a new side's handles: the first choice, or the next one that no side has."""
    used = {side.letter for side in state.table("sides").values()}
    return next(each for each in first + ascii_lowercase if each.isalpha() and each not in used)


def next_handle(state: State, table: str, side_id: str, name: str) -> str:
    """The next handle of a side for a thing of a table that will have this name: its letter, and the next number.

    One that a thing there has for its name is passed over, or it would mean two things.
    """
    side, rows = state.table("sides")[side_id], state.table(table)
    named = {fold(name), *rows, *(fold(row.name) for row in rows.values())}
    handles = (f"{side.letter}{n}" for n in count(side.given + 1))
    return next(handle for handle in handles if handle not in named)
