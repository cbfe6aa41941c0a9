"""Search, range, line of fire, areas and knock-back written a second time (RT-1.3 to 1.7, 6, 8.1, 8.2, 8.9, 10.5)."""

from typing import Any

from tests.oracle.hexes import Ground, Hex, Piece, by, line, shape
from tests.oracle.moves import FAR


def finds(ground: Ground, piece: Piece) -> set[str]:
    """The enemies within its search value: any hex of one from any hex of the other (RT-1.3, 1.6, 5.9, 6.1)."""
    far = ground.far(ground.covered(piece))
    return {
        one.id for one in ground.standing()
        if one.side != piece.side and one.state != "subspace"
        and any(far.get(hex, FAR) <= piece.sheet["search"] for hex in ground.covered(one))
    }  # fmt: skip


def muzzle(ground: Ground, piece: Piece, kind: str) -> Hex:
    """Where a weapon fires from: the body; the force for its lasers, and for charge weapons if it sits in front."""
    if piece.force and (kind == "laser" or (kind == "charge" and piece.mount == "front")):
        return ground.seat(piece)
    return piece.at


def hidden(ground: Ground, one: Hex, other: Hex) -> bool:
    """Whether an obstacle stands between: no free hex at some step of the line (RT-8.2)."""
    return any(not any(hex not in ground.walls for hex in step) for step in line(one, other))


def refused(ground: Ground, piece: Piece, weapon: dict[str, Any], hex: Hex) -> set[str]:
    """Why a weapon does not reach a hex of a target (RT-8.1, 8.2)."""
    at = muzzle(ground, piece, weapon["kind"])
    steps = ground.far([at]).get(hex, FAR)
    low, high = weapon["range"]
    why = set() if low <= steps <= high else {"not-in-range"}
    if weapon["path"] == "direct" and hidden(ground, at, hex):
        why.add("no-line-of-fire")
    return why


def in_area(ground: Ground, piece: Piece, weapon: dict[str, Any]) -> set[tuple[str, str]]:
    """Who is in the area of a charge weapon, friends too: unit and part (RT-8.9, 8.11, 8.15, 8.16)."""
    at = muzzle(ground, piece, "charge")
    area = shape(weapon["area"], at, piece.facing)
    hides = ground.readings.get("rt-8.2-area") == "hidden" and weapon["path"] == "direct"
    return {
        (one.id, part) for one in ground.others(piece) if one.state != "subspace"
        for part, hex in one.targets().items()
        if hex in area and not (hides and hidden(ground, at, hex))
    }  # fmt: skip


def pushed(ground: Ground, rammer: Piece, target: Piece) -> dict[str, Hex]:
    """Who ends where when a target is driven one hex straight away; nobody moves if it cannot go (RT-10.5, 10.6).

    Craft and attached force go together, whichever is hit; but a force that rams leaves its craft.
    """
    step = target.at[0] - rammer.at[0], target.at[1] - rammer.at[1]
    body = ground.pieces[target.carried_by] if target.carried_by else target
    aside = {rammer.id, rammer.force, body.id, body.force}
    others = {hex for one in ground.standing() if one.id not in aside for hex in one.here()}
    still = set(ground.covered(rammer))
    if rammer.carried_by:
        still, others = {rammer.at}, others | set(ground.pieces[rammer.carried_by].here())
    driven = {by(hex, step) for hex in ground.covered(body)}
    if not all(ground.free(hex) for hex in driven) or driven & (others | still):
        return {}
    ends = {id: by(ground.pieces[id].at, step) for id in (body.id, body.force) if id}
    after = {by(hex, step) for hex in still}
    if all(ground.free(hex) for hex in after) and not after & (others | driven):
        ends |= {id: by(ground.pieces[id].at, step) for id in (rammer.id, rammer.force) if id}
    return ends
