"""Fill a campaign's journal: ``python -m tests.bench.filler FOLDER LINES``.

The lines are like those of play (two rulings and what takes them back among six notes, again and again), come through
the store's own ``append``, and leave the state as it was.
"""

import sys
from pathlib import Path
from typing import Any

from gmtool.kernel.changes import reverse
from gmtool.store.campaign import Campaign, open_campaign

PLACE = ("format", "seq", "time", "prev", "undo", "redo", "under", "next", "undoes", "redoes")
PERIODS = 100


def period(campaign: Campaign) -> list[dict[str, Any]]:
    """Ten lines made of the last ruling, which must have been undone."""
    ruling = next(line for line in reversed(campaign.tail(5)) if line["kind"] == "step")
    step = {key: value for key, value in ruling.items() if key not in PLACE}
    back = {"kind": "step", "line": "back", "command": step["command"], "changes": reverse(step["changes"])}
    note = {"kind": "mark", "line": "note The Gains hold the bridge.", "command": {"verb": "note", "args": {}}}
    return [step, note, note, back, note, step, note, back, note, note]


def fill(folder: Path, lines: int) -> None:
    """Append whole periods until there are as many lines, and bring the snapshot up to date."""
    campaign = open_campaign(folder, write=True)
    ten = period(campaign)
    with campaign.writing():
        while (missing := lines - campaign.head.seq) > 0:
            campaign.append(ten * min(PERIODS, -(-missing // len(ten))))
        campaign.save_snapshot()


if __name__ == "__main__":
    fill(Path(sys.argv[1]), int(sys.argv[2]))
