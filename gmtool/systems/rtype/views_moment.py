"""The moment of play: turn and phase, what is due, what the order of play expects next."""

from collections.abc import Iterator
from typing import Any

from gmtool.kernel.view import Name, Say, Word
from gmtool.kernel.words import typed
from gmtool.systems.rtype.model import Battle, Board

PHASES = ("first", "second")


def header(state: Board) -> dict[str, Any]:
    """The battle as scripts read it: before the first one turn 0 and phase ``setup``."""
    battle = state.battle
    if battle is None:
        nothing: dict[str, Any] = {"turn": 0, "phase": "setup", "acting": None, "current": None}
        return {**nothing, "victory": {}, "flagships": {}, "met": []}
    told = {"turn": battle.turn, "phase": battle.phase, "acting": battle.acting, "current": battle.current}
    on = {"victory": dict(battle.victory), "flagships": dict(battle.flagships)}
    return {**told, **on, "met": list(battle.met)}


def where(state: Board) -> Say | None:
    """The moment of play for the head of a ruling, and for a report its battle; nothing before the first one."""
    battle = state.battle
    facts: dict[str, Any] = {"turn": battle.turn, "phase": Word(battle.phase), "battle": battle.name} if battle else {}
    return Say("view.where", facts) if battle else None


def next_line(state: Board, book: object = None) -> Say | None:
    """What is due, or else what the order of play expects next; nothing where nothing is under way (RT-2.1, 13.5)."""
    battle = state.battle
    if (battle is None or battle.phase == "over") and (parked := parked_names(state)):
        return Say("view.next.parked", {"commands": [f"battle resume {typed(name)}" for name in parked]})
    if battle is None:
        ready = [side for side in state.sides if state.of_side(side)]
        return Say("view.next.start") if len(ready) == 2 else None
    if battle.phase == "initiative" and battle.winner:
        commands = [f"first {side}" for side in battle.sides]
        return Say("view.next.first", {"side": Name(battle.winner), "commands": commands})
    for due in dues(state, "view.next.due"):
        return due
    if battle.phase not in ("initiative", *PHASES):
        return None
    said = Say("view.next.initiative", {}) if battle.phase == "initiative" else _expected(state, battle)
    # the GM may end it, and may as well play on
    return Say(f"{said.key}-met", {**said.facts, "sides": [Name(side) for side in battle.met]}) if battle.met else said


def parked_names(state: Board) -> list[str]:
    """The names of the battles that are put by."""
    return [row["battle"]["name"] for row in state.table("parked").values()]


def _expected(state: Board, battle: Battle) -> Say:
    """Who of the acting side has still to act, or the end of its phase."""
    if is_unseen(state, battle.acting):
        return Say("view.next.unseen", {"side": Name(battle.acting or "")})
    acted, waiting = acted_and_waiting(state, battle.acting or "")
    facts: dict[str, Any] = {"side": Name(battle.acting or ""), "all": len(acted) + len(waiting)}
    if not waiting:
        return Say("view.next.end", facts)
    facts |= {"acted": len(acted), "waiting": " ".join(waiting)}
    # the unit that is taking its steps, unless it has taken them all (RT-2.6)
    current = state.units.get(battle.current or "")
    if current is not None and current.handle in waiting:
        return Say("view.next.going-on", {**facts, "unit": Name(battle.current or "")})
    return Say("view.next.act", facts)


def is_unseen(state: Board, side: str | None) -> bool:
    """Whether a side may have units that are not on this board, so that there is nothing to count."""
    return state.unfound and side != state.eyes


def acted_and_waiting(state: Board, side: str) -> tuple[list[str], list[str]]:
    """The handles of a side's units in action, in subspace too: those that have acted, those that have not."""
    units = [unit for _, unit in state.of_side(side) if unit.state in ("active", "subspace")]
    return [unit.handle for unit in units if unit.acted], [unit.handle for unit in units if not unit.acted]


def dues(state: Board, key: str) -> Iterator[Say]:
    """What is due, each with whom it is about and the line that settles it."""
    for _, due in state.table("due").items():
        who = Name(due.who) if due.who else None
        yield Say(key, {"what": Word(due.what), "who": who, "rule": due.rule, "command": due.command})
