"""Chapter 3 on the map: a unit moves hex by hex, is stopped by whom it meets, turns, and searches at the end."""

from itertools import pairwise
from typing import Annotated, NamedTuple

from gmtool.kernel.case import Case
from gmtool.kernel.hex import Hex, way_to
from gmtool.kernel.refusal import Id, Refused, Word
from gmtool.kernel.state import Rows, replace
from gmtool.kernel.system import Chapter
from gmtool.kernel.words import Arg
from gmtool.systems.rtype import lay
from gmtool.systems.rtype.bars import Bar
from gmtool.systems.rtype.book import Book
from gmtool.systems.rtype.ending import ends_a_move
from gmtool.systems.rtype.model import Board, Unit
from gmtool.systems.rtype.rules.r02_turn import CHAPTER as TURN
from gmtool.systems.rtype.rules.r02_turn import TAKING_STEPS, acted_now, begin_steps, in_phase
from gmtool.systems.rtype.rules.r03_move import CHAPTER as MOVES
from gmtool.systems.rtype.rules.r03_move import may_move
from gmtool.systems.rtype.rules.r03_ways import ENDLESS, IMPOSSIBLE, Left, Mover, Walked, fuel_each, left_of
from gmtool.systems.rtype.rules.r04_follow import CHAPTER as FOLLOWING
from gmtool.systems.rtype.rules.r04_follow import Lagging, carry
from gmtool.systems.rtype.rules.r05_subspace import SUBSPACE, SubspaceEmpty
from gmtool.systems.rtype.words import FACING, UNIT
from gmtool.systems.rtype.words_map import TO

CHAPTER = Chapter("3 map", needs=(TURN, MOVES, FOLLOWING))
AnyCase = Case[Board, Book]


class Walk(NamedTuple):
    """A unit moves over hexes, or ``to`` the last of the words.

    ``onto``: into the ship whose body is there; ``start``: off the ship whose body is there.
    """

    unit: str
    words: tuple[str, ...]
    facing: str = ""
    on: bool = False
    onto: bool = False
    start: str = ""


class Turn(NamedTuple):
    """A unit turns, before it moves or at the end of its move."""

    unit: Annotated[str, Arg(UNIT)]
    facing: Annotated[str, Arg(FACING)]


@ends_a_move
class Arrived(NamedTuple):
    """The move of a unit is over, whoever it met is done with: forces that lag behind, then its search."""

    unit: str
    on: bool = False


class Went(NamedTuple):
    """A unit has moved over hexes on its fuel; ``movement`` is what they cost."""

    unit: Id
    start: str
    path: str
    hexes: int
    movement: int
    fuel: int


class WentFree(NamedTuple):
    """A unit that needs no fuel has moved over hexes."""

    unit: Id
    start: str
    path: str
    hexes: int
    movement: int


class Turned(NamedTuple):
    """A unit faces the other way."""

    unit: Id
    facing: Word


@CHAPTER.rule(Walk)
def walk(case: AnyCase, command: Walk) -> None:
    """Each step must be legal, the last hex free; it stops at once where it meets who was not searched (RT-3)."""
    unit = case.state.units[command.unit] if command.start else may_move(case, command.unit)
    start = lay.hex_of(case.state, command.start or unit.at or "")
    step_over(case, command.unit, unit, start, command.words, command.facing, command.onto)
    case.follow(Arrived(command.unit, command.on or command.onto))


def step_over(
    case: AnyCase, id: str, unit: Unit, start: Hex, words: tuple[str, ...], facing: str, onto: bool = False
) -> Walked:
    """The way from a hex, planned where only its end is named, walked as far as it goes; ``onto``: into a ship."""
    left = left_of(case.book, unit)
    path = _hexes(case, id, unit, start, words, left, onto)
    mover = Mover(case.state, case.book, id, start, unit.facing or lay.RIGHT)
    walked = mover.walk(path, left)
    if walked.bar is not None:
        _refuse(case, id, mover, walked)
        walked = mover.walk(path, left, forced=True)
    if not (onto and walked.path == path and not walked.met):
        _may_stop(case, id, mover, walked)
    go(case, id, unit, mover, walked)
    if facing and facing != mover.facing:
        turn_to(case, id, facing)
    _meet(case, id, mover, walked)
    return walked


def _hexes(
    case: AnyCase, id: str, unit: Unit, start: Hex, words: tuple[str, ...], left: Left, onto: bool
) -> tuple[Hex, ...]:
    """The hexes named, or those of the cheapest legal way to the one that is."""
    numbers = [word for word in words if word != TO and len(word) < 4]
    if numbers and TO in words:
        raise Refused("bad-value", key="no-hex", rule="RT-3.1", exit=2, facts={"value": numbers[0]})
    if numbers:
        raise case.refuse("bad-value", "RT-3.1", key="name-the-hexes", unit=Id(id), value=numbers[0])
    named = tuple([lay.hex_of(case.state, word) for word in words if word != TO])
    if TO not in words:
        return named
    if words.index(TO) or len(named) != 1:
        raise Refused("bad-value", key="to-one-hex", rule="RT-3.1", exit=2)
    known = Mover(case.state, case.book, id, start, unit.facing or lay.RIGHT, hidden=True)
    return _planned(case, id, known, named[0], left, onto)


def _planned(case: AnyCase, id: str, known: Mover, goal: Hex, left: Left, onto: bool) -> tuple[Hex, ...]:
    """The cheapest way by what the side knows; refused with what stands against it where there is none."""
    if goal == known.start:
        raise case.refuse("nothing-to-do", "RT-3.1", key="there-already", unit=Id(id), hex=known.label(goal))
    against = known.blocked(goal) or (None if onto else known.taken(goal))
    if against:
        _forbid(case, id, known, against, goal)
    found = known.ways(left)
    if goal in found:
        return tuple(way_to(found, goal))
    endless = known.ways(Left(ENDLESS, ENDLESS))
    if goal not in endless:
        raise case.refuse("blocked", "RT-3.5", key="no-way-there", unit=Id(id), hex=known.label(goal))
    who, hex, need = Id(id), known.label(goal), endless[goal][0].cost
    if min(way.steps for way in endless[goal]) > left.hexes:
        case.forbid("no-fuel", "RT-3.4", key="hex-beyond-fuel", unit=who, hex=hex, left=left.hexes)
    else:
        case.forbid("too-far", "RT-3.1", key="hex-beyond-reach", unit=who, hex=hex, need=need, left=left.movement)
    return tuple(way_to(endless, goal))


def _refuse(case: AnyCase, id: str, mover: Mover, walked: Walked) -> None:
    """Refused at the first hex that is barred, with how far the way is legal."""
    assert walked.bar is not None
    assert walked.bad is not None
    _forbid(case, id, mover, walked.bar, walked.bad, walked.path)


def _may_stop(case: AnyCase, id: str, mover: Mover, walked: Walked) -> None:
    """The last hex must be nobody else's (RT-3.3); so must the one in which somebody stops it."""
    bar = mover.taken(walked.path[-1]) if walked.path else None
    if bar:
        _forbid(case, id, mover, bar, walked.path[-1], walked.path[:-1])


def _forbid(case: AnyCase, id: str, mover: Mover, bar: Bar, bad: Hex, before: tuple[Hex, ...] = ()) -> None:
    """A hex that is barred, with how far the way before it is legal."""
    legal = [mover.label(hex) for hex in before if mover.taken(hex) is None]
    code = {"way-too-long": "too-far", "way-no-fuel": "no-fuel"}.get(bar.key, "blocked")
    hint = "to-go-aboard" if _own_ship(case, id, bar) else "legal-as-far" if legal else "way-barred"
    facts = {"unit": Id(id), "goal": mover.label(bad), "legal": legal[-1] if legal else "", **bar.facts}
    if bar.key in IMPOSSIBLE:
        raise Refused(code, key=bar.key, rule=bar.rule, hint=hint, facts=facts)
    case.forbid(code, bar.rule, key=bar.key, hint=hint, **facts)


def _own_ship(case: AnyCase, id: str, bar: Bar) -> bool:
    """Whether what stands in the way is a ship of the unit's side: perhaps it wants to go aboard (RT-12.5)."""
    side, named = case.state.units[id].side, str(bar.facts.get("other", ""))
    own = [other for other, unit in case.state.of_side(side) if other == named]
    return bool(own) and case.book.sheet(case.state.units[named].sheet).squad == "ship"


def go(case: AnyCase, id: str, unit: Unit, mover: Mover, walked: Walked) -> None:
    """The unit and the force it carries are at the end of what was walked, the fuel is spent (RT-3.4, 3.10, 3.12)."""
    n = len(walked.path)
    path = [mover.label(hex) for hex in walked.path]
    each = fuel_each(case.book, unit)
    fuel = None if unit.fuel is None else max(0, unit.fuel - n * each)
    if n:
        _tell(case, id, unit, mover, path, walked.cost, fuel)
        begin_steps(case, id)
    if walked.cost > n:
        case.cite("RT-3.1", "RT-3.12")
    if mover.below and n:
        case.cite("RT-5.2")
    if any(mover.zones(a) and mover.zones(b) for a, b in pairwise((mover.start, *walked.path))):
        case.choice("rt-3.5-enemy")
        case.choice("rt-3.5-start")
    case.result(hexes=n, movement=walked.cost, fuel=fuel, path=" ".join(path))
    carry(case, id)


def _tell(case: AnyCase, id: str, unit: Unit, mover: Mover, path: list[str], cost: int, fuel: int | None) -> None:
    start, way = mover.label(mover.start), " ".join(path)
    if fuel is None:
        case.emit(WentFree(Id(id), start, way, len(path), cost), "RT-3.1")
    else:
        case.emit(Went(Id(id), start, way, len(path), cost, fuel), "RT-3.4")


@CHAPTER.effect(Went)
@CHAPTER.effect(WentFree)
def went(state: Board, event: Went | WentFree) -> Rows:
    """Where it stands, the movement and fuel spent."""
    unit = state.units[event.unit]
    fuel = event.fuel if isinstance(event, Went) else unit.fuel
    at = event.path.rpartition(" ")[2]
    return {("units", event.unit): replace(unit, at=at, moved=unit.moved + event.movement, fuel=fuel)}


# turning


@CHAPTER.rule(Turn)
def turn(case: AnyCase, command: Turn) -> None:
    """Left or right, before the move or at its end, free (RT-3.2, 3.12)."""
    unit = in_phase(case, command.unit, TAKING_STEPS)
    if unit.attached_to and case.book.is_force(unit.sheet):
        raise case.refuse("bad-value", "RT-4.1", key="carried", unit=Id(command.unit), by=Id(unit.attached_to))
    if acted_now(case, unit) and not unit.may_move:
        case.forbid("already-acted", "RT-2.5", unit=Id(command.unit))
    if unit.facing == command.facing:
        facing = Word(command.facing)
        raise case.refuse("nothing-to-do", "RT-3.2", key="faces-already", unit=Id(command.unit), facing=facing)
    turn_to(case, command.unit, command.facing)


def turn_to(case: AnyCase, id: str, facing: str) -> None:
    """Its hexes are mirrored about the body; refused if one of them is blocked then (RT-3.2)."""
    at = lay.spot(case.state, case.state.units[id])
    if at is not None:
        mirrored = Mover(case.state, case.book, id, at, facing)
        bar = mirrored.blocked(at) or mirrored.taken(at)
        if bar and bar.key == "hex-off-map":
            raise case.refuse("blocked", "RT-3.2", key="turn-off-map", unit=Id(id))
        if bar:
            case.forbid("blocked", "RT-3.2", key="turn-blocked", unit=Id(id), hex=bar.facts["hex"])
    case.emit(Turned(Id(id), Word(facing)), "RT-3.2")
    carry(case, id, told=True)


@CHAPTER.effect(Turned)
def turned(state: Board, event: Turned) -> Rows:
    """The facing."""
    return {("units", event.unit): replace(state.units[event.unit], facing=str(event.facing))}


# what the end of a move brings


def _meet(case: AnyCase, id: str, mover: Mover, walked: Walked) -> None:
    """Who was met stops it; what then happens is the chapter of encounters' and of subspace (RT-3.6, 5.5 to 5.8)."""
    if walked.met:
        from gmtool.systems.rtype.rules.r03_meeting import Meeting

        case.follow(Meeting(id, walked.met, mover.below))


@CHAPTER.rule(Arrived)
def arrived(case: AnyCase, command: Arrived) -> None:
    """Forces that its craft has left behind follow; then it searches from where it stands (RT-4.6, 4.22, 6.1, 3.14)."""
    unit = case.state.units[command.unit]
    if unit.state not in TAKING_STEPS or unit.at is None:
        return
    if unit.state == SUBSPACE and unit.fuel == 0:
        # whoever was thrown back into normal space has been saved by it (RT-5.3, 5.5)
        case.follow(SubspaceEmpty(command.unit))
        return
    case.follow(Lagging(command.unit))
    if not command.on or unit.stopped or unit.acted:
        from gmtool.systems.rtype.rules.r06_search import SearchAround

        case.follow(SearchAround(command.unit))
