"""The roster: pilots with their careers, craft with what is left of them, losses, the roll of honour."""

from collections.abc import Iterator, Sequence
from typing import Any

from gmtool.kernel.view import Block, Cell, Column, Fields, Grid, Line, Name, Say, View, Word
from gmtool.systems.rtype import views_thing
from gmtool.systems.rtype.book import Book
from gmtool.systems.rtype.careers import Career, Fought, career_of, fought
from gmtool.systems.rtype.known import Other, Seen, side_of
from gmtool.systems.rtype.model import GONE, RC, Board, Pilot, Unit
from gmtool.systems.rtype.views_board import ammo_left, hit_points, looks, place_of, stock
from gmtool.systems.rtype.views_sheet import grade, one_row

_PILOTS = (
    Column("name", least=6),
    Column("player", least=4, drop=3),
    Column("seat", least=6),
    Column("state", drop=1),
    Column("life", "right"),
    Column("spirit", "right"),
    Column("lives", "right"),
    Column("sorties", "right"),
    Column("kills", "right"),
    Column("points", "right", drop=2),
)
_CRAFT = (
    Column("handle"),
    Column("unit", least=6, close=True),
    Column("pilot", least=4, drop=4),
    Column("lead", "right"),
    *(Column(craft, "right", close=True) for craft in RC),
    Column("fuel", "right", drop=2),
    Column("grade"),
    Column("ammo", drop=3),
    Column("state", drop=1),
)
_HONOUR = (Column("name", least=6), Column("player", least=4, drop=1), Column("sorties", "right"),
           Column("kills", "right"), Column("cause", drop=2), Column("fell"))  # fmt: skip
_SUMS = {"lost": "craft-lost", "lives": "lives-spent"}
"""The headings of a career's sums that are not called as the figures are."""


def roster(state: Board, book: Book, side: str = "") -> View:
    """The campaign's people and craft, of one side or all; of the others' only what is known whole (RT-26.2, 26.3)."""
    sides = [side] if side else state.sides_in_order()
    ids = pilots_of(state, side)
    blocks: list[Block] = [*looks(state), *pilots(state, ids), *_craft(state, book, sides)]
    blocks += [*_losses(state, sides), *honour(state, ids)]
    return View(tuple(blocks))


def pilots_of(state: Board, side: str) -> list[str]:
    """The pilots of a side: in its units, with their seats, or else the players' if a player leads them; or all."""
    return [id for id, pilot in state.pilots.items() if not side or side_of(state, id, pilot) == side]


def craft_of(state: Board, side: str) -> list[tuple[str, Unit]]:
    """The units of a side that are there and known whole; decoys are none (RT-12.10)."""
    there = [(id, unit) for id, unit in state.of_side(side) if not isinstance(unit, Seen) and unit.state not in GONE]
    return [(id, unit) for id, unit in there if not unit.decoy_of]


def lost_by(state: Board, side: str) -> list[str]:
    """The units that a side has lost since the campaign began and that have not been brought back."""
    units = [(id, unit) for id, unit in state.of_side(side) if unit.state in GONE]
    return [id for id, unit in units if isinstance(unit, Seen) or not unit.decoy_of]


def pilots(state: Board, ids: Sequence[str]) -> Iterator[Block]:
    """A line for each living pilot."""
    rows = tuple(_pilot_row(state, id, state.pilots[id]) for id in ids if state.pilots[id].state != "dead")
    yield Grid(None, _PILOTS, rows) if rows else Line(Say("view.roster.no-pilots"), "dim")


def _pilot_row(state: Board, id: str, pilot: Pilot) -> tuple[Cell, ...]:
    sums = career_of(state, id).sums
    lives = f"{pilot.lives.get('now', 0)}/{pilot.lives.get('max', 0)}"
    return (
        Cell(Name(id)), Cell(pilot.player), Cell(place_of(state, pilot)),
        Cell(Word(pilot.state), "" if pilot.state == "ready" else "warn"),
        Cell(f"{pilot.life}/{pilot.life_max}", "bad" if pilot.life <= 0 else ""),
        Cell(f"{pilot.spirit}/{pilot.spirit_max}", "warn" if pilot.spirit <= 0 else ""), Cell(lives),
        Cell(sums["sorties"]), Cell(sums["kills"]), Cell(pilot.points),
    )  # fmt: skip


def _craft(state: Board, book: Book, sides: Sequence[str]) -> Iterator[Block]:
    """One table for all sides, each below its name and resources."""
    rows: list[tuple[Cell, ...]] = []
    for side in sides:
        units = craft_of(state, side)
        if units:
            rows.append((Cell(side_line(state, side), "head", len(_CRAFT)),))
            rows += [_craft_row(state, book, id, unit) for id, unit in units]
    if rows:
        yield Grid(None, _CRAFT, tuple(rows))


def side_line(state: Board, side: str) -> Say:
    """A side, with its resources where they are known."""
    row = state.sides[side]
    resources = {} if isinstance(row, Other) else row.resources
    return Say("view.side-resources" if resources else "view.side", {"side": Name(side), **stock(resources)})


def _craft_row(state: Board, book: Book, id: str, unit: Unit) -> tuple[Cell, ...]:
    sheet = book.sheet(unit.sheet)
    ship = state.units.get(unit.aboard or "")
    where = Say("view.note.aboard", {"ship": ship.handle}) if ship else Word(unit.state)
    return (
        Cell(unit.handle), Cell(Name(id)), Cell(Name(unit.pilot) if unit.pilot else None), *hit_points(unit, sheet),
        Cell(unit.fuel, "warn" if unit.fuel == 0 else ""), grade(unit.grade, sheet.grade), ammo_left(unit, sheet),
        Cell(where),
    )  # fmt: skip


def _losses(state: Board, sides: Sequence[str]) -> Iterator[Block]:
    """What each side has lost in the whole campaign."""
    for side in sides:
        if gone := lost_by(state, side):
            yield Line(Say("view.roster.losses", {"side": Name(side), "units": [Name(id) for id in gone]}), "dim")


def honour(state: Board, ids: Sequence[str]) -> Iterator[Block]:
    """The dead, who are never taken from the rolls, with the battle each fell in (RT-26.3)."""
    rows = tuple(_honour_row(state, id, state.pilots[id]) for id in ids if state.pilots[id].state == "dead")
    if rows:
        yield Grid(Say("view.roster.honour"), _HONOUR, rows)


def _honour_row(state: Board, id: str, pilot: Pilot) -> tuple[Cell, ...]:
    career = career_of(state, id)
    battles = {str(battle.number): battle for battle in fought(state)}
    fell = next((number for number, how in career.state.items() if how == "dead"), "")
    where = battle_name(fell, battles.get(fell)) if fell else None
    cause = Word(f"died-{pilot.fate}") if pilot.fate else None
    return (
        Cell(Name(id)), Cell(pilot.player), Cell(career.sums["sorties"]), Cell(career.sums["kills"]), Cell(cause),
        Cell(where),
    )  # fmt: skip


def battle_name(number: str, battle: Fought | None) -> Say:
    """A battle by its name, with the session it ended in."""
    if battle is None:
        return Say("view.career.unnamed", {"number": number})
    key = "view.career.battle-session" if battle.session else "view.career.battle"
    return Say(key, {"name": battle.name, "session": battle.session})


# one pilot


def pilot(state: Board, book: Book, id: str) -> View:
    """A pilot as he is, the sums of his career, and a line for each battle he was in."""
    row, career = state.pilots[id], career_of(state, id)
    shown = views_thing.pilot(state, book, id)
    sums = [(_SUMS.get(key, key), Cell(n)) for key, n in {**career.sums, "points": row.points}.items()]
    return View((*looks(state), *shown.blocks, one_row(sums), *_history(state, career)))


def battles_of(career: Career) -> list[str]:
    """The numbers of the battles in a career, the first one first."""
    return sorted(career.flown, key=lambda number: (len(number), number))


def _history(state: Board, career: Career) -> Iterator[Block]:
    battles = {str(battle.number): battle for battle in fought(state)}
    for number in battles_of(career):
        yield Fields((battle_name(number, battles.get(number)), *_told(career, number)))


def _told(career: Career, number: str) -> Iterator[Say]:
    """What a career has of one battle: craft, kills, friends hit, losses, points, and how he came out of it."""
    for field in ("flown", "kills", "friends", "lost"):
        entries: dict[str, tuple[str, ...]] = getattr(career, field)
        if number in entries:
            yield Say(f"view.career.{field}", {"units": [Name(unit) for unit in entries[number]]})
    for field in ("wounds", "lives"):
        figures: dict[str, int] = getattr(career, field)
        if number in figures:
            yield Say(f"view.career.{field}", {"n": figures[number]})
    stood: list[Any] = [Word(entries[number]) for entries in (career.state, career.where) if number in entries]
    if stood:
        yield Say("view.career.stood", {"how": stood})
