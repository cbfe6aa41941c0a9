"""Chapter 4 on the map: forces carried by their craft, following it by themselves, falling asleep and waking."""

from typing import NamedTuple

from gmtool.kernel.case import Case
from gmtool.kernel.hex import Hex, way_to
from gmtool.kernel.refusal import Id, Word
from gmtool.kernel.state import Rows, replace
from gmtool.kernel.system import Chapter
from gmtool.systems.rtype import lay
from gmtool.systems.rtype.book import Book
from gmtool.systems.rtype.ending import ends_a_move
from gmtool.systems.rtype.model import Board, Unit
from gmtool.systems.rtype.rules.r03_ways import ENDLESS, Left, Mover

CHAPTER = Chapter("4 follow")
AnyCase = Case[Board, Book]
AWAKE, ASLEEP = "active", "inactive"


@ends_a_move
class Lagging(NamedTuple):
    """A craft or a force has ended a move: are the forces bound to it within their distance (RT-4.5, 4.22)?

    ``driven``: it was knocked back, which is no move that a force follows (RT-3.15, 4.17).
    """

    unit: str
    driven: bool = False


class Carried(NamedTuple):
    """A force is where its craft has carried it."""

    force: Id
    at: str
    facing: Word


class Followed(NamedTuple):
    """A force has moved by itself after its craft, and is spent for it (RT-4.6)."""

    force: Id
    unit: Id
    path: str
    hexes: int
    movement: int
    fuel: int | None


class FellAsleep(NamedTuple):
    """A force is too far from its craft."""

    force: Id
    unit: Id
    distance: int


class WokeUp(NamedTuple):
    """A force is within reach of its craft again."""

    force: Id
    unit: Id


def carry(case: AnyCase, id: str, told: bool = False) -> None:
    """The force that a craft carries sits beside it, wherever it stands and faces (RT-4.1, 4.3)."""
    unit = case.state.units[id]
    at = lay.spot(case.state, unit)
    if not unit.attached_to or at is None or case.book.is_force(unit.sheet):
        return
    force = case.state.units[unit.attached_to]
    facing = unit.facing or lay.RIGHT
    offset = lay.mount_offset(case.book.sheet(unit.sheet), facing, force.mount)
    where = lay.label(case.state, (at[0] + offset[0], at[1] + offset[1]))
    if (where, facing) != (force.at, force.facing):
        moved = Carried(Id(unit.attached_to), where, Word(facing))
        if told:
            case.emit(moved, "RT-4.1")
        else:
            case.keep(moved, "RT-4.1")


@CHAPTER.effect(Carried)
def carried(state: Board, event: Carried) -> Rows:
    """The force's hex and facing."""
    return {("units", event.force): replace(state.units[event.force], at=event.at, facing=str(event.facing))}


@CHAPTER.rule(Lagging)
def lagging(case: AnyCase, command: Lagging) -> None:
    """Each non-destructible force that is bound: it follows, falls asleep, or wakes (RT-4.5 to 4.8, 4.22)."""
    for id, force in sorted(case.state.units.items(), key=lambda entry: entry[1].order):
        if command.unit in {id, force.led_by} and _bound(case, force):
            _look(case, id, force, follows=id != command.unit and not command.driven)


def _bound(case: AnyCase, force: Unit) -> bool:
    """Whether a force keeps to the distance: non-destructible, no LE force, detached, led, on the map (RT-4.5, 4.8)."""
    sheet = case.book.sheet(force.sheet)
    if not sheet.indestructible or sheet.le or force.attached_to or not force.led_by or force.at is None:
        return False
    return force.state in (AWAKE, ASLEEP)


def _look(case: AnyCase, id: str, force: Unit, follows: bool) -> None:
    """How far it is from its craft, and what comes of it; where the craft stands nowhere that is the GM's matter."""
    leader = case.state.units[force.led_by or ""]
    at = lay.spot(case.state, leader)
    if at is None:
        return
    near = _steps(case, force, at) <= case.book.figures.force_leash
    if force.state == ASLEEP:
        if near:
            case.emit(WokeUp(Id(id), Id(force.led_by or "")), "RT-4.7")
    elif follows and not force.acted and _has_to_follow(case, force, at):
        _follow(case, id, force, at)
    elif not near:
        _sleep(case, id, force, at, "RT-4.5")


def _sleep(case: AnyCase, id: str, force: Unit, leader: Hex, rule: str) -> None:
    case.emit(FellAsleep(Id(id), Id(force.led_by or ""), _steps(case, force, leader)), rule)


def _steps(case: AnyCase, force: Unit, leader: Hex) -> int:
    """The distance of a force to its craft, round the walls (RT-1.4); where no way leads, farther than any."""
    at = lay.spot(case.state, force)
    assert at is not None
    steps = lay.free_between(case.state, (at,), (leader,), lay.FAR)
    return lay.FAR if steps is None else steps


def _has_to_follow(case: AnyCase, force: Unit, leader: Hex) -> bool:
    """Whether it must come nearer: from beyond 3 hexes, or by the other reading from 3 hexes already (RT-4.6)."""
    steps, leash = _steps(case, force, leader), case.book.figures.force_leash
    return steps >= leash and steps > _wanted(case)


def _wanted(case: AnyCase) -> int:
    """How near it comes (RT-4.6)."""
    return case.book.figures.force_leash - (1 if case.choice("rt-4.6") == "at" else 0)


def _follow(case: AnyCase, id: str, force: Unit, leader: Hex) -> None:
    """The shortest way to within the distance, with at most its move value; else as far as it gets (RT-4.6)."""
    start = lay.spot(case.state, force)
    assert start is not None
    mover = Mover(case.state, case.book, id, start, force.facing or lay.RIGHT)
    left = Left(case.book.sheet(force.sheet).move, ENDLESS if force.fuel is None else force.fuel)
    walked = mover.walk(tuple(_way(case, mover, left, leader)), left)
    fuel = None if force.fuel is None else force.fuel - len(walked.path)
    way = " ".join(map(mover.label, walked.path))
    case.emit(Followed(Id(id), Id(force.led_by or ""), way, len(walked.path), walked.cost, fuel), "RT-4.6")
    if _steps(case, case.state.units[id], leader) > case.book.figures.force_leash:
        _sleep(case, id, case.state.units[id], leader, "RT-4.6")
    elif walked.met:
        from gmtool.systems.rtype.rules.r03_meeting import Meeting

        case.follow(Meeting(id, walked.met, below=False))


def _way(case: AnyCase, mover: Mover, left: Left, leader: Hex) -> list[Hex]:
    """To the nearest hex that is near enough; where it reaches none, to the one that is nearest to its craft."""
    near, found = lay.reached_from(case.state, (leader,), lay.FAR), mover.ways(left)
    wanted = _wanted(case)
    goals = [hex for hex in found if hex in near and (hex == mover.start or not mover.taken(hex))]
    there = [hex for hex in goals if near[hex] <= wanted]
    best = min(
        there or goals,
        key=lambda hex: (0 if there else near[hex], found[hex][0].steps, near[hex], hex[1], hex[0]),
        default=mover.start,
    )
    return way_to(found, best)


@CHAPTER.effect(Followed)
def followed(state: Board, event: Followed) -> Rows:
    """Where it stands; it is spent for the turn."""
    force = state.units[event.force]
    at = event.path.rpartition(" ")[2] or force.at
    moved = force.moved + event.movement
    return {("units", event.force): replace(force, at=at, fuel=event.fuel, moved=moved, acted=True)}


@CHAPTER.effect(FellAsleep)
def fell_asleep(state: Board, event: FellAsleep) -> Rows:
    """Inactive where it is; its craft still leads it."""
    return {("units", event.force): replace(state.units[event.force], state=ASLEEP)}


@CHAPTER.effect(WokeUp)
def woke_up(state: Board, event: WokeUp) -> Rows:
    """In action again; what it has done in this phase stays done."""
    return {("units", event.force): replace(state.units[event.force], state=AWAKE)}
