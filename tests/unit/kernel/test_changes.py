"""Changes: applying, taking back, comparing rows."""

import copy
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gmtool.kernel.changes import ChangeError, Tables, apply, diff, fitting, reverse, rooted, same


def tables() -> Tables:
    return {"units": {"gains-2": {"name": "ゲインズ", "hp": {"A": 100, "B": 100}, "ammo": {}, "at": None}}}


def test_a_leaf_a_row_and_a_key_are_made_changed_and_removed_in_order() -> None:
    state = tables()
    apply(
        state,
        [
            {"path": "units.gains-2.hp.A", "before": 100, "after": 70},
            {"path": "units.gains-2.hp.A", "before": 70, "after": 0},
            {"path": "units.gains-2.ammo.vulcan", "after": 6},
            {"path": "units.gains-2.at", "before": None},
            {"path": "pilots.cho", "after": {"life": 10}},
        ],
    )
    assert state == {
        "units": {"gains-2": {"name": "ゲインズ", "hp": {"A": 0, "B": 100}, "ammo": {"vulcan": 6}}},
        "pilots": {"cho": {"life": 10}},
    }


def test_a_table_goes_with_its_last_row() -> None:
    state = tables()
    apply(state, [{"path": "units.gains-2", "before": tables()["units"]["gains-2"]}])
    assert state == {}


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({"path": "units.gains-2.hp.A", "before": 99, "after": 70}, "differs"),
        ({"path": "units.gains-2.hp.A", "after": 70}, "exists"),
        ({"path": "units.gains-2.hp.C", "before": 0, "after": 70}, "missing"),
        ({"path": "units.gains-3.hp.A", "before": 1, "after": 70}, "nowhere"),
        ({"path": "units.gains-2.name.x", "after": 1}, "nowhere"),
        ({"path": "pilots.cho", "before": {}}, "nowhere"),
        ({"path": "units", "after": {}}, "bad-path"),
        ({"path": "units..hp", "after": 1}, "bad-path"),
        ({"path": "units.Gains", "after": {}}, "bad-path"),
        ({"path": "Units.gains", "after": {}}, "bad-path"),
        ({"path": "units.arrow", "after": 5}, "bad-path"),
    ],
)
def test_a_change_that_does_not_fit_leaves_everything_as_it_was(change: dict[str, Any], why: str) -> None:
    """The change before it fits, and is taken back too."""
    state = tables()
    with pytest.raises(ChangeError) as caught:
        apply(state, [{"path": "units.gains-2.hp.B", "before": 100, "after": 1}, change])
    assert (caught.value.path, caught.value.why) == (change["path"], why)
    assert state == tables()


def test_true_is_not_one() -> None:
    assert not same({"a": [True]}, {"a": [1]})
    assert same({"a": [1, None]}, {"a": [1, None]})
    assert diff("units", "a", {"seen": 1}, {"seen": True}, "") == [
        {"path": "units.a.seen", "before": 1, "after": True, "rule": ""}
    ]


def test_what_a_change_holds_is_not_touched_by_later_changes() -> None:
    made = {"path": "units.a", "after": {"hp": {"A": 1}}}
    apply({}, [made, {"path": "units.a.hp.A", "before": 1, "after": 0}])
    assert made["after"] == {"hp": {"A": 1}}


def test_reverse_swaps_and_turns_round() -> None:
    assert reverse([{"path": "a.b", "after": 1, "rule": "R"}, {"path": "a.c", "before": 1, "after": 2}]) == [
        {"path": "a.c", "before": 2, "after": 1},
        {"path": "a.b", "before": 1, "rule": "R"},
    ]


def test_fitting_leaves_out_what_has_been_written_over_and_changes_nothing() -> None:
    state = tables()
    fit = {"path": "units.gains-2.hp.A", "before": 100, "after": 50}
    assert fitting(state, [{"path": "units.gains-2.hp.B", "before": 7, "after": 8}, fit]) == [fit]
    assert state == tables()


def test_diff_names_each_leaf_in_the_order_of_the_keys() -> None:
    before = {"name": "A", "hp": {"B": 5, "A": 1}, "list": [1, 2], "gone": {"x": 1}}
    after = {"name": "A", "hp": {"B": 4, "A": 0}, "list": [2], "new": {"y": 1}}
    assert diff("units", "a", before, after, "X-1") == [
        {"path": "units.a.gone", "before": {"x": 1}, "rule": "X-1"},
        {"path": "units.a.hp.A", "before": 1, "after": 0, "rule": "X-1"},
        {"path": "units.a.hp.B", "before": 5, "after": 4, "rule": "X-1"},
        {"path": "units.a.list", "before": [1, 2], "after": [2], "rule": "X-1"},
        {"path": "units.a.new", "after": {"y": 1}, "rule": "X-1"},
    ]


def test_a_dict_with_a_dot_in_a_key_is_one_leaf() -> None:
    assert diff("campaign", "campaign", {"choices": {}}, {"choices": {"x-8.8": "attack"}}, "") == [
        {"path": "campaign.campaign.choices", "before": {}, "after": {"x-8.8": "attack"}, "rule": ""}
    ]


JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-9, 9) | st.text("ab.", max_size=2),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.sampled_from(["a", "b", "c.d", ""]), inner),
    max_leaves=8,
)
ROW = st.none() | st.dictionaries(st.sampled_from(["a", "b", "c", "x.y"]), JSON, max_size=4)


@given(ROW, ROW)
def test_diff_leads_there_and_its_reverse_leads_back(before: Any, after: Any) -> None:
    def state(row: Any) -> Tables:
        return {} if row is None else {"units": {"a": copy.deepcopy(row)}}

    found = diff("units", "a", before, after, "X-1")
    live = state(before)
    apply(live, found)
    assert same(live, state(after))
    apply(live, reverse(found))
    assert same(live, state(before))


def test_a_field_that_came_later_is_made_by_its_first_change() -> None:
    """The row is of a time before ``stopped`` and ``marks``; rules have seen their defaults, no and nothing."""
    old: Tables = {"units": {"a": {"n": 1}}}
    changes = [
        {"path": "units.a.n", "before": 1, "after": 2, "rule": "X"},
        {"path": "units.a.stopped", "before": False, "after": True, "rule": "X"},
        {"path": "units.a.marks.b", "after": 3, "rule": "X"},
        {"path": "units.a.marks.c", "after": 4, "rule": "X"},
        {"path": "units.a.stopped", "before": True, "after": False, "rule": "X"},
    ]
    fit = rooted(old, changes)
    assert fit == [
        {"path": "units.a.n", "before": 1, "after": 2, "rule": "X"},
        {"path": "units.a.stopped", "after": False, "rule": "X"},
        {"path": "units.a.marks", "after": {"b": 3, "c": 4}, "rule": "X"},
    ]
    new = copy.deepcopy(old)
    apply(new, fit)
    assert new == {"units": {"a": {"n": 2, "stopped": False, "marks": {"b": 3, "c": 4}}}}
    apply(new, reverse(fit))
    assert new == old


def test_what_fits_is_left_as_it_is() -> None:
    tables: Tables = {"units": {"a": {"n": 1, "ammo": {"x": 2}}}}
    changes = [
        {"path": "units.a.n", "before": 1, "after": 2, "rule": "X"},
        {"path": "units.a.ammo.x", "before": 2, "after": 1, "rule": "X"},
        {"path": "units.b", "after": {"n": 0}, "rule": "X"},
        {"path": "units.b.n", "before": 0, "after": 1, "rule": "X"},
        {"path": "units.a", "before": {"n": 2, "ammo": {"x": 1}}, "rule": "X"},
        {"path": "units.a", "after": {"m": 0}, "rule": "X"},
        {"path": "units.a.m", "before": 0, "after": 5, "rule": "X"},
    ]
    assert rooted(tables, changes) == changes
