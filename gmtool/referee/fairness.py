"""How even the dice of the table are: faces by die and person, as thrown, each set of them tested."""

from collections.abc import Iterable, Sequence

from gmtool.kernel.evenness import LEVEL, DiceSet, Evenness, Fairness, corrected, evenness, least_rolls, telling_rolls
from gmtool.kernel.fold import fold
from gmtool.kernel.refusal import Refused
from gmtool.referee.thrown import Thrown
from gmtool.text.clean import printable

ENTERED = "entered"
MOST_CELLS = 20
"""Faces that are counted one by one; of dice with more, ranges of faces are."""


def fairness(dice: Sequence[Thrown], by: str | None = None) -> Fairness:
    """Count and test. Refused ``unknown-name`` where ``by`` has thrown nothing; names are compared as names are."""
    lain = [each for each in dice if not each.told_before]
    table = [each for each in lain if each.die.get("source") == ENTERED]
    tool = [each for each in lain if each.die.get("source") != ENTERED]
    if by is not None:
        named: dict[str, str] = {}
        for each in table:
            named.setdefault(fold(_by(each) or ""), _by(each) or "")
        if fold(by) not in named:
            facts = {"value": by, "known": sorted(filter(None, named.values()))}
            raise Refused("unknown-name", key="no-such-thrower", exit=2, facts=facts)
        table, tool = [each for each in table if fold(_by(each) or "") == fold(by)], []
    unknown = sum(len(each.die["faces"]) for each in table if not each.sides)
    return Fairness(_tested(_sets(table)), _tested(_sets(tool)), unknown)


def _by(each: Thrown) -> str | None:
    by = each.die.get("by")
    return printable(by) if isinstance(by, str) and by else None


PLACES = ("tens", "ones", "")
Key = tuple[int, str]
Faces = dict[str, tuple[str | None, list[int]]]


def _sets(dice: Iterable[Thrown]) -> list[DiceSet]:
    """A set for each kind of die and, where several people threw it, one for each of them."""
    found: dict[Key, Faces] = {}
    for each in dice:
        by = _by(each)
        for sides, place, face in zip(each.sides, each.place, each.die["faces"], strict=False):
            if _cells(sides) and type(face) is int and 0 <= face <= sides:
                found.setdefault((sides, place), {}).setdefault(fold(by or ""), (by, []))[1].append(face)
    sets: list[DiceSet] = []
    for (sides, place), people in sorted(found.items(), key=lambda item: (item[0][0], PLACES.index(item[0][1]))):
        if len(people) > 1:
            everyone = [face for _, faces in people.values() for face in faces]
            sets.append(_set(sides, place, None, True, everyone))
        sets += [_set(sides, place, by, False, faces) for _, (by, faces) in sorted(people.items())]
    return sets


def _cells(sides: int) -> int:
    """Into how many cells the faces of a die fall: its sides, or the best divisor of them; 0 where there is none."""
    if sides <= MOST_CELLS:
        return sides if sides > 1 else 0
    return 10 if sides % 10 == 0 else max((n for n in range(2, MOST_CELLS + 1) if sides % n == 0), default=0)


def _set(sides: int, place: str, by: str | None, everyone: bool, faces: Sequence[int]) -> DiceSet:
    """The faces counted. Of a ten-sided die 0 and 10 are the same face, and it is shown as the die shows it."""
    cells = _cells(sides)
    wide = sides // cells
    counts = [0] * cells
    for face in faces:
        counts[(face - 1) % sides // wide] += 1
    labels = [str(n + 1) if wide == 1 else f"{n * wide + 1}-{(n + 1) * wide}" for n in range(cells)]
    if sides == 10:
        counts, labels = [counts[-1], *counts[:-1]], ["0", *labels[:-1]]
    return DiceSet(sides, place, by, everyone, tuple(counts), tuple(labels))


def _tested(sets: Sequence[DiceSet]) -> tuple[DiceSet, ...]:
    """Each set with its test, corrected for all of them, and what it can tell.

    Sets so small that nothing could stand out even alone are no tests: whether they are does not hang on their faces.
    """
    able = [place for place, each in enumerate(sets) if each.is_test]
    results = [evenness(each.counts) for each in sets]
    chances = dict(zip(able, corrected([results[place].chance for place in able]), strict=True))
    judged = (
        _judged(each, result, chances.get(place, 1.0), len(able) or 1)
        for place, (each, result) in enumerate(zip(sets, results, strict=True))
    )
    return tuple(judged)


def _judged(each: DiceSet, result: Evenness, chance: float, tests: int) -> DiceSet:
    least, telling = least_rolls(result.faces, tests), telling_rolls(result.faces, tests)
    verdict = "unusual" if chance <= LEVEL else "few" if each.rolls < telling else "even"
    return each._replace(tested=result, chance=chance, least=least, telling=telling, verdict=verdict)
