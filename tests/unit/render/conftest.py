"""A small game's words on top of the real common ones, and one ruling worked out by hand."""

from typing import Any

import pytest

from gmtool.text.catalogue import Catalogue, merged, sources

GAME = {
    "command.attack": "{unit} > {targets}  {weapon}",
    "result.attack": "hits {hits}",
    "moment": "turn {n}, {phase}",
    "word.first": "first phase",
    "figure.attack": "attack",
    "figure.evade": "evade",
    "part.weapon": "weapon",
    "part.agility": "agility",
    "part.feint": "feint",
    "part.craft": "craft",
    "pool.attack": "attack",
    "pool.evade": "evade",
    "pool.initiative": "initiative",
    "seat.lead": "lead",
    "class.attack.success": "hit",
    "class.evade.success": "evaded",
    "class.evade.failure": "HIT",
    "event.damaged": "{unit} {craft} {before} > {after}",
    "event.wrecked": "{unit} wrecked",
    "declare.defence": "defence",
    "word.evade": "evade",
    "word.focus": "focus",
    "refusal.not-in-range": "{target} is {n} hexes away.",
    "hint.not-in-range": "In reach: {others}.",
    "choice.rt-8.8.attack": "the attack value counts",
    "column.unit": "unit",
    "column.pilot": "pilot",
    "column.fuel": "fuel",
    "column.lead": "lead",
    "title": "PLAYERS",
    "odds.hits": "hits",
    "odds.wrecked": "wrecked",
    "due.escape": "escape",
    "field.hp.A": "A",
}
NAMES = {"kestrel": {"en": "Kestrel", "ja": "ケストレル"}, "gains-2": "Gains-2", "vulcan": "Vulcan"}


@pytest.fixture(scope="session", params=["en"])
def catalogue(request: pytest.FixtureRequest) -> Catalogue:
    return Catalogue(request.param, {**merged(sources(request.param)), **GAME})


@pytest.fixture
def names() -> dict[str, Any]:
    return dict(NAMES)


def die(seat: str, faces: list[int], read: int, result: str, **more: Any) -> dict[str, Any]:
    made = {"key": f"attack.{seat}", "seat": seat, "faces": faces, "read": read, "class": result}
    return {**made, "source": "entered", "by": None, "fixed": False, **more}


@pytest.fixture
def line() -> dict[str, Any]:
    """Kestrel's Vulcan against Gains-2: two rolls, one evasion, one craft hit for 30."""
    kestrel, gains = {"id": "kestrel"}, {"id": "gains-2"}
    weapon, agility = {"key": "weapon", "n": 40, "rule": "RT-8.3"}, {"key": "agility", "n": 30, "rule": "RT-8.3"}
    feint, craft = {"key": "feint", "n": -5, "rule": "RT-22.4"}, {"key": "craft", "n": 20, "rule": "RT-8.4"}
    attacks = [die("lead", [9, 2], 29, "success"), die("A", [1, 5], 15, "success")]
    evasions = [die("lead", [3, 3], 33, "success"), die("A", [8, 8], 88, "failure", answers=["attack", "A", "success"])]
    hit = {"unit": gains, "craft": "A", "before": 100, "after": 70}
    trace = [
        {"t": "assumed", "key": "defence.gains-2", "who": gains, "value": "evade", "rule": "RT-9.4"},
        {
            "t": "figure",
            "key": "attack",
            "who": kestrel,
            "total": 65,
            "parts": [weapon, agility, feint],
            "rule": "RT-8.3",
        },
        {"t": "figure", "key": "evade", "who": gains, "total": 20, "parts": [craft], "rule": "RT-8.4"},
        {"t": "dice", "key": "attack", "who": kestrel, "rule": "RT-8.5", "dice": attacks},
        {"t": "dice", "key": "evade.gains-2", "who": gains, "rule": "RT-8.6", "dice": evasions},
        {"t": "event", "type": "damaged", "rule": "RT-10.1", "facts": hit},
    ]
    args = {"unit": "kestrel", "weapon": "vulcan", "targets": ["gains-2"], "feint": 5}
    return {
        "seq": 41,
        "kind": "step",
        "line": "attack r1 1 b2 --feint 5",
        "command": {"verb": "attack", "args": args},
        "trace": trace,
        "names": dict(NAMES),
        "result": {"hits": 1},
        "rules": ["RT-8.3", "RT-8.5", "RT-8.6", "RT-10.1"],
        "overruled": [],
        "because": None,
        "changes": [{"path": "units.gains-2.hp.A", "before": 100, "after": 70, "rule": "RT-10.1"}],
    }
