"""Moves written a second time: ways, zones of control, encounters, and where a unit could get to (RT-3, 5.2 to 5.8)."""

from dataclasses import dataclass

from tests.oracle.hexes import AROUND, Ground, Hex, Piece, apart, beside, by

FAR = 10**9


@dataclass
class Walk:
    """How far a way is legal, and what is wrong then; or where it ends, and what it has cost."""

    path: list[Hex]
    movement: int = 0
    hexes: int = 0
    fuel: int = 0
    bad: Hex | None = None
    why: frozenset[str] = frozenset()
    met: tuple[str, ...] = ()


def near(ground: Ground, piece: Piece, hexes: list[Hex], zone: bool) -> set[str]:
    """The enemies next to any of these hexes: those with a zone of control, or those that can be met (RT-3.15)."""
    around = {next for hex in hexes for next in beside(hex)} | set(hexes)
    found = set()
    for one in ground.others(piece):
        if one.side == piece.side or one.state == "inactive" or not around & set(ground.covered(one)):
            continue
        if one.state == "active" or (zone and any(hex in ground.walls for hex in ground.covered(one))):
            found.add(one.id)
    return found


def unsearched(ground: Ground, piece: Piece, enemy: Piece) -> bool:
    """Whether its side has not searched the enemy (RT-3.6)."""
    if ground.readings.get("rt-3.6") == "sight":
        return not any(
            one.side == piece.side and one.state in ("active", "subspace") and not one.carried_by
            and any(ground.far(ground.covered(one)).get(at, FAR) <= one.sheet["search"] for at in ground.covered(enemy))
            for one in ground.standing()
        )  # fmt: skip
    return not any(ground.pieces[by].side == piece.side for by in enemy.marks)


def price(ground: Ground, piece: Piece, at: Hex, next: Hex) -> int:
    """Movement for a step: that of the dearest hex entered, one that it has not covered until then (RT-3.1, 3.10).

    In subspace terrain costs nothing (RT-5.13).
    """
    entered = set(ground.covered(piece, next)) - set(ground.covered(piece, at))
    return 2 if piece.state != "subspace" and entered & ground.reefs else 1


def purse(piece: Piece) -> tuple[int, int]:
    """Movement left, and the hexes that the fuel is enough for (RT-3.1, 3.4, 5.2)."""
    times = 2 if piece.state == "subspace" else 1
    return piece.sheet["move"] * times - piece.spent, FAR if piece.fuel is None else piece.fuel // times


def barred(ground: Ground, piece: Piece, at: Hex) -> set[str]:
    """Why a unit cannot be in a place even for a moment."""
    hexes = ground.covered(piece, at)
    enemies = [hex for one in ground.others(piece) if one.side != piece.side for hex in one.here()]
    why = {"edge"} if not all(ground.on(hex) for hex in hexes) else set()
    if piece.state != "subspace" and any(hex in ground.walls for hex in hexes):
        why.add("wall")
    return why | ({"enemy"} if set(enemies) & set(hexes) else set())


def taken(ground: Ground, piece: Piece, at: Hex, facing: str = "") -> bool:
    """Whether another unit, or part of one, covers a hex that it would stop in (RT-3.3)."""
    hexes = set(ground.covered(piece, at, facing))
    return any(hexes & set(one.here()) for one in ground.others(piece))


def caught(ground: Ground, piece: Piece, at: Hex, next: Hex, first: bool) -> bool:
    """Whether a step runs from one zone of control into another (RT-3.5); ``first``: it is the first of the move."""
    if first and ground.readings.get("rt-3.5-start") == "entered":
        return False
    before = near(ground, piece, ground.covered(piece, at), zone=True)
    after = near(ground, piece, ground.covered(piece, next), zone=True)
    return bool(before & after) if ground.readings.get("rt-3.5-enemy") == "same" else bool(before and after)


def meets(ground: Ground, piece: Piece, at: Hex) -> set[str]:
    """The enemies whom it meets in a place: neighbours that nobody has searched and that were none at the start.

    A move ends at the first of them, so that they are always new ones (RT-3.6, 3.15).
    """
    new = near(ground, piece, ground.covered(piece, at), zone=False) - near(ground, piece, ground.covered(piece), False)
    return {id for id in new if unsearched(ground, piece, ground.pieces[id])}


def walk(ground: Ground, piece: Piece, path: list[Hex]) -> Walk:
    """A unit goes over these hexes; an encounter ends it, and the rest of the way is never gone."""
    left, fuel = purse(piece)
    times = 2 if piece.state == "subspace" else 1
    at, done = piece.at, Walk([])
    for next in path:
        why = set() if apart(at, next) == 1 else {"not-beside"}
        why |= barred(ground, piece, next)
        why |= {"zone"} if caught(ground, piece, at, next, first=not done.path) else set()
        cost = price(ground, piece, at, next)
        why |= {"movement"} if done.movement + cost > left else set()
        why |= {"fuel"} if done.hexes + 1 > fuel else set()
        if why:
            why |= {"taken"} if len(done.path) + 1 == len(path) and taken(ground, piece, next) else set()
            done.bad, done.why = next, frozenset(why)
            return done
        done.movement, done.hexes, done.fuel = done.movement + cost, done.hexes + 1, (done.hexes + 1) * times
        done.path.append(next)
        met, at = meets(ground, piece, next), next
        if met:
            done.met = tuple(sorted(met))
            break
    if taken(ground, piece, at):
        done.bad, done.why = at, frozenset({"taken"})
    return done


def reach(ground: Ground, piece: Piece) -> dict[Hex, tuple[int, int]]:
    """Where it could stop: movement and hexes of the cheapest way, of those the shortest, within its fuel.

    A way that an encounter ends leads no further. ``best`` is the least movement to each place over so many hexes.
    """
    left, fuel = purse(piece)
    best: dict[Hex, int] = {piece.at: 0}
    found: dict[Hex, tuple[int, int]] = {}
    hexes = 0
    while best and hexes < fuel:
        hexes, after = hexes + 1, dict[Hex, int]()
        for at, spent in best.items():
            for step in AROUND:
                next = by(at, step)
                if barred(ground, piece, next) or caught(ground, piece, at, next, hexes == 1):
                    continue
                cost = spent + price(ground, piece, at, next)
                if cost <= min(left, after.get(next, FAR)):
                    after[next] = cost
        for hex, cost in after.items():
            found[hex] = min(found.get(hex, (FAR, FAR)), (cost, hexes))
        best = {hex: cost for hex, cost in after.items() if not meets(ground, piece, hex)}
    return {hex: cost for hex, cost in found.items() if hex != piece.at and not taken(ground, piece, hex)}
