"""What a line of ``roll`` comes to: dice are thrown as they are needed, some of them again for what they show."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import NamedTuple

from gmtool.kernel.expr.judging import JudgedPart, judge, meets
from gmtool.kernel.expr.throwing import Choice, Pool, Throwing
from gmtool.kernel.expr.tree import MAX_DICE, DicePart, Roll, refuse

Thrower = Callable[[Sequence[DicePart]], Sequence[tuple[int, ...]]]
"""Throws dice, or takes their faces from what was typed: the faces of each part in order."""


class Fallen(NamedTuple):
    """What one throw came to.

    ``total``: the sum, or how many dice of a pool met the target (None: they are only listed); ``success`` as for an
    expression. Of a pool with a target ``successes``, of one that adds up without one ``highest``; of a choice
    ``chosen``. ``line`` shows all of it without words.
    """

    total: int | None
    success: bool | None
    parts: tuple[JudgedPart, ...]
    line: str
    successes: int | None = None
    highest: int | None = None
    chosen: str | None = None


def fall(throwing: Throwing, thrower: Thrower) -> list[Fallen]:
    """Throw a form as often as it says. Dice that are never thrown again are thrown all at once."""
    form = throwing.form
    if isinstance(form, Pool) and form.again:
        return [_pool_again(form, thrower) for _ in range(throwing.times)]
    faces = thrower(form.dice * throwing.times)
    count = len(form.dice)
    return [_fallen(form, faces[n * count : (n + 1) * count]) for n in range(throwing.times)]


def _fallen(form: Roll | Pool | Choice, faces: Sequence[tuple[int, ...]]) -> Fallen:
    if isinstance(form, Roll):
        judged = judge(form, [face for part in faces for face in part])
        return Fallen(judged.total, judged.success, judged.parts, judged.line)
    if isinstance(form, Choice):
        face = faces[0][0]
        chosen = form.options[face - 1]
        return Fallen(
            face, None, (JudgedPart(form.dice[0], (face,), face),), f"{form.canonical}: {face}", chosen=chosen
        )
    met = [sum(_hits(form, face) for face in part) for part in faces]
    return _counted(form, faces, met, " + ".join(_row(part) for part in faces))


def _hits(pool: Pool, face: int) -> bool:
    return pool.compare is not None and pool.target is not None and meets(face, pool.compare, pool.target)


def _row(faces: Sequence[int]) -> str:
    return " ".join(map(str, faces))


def _counted(pool: Pool, faces: Sequence[Sequence[int]], met: Sequence[int], shown: str) -> Fallen:
    """A pool whose dice count each for itself."""
    told = [sum(part) for part in faces] if pool.compare is None else met
    parts = tuple(JudgedPart(dice, tuple(lie), n) for dice, lie, n in zip(pool.dice, faces, told, strict=True))
    total = None if pool.compare is None else sum(met)
    return Fallen(total, None, parts, f"{pool.canonical}: {shown}", successes=total)


class _Chain:
    """One die of a pool with those thrown for it since."""

    def __init__(self, part: int, face: int) -> None:
        self.part, self.faces = part, [face]


def _pool_again(pool: Pool, thrower: Thrower) -> Fallen:
    """A pool whose dice are thrown again: all of it first, then one for each that calls for it, and so on."""
    assert pool.again is not None
    rounds = [[list(lie) for lie in thrower(pool.dice)]]
    chains = [_Chain(part, face) for part, lie in enumerate(rounds[0]) for face in lie]
    open_, thrown = chains, len(chains)
    while open_ := [chain for chain in open_ if meets(chain.faces[-1], *pool.again)]:
        counts = [sum(chain.part == part for chain in open_) for part in range(len(pool.dice))]
        thrown += len(open_)
        if thrown > MAX_DICE:
            raise refuse("roll-too-many-dice", text=pool.canonical[:20], value=thrown, limit=MAX_DICE)
        asked = [
            (part, replace(dice, count=n)) for part, (dice, n) in enumerate(zip(pool.dice, counts, strict=True)) if n
        ]
        lain = thrower([dice for _, dice in asked])
        rounds.append([list(lie) for lie in lain])
        for chain, face in zip(open_, [face for lie in lain for face in lie], strict=True):
            chain.faces.append(face)
    return _single(pool, rounds, chains) if pool.kind == "r" else _summed(pool, chains)


def _single(pool: Pool, rounds: Sequence[Sequence[Sequence[int]]], chains: Sequence[_Chain]) -> Fallen:
    """Every die counts for itself, those thrown again too."""
    faces = [[face for chain in chains if chain.part == part for face in chain.faces] for part in range(len(pool.dice))]
    met = [sum(_hits(pool, face) for face in part) for part in faces]
    shown = " + ".join(_row(lie) for each in rounds for lie in each)
    return _counted(pool, faces, met, shown)


def _summed(pool: Pool, chains: Sequence[_Chain]) -> Fallen:
    """Each die counts with what was thrown for it, and with what is added; without a target the highest is told."""
    sums = [sum(chain.faces) + pool.plus for chain in chains]
    met = [_hits(pool, each) for each in sums]
    shown = " ".join(
        str(sum(chain.faces)) if len(chain.faces) == 1 else f"{sum(chain.faces)}[{_row(chain.faces)}]"
        for chain in chains
    )
    faces = [[face for chain in chains if chain.part == part for face in chain.faces] for part in range(len(pool.dice))]
    told = [
        sum(
            hit if pool.compare else sum(chain.faces)
            for chain, hit in zip(chains, met, strict=True)
            if chain.part == part
        )
        for part in range(len(pool.dice))
    ]
    parts = tuple(JudgedPart(dice, tuple(lie), n) for dice, lie, n in zip(pool.dice, faces, told, strict=True))
    line = f"{pool.canonical}: {shown}{f' {pool.plus:+d}' if pool.plus else ''}"
    if pool.compare is not None:
        return Fallen(sum(met), None, parts, line, successes=sum(met))
    return Fallen(sum(told) + pool.plus, None, parts, line, highest=max(sums))
