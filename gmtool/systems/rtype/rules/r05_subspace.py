"""Chapter 5: in and out, fuel, sonar; without a map who is next to whom is the GM's word."""

from typing import Annotated, NamedTuple

from gmtool.kernel.case import Case
from gmtool.kernel.refusal import Id
from gmtool.kernel.state import Rows, replace
from gmtool.kernel.system import Chapter
from gmtool.kernel.words import Arg, one_of
from gmtool.systems.rtype import lay
from gmtool.systems.rtype.book import Book
from gmtool.systems.rtype.model import Board, Unit
from gmtool.systems.rtype.rules.r07_functions import may_work
from gmtool.systems.rtype.words import UNIT

CHAPTER = Chapter("5")
AnyCase = Case[Board, Book]
SUBSPACE, ACTIVE = "subspace", "active"


class Subspace(NamedTuple):
    """A craft enters or leaves subspace."""

    unit: Annotated[str, Arg(UNIT)]
    way: Annotated[str, Arg(one_of("way", "in", "out"))]


class Sonar(NamedTuple):
    """A craft finds the units in subspace that are named, those in its range."""

    unit: Annotated[str, Arg(UNIT)]
    targets: Annotated[tuple[str, ...], Arg(UNIT, many=True)] = ()


class SubspaceFuel(NamedTuple):
    """The phase of a side begins: its units in subspace lose fuel."""

    side: str


class SubspaceEmpty(NamedTuple):
    """A unit in subspace has no fuel left."""

    unit: str


class SubspaceEntered(NamedTuple):
    """A craft has entered subspace, as its action."""

    unit: Id


class SubspaceLeft(NamedTuple):
    """A craft is back in normal space, as its action."""

    unit: Id


class SubspaceDrained(NamedTuple):
    """A unit has lost fuel by being in subspace."""

    unit: Id
    before: int
    after: int


class SubspaceLost(NamedTuple):
    """A unit never comes back."""

    unit: Id


class SonarUsed(NamedTuple):
    """A craft has listened into subspace, as its action."""

    unit: Id


class SonarNobody(NamedTuple):
    """Nobody is in subspace within reach."""

    unit: Id


class SonarFound(NamedTuple):
    """A side knows for this phase where a unit in subspace is."""

    unit: Id
    target: Id


@CHAPTER.rule(Subspace)
def subspace(case: AnyCase, command: Subspace) -> None:
    """An action of a craft with the function; an attached force goes along (RT-5.1, 5.4)."""
    unit = may_work(case, command.unit, "subspace", states=(ACTIVE, SUBSPACE))
    if command.way == "out":
        if unit.state != SUBSPACE:
            raise case.refuse("bad-value", "RT-5.1", key="not-in-subspace", unit=Id(command.unit))
        _not_in_a_wall(case, command.unit)
        case.emit(SubspaceLeft(Id(command.unit)), "RT-5.1")
    else:
        if unit.state == SUBSPACE:
            raise case.refuse("bad-value", "RT-5.1", key="in-subspace", unit=Id(command.unit))
        if unit.fuel == 0:
            case.forbid("no-fuel", "RT-5.3", key="no-fuel-for-subspace", unit=Id(command.unit))
        _no_enemy_beside(case, command.unit, unit)
        case.emit(SubspaceEntered(Id(command.unit)), "RT-5.1")
        if unit.fuel == 0:
            case.follow(SubspaceEmpty(command.unit))
    if unit.attached_to:
        case.cite("RT-5.4")


def _not_in_a_wall(case: AnyCase, id: str) -> None:
    """Refused while it overlaps an obstacle (RT-5.13)."""
    for hex in lay.with_force(case.state, case.book, id):
        if case.state.map and hex in lay.ground(case.state.map).walls:
            case.forbid("blocked", "RT-5.13", key="surfaces-in-wall", unit=Id(id), hex=lay.label(case.state, hex))


def _no_enemy_beside(case: AnyCase, id: str, unit: Unit) -> None:
    """A craft next to an enemy in action cannot enter (RT-5.1)."""
    near = lay.around(lay.with_force(case.state, case.book, id))
    for other, row in lay.on_the_board(case.state):
        foe = row.side != unit.side and row.state == ACTIVE
        if foe and not near.isdisjoint(lay.covered(case.state, case.book, other)):
            case.forbid("blocked", "RT-5.1", key="enemy-beside", unit=Id(id), other=Id(other))


@CHAPTER.effect(SubspaceEntered)
@CHAPTER.effect(SubspaceLeft)
def crossed(state: Board, event: SubspaceEntered | SubspaceLeft) -> Rows:
    """The craft and its attached force are in the other space; the craft has acted, its charge stays (RT-5.2, 5.4)."""
    space = SUBSPACE if isinstance(event, SubspaceEntered) else ACTIVE
    rows = moved_between(state, event.unit, space)
    rows["units", event.unit] = replace(rows["units", event.unit], acted=True)
    return rows


def moved_between(state: Board, id: str, into: str) -> Rows:
    """A craft and the force attached to it, both in another state."""
    unit = state.units[id]
    rows: Rows = {("units", id): replace(unit, state=into)}
    if unit.attached_to:
        rows["units", unit.attached_to] = replace(state.units[unit.attached_to], state=into)
    return rows


@CHAPTER.rule(SubspaceFuel)
def subspace_fuel(case: AnyCase, command: SubspaceFuel) -> None:
    """2 fuel for each craft of the side in subspace, never below 0; an attached force is carried (RT-5.2, 4.23)."""
    for id, unit in case.state.of_side(command.side):
        if unit.state != SUBSPACE or unit.fuel is None or _carried(case, unit):
            continue
        after = max(0, unit.fuel - case.book.figures.subspace_fuel)
        case.emit(SubspaceDrained(Id(id), unit.fuel, after), "RT-5.2")
        if not after:
            case.follow(SubspaceEmpty(id))


def _carried(case: AnyCase, unit: Unit) -> bool:
    return bool(unit.attached_to) and case.book.is_force(unit.sheet)


@CHAPTER.effect(SubspaceDrained)
def subspace_drained(state: Board, event: SubspaceDrained) -> Rows:
    """The unit's fuel."""
    return {("units", event.unit): replace(state.units[event.unit], fuel=event.after)}


@CHAPTER.rule(SubspaceEmpty)
def subspace_empty(case: AnyCase, command: SubspaceEmpty) -> None:
    """It is lost for the battle as if wrecked; what becomes of the pilot is the GM's to say (RT-5.3)."""
    unit = case.state.units[command.unit]
    case.emit(SubspaceLost(Id(command.unit)), "RT-5.3")
    if unit.pilot:
        due = f"fate-{unit.pilot}"
        case.due(due, "fate", unit.pilot, f"set due.{due} done", rule="RT-5.3")
    _left_outside(case, command.unit)
    battle = case.state.battle
    if battle and battle.victory:
        from gmtool.systems.rtype.rules.r13_victory import watch

        watch(case)


def _left_outside(case: AnyCase, id: str) -> None:
    """A force that the craft led in normal space is without control now (RT-4.9)."""
    if any(row.led_by == id and row.state == ACTIVE for row in case.state.units.values()):
        from gmtool.systems.rtype.rules.r04_force import ForceLeft

        case.follow(ForceLeft(id))


@CHAPTER.effect(SubspaceLost)
def subspace_lost(state: Board, event: SubspaceLost) -> Rows:
    """The unit and its attached force are lost, the seat is empty, the pilot missing until the GM says otherwise."""
    rows = moved_between(state, event.unit, "lost")
    row = rows["units", event.unit]
    if row.pilot:
        rows["pilots", row.pilot] = replace(state.pilots[row.pilot], where="missing")
    rows["units", event.unit] = replace(row, pilot=None, at=None)
    return rows


@CHAPTER.rule(Sonar)
def sonar(case: AnyCase, command: Sonar) -> None:
    """An action, no roll: what it finds counts as searched by its side for this phase (RT-5.9, 5.12)."""
    unit = may_work(case, command.unit, "sonar", states=(ACTIVE, SUBSPACE))
    targets = tuple(dict.fromkeys((*command.targets, *_in_sonar_range(case, command.unit, unit))))
    for id in targets:
        target = case.state.units[id]
        if target.side == unit.side:
            case.forbid("friend", "RT-5.9", unit=Id(id))
        if target.state != SUBSPACE:
            raise case.refuse("bad-value", "RT-5.9", key="not-in-subspace", unit=Id(id))
    case.emit(SonarUsed(Id(command.unit)), "RT-5.12")
    for id in targets:
        case.emit(SonarFound(Id(command.unit), Id(id)), "RT-5.12")
    if not targets:
        case.emit(SonarNobody(Id(command.unit)), "RT-5.12")


def _in_sonar_range(case: AnyCase, id: str, unit: Unit) -> list[str]:
    """On the map the enemies in subspace within its search value, no other range being on its sheet (RT-5.12)."""
    return lay.foes_within(case.state, case.book, id, case.book.sheet(unit.sheet).search, (SUBSPACE,))


@CHAPTER.effect(SonarUsed)
def sonar_used(state: Board, event: SonarUsed) -> Rows:
    """The unit has acted."""
    return {("units", event.unit): replace(state.units[event.unit], acted=True)}


@CHAPTER.effect(SonarFound)
def sonar_found(state: Board, event: SonarFound) -> Rows:
    """The mark of a search, until the phase ends."""
    from gmtool.systems.rtype.rules.r06_search import marked

    return marked(state, str(event.unit), str(event.target), "sonar")
