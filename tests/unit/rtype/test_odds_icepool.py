"""Odds against icepool, a dice library by somebody else: an attack written anew from the rulebook, by its dice.

What is written here knows nothing of our rules: two ten-sided dice and how they are read (RT-20, 21), an evasion for
each success (RT-8.6), doubles (RT-21.5, 21.7, 21.9), and the cascade from A to D and the lead (RT-10.1).
"""

from typing import Any

import icepool
import pytest

from gmtool.kernel.asks import Answers, Given
from gmtool.kernel.summary import summary
from gmtool.kernel.underway import underway
from tests.bench.kernel import Table

CRAFT = 5
DAMAGE = 30


def outcome(first: int, second: int, target: int, temperament: str) -> str:
    """The better of the two orders: critical, success, failure, fumble."""
    best = ["critical", "success", "failure", "fumble"]
    found = []
    for tens, ones in ((first, second), (second, first)):
        read = 10 * tens + ones
        kind = "success" if read <= target else "failure"
        if temperament == "daredevil" and tens == ones:
            kind = "fumble" if read == 99 else "critical" if read == 0 or read <= target else "fumble"
        if temperament == "all-or-nothing":
            lower = min(10 * first + second, 10 * second + first)
            kind = "fumble" if lower >= 70 else "critical" if read <= target // 5 else kind
        found.append(kind)
    return min(found, key=best.index)


def percent(target: int, temperament: str) -> Any:
    """The class of one D99 as a die."""
    return icepool.map(lambda a, b: outcome(a, b, target, temperament), icepool.z(10), icepool.z(10))


def shot(attack: Any, evade: Any) -> Any:
    """What one attack roll leaves: (plain, doubled by it, doubled by a fumbled evasion, critical evasions)."""

    def left(rolled: str) -> Any:
        if rolled not in ("critical", "success"):
            return icepool.Die([icepool.Vector((0, 0, 0, 0))])
        place = {
            "failure": (0, 1, 0, 0) if rolled == "critical" else (1, 0, 0, 0),
            "fumble": (0, 1, 0, 0) if rolled == "critical" else (0, 0, 1, 0),
            "success": (0, 0, 0, 0), "critical": (0, 0, 0, 1),
        }  # fmt: skip
        return evade.map({kind: icepool.Vector(where) for kind, where in place.items()})

    return attack.map(left)


def hits(left: Any) -> tuple[int, int]:
    """Hits, and how many count double, once each critical evasion has taken one more along, the heaviest first."""
    plain, doubled, fumbled, taken = left
    heavy = doubled + fumbled
    gone = min(heavy, taken)
    return heavy - gone + max(0, plain - (taken - gone)), heavy - gone


def cascade(damage: int, hp: tuple[int, ...]) -> int:
    """The craft that damage takes, one after the other."""
    lost = 0
    for points in hp:
        lost += damage >= points
        damage = max(0, damage - points)
    return lost


def expected(attack: int, evade: int, temperament: str, hp: tuple[int, ...], dice: int = CRAFT) -> dict[str, Any]:
    """The three figures of a squad's attack as dice."""
    whole = dice @ shot(percent(attack, temperament), percent(evade, temperament))
    both = pairs(whole)
    damage = both.map(lambda n, double: DAMAGE * (n + double), star=True)
    return {
        "hits": both.map(lambda n, double: n, star=True), "damage": damage,
        "craft_lost": damage.map(lambda total: cascade(total, hp)),
    }  # fmt: skip


def pairs(whole: Any) -> Any:
    """(hits, doubled ones) as a die."""
    return icepool.Die([hits(left) for left in whole.outcomes()], times=list(whole.quantities()))


def chances(die: Any) -> dict[str, float]:
    return {str(value): float(chance) for value, chance in zip(die.outcomes(), die.probabilities(), strict=True)}


def table(temperament: str, hp: tuple[int, ...]) -> Table:
    """Arrow attacks at 70 (weapon 40, agility 30), Gains evades at 50 (craft 20, agility 30)."""
    made = Table()
    for pilot in ("ren", "sel"):
        made.tables["pilots"][pilot]["temperament"] = temperament
    for craft, points in zip(("A", "B", "C", "D", "lead"), hp, strict=True):
        made.tables["units"]["gains"]["hp"][craft] = points
    made.state = made.system.state(made.tables)
    return made


def foretold(made: Table, given: dict[str, Given] | None = None) -> dict[str, Any]:
    answers = Answers(given=given or {})
    return summary(underway(made.system, made.state, made.book, made.command, answers, made.settings))


@pytest.mark.parametrize("temperament", ["placid", "daredevil", "all-or-nothing"])
@pytest.mark.parametrize("hp", [(100, 100, 100, 100, 100), (40, 40, 40, 40, 100), (10, 20, 30, 40, 50)])
def test_hits_damage_and_craft_lost_are_those_of_another_library(temperament: str, hp: tuple[int, ...]) -> None:
    found = foretold(table(temperament, hp))
    for key, die in expected(70, 50, temperament, hp).items():
        own = {value: chance for value, chance in found[key]["chances"].items() if chance}
        assert own == pytest.approx(chances(die), abs=1e-12), key


def test_dice_that_lie_leave_the_others_their_odds() -> None:
    """Two of five lie: a hit whose evasion is open, and a miss; three dice are open."""
    hp = (40, 40, 40, 40, 100)
    made = table("placid", hp)
    faces = {"attack.lead": (1, 5), "attack.A": (9, 8)}
    lying = {key: Given(pair, False, "entered", None) for key, pair in faces.items()}
    found = foretold(made, lying)
    sure = shot(icepool.Die(["success"]), percent(50, "placid"))
    whole = 3 @ shot(percent(70, "placid"), percent(50, "placid")) + sure
    assert found["hits"]["chances"] == pytest.approx(chances(pairs(whole).map(lambda n, double: n, star=True)))
