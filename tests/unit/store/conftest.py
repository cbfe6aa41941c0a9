"""A small campaign of no game: one unit whose figure ``n`` every step raises by one."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from gmtool.kernel.journal import checksum
from gmtool.store.campaign import Campaign, create

FIRST: list[dict[str, Any]] = [
    {"path": "campaign.campaign", "after": {"name": "Test", "system": "none"}, "rule": ""},
    {"path": "units.a", "after": {"n": 0, "id": "sheet-a", "ammo": {"x-1": 2}}, "rule": ""},
    {"path": "units.b", "after": {"n": 0}, "rule": ""},
]


def figure(campaign: Campaign) -> int:
    """How far unit a has been raised."""
    n: int = campaign.tables["units"]["a"]["n"]
    return n


def step(n: int, line: str = "raise a") -> dict[str, Any]:
    """The step that raises unit a from n."""
    change = {"path": "units.a.n", "before": n, "after": n + 1, "rule": "X-1"}
    return {"kind": "step", "line": line, "changes": [change]}


def summed(raw: bytes) -> bytes:
    """Lines of a journal with checksums that fit, as someone who knows the format would have changed them by hand."""
    bodies = (line.rpartition(b',"sum":"')[0] for line in raw.splitlines())
    return b"".join(b'%b,"sum":"%b"}\n' % (body, checksum(body)) for body in bodies)


@pytest.fixture
def campaign(tmp_path: Path) -> Campaign:
    """A new campaign in a home of its own, open for writing."""
    return create(tmp_path / "home", "Test", "none", FIRST, line="campaign new Test")


@pytest.fixture
def go(campaign: Campaign) -> Callable[[int], None]:
    """Raise unit a so many times, each a write of its own."""

    def call(times: int) -> None:
        for _ in range(times):
            with campaign.writing():
                campaign.append([step(figure(campaign))])

    return call


def plain(campaign: Campaign) -> str:
    """The state as text, whatever the order its rows came in."""
    return json.dumps(campaign.tables, sort_keys=True)
