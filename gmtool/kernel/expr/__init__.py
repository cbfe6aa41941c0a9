"""Dice expressions: what ``roll EXPR`` and ``odds roll EXPR`` read, judge and count out.

Forms (upper or lower case, full width read as ASCII, U+2212 read as a minus):

- ``2D6+1>=7``, ``5D100``: a sum of dice. A missing count is one die: ``D6`` is ``1D6``.
- ``D66``, ``D66N``: two d6, the first the tens, the second the ones. ``D66A``: the smaller first; ``D66D``: the
  greater first. With a count, as in ``1D66``, a die of 66 sides is meant.
- ``C(1+2*3)`` or ``1+2*3``: arithmetic with ``+ - * /`` and brackets.
- ``4D6KH3``, ``KL``, ``DH``, ``DL``: the highest or lowest dice are kept or dropped; ``MAX``, ``MIN``: one is kept.
- at most one comparison: ``>= > <= < = == != <>``; what stands right of it holds no dice. ``2D6>=?``: it is not told.
- ``3B6>=4``: single dice; with a comparison those that meet it are counted. ``3R6>=5``: for each that does one more is
  thrown, or for each that meets ``[>=6]`` (``@>=6`` at the end). ``3U6[6]>=8``: for each 6 one more is thrown and added
  to it, and the sums are counted; ``+2`` adds to each. Without a comparison the highest sum is told.
- ``choice[a,b]``, ``choice(a,b)``, ``choice a b``: one of these.
- ``x3 2D6``, ``rep3``, ``repeat3``: several times. ``S2D6``: in secret.

``/`` drops the fraction toward zero, so the sign of a term makes no difference to a division. Blanks may stand
around operators and inside brackets only; whatever follows a complete expression and a blank is its comment.
``parse`` reads an expression alone, ``read`` any of these. All limits (``MAX_...``) are checked as it is read, for the
whole line and before any die is thrown; nothing is ever cut down to fit. Odds of all forms: ``expr.chances``.

Everything here is pure: dice come in as faces, and refusals go out as ``Refused`` with the keys of ``REFUSALS``.
"""

from gmtool.kernel.expr.falling import Fallen, Thrower, fall
from gmtool.kernel.expr.judging import Judged, JudgedPart, Typed, faces_from, judge
from gmtool.kernel.expr.odds import MAX_STEPS, chance, distribution
from gmtool.kernel.expr.reading import parse
from gmtool.kernel.expr.throwing import Choice, Pool, Throwing, read
from gmtool.kernel.expr.tree import (
    MAX_DICE,
    MAX_LENGTH,
    MAX_NESTING,
    MAX_NUMBER,
    MAX_OPTIONS,
    MAX_SIDES,
    MAX_TIMES,
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
    "MAX_OPTIONS",
    "MAX_SIDES",
    "MAX_STEPS",
    "MAX_TIMES",
    "REFUSALS",
    "Binary",
    "Choice",
    "Dice",
    "DicePart",
    "Fallen",
    "Judged",
    "JudgedPart",
    "Negative",
    "Node",
    "Number",
    "Pool",
    "Roll",
    "Thrower",
    "Throwing",
    "Typed",
    "chance",
    "distribution",
    "faces_from",
    "fall",
    "judge",
    "parse",
    "read",
]
