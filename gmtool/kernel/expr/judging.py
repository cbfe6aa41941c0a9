"""Faces for a dice expression: reading the ones typed, and judging what the expression comes to."""

import re
from collections.abc import Sequence
from itertools import islice
from typing import NamedTuple

from gmtool.kernel.expr.reading import fold
from gmtool.kernel.expr.tree import (
    Binary,
    Compare,
    Dice,
    DicePart,
    Node,
    Operator,
    Roll,
    printable,
    refuse,
    value,
    write,
    write_right,
)

SEPARATORS = re.compile(r"[\s,/\u3001\uff64]+")
"""Blanks, slashes and commas, the Japanese ones too."""
FACE = re.compile(r"[0-9]{1,7}")  # 1,000,000, the most sides there are, has seven digits
TWO_D6 = re.compile(r"[1-6]{2}")


class JudgedPart(NamedTuple):
    """Dice of an expression as they fell: ``faces`` in the order thrown, and what they count together."""

    dice: DicePart
    faces: tuple[int, ...]
    value: int


class Judged(NamedTuple):
    """What an expression came to.

    ``success`` is None without a comparison. ``worked`` shows the faces in place of the dice, as in ``3 5 +1``; it is
    empty for arithmetic without dice, where the expression shows itself.
    """

    total: int
    parts: tuple[JudgedPart, ...]
    success: bool | None
    worked: str
    roll: Roll

    @property
    def line(self) -> str:
        """One line without words, such as ``2D6+1>=7: 3 5 +1 = 9``; success is for the reader's language to say."""
        shown = f": {self.worked}" if self.worked else ""
        return f"{self.roll.canonical}{shown} = {self.total}"


def judge(roll: Roll, faces: Sequence[int]) -> Judged:
    """Work out ``roll`` with one face for each die, in the order of ``roll.dice``, two for a D66.

    The faces have been checked by whoever threw or read them; a wrong number of them is a fault of ours (ValueError).
    """
    if len(faces) != sum(part.count for part in roll.dice):
        raise ValueError(f"{len(faces)} faces for {roll.canonical}")
    each = iter(faces)
    parts = tuple(_judge_part(part, tuple(islice(each, part.count))) for part in roll.dice)
    total = value(roll.tree, tuple(part.value for part in parts))
    return Judged(total, parts, succeeds(roll, total), _work(roll.tree, parts), roll)


def _judge_part(part: DicePart, faces: tuple[int, ...]) -> JudgedPart:
    """Add up the faces that count, or read them as tens and ones."""
    if part.kind != "sum":
        return JudgedPart(part, faces, tens_and_ones(part, faces))
    return JudgedPart(part, faces, sum(faces[place] for place in counting(part, faces)))


def counting(part: DicePart, faces: Sequence[int]) -> set[int]:
    """The places of the dice that count: all, or the highest or lowest; of equal ones those thrown first."""
    sign = -1 if part.highest else 1
    return set(sorted(range(len(faces)), key=lambda place: sign * faces[place])[: part.kept])


def tens_and_ones(part: DicePart, faces: Sequence[int]) -> int:
    """Two faces as a number of two digits: as thrown, the smaller first (``d66a``) or the greater first (``d66d``)."""
    tens, ones = faces if part.kind == "d66" else sorted(faces, reverse=part.kind == "d66d")
    return 10 * tens + ones


def succeeds(roll: Roll, total: int) -> bool | None:
    """Whether ``total`` meets the comparison; None where there is none."""
    if roll.compare is None or roll.target is None:
        return None
    return meets(total, roll.compare, roll.target)


def meets(total: int, compare: Compare, target: int) -> bool:
    """One comparison."""
    match compare:
        case ">=":
            return total >= target
        case ">":
            return total > target
        case "<=":
            return total <= target
        case "<":
            return total < target
        case "=":
            return total == target
        case "!=":
            return total != target


def _work(tree: Node, parts: tuple[JudgedPart, ...]) -> str:
    """The expression with faces for dice: bare for a single group that comes first, else each group in [ ]."""
    if not parts:
        return ""
    terms = _terms(tree)

    def in_brackets(dice: Dice) -> str:
        return f"[{_bare(parts[dice.nth])}]"

    if len(parts) == 1 and isinstance(terms[0][1], Dice):
        shown = [_bare(parts[0])]
        terms = terms[1:]
    else:
        shown = []
    shown += [sign + write_right(sign, term, in_brackets) if sign else write(term, in_brackets) for sign, term in terms]
    return " ".join(shown)


def _terms(tree: Node) -> list[tuple[Operator | None, Node]]:
    """The terms of the outermost sum with their signs; the first has none. A bracket stays one term."""
    terms: list[tuple[Operator | None, Node]] = []
    while isinstance(tree, Binary) and tree.operator in "+-":
        terms.append((tree.operator, tree.right))
        tree = tree.left
    return [(None, tree), *reversed(terms)]


def _bare(part: JudgedPart) -> str:
    """The faces in the order thrown; those that do not count in brackets."""
    kept = counting(part.dice, part.faces) if part.dice.keep else set(range(len(part.faces)))
    return " ".join(str(face) if place in kept else f"({face})" for place, face in enumerate(part.faces))


def faces_from(tokens: Sequence[str], roll: Roll) -> tuple[int, ...]:
    """The faces typed for ``roll``, one for each die in the order of ``roll.dice``.

    Blanks, commas and slashes part them. A d10 that shows 0 counts 10. A D66 is ``36`` or ``3 6``. Refuses
    impossible faces and a rest (``bad-dice``), and too few faces (``needs-answer``, with the dice still missing).
    """
    typed = Typed(tokens)
    faces = typed.take(roll.dice)
    typed.end()
    return tuple(face for part in faces for face in part)


class Typed:
    """Faces as they were typed, handed out in order."""

    def __init__(self, tokens: Sequence[str]) -> None:
        self._waiting = [token for token in SEPARATORS.split(fold(" ".join(tokens))) if token]
        self._waiting.reverse()

    def take(self, parts: Sequence[DicePart]) -> list[tuple[int, ...]]:
        """The faces of these dice; Refused ``needs-answer`` with those that are missing."""
        faces = [tuple(_faces_of(part, self._waiting)) for part in parts]
        missing = [
            part if not given else DicePart(part.count - len(given), part.sides, "sum")
            for part, given in zip(parts, faces, strict=True)
            if len(given) < part.count
        ]
        if missing:
            sides = [part.sides for part in missing for _ in range(part.count)]
            text = ", ".join(part.text for part in missing)
            raise refuse("roll-faces-missing", text=text, n=len(sides), sides=sides)
        return faces

    def end(self) -> None:
        """Refuse a rest."""
        if self._waiting:
            rest = " ".join(reversed(self._waiting))
            raise refuse("roll-faces-left", text=printable(rest), n=len(self._waiting))


def _faces_of(part: DicePart, waiting: list[str]) -> list[int]:
    """The faces of one group, taken from the end of ``waiting``; fewer than its dice where the tokens end."""
    if part.kind.startswith("d66") and waiting and TWO_D6.fullmatch(waiting[-1]):
        return [int(digit) for digit in waiting.pop()]
    faces: list[int] = []
    while waiting and len(faces) < part.count:
        faces.append(_face(waiting.pop(), part))
    return faces


def _face(token: str, part: DicePart) -> int:
    """One face; small dice take no leading zero, since ``07`` might be meant as two dice."""
    if not FACE.fullmatch(token):
        raise refuse("roll-face-not-read", text=printable(token))
    face = 10 if token == "0" and part.sides == 10 else int(token)
    doubtful = len(token) > 1 and token[0] == "0" and part.sides <= 10
    if doubtful or not 1 <= face <= part.sides:
        raise refuse("roll-face", text=token, dice=part.text)
    return face
