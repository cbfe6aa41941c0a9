"""Chapter 8 on the map: whom a weapon reaches from where things stand, and who lies in an area (RT-4.13, 8.1, 8.2)."""

from gmtool.kernel.case import Case
from gmtool.kernel.hex import Hex, add, ahead, disc, fan, mirrored
from gmtool.kernel.refusal import Id
from gmtool.systems.rtype import lay
from gmtool.systems.rtype.bars import Bar, barred
from gmtool.systems.rtype.book import Book
from gmtool.systems.rtype.model import Board, Unit
from gmtool.systems.rtype.tables import Area, Weapon

STRUCK = ("active", "inactive")


def origin(state: Board, book: Book, id: str, weapon: Weapon) -> Hex | None:
    """The hex a weapon is measured from: the body's; a laser's the attached force's (RT-4.12, 4.16); a charge weapon's
    the hex of a force at the front (RT-4.13).
    """
    unit = state.units[id]
    force = state.units.get(unit.attached_to or "") if not book.is_force(unit.sheet) else None
    if force is not None and (weapon.kind == "laser" or (weapon.charge is not None and force.mount == "front")):
        return lay.spot(state, force)
    return lay.spot(state, unit)


def cite_force(case: Case[Board, Book], id: str, weapon: Weapon) -> None:
    """The rule by which a weapon is measured from the force attached to its unit, where it is (RT-4.13, 4.16)."""
    state = case.state
    if lay.placed(state, id) and origin(state, case.book, id, weapon) != lay.spot(state, state.units[id]):
        case.cite("RT-4.16" if weapon.kind == "laser" else "RT-4.13")


def shape_of(area: Area) -> tuple[Hex, ...]:
    """The hexes of an area around its origin, facing right."""
    length = area.length or 0
    if area.offsets is not None:
        return area.offsets
    return {"line": ahead, "cone": fan, "burst": disc}[area.shape or "burst"](length)


def area_of(state: Board, book: Book, id: str, weapon: Weapon) -> frozenset[Hex]:
    """The hexes on the map that an area weapon covers from where its unit stands and faces (RT-3.2, 8.9).

    By the other reading a direct one covers none that an obstacle hides (RT-8.2).
    """
    start = origin(state, book, id, weapon)
    if start is None or weapon.area is None or state.map is None:
        return frozenset()
    turn = mirrored if state.units[id].facing == lay.LEFT else lambda offset: offset
    ground = lay.ground(state.map)
    hexes = [hex for hex in (add(start, turn(each)) for each in shape_of(weapon.area)) if ground.inside(hex)]
    if weapon.path == "direct" and book.reading("rt-8.2-area") == "hidden":
        hexes = [hex for hex in hexes if lay.clear_line(state, start, hex) is None]
    return frozenset(hexes)


def in_area(state: Board, book: Book, id: str, weapon: Weapon) -> list[str]:
    """Everyone whom an area weapon would hit, friend or foe: ``UNIT``, or ``UNIT/PART`` (RT-8.9, 8.11, 8.15, 8.16)."""
    unit, hexes = state.units[id], area_of(state, book, id, weapon)
    found = []
    for other, row in sorted(lay.on_the_board(state), key=lambda entry: entry[1].order):
        if other in {id, unit.attached_to} or row.state not in STRUCK:
            continue
        if lay.spot(state, row) in hexes:
            found.append(other)
        for part in book.sheet(row.sheet).parts:
            if row.hp.get(part.id) and lay.target_hex(state, book, other, part.id) in hexes:
                found.append(f"{other}/{part.id}")
    return found


def out_of_reach(state: Board, book: Book, id: str, weapon: Weapon, target: str, part: str = "") -> Bar | None:
    """Why a weapon does not reach a target from where both stand; None where it does or it is the GM's word."""
    if not lay.placed(state, id, target):
        return None
    goal = lay.target_hex(state, book, target, part)
    assert goal is not None
    aimed, shown = Id(target), Id(f"{state.units[id].sheet}/{weapon.id}")
    if weapon.area is not None:
        outside = goal not in area_of(state, book, id, weapon)
        return barred("way-not-in-area", "RT-8.9", target=aimed, weapon=shown) if outside else None
    start = origin(state, book, id, weapon)
    assert start is not None
    assert weapon.range is not None
    near, far = weapon.range
    steps = lay.free_between(state, (start,), (goal,), lay.FAR)
    if steps is None or not near <= steps <= far:
        span = f"{near}-{far}" if near != far else str(near)
        return barred("way-not-in-range", "RT-8.1", target=aimed, weapon=shown, range=span, steps=steps or "-")
    wall = lay.clear_line(state, start, goal) if weapon.path == "direct" else None
    return barred("way-no-line", "RT-8.2", target=aimed, weapon=shown, hex=lay.label(state, wall)) if wall else None


def reaching(state: Board, book: Book, id: str, target: str, part: str = "") -> list[Id]:
    """The weapons of a unit's sheet that do reach a target, and could be fired as far as it is up to the unit."""
    unit = state.units[id]
    sheet = book.sheet(unit.sheet)
    reach = [weapon for weapon in sheet.weapons if out_of_reach(state, book, id, weapon, target, part) is None]
    return [Id(f"{sheet.id}/{weapon.id}") for weapon in reach if _is_ready(book, unit, weapon)]


def _is_ready(book: Book, unit: Unit, weapon: Weapon) -> bool:
    """Whether there is ammunition, charge, and for a laser a force (RT-4.15, 8.1)."""
    if weapon.kind == "laser" and unit.attached_to is None and not book.is_force(unit.sheet):
        return False
    return unit.charge >= (weapon.charge or 0) and unit.ammo.get(weapon.id, 1) > 0
