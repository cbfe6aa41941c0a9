"""The shapes of an exchange of fire: what is declared, what the attack rolls call for, what is still to come.

The order is RT-8.12: declarations, attack rolls, each target's defence, damage, escapes, counters. Everything here is a
command of its own rule, or what such a command carries.
"""

from typing import Any, NamedTuple

from gmtool.kernel.pools import Group
from gmtool.kernel.state import Map, Rows, replace
from gmtool.systems.rtype.book import Book
from gmtool.systems.rtype.ending import ENDINGS, ends_a_move
from gmtool.systems.rtype.model import LEAD, Board
from gmtool.systems.rtype.rules.r11_survival import Escape
from gmtool.systems.rtype.rules.r20_checks import PercentLaw

SHOTS = {"gun", "missile", "laser"}
"""Weapons that do nothing to whoever fires them."""


class Aim(NamedTuple):
    """What an attacker declares: ability, skills, feint, one roll or one for each craft, a raise by a life."""

    ability: str = ""
    skills: tuple[str, ...] = ()
    feint: int | None = None
    rolls: str = ""
    raised: bool = False


class Stand(NamedTuple):
    """What the line says of a target's defence: way, ability, skills, a raise by a life; empty where it is silent.

    ``checked``: whether the target may declare it has been looked at before the first die.
    """

    way: str = ""
    ability: str = ""
    skills: tuple[str, ...] = ()
    raised: bool = False
    checked: bool = False


class Blow(NamedTuple):
    """One attack upon one target, as it goes through an exchange.

    ``kind``: attack, area, counter, area-counter, encounter or area-encounter. ``prefix`` begins the keys of its asks.
    ``way`` is the defence the target has declared, ``rank`` its place among counters, ``alone`` that no other is in the
    area. ``unseen``: the attacker was not searched (RT-9.1); ``blocked``: a ram's target cannot give way (RT-10.5).
    """

    unit: str
    weapon: str
    target: str
    part: str = ""
    kind: str = "attack"
    prefix: str = ""
    feint: int = 0
    way: str = ""
    unseen: bool = False
    blocked: bool = False
    rank: int = 0
    alone: bool = False

    @property
    def area(self) -> bool:
        """Whether everyone in an area is attacked at once (RT-8.9, 8.18)."""
        return self.kind.startswith("area")

    @property
    def several(self) -> bool:
        """Whether the outcome is told target by target."""
        return self.area and not self.alone

    @property
    def seat(self) -> str:
        """The target in the keys of its asks: the unit, or one part of it."""
        return f"{self.target}.{self.part}" if self.part else self.target

    def key(self, what: str) -> str:
        """The key of an ask of the attacker's."""
        return f"{self.prefix}{what}"

    @property
    def struck(self) -> str:
        """The target, or the part of it that is aimed at."""
        return f"{self.target}/{self.part}" if self.part and self.several else self.target

    def of_target(self, what: str) -> str:
        """The key of an ask of the target's, or of a figure of the outcome where there are several targets."""
        return f"{self.prefix}{what}.{self.seat}"

    def outcome(self, what: str) -> str:
        """The key of a figure of the outcome: named by its target where there are several."""
        return self.of_target(what) if self.several else self.key(what)


class Rolled(NamedTuple):
    """What the attack rolls call for: doubled and plain hits to evade; ``each`` answers one roll (RT-8.6, 21.7)."""

    doubled: int
    plain: int
    each: bool


class Hits(NamedTuple):
    """Hits that are left: plain ones, those doubled by a critical attack, those doubled by a fumbled evasion."""

    plain: int
    by_critical: int
    by_fumble: int


class Defend(NamedTuple):
    """A target declares its defence and evades or intercepts; ``rolled`` is None where no attack roll succeeded."""

    blow: Blow
    rolled: Rolled | None
    stand: Stand = Stand()


class Evade(NamedTuple):
    """A target's evasions, ready to be thrown: a joint of their own, since odds run what comes before them once."""

    blow: Blow
    groups: tuple[Group, ...]
    keep: Any
    law: PercentLaw
    raised: bool
    rule: str

    def blurs(self, state: Board, book: Book) -> Rows:
        """A counter's shots are fired: which craft fired them is nothing to those who evade."""
        unit = state.units[self.blow.unit]
        if self.blow.kind != "counter" or book.weapon(unit.sheet, self.blow.weapon).kind not in SHOTS:
            return {}
        return {("units", self.blow.unit): replace(unit, hp=Map({craft: int(craft == LEAD) for craft in unit.hp}))}


class Guard(NamedTuple):
    """An attached force takes what was not evaded (RT-9.5)."""

    blow: Blow
    hits: Hits
    law: PercentLaw
    raised: bool


class Intercept(NamedTuple):
    """A target shoots at the missiles (RT-9.2)."""

    blow: Blow
    rolled: Rolled
    stand: Stand


class Strike(NamedTuple):
    """What gets through strikes: hits, those that an attached force has taken, and what interception shot down."""

    blow: Blow
    hits: Hits
    guarded: Hits | None = None
    against: tuple[str, Rolled] | None = None


class KnockBack(NamedTuple):
    """A ram's target is pushed back one hex, and the rammer follows (RT-10.5)."""

    blow: Blow


class Counter(NamedTuple):
    """A declared counter is due: ``unit`` fires ``weapon`` back at ``against``.

    ``spared``: its charge outlived a hit for this one shot (RT-8.10); ``was_hit``: the attack got through.
    """

    unit: str
    weapon: str
    against: str
    prefix: str
    was_hit: bool = False
    spared: bool = False
    rank: int = 0

    @property
    def waits(self) -> bool:
        """It comes last, whether the attack missed, was evaded or hit."""
        return True

    def keeps(self, key: str) -> bool:
        """The outcome of a counter is told under its own prefix."""
        return key.startswith(self.prefix)

    def blurs(self, state: Board, book: Book) -> Rows:
        """A shot back hangs on which craft are left to fire it, not on their hit points: it hurts none of them."""
        unit = state.units[self.unit]
        if book.weapon(unit.sheet, self.weapon).kind not in SHOTS:
            return {}
        return {("units", self.unit): replace(unit, hp=Map({craft: min(n, 1) for craft, n in unit.hp.items()}))}


class Encounter(NamedTuple):
    """An enemy that was not searched fires at the mover that ran into it (RT-3.7)."""

    unit: str
    weapon: str
    mover: str


@ends_a_move
class EncounterOver(NamedTuple):
    """The last of the encounter counters is settled."""

    mover: str
    fired: bool


class Beside(NamedTuple):
    """A rammer from afar that found the hex before its target taken: where is it, once the blow is settled?"""

    unit: str
    target: str
    hexes: str


def at_the_end(waiting: Any) -> bool:
    """What comes after all damage of an exchange: escapes, then counters, then other enemies' encounter counters."""
    return isinstance(waiting, Escape | Beside) or after_escapes(waiting)


def after_escapes(waiting: Any) -> bool:
    """What comes after the escapes of an exchange."""
    return isinstance(waiting, Counter) or after_counters(waiting)


def after_counters(waiting: Any) -> bool:
    """What comes after the counters: the next enemy that was run into, and what ends a move (RT-3.13, 3.14)."""
    return isinstance(waiting, Encounter) or type(waiting) in ENDINGS
