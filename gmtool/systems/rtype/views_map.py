"""The map as it lies on the table: terrain, places, who stands where, and what is asked of a unit's reach."""

from collections.abc import Iterator
from typing import Any, NamedTuple

from gmtool.kernel.drawing import (
    FLAGSHIP,
    FOUND,
    INACTIVE,
    LEFT,
    RIGHT,
    SPENT,
    SUBSPACE,
    UNFOUND,
    Drawing,
    Foot,
    Ground,
    Piece,
    Sheet,
    Site,
    Spot,
    Texture,
    Zone,
)
from gmtool.kernel.hex import Hex, add
from gmtool.kernel.view import Name, Say, Word
from gmtool.systems.rtype import lay
from gmtool.systems.rtype.book import Book
from gmtool.systems.rtype.known import Seen
from gmtool.systems.rtype.model import BattleMap, Board, Unit
from gmtool.systems.rtype.reach import Reach
from gmtool.systems.rtype.views_moment import PHASES, header

KINDS: tuple[tuple[str, str, Texture], ...] = (
    ("wall", "#", "solid"), ("reef", ":", "rough"), ("facility", "F", "site"), ("resource", "$", "store"),
)  # fmt: skip
"""The kinds of terrain with their sign and how they look."""


class Asked(NamedTuple):
    """What is looked at: the hex in the middle, what is reached from it, and the word for that."""

    centre: Hex | None = None
    reach: Reach = Reach({})
    meaning: str = ""


def drawing(state: Board, book: Book, asked: Asked) -> Drawing:
    """The map with everything on it that the state holds; on the board of one side that is what it may know."""
    map = state.map
    assert map is not None
    return Drawing(
        tuple(_heads(state, map)),
        Sheet(map.columns, map.rows, 0 if map.shoved == "even" else 1),
        tuple(Name(side) for side in state.sides_in_order()),
        tuple(_grounds(map)),
        tuple(Site(Name(id), tuple(map_spots(place.hexes))) for id, place in state.places.items() if place.hexes),
        tuple(_zones(state, map)),
        tuple(_pieces(state, book)),
        {_spot(map, hex): steps for hex, steps in asked.reach.distances.items()},
        frozenset(_spot(map, hex) for hex in asked.reach.area),
        asked.meaning,
        centre=None if asked.centre is None else _spot(map, asked.centre),
        chosen=asked.centre is not None,
    )


def map_spots(labels: tuple[str, ...] | list[str]) -> list[Spot]:
    """Hexes as they are written, as columns and rows."""
    return [(int(label[:2]), int(label[2:])) for label in labels]


def _spot(map: BattleMap, hex: Hex) -> Spot:
    return lay.ground(map).labels.column(hex), hex[1] + 1


def _heads(state: Board, map: BattleMap) -> Iterator[Say]:
    """What the map is called, the moment of play, whose eyes it is seen with."""
    yield Say("view.map.title", {"name": map.name})
    battle = state.battle
    if battle is not None:
        facts: dict[str, Any] = {"turn": battle.turn, "phase": Word(battle.phase)}
        acting = {"side": Name(battle.acting)} if battle.acting else {}
        yield Say("view.map.acting", {**facts, **acting}) if acting else Say("view.where", facts)
    if state.eyes:
        yield Say("view.for-side", {"side": Name(state.eyes)})


def _grounds(map: BattleMap) -> Iterator[Ground]:
    for kind, glyph, texture in KINDS:
        spots = frozenset(map_spots([label for label, what in map.terrain.items() if what == kind]))
        if spots:
            yield Ground(kind, glyph, texture, spots)


def _zones(state: Board, map: BattleMap) -> Iterator[Zone]:
    """The sortie hexes, as long as they matter (RT-1.1)."""
    if header(state)["phase"] != "setup":
        return
    for rank, side in enumerate(state.sides_in_order()):
        labels = map.sortie.get(side, "").split()
        if labels:
            yield Zone(rank, Say("view.map.zone", {"side": Name(side)}), frozenset(map_spots(labels)))


# who stands there


def _pieces(state: Board, book: Book) -> Iterator[Piece]:
    """The units on the board, in its order."""
    ranks = {side: rank for rank, side in enumerate(state.sides_in_order())}
    for id, unit in sorted(lay.on_the_board(state), key=lambda each: each[1].order):
        if lay.spot(state, unit) is None:
            continue
        force = book.is_force(unit.sheet)
        yield Piece(
            Name(id), unit.handle, ranks.get(unit.side, len(ranks)), tuple(_feet(state, book, id, unit)),
            LEFT if unit.facing == lay.LEFT else RIGHT, force, (unit.attached_to or "") if force else "",
            frozenset(_badges(state, id, unit)),
        )  # fmt: skip


def _feet(state: Board, book: Book, id: str, unit: Unit) -> Iterator[Foot]:
    """The hexes of a unit: its body, parts with points of their own, others, as is a part shot off (RT-1.3)."""
    map, at, sheet = state.map, lay.spot(state, unit), book.sheet(unit.sheet)
    assert map is not None
    assert at is not None
    parts = {part.hex: part.id for part in sheet.parts if isinstance(unit, Seen) or unit.hp.get(part.id)}
    own = lay.shape(sheet)
    for n, (offset, hex) in enumerate(zip(own, lay.offsets(own, unit.facing or lay.RIGHT), strict=True)):
        spot, part = _spot(map, add(at, hex)), parts.get(offset)
        if n == 0:
            yield Foot(spot)
        elif part:
            yield Foot(spot, "part", Name(f"{id}/{part}"))
        else:
            yield Foot(spot, "dummy")


def _badges(state: Board, id: str, unit: Unit | Seen) -> Iterator[str]:
    """What is to be seen of a unit beside where it stands."""
    battle = state.battle
    searching = _searching(state)
    if searching and unit.side != searching:
        yield FOUND if is_found(state, unit, searching) else UNFOUND
    if battle and battle.phase in PHASES and battle.acting == unit.side and unit.acted:
        yield SPENT
    if unit.state in (SUBSPACE, INACTIVE):
        yield unit.state
    if battle and battle.phase != "over" and id in battle.flagships.values():
        yield FLAGSHIP


def _searching(state: Board) -> str | None:
    """Whose search counts in this phase: that of the side that looks, else of the side that acts (RT-6.1)."""
    battle = state.battle
    if battle is None or battle.phase not in PHASES:
        return None
    return state.eyes or battle.acting


def is_found(state: Board, unit: Unit | Seen, side: str) -> bool:
    """Whether a unit of this side has searched it (RT-6.1)."""
    return any(who in state.units and state.units[who].side == side for who in unit.found_by)


# lines below the map


def notes(state: Board, shown: Drawing) -> Iterator[Say]:
    """Who has been searched by whom, who has not; who is inactive, in subspace, done."""
    for piece in shown.pieces:
        finders = [Name(who) for who in state.units[piece.id].found_by if who in state.units]
        if FOUND in piece.badges and finders:
            yield Say("view.map.found", {"unit": piece.handle, "finders": finders})
    for badge in (UNFOUND, SPENT, SUBSPACE, INACTIVE, FLAGSHIP):
        units = " ".join(piece.handle for piece in shown.pieces if badge in piece.badges)
        if units:
            yield Say(f"view.map.{badge}", {"units": units})


def near(shown: Drawing, but: str) -> Iterator[Say]:
    """The other units in reach, the nearest first, each with its distance where there is one."""
    found = [(distance, piece) for piece in shown.pieces if piece.id != but for distance in _away(shown, piece)]
    if not shown.meaning or (not shown.numbers and not shown.lit):
        return
    units = [
        Say("view.map.at-distance", {"unit": piece.handle, "n": away}) if away else piece.handle
        for away, piece in sorted(found, key=lambda each: each[0])
    ]
    yield Say("view.map.near", {"units": units})


def _away(shown: Drawing, piece: Piece) -> list[int]:
    """How far away a unit is, by the nearest of its hexes; 0 in an area; nothing where it is not reached.

    A weapon has to reach a hex that can be aimed at, and a dummy hex is none (RT-1.3, 1.6).
    """
    spots = [foot.spot for foot in piece.feet if shown.meaning == "distance" or foot.role != "dummy"]
    reached = [shown.numbers[spot] for spot in spots if spot in shown.numbers]
    return [min(reached)] if reached else [0] if any(spot in shown.lit for spot in spots) else []
