"""Sheets as they are shown: all of them a line each, one whole, weapons with what a unit has left for them."""

from collections.abc import Sequence

from gmtool.kernel.view import Block, Cell, Column, Grid, Line, Name, Say, Style, View, Word
from gmtool.systems.rtype.book import Book
from gmtool.systems.rtype.model import Unit
from gmtool.systems.rtype.tables import Sheet, Skill, Weapon

_WEAPONS = (
    Column("handle"),
    Column("weapon", close=True),
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


_FORMS = ("rc", "single", "ship", "force")
_SKILLS = (
    Column("skill"),
    Column("name"),
    Column("ability"),
    Column("checks", drop=1),
    Column("weapons", drop=2),
    Column("timing", drop=4),
    Column("bonus", "right"),
    Column("spirit", "right", drop=3),
)


def skills(book: Book) -> View:
    """All skills, a line each: what they add to, what a level adds, what a use costs (RT-23.2 to 23.4)."""
    return View((Grid(None, _SKILLS, tuple(_skill(book, skill) for skill in book.skills())),))


def _skill(book: Book, skill: Skill) -> tuple[Cell, ...]:
    figures = book.figures
    return (
        Cell(skill.id),
        Cell(Name(skill.id)),
        Cell(Word(skill.ability)),
        Cell(Say("view.skill.checks", {"checks": [Word(f"check-{each}") for each in skill.checks]})),
        Cell("" if skill.weapons == "any" else Word(skill.weapons)),
        Cell(Word("always" if skill.always else skill.timing)),
        Cell(figures.skill_per_level if skill.bonus is None else skill.bonus),
        Cell(figures.skill_cost if skill.cost is None else skill.cost),
    )


def sheets(book: Book) -> View:
    """All sheets that units can be added from, a line each: the R fleet's by squad form, then the Bydo's."""
    found = sorted(map(book.sheet, book.sheet_ids()), key=_place)
    return View((Grid(None, _SHEETS, tuple(_sheet_row(each) for each in found)),))


def _place(sheet: Sheet) -> tuple[bool, int, int, int]:
    """Where a sheet stands in the list: by side, squad form, development level and cost."""
    return sheet.bydo, _FORMS.index(sheet.squad), sheet.level, sheet.cost


def _sheet_row(sheet: Sheet) -> tuple[Cell, ...]:
    return (
        Cell(sheet.id),
        Cell(Name(sheet.id)),
        Cell(Say(f"view.squad.{sheet.squad}")),
        *(Cell(getattr(sheet, key)) for key in ("level", "cost", "hp", "move", "search", "fuel", "evade")),
        grade(sheet.grade),
    )


def sheet(book: Book, id: str) -> View:
    """A sheet: its figures, what it can do, what it combines with, its weapons."""
    row = book.sheet(id)
    facts = {"sheet": Name(id), "squad": Word(row.squad), "origin": row.origin or "-"}
    keys = ("level", "cost", "hp", "move", "search", "fuel", "evade")
    figures = [*((key, Cell(getattr(row, key))) for key in keys), ("grade", grade(row.grade))]
    covered = {*row.hexes, *(part.hex for part in row.parts)}
    if len(covered) > 1:
        figures.append(("covers", Cell(len(covered))))
    if row.capacity:
        figures.append(("capacity", Cell(row.capacity)))
    if "haul" in row.functions:
        figures.append(("hold", Cell(row.hold)))
    if row.squad == "rc":
        figures.append(("replacements", Cell(row.replacements)))
    blocks: list[Block] = [Line(Say("view.sheet.head", facts), "head"), one_row(figures), *abilities(row)]
    if row.bydo:
        blocks.append(Line(Say("view.unit.unmanned", {"temperament": Word(row.temperament)})))
    for part in row.parts:
        blocks.append(Line(Say("view.sheet.parts", {"part": Name(f"{id}/{part.id}"), "id": part.id, "hp": part.hp})))
    return View((*blocks, weapons(row)))


def abilities(sheet: Sheet) -> list[Block]:
    """What a sheet's craft can do or a force is (RT-4.5, 4.8), and which forces it can combine with."""
    found: list[Block] = []
    marks = [mark for mark in ("indestructible", "le") if getattr(sheet, mark)]
    if sheet.functions or marks:
        words = [Word(each) for each in (*sheet.functions, *marks)]
        found.append(Line(Say("view.sheet.functions", {"functions": words})))
    if sheet.forces:
        found.append(Line(Say("view.sheet.forces", {"forces": [Name(each) for each in sheet.forces]})))
    return found


def one_row(figures: Sequence[tuple[str, Cell]]) -> Grid:
    """Figures under their headings."""
    return Grid(None, tuple(Column(key) for key, _ in figures), (tuple(cell for _, cell in figures),))


def grade(grade: str, first: str = "") -> Cell:
    """The Bydo grade, which stands out where it is not the one a unit began with (RT-25.3)."""
    style: Style = "warn" if first and grade != first else ""
    return Cell(Say("view.clean") if grade == "clean" else Word(grade), style)


def weapons(sheet: Sheet, unit: Unit | None = None) -> Grid:
    """The weapons of a sheet by number, with a unit's ammunition and charge if it is given."""
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
        _stage(weapon, unit),
        *(Cell(Say("view.has") if has else "") for has in (weapon.intercept, weapon.counter)),
    )


def _stage(weapon: Weapon, unit: Unit | None) -> Cell:
    """The charge stage a weapon needs; ``*`` where the unit has reached it."""
    if weapon.charge is None:
        return Cell("")
    return Cell(f"{weapon.charge}*", "good") if unit and is_ready(weapon, unit) else Cell(weapon.charge)


def is_ready(weapon: Weapon, unit: Unit) -> bool:
    """Whether a unit has the charge stage that a charge weapon needs (RT-8.9)."""
    return weapon.charge is not None and weapon.charge <= unit.charge


def _reach(weapon: Weapon) -> Cell:
    """The range in hexes, nearest and farthest; or the shape of the area (RT-8.1, 8.9)."""
    if weapon.range is not None:
        near, far = weapon.range
        return Cell(f"{near}-{far}" if near != far else str(near))
    area = weapon.area
    if area is None or area.shape is None:
        return Cell(Say("view.area.offsets", {"n": len(area.offsets or ()) if area else 0}))
    return Cell(Say(f"view.area.{area.shape}", {"length": area.length}))
