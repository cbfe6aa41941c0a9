"""Faults that were found and wait to be mended: name of the test, or of one of its cases -> what is wrong.

A known fault is expected to show, and noticed as soon as it is gone; this table is empty before a release.
"""

KNOWN: dict[str, str] = {}

BY_CHANCE: frozenset[str] = frozenset()
"""Those of them that show only now and then."""
