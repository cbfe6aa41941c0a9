"""Non-destructible forces written a second time: the leash of three hexes (RT-4.5 to 4.8, 4.22)."""

from tests.oracle.hexes import Ground, Hex, Piece
from tests.oracle.moves import FAR, reach

LEASH = 3


def follows(ground: Ground, craft: Piece, force: Piece) -> tuple[str, set[Hex]]:
    """What becomes of a force when its craft has moved: its state, and where it may stand then.

    Where several ends are equally near, any is right. A force that cannot get there: nothing is said of its place.
    """
    far = ground.far([craft.at])
    gap = far.get(force.at, FAR)
    if gap <= LEASH or force.sheet.get("le"):
        return "active", {force.at}
    if force.state == "inactive" or force.acted:
        return "inactive", {force.at}
    ways = {hex: hexes for hex, (_, hexes) in reach(ground, force).items() if far.get(hex, FAR) <= LEASH}
    if not ways:
        return "inactive", set()
    return "active", {hex for hex, hexes in ways.items() if hexes == min(ways.values())}
