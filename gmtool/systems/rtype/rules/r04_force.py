"""Chapter 4: combining, separating, and forces that nobody controls any more."""

from typing import Annotated, NamedTuple

from gmtool.kernel.case import Case
from gmtool.kernel.hex import add
from gmtool.kernel.refusal import Id, Word
from gmtool.kernel.state import Rows, replace
from gmtool.kernel.system import Chapter
from gmtool.kernel.words import Arg, Flag
from gmtool.systems.rtype import lay
from gmtool.systems.rtype.absent import not_active
from gmtool.systems.rtype.book import Book
from gmtool.systems.rtype.model import Board, Unit
from gmtool.systems.rtype.rules.r02_turn import acted_now, in_phase, may_act
from gmtool.systems.rtype.rules.r04_follow import CHAPTER as FOLLOWING
from gmtool.systems.rtype.rules.r04_follow import carry
from gmtool.systems.rtype.words import A_FORCE, UNIT

CHAPTER = Chapter("4", needs=(FOLLOWING,))
AnyCase = Case[Board, Book]
MOUNTS = ("front", "back")
AWAKE, ASLEEP = "active", "inactive"
FREE, CRAFT, FORCE = "free", "craft", "force"


class Attach(NamedTuple):
    """A craft combines with a force next to it."""

    unit: Annotated[str, Arg(UNIT)]
    force: Annotated[str, Arg(A_FORCE)]
    mount: Annotated[str, Flag("--front", "front"), Flag("--back", "back")] = ""


class Detach(NamedTuple):
    """A craft separates from its force."""

    unit: Annotated[str, Arg(UNIT)]


class ForceLeft(NamedTuple):
    """A wreck leaves a force behind, or a craft without one."""

    unit: str


class ControlLost(NamedTuple):
    """Nobody at the controls of a craft can lead its force any more."""

    unit: str


class ForceTaken(NamedTuple):
    """A force comes under the control of another craft."""

    force: Id
    unit: Id


class ForceAttached(NamedTuple):
    """Craft and force are combined; ``spent`` is who has acted by it: nobody (free), the craft, or the force."""

    unit: Id
    force: Id
    mount: Word
    spent: str


class ForceDetached(NamedTuple):
    """Craft and force are separate."""

    unit: Id
    force: Id
    spent: str


class ForceStopped(NamedTuple):
    """A force that nobody controls is inactive where it is."""

    force: Id


class ForceLost(NamedTuple):
    """An attached force is gone; its craft goes on without it."""

    unit: Id
    force: Id


@CHAPTER.rule(Attach)
def attach(case: AnyCase, command: Attach) -> None:
    """A force of a type that the craft's sheet names, one per craft; it may have acted already (RT-4.3, 4.9, 4.25)."""
    unit, force = case.state.units[command.unit], case.state.units[command.force]
    _can_combine(case, command, unit, force)
    spent = _who_acts(case, command.unit, command.force)
    mount = _mount(case, command, unit)
    if force.led_by != command.unit:
        _take_over(case, command.unit, command.force)
    case.emit(ForceAttached(Id(command.unit), Id(command.force), Word(mount), spent), _rule_of(spent))
    if force.acted:
        case.cite("RT-4.2", "RT-4.3")
    carry(case, command.unit)


def _mount(case: AnyCase, command: Attach, unit: Unit) -> str:
    """Front or back: on the map where the force stands, else as is said; in set-up it is put there (RT-4.3)."""
    options = _mounts(case, command, unit)
    given = command.mount or None
    if given and given not in options:
        case.forbid("not-adjacent", "RT-4.3", key="other-mount", force=Id(command.force), mount=Word(options[0]))
        options = MOUNTS
    quiet = len(options) == 1
    return case.ask("mount", command.unit, options, options[0], rule="RT-4.3", given=given, quiet=quiet)


def _can_combine(case: AnyCase, command: Attach, unit: Unit, force: Unit) -> None:
    """Whether these two can be one (RT-4.3)."""
    one, other = Id(command.unit), Id(command.force)
    if case.book.sheet(force.sheet).squad != "force" or command.unit == command.force:
        raise case.refuse("bad-value", "RT-4.3", key="not-a-force", force=Id(command.force))
    if unit.attached_to:
        raise case.refuse("bad-value", "RT-4.3", key="has-a-force", unit=one, force=Id(unit.attached_to))
    if force.attached_to:
        raise case.refuse("bad-value", "RT-4.3", key="force-on-another", force=other, unit=Id(force.attached_to))
    if force.side != unit.side:
        raise case.refuse("bad-value", "RT-4.10", key="foreign-force", unit=one, force=other)
    if force.sheet not in case.book.sheet(unit.sheet).forces:
        case.forbid("no-force", "RT-4.3", key="unlike-force", unit=one, force=other)
    if unit.decoy_of:
        case.forbid("no-function", "RT-12.13", key="decoy-acts", unit=Id(command.unit))
    if unit.state != AWAKE or force.state not in {AWAKE, ASLEEP}:
        not_active(case, command.unit if unit.state != AWAKE else command.force, "RT-4.24")
    if force.led_by and force.led_by != command.unit and force.state == AWAKE:
        case.forbid("no-force", "RT-4.11", key="force-led", force=Id(command.force), unit=Id(force.led_by))


def _who_acts(case: AnyCase, id: str, force: str = "") -> str:
    """Free in set-up and before the craft has moved; after its move the craft's action, which ends its phase (RT-4.4).

    By the other reading of RT-4.20 an unspent force may combine, as its own action, with a craft that has acted.
    """
    battle, unit = case.state.battle, case.state.units[id]
    if battle is None or battle.phase in {"setup", "over"}:
        return FREE
    if force and unit.acted and not case.state.units[force].acted and case.choice("rt-4.20") == "force":
        may_act(case, force, "RT-4.20")
        return FORCE
    if unit.moved:
        may_act(case, id, "RT-4.4")
        return CRAFT
    # what is free is no step: it does not end those of the craft before it (RT-2.6)
    in_phase(case, id)
    if acted_now(case, unit):
        case.forbid("already-acted", "RT-4.4", unit=Id(id))
    return FREE


def _rule_of(spent: str) -> str:
    return "RT-4.20" if spent == FORCE else "RT-4.4"


def _take_over(case: AnyCase, id: str, force: str) -> None:
    """The craft controls this force from now on, and no other one that it led (RT-4.9, 4.11, 4.25)."""
    for other, row in case.state.units.items():
        if row.led_by == id and other != force:
            case.emit(ForceStopped(Id(other)), "RT-4.25")
    case.emit(ForceTaken(Id(force), Id(id)), "RT-4.9" if case.state.units[force].state == ASLEEP else "RT-4.11")


def _mounts(case: AnyCase, command: Attach, unit: Unit) -> tuple[str, ...]:
    """The sides of the craft at which the force can combine: where both stand on the map, the one at which it is."""
    at, stands = lay.spot(case.state, unit), lay.spot(case.state, case.state.units[command.force])
    if at is None or stands is None:
        return MOUNTS
    sheet, facing = case.book.sheet(unit.sheet), unit.facing or lay.RIGHT
    found = [mount for mount in MOUNTS if stands == add(at, lay.mount_offset(sheet, facing, mount))]
    if not found:
        off = lay.apart(case.state, case.book, command.unit, command.force) or "-"
        one, other = Id(command.unit), Id(command.force)
        case.forbid("not-adjacent", "RT-4.3", key="no-place-to-combine", unit=one, force=other, steps=off)
    return tuple(found) or MOUNTS


@CHAPTER.effect(ForceTaken)
def force_taken(state: Board, event: ForceTaken) -> Rows:
    """Awake, and led by the craft."""
    return {("units", event.force): replace(state.units[event.force], led_by=str(event.unit), state=AWAKE)}


@CHAPTER.effect(ForceAttached)
def force_attached(state: Board, event: ForceAttached) -> Rows:
    """Each knows the other; an own force that slept wakes; whose action it was has acted."""
    unit, force = state.units[event.unit], state.units[event.force]
    return {
        ("units", event.unit): replace(
            unit, attached_to=str(event.force), acted=unit.acted or event.spent == CRAFT
        ),
        ("units", event.force): replace(
            force, attached_to=str(event.unit), mount=str(event.mount), state=AWAKE,
            acted=force.acted or event.spent == FORCE,
        ),
    }  # fmt: skip


@CHAPTER.rule(Detach)
def detach(case: AnyCase, command: Detach) -> None:
    """Free before the craft has moved, else its action; the force may still move and act by itself (RT-4.2, 4.4)."""
    unit = case.state.units[command.unit]
    if not unit.attached_to or case.book.is_force(unit.sheet):
        raise case.refuse("bad-value", "RT-4.4", key="without-a-force", unit=Id(command.unit))
    if unit.state == "subspace":
        raise case.refuse("bad-value", "RT-5.4", key="force-in-subspace", unit=Id(command.unit))
    spent = _who_acts(case, command.unit)
    case.emit(ForceDetached(Id(command.unit), Id(unit.attached_to), spent), _rule_of(spent))


@CHAPTER.effect(ForceDetached)
def force_detached(state: Board, event: ForceDetached) -> Rows:
    """Neither is on the other; the craft still leads the force, which is as spent as it was (RT-4.1, 4.2)."""
    unit = state.units[event.unit]
    return {
        ("units", event.unit): replace(unit, attached_to=None, acted=unit.acted or event.spent == CRAFT),
        ("units", event.force): _apart(state.units[event.force]),
    }


def _apart(force: Unit) -> Unit:
    return replace(force, attached_to=None, mount="")


@CHAPTER.rule(ForceLeft)
def force_left(case: AnyCase, command: ForceLeft) -> None:
    """What a wrecked craft led is detached and inactive; a craft that lost its force goes on alone (RT-4.9, 4.18)."""
    unit = case.state.units[command.unit]
    if unit.attached_to and case.book.is_force(unit.sheet):
        case.emit(ForceLost(Id(unit.attached_to), Id(command.unit)), "RT-4.18")
        return
    for id, row in case.state.units.items():
        if row.led_by == command.unit and row.state in {AWAKE, ASLEEP, "subspace"}:
            case.emit(ForceStopped(Id(id)), "RT-4.18" if row.attached_to else "RT-4.9")


@CHAPTER.rule(ControlLost)
def control_lost(case: AnyCase, command: ControlLost) -> None:
    """The force of a craft whose pilot is out stops where it is, as a wrecked one's does (RT-4.9, 4.18, 4.24)."""
    for id, row in case.state.units.items():
        if row.led_by == command.unit and row.state == AWAKE:
            case.emit(ForceStopped(Id(id)), "RT-4.24")


@CHAPTER.effect(ForceStopped)
def force_stopped(state: Board, event: ForceStopped) -> Rows:
    """Detached where it is, inactive, led by nobody."""
    force = state.units[event.force]
    rows: Rows = {("units", event.force): replace(_apart(force), led_by=None, state=ASLEEP)}
    if force.attached_to:
        rows["units", force.attached_to] = replace(state.units[force.attached_to], attached_to=None)
    return rows


@CHAPTER.effect(ForceLost)
def force_lost(state: Board, event: ForceLost) -> Rows:
    """Neither is on the other any more."""
    return {
        ("units", event.unit): replace(state.units[event.unit], attached_to=None),
        ("units", event.force): _apart(state.units[event.force]),
    }
