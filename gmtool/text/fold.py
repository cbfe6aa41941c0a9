"""Comparing names and reading numbers, as the kernel does it, for everything that deals with text.

Refusals (exit 2, code ``bad-value``): ``not-a-number`` {value, character}, ``number-range`` {value, low, high}.
"""

from gmtool.kernel.fold import fold, half_width, numeral

__all__ = ["fold", "half_width", "numeral"]
