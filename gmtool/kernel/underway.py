"""Odds of a ruling under way: dice that lie keep their faces, the others branch.

As long as nobody asks which die fell how, the open dice of a pool count as in all odds: ``keep`` sees their counts
beside those of the dice that lie. Where dice of later pools lie already (a die is thrown again after all the others),
those may answer single dice of this one: then it is laid out die by die, by class.
"""

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product
from math import prod
from typing import Any

from gmtool.kernel.asks import AGAIN, NAMELESS, Answers, Cursor, Face, Given, Missing, Names, first_key
from gmtool.kernel.cached import cached
from gmtool.kernel.case import REROLLS, Again, Case, K, Settings
from gmtool.kernel.laws import Law, Throw
from gmtool.kernel.odds import RUNS, End, Foretold, Lies, Path, Walk
from gmtool.kernel.pools import Counts, Group, Keep, spread, total
from gmtool.kernel.refusal import Refused
from gmtool.kernel.state import State
from gmtool.kernel.summary import Outlook
from gmtool.kernel.system import System

ONE_BY_ONE = 4096
"""So many falls of single dice are laid out for one pool."""


@dataclass(frozen=True, slots=True)
class Beside:
    """What ``keep`` makes of the counts of open dice together with those that lie, group by group."""

    keep: Keep[Any]
    lying: tuple[tuple[tuple[str, int], ...], ...]

    def __call__(self, counts: tuple[Counts, ...]) -> Hashable:
        """The value kept of both."""
        both = []
        for lie, open in zip(self.lying, counts, strict=True):
            held = {**open}
            for result, n in lie:
                held[result] = held.get(result, 0) + n
            both.append(held)
        kept: Hashable = self.keep(tuple(both))
        return kept


class Underway(Foretold):
    """A case in which some dice lie."""

    def __init__(self, walk: "WalkOn", start: End, path: Path) -> None:
        super().__init__(walk, start, path)
        self._on = walk
        self._pools = {key: [*faces] for key, faces in start.lies if faces}
        self._counted = [key for key, faces in start.lies if not faces]

    @property
    def lies(self) -> Lies:
        """The pools all of whose dice are known, in the order they were thrown; without any those of which some lie."""
        known = [(key, tuple(faces)) for key, faces in self._pools.items()]
        return (*known, *[(key, ()) for key in self._counted])

    def pool(
        self, key: str, who: str, groups: Sequence[Group], keep: Callable[[tuple[Counts, ...]], K], *, rule: str,
        again: Again | None = None,
    ) -> K:  # fmt: skip
        """What is kept of dice of which some may lie."""
        one_by_one = (again is not None and self._on.said_again) or self._lies_elsewhere(key)
        if not (one_by_one or self._on.lies_in(key)):
            return super().pool(key, who, groups, keep, rule=rule, again=again)
        counts, open = ([], []) if one_by_one else self._parted(key, groups)
        if one_by_one or not any(open):
            return self._die_by_die(key, who, groups, keep, rule, again)
        self._counted.append(key)
        rest = tuple([group._replace(n=n, seats=(), answers=None) for group, n in zip(groups, open, strict=True)])
        value: K = self._laid(*_spread_beside(rest, keep, counts))
        return value

    def evenly(self, seats: Sequence[str]) -> str | None:
        """Each is as likely, unless dice that lie may say it."""
        return None if self._lies_elsewhere("") else super().evenly(seats)

    def _lies_elsewhere(self, key: str) -> bool:
        """Whether a die lies that is neither of this pool nor of one that was thrown before it."""
        return self._on.lies_beyond((key, *self._pools, *self._counted))

    def thrown(self, key: str) -> Sequence[Face]:
        """The dice of a pool, where all are known."""
        return self._pools.get(key, ())

    def _parted(self, key: str, groups: Sequence[Group]) -> tuple[list[dict[str, int]], list[int]]:
        """Of each group the counts of the dice that lie, and how many are open."""
        counts: list[dict[str, int]] = [{} for _ in groups]
        open = [0] * len(groups)
        for index, seat, _ in self._placed(groups):
            found = self._on.cursor.lying(f"{key}.{seat}" if seat else key, groups[index].law)
            if found is None:
                open[index] += 1
            else:
                result = found[0].result
                counts[index][result] = counts[index].get(result, 0) + 1
        return counts, open

    def _die_by_die(
        self, key: str, who: str, groups: Sequence[Group], keep: Callable[[tuple[Counts, ...]], K], rule: str,
        again: Again | None,
    ) -> K:  # fmt: skip
        """The pool as the table throws it; each die that is asked for falls in turn into each of its classes."""
        given, usual = {**self._cursor.answers.given}, self._cursor
        try:
            while True:
                self._cursor = self._on.cursor_of(given)
                try:
                    return Case.pool(self, key, who, groups, keep, rule=rule, again=again)
                except Missing as missing:
                    throws = self._laid(*_falls(missing.laws, self._on.raises))
                    for ask, throw in zip(missing.asks, throws, strict=True):
                        given[ask.key] = Given(throw.faces, throw.fixed, "", None)
        finally:
            self._cursor = usual


class WalkOn(Walk):
    """A walk that goes on from where the dice lie."""

    def __init__(
        self, system: System, state: State, book: Any, answers: Answers, settings: Settings, names: Names, limit: int
    ) -> None:
        super().__init__(system, state, book, answers, settings, names=names, limit=limit, by_figure=True)
        self._names = names
        again = {label: value for label, value in answers.said.items() if label.partition(".")[0] == AGAIN}
        self.said_again = bool(again)
        # a raise reads the others again by another target: then their classes are not enough
        self.raises = any(value not in REROLLS[:2] for value in again.values())
        self._lying = frozenset(first_key(key) for key in answers.given)
        self._beyond: dict[tuple[str, ...], bool] = {}

    def case(self, start: End, path: Path) -> Foretold:
        """A run in which some dice lie; one like any other where none do."""
        return Underway(self, start, path) if self._lying or self.said_again else Foretold(self, start, path)

    def lies_in(self, key: str) -> bool:
        """Whether a die of a pool lies."""
        return any(_is_of(die, key) for die in self._lying)

    def lies_beyond(self, pools: tuple[str, ...]) -> bool:
        """Whether a die lies that is of none of these pools."""
        found = self._beyond.get(pools)
        if found is None:
            found = self._beyond[pools] = any(not any(_is_of(die, pool) for pool in pools) for die in self._lying)
        return found

    def cursor_of(self, given: Mapping[str, Given]) -> Cursor:
        """The same answers with more dice given."""
        return Cursor(replace(self.cursor.answers, given=given), self._names, says=self.system.declared)

    def _heard(self) -> None:
        """What nothing has asked for may still be asked for, or is refused when the ruling ends."""


def underway(
    system: System, state: State, book: Any, command: Any, answers: Answers, settings: Settings,
    names: Names = NAMELESS, limit: int = RUNS,
) -> Outlook:  # fmt: skip
    """The exact outlook of a command of which some dice may lie (``answers.given``). Refused ``no-odds`` if too big."""
    return WalkOn(system, state, book, answers, settings, names, limit).outlook((command,))


def _is_of(die: str, pool: str) -> bool:
    return die == pool or die.startswith(f"{pool}.")


def _spread_beside(
    rest: tuple[Group, ...], keep: Keep[Any], counts: Sequence[Mapping[str, int]]
) -> tuple[Sequence[tuple[Any, int]], int]:
    """The values of open dice beside those that lie, and how many falls there are."""
    if keep is total:
        lying = total(tuple(counts))
        sums, falls = spread(rest, total)
        return [(int(str(value)) + lying, ways) for value, ways in sums], falls
    return spread(rest, Beside(keep, tuple([tuple(sorted(each.items())) for each in counts])))


def _falls(laws: Sequence[Law], whole: bool) -> tuple[list[tuple[tuple[Throw, ...], int]], int]:
    """Each fall of these dice with its weight: one throw for each class, or ``whole`` every single throw."""
    tables = [_throws(law, whole) for law in laws]
    if prod([len(table) for table in tables]) > ONE_BY_ONE:
        raise Refused("no-odds", key="odds-too-many", facts={"limit": ONE_BY_ONE})
    falls = [(tuple([throw for throw, _ in fall]), prod([n for _, n in fall])) for fall in product(*tables)]
    return falls, prod([sum([n for _, n in table]) for table in tables])


@cached(256, typed=True)
def _throws(law: Law, whole: bool) -> tuple[tuple[Throw, int], ...]:
    """The throws of a law with their weights: the first of each class standing for all of it, or each."""
    if whole:
        return tuple([(throw, 1) for throw in law.all()])
    found: dict[str, tuple[Throw, int]] = {}
    for throw in law.all():
        first, n = found.get(throw.result, (throw, 0))
        found[throw.result] = first, n + 1
    return tuple(found.values())
