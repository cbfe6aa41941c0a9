"""The board drawn: terrain, who stands where and faces which way, and what is asked of arcs and distances.

The board has no end, so what is drawn is a window around all that stands on it.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from gmtool.kernel.drawing import Area, Drawing, Foot, Ground, Piece, Sheet, Spot, Texture
from gmtool.kernel.hex import Hex, disc, distance
from gmtool.kernel.view import Name, Say
from gmtool.systems.talon import grid, sightlines
from gmtool.systems.talon.book import Book
from gmtool.systems.talon.model import Board, Missile, Ship
from gmtool.systems.talon.tables import ARCS
from gmtool.systems.talon.views_board import in_order
from gmtool.systems.talon.views_moment import due_now, where

KINDS: tuple[tuple[str, str, Texture], ...] = (
    ("planet", "O", "globe"), ("asteroid", ":", "rocks"), ("nebula", "~", "cloud"), ("black-hole", "@", "pit"),
    ("worm-hole", "W", "gate"),
)  # fmt: skip
"""The kinds of terrain with their sign and how they look."""
GLYPHS: Mapping[str, str] = {"front": "F", "right": "R", "rear": "B", "left": "L"}
"""The sign of an arc, by the letters of the ship's record."""
MARGIN, MOST = 2, 99
"""The hexes around what stands on the board, and how many columns or rows are drawn at most."""


class Asked(NamedTuple):
    """What is looked at: the hex in the middle, whose arcs, how far."""

    centre: Hex | None = None
    arcs: str = ""
    range: int = 0


def drawing(state: Board, book: Book, asked: Asked) -> Drawing:
    """The board with everything on it that lies in the window: all of it, or what is within a range asked for."""
    numbers = _distances(asked)
    sheet = window([*numbers] or _spots(state), None if asked.centre is None else spot(asked.centre))
    areas = tuple(_areas(state, book, asked))
    return Drawing(
        tuple(_heads(state)), sheet, tuple(Name(side) for side in in_order(state)), tuple(_grounds(state, sheet)),
        pieces=tuple(piece for piece in _pieces(state) if within(sheet, piece.spot)),
        numbers={at: n for at, n in numbers.items() if within(sheet, at)},
        meaning="distance" if numbers else "",
        centre=None if asked.centre is None else spot(asked.centre), chosen=asked.centre is not None,
        areas=tuple(area._replace(spots=frozenset(filter(lambda at: within(sheet, at), area.spots))) for area in areas),
    )  # fmt: skip


def spot(hex: Hex) -> Spot:
    """A hex as the column and row of its label."""
    q, r = hex
    return q + 1, r + q // 2 + 1


def hex_of(at: Spot) -> Hex:
    """The hex of a column and row."""
    q = at[0] - 1
    return q, at[1] - 1 - q // 2


def within(sheet: Sheet, at: Spot) -> bool:
    """Whether a spot lies on the sheet that is drawn."""
    return at[0] in sheet.column_numbers() and at[1] in sheet.row_numbers()


def window(spots: Iterable[Spot], centre: Spot | None) -> Sheet:
    """The part of the board around these spots, a little beyond them; around the middle where they lie too far apart.

    Columns and rows below 1 are shown only where there is something on them.
    """
    found = list(spots) or [centre or (1, 1)]
    columns = _stretch([column for column, _ in found], centre and centre[0])
    rows = _stretch([row for _, row in found], centre and centre[1])
    # labels of four digits say themselves; others have a dot
    odd = [(c, r) for c in columns for r in rows if not (1 <= c <= 99 and 1 <= r <= 99)]
    labels = {at: grid.label(hex_of(at)) for at in odd}
    return Sheet(len(columns), len(rows), 0, True, (columns.start, rows.start), labels, True)


def _stretch(numbers: list[int], centre: int | None) -> range:
    low, high = min(numbers), max(numbers)
    start, stop = (max(low - MARGIN, 1) if low > 0 else low - MARGIN), high + MARGIN + 1
    if stop - start <= MOST:
        return range(start, stop)
    middle = sorted(numbers)[len(numbers) // 2] if centre is None else centre
    start = min(max(middle - MOST // 2, start), stop - MOST)
    return range(start, start + MOST)


def _spots(state: Board) -> list[Spot]:
    """All that is to be seen: pieces and terrain."""
    labels = [row.at for _, row in standing(state)] + [row.at for row in state.terrain.values()]
    return [spot(grid.read(label)) for label in labels if label]


def standing(state: Board) -> list[tuple[str, Ship | Missile]]:
    """Ships, then missiles, in the order in which they came."""
    return [*state.on_board(), *state.in_flight()]


def _heads(state: Board) -> Iterator[Say]:
    """The name of battle or campaign, the moment of play."""
    battle, campaign = state.battle, state.row("campaign", "campaign")
    yield Say("view.title", {"name": battle.name if battle else campaign.name if campaign else ""})
    moment = where(state)
    if moment is not None:
        yield moment


def _grounds(state: Board, sheet: Sheet) -> Iterator[Ground]:
    for kind, glyph, texture in KINDS:
        found = (spot(grid.read(row.at)) for row in state.terrain.values() if row.kind == kind)
        spots = frozenset(at for at in found if within(sheet, at))
        if spots:
            yield Ground(kind, glyph, texture, spots)


def _pieces(state: Board) -> Iterator[Piece]:
    """Ships, bases and squadrons turned as they face; missiles are lighter."""
    ranks = {side: rank for rank, side in enumerate(in_order(state))}
    for id, row in standing(state):
        at = Foot(spot(grid.read(row.at or "0101")))
        turned = None if row.facing is None else degrees(row.facing)
        yield Piece(Name(id), row.handle, ranks.get(row.side, len(ranks)), (at,), turned, isinstance(row, Missile))


def degrees(facing: int) -> int:
    """A facing in degrees clockwise from the right: the first looks down to the right."""
    return 30 + 60 * (facing % 6)


# what is asked


def _distances(asked: Asked) -> dict[Spot, int]:
    """How far each hex is away, up to the range asked for."""
    if asked.centre is None or not asked.range:
        return {}
    q, r = asked.centre
    return {spot((q + dq, r + dr)): distance((0, 0), (dq, dr)) for dq, dr in disc(asked.range)}


def _areas(state: Board, book: Book, asked: Asked) -> Iterator[Area]:
    """The four arcs of a ship, of fire and of shields alike (TL-5.3.1, 5.3.2)."""
    ship = state.ships.get(asked.arcs)
    if ship is None or ship.at is None or ship.facing is None:
        return
    here, facing = grid.read(ship.at), ship.facing
    found: dict[str, set[Spot]] = {arc: set() for arc in ARCS}
    for q, r in disc(asked.range):
        there = here[0] + q, here[1] + r
        found[sightlines.arc(book.reading, here, facing, there)].add(spot(there))
    for arc, spots in found.items():
        yield Area(GLYPHS[arc], Say(f"view.arc.{arc}"), frozenset(spots))


# lines below


def notes(state: Board, book: Book, shown: Drawing) -> Iterator[Say]:
    """Who has AP, who must move, who stands too far off to be drawn."""
    now = due_now(state, book)
    handles = {id: ship.handle for id, ship in state.fighting()}
    power = " ".join(handles[id] for id, (has, _) in now.items() if has)
    moving = " ".join(handles[id] for id, (_, must) in now.items() if must)
    if power:
        yield Say("view.has-ap", {"units": power})
    if moving:
        yield Say("view.must-move", {"units": moving})
    for at, kinds in sorted(sightlines.ground(state).items()):
        if len(kinds) > 1 and within(shown.sheet, spot(at)):
            words = [Say(f"terrain.{kind}") for kind in kinds]
            yield Say("view.both-there", {"hex": grid.label(at), "kinds": words})
    drawn = {piece.id for piece in shown.pieces}
    beyond = [f"{row.handle} {row.at}" for id, row in standing(state) if id not in drawn]
    if beyond:
        yield Say("view.beyond", {"units": beyond})


def near(state: Board, shown: Drawing, but: str) -> Iterator[Say]:
    """Who stands within the range asked for, the nearest first, with the arc where arcs are asked for."""
    glyphs = {at: area.glyph for area in shown.areas for at in area.spots}
    found = [(shown.numbers[piece.spot], piece) for piece in shown.pieces if piece.spot in shown.numbers]
    units = [
        Say("view.at-distance", {"unit": piece.handle, "n": f"{glyphs.get(piece.spot, '')}{n}"})
        for n, piece in sorted(found, key=lambda each: each[0])
        if piece.id != but
    ]
    if shown.numbers:
        yield Say("view.near", {"units": units})
