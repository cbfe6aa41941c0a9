"""Taking over newer sheets: what a campaign has pinned is replaced by what the files say now, as one step of undo.

Nothing that was ruled is ruled again. Things in play keep their figures, get those that the new sheet has besides, and
lose those it has no more. A figure above the new maximum is the GM's to decide (``surplus``): it is kept or lowered.

What a game pins, its book knows: ``filed(id)`` is the sheet as the files have it (None: not any more), ``read(row)``
the sheet as it is played, ``at(state)`` the book of another state; ``System.refit`` what a thing in play takes over.
"""

import json
from collections.abc import Iterator, Mapping
from dataclasses import asdict, fields
from typing import Annotated, Any, NamedTuple

from gmtool.kernel.by_hand import settable
from gmtool.kernel.case import AnyCase
from gmtool.kernel.changes import Change, diff
from gmtool.kernel.common import CHAPTER as COMMON
from gmtool.kernel.common import FieldSet
from gmtool.kernel.refusal import Id
from gmtool.kernel.state import Raw, Rows, State, encode
from gmtool.kernel.system import Chapter
from gmtool.kernel.words import WORD, Arg, Candidate, Opt, find, names_of, one_of

CHAPTER = Chapter("upgrade", needs=(COMMON,))
OVER = ("keep", "lower")


class Upgrade(NamedTuple):
    """Take over what the files say now of all sheets that are pinned, or of those named."""

    sheets: Annotated[tuple[str, ...], Arg(WORD, many=True)] = ()
    over: Annotated[str, Opt("--over", one_of("surplus", *OVER))] = ""


class SheetReplaced(NamedTuple):
    """Another sheet is pinned in the place of one; told as ``SheetUpgraded``, which does not repeat all of it."""

    sheet: str
    data: Raw


class SheetUpgraded(NamedTuple):
    """A sheet was taken over; ``n`` of its figures and words differ."""

    sheet: Id
    n: int


class RowRefitted(NamedTuple):
    """A thing in play fits its new sheet."""

    table: str
    id: str
    row: Any


class Refitted(NamedTuple):
    """A thing has got figures that its new sheet has besides, or lost those it has no more."""

    thing: Id


class Lowered(NamedTuple):
    """A figure above the new maximum was brought down to it."""

    thing: Id
    figure: str
    before: int
    after: int


@CHAPTER.effect(SheetReplaced)
def sheet_replaced(state: State, event: SheetReplaced) -> Rows:
    """The sheet's row."""
    return {("sheets", event.sheet): event.data}


@CHAPTER.effect(RowRefitted)
def row_refitted(state: State, event: RowRefitted) -> Rows:
    """The thing's row."""
    return {(event.table, event.id): event.row}


@CHAPTER.rule(Upgrade)
def upgrade(case: AnyCase, command: Upgrade) -> None:
    """The sheets, then what is in play of them; Refused (nothing-to-do) where they are as the files have them."""
    pinned = [Candidate(id, names_of(case.state.row("sheets", id).get("name"))) for id in case.state.ids("sheets")]
    named = [find(word, "pinned-sheet", pinned) for word in command.sheets]
    differing = outdated(case.state, case.book)
    ids = [id for id in named or differing if id in differing]
    if not ids:
        raise case.refuse("nothing-to-do", "", key="upgrade-none")
    for id in ids:
        case.keep(SheetReplaced(id, Raw(case.book.filed(id))))
        case.emit(SheetUpgraded(Id(id), len(differing[id])), "")
    case.book = case.book.at(case.state)
    _refit(case, ids)
    _settle_figures(case, ids, command.over)
    case.result(sheets=ids)


def outdated(state: State, book: Any) -> dict[str, list[Change]]:
    """The pinned sheets that differ from the files as they are now, each with what would change, key by key."""
    found = {id: differences(id, state.row("sheets", id), book) for id in state.ids("sheets")}
    return {id: changes for id, changes in found.items() if changes}


def differences(id: str, pinned: Any, book: Any) -> list[Change]:
    """What of a sheet would change; nothing for one that no file has any more. Figures left out count as they play."""
    filed = book.filed(id)
    if filed is None:
        return []
    return diff("sheets", id, keyed(_as_played(book, pinned)), keyed(_as_played(book, filed)), "")


def _as_played(book: Any, row: Mapping[str, Any]) -> dict[str, Any]:
    played: dict[str, Any] = json.loads(json.dumps(asdict(book.read(dict(row)))))
    return played


def keyed(value: Any) -> Any:
    """Lists of tables as tables by their ids, else by their numbers from 1, so that they can be compared key by key."""
    if isinstance(value, dict):
        return {key: keyed(part) for key, part in value.items()}
    if isinstance(value, list) and value and all(isinstance(part, dict) for part in value):
        return {str(part.get("id", n)): keyed(part) for n, part in enumerate(value, 1)}
    return value


def _in_play(case: AnyCase, sheets: list[str]) -> Iterator[tuple[str, str, Any]]:
    """The things of these sheets: table, id, row."""
    for table in settable(case.state):
        if any(field.name == "sheet" for field in fields(case.state.kinds[table])):
            yield from ((table, id, row) for id, row in case.state.table(table).items() if row.sheet in sheets)


def _refit(case: AnyCase, sheets: list[str]) -> None:
    for table, id, row in list(_in_play(case, sheets)):
        fitting = case.refit(table, row)
        if fitting != row:
            case.keep(RowRefitted(table, id, fitting))
            case.emit(Refitted(Id(id)), "")


def _settle_figures(case: AnyCase, sheets: list[str], given: str) -> None:
    """What is above the new maximum stays or is lowered, as the GM says; asked for only where there is any."""
    over = [
        (table, id, *figure) for table, id, row in _in_play(case, sheets) for figure in _above(case, table, id, row)
    ]
    if not over:
        return
    lower = case.ask("surplus", "", OVER, "ask", rule="", given=given or None) == "lower"
    for table, id, keys, value, most in over:
        if lower:
            case.keep(FieldSet(f"{table}.{id}.{keys}", value, most))
            case.emit(Lowered(Id(id), keys, value, most), "")
        else:
            case.warn("over-kept", thing=Id(id), figure=keys, value=value, limit=most)


def _above(case: AnyCase, table: str, id: str, row: Any) -> Iterator[tuple[str, int, int]]:
    """The figures of a thing that are above what they may be: keys, figure, maximum."""
    for field, value in encode(row).items():
        leaves = value.items() if isinstance(value, dict) else [("", value)]
        for key, figure in leaves:
            keys = f"{field}.{key}" if key else field
            if type(figure) is not int or case.options(table, id, keys) == ():
                continue
            _, most = case.limits(table, id, keys)
            if figure > most:
                yield keys, figure, most
