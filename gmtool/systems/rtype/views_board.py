"""The board: every unit with all its figures on one line, and only what matters beside them."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from gmtool.kernel.view import Block, Cell, Column, Fields, Grid, Line, Name, Say, Style, View, Word
from gmtool.systems.rtype.book import Book
from gmtool.systems.rtype.known import Other, Seen
from gmtool.systems.rtype.model import CRAFT, GONE, LEAD, RC, RESOURCES, Board, Pilot, Place, Unit, goal
from gmtool.systems.rtype.tables import Sheet
from gmtool.systems.rtype.views_hexes import with_hexes
from gmtool.systems.rtype.views_moment import PHASES, acted_and_waiting, dues, is_unseen, next_line, parked_names
from gmtool.systems.rtype.views_sheet import grade, is_ready

AWAY = ("adrift", "missing", "captured")
LOW = 4
"""Ammunition is low at a quarter of what a weapon holds."""

_BOARD = (
    Column("handle"),
    Column("unit", least=6, close=True),
    Column("pilot", least=4, drop=6),
    Column("lead", "right"),
    *(Column(craft, "right", close=True) for craft in RC),
    Column("fuel", "right", drop=2),
    Column("charge"),
    Column("grade", drop=4),
    Column("ammo", drop=5),
    Column("acted", drop=1),
)
_ROW = len(_BOARD)


def board(state: Board, book: Book) -> View:
    """The whole board: moment, the units side by side with their figures, what is unusual, what is due."""
    sides = state.sides_in_order()
    blocks: list[Block] = [Line(_head(state), "head"), *looks(state, sides), *_victory(state)]
    if sides:
        blocks.append(units(state, book, sides))
    shown = [state.units[id] for id in state.units if state.units[id].state not in GONE]
    blocks += [*_legend(book, whole(shown)), *_marks(shown), *trouble(state, list(state.pilots))]
    blocks += [*_places(state), *_parked(state)]
    return View((*blocks, *_expected(state)))


def looks(state: Board, sides: Sequence[str] = ()) -> Iterator[Block]:
    """With whose eyes a board is seen that is not the whole one; ``?`` where these sides' units have such marks."""
    if not state.eyes:
        return
    says = [Say("view.for-side", {"side": Name(state.eyes)})]
    if any(isinstance(unit, Seen) and unit.state not in GONE for side in sides for _, unit in state.of_side(side)):
        says.append(Say("view.not-known"))
    yield Fields(tuple(says), "dim")


def whole(units: Sequence[Unit]) -> list[Unit]:
    """Those of the units whose figures are known."""
    return [unit for unit in units if not isinstance(unit, Seen)]


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


def _victory(state: Board) -> Iterator[Block]:
    """What each side has to reach (RT-13.4); flagships are marked in their rows."""
    battle = state.battle
    if battle is None or battle.phase == "over":
        return
    says = [victory(state, side) for side in battle.sides if side in battle.victory]
    if says:
        yield Fields(tuple(says))


def victory(state: Board, side: str) -> Say:
    """A side's condition, and whether it is met."""
    battle = state.battle
    assert battle is not None
    condition = battle.victory[side]
    kind, named = goal(condition)
    if named and named in (state.places if kind == "facility" else state.units):
        what: Name | Word | str = Name(named)
    elif kind and not named:
        kind, what = "victory", Word(kind)
    else:
        # what the GM has put in words of his own is quoted: nothing watches it (RT-13.4)
        kind, what = "own-victory", condition
    facts: dict[str, Any] = {"side": Name(side), "what": what}
    return Say(f"view.{kind}-met" if side in battle.met else f"view.{kind}", facts)


def before(state: Board) -> tuple[str, ...]:
    """The units and pilots that were out before this battle; they are no matter of the board."""
    return state.battle.gone if state.battle else ()


# the units


def units(state: Board, book: Book, sides: Sequence[str]) -> Grid:
    """One table for all sides, so that figures stand under figures; each side opens with its name and resources."""
    rows: list[tuple[Cell, ...]] = []
    for side in sides:
        rows.append((Cell(_side(state, side), "head", _ROW),))
        members = state.of_side(side)
        for id, unit in _beside(book, members):
            if isinstance(unit, Seen):
                rows.append(_seen_row(state, book, id, unit))
                continue
            rows.append(_unit_row(state, book, id, unit))
            rows += _parts_row(book.sheet(unit.sheet), id, unit)
        for word in GONE:
            gone = [Name(id) for id, unit in members if unit.state == word and id not in before(state)]
            if gone:
                rows.append((Cell(""), Cell(Say(f"view.{word}", {"units": gone}), "dim", _ROW - 1)))
    return with_hexes(state, _BOARD, rows) if state.map else Grid(None, _BOARD, tuple(rows))


def _side(state: Board, side: str) -> Say:
    row = state.sides[side]
    resources = {} if isinstance(row, Other) else row.resources
    if not resources:
        return Say("view.side", {"side": Name(side)})
    return Say("view.side-resources", {"side": Name(side), **stock(resources)})


def stock(resources: Mapping[str, int]) -> dict[str, int]:
    """How much there is of each resource, nothing left out."""
    return {kind: resources.get(kind, 0) for kind in RESOURCES}


def _beside(book: Book, members: Sequence[tuple[str, Unit]]) -> Iterator[tuple[str, Unit]]:
    """Units in the board's order, each with those that belong to it below: its force, those aboard, its decoy."""
    here = {id: unit for id, unit in members if unit.state not in GONE}
    below: dict[str, list[str]] = {}
    for id, unit in here.items():
        above = craft_of(book, unit), unit.aboard, None if isinstance(unit, Seen) else unit.decoy_of
        below.setdefault(next((other for other in above if other in here), None) or "", []).append(id)

    def from_top(top: str) -> Iterator[str]:
        for id in below.get(top, ()):
            yield id
            yield from from_top(id)

    listed = list(from_top(""))
    # set by hand, two could be below one another
    for id in (*listed, *(id for id in here if id not in listed)):
        yield id, here[id]


def craft_of(book: Book, unit: Unit | Seen) -> str | None:
    """The craft that an attached force sits on."""
    return unit.attached_to if book.is_force(unit.sheet) else None


def _unit_row(state: Board, book: Book, id: str, unit: Unit) -> tuple[Cell, ...]:
    """A unit's figures; ``*`` at its charge means that a charge weapon is ready, ``!`` that ammunition is low."""
    sheet = book.sheet(unit.sheet)
    return (
        Cell(unit.handle),
        Cell(Name(id)),
        _seat(state, unit),
        *hit_points(unit, sheet),
        Cell(unit.fuel, "warn" if unit.fuel == 0 else ""),
        charge(unit, sheet),
        grade(unit.grade, sheet.grade),
        ammo_left(unit, sheet),
        _mark(state, book, id, unit),
    )


def _seen_row(state: Board, book: Book, id: str, unit: Seen) -> tuple[Cell, ...]:
    """Another side's unit: that it is there, which craft of a squad still fly, what it is seen to do."""
    points = seen_points(unit) if unit.craft else (Cell("?"), *[Cell("")] * len(RC))
    rest = [Cell("")] * (_ROW - 4 - len(points))
    return Cell(unit.handle), Cell(Name(id)), Cell(""), *points, *rest, _mark(state, book, id, unit)


def seen_points(unit: Seen) -> tuple[Cell, ...]:
    """``?`` for each craft that flies; one that is gone has 0, as everybody sees."""
    flies = [unit.craft.get(craft) for craft in CRAFT]
    return tuple(Cell("") if there is None else Cell("?") if there else Cell(0, "dim") for there in flies)


def _seat(state: Board, unit: Unit) -> Cell:
    """The pilot; one who cannot fly stands among those in trouble as well."""
    if not unit.pilot:
        return Cell(None)
    return Cell(Name(unit.pilot), "" if state.pilots[unit.pilot].state == "ready" else "warn")


def has_rc(unit: Unit) -> bool:
    """Whether a unit has or had RC craft."""
    return any(craft in unit.hp for craft in RC)


def hit_points(unit: Unit, sheet: Sheet) -> tuple[Cell, ...]:
    """The hit points of each craft of a squad; of a single craft what is left of how much."""
    if not has_rc(unit):
        return (Cell(f"{unit.hp[LEAD]}/{sheet.hp}", span=1 + len(RC)),)
    points = [unit.hp.get(craft) for craft in CRAFT]
    return tuple(Cell("" if n is None else n, "" if n else "dim") for n in points)


def _parts_row(sheet: Sheet, id: str, unit: Unit) -> Iterator[tuple[Cell, ...]]:
    """The hit points of a unit's parts, below its own (RT-1.3)."""
    parts = [
        Say("view.part", {"part": Name(f"{id}/{part.id}"), "now": unit.hp[part.id], "most": part.hp})
        for part in sheet.parts
        if part.id in unit.hp
    ]
    if parts:
        yield Cell(""), Cell(Say("view.parts", {"parts": parts}), span=_ROW - 1)


def charge(unit: Unit, sheet: Sheet) -> Cell:
    """The charge stage, marked if it lets a charge weapon fire (RT-8.9)."""
    ready = any(is_ready(weapon, unit) for weapon in sheet.weapons)
    return Cell(f"{unit.charge}*" if ready else str(unit.charge), "good" if ready else "")


def ammo_left(unit: Unit, sheet: Sheet) -> Cell:
    """What is left for each weapon that is limited, in the order of the sheet."""
    left = [(unit.ammo[weapon.id], weapon.ammo or 0) for weapon in sheet.weapons if weapon.id in unit.ammo]
    text = "/".join(f"{n}!" if n * LOW <= most else str(n) for n, most in left)
    return Cell(text, "warn" if "!" in text else "")


def _mark(state: Board, book: Book, id: str, unit: Unit | Seen) -> Cell:
    """What a unit has done, and where it is."""
    acted, note = _acted(state, unit), _note(state, book, id, unit)
    if acted and note:
        return Cell(Say("view.both", {"acted": acted, "note": note}), "dim")
    return Cell(acted or note or "", "dim")


def _acted(state: Board, unit: Unit | Seen) -> Say | None:
    """Of the side whose phase it is: whether the unit has acted, and its move where that is not as usual."""
    if state.battle is None or state.battle.phase not in PHASES or state.battle.acting != unit.side:
        return None
    if isinstance(unit, Seen):
        return Say("view.acted") if unit.acted else None
    if unit.acted:
        return Say("view.may-move" if unit.may_move else "view.acted")
    return Say("view.stopped") if unit.stopped else None


def _note(state: Board, book: Book, id: str, unit: Unit | Seen) -> Say | Word | None:
    """Where a unit is if it does not stand on its own in the open, or what is special about it."""
    craft = state.units.get(craft_of(book, unit) or "")
    ship = state.units.get(unit.aboard or "")
    if craft is not None:
        mount = "" if isinstance(unit, Seen) else unit.mount
        return Say(f"view.note.{mount or 'attached'}", {"craft": craft.handle})
    if ship is not None:
        return Say("view.note.aboard", {"ship": ship.handle})
    if unit.state != "active":
        return Say(f"view.note.{unit.state}")
    if not isinstance(unit, Seen) and unit.decoy_of:
        return Say("view.note.decoy")
    if state.battle is not None and id in state.battle.flagships.values():
        return Say("view.note.flagship")
    return Word(unit.form) if not isinstance(unit, Seen) and unit.form else None


# what is unusual


def _legend(book: Book, shown: Sequence[Unit]) -> Iterator[Block]:
    """What the marks mean, where they stand: which charge weapons are ready, whose; that ammunition is low."""
    ready: dict[str, tuple[str, list[str]]] = {}
    low = False
    for unit in sorted(shown, key=lambda unit: unit.order):
        sheet = book.sheet(unit.sheet)
        low = low or "!" in str(ammo_left(unit, sheet).text)
        for weapon in sheet.weapons:
            if is_ready(weapon, unit):
                # the weapon of two sheets is one line if it is called the same
                ready.setdefault(str(weapon.name), (f"{sheet.id}/{weapon.id}", []))[1].append(unit.handle)
    says = [Say("view.charged", {"weapon": Name(id), "units": " ".join(units)}) for id, units in ready.values()]
    if says or low:
        yield Fields((*says, *([Say("view.low")] if low else ())), "dim")


def _marks(shown: Sequence[Unit]) -> Iterator[Block]:
    """Who may not counter, who has been searched, who carries resources."""
    barred = [unit.handle for unit in whole(shown) if unit.no_counter]
    if barred:
        yield Line(Say("view.no-counter", {"units": " ".join(barred)}), "dim")
    found = [unit.handle for unit in shown if unit.found_by]
    if found:
        yield Line(Say("view.searched", {"units": " ".join(found)}), "dim")
    loaded = [unit for unit in whole(shown) if any(unit.hold.values())]
    held = [Say("view.hold", {"unit": unit.handle, **stock(unit.hold)}) for unit in loaded]
    if held:
        yield Fields(tuple(held), "dim")


def trouble(state: Board, pilots: Sequence[str]) -> Iterator[Block]:
    """The pilots who are not ready, or not where they can help; the dead and the lost in one line each."""
    told = [id for id in pilots if id not in before(state) or state.pilots[id].where not in AWAY]
    rows = [_trouble_row(state, id, state.pilots[id]) for id in told if in_trouble(state.pilots[id])]
    if rows:
        columns = (Column("", least=8), *(Column("") for _ in rows[0][1:]))
        yield Grid(None, columns, tuple(rows))
    dead = [Name(id) for id in pilots if state.pilots[id].state == "dead" and id not in before(state)]
    if dead:
        yield Line(Say("view.dead", {"pilots": dead}), "dim")


def in_trouble(pilot: Pilot) -> bool:
    """Whether a living pilot is not ready or not at hand."""
    return pilot.state != "dead" and (pilot.state != "ready" or pilot.where in AWAY)


def _trouble_row(state: Board, id: str, pilot: Pilot) -> tuple[Cell, ...]:
    """A pilot with what is left of him."""
    style: Style = "bad" if pilot.state in {"dying", "bydo"} else "warn"
    return (
        Cell(Name(id), style),
        Cell(Word(pilot.state), style),
        Cell(place_of(state, pilot)),
        Cell(Say("view.life", {"n": f"{pilot.life}/{pilot.life_max}"}), "bad" if pilot.life <= 0 else ""),
        Cell(Say("view.spirit", {"n": f"{pilot.spirit}/{pilot.spirit_max}"}), "warn" if pilot.spirit <= 0 else ""),
        Cell(Say("view.treated") if pilot.treated else "", "good"),
    )


def place_of(state: Board, pilot: Pilot) -> Name | Word:
    """Where a pilot is: a unit, or a word for it."""
    return Name(pilot.where) if state.row("units", pilot.where) is not None else Word(pilot.where)


def _places(state: Board) -> Iterator[Block]:
    """Facilities with how far each side is, resources with what is left (RT-12.8, 12.9)."""
    for id, place in state.places.items():
        yield Fields((Say("view.place", {"place": Name(id), "kind": Word(place.kind)}), *place_figures(state, place)))


def place_figures(state: Board, place: Place) -> list[Say]:
    """What lies at a place, or how far each side has occupied it."""
    if place.kind == "resource":
        return [Say("view.left", {"resource": Word(place.resource), "n": place.amount})]
    sides = [side for side in state.sides_in_order() if place.progress.get(side)]
    return [Say("view.progress", {"side": Name(side), "n": place.progress[side]}) for side in sides]


def _parked(state: Board) -> Iterator[Block]:
    """The battles that are put by."""
    if names := parked_names(state):
        yield Line(Say("view.parked", {"battles": names}), "dim")


def _expected(state: Board) -> Iterator[Block]:
    """What is due, each with the line that settles it; else what comes next."""
    due = list(dues(state, "view.due"))
    yield from (Line(say, "warn") for say in due)
    battle = state.battle
    if due and battle and battle.phase in PHASES and not is_unseen(state, battle.acting):
        acted, waiting = acted_and_waiting(state, battle.acting or "")
        yield Line(Say("view.foot", {"acted": " ".join(acted) or None, "waiting": " ".join(waiting) or None}), "dim")
    following = next_line(state)
    if following and following.key != "view.next.due":
        yield Line(following, "warn" if battle and battle.met else "")
