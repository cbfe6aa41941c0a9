"""The moment of play: round, impulse, whose turn and which step; what is due, what the order of play expects next."""

from collections.abc import Iterator
from typing import Any

from gmtool.kernel.view import Name, Say, Word
from gmtool.systems.talon.book import Book
from gmtool.systems.talon.model import ACTIVE, IMPULSE, OVER, POWER, RETREAT, SETUP, STEPS, Battle, Board, Ship
from gmtool.systems.talon.rules.r03_time import battery_ready, coming, must_move, waits


def header(state: Board) -> dict[str, Any]:
    """The battle as scripts read it: before the first one round 0 and phase ``setup``."""
    battle = state.battle
    if battle is None:
        nothing: dict[str, Any] = {"turn": 0, "phase": SETUP, "acting": None, "impulse": None, "step": None}
        return {**nothing, "initiative": None, "firing": None, "points": {}, "winner": None}
    told: dict[str, Any] = {"turn": battle.round, "phase": battle.phase, "acting": battle.acting}
    on = battle.phase == IMPULSE
    told |= {"impulse": battle.impulse if on else None, "step": battle.step if on else None}
    told |= {"initiative": battle.initiative, "firing": battle.firing}
    return {**told, "points": {side: points(battle, side) for side in battle.sides}, "winner": battle.winner}


def points(battle: Battle, side: str) -> int:
    """The ship points a side has destroyed: those that the others have lost (TL-17.1, B6)."""
    return sum(lost for other, lost in battle.lost.items() if other != side)


def where(state: Board) -> Say | None:
    """The moment of play for the head of a ruling, and for a report its battle; nothing before the first one."""
    battle = state.battle
    if battle is None:
        return None
    facts: dict[str, Any] = {"battle": battle.name, "round": battle.round}
    if battle.phase == IMPULSE and battle.acting:
        facts |= {"impulse": battle.impulse, "side": Name(battle.acting)}
        return Say(f"view.moment.{battle.step}", facts)
    if battle.acting and battle.phase not in (SETUP, OVER):
        return Say(f"view.moment.{battle.phase}-of", {**facts, "side": Name(battle.acting)})
    return Say(f"view.moment.{battle.phase}", facts)


def next_line(state: Board, book: Book) -> Say | None:
    """What is due, or else what the order of play expects next; nothing where nothing is under way (TL-3.2)."""
    for due in dues(state, "view.next.due"):
        return due
    battle = state.battle
    if battle is None or battle.phase == SETUP:
        return _set_up(state, battle)
    if battle.phase == OVER or battle.acting is None:
        return None
    facts: dict[str, Any] = {"side": Name(battle.acting)}
    left = [side for side in battle.sides if any(ship.state == ACTIVE for _, ship in state.of_side(side))]
    if len(left) < len(battle.sides):
        return Say("view.next.last", {"side": Name(left[0])}) if left else Say("view.next.nobody")
    if battle.phase != IMPULSE:
        return _in_phase(state, book, battle, facts)
    return _in_turn(state, book, battle, battle.acting)


def _set_up(state: Board, battle: Battle | None) -> Say | None:
    """Who has to be deployed, else the start of the battle."""
    sides = [side for side in (battle.sides if battle else state.sides) if state.of_side(side)]
    off = [
        ship.handle for _, ship in _in_order(state) if ship.state == ACTIVE and ship.at is None and ship.side in sides
    ]
    if off:
        key = "deploy" if state.on_board() or len(sides) != 2 else "deploy-or-start"
        return Say(f"view.next.{key}", {"waiting": " ".join(off)})
    return Say("view.next.start") if len(sides) == 2 else None


def _in_phase(state: Board, book: Book, battle: Battle, facts: dict[str, Any]) -> Say:
    """A player's part of a phase: who may come, or jump; nothing to do once nobody is left."""
    from gmtool.systems.talon.rules.r11_retreat import may_jump

    if battle.phase == POWER:
        return Say("view.next.power", facts)
    side = battle.acting or ""
    waiting = may_jump(state, book, side) if battle.phase == RETREAT else coming(state, side)
    if not waiting:
        return Say("view.next.end", facts)
    return Say(f"view.next.{battle.phase}", {**facts, "waiting": " ".join(_handles(state, waiting))})


def _in_turn(state: Board, book: Book, battle: Battle, side: str) -> Say:
    """What the acting side has left to do in its turn: the first step in which there is anything."""
    facts: dict[str, Any] = {"side": Name(side)}
    waiting = waits(state, book, side)
    steps = [*waiting]
    for step in steps[steps.index(battle.step) :]:
        if waiting[step]:
            return Say(f"view.next.{step}", {**facts, "waiting": " ".join(_handles(state, waiting[step]))})
    return _idle(state, book, battle, side, facts)


def _idle(state: Board, book: Book, battle: Battle, side: str, facts: dict[str, Any]) -> Say:
    """Nothing waits; what a side may do all the same: batteries in the AP step, afterburners before the fire."""
    ready = [id for id, ship in _own(state, side) if battery_ready(state, book, ship)]
    burners = may_burn(state, book, side)
    told = {**facts, "burners": " ".join(_handles(state, burners)), "batteries": " ".join(_handles(state, ready))}
    may = [*(["battery"] if ready and battle.step == "ap" else []), *(["burner"] if burners else [])]
    if not may or battle.step not in ("ap", "move"):
        return Say("view.next.end", facts)
    return Say(f"view.next.end-{'-'.join(may)}", told)


def may_burn(state: Board, book: Book, side: str) -> list[str]:
    """The ships of a side that could use an afterburner in this impulse (TL-10.2.2, 10.2.3)."""
    battle = state.battle
    assert battle is not None
    listed = book.listed(battle.impulse)
    return [
        id for id, ship in _own(state, side) if ship.speed not in listed and not ship.burned
        and ship.burners < book.ship_class(ship.sheet).afterburners
    ]  # fmt: skip


def due_now(state: Board, book: Book) -> dict[str, tuple[bool, bool]]:
    """Of each ship on the board, in its turn or before it: whether it may spend an AP, must still move (TL-4.1)."""
    battle = state.battle
    if battle is None or battle.phase != IMPULSE or battle.acting is None:
        return {}
    moving = {id for side in battle.sides for id in must_move(state, book, side)}
    listed = book.listed(battle.impulse)
    found = {}
    for id, ship in state.fighting():
        if ship.side == battle.acting:
            found[id] = ship.ap > 0 and battle.step == STEPS[0], id in moving
        elif battle.first:
            found[id] = ship.power in listed, id in moving
    return found


def spooled(state: Board, total: int) -> bool:
    """Whether a drive of so many hull boxes has spooled: in the Power Phase of that round (TL-11.1.3)."""
    battle = state.battle
    if battle is None or battle.phase in (SETUP, OVER):
        return False
    return battle.round > total or (battle.round == total and battle.phase != IMPULSE)


def dues(state: Board, key: str) -> Iterator[Say]:
    """What is due, each with whom it is about and the line that settles it."""
    for _, due in state.table("due").items():
        who = Name(due.who) if due.who else None
        yield Say(key, {"what": Word(due.what), "who": who, "rule": due.rule, "command": due.command})


def _own(state: Board, side: str) -> list[tuple[str, Ship]]:
    return [(id, ship) for id, ship in state.fighting() if ship.side == side]


def _in_order(state: Board) -> list[tuple[str, Ship]]:
    return sorted(state.ships.items(), key=lambda each: each[1].order)


def _handles(state: Board, ids: list[str]) -> list[str]:
    """The handles of ships and missiles."""
    rows = [state.ships.get(id) or state.missiles.get(id) for id in ids]
    return [row.handle for row in rows if row is not None]
