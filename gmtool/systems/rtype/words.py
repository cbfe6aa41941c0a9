"""The kinds of words that R-TYPE's verbs read: units, pilots, sides, sheets, weapons, abilities, defences."""

from collections.abc import Mapping
from typing import Any

from gmtool.kernel.words import Candidate, Kind, Scope, one_of
from gmtool.systems.rtype.model import TEMPERAMENTS


def _named(table: str) -> Any:
    """Candidates from a table whose rows have a name (and perhaps a handle)."""

    def candidates(scope: Scope) -> list[Candidate]:
        rows = scope.state.table(table)
        return [Candidate(id, (row.name,), getattr(row, "handle", "")) for id, row in rows.items()]

    return candidates


def names_of(name: str | Mapping[str, str]) -> tuple[str, ...]:
    """A name in all the languages it has."""
    return (name,) if isinstance(name, str) else tuple(name.values())


def _sheets(scope: Scope) -> list[Candidate]:
    return [Candidate(id, names_of(name)) for id, name in scope.book.sheet_names()]


def _weapons(scope: Scope) -> list[Candidate]:
    """The weapons of the unit named earlier in the line; ``1`` to ``9`` in the sheet's order."""
    unit = scope.state.units.get(scope.given.get("unit", ""))
    if unit is None:
        return []
    weapons = scope.book.sheet(unit.sheet).weapons
    return [Candidate(w.id, names_of(w.name), str(n), unit.sheet) for n, w in enumerate(weapons, 1)]


UNIT = Kind("unit", candidates=_named("units"))
PILOT = Kind("pilot", candidates=_named("pilots"))
SIDE = Kind("side", candidates=_named("sides"))
SHEET = Kind("sheet", candidates=_sheets)
WEAPON = Kind("weapon", candidates=_weapons)
ABILITIES = ("agility", "intelligence")
ABILITY = one_of("ability", *ABILITIES)
TEMPERAMENT = one_of("temperament", *TEMPERAMENTS)
DEFENCES = ("evade", "focus")
