"""Faults that were found and wait to be mended: name of the test, or of one of its cases -> what is wrong.

A known fault is expected to show, and noticed as soon as it is gone; this table is empty before a release.
"""

AT_A_YES_OR_NO = "test_p_k7_ctrl_c_at_a_yes_or_no_is_a_cancel"
TWICE = [f"{AT_A_YES_OR_NO}[{pause}]" for pause in ("twice at once", "10 ms apart")]

KNOWN: dict[str, str] = {
    **dict.fromkeys(TWICE, "a second Ctrl-C while the interpreter shuts down shows a traceback of threading"),
}

BY_CHANCE = frozenset(TWICE)
"""Those of them that show only now and then."""
