"""The GM's own hand: setting one figure of the state, by its path, within the limits of its kind."""

from dataclasses import fields
from typing import Annotated, Any, NamedTuple, get_args

from gmtool.kernel.case import AnyCase
from gmtool.kernel.common import CHAPTER as COMMON
from gmtool.kernel.common import FieldSet
from gmtool.kernel.fold import fold, half_width, numeral
from gmtool.kernel.refusal import Refused
from gmtool.kernel.state import Raw, State, encode
from gmtool.kernel.system import Chapter
from gmtool.kernel.words import WORD, Arg, Candidate, find, option

CHAPTER = Chapter("by hand", needs=(COMMON,))
CLOSED = ("campaign", "checkpoints", "ids", "sessions", "sheets")
NOTHING = ("-", "none", "null")
YES, NO = ("yes", "true", "on"), ("no", "false", "off")


class SetValue(NamedTuple):
    """The GM sets a figure: ``units.gains-2.hp.A`` to a value of its kind; ``set due.ID done`` settles a due thing."""

    path: Annotated[str, Arg(WORD)]
    value: Annotated[str, Arg(WORD)]


@CHAPTER.rule(SetValue)
def set_value(case: AnyCase, command: SetValue) -> None:
    """One leaf of a row, to a value of the same kind; nothing else moves."""
    table, _, rest = half_width(command.path).partition(".")
    tables = settable(case.state)
    if table not in tables:
        raise Refused("bad-value", key="set-no-table", exit=2, facts={"value": command.path, "tables": tables})
    name, _, keys = rest.partition(".")
    if not name:
        raise Refused("bad-value", key="set-no-name", exit=2, facts={"table": table})
    id = find(name, table, [_candidate(id, row) for id, row in case.state.table(table).items()])
    if table == "due":
        _settle(case, id, keys, command.value)
        return
    kept = case.state.row(table, id)
    row = encode(kept)
    field = keys.partition(".")[0]
    row = {key: value for key, value in row.items() if case.options(table, id, key) != () or key == field}
    before = _leaf(row, keys, f"{table}.{id}")
    options = case.options(table, id, keys)
    if options == ():
        raise Refused("bad-value", key="set-closed", exit=2, facts={"path": f"{table}.{id}.{keys}"})
    after = _value(before, command.value, f"{table}.{id}.{keys}", numeric(type(kept), field))
    if keys == "name":
        case.name_free(table, str(after or ""), besides=id)
    if options is not None and after is not None:
        after = option(command.value, options, f"{table}.{id}.{keys}")
    low, high = case.limits(table, id, keys)
    if isinstance(after, int) and not isinstance(after, bool) and not low <= after <= high:
        facts = {"value": after, "low": low, "high": high, "path": f"{table}.{id}.{keys}"}
        raise Refused("bad-value", key="set-range", facts=facts)
    if after == before:
        raise Refused("bad-value", key="set-same", facts={"path": f"{table}.{id}.{keys}", "value": after})
    case.keep(FieldSet(f"{table}.{id}.{keys}", before, after), "")


def settable(state: State) -> list[str]:
    """The tables whose figures can be set: not the program's own, nor rows of plain JSON, which nothing checks."""
    return [table for table, kind in state.kinds.items() if table not in CLOSED and kind is not Raw]


def _candidate(id: str, row: Any) -> Candidate:
    name = getattr(row, "name", "")
    return Candidate(id, (name,) if name else (), getattr(row, "handle", ""))


def _settle(case: AnyCase, id: str, keys: str, value: str) -> None:
    if keys or fold(value) != "done":
        raise Refused("bad-value", key="set-due", exit=2, facts={"value": value, "due": id})
    case.settle(id, "")


def _leaf(row: Any, keys: str, at: str) -> Any:
    """The value at a path of one or two keys; a table or an unknown key is refused with the keys there are."""
    value = row
    for key in keys.split(".") if keys else []:
        if not isinstance(value, dict) or key not in value:
            known = sorted(value) if isinstance(value, dict) else []
            raise Refused("bad-value", key="set-no-field", exit=2, facts={"value": key, "path": at, "known": known})
        value = value[key]
        at = f"{at}.{key}"
    if isinstance(value, dict | list) or not keys:
        known = sorted(value) if isinstance(value, dict) else []
        key = "set-table" if known else "set-list"
        raise Refused("bad-value", key=key, exit=2, facts={"path": at, "known": known})
    return value


def numeric(kind: type[Any], field: str) -> bool:
    """Whether a field of a row holds a figure, if it holds anything: a hex such as ``0304`` is none."""
    return any(each.name == field and int in (each.type, *get_args(each.type)) for each in fields(kind))


def _value(before: Any, word: str, path: str, figure: bool) -> Any:
    """The word as a value of the kind that stands there now; ``-`` empties what may be empty."""
    plain = fold(word)
    if isinstance(before, bool):
        if plain in YES or plain in NO:
            return plain in YES
        facts = {"value": word, "key": path, "options": ["yes", "no"]}
        raise Refused("bad-value", key="not-an-option", exit=2, facts=facts)
    if isinstance(before, int):
        return numeral(word)
    if plain in NOTHING:
        return None
    return numeral(word) if figure else word
