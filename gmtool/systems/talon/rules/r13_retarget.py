"""Chapter 13.7: a missile gets a new target."""

from typing import NamedTuple

from gmtool.kernel.case import Case
from gmtool.kernel.hex import Hex, distance
from gmtool.kernel.refusal import Id
from gmtool.kernel.state import Rows, replace
from gmtool.kernel.system import Chapter
from gmtool.systems.talon.bars import bars
from gmtool.systems.talon.book import Book
from gmtool.systems.talon.harm import Strike
from gmtool.systems.talon.model import Board, Missile
from gmtool.systems.talon.rules.r06_ap import CHAPTER as AP
from gmtool.systems.talon.rules.r06_ap import spend_ap
from gmtool.systems.talon.sightlines import arc
from gmtool.systems.talon.targets import spot, there

CHAPTER = Chapter("13", needs=(AP,))
AnyCase = Case[Board, Book]


class Retarget(NamedTuple):
    """A ship with a launcher spends an AP, or where said its battery's, on a missile's new target."""

    ship: str
    missile: str
    target: str
    battery: bool = False


class Retargeted(NamedTuple):
    """A missile has a new target."""

    missile: Id
    ship: Id
    target: Id


@CHAPTER.rule(Retarget)
def retarget(case: AnyCase, command: Retarget) -> None:
    """A new target in arc and range of a launcher that is not destroyed, charged or not (TL-13.7, A21.33).

    Refused where the missile is gone; forbidden: ``friend`` for another side's missile or an own target,
    ``no-function`` without a launcher, ``not-in-range``; by the other reading ``not-charged``.
    """
    ship, missile = case.state.ships[command.ship], there(case.state, command.missile)
    facts = {"unit": Id(command.ship), "missile": Id(command.missile), "target": Id(command.target)}
    if not isinstance(missile, Missile):
        raise case.refuse("not-active", "TL-13.7", key="missile-gone", unit=Id(command.missile))
    if not command.target:
        raise case.refuse("bad-value", "TL-13.7", key="retarget-at-whom", missile=Id(command.missile))
    target = there(case.state, command.target)
    if target is None or isinstance(target, Missile):
        raise case.refuse("not-active", "TL-13.7", key="target-gone", **facts)
    if missile.target == command.target:
        raise case.refuse("nothing-to-do", "TL-13.7", key="retarget-same", **facts)
    if missile.side != ship.side:
        case.forbid("friend", "TL-13.7", key="other-missile", **facts)
    if target.side == ship.side:
        case.forbid("friend", "TL-8.2.2", key="own-target", **facts)
    _launcher(case, command, spot(target))
    spend_ap(case, command.ship, battery=command.battery)
    case.emit(Retargeted(Id(command.missile), Id(command.ship), Id(command.target)), "TL-13.7")
    if target.at == missile.at:
        case.follow(Strike(command.missile, command.target, ""))


def _launcher(case: AnyCase, command: Retarget, goal: Hex) -> None:
    """A launcher of the ship has the target in its arc and range; what lies on the line does not matter."""
    ship = case.state.ships[command.ship]
    whole = [bar for bar in bars(case.book.ship_class(ship.sheet), ship) if not bar.lost]
    launchers = [(bar, weapon) for bar in whole if (weapon := case.book.weapon(bar.group.weapon)).launch is not None]
    start = spot(ship)
    if not launchers:
        case.forbid("no-function", "TL-13.7", key="no-launcher", unit=Id(command.ship))
        return
    far = distance(start, goal)
    seen = "" if far == 0 else arc(case.choice, start, ship.facing or 0, goal)
    fit = [bar for bar, weapon in launchers if far in weapon.ranges and seen in bar.group.arcs]
    if not fit:
        facts = {"unit": Id(command.ship), "target": Id(command.target)}
        case.forbid("not-in-range", "TL-13.7", key="not-for-launcher", **facts)
        return
    if not any(bar.full for bar in fit) and case.choice("tl-13.7") == "charged":
        case.forbid("not-charged", "TL-13.7", key="launcher-empty", unit=Id(command.ship))


@CHAPTER.effect(Retargeted)
def retargeted(state: Board, event: Retargeted) -> Rows:
    """The number noted on another ship."""
    return {("missiles", event.missile): replace(state.missiles[event.missile], target=str(event.target))}
