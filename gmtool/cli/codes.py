"""The error codes: stable words of the public interface, each with its exit codes and whether force can help.

What to do about each stands in the catalogues under ``error-help.<code>``; the games' codes stand here too, since
``errors`` lists them without a game.
"""

from collections.abc import Mapping
from typing import NamedTuple


class Code(NamedTuple):
    """An error code: the exit codes it comes with, and whether ``--force`` sets some of its refusals aside."""

    exits: tuple[int, ...]
    forcible: bool = False


RULES, USAGE, DATA, FILES, FAULT = 1, 2, 3, 4, 70

CODES: Mapping[str, Code] = {
    "already-acted": Code((RULES,), forcible=True),
    "ambiguous-name": Code((USAGE,)),
    "bad-archive": Code((USAGE,)),
    "bad-dice": Code((USAGE,)),
    "bad-setup": Code((RULES,), forcible=True),
    "bad-value": Code((RULES, USAGE)),
    "barred-defence": Code((RULES,), forcible=True),
    "beyond-limits": Code((RULES,), forcible=True),
    "blocked": Code((RULES,), forcible=True),
    "branch-open": Code((RULES,)),
    "disk": Code((FILES,)),
    "due-open": Code((RULES,), forcible=True),
    "fault": Code((FAULT,)),
    "file-exists": Code((RULES,)),
    "friend": Code((RULES,), forcible=True),
    "has-moved": Code((RULES,), forcible=True),
    "locked": Code((FILES,)),
    "must-move": Code((RULES,), forcible=True),
    "name-taken": Code((RULES,)),
    "needs-answer": Code((RULES,)),
    "needs-yes": Code((USAGE,)),
    "newer": Code((FILES,)),
    "no-ammo": Code((RULES,), forcible=True),
    "no-ap": Code((RULES,), forcible=True),
    "no-branch": Code((RULES,)),
    "no-campaign": Code((FILES,)),
    "no-force": Code((RULES,), forcible=True),
    "no-fuel": Code((RULES,), forcible=True),
    "no-function": Code((RULES,), forcible=True),
    "no-line": Code((RULES,), forcible=True),
    "no-lives": Code((RULES,), forcible=True),
    "no-map": Code((RULES,)),
    "no-odds": Code((RULES,)),
    "no-open-ruling": Code((RULES,)),
    "no-replacements": Code((RULES,), forcible=True),
    "no-reroll": Code((RULES,)),
    "no-resources": Code((RULES,), forcible=True),
    "no-room": Code((RULES,), forcible=True),
    "no-session": Code((RULES,)),
    "not-active": Code((RULES,), forcible=True),
    "not-adjacent": Code((RULES,), forcible=True),
    "not-charged": Code((RULES,), forcible=True),
    "not-confirmed": Code((RULES,)),
    "not-covered": Code((USAGE,)),
    "not-in-range": Code((RULES,), forcible=True),
    "not-searched": Code((RULES,), forcible=True),
    "nothing-to-amend": Code((RULES,)),
    "nothing-to-do": Code((RULES,)),
    "nothing-to-explain": Code((RULES,)),
    "nothing-to-redo": Code((RULES,)),
    "nothing-to-undo": Code((RULES,)),
    "once-only": Code((RULES,), forcible=True),
    "pilot-out": Code((RULES,), forcible=True),
    "rules-file": Code((DATA,)),
    "ruling-open": Code((RULES,)),
    "seat-taken": Code((RULES,), forcible=True),
    "session-open": Code((RULES,)),
    "skill-unfit": Code((RULES,), forcible=True),
    "step-over": Code((RULES,), forcible=True),
    "too-far": Code((RULES,), forcible=True),
    "unknown-name": Code((USAGE,)),
    "unreadable": Code((FILES,)),
    "unsound": Code((FILES,)),
    "usage": Code((USAGE,)),
    "wrong-craft": Code((RULES,), forcible=True),
    "wrong-phase": Code((RULES,), forcible=True),
}
