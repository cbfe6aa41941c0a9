"""The common verbs: what the command line can do whatever the game. Each module is imported when its verb is used."""

from gmtool.kernel.refusal import Refused

COMMON: dict[str, str] = {
    "demo": "tools:Demo",
    "campaign new": "campaigns:New",
    "campaign use": "campaigns:Use",
    "campaign list": "campaigns:List",
    "campaign show": "campaigns:Show",
    "campaign rename": "campaigns:Rename",
    "campaign export": "campaigns:Export",
    "campaign import": "campaigns:Import",
    "campaign remove": "campaigns:Remove",
    "session start": "sessions:Start",
    "session end": "sessions:End",
    "session list": "sessions:List",
    "status": "looking:Status",
    "can": "can:Can",
    "history": "looking:History",
    "why": "looking:Why",
    "note": "play:Note",
    "undo": "back:Undo",
    "redo": "back:Redo",
    "checkpoint": "back:Checkpoint",
    "try": "branch:Try",
    "keep": "branch:Keep",
    "drop": "branch:Drop",
    "answer": "play:Answer",
    "reroll": "again:Reroll",
    "amend": "again:Amend",
    "set": "play:Set",
    "roll": "play:Roll",
    "dice report": "dice:DiceReport",
    "odds": "looking:Odds",
    "rules list": "rules:List",
    "rules show": "rules:Show",
    "rules search": "rules_search:Search",
    "rules diff": "rules_pinned:Diff",
    "rules upgrade": "rules_pinned:Upgrade",
    "interpretations": "readings:Interpretations",
    "run": "tools:Run",
    "table": "tools:TableShell",
    "systems": "about:Systems",
    "doctor": "health:Doctor",
    "backup list": "health:BackupList",
    "backup restore": "health:BackupRestore",
    "errors": "about:Errors",
    "config": "play:Config",
    "report": "report:Report",
}
"""Verb -> module and command class below this package."""

FOR_ONE_SIDE = frozenset(
    {"status", "systems", "errors", "rules list", "rules show", "rules search", "interpretations", "run"}
)
"""The common verbs that take ``--for SIDE``: they show only what that side may know. ``run`` leaves it to its lines."""

ONLY_SHOW = frozenset(
    {
        "can", "history", "why", "odds", "campaign list", "campaign show", "campaign export", "session list", "doctor",
        "backup list", "rules", "rules diff", "interpretations", "config", "report", "dice report",
    }
)  # fmt: skip
"""Those that only show, but the GM's side of it; of the rules, how this campaign reads them."""


def not_for_one_side(verb: str) -> Refused:
    """Why a line with ``--for`` is not done: it shows what no side may see, or it is no line that only shows."""
    if verb in ONLY_SHOW:
        return Refused("not-covered", key="for-not-here", exit=2, facts={"value": verb})
    return Refused("usage", key="for-changes", exit=2, facts={"value": verb})
