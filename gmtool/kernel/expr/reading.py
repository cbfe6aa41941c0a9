"""Reading a dice expression from text: one pass from left to right, refusing at the first thing that does not fit."""

import re
from typing import cast

from gmtool.kernel.expr.tree import (
    MAX_DICE,
    MAX_LENGTH,
    MAX_NESTING,
    MAX_NUMBER,
    MAX_SIDES,
    Binary,
    Compare,
    Dice,
    DicePart,
    Keep,
    Kind,
    Negative,
    Node,
    Number,
    Operator,
    Roll,
    Sorting,
    printable,
    refuse,
    span,
    value,
    write,
)
from gmtool.kernel.refusal import Refused

# One character for one, so that places in the folded text are places in the typed one.
WIDTH = {full: full - 0xFEE0 for full in range(0xFF01, 0xFF5F)} | {0x3000: 0x20, 0x2212: 0x2D}

BLANKS = re.compile(r"\s*")
DIGITS = re.compile(r"[0-9]+")
CALCULATE = re.compile(r"[Cc](?=\()")
TENS_AND_ONES = re.compile(r"[Dd]66([AaDdNn])?(?![0-9])")
SUM_OF_DICE = re.compile(r"([0-9]*)[Dd]([0-9]+)")
KEEP = re.compile(r"(?:([KkDd][HhLl])([0-9]+)|[Mm](?:[Aa][Xx]|[Ii][Nn]))(?![A-Za-z0-9])")
UNKNOWN = re.compile(r"\?")
DIE_LETTER = re.compile(r"[0-9]*[Dd]")
PLUS_MINUS = re.compile(r"[+-]")
TIMES_OVER = re.compile(r"[*/]")
OPEN = re.compile(r"\(")
CLOSE = re.compile(r"\)")
COMPARISON = re.compile(r">=|<=|==|!=|<>|[<>=]")
CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\ud800-\udfff]")

KINDS: dict[str, Kind] = {"": "d66", "N": "d66", "A": "d66a", "D": "d66d"}
SAME_AS = {"==": "=", "<>": "!="}


def fold(text: str) -> str:
    """Full-width forms, the wide blank and the minus sign U+2212 as ASCII; everything else stays (U+30FC too)."""
    return text.translate(WIDTH)


def parse(text: str) -> Roll:
    """Read ``text`` as a dice expression with an optional comment behind it; see the package for the forms.

    Raises ``Refused`` with a key of ``REFUSALS``; whatever the text, quickly.
    """
    return read_sum(Reader(text))


def read_sum(reader: "Reader") -> Roll:
    """The expression that stands where the reader has come to, up to the end of the text."""
    if reader.ended:
        raise refuse("roll-empty")
    reader.take(CALCULATE)
    tree = reader.sum()
    span(tree)
    dice = tuple(reader.dice)
    compare, target, compared = reader.comparison()
    comment = reader.rest()
    canonical = write(tree) + compared
    if len(canonical) > MAX_LENGTH:  # a count of 1 that was left out is written there, and it must read back
        raise refuse("roll-too-long", limit=MAX_LENGTH)
    return Roll(tree, compare, target, dice, canonical, comment)


class Reader:
    """Where reading has come to in one text, and the dice met so far."""

    def __init__(self, text: str) -> None:
        self.typed = text
        self.text = fold(text)
        self.start = self.place = len(text) - len(text.lstrip())
        self.depth = 0
        self.dice: list[DicePart] = []

    @property
    def ended(self) -> bool:
        """Whether nothing is left to read."""
        return self.place == len(self.text)

    def blanks(self) -> None:
        """Pass over blanks."""
        found = BLANKS.match(self.text, self.place)
        self.place = found.end() if found else self.place

    def take(self, pattern: re.Pattern[str]) -> re.Match[str] | None:
        """What ``pattern`` finds right here, passed over; refused where it goes beyond the length of an expression."""
        found = pattern.match(self.text, self.place)
        if found is None:
            return None
        if found.end() - self.start > MAX_LENGTH:
            raise refuse("roll-too-long", limit=MAX_LENGTH)
        self.place = found.end()
        return found

    def operator(self, pattern: re.Pattern[str]) -> str:
        """An operator with the blanks around it, or nothing ("" and not moved) where none stands."""
        before = self.place
        self.blanks()
        found = self.take(pattern)
        if found is None:
            self.place = before
            return ""
        self.blanks()
        return found[0]

    def sum(self) -> Node:
        """Terms with + and - between them, from the left."""
        node = self.product()
        while operator := self.operator(PLUS_MINUS):
            node = Binary(cast(Operator, operator), node, self.product())
        return node

    def product(self) -> Node:
        """Factors with * and / between them, from the left."""
        node = self.signed()
        while operator := self.operator(TIMES_OVER):
            node = Binary(cast(Operator, operator), node, self.signed())
        return node

    def signed(self) -> Node:
        """A factor with at most one sign of its own."""
        sign = self.take(PLUS_MINUS)
        if sign is None:
            return self.factor()
        self.blanks()
        factor = self.factor()
        return Negative(factor) if sign[0] == "-" else factor

    def factor(self) -> Node:
        """A bracket, dice or a number."""
        if self.take(OPEN):
            return self.bracket()
        if special := self.take(TENS_AND_ONES):
            return self.add_dice(2, 6, KINDS[(special[1] or "").upper()])
        if dice := self.take(SUM_OF_DICE):
            return self.add_dice(int(dice[1] or "1"), int(dice[2]), "sum", self.take(KEEP))
        if letter := self.take(DIE_LETTER):
            raise self.stuck(letter[0])
        if number := self.take(DIGITS):
            return _number(int(number[0]))
        raise self.stuck("")

    def bracket(self) -> Node:
        """What stands after an opening bracket, up to and with the closing one."""
        opened = self.place
        self.depth += 1
        if self.depth > MAX_NESTING:
            raise refuse("roll-nesting", limit=MAX_NESTING, at=opened)
        self.blanks()
        node = self.sum()
        self.blanks()
        if not self.take(CLOSE):
            if self.place == len(self.text):
                raise refuse("roll-bracket", text="(", at=opened)
            raise self.stuck("")
        self.depth -= 1
        return node

    def add_dice(self, count: int, sides: int, kind: Kind, keep: re.Match[str] | None = None) -> Dice:
        """Dice within the limits, counted over the whole expression."""
        part = DicePart(count, sides, kind, _keep(keep) if keep else None)
        text = printable(part.text)
        if count == 0 or sides == 0:
            raise refuse("roll-zero", text=text)
        total = count + sum(other.count for other in self.dice)
        if total > MAX_DICE:
            raise refuse("roll-too-many-dice", text=text, value=total, limit=MAX_DICE)
        if sides > MAX_SIDES:
            raise refuse("roll-sides", text=text, value=sides, limit=MAX_SIDES)
        if not 1 <= part.kept <= count:
            raise refuse("roll-keep", text=text, n=count)
        self.dice.append(part)
        return Dice(len(self.dice) - 1, part)

    def comparison(self) -> tuple[Compare | None, int | None, str]:
        """The comparison, what stands right of it worked out, and the canonical text of both; or nothing."""
        sign = self.operator(COMPARISON)
        if not sign:
            return None, None, ""
        if unknown := self.take(UNKNOWN):  # the target is not told: the roll is judged by whoever knows it
            return None, None, SAME_AS.get(sign, sign) + unknown[0]
        dice_before = len(self.dice)
        target = self.sum()
        if len(self.dice) > dice_before:
            raise refuse("roll-target-dice", text=printable(write(target)))
        span(target)
        if second := self.operator(COMPARISON):
            raise refuse("roll-comparison", text=second, at=self.place - len(second) + 1)
        compare = cast(Compare, SAME_AS.get(sign, sign))
        return compare, value(target, ()), compare + write(target)

    def rest(self, whole: bool = False) -> str:
        """The comment behind a complete expression; a rest without a blank before it is refused.

        ``2 D6`` would come to 2 with the comment "D6": dice behind an expression that has none are refused as well,
        unless it is ``whole`` without.
        """
        if self.place == len(self.text):
            return ""
        if self.text[self.place] == ")":
            raise refuse("roll-bracket", text=")", at=self.place + 1)
        behind = self.place
        self.blanks()
        if self.place == behind or (not (self.dice or whole) and SUM_OF_DICE.match(self.text, self.place)):
            raise self.stuck("")
        comment = " ".join(self.typed[self.place :].split())
        if control := CONTROL.search(comment):
            raise refuse("roll-character", text="?", number=_code_point(control[0]), at=self.typed.find(control[0]) + 1)
        return comment

    def stuck(self, before: str) -> Refused:
        """The refusal for what stands here, where reading cannot go on; ``before`` was read and belongs to it."""
        start = self.place - len(before)
        if self.place == len(self.text):
            return refuse("roll-unfinished", text=printable(self.typed.strip()), at=start + 1)
        char = self.typed[self.place]
        if _is_odd(char):
            return refuse("roll-character", text=printable(char), number=_code_point(char), at=self.place + 1)
        word = self.typed[start:].split()[0] if self.typed[start:].strip() else before
        return refuse("roll-not-read", text=printable(word), at=start + 1)


def _keep(found: re.Match[str]) -> Keep:
    """Which dice count, from ``KH3`` or ``MAX``."""
    if found[1] is None:
        return Keep("KH" if found[0].upper() == "MAX" else "KL", 1)
    return Keep(cast(Sorting, found[1].upper()), int(found[2]))


def _number(number: int) -> Number:
    """A number within the limit."""
    if number > MAX_NUMBER:
        raise refuse("roll-too-big", text=printable(str(number)), value=number, limit=MAX_NUMBER)
    return Number(number)


def _is_odd(char: str) -> bool:
    """Whether a character is best named on its own: digits of other kinds, signs beyond ASCII, the long vowel mark."""
    if char.isspace() or (fold(char).isascii() and char.isprintable()):
        return False
    return char.isnumeric() or char == "ー" or not char.isalpha()


def _code_point(char: str) -> str:
    """The number of a character, since some cannot be seen: ``U+00B2``."""
    return f"U+{ord(char):04X}"
