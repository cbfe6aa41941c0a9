"""What can be done now, and what cannot and why: found by trying the rules; nothing is written, nothing locked.

The shortest line that does is told; where the next word is anybody's to choose (a name, a number), the verb alone.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple
from weakref import WeakKeyDictionary

from gmtool.kernel.refusal import Refused, Word
from gmtool.kernel.trial import Trials
from gmtool.kernel.words import Candidate, Param
from gmtool.referee.desk import Desk


class Deed(NamedTuple):
    """A line that is not refused: its verb and its words."""

    verb: str
    words: tuple[Candidate, ...]


class Barred(NamedTuple):
    """A line, or all that begin so, that the rules refuse, and what they say to it."""

    verb: str
    words: tuple[Candidate, ...]
    refused: Refused


class Possible(NamedTuple):
    """What can be done, what cannot, and the verbs that need a word that nobody can list."""

    deeds: tuple[Deed, ...] = ()
    barred: tuple[Barred, ...] = ()
    free: tuple[str, ...] = ()


class Chances(NamedTuple):
    """What can be done in a campaign: by each thing that can do something, and by nobody in particular."""

    things: tuple[tuple[Candidate, Possible], ...]
    others: Possible
    beside: tuple[str, ...]


class _Known(NamedTuple):
    """The trials of a position: where the journal stood and the state that they were made on."""

    head: Any
    state: Any
    trials: Trials


_KNOWN: "WeakKeyDictionary[Desk, dict[bool, _Known]]" = WeakKeyDictionary()


def trials_on(desk: Desk, force: bool = False) -> Trials:
    """The trials on a campaign as it stands; what was tried since the journal last grew is still known."""
    state, head, known = desk.state, desk.campaign.head, _KNOWN.setdefault(desk, {})
    made = known.get(force)
    if made is None or made.head != head or made.state is not state:
        made = known[force] = _Known(head, state, Trials(desk.system, state, desk.book, desk.settings(force)))
    return made.trials


def all_that_can_be_done(desk: Desk) -> Chances:
    """What every thing of the campaign can do now, and what else can be done."""
    trials, system = trials_on(desk), desk.system
    play = [verb for verb in system.verbs if verb not in system.beside]
    actors = {verb: _actors(desk, trials, verb) for verb in play}
    things = {thing.id: thing for found in actors.values() for thing in found}
    done = []
    for thing in sorted(things.values(), key=in_order):
        own = _possible(trials, [(verb, thing) for verb in play if thing in actors[verb]])
        if own.deeds or own.free:
            done.append((thing, own))
    others = _possible(trials, [(verb, None) for verb in play if not actors[verb]])
    return Chances(tuple(done), others, tuple(verb for verb in system.verbs if _is_beside(desk, trials, verb)))


def what_it_can_do(desk: Desk, id: str) -> tuple[Candidate, Possible, tuple[str, ...]]:
    """What one thing can do now and what it cannot, and the verbs by which the GM can do something to it."""
    trials, system = trials_on(desk), desk.system
    named = {verb: thing for verb in system.verbs for thing in _actors(desk, trials, verb) if thing.id == id}
    own = _possible(trials, [(verb, thing) for verb, thing in named.items() if verb not in system.beside])
    beside = [verb for verb, thing in named.items() if verb in system.beside and _goes_on_with(trials, verb, thing)]
    row = next(iter(named.values()), None) or Candidate(id, tuple(desk.spoken(id)[:1]))
    return row, own, tuple(beside)


def _actors(desk: Desk, trials: Trials, verb: str) -> list[Candidate]:
    """The things of the board that a verb can begin with: whoever does it."""
    slots = trials.slots(verb, {})
    words = trials.listed(slots[0], {}) if slots and not getattr(slots[0].spec, "many", False) else None
    return [word for word in words or () if _is_thing(desk, word.id)]


def _is_thing(desk: Desk, id: str) -> bool:
    state = desk.state
    tables = [table for table in state.kinds if table not in desk.system.inner and table != "sides"]
    return any(id in state.table(table) for table in tables)


def _is_beside(desk: Desk, trials: Trials, verb: str) -> bool:
    return verb in desk.system.beside and trials.goes_on(verb, {})


def _goes_on_with(trials: Trials, verb: str, thing: Candidate) -> bool:
    return trials.goes_on(verb, trials.with_word({}, trials.slots(verb, {})[0], thing.id))


def in_order(word: Candidate) -> tuple[str, int]:
    """By letter and number of the handle, so that r10 comes after r9; words without one as they were listed."""
    letters = word.handle.rstrip("0123456789")
    return letters, int(word.handle[len(letters) :] or 0)


def _possible(trials: Trials, begun: Sequence[tuple[str, Candidate | None]]) -> Possible:
    """What comes of verbs, each begun with who does it or with nothing."""
    found: list[Deed | Barred | str] = []
    for verb, thing in begun:
        slot = trials.slots(verb, {})[0] if thing else None
        given = trials.with_word({}, slot, thing.id) if thing and slot else {}
        found += _tried(trials, verb, given, (thing,) if thing else ())
    return Possible(
        tuple(each for each in found if isinstance(each, Deed)),
        tuple(each for each in found if isinstance(each, Barred)),
        tuple(each for each in found if isinstance(each, str)),
    )


def _tried(
    trials: Trials, verb: str, given: Mapping[str, Any], words: tuple[Candidate, ...]
) -> Iterator[Deed | Barred | str]:
    """The lines that begin so, as far as each has to be said; of those refused the shortest beginning."""
    slots = trials.slots(verb, given)
    missing = [slot for slot in slots if slot.required and slot.name not in given]
    exact = None if missing else trials.verdict(verb, given)
    if exact and not exact.refused:
        yield verb if exact.depends else Deed(verb, words)
        return
    whatever = trials.verdict(verb, given, blank=True) if slots else exact
    refused = (exact and exact.refused) or (whatever and whatever.refused)
    if not slots or (whatever and whatever.refused) or _needs_no_more(trials, verb, given, slots[0]):
        if refused:
            yield Barred(verb, words, refused)
        return
    yield from _with_each(trials, verb, given, words, slots[0], refused)


def _with_each(
    trials: Trials, verb: str, given: Mapping[str, Any], words: tuple[Candidate, ...], slot: Param,
    refused: Refused | None,
) -> Iterator[Deed | Barred | str]:  # fmt: skip
    """The same with each word that can be named next; ``refused`` is what is said to the line without one."""
    listed = trials.listed(slot, given)
    if listed is None:
        yield verb
    elif not listed:
        facts = {"argument": Word(slot.name)}
        yield Barred(verb, words, refused or Refused("nothing-to-do", key="nothing-to-name", facts=facts))
    else:
        found: list[Deed | Barred | str] = []
        for word in sorted(listed, key=in_order):
            if word.id in given.get(slot.name, ()):
                continue
            if trials.believed(word):
                found.append(Deed(verb, (*words, word)))
            else:
                found += _tried(trials, verb, trials.with_word(given, slot, word.id), (*words, word))
        barred = [each.refused for each in found if isinstance(each, Barred)]
        if refused and barred and len(barred) == len(found):
            # one reason for the line as it is, or that of all its words, rather than one for each that does not help
            alike = all((each.key, each.rule) == (barred[0].key, barred[0].rule) for each in barred)
            found = [Barred(verb, words, barred[0] if alike else refused)]
        yield from found


def _needs_no_more(trials: Trials, verb: str, given: Mapping[str, Any], slot: Param) -> bool:
    """Whether a field that takes several words has some, and what is refused is not that there are too few."""
    return slot.name in given and not trials.unfinished(verb, given)
