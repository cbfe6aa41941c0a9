"""Chapter 8: a charge weapon, which hits everyone in its area, friend or foe (RT-8.9, 8.15 to 8.18)."""

from collections.abc import Mapping
from typing import Annotated, Any, NamedTuple

from gmtool.kernel.case import Case
from gmtool.kernel.refusal import Id
from gmtool.kernel.state import Rows, replace
from gmtool.kernel.system import Chapter
from gmtool.kernel.words import Arg, Flag, Opt, number
from gmtool.systems.rtype import lay
from gmtool.systems.rtype.absent import not_active
from gmtool.systems.rtype.book import Book
from gmtool.systems.rtype.exchange import Aim, Blow, Defend, Stand
from gmtool.systems.rtype.model import Board, Unit
from gmtool.systems.rtype.rules.r02_turn import CHAPTER as TURN
from gmtool.systems.rtype.rules.r06_search import is_searched, strict
from gmtool.systems.rtype.rules.r08_allowed import allowed, part_is_there, unseen_by
from gmtool.systems.rtype.rules.r08_reach import cite_force, in_area
from gmtool.systems.rtype.rules.r08_volley import CHAPTER as VOLLEY
from gmtool.systems.rtype.rules.r08_volley import ChargeFired, nothing_yet, shown, spend_round, volley
from gmtool.systems.rtype.rules.r09_defence import CHAPTER as DEFENCE_CHAPTER
from gmtool.systems.rtype.rules.r09_ways import checked
from gmtool.systems.rtype.tables import Weapon
from gmtool.systems.rtype.words import (
    ABILITY,
    DEFENCE,
    DEFENCE_ABILITY,
    DEFENCE_SKILL,
    SKILL,
    TARGET,
    UNIT,
    WEAPON,
    candidates_of,
)

CHAPTER = Chapter("8 fire", needs=(TURN, VOLLEY, DEFENCE_CHAPTER))
AnyCase = Case[Board, Book]
FEINT = number("feint", 0, 1000)


class Fire(NamedTuple):
    """A unit fires a charge weapon: everyone in its area, friend or foe; without a map everyone named is."""

    unit: Annotated[str, Arg(UNIT)]
    weapon: Annotated[str, Arg(WEAPON)]
    targets: Annotated[tuple[str, ...], Arg(TARGET, many=True)] = ()
    ability: Annotated[str, Opt("--with", ABILITY)] = ""
    skills: Annotated[tuple[str, ...], Opt("--skill", SKILL, many=True)] = ()
    feint: Annotated[int | None, Opt("--feint", FEINT)] = None
    rolls: Annotated[str, Flag("--once", "once"), Flag("--each", "each")] = ""
    raised: Annotated[bool, Flag("--raise")] = False
    unseen: Annotated[bool, Flag("--unseen")] = False
    defence: Annotated[tuple[str, ...], Opt("--defence", DEFENCE, many=True)] = ()
    defence_ability: Annotated[tuple[str, ...], Opt("--defence-with", DEFENCE_ABILITY, many=True)] = ()
    defence_skills: Annotated[tuple[str, ...], Opt("--defence-skill", DEFENCE_SKILL, many=True)] = ()
    defence_raise: Annotated[tuple[str, ...], Opt("--defence-raise", UNIT, many=True)] = ()
    only: bool = False

    def apart(self, said: Mapping[str, str], state: Board, book: Book) -> list[tuple[str, "Fire", dict[str, str]]]:
        """The shots upon one target each whose odds together are this one's, as long as nobody counters (RT-8.9).

        What becomes of one target does not touch another: only the attack rolls are theirs together. ``only`` keeps
        the others in the area out of each.
        """
        weapon, here = book.sheet(state.units[self.unit].sheet).weapon(self.weapon), list[str]()
        if weapon is not None and weapon.area is not None and lay.placed(state, self.unit):
            here = in_area(state, book, self.unit, weapon)
        targets = [*dict.fromkeys((*self.targets, *here))]
        ids = [target.partition("/")[0] for target in targets]
        if len(set(ids)) < len(ids) or any("counter" in word for word in (*self.defence, *said, *said.values())):
            return []
        pairs = zip(ids, targets, strict=True)
        return [(id, self._upon(id, target), _without(said, ids, id)) for id, target in pairs]

    def _upon(self, id: str, target: str) -> "Fire":
        kept: dict[str, Any] = {
            field: tuple(value for value in getattr(self, field) if value.rpartition("=")[0] in {"", id})
            for field in ("defence", "defence_ability", "defence_skills")
        }
        raised = tuple(name for name in self.defence_raise if name == id)
        return self._replace(targets=(target,), defence_raise=raised, only=True, **kept)


class FriendsInArea(NamedTuple):
    """Friends of the shooter lie in the area too."""

    unit: Id
    friends: tuple[Id, ...]


class FiredAtNobody(NamedTuple):
    """A charge weapon is fired at an area in which nobody is."""

    unit: Id
    weapon: Id


def _without(said: Mapping[str, str], ids: list[str], id: str) -> dict[str, str]:
    """What was said, without what is said of other targets."""
    others = set(ids) - {id}
    return {key: value for key, value in said.items() if not others.intersection(key.split("."))}


@CHAPTER.rule(Fire)
def fire(case: AnyCase, command: Fire) -> None:
    """A charge weapon upon all in its area, as the GM names them, in that order (RT-8.9, 8.15, 8.17)."""
    unit, weapon = allowed(case, command.unit, command.weapon)
    if weapon.kind != "charge":
        raise case.refuse("bad-value", "RT-8.9", key="no-charge-weapon", weapon=shown(unit, weapon))
    targets = in_reach(case, command.unit, weapon, command.targets, command.only)
    if not targets:
        _at_nobody(case, command.unit, unit, weapon)
        return
    aim = Aim(command.ability, command.skills, command.feint, command.rolls, command.raised)
    blow = Blow(command.unit, command.weapon, "", unseen=command.unseen)
    fire_at(case, blow, aim, targets, _stands(case, command, targets))


def in_reach(case: AnyCase, id: str, weapon: Weapon, named: tuple[str, ...], only: bool = False) -> tuple[str, ...]:
    """On the map all in the area, those that were named first; else whom the GM names (RT-8.9, 8.17)."""
    if only or not lay.placed(case.state, id):
        if not named:
            raise case.refuse("bad-value", "RT-8.9", key="who-is-in-area", unit=Id(id))
        return named
    found, fired = in_area(case.state, case.book, id, weapon), shown(case.state.units[id], weapon)
    cite_force(case, id, weapon)
    here = [Id(other) for other in found]
    for target in named:
        if target not in found and lay.placed(case.state, target.partition("/")[0]):
            case.forbid("not-in-range", "RT-8.9", key="not-in-this-area", value=Id(target), weapon=fired, here=here)
    return tuple(dict.fromkeys((*named, *found)))


def _at_nobody(case: AnyCase, id: str, unit: Unit, weapon: Weapon) -> None:
    """An area needs nobody in it: the charge is gone, the unit has acted (RT-8.15)."""
    case.choice("rt-8.15")
    case.emit(FiredAtNobody(Id(id), shown(unit, weapon)), "RT-8.15")
    case.emit(ChargeFired(Id(id), unit.charge), "RT-8.9")
    spend_round(case, id, unit, weapon, 1, "RT-8.8")


@CHAPTER.effect(FiredAtNobody)
def fired_at_nobody(state: Board, event: FiredAtNobody) -> Rows:
    """The unit has acted."""
    return {("units", event.unit): replace(state.units[event.unit], acted=True)}


def _stands(case: AnyCase, command: Fire, in_it: tuple[str, ...]) -> dict[str, Stand]:
    """What the line says of each target's defence; with several targets each value names its own."""
    targets = [target.partition("/")[0] for target in in_it]
    found = {target: Stand() for target in targets}
    for value in command.defence:
        target, word = _meant(case, value, targets)
        found[target] = found[target]._replace(way=word)
    for value in command.defence_ability:
        target, word = _meant(case, value, targets)
        found[target] = found[target]._replace(ability=word)
    for value in command.defence_skills:
        target, word = _meant(case, value, targets)
        found[target] = found[target]._replace(skills=(*found[target].skills, word))
    for name in command.defence_raise:
        target, _ = _meant(case, f"{name}=", targets)
        found[target] = found[target]._replace(raised=True)
    return found


def _meant(case: AnyCase, value: str, targets: list[str]) -> tuple[str, str]:
    """The target that ``TARGET=value`` is for, and the value; a value alone is for the only target there is."""
    name, _, word = value.rpartition("=")
    if not name and len(set(targets)) == 1:
        return targets[0], word
    if not name:
        raise case.refuse("bad-value", "RT-8.9", key="name-the-target", targets=[Id(target) for target in targets])
    if name not in targets:
        raise case.refuse("bad-value", "RT-8.9", key="not-in-area", value=Id(name), targets=[Id(t) for t in targets])
    return name, word


def fire_at(case: AnyCase, blow: Blow, aim: Aim, targets: tuple[str, ...], stands: dict[str, Stand]) -> None:
    """One attack for all, then everyone's defence in turn; the charge counters come after all damage (RT-8.9, 8.17)."""
    unit = case.state.units[blow.unit]
    in_the_area(case, blow.unit, targets)
    friends = [target for target in targets if case.state.units[target.partition("/")[0]].side == unit.side]
    if friends:
        case.emit(FriendsInArea(Id(blow.unit), tuple(map(Id, friends))), "RT-8.15")
    _one_is_searched(case, unit, targets)
    blow = blow._replace(target=targets[0].partition("/")[0], kind="area")
    upon_all = [_upon(case, blow, target) for target in targets]
    for upon in upon_all:
        stands[upon.target] = checked(case, upon, stands[upon.target])
    rolled, feint = volley(case, blow, aim)
    ranks = _counter_order(case, unit, targets)
    for target, each in zip(targets, upon_all, strict=True):
        upon = each._replace(feint=feint, rank=ranks[target])
        nothing_yet(case, upon)
        case.follow(Defend(upon, rolled, stands[upon.target]))


def _upon(case: AnyCase, blow: Blow, target: str) -> Blow:
    """The blow upon one of those in the area."""
    id, _, part = target.partition("/")
    unseen = blow.unseen or unseen_by(case, blow.unit, case.state.units[id].side)
    return blow._replace(target=id, part=part, unseen=unseen)


def _one_is_searched(case: AnyCase, unit: Unit, targets: tuple[str, ...]) -> None:
    """A charge weapon needs no searched target; by the other reading one enemy in its area must be (RT-8.15)."""
    if not (strict(case) or unit.at) or case.choice("rt-8.15") == "free":
        return
    ids = [target.partition("/")[0] for target in targets]
    enemies = [id for id in ids if case.state.units[id].side != unit.side]
    if not any(is_searched(case.state, unit.side, id) for id in enemies):
        case.forbid("not-searched", "RT-8.15", key="area-not-searched", side=Id(unit.side))


def _counter_order(case: AnyCase, unit: Unit, targets: tuple[str, ...]) -> dict[str, int]:
    """The order of the charge counters: their side's to choose, else as the targets were named (RT-8.17)."""
    enemies = [target for target in targets if case.state.units[target.partition("/")[0]].side != unit.side]
    who = enemies[0].partition("/")[0] if enemies else ""
    named = case.ask_names("counters", who, "unit", lambda: candidates_of(case.state, "units"), rule="RT-8.17")
    order = [*named, *(target for target in targets if target not in named)]
    return {target: order.index(target) for target in targets}


def in_the_area(case: AnyCase, shooter: str, targets: tuple[str, ...]) -> None:
    """Who can lie in an area: anyone in action but the shooter and its own force, each once (RT-8.15, 8.16)."""
    unit = case.state.units[shooter]
    for n, target in enumerate(targets):
        id, _, part = target.partition("/")
        row = case.state.units[id]
        if target in targets[:n]:
            raise case.refuse("bad-value", "RT-8.16", key="named-twice", value=Id(id))
        if id in {shooter, unit.attached_to}:
            raise case.refuse("bad-value", "RT-8.16", key="own-area", unit=Id(id), shooter=Id(shooter))
        if row.state in {"stowed", "subspace"}:
            case.forbid("not-active", "RT-8.15", key="never-in-area", unit=Id(id))
        elif row.state not in {"active", "inactive"}:
            not_active(case, id, "RT-10.9")
        part_is_there(case, row, id, part)
