"""Chapter 8: an attack with any weapon of a sheet, a charge weapon's upon everyone in its area."""

from typing import Annotated, NamedTuple

from gmtool.kernel.case import Case
from gmtool.kernel.refusal import Id
from gmtool.kernel.system import Chapter
from gmtool.kernel.words import Arg, Flag, Opt, number
from gmtool.systems.rtype.absent import not_active
from gmtool.systems.rtype.book import Book, move_value
from gmtool.systems.rtype.exchange import Aim, Blow, Defend, Stand
from gmtool.systems.rtype.model import Board, Unit
from gmtool.systems.rtype.rules.r02_turn import CHAPTER as TURN
from gmtool.systems.rtype.rules.r06_search import must_be_searched
from gmtool.systems.rtype.rules.r08_allowed import allowed, part_is_there, unseen_by
from gmtool.systems.rtype.rules.r08_reach import cite_force, out_of_reach, reaching
from gmtool.systems.rtype.rules.r08_volley import CHAPTER as VOLLEY
from gmtool.systems.rtype.rules.r08_volley import shown, volley
from gmtool.systems.rtype.rules.r09_defence import CHAPTER as DEFENCE_CHAPTER
from gmtool.systems.rtype.rules.r09_defence import lose_charge_at_once
from gmtool.systems.rtype.rules.r09_ways import checked
from gmtool.systems.rtype.tables import Weapon
from gmtool.systems.rtype.words import (
    ABILITY,
    DEFENCE,
    SKILL,
    TARGET,
    UNIT,
    WEAPON,
)

CHAPTER = Chapter("8", needs=(TURN, VOLLEY, DEFENCE_CHAPTER))
AnyCase = Case[Board, Book]
FEINT = number("feint", 0, 1000)
OF_THE_LINE = "RT-8.2"


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


@CHAPTER.rule(Attack)
def attack(case: AnyCase, command: Attack) -> None:
    """Checks, declarations, attack rolls; then the defender's part (RT-8.1, 8.5, 8.12)."""
    unit, weapon = allowed(case, command.unit, command.weapon)
    target, _, part = command.target.partition("/")
    stand = Stand(command.defence, command.defence_ability, command.defence_skills, command.defence_raise)
    if weapon.kind == "charge":
        _charge(case, command, weapon, stand)
        return
    _can_be_attacked(case, unit, command.unit, target, part, weapon)
    _is_reached(case, command.unit, weapon, target, part)
    unseen = command.unseen or unseen_by(case, command.unit, case.state.units[target].side)
    blow = Blow(command.unit, command.weapon, target, part, unseen=unseen, blocked=_blocked(case, command, weapon))
    case.result(hits=0, damage=0, craft_lost=0, wrecked=False)
    stand = checked(case, blow, stand)
    if weapon.kind == "ram":
        from gmtool.systems.rtype.rules.r10_ram import pay

        if not pay(case, blow):
            return
    elif blow.blocked:
        raise case.refuse("bad-value", "RT-10.5", key="blocked-no-ram", weapon=shown(unit, weapon))
    rolled, feint = volley(case, blow, _aim(command))
    lose_charge_at_once(case, target)
    case.follow(Defend(blow._replace(feint=feint), rolled, stand))


def _blocked(case: AnyCase, command: Attack, weapon: Weapon) -> bool:
    """Whether a ram's target cannot give way: settled before the damage, on the map or by the GM's word (RT-10.6)."""
    if command.blocked or weapon.kind != "ram":
        return command.blocked
    from gmtool.systems.rtype.rules.r10_knock import cannot_give_way

    target, _, part = command.target.partition("/")
    return cannot_give_way(case.state, case.book, command.unit, target, part)


def _aim(command: Attack) -> Aim:
    return Aim(command.ability, command.skills, command.feint, command.rolls, command.raised)


def _charge(case: AnyCase, command: Attack, weapon: Weapon, stand: Stand) -> None:
    """A charge weapon aimed at one hits everyone in its area all the same (RT-8.9)."""
    from gmtool.systems.rtype.rules.r08_fire import fire_at, in_reach

    targets = in_reach(case, command.unit, weapon, (command.target,))
    stands = {target.partition("/")[0]: Stand() for target in targets}
    blow = Blow(command.unit, command.weapon, "", unseen=command.unseen, alone=len(targets) == 1)
    fire_at(case, blow, _aim(command), targets, {**stands, command.target.partition("/")[0]: stand})


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
        not_active(case, target_id, "RT-10.9")
    part_is_there(case, target, target_id, part)
    if target.side != unit.side:
        must_be_searched(case, id, target_id)


def _is_reached(case: AnyCase, id: str, weapon: Weapon, target: str, part: str) -> None:
    """On the map the target lies in range, and for a direct weapon in the line of fire (RT-8.1, 8.2)."""
    bar = out_of_reach(case.state, case.book, id, weapon, target, part)
    if bar is None:
        cite_force(case, id, weapon)
        return
    reach = reaching(case.state, case.book, id, target, part)
    parts = [] if part else _parts_in_reach(case, id, weapon, target)
    stands = "no-weapon-reaching" if can_go_on(case, id) else "no-weapon-reaching-now"
    hint = "parts-reaching" if parts else "weapons-reaching" if reach else stands
    facts = {"unit": Id(id), "target": Id(target), "reaching": reach, "parts": parts, **bar.facts}
    case.forbid("no-line" if bar.rule == OF_THE_LINE else "not-in-range", bar.rule, key=bar.key, hint=hint, **facts)


def _parts_in_reach(case: AnyCase, id: str, weapon: Weapon, target: str) -> list[str]:
    """The parts of a target that a weapon does reach, as they are typed (RT-8.11)."""
    row = case.state.units[target]
    parts = [part.id for part in case.book.sheet(row.sheet).parts if row.hp.get(part.id)]
    reached = [part for part in parts if out_of_reach(case.state, case.book, id, weapon, target, part) is None]
    return [f"{row.handle}/{part}" for part in reached]


def can_go_on(case: AnyCase, id: str) -> bool:
    """Whether a unit has movement left in this phase (RT-2.5, 3.1)."""
    unit = case.state.units[id]
    return not unit.stopped and unit.moved < move_value(case.book, unit)
