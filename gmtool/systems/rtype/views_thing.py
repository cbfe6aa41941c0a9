"""One thing whole: a unit, a pilot, a side, a place."""

from typing import Any

from gmtool.kernel.view import Block, Cell, Column, Fields, Grid, Line, Name, Say, Style, View, Word
from gmtool.systems.rtype.book import Book, move_value
from gmtool.systems.rtype.known import Other, Seen
from gmtool.systems.rtype.model import CRAFT, LEAD, RC, Board, Pilot, Unit
from gmtool.systems.rtype.tables import Sheet
from gmtool.systems.rtype.views_board import (
    AWAY,
    charge,
    craft_of,
    has_rc,
    looks,
    place_figures,
    place_of,
    seen_points,
    stock,
    trouble,
    units,
    victory,
)
from gmtool.systems.rtype.views_sheet import abilities, grade, one_row, weapons


def thing(state: Board, book: Book, id: str) -> View | None:
    """A unit, pilot, side or place whole; None for an id that is none of these."""
    for table, shown in (("units", unit), ("pilots", pilot), ("sides", side), ("places", place)):
        if state.row(table, id) is not None:
            return shown(state, book, id)
    return None


def side(state: Board, book: Book, id: str) -> View:
    """A side: its units as on the board, what it has to reach, and those of its pilots who are in trouble."""
    row, battle = state.sides[id], state.battle
    whole = not isinstance(row, Other)
    says = [Say("view.bonus", {"n": f"{row.bonus:+d}"})] if whole and row.bonus else []
    if battle and id in battle.victory:
        says.append(victory(state, id))
    if battle and id in battle.flagships:
        says.append(Say("view.flagship", {"side": Name(id), "unit": Name(battle.flagships[id])}))
    pilots = [unit.pilot for _, unit in state.of_side(id) if unit.pilot] if whole else []
    shown: list[Block] = [Fields(tuple(says))] if says else []
    return View((*looks(state, [id]), units(state, book, [id]), *shown, *trouble(state, pilots)))


def unit(state: Board, book: Book, id: str) -> View:
    """A unit: its figures, its pilot, its state, what it carries, its weapons with what is left for them."""
    row = state.units[id]
    facts = {"unit": Name(id), "handle": row.handle, "sheet": Name(row.sheet), "side": Name(row.side)}
    if isinstance(row, Seen):
        return _seen(state, book, id, row, Line(Say("view.unit.head", facts), "head"))
    sheet = book.sheet(row.sheet)
    blocks: list[Block] = [Line(Say("view.unit.head", facts), "head"), _figures(book, row, sheet), *_parts(row, sheet)]
    blocks += _manned(state, row, sheet)
    blocks.append(Fields(tuple(_standing(state, id, row))))
    if row.no_counter:
        blocks.append(Line(Say("view.unit.no-counter"), "warn"))
    blocks += [*_around(state, book, id, row), *abilities(sheet), weapons(sheet, row)]
    return View(tuple(blocks))


def _seen(state: Board, book: Book, id: str, unit: Seen, head: Line) -> View:
    """Another side's unit: what lies open on the table, and no figure."""
    squad = one_row([each for each in zip(CRAFT, seen_points(unit), strict=True) if each[0] in unit.craft])
    standing = Fields(tuple(_standing(state, id, unit)))
    around = [*_attached(state, book, unit), *_tied(unit, ("aboard", unit.aboard)), *_found(unit)]
    shown: list[Block] = [*([squad] if unit.craft else ()), standing, *([Fields(tuple(around))] if around else ())]
    return View((head, *looks(state, [unit.side] if unit.craft else ()), *shown))


def _figures(book: Book, unit: Unit, sheet: Sheet) -> Grid:
    """Hit points of each craft with what they can have at most, and what a phase uses up."""
    points: list[tuple[str, Cell]] = [(craft, Cell(unit.hp[craft])) for craft in (LEAD, *RC) if craft in unit.hp]
    figures = [
        *points,
        ("max", Cell(sheet.hp)),
        ("fuel", Cell(None if unit.fuel is None else f"{unit.fuel}/{sheet.fuel}")),
        ("charge", charge(unit, sheet)),
        ("grade", grade(unit.grade, sheet.grade)),
        ("moved", Cell(f"{unit.moved}/{move_value(book, unit)}")),
        ("evade", Cell(sheet.evade)),
    ]
    if has_rc(unit):
        figures.append(("replacements", Cell(f"{unit.replacements}/{sheet.replacements}")))
    return one_row(figures)


def _parts(unit: Unit, sheet: Sheet) -> list[Block]:
    """The parts with their names, ids and hit points (RT-1.3)."""
    parts = [part for part in sheet.parts if part.id in unit.hp]
    if not parts:
        return []
    columns = (Column("part"), Column("name"), Column("hp", "right"))
    rows = ((Cell(p.id), Cell(Name(f"{sheet.id}/{p.id}")), Cell(f"{unit.hp[p.id]}/{p.hp}")) for p in parts)
    return [Grid(None, columns, tuple(rows))]


def _manned(state: Board, unit: Unit, sheet: Sheet) -> list[Block]:
    """Who flies, with what he adds to checks and has left; else the sheet's own temperament (RT-21.4)."""
    seat = state.seat_of(unit)
    if seat is None:
        return [Line(Say("view.unit.unmanned", {"temperament": Word(sheet.temperament)}))]
    row = state.pilots[seat]
    facts: dict[str, Any] = {"pilot": Name(seat), "temperament": Word(row.temperament)}
    head = Line(Say("view.unit.pilot", {**facts, "agility": row.agility, "intelligence": row.intelligence}))
    if row.state == "ready":
        return [head, Fields(tuple(_left(row))), *_skills(row)]
    return [head, Fields((*_left(row), Say("view.unit.state", {"state": Word(row.state)})), "warn"), *_skills(row)]


def _left(pilot: Pilot) -> list[Say]:
    """Life, spirit and lives that are left."""
    return [
        Say("view.life", {"n": f"{pilot.life}/{pilot.life_max}"}),
        Say("view.spirit", {"n": f"{pilot.spirit}/{pilot.spirit_max}"}),
        Say("view.lives", {"n": f"{pilot.lives.get('now', 0)}/{pilot.lives.get('max', 0)}"}),
    ]


def _skills(pilot: Pilot) -> list[Block]:
    """The skills with their levels (RT-23.2)."""
    skills = [Say("view.skilled", {"skill": Name(skill), "level": level}) for skill, level in pilot.skills.items()]
    return [Fields(tuple(skills))] if skills else []


def _standing(state: Board, id: str, unit: Unit | Seen) -> list[Say]:
    """The state of a unit: where it is, what it has done in this phase, how its dice are read."""
    says = [Say("view.unit.state", {"state": Word(unit.state)})]
    whole = None if isinstance(unit, Seen) else unit
    if unit.acted:
        says.append(Say("view.unit.may-move" if whole and whole.may_move else "view.unit.acted"))
    elif whole and whole.stopped:
        says.append(Say("view.unit.stopped"))
    if unit.at:
        says.append(Say("view.unit.at", {"hex": unit.at}))
    if unit.facing:
        says.append(Say("view.unit.facing", {"facing": Word(unit.facing)}))
    if whole and whole.form:
        says.append(Say("view.unit.state", {"state": Word(whole.form)}))
    if whole and whole.swap != "swap":
        says.append(Say("view.unit.swap", {"mode": Word(whole.swap)}))
    battle = state.battle
    if battle and id in battle.flagships.values():
        says.append(Say("view.unit.flagship"))
    return says


def _around(state: Board, book: Book, id: str, unit: Unit) -> list[Block]:
    """What a unit is tied to, who has found it, what it carries."""
    says = _attached(state, book, unit)
    says += _tied(unit, ("aboard", unit.aboard), ("decoy", unit.decoy_of), ("led", unit.led_by))
    if unit.decoy_made:
        says.append(Say("view.unit.decoy-made"))
    cargo = [Name(other) for other, row in state.units.items() if row.aboard == id]
    if cargo:
        most = book.sheet(unit.sheet).capacity
        # RT-12.5: an attached force takes no berth of its own
        have = sum(1 for other in cargo if not _mount(state.units[str(other)]))
        says.append(Say("view.unit.cargo", {"units": cargo, "have": have, "most": most}))
    says += _found(unit)
    if any(unit.hold.values()):
        says.append(Say("view.unit.hold", stock(unit.hold)))
    return [Fields(tuple(says))] if says else []


def _attached(state: Board, book: Book, unit: Unit | Seen) -> list[Say]:
    """The force of a craft or the craft of a force, and where it sits."""
    if not unit.attached_to:
        return []
    key = "view.unit.on" if craft_of(book, unit) else "view.unit.force"
    mount = _mount(unit) or _mount(state.units[unit.attached_to])
    where = [Say("view.unit.mount", {"mount": Word(mount)})] if mount else []
    return [Say(key, {"other": Name(unit.attached_to)}), *where]


def _mount(unit: Unit | Seen) -> str:
    return "" if isinstance(unit, Seen) else unit.mount


def _tied(unit: Unit | Seen, *ties: tuple[str, str | None]) -> list[Say]:
    """The other ties of a unit, each told once."""
    others = [(key, other) for key, other in ties if other and other != unit.attached_to]
    return [Say(f"view.unit.{key}", {"other": Name(other)}) for key, other in others]


def _found(unit: Unit | Seen) -> list[Say]:
    """Who has found a unit (RT-6.1)."""
    return [Say("view.unit.found", {"units": [Name(other) for other in unit.found_by]})] if unit.found_by else []


def pilot(state: Board, book: Book, id: str) -> View:
    """A pilot: abilities, points left of the most there are, lives, skills, state and whereabouts."""
    row = state.pilots[id]
    facts: dict[str, Any] = {"pilot": Name(id), "temperament": Word(row.temperament)}
    head = Say("view.pilot.head", facts)
    if row.player:
        head = Say("view.pilot.head-player", {**facts, "player": row.player})
    style: Style = "" if row.state == "ready" and row.where not in AWAY else "warn"
    figures = [(key, Cell(getattr(row, key))) for key in ("body", "agility", "intelligence", "diplomacy")]
    figures += [
        ("life", Cell(f"{row.life}/{row.life_max}")),
        ("spirit", Cell(f"{row.spirit}/{row.spirit_max}")),
        ("lives", Cell(f"{row.lives.get('now', 0)}/{row.lives.get('max', 0)}")),
    ]
    says = [Say("view.pilot.state", {"state": Word(row.state), "where": place_of(state, row)})]
    says += [Say("view.treated")] if row.treated else []
    says += [Say("view.pilot.out")] if row.out else []
    says += [Say("view.unit.swap", {"mode": Word(row.swap)})] if row.swap != "swap" else []
    return View((Line(head, "head"), one_row(figures), Fields(tuple(says), style), *_skills(row)))


def place(state: Board, book: Book, id: str) -> View:
    """A facility or a resource."""
    row = state.places[id]
    head = Line(Say("view.place", {"place": Name(id), "kind": Word(row.kind)}), "head")
    return View((head, *(Line(say) for say in place_figures(state, row))))
