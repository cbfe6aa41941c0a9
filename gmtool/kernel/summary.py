"""What a walk through all dice has come to: the ends with their chances, and what is told of each figure."""

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from typing import Any, NamedTuple

from gmtool.kernel.state import State
from gmtool.kernel.tallies import Chances, Key, Settled


class Outlook(NamedTuple):
    """An exact outlook: each distinct (results, state) with its chance, and the chance left unsettled by re-rolls.

    ``tallies`` have for each key its values but 0 (or no) with their chances, whatever the end, for each ``Settled``
    key all values that were told; ``lapsed`` has for each command but the first the chance that it could not be done.
    """

    ends: list[tuple[Mapping[str, Any], State, Fraction]]
    unsettled: Fraction
    runs: int
    lapsed: tuple[Fraction, ...] = ()
    tallies: Mapping[Key, Chances] = {}


def counts_up(key: str, sums: Sequence[str]) -> bool:
    """Whether a result counts up from nothing: by a word of its key."""
    return any(part in sums for part in key.split("."))


def summary(view: Outlook, sums: Sequence[str] = ()) -> dict[str, Any]:
    """What is foretold of each result: a chance for yes or no, mean and chances for a number, chances for words.

    Of ``sums`` what an end says nothing of is 0 there.
    """
    settled = {key.key: ways for key, ways in view.tallies.items() if isinstance(key, Settled)}
    keys = dict.fromkeys([*settled, *(key for results, _, _ in view.ends for key in results)])
    found: dict[str, Any] = {}
    whole = sum((chance for _, _, chance in view.ends), Fraction(0))
    for key in keys:
        values = [*settled.get(key, {}).items(), *((results.get(key), chance) for results, _, chance in view.ends)]
        found[key] = _outlook_of(values, counts_up(key, sums))
    for name, ways in view.tallies.items():
        if isinstance(name, Settled):
            continue
        none = {} if any(isinstance(value, bool) for value in ways) else {0: whole - sum(ways.values())}
        found[name] = _outlook_of([(value, chance) for value, chance in {**none, **ways}.items() if chance], False)
    return found


def _outlook_of(values: list[tuple[Any, Fraction]], up: bool) -> Any:
    chances: dict[Any, Fraction] = {}
    for value, chance in values:
        chances[value] = chances.get(value, Fraction(0)) + chance
    known = [value for value in chances if value is not None]
    if all(isinstance(value, bool) for value in known):
        return float(chances.get(True, Fraction(0)))
    if all(isinstance(value, int) for value in known):
        if up and None in chances:
            chances[0] = chances.get(0, Fraction(0)) + chances.pop(None)
            known = [*chances]
        mean = sum((value * chances[value] for value in known), Fraction(0))
        shown = {str(value): float(chances[value]) for value in sorted(known)}
        return {"mean": float(mean), "chances": shown}
    return {"chances": {str(value): float(chances[value]) for value in sorted(known, key=str)}}


class Field(NamedTuple):
    """One figure of an outlook as a game names it: its ``word``, whose it is (ids and parts of the key), its tally."""

    word: str
    who: tuple[str, ...]
    tally: Any


def fields(result: Mapping[str, Any], words: Sequence[str]) -> list[Field]:
    """The figures that a game wants to see, in its order; where there are several of a word, thing by thing.

    A word names keys with whatever ids in them: ``counter.wrecked`` is ``counter.gains-2.wrecked``.
    """
    found = [
        field for word in words for field in _of_word(result, word, {part for w in words for part in w.split(".")})
    ]
    several = {field.word for field in found if sum(other.word == field.word for other in found) > 1}
    groups = dict.fromkeys(field.who for field in found if field.word in several)
    order = [(), *groups]
    return sorted(found, key=lambda field: order.index(field.who if field.word in several else ()))


def _of_word(result: Mapping[str, Any], word: str, known: Iterable[str]) -> list[Field]:
    found = []
    for key, tally in result.items():
        parts = key.split(".")
        if key == word or ".".join(part for part in parts if part in known) == word:
            found.append(Field(word, tuple(part for part in parts if key != word and part not in known), tally))
    # what is told thing by thing needs no whole: whichever pilot dies
    return [field for field in found if not any({*field.who} < {*other.who} for other in found)]


class Rare(NamedTuple):
    """How rare a figure was: the chance, from before the dice, of so much or more and of so much or less."""

    word: str
    who: tuple[str, ...]
    value: int
    at_least: float
    at_most: float


def rarity(result: Mapping[str, Any], outcome: Mapping[str, Any], words: Sequence[str]) -> list[Rare]:
    """How rare an outcome was in the figures of these words; nothing of what was certain, or could not be foretold."""
    found = []
    for key, tally in result.items():
        value = outcome.get(key)
        if type(value) is not int or not isinstance(tally, Mapping) or len(tally["chances"]) < 2:
            continue
        chances = [(int(each), chance) for each, chance in tally["chances"].items()]
        at_least = sum(chance for each, chance in chances if each >= value)
        at_most = sum(chance for each, chance in chances if each <= value)
        found += [Rare(word, who, value, at_least, at_most) for word, who, _ in fields({key: tally}, words)]
    return found
