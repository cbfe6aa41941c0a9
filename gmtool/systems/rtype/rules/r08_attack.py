"""Chapter 8: an attack with any weapon of a sheet, a charge weapon's upon everyone in its area."""

from collections.abc import Mapping
from typing import Annotated, Any, NamedTuple

from gmtool.kernel.case import Case
from gmtool.kernel.refusal import Id
from gmtool.kernel.system import Chapter
from gmtool.kernel.words import Arg, Flag, Opt, number
from gmtool.systems.rtype.book import Book
from gmtool.systems.rtype.exchange import Aim, Blow, Defend, Stand
from gmtool.systems.rtype.model import Board, Unit
from gmtool.systems.rtype.rules.r02_turn import CHAPTER as TURN
from gmtool.systems.rtype.rules.r02_turn import may_act
from gmtool.systems.rtype.rules.r06_search import is_searched, must_be_searched, strict
from gmtool.systems.rtype.rules.r08_volley import CHAPTER as VOLLEY
from gmtool.systems.rtype.rules.r08_volley import nothing_yet, shown, volley
from gmtool.systems.rtype.rules.r09_defence import CHAPTER as DEFENCE_CHAPTER
from gmtool.systems.rtype.rules.r09_defence import lose_charge_at_once
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

CHAPTER = Chapter("8", needs=(TURN, VOLLEY, DEFENCE_CHAPTER))
AnyCase = Case[Board, Book]
FEINT = number("feint", 0, 1000)


class Attack(NamedTuple):
    """A unit attacks another with a weapon of its sheet."""

    unit: Annotated[str, Arg(UNIT)]
    weapon: Annotated[str, Arg(WEAPON)]
    target: Annotated[str, Arg(TARGET)]
    ability: Annotated[str, Opt("--with", ABILITY)] = ""
    skills: Annotated[tuple[str, ...], Opt("--skill", SKILL, many=True)] = ()
    feint: Annotated[int | None, Opt("--feint", FEINT)] = None
    rolls: Annotated[str, Flag("--once", "once"), Flag("--each", "each")] = ""
    raised: Annotated[bool, Flag("--raise")] = False
    unseen: Annotated[bool, Flag("--unseen")] = False
    blocked: Annotated[bool, Flag("--blocked")] = False
    defence: Annotated[str, Opt("--defence", DEFENCE)] = ""
    defence_ability: Annotated[str, Opt("--defence-with", ABILITY)] = ""
    defence_skills: Annotated[tuple[str, ...], Opt("--defence-skill", SKILL, many=True)] = ()
    defence_raise: Annotated[bool, Flag("--defence-raise")] = False


class Fire(NamedTuple):
    """A unit fires a charge weapon: everyone named is in its area, friend or foe."""

    unit: Annotated[str, Arg(UNIT)]
    weapon: Annotated[str, Arg(WEAPON)]
    targets: Annotated[tuple[str, ...], Arg(TARGET, many=True)]
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

    def apart(self, said: Mapping[str, str]) -> list[tuple[str, "Fire", dict[str, str]]]:
        """The shots upon one target each whose odds together are this one's, as long as nobody counters (RT-8.9).

        What becomes of one target does not touch another: only the attack rolls are theirs together.
        """
        ids = [target.partition("/")[0] for target in self.targets]
        if len(set(ids)) < len(ids) or any("counter" in word for word in (*self.defence, *said, *said.values())):
            return []
        pairs = zip(ids, self.targets, strict=True)
        return [(id, self._upon(id, target), _without(said, ids, id)) for id, target in pairs]

    def _upon(self, id: str, target: str) -> "Fire":
        kept: dict[str, Any] = {
            field: tuple(value for value in getattr(self, field) if value.rpartition("=")[0] in {"", id})
            for field in ("defence", "defence_ability", "defence_skills")
        }
        raised = tuple(name for name in self.defence_raise if name == id)
        return self._replace(targets=(target,), defence_raise=raised, **kept)


def _without(said: Mapping[str, str], ids: list[str], id: str) -> dict[str, str]:
    """What was said, without what is said of other targets."""
    others = set(ids) - {id}
    return {key: value for key, value in said.items() if not others.intersection(key.split("."))}


@CHAPTER.rule(Attack)
def attack(case: AnyCase, command: Attack) -> None:
    """Checks, declarations, attack rolls; then the defender's part (RT-8.1, 8.5, 8.12)."""
    target, _, part = command.target.partition("/")
    unit, weapon = allowed(case, command.unit, command.weapon)
    stand = Stand(command.defence, command.defence_ability, command.defence_skills, command.defence_raise)
    if weapon.kind == "charge":
        _fire(case, command, (command.target,), {target: stand})
        return
    _can_be_attacked(case, unit, command.unit, target, part, weapon)
    blow = Blow(command.unit, command.weapon, target, part, unseen=command.unseen, blocked=command.blocked)
    case.result(hits=0, damage=0, craft_lost=0, wrecked=False)
    stand = checked(case, blow, stand)
    if weapon.kind == "ram":
        from gmtool.systems.rtype.rules.r10_ram import pay

        if not pay(case, blow):
            return
    elif command.blocked:
        raise case.refuse("bad-value", "RT-10.5", key="blocked-no-ram", weapon=shown(unit, weapon))
    rolled, feint = volley(case, blow, _aim(command))
    lose_charge_at_once(case, target)
    case.follow(Defend(blow._replace(feint=feint), rolled, stand))


def _aim(command: Attack | Fire) -> Aim:
    return Aim(command.ability, command.skills, command.feint, command.rolls, command.raised)


def allowed(case: AnyCase, id: str, weapon_id: str) -> tuple[Unit, Weapon]:
    """The attacker and its weapon, if it may fire that now; distance and sight are the GM's word (RT-4.15, 8.1)."""
    unit = may_act(case, id, "RT-2.5")
    weapon = case.book.weapon(unit.sheet, weapon_id)
    if unit.decoy_of is not None:
        case.forbid("no-function", "RT-12.13", key="decoy-no-attack", unit=Id(id))
    if weapon.kind == "laser" and unit.attached_to is None and not case.book.is_force(unit.sheet):
        case.forbid("no-force", "RT-4.15", weapon=shown(unit, weapon), unit=Id(id))
    if weapon.charge is not None and unit.charge < weapon.charge:
        has, need = unit.charge, weapon.charge
        case.forbid("not-charged", "RT-8.1", unit=Id(id), weapon=shown(unit, weapon), charge=has, need=need)
    return unit, weapon


def _can_be_attacked(case: AnyCase, unit: Unit, id: str, target_id: str, part: str, weapon: Weapon) -> None:
    """An enemy in action, searched where that counts; one in subspace by a buster only (RT-5.2, 8.19, 10.9)."""
    target = case.state.units[target_id]
    if id == target_id:
        raise case.refuse("bad-value", "RT-8.19", key="own-target", unit=Id(id))
    if target.side == unit.side:
        case.forbid("friend", "RT-8.19", unit=Id(target_id))
    buster = weapon.kind == "subspace-buster"
    if target.state == "subspace" and not buster:
        case.forbid("not-active", "RT-5.2", key="only-buster", unit=Id(target_id))
    elif buster and target.state in {"active", "inactive"}:
        case.forbid("not-active", "RT-5.2", key="only-subspace", unit=Id(target_id), weapon=shown(unit, weapon))
    elif target.state not in {"active", "inactive", "subspace"}:
        case.forbid("not-active", "RT-10.9", unit=Id(target_id))
    _part_is_there(case, target, target_id, part)
    if target.side != unit.side:
        must_be_searched(case, id, target_id)


def _part_is_there(case: AnyCase, target: Unit, id: str, part: str) -> None:
    """A part that is shot to pieces is no target any more (RT-8.11)."""
    if part and not target.hp.get(part, 0):
        case.forbid("not-active", "RT-8.11", key="part-gone", unit=Id(id), part=part)


@CHAPTER.rule(Fire)
def fire(case: AnyCase, command: Fire) -> None:
    """A charge weapon upon all in its area, as the GM names them, in that order (RT-8.9, 8.15, 8.17)."""
    unit, weapon = allowed(case, command.unit, command.weapon)
    if weapon.kind != "charge":
        raise case.refuse("bad-value", "RT-8.9", key="no-charge-weapon", weapon=shown(unit, weapon))
    _fire(case, command, command.targets, _stands(case, command))


def _stands(case: AnyCase, command: Fire) -> dict[str, Stand]:
    """What the line says of each target's defence; with several targets each value names its own."""
    targets = [target.partition("/")[0] for target in command.targets]
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


def _fire(case: AnyCase, command: Attack | Fire, targets: tuple[str, ...], stands: dict[str, Stand]) -> None:
    """One attack for all, then everyone's defence in turn; the charge counters come after all damage (RT-8.9, 8.17)."""
    unit = case.state.units[command.unit]
    in_the_area(case, command.unit, targets)
    _one_is_searched(case, unit, targets)
    first = targets[0].partition("/")[0]
    alone = isinstance(command, Attack)
    blow = Blow(command.unit, command.weapon, first, kind="area", unseen=command.unseen, alone=alone)
    for target in targets:
        id, _, part = target.partition("/")
        stands[id] = checked(case, blow._replace(target=id, part=part), stands[id])
    rolled, feint = volley(case, blow, _aim(command))
    ranks = _counter_order(case, unit, targets)
    for target in targets:
        id, _, part = target.partition("/")
        upon = blow._replace(target=id, part=part, feint=feint, rank=ranks[target])
        nothing_yet(case, upon)
        case.follow(Defend(upon, rolled, stands[id]))


def _one_is_searched(case: AnyCase, unit: Unit, targets: tuple[str, ...]) -> None:
    """A charge weapon needs no searched target; by the other reading one enemy in its area must be (RT-8.15)."""
    if not strict(case) or case.choice("rt-8.15") == "free":
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
            case.forbid("not-active", "RT-10.9", unit=Id(id))
        _part_is_there(case, row, id, part)
