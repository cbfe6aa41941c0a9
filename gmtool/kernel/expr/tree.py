"""What a dice expression is once it is read: a small tree, its canonical text, its limits and its refusals."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

from gmtool.kernel.refusal import Refused

MAX_DICE = 1_000
MAX_SIDES = 1_000_000
MAX_LENGTH = 200
MAX_NESTING = 20
MAX_NUMBER = 1_000_000_000
MAX_TIMES = 100
MAX_OPTIONS = 100
MAX_OPTIONS_LENGTH = 2_000

REFUSALS: dict[str, tuple[str, int, tuple[str, ...]]] = {
    # key: (code, exit, facts). ``at`` is the place in what was typed, counted from 1; ``text`` is the part meant.
    "roll-empty": ("bad-value", 2, ()),
    "roll-not-read": ("bad-value", 2, ("text", "at")),  # this part means nothing here
    "roll-character": ("bad-value", 2, ("text", "number", "at")),  # one character; number is "U+00B2"
    "roll-unfinished": ("bad-value", 2, ("text", "at")),  # ends where a number or a die should stand
    "roll-bracket": ("bad-value", 2, ("text", "at")),  # text is "(" never closed or ")" never opened
    "roll-comparison": ("bad-value", 2, ("text", "at")),  # a second comparison
    "roll-target-dice": ("bad-value", 2, ("text",)),  # dice right of the comparison
    "roll-divide": ("bad-value", 2, ("text",)),  # the divisor is 0, or dice could make it 0
    "roll-too-long": ("bad-value", 2, ("limit",)),
    "roll-nesting": ("bad-value", 2, ("limit", "at")),
    "roll-too-big": ("bad-value", 2, ("text", "value", "limit")),  # a number, or what a part can come to
    "roll-too-many-dice": ("bad-dice", 2, ("text", "value", "limit")),  # value: all dice up to and with text
    "roll-sides": ("bad-dice", 2, ("text", "value", "limit")),
    "roll-zero": ("bad-dice", 2, ("text",)),  # no dice, or dice without sides
    "roll-keep": ("bad-dice", 2, ("text", "n")),  # keeps none or more than there are; n: how many dice there are
    "roll-times": ("bad-value", 2, ("text", "limit")),  # repeated never, or too often
    "roll-times-twice": ("bad-value", 2, ("text", "at")),  # a repetition of a repetition
    "roll-options": ("bad-value", 2, ("limit",)),  # nothing to choose from, or too much
    "roll-option-empty": ("bad-value", 2, ("at",)),  # at is the number of the option
    "roll-target-missing": ("bad-value", 2, ("text",)),  # dice thrown again are counted against a target
    "roll-again-missing": ("bad-value", 2, ("text",)),  # when dice are thrown again is not said
    "roll-again-twice": ("bad-value", 2, ("text", "at")),  # it is said twice
    "roll-endless": ("bad-value", 2, ("text",)),  # every face of a die would be thrown again
    "roll-face-not-read": ("bad-dice", 2, ("text",)),
    "roll-face": ("bad-dice", 2, ("text", "dice")),  # dice is the part it was typed for, such as "2D6"
    "roll-faces-left": ("bad-dice", 2, ("text", "n")),  # n tokens too many
    "roll-faces-missing": ("needs-answer", 1, ("text", "n", "sides")),  # text "1D6, D66"; sides one per die missing
    "roll-odds-open": ("bad-value", 2, ("text",)),  # dice that are only listed, or without a target, have no odds
    "roll-odds-too-big": ("bad-value", 2, ("text", "value", "limit")),  # value: steps known to be needed
}

Kind = Literal["sum", "d66", "d66a", "d66d", "b", "r", "u"]
Sorting = Literal["KH", "KL", "DH", "DL"]
Operator = Literal["+", "-", "*", "/"]
Compare = Literal[">=", ">", "<=", "<", "=", "!="]


class Keep(NamedTuple):
    """Which of the dice count: the ``n`` highest or lowest (``KH``, ``KL``), or all but those (``DH``, ``DL``)."""

    which: Sorting
    n: int


@dataclass(frozen=True, slots=True)
class DicePart:
    """Dice thrown together: how many, of how many sides, added up or (``d66…``) read as tens and ones.

    Those of a pool (``b``, ``r``, ``u``) stay single. With ``keep`` only some of those added up count.
    """

    count: int
    sides: int
    kind: Kind
    keep: Keep | None = None

    @property
    def text(self) -> str:
        """The canonical way to write it, such as ``2D6``, ``4D6KH3`` or ``D66A``."""
        if self.kind.startswith("d66"):
            return self.kind.upper()
        letter = "D" if self.kind == "sum" else self.kind.upper()
        return f"{self.count}{letter}{self.sides}" + (f"{self.keep.which}{self.keep.n}" if self.keep else "")

    @property
    def kept(self) -> int:
        """How many of the dice count."""
        if self.keep is None:
            return self.count
        return self.keep.n if self.keep.which[0] == "K" else self.count - self.keep.n

    @property
    def highest(self) -> bool:
        """Whether those that count are the highest."""
        return self.keep is None or self.keep.which in ("KH", "DL")


class Number(NamedTuple):
    """A number as typed; never negative."""

    value: int


class Dice(NamedTuple):
    """A place where dice stand; ``nth`` is theirs in ``Roll.dice``, from 0."""

    nth: int
    part: DicePart


class Negative(NamedTuple):
    """A minus sign before a number, dice or a bracket."""

    operand: "Node"


class Binary(NamedTuple):
    """Two parts and the operator between them."""

    operator: Operator
    left: "Node"
    right: "Node"


Node = Number | Dice | Negative | Binary


class Roll(NamedTuple):
    """An expression within all limits.

    ``compare`` and ``target`` are both there or both None; ``dice`` are in the order typed; ``canonical`` reads back
    to the same roll without its comment.
    """

    tree: Node
    compare: Compare | None
    target: int | None
    dice: tuple[DicePart, ...]
    canonical: str
    comment: str


def refuse(key: str, **facts: Any) -> Refused:
    """The refusal ``key`` of ``REFUSALS``, to be raised; a key that is not listed there is a fault of ours."""
    code, leave, _ = REFUSALS[key]
    return Refused(code, key=key, exit=leave, facts=facts)


def printable(text: str) -> str:
    """A part of what was typed, fit for a message: at most 20 characters, none that would disturb a terminal."""
    short = text if len(text) <= 20 else text[:18] + ".."
    return "".join(char if char.isprintable() else f"<U+{ord(char):04X}>" for char in short)


def divide(left: int, right: int) -> int:
    """Division that drops the fraction toward zero: 7/2 is 3, -7/2 is -3. ``right`` is not 0."""
    quotient = abs(left) // abs(right)
    return quotient if (left < 0) == (right < 0) else -quotient


def calculate(operator: Operator, left: int, right: int) -> int:
    """One step of arithmetic in exact integers."""
    match operator:
        case "+":
            return left + right
        case "-":
            return left - right
        case "*":
            return left * right
        case "/":
            return divide(left, right)


def dice_text(dice: Dice) -> str:
    """Dice as they are written in an expression."""
    return dice.part.text


def write(node: Node, show: Callable[[Dice], str] = dice_text) -> str:
    """Canonical text of a tree, with no more brackets than it needs to be read back the same.

    ``show`` may put something else in the place of the dice, such as their faces.
    """
    match node:
        case Number(value):
            return str(value)
        case Dice():
            return show(node)
        case Negative(operand):
            return "-" + bracketed(write(operand, show), isinstance(operand, Binary | Negative))
        case Binary(operator, left, right):
            before = bracketed(write(left, show), binds_less(left, operator))
            return before + operator + write_right(operator, right, show)


def write_right(operator: Operator, right: Node, show: Callable[[Dice], str] = dice_text) -> str:
    """Text of what stands right of an operator; equal rank needs brackets there, since reading goes from the left."""
    same_rank = isinstance(right, Binary) and (operator in "*/" or right.operator in "+-")
    return bracketed(write(right, show), same_rank)


def binds_less(node: Node, operator: Operator) -> bool:
    """Whether ``node`` needs brackets to the left of ``operator``."""
    return isinstance(node, Binary) and node.operator in "+-" and operator in "*/"


def bracketed(text: str, needed: bool) -> str:
    """``text``, in brackets where they are needed."""
    return f"({text})" if needed else text


def span(node: Node) -> tuple[int, int]:
    """The least and the greatest a part can come to; refuses ``roll-divide`` and ``roll-too-big`` on the way.

    For a divisor made of dice this is careful rather than exact: a range that holds 0 is refused.
    """
    low, high = raw_span(node)
    worst = max(low, high, key=abs)
    if abs(worst) > MAX_NUMBER:
        raise refuse("roll-too-big", text=printable(write(node)), value=worst, limit=MAX_NUMBER)
    return low, high


def raw_span(node: Node) -> tuple[int, int]:
    """``span`` of a part before its own size is looked at; the parts inside it have been."""
    match node:
        case Number(value):
            return value, value
        case Dice(_, part):
            return (part.kept, part.kept * part.sides) if part.kind == "sum" else (11, 66)
        case Negative(operand):
            low, high = span(operand)
            return -high, -low
        case Binary(operator, left, right):
            return binary_span(operator, span(left), span(right), write_right(operator, right))


def binary_span(operator: Operator, left: tuple[int, int], right: tuple[int, int], divisor: str) -> tuple[int, int]:
    """All four operators have their extremes where both sides have theirs, as long as no divisor passes 0."""
    if operator == "/" and right[0] <= 0 <= right[1]:
        raise refuse("roll-divide", text=printable(divisor))
    corners = [calculate(operator, one, other) for one in left for other in right]
    return min(corners), max(corners)


def value(node: Node, values: tuple[int, ...]) -> int:
    """What a tree comes to when the ``nth`` dice count ``values[nth]``."""
    match node:
        case Number(number):
            return number
        case Dice(nth, _):
            return values[nth]
        case Negative(operand):
            return -value(operand, values)
        case Binary(operator, left, right):
            return calculate(operator, value(left, values), value(right, values))
