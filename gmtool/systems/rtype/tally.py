"""What a battle has come to so far, from the values as they stand: who is gone in it, and who has done it (RT-26.2)."""

from collections.abc import Mapping

from gmtool.kernel.refusal import Id
from gmtool.systems.rtype.careers import Fall
from gmtool.systems.rtype.model import GONE, Battle, Board


def standing(state: Board) -> dict[str, Fall]:
    """The falls that count: of units that are wrecks now; a decoy is none (RT-12.10)."""
    falls = state.table("falls").items()
    return {id: fall for id, fall in falls if state.units[id].state in GONE and not state.units[id].decoy_of}


def by_hand(falls: Mapping[str, Fall], friends: bool) -> dict[str, tuple[Id, ...]]:
    """Those of friends or of enemies, by the pilot, or the unit that had none at its controls."""
    found: dict[str, tuple[Id, ...]] = {}
    for id, fall in falls.items():
        if fall.friend == friends:
            who = fall.pilot or fall.unit
            found[who] = (*found.get(who, ()), Id(id))
    return found


def lost(state: Board, battle: Battle, side: str) -> tuple[Id, ...]:
    """The units of a side that went in this battle, decoys aside."""
    units = state.of_side(side)
    gone = [id for id, unit in units if unit.state in GONE and unit.decoy_of is None and id not in battle.gone]
    return tuple([Id(id) for id in gone])
