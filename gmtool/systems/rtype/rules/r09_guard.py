"""Chapter 9: force guard, by which an attached non-destructible force takes hits that were not evaded."""

from dataclasses import dataclass
from typing import NamedTuple

from gmtool.kernel.asks import Face
from gmtool.kernel.case import Case, Part
from gmtool.kernel.pools import Counts, Group
from gmtool.kernel.refusal import Id
from gmtool.kernel.system import Chapter
from gmtool.systems.rtype.book import Book
from gmtool.systems.rtype.exchange import Blow, Guard, Hits, Strike, at_the_end
from gmtool.systems.rtype.model import Board
from gmtool.systems.rtype.rules.r09_defence import CHAPTER as DEFENCE
from gmtool.systems.rtype.rules.r20_checks import succeeded
from gmtool.systems.rtype.rules.r22_lives import thrown_again

CHAPTER = Chapter("9 guard", needs=(DEFENCE,))
AnyCase = Case[Board, Book]


class Guarded(NamedTuple):
    """Hits that the force has taken."""

    target: Id
    force: Id
    hits: int


class ForceTakes(NamedTuple):
    """What of the guarded damage the force takes, and what goes beyond its hit points."""

    force: Id
    total: int
    points: int
    excess: int


@dataclass(frozen=True, slots=True)
class GuardKept:
    """Of the hits of each kind, in the order of ``Hits``, those that the force takes."""

    kinds: tuple[int, ...]

    def __call__(self, counts: tuple[Counts, ...]) -> Hits:
        """The successes of each group, put to the kind of hit it answers."""
        taken = [0, 0, 0]
        for kind, group in zip(self.kinds, counts, strict=True):
            taken[kind] += sum(n for outcome, n in group.items() if succeeded(outcome))
        return Hits(*taken)


@CHAPTER.rule(Guard)
def guard(case: AnyCase, command: Guard) -> None:
    """For each hit a roll at the same evade value; those that succeed strike the force (RT-9.5, 9.10)."""
    blow, hits = command.blow, command.hits
    target = case.state.units[blow.target]
    seats = _seats(case, blow, hits)
    groups = [Group(len(places), command.law, places) for _, places in seats]
    again = thrown_again(case, blow.target, target, command.law, command.raised, "evade")
    kept = GuardKept(tuple(kind for kind, _ in seats))
    taken = case.pool(blow.of_target("guard"), blow.target, groups, kept, rule="RT-9.5", again=again)
    if sum(taken):
        case.emit(Guarded(Id(blow.target), Id(target.attached_to or ""), sum(taken)), "RT-9.5")
    left = Hits(*(all - gone for all, gone in zip(hits, taken, strict=True)))
    case.later(Strike(blow, left, taken if sum(taken) else None), before=at_the_end)


def _seats(case: AnyCase, blow: Blow, hits: Hits) -> list[tuple[int, tuple[str, ...]]]:
    """The kinds of hits with the seats of their guard rolls: one by one in the order of the evasions that failed.

    Where nothing was thrown (odds, or a guard without evasions) the hits of a kind stand together.
    """
    thrown = case.thrown(blow.of_target("evade")) if blow.way != "guard-at-once" else ()
    failed = [(_kind(face, hits), face.seat) for face in thrown if face.result in {"failure", "fumble"}]
    if not failed:
        places = iter(range(1, sum(hits) + 1))
        return [(kind, tuple(str(next(places)) for _ in range(n))) for kind, n in enumerate(hits) if n]
    for kind, n in enumerate(hits):
        # what a critical evasion took along is the last of its kind (RT-21.9)
        of_kind = [place for place, (each, _) in enumerate(failed) if each == kind]
        for place in reversed(of_kind[n:]):
            del failed[place]
    return [(kind, (seat,)) for kind, seat in failed]


def _kind(face: Face, hits: Hits) -> int:
    """The place in ``hits`` of a failed evasion: doubled by the attack, by its own fumble, or plain (RT-21.7)."""
    answered = face.answers[2] if face.answers else ""
    if answered == "critical" or (not answered and hits.by_critical):
        return 1
    return 2 if face.result == "fumble" else 0


def excess(case: AnyCase, blow: Blow, total: int) -> list[Part]:
    """What of the guarded damage goes beyond the force's hit points; as much as they are is absorbed (RT-9.9, 24.5).

    The force's hit points are a threshold for each attack and do not fall. The other reading compares after / 5.
    """
    target = case.state.units[blow.target]
    force = target.attached_to or ""
    points = next(iter(case.state.units[force].hp.values()))
    by = case.book.figures.single_divisor
    divided = case.choice("rt-9.9") == "divided"
    compared = total // by if divided else total
    beyond = max(0, compared - points)
    case.emit(ForceTakes(Id(force), compared, points, beyond), "RT-24.5")
    return [("beyond-force", beyond * by if divided else beyond, "RT-9.5")] if beyond else []
