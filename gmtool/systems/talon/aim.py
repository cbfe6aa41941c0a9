"""What a weapon group can fire at: target, arc, range, line (TL-8.2, 8.3); for rulings and for what is merely shown."""

from typing import Any, NamedTuple

from gmtool.kernel.hex import Hex, distance
from gmtool.kernel.refusal import Id, Word
from gmtool.systems.talon import grid
from gmtool.systems.talon.book import Book
from gmtool.systems.talon.harm import parted
from gmtool.systems.talon.model import Board, Missile, Ship
from gmtool.systems.talon.sightlines import PLANET, Choice, arc, bar, ground
from gmtool.systems.talon.tables import Group, Weapon
from gmtool.systems.talon.targets import fighter_there, group_of, placed, spot, there


class Bar(NamedTuple):
    """Why a group cannot fire at a target: a refusal's code, key and rule, and its facts."""

    code: str
    key: str
    rule: str
    facts: dict[str, Any]


class Aim(NamedTuple):
    """A group with its weapon, and whose it is."""

    id: str
    ship: Ship
    group: Group
    weapon: Weapon


def aim_of(state: Board, book: Book, id: str, key: str) -> Aim | None:
    """The group of a number; None where the ship has none such."""
    ship = state.ships[id]
    group = group_of(book.ship_class(ship.sheet), ship, key)
    return None if group is None else Aim(id, ship, group, book.weapon(group.weapon))


def ruled_by(weapon: Weapon) -> str:
    """The rule of a weapon's reach and hits; missiles and the big guns have their own."""
    if weapon.launch is not None:
        return "TL-13.2"
    return "TL-15.1.1" if weapon.push else "TL-15.2.1" if weapon.cone else "TL-8.3"


def why_not(state: Board, book: Book, choice: Choice, aim: Aim, target: str) -> Bar | None:
    """What keeps a group from firing at a target; None if it can."""
    id, fighter = parted(target)
    row = there(state, id) if fighter_there(state, id, fighter) else None
    facts: dict[str, Any] = {"unit": Id(aim.id), "target": Id(target), "weapon": Id(aim.weapon.id)}
    if row is None:
        return Bar("not-active", "target-gone", "TL-8.2.1", facts)
    unfit = _unfit(state, book, choice, aim, row)
    if unfit is not None:
        return unfit._replace(facts=facts)
    barred = _placed(state, choice, aim, spot(row), facts) if placed(aim.ship, row) else None
    hidden = barred is not None and barred.code == "no-line" and aim.weapon.cone
    return None if hidden and choice("tl-15.2.2") == "behind" else barred


def _unfit(state: Board, book: Book, choice: Choice, aim: Aim, row: Ship | Missile) -> Bar | None:
    """What a target must be: an enemy; no missile for a launcher; a ship for a cone (TL-8.2.2, 13.2, 15.2.2)."""
    is_missile = isinstance(row, Missile)
    if row.side == aim.ship.side:
        return Bar("friend", "own-target", "TL-8.2.2", {})
    if aim.weapon.launch is not None and is_missile:
        return Bar("no-function", "no-missile-target", "TL-13.2", {})
    small = is_missile or book.ship_class(row.sheet).kind == "squadron"
    if aim.weapon.cone and small and choice("tl-15.2.2") != "any":
        return Bar("no-function", "cone-needs-ship", "TL-15.2.2", {})
    return None


def _placed(state: Board, choice: Choice, aim: Aim, goal: Hex, facts: dict[str, Any]) -> Bar | None:
    """Where a target must be: in another hex, in an arc, in range, with nothing between (TL-5.3.1, 8.2, 8.3)."""
    start, reach = spot(aim.ship), aim.weapon.ranges
    far = distance(start, goal)
    if far == 0:
        return Bar("not-in-range", "fire-same-hex", "TL-8.2.2", facts)
    seen = arc(choice, start, aim.ship.facing or 0, goal)
    if seen not in aim.group.arcs:
        arcs = [Word(each) for each in aim.group.arcs]
        return Bar("not-in-range", "not-in-arc", "TL-5.3.1", {**facts, "arc": Word(seen), "arcs": arcs})
    if far not in reach:
        reaches = {"range": far, "near": reach[0], "far": reach[-1]}
        return Bar("not-in-range", "out-of-range", ruled_by(aim.weapon), {**facts, **reaches})
    land = ground(state)
    barred = bar(choice, land, start, goal)
    if barred is not None:
        rule = "TL-17.2.2" if PLANET in land.get(barred, ()) else "TL-18.1"
        return Bar("no-line", "line-barred", rule, {**facts, "at": grid.label(barred)})
    return None


def can_strike(state: Board, book: Book, choice: Choice, aim: Aim) -> list[str]:
    """Whom a group can fire at, the nearest first: ships and bases, fighters one by one, then missiles."""
    found: list[tuple[bool, int, int, str]] = []
    for id, ship in state.fighting():
        if why_not(state, book, choice, aim, id) is None:
            near = distance(spot(aim.ship), spot(ship)) if placed(aim.ship, ship) else 0
            single = sorted(ship.fighters) if aim.weapon.launch is None else []
            found += [(False, near, ship.order, f"{id}/{each}") for each in single] or [(False, near, ship.order, id)]
    for id, missile in state.in_flight():
        if why_not(state, book, choice, aim, id) is None:
            found.append((True, distance(spot(aim.ship), spot(missile)), missile.order, id))
    return [id for *_, id in sorted(found)]


def in_cone(state: Board, book: Book, choice: Choice, aim: Aim) -> list[str]:
    """Whom a fusion cannon strikes, friend and foe, as they joined: ships, bases, missiles, no squadrons (TL-15.2).

    Without a board these are said; here then nobody.
    """
    if aim.ship.at is None:
        return []
    ships = [id for id, ship in state.on_board() if not ship.fighters and id != aim.id]
    struck = [*ships, *(id for id, _ in state.in_flight())]
    rows = {id: there(state, id) for id in struck}
    return [id for id, row in rows.items() if row is not None and _placed(state, choice, aim, spot(row), {}) is None]
