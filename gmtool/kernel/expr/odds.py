"""Exact odds of a dice expression: how many of the equally likely falls of its dice come to each total."""

from collections.abc import Callable, Iterable
from math import comb

from gmtool.kernel.expr.judging import succeeds, tens_and_ones
from gmtool.kernel.expr.tree import Binary, Dice, DicePart, Negative, Node, Number, Roll, calculate, printable, refuse

# Additions made before a question is refused; one million take a second and 200 MB at the worst.
MAX_STEPS = 1_000_000

Weights = dict[int, int]


def distribution(roll: Roll) -> Weights:
    """Total -> weight, in rising order of total; the weights add up to sides ** count over all dice together.

    Every die stands in the tree once, so the parts of a calculation are independent. Refuses
    ``roll-odds-too-big`` where that takes more than ``MAX_STEPS`` steps.
    """
    weights = _weigh(roll.tree, _Work(roll.canonical).spend)
    return {total: weights[total] for total in sorted(weights)}


def chance(roll: Roll) -> tuple[int, int] | None:
    """The falls that meet the comparison and all falls, not cancelled down (21 of 36); None without a comparison."""
    if roll.compare is None:
        return None
    weights = distribution(roll)
    return sum(weight for total, weight in weights.items() if succeeds(roll, total)), sum(weights.values())


class _Work:
    """Counts steps before they are made."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.steps = 0

    def spend(self, steps: int) -> None:
        """Refuse what would go beyond ``MAX_STEPS``."""
        self.steps += steps
        if self.steps > MAX_STEPS:
            raise refuse("roll-odds-too-big", text=printable(self.text), value=self.steps, limit=MAX_STEPS)


def _weigh(node: Node, spend: Callable[[int], None]) -> Weights:
    """The weights of one part of the tree."""
    match node:
        case Number(value):
            return {value: 1}
        case Dice(_, part):
            return _weigh_dice(part, spend)
        case Negative(operand):
            return {-total: weight for total, weight in _weigh(operand, spend).items()}
        case Binary(operator, left, right):
            one, other = _weigh(left, spend), _weigh(right, spend)
            spend(len(one) * len(other))
            pairs = ((calculate(operator, a, b), v * w) for a, v in one.items() for b, w in other.items())
            return _gather(pairs)


def _weigh_dice(part: DicePart, spend: Callable[[int], None]) -> Weights:
    """A sum of dice, die by die; or the 36 falls of a D66."""
    if part.kind != "sum":
        faces = range(1, 7)
        return _gather((tens_and_ones(part, (tens, ones)), 1) for tens in faces for ones in faces)
    if part.keep is not None:
        return weigh_kept(part, spend)
    count, sides = part.count, part.sides
    spend(sum(dice * (sides - 1) + 1 for dice in range(1, count + 1)))
    weights = [1] * sides
    for _ in range(count - 1):
        weights = _one_die_more(weights, sides)
    return dict(enumerate(weights, start=count))


def weigh_kept(part: DicePart, spend: Callable[[int], None]) -> Weights:
    """The sum of the highest or the lowest of some dice.

    Face by face from the best on: of the dice that are left any number may show it, and of these as many count as are
    still wanted. What counts of ``done`` dice is known, so the sums of each ``done`` are kept together.
    """
    count, sides, kept = part.count, part.sides, part.kept
    spend(sides * count * (count + 1) // 2 * min(kept * sides, 1_000_000))
    sums: list[Weights] = [{0: 1}, *({} for _ in range(count))]
    for face in range(sides, 0, -1) if part.highest else range(1, sides + 1):
        after: list[Weights] = [{} for _ in range(count + 1)]
        for done, before in enumerate(sums):
            for more in range(count - done + 1):
                counted = (min(done + more, kept) - min(done, kept)) * face
                ways = comb(count - done, more)
                for total, weight in before.items():
                    found = after[done + more]
                    found[total + counted] = found.get(total + counted, 0) + weight * ways
        sums = after
    return sums[count]


def _one_die_more(weights: list[int], sides: int) -> list[int]:
    """The weights with another die: each new one is a sum over a window ``sides`` wide, moved along."""
    window, found = 0, []
    for place in range(len(weights) + sides - 1):
        window += weights[place] if place < len(weights) else 0
        window -= weights[place - sides] if place >= sides else 0
        found.append(window)
    return found


def _gather(pairs: Iterable[tuple[int, int]]) -> Weights:
    """Weights of the same total added together."""
    weights: Weights = {}
    for total, weight in pairs:
        weights[total] = weights.get(total, 0) + weight
    return weights
