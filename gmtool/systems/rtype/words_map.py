"""The kinds of words that speak of hexes: one hex, blocks of them, the way of a move."""

import re

from gmtool.kernel.fold import fold, half_width
from gmtool.kernel.hex import Hex, disc
from gmtool.kernel.refusal import Refused
from gmtool.kernel.words import Candidate, Kind, Scope
from gmtool.systems.rtype.book import move_value
from gmtool.systems.rtype.lay import ground
from gmtool.systems.rtype.model import BattleMap, Unit

OFF, NONE, TO = "off", "none", "to"
_LABEL = re.compile(r"[0-9]{4}")
_NUMBER = re.compile(r"[0-9]{1,3}")
_MOST = 200


def _map(scope: Scope) -> BattleMap:
    found: BattleMap | None = scope.state.map
    if found is None:
        raise Refused("no-map")
    return found


def _label(word: str, scope: Scope) -> str:
    """A hex of the map as it is written on the sheet."""
    label = half_width(word).strip()
    if not _LABEL.fullmatch(label):
        raise Refused("bad-value", key="no-hex", exit=2, facts={"value": word, "options": examples(scope)})
    return _inside(label, _map(scope))


def examples(scope: Scope) -> list[str]:
    """Hexes that might be meant: those about the unit of the line, or about the middle of the map."""
    found: BattleMap | None = scope.state.map
    if found is None:
        return []
    lies = ground(found)
    unit = scope.state.units.get(scope.given.get("unit", ""))
    ship = scope.state.units.get(unit.aboard or "") if unit is not None else None
    at = getattr(unit, "at", None) or getattr(ship, "at", None)
    middle = lies.labels.read(at or f"{(found.columns + 1) // 2:02d}{(found.rows + 1) // 2:02d}")
    about = [(middle[0] + q, middle[1] + r) for q, r in ((0, 0), *disc(2))]
    return [lies.labels.label(hex) for hex in about if lies.inside(hex)]


def _inside(label: str, map: BattleMap) -> str:
    hex: Hex = ground(map).labels.read(label)
    if not (1 <= int(label[:2]) <= map.columns and 1 <= int(label[2:]) <= map.rows and ground(map).inside(hex)):
        facts = {"value": label, "columns": map.columns, "rows": map.rows}
        raise Refused("bad-value", key="off-the-map", exit=2, facts=facts)
    return label


def _near(scope: Scope) -> list[Candidate]:
    """Hexes to choose from, of the many there are: those about the unit of the line."""
    return [Candidate(label) for label in examples(scope)]


def _or(other: str, kind: Kind) -> Kind:
    """A hex, or one word besides."""
    return Kind(
        "hex", lambda word, scope: other if fold(word) == other else _label(word, scope),
        offers=lambda scope: [*_near(scope), Candidate(other)],
    )  # fmt: skip


def _block(word: str, scope: Scope) -> str:
    """The hexes of a block, parted by blanks: ``0301-0503``; or ``none``."""
    if fold(word) == NONE:
        return NONE
    from gmtool.systems.rtype.tables_map import labels

    first, dash, last = half_width(word).strip().partition("-")
    ends = [_label(end, scope) for end in (first, last if dash else first)]
    found = labels("-".join(ends))
    if not found:
        raise Refused("bad-value", key="hexes-backwards", exit=2, facts={"value": word})
    return " ".join(found)


def _way(word: str, scope: Scope) -> str:
    """One word of a move: a number of hexes, a hex of the map, or ``to`` in front of the last one."""
    plain = half_width(word).strip()
    if fold(word) == TO:
        return TO
    if _NUMBER.fullmatch(plain) and int(plain) <= _MOST:
        return str(int(plain))
    try:
        return _label(word, scope)
    except Refused as refused:
        if "options" in refused.facts:
            refused.facts["options"] = [*refused.facts["options"], TO, "1", "2", "3"]
        raise


def _ways(scope: Scope) -> list[Candidate]:
    """How a move can be said: ``to`` a hex it may stop in, without a map a number of hexes."""
    words, unit = scope.given.get("hexes", ()), scope.state.units.get(scope.given.get("unit", ""))
    if not isinstance(unit, Unit):
        return []
    start = _begins_in(scope, unit)
    if start is None:
        numbers = range(1, 0 if words else 1 + move_value(scope.book, unit))
        return [Candidate(str(n)) for n in numbers]
    if words:
        return _goals(scope) if words == (TO,) else []
    return [Candidate(TO)]


def _begins_in(scope: Scope, unit: Unit) -> Hex | None:
    from gmtool.systems.rtype.looks_reach import from_where

    return from_where(scope.state, unit) if scope.state.map is not None else None


def _goals(scope: Scope) -> list[Candidate]:
    """The hexes it may stop in."""
    from gmtool.systems.rtype.looks_reach import reachable

    try:
        return [Candidate(each.hex, sure=True) for each in reachable(scope.state, scope.book, scope.given["unit"])[1]]
    except Refused:
        return []


HEX = Kind("hex", _label, offers=_near)
HEX_OR_OFF = _or(OFF, HEX)
BLOCKS = Kind("hexes", _block)
WAY = Kind("way", _way, offers=_ways)
