"""The panel of a ruling."""

import copy
from typing import Any

import pytest

from gmtool.kernel.view import Say, Word
from gmtool.render.dice import Line, figure_of, laid_out, seat_widths
from gmtool.render.lines import Room, Span, cells_of, plain
from gmtool.render.ruling import Context, ruling, short_rules
from gmtool.render.text import text
from gmtool.text.catalogue import Catalogue

WHERE = Context(where=Say("moment", {"n": 2, "phase": Word("first")}))


def test_a_ruling_reads_from_its_outcome_down_to_its_rules(line: dict[str, Any], catalogue: Catalogue) -> None:
    assert text(ruling(line, catalogue, WHERE)).split("\n") == [
        "#41  turn 2, first phase                               Kestrel > Gains-2  Vulcan",
        "  hits 1",
        "  attack 65   weapon 40  agility +30  feint -5",
        "    lead 92>29 hit   A 15 hit",
        "  evade  20   craft 20",
        "    lead 33 evaded   A 88 HIT",
        "  Gains-2 A 100 > 70",
        "  not said, so: Gains-2 defence evade",
        "  RT-8.3 8.5 8.6 10.1                                              why 41 | undo",
    ]


def test_throws_stand_under_their_seats_where_there_is_room(line: dict[str, Any], catalogue: Catalogue) -> None:
    """lead 92>29 hit is 14 cells wide and its column takes as many in both lines."""
    line["trace"][4]["dice"] = [line["trace"][4]["dice"][1]]
    attack, evade = [plain(each) for each in ruling(line, catalogue) if plain(each).startswith("    ")]
    assert attack.index("A 15") == evade.index("A 88")


def test_a_narrow_panel_breaks_between_throws_and_never_inside(line: dict[str, Any], catalogue: Catalogue) -> None:
    attack = line["trace"][3]["dice"]
    attack += [{**attack[0], "seat": seat, "faces": [6, 1], "read": 16} for seat in "BCD"]
    lines = text(ruling(line, catalogue, Context(Room(40, True)))).split("\n")
    at = lines.index("    lead 92>29 hit   A 15 hit")
    assert lines[at + 1 : at + 3] == ["      B 61>16 hit   C 61>16 hit", "      D 61>16 hit"]
    assert all(cells_of(each) <= 40 for each in ruling(line, catalogue, Context(Room(40, True))))


@pytest.mark.parametrize(
    ("faces", "read", "fixed", "shown"),
    [
        ([9, 2], 29, False, "92>29"),
        ([2, 9], 29, False, "29"),
        ([0, 7], 7, False, "07"),
        ([7, 0], 7, False, "70>07"),
        ([9, 2], 92, True, "=92"),
        ([0, 0], 100, False, "00>100"),
        ([4, 1], 5, False, "4+1=5"),
        ([4, 1], 14, False, "41>14"),
        ([10], 10, False, "10"),
        ([6], 6, False, "6"),
    ],
)
def test_the_typed_order_is_shown_where_the_reading_differs(
    faces: list[int], read: int, fixed: bool, shown: str
) -> None:
    assert figure_of({"faces": faces, "read": read, "fixed": fixed}) == shown


def test_dice_that_the_tool_rolled_and_who_rolled_are_marked(line: dict[str, Any], catalogue: Catalogue) -> None:
    line["trace"][3]["dice"][0]["by"] = "Ken"
    for each in line["trace"][4]["dice"]:
        each["source"] = "seeded"
    shown = text(ruling(line, catalogue))
    assert "lead 92>29 hit (Ken)   A 15 hit\n" in shown
    assert "lead 33 evaded         A 88 HIT   (seeded)\n" in shown


def test_units_are_named_where_several_have_the_same_figure(line: dict[str, Any], catalogue: Catalogue) -> None:
    other = copy.deepcopy(line["trace"][2]) | {"who": {"id": "gains-3"}}
    line["trace"].insert(5, other)
    line["names"]["gains-3"] = "Gains-3"
    shown = text(ruling(line, catalogue))
    assert "Gains-2 evade 20" in shown
    assert "Gains-3 evade 20" in shown
    assert "\n  attack        65" in shown


def test_dice_without_a_figure_carry_their_own_label(line: dict[str, Any], catalogue: Catalogue) -> None:
    dice = [{"seat": "1", "faces": [5], "read": 5, "class": "5"}, {"seat": "2", "faces": [3], "read": 3, "class": "3"}]
    line["trace"] = [{"t": "dice", "key": "initiative.gains-2", "who": {"id": "gains-2"}, "rule": "", "dice": dice}]
    assert "  Gains-2 initiative   5   3\n" in text(ruling(line, catalogue))


def test_dice_of_a_counter_stand_under_the_figure_of_the_counter(line: dict[str, Any], catalogue: Catalogue) -> None:
    line["trace"][3]["key"] = "counter.kestrel.attack"
    assert "agility +30  feint -5\n    lead 92>29 hit" in text(ruling(line, catalogue))


def further(line: dict[str, Any], target: int | None = None, **more: Any) -> None:
    """The lead's attack die has been thrown again, A's twice: what stands is the last throw of each."""
    first, second = line["trace"][3]["dice"]
    again = [{**first, "key": "reroll.attack.lead", "faces": [4, 4], "read": 44, **more}]
    law = {"key": "percent", "facts": {"target": target}, "rules": []} if target else None
    entry = {"t": "dice", "who": {"id": "kestrel"}, "rule": "RT-8.5"}
    line["trace"].insert(4, {**entry, "key": "reroll.attack", "dice": again, "law": law})
    for n, key in enumerate(("reroll.attack", "reroll.2.attack")):
        thrown = {**second, "key": f"{key}.A", "faces": [n, n], "read": 11 * n}
        line["trace"].insert(5 + n, {**entry, "key": key, "dice": [thrown], "law": None})


def test_a_die_that_was_thrown_again_stands_behind_the_one_it_replaces(
    line: dict[str, Any], catalogue: Catalogue
) -> None:
    further(line)
    shown = ruling(line, catalogue)
    assert "    lead 92>29 hit, again 44 hit   A 15 hit, again 00 hit, again 11 hit\n" in text(shown)
    spans = {span.text: span.style for each in shown for span in each}
    assert (spans["92>29"], spans["44"], spans["00"], spans["11"]) == ("dim", "", "dim", "")


def test_a_raised_target_and_other_origins_are_named(line: dict[str, Any], catalogue: Catalogue) -> None:
    further(line, target=85, source="rolled")
    shown = " ".join(text(ruling(line, catalogue)).split())
    assert "lead 92>29 hit, again against 85: 44 hit (rolled) A 15 hit" in shown


def test_a_ruling_in_place_of_another_names_it_and_shows_its_own_changes(catalogue: Catalogue) -> None:
    """Gains-2 had 100, the old ruling left 70, this one 40."""
    path = {"path": "units.gains-2.hp.A"}
    back, own = {**path, "before": 70, "after": 100}, {**path, "before": 100, "after": 40}
    line = {
        "seq": 42, "kind": "step", "line": "amend 40", "command": {"verb": "set", "args": {}}, "trace": [],
        "names": {"gains-2": "Gains-2"}, "amends": {"seq": 41, "taken_back": 1}, "changes": [back, own],
    }  # fmt: skip
    shown = text(ruling(line, catalogue))
    assert "Gains-2 A 100 > 40" in shown
    assert "in place of #41" in shown


def test_choices_overruled_rules_and_the_reason_are_told(line: dict[str, Any], catalogue: Catalogue) -> None:
    line["trace"] += [
        {"t": "choice", "id": "rt-8.8", "value": "attack", "rule": "RT-8.8", "default": True},
        {"t": "said", "key": "defence.gains-2", "who": {"id": "gains-2"}, "value": "focus", "rule": "RT-9.4"},
        {
            "t": "overruled",
            "code": "not-in-range",
            "key": "not-in-range",
            "rule": "RT-8.1",
            "facts": {"target": {"id": "gains-2"}, "n": 3},
        },
    ]
    line |= {"because": "[b]nebula[/] :fire:", "overruled": [{"code": "not-in-range", "rule": "RT-8.1"}]}
    shown = text(ruling(line, catalogue)).split("\n")
    assert "  said: Gains-2 defence focus" in shown
    assert "  our default: RT-8.8 the attack value counts" in shown
    assert shown.count("  GM's ruling, all the same: Gains-2 is 3 hexes away (RT-8.1).") == 1
    assert "  because: [b]nebula[/] :fire:" in shown


def test_a_line_without_a_sentence_shows_what_was_typed_and_what_changed(catalogue: Catalogue) -> None:
    changes = [
        {"path": "units.gains-2.hp.A", "before": 100, "after": 40, "rule": "RT-10.1"},
        {"path": "units.gains-2.hp.A", "before": 40, "after": 10, "rule": "RT-10.1"},
        {"path": "units.gains-2.tag", "after": "x", "rule": ""},
    ]
    told = {"seq": 7, "kind": "step", "line": "set \x1b[31m", "names": {"gains-2": "Gains-2"}, "changes": changes}
    assert text(ruling(told, catalogue)).split("\n") == [
        "#7  set <U+001B>[31m",
        "  Gains-2 A 100 > 10   Gains-2 tag - > x",
        " " * 76 + "undo",
    ]


def test_a_ruling_that_was_not_kept_has_no_number_and_no_commands(line: dict[str, Any], catalogue: Catalogue) -> None:
    del line["seq"]
    shown = text(ruling(line, catalogue))
    assert shown.startswith("Kestrel > Gains-2  Vulcan")
    assert shown.endswith("RT-8.3 8.5 8.6 10.1")


def test_rule_ids_name_their_book_once() -> None:
    assert short_rules(["RT-8.3", "RT-10.1", "XW-1.2", "XW-7"]) == "RT-8.3 10.1 XW-1.2 7"


def test_rolls_of_a_single_craft_begin_at_the_indent() -> None:
    """Seats that are numbers have no columns, whichever of them a pool has."""
    attack = Line(("1", "2"), ([Span("11 hit")], [Span("12 hit")]), [])
    evade = Line(("2",), ([Span("99 HIT")],), [])
    widths = seat_widths([attack, evade], Room(80), 4)
    assert [plain(line) for line in laid_out(evade, widths, Room(80), 4)] == ["    99 HIT"]


@pytest.mark.parametrize(
    ("target", "shown"),
    [
        ("gains-2/pod", "Gains-2/Pod"),
        ("gains-2/3", "Gains-2/3"),
        ("1=gains-2", "1=Gains-2"),
        ("2=gains-2/3", "2=Gains-2/3"),
        ("2=nobody", "2=nobody"),
    ],
)
def test_a_target_stands_in_the_title_by_name(
    line: dict[str, Any], catalogue: Catalogue, target: str, shown: str
) -> None:
    line["names"] |= {"gains-2/pod": "Pod", "gains-2/3": "Gains-2/3"}
    line["command"]["args"]["targets"] = [target]
    assert plain(ruling(line, catalogue, WHERE)[0]).endswith(f"Kestrel > {shown}  Vulcan")
