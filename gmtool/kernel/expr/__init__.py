"""Dice expressions: what ``roll EXPR`` and ``odds roll EXPR`` read, judge and count out.

Forms (upper or lower case, full width read as ASCII, U+2212 read as a minus):

- ``2D6+1>=7``, ``5D100``: a sum of dice. A missing count is one die: ``D6`` is ``1D6``.
- ``D66``, ``D66N``: two d6, the first the tens, the second the ones. ``D66A``: the smaller first; ``D66D``: the
  greater first. With a count, as in ``1D66``, a die of 66 sides is meant.
- ``C(1+2*3)`` or ``1+2*3``: arithmetic with ``+ - * /`` and brackets.
- at most one comparison: ``>= > <= < = == != <>``; what stands right of it holds no dice.

``/`` drops the fraction toward zero, so the sign of a term makes no difference to a division. Blanks may stand
around operators and inside brackets only; whatever follows a complete expression and a blank is its comment.
All limits (``MAX_...``) are checked by ``parse``, for the whole expression and before any die is thrown; nothing is
ever cut down to fit.

Everything here is pure: dice come in as faces, and refusals go out as ``Refused`` with the keys of ``REFUSALS``.
"""

from gmtool.kernel.expr.judging import Judged, JudgedPart, faces_from, judge
from gmtool.kernel.expr.odds import MAX_STEPS, chance, distribution
from gmtool.kernel.expr.reading import parse
from gmtool.kernel.expr.tree import (
    MAX_DICE,
    MAX_LENGTH,
    MAX_NESTING,
    MAX_NUMBER,
    MAX_SIDES,
    REFUSALS,
    Binary,
    Dice,
    DicePart,
    Negative,
    Node,
    Number,
    Roll,
)

__all__ = [
    "MAX_DICE",
    "MAX_LENGTH",
    "MAX_NESTING",
    "MAX_NUMBER",
    "MAX_SIDES",
    "MAX_STEPS",
    "REFUSALS",
    "Binary",
    "Dice",
    "DicePart",
    "Judged",
    "JudgedPart",
    "Negative",
    "Node",
    "Number",
    "Roll",
    "chance",
    "distribution",
    "faces_from",
    "judge",
    "parse",
]
