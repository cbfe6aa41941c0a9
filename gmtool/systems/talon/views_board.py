"""The board: every ship with all its figures on one line, and only what matters beside them."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from gmtool.kernel.view import Block, Cell, Column, Fields, Grid, Line, Name, Say, Style, View
from gmtool.systems.talon.bars import Bar, bars
from gmtool.systems.talon.book import Book
from gmtool.systems.talon.grid import FACINGS
from gmtool.systems.talon.marks import modifier, shields_out
from gmtool.systems.talon.model import ACTIVE, SETUP, STATES, Board, Missile, Ship
from gmtool.systems.talon.tables import ARCS, Arc, ShipClass
from gmtool.systems.talon.views_moment import due_now, dues, next_line, points, spooled, where

FULL, LOST, REINFORCED, DOWN = "*", "x", "+", "!"
"""Signs behind figures: a bar that is full, a group destroyed, an arc with a marker, arcs that count as down."""
GROUPS = ("1", "2", "3")

COLUMNS = (
    Column("handle"),
    Column("unit", least=5, close=True),
    Column("class", close=True, drop=3),
    Column("at", close=True),
    Column("facing", close=True),
    Column("curve", close=True),
    Column("counter", "right", close=True),
    *(Column(f"arc-{arc}", close=True) for arc in ARCS),
    Column("hull", close=True),
    *(Column(f"group-{key}", close=True) for key in GROUPS),
    Column("extra", close=True, drop=2),
    Column("ftl", "right", close=True, drop=4),
    Column("now", close=True, drop=1),
)
_ROW = len(COLUMNS)


def board(state: Board, book: Book) -> View:
    """The whole board: moment, the ships with their figures, what is unusual, missiles, terrain, what is expected."""
    sides = in_order(state)
    blocks: list[Block] = [Fields(tuple(_head(state)), "head")]
    if sides:
        blocks.append(ships(state, book, sides))
    blocks += [*legend(state, book, sides), *missiles(state), *terrain(state)]
    blocks += [Line(say, "warn") for say in dues(state, "view.due")]
    following = next_line(state, book)
    return View((*blocks, *((Line(following),) if following and not state.ids("due") else ())))


def chronicle(state: Board, book: Book) -> View:
    """How the battle stands, or stood when it was over: the ships of each side, its points, who is lost."""
    sides = in_order(state)
    if not sides:
        return View(())
    moment = Line(where(state) or Say("view.no-battle"), "head")
    return View((moment, ships(state, book, sides), *legend(state, book, sides), *missiles(state), *terrain(state)))


def in_order(state: Board) -> list[str]:
    """The sides as they joined."""
    return sorted(state.sides, key=lambda side: state.sides[side].order)


def _head(state: Board) -> Iterator[Say]:
    """Campaign or battle, session if one is on, and the moment of play."""
    battle, campaign = state.battle, state.row("campaign", "campaign")
    name, session = (campaign.name, campaign.session) if campaign else ("", None)
    yield Say("view.title", {"name": name})
    if session:
        yield Say("view.session", {"n": session})
    if battle and battle.name != name:
        yield Say("view.title", {"name": battle.name})
    yield where(state) or Say("view.no-battle")


# the ships


def ships(state: Board, book: Book, sides: Sequence[str]) -> Grid:
    """One table for all sides, so that figures stand under figures; each side opens with its name and points."""
    rows: list[tuple[Cell, ...]] = []
    now = due_now(state, book)
    for side in sides:
        rows.append((Cell(_side(state, book, side), "head", _ROW),))
        members = state.of_side(side)
        for id, ship in members:
            if ship.state == ACTIVE:
                rows += ship_rows(state, book, id, now)
        for word in STATES[1:]:
            gone = [Name(id) for id, ship in members if ship.state == word]
            if gone:
                rows.append((Cell(""), Cell(Say(f"view.{word}", {"units": gone}), "dim", _ROW - 1)))
    return Grid(None, COLUMNS, tuple(rows))


def _side(state: Board, book: Book, side: str) -> Say:
    """A side with its initiative and the points it has destroyed; before the battle those its ships come to."""
    battle = state.battle
    facts: dict[str, Any] = {"side": Name(side)}
    if battle is None or battle.phase == SETUP:
        facts["points"] = sum(book.ship_class(ship.sheet).points for _, ship in state.of_side(side))
        if state.sides[side].budget:
            return Say("view.side-budget", {**facts, "most": state.sides[side].budget})
        return Say("view.side-fleet-first" if battle and battle.initiative == side else "view.side-fleet", facts)
    if side not in battle.sides:
        return Say("view.side", facts)
    facts["points"] = points(battle, side)
    return Say("view.side-first" if battle.initiative == side else "view.side-points", facts)


def ship_rows(state: Board, book: Book, id: str, now: Mapping[str, tuple[bool, bool]]) -> Iterator[tuple[Cell, ...]]:
    """A ship's figures, and below them what is unusual about it."""
    ship = state.ships[id]
    sheet = book.ship_class(ship.sheet)
    yield (
        Cell(ship.handle), Cell(Name(id)), Cell(sheet.code), Cell(ship.at or "-"), Cell(facing(ship.facing)),
        Cell(f"{ship.power}-{ship.speed}-{ship.turn}", "warn" if ship.power < 0 else ""), Cell(ship.counter or ""),
        *_boxes(state, sheet, ship), *_bars(sheet, ship), extra(sheet, ship), _ftl(state, sheet, ship), _now(id, now),
    )  # fmt: skip
    says = unusual(ship)
    if says:
        yield Cell(""), Cell(Say("view.notes", {"notes": says}), "warn" if ship.crits else "", _ROW - 1)


def facing(number: int | None) -> str:
    """A facing as it is typed."""
    return "" if number is None else FACINGS[number % 6]


def _boxes(state: Board, sheet: ShipClass, ship: Ship) -> tuple[Cell, ...]:
    """Shield boxes left by arc and the hull; of a squadron the boxes marked of each fighter."""
    if sheet.fighters is not None:
        return (Cell(fighters(sheet, ship), span=len(ARCS) + 1),)
    return *(shield(state, sheet, ship, arc) for arc in ARCS), hull(sheet, ship)


def shield(state: Board, sheet: ShipClass, ship: Ship, arc: Arc) -> Cell:
    """The boxes an arc has left, with a sign where it is reinforced or counts as down (TL-6.2, 8.5)."""
    left = ship.shields.get(arc, 0)
    sign = DOWN if shields_out(state, ship) else ""
    sign += REINFORCED if arc in ship.markers else ""
    whole = left >= (sheet.shields or {}).get(arc, 0)
    style: Style = "warn" if sign == DOWN else "good" if sign else "" if whole else "bad" if not left else "warn"
    return Cell(f"{left}{sign}", style)


def hull(sheet: ShipClass, ship: Ship) -> Cell:
    """Boxes marked of all, with what the leftmost open one adds to Power."""
    add = modifier(sheet, ship)
    return Cell(f"{ship.hull}/{len(sheet.hull)}{f' {add}' if add else ''}", "warn" if ship.hull else "")


def fighters(sheet: ShipClass, ship: Ship) -> str:
    """The hull boxes marked of each fighter; one that is lost has a sign."""
    most = len(sheet.hull)
    keys = [str(n) for n in range(1, (sheet.fighters or 0) + 1)]
    return " ".join(f"{ship.fighters[key]}/{most}" if key in ship.fighters else LOST for key in keys)


def _bars(sheet: ShipClass, ship: Ship) -> Iterator[Cell]:
    """The bars; a class of more groups than there are columns has the rest in the last."""
    found = list(bars(sheet, ship))
    for n, _ in enumerate(GROUPS[:-1]):
        yield bar(found[n]) if n < len(found) else Cell("")
    rest = [bar(each) for each in found[len(GROUPS) - 1 :]]
    yield Cell(" ".join(str(cell.text) for cell in rest), rest[0].style) if rest else Cell("")


def bar(shown: Bar) -> Cell:
    """Boxes charged of all; a full one has a sign, one that is lost only that."""
    if shown.lost:
        return Cell(LOST, "bad")
    if shown.full:
        return Cell(f"{shown.total}{FULL}", "good")
    return Cell(f"{shown.charged}/{shown.total}")


def extra(sheet: ShipClass, ship: Ship) -> Cell:
    """The battery, and the afterburners left (TL-10)."""
    battery = f"b{FULL if ship.battery else '-'}" if sheet.battery else ""
    left = sheet.afterburners - ship.burners
    return Cell(f"{battery}{f'a{left}' if sheet.afterburners else ''}", "good" if ship.battery else "")


def _ftl(state: Board, sheet: ShipClass, ship: Ship) -> Cell:
    """The round in whose Power Phase the drive spools, a sign once it has, or is offline (TL-11.1.3)."""
    if sheet.kind in ("base", "squadron"):
        return Cell("")
    if ship.offline:
        return Cell(LOST, "bad")
    total = len(sheet.hull)
    return Cell(f"{total}{FULL}" if spooled(state, total) else str(total), "good" if spooled(state, total) else "dim")


def _now(id: str, now: Mapping[str, tuple[bool, bool]]) -> Cell:
    """Whether it has AP in this impulse, whether it must move."""
    power, move = now.get(id, (False, False))
    return Cell(f"{'A' if power else ''}{'M' if move else ''}", "head")


def unusual(ship: Ship) -> list[Say]:
    """Markers: criticals, what they have done, side slip, initiative; who is docked."""
    says = [Say(f"view.crit.{kind}", {"since": ship.crits[kind][:-1]}) for kind in MARKERS if kind in ship.crits]
    says += [Say("view.crit.turn", {"n": ship.turn_plus})] if ship.turn_plus else []
    says += [Say("view.crit.power", {"n": ship.power_minus})] if ship.power_minus else []
    says += [Say("view.crit.offline")] if ship.offline else []
    says += [Say("view.slip")] if ship.slip else []
    says += [Say(f"view.marker.{ship.initiative}")] if ship.initiative else []
    says += [Say("view.powered")] if ship.powered else []
    return says


MARKERS = ("shields-down", "helm-down", "power-loss")
"""The criticals that leave a marker with its time; the others stand in fields of their own."""


# below the ships


def legend(state: Board, book: Book, sides: Sequence[str]) -> Iterator[Block]:
    """What the signs mean, where they stand."""
    shown = [ship for side in sides for _, ship in state.of_side(side) if ship.state == ACTIVE]
    sheets = [book.ship_class(ship.sheet) for ship in shown]
    all = [each for sheet, ship in zip(sheets, shown, strict=True) for each in bars(sheet, ship)]
    now = due_now(state, book)
    signs = {
        "full": any(each.full for each in all) or any(ship.battery for ship in shown),
        "lost": any(each.lost for each in all) or any(ship.offline for ship in shown),
        "reinforced": any(ship.markers for ship in shown),
        "down": any(shields_out(state, ship) for ship in shown),
        "battery": any(sheet.battery for sheet in sheets),
        "burners": any(sheet.afterburners for sheet in sheets),
        "counter": any(ship.counter for ship in shown),
        "ap": any(power for power, _ in now.values()),
        "move": any(move for _, move in now.values()),
    }
    says = tuple(Say(f"view.sign.{sign}") for sign, is_there in signs.items() if is_there)
    if says:
        yield Fields(says, "dim")


def missiles(state: Board) -> Iterator[Block]:
    """The missiles in flight with their targets (TL-13)."""
    says = tuple(missile(id, row) for id, row in state.in_flight())
    if says:
        yield Fields((Say("view.missiles"), *says))


def missile(id: str, row: Missile) -> Say:
    """A missile: where it is, whom it is after, whether it is damaged."""
    facts: dict[str, Any] = {"handle": row.handle, "hex": row.at, "facing": facing(row.facing)}
    damaged = "-damaged" if row.damaged else ""
    if row.target is None:
        return Say(f"view.missile.stray{damaged}", facts)
    return Say(f"view.missile.after{damaged}", {**facts, "target": Name(row.target)})


def terrain(state: Board) -> Iterator[Block]:
    """The terrain by its kind, each counter with its hex (TL-17 to 19)."""
    kinds: dict[str, list[str]] = {}
    for row in state.terrain.values():
        kinds.setdefault(row.kind, []).append(row.at)
    says = [
        Say("view.terrain", {"kind": Say(f"terrain.{kind}"), "hexes": " ".join(sorted(at))})
        for kind, at in kinds.items()
    ]
    if says:
        yield Fields(tuple(says))
