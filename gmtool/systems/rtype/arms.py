"""What a unit defends itself with: the weapons of its sheet, and of the craft it sits on if it is an attached force."""

from gmtool.systems.rtype.book import Book
from gmtool.systems.rtype.model import Board
from gmtool.systems.rtype.tables import Weapon


def arms(state: Board, book: Book, id: str) -> list[tuple[str, Weapon]]:
    """Each weapon with the unit that fires it; a weapon called alike is the unit's own (RT-4.12)."""
    unit = state.units[id]
    own = [(id, weapon) for weapon in book.sheet(unit.sheet).weapons]
    craft = unit.attached_to if book.is_force(unit.sheet) else None
    if craft is None or craft not in state.units or not hasattr(state.units[craft], "ammo"):
        return own
    names = {weapon.id for _, weapon in own}
    lent = book.sheet(state.units[craft].sheet).weapons
    return [*own, *((craft, weapon) for weapon in lent if weapon.id not in names)]


def owner(state: Board, book: Book, id: str, weapon: str) -> str:
    """The unit that fires a weapon when this one defends itself with it (RT-4.12)."""
    return next((firing for firing, each in arms(state, book, id) if each.id == weapon), id)
