"""One ruling from start to end: the command's rule, then whatever follows in the exchange."""

from functools import cached_property
from typing import Any

from gmtool.kernel.asks import NAMELESS, Answers, Cursor, Face, Missing, Names
from gmtool.kernel.case import Case, Settings, rule_for
from gmtool.kernel.changes import Change, diff
from gmtool.kernel.refusal import Refused
from gmtool.kernel.state import Map, Rows, State, encode, shape
from gmtool.kernel.system import System

PLAIN = frozenset({int, str, bool, type(None)})


class Ruling:
    """A ruling that reached its end; nothing of it is kept yet. ``state`` is the state after it.

    ``said`` are the declarations that entered, ``not_needed`` the faces that did not.
    """

    def __init__(self, case: Case[Any, Any], faces: list[Face], not_needed: list[str], said: dict[str, str]) -> None:
        self.state: State = case.state
        self.faces, self.not_needed, self.said = faces, not_needed, said
        self.result, self.warnings, self.overruled = case.results, case.warnings, case.overruled
        self._case = case

    @cached_property
    def trace(self) -> list[dict[str, Any]]:
        """What the ruling consists of, in order."""
        return [piece.entry() for piece in self._case.told]

    @cached_property
    def changes(self) -> list[Change]:
        """What it changes, in order."""
        return changes_of(self._case.written)

    @property
    def dice(self) -> list[dict[str, Any]]:
        """All dice, as the trace has them, each with its sides: what lay there can be counted long afterwards."""
        sides = {face.key: [*face.sides] for face in self.faces}
        thrown = (die for entry in self.trace if entry["t"] == "dice" for die in entry["dice"])
        return [{**die, "sides": sides[die["key"]]} for die in thrown]

    @property
    def rules(self) -> list[str]:
        """The rules that entered, in the order they did, each once."""
        cited = (rule for entry in self.trace for rule in (entry["rule"], *_besides(entry)))
        return list(dict.fromkeys(rule for rule in cited if rule))


def judge(
    system: System,
    state: State,
    book: Any,
    command: Any,
    answers: Answers,
    settings: Settings,
    names: Names = NAMELESS,
) -> Ruling:
    """Judge a command. Raises Refused, or Missing at the first ask that nothing answers; ``state`` stays as it was."""
    cursor = Cursor(answers, names, system.rolls, system.declared)
    case: Case[Any, Any] = Case(system, state.fork(), book, cursor, settings)
    run(system, case, command)
    return Ruling(case, cursor.taken, cursor.leftovers(), cursor.heard())


def run(system: System, case: Case[Any, Any], command: Any) -> None:
    """The command's rule, then what it makes follow, in order."""
    case.queue.append(command)
    done = 0
    try:
        while case.queue:
            following, done = case.next(), len(case.told)
            rule_for(system, following)(case, following)
    except Missing as missing:
        missing.told, missing.state = case.told[:done], case.state
        raise
    except Refused as refused:
        refused.state = case.state
        raise


def _besides(entry: dict[str, Any]) -> list[str]:
    """The further rules of an entry: of a figure's parts, of how dice were read, those cited on their own."""
    law = entry.get("law") or {}
    parts = [part["rule"] for part in entry.get("parts", ())]
    return [*parts, *law.get("rules", ()), *entry.get("rules", ())]


def changes_of(written: list[tuple[Rows, Rows, str]]) -> list[Change]:
    """One change per event and path, in order, each with its event's rule."""
    changes: list[Change] = []
    for before, after, rule in written:
        for place, row in after.items():
            changes += _between(place, before[place], row, rule)
    return changes


def _between(place: tuple[str, str], old: Any, new: Any, rule: str) -> list[Change]:
    """What leads from one row to another; of rows of one shape, only fields that are not the very same are seen."""
    known = shape(type(new))
    if known is None or type(old) is not type(new):
        return diff(*place, None if old is None else encode(old), None if new is None else encode(new), rule)
    found: list[Change] = []
    fields = zip(known.sorted, known.values(old), known.values(new), strict=True)
    for name, one, other in [field for field in fields if field[1] is not field[2]]:
        if type(one) in PLAIN and type(other) in PLAIN:
            if type(one) is not type(other) or one != other:
                found.append({"path": f"{place[0]}.{place[1]}.{name}", "before": one, "after": other, "rule": rule})
        elif isinstance(one, Map) and isinstance(other, Map) and one.keys() == other.keys():
            found += _entries(place, name, one, other, rule)
        else:
            found += diff(*place, {name: encode(one)}, {name: encode(other)}, rule)
    return found


def _entries(place: tuple[str, str], name: str, one: Map[Any], other: Map[Any], rule: str) -> list[Change]:
    """The same for two maps of the same keys: only the entries that differ are laid before ``diff``."""
    changed = sorted([key for key, value in one.items() if other[key] is not value])
    if not all(key and "." not in key and type(one[key]) is int is type(other[key]) for key in changed):
        return diff(*place, {name: encode(one)}, {name: encode(other)}, rule)
    path = f"{place[0]}.{place[1]}.{name}"
    return [
        {"path": f"{path}.{key}", "before": one[key], "after": other[key], "rule": rule}
        for key in changed
        if one[key] != other[key]
    ]
