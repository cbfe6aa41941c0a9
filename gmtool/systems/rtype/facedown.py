"""Counters that lie face down: of the GM's units nobody has searched or identified, only that one is there (RT-6.6).

They are laid under their handles on a copy of the board, with a sheet that says nothing, before a side looks at it.
"""

from typing import Any

from gmtool.kernel.state import Map, Raw, replace
from gmtool.systems.rtype.model import LEAD, RC, Battle, Board, Pilot, Unit

SHEET = "face-down"
_BLANK = Raw(
    id=SHEET, name={"en": "face down", "ja": "裏返しのコマ", "ko": "뒤집힌 말"}, squad="single", hp=1, move=0, evade=0
)
_TIES = ("attached_to", "aboard", "decoy_of", "led_by")


def turned_over(state: Board, hidden: set[str]) -> Board:
    """The board with these units under their handles, and every tie to them so too."""
    names = {id: state.units[id].handle for id in hidden}
    board = Board({})
    for table in state.kinds:
        for id, row in state.table(table).items():
            board.put({(table, names.get(id, id) if table == "units" else id): _renamed(row, id, names)})
    board.put({("sheets", SHEET): _BLANK})
    return board


def _renamed(row: Any, id: str, names: dict[str, str]) -> Any:
    if isinstance(row, Unit):
        return _unit(_blank(row) if id in names else row, names)
    if isinstance(row, Pilot):
        return replace(row, where=names.get(row.where, row.where))
    if isinstance(row, Battle):
        ships = Map({side: names.get(ship, ship) for side, ship in row.flagships.items()})
        gone = tuple([names.get(unit, unit) for unit in row.gone])
        return replace(row, current=names.get(row.current or "", row.current), flagships=ships, gone=gone)
    return row


def _unit(unit: Unit, names: dict[str, str]) -> Unit:
    """A unit with its ties to those that lie face down."""
    ties = {tie: names.get(getattr(unit, tie) or "", getattr(unit, tie)) for tie in _TIES}
    found = Map({names.get(who, who): how for who, how in unit.found_by.items()})
    since = Map({names.get(who, who): when for who, when in unit.since.items()})
    return replace(unit, found_by=found, since=since, **ties)


def _blank(unit: Unit) -> Unit:
    """A counter's back: its handle, where it is, what it is seen to do."""
    gone = not any(unit.hp.get(craft) for craft in (LEAD, *RC))
    return replace(unit, name=unit.handle, sheet=SHEET, hp=Map({LEAD: 0 if gone else 1}), pilot=None, ammo=Map())
