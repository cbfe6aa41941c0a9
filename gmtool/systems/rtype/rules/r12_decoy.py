"""Chapter 12, decoys: making and detonating them (RT-12.10, 12.11, 12.13, 12.23, 12.24)."""

import re
from typing import Annotated, NamedTuple

from gmtool.kernel.case import Case
from gmtool.kernel.common import fresh_id, next_handle, slug
from gmtool.kernel.hex import Hex, add, distance
from gmtool.kernel.refusal import Id
from gmtool.kernel.state import Map, Rows, replace
from gmtool.kernel.system import Chapter
from gmtool.kernel.words import TEXT, Arg, Opt
from gmtool.systems.rtype import lay
from gmtool.systems.rtype.absent import not_active
from gmtool.systems.rtype.book import Book, move_value
from gmtool.systems.rtype.model import LEAD, Board, Unit, unspent
from gmtool.systems.rtype.rules.r01_setup import claim, numbered
from gmtool.systems.rtype.rules.r02_turn import may_act
from gmtool.systems.rtype.rules.r07_functions import may_work
from gmtool.systems.rtype.rules.r10_damage import CHAPTER as DAMAGE
from gmtool.systems.rtype.rules.r10_damage import Damage
from gmtool.systems.rtype.words import UNIT
from gmtool.systems.rtype.words_map import HEX

CHAPTER = Chapter("12", needs=(DAMAGE,))
AnyCase = Case[Board, Book]
STRUCK = ("active", "inactive")


class Decoy(NamedTuple):
    """A unit makes its decoy."""

    unit: Annotated[str, Arg(UNIT)]
    name: Annotated[str, Arg(TEXT)] = ""
    hex: Annotated[str, Opt("--at", HEX)] = ""


class Detonate(NamedTuple):
    """A decoy blows up amid all units next to it; where there is no map they are named."""

    unit: Annotated[str, Arg(UNIT)]
    near: Annotated[tuple[str, ...], Arg(UNIT, many=True)] = ()


class DecoyMade(NamedTuple):
    """A decoy has appeared; its maker has acted, and may still move if it had not."""

    unit: Id
    decoy: Id
    row: Unit
    may_move: bool


class DecoyAt(NamedTuple):
    """The hex of the map it has appeared in."""

    decoy: Id
    at: str


class Detonated(NamedTuple):
    """A decoy is gone; what its blast does to each unit next to it."""

    unit: Id
    points: int
    half: int
    total: int


@CHAPTER.rule(Decoy)
def decoy(case: AnyCase, command: Decoy) -> None:
    """An action, once per battle and unit: a second unit like the maker as it stands at that moment (RT-12.10)."""
    maker = may_work(case, command.unit, "decoy")
    if maker.decoy_made:
        case.forbid("once-only", "RT-12.10", key="decoy-made", unit=Id(command.unit))
    waits = case.choice("rt-12.23") == "next-phase"
    id, name = _named(case, command, maker)
    row = replace(_copy(case, command.unit, maker, name), at=_spot(case, command, maker))
    may_move = not maker.moved and not maker.stopped
    case.emit(DecoyMade(Id(command.unit), Id(id), replace(row, acted=waits), may_move), "RT-12.10")
    case.cite("RT-12.23")
    if row.at:
        case.emit(DecoyAt(Id(id), row.at), "RT-12.10")


def _spot(case: AnyCase, command: Decoy, maker: Unit) -> str | None:
    """On the map a free hex within the maker's move value; elsewhere the GM's word (RT-12.10, 12.23)."""
    start = lay.spot(case.state, maker)
    if start is None:
        return None
    if not command.hex:
        raise case.refuse("bad-value", "RT-12.10", key="decoy-where", unit=Id(command.unit))
    goal = lay.hex_of(case.state, command.hex)
    value = move_value(case.book, maker)
    steps = lay.free_between(case.state, (start,), (goal,), lay.FAR)
    if steps is None or steps > value:
        who, off = Id(command.unit), steps or "-"
        case.forbid("too-far", "RT-12.10", key="decoy-too-far", unit=who, hex=command.hex, steps=off, value=value)
    shape = lay.shape(case.book.sheet(maker.sheet))
    hexes = [add(goal, each) for each in lay.offsets(shape, maker.facing or lay.RIGHT)]
    bar = lay.no_room(case.state, case.book, hexes)
    if bar:
        case.forbid("no-room", "RT-12.23", key=bar.key, unit=Id(command.unit), **bar.facts)
    return command.hex


def _named(case: AnyCase, command: Decoy, maker: Unit) -> tuple[str, str]:
    """The id and the name of the decoy: the given name, else the maker's with the next number (RT-12.10)."""
    if command.name:
        case.name_free("units", command.name)
        return claim(case, command.name, maker.sheet), command.name
    base = re.sub(r"-\d+$", "", maker.name)
    claimed, id = fresh_id(case.state, slug(base, maker.sheet), numbered=True)
    case.keep(claimed)
    return id, numbered(case, base, max(claimed.n, 2))


def _copy(case: AnyCase, id: str, maker: Unit, name: str) -> Unit:
    """What looks like the maker: its points and squad, without pilot, force, cargo, or a decoy of its own."""
    handle = next_handle(case.state, "units", maker.side, name)
    return replace(
        unspent(maker), name=name, handle=handle, order=len(case.state.units) + 1,
        pilot=None, found_by=Map(), attached_to=None, led_by=None, mount="", hurt_by_bydo=False, rammed=False,
        hold=Map(dict.fromkeys(maker.hold, 0)), berthed="", decoy_of=id, decoy_made=True,
    )  # fmt: skip


@CHAPTER.effect(DecoyMade)
def decoy_made(state: Board, event: DecoyMade) -> Rows:
    """The decoy's row, its side's last handle; the maker has acted, its one decoy is made (RT-12.10, 12.23)."""
    maker, side = state.units[event.unit], state.sides[event.row.side]
    given = int(event.row.handle.removeprefix(side.letter))
    return {
        ("units", event.unit): replace(maker, acted=True, decoy_made=True, may_move=event.may_move),
        ("units", event.decoy): event.row,
        ("sides", event.row.side): replace(side, given=given),
    }


@CHAPTER.rule(Detonate)
def detonate(case: AnyCase, command: Detonate) -> None:
    """Half its hit points, rounded down, times 5 for every unit next to it, friend or foe (RT-12.11, 12.24)."""
    unit = may_act(case, command.unit, "RT-2.5")
    if not unit.decoy_of:
        raise case.refuse("bad-value", "RT-12.11", key="no-decoy", unit=Id(command.unit))
    if unit.moved:
        case.forbid("has-moved", "RT-7.2", key="decoy-moved", unit=Id(command.unit))
    near = tuple(dict.fromkeys((*command.near, *_beside(case, command.unit))))
    for other in near:
        _in_reach(case, command.unit, other)
    figures, points = case.book.figures, unit.hp[LEAD]
    half = points // figures.blast_divisor
    total = half * figures.blast_times
    case.emit(Detonated(Id(command.unit), points, half, total), "RT-12.11")
    case.cite("RT-12.24")
    case.result(damage=total)
    for other in near:
        case.follow(Damage(other, total, by=command.unit, named=True))


def _beside(case: AnyCase, id: str) -> list[str]:
    """On the map everyone next to the decoy: body and part hexes count, dummy hexes do not (RT-12.24)."""
    own = _solid(case, id)
    others = sorted(lay.on_the_board(case.state), key=lambda entry: entry[1].order)
    return [
        other
        for other, row in others
        if other != id and row.state in STRUCK
        and any(distance(a, b) <= 1 for a in own for b in _solid(case, other))
    ]  # fmt: skip


def _solid(case: AnyCase, id: str) -> list[Hex]:
    """The hexes of a unit that have hit points: its body's, and those of parts that are left."""
    unit = case.state.units[id]
    parts = [part.id for part in case.book.sheet(unit.sheet).parts if unit.hp.get(part.id)]
    hexes = [lay.target_hex(case.state, case.book, id, part) for part in ("", *parts)]
    return [hex for hex in hexes if hex is not None]


def _in_reach(case: AnyCase, id: str, other: str) -> None:
    """Whether a unit can be struck by the blast; that it is next to the decoy is measured on the map (RT-12.24)."""
    if other == id:
        raise case.refuse("bad-value", "RT-12.24", key="own-blast", unit=Id(id))
    if case.state.units[other].state not in STRUCK:
        not_active(case, other, "RT-12.24")
    elif lay.placed(case.state, id, other) and other not in _beside(case, id):
        steps = lay.apart(case.state, case.book, id, other)
        case.forbid("not-adjacent", "RT-12.24", unit=Id(id), target=Id(other), steps=steps or "-")


@CHAPTER.effect(Detonated)
def detonated(state: Board, event: Detonated) -> Rows:
    """The decoy is gone."""
    return {("units", event.unit): replace(state.units[event.unit], state="lost", at=None)}
