"""The derivation of a ruling."""

from typing import Any

from gmtool.render.text import text
from gmtool.render.why import why
from gmtool.text.catalogue import Catalogue


def _rule(rule: str) -> tuple[str, str] | None:
    return ("our default", "The damage falls on\n  craft A first.") if rule == "RT-10.1" else None


def test_every_part_die_and_event_is_given_with_its_rule(line: dict[str, Any], catalogue: Catalogue) -> None:
    line["trace"][3]["dice"][1] |= {"source": "rolled", "by": "Ken"}
    assert text(why(line, catalogue, _rule)).split("\n")[1:] == [
        "  Gains-2 defence evade: not said, so the default  RT-9.4",
        "  Kestrel attack 65  RT-8.3",
        "    weapon    40  RT-8.3",
        "    agility  +30  RT-8.3",
        "    feint     -5  RT-22.4",
        "  Gains-2 evade 20  RT-8.4",
        "    craft  20  RT-8.4",
        "  Kestrel attack  RT-8.5",
        "    lead faces 92, read as 29   hit   entered",
        "    A faces 15   hit   the other way round 51   rolled   thrown by Ken",
        "  Gains-2 evade  RT-8.6",
        "    lead faces 33   evaded   entered",
        "    A faces 88   HIT   answers attack A, hit   entered",
        "  Gains-2 A 100 > 70  RT-10.1",
        "  RT-8.3  no text for this rule",
        "  RT-8.5  no text for this rule",
        "  RT-8.6  no text for this rule",
        "  RT-10.1  The damage falls on craft A first. (our default)",
    ]


def test_changes_that_an_event_does_not_tell_stand_under_it(line: dict[str, Any], catalogue: Catalogue) -> None:
    line["trace"][5] = {"t": "event", "type": "wrecked", "rule": "RT-10.1", "facts": {"unit": {"id": "gains-2"}}}
    line["changes"].append({"path": "units.gains-2.state", "before": "active", "after": "lost", "rule": "RT-99.1"})
    shown = text(why(line, catalogue, _rule))
    assert (
        "  Gains-2 wrecked  RT-10.1\n    Gains-2 A 100 > 70  RT-10.1\n    Gains-2 state active > lost  RT-99.1\n"
        in shown
    )


def test_a_reading_is_named_as_our_default_or_as_the_campaigns(line: dict[str, Any], catalogue: Catalogue) -> None:
    choice = {"t": "choice", "id": "rt-8.8", "value": "attack", "rule": "RT-8.8"}
    line["trace"] = [{**choice, "default": True}, {**choice, "default": False}]
    shown = text(why(line, catalogue, _rule))
    assert "  RT-8.8 the attack value counts: our default\n" in shown
    assert "  RT-8.8 the attack value counts: the reading of this campaign\n" in shown


def test_a_fixed_reading_is_told_with_the_other_one(line: dict[str, Any], catalogue: Catalogue) -> None:
    line["trace"][3]["dice"][0] |= {"fixed": True, "read": 92}
    assert "    lead faces 92, taken as typed   hit   the other way round 29   entered\n" in text(
        why(line, catalogue, _rule)
    )


def test_a_number_within_a_row_is_not_named_after_anothers_part(line: dict[str, Any], catalogue: Catalogue) -> None:
    """``ammo.2`` is what is numbered 2 of this row, not what the ruling tells of as ``table/2``."""
    line["names"] |= {"table/2": "Engine fire", "gains-2/3": "Gains-2 pod"}
    line["changes"] += [
        {"path": "units.gains-2.ammo.2", "before": 1, "after": 0, "rule": "RT-99.1"},
        {"path": "units.gains-2.ammo.3", "before": 1, "after": 0, "rule": "RT-99.1"},
    ]
    shown = " ".join(text(why(line, catalogue, _rule)).split())
    assert "Engine fire" not in shown
    assert "Gains-2 ammo 2 1 > 0" in shown
    assert "Gains-2 ammo Gains-2 pod 1 > 0" in shown
