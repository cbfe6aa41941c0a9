"""The oracle's percentile check (RT-20, 21): how a D99 is read, and of which class it is."""

from fractions import Fraction
from functools import cache

from tests.oracle.board import Misunderstood


def classify(number: int, target: int, temperament: str, swap: bool) -> str:
    """The class of a D99 that reads ``number``; with ``swap`` either order could have been taken (RT-20.2)."""
    success = number <= target  # RT-20.1, 20.4: no clamp
    tens, ones = divmod(number, 10)
    if temperament == "daredevil":
        if number == 0:  # RT-21.2: whatever the target
            return "critical"
        if number == 99:
            return "fumble"
        if tens == ones:
            return "critical" if success else "fumble"
    if temperament == "all-or-nothing":
        lower = min(number, ones * 10 + tens)
        if (lower >= 70) if swap else (number >= 90):  # RT-21.3; 21.6: a fumble even where it would be critical too
            return "fumble"
        if target >= 0 and number <= target // 5:  # RT-21.3; 21.6: below 0 there is no critical
            return "critical"
    return "success" if success else "failure"  # RT-21.1: placid has no more than these


BEST_FIRST = ("critical", "success", "failure", "fumble")  # RT-20.6


@cache
def read_d99(face: str, target: int, temperament: str, mode: str = "swap") -> tuple[int, str]:
    """How a typed D99 is read and its class; ``mode`` as in RT-20.3; ``=`` before it: as it stands."""
    if len(face) == 1 or (face[0] == "=" and len(face) != 3) or (face[0] != "=" and len(face) != 2):
        raise Misunderstood(face)
    if face[0] == "=":
        number = int(face[1:])
        return number, classify(number, target, temperament, mode == "swap")
    first, second = int(face[0]), int(face[1])
    orders = [first * 10 + second, second * 10 + first]
    if mode == "fixed":
        orders = orders[:1]
    if mode == "reverse":
        orders = [max(orders)]
    readings = [(n, classify(n, target, temperament, mode == "swap")) for n in orders]
    return min(readings, key=lambda r: (BEST_FIRST.index(r[1]), r[0]))


def chances(target: int, temperament: str, mode: str = "swap") -> dict[str, Fraction]:
    """RT-20.5: the exact chance of every class, counted over the 100 faces."""
    found = dict.fromkeys(BEST_FIRST, Fraction(0))
    for n in range(100):
        found[read_d99(f"{n:02}", target, temperament, mode)[1]] += Fraction(1, 100)
    return found
