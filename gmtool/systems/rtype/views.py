"""What R-TYPE shows: the board, one thing whole, sheets, and what is expected next. No words and no widths here.

Rows that rules read are shown as they stand; nothing is worked out that a rule works out.
"""

from collections.abc import Iterator, Sequence
from typing import Any

from gmtool.kernel.view import Block, Cell, Column, Grid, Line, Name, Say, Style, View, Word
from gmtool.systems.rtype.book import Book
from gmtool.systems.rtype.model import LEAD, RC, Battle, Board, Pilot, Unit
from gmtool.systems.rtype.tables import Sheet, Weapon

GONE = ("wrecked", "lost")
AWAY = ("adrift", "missing", "captured")
PHASES = ("first", "second")

_BOARD = (
    Column("handle"),
    Column("unit"),
    Column("pilot", drop=2),
    Column("lead", "right"),
    *(Column(craft, "right") for craft in RC),
    Column("fuel", "right", drop=1),
    Column("charge"),
    Column("grade", drop=3),
    Column("ammo", drop=4),
    Column("acted"),
)
_WEAPONS = (
    Column("handle"),
    Column("weapon"),
    Column("path", drop=2),
    Column("kind", drop=1),
    Column("hit", "right"),
    Column("damage", "right"),
    Column("range"),
    Column("ammo", "right"),
    Column("stage", "right"),
    Column("intercept", drop=3),
    Column("counter", drop=4),
)
_SHEETS = (
    Column("sheet"),
    Column("name"),
    Column("squad", drop=1),
    Column("level", "right", drop=5),
    Column("cost", "right", drop=4),
    Column("hp", "right"),
    Column("move", "right"),
    Column("search", "right", drop=6),
    Column("fuel", "right", drop=3),
    Column("evade", "right"),
    Column("grade", drop=2),
)


# the moment of play


def header(state: Board) -> dict[str, Any]:
    """Turn, phase and acting side as scripts read them: before the first battle turn 0 and phase ``setup``."""
    battle = state.battle
    if battle is None:
        return {"turn": 0, "phase": "setup", "acting": None}
    return {"turn": battle.turn, "phase": battle.phase, "acting": battle.acting}


def where(state: Board) -> Say | None:
    """The moment of play for the head of a ruling; nothing before the first battle."""
    battle = state.battle
    return Say("view.where", {"turn": battle.turn, "phase": Word(battle.phase)}) if battle else None


def next_line(state: Board) -> Say | None:
    """What is due, or else what the order of play expects next; nothing where nothing is under way (RT-2.1)."""
    battle = state.battle
    if battle is None:
        ready = [side for side in state.sides if state.of_side(side)]
        return Say("view.next.start") if len(ready) == 2 else None
    if battle.phase == "initiative" and battle.winner:
        commands = [f"first {side}" for side in battle.sides]
        return Say("view.next.first", {"side": Name(battle.winner), "commands": commands})
    for due in _dues(state, "view.next.due"):
        return due
    if battle.phase == "initiative":
        return Say("view.next.initiative")
    return _expected(state, battle) if battle.phase in PHASES else None


def _expected(state: Board, battle: Battle) -> Say:
    """Who of the acting side has still to act, or the end of its phase."""
    acted, waiting = _acted(state, battle.acting or "")
    facts: dict[str, Any] = {"side": Name(battle.acting or ""), "all": len(acted) + len(waiting)}
    if not waiting:
        return Say("view.next.end", facts)
    return Say("view.next.act", {**facts, "acted": len(acted), "waiting": waiting})


def _acted(state: Board, side: str) -> tuple[list[str], list[str]]:
    """The handles of a side's units in action: those that have acted, those that have not."""
    active = [unit for _, unit in state.of_side(side) if unit.state == "active"]
    return [unit.handle for unit in active if unit.acted], [unit.handle for unit in active if not unit.acted]


def _dues(state: Board, key: str) -> Iterator[Say]:
    """What is due, each with whom it is about and the line that settles it."""
    for _, due in state.table("due").items():
        who = Name(due.who) if due.who else None
        yield Say(key, {"what": Word(due.what), "who": who, "rule": due.rule, "command": due.command})


# the board


def board(state: Board, book: Book) -> View:
    """The whole board: moment, the units side by side with their figures, pilots in trouble, what is due."""
    blocks: list[Block] = [Line(_head(state), "head")]
    sides = state.sides_in_order()
    if sides:
        blocks.append(_units(state, book, sides))
    blocks += _trouble(state, list(state.pilots))
    blocks += [Line(due, "warn") for due in _dues(state, "view.due")]
    return View((*blocks, *_foot(state, book)))


def _head(state: Board) -> Say:
    """Campaign, session if one is on, and how far the battle is."""
    battle, session = state.battle, state.campaign.session
    kind = "setup" if battle is None else "acting" if battle.acting else "waiting"
    facts: dict[str, Any] = {"name": state.campaign.name}
    if battle:
        facts |= {"turn": battle.turn, "phase": Word(battle.phase)}
    if battle and battle.acting:
        facts["side"] = Name(battle.acting)
    if session:
        return Say(f"view.head.{kind}-session", {**facts, "session": session})
    return Say(f"view.head.{kind}", facts)


def _units(state: Board, book: Book, sides: Sequence[str]) -> Grid:
    """One table for all sides, so that figures stand under figures; each side opens with its name."""
    rows: list[tuple[Cell, ...]] = []
    for side in sides:
        rows.append((Cell(""), Cell(Name(side), "head"), *(Cell("") for _ in _BOARD[2:])))
        # units that are out come last; sorting keeps the board's order otherwise
        for id, unit in sorted(state.of_side(side), key=lambda entry: entry[1].state in GONE):
            rows.append(_gone_row(id, unit) if unit.state in GONE else _unit_row(state, book, id, unit))
    return Grid(None, _BOARD, tuple(rows))


def _gone_row(id: str, unit: Unit) -> tuple[Cell, ...]:
    """A unit that is out: its name, and how it went where its hit points stood."""
    shown = (Cell(unit.handle, "dim"), Cell(Name(id), "dim"), Cell(""), Cell(Word(unit.state), "dim"))
    return (*shown, *(Cell("") for _ in _BOARD[len(shown) :]))


def _unit_row(state: Board, book: Book, id: str, unit: Unit) -> tuple[Cell, ...]:
    """A unit's figures; ``*`` at its charge means that a charge weapon is ready."""
    sheet = book.sheet(unit.sheet)
    ready = _charged(unit, sheet)
    ammo = "/".join(str(unit.ammo[weapon.id]) for weapon in sheet.weapons if weapon.id in unit.ammo)
    return (
        Cell(unit.handle),
        Cell(Name(id)),
        Cell(Name(unit.pilot) if unit.pilot else None),
        Cell(unit.hp[LEAD] if _has_rc(unit) else f"{unit.hp[LEAD]}/{sheet.hp}"),
        *(_points(unit, craft) for craft in RC),
        Cell(unit.fuel),
        Cell(f"{unit.charge}*" if ready else str(unit.charge), "good" if ready else ""),
        _grade(unit.grade),
        Cell(ammo),
        _mark(state, unit),
    )


def _has_rc(unit: Unit) -> bool:
    return any(craft in unit.hp for craft in RC)


def _points(unit: Unit, craft: str) -> Cell:
    """The hit points of an RC craft; nothing for a craft that the unit never had."""
    points = unit.hp.get(craft)
    return Cell("") if points is None else Cell(points, "" if points else "dim")


def _charged(unit: Unit, sheet: Sheet) -> bool:
    """Whether a charge weapon of the sheet has the stage it needs (RT-8.9)."""
    return any(weapon.charge is not None and weapon.charge <= unit.charge for weapon in sheet.weapons)


def _grade(grade: str) -> Cell:
    """The Bydo grade; a letter is written the same everywhere."""
    return Cell(Say("view.clean")) if grade == "clean" else Cell(Word(grade), "warn")


def _mark(state: Board, unit: Unit) -> Cell:
    """Acted, in a side's phase; or where the unit is when it is not in action."""
    if unit.state != "active":
        return Cell(Word(unit.state), "dim")
    on = state.battle is not None and state.battle.phase in PHASES
    return Cell(Say("view.acted") if unit.acted and on else "", "dim")


def _trouble(state: Board, pilots: Sequence[str]) -> Iterator[Line]:
    """The pilots who are not ready, or not where they can help."""
    for id in pilots:
        pilot = state.pilots[id]
        if pilot.state != "ready" or pilot.where in AWAY:
            facts = {"pilot": Name(id), "state": Word(pilot.state), "where": _where(state, pilot)}
            yield Line(Say("view.trouble", facts), "bad" if pilot.state == "dead" else "warn")


def _where(state: Board, pilot: Pilot) -> Name | Word:
    return Name(pilot.where) if state.row("units", pilot.where) is not None else Word(pilot.where)


def _foot(state: Board, book: Book) -> Iterator[Line]:
    """What the mark means, if it is there; who has acted in this phase and who has not."""
    battle = state.battle
    active = [unit for unit in state.units.values() if unit.state not in GONE]
    if any(_charged(unit, book.sheet(unit.sheet)) for unit in active):
        yield Line(Say("view.charged"), "dim")
    if battle and battle.phase in PHASES:
        acted, waiting = _acted(state, battle.acting or "")
        yield Line(Say("view.foot", {"acted": acted or None, "waiting": waiting or None}), "dim")


# one thing whole


def thing(state: Board, book: Book, id: str) -> View | None:
    """A unit, pilot or side whole; None for an id that is none of these."""
    for table, shown in (("units", unit), ("pilots", pilot), ("sides", side)):
        if state.row(table, id) is not None:
            return shown(state, book, id)
    return None


def side(state: Board, book: Book, id: str) -> View:
    """A side: its units as on the board, and those of its pilots who are in trouble."""
    pilots = [unit.pilot for _, unit in state.of_side(id) if unit.pilot]
    return View((_units(state, book, [id]), *_trouble(state, pilots)))


def unit(state: Board, book: Book, id: str) -> View:
    """A unit: its figures, its pilot, its state, its weapons with what is left for them."""
    row = state.units[id]
    sheet = book.sheet(row.sheet)
    facts = {"unit": Name(id), "handle": row.handle, "sheet": Name(row.sheet), "side": Name(row.side)}
    blocks: list[Block] = [Line(Say("view.unit.head", facts), "head"), _figures(row, sheet)]
    blocks.append(Line(_manned(state, row, sheet)))
    blocks.append(Line(Say("view.unit.acted" if row.acted else "view.unit.state", {"state": Word(row.state)})))
    if row.no_counter:
        blocks.append(Line(Say("view.unit.no-counter"), "warn"))
    return View((*blocks, _weapons(sheet, row)))


def _figures(unit: Unit, sheet: Sheet) -> Grid:
    """Hit points of each craft with what they can have at most, and what a phase uses up."""
    points: list[tuple[str, Cell]] = [(craft, Cell(unit.hp[craft])) for craft in (LEAD, *RC) if craft in unit.hp]
    ready = _charged(unit, sheet)
    figures = [
        *points,
        ("max", Cell(sheet.hp)),
        ("fuel", Cell(None if unit.fuel is None else f"{unit.fuel}/{sheet.fuel}")),
        ("charge", Cell(f"{unit.charge}*" if ready else str(unit.charge), "good" if ready else "")),
        ("grade", _grade(unit.grade)),
        ("moved", Cell(f"{unit.moved}/{sheet.move}")),
        ("evade", Cell(sheet.evade)),
    ]
    if _has_rc(unit):
        figures.append(("replacements", Cell(unit.replacements)))
    return _one_row(figures)


def _one_row(figures: Sequence[tuple[str, Cell]]) -> Grid:
    """Figures under their headings."""
    return Grid(None, tuple(Column(key) for key, _ in figures), (tuple(cell for _, cell in figures),))


def _manned(state: Board, unit: Unit, sheet: Sheet) -> Say:
    """Who flies, with what he adds to checks; else the sheet's own temperament (RT-21.4)."""
    pilot = state.pilot_of(unit)
    if pilot is None:
        return Say("view.unit.unmanned", {"temperament": Word(sheet.temperament)})
    facts: dict[str, Any] = {"pilot": Name(unit.pilot or ""), "temperament": Word(pilot.temperament)}
    return Say("view.unit.pilot", {**facts, "agility": pilot.agility, "intelligence": pilot.intelligence})


def _weapons(sheet: Sheet, unit: Unit | None = None) -> Grid:
    """The weapons of a sheet by number, with a unit's ammunition if it is given."""
    rows = tuple(_weapon(n, sheet, weapon, unit) for n, weapon in enumerate(sheet.weapons, 1))
    return Grid(Say("view.unit.weapons"), _WEAPONS, rows)


def _weapon(n: int, sheet: Sheet, weapon: Weapon, unit: Unit | None) -> tuple[Cell, ...]:
    left = unit.ammo.get(weapon.id) if unit else None
    ammo = weapon.ammo if left is None else f"{left}/{weapon.ammo}"
    return (
        Cell(n),
        Cell(Name(f"{sheet.id}/{weapon.id}")),
        Cell(Word(weapon.path)),
        Cell(Word(weapon.kind)),
        Cell(weapon.hit),
        Cell(weapon.damage),
        _reach(weapon),
        Cell(ammo, "bad" if left == 0 else ""),
        Cell("" if weapon.charge is None else weapon.charge),
        *(Cell(Say("view.has") if has else "") for has in (weapon.intercept, weapon.counter)),
    )


def _reach(weapon: Weapon) -> Cell:
    """The range in hexes, nearest and farthest; or the shape of the area (RT-8.1, 8.9)."""
    if weapon.range is not None:
        near, far = weapon.range
        return Cell(f"{near}-{far}" if near != far else str(near))
    area = weapon.area
    if area is None or area.shape is None:
        return Cell(Say("view.area.offsets", {"n": len(area.offsets or ()) if area else 0}))
    return Cell(Say(f"view.area.{area.shape}", {"length": area.length}))


def pilot(state: Board, book: Book, id: str) -> View:
    """A pilot: abilities, points left of the most there are, lives, state and whereabouts."""
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
    standing = Say("view.pilot.state", {"state": Word(row.state), "where": _where(state, row)})
    return View((Line(head, "head"), _one_row(figures), Line(standing, style)))


# sheets


def sheets(book: Book) -> View:
    """All sheets that units can be added from, a line each."""
    return View((Grid(None, _SHEETS, tuple(_sheet_row(book.sheet(id)) for id in book.sheet_ids())),))


def _sheet_row(sheet: Sheet) -> tuple[Cell, ...]:
    return (
        Cell(sheet.id),
        Cell(Name(sheet.id)),
        Cell(Say(f"view.squad.{sheet.squad}")),
        *(Cell(getattr(sheet, key)) for key in ("level", "cost", "hp", "move", "search", "fuel", "evade")),
        _grade(sheet.grade),
    )


def sheet(book: Book, id: str) -> View:
    """A sheet: its figures, what it can do, what it combines with, its weapons."""
    row = book.sheet(id)
    facts = {"sheet": Name(id), "squad": Word(row.squad), "origin": row.origin or "-"}
    keys = ("level", "cost", "hp", "move", "search", "fuel", "evade")
    figures = [*((key, Cell(getattr(row, key))) for key in keys), ("grade", _grade(row.grade))]
    if row.capacity:
        figures.append(("capacity", Cell(row.capacity)))
    if row.squad == "rc":
        figures.append(("replacements", Cell(row.replacements)))
    blocks: list[Block] = [Line(Say("view.sheet.head", facts), "head"), _one_row(figures)]
    if row.functions:
        blocks.append(Line(Say("view.sheet.functions", {"functions": [Word(each) for each in row.functions]})))
    if row.forces:
        blocks.append(Line(Say("view.sheet.forces", {"forces": [Name(each) for each in row.forces]})))
    blocks += [Line(Say("view.sheet.parts", {"part": part.id, "hp": part.hp})) for part in row.parts]
    return View((*blocks, _weapons(row)))
