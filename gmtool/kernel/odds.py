"""Odds: the same rules, run once for each distinct value of what they keep of the dice.

Between the rules of an exchange (attack, then damage, then counter) equal continuations are merged: the same state,
the same commands to come, the same results so far. Weights are whole numbers throughout; the chances are exact.

Several commands are foretold one after the other, each from every end of the one before. One that cannot be done from
some of these ends lapses there; one that could not be done if it came first either is refused.

What a rule tallies it does not read again: ends that differ in tallies alone are one, with how likely each of these is.
What its command overlooks has no effect: no rule of the exchanges that are foretold would ask for it.
"""

from collections.abc import Callable, Hashable, Mapping, Sequence
from fractions import Fraction
from typing import Any, NamedTuple

from gmtool.kernel.asks import NAMELESS, Answers, Cursor, Face, Names
from gmtool.kernel.case import Again, Case, K, Part, Settings, rule_for
from gmtool.kernel.pools import Counts, Group, Spread, spread
from gmtool.kernel.refusal import Refused
from gmtool.kernel.state import Rows, State
from gmtool.kernel.summary import Outlook as Outlook
from gmtool.kernel.summary import counts_up
from gmtool.kernel.system import System
from gmtool.kernel.tallies import Settled, Tallies, Weight, chances_of, either, further
from gmtool.kernel.tallies import plus as plus

# Where a rule may ask for more and more dice (both tie, both roll again): the pools of one rule that are laid out,
# the rules of an exchange run one after the other, and the chance below which what still follows is left unsettled.
DEPTH = 16
JOINTS = 16
SLIGHT = Fraction(1, 10**12)
RUNS = 40_000
Node = tuple[Any, ...]
Lies = tuple[tuple[str, tuple[Face, ...]], ...]
"""Pools whose single dice are known, by key."""
Spreader = Callable[[tuple[Group, ...], Callable[[tuple[Counts, ...]], Hashable]], Spread]


class Unsettled(Exception):
    """The run asks for more dice than are laid out."""


class Path(NamedTuple):
    """The values of a rule's pools so far, their weight, and how many of them could have been others."""

    values: tuple[Any, ...]
    weight: Weight
    branches: int = 0


class Foretold(Case[Any, Any]):
    """A case whose pools take the values laid out beforehand; beyond them the first one, the others to be run later."""

    def __init__(self, walk: "Walk", start: "End", path: Path) -> None:
        super().__init__(walk.system, start.state.fork(), walk.book, walk.cursor, walk.settings)
        self.path = path
        self.seen = start.seen
        self.tallied: dict[str, int] = {}
        self._walk = walk
        self._met = 0

    def pool(
        self, key: str, who: str, groups: Sequence[Group], keep: Callable[[tuple[Counts, ...]], K], *, rule: str,
        again: Again | None = None,
    ) -> K:  # fmt: skip
        """The value laid out for this pool; a pool that is not laid out branches. Nothing is thrown again."""
        if self._met < len(self.path.values):
            laid: K = self._laid((), 1)
            return laid
        one: K = self._laid(*self._walk.spreader(tuple(groups), keep))
        return one

    @property
    def lies(self) -> Lies:
        """The dice that later pools may answer one by one: none here, since only counts are kept."""
        return ()

    def _laid(self, chances: Sequence[tuple[Any, int]], falls: int) -> Any:
        """The value laid out for what is met next; where none is, the first of these, the others to be run later."""
        values, (n, of), branches = self.path
        place = self._met
        self._met = place + 1
        if place < len(values):
            return values[place]
        if len(chances) > 1:
            branches += 1
            if branches > DEPTH:
                raise Unsettled
        paths = [Path((*values, value), (n * ways, of * falls), branches) for value, ways in chances]
        self.path = paths[0]
        self._walk.paths += paths[1:]
        return self.path.values[place]

    def evenly(self, seats: Sequence[str]) -> str | None:
        """The one of these that is laid out; each is as likely."""
        one: str = self._laid([(seat, 1) for seat in seats], len(seats))
        return one

    def thrown(self, key: str) -> Sequence[Face]:
        """No dice are thrown."""
        return ()

    def ask(
        self, key: str, who: str, options: Sequence[str], default: str, *, rule: str, given: str | None = None,
        quiet: bool = False, shown: Callable[[str], Any] | None = None, read: Callable[[str], str] | None = None,
    ) -> str:  # fmt: skip
        """The declaration; nothing is shown."""
        asked = (key, given, default, tuple(options))
        value = self._walk.asked.get(asked)
        if value is None:
            value = self._walk.asked[asked] = super().ask(
                key, who, options, default, rule=rule, given=given, read=read
            )  # fmt: skip
        return value

    def choice(self, id: str) -> str:
        """The reading; nothing is shown."""
        return self._settings.reading(id).value

    def figure(self, key: str, who: str, parts: Sequence[Part], *, rule: str) -> int:
        """The sum; nothing is shown."""
        return sum([n for _, n, _ in parts])

    def emit(self, event: Any, rule: str) -> None:
        """The effect; nothing is shown."""
        self.keep(event)

    def keep(self, event: Any, rule: str = "") -> None:
        """The effect, worked out once for the same event in the same state; nothing is written."""
        if self._system.effect(type(event)) is not None and not self._walk.overlooks(self.state, event):
            rows, self.seen = self._walk.effect(self.state, self.seen, event)
            self.state.put(rows)

    def tally(self, key: str, n: int = 1) -> None:
        """So much more on every way that leads here."""
        self.tallied[key] = self.tallied.get(key, 0) + n

    def mark(self, key: str) -> None:
        """Yes on every way that leads here."""
        self.tallied[key] = True

    def cite(self, *rules: str) -> None:
        """Nothing is shown."""

    def warn(self, code: str, rule: str = "", **facts: Any) -> None:
        """Nothing is shown."""


class End(NamedTuple):
    """Where runs have come to: equal ends are one, their weights added.

    ``before`` are results of earlier commands, ``tallies`` those of all, with what is ``Settled``; ``lies`` are dice
    known one by one.
    """

    queue: tuple[Any, ...]
    state: State
    seen: int
    results: Mapping[str, Any]
    weight: Weight
    before: Mapping[str, Any]
    tallies: Tallies
    lies: Lies = ()


class Walk:
    """The walk through all continuations of one command.

    A state is known by a number (``seen``): the state at the start is 0, and the same event in the same state leads
    to the same number again. States of different numbers may be equal; ``_equal`` finds that out once for each.
    """

    def __init__(
        self, system: System, state: State, book: Any, answers: Answers, settings: Settings,
        spreader: Spreader = spread, names: Names = NAMELESS, limit: int = RUNS, by_figure: bool = False,
    ) -> None:  # fmt: skip
        self.system, self.book, self.settings, self.spreader = system, book, settings, spreader
        self.cursor = Cursor(answers, names, says=system.declared)
        self.limit, self.by_figure = limit, by_figure
        self.paths: list[Path] = []
        self.asked: dict[tuple[str, str | None, str, tuple[str, ...]], str] = {}
        self.runs = 0
        self.unsettled = Fraction(0)
        self._state = state
        self._effects: dict[tuple[int, type[Any], Any], tuple[Rows, int]] = {}
        self._numbers = 0
        self._equal: dict[int, int] = {}
        self._keys: dict[Hashable, int] = {}
        self._refused: Refused | None = None
        self._lapsed = Fraction(0)
        self._begun = False
        self._blurred: dict[tuple[int, type[Any], Any], tuple[Rows, int]] = {}
        self._overlook: list[Callable[[State, Any], bool]] = []

    def outlook(self, commands: Sequence[Any]) -> Outlook:
        """Command by command, the results of all taken together."""
        first, *others = commands
        self._overlook = [getattr(command, "overlooks", lambda state, event: False) for command in commands]
        ends = self._through([End((first,), self._state.fork(), 0, {}, (1, 1), {}, {})], False)
        lapsed = []
        for command in others:
            starts: dict[Node, End] = {}
            for end in ends:
                start = end._replace(queue=(command,), results={}, before=self._together(end))
                _add(starts, self._node(start), start)
            self._refused, self._lapsed, self._begun = None, Fraction(0), False
            ends = self._through([*starts.values()], True)
            if self._refused is not None and not self._begun and not self._possible(command):
                raise self._refused
            lapsed.append(self._lapsed)
        self._heard()
        found = [(self._together(end), end.state, Fraction(*end.weight)) for end in ends]
        return Outlook(
            found, self.unsettled, self.runs, tuple(lapsed), chances_of([(end.tallies, end.weight) for end in ends])
        )

    def _heard(self) -> None:
        """Refuse what was said and nothing has asked for, whatever the dice."""
        self.cursor.leftovers()

    def case(self, start: End, path: Path) -> Foretold:
        """A run of what stands first in the queue, on this way through its pools."""
        return Foretold(self, start, path)

    def _possible(self, command: Any) -> bool:
        """Whether a command could be done if it came first: then it is those before it that leave it no room."""
        try:
            self._explore(End((command,), self._state.fork(), 0, {}, (1, 1), {}, {}), {}, False)
        except Refused:
            self.paths.clear()
            return False
        return True

    def overlooks(self, state: State, event: Any) -> bool:
        """Whether no command of these asks for what an event does."""
        return all(overlook(state, event) for overlook in self._overlook)

    def _together(self, end: End) -> Mapping[str, Any]:
        """The results of all commands so far: what counts up is added, a yes stays, other words are the latest."""
        if not end.before:
            return end.results
        found = {**end.before, **end.results}
        for key, value in end.results.items():
            before = end.before.get(key)
            if isinstance(value, bool):
                found[key] = value or bool(before)
            elif isinstance(value, int) and isinstance(before, int) and counts_up(key, self.system.sums):
                found[key] = value + before
        return found

    def _through(self, starts: list[End], may_lapse: bool) -> list[End]:
        """Joint by joint until nothing follows, or next to nothing; what runs out is left unsettled.

        Commands that say so (``waits``) wait for all others, however many joints those take: equal ends are then one.
        """
        ends: dict[Node, End] = {}
        waiting = {self._node(end): end for end in starts}
        joints = 0
        while waiting:
            self._bound(len(waiting))  # each takes a run at least
            held = {node: end for node, end in waiting.items() if getattr(end.queue[0], "waits", False)}
            joined = held if len(held) < len(waiting) else {}
            for end in [end for node, end in waiting.items() if node not in joined]:
                self._explore(end, joined, may_lapse and joints == 0)
            waiting = {}
            for node, end in joined.items():
                if end.queue:
                    waiting[node] = end
                else:
                    _add(ends, node, end)
            joints += 1
            left = sum((Fraction(*end.weight) for end in waiting.values()), Fraction(0)) if joints > JOINTS else SLIGHT
            if left < SLIGHT:
                self.unsettled += left
                break
        return list(ends.values())

    def _bound(self, more: int) -> None:
        if self.runs + more > self.limit:
            raise Refused("no-odds", key="odds-too-many", facts={"limit": self.limit})

    def effect(self, state: State, seen: int, event: Any) -> tuple[Rows, int]:
        """The rows an event writes in a state of this number, and the number of the state after it."""
        step = (seen, type(event), event)
        try:
            known = self._effects.get(step)
        except TypeError:  # an event that cannot be hashed
            return self._worked_out(state, event)
        if known is None:
            known = self._effects[step] = self._worked_out(state, event)
        return known

    def _worked_out(self, state: State, event: Any) -> tuple[Rows, int]:
        self._numbers += 1
        return self.system.effects[type(event)](state, event), self._numbers

    def _explore(self, start: End, joined: dict[Node, End], may_lapse: bool) -> None:
        """Run the first command of the queue for every value of its pools, and merge equal continuations.

        Where it ``may_lapse`` a refusal of it leaves everything as it was.
        """
        command, *rest = start.queue
        rule = rule_for(self.system, command)
        self.paths.append(Path((), start.weight))
        while self.paths:
            self._bound(1)
            self.runs += 1
            case = self.case(start, self.paths.pop())
            case.queue, case.results = [*rest], {**start.results}
            try:
                rule(case, command)
            except Unsettled:
                self.unsettled += Fraction(*case.path.weight)
                continue
            except Refused as refused:
                if not may_lapse:
                    raise
                # it lapses here; whether it can be done at all is known when all ends have been tried
                self._refused = self._refused or refused
                self._lapsed += Fraction(*case.path.weight)
                tallies = further(start.tallies, start.weight, case.path.weight, {})
                end = start._replace(queue=(), weight=case.path.weight, tallies=tallies)
            else:
                self._begun = True
                weight = case.path.weight
                tallies = further(start.tallies, start.weight, weight, case.tallied)
                queue = tuple(case.queue)
                end = End(queue, case.state, case.seen, case.results, weight, start.before, tallies, case.lies)
                end = self._simpler(end) if self.by_figure and queue else end
            _add(joined, self._node(end), end)

    def _simpler(self, end: End) -> End:
        """Where each figure is asked for by itself: without what nothing that follows has to do with any more.

        What follows says so itself: ``keeps`` names the results it may come to, ``blurs`` gives rows that do as well as
        those there are.
        """
        keeps = [getattr(command, "keeps", None) for command in end.queue]
        if all(keeps):
            settled = [key for key in end.results if not any(keep(key) for keep in keeps if keep)]
            told: Tallies = {Settled(key): {end.results[key]: end.weight[0]} for key in settled}
            results = {key: value for key, value in end.results.items() if key not in settled}
            end = end._replace(results=results, tallies={**end.tallies, **told})
        (command, *others) = end.queue
        blurs = getattr(command, "blurs", None)
        return end if others or blurs is None else self._blurry(end, command, blurs)

    def _blurry(self, end: End, command: Any, blurs: Callable[[State, Any], Rows]) -> End:
        """The end with the rows that do as well, and the number of its state."""
        step = (end.seen, type(command), command)
        known = self._blurred.get(step)
        if known is None:
            self._numbers += 1
            known = self._blurred[step] = blurs(end.state, self.book), self._numbers
        rows, seen = known
        if not rows:
            return end
        end.state.put(rows)
        return end._replace(seen=seen)

    def _node(self, end: End) -> Node:
        """What tells ends apart: what follows (commands of two types can be equal tuples), the state, the results."""
        number = self._equal.get(end.seen)
        if number is None:
            number = self._equal[end.seen] = self._keys.setdefault(end.state.key(), end.seen)
        results = frozenset(end.results.items()), frozenset(end.before.items())
        return tuple([(type(command), command) for command in end.queue]), number, results, end.lies


def _add(ends: dict[Node, End], node: Node, end: End) -> None:
    held = ends.get(node)
    if held is not None:
        weight = plus(held.weight, end.weight)
        end = held._replace(weight=weight, tallies=either((held.tallies, held.weight), (end.tallies, end.weight)))
    ends[node] = end


def outlook(
    system: System,
    state: State,
    book: Any,
    command: Any,
    answers: Answers,
    settings: Settings,
    spreader: Spreader = spread,
    then: Sequence[Any] = (),
    by_figure: bool = False,
) -> Outlook:
    """The exact outlook of a command from this state, and of those to be given then.

    Declarations come from ``answers``, dice from nowhere. ``by_figure``: only the chances of each figure by itself are
    wanted, not what comes together with what, nor the states; many ends are then one.
    """
    by_figure = by_figure and not then
    return Walk(system, state, book, answers, settings, spreader, by_figure=by_figure).outlook((command, *then))
